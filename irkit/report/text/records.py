"""Evaluations and comparisons as records for programs, with all digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.report.text.layout import Block, Row, blocks

if TYPE_CHECKING:
    from irkit.stats import Comparison

BASIS: Final = ("rules", "average", "no_relevant", "tie_order")
FIELDS: Final = ("run", "group", "topic", "measure", "value", "n_topics", *BASIS)
BOUNDS: Final = ("lowest", "highest", "lowest_exact", "highest_exact")


class Records(NamedTuple):
    """Records with the same fields; None where there is no value."""

    fields: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def evaluations(evaluations: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> Records:
    """Make a record for each value of each run.

    `topic` is None for a summary, which is over the topics of `group` if that is not None; `n_topics` is their number.
    A value of a topic names its group too, and its `n_topics` is None. A value left out of its average is None.
    Bounds have fields of their own, if there are any.
    """
    bounds = BOUNDS if any(evaluation.bounds for evaluation in evaluations) else ()
    rows = (
        row[: len(FIELDS) + len(bounds)] for evaluation in evaluations for row in _values(evaluation, by_topic, groups)
    )
    return Records((*FIELDS, *bounds), tuple(rows))


def comparison(compared: Comparison) -> Records:
    """Make a record for each test; an infinite or nan statistic is explained by the note of the test.

    `tie_order` is the order of tied documents, because the `ties` of a test are topics.
    """
    tests = [contrast.record() for contrast in compared.contrasts]
    rows = tuple((*test.values(), *_basis(compared)) for test in tests)
    return Records((*tests[0], *BASIS), rows)


def _values(evaluation: Evaluation, by_topic: bool, groups: Mapping[str, str] | None) -> Iterator[tuple[Any, ...]]:
    parts = {} if groups is None else evaluation.by_group(groups)
    for block in blocks([evaluation], by_topic=by_topic, groups=groups):
        topic = block.name if block.kind == "topic" else None
        (row,) = block.rows
        columns = zip(
            evaluation.measures,
            row.values,
            _n_averaged(evaluation, block, parts),
            _bounds(evaluation, row),
            strict=True,
        )
        for measure, value, n, (low, high, *exact) in columns:
            shown, lowest, highest = (_number(measure, number) for number in (value, low, high))
            basis = _basis(evaluation)
            yield evaluation.name, _group(block, groups), topic, str(measure), shown, n, *basis, lowest, highest, *exact


def _bounds(evaluation: Evaluation, row: Row) -> list[tuple[float, float, bool | None, bool | None]]:
    """Return the lowest and highest value of each measure, and whether they are exact."""
    if not row.lowest:
        return [(nan, nan, None, None)] * len(evaluation.measures)
    return [
        (low, high, None if its is None else its.low_exact, None if its is None else its.high_exact)
        for low, high, its in zip(row.lowest, row.highest, evaluation.bounds, strict=True)
    ]


def _number(measure: Measure, value: float) -> float | None:
    if isnan(value):
        return None
    return int(value) if measure.summary == "sum" else value


def _n_averaged(evaluation: Evaluation, block: Block, parts: Mapping[str, Evaluation]) -> Sequence[int | None]:
    """Return the number of topics in the summary of each measure."""
    if block.kind == "topic":
        return [None] * len(evaluation.measures)
    n_averaged: list[int] = (parts[block.name] if block.kind == "group" else evaluation).n_averaged.tolist()
    return n_averaged


def _group(block: Block, groups: Mapping[str, str] | None) -> str | None:
    if block.kind == "group":
        return block.name
    return groups[block.name] if block.kind == "topic" and groups is not None else None


def _basis(result: Evaluation | Comparison) -> tuple[str, str, str, str]:
    conventions = result.conventions
    return str(result.rules), conventions.average, conventions.no_relevant, conventions.ties
