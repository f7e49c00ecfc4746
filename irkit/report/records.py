"""Evaluations and comparisons as records for programs: all digits, and in each what is needed to compare it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from math import isnan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from irkit.evaluation import Evaluation
from irkit.report.layout import Block, blocks
from irkit.stats.differences import PairedTest

if TYPE_CHECKING:
    from irkit.stats import Comparison

BASIS: Final = ("rules", "average", "no_relevant")


class Records(NamedTuple):
    """Records of the same fields; None where there is no value."""

    fields: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def evaluations(found: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> Records:
    """A record for each value of each run.

    `topic` is None where the value is a summary, over the topics of `group` where one is named; `n_topics` is over how
    many then. The value of one topic names its group too, and has no number of topics. A value that is left out of its
    average is None.
    """
    rows = (row for one in found for row in _values(one, by_topic, groups))
    return Records(("run", "group", "topic", "measure", "value", "n_topics", *BASIS), tuple(rows))


def comparison(compared: Comparison) -> Records:
    """A record for each test; a statistic may be infinite or nan, and the test's note says why."""
    names = tuple(field.name for field in fields(PairedTest))
    return Records((*names, *BASIS), tuple((*astuple(test), *_basis(compared)) for test in compared.tests))


def _values(one: Evaluation, by_topic: bool, groups: Mapping[str, str] | None) -> Iterator[tuple[Any, ...]]:
    parts = {} if groups is None else one.by_group(groups)
    for block in blocks([one], by_topic=by_topic, groups=groups):
        topic = block.name if block.kind == "topic" else None
        (row,) = block.rows
        for measure, value, n in zip(one.measures, row.values, _n_averaged(one, block, parts), strict=True):
            shown = None if isnan(value) else int(value) if measure.summary == "sum" else value
            yield one.name, _group(block, groups), topic, str(measure), shown, n, *_basis(one)


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


def _basis(result: Evaluation | Comparison) -> tuple[str, str, str]:
    return str(result.rules), result.conventions.average, result.conventions.no_relevant
