"""Comma-separated values: a line for each value, with all digits and what is needed to compare it."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from irkit.evaluation import Evaluation
from irkit.report.layout import Block, Row, blocks
from irkit.stats import Comparison, PairedTest
from irkit.visible import visible

BOUNDS = ("lowest", "highest", "lowest_exact", "highest_exact")
HEADER = ("run", "group", "topic", "measure", "value", "n_topics", "rules", "average", "no_relevant")


def evaluations(found: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> str:
    """The values of each run; topic `all` is the summary, over the topics of a group where one is named.

    `n_topics` is how many topics the value is over. The line of one topic names its group too, and has no number of
    topics. A value that is left out of its average is empty. Bounds have columns of their own where there are some.
    """
    bounded = any(one.bounds for one in found)
    lines: list[Sequence[str]] = [(*HEADER, *BOUNDS) if bounded else HEADER]
    for one in found:
        parts = {} if groups is None else one.by_group(groups)
        basis = (str(one.rules), one.conventions.average, one.conventions.no_relevant)
        for block in blocks([one], by_topic=by_topic, groups=groups):
            group = _group(block, groups)
            topic = safe(block.name) if block.kind == "topic" else "all"
            (row,) = block.rows
            bounds = _bounds(one, row) if bounded else [()] * len(one.measures)
            lines += [
                (safe(one.name), group, topic, safe(str(measure)), _digits(value), n, *basis, *its)
                for measure, value, n, its in zip(
                    one.measures, row.values, _n_averaged(one, block, parts), bounds, strict=True
                )
            ]
    return _text(lines)


def _bounds(one: Evaluation, row: Row) -> list[tuple[str, ...]]:
    """Lowest and highest value of each measure, and whether they are exact; empty where they are not known."""
    if not row.lowest:
        return [("",) * len(BOUNDS)] * len(one.measures)
    return [
        ("",) * len(BOUNDS)
        if its is None
        else (_digits(low), _digits(high), str(its.low_exact).lower(), str(its.high_exact).lower())
        for low, high, its in zip(row.lowest, row.highest, one.bounds, strict=True)
    ]


def _n_averaged(one: Evaluation, block: Block, parts: Mapping[str, Evaluation]) -> list[str]:
    """Over how many topics the summary of each measure is."""
    if block.kind == "topic":
        return [""] * len(one.measures)
    return list(map(str, (parts[block.name] if block.kind == "group" else one).n_averaged.tolist()))


def _group(block: Block, groups: Mapping[str, str] | None) -> str:
    if block.kind == "group":
        return safe(block.name)
    return safe(groups[block.name]) if block.kind == "topic" and groups is not None else ""


def comparison(compared: Comparison) -> str:
    """The tests, a line each."""
    names = [field.name for field in fields(PairedTest)]
    lines: list[Sequence[str]] = [(*names, "test", "rules", "average", "no_relevant")]
    basis = (compared.test, str(compared.rules), compared.conventions.average, compared.conventions.no_relevant)
    for test in compared.tests:
        values = (getattr(test, name) for name in names)
        lines.append((*(safe(value) if isinstance(value, str) else _digits(value) for value in values), *basis))
    return _text(lines)


def safe(name: str) -> str:
    """A name on one line that no spreadsheet takes for a formula: one that begins like one has ' before it."""
    text = visible(name)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _digits(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def _text(lines: Iterable[Sequence[str]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(lines)
    return stream.getvalue()
