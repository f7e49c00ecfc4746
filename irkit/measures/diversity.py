"""Measures over qrels by subtopic that look at each of them alike, however often it is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures.common import share, top

if TYPE_CHECKING:
    from irkit.judged.subtopics import JudgedSubtopics


def average_precision(judged: JudgedSubtopics, rel: int = 1) -> PerTopic:
    """Mean of the average precisions of a topic's subtopics.

    Parameters
    ----------
    rel : int
        Lowest grade that counts as relevant. A subtopic without such a document does not count.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Notes
    -----
    mean over the subtopics of (sum over the documents relevant to it of precision for it at their ranks) / R
    R = documents relevant to the subtopic, retrieved or not

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: AP_IA = ((1/1 + 2/3)/2 + 1/3 + 0) / 3 = 0.3889

    References
    ----------
    ndeval 4.5, measure MAP-IA.
    """
    relevant = judged.qrels.grade >= rel
    covered = judged.covered(relevant)
    n_relevant = np.bincount(judged.qrels.subtopic[relevant], minlength=len(judged.qrels.subtopics))
    precision = (covered.n_above + 1.0) / judged.ranking.rank[covered.row] / n_relevant[covered.subtopic]
    by_row = np.bincount(covered.row, weights=precision, minlength=judged.n_found)
    return share(judged.ranking.sum_by_topic(by_row), judged.n_subtopics(relevant))


def precision(judged: JudgedSubtopics, cutoff: int, rel: int = 1) -> PerTopic:
    """Mean of the precisions at `cutoff` of a topic's subtopics.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1. Ranks past the end of a short ranking count as not relevant.
    rel : int
        Lowest grade that counts as relevant. A subtopic without such a document does not count.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Notes
    -----
    pairs of a document in the first k ranks and a subtopic that it is relevant to, divided by k n
    n = subtopics with a relevant document

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: P_IA@5 = 3 / (5 * 3) = 0.2000

    References
    ----------
    ndeval 4.5, measure P-IA.
    """
    relevant = judged.qrels.grade >= rel
    judged = top(judged, cutoff)
    pairs = np.bincount(judged.covered(relevant).row, minlength=judged.n_found)
    return share(judged.ranking.sum_by_topic(pairs), judged.n_subtopics(relevant)) / cutoff


def subtopic_recall(judged: JudgedSubtopics, cutoff: int, rel: int = 1) -> PerTopic:
    """Share of a topic's subtopics that a document in the first `cutoff` ranks is relevant to.

    Parameters
    ----------
    rel : int
        Lowest grade that counts as relevant. A subtopic without such a document does not count.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Notes
    -----
    subtopics with a relevant document in the first k ranks / subtopics with a relevant document

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: StRecall@3 = 2 / 3 = 0.6667

    References
    ----------
    Zhai et al. 2003; ndeval 4.5, measure strec; NTCIREVAL, measure I-rec.
    """
    return share_covered(top(judged, cutoff), judged.qrels.grade >= rel)


def share_covered(judged: JudgedSubtopics, relevant: npt.NDArray[np.bool_]) -> PerTopic:
    """Share of the subtopics with relevant documents that a retrieved document covers, shape (T,); 0 if there are none.

    `relevant` says which lines of the qrels are so, as `JudgedSubtopics.covered` takes it.
    """
    covered = judged.covered(relevant)
    newly = np.bincount(covered.row[covered.n_above == 0], minlength=judged.n_found)
    return share(judged.ranking.sum_by_topic(newly), judged.n_subtopics(relevant))


def n_relevant(judged: JudgedSubtopics, *, rel: int = 1, **_: object) -> npt.NDArray[np.int64]:
    """Documents judged `rel` or better for a subtopic, shape (T,)."""
    return judged.n_relevant(rel)
