"""Measures that count the relevant documents among those retrieved, whatever their order."""

from collections.abc import Sequence

import numpy as np

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share, top


def precision(judged: Judged, cutoff: int, rel: int = 1) -> PerTopic:
    """Share of the first `cutoff` ranks that hold a relevant document.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant. Ranks past the end of a short ranking
    count as not relevant.

    Notes
    -----
    1/k * sum over r <= k of rel(r)

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: P@4 = 2/4 = 0.5000
    Ranked 1 0 - 2, not retrieved 1: P@10 = 2/10 = 0.2000

    References
    ----------
    trec_eval 10.0, measure P.
    """
    return n_found(top(judged, cutoff), rel) / cutoff


def recall(judged: Judged, cutoff: int, rel: int = 1) -> PerTopic:
    """Share of the relevant documents in the first `cutoff` ranks.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing was retrieved. With more
    relevant documents than the cutoff, 1 is out of reach.

    Notes
    -----
    1/R * sum over r <= k of rel(r)

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: R@4 = 2/3 = 0.6667
    Ranked 1 0 - 2, not retrieved 1: R@1 = 1/3 = 0.3333

    References
    ----------
    trec_eval 10.0, measure recall.
    """
    return share(n_found(top(judged, cutoff), rel), judged.n_relevant(rel))


def success(judged: Judged, cutoff: int, rel: int = 1) -> PerTopic:
    """1 if a relevant document is in the first `cutoff` ranks, else 0.

    Returns
    -------
    float64 array of shape (T,), each 0 or 1; 0 where nothing is relevant, or nothing was retrieved.

    Notes
    -----
    1 if rel(r) = 1 for some r <= k, else 0

    Examples
    --------
    Ranked 0 - 1, not retrieved 2: Success@3 = 1 = 1.0000
    Ranked 0 - 1, not retrieved 2: Success@2 = 0 = 0.0000

    References
    ----------
    trec_eval 10.0, measure success.
    """
    return (n_found(top(judged, cutoff), rel) > 0).astype(float)


def relative_precision(judged: Judged, cutoff: int, rel: int = 1) -> PerTopic:
    """Relevant documents in the first `cutoff` ranks, as a share of the possible number.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing was retrieved. With fewer
    relevant documents than the cutoff, 1 is in reach all the same.

    Notes
    -----
    1/min(k, R) * sum over r <= k of rel(r)

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: relative_P@2 = 1/2 = 0.5000
    Ranked 1 0 - 2, not retrieved 1: relative_P@10 = 2/3 = 0.6667

    References
    ----------
    trec_eval 10.0, measure relative_P.
    """
    return share(n_found(top(judged, cutoff), rel), np.minimum(cutoff, judged.n_relevant(rel)))


def set_precision(judged: Judged, rel: int = 1, relative: bool = False) -> PerTopic:
    """Share of all retrieved documents that are relevant.

    With `relative`, as a share of the most relevant documents that so many could hold.

    Parameters
    ----------
    relative : bool
        Divide by the relevant documents where there are fewer of them than were retrieved.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved, or nothing is relevant.

    Notes
    -----
    found / n, or found / min(n, R) with relative=True; found: relevant documents retrieved

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: SetP = 2/4 = 0.5000
    Ranked 1 0 - 2, not retrieved 1: SetP(relative=True) = 2/3 = 0.6667

    References
    ----------
    trec_eval 10.0, measures set_P and set_relative_P.
    """
    most = np.minimum(judged.n_retrieved, judged.n_relevant(rel)) if relative else judged.n_retrieved
    return share(n_found(judged, rel), most)


def set_average_precision(judged: Judged, rel: int = 1) -> PerTopic:
    """Set precision times set recall: SetP * SetR.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved, or nothing is relevant.

    Notes
    -----
    found^2 / (n * R); found: relevant documents retrieved

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: SetAP = 2/4 * 2/3 = 0.3333

    References
    ----------
    trec_eval 10.0, measure set_map.
    """
    found = n_found(judged, rel)
    return share(found * found, judged.n_retrieved * judged.n_relevant(rel))


def set_recall(judged: Judged, rel: int = 1) -> PerTopic:
    """Share of the relevant documents that were retrieved.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing was retrieved.

    Notes
    -----
    found / R; found: relevant documents retrieved

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: SetR = 2/3 = 0.6667

    References
    ----------
    trec_eval 10.0, measure set_recall.
    """
    return share(n_found(judged, rel), judged.n_relevant(rel))


def set_f(judged: Judged, beta: float = 1.0, rel: int = 1) -> PerTopic:
    """Weighted harmonic mean of set precision and set recall.

    Parameters
    ----------
    beta : float
        How many times more recall weighs than precision: F's own beta. trec_eval's `set_F` takes its square.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing relevant was retrieved.

    Notes
    -----
    (beta^2 + 1) * SetP * SetR / (beta^2 * SetP + SetR)

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: SetF = 2 * 2/4 * 2/3 / (2/4 + 2/3) = 0.5714
    Ranked 1 0 - 2, not retrieved 1: SetF(beta=2.0) = 5 * 2/4 * 2/3 / (4 * 2/4 + 2/3) = 0.6250

    References
    ----------
    van Rijsbergen 1979; trec_eval 10.0, measure set_F, with x = beta squared.
    """
    p, r = set_precision(judged, rel), set_recall(judged, rel)
    weight = float(f"{beta * beta:.15g}")  # the square of a decimal's root is that decimal
    return share((weight + 1.0) * p * r, weight * p + r)


def utility(
    judged: Judged, weights: Sequence[float] = (1.0, -1.0, 0.0, 0.0), collection: int = 0, rel: int = 1
) -> PerTopic:
    """Utility of the retrieved set: each document counts by its kind.

    Parameters
    ----------
    weights : four floats
        For a document relevant and retrieved, not relevant and retrieved, relevant and not retrieved, and neither.
    collection : int
        Documents in the collection, of which those that are neither are the rest.

    Returns
    -------
    float64 array of shape (T,); below 0 where more is lost than gained. With the default weights a topic is 0 for
    which nothing was retrieved. What nobody judged counts as not relevant.

    Notes
    -----
    w1 * found + w2 * (n - found) + w3 * (R - found) + w4 * (collection - n - R + found); found: relevant ones retrieved

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: utility = 1 * 2 - 1 * 2 = 0.0000
    Ranked 1 0 - 2, not retrieved 1: utility(weights=(3,-2,-1,0)) = 3 * 2 - 2 * 2 - 1 * 1 = 1.0000

    References
    ----------
    trec_eval 10.0, measure utility and option -N.
    """
    found, retrieved, relevant = n_found(judged, rel), judged.n_retrieved, judged.n_relevant(rel)
    hit, noise, miss, rest = weights
    neither = collection + found - retrieved - relevant
    return hit * found + noise * (retrieved - found) + miss * (relevant - found) + rest * neither


def n_found(judged: Judged, rel: int = 1) -> PerTopic:
    """Relevant documents retrieved.

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where nothing relevant was retrieved.

    Notes
    -----
    sum over r <= n of rel(r)

    Examples
    --------
    Ranked 1 0 - 2, not retrieved 1: NumRelRet = 1 + 1 = 2

    References
    ----------
    trec_eval 10.0, measure num_rel_ret.
    """
    return judged.sum_by_topic(judged.grade >= rel)
