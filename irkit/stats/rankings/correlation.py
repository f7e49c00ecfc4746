"""Correlation of two rankings of the same systems, given by their scores: Kendall's tau, Spearman's, tau-AP."""

from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values, pair_of, with_ties

_FEW: Final = 100  # systems, of which all pairs are told apart faster than bit by bit


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Correlation of two rankings of the same systems.

    Attributes
    ----------
    coefficient : str
        Which one: `tau-a`, `tau-b`, `spearman`, `tau-AP`, `tau-AP,a` or `tau-AP,b`.
    value : float
        From -1 to 1; nan where `note` says why.
    n_systems : int
    concordant, discordant : int
        Pairs of systems that both order alike, and that they order against each other.
    tied_first, tied_second : int
        Pairs of systems that are tied in either.
    note : str
        Why there is no value; else empty.
    """

    coefficient: str
    value: float
    n_systems: int
    concordant: int
    discordant: int
    tied_first: int
    tied_second: int
    note: str = ""


def kendall_tau(first: npt.ArrayLike, second: npt.ArrayLike, *, ties: Literal["a", "b"] = "b") -> RankCorrelation:
    """Kendall's tau between two rankings of N systems.

    Parameters
    ----------
    first, second : array-like of shape (N,)
        The systems' scores in the same order of systems; the higher one is the better one.
    ties : str
        "b" counts the pairs that are tied out of either ranking; "a" keeps them in, so that ties cost.

    Returns
    -------
    RankCorrelation
        Without ties both are the same. nan for one system, and where all are tied.

    Raises
    ------
    UsageError
        If the scores are not of one shape (N,), or `ties` is unknown.
    DataError
        If there is no score, or one that is not finite.

    Notes
    -----
    With C pairs concordant, D discordant, N0 = N (N - 1) / 2 in all, n1 and n2 tied in either:
    tau-a = (C - D) / N0; tau-b = (C - D) / sqrt((N0 - n1) (N0 - n2)).

    References
    ----------
    Kendall, Biometrika 1938 and 1945.
    """
    if ties not in ("a", "b"):
        raise UsageError(f"Kendall's tau treats ties in the way a or b, not {ties!r}")
    one, other = map(with_ties, pair_of(first, second, "system"))
    found = _compared(f"tau-{ties}", one, other)
    if found.note:
        return found
    n_pairs = found.n_systems * (found.n_systems - 1) // 2
    untied = sqrt((n_pairs - found.tied_first) * (n_pairs - found.tied_second)) if ties == "b" else n_pairs
    return replace(found, value=(found.concordant - found.discordant) / untied)


def spearman(first: npt.ArrayLike, second: npt.ArrayLike) -> RankCorrelation:
    """Spearman's correlation between two rankings of N systems: that of their ranks, tied systems sharing the mean.

    Parameters
    ----------
    first, second : array-like of shape (N,)
        The systems' scores in the same order of systems.

    Returns
    -------
    RankCorrelation
        nan for one system, and where all are tied.

    Raises
    ------
    UsageError, DataError
        As of `kendall_tau`.

    References
    ----------
    Spearman, American Journal of Psychology 1904.
    """
    one, other = map(with_ties, pair_of(first, second, "system"))
    found = _compared("spearman", one, other)
    if found.note:
        return found
    # Twice the midrank, less its mean, is a whole number: systems below, less systems above.
    ranks, others = (np.sign(scores[:, None] - scores).sum(axis=1) for scores in (one, other))
    return replace(found, value=float(ranks @ others) / sqrt(float(ranks @ ranks) * float(others @ others)))


def tau_ap(
    reference: npt.ArrayLike, estimate: npt.ArrayLike, *, ties: Literal["a", "b"] | None = None
) -> RankCorrelation:
    """AP correlation of an estimated ranking of N systems with a reference: mistakes near the top weigh more.

    Parameters
    ----------
    reference, estimate : array-like of shape (N,)
        The systems' scores in the same order of systems; the higher one is the better one.
    ties : str, optional
        "a": tied systems have an order that is not known, and the mean over all of their orders is given; "b": ties are
        ties, and neither ranking is the reference. If not given: "b" where both rankings have ties, "a" where one has.

    Returns
    -------
    RankCorrelation
        `coefficient` says which. Without ties, and none asked for, it is tau-AP. nan for one system, and where all are
        tied.

    Raises
    ------
    UsageError, DataError
        As of `kendall_tau`.

    Notes
    -----
    tau-AP = 2 / (N - 1) * sum over ranks i >= 2 of the estimate of C(i) / (i - 1) - 1, with C(i) the systems above that
    the reference too puts above. tau-AP,b is the mean of both directions of the same over the systems outside the first
    group of ties, whose N' stands for N - 1, with the systems above the system's group and the first rank of the group.

    References
    ----------
    Yilmaz, Aslam and Robertson, SIGIR 2008; Urbano and Marrero, ICTIR 2017.
    """
    if ties not in ("a", "b", None):
        raise UsageError(f"tau-AP treats ties in the way a or b, not {ties!r}")
    one, other = map(with_ties, pair_of(reference, estimate, "system"))
    found = _compared("tau-AP", one, other)
    tied = (found.tied_first > 0) + (found.tied_second > 0)
    variant = ties or (None, "a", "b")[tied]
    if variant:
        found = replace(found, coefficient=f"tau-AP,{variant}")
    if found.note:
        return found
    value = (_ap_b(one, other) + _ap_b(other, one)) / 2 if variant == "b" else _ap_a(one, other)
    return replace(found, value=value)


def _ap_a(reference: Values, estimate: Values) -> float:
    """The mean of tau-AP over all orders of the systems tied in either; tau-AP where there are none."""
    above = estimate[:, None] < estimate
    same = (estimate[:, None] == estimate) & ~np.eye(len(estimate), dtype=bool)
    # A pair that the reference ties is in either order half of the time.
    right = (np.sign(reference - reference[:, None]) + 1) / 2
    n_above, n_same = above.sum(axis=1), same.sum(axis=1)
    right_above, right_same = (above * right).sum(axis=1), (same * right).sum(axis=1)
    total = 0.0
    # The system stands behind j of its group, any of them, as often for each j.
    for j in range(int(n_same.max()) + 1):
        here = (j <= n_same) & (n_above + j > 0)
        concordant = right_above[here] + j * right_same[here] / np.maximum(n_same[here], 1)
        total += float((concordant / (n_above[here] + j) / (n_same[here] + 1)).sum())
    return 2 * total / (len(estimate) - 1) - 1


def _ap_b(reference: Values, estimate: Values) -> float:
    above = estimate[:, None] < estimate
    concordant = (above & (reference[:, None] < reference)).sum(axis=1)
    n_above = above.sum(axis=1)
    later = n_above > 0
    return 2 * float((concordant[later] / n_above[later]).mean()) - 1


def _compared(coefficient: str, first: Values, second: Values) -> RankCorrelation:
    """The pairs counted, with the reason where no coefficient can be given."""
    n = len(first)
    n_pairs = n * (n - 1) // 2
    (ours, tied_first), (theirs, tied_second) = map(_coded, (first, second))
    tied_both = _coded(ours * n + theirs)[1] if tied_first and tied_second else 0
    discordant = _n_inversions(theirs[np.lexsort((theirs, ours))])
    concordant = n_pairs - discordant - tied_first - tied_second + tied_both
    note = ""
    if n == 1:
        note = "one system: there is no order to compare"
    elif n_pairs in (tied_first, tied_second):
        note = "every system has the same score in one of the rankings: it has no order to compare"
    return RankCorrelation(coefficient, nan, n, concordant, discordant, tied_first, tied_second, note)


def _coded(scores: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.int64], int]:
    """Rank code of each score among the distinct scores from the lowest, and the number of tied pairs."""
    _, codes, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    return codes, int((sizes * (sizes - 1) // 2).sum())


def _n_inversions(codes: npt.NDArray[np.int64]) -> int:
    """Number of pairs whose earlier code is larger.

    Two codes are told apart by the highest bit in which they differ, so bit by bit, from the highest: among codes that
    are the same above it, those with the bit that stand before one without it. Of few, all pairs are looked at.
    """
    if len(codes) <= _FEW:
        return int(np.count_nonzero(np.triu(codes[:, None] > codes)))
    total = 0
    for bit in range(int(codes.max()).bit_length() - 1, -1, -1):
        ones = (codes >> bit) & 1
        before = np.cumsum(ones) - ones
        above = codes >> (bit + 1)
        total += int(((before - before[np.searchsorted(above, above)]) * (1 - ones)).sum())
        codes = codes[np.argsort(codes >> bit, kind="stable")]
    return total
