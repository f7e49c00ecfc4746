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


def sheet(plan: TopicPlan, shown: Shown, *, by_topic: bool) -> Sections:
    """Show the basis of the plan, the topics needed, and the differences that numbers of topics can show."""
    del by_topic
    tables = [*_pilot(plan, shown), _needed(plan, shown), *_intervals(plan, shown), _showing(plan, shown)]
    basis = summary.head(plan.pilot, shown, shared=True) if plan.pilot else []
    explained = list(_explained(plan, shown))
    return Sections(basis, summary.amiss(plan.pilot), explained, tables, list(map(shown, plan.notes)))


def _explained(plan: TopicPlan, shown: Shown) -> Iterator[str]:
    side = "two-sided" if plan.alternative == "two-sided" else "one-sided"
    yield f"paired t test of two systems, {side}, alpha {plan.alpha:g}, power {plan.power:g}"
    if plan.in_deviations:
        yield "differences are in standard deviations of the differences over topics (dz)"
    for spread in plan.spreads:
        if spread.n_topics:
            return
        if not plan.in_deviations:
            of = f"{shown(spread.measure)}: " if spread.measure else ""
            yield f"{of}standard deviation of the differences over topics: {spread.deviation:.4g}"


def _labels(plan: TopicPlan) -> tuple[str, ...]:
    return ("measure",) if any(spread.measure for spread in plan.spreads) else ()


def _named(plan: TopicPlan, shown: Shown, measure: str, *others: str) -> tuple[str, ...]:
    return (shown(measure), *others) if _labels(plan) else others


def _pilot(plan: TopicPlan, shown: Shown) -> Iterator[tuple[str, Grid]]:
    lines = tuple(
        Line(
            (shown(spread.measure),),
            (
                *(Cell(four_decimals(value)) for value in (spread.deviation, spread.low, spread.high)),
                Cell(str(spread.n_systems)),
                Cell(str(spread.n_topics)),
            ),
        )
        for spread in plan.spreads
        if spread.n_topics
    )
    if lines:
        columns = ("deviation", "low", "high", "systems", "topics")
        title = "Pilot: standard deviation of the differences over topics, with its 95% interval if they are normal"
        yield title, Grid(("measure",), columns, (lines,))


def _needed(plan: TopicPlan, shown: Shown) -> tuple[str, Grid]:
    pilot = any(needed.topics_at_most is not None for needed in plan.needed)

    def line(needed: TopicsNeeded) -> Line:
        numbers = [*([] if plan.in_deviations else [four_decimals(needed.dz)]), str(needed.topics)]
        if pilot:
            numbers.append("-" if needed.topics_at_most is None else str(needed.topics_at_most))
        if needed.topics_of_many is not None:
            numbers.append(str(needed.topics_of_many))
        return Line(_named(plan, shown, needed.measure, f"{needed.difference:g}"), tuple(map(Cell, numbers)))

    columns = [*([] if plan.in_deviations else ["dz"]), "topics"]
    if pilot:
        columns.append("at most")
    if plan.n_systems is not None:
        columns.append(f"any of {plan.n_systems}")
    title = "Topics needed to find a true difference"
    if plan.n_systems is not None:
        title += f"; between best and worst of {plan.n_systems} systems, by an analysis of variance"
    return title, Grid((*_labels(plan), "difference"), tuple(columns), _sections(plan, map(line, plan.needed)))


def _intervals(plan: TopicPlan, shown: Shown) -> Iterator[tuple[str, Grid]]:
    lines = tuple(
        Line(_named(plan, shown, measure, f"{width:g}"), (Cell(str(topics)),))
        for measure, width, topics in plan.intervals
    )
    if lines:
        title = f"Topics needed for a {1 - plan.alpha:.3g} interval of the mean difference, no wider on average"
        yield title, Grid((*_labels(plan), "width"), ("topics",), (lines,))


def _showing(plan: TopicPlan, shown: Shown) -> tuple[str, Grid]:
    def line(detectable: DetectableDifferences) -> Line:
        numbers = (detectable.detectable, detectable.significant, detectable.width, *detectable.powers)
        cells = tuple(Cell(four_decimals(number)) for number in numbers)
        return Line(_named(plan, shown, detectable.measure, str(detectable.topics)), cells)

    columns = (
        "found",
        "significant",
        "interval",
        *(f"at {difference:g}" for difference in plan.differences),
    )
    title = (
        f"What each number of topics can show: the true difference found with power {plan.power:g}, the smallest "
        "observed one that is significant, the width of the interval, and the power at each difference"
    )
    return title, Grid((*_labels(plan), "topics"), columns, _sections(plan, map(line, plan.showing)))


def _sections(plan: TopicPlan, lines: Iterator[Line]) -> tuple[tuple[Line, ...], ...]:
    """Group the lines by measure, a section for each."""
    every = list(lines)
    each = len(every) // len(plan.spreads)
    return tuple(tuple(every[start : start + each]) for start in range(0, len(every), each))


def records(plan: TopicPlan, *, by_topic: bool) -> Records:
    """Make a record for each number; `difference` and `topics` say what it is for."""
    del by_topic
    fields = ("measure", "quantity", "difference", "topics", "value", "deviation", "power", "alpha", "alternative")
    how = (plan.power, plan.alpha, plan.alternative)
    deviations = {spread.measure: spread.deviation for spread in plan.spreads}
    return Records(fields, tuple((*row, deviations[row[0]], *how) for row in _rows(plan)))


def _rows(plan: TopicPlan) -> Iterator[tuple[Any, ...]]:
    for spread in plan.spreads:
        for name, value in (("deviation_low", spread.low), ("deviation_high", spread.high)):
            if not isnan(value):
                yield spread.measure, name, None, spread.n_topics, value
    for needed in plan.needed:
        for name, topics in (
            ("topics_needed", needed.topics),
            ("topics_needed_at_most", needed.topics_at_most),
            (f"topics_for_{plan.n_systems}_systems", needed.topics_of_many),
        ):
            if topics is not None:
                yield needed.measure, name, needed.difference, None, topics
    for measure, width, topics in plan.intervals:
        yield measure, "topics_for_interval", width, None, topics
    for showing in plan.showing:
        yield showing.measure, "detectable_difference", None, showing.topics, showing.detectable
        yield showing.measure, "significant_difference", None, showing.topics, showing.significant
        yield showing.measure, "interval_width", None, showing.topics, showing.width
        for difference, power in zip(plan.differences, showing.powers, strict=True):
            yield showing.measure, "power", difference, showing.topics, power
