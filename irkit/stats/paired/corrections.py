"""Corrections of p-values for the number of tests that were made together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted, instead
from irkit.errors import DataError, UsageError

Correction: TypeAlias = Literal["none", "bonferroni", "holm", "hochberg", "benjamini-hochberg"]
PValues: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Corrected:
    """p-values of one family, corrected for the number of tests.

    Attributes
    ----------
    correction : str
        Which of `CORRECTIONS`.
    controls : str
        What stays under alpha when every corrected p under alpha is claimed.
    pvalues : float64 array of shape (n,)
        As they were given.
    corrected : float64 array of shape (n,)
        In the same order; nan where the test gave none.
    n_tests : int
        What was corrected for: the tests that gave a p-value.
    note : str
        How many tests gave no p-value and are left out; else empty.
    """

    correction: Correction
    controls: str
    pvalues: PValues
    corrected: PValues
    n_tests: int
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "pvalues", "corrected")


def correct(pvalues: npt.ArrayLike, correction: Correction = "holm") -> Corrected:
    """The p-values of a family of tests, corrected for their number.

    Holm's is the default, for it needs nothing of how the tests depend on each other; the differences of all pairs of
    systems depend negatively too, which Hochberg and Benjamini-Hochberg do not allow for.

    Parameters
    ----------
    pvalues : array-like of shape (n,)
        One a test, in any order; nan where a test says nothing.
    correction : str
        `none`; `bonferroni`, `holm` and `hochberg` hold the chance of one false claim or more; `benjamini-hochberg`
        holds the expected share of false claims among the claims.

    Returns
    -------
    Corrected
        Every p is at least what it was and 1 at most. A nan stays nan and is not counted.

    Raises
    ------
    UsageError
        If the correction is unknown, or the p-values are no list.
    DataError
        If a p-value is not between 0 and 1.

    Notes
    -----
    With p(1) <= ... <= p(m): Bonferroni m p(i); Holm the largest of (m - j + 1) p(j) over j <= i; Hochberg the smallest
    of the same over j >= i; Benjamini-Hochberg the smallest of m p(j) / j over j >= i. All are cut at 1.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 1979; Hochberg, Biometrika 1988; Benjamini and Hochberg, JRSS B 1995.
    """
    if correction not in CORRECTIONS:
        raise UsageError(f"there is no correction {correction!r}; {instead(str(correction), CORRECTIONS)}")
    given = np.asarray(pvalues, dtype=np.float64)
    if given.ndim != 1:
        raise UsageError(f"needed is a list of p-values, got shape {given.shape}")
    known = ~np.isnan(given)
    if ((given[known] < 0) | (given[known] > 1)).any():
        raise DataError(f"a p-value lies between 0 and 1, got {given[known][abs(given[known] - 0.5) > 0.5][0]}")
    controls, of_sorted = _CORRECTIONS[correction]
    ascending = np.sort(given[known])
    corrected = np.full_like(given, np.nan)
    # Where p-values are equal, so are the corrected ones: the place of the first is as good as any.
    corrected[known] = np.minimum(of_sorted(ascending), 1.0)[np.searchsorted(ascending, given[known])]
    n_tests = int(known.sum())
    without = len(given) - n_tests
    note = f"{counted(without, 'test')} without a p-value left out; corrected for {n_tests}" if without else ""
    return Corrected(correction, controls, given, corrected, n_tests, note)


def _bonferroni(ascending: PValues) -> PValues:
    return len(ascending) * ascending


def _holm(ascending: PValues) -> PValues:
    return np.maximum.accumulate(np.arange(len(ascending), 0, -1) * ascending)


def _hochberg(ascending: PValues) -> PValues:
    return _smallest_from_here_on(np.arange(len(ascending), 0, -1) * ascending)


def _benjamini_hochberg(ascending: PValues) -> PValues:
    return _smallest_from_here_on(len(ascending) / np.arange(1, len(ascending) + 1) * ascending)


def _smallest_from_here_on(values: PValues) -> PValues:
    return np.minimum.accumulate(values[::-1])[::-1]


_FAMILY: Final = "the chance of one false claim or more"
_CORRECTIONS: Final[dict[Correction, tuple[str, Callable[[PValues], PValues]]]] = {
    "none": ("the chance that a single test claims falsely", lambda ascending: ascending),
    "bonferroni": (_FAMILY, _bonferroni),
    "holm": (_FAMILY, _holm),
    "hochberg": (f"{_FAMILY}, if the tests are independent or depend positively", _hochberg),
    "benjamini-hochberg": (
        "the expected share of false claims among the claims, if the tests are independent or depend positively",
        _benjamini_hochberg,
    ),
}
CORRECTIONS: Final = tuple(_CORRECTIONS)
