"""Report of the number of topics that an experiment needs."""

from collections.abc import Iterator
from math import isnan
from typing import Any

from irkit._utils.numerals import four_decimals
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import Records
from irkit.report.text.sections import Sections
from irkit.stats.topic_plan import DetectableDifferences, TopicPlan, TopicsNeeded


def sheet(found: TopicPlan, shown: Shown, *, by_topic: bool) -> Sections:
    """What the plan rests on, the topics needed, and what topics could show."""
    del by_topic
    tables = [*_pilot(found, shown), _needed(found, shown), *_intervals(found, shown), _showing(found, shown)]
    basis = summary.head(found.pilot, shown, shared=True) if found.pilot else []
    explained = list(_explained(found, shown))
    return Sections(basis, summary.amiss(found.pilot), explained, tables, list(map(shown, found.notes)))


def _explained(found: TopicPlan, shown: Shown) -> Iterator[str]:
    side = "two-sided" if found.alternative == "two-sided" else "one-sided"
    yield f"paired t test of two systems, {side}, alpha {found.alpha:g}, power {found.power:g}"
    if found.in_deviations:
        yield "differences are in standard deviations of the differences over topics (dz)"
    for spread in found.spreads:
        if spread.n_topics:
            return
        if not found.in_deviations:
            of = f"{shown(spread.measure)}: " if spread.measure else ""
            yield f"{of}standard deviation of the differences over topics: {spread.deviation:.4g}"


def _labels(found: TopicPlan) -> tuple[str, ...]:
    return ("measure",) if any(spread.measure for spread in found.spreads) else ()


def _named(found: TopicPlan, shown: Shown, measure: str, *others: str) -> tuple[str, ...]:
    return (shown(measure), *others) if _labels(found) else others


def _pilot(found: TopicPlan, shown: Shown) -> Iterator[tuple[str, Grid]]:
    lines = tuple(
        Line(
            (shown(one.measure),),
            (
                *(Cell(four_decimals(value)) for value in (one.deviation, one.low, one.high)),
                Cell(str(one.n_systems)),
                Cell(str(one.n_topics)),
            ),
        )
        for one in found.spreads
        if one.n_topics
    )
    if lines:
        columns = ("deviation", "low", "high", "systems", "topics")
        title = "Pilot: standard deviation of the differences over topics, with its 95% interval if they are normal"
        yield title, Grid(("measure",), columns, (lines,))


def _needed(found: TopicPlan, shown: Shown) -> tuple[str, Grid]:
    pilot = any(one.topics_at_most is not None for one in found.needed)

    def line(one: TopicsNeeded) -> Line:
        numbers = [*([] if found.in_deviations else [four_decimals(one.dz)]), str(one.topics)]
        if pilot:
            numbers.append("-" if one.topics_at_most is None else str(one.topics_at_most))
        if one.topics_of_many is not None:
            numbers.append(str(one.topics_of_many))
        return Line(_named(found, shown, one.measure, f"{one.difference:g}"), tuple(map(Cell, numbers)))

    columns = [*([] if found.in_deviations else ["dz"]), "topics"]
    if pilot:
        columns.append("at most")
    if found.n_systems is not None:
        columns.append(f"any of {found.n_systems}")
    title = "Topics needed to find a true difference"
    if found.n_systems is not None:
        title += f"; between best and worst of {found.n_systems} systems, by an analysis of variance"
    return title, Grid((*_labels(found), "difference"), tuple(columns), _sections(found, map(line, found.needed)))


def _intervals(found: TopicPlan, shown: Shown) -> Iterator[tuple[str, Grid]]:
    lines = tuple(
        Line(_named(found, shown, measure, f"{width:g}"), (Cell(str(topics)),))
        for measure, width, topics in found.intervals
    )
    if lines:
        title = f"Topics needed for a {1 - found.alpha:.3g} interval of the mean difference, no wider on average"
        yield title, Grid((*_labels(found), "width"), ("topics",), (lines,))


def _showing(found: TopicPlan, shown: Shown) -> tuple[str, Grid]:
    def line(one: DetectableDifferences) -> Line:
        numbers = (one.detectable, one.significant, one.width, *one.powers)
        cells = tuple(Cell(four_decimals(number)) for number in numbers)
        return Line(_named(found, shown, one.measure, str(one.topics)), cells)

    columns = (
        "found",
        "significant",
        "interval",
        *(f"at {difference:g}" for difference in found.differences),
    )
    title = (
        f"What so many topics show: the true difference found with power {found.power:g}, the smallest one seen that "
        "is significant, the width of the interval, and the power at each difference"
    )
    return title, Grid((*_labels(found), "topics"), columns, _sections(found, map(line, found.showing)))


def _sections(found: TopicPlan, lines: Iterator[Line]) -> tuple[tuple[Line, ...], ...]:
    """A section for each measure."""
    every = list(lines)
    each = len(every) // len(found.spreads)
    return tuple(tuple(every[start : start + each]) for start in range(0, len(every), each))


def records(found: TopicPlan, *, by_topic: bool) -> Records:
    """A record for each number; `difference` and `topics` are what it is for."""
    del by_topic
    fields = ("measure", "quantity", "difference", "topics", "value", "deviation", "power", "alpha", "alternative")
    how = (found.power, found.alpha, found.alternative)
    deviations = {spread.measure: spread.deviation for spread in found.spreads}
    return Records(fields, tuple((*row, deviations[row[0]], *how) for row in _rows(found)))


def _rows(found: TopicPlan) -> Iterator[tuple[Any, ...]]:
    for spread in found.spreads:
        for name, value in (("deviation_low", spread.low), ("deviation_high", spread.high)):
            if not isnan(value):
                yield spread.measure, name, None, spread.n_topics, value
    for one in found.needed:
        for name, topics in (
            ("topics_needed", one.topics),
            ("topics_needed_at_most", one.topics_at_most),
            (f"topics_for_{found.n_systems}_systems", one.topics_of_many),
        ):
            if topics is not None:
                yield one.measure, name, one.difference, None, topics
    for measure, width, topics in found.intervals:
        yield measure, "topics_for_interval", width, None, topics
    for showing in found.showing:
        yield showing.measure, "detectable_difference", None, showing.topics, showing.detectable
        yield showing.measure, "significant_difference", None, showing.topics, showing.significant
        yield showing.measure, "interval_width", None, showing.topics, showing.width
        for difference, power in zip(found.differences, showing.powers, strict=True):
            yield showing.measure, "power", difference, showing.topics, power
