"""Measures estimated from judgments sampled by stratum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures.common import share, top
from irkit.measures.ideal import running

if TYPE_CHECKING:
    from irkit.judged.strata import JudgedStrata

DEPTH: Final = 1000  # ranks that sample_eval looks at
_TINY: Final = 0.00001  # what it smooths shares with
_DISCOUNTS: Final = np.cumsum([0.0, *(1.0 / np.log2(np.arange(1, DEPTH + 1) + 1.0))])  # of the first 0, 1, 2 ... ranks


def average_precision(judged: JudgedStrata, rel: int = 1) -> PerTopic:
    """Average precision estimated from judgments sampled by stratum.

    A sampled document stands for as many documents of its stratum as there are for each sampled one. The precision at
    a relevant document is estimated from what was sampled above it, stratum by stratum.

    Returns
    -------
    float64 array of shape (T,), each at least 0 and, being an estimate, perhaps above 1; 0 where nothing was retrieved
    or nothing sampled is relevant. Ranks beyond 1000 are not looked at, a shorter list simply ends.

    Notes
    -----
    sum over sampled relevant documents of pooled(s)/sampled(s) * prec(rank) / Rhat, s being the stratum of each
    prec(r) = 1/r * (1 + sum over strata s of m(s) * (a(s) + e) / (j(s) + 3e))
    Rhat = sum over strata s of pooled(s)/sampled(s) * sampled relevant documents of s
    pooled(s), sampled(s): documents of s in the pool, and in the sample; m(s), j(s), a(s): those of s above rank r that
        are in the pool, in the sample, and relevant; e = 0.00001

    Examples
    --------
    Ranked A1 B- B0 B1, not retrieved B-: xinfAP = (1 + 4/2 * (1 + 1.00001/1.00003 + 2 * 0.00001/1.00003) / 4)
        / (1 + 4/2) = 0.6667

    References
    ----------
    Yilmaz, Kanoulas and Aslam 2008, as sample_eval.pl (NIST) has it, which calls it infAP.
    """
    seen = judged.cut(DEPTH)
    cells = _cells(seen)
    relevant = seen.grade >= rel
    precision = (1.0 + _relevant_above(seen, cells, rel)) / seen.ranking.rank
    found = seen.ranking.sum_by_topic(cells.estimate(relevant, cells.row) * precision)
    return share(found, n_relevant(judged, rel))


def normalised_gain(judged: JudgedStrata) -> PerTopic:
    """Normalised discounted gain of the whole list, estimated from judgments sampled by stratum.

    Returns
    -------
    float64 array of shape (T,), each at least 0 and, being an estimate, perhaps above 1; 0 where nothing was retrieved
    or nothing sampled is relevant. Ranks beyond 1000 are not looked at, a shorter list simply ends.

    Notes
    -----
    sum over strata s of m(s)/j(s) * sum over sampled documents of s of g(r) / log2(r + 1), divided by the DCG of the
        ideal ranking: grades falling, and of each grade as many documents as
        sum over s of pooled(s)/sampled(s) * documents of s sampled with that grade, to the nearest whole number, a half
        upwards
    pooled(s), sampled(s): documents of s in the pool, and in the sample; m(s), j(s): those that were retrieved

    Examples
    --------
    Ranked A2 B- B1 A0, not retrieved B0: infNDCG = (2 + 2/1 * 1/log2(4)) / (2 + 1/log2(3) + 1/log2(4)) = 0.9582

    References
    ----------
    Yilmaz, Kanoulas and Aslam 2008, as sample_eval.pl (NIST) has it; grades are compared there as texts, so that 10
    is below 2.
    """
    seen = judged.cut(DEPTH)
    cells, ranking, grade = _cells(seen), seen.ranking, np.maximum(seen.grade, 0)
    gain = np.bincount(cells.row, weights=grade / np.log2(ranking.rank + 1.0), minlength=len(cells.topic))
    n_found, n_judged, _ = _counts(seen, cells)
    found = cells.sum_by_topic(share(n_found * gain, n_judged), judged.n_topics)
    return share(found, _ideal_gain(seen, cells))


def precision(judged: JudgedStrata, cutoff: int, rel: int = 1) -> PerTopic:
    """Precision in the first `cutoff` ranks estimated from judgments sampled by stratum.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1. Ranks past the end of a short list count as nonrelevant.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved. The smoothing leaves it above 0 where
    nothing is relevant: a document of a stratum of which none of these ranks was sampled counts 1/3.

    Notes
    -----
    1/k * sum over strata s of m(s) * (a(s) + e) / (j(s) + 3e)
    m(s), j(s), a(s): documents of s in the first k ranks that are in the pool, in the sample, and relevant; e = 0.00001

    Examples
    --------
    Ranked A1 - B- B0: iP@4 = (1.00001/1.00003 + 2 * 0.00001/1.00003) / 4 = 0.2500

    References
    ----------
    sample_eval.pl (NIST), its iP10, iP50 and iP1000.
    """
    seen = top(judged, cutoff)
    return _relevant_retrieved(seen, _cells(seen), rel) / cutoff


def n_relevant(judged: JudgedStrata, rel: int = 1) -> PerTopic:
    """Number of relevant documents in the pool estimated from judgments sampled by stratum.

    Returns
    -------
    float64 array of shape (T,), each at least 0, whatever was retrieved.

    Notes
    -----
    Rhat = sum over strata s of pooled(s)/sampled(s) * sampled relevant documents of s
    pooled(s), sampled(s): documents of s in the pool, and in the sample

    Examples
    --------
    Ranked A1 B1 B-, not retrieved B0: iNumRel = 1 + 3/2 * 1 = 2.5000

    References
    ----------
    sample_eval.pl (NIST), its inum_rel.
    """
    cells = _cells(judged)
    n_sampled = np.bincount(cells.pool[judged.pool_grade >= rel], minlength=len(cells.topic))
    expected = cells.estimate(n_sampled, np.arange(len(cells.topic)))
    return cells.sum_by_topic(expected, judged.n_topics)


def n_relevant_retrieved(judged: JudgedStrata, rel: int = 1) -> PerTopic:
    """Number of relevant documents retrieved estimated from judgments sampled by stratum.

    Returns
    -------
    float64 array of shape (T,), each at least 0; 0 where nothing was retrieved, and by its smoothing a little above 0
    where nothing relevant was. Ranks beyond 1000 are not looked at.

    Notes
    -----
    sum over strata s of m(s) * (a(s) + e) / (j(s) + 3e)
    m(s), j(s), a(s): retrieved documents of s that are in the pool, in the sample, and relevant; e = 0.00001

    Examples
    --------
    Ranked A1 B- B0 -: iNumRelRet = 1.00001/1.00003 + 2 * 0.00001/1.00003 = 1.0000

    References
    ----------
    sample_eval.pl (NIST), its inum_rel_ret.
    """
    seen = judged.cut(DEPTH)
    return _relevant_retrieved(seen, _cells(seen), rel)


class _Cells(NamedTuple):
    """The strata of every topic, C in all, topic by topic in byte order, and to which of them documents belong."""

    topic: npt.NDArray[np.int64]  # (C,) its place, any one for a topic that is not averaged: nothing is counted there
    n_pooled: npt.NDArray[np.int64]  # (C,)
    n_sampled: npt.NDArray[np.int64]  # (C,)
    row: npt.NDArray[np.int64]  # (H,)
    pool: npt.NDArray[np.int64]  # (G,)

    def estimate(self, counts: npt.NDArray[Any], cell: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Scale numbers of sampled documents up to their strata."""
        return share(counts * self.n_pooled[cell], self.n_sampled[cell])

    def sum_by_topic(self, values: npt.NDArray[np.float64], n_topics: int) -> PerTopic:
        """Sum one value per stratum, shape (C,), within each topic, shape (T,)."""
        return np.bincount(self.topic, weights=values, minlength=n_topics).astype(np.float64, copy=False)


