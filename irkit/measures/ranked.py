"""Measures that ask at which ranks the relevant documents stand."""

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share, top

LEAST = 0.00001  # what a geometric mean takes a value of 0 for


def reciprocal_rank(judged: Judged, cutoff: int | None = None, rel: int = 1) -> PerTopic:
    """1 / rank of the first relevant document.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where no relevant document was found.

    Notes
    -----
    1 / r, r <= k being the first rank with rel(r) = 1

    Examples
    --------
    Ranked 0 - 2 1, not retrieved nothing: RR = 1/3 = 0.3333
    Ranked 0 - 1 2, not retrieved nothing: RR(rel=2) = 1/4 = 0.2500

    References
    ----------
    trec_eval 10.0, measure recip_rank.
    """
    judged = top(judged, cutoff)
    relevant = judged.grade >= rel
    first = relevant & (judged.count_above(relevant) == 1)
    return judged.sum_by_topic(first / judged.rank)


def average_precision(judged: Judged, cutoff: int | None = None, rel: int = 1, capped: bool = False) -> PerTopic:
    """Mean of the precision at the ranks of all relevant documents; 0 for relevant documents not retrieved.

    Parameters
    ----------
    capped : bool
        Divide by `cutoff` where more documents than that are relevant, so that a perfect top has 1.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing was retrieved. At a cutoff
    the sum stops and is divided by all relevant documents nevertheless, so with more of them than that 1 is out of
    reach but with `capped`.

    Notes
    -----
    1/R * sum over r <= k of rel(r) * found(r) / r; found(r): relevant documents in the first r ranks
    with `capped` min(k, R) in place of R

    Examples
    --------
    Ranked 1 - 2 0, not retrieved 1: AP = (1/1 + 2/3) / 3 = 0.5556
    Ranked 1 - 2 0, not retrieved 1: AP@2 = (1/1) / 3 = 0.3333
    Ranked 1 - 2 0, not retrieved 1: AP(capped=True)@2 = (1/1) / 2 = 0.5000

    References
    ----------
    trec_eval 10.0, measures map and map_cut; capped: NTCIREVAL 190111, measure AP@k.
    """
    judged = top(judged, cutoff)
    return share(judged.sum_by_topic(precisions(judged, rel)), n_wanted(judged, cutoff, rel, capped))


def precisions(judged: Judged, rel: int = 1) -> npt.NDArray[np.float64]:
    """The precision at the rank of each row, shape (H,), 0 where that is not relevant: terms of `average_precision`."""
    relevant = judged.grade >= rel
    return relevant * judged.count_above(relevant) / judged.rank


def n_wanted(judged: Judged, cutoff: int | None = None, rel: int = 1, capped: bool = False) -> npt.NDArray[np.int64]:
    """Denominator of `average_precision` for each topic, shape (T,)."""
    n_relevant = judged.n_relevant(rel)
    return np.minimum(n_relevant, cutoff) if capped and cutoff is not None else n_relevant


def accuracy(judged: Judged, cutoff: int | None = None, rel: int = 1) -> PerTopic:
    """Share of the pairs of a relevant and another retrieved document in which the relevant one is above.

    Relevant documents that were not retrieved do not lower it: it tells how well a list is sorted, not how good it is.

    Parameters
    ----------
    cutoff : int, optional
        Depth in documents, at least 1, of the list looked at.
    rel : int
        Lowest grade that counts as relevant; every other document, judged or not, counts as not relevant.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 1 where only relevant documents were retrieved; 0 where none was, so
    that every run is averaged over the same topics (ir_measures leaves such a topic out).

    Notes
    -----
    1 - sum over relevant documents of the others above it / (relevant * others), both counted among those retrieved

    Examples
    --------
    Ranked 2 - 3 0 1 0 -: Accuracy = 1 - (0 + 1 + 2) / (3 * 4) = 0.7500

    References
    ----------
    ir_measures 0.4.3, measure Accuracy, which divides by 0 where only relevant documents were retrieved.
    """
    judged = top(judged, cutoff)
    relevant = judged.grade >= rel
    found = judged.sum_by_topic(relevant)
    above = judged.sum_by_topic(relevant * (judged.rank - judged.count_above(relevant)))
    return np.where(found > 0, 1.0 - share(above, found * (judged.n_retrieved - found)), 0.0)


