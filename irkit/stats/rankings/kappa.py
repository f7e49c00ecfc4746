"""Cohen's kappa: agreement of two assessors beyond chance."""

from dataclasses import dataclass
from math import nan, sqrt
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values, pair_of

Weights: TypeAlias = Literal["none", "linear", "quadratic"]
# A share of agreement this close to 1 leaves nothing to divide by.
_TOLERANCE: Final = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class CohenKappa:
    """Agreement of two assessors on n items.

    Attributes
    ----------
    kappa : float
        1 for full agreement, 0 for what chance would give; nan where the note says why.
    observed, expected : float
        Share of agreement, and what chance would give; weighted as the weights say.
    standard_error : float
        Of kappa, for large n; nan where kappa is.
    low, high : float
        Bounds of the interval at `level`, by the normal distribution.
    level : float
    weights : str
        "none", "linear" or "quadratic".
    grades : float64 array of shape (c,)
        Those that either assessor gave, rising.
    table : int64 array of shape (c, c)
        Items by grade of the first assessor (rows) and the second one (columns).
    n_items : int
    note : str
        Why there is no kappa; else empty.
    """

    kappa: float
    observed: float
    expected: float
    standard_error: float
    low: float
    high: float
    level: float
    weights: Weights
    grades: Values
    table: npt.NDArray[np.int64]
    n_items: int
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "grades", "table")

    @property
    def adjusted(self) -> float:
        """2 `observed` - 1: kappa for two grades that are used equally often."""
        return 2 * self.observed - 1


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, *, weights: Weights = "none", level: float = 0.95
) -> CohenKappa:
    """Cohen's kappa of two assessors, plain or weighted.

    Kappa is low where nearly all items get one grade, however well the two agree: read it with `observed` and `table`.
    For binary relevance give `grades >= 1`.

    Parameters
    ----------
    first, second : array-like of shape (n,)
        Grades in the same order of items.
    weights : str
        "none": a disagreement is a disagreement; "linear" and "quadratic": it costs the distance of the two grades, or
        its square, as a share of the largest.
    level : float
        Of the interval.

    Returns
    -------
    CohenKappa
        Its kappa is nan where both give one and the same grade to all items.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), or the weights are unknown, or the level is not between 0 and 1.
    DataError
        If there is no item, or a grade that is not finite.

    References
    ----------
    Cohen, Educational and Psychological Measurement 1960 and Psychological Bulletin 1968; Fleiss, Cohen and Everitt,
    Psychological Bulletin 1969 (standard error).
    """
    if weights not in ("none", "linear", "quadratic"):
        raise UsageError(f"kappa has the weights none, linear and quadratic, not {weights!r}")
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval lies between 0 and 1, got {level}")
    ours, theirs = pair_of(first, second, "document")
    grades, codes = np.unique(np.concatenate((ours, theirs)), return_inverse=True)
    n, c = len(ours), len(grades)
    table = np.bincount(codes[:n] * c + codes[n:], minlength=c * c).reshape(c, c)
    apart = abs(grades[:, None] - grades)
    if weights == "none":
        worth = (apart == 0).astype(np.float64)
    else:
        worth = 1 - (apart / (apart.max() or 1.0)) ** (1 if weights == "linear" else 2)
    shares = table / n
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, expected = float((worth * shares).sum()), float(rows @ worth @ columns)
    if expected > 1 - _TOLERANCE:
        note = "both assessors give one and the same grade to all items: chance agrees as well"
        return CohenKappa(nan, observed, expected, nan, nan, nan, level, weights, grades, table, n, note)
    from scipy.special import ndtri

    kappa = (observed - expected) / (1 - expected)
    spread = worth - ((worth @ columns)[:, None] + rows @ worth) * (1 - kappa)
    variance = float((shares * spread**2).sum()) - (kappa - expected * (1 - kappa)) ** 2
    error = sqrt(max(variance, 0.0) / n) / (1 - expected)
    half = float(ndtri((1 + level) / 2)) * error
    return CohenKappa(kappa, observed, expected, error, kappa - half, kappa + half, level, weights, grades, table, n)
