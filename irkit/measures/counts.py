"""Counts, and how much of what was retrieved anybody judged."""

from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.judgments import AnyJudged
from irkit.measures import preferences
from irkit.measures.common import share, top

if TYPE_CHECKING:
    from irkit.judged_groups import JudgedGroups
    from irkit.judged_preferences import JudgedPreferences
    from irkit.judged_prels import JudgedPrels
    from irkit.judged_strata import JudgedStrata


def judged_share(judged: Judged, cutoff: int | None = None) -> PerTopic:
    """Share of the documents in the first `cutoff` ranks that were judged.

    Parameters
    ----------
    judged : Judged of T topics
    cutoff : int, optional
        Depth in documents, at least 1. Fewer documents than that are a smaller whole: the denominator is what was
        retrieved, so this is not 1 - trec_eval's `unj`, which divides by the cutoff.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.

    References
    ----------
    ir_measures 0.4.3, measure Judged, but for negative grades, which are no judgment here.
    """
    judged = top(judged, cutoff)
    return share(judged.sum_by_topic(judged.grade >= 0), judged.n_retrieved)


def unjudged(judged: Judged, cutoff: int) -> PerTopic:
    """Documents in the first `cutoff` ranks that nobody judged, divided by `cutoff`, shape (T,), each in [0, 1].

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.

    References
    ----------
    trec_eval 10.0, measure unj. Unlike 1 - `judged_share`, ranks past the end of a short ranking count as judged.
    """
    judged = top(judged, cutoff)
    return (judged.n_retrieved - judged.sum_by_topic(judged.grade >= 0)) / cutoff


def n_other_judged(judged: Judged, rel: int = 1) -> PerTopic:
    """Retrieved documents judged below `rel` for each topic, shape (T,) (trec_eval's num_nonrel_judged_ret)."""
    return judged.sum_by_topic((judged.grade >= 0) & (judged.grade < rel))


def one(judged: AnyJudged) -> PerTopic:
    """1 for each topic, shape (T,): their sum is the number of topics (trec_eval's num_q)."""
    return np.ones(judged.n_topics)


def n_findable(judged: AnyJudged) -> npt.NDArray[np.int64]:
    """What there is to find for each topic, shape (T,): relevant documents, or preferences to fulfil."""
    if judged.kind == "prefs":
        return preferences.n_findable(cast("JudgedPreferences", judged))
    return cast("Judged | JudgedStrata | JudgedPrels | JudgedGroups", judged).n_relevant()


def n_retrieved(judged: AnyJudged) -> PerTopic:
    """Documents retrieved for each topic, shape (T,) (trec_eval's num_ret)."""
    return judged.n_retrieved.astype(np.float64)


def n_relevant(judged: Judged, rel: int = 1) -> PerTopic:
    """Documents judged `rel` or better for each topic, retrieved or not, shape (T,) (trec_eval's num_rel)."""
    return judged.n_relevant(rel).astype(np.float64)
