"""Users who accept a document from a grade on that is their own: graded average precision."""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share, top

Thresholds = Mapping[int, float] | Iterable[tuple[int, float]]


def graded_average_precision(judged: Judged, thresholds: Thresholds, cutoff: int | None = None) -> PerTopic:
    """Average precision expected where users differ in the grade from which a document is relevant to them.

    Parameters
    ----------
    thresholds : mapping of grade to number
        How probably a user's lowest relevant grade is this one: any numbers of 0 or more, of which only the proportions
        count. Grades that are not named have 0. There are no agreed numbers: equal ones, the grade itself and others
        are in use.
    cutoff : int, optional
        Depth in documents, at least 1, of the ranking and of the ideal one below.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved, or nothing has a grade that anyone
    accepts. The sum simply stops at the end of a short list.

    Notes
    -----
    sum over r <= k of (A(min(g(r), g(1))) + ... + A(min(g(r), g(r)))) / r, divided by
        the sum of A over the k best of the judged documents, where A(g) = thresholds[1] + ... + thresholds[g]

    Examples
    --------
    Ranked 1 2 0, not retrieved 1: GAP(thresholds={1:1,2:1}) = (1/1 + (1 + 2)/2) / (1 + 2 + 1) = 0.6250
    Ranked 1 2 0, not retrieved 1: GAP(thresholds={1:1,2:1})@1 = 1/1 / 2 = 0.5000

    References
    ----------
    Robertson, Kanoulas and Yilmaz 2010; with a cutoff as NTCIREVAL 190111 has it.
    """
    judged = top(judged, cutoff)
    gained = np.zeros(judged.n_found)
    for grade, probability in sorted(dict(thresholds).items()):
        accepted = judged.grade >= grade
        gained += probability * (accepted * judged.count_above(accepted) / judged.rank)
    ideal = _accepted(judged.pool_grade, thresholds)
    if cutoff is not None:
        ideal = ideal * (judged.pool_rank <= cutoff)
    return share(judged.sum_by_topic(gained), judged.sum_pool_by_topic(ideal))


def n_acceptable(judged: Judged, *, thresholds: Thresholds, **_: object) -> npt.NDArray[np.int64]:
    """Judged documents that somebody accepts for each topic, shape (T,)."""
    acceptable = _accepted(judged.pool_grade, thresholds) > 0
    return np.bincount(judged.pool_topic[acceptable], minlength=judged.n_topics)


def _accepted(grade: npt.NDArray[np.int64], thresholds: Thresholds) -> npt.NDArray[np.float64]:
    """A of each grade: how many users accept it."""
    accepted = np.zeros(len(grade))
    for threshold, probability in sorted(dict(thresholds).items()):
        accepted += probability * (grade >= threshold)
    return accepted
