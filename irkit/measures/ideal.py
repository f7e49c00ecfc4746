"""Measures that walk down the ranking and its ideal side by side."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share
from irkit.measures.gains import Gains, gain_of, ideal_gains, n_gaining, with_gaining


def cost_discounted_gain(judged: Judged, gains: Gains = ()) -> PerTopic:
    """Gain discounted by the effort wasted above it, as a share of all the gain that there is.

    At each rank the ideal ranking's gain there, 1 at least, is what a user pays, and the document's gain is what comes
    back. A gain is divided by log2(2 + paid - come back), both with this rank; more never comes back than was paid.

    Parameters
    ----------
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own.

    Returns
    -------
    float64 array of shape (T,), in [0, 1] unless documents that nobody judged are given gains; 0 where nothing gains,
    or nothing was retrieved.

    Notes
    -----
    (sum over r of gain(r) / log2(2 + max(paid(r) - back(r), 0))) / (sum of all gains)
    paid(r) = sum over i <= r of max(gain*(i), 1), gain*(i): all gains, best first; back(r) = sum over i <= r of gain(i)

    Examples
    --------
    Ranked 2 0 1, not retrieved 1: G = (2/log2(2 + 2 - 2) + 1/log2(2 + 4 - 3)) / (2 + 1 + 1) = 0.6577

    References
    ----------
    trec_eval 10.0, measure G.
    """
    judged = with_gaining(judged, gains)
    gain, ideal = gain_of(judged.grade, gains=gains), ideal_gains(judged, gains=gains)
    paid = at_rank(judged, running(judged.pool_topic, np.maximum(ideal, 1.0)), step=1.0)
    # Only gains of documents outside the ideal ranking can be more than was paid; trec_eval has no number for them.
    wasted = np.maximum(paid - running(judged.topic, gain), 0.0)
    return share(judged.sum_by_topic(gain / np.log2(2.0 + wasted)), judged.sum_pool_by_topic(ideal))


def gain_at_relevant(judged: Judged, gains: Gains = ()) -> PerTopic:
    """Mean of nDCG at the ranks of the documents with gain; for documents not retrieved, nDCG at the end.

    Parameters
    ----------
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own.

    Returns
    -------
    float64 array of shape (T,), in [0, 1] unless documents that nobody judged are given gains; 0 where nothing gains,
    or nothing was retrieved.

    Notes
    -----
    mean over documents of gain above 0 of nDCG@r, r being the rank of each; nDCG without cutoff for one not retrieved

    Examples
    --------
    Ranked 2 0 1, not retrieved 1: ndcg_rel = (2/2 + 2 * (2 + 1/log2(4)) / (2 + 1/log2(3) + 1/log2(4))) / 3 = 0.8657

    References
    ----------
    trec_eval 10.0, measure ndcg_rel.
    """
    judged = with_gaining(judged, gains)
    gain, ideal = gain_of(judged.grade, gains=gains), ideal_gains(judged, gains=gains)
    discounted, ideal_discounted = gain / np.log2(judged.rank + 1), ideal / np.log2(judged.pool_rank + 1)
    so_far = running(judged.topic, discounted)
    ideal_so_far = at_rank(judged, running(judged.pool_topic, ideal_discounted))
    at_found = judged.sum_by_topic((gain > 0) * share(so_far, ideal_so_far))
    at_end = share(judged.sum_by_topic(discounted), judged.sum_pool_by_topic(ideal_discounted))
    n_gaining = judged.sum_pool_by_topic(ideal > 0)
    # Below 0 where documents outside the pool gain something; the sum, which may be so too then, is 0 there.
    n_missed = n_gaining - judged.sum_by_topic(gain > 0)
    return share(np.maximum(at_found + n_missed * at_end, 0.0), n_gaining)


def gain_at_levels(judged: Judged, gains: Gains = (), rel: int = 1) -> PerTopic:
    """Mean of nDCG at the ranks where the gain of the ideal ranking falls to its next level, and at the run's end.

    The end of the run is one of them where the run is longer than the ideal ranking by two documents or more.

    Parameters
    ----------
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own.
    rel : int
        A topic without a document of this grade counts 0.

    Returns
    -------
    float64 array of shape (T,), in [0, 1] unless documents that nobody judged are given gains; 0 where nothing gains,
    no document has grade `rel`, or nothing was retrieved.

    Notes
    -----
    mean of nDCG@r over the last rank r of each level of gain in the ideal ranking
    one more r is n where n > 1 + documents that gain something

    Examples
    --------
    Ranked 2 0 1, not retrieved 1: Rndcg = (2/2 + (2 + 1/log2(4)) / (2 + 1/log2(3) + 1/log2(4))) / 2 = 0.8992

    References
    ----------
    trec_eval 10.0, measure Rndcg.
    """
    judged = with_gaining(judged, gains)
    found = _by_topic(
        judged.n_topics, judged.topic, judged.rank, gain_of(judged.grade, gains=gains) / np.log2(judged.rank + 1)
    )
    ideal = ideal_gains(judged, gains=gains)
    best = _by_topic(judged.n_topics, judged.pool_topic, ideal, ideal / np.log2(judged.pool_rank + 1))
    values = np.zeros(judged.n_topics)
    for place, n_retrieved in enumerate(judged.n_retrieved.tolist()):
        ranks, discounted = found[place]
        levels, ideal_discounted = best[place]
        levels = levels[levels > 0]
        ends = np.flatnonzero(np.diff(levels, append=0.0)) + 1
        if n_retrieved > len(levels) + 1 > 1:
            ends = np.append(ends, n_retrieved)
        if len(ends):
            so_far = np.append(0.0, np.cumsum(discounted))[np.searchsorted(ranks, ends, side="right")]
            ideal_so_far = np.cumsum(ideal_discounted)[np.minimum(ends, len(levels)) - 1]
            values[place] = np.cumsum(so_far / ideal_so_far)[-1] / len(ends)
    return np.where(judged.n_relevant(rel) > 0, values, 0.0)


def n_findable_at_levels(judged: Judged, *, gains: Gains = (), rel: int = 1, **_: object) -> npt.NDArray[np.int64]:
    """Documents that gain something for each topic, shape (T,); none where no document has grade `rel`."""
    return n_gaining(judged, gains=gains) * (judged.n_relevant(rel) > 0)


def blended_ratio(
    judged: Judged, gain: npt.NDArray[np.float64], ideal: npt.NDArray[np.float64], beta: float
) -> npt.NDArray[np.float64]:
    """Precision blended with the gain so far as a share of the ideal ranking's, at each row, shape (H,).

    Parameters
    ----------
    gain : float64 array of shape (H,)
    ideal : float64 array of shape (G,)
        The gain at each place of each topic's ideal ranking.
    beta : float
        Weight of the gains.
    """
    best = at_rank(judged, running(judged.pool_topic, ideal))
    counted: npt.NDArray[np.float64] = judged.count_above(gain > 0) + beta * running(judged.topic, gain)
    return counted / (judged.rank + beta * best)


def _by_topic(n_topics: int, topic: npt.NDArray[np.int64], *columns: npt.NDArray[Any]) -> list[list[npt.NDArray[Any]]]:
    bounds = np.searchsorted(topic, np.arange(n_topics + 1)).tolist()
    return [[column[start:end] for column in columns] for start, end in pairwise(bounds)]


def running(
    topic: npt.NDArray[np.int64], values: npt.NDArray[np.float64], joined: np.ufunc = np.add
) -> npt.NDArray[np.float64]:
    """The sum, or with `np.multiply` the product, of the values up to each row within its topic, row by row."""
    so_far = np.empty_like(values)
    bounds = [0, *(np.flatnonzero(np.diff(topic)) + 1).tolist(), len(topic)]
    for start, end in pairwise(bounds):
        joined.accumulate(values[start:end], out=so_far[start:end])
    return so_far


def at_rank(judged: Judged, pool_sums: npt.NDArray[np.float64], step: float = 0.0) -> npt.NDArray[np.float64]:
    """The running sum of the ideal ranking at the rank of each row; past its end it grows by `step` a rank."""
    size = np.bincount(judged.pool_topic, minlength=judged.n_topics)
    first = np.cumsum(size) - size
    inside = np.minimum(judged.rank, size[judged.topic])
    sums = np.append(pool_sums, 0.0)
    inner: npt.NDArray[np.float64] = sums[np.where(inside > 0, first[judged.topic] + inside - 1, -1)]
    return inner + step * (judged.rank - inside)
