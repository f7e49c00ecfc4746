"""Compare a run with its baseline."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypedDict, Unpack

from irkit._utils.options import worded
from irkit._utils.text import instead
from irkit.data.runs import Run, RunSource, name_of
from irkit.data.topic_subsets import TopicList
from irkit.errors import IrkitError, UsageError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator, Measures
from irkit.files.textio import shown
from irkit.gate.baseline import Baseline, BaselineSource
from irkit.gate.baseline_file import baseline_of
from irkit.gate.checks import Check, mean_check, topic_check
from irkit.gate.comparable import (
    abstentions,
    measures_looked_at,
    other_conventions,
    other_judgments,
    same_run,
    topics_given,
)
from irkit.gate.digests import judgments_digest
from irkit.gate.limit import Written
from irkit.gate.limits import Limits
from irkit.gate.result import GateResult
from irkit.judged.kinds import JudgmentsSource
from irkit.judged.no_overlap import NOTHING_JUDGED, read_already
from irkit.rules import AverageOver, NoRelevant, Rules, Ties, rules_named
from irkit.stats import Contrast, compare
from irkit.stats.paired.skew_notes import rare_note

_WHOLE: Final = "make the run whole, or say that it returns nothing there on purpose ({may_abstain=True})"
_MEANINGLESS: Final = f"{NOTHING_JUDGED}, so that its values say nothing; look at the document ids"
_STALE: Final = "a drop from where the run is now could hide: accept it as the baseline ({accept_baseline})"


class Options(TypedDict, total=False):
    """Limits as `irkit.gate.Limits` has them, and conventions as `irkit.evaluate` takes them."""

    tolerance: Written | Sequence[Written]
    topic_floor: Written | Sequence[Written]
    topic_drop: Written | Sequence[Written]
    only_if_significant: bool
    non_inferior: float | None
    test: str
    correction: str
    level: float
    fail_if_stale: bool
    average: AverageOver
    no_relevant: NoRelevant
    ties: Ties
    fractional: bool
    collapse: str | None
    collapse_by: str
    collapse_at: str
    drop_self: bool
    match_topics: str | None
    rules: str | Rules


def divided(options: Mapping[str, Any], others: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split options into limits and conventions; `others` are further valid names."""
    if unknown := sorted(options.keys() - Options.__annotations__.keys()):
        known = [*Options.__annotations__, *others]
        raise UsageError(f"there is no option {unknown[0]!r}; {instead(unknown[0], known)}")
    limits = {name: value for name, value in options.items() if name in Limits.__slots__}
    conventions = {name: value for name, value in options.items() if name not in limits}
    if "rules" in conventions:
        conventions["rules"] = str(rules_named(conventions["rules"]))
    return limits, conventions


def check_regression(
    *,
    run: RunSource,
    qrels: JudgmentsSource,
    baseline: BaselineSource,
    topics: "TopicList | None" = None,
    by: str | None = None,
    measures: Measures | None = None,
    may_abstain: bool = False,
    name: str | None = None,
    **options: Unpack[Options],
) -> GateResult:
    """Whether a run is as good as its baseline says, within the limits that the baseline sets.

    What is not named here is as in the baseline. Whatever keeps the gate from judging is in the result, which then has
    not passed: a file that cannot be read, other judgments, topics or conventions, a topic missing from the run.

    Parameters
    ----------
    run, qrels, name
        As `irkit.evaluate` takes them.
    baseline : path or Baseline
        What `accept_baseline` wrote.
    topics : path, Topics, or what else `irkit.evaluate` takes, optional
        Held to be the same as in the baseline, and their texts are shown; needed where the baseline averages over
        topics of a file.
    by : str, optional
        The field whose values are the groups of topics; held to be the one of the baseline.
    measures : iterable of str or Measure, optional
        Those to look at, of the baseline's.
    may_abstain : bool
        A topic that the run lacks is an empty ranking, on purpose, and scored as such. Those for which the accepted run
        returned nothing may be empty in any case.
    **options
        Limits in the place of the baseline's (`irkit.gate.Limits`), given as text or number: `tolerance=0.01`,
        `tolerance=["nDCG@10=2%", "paraphrase:0.05"]`, `topic_floor`, `topic_drop`, `only_if_significant`,
        `non_inferior`, `test`, `correction`, `level`, `fail_if_stale`. Conventions (`average`, `no_relevant`, `ties`,
        `collapse`, `rules` ...) are held to be those of the baseline.

    Returns
    -------
    GateResult

    Raises
    ------
    UsageError
        If a limit or a convention is none, or is for a measure or a group that there is not.
    """
    limits_given, conventions_given = divided(options, ("topics", "by", "measures", "may_abstain", "name"))
    if not isinstance(baseline, Baseline | str | os.PathLike):
        raise UsageError(
            f"baseline is the path of what accept_baseline wrote, or a Baseline, not a {type(baseline).__name__}"
        )
    place = baseline.name if isinstance(baseline, Baseline) else shown(baseline)
    called = name_of(run, name)
    try:
        held = baseline_of(baseline)
    except UsageError:
        raise
    except IrkitError as problem:
        return GateResult(called, place, problems=(str(problem),))
    limits, notes = held.limits.changed(limits_given, held.group_names)
    limits.check(held.evaluation, held.group_names)
    problems = other_conventions(held, conventions_given)
    looked_at, other = measures_looked_at(held, measures, notes)
    problems += other
    if by is not None and by != held.field:
        has = f"by {held.field!r}" if held.field else "in no groups"
        problems.append(f"groups: the baseline has its topics {has}, not by {by!r}; accept a baseline with them")
    listed, other = topics_given(held, topics)
    problems += other
    texts = {} if listed is None else {topic.id: topic.text for topic in listed if topic.text}
    result = GateResult(called, place, (), tuple(problems), tuple(notes), (), texts, held, None, limits)
    if problems:  # under other conventions the run has other values, which say nothing here
        return result
    try:
        if read_already(run):
            run = Run.of(run, name)
        scorer = Evaluator(
            qrels,
            held.evaluation.measures,
            **held.conventions,
            topics=listed if held.conventions["average"] == "topics" else None,
        )
        now = replace(scorer.evaluate(run, name), conventions=held.evaluation.conventions)
        problems += other_judgments(held, judgments_digest(scorer.judgments), now)
        notes += same_run(held, run)
    except IrkitError as problem:
        return replace(result, problems=(str(problem),))
    known = set(held.evaluation.missing)
    missing = () if may_abstain else tuple(one for one in now.missing if one not in known)
    notes += abstentions(held, now, may_abstain=may_abstain)
    notes += [worded(_WHOLE)] * bool(missing)
    result = replace(result, problems=tuple(problems), notes=tuple(notes), missing=missing, evaluation=now)
    if problems:
        return replace(result, checks=tuple(_not_judged(held, looked_at, now)))
    contrasts = _contrasts(held, now, looked_at, limits)
    checks = _checks(held, now, looked_at, limits, missing, contrasts)
    if now.nothing_judged:
        checks = [
            check if check.verdict == "failed" else replace(check, verdict="not judged", reason=_MEANINGLESS)
            for check in checks
        ]
    notes += _cannot_fall(checks, limits)
    notes += _rarely_seen(contrasts)
    # Nobody is told to accept a run of which something else got worse, or is not known.
    if {one.verdict for one in checks} <= {"passed", "stale"} and any(one.stale for one in checks):
        checks = [replace(one, reason=f"{one.reason}: accept the run") if one.stale else one for one in checks]
        notes.append(worded(_STALE))
    return replace(result, checks=tuple(checks), notes=tuple(notes))


