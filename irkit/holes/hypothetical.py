"""Values of measures under hypothetical judgments, each case as a topic."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.evaluation.bounds import EXCHANGED, GRADED
from irkit.evaluation.result import values_of
from irkit.judged import Judged, PerTopic
from irkit.measures import Measure
from irkit.measures.common import top
from irkit.rules import NoRelevant

Places = npt.NDArray[np.int64]

_ROWS: Final = 2_000_000  # rows of the cases that are looked at together


@dataclass(frozen=True, slots=True)
class HypotheticalJudgments:
    """Judgments assumed in C cases: case `c` takes topic `topic[c]` and judges the documents of its entries besides.

    Attributes
    ----------
    topic : int64 array of shape (C,)
    case : int64 array of shape (E,)
        The case of each entry, never falling.
    rank : int64 array of shape (E,)
        Where the run has the document; 0 where it has not.
    grade : int64 array of shape (E,)
    pooled : bool array of shape (E,)
        The qrels have the document already, without a judgment.
    """

    topic: Places
    case: Places
    rank: Places
    grade: Places
    pooled: npt.NDArray[np.bool_]

    def part(self, start: int, end: int) -> "HypotheticalJudgments":
        """Cases of a slice."""
        low, high = np.searchsorted(self.case, [start, end])
        inside = slice(low, high)
        case = self.case[inside] - start
        return HypotheticalJudgments(
            self.topic[start:end], case, self.rank[inside], self.grade[inside], self.pooled[inside]
        )


def values_if(judged: Judged, measure: Measure, no_relevant: NoRelevant, assumed: HypotheticalJudgments) -> PerTopic:
    """The value of each case, shape (C,), by the measure's own formula."""
    lean = _lean(judged, measure)
    size = _per_topic(lean.topic, lean) + _per_topic(lean.pool_topic, lean) + 1
    in_case = size[assumed.topic] + 2 * np.bincount(assumed.case, minlength=len(assumed.topic))
    parts = _blocks(in_case)
    return np.concatenate(
        [np.zeros(0), *(values_of(measure, _filled(lean, assumed.part(*part)), no_relevant) for part in parts)]
    )


def _lean(judged: Judged, measure: Measure) -> Judged:
    """Judged documents without those that the measure ignores: deep ranks; for some, grades of 0 or less."""
    judged = top(judged, measure.cutoff)
    gains = dict(dict(measure.params).get("gains") or ())
    if measure.name not in EXCHANGED | GRADED | {"DCG"} or gains.get(0) or dict(measure.params).get("rel", 1) < 1:
        return judged
    rows, pooled = judged.grade > 0, judged.pool_grade > 0
    thin = replace(judged, pool_topic=judged.pool_topic[pooled], pool_grade=judged.pool_grade[pooled])
    return thin.with_rows(judged.topic[rows], judged.rank[rows], judged.grade[rows], judged.n_retrieved)


def _filled(judged: Judged, assumed: HypotheticalJudgments) -> Judged:
    """The cases as topics, judged as assumed."""
    n_cases = len(assumed.topic)
    length = judged.n_retrieved[assumed.topic]
    inside = (assumed.rank > 0) & (assumed.rank <= length[assumed.case])
    known, case = _expanded(judged.topic, assumed.topic, judged.n_topics)
    rows = np.concatenate((assumed.case[inside], case)), np.concatenate((assumed.rank[inside], judged.rank[known]))
    order = np.lexsort(rows[::-1])
    # A document that was pooled stands there already, behind its assumed judgment.
    order = order[_first(rows[0][order], rows[1][order])]
    topic, rank = (column[order] for column in rows)
    grade = np.concatenate((assumed.grade[inside], judged.grade[known]))[order]

    known, case = _expanded(judged.pool_topic, assumed.topic, judged.n_topics)
    pool_grade = judged.pool_grade[known]
    # As many lines of negative grade go, which stand last, as pooled documents are judged.
    n_judged = np.bincount(assumed.case[assumed.pooled], minlength=n_cases)
    from_end = np.bincount(case, minlength=n_cases).cumsum()[case] - np.arange(len(case))
    kept = (pool_grade >= 0) | (from_end > n_judged[case])
    pool_topic = np.concatenate((assumed.case, case[kept]))
    pool_grade = np.concatenate((assumed.grade, pool_grade[kept]))
    best_first = np.lexsort((-pool_grade, pool_topic))
    pooled = replace(
        judged, topics=("",) * n_cases, pool_topic=pool_topic[best_first], pool_grade=pool_grade[best_first]
    )
    return pooled.with_rows(topic, rank, grade, length)


def _expanded(topic: Places, wanted: Places, n_topics: int) -> tuple[Places, Places]:
    """The rows of the topic of each case, cases end to end, and the case of each."""
    bounds = np.searchsorted(topic, np.arange(n_topics + 1))
    lengths = np.diff(bounds)[wanted]
    case = np.repeat(np.arange(len(wanted)), lengths)
    within = np.arange(len(case)) - (np.cumsum(lengths) - lengths)[case]
    return bounds[wanted][case] + within, case


def _first(topic: Places, rank: Places) -> npt.NDArray[np.bool_]:
    new = np.ones(len(topic), dtype=bool)
    new[1:] = (topic[1:] != topic[:-1]) | (rank[1:] != rank[:-1])
    return new


def _per_topic(topic: Places, judged: Judged) -> Places:
    return np.bincount(topic, minlength=judged.n_topics)


def _blocks(sizes: Places) -> Iterator[tuple[int, int]]:
    """Cases next to each other, of about `_ROWS` rows together."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        limit = (ends[start - 1] if start else 0) + _ROWS
        end = max(start + 1, int(np.searchsorted(ends, limit, side="right")))
        yield start, end
        start = end
