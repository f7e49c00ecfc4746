"""Tests and intervals for parameters chosen by cross-validation."""

from dataclasses import replace
from math import inf, nan, sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import chance_of, table_of
from irkit.stats.paired.differences import IDENTICAL, Differences, PairedTest, least_pvalue_note
from irkit.stats.paired.intervals import Interval
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.student import student_t

REPEATED_CHOICE: Final = "sign flips that repeat the choice"
REPEATED_CHOICE_NULL: Final = "in each topic all differences to the default could as well have the other sign"
CORRECTED_T: Final = "t test corrected for folds"
NO_INTERVAL: Final = "none"
# Tests of a choice that folds made: what is known of the power of a t test does not hold for them.
OF_A_CHOICE: Final = (REPEATED_CHOICE, CORRECTED_T)
NO_TEST: Final = "no test is known for so many folds if points learn from data"
# 2 ** 14 sign patterns are looked at one by one.
MOST_ENUMERATED: Final = 14
N_FLIPS: Final = 9_999
# Means that differ by less than this share of the largest possible one are equal but for rounding.
_TIE: Final = 1e-9
# Sums in memory at a time: 16 MB of them.
_BLOCK: Final = 2**21
# By how much a t interval is wider for so many folds; beyond ten folds, and for leaving one out, no factor is known.
_WIDENED: Final = ((5, 1.3), (10, 1.5))
MOST_FOLDS: Final = 10

Places = npt.NDArray[np.intp]


class RepeatedChoice(NamedTuple):
    """Mean of the folds' choices, among the means of their choices under other signs.

    Attributes
    ----------
    mean : float
        Over all topics, each with the point that the other folds chose.
    pvalue : float
        Two-sided, equal-tailed: twice the smaller of the next two, 1 at most.
    greater, less : float
        One-sided: how often a mean at least as high, and at least as low, came out.
    exact : bool
        Every sign pattern was looked at.
    n_flips : int
        Sign patterns looked at or drawn.
    n_effective : int
        Topics in which a point differs from the default: those whose signs are flipped.
    """

    mean: float
    pvalue: float
    greater: float
    less: float
    exact: bool
    n_flips: int
    n_effective: int


