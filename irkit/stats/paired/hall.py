"""Hall's transformation of t: a test and an interval of the mean that allow for skewness without resampling."""

from math import nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.stats.paired.differences import Alternative, Differences, PairedTest, check_alternative, paired_differences
from irkit.stats.paired.intervals import CONSTANT, ONE_TOPIC, Interval, check_level
from irkit.stats.paired.student import paired_t_test

TEST: Final = "Hall's transformed t test"
METHOD: Final = "Hall"
# With fewer topics it claims too often even where differences are normal.
LEAST_TOPICS: Final = 15


def hall_test(
    candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike, *, alternative: Alternative = "two-sided"
) -> PairedTest:
    """The paired t test with Hall's transformation, which takes the skewness of the differences out of t.

    A check of bootstrap-t that needs no resampling, for 15 topics or more.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    alternative : {'two-sided', 'greater', 'less'}
        'greater' asks whether the candidate is above the baseline.

    Returns
    -------
    PairedTest
        Its statistic is H with n - 1 degrees of freedom. Identical scores, constant differences and a single topic have
        the answers of `paired_t_test`.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), or the alternative does not exist.
    DataError
        If there is no score, or one that is not finite.

    Notes
    -----
    H = sqrt(n) (U + g U^2 / 3 + g^2 U^3 / 27 + g / (6 n)), with U = mean / sqrt(m2) and g = m3 / m2^1.5.

    References
    ----------
    Hall, Journal of the Royal Statistical Society B, 1992.
    """
    check_alternative(alternative)
    differences = paired_differences(candidate_values, baseline_values)
    if differences.constant:
        return paired_t_test(candidate_values, baseline_values, alternative=alternative)
    statistic, pvalue = hall_t(differences, alternative)
    null = "the mean difference over topics is 0"
    return differences.result(TEST, statistic, pvalue, alternative=alternative, null=null)


def hall_interval(candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    """The interval of the mean difference that `hall_test` does not reject, equal-tailed.

    References
    ----------
    Hall, Journal of the Royal Statistical Society B, 1992.
    """
    from scipy.special import stdtrit

    check_level(level)
    differences = paired_differences(candidate_values, baseline_values)
    n, mean, unit = differences.n, differences.mean, differences.unit
    if differences.constant:
        end, note = (nan, ONE_TOPIC) if n == 1 else (mean * unit, CONSTANT)
        return Interval(mean * unit, end, end, level, METHOD, n, note=note)
    deviation, g = _moments(differences)

    def u(quantile: float) -> float:
        if abs(g) < 1e-8:  # where the cube root loses its digits, and the skewness counts for nothing
            return quantile / sqrt(n)
        return 3 / g * (float(np.cbrt(1 + g * (quantile / sqrt(n) - g / (6 * n)))) - 1)

    low, high = (mean - deviation * u(float(stdtrit(n - 1, share))) for share in ((1 + level) / 2, (1 - level) / 2))
    return Interval(mean * unit, low * unit, high * unit, level, METHOD, n)


def hall_t(differences: Differences, alternative: Alternative, above: float = 0.0) -> tuple[float, float]:
    """H of the mean difference less `above`, in multiples of the differences' unit, and its p."""
    from scipy.special import stdtr

    n = differences.n
    deviation, g = _moments(differences)
    u = (differences.mean - above) / deviation
    statistic = sqrt(n) * (u + g * u**2 / 3 + g**2 * u**3 / 27 + g / (6 * n))
    if alternative == "two-sided":
        return statistic, float(2 * stdtr(n - 1, -abs(statistic)))
    return statistic, float(stdtr(n - 1, -statistic if alternative == "greater" else statistic))


def _moments(differences: Differences) -> tuple[float, float]:
    """sqrt(m2) and m3 / m2^1.5."""
    centred = differences.values - differences.mean
    m2 = float((centred**2).mean())
    return sqrt(m2), float((centred**3).mean()) / m2**1.5
