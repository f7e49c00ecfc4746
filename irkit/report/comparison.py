"""What a report says of a comparison, before it has a format."""

from collections.abc import Sequence
from typing import Any

from irkit import heading
from irkit.heading import Shown
from irkit.numerals import four_decimals, shown_pvalue, signed
from irkit.report.layout import Cell, Grid, Line
from irkit.stats import Comparison, PairedTest


def head(comparison: Comparison, shown: Shown = str) -> list[str]:
    """What was averaged and what is missing, as with the runs alone; then what kind of test it is."""
    baseline = _same([test.baseline for test in comparison.tests])
    against = "the baseline" if baseline is None else f"the baseline {shown(baseline)}"
    return [
        *heading.head(comparison.evaluations, shown, shared=True),
        f"{comparison.test}, two-sided; difference: mean of the candidate minus mean of {against}",
    ]


def notes(comparison: Comparison, shown: Shown = str) -> list[str]:
    """What belongs under the table: tests without an ordinary answer, then the notes of the comparison."""
    special = [
        f"{shown(test.measure)}, {shown(test.candidate)} against {shown(test.baseline)}: {test.note}."
        for test in comparison.tests
        if test.note
    ]
    return [*special, *map(shown, comparison.notes)]


def grid(comparison: Comparison, shown: Shown) -> Grid:
    """A line for each test; baseline and number of topics are columns only where they differ."""
    tests = comparison.tests
    several_baselines = _same([test.baseline for test in tests]) is None
    several_sizes = _same([test.n_topics for test in tests]) is None
    labels = ("measure", "candidate", "against") if several_baselines else ("measure", "candidate")

    def line(test: PairedTest) -> Line:
        names = (test.measure, test.candidate, test.baseline) if several_baselines else (test.measure, test.candidate)
        numbers = [
            four_decimals(test.candidate_mean),
            four_decimals(test.baseline_mean),
            signed(test.mean_difference),
            shown_pvalue(test.pvalue),
            f"{test.wins}/{test.ties}/{test.losses}",
        ]
        if several_sizes:
            numbers.append(str(test.n_topics))
        return Line(tuple(map(shown, names)), tuple(map(Cell, numbers)))

    numbers = ("mean", "baseline", "difference", "p", "win/tie/loss", *(("topics",) if several_sizes else ()))
    by_measure: dict[str, list[Line]] = {}
    for test in tests:
        by_measure.setdefault(test.measure, []).append(line(test))
    return Grid(labels, numbers, tuple(map(tuple, by_measure.values())))


def _same(values: Sequence[Any]) -> Any:
    return values[0] if len(set(values)) == 1 else None
