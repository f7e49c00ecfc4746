"""Measures that follow a user who reads down the ranking and may stop at each document."""

from math import ceil
from typing import Literal

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic
from irkit.measures.common import every_rank, share, top
from irkit.measures.gains import TOP_EXPONENT, Gains, exponential, gain_of, ideal_gains, with_gaining

Stop = Literal["exp", "linear"]


def rank_biased_precision(
    judged: Judged, cutoff: int | None = None, p: float = 0.8, rel: int | None = None, max_rel: int | None = None
) -> PerTopic:
    """Expected gain of a user who continues to the next document with probability `p`.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1.
    rel : int, optional
        With it, a document weighs w = 1 from this grade on and else 0. Without it, w = grade / `max_rel`.
    max_rel : int, optional
        The top of the grade scale; the best grade in the whole qrels if not given.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1); 0 where nothing relevant was retrieved. The sum simply stops at the
    end of a short ranking.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade is above `max_rel`.

    Notes
    -----
    (1 - p) * sum over r <= k of w(r) * p^(r - 1); w(r) = g(r) / max_rel, or rel(r) where `rel` is given

    Examples
    --------
    Ranked 2 - 1, not retrieved 0: RBP = (1 - 0.8) * (2/2 + 1/2 * 0.8**2) = 0.2640
    Ranked 2 - 1, not retrieved 0: RBP(p=0.5,rel=1) = (1 - 0.5) * (1 + 0.5**2) = 0.6250

    References
    ----------
    Moffat and Zobel 2008.
    """
    judged = top(judged, cutoff)
    return (1.0 - p) * judged.sum_by_topic(weights(judged, rel, max_rel) * p ** (judged.rank - 1.0))


def weights(judged: Judged, rel: int | None = None, max_rel: int | None = None) -> npt.NDArray[np.float64]:
    """Weight of each row in `rank_biased_precision`, shape (H,); errors as there."""
    if rel is not None:
        return (judged.grade >= rel).astype(np.float64)
    scale = judged.top_grade if max_rel is None else max_rel
    check_scale("RBP", judged, scale)
    return np.maximum(judged.grade, 0) / (scale or 1)


def rank_biased_gain(judged: Judged, p: float = 0.9, gains: Gains = ()) -> PerTopic:
    """Rank-biased precision as trec_eval means it: gains are divided by the highest where that is above 1.

    The highest is that of the topic's grades and of all gains that are named.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1.
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing gains, or nothing was retrieved.

    Notes
    -----
    (1 - p) * sum over r of gain(r) / max(1, highest gain) * p^(r - 1)

    Examples
    --------
    Ranked 2 - 1, not retrieved 0: rbp = (1 - 0.9) * (2/2 + 1/2 * 0.9**2) = 0.1405

    References
    ----------
    trec_eval 10.0, measure rbp, with what it leaves unset taken as 0, which gives the values of its own tests.
    """
    judged = with_gaining(judged, gains)
    return (1.0 - p) * judged.sum_by_topic(weighed_gains(judged, p, gains))


def weighed_gains(judged: Judged, p: float = 0.9, gains: Gains = ()) -> npt.NDArray[np.float64]:
    """The gain of each row, weighed by its rank, shape (H,): the terms of `rank_biased_gain` but for 1 - p."""
    gain = gain_of(judged.grade, gains=gains)
    highest = np.full(judged.n_topics, max([1.0, *dict(gains).values()]))
    np.maximum.at(highest, judged.pool_topic, ideal_gains(judged, gains=gains))
    weighed: npt.NDArray[np.float64] = gain / highest[judged.topic] * _reached(judged, p)[judged.rank - 1]
    return weighed


def rank_biased_residual(judged: Judged, p: float = 0.9) -> PerTopic:
    """Largest possible rise of rbp: everything unjudged, or not retrieved, counted as relevant.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where everything retrieved was judged, or nothing was retrieved.

    Notes
    -----
    p^n + (1 - p) * sum over unjudged r of p^(r - 1); 0 where no retrieved document is unjudged

    Examples
    --------
    Ranked 2 - 1, not retrieved 0: rbp_resid = 0.9**3 + (1 - 0.9) * 0.9 = 0.8190

    References
    ----------
    trec_eval 10.0, measure rbp_resid.
    """
    judged, reached = every_rank(judged), _reached(judged, p)
    unjudged = judged.grade < 0
    lost = judged.sum_by_topic(unjudged * reached[judged.rank - 1])
    some = judged.sum_by_topic(unjudged) > 0
    return np.where(some, reached[judged.n_retrieved] + (1.0 - p) * lost, 0.0)


