"""What a user can expect who goes on from rank to rank with given probabilities: the C/W/L framework.

`continuation` has the models of users. From C(i) follow the share W(i) of all looking that rank i gets, and the
probability L(i) of stopping there:

    V(i) = C(1) C(2) ... C(i - 1),  W(i) = V(i) / (V(1) + ... + V(N)),  L(i) = (1 - C(i)) V(i)

    EU  = sum of W(i) g(i)                    gain per document looked at
    ETU = sum of L(i) (g(1) + ... + g(i))     gain in all
    EC  = sum of W(i) c(i)                    cost per document looked at
    ETC = sum of L(i) (c(1) + ... + c(i))     cost in all
    ED  = V(1) + ... + V(N)                   documents looked at
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Required, TypedDict, get_args

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic
from irkit.measures.common import topics_together
from irkit.measures.continuation import Model, Values
from irkit.measures.gains import Dcg, Gains, gain_of, with_gaining

Of = Literal["EU", "ETU", "EC", "ETC", "ED"]
QUANTITIES: Final = get_args(Of)
N_RANKS: Final = 1000  # as cwl_eval has it


class ExpectationOptions(TypedDict, total=False):
    """Parameters that every C/W/L measure has beside those of its model; see `expected_by_topic`."""

    min_rel: int
    max_rel: Required[int]
    gains: Gains
    of: Of
    residual: bool


def expected_by_topic(
    judged: Judged,
    model: Model,
    *,
    min_rel: int = 0,
    max_rel: int,
    dcg: Dcg = "log2",
    gains: Gains = (),
    of: Of = "EU",
    residual: bool = False,
) -> PerTopic:
    """Expectation of a user for each topic, over 1000 ranks, each document costing 1.

    Parameters
    ----------
    model : callable
        One of `continuation`, with its parameters.
    min_rel, max_rel : int
        The grade scale: grades are brought between the two, and these become 0 and 1.
    dcg : {"log2", "exp-log2"}
        What is scaled so: grades, or 2 ** grade - 1.
    gains : mapping of grade to gain
        Gains in place of the grades, on the same scale; grades that are not named keep their own.
    of : {"EU", "ETU", "EC", "ETC", "ED"}
        What is expected: gain or cost per document looked at, gain or cost in all, or the documents looked at.
    residual : bool
        How far it could rise instead: its value if everything that was not judged, or not retrieved, had the greatest
        gain, less its value. A user who finds more may stop sooner, so that this can be below 0.

    Returns
    -------
    float64 array of shape (T,); EU in [0, 1]. A document that was not judged, and a rank past the end, gains nothing;
    where nothing was retrieved, EU and ETU are 0 and the others are those of a user who finds nothing.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.
    """
    if min_rel >= max_rel:
        raise MeasureError(f"min_rel={min_rel} and max_rel={max_rel} are no scale: min_rel is the lower one")
    judged = with_gaining(judged, gains).cut(N_RANKS)
    lowest, highest = gain_of(np.array([min_rel, max_rel]), dcg)
    gain = (np.clip(gain_of(judged.grade, dcg, gains), lowest, highest) - lowest) / (highest - lowest)
    best_gain = np.where(judged.grade < 0, 1.0, gain)
    costs = np.ones(N_RANKS)

    values = np.zeros(judged.n_topics)
    for topics, rows, row in topics_together(judged):
        places = row, judged.rank[rows] - 1
        worst = np.zeros((topics.stop - topics.start, N_RANKS))
        worst[places] = gain[rows]
        values[topics] = _expected(of, model(worst, costs), worst, costs)
        if residual:
            best = np.ones_like(worst)
            best[places] = best_gain[rows]
            values[topics] = _expected(of, model(best, costs), best, costs) - values[topics]
    return values


class Expected(NamedTuple):
    """Expectations of a user for one ranking: gain and cost per document and in total, and documents viewed."""

    EU: float
    ETU: float
    EC: float
    ETC: float
    ED: float


class Expectations(NamedTuple):
    """Expectations of a user with all unknown documents at their worst, and at their best."""

    worst: Expected
    best: Expected

    @property
    def residual(self) -> Expected:
        """The best less the worst; below 0 where a user who finds more stops sooner."""
        return Expected(*(best - worst for best, worst in zip(self.best, self.worst, strict=True)))


def expectations(
    model: Model,
    gains: Sequence[float],
    costs: Sequence[float] | None = None,
    *,
    n_ranks: int = N_RANKS,
    min_cost: float = 1.0,
    max_cost: float = 1.0,
) -> Expectations:
    """Expectations of a user for one ranking with any gains and costs.

    Parameters
    ----------
    model : callable
        One of `continuation`, with its parameters: `partial(continuation.inst, T=2)`; or any other from gains and
        costs, arrays of shape (N,), to the probability of going on after each rank.
    gains : sequence of float
        What the document at each rank gains, from 0 to 1; nan where that is not known.
    costs : sequence of float, optional
        What looking at it costs, above 0, in the unit of the model; nan where that is not known. 1 each if not given.
    n_ranks : int
        Ranks looked at, N. Past the end of the ranking nothing is known.
    min_cost, max_cost : float
        What a document costs of which that is not known, at best and at worst.

    Returns
    -------
    Expectations

    Raises
    ------
    MeasureError
        If a gain or a cost is out of its range, or there are not as many costs as gains.

    References
    ----------
    Azzopardi, Thomas and Moffat 2019; cwl_eval 1.0.12.
    """
    if n_ranks < 1:
        raise MeasureError(f"the number of ranks is at least 1, not {n_ranks}")
    if costs is not None and len(costs) != len(gains):
        raise MeasureError(f"there are {len(gains)} gains and {len(costs)} costs; each document has one of each")
    gained, paid = (np.full(n_ranks, np.nan) for _ in range(2))
    n_known = min(len(gains), n_ranks)
    gained[:n_known] = gains[:n_known]
    paid[:n_known] = np.ones(n_known) if costs is None else costs[:n_known]
    if ((gained < 0) | (gained > 1)).any():
        raise MeasureError("gains are numbers from 0 to 1, or nan; divide them by the highest that there can be")
    if not (0 < min_cost <= max_cost < np.inf) or ((paid <= 0) | np.isinf(paid)).any():
        raise MeasureError("costs are numbers above 0, or nan; min_cost is at most max_cost")
    at_worst = np.nan_to_num(gained, nan=0.0), np.nan_to_num(paid, nan=max_cost)
    at_best = np.nan_to_num(gained, nan=1.0), np.nan_to_num(paid, nan=min_cost)
    worst, best = (
        Expected(*(float(_expected(of, model(gain, cost), gain, cost)) for of in QUANTITIES))
        for gain, cost in (at_worst, at_best)
    )
    return Expectations(worst, best)


def _expected(of: Of, going_on: Values, gains: Values, costs: Values) -> npt.NDArray[np.float64]:
    """One of the five from C, gains and costs, arrays that broadcast to (..., N): shape (...)."""
    looking = np.ones_like(going_on)
    np.cumprod(going_on[..., :-1], axis=-1, out=looking[..., 1:])
    if of == "ED":
        return np.asarray(looking.sum(axis=-1))
    worth = gains if of in ("EU", "ETU") else costs
    if of in ("EU", "EC"):
        return np.asarray((looking * worth).sum(axis=-1) / looking.sum(axis=-1))
    return np.asarray((looking * (1.0 - going_on) * np.cumsum(worth, axis=-1)).sum(axis=-1))
