"""The sign-flip randomisation test: exact where sign patterns can be counted, else sampled; for many pairs at once."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import chance_of, table_of
from irkit.stats.paired.differences import (
    IDENTICAL,
    Alternative,
    Differences,
    NanPolicy,
    PairedTest,
    check_alternative,
    least_pvalue_note,
    paired_differences,
)
from irkit.stats.paired.lattice import multiples_of_a_step, subset_sums
from irkit.stats.paired.means import TOLERANCE, FloatArray

TEST: Final = "sign-flip randomisation test"
NULL: Final = "in each topic the two scores could as well have been the other's"
# All 2 ** 30 sign patterns are counted from two lists of 2 ** 15 sums.
MOST_ENUMERATED: Final = 30
# Sums that differ by less than this share of the largest possible one are equal but for rounding.
_TIE: Final = 1e-9
# Signs in memory at a time: 16 MB of them.
_BLOCK: Final = 2**21


class FlipPValues(NamedTuple):
    """p-values of several pairs, and for each whether every sign pattern was counted."""

    pvalues: FloatArray
    exact: npt.NDArray[np.bool_]


def sign_flip_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 100_000,
    rng: int | np.random.Generator = 0,
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """Fisher's randomisation test: the mean difference among those with the signs of the topics' differences flipped.

    Parameters
    ----------
    candidate_values, baseline_values, alternative, nan_policy
        As `paired_t_test` takes them.
    n_resamples : int
        Sign patterns drawn where they are too many to count.
    rng : int or numpy.random.Generator
        What they are drawn with.

    Returns
    -------
    PairedTest
        Its statistic is the mean difference, its n_effective the number of topics that differ. The p-value is exact for
        30 of these or fewer, and for scores that are multiples of one step; else (1 + c) / (1 + n_resamples). Identical
        scores and a single topic have p 1. Fewer than 6 topics that differ cannot reach 0.05 (two-sided); the note says
        so.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), the alternative does not exist, or n_resamples is below 1.
    DataError
        If there is no score, or one that is not finite.

    References
    ----------
    Fisher 1935; Smucker, Allan and Carterette, CIKM 2007.
    """
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    column = differences.values[:, np.newaxis]
    pvalues, exact = sign_flip_pvalues(column, alternative=alternative, n_resamples=n_resamples, rng=rng)
    sampled = None if exact[0] else (n_resamples, chance_of(rng)[1])
    return sign_flip_result(differences, float(pvalues[0]), alternative=alternative, sampled=sampled)


def sign_flip_result(
    differences: Differences, pvalue: float, *, alternative: Alternative, sampled: tuple[int, int | None] | None
) -> PairedTest:
    """The answer of a sign-flip test whose p is known; `sampled` is the number of sign patterns drawn, and the seed."""
    n_nonzero = len(differences.nonzero)
    return differences.result(
        TEST,
        differences.mean * differences.unit,
        pvalue,
        alternative=alternative,
        null=NULL,
        n_effective=n_nonzero,
        exact=sampled is None,
        n_resamples=None if sampled is None else sampled[0],
        seed=None if sampled is None else sampled[1],
        note=IDENTICAL if differences.identical else least_pvalue_note(n_nonzero, alternative),
    )


def sign_flip_pvalues(
    differences: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 100_000,
    rng: int | np.random.Generator = 0,
) -> FlipPValues:
    """p-values of many pairs over the same topics; those that are sampled share their signs.

    Parameters
    ----------
    differences : array-like of shape (n, pairs)
        Candidate minus baseline, a row for each topic. What arithmetic left of no difference has to be 0, as in
        `Differences.values`.
    alternative, n_resamples, rng
        As in `sign_flip_test`.

    Returns
    -------
    FlipPValues
        Both of shape (pairs,). Signs are drawn only where a pair needs them.

    Raises
    ------
    UsageError
        If it is no table with a column, the alternative does not exist, or n_resamples is below 1.
    DataError
        If there is no topic, or a difference that is not finite.
    """
    check_alternative(alternative)
    if n_resamples < 1:
        raise UsageError(f"a sampled test needs one sign pattern at least, got n_resamples={n_resamples}")
    table = table_of(differences, "columns of differences", 1)
    pvalues = np.array([_exact(column[column != 0], alternative) for column in table.T])
    exact = ~np.isnan(pvalues)
    if not exact.all():
        pvalues[~exact] = _sampled(table[:, ~exact], alternative, n_resamples, rng)
    return FlipPValues(pvalues, exact)


def sign_blocks(n_topics: int, n_resamples: int, rng: int | np.random.Generator) -> Iterator[FloatArray]:
    """Random signs, -1 or 1, in float64 arrays of shape (some, n_topics): n_resamples rows in all."""
    chance, _ = chance_of(rng)
    rows = max(1, _BLOCK // n_topics)
    for start in range(0, n_resamples, rows):
        signs = chance.integers(0, 2, (min(rows, n_resamples - start), n_topics)).astype(np.float64)
        signs *= 2
        signs -= 1
        yield signs


def _exact(nonzero: FloatArray, alternative: Alternative) -> float:
    """The exact p of differences none of which is 0; nan where there are too many sign patterns."""
    if not len(nonzero):
        return 1.0
    if len(nonzero) <= MOST_ENUMERATED:
        return _enumerated(nonzero, alternative)
    size = float(abs(nonzero).max())
    if (found := multiples_of_a_step(nonzero, TOLERANCE * size)) is None:
        return np.nan
    multiples, _ = found
    # Where a random subset of the sizes is positive, their signed sum is twice the subset's less the whole.
    if (probabilities := subset_sums(abs(multiples))) is None:
        return np.nan
    whole, observed = int(abs(multiples).sum()), int(multiples.sum())

    def at_least(total: int) -> float:
        return float(probabilities[(total + whole) // 2 :].sum())

    if alternative == "two-sided":
        return min(1.0, 2 * at_least(abs(observed)))
    return min(1.0, at_least(observed if alternative == "greater" else -observed))


def _enumerated(nonzero: FloatArray, alternative: Alternative) -> float:
    """Share of all sign patterns at least as extreme; each sum is one of the first half plus one of the second."""
    first, second = _signed_sums(nonzero[::2]), np.sort(_signed_sums(nonzero[1::2]))
    observed, tie = float(nonzero.sum()), _TIE * float(abs(nonzero).sum())
    n_patterns = len(first) * len(second)

    def at_least(total: float) -> float:
        return int((len(second) - np.searchsorted(second, total - tie - first)).sum()) / n_patterns

    if alternative == "two-sided":
        return 2 * at_least(abs(observed)) if abs(observed) > tie else 1.0
    return at_least(observed if alternative == "greater" else -observed)


def _signed_sums(values: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate((sums - value, sums + value))
    return sums


def _sampled(
    differences: FloatArray, alternative: Alternative, n_resamples: int, rng: int | np.random.Generator
) -> FloatArray:
    observed, tie = differences.sum(axis=0), _TIE * abs(differences).sum(axis=0)
    n_extreme = np.zeros(differences.shape[1], dtype=np.int64)
    for signs in sign_blocks(len(differences), n_resamples, rng):
        sums = signs @ differences
        if alternative == "two-sided":
            extreme = np.abs(sums, out=sums) >= abs(observed) - tie
        elif alternative == "greater":
            extreme = sums >= observed - tie
        else:
            extreme = sums <= observed + tie
        n_extreme += np.count_nonzero(extreme, axis=0)
    return np.asarray((1 + n_extreme) / (1 + n_resamples))
