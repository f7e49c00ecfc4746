"""Power of the paired t test, topics needed, and detectable differences."""

from collections.abc import Callable
from math import exp, inf, isnan, lgamma, sqrt
from typing import Final

import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import table_of
from irkit.stats.paired.differences import Alternative, check_alternative

# No search for a number of topics goes further.
MOST_TOPICS: Final = 10_000_000


def power_of_t_test(dz: float, n: int, *, alpha: float = 0.05, alternative: Alternative = "two-sided") -> float:
    """The probability that the paired t test of n topics finds an effect of this true size.

    It is for an effect that is expected or wanted: put in place of it what a run was found to have, it only says
    the p-value again.

    Parameters
    ----------
    dz : float
        True mean difference over the standard deviation of the differences; positive where the candidate is above.
    n : int
        Topics, 2 at least.
    alpha : float
        Level at which the test rejects.
    alternative : {'two-sided', 'greater', 'less'}

    Raises
    ------
    UsageError
        If n is below 2, alpha out of range, dz not finite, or the alternative does not exist.
    """
    from scipy.special import stdtrit

    _check(alpha=alpha, alternative=alternative)
    if n < 2:
        raise UsageError(f"a paired t test needs two topics at least, got n={n}")
    if not abs(dz) < inf:
        raise UsageError(f"power is for an effect of a finite size, got dz={dz}")
    df, shift = n - 1, dz * sqrt(n)
    if alternative == "two-sided":
        critical = float(stdtrit(df, 1 - alpha / 2))
        return _beyond(critical, df, shift) + _beyond(critical, df, -shift)
    return _beyond(float(stdtrit(df, 1 - alpha)), df, shift if alternative == "greater" else -shift)


def topics_needed(dz: float, *, power: float = 0.8, alpha: float = 0.05, alternative: Alternative = "two-sided") -> int:
    """The fewest topics with which the paired t test finds an effect of this true size often enough.

    Raises
    ------
    UsageError
        If alpha or power is out of range or the alternative does not exist; if dz is 0 or points the other way, or is
        so small that ten million topics are too few.
    """
    _check(alpha=alpha, power=power, alternative=alternative)
    if not abs(dz) < inf or dz == 0 or (alternative != "two-sided" and (dz > 0) != (alternative == "greater")):
        raise UsageError(f"no number of topics shows an effect of dz={dz} as {alternative!r}")
    return _fewest(
        lambda n: power_of_t_test(dz, n, alpha=alpha, alternative=alternative) >= power, f"an effect of dz={dz}"
    )


