"""Parse values of a parameter as a user writes them: values, ranges, intervals, weights."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf, isnan
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.tuning.axes import Axis, Interval, LearnedValues, ListedValues
from irkit.tuning.points import Value, kind_of, shown_value

FORMS: Final = (
    "values 0.6,0.9,1.2; a range 0.2:0.8:0.2 (start:stop:step) or 1:1000:x10 (start:stop:xfactor); for random search "
    "an interval 0..1, 0.01..10:log or 1..100:whole; weights of 3 runs that sum to 1, simplex:3:0.1; or learn"
)
_MOST_VALUES: Final = 100_000
_NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_WHOLE: Final = re.compile(r"[+-]?\d+")
_INTERVAL: Final = re.compile(rf"({_NUMBER}?)\.\.({_NUMBER})((?::\w*)*)")
# What begins like a number and has a colon is meant for a range; `model:small` is a text.
_RANGE: Final = re.compile(r"[+-]?\.?\d[^:]*:.*")


def axis_of(name: str, values: Any) -> Axis:
    """Axis of a parameter from a list of values, one value, or a text as `Space.of` takes it."""
    if isinstance(values, ListedValues | Interval | LearnedValues):
        if values.name != name:
            raise UsageError(f"what {name} may take is called {values.name!r}; name it alike")
        return values
    if isinstance(values, str):
        return _axis_in_text(name, values.strip())
    if isinstance(values, Sequence | np.ndarray):
        return _listed(name, [value_of(name, value) for value in values])
    return _listed(name, [value_of(name, values)])


def _axis_in_text(name: str, text: str) -> Axis:
    if text == "learn":
        return LearnedValues(name)
    if found := _INTERVAL.fullmatch(text):
        return _interval(name, text, *found.groups())
    if text.startswith("simplex:"):
        return _listed(name, list(_simplex(name, text)))
    return _listed(name, [value for part in text.split(",") for value in _part(name, part.strip())])


def _interval(name: str, text: str, low: str, high: str, marks: str) -> Interval:
    asked = marks.split(":")[1:]
    for mark in asked:
        if mark not in ("log", "whole"):
            raise UsageError(f"{name}={text}: unknown {mark!r} of an interval; {instead(mark, ('log', 'whole'))}")
    ends = float(low), float(high)
    whole, logarithmic = "whole" in asked, "log" in asked
    if not -inf < ends[0] < ends[1] < inf:
        raise UsageError(f"{name}={text}: an interval goes from a number up to a larger one, as 0.1..0.9")
    if logarithmic and ends[0] <= 0:
        raise UsageError(f"{name}={text}: on a log scale an interval begins above 0")
    if whole and not (_WHOLE.fullmatch(low) and _WHOLE.fullmatch(high)):
        raise UsageError(f"{name}={text}: whole numbers lie between whole numbers, as 1..100:whole")
    return Interval(name, *ends, log=logarithmic, whole=whole)


def _part(name: str, text: str) -> Iterator[Value]:
    """Values of a range, or one value, from a part between commas."""
    if not text:
        raise UsageError(f"{name}: a value is missing; write {FORMS}")
    if not _RANGE.fullmatch(text):
        yield _scalar(text)
        return
    parts = text.split(":")
    factor = parts[-1].startswith("x")
    numbers = [*parts[:-1], parts[-1].removeprefix("x")]
    if len(parts) != 3 or not all(re.fullmatch(_NUMBER, part) for part in numbers):
        raise UsageError(
            f"{name}={text}: a range is start:stop:step, as 0.2:0.8:0.2, or start:stop:xfactor, as 1:64:x2"
        )
    whole = all(map(_WHOLE.fullmatch, numbers))
    # Fractions, so that no step drifts: 0.1 + 0.2 is 0.3.
    make = _by_factor if factor else _by_step
    for value in make(f"{name}={text}", *map(Fraction, numbers)):
        yield int(value) if whole else float(value)


def _by_step(place: str, start: Fraction, stop: Fraction, step: Fraction) -> Iterator[Fraction]:
    if step == 0 or (stop - start) / step < 0:
        raise UsageError(f"{place}: the step never leads from start to stop; mend its sign or size")
    n = (stop - start) / step
    if n > _MOST_VALUES:
        raise UsageError(f"{place}: more than {_MOST_VALUES:,} values; take a larger step")
    if n.denominator != 1:
        before = start + int(n) * step
        raise UsageError(
            f"{place}: the steps pass by {float(stop):g}; stop at {float(before):g} or {float(before + step):g}, or "
            "take another step"
        )
    return (start + k * step for k in range(int(n) + 1))


def _by_factor(place: str, start: Fraction, stop: Fraction, factor: Fraction) -> Iterator[Fraction]:
    if not (0 < start <= stop and factor > 1):
        raise UsageError(f"{place}: a range by factors goes up from above 0, by a factor above 1, as 1:64:x2")
    values = [start]
    while values[-1] < stop and len(values) <= _MOST_VALUES:
        values.append(values[-1] * factor)
    if values[-1] != stop:
        raise UsageError(
            f"{place}: the steps pass by {float(stop):g}; stop at {float(values[-2]):g} or {float(values[-1]):g}, or "
            "take another factor"
        )
    return iter(values)


def _simplex(name: str, text: str) -> Iterator[Value]:
    """All weights of n runs that are multiples of a step and sum to 1; the first run's falling."""
    place = f"{name}={text}"
    parts = text.split(":")
    if len(parts) != 3 or not _WHOLE.fullmatch(parts[1]) or not re.fullmatch(_NUMBER, parts[2]):
        raise UsageError(f"{place}: weights that sum to 1 are simplex:RUNS:STEP, as simplex:3:0.1")
    n_runs, step = int(parts[1]), Fraction(parts[2])
    if n_runs < 2 or not 0 < step <= 1 or (1 / step).denominator != 1:
        raise UsageError(f"{place}: weights need 2 runs at least, and a step that divides 1, as 0.1 or 0.25")
    n_steps = int(1 / step)
    n = 1
    for k in range(1, n_runs):
        n = n * (n_steps + k) // k
        if n > _MOST_VALUES:
            raise UsageError(f"{place}: more than {_MOST_VALUES:,} weights; take a larger step")
    for shares in _shares(n_runs, n_steps):
        yield tuple(float(share * step) for share in shares)


