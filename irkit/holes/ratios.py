"""The extremes of nDCG, and of the difference between two, over all grades of some documents."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.evaluation import Bounds
from irkit.holes.scene import Scene
from irkit.measures.gains import discount, discounted_gain, gain_of, ideal_gains

Matrix = npt.NDArray[np.float64]

_BUDGET: Final = 40_000_000  # gains put in order for one bound, some seconds
_TOGETHER: Final = 4_000_000  # of these at once
_MOST_GRADES: Final = 1000


class Ratios:
    """nDCG as a share: gains at weights that each run gives, over the ideal, which is the same for all runs.

    For given gains of the holes, the best that a difference of two runs can be has larger gains where the weight of the
    one run exceeds that of the other most: only the number of documents at each grade is open. Of two grades every
    number is tried. Of more, a difference that is below 0 has its maximum where each gain is at an end of the scale
    (there it is quasi-convex, the ideal being convex in the gains); for one above 0 every way to grade the documents
    with a positive weight is tried, the others being best at the lowest grade. Where those are too many, the numerator
    is raised and the ideal is not, which is only a bound.
    """

    def __init__(self, scene: Scene) -> None:
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

    def bounds(self, first: int, second: int | None) -> Bounds:
        """The extremes of the first run's value, or of that minus the second's, for each topic, shape (T,)."""
        high, high_exact = self._highest(first, second)
        low, low_exact = self._highest(second, first)
        return Bounds(-low, high, low_exact, high_exact)

    def _highest(self, first: int | None, second: int | None) -> tuple[Matrix, bool]:
        """The highest value of the first run minus that of the second, no run counting nothing."""
        scene = self._scene
        values = scene.difference(first, second)
        if not len(self._topics):
            return values, True
        weight = self._weights(first) - self._weights(second)
        order = np.lexsort((-weight, scene.found.topic))
        sorted_weights = self._padded(weight[order])
        flat = (self._fixed(first) - self._fixed(second))[self._topics] + self._levels[0] * sorted_weights.sum(axis=1)
        raised = np.cumsum(sorted_weights, axis=1) * (self._levels[-1] - self._levels[0])
        gained = flat[:, None] + np.hstack((np.zeros((len(flat), 1)), raised))
        empty = (self._empty(first) - self._empty(second))[self._topics]
        value = _shares(gained, self._of_number, empty[:, None])
        value[np.arange(value.shape[1]) > self._n[:, None]] = -np.inf
        best = value.max(axis=1)
        exact = np.ones(len(best), dtype=bool)
        if len(self._levels) > 2 or not self._countable:
            self._between(best, exact, flat, sorted_weights)
        values[self._topics] = best
        return values, bool(exact.all())

    def _between(self, best: Matrix, exact: npt.NDArray[np.bool_], flat: Matrix, weights: Matrix) -> None:
        """Raise the best values by what grades between the lowest and the highest can do."""
        n_positive = np.where(best > 0, (weights > 0).sum(axis=1), 0)
        left = _BUDGET
        for n in np.unique(n_positive[n_positive > 0]).tolist():
            rows = np.flatnonzero(n_positive == n)
            n_gradings = comb(n + len(self._levels) - 1, n)
            cost = len(rows) * n_gradings * (self._pool.shape[1] + n)
            if cost > left or not self._countable:
                reach = flat[rows] + (self._levels[-1] - self._levels[0]) * np.maximum(weights[rows], 0.0).sum(axis=1)
                bound = np.minimum(_shares(reach, self._of_number[rows, 0], np.ones(len(rows))), 1.0)
                exact[rows] = bound <= best[rows]
                best[rows] = np.maximum(best[rows], bound)
                continue
            left -= cost
            gradings = np.array(list(combinations_with_replacement(self._levels[::-1].tolist(), n)))
            for part in _parts(rows, n_gradings * (self._pool.shape[1] + n)):
                gained = flat[part, None] + weights[part, :n] @ (gradings - self._levels[0]).T
                # The documents without a positive weight stay at the lowest grade, which may gain something.
                rest = np.maximum(self._n[part] - n, 0)
                ideal = self._ideals(np.repeat(part, n_gradings), np.tile(gradings, (len(part), 1)), n_gradings, rest)
                best[part] = np.maximum(best[part], _shares(gained, ideal, best[part, None]).max(axis=1))

    def _ideals(self, rows: npt.NDArray[np.int64], gains: Matrix, n: int, rest: npt.NDArray[np.int64]) -> Matrix:
        """The ideal DCG of the pool of each row with these gains besides, as many together as there are gradings."""
        if self._levels[0] > 0:
            width = int(rest.max(initial=0))
            lowest = np.where(np.arange(width) < np.repeat(rest, n)[:, None], self._levels[0], 0.0)
            gains = np.hstack((gains, lowest))
        return self._ideal(rows, gains).reshape(-1, n)

    def _ideal(self, rows: npt.NDArray[np.int64], gains: Matrix) -> Matrix:
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

    def _padded(self, values: Matrix) -> Matrix:
        padded = np.zeros((len(self._topics), int(self._n.max(initial=0))))
        padded[self._row, self._column] = values
        return padded

    def _weights(self, run: int | None) -> Matrix:
        if run is None:
            return np.zeros(len(self._scene.found))
        rank = self._scene.seen(run)
        return np.where(rank > 0, 1.0 / discount(np.maximum(rank, 1), self._base), 0.0)

    def _fixed(self, run: int | None) -> Matrix:
        """The DCG of what is judged."""
        if run is None:
            return np.zeros(self._scene.n_topics)
        return discounted_gain(self._scene.judged[run], self._cutoff, self._dcg, self._gains, self._base)

    def _empty(self, run: int | None) -> Matrix:
        """What a topic counts in which nothing gains."""
        judged = self._scene.judged[0 if run is None else run]
        if run is None or self._scene.no_relevant == "zero":
            return np.zeros(judged.n_topics)
        return np.ones(judged.n_topics) if self._scene.no_relevant == "one" else (judged.n_retrieved == 0).astype(float)


def _shares(part: Matrix, whole: Matrix, otherwise: Matrix) -> Matrix:
    """`part / whole`, and what else there is where the whole is 0."""
    shares = np.broadcast_to(otherwise, part.shape).copy()
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def _parts(rows: npt.NDArray[np.int64], cost: int) -> Iterator[npt.NDArray[np.int64]]:
    step = max(1, _TOGETHER // max(cost, 1))
    for start in range(0, len(rows), step):
        yield rows[start : start + step]
