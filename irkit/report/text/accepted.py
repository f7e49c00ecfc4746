"""Report of an accepted baseline."""

from collections.abc import Iterator
from math import isnan, nan

from irkit._utils.numerals import four_decimals, signed
from irkit._utils.text import counted
from irkit.evaluation.summary import Shown, some
from irkit.gate.acceptance import AcceptedBaseline
from irkit.gate.baseline import means_of
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import Records
from irkit.report.text.sections import Sections


def sheet(accepted: AcceptedBaseline, shown: Shown, *, by_topic: bool) -> Sections:
    """Show who accepted the baseline and why, and each mean before and now."""
    del by_topic
    its, empty = accepted.baseline.accepted, accepted.baseline.evaluation.missing
    basis = [shown(f"{accepted.baseline.name}: accepted by {its.who} at {its.when}: {its.why}")]
    if its.dirty:
        basis.append(shown(f"not as committed: {some(its.dirty)}"))
    columns = ("now",) if accepted.before is None else ("before", "now", "change")
    lines = tuple(
        Line((shown(measure),), tuple(map(Cell, texts[1:2] if accepted.before is None else texts)))
        for measure, before, now in moves(accepted)
        for texts in [(four_decimals(before), four_decimals(now), signed(now - before))]
    )
    title = f"Means over {counted(accepted.baseline.evaluation.n_topics, 'topic')}"
    return Sections(
        basis,
        True,
        [shown(f"{reason[:1].upper()}{reason[1:]}.") for reason in _worse(accepted)],
        [(title, Grid(("measure",), columns, (lines,)))],
        [shown(f"Nothing is returned on purpose for {counted(len(empty), 'topic')}: {some(empty)}.")] if empty else [],
    )


def _worse(accepted: AcceptedBaseline) -> Iterator[str]:
    """Yield the problems and failed checks against the previous baseline."""
    if accepted.moved is not None:
        yield from (f"cannot be held against the baseline before: {problem}" for problem in accepted.moved.problems)
        for what, checks, reason in accepted.moved.reasons:
            if checks[0].stale and checks[0].verdict == "passed":  # no longer stale, because it is accepted now
                continue
            yield f"{what}: {', '.join(map(str, checks))}: {reason}"


def moves(accepted: AcceptedBaseline) -> list[tuple[str, float, float]]:
    """Return each measure with its mean before (nan if there was none) and now."""
    before = {} if accepted.before is None else means_of(accepted.before.evaluation)
    now = means_of(accepted.baseline.evaluation)
    return [(name, _number(before.get(name)), _number(now[name])) for name in now]


def _number(value: float | None) -> float:
    return nan if value is None else value


def records(accepted: AcceptedBaseline, *, by_topic: bool) -> Records:
    """Make a record for each measure."""
    del by_topic
    its = accepted.baseline.accepted
    fields = ("baseline", "measure", "before", "now", "who", "when", "why")
    rows = (
        (accepted.baseline.name, name, None if isnan(before) else before, now, its.who, its.when, its.why)
        for name, before, now in moves(accepted)
    )
    return Records(fields, tuple(rows))
