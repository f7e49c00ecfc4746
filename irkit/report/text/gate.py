"""Report of the gate."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from typing import Any, Final

from irkit._utils.numerals import MISSING_VALUE, four_decimals, signed
from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown
from irkit.gate.checks import VERDICTS, Change, Check, beyond, told_apart
from irkit.gate.result import GateResult
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import Records
from irkit.report.text.sections import Sections

_MOST: Final = 10  # topics that are named where not all are asked for
_NUMBERS: Final = ("baseline", "now", "change", "allowed", "verdict")


# In capitals, as a heading has them.
WORDS: Final = {verdict: word.upper() for verdict, word in VERDICTS.items()}


def sheet(found: GateResult, shown: Shown, *, by_topic: bool, every: bool = False) -> Sections:
    """The verdict and its reasons, the checks, the topics that got worse."""
    basis = [headline(found, shown), *(shown(f"{VERDICTS['not judged']}: {problem}.") for problem in found.problems)]
    if found.evaluation is not None:
        # What is empty on purpose is in the notes.
        basis += summary.head([replace(found.evaluation, missing=found.missing)], shown)
    said = [shown(f"{what}: {', '.join(map(str, checks))}: {reason}.") for what, checks, reason in found.reasons]
    told = [one for one in found.checks if every or _is_told(one)]
    more = len(found.checks) - len(told)
    tables = [*_means(told, shown, more), *_topics_held(told, shown), *_worse(found, shown, by_topic=by_topic)]
    return Sections(basis, True, said, tables, [shown(f"{note[:1].upper()}{note[1:]}.") for note in _notes(found)])


def headline(found: GateResult, shown: Shown) -> str:
    """The verdict in a line, and which baseline it is about."""
    its = None if found.baseline is None else found.baseline.accepted
    by_whom = "" if its is None else f", accepted by {its.who} at {its.when}: {its.why}"
    if found.verdict == "stale":
        line = f"{found.run} rose by more than it may fall; accept it in the place of {found.place}{by_whom}"
    else:
        line = f"{found.run} held to {found.place}{by_whom}"
    return shown(f"{VERDICTS[found.verdict]}: {line}")


def _notes(found: GateResult) -> Iterator[str]:
    if found.limits is not None and found.checks and not found.problems:
        yield f"allowed: {_allowed(found)}"
    yield from found.notes
    if found.evaluation is not None and not found.problems and not found.worse:
        rose = len({one.topic for one in found.better})
        yield f"no topic got worse, {rose} better" if rose else "no topic got worse or better"


def _allowed(found: GateResult) -> str:
    limits = found.limits
    assert limits is not None
    if limits.non_inferior is not None:
        held = f"what a test shows not to be worse by {limits.non_inferior:g} or more (level {limits.level:g})"
    else:
        held = f"a mean may fall by {', '.join(map(str, limits.tolerance)) or 'nothing that was said'}"
        if limits.only_if_significant:
            corrected = "" if limits.correction == "none" else f", corrected by {limits.correction}"
            held += (
                f", and farther where no test shows it ({limits.test}, one-sided, level {limits.level:g}{corrected})"
            )
    for name, what in (
        (limits.topic_floor, "no topic may fall below"),
        (limits.topic_drop, "no topic may lose more than"),
    ):
        if name:
            held += f"; {what} {', '.join(map(str, name))}"
    return held


def _is_told(check: Check) -> bool:
    """Whether people should see the check: not where a group or its topics passed, and nothing moved."""
    if check.verdict != "passed" or check.reason:
        return True
    return check.kind == "mean" and (check.group is None or beyond(abs(check.change), 0.0, check.baseline, check.now))


def _means(checks: Sequence[Check], shown: Shown, more: int) -> Iterator[tuple[str, Grid]]:
    """The means, and how many checks more passed."""
    means = [one for one in checks if one.kind == "mean"]
    last = [(Line((f"{counted(more, 'more check')} passed ({option(every=True)})",), (), across=True),)] if more else []
    by_measure: dict[str, list[Check]] = {}
    for one in means:
        by_measure.setdefault(one.measure, []).append(one)
    if not means:
        return
    groups = {one.group for one in means}
    if groups != {None}:
        whole = next(name for name in ("all", "all groups", "every topic") if name not in groups)
        sections = [
            (
                Line((shown(measure),), (), title=True),
                *(Line((f"  {_topics_of(one, whole, shown)}",), _mean_cells(one)) for one in its),
            )
            for measure, its in by_measure.items()
        ]
        yield "Means", Grid(("measure, topics",), _NUMBERS, (*sections, *last))
    else:
        lines = tuple(Line((shown(one.measure),), _mean_cells(one)) for one in means)
        yield f"Means over {counted(means[0].n_topics, 'topic')}", Grid(("measure",), _NUMBERS, (lines, *last))


def _topics_of(check: Check, whole: str, shown: Shown) -> str:
    return f"{whole if check.group is None else shown(check.group)} ({counted(check.n_topics, 'topic')})"


def _mean_cells(check: Check) -> tuple[Cell, ...]:
    change, allowed = signed(check.change), four_decimals(check.allowed)
    if not isnan(check.allowed) and not isnan(check.change) and check.verdict == "failed":
        drop, allowed = told_apart(-check.change, check.allowed)
        change = f"-{drop}"
    return _cells((four_decimals(check.baseline), four_decimals(check.now), change, allowed), check)


def _cells(texts: tuple[str, ...], check: Check) -> tuple[Cell, ...]:
    return (*map(Cell, texts), Cell(VERDICTS[check.verdict], best=check.verdict != "passed"))


def _topics_held(checks: Sequence[Check], shown: Shown) -> Iterator[tuple[str, Grid]]:
    lines = []
    for one in checks:
        if one.kind != "mean":
            worst = shown(one.topics[0]) if one.verdict == "failed" else MISSING_VALUE
            numbers = tuple(map(four_decimals, (one.baseline, one.now, one.allowed)))
            beyond = str(len(one.topics)) if one.verdict != "not judged" else MISSING_VALUE
            cells = _cells((str(one.n_topics), beyond, *numbers), one)
            lines.append(Line((shown(f"{one.measure}, {one.kind}"), worst), cells))
    if lines:
        columns = ("topics", "beyond", "baseline", "now", "allowed", "verdict")
        yield "Topics one by one", Grid(("measure", "worst"), columns, (tuple(lines),))


def _worse(found: GateResult, shown: Shown, *, by_topic: bool) -> Iterator[tuple[str, Grid]]:
    topics = list(dict.fromkeys(one.topic for one in found.worse))
    if not topics or found.problems:
        return
    named = dict.fromkeys(topics if by_topic else topics[:_MOST])
    rose = {one.topic for one in found.better}
    assert found.evaluation is not None
    which = f"{len(topics)} of {counted(found.evaluation.n_topics, 'topic')} got worse, {len(rose) or 'none'} better"
    if both := len(rose.intersection(topics)):
        which += f", {both} of them both, by different measures"
    if len(named) < len(topics):
        which += f"; the {len(named)} that fell most"
    with_text = any(topic in found.texts for topic in named)
    lines = tuple(
        Line(
            (shown(one.topic), *([shown(found.texts.get(one.topic, ""))] if with_text else []), shown(one.measure)),
            tuple(map(Cell, (four_decimals(one.baseline), four_decimals(one.now), signed(one.change)))),
        )
        for one in found.worse
        if one.topic in named
    )
    labels = ("topic", *(["text"] if with_text else []), "measure")
    yield which, Grid(labels, ("baseline", "now", "change"), (lines,))


def worst_topics(found: GateResult, check: Check) -> list[Change]:
    """The topics of a check that got worse in its measure, those that fell most first."""
    groups = {} if found.baseline is None else found.baseline.groups
    beyond = set(check.topics)
    return sorted(
        (
            one
            for one in found.worse
            if one.measure == check.measure
            and (check.group is None or groups.get(one.topic) == check.group)
            and (check.kind == "mean" or one.topic in beyond)
        ),
        key=lambda one: one.change,
    )


def records(found: GateResult, *, by_topic: bool) -> Records:
    """A record for each problem and check, and for each value of a topic that changed where topics are asked for."""
    fields = ("run", "against", "kind", "measure", "group", "topic", "n_topics", "verdict", *_NUMBERS[:-1], "reason")
    names = (found.run, found.place)
    rows: list[tuple[Any, ...]] = [
        (*names, "gate", None, None, None, None, "not judged", *[None] * 4, problem) for problem in found.problems
    ]
    for one in found.checks:
        its = one.to_dict()
        numbers = (its["baseline"], its["now"], its["change"], its["allowed"])
        worst = one.topics[0] if one.kind != "mean" and one.verdict == "failed" else None
        rows.append(
            (*names, one.kind, one.measure, one.group, worst, one.n_topics, one.verdict, *numbers, one.reason or None)
        )
    groups = {} if found.baseline is None else found.baseline.groups
    for change in (*found.worse, *found.better) if by_topic else ():
        numbers = (change.baseline, change.now, change.change, None)
        rows.append(
            (*names, "topic", change.measure, groups.get(change.topic), change.topic, None, None, *numbers, None)
        )
    return Records(fields, tuple(rows))
