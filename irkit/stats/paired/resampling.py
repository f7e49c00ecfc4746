"""Bootstrap samples of topics, shared by all columns of values."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, factorial, nan
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.stats.paired.checked_arrays import chance_of
from irkit.stats.paired.differences import IDENTICAL, Differences
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.student import ONE_TOPIC

Places = npt.NDArray[np.int64]

# Topics up to which every resample is looked at: there are 92,378 different ones of 10.
MOST_LISTED: Final = 10
# Places in memory at a time: 16 MB of them.
_BLOCK: Final = 2**21


def drawn_places(n_topics: int, n_resamples: int, rng: int | np.random.Generator) -> Iterator[Places]:
    """Places of topics drawn with replacement, in arrays of shape (some, n_topics): n_resamples rows in all."""
    chance, _ = chance_of(rng)
    rows = max(1, _BLOCK // n_topics)
    for start in range(0, n_resamples, rows):
        yield chance.integers(0, n_topics, (min(rows, n_resamples - start), n_topics))


def every_resample(n_topics: int) -> tuple[Places, FloatArray]:
    """Every different resample of a few topics, of shape (resamples, n_topics), and the probability of each."""
    n_different = comb(2 * n_topics - 1, n_topics)
    flat = (place for places in combinations_with_replacement(range(n_topics), n_topics) for place in places)
    places = np.fromiter(flat, np.int64, n_different * n_topics).reshape(n_different, n_topics)
    factorials = np.array([float(factorial(times)) for times in range(n_topics + 1)])
    n_orders = np.full(n_different, factorials[n_topics])
    for place in range(n_topics):
        n_orders /= factorials[np.count_nonzero(places == place, axis=1)]
    return places, n_orders / float(n_topics) ** n_topics


def resampled_means(values: FloatArray, n_resamples: int, rng: int | np.random.Generator) -> FloatArray:
    """Means of resamples of the topics, the same topics for every column.

    Parameters
    ----------
    values : float64 array of shape (n, columns)
    n_resamples : int
    rng : int or numpy.random.Generator

    Returns
    -------
    float64 array of shape (n_resamples, columns)
    """
    n = len(values)
    means = [np.empty((0, values.shape[1]))]
    for places in drawn_places(n, n_resamples, rng):
        rows = np.arange(len(places))[:, np.newaxis]
        times = np.bincount((places + n * rows).ravel(), minlength=places.size).reshape(places.shape)
        means.append(times.astype(np.float64) @ values / n)
    return np.concatenate(means)


def pvalue_of_a_constant(differences: Differences) -> tuple[float, str]:
    """The p-value and the note of a bootstrap test where resamples cannot vary."""
    if differences.n == 1:
        return nan, ONE_TOPIC
    if differences.identical:
        return 1.0, IDENTICAL
    return nan, "every topic differs by the same amount: resamples do not vary"
