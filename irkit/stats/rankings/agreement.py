"""Agreement of several assessors beyond chance: Fleiss' kappa and Krippendorff's alpha."""

from dataclasses import dataclass
from math import nan
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, UsageError
from irkit.stats.paired.checked_arrays import Values

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class FleissKappa:
    """Agreement of several assessors, each of whom graded every item.

    Attributes
    ----------
    kappa : float
        nan where the note says why.
    free_marginal : float
        The same with chance as 1 / n_grades (Randolph's kappa).
    observed, expected : float
        Share of the pairs of assessors that agree on an item, and what chance would give.
    n_items, n_assessors, n_grades : int
    note : str
        Why there is no kappa; else empty.
    """

    kappa: float
    free_marginal: float
    observed: float
    expected: float
    n_items: int
    n_assessors: int
    n_grades: int
    note: str = ""


def fleiss_kappa(grades: npt.ArrayLike) -> FleissKappa:
    """Fleiss' kappa of m assessors.

    Parameters
    ----------
    grades : array-like of shape (n, m)
        A row an item, a column an assessor; none may be missing (`krippendorff_alpha` allows for that).

    Returns
    -------
    FleissKappa
        nan where all assessors give one and the same grade to all items.

    Raises
    ------
    UsageError
        If the grades are no table of two assessors at least.
    DataError
        If there is no item, or a grade that is not finite.

    References
    ----------
    Fleiss, Psychological Bulletin 1971; Randolph, 2005.
    """
    table = _checked(grades)
    if np.isnan(table).any():
        raise DataError("Fleiss' kappa needs a grade of every assessor for every item; krippendorff_alpha does not")
    counts = _counts(table)
    n, m = table.shape
    observed = float((counts * (counts - 1)).sum()) / (n * m * (m - 1))
    expected = float(((counts.sum(axis=0) / (n * m)) ** 2).sum())
    n_grades = counts.shape[1]
    if n_grades == 1:
        note = "all assessors give one and the same grade to all items: chance agrees as well"
        return FleissKappa(nan, nan, observed, expected, n, m, n_grades, note)
    kappa, free = ((observed - chance) / (1 - chance) for chance in (expected, 1 / n_grades))
    return FleissKappa(kappa, free, observed, expected, n, m, n_grades)


@dataclass(frozen=True, slots=True)
class KrippendorffAlpha:
    """Agreement of several assessors, some of whose grades may be missing.

    Attributes
    ----------
    alpha : float
        1 for full agreement, 0 for what chance would give; nan where the note says why.
    level : str
        What grades are: "nominal", "ordinal" or "interval".
    n_items : int
        Items with two grades at least; others say nothing.
    n_grades_given : int
        Grades of these items.
    n_left_out : int
        Items with one grade or none.
    note : str
        Why there is no alpha; else empty.
    """

    alpha: float
    level: Level
    n_items: int
    n_grades_given: int
    n_left_out: int
    note: str = ""


def krippendorff_alpha(grades: npt.ArrayLike, *, level: Level = "ordinal") -> KrippendorffAlpha:
    """Krippendorff's alpha of m assessors.

    Parameters
    ----------
    grades : array-like of shape (n, m)
        A row an item, a column an assessor; nan where an assessor did not grade an item.
    level : str
        What grades are: "nominal", only the same or not; "ordinal", ordered; "interval", numbers with a distance.

    Returns
    -------
    KrippendorffAlpha
        nan where no item has two grades, or all grades are the same.

    Raises
    ------
    UsageError
        If the grades are no table of two assessors at least, or the level is unknown.
    DataError
        If there is no item, or an infinite grade.

    Notes
    -----
    alpha = 1 - observed / expected disagreement, from the pairs of grades of one item, each weighing 1 / (grades of the
    item - 1), and from the pairs of all grades.

    References
    ----------
    Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise UsageError(f"alpha has the levels nominal, ordinal and interval, not {level!r}")
    table = _checked(grades)
    paired = table[(~np.isnan(table)).sum(axis=1) > 1]
    n_left_out, n_given = len(table) - len(paired), int((~np.isnan(paired)).sum())
    if not len(paired):
        return KrippendorffAlpha(nan, level, 0, 0, n_left_out, "no item has two grades")
    counts = _counts(paired)
    totals = counts.sum(axis=0)
    if len(totals) == 1:
        note = "all grades are the same: chance agrees as well"
        return KrippendorffAlpha(nan, level, len(paired), n_given, n_left_out, note)
    distance = _distances(np.unique(paired[~np.isnan(paired)]), totals, level)
    # A grade is no pair with itself, but its distance is 0.
    within = np.einsum("ij,jk,ik->i", counts, distance, counts) / (counts.sum(axis=1) - 1)
    expected = float(totals @ distance @ totals) / (n_given - 1)
    return KrippendorffAlpha(1 - float(within.sum()) / expected, level, len(paired), n_given, n_left_out)


def _distances(grades: Values, totals: Values, level: Level) -> Values:
    if level == "nominal":
        different: Values = (grades[:, None] != grades).astype(np.float64)
        return different
    # Ordinal: grades are as far apart as the number of grades given from the middle of one to the middle of the other.
    places = grades if level == "interval" else np.cumsum(totals) - totals / 2
    squared: Values = (places[:, None] - places) ** 2
    return squared


def _checked(grades: npt.ArrayLike) -> Values:
    table = np.asarray(grades, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise UsageError(f"needed is a row an item with the grades of two assessors at least, got shape {table.shape}")
    if not len(table):
        raise DataError("agreement needs one item at least, got none")
    if np.isinf(table).any():
        raise DataError("a grade is infinite; agreement needs finite grades")
    return table


def _counts(table: Values) -> Values:
    """Number of times each item got each grade, grades ascending."""
    grades = np.unique(table[~np.isnan(table)])
    counts: Values = (table[:, :, None] == grades).sum(axis=1).astype(np.float64)
    return counts
