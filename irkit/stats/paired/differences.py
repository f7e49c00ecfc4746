"""Paired differences over topics, and the result of a paired test."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted, instead
from irkit.errors import DataError, UsageError
from irkit.stats.paired.checked_arrays import as_numbers
from irkit.stats.paired.means import (
    TOLERANCE,
    FloatArray,
    mean_in_order,
    power_of_two_below,
    standard_deviation,
    t_half_width,
)

Alternative = Literal["two-sided", "greater", "less"]
NanPolicy = Literal["error", "skip"]

IDENTICAL: Final = "identical: no topic differs"


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Outcome of a test of two runs over the topics that both have.

    Attributes
    ----------
    measure, baseline, candidate : str
        What was compared.
    baseline_mean, candidate_mean : float
        Over the topics paired, in the measure's own unit.
    mean_difference : float
        Candidate minus baseline.
    standard_deviation : float
        Of the differences, with n - 1; nan for one topic.
    statistic : float
        What the test counts or weighs; each says what. nan where the test says nothing, infinite where every difference
        is the same.
    pvalue : float
        nan where no test is possible; the note says why.
    n_topics : int
        Pairs of scores.
    wins, ties, losses : int
        Topics in which the candidate scores higher, the same, lower.
    test : str
        Which test it is.
    alternative : {'two-sided', 'greater', 'less'}
        What speaks against the null: 'greater' is a candidate above the baseline.
    null : str
        What a small p-value speaks against, in words.
    n_effective : int
        Topics that the test uses: tests of signs and ranks leave ties out.
    exact : bool
        The p-value is computed from the whole distribution under the null; else from a sample, or from a limit.
    n_resamples : int or None
        Size of the sample; None where nothing was sampled.
    seed : int or None
        What the sample was drawn with, where it was a number.
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    """

    measure: str
    baseline: str
    candidate: str
    baseline_mean: float
    candidate_mean: float
    mean_difference: float
    standard_deviation: float
    statistic: float
    pvalue: float
    n_topics: int
    wins: int
    ties: int
    losses: int
    test: str
    alternative: Alternative
    null: str
    n_effective: int
    exact: bool
    n_resamples: int | None = None
    seed: int | None = None
    note: str = ""

    def half_width(self, level: float = 0.95) -> float:
        """Half the t interval of the mean difference: how far from it that over all topics of the kind may lie."""
        return t_half_width(self.n_topics, self.standard_deviation, level)


