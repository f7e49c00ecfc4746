"""The search space: named parameters and the values that each may take."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from numbers import Integral
from typing import Any, Final, TypeAlias

import numpy as np

from irkit._utils.text import counted, instead
from irkit.errors import UsageError
from irkit.tuning.axes import Axis, Interval, LearnedValues, ListedValues
from irkit.tuning.points import Point, Value, kind_of
from irkit.tuning.ranges import FORMS, axis_of, value_of

LIMIT: Final = 1000
IN_VAIN: Final = 10_000  # draws in a row that find no new point
_NAME: Final = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True, slots=True)
class Space:
    """Named parameters, each with the values that it may take.

    Attributes
    ----------
    axes : tuple of ListedValues, Interval or LearnedValues
        In the order in which they were named.
    """

    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, source: "SpaceSource") -> "Space":
        """The space that a mapping or a list of texts `NAME=VALUES` says.

        Point
        ----------
        source : Space, mapping of name to values, or iterable of str
            Values are a list of numbers, of texts, of true and false or of lists of weights; one of these alone; or a
            text in one of these forms:

            ===================  =======================================================================
            `0.6,0.9,1.2`        these values; also texts, and ranges among them
            `0.2:0.8:0.2`        start:stop:step, both ends taken; 0.2 0.4 0.6 0.8 to the last digit
            `1:1000:x10`         start:stop:xfactor; 1 10 100 1000
            `0.1..0.9`           any number between, for random search
            `0.01..10:log`       the same, each power of ten as likely
            `1..100:whole`       whole numbers, for random search; `:whole:log` is both
            `simplex:3:0.1`      weights of 3 runs that sum to 1, by steps of 0.1
            `learn`              a floor, learned from the best scores of topics
            ===================  =======================================================================

        Raises
        ------
        UsageError
            If there is no parameter, one stands twice, or what it may take cannot be read.
        """
        if isinstance(source, Space):
            return source
        if isinstance(source, str):
            source = [source]
        named = list(source.items()) if isinstance(source, Mapping) else list(map(_assigned, source))
        names = [name for name, _ in named]
        for name in names:
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise UsageError(f"{name!r} is no name of a parameter: letters, digits and _.- make one")
            if names.count(name) > 1:
                raise UsageError(f"the parameter {name!r} is set twice; give all its values at once: {name}=1,2,3")
        axes = tuple(axis_of(name, values) for name, values in named)
        if not axes:
            raise UsageError(f"there is no parameter to tune; name one with its values, such as {FORMS}")
        if len([axis for axis in axes if isinstance(axis, LearnedValues)]) > 1:
            raise UsageError("one floor can be learned, not several; list the values of the others")
        return cls(axes)

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters, including a learned floor."""
        return tuple(axis.name for axis in self.axes)

    @property
    def tried(self) -> tuple[ListedValues | Interval, ...]:
        """The parameters with tried values, without a learned floor."""
        return tuple(axis for axis in self.axes if not isinstance(axis, LearnedValues))

    @property
    def learned(self) -> str | None:
        """Name of the learned floor, if there is one."""
        return next((axis.name for axis in self.axes if isinstance(axis, LearnedValues)), None)

    @property
    def n_points(self) -> int | None:
        """Number of combinations of values; None if infinite."""
        numbers = [axis.n_values for axis in self.tried]
        return None if None in numbers else prod(number for number in numbers if number is not None)

    def grid(self, limit: int = LIMIT) -> tuple[Point, ...]:
        """Every combination of the values, the last parameter changing first.

        Raises
        ------
        UsageError
            If there are more than `limit`, or a parameter has an interval.
        """
        listed = []
        for axis in self.tried:
            if isinstance(axis, Interval):
                raise UsageError(
                    f"{axis.name} is an interval, which random search draws from; for a grid list its values, or give "
                    f"a range such as {axis.low:g}:{axis.high:g}:STEP"
                )
            listed.append(axis)
        n_points = self.n_points or 0
        if n_points > limit:
            sizes = " x ".join(f"{axis.name} {axis.n_values}" for axis in listed)
            raise UsageError(
                f"the grid has {n_points:,} points ({sizes}), more than the limit of {limit:,}; take fewer values, "
                "search at random, or raise the limit"
            )
        return tuple(self._point(values) for values in product(*(axis.values for axis in listed)))

    def random(self, n: int, seed: int = 0) -> tuple[Point, ...]:
        """Points drawn by chance, each parameter by itself; no point twice.

        Raises
        ------
        UsageError
            If n is below 1, or there are not so many points.
        """
        if isinstance(n, bool) or not isinstance(n, Integral) or n < 1:
            raise UsageError(f"random search tries a whole number of points, 1 at least, got {n!r}")
        if self.n_points is not None and n > self.n_points:
            raise UsageError(
                f"random search for {n} of {counted(self.n_points, 'point')}; search the grid, or try fewer"
            )
        rng = np.random.default_rng(seed)
        found: dict[tuple[Value, ...], None] = {}
        in_vain = 0
        while in_vain < IN_VAIN:
            before = len(found)
            found[tuple(axis.drawn(rng) for axis in self.tried)] = None
            if len(found) == n:
                return tuple(map(self._point, found))
            in_vain = in_vain + 1 if len(found) == before else 0
        raise UsageError(f"only {len(found)} of {n} points were found; widen an interval, or try fewer")

    def checked(self, point: Mapping[str, Any], what: str = "the default") -> Point:
        """The point with a value for each parameter, in their order; the values need not be among those tried.

        Raises
        ------
        UsageError
            If a parameter has no value, or there is none of that name, or its value is of another kind.
        """
        if not isinstance(point, Mapping):
            raise UsageError(f"{what} is a mapping of parameter to value, not {type(point).__name__}")
        for name in point:
            if name not in self.names:
                raise UsageError(f"{what} sets {name!r}, which is not tuned; {instead(name, self.names)}")
        values: dict[str, Value] = {}
        for axis in self.axes:
            if axis.name not in point:
                raise UsageError(f"{what} has no value of {axis.name}; give what it is now")
            values[axis.name] = value = value_of(axis.name, point[axis.name])
            known = axis.values[0] if isinstance(axis, ListedValues) else 0.0
            if kind_of(value) != kind_of(known):
                raise UsageError(f"{what} of {axis.name} is {value!r}, and what is tried is {kind_of(known)}")
        return Point(tuple(values.items()))

    def without_learned(self, point: Point) -> Point:
        """The parameters for the run maker, without a learned floor."""
        return self._point([point[axis.name] for axis in self.tried])

    def with_floor(self, point: Point, floor: float | None) -> Point:
        """The point with its learned floor, parameters in order; unchanged if nothing is learned."""
        if floor is None:
            return point
        return Point(
            tuple((axis.name, floor if isinstance(axis, LearnedValues) else point[axis.name]) for axis in self.axes)
        )

    def distance(self, point: Point, default: Point) -> float:
        """Distance of a point from the default; each parameter adds 0 to 1."""
        # Sums of the same parts in another order are the same distance.
        return round(sum(axis.distance(point[axis.name], default[axis.name]) for axis in self.tried), 12)

    def _point(self, values: Iterable[Value]) -> Point:
        return Point(tuple(zip((axis.name for axis in self.tried), values, strict=True)))


SpaceSource: TypeAlias = Space | Mapping[str, Any] | Iterable[str]


def _assigned(text: Any) -> tuple[str, str]:
    if not isinstance(text, str) or "=" not in text:
        raise UsageError(f"{text!r} sets no parameter: write NAME=VALUES, such as k1=0.6,0.9,1.2")
    name, _, values = text.partition("=")
    return name.strip(), values.strip()
