"""Evaluate with ties broken by a rule, and give the range of values over other orders of the ties."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from irkit.evaluation.ranges import TieRange
from irkit.evaluation.result import Evaluation, evaluation_of, values_by_measure
from irkit.judged import Judged
from irkit.judged.tie_orders import MOST_ORDERS, in_every_order, n_orders, of_topics, rearranged, tied_documents
from irkit.measures import Measure
from irkit.rules import Conventions

Values = npt.NDArray[np.float64]


def evaluation_of_ties(
    judged: Judged, measures: Iterable[Measure], *, conventions: Conventions, name: str = "run"
) -> Evaluation:
    """Score judged documents, with ties broken by the rule of the conventions."""
    evaluation = evaluation_of(judged, measures, conventions=conventions, name=name)
    n_tied = tied_documents(judged)
    movable = n_tied > 0
    if not movable.any():
        return evaluation
    tied = judged if movable.all() else of_topics(judged, movable)

    def values_of(arranged: Judged, of: Sequence[Measure] = evaluation.measures) -> Values:
        return values_by_measure(arranged, of, conventions.no_relevant)

    def with_tied(values: Values) -> Values:
        whole = evaluation.values.copy()
        whole[movable] = values
        return whole

    own = evaluation.values[movable]
    worst, best = values_of(rearranged(tied, "worst")), values_of(rearranged(tied, "best"))
    partial = np.zeros(evaluation.values.shape, dtype=bool)
    # Of a measure that may fall as documents get better, the ends lie at any order.
    fractional = tied.kind != "qrels"
    falling = np.flatnonzero([not measure.rises(fractional=fractional) for measure in evaluation.measures])
    if len(falling):
        ends = _ends(tied, lambda arranged: values_of(arranged, [evaluation.measures[place] for place in falling]))
        seen = worst[:, falling], best[:, falling], own[:, falling]
        worst[:, falling] = np.minimum.reduce([ends[0], *seen])
        best[:, falling] = np.maximum.reduce([ends[1], *seen])
        partial[np.ix_(movable, falling)] = _many_orders(tied)
    lowest, highest = np.minimum(np.minimum(worst, best), own), np.maximum(np.maximum(worst, best), own)
    error = np.zeros(evaluation.values.shape)
    match conventions.ties:
        case "worst":
            own = worst
        case "best":
            own = best
        case "expected":
            gain, deviation = _expected_gain(tied, own, values_of)
            own = own + gain
            error[movable] = np.where(_many_orders(tied), deviation / MOST_ORDERS**0.5, 0.0)
    tie_range = TieRange(with_tied(lowest), with_tied(highest), n_tied, judged.n_retrieved, error, partial)
    return replace(evaluation, values=with_tied(own), tie_range=tie_range)


def _many_orders(tied: Judged) -> npt.NDArray[np.bool_]:
    """Whether a topic has too many orders to look at all of them, shape (T, 1)."""
    return np.array([n > MOST_ORDERS for n in n_orders(tied)])[:, np.newaxis]


def _ends(tied: Judged, values_of: Callable[[Judged], Values]) -> tuple[Values, Values]:
    """The least and the most that the orders of the tied documents give, (T, M) each; nan where there is no value."""
    found = [(values_of(arranged), topic) for arranged, topic in in_every_order(tied)]
    lowest, highest = (np.full((tied.n_topics, found[0][0].shape[1]), end) for end in (np.inf, -np.inf))
    for values, topic in found:
        np.minimum.at(lowest, topic, values)
        np.maximum.at(highest, topic, values)
    return lowest, highest


def _expected_gain(tied: Judged, own: Values, values_of: Callable[[Judged], Values]) -> tuple[Values, Values]:
    """Mean over all orders of tied documents minus these values, and the standard deviation, (T, M) each."""
    sums, squares, n = np.zeros_like(own), np.zeros_like(own), np.zeros((len(own), 1))
    for arranged, topic in in_every_order(tied):
        # Differences, so that what no order changes keeps its last digit.
        above = values_of(arranged) - own[topic]
        np.add.at(sums, topic, above)
        np.add.at(squares, topic, above**2)
        np.add.at(n, topic, 1)
    mean = sums / n
    return mean, np.sqrt(np.maximum(squares / n - mean**2, 0.0))
