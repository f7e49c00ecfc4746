"""Report of a check, fault by fault, worst first."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from irkit._utils.options import option, worded
from irkit._utils.text import instead
from irkit.checking import CODES, CheckReport, Code, Finding, Repair, Repaired
from irkit.checking.findings import with_bytes
from irkit.checking.kinds import CALLED
from irkit.errors import UsageError
from irkit.report.text.table import TerminalWidth, wrapped

FORMATS: Final = ("text", "json", "sarif")
_SHOWN: Final = 5  # findings shown of a code in a file, unless all are requested


def render_check(
    report: CheckReport, format: str = "text", *, every: bool = False, screen: TerminalWidth | None = None
) -> str:
    """Format the findings of a check as text, JSON or SARIF."""
    if format == "json":
        from irkit.report.text import json

        return json.text(report.to_dict())
    if format == "sarif":
        from irkit.report.text import json, sarif

        return json.text(sarif.log(report))
    if format != "text":
        raise UsageError(f"unknown format {format!r}; {instead(format, FORMATS)}")
    return "\n".join(_text(report, every, screen or TerminalWidth.standard_output())) + "\n"


def _text(report: CheckReport, every: bool, screen: TerminalWidth) -> Iterator[str]:
    for repaired in report.repaired:
        yield from _repairs(repaired, every, screen)
    unknown = {finding.file for finding in report.findings if finding.code == "unknown-format"}
    for file in report.files:
        holds = f": {file.holds}" if file.holds else ""
        called = CALLED[file.kind] if file.kind != "unknown" or file.name in unknown else "not read"
        yield wrapped(screen.shown(f"{file.name}: {called}{holds}"), screen)
    for code in report.codes:
        yield ""
        yield from _group(CODES[code], [finding for finding in report.findings if finding.code == code], every, screen)
    yield from ("", report.summary)


def _group(code: Code, findings: Sequence[Finding], every: bool, screen: TerminalWidth) -> Iterator[str]:
    """Yield the findings of a code; of each file only the first, unless `every` is set."""
    n = sum(finding.n for finding in findings)
    yield f"{code.severity}: {code.name}" + (f" ({n:,})" if n > 1 else "")
    fixes: dict[str, None] = {}
    for file, group in groupby(findings, key=lambda finding: finding.file):
        its = list(group)
        shown = its if every or len(its) == _SHOWN + 1 else its[:_SHOWN]
        for finding in shown:
            yield _indented(screen.shown(f"{finding.place}: {finding.message}"), screen)
        if (more := sum(finding.n for finding in its) - sum(finding.n for finding in shown)) > 0:
            yield _indented(screen.shown(f"{file}: and {more:,} more; {option(every=True)} shows each"), screen)
        fixes |= dict.fromkeys(finding.fix for finding in shown)
    mended = f" ({option(fix=True)} {worded(code.mended)})" if code.mended else ""
    for fix in fixes:
        yield _indented(screen.shown(f"fix: {fix}{mended}"), screen)


def _repairs(repaired: Repaired, every: bool, screen: TerminalWidth) -> Iterator[str]:
    left = [wrapped(screen.shown(f"left: {repaired.file}: {text}"), screen) for text in repaired.left]
    if not repaired.out:
        yield wrapped(screen.shown(f"{repaired.file}: nothing to repair, and no copy written"), screen)
        yield from (*left, "")
        return
    n = sum(repair.n for repair in repaired.repairs)
    counts = f"{n:,} repair{'s' * (n != 1)}"
    yield wrapped(screen.shown(f"{repaired.file}: {counts}, written to {repaired.out}"), screen)
    for code in dict.fromkeys(repair.code for repair in repaired.repairs):
        its = sorted(
            (repair for repair in repaired.repairs if repair.code == code),
            key=lambda repair: (repair.line is None, repair.line or 0),
        )
        n = sum(repair.n for repair in its)
        yield f"mended: {code}" + (f" ({n:,})" if n > 1 else "")
        shown = its if every or len(its) == _SHOWN + 1 else its[:_SHOWN]
        for repair in shown:
            yield _indented(screen.shown(_change(repair, repaired.file)), screen)
        if (more := n - sum(repair.n for repair in shown)) > 0:
            yield _indented(f"and {more:,} more; {option(every=True)} shows each", screen)
    yield from (*left, "")


def _change(repair: Repair, file: str) -> str:
    if repair.line is None:
        return f"{file}: {repair.was}"
    was = repr(repair.was) if repair.was.strip() else "a blank line"
    becomes = f"becomes {repair.becomes!r}" if repair.becomes else "is left out"
    return f"{file}:{repair.line}: {with_bytes(f'{was} {becomes}')}"


def _indented(text: str, screen: TerminalWidth) -> str:
    if screen.width is None:
        return f"  {text}"
    return textwrap.fill(
        text,
        screen.width,
        initial_indent="  ",
        subsequent_indent="    ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def code_table(screen: TerminalWidth | None = None) -> str:
    """List all codes with their meanings."""
    screen = screen or TerminalWidth.standard_output()
    lines = []
    for about, group in groupby(CODES.values(), key=lambda code: code.about):
        lines += [about.capitalize(), ""]
        for code in group:
            label = f"  {code.name}{' *' if code.mended else ''}"
            lines.append(_labelled(f"{label:<31}{code.severity:<9}", worded(code.meaning), screen))
        lines.append("")
    explain = f"{option(explain='CODE')} says what to do, and what trec_eval does with it."
    lines.append(wrapped(f"* {option(fix=True)} mends it. {explain}", screen))
    return "\n".join(lines) + "\n"


def explained(code: Code, screen: TerminalWidth | None = None) -> str:
    """Format the meaning and remedy of a code, its repair, and what trec_eval does."""
    screen = screen or TerminalWidth.standard_output()
    rows = [
        ("what", worded(code.meaning)),
        ("remedy", worded(code.remedy)),
        (option(fix=True), worded(code.mended) or "leaves it"),
        ("trec_eval", code.trec_eval),
    ]
    lines = [f"{code.name}: {code.severity}, {code.about}", ""]
    lines += [_labelled(f"{label:<11}", text, screen) for label, text in rows]
    return "\n".join(lines) + "\n"


def _labelled(label: str, text: str, screen: TerminalWidth) -> str:
    """Format a text beside its label, wrapped to the width of the screen."""
    if screen.width is None or screen.width < len(label) + 20:
        return label + text
    return textwrap.fill(
        text, screen.width, initial_indent=label, subsequent_indent=" " * len(label), break_on_hyphens=False
    )
