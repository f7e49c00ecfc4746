"""The smallest p-value that a test can reach with so many topics and tests."""

from collections.abc import Sequence
from math import comb, factorial, isnan, nan
from typing import Final

from irkit.stats.paired.bootstrap_t import TEST as BOOTSTRAP_T
from irkit.stats.paired.corrections import CORRECTIONS, correct
from irkit.stats.paired.cross_validation import REPEATED_CHOICE
from irkit.stats.paired.differences import PairedTest
from irkit.stats.paired.sign import TEST as SIGN
from irkit.stats.paired.signflip import TEST as SIGN_FLIP
from irkit.stats.paired.wilcoxon import TEST as WILCOXON

# In any of these topics the signs alone decide, so that of n topics one pattern in 2 ** n is the most extreme.
_BY_SIGNS: Final = (SIGN_FLIP, SIGN, WILCOXON, REPEATED_CHOICE)


def least_pvalue(test: PairedTest) -> float:
    """The smallest p-value that a test of so many topics can give; 0 where it can be as small as you like.

    The smaller tail of bootstrap-t has the resample of one extreme topic n times, one in n ** n. What is sampled gives
    no less than 1 / (1 + samples), each tail of bootstrap-t by itself. The bootstrap shift test can give 0.
    """
    n, sides = test.n_topics, 2 if test.alternative == "two-sided" else 1
    least, of_tail = 0.0, 1
    if test.test in _BY_SIGNS:
        least = sides * 2.0**-n
    elif test.test == BOOTSTRAP_T:
        least, of_tail = sides * float(n) ** -n, sides
    return least if test.n_resamples is None else max(least, of_tail / (1 + test.n_resamples))


def least_adjusted(tests: Sequence[PairedTest], correction: str) -> list[float]:
    """For each test the smallest corrected p-value: that of a difference in every topic of every test.

    Corrections give no test a smaller p-value where another one has a larger one. Of the k! ** n permutations of the
    randomised Tukey HSD of k runs, k! order the runs alike in every topic, and have the range that was seen.
    """
    leasts = [nan if isnan(test.pvalue) else least_pvalue(test) for test in tests]
    if tests and correction == "randomised-tukey":
        k = len({name for one in tests for name in (one.candidate, one.baseline)})
        n_tables = len(tests) // comb(k, 2)
        return [
            min(1.0, n_tables * max(least, float(factorial(k)) ** (1 - one.n_topics)))
            for least, one in zip(leasts, tests, strict=True)
        ]
    if not leasts or correction not in CORRECTIONS:  # max-T and Tukey HSD give what a test can give alone
        return leasts
    corrected: list[float] = correct(leasts, correction).corrected.tolist()
    return corrected
