"""Numbers as the page's data hold them."""

from collections.abc import Iterable
from math import isfinite

DIGITS = 10  # digits; four are shown, the others distinguish equal from nearly equal values


def plain(value: float) -> float | None:
    """Round a number to ten significant digits; None for a number that is not finite."""
    return float(f"{value:.{DIGITS}g}") if isfinite(value) else None


def plain_all(values: Iterable[float]) -> list[float | None]:
    """Round each number; see `plain`."""
    return [plain(value) for value in values]
