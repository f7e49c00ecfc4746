"""Precision at levels of recall, interpolated: the best precision at that recall or any higher one."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic

ELEVEN_LEVELS: Final = tuple(tenth / 10 for tenth in range(11))


def interpolated_precision(judged: Judged, recall: float, rel: int = 1) -> PerTopic:
    """Highest precision at or below the rank that reaches the share `recall` of the relevant documents.

    Parameters
    ----------
    recall : float
        The number of documents that it stands for is rounded, half a document up. Under the rules of trec_eval 9 it
        is rounded up where it is a tenth or more above a whole number.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where so many are not found.

    Notes
    -----
    max over r with found(r) >= round(recall * R) of found(r) / r; found(r): relevant documents in the first r ranks

    Examples
    --------
    Ranked 1 0 1 - 1, not retrieved 1: IPrec@0.5 = 2/3 = 0.6667
    Ranked 0 1 1, not retrieved nothing: IPrec@0.5 = 2/3 = 0.6667

    References
    ----------
    trec_eval 10.0, measure iprec_at_recall.
    """
    relevant = judged.grade >= rel
    found = judged.count_above(relevant)
    enough = relevant & (found >= _n_documents(judged, recall, rel)[judged.topic])
    best = np.zeros(judged.n_topics)
    np.maximum.at(best, judged.topic[enough], found[enough] / judged.rank[enough])
    return best


def average_interpolated_precision(judged: Judged, recalls: Sequence[float] = ELEVEN_LEVELS, rel: int = 1) -> PerTopic:
    """Mean of the interpolated precision at several levels of recall, 11 by default.

    Parameters
    ----------
    recalls : sequence of float
        In rising order.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing relevant was retrieved.

    Notes
    -----
    mean over the levels of `recalls` of IPrec at each: 0, 0.1, 0.2 to 1 if nothing else is said

    Examples
    --------
    Ranked 1 0 1 - 1, not retrieved 1: AP11pt = (4 * 1/1 + 3 * 2/3 + 2 * 3/5 + 2 * 0) / 11 = 0.6545
    Ranked 1 0 1 - 1, not retrieved 1: AP11pt(recalls=(0.25,0.5,0.75)) = (1/1 + 2/3 + 3/5) / 3 = 0.7556

    References
    ----------
    trec_eval 10.0, measure 11pt_avg, which adds from the highest recall down.
    """
    values = [interpolated_precision(judged, recall, rel) for recall in reversed(recalls)]
    total: PerTopic = np.cumsum(values, axis=0)[-1]  # one after the other, as a C loop adds
    return total / len(recalls)


def _n_documents(judged: Judged, recall: float, rel: int) -> npt.NDArray[np.int64]:
    n_relevant = judged.n_relevant(rel)
    exact: PerTopic = np.minimum(recall * n_relevant, n_relevant + 1.0)  # one too many is as good as any more
    if judged.rules.truncated_recall:
        rounded: PerTopic = np.floor(exact + 0.9)
    else:
        rounded = np.floor(exact)
        rounded += exact - rounded >= 0.5
    return rounded.astype(np.int64)
