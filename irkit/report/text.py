"""Names and numbers as text that can do no harm."""

import math
import unicodedata
from collections.abc import Sequence

MISSING_VALUE = "-"


def visible(name: str) -> str:
    r"""A name on one line with every control character shown as an escape, such as `\x1b`.

    So are marks that turn the direction of text, and bytes that were not UTF-8 (`\xff`).
    """
    return "".join(character if _harmless(character) else _escape(character) for character in name)


def _harmless(character: str) -> bool:
    return (character.isascii() and character.isprintable()) or unicodedata.category(character)[0] not in "CZ"


def _escape(character: str) -> str:
    point = ord(character)
    if 0xDC80 <= point <= 0xDCFF:  # a byte that was not UTF-8, as `ids.to_text` keeps it
        return f"\\x{point - 0xDC00:02x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or (
        f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    )


def four_decimals(value: float, *, count: bool = False) -> str:
    """A value as tables show it: `0.6123`, or `15` for a count; `-` for nan."""
    if math.isnan(value):
        return MISSING_VALUE
    return f"{int(value)}" if count else f"{value:z.4f}"


def signed(value: float) -> str:
    """A difference with its sign; 0 has +, also where it is a rounded negative."""
    return MISSING_VALUE if math.isnan(value) else f"{value:+z.4f}"


def shown_pvalue(pvalue: float) -> str:
    """A p-value; never 0, which no test can show."""
    if math.isnan(pvalue):
        return MISSING_VALUE
    if pvalue == 0:
        return "< 1e-300"
    return "< 0.0001" if pvalue < 0.0001 else f"{pvalue:.4f}"


def some(names: Sequence[str]) -> str:
    """All names where they are ten or fewer, else the first five and how many more."""
    if len(names) <= 10:
        return ", ".join(names)
    return f"{', '.join(names[:5])} and {len(names) - 5} more"
