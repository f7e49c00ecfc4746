"""Merge measures of several kinds of judgments into one evaluation."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irkit.errors import DataError
from irkit.evaluation.ranges import TieRange
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure


def joined(parts: Sequence[Evaluation], measures: tuple[Measure, ...]) -> Evaluation:
    """Merge the evaluations of one run by several kinds of judgments, with measures in the given order."""
    first = parts[0]
    topics = set(first.topics)
    if strangers := sorted({topic for part in parts for topic in topics.symmetric_difference(part.topics)}):
        raise DataError(
            f"the measures would be averaged over different topics: not all kinds of judgments have {strangers[0]!r}; "
            "ask for them one after the other"
        )
    columns = {measure: part.values[:, place] for part in parts for place, measure in enumerate(part.measures)}
    bounds = {
        measure: one for part in parts if part.bounds for measure, one in zip(part.measures, part.bounds, strict=True)
    }
    without = {topic for part in parts for topic in part.without_relevant}
    return replace(
        first,
        measures=measures,
        values=np.column_stack([columns[measure] for measure in measures]),
        without_relevant=tuple(topic for topic in first.topics if topic in without),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        tie_range=_joined_range(parts, measures),
        bounds=tuple(bounds[measure] for measure in measures) if bounds else (),
        nothing_judged=any(part.nothing_judged for part in parts),
    )


def _joined_range(parts: Sequence[Evaluation], measures: tuple[Measure, ...]) -> TieRange | None:
    known = [part.tie_range for part in parts if part.tie_range is not None]
    if not known:
        return None
    # What is computed from judgments of another kind keeps its values.
    ends = [part.tie_range or replace(known[0], lowest=part.values, highest=part.values) for part in parts]
    place = {measure: place for place, measure in enumerate(measure for part in parts for measure in part.measures)}
    order = [place[measure] for measure in measures]
    lowest, highest = (np.column_stack(columns) for columns in ([e.lowest for e in ends], [e.highest for e in ends]))
    return replace(known[0], lowest=lowest[:, order], highest=highest[:, order])
