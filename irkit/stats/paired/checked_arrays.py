"""Per-topic values as the tests take them: checked arrays, and the chance that some of them need."""

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, UsageError
from irkit.stats.paired.means import TOLERANCE

Values = npt.NDArray[np.float64]


def as_numbers(values: npt.ArrayLike) -> Values:
    """The values as a float64 array."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        raise UsageError(f"a test needs numbers, one a topic, got {str(values)[:80]}") from None


def table_of(values: npt.ArrayLike, columns: str, least: int) -> Values:
    """The values as a float64 array of shape (topics, columns).

    Parameters
    ----------
    values : array-like of shape (n, k)
        A row for each topic.
    columns : str
        What the columns are, for messages: "systems".
    least : int
        Fewest columns.
    """
    table = as_numbers(values)
    if table.ndim != 2 or table.shape[1] < least:
        raise UsageError(f"needed is a row a topic with {least} {columns} at least, got shape {table.shape}")
    if not len(table):
        raise DataError("a test needs one topic at least, got none")
    if not np.isfinite(table).all():
        raise DataError("a test needs finite values; leave topics without a value out of every column")
    return table


def pair_of(first: npt.ArrayLike, second: npt.ArrayLike, each: str) -> tuple[Values, Values]:
    """Check two arrays: float64 of one shape (n,), n > 0.

    Parameters
    ----------
    first, second : array-like of shape (n,)
    each : str
        What has a value in both, for messages: "topic".
    """
    one, other = as_numbers(first), as_numbers(second)
    if one.ndim != 1 or one.shape != other.shape:
        raise UsageError(f"needed is one value a {each} on both sides, got shapes {one.shape} and {other.shape}")
    if not len(one):
        raise DataError(f"needed is one {each} at least, got none")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise DataError(f"needed are finite values; leave a {each} without a value out of both sides")
    return one, other


def chance_of(rng: int | np.random.Generator) -> tuple[np.random.Generator, int | None]:
    """Return the generator, and the seed if one was given instead."""
    if isinstance(rng, np.random.Generator):
        return rng, None
    return np.random.default_rng(rng), int(rng)


def with_ties(scores: Values) -> Values:
    """Make scores equal that differ only by rounding, since a mean added in another order is the same mean.

    A score is that of the next smaller one where the two lie within 1e-12 of the largest.
    """
    order = np.argsort(scores, kind="stable")
    apart = np.diff(scores[order], prepend=-np.inf) > TOLERANCE * abs(scores).max(initial=0.0)
    first = np.maximum.accumulate(np.where(apart, np.arange(len(scores)), 0))
    tied = np.empty_like(scores)
    tied[order] = scores[order][first]
    return tied