def r_precision(judged: Judged, mult: float = 1.0, rel: int = 1) -> PerTopic:
    """Precision at rank R, R being the number of relevant documents, or at a multiple of it.

    Parameters
    ----------
    mult : float
        The rank is trunc(mult * R + 0.9).

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]. Ranks past the end of a short ranking count as not relevant; 0 where
    nothing is relevant.

    Notes
    -----
    found(d) / d, d = trunc(mult * R + 0.9); found(d): relevant documents in the first d ranks

    Examples
    --------
    Ranked 1 - 0 1, not retrieved 2: Rprec = 1/3 = 0.3333
    Ranked 1 - 0 1, not retrieved 2: Rprec(mult=2.0) = 2/6 = 0.3333

    References
    ----------
    trec_eval 10.0, measures Rprec and Rprec_mult.
    """
    depth = depth_of(judged, mult, rel)
    early = judged.rank <= depth[judged.topic]
    return share(judged.sum_by_topic(early & (judged.grade >= rel)), depth)


def depth_of(judged: Judged, mult: float = 1.0, rel: int = 1) -> PerTopic:
    """The rank down to which `r_precision` looks, shape (T,)."""
    depth: PerTopic = np.floor(mult * judged.n_relevant(rel) + 0.9)
    return depth


def binary_preference(judged: Judged, rel: int = 1) -> PerTopic:
    """Degree to which relevant documents are above documents judged irrelevant; unjudged documents do not count.

    Parameters
    ----------
    rel : int
        Lowest grade that counts as relevant; grades from 0 up to it are judged not relevant.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing was retrieved. 1 asks that
    all relevant documents are retrieved; where nothing is judged not relevant it is the share of them that are.

    Notes
    -----
    1/R * sum over relevant documents retrieved of 1 - min(above, R) / min(N, R)
    above: documents above it that are judged not relevant; N: all that are

    Examples
    --------
    Ranked 0 1 - 0 1, not retrieved 1 0: Bpref = ((1 - 1/3) + (1 - 2/3)) / 3 = 0.3333

    References
    ----------
    Buckley and Voorhees 2004; trec_eval 10.0, measure bpref.
    """
    return share(judged.sum_by_topic(preferences(judged, rel)), judged.n_relevant(rel))


def preferences(judged: Judged, rel: int = 1) -> npt.NDArray[np.float64]:
    """Degree to which each row is above documents judged irrelevant, shape (H,): terms of `binary_preference`."""
    n_relevant = judged.n_relevant(rel)
    n_other = judged.n_relevant(0) - n_relevant
    relevant = judged.grade >= rel
    above = judged.count_above((judged.grade >= 0) & ~relevant)
    lost = share(np.minimum(above, n_relevant[judged.topic]), np.minimum(n_other, n_relevant)[judged.topic])
    terms: npt.NDArray[np.float64] = relevant * (1.0 - lost)
    return terms


def floored_average_precision(judged: Judged, rel: int = 1) -> PerTopic:
    """Average precision, 0.00001 at least, whose geometric mean over topics shows how a system does on its worst.

    Returns
    -------
    float64 array of shape (T,), each in [0.00001, 1]; 0.00001 where nothing is relevant, or nothing relevant was
    retrieved.

    Notes
    -----
    max(AP, 0.00001) for a topic; exp(mean of log(that)) over topics

    Examples
    --------
    Ranked 0 1, not retrieved 1: GMAP = (1/2) / 2 = 0.2500

    References
    ----------
    Robertson 2006; trec_eval 10.0, measure gm_map.
    """
    return np.maximum(average_precision(judged, rel=rel), LEAST)


def floored_binary_preference(judged: Judged, rel: int = 1) -> PerTopic:
    """Bpref, 0.00001 at least, whose geometric mean over topics shows how a system does on its worst.

    Parameters
    ----------
    rel : int
        Lowest grade that counts as relevant; grades from 0 up to it are judged not relevant.

    Returns
    -------
    float64 array of shape (T,), each in [0.00001, 1]; 0.00001 where nothing is relevant, or nothing relevant was
    retrieved.

    Notes
    -----
    max(Bpref, 0.00001) for a topic; exp(mean of log(that)) over topics

    Examples
    --------
    Ranked 0 1, not retrieved 1 0: GMBpref = (1 - 1/2) / 2 = 0.2500

    References
    ----------
    trec_eval 10.0, measure gm_bpref.
    """
    return np.maximum(binary_preference(judged, rel), LEAST)


