"""Evaluations and comparisons as text."""

from collections.abc import Mapping, Sequence
from typing import Final

from irkit.errors import UsageError
from irkit.evaluation import Evaluation, told_apart
from irkit.report import csv, json, markdown, table, trec_eval
from irkit.report.layout import Grid, Shown, blocks, comparison_grid, comparison_head, comparison_notes, grid, head
from irkit.report.table import Screen
from irkit.spelling import instead
from irkit.stats import Comparison, few_topics_note
from irkit.visible import visible

FORMATS: Final = ("table", "markdown", "csv", "json", "trec_eval")
RESULT_FORMATS: Final = ("table", "markdown", "json")
# These have no place for what a reader must know beside the numbers.
WITHOUT_HEAD: Final = ("csv", "trec_eval")

__all__ = ["FORMATS", "RESULT_FORMATS", "Screen", "head", "render", "render_comparison", "render_results", "unsaid"]


def render(
    evaluations: Evaluation | Sequence[Evaluation] | Comparison,
    format: str = "table",
    *,
    by_topic: bool = False,
    groups: Mapping[str, str] | None = None,
    screen: Screen | None = None,
) -> str:
    """The values of one or more runs, or the tests between them, as text.

    Parameters
    ----------
    evaluations : Evaluation, sequence of Evaluation, or Comparison
        Runs of the same name get a number behind it.
    format : {"table", "markdown", "csv", "json", "trec_eval"}
        table and markdown show four decimals and begin with what a reader must know; in each column the best of several
        runs is bold. csv and json have all digits. trec_eval's has no place for groups and comparisons.
    by_topic : bool
        Show each topic before the summary.
    groups : mapping of topic to group, optional
        Show each group of topics too, in the order in which they are first named.
    screen : Screen, optional
        Where a table will be shown; standard output if not given.

    Returns
    -------
    str
        Lines, each with its line end.

    Raises
    ------
    UsageError
        If there is no such format, nothing to show, or the format has no place for it.
    DataError
        If a topic that was evaluated has no group.
    """
    if isinstance(evaluations, Comparison):
        if by_topic or groups is not None:
            raise UsageError("a comparison has no topics or groups to show; render its evaluations")
        return render_comparison(evaluations, format, screen=screen)
    _check_format(format)
    evaluations = told_apart([evaluations] if isinstance(evaluations, Evaluation) else evaluations)
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
    notes = [note] if (note := few_topics_note(evaluations)) else []
    if format == "markdown":
        shown = markdown.shown
        return markdown.draw(grid(evaluations, found, shown), head(evaluations, shown), list(map(shown, notes)))
    screen = screen or Screen.standard_output()
    shown = screen.shown
    return table.draw(grid(evaluations, found, shown), head(evaluations, shown), list(map(shown, notes)), screen)


def unsaid(result: Sequence[Evaluation] | Comparison, format: str) -> list[str]:
    """What this format has no place for and its reader must know, a line each; else nothing.

    That is the head where a run lacks topics, or has unjudged topics or a note; and the notes of a comparison.
    """
    if format not in WITHOUT_HEAD:
        return []
    compared = isinstance(result, Comparison)
    found = result.evaluations if isinstance(result, Comparison) else told_apart(result)
    gaps = any(one.missing or one.unjudged or one.notes for one in found)
    notes = comparison_notes(result, visible) if isinstance(result, Comparison) else []
    return [*(head(found, visible, shared=compared) if gaps else []), *notes]


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