def repeated_choice(
    differences: npt.ArrayLike,
    folds: npt.ArrayLike,
    *,
    tolerance: float = 0.0,
    n_flips: int = N_FLIPS,
    rng: int | np.random.Generator = 0,
) -> RepeatedChoice:
    """Test a choice made by folds: flip the signs of whole topics, and repeat the choice each time.

    A t test over the same topics rejects a true null in .08 to .14 of samples at .05 (5 folds), because all folds
    share what chose for them. This test is exact where each topic's vector of differences is symmetric about 0.

    Parameters
    ----------
    differences : array-like of shape (n, P)
        Each point minus the default in each topic. Of points whose development means are equal the first column is
        chosen, so they stand in the order in which ties are broken. The default is a column of zeros.
    folds : array-like of shape (n,)
        The fold of each topic: whole numbers from 0, two different ones at least.
    tolerance : float
        Development means that differ by no more than this are equal.
    n_flips : int
        Sign patterns drawn where more than 14 topics differ.
    rng : int or numpy.random.Generator

    Raises
    ------
    UsageError
        If `differences` is no table, the folds are not as described, or n_flips is below 1.
    DataError
        If there is no topic, or a difference that is not finite.

    References
    ----------
    The permutation principle of Fisher 1935, applied to a procedure that chooses.
    """
    if n_flips < 1:
        raise UsageError(f"a sampled test needs one sign pattern at least, got n_flips={n_flips}")
    differences = table_of(differences, "columns of differences", 1)
    fold_of = np.asarray(folds)
    if fold_of.shape != differences.shape[:1] or fold_of.dtype.kind not in "iu" or fold_of.min() < 0:
        raise UsageError("each topic has a fold: whole numbers from 0, as many as there are rows of differences")
    members = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of).tolist()]
    n_topics, n_folds = len(differences), len(members)
    if n_folds < 2:
        raise UsageError("a choice by folds needs two folds at least, got one")
    sizes = np.array([n_topics - len(rows) for rows in members], dtype=np.float64)

    def means(signs: FloatArray) -> FloatArray:
        """Mean of the chosen points under each row of signs."""
        sums = np.stack([signs[:, rows] @ differences[rows] for rows in members], axis=1)
        development = sums.sum(axis=1, keepdims=True) - sums
        best = development.max(axis=2, keepdims=True) - (tolerance * sizes)[:, np.newaxis]
        chosen = np.argmax(development >= best, axis=2)[:, :, np.newaxis]
        return np.asarray(np.take_along_axis(sums, chosen, axis=2).sum(axis=(1, 2)) / n_topics)

    observed = float(means(np.ones((1, n_topics)))[0])
    tie = _TIE * float(abs(differences).max(initial=0.0))
    flipped = np.flatnonzero((differences != 0).any(axis=1))
    exact = len(flipped) <= MOST_ENUMERATED
    n_signs = 2 ** len(flipped) if exact else n_flips
    rows = max(1, _BLOCK // (n_topics + n_folds * differences.shape[1]))
    chance = None if exact else chance_of(rng)[0]
    n_greater = n_less = 0
    for start in range(0, n_signs, rows):
        some = min(rows, n_signs - start)
        if chance is None:
            bits = (np.arange(start, start + some)[:, np.newaxis] >> np.arange(len(flipped))) & 1
        else:
            bits = chance.integers(0, 2, (some, len(flipped)))
        signs = np.ones((some, n_topics))
        signs[:, flipped] = 1.0 - 2.0 * bits
        found = means(signs)
        n_greater += int((found >= observed - tie).sum())
        n_less += int((found <= observed + tie).sum())
    more = 0 if exact else 1
    greater, less = ((more + count) / (more + n_signs) for count in (n_greater, n_less))
    return RepeatedChoice(observed, min(1.0, 2 * min(greater, less)), greater, less, exact, n_signs, len(flipped))


def repeated_choice_test(
    paired: Differences,
    differences: FloatArray,
    folds: Places,
    *,
    tolerance: float = 0.0,
    n_flips: int = N_FLIPS,
    rng: int | np.random.Generator = 0,
) -> PairedTest:
    """Run `repeated_choice` as the test of the pair `paired`: the choice of the folds against the default.

    Its statistic is the mean difference, its n_effective the number of topics whose signs are flipped. Where no topic
    differs p is 1, and the note says so.
    """
    found = repeated_choice(differences, folds, tolerance=tolerance, n_flips=n_flips, rng=rng)
    if paired.identical:
        pvalue, note = 1.0, IDENTICAL
    else:
        pvalue, note = found.pvalue, least_pvalue_note(found.n_effective, "two-sided")
    return paired.result(
        REPEATED_CHOICE,
        paired.mean * paired.unit,
        pvalue,
        alternative="two-sided",
        null=REPEATED_CHOICE_NULL,
        n_effective=found.n_effective,
        exact=found.exact,
        n_resamples=None if found.exact else found.n_flips,
        seed=None if found.exact else chance_of(rng)[1],
        note=note,
    )


def corrected_t_test(paired: Differences, n_folds: int) -> PairedTest:
    """Corrected t test over topics: its variance counts the training data that folds share.

    Its statistic is t / sqrt(1 + k / (k - 1)) for k folds, with n - 1 degrees of freedom: cautious for up to 10 folds.
    For more folds, and for leaving one topic out, it finds differences too often: p is nan, and the note says so; so it
    is where every topic differs by the same amount, which t cannot measure.

    References
    ----------
    Nadeau and Bengio 2003, with single topics in the place of test sets.
    """
    from scipy.special import stdtr

    statistic, pvalue, note = student_t(paired, "two-sided")
    if paired.identical:
        statistic, pvalue, note = nan, 1.0, IDENTICAL
    elif _too_many(n_folds, paired.n):
        statistic, pvalue, note = nan, nan, NO_TEST
    elif abs(statistic) < inf:
        statistic /= _shared(n_folds)
        pvalue = float(2 * stdtr(paired.n - 1, -abs(statistic)))
    else:
        statistic, pvalue = nan, nan
    return paired.result(
        CORRECTED_T,
        statistic,
        pvalue,
        alternative="two-sided",
        null="the mean difference over topics is 0",
        note=note,
    )


def widened_interval(interval: Interval, n_folds: int) -> Interval:
    """Widened t interval for a choice by folds: 1.3 times for up to 5 folds, 1.5 times for up to 10.

    For more folds, and for leaving one topic out, no factor is known: the ends are nan, and the method is "none".
    """
    if _too_many(n_folds, interval.n_topics):
        return _without_ends(interval)
    factor = next(factor for most, factor in _WIDENED if n_folds <= most)
    return _scaled(interval, factor, f"t x {factor:g}")


def corrected_interval(interval: Interval, n_folds: int) -> Interval:
    """A t interval with the variance of `corrected_t_test`, where that has a p-value."""
    if _too_many(n_folds, interval.n_topics):
        return _without_ends(interval)
    return _scaled(interval, _shared(n_folds), "corrected t")


def _too_many(n_folds: int, n_topics: int) -> bool:
    return n_folds > MOST_FOLDS or n_folds >= n_topics


def _shared(n_folds: int) -> float:
    """Factor by which the corrected t test widens the standard error of a mean."""
    return sqrt(1 + n_folds / (n_folds - 1))


def _scaled(interval: Interval, factor: float, method: str) -> Interval:
    low, high = (interval.estimate + factor * (end - interval.estimate) for end in (interval.low, interval.high))
    return replace(interval, low=low, high=high, method=method)


def _without_ends(interval: Interval) -> Interval:
    return replace(interval, low=nan, high=nan, method=NO_INTERVAL)