def _shares(n_runs: int, n_steps: int) -> Iterator[tuple[int, ...]]:
    if n_runs == 1:
        yield (n_steps,)
        return
    for first in range(n_steps, -1, -1):
        for others in _shares(n_runs - 1, n_steps - first):
            yield (first, *others)


def _scalar(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if re.fullmatch(rf"{_NUMBER}|[+-]?inf|nan", text) else text


def value_of(name: str, value: Any) -> Value:
    """Convert a value to a Python type; refuse values that cannot be tried."""
    if isinstance(value, str | bool):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Sequence | np.ndarray):
        weights = [value_of(name, one) for one in value]
        if weights and all(kind_of(one) == "a number" for one in weights):
            return tuple(map(float, weights))  # type: ignore[arg-type]
    raise UsageError(f"{name}: {value!r} is no value to try; give numbers, texts, or lists of weights")


def _listed(name: str, values: list[Value]) -> ListedValues:
    if not values:
        raise UsageError(f"{name} has no value to try; give one at least")
    for value in values:
        if isinstance(value, float) and isnan(value):
            raise UsageError(f"{name}: nan is no value to try")
        if kind_of(value) != kind_of(values[0]):
            raise UsageError(
                f"{name}: {shown_value(value)!r} is {kind_of(value)}, and {shown_value(values[0])!r} is "
                f"{kind_of(values[0])}; give values of one kind"
            )
        if values.count(value) > 1:
            raise UsageError(f"{name}: the value {shown_value(value)} occurs there twice; give it once")
    return ListedValues(name, tuple(values))
