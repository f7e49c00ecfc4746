"""Measures over qrels by subtopic that reward what is new: a subtopic counts less with each document that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures.common import share, top
from irkit.measures.greedy import ideal_gain

if TYPE_CHECKING:
    from irkit.judged.subtopics import JudgedSubtopics

Gain = npt.NDArray[np.float64]
Discount = Callable[[npt.NDArray[np.int64]], Gain]  # of ranks

DEEPEST: Final = 1_000_000  # of the rankings that cover everything at every rank, whose gain is added rank by rank
NOTHING: Final = 1e-20  # beside 1, no float64 knows it


def expected_reciprocal_rank(judged: JudgedSubtopics, cutoff: int, rel: int = 1, alpha: float = 0.5) -> PerTopic:
    """Novel gain divided by rank, as a share of that of documents that cover every subtopic.

    Parameters
    ----------
    cutoff : int
        Depth in documents, from 1 to 1,000,000. The sum simply stops at the end of a short ranking.
    alpha : float
        From 0 to 1: by how much a document is worth less for a subtopic with each one above that has it too.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Raises
    ------
    MeasureError
        If `cutoff` is out of range.

    Notes
    -----
    sum over r <= k of G(r) / r, divided by n times the sum over r <= k of (1 - alpha)^(r - 1) / r
    G(r) = sum over the subtopics of the document at r of (1 - alpha)^(documents above with that subtopic)
    n = subtopics with a relevant document

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: ERR_IA@3 = (1 + (0.5 + 1)/3) / (3 * (1 + 0.5/2 + 0.25/3)) = 0.3750

    References
    ----------
    Chapelle et al. 2009, as ndeval 4.5 normalises it; but ndeval and pyndeval 0.0.8 leave it undivided at cutoff 1.
    """
    return _of_everything(judged, cutoff, rel, alpha, _by_rank)


def normalised_expected_reciprocal_rank(
    judged: JudgedSubtopics, cutoff: int, rel: int = 1, alpha: float = 0.5
) -> PerTopic:
    """Novel gain divided by rank, as a share of the ideal ranking's.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1, of the ranking and of the ideal one.
    rel, alpha
        As for `expected_reciprocal_rank`.

    Returns
    -------
    float64 array of shape (T,); 0 where nothing is relevant. Above 1 only where the greedy ideal is not the best.

    Notes
    -----
    sum over r <= k of G(r) / r, divided by the same of the ideal ranking
    G(r) = sum over the subtopics of the document at r of (1 - alpha)^(documents above with that subtopic)
    The ideal ranking has the document of the greatest G at each rank, of several the one with the larger id.

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: nERR_IA@3 = (1 + (0.5 + 1)/3) / (2 + 1/2 + 0.5/3) = 0.5625

    References
    ----------
    ndeval 4.5.
    """
    return _of_ideal(judged, cutoff, rel, alpha, _by_rank)


def discounted_gain(judged: JudgedSubtopics, cutoff: int, rel: int = 1, alpha: float = 0.5) -> PerTopic:
    """Novel gain divided by log2(rank + 1), as a share of that of documents that cover every subtopic.

    Parameters
    ----------
    cutoff, rel, alpha
        As for `expected_reciprocal_rank`.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Raises
    ------
    MeasureError
        If `cutoff` is out of range.

    Notes
    -----
    sum over r <= k of G(r) / log2(r + 1), divided by n times the sum over r <= k of (1 - alpha)^(r - 1) / log2(r + 1)
    G(r) = sum over the subtopics of the document at r of (1 - alpha)^(documents above with that subtopic)
    n = subtopics with a relevant document

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: alpha_DCG@3 = (1 + (0.5 + 1)/log2(4)) / (3 * (1 + 0.5/log2(3) + 0.25/log2(4)))
        = 0.4050

    References
    ----------
    Clarke et al. 2008, as ndeval 4.5 normalises it; but ndeval and pyndeval 0.0.8 leave it undivided at cutoff 1.
    """
    return _of_everything(judged, cutoff, rel, alpha, _by_log_rank)


def normalised_gain(judged: JudgedSubtopics, cutoff: int, rel: int = 1, alpha: float = 0.5) -> PerTopic:
    """Novel gain divided by log2(rank + 1), as a share of the ideal ranking's.

    Parameters
    ----------
    cutoff, rel, alpha
        As for `normalised_expected_reciprocal_rank`.

    Returns
    -------
    float64 array of shape (T,); 0 where nothing is relevant. Above 1 only where the greedy ideal is not the best.

    Notes
    -----
    sum over r <= k of G(r) / log2(r + 1), divided by the same of the ideal ranking
    G(r) = sum over the subtopics of the document at r of (1 - alpha)^(documents above with that subtopic)
    The ideal ranking has the document of the greatest G at each rank, of several the one with the larger id.

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: alpha_nDCG@3 = (1 + (0.5 + 1)/log2(4)) / (2 + 1/log2(3) + 0.5/log2(4)) = 0.6074

    References
    ----------
    Clarke et al. 2008; ndeval 4.5.
    """
    return _of_ideal(judged, cutoff, rel, alpha, _by_log_rank)


def novelty_biased_precision(judged: JudgedSubtopics, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> PerTopic:
    """Novel gain of a user who continues with probability `beta`, as a share of that of full coverage.

    Parameters
    ----------
    alpha : float
        From 0 to 1: by how much a document is worth less for a subtopic with each one above that has it too.
    beta : float
        Patience, between 0 and 1.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant.

    Notes
    -----
    (1 - (1 - alpha) beta) / n times the sum over all ranks of G(r) beta^(r - 1)
    G(r) = sum over the subtopics of the document at r of (1 - alpha)^(documents above with that subtopic)
    n = subtopics with a relevant document

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: NRBP = (1 - 0.5 * 0.5) / 3 * (1 + (0.5 + 1) * 0.25) = 0.3438

    References
    ----------
    Clarke et al. 2009 (ICTIR); ndeval 4.5.
    """
    found = _discounted(judged, rel, alpha, _by_patience(beta))
    return np.asarray((1.0 - (1.0 - alpha) * beta) * share(found, judged.n_subtopics(judged.qrels.grade >= rel)))


def normalised_novelty_biased_precision(
    judged: JudgedSubtopics, alpha: float = 0.5, beta: float = 0.5, rel: int = 1
) -> PerTopic:
    """NRBP as a share of the ideal ranking's.

    Parameters
    ----------
    alpha, beta, rel
        As for `novelty_biased_precision`.

    Returns
    -------
    float64 array of shape (T,); 0 where nothing is relevant. Above 1 only where the greedy ideal is not the best.

    Notes
    -----
    sum over all ranks of G(r) beta^(r - 1), divided by the same of the ideal ranking of all judged documents
    G(r) = sum over the subtopics of the document at r of (1 - alpha)^(documents above with that subtopic)
    The ideal ranking has the document of the greatest G at each rank, of several the one with the larger id.

    Examples
    --------
    Ranked 1 - 1+2, not retrieved 3: nNRBP = (1 + (0.5 + 1) * 0.25) / (2 + 1 * 0.5 + 0.5 * 0.25) = 0.5238

    References
    ----------
    ndeval 4.5, which has nan where nothing is relevant.
    """
    deepest = int(min(DEEPEST, np.log(NOTHING) / np.log(beta))) + 1
    found = _discounted(judged, rel, alpha, _by_patience(beta))
    ideal = ideal_gain(judged.qrels, rel, alpha, deepest)[judged.place]
    return share(found, _added(ideal * _by_patience(beta)(np.arange(1, ideal.shape[1] + 1))))


def _novel_gain(judged: JudgedSubtopics, rel: int, alpha: float) -> Gain:
    """Gain of each row for the subtopics of its document, reduced for subtopics seen above, shape (H,)."""
    covered = judged.covered(judged.qrels.grade >= rel)
    weights = (1.0 - alpha) ** covered.n_above.astype(np.float64)
    return np.bincount(covered.row, weights=weights, minlength=judged.n_found).astype(np.float64)


def _of_everything(judged: JudgedSubtopics, cutoff: int, rel: int, alpha: float, discount: Discount) -> PerTopic:
    """Discounted novel gain as a share of a ranking's whose documents all have every subtopic of the topic."""
    rank = np.arange(1, cutoff + 1)
    everything = np.cumsum((1.0 - alpha) ** (rank - 1.0) * discount(rank))[-1]
    n_subtopics = judged.n_subtopics(judged.qrels.grade >= rel)
    return share(_discounted(top(judged, cutoff), rel, alpha, discount), n_subtopics * everything)


