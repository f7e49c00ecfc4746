"""Measures over qrels of several judges: each judgment group counts the same, however many documents it judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures import ranked, sets

if TYPE_CHECKING:
    from irkit.judged_groups import JudgedGroups


def average_precision(judged: JudgedGroups, rel: int = 1) -> PerTopic:
    """Mean of the average precisions of a topic's judgment groups, shape (T,), each in [0, 1].

    A group without a relevant document gives 0.

    References
    ----------
    trec_eval 10.0, measure map_avgjg.
    """
    return judged.mean_of_groups(ranked.average_precision(judged.groups, rel=rel))


def precision(judged: JudgedGroups, cutoff: int, rel: int = 1) -> PerTopic:
    """Mean of the precisions at `cutoff` of a topic's judgment groups, shape (T,), each in [0, 1].

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.

    References
    ----------
    trec_eval 10.0, measure P_avgjg.
    """
    return judged.mean_of_groups(sets.precision(judged.groups, cutoff, rel))


def r_precision(judged: JudgedGroups, mult: float = 1.0, rel: int = 1) -> PerTopic:
    """Mean of the R-precisions of a topic's judgment groups, shape (T,), each in [0, 1].

    Each group's rank is its own: trunc(mult * R + 0.9), R being the documents that are relevant to that group.

    References
    ----------
    trec_eval 10.0, measure Rprec_mult_avgjg.
    """
    return judged.mean_of_groups(ranked.r_precision(judged.groups, mult, rel))


def n_relevant(judged: JudgedGroups, *, rel: int = 1, **_: object) -> npt.NDArray[np.int64]:
    """Documents judged `rel` or better, each once for every group that says so, shape (T,)."""
    return judged.n_relevant(rel)
