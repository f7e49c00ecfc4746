"""The runs of a comparison as a table, each value with the letters of the runs that it is significantly above."""

from collections.abc import Callable
from math import nan
from typing import Final

from irkit._utils.numerals import four_decimals
from irkit.evaluation.summary import Shown, range_of_topics
from irkit.report.text.layout import Cell, Grid, Line, best_marked
from irkit.stats import Comparison

# Without q, which has no raised form in most fonts.
_LETTERS: Final = "abcdefghijklmnoprstuvwxyz"


def has_one(comparison: Comparison) -> bool:
    """Whether the table says more than that of the tests: with several baselines, and no more runs than letters."""
    return _several(comparison) and len(comparison.evaluations) <= len(_LETTERS)


def lacks_letters(comparison: Comparison) -> bool:
    """Whether there would be such a table, were there more letters."""
    return _several(comparison) and not has_one(comparison)


def _several(comparison: Comparison) -> bool:
    return len({test.baseline for test in comparison.tests}) > 1


def title(comparison: Comparison, group: str | None, shown: Shown) -> Line:
    """The title of what is about a group of topics, or about all."""
    numbers = [one.test.n_topics for one in comparison.contrasts if one.group == group]
    name = "all" if group is None else shown(group)
    return Line((f"{name} ({range_of_topics(min(numbers), max(numbers))})",), (), title=True)


def grid(comparison: Comparison, shown: Shown, raised: Callable[[str], str]) -> Grid:
    """A line for each run, by group where there are groups."""
    runs = [evaluation.name for evaluation in comparison.evaluations]
    letters = dict(zip(runs, _LETTERS, strict=False))
    measures = list(dict.fromkeys(one.measure for one in comparison.means))
    groups = list(dict.fromkeys(one.group for one in comparison.contrasts))
    means = {(one.group, one.run, one.measure): one.interval.estimate for one in comparison.means}
    below = _below(comparison)
    sections = []
    for group in groups:
        columns = []
        for measure in measures:
            values = [means.get((group, run, measure), nan) for run in runs]
            marks = [
                raised("".join(letters[one] for one in runs if one in below.get((group, measure, run), ())))
                for run in runs
            ]
            width = max(map(len, marks))
            best = best_marked(list(map(four_decimals, values)), values)
            columns.append(
                [Cell(one.text + mark.ljust(width), one.best) for one, mark in zip(best, marks, strict=True)]
            )
        heading = [title(comparison, group, shown)] if len(groups) > 1 else []
        indent = "  " * len(heading)
        lines = [
            Line((f"{indent}{letters[run]} {shown(run)}",), cells)
            for run, cells in zip(runs, zip(*columns, strict=True), strict=True)
        ]
        sections.append((*heading, *lines))
    return Grid(("run",), tuple(map(shown, measures)), tuple(sections))


def _below(comparison: Comparison) -> dict[tuple[str | None, str, str], set[str]]:
    """The runs that are shown to be below each run, by group and measure."""
    found: dict[tuple[str | None, str, str], set[str]] = {}
    for one in comparison.contrasts:
        test = one.test
        if one.shown and test.mean_difference:
            pair = (test.candidate, test.baseline) if test.mean_difference > 0 else (test.baseline, test.candidate)
            found.setdefault((one.group, test.measure, pair[0]), set()).add(pair[1])
    return found
