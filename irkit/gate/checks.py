"""One check of the gate: a mean against its tolerance or margin, or topics against a floor."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import Any, Final, Literal

import numpy as np

from irkit._utils.numerals import shown_pvalue
from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.evaluation.result import Evaluation
from irkit.evaluation.summary import some
from irkit.gate.limit import fitting
from irkit.gate.limits import Limits
from irkit.stats import Contrast
from irkit.stats.paired.means import TOLERANCE
from irkit.stats.paired.skew_notes import absent, skewed_briefly
from irkit.stats.paired.verdicts import SAMPLES

Verdict = Literal["passed", "failed", "not judged", "stale"]
VERDICTS: Final[dict[Verdict, str]] = {
    "passed": "passed",
    "failed": "FAILED",
    "not judged": "NOT JUDGED",
    "stale": "STALE",
}
CheckKind = Literal["mean", "topic floor", "topic drop"]


@dataclass(frozen=True, slots=True)
class Change:
    """The values of a measure for a topic, in the baseline and now."""

    topic: str
    measure: str
    baseline: float
    now: float

    @property
    def change(self) -> float:
        """Now less baseline."""
        return self.now - self.baseline


@dataclass(frozen=True, slots=True)
class Check:
    """Outcome of one check of one measure.

    Attributes
    ----------
    kind : {"mean", "topic floor", "topic drop"}
    measure : str
    group : str or None
        The group of topics that a mean is over; None for all.
    n_topics : int
        How many topics a mean is over, or were looked at one by one.
    verdict : {"passed", "failed", "not judged", "stale"}
    baseline, now : float
        The means; of topics those of the worst one. nan where there is none.
    allowed : float
        The largest drop that passes, or the margin, or the floor, which is the worst topic's where topics have several;
        nan where there is none.
    reason : str
        Why, in a sentence without its full stop; empty where a check passed plainly.
    topics : tuple of str
        Those below their floor, or that lost too much, the worst first; or, of a mean that is not judged, those missing
        from the run.
    stale : bool
        The mean rose by more than what it may fall: a drop to the baseline's would not be seen.
    """

    kind: CheckKind
    measure: str
    group: str | None
    n_topics: int
    verdict: Verdict
    baseline: float = nan
    now: float = nan
    allowed: float = nan
    reason: str = ""
    topics: tuple[str, ...] = ()
    stale: bool = False

    def __str__(self) -> str:
        what = self.measure if self.group is None else f"{self.measure} ({self.group})"
        return what if self.kind == "mean" else f"{what}, {self.kind}"

    @property
    def change(self) -> float:
        """Now less baseline."""
        return self.now - self.baseline

    @property
    def fell(self) -> bool:
        """Whether it is lower than the baseline by more than arithmetic leaves behind."""
        return beyond(-self.change, 0.0, self.baseline, self.now)

    def to_dict(self) -> dict[str, Any]:
        """Plain values; None where there is no number."""
        numbers = {"baseline": self.baseline, "now": self.now, "change": self.change, "allowed": self.allowed}
        return {
            "kind": self.kind,
            "measure": self.measure,
            "group": self.group,
            "n_topics": self.n_topics,
            "verdict": self.verdict,
            **{name: None if isnan(number) else number for name, number in numbers.items()},
            "reason": self.reason,
            "topics": list(self.topics),
            "stale": self.stale,
        }


def beyond(drop: float, allowed: float, *values: float) -> bool:
    """Whether a drop exceeds a limit by more than rounding errors.

    In doubles 0.6 - 0.58 is above 0.02; whoever allows 0.02 means that it passes.
    """
    return drop - allowed > TOLERANCE * max(map(abs, (*values, allowed)))


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with four decimals, or with as many more as show that they differ."""
    for decimals in range(4, 17):
        texts = f"{one:z.{decimals}f}", f"{other:z.{decimals}f}"
        if texts[0] != texts[1] or one == other:
            break
    return texts


def mean_check(
    measure: str,
    group: str | None,
    then: Evaluation,
    now: Evaluation,
    limits: Limits,
    *,
    missing: Sequence[str],
    contrast: Contrast | None,
) -> Check:
    """Check the mean of a measure against the baseline.

    Parameters
    ----------
    measure, group : str
    then, now : Evaluation
        Over the same topics, those of the group.
    limits : Limits
    missing : sequence of str
        Topics among them that the run lacks, and not on purpose.
    contrast : Contrast or None
        Of the two, where a test decides; None where none was asked for or can be made.
    """
    before, after = then.value(measure), now.value(measure)
    n = int((~np.isnan(now.by_topic(measure))).sum())
    if limits.non_inferior is not None:
        allowed = limits.non_inferior
    else:
        limit = fitting(limits.tolerance, measure, group)
        allowed = nan if limit is None else limit.at(before)

    def found(verdict: Verdict, reason: str = "", *, topics: Sequence[str] = (), stale: bool = False) -> Check:
        return Check("mean", measure, group, n, verdict, before, after, allowed, reason, tuple(topics), stale)

    if missing:
        return found("not judged", f"missing from the run: {some(missing)}", topics=missing)
    if (np.isnan(then.by_topic(measure)) != np.isnan(now.by_topic(measure))).any():
        return found("not judged", "other topics have a value than in the baseline")
    if not (isfinite(before) and isfinite(after)):
        return found("not judged", "no topic has a value")
    if isnan(allowed):
        return found("not judged", "nothing says by how much it may fall; give a tolerance for all measures")
    drop = before - after
    if limits.non_inferior is not None:
        verdict, reason = _non_inferior(drop, allowed, limits, contrast)
    elif not beyond(drop, allowed, before, after):
        verdict, reason = "passed", ""
    else:
        fall, most = told_apart(drop, allowed)
        verdict, reason = "failed", f"fell by {fall}, more than {most}"
        if limits.only_if_significant:
            verdict, tested = _significant(limits, contrast)
            reason += f"; {tested}"
    if not beyond(-drop, allowed, before, after):
        return found(verdict, reason)
    rise, most = told_apart(-drop, allowed)
    said = f"better than the baseline by {rise}, more than {most}"
    if verdict == "passed" and limits.fail_if_stale:
        verdict = "stale"
    return found(verdict, "; ".join(filter(None, (reason, said))), stale=True)