def _of_ideal(judged: JudgedSubtopics, cutoff: int, rel: int, alpha: float, discount: Discount) -> PerTopic:
    found = _discounted(top(judged, cutoff), rel, alpha, discount)
    ideal = ideal_gain(judged.qrels, rel, alpha, cutoff)[judged.place]
    return share(found, _added(ideal * discount(np.arange(1, ideal.shape[1] + 1))))


def _discounted(judged: JudgedSubtopics, rel: int, alpha: float, discount: Discount) -> PerTopic:
    return judged.ranking.sum_by_topic(_novel_gain(judged, rel, alpha) * discount(judged.ranking.rank))


def _added(gain: Gain) -> PerTopic:
    """The sum over the ranks of each topic, shape (T,), in rank order, as a run's gain is added."""
    return np.cumsum(gain, axis=1)[:, -1] if gain.shape[1] else np.zeros(len(gain))


def _by_rank(rank: npt.NDArray[np.int64]) -> Gain:
    return 1.0 / rank


def _by_log_rank(rank: npt.NDArray[np.int64]) -> Gain:
    return np.asarray(1.0 / np.log2(rank + 1))


def _by_patience(beta: float) -> Discount:
    return lambda rank: np.asarray(beta ** (rank - 1.0), dtype=np.float64)
