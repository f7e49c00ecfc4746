"""An evaluation whose ties are broken by a rule, with the range that their other orders give the values."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from irkit.evaluation import Evaluation, evaluation_of, values_by_measure
from irkit.judged import Judged
from irkit.measures import Measure
from irkit.rules import Conventions
from irkit.tie_range import TieRange
from irkit.ties import MOST_ORDERS, in_every_order, n_orders, of_topics, rearranged, tied_documents

Values = npt.NDArray[np.float64]


def evaluation_of_ties(
    judged: Judged, measures: Iterable[Measure], *, conventions: Conventions, name: str = "run"
) -> Evaluation:
    """Score what is judged already, ties broken by the rule of the conventions.

    Parameters
    ----------
    judged : Judged of T topics
        Ranked by document id, or, where the rule is `file`, by the order of the file; neither cut nor thinned.
    measures, conventions, name
        As of `evaluation_of`.

    Returns
    -------
    Evaluation
        With its `tie_range`, where there are ties of documents that are not all judged alike.
    """
    found = evaluation_of(judged, measures, conventions=conventions, name=name)
    n_tied = tied_documents(judged)
    movable = n_tied > 0
    if not movable.any():
        return found
    tied = judged if movable.all() else of_topics(judged, movable)

    def values_of(arranged: Judged) -> Values:
        return values_by_measure(arranged, found.measures, conventions.no_relevant)

    def with_tied(values: Values) -> Values:
        whole = found.values.copy()
        whole[movable] = values
        return whole

    own = found.values[movable]
    worst, best = values_of(rearranged(tied, "worst")), values_of(rearranged(tied, "best"))
    for column, measure in enumerate(found.measures):
        # A relevant document that a cutoff lets in below others lowers Accuracy, so the better order may be the worse.
        params = dict(measure.params)
        if measure.family.name == "Accuracy" and measure.cutoff is not None and not params.get("judged_only"):
            valued = ~np.isnan(own[:, column])
            low, high = _accuracy_range(tied, measure.cutoff, int(params.get("rel", 1)))
            worst[valued, column], best[valued, column] = low[valued], high[valued]
    lowest, highest = np.minimum(np.minimum(worst, best), own), np.maximum(np.maximum(worst, best), own)
    error = np.zeros(found.values.shape)
    match conventions.ties:
        case "worst":
            own = worst
        case "best":
            own = best
        case "expected":
            gain, deviation = _expected_gain(tied, own, values_of)
            own = own + gain
            drawn = np.array([n > MOST_ORDERS for n in n_orders(tied)])
            error[movable] = np.where(drawn[:, np.newaxis], deviation / MOST_ORDERS**0.5, 0.0)
    tie_range = TieRange(with_tied(lowest), with_tied(highest), n_tied, judged.n_retrieved, error)
    return replace(found, values=with_tied(own), tie_range=tie_range)


def _expected_gain(tied: Judged, own: Values, values_of: Callable[[Judged], Values]) -> tuple[Values, Values]:
    """How far the mean over all orders of the tied documents is above these values, and the deviation, (T, M) each."""
    sums, squares, n = np.zeros_like(own), np.zeros_like(own), np.zeros((len(own), 1))
    for arranged, topic in in_every_order(tied):
        # Differences, so that what no order changes keeps its last digit.
        above = values_of(arranged) - own[topic]
        np.add.at(sums, topic, above)
        np.add.at(squares, topic, above**2)
        np.add.at(n, topic, 1)
    mean = sums / n
    return mean, np.sqrt(np.maximum(squares / n - mean**2, 0.0))


def _accuracy_range(judged: Judged, cutoff: int, rel: int) -> tuple[Values, Values]:
    """The lowest and the highest Accuracy at a cutoff over all orders of the ties, (T,) each.

    Ties above the cutoff have their relevant documents last, or first. Of a tie that the cutoff parts, every number of
    relevant documents that may stand above it is tried.
    """
    starts = np.concatenate(([0], np.cumsum(np.bincount(judged.topic, minlength=judged.n_topics))))
    low, high = np.zeros(judged.n_topics), np.zeros(judged.n_topics)
    for topic, (start, stop) in enumerate(pairwise(starts.tolist())):
        rows = slice(start, stop)
        ties = Counter[tuple[int, int]]()
        for first, last, grade in zip(
            judged.tie_first[rows].tolist(), judged.tie_last[rows].tolist(), judged.grade[rows].tolist(), strict=True
        ):
            ties[first, last] += grade >= rel
        depth = min(int(judged.n_retrieved[topic]), cutoff)
        found = above_at_best = above_at_worst = 0
        ends = [(0, 0, 0)]
        for (first, last), n_relevant in sorted(ties.items()):
            if first > depth:
                break
            others_before = first - 1 - found
            slots = min(last, depth) - first + 1
            n_others = last - first + 1 - n_relevant
            ends = [
                (found + n, above_at_best + n * others_before, above_at_worst + n * (others_before + slots - n))
                for n in range(max(0, slots - n_others), min(slots, n_relevant) + 1)
            ]
            found, above_at_best, above_at_worst = ends[-1]
        shares = [(n, n * (depth - n), best, worst) for n, best, worst in ends]
        low[topic] = min((1 - worst / pairs if pairs else 1.0) if n else 0.0 for n, pairs, _, worst in shares)
        high[topic] = max((1 - best / pairs if pairs else 1.0) if n else 0.0 for n, pairs, best, _ in shares)
    return low, high