@dataclass(frozen=True, eq=False)
class Differences:
    """Scores of two runs over the same n topics, and candidate minus baseline.

    Attributes
    ----------
    candidate, baseline, values : float64 arrays of shape (n,)
        In multiples of `unit`, so that neither a difference nor its square overflows. Differences within `noise` are 0.
    unit : float
        A power of two: what 1 stands for, in the measure's own unit.
    noise : float
        1e-12 of the largest score: what arithmetic may leave of no difference.
    n_skipped : int
        Topics left out because a run has no score there.
    """

    candidate: FloatArray
    baseline: FloatArray
    values: FloatArray
    unit: float
    noise: float
    n_skipped: int

    def __post_init__(self) -> None:
        freeze(self, "candidate", "baseline", "values")

    @property
    def n(self) -> int:
        """Topics paired."""
        return len(self.values)

    @cached_property
    def mean(self) -> float:
        """Mean difference in multiples of `unit`."""
        return float(self.values.mean())

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of the differences with n - 1, in multiples of `unit`; nan for one topic."""
        return standard_deviation(self.values)

    @property
    def nonzero(self) -> FloatArray:
        """The differences that are not 0, in topic order."""
        return np.asarray(self.values[self.values != 0])

    @property
    def identical(self) -> bool:
        """No topic differs."""
        return not self.values.any()

    @property
    def constant(self) -> bool:
        """Every topic differs by the same amount, as far as arithmetic can tell; so does a single topic."""
        return self.n == 1 or bool(self.deviation <= self.noise)

    def result(
        self,
        test: str,
        statistic: float,
        pvalue: float,
        *,
        alternative: Alternative,
        null: str,
        n_effective: int | None = None,
        exact: bool = True,
        n_resamples: int | None = None,
        seed: int | None = None,
        note: str = "",
        within: float = 0.0,
    ) -> PairedTest:
        """A test's answer with all that this pair has to say; differences up to `within` are ties.

        The names of measure and runs are empty.
        """
        wins, losses = int((self.values > within).sum()), int((self.values < -within).sum())
        skipped = f"{counted(self.n_skipped, 'topic')} without a score left out of both runs" if self.n_skipped else ""
        return PairedTest(
            measure="",
            baseline="",
            candidate="",
            baseline_mean=mean_in_order(self.baseline) * self.unit,
            candidate_mean=mean_in_order(self.candidate) * self.unit,
            mean_difference=self.mean * self.unit,
            standard_deviation=self.deviation * self.unit,
            statistic=statistic,
            pvalue=pvalue,
            n_topics=self.n,
            wins=wins,
            ties=self.n - wins - losses,
            losses=losses,
            test=test,
            alternative=alternative,
            null=null,
            n_effective=self.n if n_effective is None else n_effective,
            exact=exact,
            n_resamples=n_resamples,
            seed=seed,
            note="; ".join(filter(None, (note, skipped))),
        )


def paired_differences(
    candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike, *, nan_policy: NanPolicy = "error"
) -> Differences:
    """Candidate minus baseline over topics.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), or the policy does not exist.
    DataError
        If there is no score, or one that is infinite, or nan where it is not to be skipped.
    """
    if nan_policy not in get_args(NanPolicy):
        raise UsageError(f"there is no nan_policy {nan_policy!r}; {instead(str(nan_policy), get_args(NanPolicy))}")
    candidate, baseline = as_numbers(candidate_values), as_numbers(baseline_values)
    if candidate.ndim != 1 or candidate.shape != baseline.shape:
        raise UsageError(
            f"a paired test needs one score a topic from each run, got shapes {candidate.shape} and {baseline.shape}"
        )
    if not len(candidate):
        raise DataError("a paired test needs one topic at least, got none")
    if nan_policy == "skip":
        scored = ~(np.isnan(candidate) | np.isnan(baseline))
        if not scored.any():
            raise DataError(f"none of {counted(len(candidate), 'topic')} has a score in both runs")
        n_skipped = len(candidate) - int(scored.sum())
        candidate, baseline = candidate[scored], baseline[scored]
    else:
        n_skipped = 0
    if not (np.isfinite(candidate).all() and np.isfinite(baseline).all()):
        raise DataError(
            "a paired test needs finite scores; leave topics without a score out of both runs (nan_policy='skip')"
        )
    unit = power_of_two_below(np.concatenate((candidate, baseline)))
    candidate, baseline = candidate / unit, baseline / unit
    noise = TOLERANCE * float(max(abs(candidate).max(), abs(baseline).max()))
    values = candidate - baseline
    values[abs(values) <= noise] = 0.0
    return Differences(candidate, baseline, values, unit, noise, n_skipped)


def check_alternative(alternative: str) -> None:
    """Refuse a value that is not an `Alternative`."""
    if alternative not in get_args(Alternative):
        raise UsageError(f"there is no alternative {alternative!r}; {instead(alternative, get_args(Alternative))}")


def least_by_signs(n_effective: int, alternative: Alternative) -> float:
    """The least p-value that a test of the signs of so many topics that differ can give."""
    return float(2.0 ** (1 - n_effective if alternative == "two-sided" else -n_effective))


def that_differ(n_effective: int) -> str:
    """Number of topics that differ, as the start of a sentence."""
    return "1 topic differs" if n_effective == 1 else f"{n_effective} topics differ"


def least_pvalue_note(n_effective: int, alternative: Alternative) -> str:
    """Note that too few topics differ for a test of signs to reach 0.05; empty if enough do."""
    least = least_by_signs(n_effective, alternative)
    if not n_effective or least <= 0.05:
        return ""
    side = alternative if alternative == "two-sided" else "one-sided"
    return f"{that_differ(n_effective)}: the {side} p cannot be below {least:g}"
