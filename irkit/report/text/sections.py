"""Reports of more than one table: head, titled tables, notes; the same in every format."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from irkit._utils.visible import visible
from irkit.errors import UsageError
from irkit.evaluation.summary import Shown
from irkit.report.text import table
from irkit.report.text.layout import Grid
from irkit.report.text.records import Records
from irkit.report.text.table import TerminalWidth

if TYPE_CHECKING:
    from irkit.changes import RunDiff
    from irkit.gate import AcceptedBaseline, GateResult
    from irkit.holes import Holes
    from irkit.stats import Reproduction, Similarity, SystemRankings, TopicPlan
    from irkit.tuning import Tuned

Finding: TypeAlias = (
    "Similarity | SystemRankings | Reproduction | TopicPlan | Tuned | RunDiff | Holes | GateResult | AcceptedBaseline"
)

# Module of this package for each kind of result: `sheet` is for people, `records` for programs.
MODULES: Final = {
    "Similarity": "similarity",
    "SystemRankings": "system_rankings",
    "Reproduction": "reproduction",
    "TopicPlan": "topic_plan",
    "Tuned": "tuning",
    "RunDiff": "diff",
    "Holes": "holes",
    "GateResult": "gate",
    "AcceptedBaseline": "accepted",
}


class Sections(NamedTuple):
    """Parts of a report for people.

    Attributes
    ----------
    basis : list of str
        Basis of the numbers: topics, rules, what is missing.
    amiss : bool
        Whether something is missing or wrong, so that formats without a head report the basis beside the result.
    explained : list of str
        Meaning of the numbers.
    tables : list of (str, Grid)
        Titles and tables.
    notes : list of str
    """

    basis: list[str]
    amiss: bool
    explained: list[str]
    tables: list[tuple[str, Grid]]
    notes: list[str]


def render(finding: Finding, format: str, *, by_topic: bool, screen: TerminalWidth | None) -> str:
    """Format a result of a kind in `MODULES`; the formats are those of a comparison."""
    if format == "json":
        from irkit.report.text import json

        return json.text(finding.to_dict())
    module = _module(finding)
    if format in ("csv", "tsv", "jsonl"):
        from irkit.report.text import csv, jsonl

        records: Records = module.records(finding, by_topic=by_topic)
        return jsonl.text(records) if format == "jsonl" else csv.text(records, {"csv": ",", "tsv": "\t"}[format])

    def sheet(shown: Shown) -> Sections:
        sections: Sections = module.sheet(finding, shown, by_topic=by_topic)
        return sections

    return laid_out(sheet, format, screen)


def laid_out(sheet: Callable[[Shown], Sections], format: str, screen: TerminalWidth | None) -> str:
    """Lay out a report for people as a table, Markdown or LaTeX."""
    if format == "markdown":
        return _markdown(sheet)
    if format == "latex":
        return _latex(sheet)
    return _table(sheet, screen or TerminalWidth.standard_output())


def unsaid(finding: Finding) -> list[str]:
    """Return the sentences that readers need and records have no place for."""
    sheet: Sections = _module(finding).sheet(finding, visible, by_topic=False)
    return [*(sheet.basis if sheet.amiss else []), *sheet.notes]


def _table(sheet: Callable[[Shown], Sections], screen: TerminalWidth) -> str:
    basis, _, explained, tables, notes = sheet(screen.shown)
    parts = [_lines([*basis, *explained], screen)]
    parts += [f"{table.wrapped(title, screen)}\n{table.draw([grid], (), (), screen)}" for title, grid in tables]
    return "\n".join(filter(None, [*parts, _lines(notes, screen)]))


def _lines(sentences: Sequence[str], screen: TerminalWidth) -> str:
    return "".join(f"{table.wrapped(sentence, screen)}\n" for sentence in sentences)


def _markdown(sheet: Callable[[Shown], Sections]) -> str:
    from irkit.report.text import markdown

    basis, _, explained, tables, notes = sheet(markdown.shown)
    parts = [markdown.paragraph([*basis, *explained]) + "\n"]
    parts += [f"**{title}**\n\n{markdown.draw([grid], (), ())}" for title, grid in tables]
    return "\n".join([*parts, markdown.paragraph(notes) + "\n"] if notes else parts)


def _latex(sheet: Callable[[Shown], Sections]) -> str:
    from irkit.report.text import latex

    basis, _, explained, titles, notes = sheet(visible)
    grids = [grid for _, grid in sheet(latex.shown).tables]
    tables = [latex.draw([grid], [title], ()) for (title, _), grid in zip(titles, grids, strict=True)]
    comments = ["".join(f"% {sentence}\n" for sentence in sentences) for sentences in ([*basis, *explained], notes)]
    return "\n".join(filter(None, [comments[0], *tables, comments[1]]))


def _module(finding: Finding) -> Any:
    kind = type(finding).__name__
    if kind not in MODULES:
        raise UsageError(
            f"there is no report for {kind}; there are reports for Evaluation, Comparison, {', '.join(MODULES)}"
        )
    return import_module(f"irkit.report.text.{MODULES[kind]}")
