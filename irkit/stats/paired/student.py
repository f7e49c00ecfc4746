"""The paired t test over topics."""

from math import inf, nan, sqrt
from typing import Final

import numpy.typing as npt

from irkit.stats.paired.differences import (
    IDENTICAL,
    Alternative,
    Differences,
    NanPolicy,
    PairedTest,
    check_alternative,
    paired_differences,
)

TEST: Final = "paired t test"
ONE_TOPIC: Final = "one topic: no test is possible"
CONSTANT: Final = "every topic differs by the same amount: t has no noise to measure it by"
_BOUND: Final = {"two-sided": "", "greater": " or below", "less": " or above"}


def paired_t_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """Paired t test of one measure over topics.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    alternative : {'two-sided', 'greater', 'less'}
        'greater' asks whether the candidate is above the baseline.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

    Returns
    -------
    PairedTest
        Its statistic is t with n - 1 degrees of freedom: nan where the test says nothing, infinite where every
        difference is the same. Its names are empty. Identical scores have p 1, the same difference in every topic p 0
        (two-sided), one topic p nan; the note says so. Differences within 1e-12 of the largest score count as none.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), or the alternative does not exist.
    DataError
        If there is no score, or one that is not finite.
    """
    check_alternative(alternative)
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    if differences.identical and differences.n > 1:
        statistic, pvalue, note = nan, 1.0, IDENTICAL
    else:
        statistic, pvalue, note = student_t(differences, alternative)
    return differences.result(
        TEST,
        statistic,
        pvalue,
        alternative=alternative,
        null=f"the mean difference over topics is 0{_BOUND[alternative]}",
        note=note,
    )


def student_t(differences: Differences, alternative: Alternative, above: float = 0.0) -> tuple[float, float, str]:
    """The t of the mean difference less `above`, its p, and the note of a case without an ordinary answer.

    `above` is in multiples of the differences' unit.
    """
    from scipy.special import stdtr

    n, mean = differences.n, differences.mean - above
    if n == 1:
        return nan, nan, ONE_TOPIC
    if not differences.constant:
        statistic, note = mean / (differences.deviation / sqrt(n)), ""
    elif abs(mean) <= differences.noise:
        return nan, 1.0, CONSTANT
    else:
        statistic, note = inf if mean > 0 else -inf, CONSTANT
    if alternative == "two-sided":
        return statistic, float(2 * stdtr(n - 1, -abs(statistic))), note
    return statistic, float(stdtr(n - 1, -statistic if alternative == "greater" else statistic)), note
