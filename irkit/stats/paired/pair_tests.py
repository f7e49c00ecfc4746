"""Tests of all pairs of systems by the name of a test, corrected for their number."""

from collections.abc import Callable
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.stats.paired.bootstrap_t import TEST as BOOTSTRAP_T
from irkit.stats.paired.bootstrap_t import bootstrap_t_pvalues, studentised_bootstrap_test
from irkit.stats.paired.calibrated import resamples_for
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.paired.corrections import Correction, correct
from irkit.stats.paired.differences import paired_differences
from irkit.stats.paired.sign import sign_test
from irkit.stats.paired.signflip import sign_flip_pvalues
from irkit.stats.paired.skew import skew_caution
from irkit.stats.paired.student import TEST as STUDENT_T
from irkit.stats.paired.student import paired_t_test
from irkit.stats.paired.tukey import tukey_hsd
from irkit.stats.paired.tukey_randomised import randomised_tukey
from irkit.stats.paired.wilcoxon import wilcoxon_test
from irkit.stats.rankings.discrimination import AllPairsTest, PairTest, pair_by_pair

TestName: TypeAlias = Literal["t", "sign-flip", "wilcoxon", "sign", "bootstrap", "tukey", "randomised-tukey"]

_PAIRED: Final[dict[str, tuple[str, PairTest]]] = {
    "t": (STUDENT_T, paired_t_test),
    "wilcoxon": ("Wilcoxon signed-rank test", wilcoxon_test),
    "sign": ("sign test", sign_test),
    "bootstrap": (BOOTSTRAP_T, studentised_bootstrap_test),
}
# Tests of all pairs as one family, whose p-values are corrected already.
_FAMILIES: Final[dict[str, tuple[str, Callable[[Values], Values]]]] = {
    "tukey": ("Tukey's HSD", lambda values: tukey_hsd(values).pvalues),
    "randomised-tukey": ("randomised Tukey HSD", lambda values: randomised_tukey(values).pvalues),
}
TESTS: Final = ("t", "sign-flip", *list(_PAIRED)[1:], *_FAMILIES)


class PairsTest(NamedTuple):
    """A test of all pairs.

    Attributes
    ----------
    pvalues : function
        From values of shape (topics, systems) to one corrected p-value a pair.
    called : str
    correction : str
    calibrated : bool
        Of pairs with skewed differences the larger p of t and bootstrap-t is taken.
    """

    pvalues: AllPairsTest
    called: str
    correction: str
    calibrated: bool


def pairs_test(test: str, correction: Correction | None, alpha: float) -> PairsTest:
    """The test of all pairs of this name, with Holm's correction if none is given."""
    if test in _FAMILIES:
        called, of_family = _FAMILIES[test]
        if correction not in (None, "none"):
            raise UsageError(f"{called} is of one family: its p-values need no correction, got {correction!r}")
        return PairsTest(of_family, called, "none", False)
    how: Correction = correction or "holm"
    if test == "sign-flip":
        return PairsTest(lambda values: correct(_sign_flips(values), how).corrected, "sign-flip test", how, False)
    if test not in _PAIRED:
        raise UsageError(f"unknown test {test!r}; {instead(test, TESTS)}")
    called, of_pair = _PAIRED[test]
    if test in ("t", "bootstrap"):
        return PairsTest(lambda values: correct(_calibrated(values, of_pair, alpha), how).corrected, called, how, True)
    return PairsTest(pair_by_pair(of_pair, how), called, how, False)


def _sign_flips(values: Values) -> Values:
    """p-values of all pairs, which share their signs."""
    pairs = combinations(values.T, 2)
    return sign_flip_pvalues(np.column_stack([paired_differences(*pair).values for pair in pairs])).pvalues


def _calibrated(values: Values, test: PairTest, alpha: float) -> Values:
    """p-values of all pairs; for skewed differences the larger of t and bootstrap-t."""
    found = np.array(pair_by_pair(test)(values), dtype=np.float64)
    differences = [paired_differences(*pair) for pair in combinations(values.T, 2)]
    skewed = [
        place for place, one in enumerate(differences) if not one.constant and skew_caution(one.values) is not None
    ]
    beside = bootstrap_t_pvalues([differences[place] for place in skewed], resamples_for(len(differences), alpha))
    for place, pvalue in zip(skewed, beside, strict=True):
        one = differences[place]
        found[place] = max(pvalue, paired_t_test(one.candidate, one.baseline).pvalue)
    return found
