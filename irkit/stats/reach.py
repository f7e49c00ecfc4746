"""What a test can show at the most, with so many topics and so many tests beside it."""

from collections.abc import Sequence
from math import isnan, nan
from typing import Final

from irkit.stats.bootstrap import SHIFT
from irkit.stats.bootstrap_t import TEST as BOOTSTRAP_T
from irkit.stats.contrast import Contrast
from irkit.stats.corrections import CORRECTIONS, correct
from irkit.stats.differences import PairedTest
from irkit.stats.sign import TEST as SIGN
from irkit.stats.signflip import TEST as SIGN_FLIP
from irkit.stats.wilcoxon import TEST as WILCOXON

# In any of these topics the signs alone decide, so that of n topics one pattern in 2 ** n is the most extreme.
_BY_SIGNS: Final = (SIGN_FLIP, SIGN, WILCOXON)


def least_pvalue(test: PairedTest) -> float:
    """The smallest p-value that a test of so many topics can give; 0 where it can be as small as you like.

    Bootstrap-t counts the resample that has the lowest topic n times, one in n ** n. What is sampled gives
    no less than 1 / (1 + samples).
    """
    n, sides = test.n_topics, 2 if test.alternative == "two-sided" else 1
    least = 0.0
    if test.test in _BY_SIGNS:
        least = sides * 2.0**-n
    elif test.test in (SHIFT, BOOTSTRAP_T):
        least = float(n) ** -n
    return least if test.n_resamples is None else max(least, 1 / (1 + test.n_resamples))


def least_adjusted(contrasts: Sequence[Contrast], correction: str) -> list[float]:
    """For each contrast the smallest corrected p-value: that of a difference in every topic of every test.

    Corrections give no test a smaller p-value where another one has a larger one.
    """
    leasts = [nan if isnan(one.test.pvalue) else least_pvalue(one.deciding) for one in contrasts]
    if not leasts or correction not in CORRECTIONS:  # those of a family of their own give what a test can give alone
        return leasts
    corrected: list[float] = correct(leasts, correction).corrected.tolist()
    return corrected
