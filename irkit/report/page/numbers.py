"""Numbers as the page's data hold them."""

from collections.abc import Iterable
from math import isfinite

DIGITS = 10  # four are shown; so many tell equal from nearly equal


def plain(value: float) -> float | None:
    """A number of ten significant digits; None for one that is not finite, which JSON has not."""
    return float(f"{value:.{DIGITS}g}") if isfinite(value) else None


def plain_all(values: Iterable[float]) -> list[float | None]:
    """The same of each."""
    return [plain(value) for value in values]
