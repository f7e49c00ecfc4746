"""What a test can show at the most, with so many topics and so many tests beside it."""

from collections.abc import Sequence
from math import isnan, nan
from typing import Final, cast

from irkit.stats import Contrast, correct
from irkit.stats.bootstrap_t import TEST as BOOTSTRAP_T
from irkit.stats.corrections import Correction
from irkit.stats.sign import TEST as SIGN

# In any of these topics the signs alone decide, so that of n topics one pattern in 2 ** n is the most extreme.
_BY_SIGNS: Final = ("sign-flip", "sign", "wilcoxon")


def least_pvalue(test: str, n_topics: int) -> float:
    """The smallest one-sided p-value that a test of so many topics can give; 0 where it can be as small as you like.

    Bootstrap-t counts the resample that has the lowest topic n times, one in n ** n.
    """
    if test in _BY_SIGNS:
        return 2.0**-n_topics
    return float(n_topics) ** -n_topics if test == "bootstrap" else 0.0


def _least(one: Contrast, test: str) -> float:
    """The same of the test that decides, which may be sampled, or one of signs where all differences are the same."""
    if isnan(one.test.pvalue):
        return nan
    decides = {BOOTSTRAP_T: "bootstrap", SIGN: "sign"}.get(one.deciding.test, test)
    if one.deciding.n_resamples is not None and decides == "bootstrap":
        return 1 / (1 + one.deciding.n_resamples)
    return least_pvalue(decides, one.test.n_topics)


def least_adjusted(contrasts: Sequence[Contrast], test: str, correction: str) -> list[float]:
    """For each contrast the smallest corrected p-value: that of a drop in every topic of every test.

    Corrections give no test a smaller p-value where another one has a larger one.
    """
    leasts = [_least(one, test) for one in contrasts]
    return correct(leasts, cast(Correction, correction)).corrected.tolist() if leasts else []
