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


def sheet(found: AcceptedBaseline, shown: Shown, *, by_topic: bool) -> Sections:
    """Who accepted it and why, and each mean as it was and is."""
    del by_topic
    its, empty = found.baseline.accepted, found.baseline.evaluation.missing
    basis = [shown(f"{found.baseline.name}: accepted by {its.who} at {its.when}: {its.why}")]
    if its.dirty:
        basis.append(shown(f"not as committed: {some(its.dirty)}"))
    columns = ("now",) if found.before is None else ("before", "now", "change")
    lines = tuple(
        Line((shown(measure),), tuple(map(Cell, texts[1:2] if found.before is None else texts)))
        for measure, before, now in moves(found)
        for texts in [(four_decimals(before), four_decimals(now), signed(now - before))]
    )
    title = f"Means over {counted(found.baseline.evaluation.n_topics, 'topic')}"
    return Sections(
        basis,
        True,
        [shown(f"{one[:1].upper()}{one[1:]}.") for one in _worse(found)],
        [(title, Grid(("measure",), columns, (lines,)))],
        [shown(f"Nothing is returned on purpose for {counted(len(empty), 'topic')}: {some(empty)}.")] if empty else [],
    )


def _worse(found: AcceptedBaseline) -> Iterator[str]:
    """What the baseline before would not have let pass."""
    if found.moved is not None:
        yield from (f"cannot be held against the baseline before: {problem}" for problem in found.moved.problems)
        for what, checks, reason in found.moved.reasons:
            if checks[0].stale and checks[0].verdict == "passed":  # which accepting it has mended
                continue
            yield f"{what}: {', '.join(map(str, checks))}: {reason}"


def moves(found: AcceptedBaseline) -> list[tuple[str, float, float]]:
    """Each measure with its mean before, nan where there was none, and now."""
    before = {} if found.before is None else means_of(found.before.evaluation)
    now = means_of(found.baseline.evaluation)
    return [(name, _number(before.get(name)), _number(now[name])) for name in now]


def _number(value: float | None) -> float:
    return nan if value is None else value


def records(found: AcceptedBaseline, *, by_topic: bool) -> Records:
    """A record for each measure."""
    del by_topic
    its = found.baseline.accepted
    fields = ("baseline", "measure", "before", "now", "who", "when", "why")
    rows = (
        (found.baseline.name, name, None if isnan(before) else before, now, its.who, its.when, its.why)
        for name, before, now in moves(found)
    )
    return Records(fields, tuple(rows))