def _significant(limits: Limits, contrast: Contrast | None) -> tuple[Verdict, str]:
    if contrast is None or isnan(contrast.adjusted_pvalue):
        return "not judged", "no test of it is possible" + (f" ({contrast.test.note})" if contrast else "")
    figures = f"{contrast.deciding.test}, one-sided, {contrast.family or 'p'} {shown_pvalue(contrast.adjusted_pvalue)}"
    if contrast.calibrated is not None:
        figures += f"; {skewed_briefly(contrast.calibrated)}"
    if contrast.shown:
        return "failed", f"shown ({figures})"
    n = counted(contrast.test.n_topics, "topic")
    if not contrast.can_be_shown:
        least = f"{contrast.least_pvalue:.4g} at the least, not below {limits.alpha:g}"
        return "not judged", (
            f"not shown ({figures}), and no drop could be: with {n} that is {least}; take more topics, or another test "
            f"({option(test='t')}), or none ({option(only_if_significant=False)})"
        )
    detectable = contrast.detectable_corrected
    step = f" ({contrast.family}: the first step)" if contrast.n_tests > 1 else ""
    could = f"; with {n} only one of {detectable:.4f} would be found by a t test in {SAMPLES}{step}"
    could = "" if isnan(detectable) else could
    return "passed", f"not shown ({figures}){could}"


def _non_inferior(drop: float, margin: float, limits: Limits, contrast: Contrast | None) -> tuple[Verdict, str]:
    if contrast is None or contrast.margin is None or isnan(contrast.margin.pvalue):
        return "not judged", "no test of it is possible" + (f" ({contrast.test.note})" if contrast else "")
    pvalue = contrast.margin.pvalue
    figures = f"non-inferiority {contrast.margin.decided_by} test, p {shown_pvalue(pvalue)}"
    if contrast.differences.identical:  # the p-value of no noise would be 0
        figures = "no topic differs"
    if contrast.calibrated is not None:
        figures += f"; {skewed_briefly(contrast.calibrated, contrast.margin)}"
    if pvalue < limits.alpha:
        unseen = absent(contrast.test.n_topics)
        return "passed", f"shown not to be worse by {margin:g} or more ({figures}; {unseen})"
    if beyond(drop, margin, drop):
        fall, most = told_apart(drop, margin)
        return "failed", f"fell by {fall}, more than {most} ({figures})"
    return "not judged", f"not shown to have fallen by less than {margin:g} ({figures}); more topics could show it"


def topic_check(
    kind: CheckKind,
    measure: str,
    then: Evaluation,
    now: Evaluation,
    limits: Limits,
    *,
    groups: Mapping[str, str],
    missing: Set[str],
) -> Check | None:
    """Check each topic against its floor or its largest drop; None if no limit applies."""
    held = limits.topic_floor if kind == "topic floor" else limits.topic_drop
    below: list[tuple[float, Change, float]] = []
    looked_at, unknown, amounts = 0, [], set()
    limit_of = {group: fitting(held, measure, group) for group in {None, *groups.values()}}
    for topic, before, after in zip(
        then.topics, then.by_topic(measure).tolist(), now.by_topic(measure).tolist(), strict=True
    ):
        limit = limit_of[groups.get(topic)]
        if limit is None:
            continue
        amounts.add(limit.at(before))
        if topic in missing or isnan(before) != isnan(after):
            unknown.append(topic)
        elif not isnan(after):
            looked_at += 1
            amount = limit.at(before)
            short = amount - after if kind == "topic floor" else before - after - amount
            if beyond(before - after, 0.0, before, after) and beyond(short, 0.0, before, after, amount):
                below.append((short, Change(topic, measure, before, after), amount))
    if not looked_at and not unknown:
        return None
    if below:
        below.sort(key=lambda one: -one[0])
        _, worst, amount = below[0]
        topics = tuple(change.topic for _, change, _ in below)
        many = counted(len(topics), "topic")
        if kind == "topic floor":
            reached, least = told_apart(worst.now, amount)
            said = f"{many} fell below the floor; {worst.topic} to {reached}, below {least}"
        else:
            fall, most = told_apart(-worst.change, amount)
            said = f"{many} lost too much; {worst.topic} fell by {fall}, more than {most}"
        return Check(kind, measure, None, looked_at, "failed", worst.baseline, worst.now, amount, said, topics)
    shared = amounts.pop() if len(amounts) == 1 else nan
    if unknown:
        said = f"missing from the run, or without a value: {some(unknown)}"
        return Check(kind, measure, None, looked_at, "not judged", allowed=shared, reason=said, topics=tuple(unknown))
    return Check(kind, measure, None, looked_at, "passed", allowed=shared)