def expected_reciprocal_rank(
    judged: Judged, cutoff: int | None = None, max_rel: int = 4, stop: Stop = "exp"
) -> PerTopic:
    """Expected 1 / rank of the document that satisfies the user; the better its grade, the more likely it does.

    Parameters
    ----------
    max_rel : int
        The top of the grade scale. gdeval, which made the usual numbers, has 4 whatever the qrels hold.
    stop : {"exp", "linear"}
        Probability that a document satisfies: (2^grade - 1) / 2^max_rel, or grade / (max_rel + 1).

    Returns
    -------
    float64 array of shape (T,), each in [0, 1); 0 where nothing relevant was retrieved. The sum simply stops at the
    end of a short ranking.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade is above `max_rel`.

    Notes
    -----
    sum over r <= k of 1/r * p(r) * product over i < r of (1 - p(i)); p(r) = (2^g(r) - 1) / 2^max_rel, or
        g(r) / (max_rel + 1) with stop='linear'

    Examples
    --------
    Ranked 3 - 1, not retrieved 0: ERR = 7/16 + (1 - 7/16) * 1/16 / 3 = 0.4492
    Ranked 1 2, not retrieved 0: ERR(max_rel=2)@2 = 1/4 + (1 - 1/4) * 3/4 / 2 = 0.5312
    Ranked 1 - 2: ERR(max_rel=2,stop='linear') = 1/3 + 1/3 * 2/3 * (1 - 1/3) = 0.4815

    References
    ----------
    Chapelle et al. 2009; gdeval.pl 1.3. Linear: NTCIREVAL 190111.
    """
    check_scale("ERR", judged, max_rel)
    judged = top(judged, cutoff)
    return _expected_reciprocal(judged.topic, judged.rank, satisfaction(judged.grade, max_rel, stop), judged.n_topics)


def normalised_reciprocal_rank(
    judged: Judged, cutoff: int | None = None, max_rel: int = 4, stop: Stop = "exp"
) -> PerTopic:
    """ERR as a share of the ERR that the best ranking of all judged documents has at the same cutoff.

    Parameters
    ----------
    cutoff, max_rel, stop
        As of `expected_reciprocal_rank`.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing relevant was retrieved, or there is nothing relevant.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade is above `max_rel`.

    Notes
    -----
    ERR@k / ERR@k of the judged documents by grade, falling

    Examples
    --------
    Ranked 1 - 2: nERR(max_rel=2) = (1/4 + 1/3 * 3/4 * 3/4) / (3/4 + 1/2 * 1/4 * 1/4) = 0.5600

    References
    ----------
    NTCIREVAL 190111, nERR.
    """
    check_scale("nERR", judged, max_rel)
    return share(
        expected_reciprocal_rank(judged, cutoff, max_rel, stop), ideal_reciprocal_rank(judged, cutoff, max_rel, stop)
    )


def ideal_reciprocal_rank(judged: Judged, cutoff: int | None, max_rel: int, stop: Stop) -> PerTopic:
    """ERR of the best ranking of all judged documents, shape (T,); parameters as of `expected_reciprocal_rank`."""
    within = judged.pool_rank <= (len(judged.pool_grade) if cutoff is None else cutoff)
    topic, rank = judged.pool_topic[within], judged.pool_rank[within]
    return _expected_reciprocal(topic, rank, satisfaction(judged.pool_grade[within], max_rel, stop), judged.n_topics)


def satisfaction(grade: npt.NDArray[np.int64], max_rel: int, stop: Stop) -> npt.NDArray[np.float64]:
    """Probability that a document of each grade satisfies."""
    judged = np.maximum(grade, 0)
    return exponential(judged) / 2.0**max_rel if stop == "exp" else judged / (max_rel + 1.0)


def _expected_reciprocal(
    topic: npt.NDArray[np.int64], rank: npt.NDArray[np.int64], satisfied: npt.NDArray[np.float64], n_topics: int
) -> PerTopic:
    """Sum of satisfaction / rank for each topic, each document being read if none above it satisfied."""
    some = satisfied > 0
    topic, rank, satisfied = topic[some], rank[some], satisfied[some]
    reading = np.ones_like(satisfied)
    row = np.flatnonzero(topic[1:] == topic[:-1]) + 1
    step = row[np.diff(topic[row - 1], prepend=-1) != 0]  # the second row of each topic, then the third
    while len(step):
        reading[step] = reading[step - 1] * (1.0 - satisfied[step - 1])
        step = step[step + 1 < len(topic)] + 1
        step = step[topic[step] == topic[step - 1]]
    return np.bincount(topic, reading * satisfied / rank, n_topics).astype(np.float64, copy=False)


def _reached(judged: Judged, p: float) -> npt.NDArray[np.float64]:
    """Probability that the user goes on past 0, 1, 2 ... documents; multiplied step by step, as a C loop does."""
    return np.append(1.0, np.cumprod(np.full(judged.n_retrieved.max(initial=0), p)))


def check_scale(name: str, judged: Judged, max_rel: int) -> None:
    """Refuse a grade scale that ends below the best grade of the qrels.

    Raises
    ------
    MeasureError
        With the scale that would do.
    """
    if judged.top_grade > max_rel:
        remedy = f"ask for it with max_rel={ceil(judged.top_grade)}"
        if name in ("ERR", "nERR") and judged.top_grade > TOP_EXPONENT:
            remedy = f"{name} takes grades up to {TOP_EXPONENT}: map them to smaller ones"
        raise MeasureError(f"{name} has max_rel={max_rel}, but the qrels hold grade {judged.top_grade}; {remedy}")
