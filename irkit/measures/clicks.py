"""Users as click models have them: they look, click, are satisfied, or go on. Their parameters are fitted to a log."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic
from irkit.measures.common import top, topics_together

ByGrade = Mapping[int, float] | Iterable[tuple[int, float]]
Values = npt.NDArray[np.float64]


def browsing_utility(
    judged: Judged, a: ByGrade, s: ByGrade, gamma: float, U: ByGrade, cutoff: int | None = None
) -> PerTopic:
    """Expected browsing utility: value of the documents that a user of the DBN model clicks until satisfied.

    Parameters
    ----------
    a, s : mapping of grade to probability
        Of a click on a document that is looked at, and of satisfaction by one that is clicked. A document that was not
        judged has those of grade 0.
    gamma : float
        Probability, from 0 to 1, of going on without being satisfied. With 1 it is the SDBN model: uSDBN.
    U : mapping of grade to utility
        What a click is worth, at least 0.

    Returns
    -------
    float64 array of shape (T,), each at least 0; 0 where nothing was retrieved. The sum simply stops at the end of
    a short list. Where nothing is relevant it is what grade 0 is worth.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade of the qrels, or 0, has no value.

    Notes
    -----
    sum over r <= k of E(r) a(g(r)) U(g(r)), where E(1) = 1, E(r + 1) = gamma E(r) (1 - a(g(r)) s(g(r)))

    Examples
    --------
    Ranked 1 - 1: EBU(a={0:0.5,1:1},s={0:0.2,1:0.6},gamma=0.9,U={0:0,1:1}) =
        1 + 0 + 0.9 * (1 - 1 * 0.6) * 0.9 * (1 - 0.5 * 0.2) * 1 * 1 = 1.2916

    References
    ----------
    Yilmaz, Shokouhi, Craswell and Robertson 2010; Chuklin, Serdyukov and de Rijke 2013.
    """
    values = np.zeros(judged.n_topics)
    for topics, (click, satisfied, utility) in _by_rank(judged, cutoff, a=a, s=s, U=U):
        values[topics] = _total(_looking(click * satisfied, gamma) * click * utility)
    return values


def satisfied_rank(judged: Judged, a: ByGrade, s: ByGrade, gamma: float, cutoff: int | None = None) -> PerTopic:
    """Expected 1 / rank of the satisfying document in the DBN model; with a = 1 and gamma = 1 it is ERR.

    Parameters
    ----------
    a, s, gamma, cutoff
        As of `browsing_utility`.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing was retrieved. The sum simply stops at the end of a
    short list. Where nothing is relevant it is above 0 if documents of grade 0 may satisfy.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade of the qrels, or 0, has no value.

    Notes
    -----
    sum over r <= k of E(r) a(g(r)) s(g(r)) / r, where E(1) = 1, E(r + 1) = gamma E(r) (1 - a(g(r)) s(g(r)))

    Examples
    --------
    Ranked 1 -: rrDBN(a={0:0.5,1:1},s={0:0.2,1:0.6},gamma=0.9) =
        1 * 0.6 / 1 + 0.9 * (1 - 1 * 0.6) * 0.5 * 0.2 / 2 = 0.6180

    References
    ----------
    Chuklin, Serdyukov and de Rijke 2013.
    """
    values = np.zeros(judged.n_topics)
    for topics, (click, satisfied) in _by_rank(judged, cutoff, a=a, s=s):
        leaving = click * satisfied
        values[topics] = _total(_looking(leaving, gamma) * leaving / np.arange(1, leaving.shape[1] + 1))
    return values


def clicked_utility(
    judged: Judged, a: ByGrade, gamma: Sequence[Sequence[float]], U: ByGrade, cutoff: int | None = None
) -> PerTopic:
    """Value of the documents that a user of the UBM model clicks, who looks less the longer the last click is past.

    Parameters
    ----------
    a : mapping of grade to probability
        Of a click on a document that is looked at. A document that was not judged has that of grade 0.
    gamma : sequence of sequences of float
        Probabilities of looking. Row r has one for each distance 1 to r from rank r up to the last click; distance r
        stands for no click so far. Ranks beyond the last row are not looked at.
    U : mapping of grade to utility
        What a click is worth, at least 0.

    Returns
    -------
    float64 array of shape (T,), each at least 0; 0 where nothing was retrieved. The sum simply stops at the end of
    a short list. Where nothing is relevant it is what grade 0 is worth.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a grade of the qrels, or 0, has no value.

    Notes
    -----
    sum over r <= k of c(r) U(g(r)), where c(0) = 1 and c(r) is the sum over j < r of
        c(j) (1 - a(g(j + 1)) gamma(j + 1, 1)) ... (1 - a(g(r - 1)) gamma(r - 1, r - 1 - j)) a(g(r)) gamma(r, r - j)

    Examples
    --------
    Ranked 1 1: uUBM(a={0:0.1,1:0.5},gamma=((1.0,),(0.8,0.6)),U={0:0,1:1}) =
        0.5 * 1 + (1 - 0.5) * 0.5 * 0.6 + 0.5 * 0.5 * 0.8 = 0.8500

    References
    ----------
    Dupret and Piwowarski 2008; Chuklin, Serdyukov and de Rijke 2013.
    """
    depth = len(gamma) if cutoff is None else min(cutoff, len(gamma))
    values = np.zeros(judged.n_topics)
    for topics, (click, utility) in _by_rank(judged, depth, a=a, U=U):
        n_topics, n_ranks = click.shape
        clicked_last = np.zeros((n_topics, n_ranks + 1))  # at each rank; at 0, none was clicked
        clicked_last[:, 0] = 1.0
        for rank in range(1, n_ranks + 1):
            clicking = clicked_last[:, :rank] * np.array(gamma[rank - 1][::-1]) * click[:, rank - 1 : rank]
            clicked_last[:, :rank] -= clicking
            clicked_last[:, rank] = clicking.sum(axis=1)
            values[topics] += clicked_last[:, rank] * utility[:, rank - 1]
    return values


def _by_rank(judged: Judged, cutoff: int | None, **tables: ByGrade) -> Iterator[tuple[slice, list[Values]]]:
    """Yield blocks of topics with the value of each table at each rank, shape (topics, ranks); 0 past the end."""
    known = {name: dict(sorted(dict(table).items())) for name, table in tables.items()}
    for name, table in known.items():
        unnamed = {0, *np.unique(np.maximum(judged.pool_grade, 0)).tolist()} - table.keys()
        if unnamed:
            raise MeasureError(
                f"{name} has no value for grade {min(unnamed)}; documents that nobody judged have grade 0"
            )
    judged = top(judged, cutoff)
    for topics, rows, row in topics_together(judged):
        lengths = judged.n_retrieved[topics]
        depth = int(lengths.max(initial=0))
        grade = np.zeros((len(lengths), depth), dtype=np.int64)
        grade[row, judged.rank[rows] - 1] = np.maximum(judged.grade[rows], 0)
        retrieved = np.arange(depth) < lengths[:, np.newaxis]
        yield (
            topics,
            [
                np.array(list(table.values()))[np.searchsorted(list(table), grade)] * retrieved
                for table in known.values()
            ],
        )


def _looking(leaving: Values, gamma: float) -> Values:
    """Probability of looking at each rank of those who leave so, and of whom only `gamma` go on."""
    looking = np.ones_like(leaving)
    np.cumprod(gamma * (1.0 - leaving[:, :-1]), axis=1, out=looking[:, 1:])
    return looking


def _total(values: Values) -> Values:
    # added rank by rank, so that a topic has the same sum however long the rankings beside it are
    return np.cumsum(values, axis=1)[:, -1] if values.shape[1] else np.zeros(len(values))
