"""Evaluations and comparisons as text."""

from collections.abc import Mapping, Sequence
from typing import Final

from irkit.errors import UsageError
from irkit.evaluation import Evaluation
from irkit.report import csv, json, markdown, table, trec_eval
from irkit.report.layout import Grid, Shown, blocks, comparison_grid, comparison_head, comparison_notes, grid, head
from irkit.report.table import Screen
from irkit.spelling import instead
from irkit.stats import Comparison

FORMATS: Final = ("table", "markdown", "csv", "json", "trec_eval")
RESULT_FORMATS: Final = ("table", "markdown", "json")

__all__ = ["FORMATS", "RESULT_FORMATS", "Screen", "head", "render", "render_comparison", "render_results"]


def render(
    evaluations: Sequence[Evaluation],
    format: str = "table",
    *,
    by_topic: bool = False,
    groups: Mapping[str, str] | None = None,
    screen: Screen | None = None,
) -> str:
    """The values of one or more runs.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        One at least.
    format : {"table", "markdown", "csv", "json", "trec_eval"}
        table and markdown show four decimals and begin with what a reader must know; in each column the best of several
        runs is bold. csv and json have all digits.
    by_topic : bool
        Show each topic before the summary.
    groups : mapping of topic to group, optional
        Show each group of topics too, in the order in which they are first named.
    screen : Screen, optional
        Where a table will be shown; standard output if not given.

    Raises
    ------
    UsageError
        If there is no such format, nothing to show, or the format has no place for groups.
    DataError
        If a topic that was evaluated has no group.
    """
    _check_format(format)
    if not evaluations:
        raise UsageError("there is no evaluation to show; give one at least")
    if format == "csv":
        return csv.evaluations(evaluations, by_topic=by_topic, groups=groups)
    if format == "json":
        return json.evaluations(evaluations, by_topic=by_topic, groups=groups)
    if format == "trec_eval":
        if groups is not None:
            raise UsageError("trec_eval's layout has no place for groups; choose table, markdown, csv or json")
        return trec_eval.evaluations(evaluations, by_topic=by_topic)
    found = blocks(evaluations, by_topic=by_topic, groups=groups)
    if format == "markdown":
        return markdown.draw(grid(evaluations, found, markdown.shown), head(evaluations, markdown.shown), [])
    screen = screen or Screen.standard_output()
    return table.draw(grid(evaluations, found, screen.shown), head(evaluations, screen.shown), [], screen)


def render_comparison(comparison: Comparison, format: str = "table", *, screen: Screen | None = None) -> str:
    """The tests between runs, in the same formats but trec_eval's.

    Raises
    ------
    UsageError
        If there is no such format, or it is trec_eval's, which has no place for tests.
    """
    _check_format(format)
    if format == "trec_eval":
        raise UsageError("trec_eval's layout has no place for a comparison; choose table, markdown, csv or json")
    if format == "csv":
        return csv.comparison(comparison)
    if format == "json":
        return json.comparison(comparison)
    if format == "markdown":
        return markdown.draw(*_compared(comparison, markdown.shown))
    screen = screen or Screen.standard_output()
    return table.draw(*_compared(comparison, screen.shown), screen)


def render_results(
    evaluations: Sequence[Evaluation],
    comparisons: Sequence[Comparison],
    format: str = "table",
    *,
    groups: Mapping[str, str] | None = None,
) -> str:
    """All that an experiment found: its evaluations, then its comparisons.

    json is one object with both, and the values of each topic.

    Raises
    ------
    UsageError
        If the format is none of table, markdown and json.
    """
    if format not in RESULT_FORMATS:
        raise UsageError(f"unknown format {format!r} of an experiment's results; {instead(format, RESULT_FORMATS)}")
    if format == "json":
        return json.results(evaluations, comparisons, groups=groups)
    parts = [render(evaluations, format, groups=groups), *(render_comparison(one, format) for one in comparisons)]
    return "\n".join(parts)


def _compared(comparison: Comparison, shown: Shown) -> tuple[Grid, list[str], list[str]]:
    return comparison_grid(comparison, shown), comparison_head(comparison, shown), comparison_notes(comparison, shown)


def _check_format(format: str) -> None:
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}; {instead(format, FORMATS)}")
