"""Bootstrap-t, the studentised bootstrap: a test and an interval of the mean that allow for skewed differences."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from math import comb, inf, nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import chance_of
from irkit.stats.paired.differences import (
    Alternative,
    Differences,
    NanPolicy,
    PairedTest,
    check_alternative,
    paired_differences,
)
from irkit.stats.paired.intervals import CONSTANT, Interval
from irkit.stats.paired.intervals import ONE_TOPIC as NO_INTERVAL
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.resampling import Places, drawn_places, pvalue_of_a_constant
from irkit.stats.paired.student import student_t

TEST: Final = "bootstrap-t test"
METHOD: Final = "bootstrap-t"
NULL: Final = "the mean difference over topics is 0"
N_RESAMPLES: Final = 9_999
# Different resamples up to which each is looked at: 92,378 of 10 different values.
_MOST_LISTED: Final = 100_000
# Statistics, and shares of resamples, this close are equal but for rounding.
_TIE: Final = 1e-9
_ROUNDING: Final = 1e-12
# Resamples and columns at a time: 4 MB of their t*.
_ROWS: Final = 2048
_COLUMNS: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
class BootstrapT:
    """The distribution of t* over resamples of the topics, each tail of which is counted by itself.

    t* is the mean of a resample less the mean, over the standard error of the resample. A resample of one value alone
    has an infinite t*, with the sign of its distance from the mean; where it has none, t* is 0.

    Attributes
    ----------
    ts : float64 array of shape (resamples,)
        Rising.
    probabilities : float64 array of the same shape
    n_resamples : int or None
        Size of the sample; None where every resample was looked at.
    seed : int or None
        What the sample was drawn with, where it was a number.
    """

    ts: FloatArray = field(repr=False)
    probabilities: FloatArray = field(repr=False)
    n_resamples: int | None
    seed: int | None

    def __post_init__(self) -> None:
        freeze(self, "ts", "probabilities")

    def pvalue(self, statistic: float, alternative: Alternative) -> float:
        """Share of t* at least as extreme as t; two-sided it is twice the smaller tail, at most 1."""
        if alternative == "two-sided":
            return min(1.0, 2 * min(self.pvalue(statistic, "greater"), self.pvalue(statistic, "less")))
        tie = _TIE * max(1.0, abs(statistic))
        extreme = self.ts >= statistic - tie if alternative == "greater" else self.ts <= statistic + tie
        if self.n_resamples is not None:
            return (1 + int(extreme.sum())) / (1 + self.n_resamples)
        return min(1.0, float(self.probabilities[extreme].sum()))

    def quantile(self, share: float) -> float:
        """The smallest t* with F(t*) >= share."""
        place = int(np.searchsorted(np.cumsum(self.probabilities), share - _ROUNDING))
        return float(self.ts[min(place, len(self.ts) - 1)])

    def test(self, differences: Differences, alternative: Alternative) -> PairedTest:
        """The test that the mean difference is 0."""
        statistic = student_t(differences, alternative)[0]
        return differences.result(
            TEST,
            statistic,
            self.pvalue(statistic, alternative),
            alternative=alternative,
            null=NULL,
            exact=self.n_resamples is None,
            n_resamples=self.n_resamples,
            seed=self.seed,
        )

    def interval(self, differences: Differences, level: float) -> Interval:
        """The equal-tailed interval of the mean difference; an end is infinite where resamples set it no bound."""
        n, mean, unit = differences.n, differences.mean, differences.unit
        error = differences.deviation / sqrt(n)
        low, high = (mean - self.quantile(share) * error for share in ((1 + level) / 2, (1 - level) / 2))
        chance = self.n_resamples is None, self.n_resamples, self.seed
        return Interval(mean * unit, low * unit, high * unit, level, METHOD, n, *chance)


def distribution_of_t(differences: Differences, n_resamples: int, rng: int | np.random.Generator) -> BootstrapT:
    """The distribution of t* of differences that vary: exact where resamples can be listed, else sampled."""
    distinct, place_of = _distinct(differences)
    n, k = differences.n, len(distinct)
    if _is_listed(n, k):
        times = _every_resample(n, k)
        weights = times.astype(np.float64)
        ts = _ts(weights @ distinct / n, weights @ distinct**2 / n, times.max(axis=1) == n, differences)
        order = np.argsort(ts, kind="stable")
        return BootstrapT(ts[order], _probabilities(times, place_of)[order], None, None)
    parts = []
    centred = distinct[place_of]
    for places in drawn_places(n, n_resamples, rng):
        drawn = centred[places]
        squares = np.einsum("ij,ij->i", drawn, drawn) / n
        parts.append(_ts(drawn.mean(axis=1), squares, drawn.min(axis=1) == drawn.max(axis=1), differences))
    ts = np.sort(np.concatenate(parts))
    return BootstrapT(ts, np.full(n_resamples, 1 / n_resamples), n_resamples, chance_of(rng)[1])


def bootstrap_t_pvalues(columns: Sequence[Differences], n_resamples: int) -> list[float]:
    """Two-sided p-values of bootstrap-t of several columns of differences that vary, over the same topics.

    They are those of `distribution_of_t` with rng 0: all columns share the resamples that are drawn.
    """
    sampled = [place for place, one in enumerate(columns) if not _is_listed(one.n, len(_distinct(one)[0]))]
    drawn = dict(zip(sampled, _sampled_pvalues([columns[place] for place in sampled], n_resamples), strict=True))
    return [
        drawn[place] if place in drawn else distribution_of_t(one, n_resamples, 0).test(one, "two-sided").pvalue
        for place, one in enumerate(columns)
    ]


def _sampled_pvalues(columns: Sequence[Differences], n_resamples: int) -> list[float]:
    """p-values of columns by drawn resamples: counts of each topic in a resample, times the values."""
    if not columns:
        return []
    n = columns[0].n
    table = np.column_stack([column.values - column.mean for column in columns])
    floors = abs(table).max(axis=0) ** 2 * np.finfo(float).eps
    statistics = np.array([student_t(one, "two-sided")[0] for one in columns])
    ties = _TIE * np.maximum(1.0, abs(statistics))
    above, below = np.zeros(len(columns), dtype=np.int64), np.zeros(len(columns), dtype=np.int64)
    for places in drawn_places(n, n_resamples, 0):
        for start in range(0, len(places), _ROWS):
            some = places[start : start + _ROWS]
            cells = (some + np.arange(len(some))[:, np.newaxis] * n).ravel()
            times = np.bincount(cells, minlength=len(some) * n).reshape(len(some), n) / n
            for first in range(0, len(columns), _COLUMNS):
                here = slice(first, first + _COLUMNS)
                ts = times @ table[:, here]
                variances = times @ table[:, here] ** 2 - ts**2
                ts /= np.sqrt(np.maximum(variances, floors[here]) / (n - 1))
                above[here] += (ts >= statistics[here] - ties[here]).sum(axis=0)
                below[here] += (ts <= statistics[here] + ties[here]).sum(axis=0)
    smaller = (1 + np.minimum(above, below)) / (1 + n_resamples)
    return [float(one) for one in np.minimum(1.0, 2 * smaller)]


def studentised_bootstrap_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = N_RESAMPLES,
    rng: int | np.random.Generator = 0,
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """Bootstrap-t: how often t of resampled topics, against the mean difference, is as extreme as t against 0.

    Each tail is counted by itself, so that it keeps its level where differences are skewed; two-sided p is twice the
    smaller tail.

    Parameters
    ----------
    candidate_values, baseline_values, alternative, nan_policy
        As `paired_t_test` takes them.
    n_resamples : int
        Resamples of the topics that are drawn where there are more than 100,000 different ones.
    rng : int or numpy.random.Generator
        What they are drawn with.

    Returns
    -------
    PairedTest
        Its statistic is t. The p-value is exact for 10 topics or fewer, and for more where few differences are
        different; else (1 + c) / (1 + n_resamples). A resample of a single value has an infinite t*, with the sign of
        its distance from the mean, and so is extreme. Identical scores have p 1; the same difference in every topic and
        a single topic have p nan, and the note says why.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), the alternative does not exist, or n_resamples is below 1.
    DataError
        If there is no score, or one that is not finite.

    References
    ----------
    Hall, Annals of Statistics 1988; Efron and Tibshirani 1993, 12.5; Sakai, SIGIR 2006.
    """
    check_alternative(alternative)
    check_resamples(n_resamples)
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    if differences.constant:
        pvalue, note = pvalue_of_a_constant(differences)
        statistic = nan if differences.identical else student_t(differences, alternative)[0]
        return differences.result(TEST, statistic, pvalue, alternative=alternative, null=NULL, note=note)
    return distribution_of_t(differences, n_resamples, rng).test(differences, alternative)


def bootstrap_t_interval(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: int | np.random.Generator = 0,
) -> Interval:
    """The equal-tailed bootstrap-t interval of the mean difference.

    Parameters are those of `studentised_bootstrap_test`, and `level` that of `t_interval`.

    Returns
    -------
    Interval
        An end is infinite where more than (1 - level) / 2 of the resamples are of a single value on that side.

    Notes
    -----
    From mean - q(1 - a) se to mean - q(a) se with a = (1 - level) / 2; the quantile q(a) is the smallest t* with
    F(t*) >= a.
    """
    check_resamples(n_resamples)
    differences = paired_differences(candidate_values, baseline_values)
    if differences.constant:
        mean = differences.mean * differences.unit
        end, note = (nan, NO_INTERVAL) if differences.n == 1 else (mean, CONSTANT)
        return Interval(mean, end, end, level, METHOD, differences.n, note=note)
    return distribution_of_t(differences, n_resamples, rng).interval(differences, level)


def _distinct(differences: Differences) -> tuple[FloatArray, Places]:
    """The different differences, centred and rising, and the place among them of each topic's."""
    order = np.argsort(differences.values, kind="stable")
    rising = differences.values[order]
    group = np.cumsum(np.diff(rising, prepend=rising[0]) > differences.noise)
    place_of = np.empty(differences.n, dtype=np.int64)
    place_of[order] = group
    return rising[np.unique(group, return_index=True)[1]] - differences.mean, place_of


