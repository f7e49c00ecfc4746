"""Split topics into development and test topics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Final, Protocol

import numpy as np

from irkit._utils.text import counted
from irkit.data.topic_subsets import NO_VALUE
from irkit.errors import DataError, UsageError
from irkit.evaluation.summary import some
from irkit.ids import to_bytes

LEAST: Final = 2  # topics on a side; of a single one nothing varies


@dataclass(frozen=True, slots=True)
class Part:
    """Topics that choose, and topics that test the choice; none is both.

    Attributes
    ----------
    development, test : tuple of str
        In byte order.
    inner : tuple of Part
        With nested folds, the development topics divided once more.
    """

    development: tuple[str, ...]
    test: tuple[str, ...]
    inner: tuple["Part", ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """Split of topics into development and test.

    Attributes
    ----------
    parts : tuple of Part
        One, or as many as there are folds; no topic is in the test of two.
    said : str
        In words: `5 folds (seed 0)`.
    crossed : bool
        Every topic is tested in one part and chooses in the others.
    notes : tuple of str
        What a reader must know about topics left out.
    """

    parts: tuple[Part, ...]
    said: str
    crossed: bool
    notes: tuple[str, ...] = ()

    @property
    def test(self) -> tuple[str, ...]:
        """The topics of all tests, in byte order."""
        return _sorted(topic for part in self.parts for topic in part.test)

    @property
    def development(self) -> tuple[str, ...]:
        """Topics that make the final choice: all topics for crossed folds, else the development topics."""
        return _sorted({topic for part in self.parts for topic in part.development})


class Splitting(Protocol):
    """A way to divide whatever topics are judged."""

    def over(self, topics: Sequence[str]) -> Split:
        """The topics divided."""
        ...  # pragma: no cover


@dataclass(frozen=True, slots=True)
class Separate:
    """Development and test topics that are named.

    Attributes
    ----------
    development, test : iterable of str
        Ids. Those that are not judged are left out, and counted in a note.
    texts : mapping of topic to str
        The queries, where they are at hand: the same query under two ids is an overlap too.
    """

    development: Iterable[str]
    test: Iterable[str]
    texts: Mapping[str, str] = field(default_factory=dict)

    def over(self, topics: Sequence[str]) -> Split:
        """The topics divided.

        Raises
        ------
        DataError
            If a topic, or a query, is on both sides; or a side has fewer than two judged topics.
        """
        sides = _sorted(set(self.development)), _sorted(set(self.test))
        if both := _sorted(set(sides[0]).intersection(sides[1])):
            raise DataError(
                f"{counted(len(both), 'topic')} in development and in test: {some(both)}; what is tuned on a topic "
                "cannot be tested on it, so take it from one of them"
            )
        queries = {_folded(self.texts[topic]): topic for topic in sides[0] if self.texts.get(topic)}
        pairs = [
            f"{queries[query]} and {topic}"
            for topic in sides[1]
            if self.texts.get(topic) and (query := _folded(self.texts[topic])) in queries
        ]
        if pairs:
            raise DataError(
                f"the same query stands in development and in test under two ids: {some(pairs)}; take it from one"
            )
        judged = set(topics)
        development, test = (tuple(topic for topic in side if topic in judged) for side in sides)
        part = Part(development, test)
        _check(part)
        notes = [
            f"{counted(len(named) - len(kept), 'topic')} of {which} left out, for which there is no value: "
            f"{some([topic for topic in named if topic not in judged])}."
            for which, named, kept in (("development", sides[0], development), ("test", sides[1], test))
            if len(kept) < len(named)
        ]
        if n_other := len(judged.difference(*sides)):
            notes.append(f"{counted(n_other, 'judged topic')} in neither development nor test.")
        said = f"{len(development)} development topics, {len(test)} others to test"
        return Split((part,), said, False, tuple(notes))


@dataclass(frozen=True, slots=True)
class Share:
    """One division by chance: a share of the topics for development, the others to test.

    Attributes
    ----------
    share : float
        Above 0 and below 1; the number of development topics is rounded down.
    seed : int
    by : mapping of topic to value
        Each value, such as a category, is divided in that share too, to a topic.
    texts : mapping of topic to str
        Topics of the same query stay together.
    """

    share: float = 0.5
    seed: int = 0
    by: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def over(self, topics: Sequence[str]) -> Split:
        """The topics divided.

        Raises
        ------
        UsageError
            If the share or the seed is out of range.
        DataError
            If a side has fewer than two topics.
        """
        if not isinstance(self.share, Real) or not 0 < self.share < 1:
            raise UsageError(f"the development share of topics lies between 0 and 1, as 0.5, got {self.share!r}")
        units = _shuffled(topics, self.seed, self.by, self.texts)
        share = Fraction(str(float(self.share)))  # 0.1 is a tenth
        chosen = [int((place + 1) * share) > int(place * share) for place in range(len(units))]
        development = _sorted(topic for unit, taken in zip(units, chosen, strict=True) if taken for topic in unit)
        part = Part(development, _sorted(set(topics).difference(development)))
        _check(part)
        said = (
            f"{len(part.development)} of {counted(len(set(topics)), 'topic')} for development, the others to test "
            f"({_chance(self.seed, self.by)})"
        )
        return Split((part,), said, False)


@dataclass(frozen=True, slots=True)
class Folds:
    """k folds: each topic is tested once, by parameters that the other folds chose.

    Attributes
    ----------
    k : int
        At least 2.
    seed : int
    by : mapping of topic to value
        The topics of each value, such as a category, are spread over the folds evenly, to a topic.
    texts : mapping of topic to str
        Topics of the same query stay in one fold.
    """

    k: int = 5
    seed: int = 0
    by: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def over(self, topics: Sequence[str]) -> Split:
        """The topics divided.

        Raises
        ------
        UsageError
            If k or the seed is out of range.
        DataError
            If there are fewer topics (or queries) than folds, or fewer than two topics choose.
        """
        parts = _parts(topics, self.k, self.seed, self.by, self.texts)
        return Split(parts, f"{self.k} folds ({_chance(self.seed, self.by)})", True)


@dataclass(frozen=True, slots=True)
class Nested:
    """Nested folds: outer folds report, inner folds choose.

    The development topics of each outer fold are divided into `inner` folds. What a candidate learns from data (a
    floor) it learns on all inner folds but one and is tried on that one, in turn; the candidate of the best mean over
    the development topics, each tried once, is chosen, and learns once more from all of them. A candidate that learns
    nothing has the same mean either way, so that nested folds choose as `Folds` do.

    Attributes
    ----------
    k : int
        Outer folds, as of `Folds`.
    inner : int
        Inner folds.
    seed, by, texts
        As of `Folds`.
    """

    k: int = 5
    inner: int = 4
    seed: int = 0
    by: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def over(self, topics: Sequence[str]) -> Split:
        """The topics divided; errors as of `Folds`."""
        parts = tuple(
            replace(part, inner=self.inside(part.development))
            for part in _parts(topics, self.k, self.seed, self.by, self.texts)
        )
        said = f"{self.k} folds, in each {self.inner} inner ones that choose ({_chance(self.seed, self.by)})"
        return Split(parts, said, True)

    def inside(self, topics: Sequence[str]) -> tuple[Part, ...]:
        """The inner folds of these topics."""
        return _parts(topics, self.inner, self.seed, self.by, self.texts)


def _parts(
    topics: Sequence[str], k: int, seed: int, by: Mapping[str, str], texts: Mapping[str, str]
) -> tuple[Part, ...]:
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 2:
        raise UsageError(f"the number of folds is a whole number, 2 at least, got {k!r}")
    units = _shuffled(topics, seed, by, texts)
    if len(units) < k:
        what = "topic" if len(units) == len(set(topics)) else "different query"
        named = what if len(units) == 1 else {"topic": "topics", "different query": "different queries"}[what]
        raise DataError(f"{k} folds of {len(units)} {named}: some would be empty; take fewer folds")
    # Dealt like cards, so that the sizes, and those of each value, differ by one at most.
    tests = [_sorted(topic for unit in units[fold::k] for topic in unit) for fold in range(k)]
    every = set(topics)
    parts = tuple(Part(_sorted(every.difference(test)), test) for test in tests)
    for part in parts:
        if len(part.development) < LEAST:
            raise DataError(f"{k} folds of {counted(len(every), 'topic')} leave one to choose by; judge more topics")
    return parts


def _shuffled(
    topics: Sequence[str], seed: int, by: Mapping[str, str], texts: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """Topics in random order, grouped by value; topics with the same query are one unit."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise UsageError(f"a seed is a whole number, 0 at least, got {seed!r}")
    units: dict[str, list[str]] = {}
    for topic in _sorted(set(topics)):
        query = _folded(texts.get(topic, ""))
        units.setdefault(f"query {query}" if query else f"topic {topic}", []).append(topic)
    values: dict[str, list[tuple[str, ...]]] = {}
    for unit in units.values():
        values.setdefault(by.get(unit[0], NO_VALUE) if by else "", []).append(tuple(unit))
    rng = np.random.default_rng(int(seed))
    return [values[value][place] for value in sorted(values) for place in rng.permutation(len(values[value])).tolist()]


def _check(part: Part) -> None:
    for which, topics in (("development", part.development), ("test", part.test)):
        if len(topics) < LEAST:
            raise DataError(f"{which} has {counted(len(topics), 'judged topic')}; it needs {LEAST} at least")


def _sorted(topics: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(topics, key=to_bytes))


def _folded(text: str) -> str:
    """Query without case and extra white space."""
    return " ".join(text.casefold().split())


def _chance(seed: int, by: Mapping[str, str]) -> str:
    return f"seed {seed}" + (", spread evenly over the values of a field" if by else "")
