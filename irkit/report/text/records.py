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
    """Records of the same fields; None where there is no value."""

    fields: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def evaluations(found: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> Records:
    """A record for each value of each run.

    `topic` is None where the value is a summary, over the topics of `group` where one is named; `n_topics` is over how
    many then. The value of one topic names its group too, and has no number of topics. A value that is left out of its
    average is None. Bounds have fields of their own where there are some.
    """
    bounds = BOUNDS if any(one.bounds for one in found) else ()
    rows = (row[: len(FIELDS) + len(bounds)] for one in found for row in _values(one, by_topic, groups))
    return Records((*FIELDS, *bounds), tuple(rows))


def comparison(compared: Comparison) -> Records:
    """A record for each test; a statistic may be infinite or nan, and the test's note says why.

    Since the `ties` of a test are topics, how tied documents stand is called `tie_order`.
    """
    found = [one.record() for one in compared.contrasts]
    rows = tuple((*one.values(), *_basis(compared)) for one in found)
    return Records((*found[0], *BASIS), rows)


def _values(one: Evaluation, by_topic: bool, groups: Mapping[str, str] | None) -> Iterator[tuple[Any, ...]]:
    parts = {} if groups is None else one.by_group(groups)
    for block in blocks([one], by_topic=by_topic, groups=groups):
        topic = block.name if block.kind == "topic" else None
        (row,) = block.rows
        columns = zip(one.measures, row.values, _n_averaged(one, block, parts), _bounds(one, row), strict=True)
        for measure, value, n, (low, high, *exact) in columns:
            shown, lowest, highest = (_number(measure, number) for number in (value, low, high))
            basis = _basis(one)
            yield one.name, _group(block, groups), topic, str(measure), shown, n, *basis, lowest, highest, *exact


def _bounds(one: Evaluation, row: Row) -> list[tuple[float, float, bool | None, bool | None]]:
    """Lowest and highest value of each measure, and whether they are exact."""
    if not row.lowest:
        return [(nan, nan, None, None)] * len(one.measures)
    return [
        (low, high, None if its is None else its.low_exact, None if its is None else its.high_exact)
        for low, high, its in zip(row.lowest, row.highest, one.bounds, strict=True)
    ]


def _number(measure: Measure, value: float) -> float | None:
    if isnan(value):
        return None
    return int(value) if measure.summary == "sum" else value


def _n_averaged(one: Evaluation, block: Block, parts: Mapping[str, Evaluation]) -> Sequence[int | None]:
    """Over how many topics the summary of each measure is."""
    if block.kind == "topic":
        return [None] * len(one.measures)
    n_averaged: list[int] = (parts[block.name] if block.kind == "group" else one).n_averaged.tolist()
    return n_averaged


def _group(block: Block, groups: Mapping[str, str] | None) -> str | None:
    if block.kind == "group":
        return block.name
    return groups[block.name] if block.kind == "topic" and groups is not None else None


def _basis(result: Evaluation | Comparison) -> tuple[str, str, str, str]:
    conventions = result.conventions
    return str(result.rules), conventions.average, conventions.no_relevant, conventions.ties
