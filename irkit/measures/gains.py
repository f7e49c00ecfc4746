"""Measures that add up gains, discounted by rank."""

from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic
from irkit.measures.common import every_rank, share, top

Dcg = Literal["log2", "exp-log2"]
Gains = Mapping[int, float] | Iterable[tuple[int, float]]
TOP_EXPONENT = 1000  # 2 ** 1024 is no longer a float64; this leaves room for the sum


def discounted_gain(
    judged: Judged, cutoff: int | None = None, dcg: Dcg = "log2", gains: Gains = (), base: float | None = None
) -> PerTopic:
    """Discounted cumulative gain: sum of the gains, each divided by a discount that grows with the rank.

    Parameters
    ----------
    dcg : {"log2", "exp-log2"}
        The gain of a grade: the grade itself, or 2 ** grade - 1. Unjudged documents gain nothing.
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own. Grade -1 stands for a document that is
        not in the pool, -2 for one that was pooled and not judged; both gain nothing unless they are named.
    base : float, optional
        With it, nothing is discounted down to this rank, and from there on by the logarithm of the rank to this base.

    Returns
    -------
    float64 array of shape (T,), each at least 0; 0 where nothing was retrieved, or nothing gains. The sum simply
    stops at the end of a short ranking.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or `exp-log2` meets a grade above 1000.

    Notes
    -----
    sum over r <= k of gain(r) / log2(r + 1); gain(r) = g(r), or 2^g(r) - 1 with dcg='exp-log2', or what `gains` says
    with `base` b: 1 in place of log2(r + 1) where r <= b, else log_b(r)

    Examples
    --------
    Ranked 3 0 - 1, not retrieved 2 0: DCG = 3/log2(2) + 1/log2(5) = 3.4307
    Ranked 3 0 - 1, not retrieved 2 0: DCG(dcg='exp-log2')@3 = (2**3 - 1) / log2(2) = 7.0000
    Ranked 3 0 - 1, not retrieved 2 0: DCG(base=2) = 3 + 1/log2(4) = 3.5000

    References
    ----------
    trec_eval 10.0, measure dcg; exp-log2: Burges et al. 2005; base: Järvelin and Kekäläinen 2002.
    """
    judged = with_gaining(top(judged, cutoff), gains)
    return judged.sum_by_topic(gain_of(judged.grade, dcg, gains) / discount(judged.rank, base))


def normalised_gain(
    judged: Judged, cutoff: int | None = None, dcg: Dcg = "log2", gains: Gains = (), base: float | None = None
) -> PerTopic:
    """DCG as a share of the DCG that the best ranking of all judged documents has at the same cutoff.

    A relevance level does not touch it, nor DCG: every grade above 0 gains, unless `gains` say otherwise.

    Parameters
    ----------
    cutoff : int, optional
        Depth in documents, at least 1, of the ranking and of the ideal one.
    dcg, gains, base
        As for `discounted_gain`.

    Returns
    -------
    float64 array of shape (T,), in [0, 1] unless documents that nobody judged are given gains; 0 where nothing has a
    positive gain, or nothing was retrieved. Without a cutoff the ideal holds every judged document, however short the
    ranking is.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or `exp-log2` meets a grade above 1000.

    Notes
    -----
    DCG@k / IdealDCG@k

    Examples
    --------
    Ranked 3 0 - 1, not retrieved 2 0: nDCG@4 = (3 + 1/log2(5)) / (3 + 2/log2(3) + 1/log2(4)) = 0.7204
    Ranked 3 0 - 1, not retrieved 2 0: nDCG@2 = 3 / (3 + 2/log2(3)) = 0.7039

    References
    ----------
    Järvelin and Kekäläinen 2002; trec_eval 10.0, measures ndcg and ndcg_cut; NTCIREVAL 190111, measures MSnDCG and,
    with `base`, nDCG.
    """
    return share(discounted_gain(judged, cutoff, dcg, gains, base), ideal_gain(judged, cutoff, dcg, gains, base))


