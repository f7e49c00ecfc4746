"""The unjudged documents of a ranking, and the ranking with some judgments assumed for them."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged
from irkit.measures import Measure
from irkit.measures.common import every_rank, top
from irkit.measures.gains import gain_of


class OpenJudgments(NamedTuple):
    """Documents with open judgments, where these are not simply all retrieved unjudged documents.

    `topic` and `rank` say where the run has them; `elsewhere`, shape (T,), how many others there are in each topic that
    it does not return. All other documents without a judgment stay without one.
    """

    topic: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    elsewhere: npt.NDArray[np.int64]


class UnjudgedCounts(NamedTuple):
    """Unjudged documents of each topic: `n` in the ranks that count for a measure, `below` elsewhere, shape (T,)."""

    n: npt.NDArray[np.int64]
    below: npt.NDArray[np.int64]
    cost: int  # approximate number of rows and pool lines in each case tried

    @classmethod
    def of(cls, judged: Judged, measure: Measure, open_judgments: OpenJudgments | None = None) -> "UnjudgedCounts":
        """Count the unjudged documents for a measure."""
        cut = top(judged, measure.cutoff)
        if open_judgments is None:
            lacking = _n_lacking(judged)
            n = _n_lacking(cut)
        else:
            lacking = np.bincount(open_judgments.topic, minlength=judged.n_topics) + open_judgments.elsewhere
            inside = open_judgments.rank <= cut.n_retrieved[open_judgments.topic]
            n = np.bincount(open_judgments.topic[inside], minlength=judged.n_topics)
        cost = int(cut.n_retrieved.sum()) + int((judged.pool_grade >= 0).sum()) + int(lacking.sum())
        return cls(n, lacking - n, cost)


@dataclass(frozen=True, slots=True)
class UnjudgedRanks:
    """The ranks that count for a measure, a row for each, with the positions of the unjudged documents.

    `n` of them are in these ranks and `below` deeper or not returned, shape (T,); `from_top` and `from_bottom` count
    them in each topic from 1, shape (N,), and are beyond all of them elsewhere. `low` and `high` are the grades that
    gain least and most, `binary` says that there is none between, and `idle` that a document of the lowest is as good
    as none. `pool_depth` is how many lines of each topic's pool, best first, matter to the measure; None: all.
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
    pool_depth: int | None

    @classmethod
    def of(
        cls,
        judged: Judged,
        measure: Measure,
        *,
        counts_zeros: bool,
        open_judgments: OpenJudgments | None = None,
        pool_depth: int | None = None,
    ) -> "UnjudgedRanks":
        """Find the unjudged ranks for a measure; with `counts_zeros`, documents of grade 0 may affect it."""
        params = measure.family.defaults() | dict(measure.params)
        highest = highest_grade(judged, measure)
        low, high = extreme_grades(judged, measure)
        counts = UnjudgedCounts.of(judged, measure, open_judgments)
        pooled = judged.pool_grade >= 0
        rows = every_rank(
            replace(
                top(judged, measure.cutoff),
                pool_topic=judged.pool_topic[pooled],
                pool_grade=judged.pool_grade[pooled],
                top_grade=max(judged.top_grade, 1),
            )
        )
        unjudged = rows.grade < 0 if open_judgments is None else _open_rows(rows, open_judgments)
        n, below, _ = counts
        above = rows.count_above(unjudged)
        beyond = n.max(initial=0) + 1
        from_top = np.where(unjudged, above, beyond)
        from_bottom = np.where(unjudged, n[rows.topic] - above + 1, beyond)
        gains_nothing = low == 0 and not dict(params.get("gains") or ()).get(0) and params.get("rel") != 0
        idle = gains_nothing and not counts_zeros
        return cls(rows, unjudged, from_top, from_bottom, n, below, low, high, highest == 1, idle, pool_depth)

    def filled(self, raised: npt.NDArray[np.bool_], in_pool: npt.NDArray[np.int64]) -> Judged:
        """Judge all unjudged rows: the raised rows get the highest grade, the others the lowest.

        `in_pool` is how many documents have the highest grade in the pool of each topic, shape (T,).
        """
        grade = np.where(self.unjudged, np.where(raised, self.high, self.low), self.judged.grade)
        kept = np.flatnonzero(grade > 0) if self.idle else slice(None)
        pool_topic, pool_grade = self._pool(in_pool)
        pooled = replace(self.judged, pool_topic=pool_topic, pool_grade=pool_grade)
        return pooled.with_rows(self.judged.topic[kept], self.judged.rank[kept], grade[kept], self.judged.n_retrieved)

    def _pool(self, n_high: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The pool of each topic, best grade first and down to `pool_depth`: the highest, those judged, the lowest."""
        size = np.bincount(self.judged.pool_topic, minlength=self.judged.n_topics)
        whole = size + (n_high if self.idle else self.n + self.below)
        if self.pool_depth is not None:
            whole, n_high = np.minimum(whole, self.pool_depth), np.minimum(n_high, self.pool_depth)
        topic = np.repeat(np.arange(len(whole)), whole)
        lengths = np.stack([n_high, whole - n_high], axis=1).ravel()
        grade = np.repeat(np.tile([self.high, self.low], len(whole)), lengths)
        place = np.arange(len(self.judged.pool_topic)) + (n_high - np.cumsum(size) + size)[self.judged.pool_topic]
        kept = place < whole[self.judged.pool_topic]
        grade[(place + (np.cumsum(whole) - whole)[self.judged.pool_topic])[kept]] = self.judged.pool_grade[kept]
        return topic, grade


def of_topics(judged: Judged, first: int, end: int) -> Judged:
    """Select the topics at the places from `first` up to `end`."""
    rows = slice(*np.searchsorted(judged.topic, (first, end)).tolist())
    pool = slice(*np.searchsorted(judged.pool_topic, (first, end)).tolist())
    return replace(
        judged,
        topics=judged.topics[first:end],
        topic=judged.topic[rows] - first,
        rank=judged.rank[rows],
        grade=judged.grade[rows],
        n_retrieved=judged.n_retrieved[first:end],
        pool_topic=judged.pool_topic[pool] - first,
        pool_grade=judged.pool_grade[pool],
        tie_first=judged.tie_first[rows],
        tie_last=judged.tie_last[rows],
    )


def open_in_topics(open_judgments: OpenJudgments, first: int, end: int) -> OpenJudgments:
    """Select the documents of the topics at the places from `first` up to `end`."""
    inside = (open_judgments.topic >= first) & (open_judgments.topic < end)
    topic, rank = open_judgments.topic[inside] - first, open_judgments.rank[inside]
    return OpenJudgments(topic, rank, open_judgments.elsewhere[first:end])


def highest_grade(judged: Judged, measure: Measure) -> int:
    """Highest grade of the scale: the measure's `max_rel`, or the best grade in the qrels, at least 1."""
    return (measure.family.defaults() | dict(measure.params)).get("max_rel") or max(judged.top_grade, 1)


def extreme_grades(judged: Judged, measure: Measure) -> tuple[int, int]:
    """Grades with the lowest and highest gain: 0 and the highest grade, unless the measure names gains."""
    highest, gains = highest_grade(judged, measure), dict(measure.params).get("gains") or ()
    named = [grade for grade, _ in gains]
    near = {0, highest} | {grade + step for grade in named for step in (-1, 0, 1)}
    grades = np.array(sorted(grade for grade in near if 0 <= grade <= highest))
    gained = gain_of(grades, gains=gains)
    return int(grades[gained.argmin()]), int(grades[gained.argmax()])


def _n_lacking(judged: Judged) -> npt.NDArray[np.int64]:
    return judged.n_retrieved - np.bincount(judged.topic[judged.grade >= 0], minlength=judged.n_topics)


def _open_rows(rows: Judged, open_judgments: OpenJudgments) -> npt.NDArray[np.bool_]:
    """Rows, of one for every rank, with documents that may be judged."""
    first = np.cumsum(rows.n_retrieved) - rows.n_retrieved
    inside = open_judgments.rank <= rows.n_retrieved[open_judgments.topic]
    found = np.zeros(len(rows.topic), dtype=bool)
    found[(first[open_judgments.topic] + open_judgments.rank - 1)[inside]] = True
    return found
