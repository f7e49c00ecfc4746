"""Bootstrap-t beside t where differences are too skewed for it: which of the two decides."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from math import ceil, isinf, isnan, nan
from typing import Any, Final

import numpy as np

from irkit.stats.paired.bootstrap_t import N_RESAMPLES, BootstrapT, distribution_of_t
from irkit.stats.paired.differences import Alternative, Differences, PairedTest, paired_differences
from irkit.stats.paired.hall import LEAST_TOPICS, hall_t
from irkit.stats.paired.intervals import Interval
from irkit.stats.paired.pairing import Pair
from irkit.stats.paired.sign import sign_test_of_a_constant
from irkit.stats.paired.skew import Skewed, skew_caution
from irkit.stats.paired.student import paired_t_test

# No more resamples are drawn for the sake of a large family.
_MOST_RESAMPLES: Final = 99_999


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Bootstrap-t test and interval beside those of a mean whose differences are too skewed for t.

    Attributes
    ----------
    skewed : Skewed
        The caution.
    t_test, test : PairedTest
        The paired t test and bootstrap-t, of the same alternative.
    interval : Interval
        That of bootstrap-t.
    hall_pvalue : float
        Of Hall's transformation, a check without resampling; nan below 15 topics.
    decides : bool
        The larger p-value of t and bootstrap-t is what is corrected and claimed from; else that of the test that was
        asked for. t claims too often against the long tail, and bootstrap-t where most topics do not differ.
    resampled : BootstrapT
    """

    skewed: Skewed
    t_test: PairedTest
    test: PairedTest
    interval: Interval
    hall_pvalue: float
    decides: bool
    resampled: BootstrapT = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return {
            **asdict(self.skewed),
            "held": self.skewed.held,
            "decides": self.decides,
            "test": self.test.test,
            "t_pvalue": self.t_test.pvalue,
            "pvalue": self.test.pvalue,
            "exact": self.test.exact,
            "n_resamples": self.test.n_resamples,
            "seed": self.test.seed,
            "interval": asdict(self.interval),
            "hall_pvalue": self.hall_pvalue,
        }


def calibrated_tests(
    pairs: Sequence[Pair],
    *,
    alternative: Alternative,
    one_sided: bool,
    decides: bool,
    level: float,
    n_resamples: int | None,
    rng: int | np.random.Generator,
) -> list[Calibrated | None]:
    """Bootstrap-t of the pairs that the caution is about; None for the others.

    Parameters
    ----------
    pairs : sequence of Pair
    alternative : {'two-sided', 'greater', 'less'}
    one_sided : bool
        A claim of one side is made of the pairs, perhaps against a margin beside a two-sided test.
    decides : bool
        As in `Calibrated`.
    level : float
    n_resamples : int or None
        As `resamples_for` if None.
    rng : int or numpy.random.Generator
    """
    n_drawn = n_resamples or resamples_for(len(pairs), 1 - level)
    found = (
        calibrated_test(
            paired_t_test(pair.candidate_values, pair.baseline_values, alternative=alternative),
            paired_differences(pair.candidate_values, pair.baseline_values),
            one_sided=one_sided,
            decides=decides,
            level=level,
            n_resamples=n_drawn,
            rng=rng,
        )
        for pair in pairs
    )
    return [one and _named(one, pair) for one, pair in zip(found, pairs, strict=True)]


def resamples_for(n_pairs: int, alpha: float) -> int:
    """Number of resamples that lets each of the corrected tests reach significance: 9,999 to 99,999."""
    return min(_MOST_RESAMPLES, max(N_RESAMPLES, ceil(8 * n_pairs / alpha)))


def calibrated_test(
    t_test: PairedTest,
    differences: Differences,
    *,
    one_sided: bool = False,
    decides: bool = True,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: int | np.random.Generator = 0,
) -> Calibrated | None:
    """Bootstrap-t beside the t test of the same differences; None where they call for no caution."""
    skewed = None if differences.constant else skew_caution(differences.values, one_sided=one_sided)
    if skewed is None:
        return None
    resampled = distribution_of_t(differences, n_resamples, rng)
    return Calibrated(
        skewed,
        t_test,
        resampled.test(differences, t_test.alternative),
        resampled.interval(differences, level),
        hall_t(differences, t_test.alternative)[1] if differences.n >= LEAST_TOPICS else nan,
        decides,
        resampled,
    )


def _named(found: Calibrated, pair: Pair) -> Calibrated:
    """With the pair's names in both tests."""
    of_t, of_bootstrap_t = (
        replace(one, measure=pair.measure, baseline=pair.baseline, candidate=pair.candidate)
        for one in (found.t_test, found.test)
    )
    return replace(found, t_test=of_t, test=of_bootstrap_t)


def deciding_test(test: PairedTest, beside: Calibrated | None) -> PairedTest:
    """The test whose p-value is corrected and claimed from.

    Of differences that are all the same t is infinite; the sign test, which needs no noise, stands in its place. Of
    skewed differences it is the one of t and bootstrap-t with the larger p. Else it is the test.
    """
    if isinf(test.statistic) and not isnan(test.pvalue):
        return sign_test_of_a_constant(test)
    if beside is None or not beside.decides:
        return test
    return max((beside.t_test, beside.test), key=lambda one: one.pvalue)


def wider_interval(interval: Interval, beside: Calibrated | None) -> Interval:
    """The interval; for skewed differences the union with the bootstrap-t interval."""
    if beside is None:
        return interval
    low, high = min(interval.low, beside.interval.low), max(interval.high, beside.interval.high)
    return replace(interval, low=low, high=high, method=f"{interval.method} and {beside.interval.method}")


def margin_pvalue(differences: Differences, resampled: BootstrapT, margin: float, *, both_sides: bool) -> float:
    """The p of bootstrap-t that the mean difference is above -margin and, with `both_sides`, below margin too."""
    error = differences.deviation / differences.n**0.5
    edge = margin / differences.unit
    lower = resampled.pvalue((differences.mean + edge) / error, "greater")
    return max(lower, resampled.pvalue((differences.mean - edge) / error, "less")) if both_sides else lower
