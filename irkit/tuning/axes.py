"""The values of one parameter: a list, an interval, or a learned floor."""

from bisect import bisect_left
from dataclasses import dataclass
from math import exp, isfinite, log
from typing import TypeAlias

import numpy as np

from irkit.tuning.points import Value


@dataclass(frozen=True, slots=True)
class ListedValues:
    """Parameter with listed values.

    Attributes
    ----------
    name : str
    values : tuple of Value
        Numbers, texts, true and false, or weights; of one kind, each once, in the order in which they are tried.
    """

    name: str
    values: tuple[Value, ...]

    @property
    def n_values(self) -> int:
        """Number of values."""
        return len(self.values)

    @property
    def ordered(self) -> bool:
        """Whether the values are numbers, so that they have an order."""
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values)

    def drawn(self, rng: np.random.Generator) -> Value:
        """One of the values, each as likely."""
        return self.values[int(rng.integers(len(self.values)))]

    def distance(self, value: Value, other: Value) -> float:
        """From 0, the same, to 1, the ends: numbers by their places in the list, in order of size."""
        if self.ordered and isinstance(value, int | float) and isinstance(other, int | float):
            return abs(self._place(value) - self._place(other)) / self.n_values
        if isinstance(value, tuple) and isinstance(other, tuple) and len(value) == len(other):
            return sum(abs(ours - theirs) for ours, theirs in zip(value, other, strict=True)) / 2
        return 0.0 if value == other else 1.0

    def _place(self, number: float) -> float:
        """Place of a number among the sorted values; fractional between two values."""
        values = sorted(value for value in self.values if isinstance(value, int | float))
        above = bisect_left(values, number)
        if above == len(values):
            return above - 0.5
        if values[above] == number:
            return above
        if not above:
            return -0.5
        low, high = values[above - 1], values[above]
        return above - 1 + ((number - low) / (high - low) if isfinite(high - low) else 0.5)


@dataclass(frozen=True, slots=True)
class Interval:
    """A parameter that takes any number of an interval, for random search.

    Attributes
    ----------
    name : str
    low, high : float
        Both may be drawn.
    log : bool
        Each power of ten is as likely; `low` is above 0 then.
    whole : bool
        Whole numbers only.
    """

    name: str
    low: float
    high: float
    log: bool = False
    whole: bool = False

    @property
    def n_values(self) -> int | None:
        """Number of values; None if infinite."""
        return int(self.high - self.low) + 1 if self.whole else None

    def drawn(self, rng: np.random.Generator) -> Value:
        """Draw a number with four significant digits, so that tables print the exact value tried."""
        # Every whole number has an equal share, its half of either side, also at the ends.
        margin = 0.5 if self.whole else 0.0
        low, high = self.low - margin, self.high + margin
        found = exp(rng.uniform(log(low), log(high))) if self.log else float(rng.uniform(low, high))
        if self.whole:
            return int(min(max(round(found), self.low), self.high))
        return min(max(float(f"{found:.4g}"), self.low), self.high)

    def distance(self, value: Value, other: Value) -> float:
        """From 0, the same, to 1, the ends; on the scale on which it is drawn."""
        if not isinstance(value, int | float) or not isinstance(other, int | float):
            return 1.0
        ends = [min(max(float(one), self.low), self.high) for one in (value, other)]
        if self.log:
            return abs(log(ends[0] / ends[1])) / log(self.high / self.low)
        return abs(ends[0] - ends[1]) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class LearnedValues:
    """A floor, whose values come from the data: see `irkit.tuning.floors`."""

    name: str


Axis: TypeAlias = ListedValues | Interval | LearnedValues
