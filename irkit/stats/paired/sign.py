"""The sign test over topics."""

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Final

import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.differences import (
    IDENTICAL,
    Alternative,
    NanPolicy,
    PairedTest,
    check_alternative,
    least_by_signs,
    least_pvalue_note,
    paired_differences,
)

TEST: Final = "sign test"
NULL: Final = "a topic that is no tie is as likely won as lost"


def sign_test_of_a_constant(test: PairedTest) -> PairedTest:
    """The sign test of differences that are all the same, and not 0, from another test of them."""
    towards = test.losses if test.alternative == "less" else test.wins
    reached = test.alternative == "two-sided" or towards
    pvalue = least_by_signs(test.n_topics, test.alternative) if reached else 1.0
    return replace(test, test=TEST, statistic=float(test.wins), pvalue=pvalue, null=NULL)


def sign_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    within: float = 0.0,
    alternative: Alternative = "two-sided",
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """Sign test: topics won against topics lost, whatever the size of the difference; ties are left out.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    within : float
        Differences up to this size are ties, in the measure's own unit.
    alternative : {'two-sided', 'greater', 'less'}
        'greater' asks whether the candidate wins more topics.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

    Returns
    -------
    PairedTest
        Its statistic is the number of wins, its n_effective wins and losses together. The p-value is exact: two-sided
        it is twice the smaller tail. Ties only have p 1.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), the alternative does not exist, or `within` is negative.
    DataError
        If there is no score, or one that is not finite.
    """
    check_alternative(alternative)
    if not within >= 0:
        raise UsageError(f"differences within a size of 0 or more are ties, got within={within}")
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    edge = within / differences.unit + differences.noise
    wins, losses = int((differences.values > edge).sum()), int((differences.values < -edge).sum())
    n_effective = wins + losses
    if alternative == "two-sided":
        pvalue = min(1.0, 2 * _at_least(max(wins, losses), n_effective))
    else:
        pvalue = _at_least(wins if alternative == "greater" else losses, n_effective)
    if differences.identical:
        note = IDENTICAL
    elif not n_effective:
        note = "every topic is a tie"
    else:
        note = least_pvalue_note(n_effective, alternative)
    return differences.result(
        TEST,
        float(wins),
        pvalue,
        alternative=alternative,
        null=NULL,
        n_effective=n_effective,
        within=edge,
        note=note,
    )


def _at_least(wins: int, n: int) -> float:
    """The probability of so many heads or more among n coins."""
    ways = total = comb(n, wins)
    for heads in range(wins, n):
        ways = ways * (n - heads) // (heads + 1)
        total += ways
    return float(Fraction(total, 2**n))
