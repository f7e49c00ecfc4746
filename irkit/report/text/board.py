"""The runs of a comparison as a table, each value with the letters of the runs that it is significantly above."""

from collections.abc import Callable
from math import nan
from typing import Final

from irkit._utils.numerals import four_decimals
from irkit.evaluation.summary import Shown, range_of_topics
from irkit.report.text.layout import Cell, Grid, Line, best_marked
from irkit.stats import Comparison

# Without q: most fonts have no superscript q.
_LETTERS: Final = "abcdefghijklmnoprstuvwxyz"


def has_table(comparison: Comparison) -> bool:
    """Whether a table of runs adds to that of the tests: several baselines, and no more runs than letters."""
    return _several(comparison) and len(comparison.evaluations) <= len(_LETTERS)


def lacks_letters(comparison: Comparison) -> bool:
    """Whether a table of runs is left out only because there are more runs than letters."""
    return _several(comparison) and not has_table(comparison)


def _several(comparison: Comparison) -> bool:
    return len({test.baseline for test in comparison.tests}) > 1


def title(comparison: Comparison, group: str | None, shown: Shown) -> Line:
    """Title of the lines about a group of topics, or about all topics."""
    numbers = [contrast.test.n_topics for contrast in comparison.contrasts if contrast.group == group]
    name = "all" if group is None else shown(group)
    return Line((f"{name} ({range_of_topics(min(numbers), max(numbers))})",), (), title=True)


def grid(comparison: Comparison, shown: Shown, raised: Callable[[str], str]) -> Grid:
    """Lay out a line for each run, by group if the topics have groups."""
    runs = [evaluation.name for evaluation in comparison.evaluations]
    letters = dict(zip(runs, _LETTERS, strict=False))
    measures = list(dict.fromkeys(mean.measure for mean in comparison.means))
    groups = list(dict.fromkeys(contrast.group for contrast in comparison.contrasts))
    means = {(mean.group, mean.run, mean.measure): mean.interval.estimate for mean in comparison.means}
    below = _below(comparison)
    sections = []
    for group in groups:
        columns = []
        for measure in measures:
            values = [means.get((group, run, measure), nan) for run in runs]
            marks = [
                raised("".join(letters[other] for other in runs if other in below.get((group, measure, run), ())))
                for run in runs
            ]
            width = max(map(len, marks))
            best = best_marked(list(map(four_decimals, values)), values)
            columns.append(
                [Cell(cell.text + mark.ljust(width), cell.best) for cell, mark in zip(best, marks, strict=True)]
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
    """Return the runs significantly below each run, keyed by group, measure and run."""
    below: dict[tuple[str | None, str, str], set[str]] = {}
    for contrast in comparison.contrasts:
        test = contrast.test
        if contrast.shown and test.mean_difference:
            pair = (test.candidate, test.baseline) if test.mean_difference > 0 else (test.baseline, test.candidate)
            below.setdefault((contrast.group, test.measure, pair[0]), set()).add(pair[1])
    return below
