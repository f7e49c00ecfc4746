"""The extremes of nDCG, and of the difference between two, over all grades of some documents."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.evaluation.result import Bounds
from irkit.holes.context import HolesContext
from irkit.measures.gains import discount, discounted_gain, gain_of, ideal_gains

Matrix = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

_BUDGET: Final = 40_000_000  # gains put in order for one bound, some seconds
_TOGETHER: Final = 4_000_000  # of these at once
_MOST_GRADES: Final = 1000


class _Weights(NamedTuple):
    """Difference between the weights of each document in two runs, for P pairs and the topics with holes.

    `falling` has the weights largest first, `raised` the sums of the first none, one, two ... of them and `spared`
    those of the last, as far as they are above and below 0; `n_up` and `n_down` are how many that are.
    """

    falling: Matrix
    total: Matrix
    n_up: Places
    n_down: Places
    raised: Matrix
    spared: Matrix

    @classmethod
    def of(cls, rising: Matrix) -> "_Weights":
        n_up, n_down = (rising > 0).sum(axis=-1), (rising < 0).sum(axis=-1)
        falling = rising[..., ::-1]
        raised = _running(falling[..., : n_up.max(initial=0)])
        return cls(falling, rising.sum(axis=-1), n_up, n_down, raised, _running(rising[..., : n_down.max(initial=0)]))

    def turned(self) -> "_Weights":
        """Weights with the two runs swapped."""
        return _Weights(-self.falling[..., ::-1], -self.total, self.n_down, self.n_up, -self.spared, -self.raised)


class GainRatios:
    """nDCG as a share: gains at weights that each run gives, over the ideal, which is the same for all runs.

    For given gains of the holes, the best that a difference of two runs can be has larger gains where the weight of the
    one run exceeds that of the other most: only the number of documents at each grade is open. Of two grades every
    number is tried. Of more, a difference that is below 0 has its maximum where each gain is at an end of the scale
    (there it is quasi-convex, the ideal being convex in the gains); for one above 0 every way to grade the documents
    with a positive weight is tried, the others being best at the lowest grade. Where those are too many, the numerator
    is raised and the ideal is not, which is only a bound.
    """

    def __init__(self, scene: HolesContext) -> None:
        params = dict(scene.measure.params)
        self._dcg, self._gains, self._base = params.get("dcg", "log2"), params.get("gains", ()), params.get("base")
        self._cutoff = scene.measure.cutoff
        self._scene = scene
        found = scene.found
        self._topics, self._row = np.unique(found.topic, return_inverse=True)
        self._n = np.bincount(self._row, minlength=len(self._topics))
        self._column = np.arange(len(found)) - (np.cumsum(self._n) - self._n)[self._row]
        self._pool = self._pool_gains()
        # A scale that is too long is known by its ends, and what is between them only bounded.
        self._countable = scene.highest <= _MOST_GRADES
        grades = np.arange(scene.highest + 1) if self._countable else np.array([scene.low, scene.high])
        self._levels: Matrix = np.unique(gain_of(grades, self._dcg, self._gains))
        self._of_number = self._ideals_by_number()
        self._kept: dict[int, tuple[Matrix, Matrix]] = {}
        # What each run has by itself, once for all pairs; the last row is that of no run, which counts nothing.
        runs = (*range(len(scene.judged)), None)
        self._values = np.vstack((scene.now, np.zeros(scene.n_topics)))
        self._weights = np.array([self._weights_of(run) for run in runs])
        self._fixed = np.array([self._fixed_of(run)[self._topics] for run in runs])
        self._empty = np.array([self._empty_of(run)[self._topics] for run in runs])

    def bounds(self, first: int, others: Sequence[int | None]) -> Iterator[Bounds]:
        """The extremes of a run's value minus each other's, None being no run, for each topic, shape (T,)."""
        step = max(1, _TOGETHER // max(8 * self._of_number.size, 1))
        for start in range(0, len(others), step):
            theirs = np.array(
                [len(self._values) - 1 if other is None else other for other in others[start : start + step]]
            )
            ours = np.full_like(theirs, first)
            weights = _Weights.of(self._rising(self._weights[ours] - self._weights[theirs]))
            high, high_exact = self._highest(ours, theirs, weights)
            low, low_exact = self._highest(theirs, ours, weights.turned())
            for row in range(len(theirs)):
                yield Bounds(-low[row], high[row], bool(low_exact[row]), bool(high_exact[row]))

    def _highest(self, first: Places, second: Places, weights: "_Weights") -> tuple[Matrix, npt.NDArray[np.bool_]]:
        """The highest values of the first runs minus those of the second, P pairs of them, shape (P, T).

        Raised are the documents of the largest weights. Those of weight 0 go together: they change the ideal alone, so
        that all of them or none are best.
        """
        values = self._values[first] - self._values[second]
        if not len(self._topics):
            return values, np.ones(len(first), dtype=bool)
        span = self._levels[-1] - self._levels[0]
        flat = self._fixed[first] - self._fixed[second] + self._levels[0] * weights.total
        empty = (self._empty[first] - self._empty[second])[..., None]
        number = np.arange(weights.raised.shape[-1])
        some = _shares(flat[..., None] + span * weights.raised, self._of_number[:, number], empty)
        some[number > weights.n_up[..., None]] = -np.inf
        number = np.arange(weights.spared.shape[-1])
        ideal = np.take_along_axis(self._of_number, np.maximum(self._n[:, None] - number, 0), axis=1)
        most = _shares((flat + span * weights.total)[..., None] - span * weights.spared, ideal, empty)
        most[number > weights.n_down[..., None]] = -np.inf
        best = np.maximum(some.max(axis=-1), most.max(axis=-1))
        exact = np.ones(best.shape, dtype=bool)
        if len(self._levels) > 2 or not self._countable:
            self._between(best, exact, flat, weights.falling, np.where(best > 0, weights.n_up, 0))
        values[:, self._topics] = best
        return values, np.asarray(exact.all(axis=-1))

    def _between(
        self, best: Matrix, exact: npt.NDArray[np.bool_], flat: Matrix, weights: Matrix, n_positive: Places
    ) -> None:
        """Raise the best values by grades between the lowest and the highest."""
        left = np.full(len(best), _BUDGET)
        for n in np.unique(n_positive[n_positive > 0]).tolist():
            these = n_positive == n
            n_gradings = min(comb(n + len(self._levels) - 1, n), _BUDGET + 1)
            cost = these.sum(axis=-1) * n_gradings * (self._pool.shape[1] + n)
            tried = (cost <= left) & self._countable
            left -= np.where(tried, cost, 0)
            rows = np.nonzero(these & ~tried[:, None])
            reach = flat[rows] + (self._levels[-1] - self._levels[0]) * weights[rows][:, :n].sum(axis=1)
            bound = np.minimum(_shares(reach, self._of_number[rows[1], 0], np.ones(len(reach))), 1.0)
            exact[rows] = bound <= best[rows]
            best[rows] = np.maximum(best[rows], bound)
            if not tried.any():
                continue
            pairs, topics = np.nonzero(these & tried[:, None])
            for part in _parts(len(pairs), n_gradings * (self._pool.shape[1] + n)):
                rows = pairs[part], topics[part]
                gradings, ideal = self._tried(n, topics[part])
                gained = flat[rows][:, None] + weights[rows][:, :n] @ (gradings - self._levels[0]).T
                best[rows] = np.maximum(best[rows], _shares(gained, ideal, best[rows][:, None]).max(axis=1))

    def _tried(self, n: int, topics: Places) -> tuple[Matrix, Matrix]:
        """All G gradings of n documents, shape (G, n), and the ideal DCG of these topics with each, a row for each."""
        n_gradings = comb(n + len(self._levels) - 1, n)
        # What many pairs of runs ask for is kept, unless it is much.
        every = len(self._topics) * n_gradings * (self._pool.shape[1] + n) <= _TOGETHER
        if n in self._kept:
            gradings, ideals = self._kept[n]
            return gradings, ideals[topics]
        gradings = np.array(list(combinations_with_replacement(self._levels[::-1].tolist(), n)))
        asked, place = (np.arange(len(self._topics)), topics) if every else np.unique(topics, return_inverse=True)
        # The documents without a positive weight stay at the lowest grade, which may gain something.
        rest = np.maximum(self._n[asked] - n, 0)
        ideals = self._ideals(np.repeat(asked, n_gradings), np.tile(gradings, (len(asked), 1)), n_gradings, rest)
        if every:
            self._kept[n] = gradings, ideals
        return gradings, ideals[place]

    def _ideals(self, rows: Places, gains: Matrix, n: int, rest: Places) -> Matrix:
        """The ideal DCG of the pool of each row with these gains besides, as many together as there are gradings."""
        if self._levels[0] > 0:
            width = int(rest.max(initial=0))
            lowest = np.where(np.arange(width) < np.repeat(rest, n)[:, None], self._levels[0], 0.0)
            gains = np.hstack((gains, lowest))
        return self._ideal(rows, gains).reshape(-1, n)

    def _ideal(self, rows: Places, gains: Matrix) -> Matrix:
        together = -np.sort(-np.hstack((self._pool[rows], gains)), axis=1)[:, : self._cutoff]
        ideal: Matrix = together @ (1.0 / discount(np.arange(1, together.shape[1] + 1), self._base))
        return ideal

    def _ideals_by_number(self) -> Matrix:
        """The ideal DCG with each number of holes at the highest gain, the others at the lowest."""
        most = int(self._n.max(initial=0))
        every, place = np.arange(len(self._topics)), np.arange(most)
        low, high = self._levels[0], self._levels[-1]
        inside = place < self._n[:, None]
        return np.array(
            [self._ideal(every, np.where(place < n, high, low) * inside) for n in range(most + 1)]
        ).T.reshape(len(every), most + 1)

    def _pool_gains(self) -> Matrix:
        """The gains of the pool of each topic with holes, best first, as far as an ideal ranking can hold them."""
        judged = self._scene.judged[0]
        gain, topic = ideal_gains(judged, self._dcg, self._gains), judged.pool_topic
        rank = judged.pool_rank
        kept = gain > 0
        if self._cutoff is not None:
            kept &= rank <= self._cutoff
        pool = np.zeros((judged.n_topics, int(rank[kept].max(initial=0))))
        pool[topic[kept], rank[kept] - 1] = gain[kept]
        return pool[self._topics]

    def _rising(self, weights: Matrix) -> Matrix:
        """The weights of P pairs topic by topic, smallest first, filled up with 0, shape (P, topics, n)."""
        padded = np.zeros((len(weights), *self._of_number[:, 1:].shape))
        padded[:, self._row, self._column] = weights
        padded.sort(axis=-1)
        return padded

    def _weights_of(self, run: int | None) -> Matrix:
        if run is None:
            return np.zeros(len(self._scene.found))
        rank = self._scene.seen(run)
        return np.where(rank > 0, 1.0 / discount(np.maximum(rank, 1), self._base), 0.0)

    def _fixed_of(self, run: int | None) -> Matrix:
        """DCG of the judged documents."""
        if run is None:
            return np.zeros(self._scene.n_topics)
        return discounted_gain(self._scene.judged[run], self._cutoff, self._dcg, self._gains, self._base)

    def _empty_of(self, run: int | None) -> Matrix:
        """Value of a topic without any gain."""
        judged = self._scene.judged[0 if run is None else run]
        if run is None or self._scene.no_relevant == "zero":
            return np.zeros(judged.n_topics)
        return np.ones(judged.n_topics) if self._scene.no_relevant == "one" else (judged.n_retrieved == 0).astype(float)


def _running(weights: Matrix) -> Matrix:
    """Running sums of the weights, starting with 0."""
    return np.concatenate((np.zeros((*weights.shape[:-1], 1)), np.cumsum(weights, axis=-1)), axis=-1)


def _shares(part: Matrix, whole: Matrix, otherwise: Matrix) -> Matrix:
    """`part / whole`, with a given value where the whole is 0."""
    if whole.min(initial=1.0) > 0:
        return part / whole
    shares = np.broadcast_to(otherwise, part.shape).copy()
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def _parts(n: int, cost: int) -> Iterator[slice]:
    step = max(1, _TOGETHER // max(cost, 1))
    for start in range(0, n, step):
        yield slice(start, start + step)
