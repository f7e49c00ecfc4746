"""How close a ranking is to the nearest ideal one, its top weighing most."""

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic
from irkit.measures.common import share


def compatibility(
    judged: Judged, p: float = 0.95, normalize: bool = True, depth: int | None = None, rel: int = 1
) -> PerTopic:
    """Rank-biased overlap of the ranking with that ideal ranking which is nearest to it.

    An ideal ranking holds the relevant documents, best grade first. The nearest one has those of the same grade in the
    order in which they were retrieved, and behind them those that were not. Other documents only take up ranks.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1.
    normalize : bool
        Divide by the overlap of the ideal ranking with itself, which is below 1 where it is short.
    depth : int, optional
        Ranks down to which the rankings are compared, at least 1; a ranking that is shorter stays as it is. Without
        it, down to the end of the longer of the two, as in ir_measures; the authors' program has 1000.
    rel : int
        Lowest grade of the ideal ranking.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing is relevant, or nothing of it was retrieved.

    Notes
    -----
    RBO(ranking, ideal) / RBO(ideal, ideal)
    RBO(X, I) = sum over d <= D of p^(d-1) * (documents in the first d of both) / d / sum over d <= D of p^(d-1)

    Examples
    --------
    Ranked 1 0, not retrieved 2: Compat(p=0.5) = (0 + 0.5 * 1/2) / (1 + 0.5) = 0.1667
    Ranked 1 0, not retrieved 2: Compat(p=0.5,depth=3) = (0 + 0.5 * 1/2 + 0.25 * 1/3) / (1 + 0.5 + 0.25 * 2/3) = 0.2000

    References
    ----------
    Clarke, Vtyurina and Smucker 2021; compatibility.py (`depth=1000`); ir_measures 0.4.3, measure Compat.
    """
    n_relevant = judged.n_relevant(rel)
    end = np.maximum(judged.n_retrieved, n_relevant) if depth is None else np.full(judged.n_topics, depth)
    weight = p ** np.arange(end.max(initial=0))
    # What a document adds that is in both rankings from rank r on down to rank d: shared[d] - shared[r - 1].
    shared = np.append(0.0, np.cumsum(weight / np.arange(1, len(weight) + 1)))
    relevant = judged.grade >= rel
    topic, grade = judged.topic[relevant], judged.grade[relevant]
    its_end = end[topic]
    in_both = np.minimum(np.maximum(judged.rank[relevant], _ideal_place(judged, topic, grade)), its_end + 1)
    overlap = np.bincount(topic, weights=shared[its_end] - shared[in_both - 1], minlength=judged.n_topics)
    if normalize:
        length = np.minimum(n_relevant, end)
        return share(overlap, length * shared[end] - np.append(0.0, np.cumsum(shared))[length])
    return share(overlap, np.append(0.0, np.cumsum(weight))[end])


def _ideal_place(judged: Judged, topic: npt.NDArray[np.int64], grade: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Rank in the nearest ideal ranking of documents that were retrieved, of which these are topics and grades."""
    levels = np.unique(grade)
    # A number for each topic and level, which rises as the pool stands: topic by topic, best grade first.
    span = len(levels) + 1
    number = (topic + 1) * span - 1 - np.searchsorted(levels, grade)
    pool_number = (judged.pool_topic + 1) * span - 1 - np.searchsorted(levels, judged.pool_grade)
    size = np.bincount(judged.pool_topic, minlength=judged.n_topics)
    better = np.searchsorted(pool_number, number) - (np.cumsum(size) - size)[topic]
    order = np.argsort(number, kind="stable")
    among = np.empty_like(order)
    among[order] = np.arange(len(order)) - np.searchsorted(number[order], number[order])
    return better + among + 1