def _cells(judged: JudgedStrata) -> _Cells:
    pool, n_strata = judged.pool_stratum, len(judged.strata.names)
    topic = np.zeros(n_strata, dtype=np.int64)
    topic[pool] = judged.ranking.pool_topic
    n_pooled = np.bincount(pool, minlength=n_strata)
    n_sampled = np.bincount(pool[judged.pool_grade >= 0], minlength=n_strata)
    return _Cells(topic, n_pooled, n_sampled, judged.stratum, pool)


def _counts(judged: JudgedStrata, cells: _Cells, rel: int = 1) -> tuple[npt.NDArray[np.int64], ...]:
    """Number of documents of each stratum retrieved, of those sampled, and of those relevant, (C,) each."""
    chosen = (judged.grade >= lowest for lowest in (0, rel))
    return tuple(
        np.bincount(row, minlength=len(cells.topic)) for row in (cells.row, *(cells.row[rows] for rows in chosen))
    )


def _relevant_above(judged: JudgedStrata, cells: _Cells, rel: int) -> npt.NDArray[np.float64]:
    """Expected number of relevant documents above each row, shape (H,)."""
    ranking, grade = judged.ranking, judged.grade
    # The n-th stratum of every topic at a time: its counts are whole numbers, so that no topic rounds another's.
    last_to_first = np.flatnonzero(cells.n_pooled)[::-1]
    first = np.zeros(judged.n_topics, dtype=np.int64)
    first[cells.topic[last_to_first]] = last_to_first
    stratum = cells.row - first[ranking.topic]
    expected = np.zeros(len(grade))
    for place in range(stratum.max(initial=-1) + 1):
        here = stratum == place
        pooled, sampled, relevant = (
            ranking.count_above(rows) - rows for rows in (here, here & (grade >= 0), here & (grade >= rel))
        )
        expected += _expected(pooled, sampled, relevant)
    return expected


def _relevant_retrieved(judged: JudgedStrata, cells: _Cells, rel: int) -> PerTopic:
    """Expected number of relevant documents retrieved, shape (T,)."""
    return cells.sum_by_topic(_expected(*_counts(judged, cells, rel)), judged.n_topics)


def _expected(
    pooled: npt.NDArray[np.int64], sampled: npt.NDArray[np.int64], relevant: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    expected: npt.NDArray[np.float64] = pooled * (relevant + _TINY) / (sampled + 3.0 * _TINY)
    return expected


def _ideal_gain(judged: JudgedStrata, cells: _Cells) -> PerTopic:
    """DCG of the best ranking of as many documents of each grade as are expected in the pool, shape (T,)."""
    gaining = judged.pool_grade > 0
    grades, level = np.unique(-judged.pool_grade[gaining], return_inverse=True)  # the best one first
    n_levels = max(len(grades), 1)
    sampled, n_sampled = np.unique(cells.pool[gaining] * n_levels + level, return_counts=True)
    cell, level = np.divmod(sampled, n_levels)
    keys, place = np.unique(cells.topic[cell] * n_levels + level, return_inverse=True)
    n_expected = np.floor(np.bincount(place, weights=cells.estimate(n_sampled, cell)) + 0.5)
    topic, level = np.divmod(keys, n_levels)
    end = running(topic, n_expected)
    last, first = (np.minimum(rank, DEPTH).astype(np.int64) for rank in (end, end - n_expected))
    gain = -grades[level] * (_DISCOUNTS[last] - _DISCOUNTS[first])
    return np.bincount(topic, weights=gain, minlength=judged.n_topics).astype(np.float64, copy=False)
