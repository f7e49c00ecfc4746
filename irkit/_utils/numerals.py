"""Format numbers as text."""

import math

MISSING_VALUE = "-"


def four_decimals(value: float, *, count: bool = False) -> str:
    """Format a value for a table: `0.6123`, or `15` for a count; `-` for nan."""
    if math.isnan(value):
        return MISSING_VALUE
    return f"{int(value)}" if count else f"{value:z.4f}"


def signed(value: float) -> str:
    """Format a difference with its sign; 0 has +, also where it is a rounded negative number."""
    return MISSING_VALUE if math.isnan(value) else f"{value:+z.4f}"


def shown_pvalue(pvalue: float) -> str:
    """Format a p-value; never as 0, since no test can show that."""
    if math.isnan(pvalue):
        return MISSING_VALUE
    if pvalue == 0:
        return "< 1e-300"
    return "< 0.0001" if pvalue < 0.0001 else f"{pvalue:.4f}"
