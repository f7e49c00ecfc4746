"""The randomised form of Tukey's test: systems exchanged within topics, all differences against the largest."""

from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values, chance_of, table_of

# Sums within this share of the largest value count as equal: what arithmetic leaves behind.
_TOLERANCE: Final = 1e-9
# Sums that differ less are counted as one: far less than the tolerance, far more than arithmetic leaves behind.
_SAME: Final = 1e-12
# Sets of k sums that are held at a time when every order is counted.
_MOST_SUMS: Final = 1 << 21
# Values permuted at a time: 32 MB.
_CHUNK: Final = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class RandomisedTukey:
    """All pairs of k systems compared over n topics, two-sided, by exchanging the systems within topics.

    Attributes
    ----------
    pairs : tuple of (int, int)
        Places of the two systems, the earlier first: (0, 1), (0, 2), ...
    differences : float64 array, one a pair
        Mean of the first minus mean of the second.
    pvalues : float64 array, one a pair
        How often the largest difference of any two systems reaches this one. Of one family: no correction is needed.
    n_topics, n_systems : int
    n_permutations : int
        Ways to exchange the systems that were counted: all (k!)^n if `exact`, else drawn.
    exact : bool
        Whether every way was counted; else p is (1 + c) / (1 + n_permutations).
    seed : int or None
        Of the draws; None where a generator was given, or nothing was drawn.
    """

    pairs: tuple[tuple[int, int], ...]
    differences: Values
    pvalues: Values
    n_topics: int
    n_systems: int
    n_permutations: int
    exact: bool
    seed: int | None

    def __post_init__(self) -> None:
        freeze(self, "differences", "pvalues")


def randomised_tukey(
    values: npt.ArrayLike, *, n_permutations: int = 10_000, rng: int | np.random.Generator = 0
) -> RandomisedTukey:
    """The randomised Tukey test of all pairs of systems.

    Its null hypothesis is that all systems are the same, so a system far from the others makes it harder for those:
    which systems are compared has to be settled before looking.

    Parameters
    ----------
    values : array-like of shape (n, k)
        A row a topic, a column a system.
    n_permutations : int
        Ways of exchanging to draw, where there are too many to count them all.
    rng : int or numpy Generator
        Seed, or source, of the draws.

    Returns
    -------
    RandomisedTukey
        With two systems it is the sign-flip test. Systems of the same mean, and a single topic, have p 1.

    Raises
    ------
    UsageError
        If the values are no table of two systems at least, or `n_permutations` is below 1.
    DataError
        If there is no topic, or a value that is not finite.

    Notes
    -----
    p = P(largest mean - smallest mean >= size of the difference), over each topic's k values in all k! orders.

    References
    ----------
    Carterette, TOIS 2012.
    """
    if n_permutations < 1:
        raise UsageError(f"a randomised test needs one permutation at least, got {n_permutations}")
    table = table_of(values, "systems", 2)
    n, k = table.shape
    pairs = tuple(combinations(range(k), 2))
    first, second = np.array(pairs).T
    means = table.mean(axis=0)
    # What a topic adds to every system changes no difference; without it sums stay small and equal ones nearly equal.
    centred = table - table.mean(axis=1, keepdims=True)
    centred /= float(abs(centred).max()) or 1.0
    sums = centred.sum(axis=0)
    reached = abs(sums[first] - sums[second]) - _TOLERANCE
    counted = _every_range(centred)
    if counted is not None:
        ranges, shares = counted
        pvalues = np.array([shares[ranges >= least].sum() for least in reached])
        return RandomisedTukey(pairs, means[first] - means[second], pvalues, n, k, factorial(k) ** n, True, None)
    generator, seed = chance_of(rng)
    drawn = np.sort(_drawn_ranges(centred, n_permutations, generator))
    pvalues = (1 + n_permutations - np.searchsorted(drawn, reached)) / (1 + n_permutations)
    return RandomisedTukey(pairs, means[first] - means[second], pvalues, n, k, n_permutations, False, seed)


def _every_range(table: Values) -> tuple[Values, Values] | None:
    """Every range of the k sums with the share of the orders that give it; None where there are too many.

    Topic by topic: what orders of the further topics can add depends on the sums alone, not on which system has which,
    so equal sets of sums are one. Scores of few decimals leave few sets, however many topics there are.
    """
    k = table.shape[1]
    sums, shares = np.sort(table[:1], axis=1), np.ones(1)
    for row in table[1:]:
        if len(sums) * factorial(k) > _MOST_SUMS:
            return None
        orders = row[np.array(list(permutations(range(k))))]
        further = np.sort((sums[:, None, :] + orders).reshape(-1, k), axis=1)
        shares = np.repeat(shares / len(orders), len(orders))
        # The last sum follows from the others, for all of them together are 0.
        keys = np.rint(further[:, :-1] / _SAME).astype(np.int64)
        place = np.lexsort(keys.T)
        new = np.ones(len(place), dtype=bool)
        new[1:] = (keys[place[1:]] != keys[place[:-1]]).any(axis=1)
        sums, shares = further[place[new]], np.add.reduceat(shares[place], np.flatnonzero(new))
    return sums[:, -1] - sums[:, 0], shares


def _drawn_ranges(table: Values, n_permutations: int, generator: np.random.Generator) -> Values:
    ranges = np.empty(n_permutations)
    rows = max(1, _CHUNK // table.size)
    for start in range(0, n_permutations, rows):
        size = min(rows, n_permutations - start)
        sums = generator.permuted(np.broadcast_to(table, (size, *table.shape)), axis=2).sum(axis=1)
        ranges[start : start + size] = np.ptp(sums, axis=1)
    return ranges
