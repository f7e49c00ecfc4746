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

_MOST: Final = 10  # topics named, unless all are requested
_NUMBERS: Final = ("baseline", "now", "change", "allowed", "verdict")


# In capitals for headings.
WORDS: Final = {verdict: word.upper() for verdict, word in VERDICTS.items()}


def sheet(result: GateResult, shown: Shown, *, by_topic: bool, every: bool = False) -> Sections:
    """Show the verdict with its reasons, the checks, and the topics that got worse."""
    basis = [headline(result, shown), *(shown(f"{VERDICTS['not judged']}: {problem}.") for problem in result.problems)]
    if result.evaluation is not None:
        # The notes name topics for which the run returns nothing on purpose.
        basis += summary.head([replace(result.evaluation, missing=result.missing)], shown)
    reasons = [shown(f"{what}: {', '.join(map(str, checks))}: {reason}.") for what, checks, reason in result.reasons]
    listed = [check for check in result.checks if every or _is_listed(check)]
    more = len(result.checks) - len(listed)
    tables = [*_means(listed, shown, more), *_topics_held(listed, shown), *_worse(result, shown, by_topic=by_topic)]
    return Sections(basis, True, reasons, tables, [shown(f"{note[:1].upper()}{note[1:]}.") for note in _notes(result)])


def headline(result: GateResult, shown: Shown) -> str:
    """Format the verdict and its baseline as one line."""
    its = None if result.baseline is None else result.baseline.accepted
    by_whom = "" if its is None else f", accepted by {its.who} at {its.when}: {its.why}"
    if result.verdict == "stale":
        line = f"{result.run} rose by more than it may fall; accept it in the place of {result.place}{by_whom}"
    else:
        line = f"{result.run} held to {result.place}{by_whom}"
    return shown(f"{VERDICTS[result.verdict]}: {line}")


def _notes(result: GateResult) -> Iterator[str]:
    if result.limits is not None and result.checks and not result.problems:
        yield f"allowed: {_allowed(result)}"
    yield from result.notes
    if result.evaluation is not None and not result.problems and not result.worse:
        rose = len({change.topic for change in result.better})
        yield f"no topic got worse, {rose} better" if rose else "no topic got worse or better"


def _allowed(result: GateResult) -> str:
    limits = result.limits
    assert limits is not None
    if limits.non_inferior is not None:
        held = f"a run that a test shows to be not worse by {limits.non_inferior:g} or more (level {limits.level:g})"
    else:
        held = f"a mean may fall by {', '.join(map(str, limits.tolerance)) or 'nothing, without a tolerance'}"
        if limits.only_if_significant:
            corrected = "" if limits.correction == "none" else f", corrected by {limits.correction}"
            held += (
                f", and by more if no test shows the fall ({limits.test}, one-sided, level {limits.level:g}{corrected})"
            )
    for name, what in (
        (limits.topic_floor, "no topic may fall below"),
        (limits.topic_drop, "no topic may lose more than"),
    ):
        if name:
            held += f"; {what} {', '.join(map(str, name))}"
    return held


def _is_listed(check: Check) -> bool:
    """Whether tables show a check: a group or its topics that passed and did not change are left out."""
    if check.verdict != "passed" or check.reason:
        return True
    return check.kind == "mean" and (check.group is None or beyond(abs(check.change), 0.0, check.baseline, check.now))


def _means(checks: Sequence[Check], shown: Shown, more: int) -> Iterator[tuple[str, Grid]]:
    """Lay out the means, and the number of passed checks that are left out."""
    means = [check for check in checks if check.kind == "mean"]
    last = [(Line((f"{counted(more, 'more check')} passed ({option(every=True)})",), (), across=True),)] if more else []
    by_measure: dict[str, list[Check]] = {}
    for mean in means:
        by_measure.setdefault(mean.measure, []).append(mean)
    if not means:
        return
    groups = {mean.group for mean in means}
    if groups != {None}:
        all_topics = next(name for name in ("all", "all groups", "every topic") if name not in groups)
        sections = [
            (
                Line((shown(measure),), (), title=True),
                *(Line((f"  {_topics_of(check, all_topics, shown)}",), _mean_cells(check)) for check in its),
            )
            for measure, its in by_measure.items()
        ]
        yield "Means", Grid(("measure, topics",), _NUMBERS, (*sections, *last))
    else:
        lines = tuple(Line((shown(mean.measure),), _mean_cells(mean)) for mean in means)
        yield f"Means over {counted(means[0].n_topics, 'topic')}", Grid(("measure",), _NUMBERS, (lines, *last))


