"""What ties do to an evaluation: the values under each rule of breaking them, and how far they could move a score."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from irkit.evaluation import Evaluation, evaluation_of
from irkit.judged import Judged
from irkit.measures import Measure
from irkit.rules import Conventions
from irkit.spelling import counted
from irkit.ties import MOST_ORDERS, SEED, in_every_order, n_orders, of_topics, rearranged, tied_documents

Counts = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

_SHOWN = 3  # measures that are named, the widest first


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
        With a note of how far another order of the tied documents could move the summaries, where that shows in their
        four decimals; and with one of what was drawn by chance.
    """
    found = evaluation_of(judged, measures, conventions=conventions, name=name)
    n_tied = tied_documents(judged)
    movable = n_tied > 0
    if not movable.any():
        return found
    tied = judged if movable.all() else of_topics(judged, movable)

    def values_of(arranged: Judged) -> Values:
        return evaluation_of(arranged, found.measures, conventions=conventions, name=name).values

    def with_values(values: Values) -> Evaluation:
        whole = found.values.copy()
        whole[movable] = values
        return replace(found, values=whole)

    own = found.values[movable]
    worst, best = values_of(rearranged(tied, "worst")), values_of(rearranged(tied, "best"))
    lowest, highest = np.minimum(np.minimum(worst, best), own), np.maximum(np.maximum(worst, best), own)
    notes = _how_far(n_tied, judged.n_retrieved, with_values(lowest), with_values(highest))
    match conventions.ties:
        case "worst":
            found = with_values(worst)
        case "best":
            found = with_values(best)
        case "expected":
            found = with_values(own + _expected_gain(tied, own, values_of))
            notes += _what_was_drawn(tied, judged.n_topics)
    return replace(found, notes=(*found.notes, *notes))


def _expected_gain(tied: Judged, own: Values, values_of: Callable[[Judged], Values]) -> Values:
    """By how much the mean over all orders of the tied documents is above these values, shape (T, M)."""
    sums, n = np.zeros_like(own), np.zeros((len(own), 1))
    for arranged, topic in in_every_order(tied):
        # Differences, so that what no order changes keeps its last digit.
        np.add.at(sums, topic, values_of(arranged) - own[topic])
        np.add.at(n, topic, 1)
    return sums / n


def _how_far(n_tied: Counts, n_retrieved: Counts, lowest: Evaluation, highest: Evaluation) -> list[str]:
    ranges = [
        (float(high - low), f"{measure} between {low:.4f} and {high:.4f}")
        for measure, low, high in zip(lowest.measures, lowest.summary, highest.summary, strict=True)
        if f"{low:.4f}" != f"{high:.4f}"
    ]
    if not ranges:
        return []
    widest = [text for _, text in sorted(ranges, key=lambda pair: pair[0], reverse=True)]
    others = len(widest) - _SHOWN
    rest = [f"and {counted(others, 'other measure')} less"] if others > 0 else []
    documents = f"{n_tied.sum():,} of {n_retrieved.sum():,} documents share a score with one that is judged otherwise"
    topics = f"{np.count_nonzero(n_tied)} of {counted(len(n_tied), 'topic')}"
    return [f"ties: {documents}, in {topics}; they could move {', '.join([*widest[:_SHOWN], *rest])}"]


def _what_was_drawn(tied: Judged, n_topics: int) -> list[str]:
    n_drawn = sum(n > MOST_ORDERS for n in n_orders(tied))
    if not n_drawn:
        return []
    topics = f"{n_drawn} of {counted(n_topics, 'topic')}"
    return [f"expected values: {MOST_ORDERS:,} orders drawn by chance (seed {SEED}) stand for all in {topics}"]