def _cannot_fall(checks: Sequence[Check], limits: Limits) -> list[str]:
    """Note means so low in the baseline that no drop could fail."""
    low = [
        str(check)
        for check in checks
        if check.kind == "mean" and check.verdict == "passed" and 0 < check.baseline <= check.allowed
    ]
    allowed = "margin" if limits.non_inferior is not None else "tolerance"
    return [f"cannot fail, since the baseline has no more than the {allowed}: {', '.join(low)}"] if low else []


def _rarely_seen(contrasts: Mapping[tuple[str | None, str], Contrast]) -> list[str]:
    """Note rare losses that the tests may miss."""
    varied = (contrast.test.n_topics for contrast in contrasts.values() if not contrast.differences.constant)
    return [note[0].lower() + note[1:].removesuffix(".")] if (note := rare_note(varied)) else []


def _not_judged(held: Baseline, measures: Sequence[str], now: Evaluation) -> list[Check]:
    """The means side by side, where they cannot be held against each other."""
    return [
        Check("mean", measure, None, now.n_topics, "not judged", held.evaluation.value(measure), now.value(measure))
        for measure in measures
    ]


def _checks(
    held: Baseline,
    now: Evaluation,
    measures: Sequence[str],
    limits: Limits,
    missing: Sequence[str],
    contrasts: Mapping[tuple[str | None, str], Contrast],
) -> list[Check]:
    then = held.evaluation
    parts: list[tuple[str | None, Evaluation, Evaluation]] = [(None, then, now)]
    if held.groups:
        before, after = then.by_group(held.groups), now.by_group(held.groups)
        parts = [*((group, before[group], after[group]) for group in before), *parts]
    inside = {group: set(after.topics) for group, _, after in parts} if missing else {}
    missing_of = {group: [topic for topic in missing if topic in topics] for group, topics in inside.items()}
    checks = [
        mean_check(
            measure,
            group,
            before_,
            after_,
            limits,
            missing=missing_of.get(group, []),
            contrast=contrasts.get((group, measure)),
        )
        for measure in measures
        for group, before_, after_ in parts
    ]
    for kind in ("topic floor", "topic drop"):
        for measure in measures:
            check = topic_check(kind, measure, then, now, limits, groups=held.groups, missing=set(missing))
            checks += [] if check is None else [check]
    return checks


def _contrasts(
    held: Baseline, now: Evaluation, measures: Sequence[str], limits: Limits
) -> dict[tuple[str | None, str], Contrast]:
    """Deciding tests by group and measure; without tests not requested or not possible."""
    if not limits.only_if_significant and limits.non_inferior is None:
        return {}
    try:
        comparison = compare(
            [held.evaluation, now],
            measures=measures,
            groups=held.groups or None,
            test=limits.test,
            alternative="less",
            correction=limits.correction,
            level=limits.level,
            non_inferior=limits.non_inferior,
        )
    except IrkitError:  # no topic with a value: the means say so
        return {}
    return {(contrast.group, contrast.test.measure): contrast for contrast in comparison.contrasts}
