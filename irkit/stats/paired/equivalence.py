"""Equivalence and non-inferiority tests against a margin chosen in advance."""

from dataclasses import dataclass
from math import inf, nan
from typing import Final, Literal

import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.differences import (
    IDENTICAL,
    Alternative,
    Differences,
    NanPolicy,
    PairedTest,
    paired_differences,
)
from irkit.stats.paired.student import student_t

NON_INFERIORITY: Final = "non-inferiority t test"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided tests that a mean difference lies within a margin.

    Attributes
    ----------
    margin : float
        In the measure's own unit.
    lower : PairedTest
        That the difference is above -margin: the candidate is no worse.
    upper : PairedTest
        That it is below margin: the candidate is no better.
    """

    margin: float
    lower: PairedTest
    upper: PairedTest

    @property
    def pvalue(self) -> float:
        """The larger of both. It is below alpha where the t interval of level 1 - 2 alpha lies within the margin."""
        return max(self.lower.pvalue, self.upper.pvalue)


MarginKind = Literal["equivalence", "non-inferiority"]
MarginDecider = Literal["t", "bootstrap-t", "sign"]


@dataclass(frozen=True, slots=True)
class MarginTest:
    """Outcome of a test against a margin, corrected for the tests made with it.

    Attributes
    ----------
    kind : {'equivalence', 'non-inferiority'}
    margin : float
        In the measure's own unit.
    pvalue : float
        That of the test that decides; nan where no test is possible.
    adjusted_pvalue : float
        Corrected for all tests against the margin.
    family : str
        What it was corrected for, "Holm over 6 tests"; empty where nothing is corrected.
    decided_by : {'t', 'bootstrap-t', 'sign'}
        Where differences are skewed, the one of t and bootstrap-t with the larger p; where they are all the same, the
        sign test.
    t_pvalue : float
        Of the t test.
    """

    kind: MarginKind
    margin: float
    pvalue: float
    adjusted_pvalue: float
    family: str = ""
    decided_by: MarginDecider = "t"
    t_pvalue: float = nan


def equivalence_test(
    candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike, margin: float, *, nan_policy: NanPolicy = "error"
) -> Equivalence:
    """Two one-sided t tests (TOST) that the mean difference lies within a margin on either side of 0.

    A t test that is not significant never shows that runs are equal; this can. Where differences are skewed
    (`skew_caution` with `one_sided`), `compare` takes the larger p of this and bootstrap-t.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    margin : float
        Largest difference that does not matter, in the measure's own unit; above 0, and set before the data are seen.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

    Returns
    -------
    Equivalence
        Identical scores have p 0 and a note, a single topic p nan.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), or the margin is not above 0.
    DataError
        If there is no score, or one that is not finite.

    References
    ----------
    Schuirmann 1987.
    """
    _check(margin)
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    test = "equivalence t test"
    return Equivalence(
        margin, _against(differences, test, -margin, "greater"), _against(differences, test, margin, "less")
    )


def non_inferiority_test(
    candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike, margin: float, *, nan_policy: NanPolicy = "error"
) -> PairedTest:
    """Lower half of `equivalence_test`: that the candidate is worse than the baseline by less than a margin.

    Parameters, errors and degenerate cases are those of `equivalence_test`.
    """
    _check(margin)
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    return _against(differences, NON_INFERIORITY, -margin, "greater")


def _against(differences: Differences, test: str, edge: float, alternative: Alternative) -> PairedTest:
    statistic, pvalue, note = student_t(differences, alternative, edge / differences.unit)
    return differences.result(
        test,
        statistic,
        pvalue,
        alternative=alternative,
        null=f"the mean difference over topics is {edge:g} or {'below' if alternative == 'greater' else 'above'}",
        note=IDENTICAL if differences.identical and differences.n > 1 else note,
    )


def _check(margin: float) -> None:
    if not 0 < margin < inf:
        raise UsageError(f"the margin is a difference above 0, in the measure's own unit, got {margin}")
