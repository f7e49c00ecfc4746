"""What a test can show at the most, with so many topics and so many tests beside it."""

from collections.abc import Sequence
from math import isnan
from typing import Final, cast

from irkit.stats import Contrast, correct
from irkit.stats.corrections import Correction

# In any of these topics the signs alone decide, so that of n topics one pattern in 2 ** n is the most extreme.
_BY_SIGNS: Final = ("sign-flip", "sign", "wilcoxon")


def least_pvalue(test: str, n_topics: int) -> float:
    """The smallest one-sided p-value that a test of so many topics can give; 0 where it can be as small as you like.

    A studentised bootstrap counts the resample that has the lowest topic n times, one in n ** n.
    """
    if test in _BY_SIGNS:
        return 2.0**-n_topics
    return float(n_topics) ** -n_topics if test == "bootstrap" else 0.0


def least_adjusted(contrasts: Sequence[Contrast], test: str, correction: str) -> list[float]:
    """For each contrast the smallest corrected p-value: that of a drop in every topic of every test.

    Corrections give no test a smaller p-value where another one has a larger one.
    """
    leasts = [float("nan") if isnan(one.test.pvalue) else least_pvalue(test, one.test.n_topics) for one in contrasts]
    return correct(leasts, cast(Correction, correction)).corrected.tolist() if leasts else []
