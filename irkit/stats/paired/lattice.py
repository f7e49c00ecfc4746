"""Differences that are multiples of one step, and exact distributions of their sums."""

from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.stats.paired.means import FloatArray

Integers = npt.NDArray[np.int64]

# Additions that an exact distribution may cost: about a fifth of a second.
_MOST_WORK: Final = 100_000_000
# With more, the least probability, 2 ** -n and n ** -n, would be too small for a float.
_MOST_HALVINGS: Final = 1000
_MOST_DRAWS: Final = 140
# Steps this small a share of the largest difference would be found in any numbers.
_FINEST: Final = 1e-6


def multiples_of_a_step(values: FloatArray, noise: float) -> tuple[Integers, float] | None:
    """The values as multiples of their largest common step, and the step; None where they have none.

    Parameters
    ----------
    values : float64 array of shape (n,)
    noise : float
        How far a value may lie from its multiple.
    """
    sizes = np.unique(abs(values))
    sizes = sizes[sizes > noise]
    if not len(sizes):
        return None
    finest = _FINEST * float(sizes[-1])
    step = 0.0
    for size in sizes.tolist():
        # Euclid's algorithm, with the remainder nearest to 0, so that 0.3 is a multiple of 0.1.
        while size > finest:
            step, size = size, abs(step - size * round(step / size))
    multiples = np.rint(values / step)
    step = float(values @ multiples) / float(multiples @ multiples)
    if (abs(values - multiples * step) > noise).any():
        return None
    return multiples.astype(np.int64), step


def subset_sums(sizes: Integers) -> FloatArray | None:
    """The distribution of the sum of a random subset, each member in it with probability 1/2.

    Parameters
    ----------
    sizes : int64 array of shape (n,)
        At least 0.

    Returns
    -------
    float64 array of shape (sum of sizes + 1,), or None
        The probability of each sum from 0 on; None where it would take long.
    """
    total = int(sizes.sum())
    if len(sizes) > _MOST_HALVINGS or len(sizes) * total > _MOST_WORK:
        return None
    probabilities = np.zeros(total + 1)
    probabilities[0] = 1.0
    reached = 0
    for size in np.sort(sizes).tolist():
        halves = probabilities[: reached + 1] / 2
        probabilities[: reached + 1] = halves
        probabilities[size : size + reached + 1] += halves
        reached += size
    return probabilities


def sums_of_draws(multiples: Integers) -> tuple[Integers, FloatArray] | None:
    """The distribution of the sum of n draws with replacement from n integers.

    Returns
    -------
    (sums, probabilities), or None
        Sums rising; None where it would take long.
    """
    n, least = len(multiples), int(multiples.min())
    once = np.bincount(multiples - least) / n
    # n convolutions, the k-th of k * len(once) numbers with as many as there are different ones
    drawn = np.flatnonzero(once)
    if n > _MOST_DRAWS or len(drawn) * n * n * len(once) > _MOST_WORK:
        return None
    probabilities = np.ones(1)
    for _ in range(n):
        longer = np.zeros(len(probabilities) + len(once) - 1)
        for place in drawn.tolist():
            longer[place : place + len(probabilities)] += once[place] * probabilities
        probabilities = longer
    return np.arange(len(probabilities)) + n * least, probabilities
