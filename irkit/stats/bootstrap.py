"""Bootstrap tests of the mean difference: shifted to the null, and studentised."""

from collections.abc import Callable
from math import inf, nan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.differences import (
    IDENTICAL,
    Alternative,
    Differences,
    NanPolicy,
    PairedTest,
    check_alternative,
    paired_differences,
)
from irkit.stats.grid import multiples_of_a_step, sums_of_draws
from irkit.stats.means import FloatArray
from irkit.stats.per_topic import chance_of
from irkit.stats.resampling import MOST_LISTED, drawn_places, every_resample
from irkit.stats.student import ONE_TOPIC, student_t

SHIFT: Final = "bootstrap shift test"
STUDENTISED: Final = "studentised bootstrap test"
NULL: Final = "the mean difference over topics is 0"
# Below so many topics the shift test finds differences too often.
FEW_FOR_SHIFT: Final = 50
FEW: Final = f"below {FEW_FOR_SHIFT} topics this test's p is too small; the studentised bootstrap is better"
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
    """How often the mean of resampled topics lies as far from the mean difference as that lies from 0.

    Below 50 topics its p-values are too small, and the note says so: the studentised test is the better one.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    alternative : {'two-sided', 'greater', 'less'}
        'greater' asks whether the candidate is above the baseline.
    n_resamples : int
        Resamples of the topics that are drawn where they are too many to count.
    rng : int or numpy.random.Generator
        What they are drawn with.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

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
    differences = _checked(candidate_values, baseline_values, alternative, n_resamples, nan_policy)
    if differences.constant:
        answer = _of_a_constant(differences)
    else:
        pvalue, exact = _shifted(differences, alternative, n_resamples, rng)
        notes = []
        if differences.n < FEW_FOR_SHIFT:
            notes.append(FEW)
        if pvalue == 0:
            notes.append("no resample lies so far from the mean")
        answer = pvalue, exact, "; ".join(notes)
    return _result(differences, SHIFT, differences.mean * differences.unit, answer, alternative, n_resamples, rng)


def studentised_bootstrap_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """How often t of resampled topics, against the mean difference, is as extreme as t of the topics, against 0.

    Parameters, errors and degenerate cases are those of `bootstrap_shift_test`.

    Returns
    -------
    PairedTest
        Its statistic is t. The p-value is exact for 10 topics or fewer, else (1 + c) / (1 + n_resamples). A resample of
        a single value has an infinite t*, with the sign of its distance from the mean, and so is extreme.

    References
    ----------
    Sakai, SIGIR 2006.
    """
    differences = _checked(candidate_values, baseline_values, alternative, n_resamples, nan_policy)
    statistic = nan if differences.identical else student_t(differences, alternative)[0]
    if differences.constant:
        answer = _of_a_constant(differences)
    else:
        size = max(1.0, abs(statistic))
        answer = *_counted(differences, _ts, statistic, size, alternative, n_resamples, rng), ""
    return _result(differences, STUDENTISED, statistic, answer, alternative, n_resamples, rng)


def _checked(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    alternative: Alternative,
    n_resamples: int,
    nan_policy: NanPolicy,
) -> Differences:
    check_alternative(alternative)
    if n_resamples < 1:
        raise UsageError(f"a bootstrap needs one resample at least, got n_resamples={n_resamples}")
    return paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)


def _of_a_constant(differences: Differences) -> tuple[float, bool, str]:
    """p, that it is exact, and the note, where resamples cannot vary."""
    if differences.n == 1:
        return nan, True, ONE_TOPIC
    if differences.identical:
        return 1.0, True, IDENTICAL
    return nan, True, "every topic differs by the same amount: resamples do not vary"


def _result(
    differences: Differences,
    test: str,
    statistic: float,
    answer: tuple[float, bool, str],
    alternative: Alternative,
    n_resamples: int,
    rng: int | np.random.Generator,
) -> PairedTest:
    pvalue, exact, note = answer
    return differences.result(
        test,
        statistic,
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
    size = float(abs(differences.values).max())
    return _counted(differences, _distances, differences.mean, size, alternative, n_resamples, rng)


def _counted(
    differences: Differences,
    statistic: Callable[[FloatArray], FloatArray],
    observed: float,
    size: float,
    alternative: Alternative,
    n_resamples: int,
    rng: int | np.random.Generator,
) -> tuple[float, bool]:
    """The share of resamples whose statistic is as extreme as the one observed, and whether all were looked at.

    `size` is what rounding is measured by.
    """
    centred = differences.values - differences.mean
    tie = _TIE * size

    def extreme(resamples: FloatArray) -> npt.NDArray[np.bool_]:
        found = statistic(resamples)
        if alternative == "two-sided":
            return np.asarray(abs(found) >= abs(observed) - tie)
        found, towards = (found, observed) if alternative == "greater" else (-found, -observed)
        return np.asarray(found >= towards - tie)

    if differences.n <= MOST_LISTED:
        places, probabilities = every_resample(differences.n)
        return float(probabilities[extreme(centred[places])].sum()), True
    n_extreme = sum(int(extreme(centred[places]).sum()) for places in drawn_places(differences.n, n_resamples, rng))
    return (1 + n_extreme) / (1 + n_resamples), False


def _distances(centred: FloatArray) -> FloatArray:
    return np.asarray(centred.mean(axis=1))


def _ts(centred: FloatArray) -> FloatArray:
    """t* of each resample of centred differences, of shape (resamples, n)."""
    means, deviations = centred.mean(axis=1), centred.std(axis=1, ddof=1)
    single = centred.min(axis=1) == centred.max(axis=1)
    deviations[single] = 1.0
    ts = np.asarray(means / (deviations / sqrt(centred.shape[1])), dtype=np.float64)
    ts[single & (abs(means) > _TIE * abs(centred).max())] *= inf
    return ts


def _convolved(differences: Differences, alternative: Alternative) -> float | None:
    """The exact p of differences that are multiples of one step."""
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
