"""Measures estimated from documents sampled with known probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irkit.judged import PerTopic
from irkit.measures.common import share, top
from irkit.measures.ideal import running

if TYPE_CHECKING:
    from irkit.judged.prels import JudgedPrels


def average_precision(judged: JudgedPrels, rel: int = 1) -> PerTopic:
    """Average precision estimated from documents sampled with known probabilities.

    Returns
    -------
    float64 array of shape (T,), each at least 0 and, being an estimate, perhaps above 1; 0 where nothing was retrieved
    or nothing sampled is relevant.

    Notes
    -----
    sum over sampled relevant documents of prec(rank) / pi / Rhat, pi being the probability of each
    prec(r) = (1 + sum of 1 / pi over the sampled relevant documents above rank r) / r
    Rhat = sum of 1 / pi over all sampled relevant documents

    Examples
    --------
    Ranked 2/1.0 - 0/0.6 1/0.5, not retrieved 1/1.0: statAP = (1/1 + (1 + 1)/4 / 0.5) / (1 + 2 + 1) = 0.5000

    References
    ----------
    Aslam and Pavlu 2007; statAP_MQ_eval_v3.pl (Pavlu).
    """
    ranking, weight = judged.ranking, judged.weight(rel)
    precision = (1.0 + running(ranking.topic, weight) - weight) / ranking.rank
    return share(ranking.sum_by_topic(weight * precision), n_relevant(judged, rel))


def precision(judged: JudgedPrels, cutoff: int, rel: int = 1) -> PerTopic:
    """Precision in the first `cutoff` ranks estimated from documents sampled with known probabilities.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1. Ranks past the end of a short list count as nonrelevant.

    Returns
    -------
    float64 array of shape (T,), each at least 0 and, being an estimate, perhaps above 1; 0 where nothing was retrieved.

    Notes
    -----
    1/k * sum of 1 / pi over the sampled relevant documents in the first k ranks

    Examples
    --------
    Ranked 2/1.0 - 0/0.6 1/0.5: statP@4 = (1/1 + 1/0.5) / 4 = 0.7500

    References
    ----------
    statAP_MQ_eval_v3.pl (Pavlu).
    """
    seen = top(judged, cutoff)
    return seen.ranking.sum_by_topic(seen.weight(rel)) / cutoff


def r_precision(judged: JudgedPrels, rel: int = 1) -> PerTopic:
    """Precision at the estimated number of relevant documents, from documents sampled with known probabilities.

    Returns
    -------
    float64 array of shape (T,), each at least 0 and, being an estimate, perhaps above 1; 0 where nothing was retrieved
    or nothing sampled is relevant. Of a list shorter than that rank it is what was found as a share of Rhat.

    Notes
    -----
    1/k * sum of 1 / pi over the sampled relevant documents in the first k ranks
    k = Rhat rounded to the nearest whole number, a half upwards; Rhat itself where fewer were retrieved
    Rhat = sum of 1 / pi over all sampled relevant documents

    Examples
    --------
    Ranked 2/1.0 - 0/0.6 1/0.5, not retrieved 1/1.0: statRprec = (1/1 + 1/0.5) / (1 + 2 + 1) = 0.7500

    References
    ----------
    statAP_MQ_eval_v3.pl (Pavlu).
    """
    ranking, expected = judged.ranking, n_relevant(judged, rel)
    depth = np.floor(expected + 0.5)
    found = ranking.sum_by_topic((ranking.rank <= depth[ranking.topic]) * judged.weight(rel))
    return share(found, np.where(judged.n_retrieved < depth, expected, depth))


def n_relevant(judged: JudgedPrels, rel: int = 1) -> PerTopic:
    """Number of relevant documents estimated from documents sampled with known probabilities.

    Returns
    -------
    float64 array of shape (T,), each at least 0, whatever was retrieved.

    Notes
    -----
    Rhat = sum of 1 / pi over all sampled relevant documents

    Examples
    --------
    Ranked 2/1.0 0/0.6, not retrieved 1/0.5: statNumRel = 1/1 + 1/0.5 = 3.0000

    References
    ----------
    statAP_MQ_eval_v3.pl (Pavlu).
    """
    return judged.ranking.sum_pool_by_topic(judged.pool_weight(rel))
