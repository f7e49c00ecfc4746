"""Statistics over topics: whether one run is better than another, and whether that can be trusted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf, nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, UsageError
from irkit.evaluation import Evaluation
from irkit.measures import Measure, parse_measure
from irkit.rules import Conventions, Rules
from irkit.spelling import counted, instead

ALL_PAIRS: Final = "all pairs"
# Differences below this share of the largest score are what arithmetic leaves behind, not differences.
TOLERANCE: Final = 1e-12
# Below this many topics an interval for a mean is unreliable.
FEW_TOPICS: Final = 25


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Outcome of a paired t test over topics.

    Attributes
    ----------
    measure, baseline, candidate : str
        What was compared.
    mean_difference : float
        Candidate minus baseline, in the measure's own unit.
    standard_deviation : float
        Of the differences, with n - 1; nan for one topic.
    statistic : float
        t with n - 1 degrees of freedom; nan where the test says nothing, infinite where every difference is the same.
    pvalue : float
        Two-sided; nan for one topic.
    n_topics : int
        Pairs of scores.
    wins, ties, losses : int
        Topics in which the candidate scores higher, the same, lower.
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    """

    measure: str
    baseline: str
    candidate: str
    mean_difference: float
    standard_deviation: float
    statistic: float
    pvalue: float
    n_topics: int
    wins: int
    ties: int
    losses: int
    note: str = ""

    def half_width(self, level: float = 0.95) -> float:
        """Half the t interval of the mean difference: how far the mean could move on other topics of the kind."""
        from scipy.special import stdtrit

        if self.n_topics < 2:
            return nan
        return float(stdtrit(self.n_topics - 1, (1 + level) / 2)) * self.standard_deviation / sqrt(self.n_topics)


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
        Sentences that belong under the table: few topics, several tests, topics left out.
    """

    tests: tuple[PairedTest, ...]
    test: str
    rules: Rules
    conventions: Conventions
    notes: tuple[str, ...] = ()


def paired_t_test(candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike) -> PairedTest:
    """Paired t test of one measure over topics, two-sided.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.

    Returns
    -------
    PairedTest
        Its names are empty. Identical scores have p 1, the same difference in every topic p 0, one topic p nan; the
        note says so. Differences within 1e-12 of the largest score count as none.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,).
    DataError
        If there is no score, or one that is not finite.
    """
    candidate = np.asarray(candidate_values, dtype=np.float64)
    baseline = np.asarray(baseline_values, dtype=np.float64)
    if candidate.ndim != 1 or candidate.shape != baseline.shape:
        raise UsageError(
            f"a paired test needs one score a topic from each run, got shapes {candidate.shape} and {baseline.shape}"
        )
    if not len(candidate):
        raise DataError("a paired test needs one topic at least, got none")
    if not (np.isfinite(candidate).all() and np.isfinite(baseline).all()):
        raise DataError("a paired test needs finite scores; leave topics without a score out of both runs")
    difference = candidate - baseline
    n = len(difference)
    noise = TOLERANCE * float(max(abs(candidate).max(), abs(baseline).max()))
    mean = float(difference.mean())
    deviation = float(difference.std(ddof=1)) if n > 1 else nan
    statistic, pvalue, note = _student(n, mean, deviation, noise, identical=bool((abs(difference) <= noise).all()))
    wins, losses = int((difference > noise).sum()), int((difference < -noise).sum())
    return PairedTest("", "", "", mean, deviation, statistic, pvalue, n, wins, n - wins - losses, losses, note)


def _student(n: int, mean: float, deviation: float, noise: float, *, identical: bool) -> tuple[float, float, str]:
    """t, its two-sided p, and the note of a case without an ordinary answer."""
    from scipy.special import stdtr

    if n == 1:
        return nan, nan, "one topic: no test is possible"
    if identical:
        return nan, 1.0, "identical: no topic differs"
    if deviation <= noise:
        return inf if mean > 0 else -inf, 0.0, "every topic differs by the same amount: t has no noise to measure it by"
    statistic = mean / (deviation / sqrt(n))
    return statistic, float(2 * stdtr(n - 1, -abs(statistic))), ""


def compare(
    evaluations: Sequence[Evaluation],
    *,
    baseline: int | str = 0,
    measures: Sequence[str | Measure] | None = None,
) -> Comparison:
    """Compare runs by paired t tests over topics, aligned by topic id.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Two at least, of the same topics, rules and conventions.
    baseline : int or str
        Place or name of the run that the others are compared with; or "all pairs", where the earlier run of each pair
        is its baseline.
    measures : sequence of str or Measure, optional
        Those to test; all that every evaluation has if not given.

    Returns
    -------
    Comparison
        p-values are not corrected for the number of tests; its notes say how many there are. A topic that the
        convention `skip` leaves out of a measure in either run is left out of that test.

    Raises
    ------
    UsageError
        If there are fewer than two evaluations, or a run or measure is unknown, or the name of a run is not its own.
    DataError
        If the evaluations differ in topics, rules or conventions, or have no measure in common.
    """
    if len(evaluations) < 2:
        raise UsageError(f"a comparison needs two runs at least, got {len(evaluations)}")
    for other in evaluations[1:]:
        _check_comparable(evaluations[0], other)
    chosen = _measures_to_test(evaluations, measures)
    tests = tuple(
        _test(evaluations[second], evaluations[first], measure)
        for first, second in _pairs(evaluations, baseline)
        for measure in chosen
    )
    first = evaluations[0]
    return Comparison(tests, "paired t test", first.rules, first.conventions, tuple(_notes(tests, len(first.topics))))


def _check_comparable(first: Evaluation, other: Evaluation) -> None:
    pair = f"{first.name} and {other.name} cannot be compared"
    for what, ours, theirs in (
        ("rules", str(first.rules), str(other.rules)),
        ("topics averaged", first.conventions.average, other.conventions.average),
        ("value of a topic without relevant documents", first.conventions.no_relevant, other.conventions.no_relevant),
    ):
        if ours != theirs:
            raise DataError(f"{pair}: {what}: {ours} and {theirs}; evaluate both alike")
    only = sorted(set(first.topics) ^ set(other.topics))
    if only:
        shown = ", ".join(only[:5]) + (f" and {len(only) - 5} more" if len(only) > 5 else "")
        raise DataError(
            f"{pair}: {counted(len(only), 'topic')} in one evaluation only ({shown}); average over the judged topics, "
            "or restrict both to the topics they share"
        )


def _measures_to_test(evaluations: Sequence[Evaluation], wanted: Sequence[str | Measure] | None) -> list[Measure]:
    first, *others = (evaluation.measures for evaluation in evaluations)
    shared = [measure for measure in first if all(measure in measures for measures in others)]
    if not shared:
        raise DataError("the evaluations have no measure in common")
    if wanted is None:
        return shared
    chosen = [parse_measure(measure) for measure in wanted]
    for measure in chosen:
        if measure not in shared:
            raise UsageError(f"{measure} is not in every evaluation; {instead(str(measure), map(str, shared))}")
    return chosen


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
    elif baseline in places:
        chosen = baseline
    else:
        raise UsageError(f"the baseline is run {baseline} of {len(evaluations)}; places count from 0")
    return ((chosen, place) for place in places if place != chosen)


def _test(candidate: Evaluation, baseline: Evaluation, measure: Measure) -> PairedTest:
    ours = dict(zip(candidate.topics, candidate.by_topic(measure).tolist(), strict=True))
    theirs = dict(zip(baseline.topics, baseline.by_topic(measure).tolist(), strict=True))
    # nan: the convention `skip` left the topic out.
    paired = [
        (ours[topic], theirs[topic])
        for topic in baseline.topics
        if not (np.isnan(ours[topic]) or np.isnan(theirs[topic]))
    ]
    if not paired:
        raise DataError(f"{baseline.name} and {candidate.name} have no topic with a value of {measure}")
    result = paired_t_test(*np.array(paired).T)
    return replace(result, measure=str(measure), baseline=baseline.name, candidate=candidate.name)


def _notes(tests: Sequence[PairedTest], n_topics: int) -> Iterator[str]:
    least = min(test.n_topics for test in tests)
    if least < n_topics:
        yield f"Topics left out because a measure has no value there: {n_topics - least} of {n_topics} at most."
    if least < FEW_TOPICS:
        yield _few_topics(tests, least)
    if len(tests) > 1:
        yield f"{len(tests)} comparisons are shown; their p-values are not corrected for that."


def _few_topics(tests: Sequence[PairedTest], least: int) -> str:
    if least == 1:
        return "1 topic cannot rank systems."
    few = f"{least} topics are too few to rank systems"
    widths = [(test.half_width(), test) for test in tests if not test.note]
    if not widths:
        return f"{few}."
    width, test = max(widths, key=lambda pair: pair[0])
    return (
        f"{few}: on other topics of the kind a mean difference could move by {width:.4f} either way "
        f"({test.measure}, {test.candidate} against {test.baseline}; 95% t interval)."
    )
