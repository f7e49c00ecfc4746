"""The score of every point on every topic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from irkit._utils.arrays import freeze
from irkit._utils.progress import progress
from irkit.data.runs import Run, RunSource
from irkit.errors import DataError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator
from irkit.rules import Conventions
from irkit.stats.paired.means import FloatArray
from irkit.tuning.floors import answered, best_floor, best_scores, tolerance, values_of_silence, with_floor
from irkit.tuning.points import Point
from irkit.tuning.space import Space
from irkit.tuning.splits import Part

Make: TypeAlias = Callable[[dict[str, Any]], RunSource]
Evidence: TypeAlias = "Run | Callable[[dict[str, Any]], RunSource] | None"

TEST_TOPICS = "the test topics"


class FailedPoint(NamedTuple):
    """A point for which no run could be made or scored, and why."""

    parameters: Point
    why: str


class Choice(NamedTuple):
    """Point chosen by development topics.

    Attributes
    ----------
    place : int
        Of the point among those tried.
    parameters : Point
        With the floor, where one is learned.
    floor : float or None
    development : float
        The mean that it was chosen by.
    n_tied : int
        Points that share this mean.
    means : float64 array of shape (P,)
        That of every point; nan for those that failed.
    floors : tuple of P float, or empty
        What each point learned.
    """

    place: int
    parameters: Point
    floor: float | None
    development: float
    n_tied: int
    means: FloatArray
    floors: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """P points on T topics.

    Attributes
    ----------
    space : Space
    points : tuple of P Point
        Without the learned parameter. The default is one of them: the last where the search has it not, and where a
        floor is learned, since the default keeps its own.
    default : int
        Its place.
    default_parameters : Point
        With its floor, where one is learned.
    evaluations : tuple of P (Evaluation or None)
        None where the point failed.
    failed : tuple of FailedPoint
    topics : tuple of T str
        Those that have a value, in byte order.
    left_out : tuple of str
        Judged topics that have none: the convention or the measure leaves them out of every mean.
    values : float64 array of shape (P, T)
        Nothing silenced; nan for a point that failed.
    silent : float64 array of shape (T,)
        What a topic counts where nothing is returned. Empty where no floor is learned.
    best : float64 array of shape (P, T)
        The best score of evidence of each topic. Empty where no floor is learned.
    """

    space: Space
    points: tuple[Point, ...]
    default: int
    default_parameters: Point
    evaluations: tuple[Evaluation | None, ...]
    failed: tuple[FailedPoint, ...]
    topics: tuple[str, ...]
    left_out: tuple[str, ...]
    values: FloatArray
    silent: FloatArray
    best: FloatArray

    def __post_init__(self) -> None:
        freeze(self, "values", "silent", "best")

    @cached_property
    def _place_of(self) -> dict[str, int]:
        return {topic: place for place, topic in enumerate(self.topics)}

    @property
    def default_floor(self) -> float | None:
        """The floor of the default; None where none is learned."""
        learned = self.space.learned
        return None if learned is None else float(self.default_parameters[learned])  # type: ignore[arg-type]

    @property
    def order_of_ties(self) -> list[int]:
        """Places of the points that did not fail, in the order in which points of the same mean are chosen."""
        return sorted(np.flatnonzero(~np.isnan(self.values[:, 0])).tolist(), key=self._before)

    def choose(self, development: Sequence[str], inner: Sequence[Part] = ()) -> Choice:
        """The point of the best mean over these topics; of several the nearest to the default, then the first.

        With inner folds a learned floor is tried on topics that it was not learned on.
        """
        rows = self._rows(development)
        if self.space.learned is None:
            means, floors = np.cumsum(self.values[:, rows], axis=1)[:, -1] / len(rows), list[float]()
        else:
            found = [self._with_floor(place, rows, inner) for place in range(len(self.points))]
            means, floors = np.array([mean for mean, _ in found]), [floor for _, floor in found]
        best = float(np.nanmax(means))
        with np.errstate(invalid="ignore"):
            tied = np.flatnonzero(means >= best - tolerance(means)).tolist()
        place = min(tied, key=self._before)
        floor = floors[place] if floors else None
        means.flags.writeable = False
        chosen = self.space.with_floor(self.points[place], floor)
        return Choice(place, chosen, floor, float(means[place]), len(tied), means, tuple(floors))

    def _before(self, place: int) -> tuple[bool, float, int]:
        """Order of points with equal means: the default, then the nearest to it, then the first tried."""
        return (place != self.default, self.space.distance(self.points[place], self.points[self.default]), place)

    def mean(self, place: int, floor: float | None, topics: Sequence[str]) -> float:
        """The mean of a point over these topics."""
        return float(np.cumsum(self.counted(place, floor)[self._rows(topics)])[-1]) / len(topics)

    def evaluation(self, name: str, parts: Sequence[tuple[int, float | None, Sequence[str]]]) -> Evaluation:
        """One evaluation of points on topics of their own: (place, floor, topics)."""
        found = []
        for place, floor, topics in parts:
            whole = self.evaluations[place]
            assert whole is not None  # a point that failed is never chosen
            part = whole.restricted_to(topics)
            values = self.counted(place, floor)[self._rows(part.topics)]
            silenced = self._silenced(place, floor).intersection(part.topics)
            missing = tuple(topic for topic in part.topics if topic in silenced or topic in part.missing)
            found.append(replace(part, values=values[:, np.newaxis], missing=missing))
        values_of = {t: v for part in found for t, v in zip(part.topics, part.values[:, 0].tolist(), strict=True)}
        first, every = found[0], tuple(topic for topic in self.topics if topic in values_of)
        conventions = first.conventions
        if len(every) < len(self.topics) or self.left_out:
            conventions = Conventions("topics", conventions.no_relevant, conventions.ties, TEST_TOPICS)
        return replace(
            first,
            name=name,
            topics=every,
            values=np.array([[values_of[topic]] for topic in every]),
            missing=self._in_order(topic for part in found for topic in part.missing),
            unjudged=(),
            without_relevant=self._in_order(topic for part in found for topic in part.without_relevant),
            conventions=conventions,
            notes=tuple(dict.fromkeys(note for part in found for note in part.notes)),
        )

    def _rows(self, topics: Sequence[str]) -> list[int]:
        return [self._place_of[topic] for topic in topics]

    def _in_order(self, topics: Any) -> tuple[str, ...]:
        return tuple(sorted(set(topics), key=self._place_of.__getitem__))

    def counted(self, place: int, floor: float | None) -> FloatArray:
        """Value of each topic for a point with this floor, shape (T,)."""
        if floor is None:
            return np.asarray(self.values[place])
        return with_floor(self.values[place], self.silent, self.best[place], floor)

    def _silenced(self, place: int, floor: float | None) -> set[str]:
        if floor is None:
            return set()
        return {t for t, kept in zip(self.topics, answered(self.best[place], floor).tolist(), strict=True) if not kept}

    def _with_floor(self, place: int, rows: Sequence[int], inner: Sequence[Part]) -> tuple[float, float]:
        """(Mean, floor) of a point: the floor of all these topics, the mean by inner folds where there are some."""
        default = -inf if self.default_floor is None else self.default_floor
        if self.evaluations[place] is None:
            return np.nan, -inf
        if place == self.default:
            return float(np.cumsum(self.counted(place, default)[rows])[-1]) / len(rows), default

        def learned(rows: Sequence[int]) -> tuple[float, float]:
            found = best_floor(self.values[place, rows], self.silent[rows], self.best[place, rows], default)
            return found.mean, found.floor

        mean, floor = learned(rows)
        if inner:
            sums = [
                self.counted(place, learned(self._rows(part.development))[1])[self._rows(part.test)].sum()
                for part in inner
            ]
            mean = float(sum(sums)) / len(rows)
        return mean, floor


def score_points(
    make: Make,
    space: Space,
    points: Sequence[Point],
    default_parameters: Point,
    scorer: Evaluator,
    evidence: Evidence = None,
) -> ScoreTable:
    """Make and score the run of every point, the default's too."""
    default_point = space.without_learned(default_parameters)
    tried = tuple(dict.fromkeys((*points, default_point)))
    made: dict[Point, Evaluation] = {}
    best: dict[Point, FloatArray] = {}
    failed = []
    with progress("tuning", len(tried)) as done:
        for point in tried:
            try:
                run = Run.of(make(dict(point)))
                # What ties could do would have to follow each topic into its fold; the values do not need it.
                found = replace(scorer.evaluate(run), tie_range=None)
                if space.learned is not None:
                    best[point] = best_scores(_evidence_of(run, point, evidence), scorer.judged_topics)
                made[point] = found
            except DataError as problem:
                if point == default_point:
                    raise DataError(f"the default ({point}) gives no run that can be scored: {problem}") from problem
                failed.append(FailedPoint(point, str(problem)))
            done(1)
    # Where the others learn a floor, the default stands beside the point of the same parameters, with its own floor.
    every = tried if space.learned is None else (*points, default_point)
    default = every.index(default_point) if space.learned is None else len(points)
    topics = _topics_of(list(made.values()), scorer)
    place_of = {topic: place for place, topic in enumerate(scorer.judged_topics)}
    columns, valued = [place_of[topic] for topic in topics], set(topics)
    if space.learned is None:
        silent, scores = np.zeros(0), np.zeros((0, 0))
    else:
        nothing = np.full(len(place_of), -inf)
        silent = values_of_silence(scorer)[columns]
        scores = np.array([best.get(point, nothing)[columns] for point in every])
    return ScoreTable(
        space,
        every,
        default,
        default_parameters,
        tuple(map(made.get, every)),
        tuple(failed),
        topics,
        tuple(topic for topic in scorer.judged_topics if topic not in valued),
        np.array([_values(made.get(point), topics) for point in every]),
        silent,
        scores,
    )


def _topics_of(made: Sequence[Evaluation], scorer: Evaluator) -> tuple[str, ...]:
    """The topics that have a value in the runs of all points."""
    # Over an intersection, runs have different topics; means of different topics cannot be held against each other.
    shared = set(made[0].topics).intersection(*(one.topics for one in made[1:]))
    # Which topics have no value depends on judgments and conventions, never on the run.
    valued = np.flatnonzero(~np.isnan(made[0].values[:, 0])).tolist()
    topics = tuple(topic for topic in (made[0].topics[row] for row in valued) if topic in shared)
    if not topics:
        raise DataError(f"no topic has a value of {scorer.measures[0]} in the runs of all points; judge more topics")
    return topics


def _values(evaluation: Evaluation | None, topics: Sequence[str]) -> list[float]:
    if evaluation is None:
        return [np.nan] * len(topics)
    value_of = dict(zip(evaluation.topics, evaluation.values[:, 0].tolist(), strict=True))
    return [value_of[topic] for topic in topics]


def _evidence_of(run: Run, point: Point, evidence: Evidence) -> Run:
    if evidence is None:
        return run
    return evidence if isinstance(evidence, Run) else Run.of(evidence(dict(point)))