def _is_listed(n: int, k: int) -> bool:
    """Whether every different resample of n topics with k different values is looked at."""
    return comb(n + k - 1, n) <= _MOST_LISTED


def _every_resample(n: int, k: int) -> Places:
    """All counts of k distinct values in a resample of n, shape (resamples, k).

    A resample is n stars with k - 1 bars between them.
    """
    n_different = comb(n + k - 1, n)
    flat = chain.from_iterable(combinations(range(n + k - 1), k - 1))
    bars = np.fromiter(flat, np.int64, n_different * (k - 1)).reshape(n_different, k - 1)
    return np.diff(bars, axis=1, prepend=-1, append=n + k - 1) - 1


def _probabilities(times: Places, place_of: Places) -> FloatArray:
    """The probability of each resample: n! / (product of times!) times the product of share^times."""
    n = len(place_of)
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1.0, n + 1)))))  # of factorials
    shares = np.bincount(place_of) / n
    return np.asarray(np.exp(logs[n] - logs[times].sum(axis=1) + times @ np.log(shares)))


def _ts(means: FloatArray, squares: FloatArray, single: npt.NDArray[np.bool_], differences: Differences) -> FloatArray:
    """t* of resamples of centred values from their means and mean squares, with a mark for constant resamples."""
    n = differences.n
    largest = float(abs(differences.values - differences.mean).max())
    # What rounding leaves of the squares of values that lie close together is no less than this.
    variances = np.maximum(squares - means**2, largest**2 * np.finfo(float).eps)
    ts = np.asarray(means / np.sqrt(variances / (n - 1)))
    ts[single] = np.where(abs(means[single]) <= _TIE * largest, 0.0, np.where(means[single] > 0, inf, -inf))
    return ts


def check_resamples(n_resamples: int) -> None:
    """Refuse a number of resamples that is none."""
    if n_resamples < 1:
        raise UsageError(f"a bootstrap needs one resample at least, got n_resamples={n_resamples}")
