"""The result of the gate: checks, what could not be checked, and topics that got worse."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from irkit.evaluation.result import Evaluation
from irkit.gate.baseline import Baseline
from irkit.gate.checks import VERDICTS, Change, Check, Verdict, beyond
from irkit.gate.limits import Limits
from irkit.ids import to_bytes


@dataclass(frozen=True)
class GateResult:
    """Outcome of comparing a run with its baseline.

    Attributes
    ----------
    run : str
        What the run is called.
    place : str
        What the baseline is called: its file.
    checks : tuple of Check
        Measure by measure: the means of the groups, then that of all topics; then floors and drops of topics.
    problems : tuple of str
        Why nothing could be judged, each with its remedy; then no check passed or failed.
    notes : tuple of str
        What a reader should know beside the checks.
    missing : tuple of str
        Topics that the baseline answers and the run lacks, unless that was said to be on purpose.
    texts : mapping of topic to text
        Of the topics file, where it was given.
    baseline : Baseline or None
        None where it could not be read.
    evaluation : Evaluation or None
        The run's values now; None where it could not be scored.
    limits : Limits or None
        What it was held to.
    """

    run: str
    place: str
    checks: tuple[Check, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    baseline: Baseline | None = field(default=None, repr=False)
    evaluation: Evaluation | None = field(default=None, repr=False)
    limits: Limits | None = None

    def __str__(self) -> str:
        return f"{self.run} against {self.place}: {self.verdict}"

    @property
    def verdict(self) -> Verdict:
        """Failed if any check failed; passed only if there are checks and all passed.

        A drop that is certain stays one when something else is not known, and whoever mends it will see the rest. Stale
        is a run that is better than its baseline, and else passed.
        """
        verdicts = {check.verdict for check in self.checks}
        if "failed" in verdicts:
            return "failed"
        if self.problems or not verdicts or "not judged" in verdicts:
            return "not judged"
        return "stale" if "stale" in verdicts else "passed"

    @property
    def passed(self) -> bool:
        """Whether the build may be green."""
        return self.verdict == "passed"

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 2 could not be judged, or better than a baseline that has to be moved."""
        return {"passed": 0, "failed": 1}.get(self.verdict, 2)

    def of(self, verdict: Verdict) -> tuple[Check, ...]:
        """The checks of this verdict."""
        return tuple(check for check in self.checks if check.verdict == verdict)

    @property
    def warnings(self) -> tuple[Check, ...]:
        """Passed checks with a remark: a stale baseline, or the outcome of a test."""
        return tuple(check for check in self.checks if check.verdict == "passed" and check.reason)

    @property
    def reasons(self) -> tuple[tuple[str, tuple[Check, ...], str], ...]:
        """Reasons, failed checks first: a word, the checks that share the reason, the reason."""
        shared: dict[tuple[str, str], list[Check]] = {}
        for check in (*self.of("failed"), *self.of("not judged"), *self.of("stale"), *self.warnings):
            if check.reason:
                shared.setdefault((_word(check), check.reason), []).append(check)
        return tuple((word, tuple(checks), reason) for (word, reason), checks in shared.items())

    @cached_property
    def worse(self) -> tuple[Change, ...]:
        """Topics that lost in a checked measure, largest loss first; measures of a topic together."""
        fallen = [one for one in self._changes if one.change < 0]
        worst: dict[str, float] = {}
        for one in fallen:
            worst[one.topic] = min(one.change, worst.get(one.topic, 0.0))
        return tuple(sorted(fallen, key=lambda one: (worst[one.topic], to_bytes(one.topic))))

    @cached_property
    def better(self) -> tuple[Change, ...]:
        """Topics that gained in a measure checked, by topic."""
        return tuple(one for one in self._changes if one.change > 0)

    @cached_property
    def _changes(self) -> list[Change]:
        """Changes beyond rounding errors in the topics of both runs."""
        if self.baseline is None or self.evaluation is None:
            return []
        then, now, missing = self.baseline.evaluation, self.evaluation, set(self.missing)
        place = {topic: row for row, topic in enumerate(then.topics) if topic not in missing}
        rows = [(row, place[topic]) for row, topic in enumerate(now.topics) if topic in place]
        checked = {check.measure for check in self.checks}
        looked_at = [str(measure) for measure in now.measures if str(measure) in checked]
        before, after = (
            np.array([one.by_topic(measure)[chosen] for measure in looked_at]).reshape(len(looked_at), len(rows)).T
            for one, chosen in ((then, [old for _, old in rows]), (now, [new for new, _ in rows]))
        )
        found = []
        for row, column in np.argwhere(before != after).tolist():
            values = float(before[row, column]), float(after[row, column])
            # A value that is not a number is beyond nothing.
            if beyond(abs(values[1] - values[0]), 0.0, *values):
                found.append(Change(now.topics[rows[row][0]], looked_at[column], *values))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; None where there is no number."""
        baseline = self.baseline
        return {
            "run": self.run,
            "baseline": self.place,
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "accepted": None if baseline is None else baseline.accepted.to_dict(),
            "conventions": None if baseline is None else baseline.conventions,
            "limits": None if self.limits is None else self.limits.to_dict(),
            "n_topics": None if self.evaluation is None else self.evaluation.n_topics,
            "problems": list(self.problems),
            "notes": list(self.notes),
            "topics_missing_from_run": list(self.missing),
            "checks": [check.to_dict() for check in self.checks],
            "worse": [_plain(one) for one in self.worse],
            "better": [_plain(one) for one in self.better],
        }


def _word(check: Check) -> str:
    if check.verdict != "passed":
        return VERDICTS[check.verdict]
    if check.stale:
        return "stale"
    return "fell, and passed" if check.fell else "passed"


def _plain(change: Change) -> dict[str, Any]:
    return {
        "topic": change.topic,
        "measure": change.measure,
        "baseline": change.baseline,
        "now": change.now,
        "change": float(np.subtract(change.now, change.baseline)),
    }
