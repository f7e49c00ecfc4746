"""Evaluations and comparisons as text.

Formats, and modules for comparisons, are imported when first used, so that the table of a run appears quickly.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from irkit._utils.text import instead
from irkit._utils.visible import visible
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation, told_apart
from irkit.evaluation.summary import Shown, amiss, head
from irkit.report.text import table
from irkit.report.text.layout import Grid, blocks, grid
from irkit.report.text.table import TerminalWidth

if TYPE_CHECKING:
    from irkit.gate import GateResult
    from irkit.report.text.records import Records
    from irkit.report.text.sections import Finding
    from irkit.stats import Comparison

FORMATS: Final = ("table", "markdown", "latex", "csv", "tsv", "json", "jsonl", "trec_eval")
COMPARISON_FORMATS: Final = tuple(form for form in FORMATS if form != "trec_eval")
GATE_FORMATS: Final = (*COMPARISON_FORMATS, "junit", "github")
RESULT_FORMATS: Final = ("table", "markdown", "json")
# Formats with a record for each value or test. These and trec_eval cannot hold notes and the head.
RECORDS: Final = ("csv", "tsv", "jsonl")
WITHOUT_HEAD: Final = (*RECORDS, "trec_eval")
_OTHERS: Final = ", ".join(COMPARISON_FORMATS)

__all__ = [
    "COMPARISON_FORMATS",
    "FORMATS",
    "GATE_FORMATS",
    "RESULT_FORMATS",
    "TerminalWidth",
    "head",
    "render",
    "render_comparison",
    "render_gate",
    "render_results",
    "unsaid",
]


def render(
    evaluations: "Evaluation | Sequence[Evaluation] | Comparison | Finding",
    format: str = "table",
    *,
    by_topic: bool = False,
    groups: Mapping[str, str] | None = None,
    screen: TerminalWidth | None = None,
) -> str:
    """Format the values of runs, the tests between them, or another result as text.

    Parameters
    ----------
    evaluations : Evaluation or a sequence of it, Comparison, or a finding
        Findings are the results in `irkit.report.text.sections.MODULES`: RunDiff, Holes, GateResult, Similarity,
        Tuned, ... Runs with the same name get a number after it.
    format : {"table", "markdown", "latex", "csv", "tsv", "json", "jsonl", "trec_eval"}
        table, markdown and latex show four decimals and begin with rules, topics and what is missing (in latex as
        comments); the best of several runs is bold in each column. json, csv, tsv and jsonl have all digits: json is
        one object, csv and tsv have a line for each value, jsonl an object. trec_eval cannot hold groups or
        comparisons.
    by_topic : bool
        Show each topic. No effect on SystemRankings, Reproduction and TopicPlan, which have no topics to show, and on
        RunDiff, which holds its own choice of topics.
    groups : mapping of topic to group, optional
        Show each group of topics too, in the order of first appearance.
    screen : TerminalWidth, optional
        Screen for a table; standard output if not given.

    Returns
    -------
    str
        Lines, each with its line end.

    Raises
    ------
    UsageError
        If the format is unknown or cannot hold this result, or there is nothing to show.
    DataError
        If an evaluated topic has no group.
    """
    if not isinstance(evaluations, Evaluation | Sequence):
        from irkit.stats import Comparison

        if not isinstance(evaluations, Comparison):
            return _finding(evaluations, format, by_topic=by_topic, groups=groups, screen=screen)
        if by_topic or groups is not None:
            raise UsageError("a comparison has no topics or groups to show; render its evaluations instead")
        return render_comparison(evaluations, format, screen=screen)
    _check_format(format)
    evaluations = told_apart([evaluations] if isinstance(evaluations, Evaluation) else evaluations)
    if not evaluations:
        raise UsageError("there is no evaluation to show; give at least one")
    if format in RECORDS:
        from irkit.report.text import records

        return _written(records.evaluations(evaluations, by_topic=by_topic, groups=groups), format)
    if format == "json":
        from irkit.report.text import json

        return json.evaluations(evaluations, by_topic=by_topic, groups=groups)
    if format == "trec_eval":
        if groups is not None:
            raise UsageError(f"trec_eval's layout has no place for groups; choose one of {_OTHERS}")
        if any(evaluation.bounds for evaluation in evaluations):
            raise UsageError(f"trec_eval's layout has no place for bounds; choose one of {_OTHERS}")
        from irkit.report.text import trec_eval

        return trec_eval.evaluations(evaluations, by_topic=by_topic)
    parts = blocks(evaluations, by_topic=by_topic, groups=groups)
    notes = _notes(evaluations)
    if format == "markdown":
        from irkit.report.text import markdown

        shown = markdown.shown
        return markdown.draw([grid(evaluations, parts, shown)], head(evaluations, shown), list(map(shown, notes)))
    if format == "latex":
        from irkit.report.text import latex

        return latex.draw([grid(evaluations, parts, latex.shown)], head(evaluations, visible), notes)
    screen = screen or TerminalWidth.standard_output()
    shown = screen.shown
    return table.draw([grid(evaluations, parts, shown)], head(evaluations, shown), list(map(shown, notes)), screen)


def _finding(
    finding: "Finding",
    format: str,
    *,
    by_topic: bool,
    groups: Mapping[str, str] | None,
    screen: TerminalWidth | None,
) -> str:
    """Format a result other than an evaluation or a comparison; the formats are those of a comparison."""
    from irkit.report.text import sections

    _check_format(format)
    if format == "trec_eval":
        raise UsageError(f"trec_eval's layout has no place for this result; choose one of {_OTHERS}")
    if groups is not None:
        raise UsageError("this result has no groups to show; render its evaluations")
    return sections.render(finding, format, by_topic=by_topic, screen=screen)


def unsaid(result: "Sequence[Evaluation] | Comparison | Finding", format: str) -> list[str]:
    """Return the lines that readers need and this format cannot hold.

    These are the head if something is missing or wrong, and the notes of every result but evaluations.
    """
    if format not in WITHOUT_HEAD:
        return []
    if isinstance(result, Sequence):
        evaluations, shared, notes = told_apart(result), False, []
    else:
        from irkit.report.text import comparison, sections
        from irkit.stats import Comparison

        if not isinstance(result, Comparison):
            return sections.unsaid(result)
        evaluations, shared, notes = result.evaluations, True, comparison.notes(result, visible)
    return [*(head(evaluations, visible, shared=shared) if amiss(evaluations) else []), *notes]


def render_comparison(comparison: "Comparison", format: str = "table", *, screen: TerminalWidth | None = None) -> str:
    """Format the tests between runs; all formats but trec_eval are possible.

    Raises
    ------
    UsageError
        If the format is unknown, or trec_eval, which cannot hold tests.
    """
    _check_format(format)
    if format == "trec_eval":
        raise UsageError(f"trec_eval's layout has no place for a comparison; choose one of {_OTHERS}")
    if format in RECORDS:
        from irkit.report.text import records

        return _written(records.comparison(comparison), format)
    if format == "json":
        from irkit.report.text import json

        return json.comparison(comparison)
    if format == "markdown":
        from irkit.report.text import markdown

        return markdown.draw(*_compared(comparison, markdown.shown, markdown.raised))
    if format == "latex":
        from irkit.report.text import latex

        tables, _, _ = _compared(comparison, latex.shown, latex.raised)
        _, before, after = _compared(comparison, visible, str)
        return latex.draw(tables, before, after)
    screen = screen or TerminalWidth.standard_output()
    return table.draw(*_compared(comparison, screen.shown, screen.raised), screen)


def render_gate(
    result: "GateResult",
    format: str = "table",
    *,
    by_topic: bool = False,
    every: bool = False,
    screen: TerminalWidth | None = None,
) -> str:
    """Format the result of a gate like a comparison, as JUnit XML, or as annotations of a GitHub workflow.

    Tables give only the number of groups that passed and did not change, unless `every` is true.

    Raises
    ------
    UsageError
        If the format is unknown.
    """
    if format not in GATE_FORMATS:
        raise UsageError(f"unknown format {format!r}; {instead(format, GATE_FORMATS)}")
    if format == "junit":
        from irkit.report.text import junit

        return junit.gate(result)
    if format == "github":
        from irkit.report.text import workflow

        return workflow.gate(result)
    if format not in ("table", "markdown", "latex"):
        return render(result, format, by_topic=by_topic)
    from irkit.report.text import gate, sections

    text = sections.laid_out(lambda shown: gate.sheet(result, shown, by_topic=by_topic, every=every), format, screen)
    return f"## irkit gate: {gate.WORDS[result.verdict]}\n\n{text}" if format == "markdown" else text


def render_results(
    evaluations: Sequence[Evaluation],
    comparisons: "Sequence[Comparison]",
    format: str = "table",
    *,
    groups: Mapping[str, str] | None = None,
) -> str:
    """Format the results of an experiment: its evaluations, then its comparisons.

    json is one object with both, including the values of each topic.

    Raises
    ------
    UsageError
        If the format is not table, markdown or json.
    """
    if format not in RESULT_FORMATS:
        raise UsageError(f"unknown format {format!r} of an experiment's results; {instead(format, RESULT_FORMATS)}")
    if format == "json":
        from irkit.report.text import json

        return json.results(evaluations, comparisons, groups=groups)
    parts = [
        render(evaluations, format, groups=groups),
        *(render_comparison(comparison, format) for comparison in comparisons),
    ]
    return "\n".join(parts)


def _written(records: "Records", format: str) -> str:
    if format == "jsonl":
        from irkit.report.text import jsonl

        return jsonl.text(records)
    from irkit.report.text import csv

    return csv.text(records, {"csv": ",", "tsv": "\t"}[format])


def _compared(
    compared: "Comparison", shown: Shown, raised: Callable[[str], str]
) -> tuple[list[Grid], list[str], list[str]]:
    from irkit.report.text import comparison

    return (
        comparison.grids(compared, shown, raised),
        comparison.head(compared, shown),
        comparison.notes(compared, shown),
    )


def _notes(evaluations: Sequence[Evaluation]) -> list[str]:
    if len(evaluations) == 1:  # a single run is not ranked
        return []
    from irkit.stats import few_topics_note

    return [note] if (note := few_topics_note(evaluations)) else []


def _check_format(format: str) -> None:
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}; {instead(format, FORMATS)}")
