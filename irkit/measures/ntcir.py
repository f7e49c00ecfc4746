"""Measures of graded relevance that the NTCIR evaluations use: what was gained beside what an ideal ranking gains."""

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share, top
from irkit.measures.gains import Gains, gain_of, ideal_gains, n_gaining, with_gaining
from irkit.measures.ideal import blended_ratio, running
from irkit.measures.users import check_scale


def q_measure(judged: Judged, cutoff: int | None = None, beta: float = 1.0, gains: Gains = ()) -> PerTopic:
    """Mean of the blended ratio at the ranks of the documents with gain; 0 for documents not retrieved.

    The blended ratio at a rank is precision mixed with the gain so far as a share of the ideal ranking's.

    Parameters
    ----------
    cutoff : int, optional
        Depth in documents, at least 1. Where more documents than that gain something, the sum is divided by it.
    beta : float
        Weight of the gains in the blended ratio; with 0 it is precision, and Q-measure average precision.
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing gains.

    Notes
    -----
    sum over r <= k where something gains of BR(r) / min(k, R)
    BR(r) = (C(r) + beta * cg(r)) / (r + beta * ideal cg(r)), C counting what gains and cg adding up the gains
    R = documents that gain something

    Examples
    --------
    Ranked 1 2 0, not retrieved 1: Q = ((1 + 1) / (1 + 2) + (2 + 3) / (2 + 3)) / 3 = 0.5556

    References
    ----------
    Sakai 2004; NTCIREVAL 190111, measure Q-measure.
    """
    found = with_gaining(top(judged, cutoff), gains)
    gain = gain_of(found.grade, gains=gains)
    n_wanted = n_gaining(judged, gains=gains)
    whole = n_wanted if cutoff is None else np.minimum(n_wanted, cutoff)
    ratio = blended_ratio(found, gain, ideal_gains(judged, gains=gains), beta)
    return share(found.sum_by_topic((gain > 0) * ratio), whole)


def rank_biased_utility(
    judged: Judged, cutoff: int | None = None, *, p: float, gains: Gains = (), max_rel: int | None = None
) -> PerTopic:
    """Expected p ^ rank of the satisfying document, for a topic with one intent: iRBU.

    Each document satisfies with probability gain / (1 + top gain of the scale).

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1; nobody has agreed on one.
    gains : mapping of grade to gain
        Gains in place of the grades; grades that are not named keep their own.
    max_rel : int, optional
        The top of the grade scale; the best grade in the whole qrels if not given.

    Returns
    -------
    float64 array of shape (T,), each in [0, p); 0 where nothing that gains was found.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade is above `max_rel`.

    Notes
    -----
    sum over r <= k of p^r * s(r) * product over j < r of (1 - s(j)), s = gain / (1 + top gain)

    Examples
    --------
    Ranked 0 1, not retrieved 1: iRBU(p=0.9) = 0.9**2 * 1/2 = 0.4050

    References
    ----------
    Amigó et al. 2018; Sakai and Zeng 2019; NTCIREVAL 190111, measure iRBU.
    """
    scale = scale_of("iRBU", judged, gains, max_rel)
    judged = with_gaining(top(judged, cutoff), gains)
    satisfied = satisfied_at(judged, gain_of(judged.grade, gains=gains) / scale)
    return judged.sum_by_topic(p ** judged.rank.astype(np.float64) * satisfied)


def expected_blended_ratio(
    judged: Judged, cutoff: int | None = None, beta: float = 1.0, gains: Gains = (), max_rel: int | None = None
) -> PerTopic:
    """Expected blended ratio, as Q-measure has it, at the rank of the document that satisfies: EBR.

    Parameters
    ----------
    beta, gains
        As of `q_measure`.
    max_rel : int, optional
        The top of the grade scale, as of `rank_biased_utility`.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1) and never 1; 0 where nothing that gains was found.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade is above `max_rel`.

    Notes
    -----
    sum over r <= k of BR(r) * s(r) * product over j < r of (1 - s(j)), BR as of Q and s = gain / (1 + top gain)

    Examples
    --------
    Ranked 0 1, not retrieved 1: EBR = (1 + 1) / (2 + 2) * 1/2 = 0.2500

    References
    ----------
    Sakai and Zeng 2019; NTCIREVAL 190111, measure EBR.
    """
    scale = scale_of("EBR", judged, gains, max_rel)
    judged = with_gaining(top(judged, cutoff), gains)
    gain = gain_of(judged.grade, gains=gains)
    ratio = blended_ratio(judged, gain, ideal_gains(judged, gains=gains), beta)
    return judged.sum_by_topic(ratio * satisfied_at(judged, gain / scale))


def satisfied_at(judged: Judged, chance: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Probability that a user reads down to each row and is satisfied there, shape (H,)."""
    still_reading = np.append(1.0, running(judged.topic, 1.0 - chance, np.multiply))[:-1]
    still_reading[np.diff(judged.topic, prepend=-1) > 0] = 1.0
    return still_reading * chance


def scale_of(name: str, judged: Judged, gains: Gains, max_rel: int | None) -> float:
    """1 + the highest gain of the grades up to the top of the scale and of all that are named."""
    grade = judged.top_grade if max_rel is None else max_rel
    check_scale(name, judged, grade)
    named = dict(gains)
    while grade in named:
        grade -= 1
    return 1.0 + max([grade, *named.values()])