def ideal_gain(
    judged: Judged, cutoff: int | None = None, dcg: Dcg = "log2", gains: Gains = (), base: float | None = None
) -> PerTopic:
    """DCG of the best ranking of all judged documents, the denominator of nDCG.

    Parameters
    ----------
    dcg, gains, base
        As for `discounted_gain`.

    Returns
    -------
    float64 array of shape (T,), each at least 0; 0 where nothing has a positive gain. What was retrieved does not
    matter.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or `exp-log2` meets a grade above 1000.

    Notes
    -----
    sum over r <= k of gain*(r) / log2(r + 1); gain*(r): the gains of all judged documents, best first

    Examples
    --------
    Ranked 3 0 - 1, not retrieved 2 0: IdealDCG = 3/log2(2) + 2/log2(3) + 1/log2(4) = 4.7619

    References
    ----------
    trec_eval 10.0, measure ideal_dcg.
    """
    gain, topic, rank = ideal_gains(judged, dcg, gains), judged.pool_topic, judged.pool_rank
    if cutoff is not None:
        inside = np.flatnonzero(rank <= cutoff)
        gain, topic, rank = gain[inside], topic[inside], rank[inside]
    ideal = np.bincount(topic, weights=gain / discount(rank, base), minlength=judged.n_topics)
    return ideal.astype(np.float64, copy=False)


def n_gaining(judged: Judged, *, dcg: Dcg = "log2", gains: Gains = (), **_: object) -> npt.NDArray[np.int64]:
    """Judged documents with a positive gain for each topic, shape (T,)."""
    gaining = ideal_gains(judged, dcg, gains) > 0
    return np.bincount(judged.pool_topic[gaining], minlength=judged.n_topics)


def discount(rank: npt.NDArray[np.int64], base: float | None = None) -> npt.NDArray[np.float64]:
    """Discount at each rank: log2(rank + 1); with a base b, 1 up to rank b, then log_b(rank)."""
    if base is None:
        return np.log2(rank + 1)
    discounts: npt.NDArray[np.float64] = np.maximum(np.log(rank) / np.log(base), 1.0)
    return discounts


def with_gaining(judged: Judged, gains: Gains) -> Judged:
    """Copy with a row for every retrieved document if documents outside the pool can have a gain."""
    return every_rank(judged) if min(dict(gains), default=0) < 0 else judged


def ideal_gains(judged: Judged, dcg: Dcg = "log2", gains: Gains = ()) -> npt.NDArray[np.float64]:
    """The gain at each place of each topic's ideal ranking, shape (G,): topic by topic, best gain first."""
    grades = {grade: gain for grade, gain in dict(gains).items() if grade >= 0}
    pool = gain_of(judged.pool_grade, dcg, grades)
    # The pool stands best grade first; only gains of one's own can change that order.
    return pool[np.lexsort((-pool, judged.pool_topic))] if grades else pool


def exponential(grade: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """2 ** grade - 1 for grades of 0 and more, exactly where they are whole.

    Raises
    ------
    MeasureError
        If a grade is above 1000.
    """
    if grade.max(initial=0) > TOP_EXPONENT:
        raise MeasureError(
            f"grade {grade.max()} is too large for a gain of 2 ** grade - 1, which ends at {TOP_EXPONENT}; "
            "use linear gains, or smaller grades"
        )
    if grade.dtype.kind == "f":
        fractional: npt.NDArray[np.float64] = np.exp2(grade) - 1.0
        return fractional
    return np.ldexp(1.0, grade.astype(np.int32)) - 1.0


def gain_of(grade: npt.NDArray[np.int64], dcg: Dcg = "log2", gains: Gains = ()) -> npt.NDArray[np.float64]:
    """Gain of each grade; 0 for negative grades unless they are named."""
    judged = np.maximum(grade, 0)  # a negative grade is no judgment
    gain = exponential(judged) if dcg == "exp-log2" else judged.astype(np.float64)
    for named, value in dict(gains).items():
        gain[grade == named] = value
    return gain
