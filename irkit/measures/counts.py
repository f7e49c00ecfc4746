"""Counts, and the share of retrieved documents that are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.judged.kinds import AnyJudged
from irkit.measures import preferences
from irkit.measures.common import share, top

if TYPE_CHECKING:
    from irkit.judged.groups import JudgedGroups
    from irkit.judged.places import JudgedPlaces
    from irkit.judged.preferences import JudgedPreferences
    from irkit.judged.prels import JudgedPrels
    from irkit.judged.strata import JudgedStrata
    from irkit.judged.subtopics import JudgedSubtopics


def judged_share(judged: Judged | JudgedPlaces, cutoff: int | None = None) -> PerTopic:
    """Share of the documents in the first `cutoff` ranks that were judged.

    Parameters
    ----------
    judged : Judged or JudgedPlaces of T topics

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved. The denominator is what was retrieved,
    so fewer documents than the cutoff are a smaller whole, and this is not 1 - trec_eval's unj, which divides by the
    cutoff.

    Notes
    -----
    (judged documents in the first k ranks) / min(k, n); a negative grade is no judgment

    Examples
    --------
    Ranked 1 0 - ~, not retrieved 2: Judged = 2/4 = 0.5000
    Ranked 1 0 - ~, not retrieved 2: Judged@3 = 2/3 = 0.6667

    References
    ----------
    ir_measures 0.4.3, measure Judged, but for negative grades, which are no judgment here.
    """
    judged = top(judged if isinstance(judged, Judged) else judged.ranking, cutoff)
    return share(judged.sum_by_topic(judged.grade >= 0), judged.n_retrieved)


def unjudged(judged: Judged, cutoff: int) -> PerTopic:
    """Number of unjudged documents in the first `cutoff` ranks, divided by the cutoff.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved. Unlike 1 - Judged, ranks past the end
    of a short ranking count as judged.

    Notes
    -----
    1/k * (documents in the first k ranks that are not judged); a negative grade is no judgment

    Examples
    --------
    Ranked 1 0 - ~, not retrieved 2: unj@4 = 2/4 = 0.5000
    Ranked 1 0 - ~, not retrieved 2: unj@10 = 2/10 = 0.2000

    References
    ----------
    trec_eval 10.0, measure unj.
    """
    judged = top(judged, cutoff)
    return (judged.n_retrieved - judged.sum_by_topic(judged.grade >= 0)) / cutoff


def n_other_judged(judged: Judged, rel: int = 1) -> PerTopic:
    """Retrieved documents judged not relevant.

    Parameters
    ----------
    rel : int
        Lowest grade that counts as relevant; grades from 0 up to it are judged not relevant.

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where nothing was retrieved. What nobody judged is not
    counted.

    Notes
    -----
    number of ranks r <= n with 0 <= g(r) < rel, that of a judged document

    Examples
    --------
    Ranked 1 0 - 0, not retrieved 0: NumNonRelRet = 1 + 1 = 2

    References
    ----------
    trec_eval 10.0, measure num_nonrel_judged_ret.
    """
    return judged.sum_by_topic((judged.grade >= 0) & (judged.grade < rel))


def one(judged: AnyJudged) -> PerTopic:
    """1 for each topic: their sum is the number of topics.

    Parameters
    ----------
    judged : Judged of T topics, or what judgments of another kind are judged into

    Returns
    -------
    float64 array of shape (T,), each 1, whatever was retrieved or is relevant.

    Notes
    -----
    1 for each topic that is averaged

    Examples
    --------
    Ranked 1 0, not retrieved 1: NumQ = 1 = 1

    References
    ----------
    trec_eval 10.0, measure num_q.
    """
    return np.ones(judged.n_topics)


def n_findable(judged: AnyJudged) -> npt.NDArray[np.int64]:
    """Number of relevant documents, or of preferences, of each topic, shape (T,)."""
    if judged.kind == "prefs":
        return preferences.n_findable(cast("JudgedPreferences", judged))
    return cast("Judged | JudgedSubtopics | JudgedStrata | JudgedPrels | JudgedGroups", judged).n_relevant()


def n_retrieved(judged: Judged | JudgedPlaces) -> PerTopic:
    """Documents retrieved.

    Parameters
    ----------
    judged : Judged or JudgedPlaces of T topics

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where nothing was retrieved. What nobody judged is counted.

    Notes
    -----
    n

    Examples
    --------
    Ranked 1 0 - ~, not retrieved 1: NumRet = 4 = 4

    References
    ----------
    trec_eval 10.0, measure num_ret.
    """
    return judged.n_retrieved.astype(np.float64)


def n_relevant(judged: Judged, rel: int = 1) -> PerTopic:
    """Relevant documents, retrieved or not.

    Returns
    -------
    float64 array of shape (T,), each a whole number; 0 where nothing is relevant.

    Notes
    -----
    R

    Examples
    --------
    Ranked 1 0 -, not retrieved 2 0: NumRel = 1 + 1 = 2

    References
    ----------
    trec_eval 10.0, measure num_rel.
    """
    return judged.n_relevant(rel).astype(np.float64)
