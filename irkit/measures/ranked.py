"""Measures that ask at which ranks the relevant documents stand."""

import numpy as np

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share, top


def reciprocal_rank(judged: Judged, cutoff: int | None = None, rel: int = 1) -> PerTopic:
    """1 / rank of the first relevant document.

    Parameters
    ----------
    judged : Judged of T topics
    cutoff : int, optional
        Depth in documents, at least 1; what stands deeper is not found.
    rel : int
        Lowest grade that counts as relevant.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where no relevant document was found.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.

    References
    ----------
    trec_eval 10.0, measure recip_rank.
    """
    judged = top(judged, cutoff)
    relevant = judged.grade >= rel
    first = relevant & (judged.count_above(relevant) == 1)
    return judged.sum_by_topic(first / judged.rank)


def average_precision(judged: Judged, cutoff: int | None = None, rel: int = 1) -> PerTopic:
    """Mean over all relevant documents of the precision at the rank of each; 0 for one that was not found.

    Parameters
    ----------
    judged : Judged of T topics
    cutoff : int, optional
        Depth in documents, at least 1. The sum stops there; it is divided by all relevant documents nevertheless.
    rel : int
        Lowest grade that counts as relevant.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.

    References
    ----------
    trec_eval 10.0, measures map and map_cut.
    """
    judged = top(judged, cutoff)
    relevant = judged.grade >= rel
    precisions = relevant * judged.count_above(relevant) / judged.rank
    return share(judged.sum_by_topic(precisions), judged.n_relevant(rel))


def r_precision(judged: Judged, rel: int = 1) -> PerTopic:
    """Precision at rank R, R being the number of relevant documents, shape (T,), each in [0, 1].

    Ranks past the end of a short ranking count as not relevant; 0 where nothing is relevant.

    References
    ----------
    trec_eval 10.0, measure Rprec.
    """
    n_relevant = judged.n_relevant(rel)
    early = judged.rank <= n_relevant[judged.topic]
    return share(judged.sum_by_topic(early & (judged.grade >= rel)), n_relevant)


def binary_preference(judged: Judged, rel: int = 1) -> PerTopic:
    """How seldom a document judged not relevant stands above a relevant one; the unjudged do not count.

    With R documents relevant and N judged not relevant, each relevant document found gives
    1 - min(judged not relevant above it, R) / min(N, R), and the sum is divided by R.

    Parameters
    ----------
    judged : Judged of T topics
    rel : int
        Lowest grade that counts as relevant; grades from 0 up to it are judged not relevant.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    References
    ----------
    trec_eval 10.0, measure bpref.
    """
    n_relevant = judged.n_relevant(rel)
    n_other = judged.n_relevant(0) - n_relevant
    relevant = judged.grade >= rel
    above = judged.count_above((judged.grade >= 0) & ~relevant)
    lost = share(np.minimum(above, n_relevant[judged.topic]), np.minimum(n_other, n_relevant)[judged.topic])
    return share(judged.sum_by_topic(relevant * (1.0 - lost)), n_relevant)
