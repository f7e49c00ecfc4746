"""Tukey's honestly significant differences between all systems, over topics that all of them share."""

from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values, table_of
from irkit.stats.paired.means import TOLERANCE


@dataclass(frozen=True, slots=True, eq=False)
class TukeyHSD:
    """All pairs of k systems compared over n topics, two-sided, by one residual variance.

    Attributes
    ----------
    pairs : tuple of (int, int)
        Places of the two systems, the earlier first: (0, 1), (0, 2), ...
    differences : float64 array, one a pair
        Mean of the first minus mean of the second.
    q : float64 array, one a pair
        Studentised ranges: size of the difference over sqrt(mean_square_error / n).
    effect_sizes : float64 array, one a pair
        Difference over sqrt(mean_square_error).
    pvalues : float64 array, one a pair
        Of one family: no correction is needed. nan where the test says nothing.
    mean_square_error : float
        Residual variance after topics and systems; nan for one topic.
    degrees_of_freedom : int
        (n - 1)(k - 1).
    hsd : float
        The honestly significant difference: the smallest that is significant at `alpha`.
    alpha : float
    f_statistic, f_pvalue : float
        Of the analysis of variance: whether the systems differ at all.
    n_topics, n_systems : int
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    """

    pairs: tuple[tuple[int, int], ...]
    differences: Values
    q: Values
    effect_sizes: Values
    pvalues: Values
    mean_square_error: float
    degrees_of_freedom: int
    hsd: float
    alpha: float
    f_statistic: float
    f_pvalue: float
    n_topics: int
    n_systems: int
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "differences", "q", "effect_sizes", "pvalues")


def tukey_hsd(values: npt.ArrayLike, *, alpha: float = 0.05) -> TukeyHSD:
    """Tukey's test of all pairs of systems, after a two-way analysis of variance without replication.

    It takes the residuals of all systems as of one variance: a pair that moves together topic by topic is judged more
    severely than by a paired test, one that does not less.

    Parameters
    ----------
    values : array-like of shape (n, k)
        A row a topic, a column a system.
    alpha : float
        Level of the honestly significant difference.

    Returns
    -------
    TukeyHSD
        With two systems its p is that of the paired t test. Where nothing is left after topics and systems, every p is
        nan, or 1 if no system differs from another in any topic; the note says so.

    Raises
    ------
    UsageError
        If the values are no table of two systems at least, or alpha is not between 0 and 1.
    DataError
        If there is no topic, or a value that is not finite.

    Notes
    -----
    value = mean + topic + system + residual; p = P(Q >= q) with Q the studentised range of k means and
    (n - 1)(k - 1) degrees of freedom. The integral is good to some 1e-10, so a p below that is only known to be small.

    References
    ----------
    Tukey, The problem of multiple comparisons, 1953; Carterette, TOIS 2012.
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha lies between 0 and 1, got {alpha}")
    table = table_of(values, "systems", 2)
    n, k = table.shape
    df = (n - 1) * (k - 1)
    means = table.mean(axis=0)
    pairs = tuple(combinations(range(k), 2))
    first, second = np.array(pairs).T
    differences = means[first] - means[second]
    residuals = table - table.mean(axis=1, keepdims=True) - means + table.mean()
    between = n * float(((means - table.mean()) ** 2).sum())
    mse = float((residuals**2).sum()) / df if df else nan
    scale = float(abs(table).max())
    known = {
        "pairs": pairs,
        "differences": differences,
        "mean_square_error": mse,
        "degrees_of_freedom": df,
        "alpha": alpha,
        "n_topics": n,
        "n_systems": k,
    }
    if n == 1 or mse <= (TOLERANCE * scale) ** 2:
        identical = n > 1 and bool((abs(table - table[:, :1]) <= TOLERANCE * scale).all())
        return _without_residuals(known, len(pairs), n, identical=identical)
    from scipy.special import fdtrc
    from scipy.stats import studentized_range

    error = sqrt(mse / n)
    q = abs(differences) / error
    f_statistic = between / (k - 1) / mse
    return TukeyHSD(
        **known,
        q=q,
        effect_sizes=differences / sqrt(mse),
        # SciPy integrates the lower tail, which may end a little above 1.
        pvalues=np.clip(studentized_range.sf(q, k, df), 0.0, 1.0),
        hsd=float(studentized_range.ppf(1 - alpha, k, df)) * error,
        f_statistic=f_statistic,
        f_pvalue=float(fdtrc(k - 1, df, f_statistic)),
    )


def _without_residuals(known: dict[str, Any], n_pairs: int, n_topics: int, *, identical: bool) -> TukeyHSD:
    if n_topics == 1:
        note = "one topic: no test is possible"
    elif identical:
        note = "identical: no system differs in any topic"
    else:
        note = "the systems differ by the same amounts in every topic: there is no residual variance to measure them by"
    undefined, p = np.full(n_pairs, nan), 1.0 if identical else nan
    return TukeyHSD(
        **known,
        q=undefined,
        effect_sizes=undefined,
        pvalues=np.full(n_pairs, p),
        hsd=nan,
        f_statistic=nan,
        f_pvalue=p,
        note=note,
    )
