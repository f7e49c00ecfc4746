"""Bounds of a measure, and of a difference between runs, over all judgments of the holes."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.evaluation.bounds import CORNERS, EXCHANGED, bounds
from irkit.evaluation.result import Bounds
from irkit.holes.context import HolesContext
from irkit.holes.hypothetical import HypotheticalJudgments
from irkit.holes.ndcg_bounds import GainRatios

# Each document adds its own, whatever the others are.
ADDED: Final = frozenset({"P", "DCG", "RBP"})
# A document is relevant or is not; or the value is linear in the gain of each document, the others being as they are.
BY_ENDS: Final = CORNERS | EXCHANGED | {"Bpref", "infAP", "Accuracy"}
_BUDGET: Final = 3_000_000  # judgments assumed for one pair of runs, some seconds

Extremes = Callable[[int, Sequence[int | None]], Iterator[Bounds]]


def extremes_of(scene: HolesContext, swings: npt.NDArray[np.float64]) -> Extremes:
    """A function of a run and of others: the bounds of its value minus each other's, None being no run, by topic.

    Parameters
    ----------
    scene : HolesContext of R runs and N holes
    swings : float64 array of shape (N, R)
        What each hole alone changes in each run.
    """
    if scene.measure.name == "nDCG":
        return GainRatios(scene).bounds
    if scene.measure.name in ADDED:
        return _added(scene, swings)
    single = [
        _tried(
            scene,
            bounds(judged, scene.measure, no_relevant=scene.no_relevant, open_judgments=scene.open_judgments(run)),
            run,
            None,
        )
        for run, judged in enumerate(scene.judged)
    ]

    def found(first: int, others: Sequence[int | None]) -> Iterator[Bounds]:
        for other in others:
            yield (
                single[first] if other is None else _tried(scene, _apart(single[first], single[other]), first, other)
            )

    return found


def _added(scene: HolesContext, swings: npt.NDArray[np.float64]) -> Extremes:
    """Bound with each document at its better end; a document of both runs has the same end in both."""
    topic, pooled, every = scene.found.topic, scene.found.pooled, np.arange(scene.n_topics)
    grade = np.full(len(topic), scene.low, dtype=np.int64)
    flat = [
        scene.values(run, HypotheticalJudgments(every, topic, scene.found.ranks[:, run], grade, pooled))
        for run in range(len(scene.judged))
    ]

    def found(first: int, others: Sequence[int | None]) -> Iterator[Bounds]:
        for other in others:
            swing = swings[:, first] - (0.0 if other is None else swings[:, other])
            start = flat[first] - (0.0 if other is None else flat[other])
            rise, fall = (
                np.bincount(topic, weights=part, minlength=scene.n_topics)
                for part in (np.maximum(swing, 0.0), np.minimum(swing, 0.0))
            )
            yield Bounds(start + fall, start + rise, True, True)

    return found


def _apart(first: Bounds, second: Bounds) -> Bounds:
    """Bound from the worst value of one run and the best of the other, as if they shared no document."""
    exact = first.low_exact and first.high_exact and second.low_exact and second.high_exact
    # Where only one of the two can move, nothing is lost.
    alone = bool(((first.low == first.high) | (second.low == second.high)).all())
    return Bounds(first.low - second.high, first.high - second.low, exact and alone, exact and alone)


def _tried(scene: HolesContext, known: Bounds, first: int, second: int | None) -> Bounds:
    """The bounds, narrowed by trying all judgments in the topics where these are not too many."""
    if (known.low_exact and known.high_exact) or not (scene.measure.name in BY_ENDS or scene.highest == 1):
        return known
    runs = [run for run in (first, second) if run is not None]
    seen = np.stack([scene.seen(run) for run in runs])
    # Documents that neither run sees can be told apart by nothing: how many of them are relevant is all that matters.
    alike = (seen == 0).all(axis=0) & ~scene.found.pooled
    n_apart, n_alike = (np.bincount(scene.found.topic[which], minlength=scene.n_topics) for which in (~alike, alike))
    cost = np.exp2(n_apart) * (n_alike + 1) * (n_apart + n_alike)
    cheapest = np.argsort(cost, kind="stable")
    tried = cheapest[np.cumsum(cost[cheapest]) <= _BUDGET]
    tried = np.sort(tried[cost[tried] > 0])
    if not len(tried):
        return known
    case_topic, case, hole, grade = _cases(scene, tried, alike)
    start = np.flatnonzero(np.diff(case_topic, prepend=-1))
    values = [
        scene.values(
            run, HypotheticalJudgments(case_topic, case, scene.found.ranks[hole, run], grade, scene.found.pooled[hole])
        )
        for run in runs
    ]
    difference = values[0] - (values[1] if second is not None else 0.0)
    low, high = known.low.copy(), known.high.copy()
    low[tried], high[tried] = np.minimum.reduceat(difference, start), np.maximum.reduceat(difference, start)
    exact = len(tried) == int(np.count_nonzero(cost))
    return Bounds(low, high, exact or known.low_exact, exact or known.high_exact)


def _cases(
    scene: HolesContext, tried: npt.NDArray[np.int64], alike: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], ...]:
    """All judgments of the holes of these topics: the topic of each case; case, hole and grade of each entry."""
    starts = np.searchsorted(scene.found.topic, np.arange(scene.n_topics + 1)).tolist()
    topics, cases, holes, grades, n_cases = [], [], [], [], 0
    patterns: dict[tuple[int, int], npt.NDArray[np.bool_]] = {}
    for topic in tried.tolist():
        rows = np.arange(starts[topic], starts[topic + 1])
        order = np.concatenate((rows[~alike[rows]], rows[alike[rows]]))
        shape = int(np.count_nonzero(~alike[rows])), int(np.count_nonzero(alike[rows]))
        if shape not in patterns:
            patterns[shape] = _patterns(*shape)
        pattern = patterns[shape]
        n = len(pattern)
        topics.append(np.full(n, topic))
        cases.append(np.repeat(np.arange(n_cases, n_cases + n), len(order)))
        holes.append(np.tile(order, n))
        grades.append(np.where(pattern, scene.high, scene.low).reshape(-1))
        n_cases += n
    return tuple(np.concatenate(columns).astype(np.int64) for columns in (topics, cases, holes, grades))


def _patterns(n_apart: int, n_alike: int) -> npt.NDArray[np.bool_]:
    """Choices of raised documents: every subset of the distinct ones, every number of the equal ones."""
    chosen = np.array(list(product((False, True), repeat=n_apart)), dtype=bool).reshape(2**n_apart, n_apart)
    number = np.arange(n_alike) < np.arange(n_alike + 1)[:, None]
    return np.hstack((np.repeat(chosen, n_alike + 1, axis=0), np.tile(number, (2**n_apart, 1))))
