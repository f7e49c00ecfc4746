"""Runs compared: paired tests of several runs on several measures, and what belongs beside them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import combinations
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from irkit.errors import DataError, UsageError
from irkit.evaluation import Evaluation, told_apart
from irkit.measures import Measure, parse_measures
from irkit.rules import Conventions, Rules
from irkit.spelling import counted, instead
from irkit.stats.student import FEW_TOPICS, PairedTest, paired_t_test, standard_deviation, t_half_width, too_few

if TYPE_CHECKING:
    import pandas as pd

ALL_PAIRS: Final = "all pairs"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Paired tests of several runs, on several measures.

    Attributes
    ----------
    tests : tuple of PairedTest
        Pair by pair, each with its measures in the order of the first evaluation.
    test : str
        What kind of test they are.
    rules : Rules
    conventions : Conventions
    notes : tuple of str
        Sentences that belong under the table: few topics, several tests, topics or measures left out.
    evaluations : tuple of Evaluation
        What was compared, each with the topics compared and with all that its run lacks.
    """

    tests: tuple[PairedTest, ...]
    test: str
    rules: Rules
    conventions: Conventions
    notes: tuple[str, ...] = ()
    evaluations: tuple[Evaluation, ...] = field(default=(), compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; a statistic may be infinite or nan, and the test's note says why."""
        return {
            "test": self.test,
            "rules": str(self.rules),
            "average": self.conventions.average,
            "no_relevant": self.conventions.no_relevant,
            "tie_order": self.conventions.ties,
            "runs": [_without_values(evaluation) for evaluation in self.evaluations],
            "comparisons": [asdict(test) for test in self.tests],
            "notes": list(self.notes),
        }

    def to_pandas(self) -> "pd.DataFrame":
        """A frame with a row for each test and a column for each attribute of `PairedTest`."""
        import pandas as pd

        return pd.DataFrame([asdict(test) for test in self.tests], columns=[one.name for one in fields(PairedTest)])


def compare(
    evaluations: Iterable[Evaluation],
    *,
    baseline: int | str = 0,
    measures: Sequence[str | Measure] | None = None,
) -> Comparison:
    """Compare runs by paired t tests over topics, aligned by topic id.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Two at least, of the same rules and conventions. Averages over all judged topics have to be of the same topics;
        averages over an intersection are taken over the topics that every run has.
    baseline : int or str
        Place or name of the run that the others are compared with; or "all pairs", where the earlier run of each pair
        is its baseline.
    measures : sequence of str or Measure, optional
        Those to test; all that every evaluation has if not given. Counts and Judged say nothing of quality, and a
        geometric mean (GMAP) is no mean of the topics' values; they are not tested.

    Returns
    -------
    Comparison
        p-values are not corrected for the number of tests; its notes say how many there are. A topic that the
        convention `skip` leaves out of a measure in either run is left out of that test.

    Raises
    ------
    UsageError
        If there are fewer than two evaluations, or something else than evaluations, or a run or measure is unknown, or
        no measure that can be tested is left, or the name of a run is not its own.
    DataError
        If the evaluations differ in topics, rules or conventions, or have no topic or no measure in common.
    """
    evaluations = _checked_evaluations(evaluations)
    chosen, left_out = _measures_to_test(evaluations, measures)
    pairs = list(_pairs(evaluations, baseline))
    compared = told_apart(_shared(evaluations))
    tests = tuple(_test(compared[second], compared[first], measure) for first, second in pairs for measure in chosen)
    first = compared[0]
    notes = tuple(_notes(tests, first.n_topics, left_out))
    return Comparison(tests, "paired t test", first.rules, first.conventions, notes, compared)


def _checked_evaluations(given: Iterable[Evaluation]) -> Sequence[Evaluation]:
    evaluations = list(given) if isinstance(given, Iterable) else [given]
    if isinstance(given, Evaluation) or not all(isinstance(one, Evaluation) for one in evaluations):
        raise UsageError(
            "compare takes a list of what evaluate returns: compare([evaluate(run=...), evaluate(run=...)])"
        )
    if len(evaluations) < 2:
        raise UsageError(f"a comparison needs two runs at least, got {len(evaluations)}")
    for other in evaluations[1:]:
        _check_comparable(evaluations[0], other)
    return evaluations


def _shared(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """The evaluations over the topics that all of them have; each still names all that its own run lacks."""
    topics = set(evaluations[0].topics).intersection(*(one.topics for one in evaluations[1:]))
    if not topics:
        raise DataError(f"no topic is in all of {', '.join(one.name for one in evaluations)}: nothing can be compared")
    return [
        one
        if len(topics) == one.n_topics
        else replace(one.restricted_to(topics), missing=one.missing, unjudged=one.unjudged)
        for one in evaluations
    ]


def _check_comparable(first: Evaluation, other: Evaluation) -> None:
    pair = f"{first.name} and {other.name} cannot be compared"
    for what, ours, theirs in (
        ("rules", str(first.rules), str(other.rules)),
        ("topics averaged", first.conventions.average, other.conventions.average),
        ("topics file", first.conventions.topics, other.conventions.topics),
        ("value of a topic without relevant documents", first.conventions.no_relevant, other.conventions.no_relevant),
        ("order of ties", first.conventions.ties, other.conventions.ties),
    ):
        if ours != theirs:
            raise DataError(f"{pair}: {what}: {ours} and {theirs}; evaluate both alike")
    only = sorted(set(first.topics) ^ set(other.topics))
    if only and first.conventions.average != "intersection":
        shown = ", ".join(only[:5]) + (f" and {len(only) - 5} more" if len(only) > 5 else "")
        raise DataError(
            f"{pair}: {counted(len(only), 'topic')} in one evaluation only ({shown}); average over the judged topics, "
            "or over the intersection"
        )


def _measures_to_test(
    evaluations: Sequence[Evaluation], wanted: Sequence[str | Measure] | None
) -> tuple[list[Measure], list[Measure]]:
    """The measures to test, and those left out: more of them is not better, or their summary is no mean."""
    first, *others = (evaluation.measures for evaluation in evaluations)
    shared = [measure for measure in first if all(measure in measures for measures in others)]
    if not shared:
        raise DataError("the evaluations have no measure in common")
    chosen = shared if wanted is None else list(parse_measures(wanted))
    for measure in chosen:
        if measure not in shared:
            raise UsageError(f"{measure} is not in every evaluation; {instead(str(measure), map(str, shared))}")
    tested = [measure for measure in chosen if measure.compared]
    if not tested:
        reasons = "; ".join(_why_left_out(chosen))
        raise UsageError(f"nothing to compare: {reasons}; name a measure such as nDCG@10")
    return tested, [measure for measure in chosen if measure not in tested]


def _pairs(evaluations: Sequence[Evaluation], baseline: int | str) -> Iterator[tuple[int, int]]:
    """(Baseline, candidate) as places among the evaluations."""
    places = range(len(evaluations))
    if baseline == ALL_PAIRS:
        return combinations(places, 2)
    if isinstance(baseline, str):
        runs = [evaluation.name for evaluation in evaluations]
        if runs.count(baseline) != 1:
            problem = "more than one run is called" if baseline in runs else "there is no run"
            hint = "give its place" if baseline in runs else instead(baseline, runs)
            raise UsageError(f"{problem} {baseline!r}; {hint}")
        chosen = runs.index(baseline)
    elif isinstance(baseline, Integral) and not isinstance(baseline, bool) and baseline in places:
        chosen = int(baseline)
    else:
        raise UsageError(
            f"the baseline is run {baseline!r} of {len(evaluations)}; give a name, or a place counted from 0"
        )
    return ((chosen, place) for place in places if place != chosen)


def _test(candidate: Evaluation, baseline: Evaluation, measure: Measure) -> PairedTest:
    ours = dict(zip(candidate.topics, candidate.by_topic(measure).tolist(), strict=True))
    theirs = dict(zip(baseline.topics, baseline.by_topic(measure).tolist(), strict=True))
    # nan: the topic is not averaged, by the convention `skip` or because the measure is about others.
    paired = [
        (ours[topic], theirs[topic])
        for topic in baseline.topics
        if not (np.isnan(ours[topic]) or np.isnan(theirs[topic]))
    ]
    if not paired:
        raise DataError(f"{baseline.name} and {candidate.name} have no topic with a value of {measure}")
    result = paired_t_test(*np.array(paired).T)
    return replace(result, measure=str(measure), baseline=baseline.name, candidate=candidate.name)


def _without_values(evaluation: Evaluation) -> dict[str, Any]:
    whole = evaluation.to_dict()
    return {name: whole[name] for name in whole if name.startswith("topics_") or name in ("run", "n_topics", "notes")}


def few_topics_note(evaluations: Sequence[Evaluation]) -> str:
    """What a leaderboard of few topics has to say: how far a mean could move; empty where there is nothing to say.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        A single one ranks nothing. Counts, Judged and geometric means are not looked at.
    """
    columns = [
        (f"{measure} of {one.name}", scores[~np.isnan(scores)])
        for one in evaluations
        for measure, scores in zip(one.measures, one.values.T, strict=True)
        if measure.compared
    ]
    least = min((len(scores) for _, scores in columns), default=0)
    if len(evaluations) < 2 or not 0 < least < FEW_TOPICS:
        return ""
    widths = [
        (t_half_width(len(scores), standard_deviation(scores)), which) for which, scores in columns if len(scores) > 1
    ]
    return too_few(least, "a mean", widths)


def _why_left_out(measures: Sequence[Measure]) -> Iterator[str]:
    for why, quality in (
        ("more of it is not better", False),
        ("a geometric mean is no mean of the topics' values", True),
    ):
        if names := ", ".join(str(measure) for measure in measures if measure.family.quality is quality):
            yield f"{why}: {names}"


def _notes(tests: Sequence[PairedTest], n_topics: int, left_out: Sequence[Measure]) -> Iterator[str]:
    for why in _why_left_out(left_out):
        yield f"Not compared, because {why}."
    least = min(test.n_topics for test in tests)
    if least < n_topics:
        yield f"Topics left out because a measure has no value there: {n_topics - least} of {n_topics} at most."
    if least < FEW_TOPICS:
        widths = [
            (test.half_width(), f"{test.measure}, {test.candidate} against {test.baseline}")
            for test in tests
            if not test.note
        ]
        yield too_few(least, "a mean difference", widths)
    if len(tests) > 1:
        yield f"{len(tests)} comparisons are shown; their p-values are not corrected for that."
