"""The bootstrap test of the mean difference, shifted to the null hypothesis."""

from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.stats.paired.bootstrap_t import NULL, check_resamples
from irkit.stats.paired.checked_arrays import chance_of
from irkit.stats.paired.differences import (
    Alternative,
    Differences,
    NanPolicy,
    PairedTest,
    check_alternative,
    paired_differences,
)
from irkit.stats.paired.lattice import multiples_of_a_step, sums_of_draws
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.resampling import MOST_LISTED, drawn_places, every_resample, pvalue_of_a_constant

SHIFT: Final = "bootstrap shift test"
# Below so many topics the shift test finds differences too often.
FEW_FOR_SHIFT: Final = 50
FEW: Final = f"below {FEW_FOR_SHIFT} topics this test's p is too small; bootstrap-t is better"
# Statistics that differ by less than this share of their usual size are equal but for rounding.
_TIE: Final = 1e-9


def bootstrap_shift_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """Bootstrap shift test: share of resampled means at least as far from the mean difference as it is from 0.

    Below 50 topics its p-values are too small, and the note says so: bootstrap-t is the better one.

    Parameters
    ----------
    candidate_values, baseline_values, alternative, nan_policy
        As `paired_t_test` takes them.
    n_resamples : int
        Resamples of the topics that are drawn where they are too many to count.
    rng : int or numpy.random.Generator
        What they are drawn with.

    Returns
    -------
    PairedTest
        Its statistic is the mean difference. The p-value is exact for 10 topics or fewer, and for up to 140 where the
        differences are multiples of one step; it is 0 where no resample lies so far. Else it is
        (1 + c) / (1 + n_resamples). Identical scores have p 1; the same difference in every topic and a single topic
        have p nan, and the note says why.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), the alternative does not exist, or n_resamples is below 1.
    DataError
        If there is no score, or one that is not finite.

    References
    ----------
    Efron and Tibshirani 1993, 16.4; Smucker, Allan and Carterette, CIKM 2007.
    """
    check_alternative(alternative)
    check_resamples(n_resamples)
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    if differences.constant:
        (pvalue, note), exact = pvalue_of_a_constant(differences), True
    else:
        pvalue, exact = _shifted(differences, alternative, n_resamples, rng)
        few = FEW if differences.n < FEW_FOR_SHIFT else ""
        note = "; ".join(filter(None, (few, "" if pvalue else "no resample lies so far from the mean")))
    return differences.result(
        SHIFT,
        differences.mean * differences.unit,
        pvalue,
        alternative=alternative,
        null=NULL,
        exact=exact,
        n_resamples=None if exact else n_resamples,
        seed=None if exact else chance_of(rng)[1],
        note=note,
    )


def _shifted(
    differences: Differences, alternative: Alternative, n_resamples: int, rng: int | np.random.Generator
) -> tuple[float, bool]:
    if differences.n > MOST_LISTED and (pvalue := _convolved(differences, alternative)) is not None:
        return pvalue, True
    return _counted(differences, alternative, n_resamples, rng)


def _counted(
    differences: Differences, alternative: Alternative, n_resamples: int, rng: int | np.random.Generator
) -> tuple[float, bool]:
    """The share of resamples whose mean lies as far from the mean as that from 0, and whether all were looked at."""
    centred, observed = differences.values - differences.mean, differences.mean
    tie = _TIE * float(abs(differences.values).max())

    def extreme(resamples: FloatArray) -> npt.NDArray[np.bool_]:
        means = resamples.mean(axis=1)
        if alternative == "two-sided":
            return np.asarray(abs(means) >= abs(observed) - tie)
        means, towards = (means, observed) if alternative == "greater" else (-means, -observed)
        return np.asarray(means >= towards - tie)

    if differences.n <= MOST_LISTED:
        places, probabilities = every_resample(differences.n)
        return float(probabilities[extreme(centred[places])].sum()), True
    n_extreme = sum(int(extreme(centred[places]).sum()) for places in drawn_places(differences.n, n_resamples, rng))
    return (1 + n_extreme) / (1 + n_resamples), False


def _convolved(differences: Differences, alternative: Alternative) -> float | None:
    """Exact p of differences that are multiples of one step, by convolution."""
    found = multiples_of_a_step(differences.values, differences.noise)
    if found is None or (drawn := sums_of_draws(found[0])) is None:
        return None
    sums, probabilities = drawn
    whole = int(found[0].sum())
    distances = sums - whole
    extreme = {
        "two-sided": abs(distances) >= abs(whole),
        "greater": distances >= whole,
        "less": distances <= whole,
    }
    return float(probabilities[extreme[alternative]].sum())
