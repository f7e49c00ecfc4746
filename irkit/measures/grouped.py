"""Measures over qrels of several judges: each judgment group counts the same, however many documents it judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures import ranked, sets

if TYPE_CHECKING:
    from irkit.judged.groups import JudgedGroups


def average_precision(judged: JudgedGroups, rel: int = 1) -> PerTopic:
    """Mean of the average precisions of a topic's judgment groups, each of which counts the same.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a group for which nothing is relevant, or was found, gives 0. What a
    group did not judge is unjudged for it.

    Notes
    -----
    mean over judgment groups of AP by the judgments of each

    Examples
    --------
    Ranked 1/0 0/1 1/0, not retrieved 1/-: AP_avgjg = ((1/1 + 2/3) / 3 + (1/2) / 1) / 2 = 0.5278

    References
    ----------
    trec_eval 10.0, measure map_avgjg.
    """
    return judged.mean_of_groups(ranked.average_precision(judged.groups, rel=rel))


def precision(judged: JudgedGroups, cutoff: int, rel: int = 1) -> PerTopic:
    """Mean of the precisions at `cutoff` of a topic's judgment groups, each of which counts the same.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a group for which nothing is relevant, or was found, gives 0. Ranks
    past the end of a short ranking count as not relevant.

    Notes
    -----
    mean over judgment groups of P@k by the judgments of each

    Examples
    --------
    Ranked 1/0 0/1 1/0, not retrieved 1/-: P_avgjg@3 = (2/3 + 1/3) / 2 = 0.5000

    References
    ----------
    trec_eval 10.0, measure P_avgjg.
    """
    return judged.mean_of_groups(sets.precision(judged.groups, cutoff, rel))


def r_precision(judged: JudgedGroups, mult: float = 1.0, rel: int = 1) -> PerTopic:
    """Mean of the R-precisions of a topic's judgment groups, each of which counts the same.

    Parameters
    ----------
    mult : float
        Each group's rank is its own: trunc(mult * R + 0.9), R being the documents that are relevant to that group.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; a group for which nothing is relevant, or was found, gives 0. Ranks
    past the end of a short ranking count as not relevant.

    Notes
    -----
    mean over judgment groups of Rprec by the judgments of each, R being the documents that are relevant to that group

    Examples
    --------
    Ranked 1/0 0/1 1/0, not retrieved 1/-: Rprec_avgjg = (2/3 + 0/1) / 2 = 0.3333

    References
    ----------
    trec_eval 10.0, measure Rprec_mult_avgjg.
    """
    return judged.mean_of_groups(ranked.r_precision(judged.groups, mult, rel))


def n_relevant(judged: JudgedGroups, *, rel: int = 1, **_: object) -> npt.NDArray[np.int64]:
    """Documents judged `rel` or better, each once for every group that says so, shape (T,)."""
    return judged.n_relevant(rel)
