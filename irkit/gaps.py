"""The unjudged documents of a ranking, and the ranking with some judgments assumed for them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged
from irkit.measures import Measure
from irkit.measures.common import every_rank, top
from irkit.measures.gains import gain_of


@dataclass(frozen=True, slots=True)
class Gaps:
    """The ranks that count for a measure, a row for each; and where the unjudged documents stand.

    `n` of them are in these ranks and `below` deeper, shape (T,); `from_top` and `from_bottom` count them in each topic
    from 1, shape (N,), and are beyond all of them elsewhere. `low` and `high` are the grades that gain least and most,
    `binary` says that there is none between, and `idle` that a document of the lowest is as good as none.
    """

    judged: Judged
    unjudged: npt.NDArray[np.bool_]
    from_top: npt.NDArray[np.int64]
    from_bottom: npt.NDArray[np.int64]
    n: npt.NDArray[np.int64]
    below: npt.NDArray[np.int64]
    low: int
    high: int
    binary: bool
    idle: bool

    @classmethod
    def of(cls, judged: Judged, measure: Measure, *, counts_zeros: bool) -> "Gaps":
        """The gaps for a measure; `counts_zeros` says that a document of grade 0 may matter to it."""
        params = measure.family.defaults() | dict(measure.params)
        highest = params.get("max_rel") or max(judged.top_grade, 1)
        low, high = _extremes(highest, params)
        lacking = judged.n_retrieved - np.bincount(judged.topic[judged.grade >= 0], minlength=judged.n_topics)
        pooled = judged.pool_grade >= 0
        rows = every_rank(
            replace(
                top(judged, measure.cutoff),
                pool_topic=judged.pool_topic[pooled],
                pool_grade=judged.pool_grade[pooled],
                top_grade=max(judged.top_grade, 1),
            )
        )
        unjudged = rows.grade < 0
        n = np.bincount(rows.topic[unjudged], minlength=rows.n_topics)
        above = rows.count_above(unjudged)
        beyond = n.max(initial=0) + 1
        from_top = np.where(unjudged, above, beyond)
        from_bottom = np.where(unjudged, n[rows.topic] - above + 1, beyond)
        gains_nothing = low == 0 and not dict(params.get("gains") or ()).get(0) and params.get("rel") != 0
        idle = gains_nothing and not counts_zeros
        return cls(rows, unjudged, from_top, from_bottom, n, lacking - n, low, high, highest == 1, idle)

    @property
    def cost(self) -> int:
        """Rows and lines of the pool in one of the cases tried, about."""
        cost = len(self.unjudged) + len(self.judged.pool_grade) + int((self.n + self.below).sum())
        return cost // 2 if self.idle else cost

    def filled(self, raised: npt.NDArray[np.bool_], in_pool: npt.NDArray[np.int64]) -> Judged:
        """Judged throughout: the raised rows at the highest grade, the others at the lowest.

        `in_pool` is how many documents have the highest grade in the pool of each topic, shape (T,).
        """
        grade = np.where(self.unjudged, np.where(raised, self.high, self.low), self.judged.grade)
        kept = np.flatnonzero(grade > 0) if self.idle else slice(None)
        pool_topic, pool_grade = self._pool(in_pool)
        pooled = replace(self.judged, pool_topic=pool_topic, pool_grade=pool_grade)
        return pooled.with_rows(self.judged.topic[kept], self.judged.rank[kept], grade[kept], self.judged.n_retrieved)

    def _pool(self, n_high: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The pool of each topic, best grade first: the highest, those judged, the lowest."""
        size = np.bincount(self.judged.pool_topic, minlength=self.judged.n_topics)
        whole = size + (n_high if self.idle else self.n + self.below)
        topic = np.repeat(np.arange(len(whole)), whole)
        place = np.arange(len(topic)) - (np.cumsum(whole) - whole)[topic] - n_high[topic]
        known = (place >= 0) & (place < size[topic])
        grade = np.where(place < 0, self.high, self.low)
        grade[known] = self.judged.pool_grade
        return topic, grade


def _extremes(highest: int, params: Mapping[str, Any]) -> tuple[int, int]:
    """The grades from 0 to `highest` that gain least and most: these two, unless gains are named."""
    named = [grade for grade, _ in params.get("gains") or ()]
    near = {0, highest} | {grade + step for grade in named for step in (-1, 0, 1)}
    grades = np.array(sorted(grade for grade in near if 0 <= grade <= highest))
    gains = gain_of(grades, gains=params.get("gains") or ())
    return int(grades[gains.argmin()]), int(grades[gains.argmax()])