def inferred_average_precision(judged: Judged, rel: int = 1) -> PerTopic:
    """Average precision estimated where only a sample of the pool was judged.

    Documents of the pool that were not sampled have a negative grade. The precision above a relevant document is
    estimated from the share of the judged ones above it that are relevant, and the share of all that were pooled.

    Returns
    -------
    float64 array of shape (T,), each at least 0; 0 where nothing is relevant, or nothing relevant was retrieved.

    Notes
    -----
    1/R * sum over relevant r of 1/r + (r - 1)/r * pooled/(r - 1) * (relevant + e) / (relevant + other + 2e)
    above rank r: pooled documents, judged or not; relevant ones; other judged ones; e = 0.00001; at rank 1 only 1/r

    Examples
    --------
    Ranked 1 - 0 ~ 2, not retrieved 1: infAP = (1 + (1/5 + 4/5 * 3/4 * 1/2)) / 3 = 0.5000

    References
    ----------
    Yilmaz and Aslam 2006; trec_eval 10.0, measure infAP.
    """
    return share(judged.sum_by_topic(inferred_precisions(judged, rel)), judged.n_relevant(rel))


def inferred_precisions(judged: Judged, rel: int = 1) -> npt.NDArray[np.float64]:
    """The precision expected at the rank of each row, shape (H,): the terms of `inferred_average_precision`."""
    relevant = judged.grade >= rel
    above = judged.rank - 1.0
    n_relevant = judged.count_above(relevant) - relevant
    n_other = judged.count_above((judged.grade >= 0) & ~relevant)
    n_pooled = n_relevant + n_other + judged.count_above(judged.grade < 0)
    tiny = 0.00001
    among_judged = (n_relevant + tiny) / (n_relevant + n_other + 2.0 * tiny)
    below_first = np.maximum(above, 1.0)
    expected = 1.0 / judged.rank + (above / judged.rank) * (n_pooled / below_first) * among_judged
    terms: npt.NDArray[np.float64] = relevant * expected
    return terms


def binary_gain(judged: Judged, rel: int = 1) -> PerTopic:
    """Mean over relevant documents of a gain discounted by the number of other documents above; 0 if not retrieved.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing relevant was retrieved.

    Notes
    -----
    1/R * sum over r of rel(r) / log2(2 + others above rank r), judged or not

    Examples
    --------
    Ranked 0 1 - 1, not retrieved 1: binG = (1/log2(2 + 1) + 1/log2(2 + 2)) / 3 = 0.3770

    References
    ----------
    trec_eval 10.0, measure binG.
    """
    return share(judged.sum_by_topic(binary_gains(judged, rel)), judged.n_relevant(rel))


def binary_gains(judged: Judged, rel: int = 1) -> npt.NDArray[np.float64]:
    """The discounted gain of each row, shape (H,), 0 where it is not relevant: the terms of `binary_gain`."""
    relevant = judged.grade >= rel
    others = judged.rank - judged.count_above(relevant)
    terms: npt.NDArray[np.float64] = relevant / np.log2(2.0 + others)
    return terms


def log_odds_precision(judged: Judged, rel: int = 1) -> PerTopic:
    """Log odds of average precision, which spreads the values near 0 and near 1.

    Returns
    -------
    float64 array of shape (T,), from -ln(1 + R) to ln(1 + R); 0 where nothing is relevant.

    Notes
    -----
    ln((1 + S) / (1 + R - S)); S = R * AP, the sum of the precisions at the relevant documents

    Examples
    --------
    Ranked 1 0 1, not retrieved nothing: yaap = log((1 + 5/3) / (1 + 2 - 5/3)) = 0.6931
    Ranked 0, not retrieved 1: yaap = log((1 + 0) / (1 + 1 - 0)) = -0.6931

    References
    ----------
    Robertson 2006; trec_eval 10.0, measure yaap.
    """
    total = judged.sum_by_topic(precisions(judged, rel))
    n_relevant = judged.n_relevant(rel)
    return np.where(n_relevant > 0, np.log((1.0 + total) / (1.0 + n_relevant - total)), 0.0)
