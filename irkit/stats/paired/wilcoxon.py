"""Wilcoxon's signed-rank test over topics."""

from math import sqrt
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.stats.paired.differences import (
    IDENTICAL,
    Alternative,
    NanPolicy,
    PairedTest,
    check_alternative,
    least_pvalue_note,
    paired_differences,
)
from irkit.stats.paired.lattice import subset_sums
from irkit.stats.paired.means import FloatArray

Zeros = Literal["wilcox", "pratt", "zsplit"]
Method = Literal["auto", "exact", "normal", "corrected"]

TEST: Final = "Wilcoxon signed-rank test"
# Up to so many topics that differ, p is exact unless something else is asked for.
MOST_EXACT: Final = 50


def wilcoxon_test(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    zeros: Zeros = "wilcox",
    method: Method = "auto",
    alternative: Alternative = "two-sided",
    nan_policy: NanPolicy = "error",
) -> PairedTest:
    """Wilcoxon's signed-rank test: the ranks of the sizes of the differences, summed where the candidate is above.

    Differences whose sizes lie within 1e-12 of the largest score share their mean rank.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    zeros : {'wilcox', 'pratt', 'zsplit'}
        Topics without a difference are left out before ranking; or ranked and then left out; or ranked, half of their
        ranks on each side.
    method : {'auto', 'exact', 'normal', 'corrected'}
        'exact' counts the signs of the ranks as they are, ties and all; 'normal' is the limit for many topics,
        'corrected' the same with 1/2 for continuity. 'auto' is exact up to 50 topics that differ, and normal above.
    alternative : {'two-sided', 'greater', 'less'}
        'greater' asks whether the candidate is above the baseline.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

    Returns
    -------
    PairedTest
        Its statistic is W+, the sum of ranks in which the candidate is above; its n_effective the topics that differ.
        Identical scores have p 1.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), an option does not exist, or there are too many topics for 'exact'.
    DataError
        If there is no score, or one that is not finite.

    Notes
    -----
    The test is one of symmetry about 0 and not of the mean: skewed differences with mean 0 are rejected, too.

    References
    ----------
    Wilcoxon 1945; Pratt 1959.
    """
    check_alternative(alternative)
    for name, value, kinds in (("zeros", zeros, get_args(Zeros)), ("method", method, get_args(Method))):
        if value not in kinds:
            raise UsageError(f"there is no {name}={value!r}; {instead(str(value), kinds)}")
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    ranked = differences.nonzero if zeros == "wilcox" else differences.values
    ranks = midranks(abs(ranked), differences.noise)
    signed = ranks[ranked != 0]
    above = float(ranks[ranked > 0].sum())
    shared = float(ranks[ranked == 0].sum()) / 2 if zeros == "zsplit" else 0.0
    exact = method == "exact" or (method == "auto" and len(signed) <= MOST_EXACT) or not len(signed)
    if differences.identical:
        pvalue, note = 1.0, IDENTICAL
    else:
        if exact:
            greater, less = _exact_tails(above, signed)
        else:
            # zsplit takes the ranks of topics without a difference for ranks with a sign.
            of_signs = ranks if zeros == "zsplit" else signed
            greater, less = _normal_tails(above + shared, of_signs, 0.5 if method == "corrected" else 0.0)
        pvalue = {"two-sided": min(1.0, 2 * min(greater, less)), "greater": greater, "less": less}[alternative]
        note = least_pvalue_note(len(signed), alternative)
    return differences.result(
        TEST,
        above + shared,
        pvalue,
        alternative=alternative,
        null="differences lie symmetrically about 0",
        n_effective=len(signed),
        exact=exact,
        note=note,
    )


def midranks(sizes: FloatArray, noise: float) -> FloatArray:
    """Ranks from 1 on, of shape (n,); sizes no further than `noise` from the next share the mean of their ranks."""
    order = np.argsort(sizes, kind="stable")
    if not len(order):
        return np.zeros(0)
    group = np.cumsum(np.diff(sizes[order], prepend=sizes[order[0]]) > noise)
    ranks = np.empty(len(order))
    ranks[order] = (np.bincount(group, weights=np.arange(1.0, len(order) + 1)) / np.bincount(group))[group]
    return ranks


def _exact_tails(above: float, ranks: FloatArray) -> tuple[float, float]:
    """P(W >= above) and P(W <= above) where each rank counts with probability 1/2; midranks are halves of integers."""
    probabilities = subset_sums(np.rint(2 * ranks).astype(np.int64))
    if probabilities is None:
        raise UsageError(f"{len(ranks)} topics are too many for method='exact'; leave it to 'auto'")
    place = round(2 * above)
    return float(probabilities[place:].sum()), float(probabilities[: place + 1].sum())


def _normal_tails(above: float, ranks: FloatArray, continuity: float) -> tuple[float, float]:
    """Tail probabilities of the normal approximation for many topics."""
    from scipy.special import ndtr

    deviation, centre = sqrt(float(ranks @ ranks) / 4), float(ranks.sum()) / 2
    return float(ndtr((centre - above + continuity) / deviation)), float(
        ndtr((above - centre + continuity) / deviation)
    )
