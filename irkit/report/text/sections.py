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

# The module of this package that shows a kind of finding: its `sheet` for people, its `records` for programs.
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
    """What people are shown of a finding.

    Attributes
    ----------
    basis : list of str
        What the numbers are of: topics, rules, what is missing.
    amiss : bool
        Whether the basis, as the notes, is said beside a format that has no place for it.
    explained : list of str
        What the numbers are.
    tables : list of (str, Grid)
        Each with its title.
    notes : list of str
    """

    basis: list[str]
    amiss: bool
    explained: list[str]
    tables: list[tuple[str, Grid]]
    notes: list[str]


def render(finding: Finding, format: str, *, by_topic: bool, screen: TerminalWidth | None) -> str:
    """A finding of one of the kinds in `MODULES` as text, in one of the formats of a comparison."""
    if format == "json":
        from irkit.report.text import json

        return json.text(finding.to_dict())
    module = _module(finding)
    if format in ("csv", "tsv", "jsonl"):
        from irkit.report.text import csv, jsonl

        records: Records = module.records(finding, by_topic=by_topic)
        return jsonl.text(records) if format == "jsonl" else csv.text(records, {"csv": ",", "tsv": "\t"}[format])

    def sheet(shown: Shown) -> Sections:
        made: Sections = module.sheet(finding, shown, by_topic=by_topic)
        return made

    return laid_out(sheet, format, screen)


def laid_out(sheet: Callable[[Shown], Sections], format: str, screen: TerminalWidth | None) -> str:
    """What people are shown, in one of their formats."""
    if format == "markdown":
        return _markdown(sheet)
    if format == "latex":
        return _latex(sheet)
    return _table(sheet, screen or TerminalWidth.standard_output())


def unsaid(finding: Finding) -> list[str]:
    """What records have no place for and their reader must know."""
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
    parts = [markdown.said([*basis, *explained]) + "\n"]
    parts += [f"**{title}**\n\n{markdown.draw([grid], (), ())}" for title, grid in tables]
    return "\n".join([*parts, markdown.said(notes) + "\n"] if notes else parts)


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
            f"there is no report of a {kind}; there are those of Evaluation, Comparison, {', '.join(MODULES)}"
        )
    return import_module(f"irkit.report.text.{MODULES[kind]}")