def _topics_of(check: Check, all_topics: str, shown: Shown) -> str:
    return f"{all_topics if check.group is None else shown(check.group)} ({counted(check.n_topics, 'topic')})"


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
    for check in checks:
        if check.kind != "mean":
            worst = shown(check.topics[0]) if check.verdict == "failed" else MISSING_VALUE
            numbers = tuple(map(four_decimals, (check.baseline, check.now, check.allowed)))
            beyond = str(len(check.topics)) if check.verdict != "not judged" else MISSING_VALUE
            cells = _cells((str(check.n_topics), beyond, *numbers), check)
            lines.append(Line((shown(f"{check.measure}, {check.kind}"), worst), cells))
    if lines:
        columns = ("topics", "beyond", "baseline", "now", "allowed", "verdict")
        yield "Topics one by one", Grid(("measure", "worst"), columns, (tuple(lines),))


def _worse(result: GateResult, shown: Shown, *, by_topic: bool) -> Iterator[tuple[str, Grid]]:
    topics = list(dict.fromkeys(change.topic for change in result.worse))
    if not topics or result.problems:
        return
    named = dict.fromkeys(topics if by_topic else topics[:_MOST])
    rose = {change.topic for change in result.better}
    assert result.evaluation is not None
    which = f"{len(topics)} of {counted(result.evaluation.n_topics, 'topic')} got worse, {len(rose) or 'none'} better"
    if both := len(rose.intersection(topics)):
        which += f", {both} both worse and better, by different measures"
    if len(named) < len(topics):
        which += f"; the {len(named)} that fell most"
    with_text = any(topic in result.texts for topic in named)
    lines = tuple(
        Line(
            (
                shown(change.topic),
                *([shown(result.texts.get(change.topic, ""))] if with_text else []),
                shown(change.measure),
            ),
            tuple(map(Cell, (four_decimals(change.baseline), four_decimals(change.now), signed(change.change)))),
        )
        for change in result.worse
        if change.topic in named
    )
    labels = ("topic", *(["text"] if with_text else []), "measure")
    yield which, Grid(labels, ("baseline", "now", "change"), (lines,))


def worst_topics(result: GateResult, check: Check) -> list[Change]:
    """Return the topics of a check that got worse in its measure, largest fall first."""
    groups = {} if result.baseline is None else result.baseline.groups
    beyond = set(check.topics)
    return sorted(
        (
            change
            for change in result.worse
            if change.measure == check.measure
            and (check.group is None or groups.get(change.topic) == check.group)
            and (check.kind == "mean" or change.topic in beyond)
        ),
        key=lambda change: change.change,
    )


def records(result: GateResult, *, by_topic: bool) -> Records:
    """Make a record for each problem and check, and with `by_topic` for each changed value of a topic."""
    fields = ("run", "against", "kind", "measure", "group", "topic", "n_topics", "verdict", *_NUMBERS[:-1], "reason")
    names = (result.run, result.place)
    rows: list[tuple[Any, ...]] = [
        (*names, "gate", None, None, None, None, "not judged", *[None] * 4, problem) for problem in result.problems
    ]
    for check in result.checks:
        its = check.to_dict()
        numbers = (its["baseline"], its["now"], its["change"], its["allowed"])
        worst = check.topics[0] if check.kind != "mean" and check.verdict == "failed" else None
        rows.append(
            (
                *names,
                check.kind,
                check.measure,
                check.group,
                worst,
                check.n_topics,
                check.verdict,
                *numbers,
                check.reason or None,
            )
        )
    groups = {} if result.baseline is None else result.baseline.groups
    for change in (*result.worse, *result.better) if by_topic else ():
        numbers = (change.baseline, change.now, change.change, None)
        rows.append(
            (*names, "topic", change.measure, groups.get(change.topic), change.topic, None, None, *numbers, None)
        )
    return Records(fields, tuple(rows))
