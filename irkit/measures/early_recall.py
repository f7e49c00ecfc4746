"""How much was found in the first ranks, as one number; and whether nothing was returned where nothing is right."""

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share, top
from irkit.measures.sets import n_found, precision, recall


def hits(judged: Judged, cutoff: int | None = None, rel: int = 1) -> PerTopic:
    """Relevant documents in the first `cutoff` ranks.

    Parameters
    ----------
    cutoff : int, optional
        Depth in documents, at least 1; all that was retrieved if not given.

    Returns
    -------
    float64 array of shape (T,), each a whole number; at most `cutoff`.

    Notes
    -----
    number of ranks r <= k with a relevant document

    Examples
    --------
    Ranked 2 - 3 0 1, not retrieved 3: Hits@4 = 1 + 1 = 2.0000

    References
    ----------
    ranx 0.3.21, metric hits.
    """
    return n_found(top(judged, cutoff), rel)


def f_measure(judged: Judged, cutoff: int, beta: float = 1.0, rel: int = 1) -> PerTopic:
    """Weighted harmonic mean of precision and recall in the first `cutoff` ranks.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1. Precision divides by it, however short the ranking is.
    beta : float
        How many times more recall weighs than precision.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where no relevant document was found, or there is none. 1 is out of
    reach where the cutoff is not the number of relevant documents.

    Notes
    -----
    (1 + beta^2) * P@k * R@k / (beta^2 * P@k + R@k)

    Examples
    --------
    Ranked 2 - 3 0 1, not retrieved 3 1: F@4 = 2 * (2/4) * (2/5) / (2/4 + 2/5) = 0.4444

    References
    ----------
    van Rijsbergen 1979; ranx 0.3.21, metric f1.
    """
    p, r, weight = precision(judged, cutoff, rel), recall(judged, cutoff, rel), beta * beta
    return share((1.0 + weight) * p * r, weight * p + r)


def no_answer(judged: Judged, rel: int = 1) -> PerTopic:
    """1 where nothing was returned for a topic without relevant documents, else 0.

    Only topics without relevant documents are averaged, whatever the convention about them; the others ask for an
    answer, and other measures say how good it was.

    Returns
    -------
    float64 array of shape (T,), each 0 or 1. A topic that the run lacks is one for which nothing was returned.

    Notes
    -----
    1 if nothing was retrieved and nothing is relevant, else 0; mean over the topics where nothing is relevant

    Examples
    --------
    Ranked 0 -, not retrieved 0: NoAnswer = 0 = 0.0000
    Ranked nothing, not retrieved 0: NoAnswer = 1 = 1.0000

    References
    ----------
    irkit's own.
    """
    return np.where(without_relevant(judged, rel=rel) & (judged.n_retrieved == 0), 1.0, 0.0)


def without_relevant(judged: Judged, *, rel: int = 1) -> npt.NDArray[np.bool_]:
    """Whether each topic has no document judged `rel` or better, shape (T,)."""
    without: npt.NDArray[np.bool_] = judged.n_relevant(rel) == 0
    return without
