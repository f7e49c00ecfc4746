"""The paired t test over topics, and what few topics can say."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, frexp, inf, ldexp, nan, pi, sin, sqrt, tan
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, UsageError

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
    baseline_mean, candidate_mean : float
        Over the topics paired, in the measure's own unit.
    mean_difference : float
        Candidate minus baseline.
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
    note: str = ""

    def half_width(self, level: float = 0.95) -> float:
        """Half the t interval of the mean difference: how far the mean could move on other topics of the kind."""
        return t_half_width(self.n_topics, self.standard_deviation, level)


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
    # Whatever the size of the scores, neither a difference nor its square overflows in these units.
    unit = power_of_two_below(np.concatenate((candidate, baseline)))
    candidate, baseline = candidate / unit, baseline / unit
    difference = candidate - baseline
    n = len(difference)
    noise = TOLERANCE * float(max(abs(candidate).max(), abs(baseline).max()))
    mean = float(difference.mean())
    deviation = standard_deviation(difference)
    statistic, pvalue, note = _student(n, mean, deviation, noise, identical=bool((abs(difference) <= noise).all()))
    wins, losses = int((difference > noise).sum()), int((difference < -noise).sum())
    return PairedTest(
        measure="",
        baseline="",
        candidate="",
        baseline_mean=_mean(baseline) * unit,
        candidate_mean=_mean(candidate) * unit,
        mean_difference=mean * unit,
        standard_deviation=deviation * unit,
        statistic=statistic,
        pvalue=pvalue,
        n_topics=n,
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
        note=note,
    )


def power_of_two_below(values: npt.NDArray[np.float64]) -> float:
    """The largest power of two that is not above the largest size among the values; division by it rounds nothing."""
    return ldexp(1.0, frexp(float(abs(values).max(initial=0.0)))[1] - 1)


def standard_deviation(values: npt.NDArray[np.float64]) -> float:
    """The standard deviation of n finite values, with n - 1; nan for fewer than two."""
    if len(values) < 2:
        return nan
    unit = power_of_two_below(values)
    return float((values / unit).std(ddof=1)) * unit


def _mean(scores: npt.NDArray[np.float64]) -> float:
    """The mean to the last digit of an evaluation's summary, which adds in topic order."""
    return float(np.cumsum(scores)[-1]) / len(scores)


def t_half_width(n: int, deviation: float, level: float = 0.95) -> float:
    """Half the t interval of a mean over n topics; nan for fewer than two."""
    return nan if n < 2 else _t_quantile(n - 1, level) * deviation / sqrt(n)


def _t_quantile(df: int, level: float) -> float:
    """The t that holds this share of Student's distribution between -t and t.

    References
    ----------
    Abramowitz and Stegun, 26.7.3 and 26.7.4. A leaderboard asks for it, and loading scipy.special would double the time
    of `irkit score`.
    """

    def share(angle: float) -> float:
        squared, term, total = cos(angle) ** 2, cos(angle) if df % 2 else 1.0, 0.0
        for n in range(3 if df % 2 else 2, df + 1, 2):
            total += term
            term *= squared * (n - 1) / n
        return (angle + sin(angle) * total) * 2 / pi if df % 2 else sin(angle) * total

    low, high = 0.0, pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if share(middle) < level else (low, middle)
    return tan(low) * sqrt(df)


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


def too_few(least: int, what: str, widths: Sequence[tuple[float, str]]) -> str:
    """The sentence about few topics: how far `what` could move, by the widest of (half width, what it is of)."""
    if least == 1:
        return "1 topic cannot rank systems."
    few = f"{least} topics are too few to rank systems"
    width, which = max(widths, key=lambda pair: pair[0], default=(0.0, ""))
    if width == 0:
        return f"{few}."
    return f"{few}: on other topics of the kind {what} could move by {width:.4f} either way ({which}; 95% t interval)."
