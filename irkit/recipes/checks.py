"""Checks of parameter values."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from irkit._utils.text import instead
from irkit.errors import UsageError

Check: TypeAlias = Callable[[str, Any], Any]


def number(low: float = -math.inf, high: float = math.inf, *, above: bool = False) -> Check:
    """A number in [low, high]; `above`: and not `low` itself. It is never nan, and infinite only without bounds."""
    if low == -math.inf:
        what = "a number"
    elif above:
        what = f"a number above {low:g}"
    else:
        what = f"a number from {low:g} on" if high == math.inf else f"a number from {low:g} to {high:g}"

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"'{name}' is {what}, not {value!r}")
        try:
            given = float(value)
        except OverflowError as problem:
            raise UsageError(f"'{name}' is too large a number") from problem
        if not low <= given <= high or (above and given == low) or (low != -math.inf and math.isinf(given)):
            raise UsageError(f"'{name}' is {what}, not {value!r}")
        return given

    return check


def count(least: int = 1, *, what: str = "a whole number") -> Check:
    """A whole number from `least` on, below 2**31."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():  # as a range of a search may give it
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
            raise UsageError(f"'{name}' is {what}, at least {least} and below 2**31, not {value!r}")
        return value

    return check


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise UsageError(f"'{name}' is a text, not {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"'{name}' is true or false, not {value!r}")
    return value


def texts(name: str, value: Any) -> list[str]:
    """A list of texts."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise UsageError(f"'{name}' is a list in which each entry is a text, not {value!r}")
    return list(value)


def weights(name: str, value: Any) -> list[float]:
    """Check weights of runs: none below 0, at least one above 0."""
    if not isinstance(value, list | tuple):
        raise UsageError(f"'{name}' is a list of numbers, not {value!r}")
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in value):
        raise UsageError(f"'{name}' is a list in which each entry is a number, not {list(value)!r}")
    try:
        given = list(map(float, value))
    except OverflowError as problem:
        raise UsageError(f"'{name}' is too large a number") from problem
    if not (all(0 <= one < math.inf for one in given) and any(given)):
        raise UsageError(f"weights are numbers from 0 on, one above 0 at least; not {list(value)}")
    return given


def weighted(name: str, value: Any) -> dict[str, float]:
    """Fields with their weights, each above 0."""
    if not isinstance(value, Mapping):
        raise UsageError(f"'{name}' is a table of fields and their weights, not {value!r}")
    return {field: number(0, above=True)(field, weight) for field, weight in value.items()}


def one_of(known: Iterable[str]) -> Check:
    """One of these names."""

    def check(name: str, value: Any) -> str:
        if value not in known:
            raise UsageError(f"'{name}' is {value!r}; {instead(value, known)}")
        return str(value)

    return check