def detectable_effect(
    n: int, *, power: float = 0.8, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> float:
    """The size of dz that the paired t test of n topics finds with this probability.

    Times the standard deviation of the differences it is the minimal detectable difference, in the measure's own unit.
    The smallest difference that comes out significant is smaller: half of the t interval's width.

    Raises
    ------
    UsageError
        If n is below 2, alpha or power out of range, power not above alpha, or the alternative does not exist.
    """
    _check(alpha=alpha, power=power, alternative=alternative)
    if power <= alpha:
        raise UsageError(f"a test at level {alpha} has more power than {power} for any effect")
    side: Alternative = "two-sided" if alternative == "two-sided" else "greater"
    low, high = 0.0, 1.0
    while power_of_t_test(high, n, alpha=alpha, alternative=side) < power:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        enough = power_of_t_test(middle, n, alpha=alpha, alternative=side) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def topics_for_t_test(smallest: float, variance: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Topic set size for a paired t test of two runs, from the variance within a run.

    Parameters
    ----------
    smallest : float
        Smallest mean difference worth finding, in the measure's own unit.
    variance : float
        Of the scores of one run, as `within_system_variance` or `residual_variance` estimates it; that of a difference
        is taken to be twice as large.

    References
    ----------
    Sakai, Information Retrieval Journal 2016.
    """
    _check_positive(smallest=smallest, variance=variance)
    return topics_needed(smallest / sqrt(2 * variance), power=power, alpha=alpha)


def topics_for_anova(
    n_systems: int, smallest_range: float, variance: float, *, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Number of topics for a one-way analysis of variance of several runs.

    Parameters
    ----------
    n_systems : int
        2 at least.
    smallest_range : float
        Smallest difference between the best and the worst run worth finding, in the measure's own unit.
    variance : float
        Of the scores of one run.

    Notes
    -----
    F with m - 1 and m (n - 1) degrees of freedom and lambda = n range^2 / (2 variance).

    References
    ----------
    Sakai, Information Retrieval Journal 2016.
    """
    _check(alpha=alpha, power=power)
    _check_positive(smallest_range=smallest_range, variance=variance)
    if n_systems < 2:
        raise UsageError(f"an analysis of variance needs two systems at least, got {n_systems}")
    return _fewest(
        lambda n: anova_power(n_systems, n, smallest_range, variance, alpha=alpha) >= power,
        f"a range of {smallest_range}",
    )


def anova_power(n_systems: int, n: int, range_of_means: float, variance: float, *, alpha: float = 0.05) -> float:
    """The probability that an analysis of variance of n topics finds two runs apart by this range; see Sakai 2016."""
    from scipy.special import fdtri, ncfdtr

    df, rest = n_systems - 1, n_systems * (n - 1)
    return 1 - float(ncfdtr(df, rest, n * range_of_means**2 / (2 * variance), float(fdtri(df, rest, 1 - alpha))))


def topics_for_interval(width: float, variance_of_differences: float, *, level: float = 0.95) -> int:
    """The fewest topics with which the t interval of a mean difference is no wider than this, on average.

    Notes
    -----
    E[width] = 2 t sqrt(variance / n) c4 with c4 = sqrt(2/(n-1)) Gamma(n/2) / Gamma((n-1)/2).

    References
    ----------
    Sakai, Information Retrieval Journal 2016.
    """
    _check(alpha=1 - level)
    _check_positive(width=width, variance_of_differences=variance_of_differences)
    return _fewest(lambda n: expected_width(n, variance_of_differences, level=level) <= width, f"a width of {width}")


def expected_width(n: int, variance_of_differences: float, *, level: float = 0.95) -> float:
    """Expected width of the t interval of a mean difference over n topics."""
    from scipy.special import stdtrit

    unbiased: float = sqrt(2 / (n - 1)) * exp(lgamma(n / 2) - lgamma((n - 1) / 2))
    return 2 * float(stdtrit(n - 1, (1 + level) / 2)) * sqrt(variance_of_differences / n) * unbiased


def within_system_variance(values: npt.ArrayLike) -> float:
    """Variance of the scores of a run over topics, pooled over runs (columns), without pairing of topics."""
    table = table_of(values, "runs", 1)
    return float(table.var(axis=0, ddof=1).mean())


def residual_variance(values: npt.ArrayLike) -> float:
    """Residual variance after the means of topics (rows) and runs (columns) are removed."""
    table = table_of(values, "runs", 2)
    left = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    return float((left**2).sum() / ((table.shape[0] - 1) * (table.shape[1] - 1)))


def _beyond(critical: float, df: int, shift: float) -> float:
    """P(T > critical) of the noncentral t; SciPy gives nan where it is within rounding of 0 or 1."""
    from scipy.special import nctdtr  # scipy.stats has it too, and would double the time of `irkit compare`

    share = 1 - float(nctdtr(df, shift, critical))
    return float(shift > critical) if isnan(share) else share


def _fewest(enough: Callable[[int], bool], what: str) -> int:
    """Smallest n of at least 2 that is enough; every larger n is enough too."""
    if enough(2):
        return 2
    low, high = 2, 4
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST_TOPICS:
            raise UsageError(f"{MOST_TOPICS:,} topics are too few for {what}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(*, alternative: str = "two-sided", **shares: float) -> None:
    check_alternative(alternative)
    for name, share in shares.items():
        if not 0 < share < 1:
            raise UsageError(f"{name} is between 0 and 1, got {share}")


def _check_positive(**quantities: float) -> None:
    for name, quantity in quantities.items():
        if not 0 < quantity < inf:
            raise UsageError(f"{name} is above 0, got {quantity}")
