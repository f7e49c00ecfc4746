"""Westfall and Young's max-T: many differences at once, their signs flipped together, topic by topic."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values, chance_of, table_of

Statistic: TypeAlias = Literal["t", "mean"]
# A statistic within this share of the largest that there can be counts as reached: what arithmetic leaves behind.
_TOLERANCE: Final = 1e-9
# Statistics held at a time: 64 MB.
_CHUNK: Final = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class MaxT:
    """p-values of m comparisons, two-sided, from sign flips that all of them share.

    Attributes
    ----------
    statistic : str
        "t", or "mean" for the mean difference.
    raw : float64 array of shape (m,)
        Each comparison alone: the sign-flip test, not corrected.
    single_step : float64 array of shape (m,)
        How often the largest statistic of all m reaches this one.
    step_down : float64 array of shape (m,)
        How often the largest of those not larger than this one reaches it, and never below the p of a larger one.
    n_topics : int
        Topics given; those in which nothing differs change no p.
    n_flips : int
        Sign patterns counted: all that there are if `exact`, else drawn.
    exact : bool
        Whether every sign pattern was counted: p is c / n_flips; else it is (1 + c) / (1 + n_flips).
    seed : int or None
        Of the draws; None where a generator was given, or nothing was drawn.
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    """

    statistic: Statistic
    raw: Values
    single_step: Values
    step_down: Values
    n_topics: int
    n_flips: int
    exact: bool
    seed: int | None
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "raw", "single_step", "step_down")


def max_t(
    differences: npt.ArrayLike,
    *,
    statistic: Statistic = "t",
    n_flips: int = 100_000,
    rng: int | np.random.Generator = 0,
) -> MaxT:
    """The max-T test of m comparisons over the same topics, single step and step down.

    One sign a topic is drawn for all comparisons together, which keeps how they depend on each other. What the
    comparisons are is free: against a baseline, all pairs, several measures.

    Parameters
    ----------
    differences : array-like of shape (n, m)
        A row a topic, a column a comparison: candidate minus baseline.
    statistic : str
        "t"; with "mean" the comparisons whose differences vary most rule the largest.
    n_flips : int
        Sign patterns to draw. Where there are no more than this, each is counted once instead and p is exact.
    rng : int or numpy Generator
        Seed, or source, of the draws.

    Returns
    -------
    MaxT
        A comparison in which no topic differs has p 1.

    Raises
    ------
    UsageError
        If the differences are no table with a column, or `n_flips` is below 1, or the statistic is unknown.
    DataError
        If there is no topic, or a difference that is not finite.

    Notes
    -----
    The null hypothesis is that each topic's row of differences is as likely as the row with all signs turned. For a
    part of the hypotheses to be true, step down needs subset pivotality besides.

    References
    ----------
    Westfall and Young, Resampling-Based Multiple Testing, 1993; Boytsov, Belova and Westfall, CIKM 2013.
    """
    if statistic not in ("t", "mean"):
        raise UsageError(f"max-T has the statistics t and mean, not {statistic!r}")
    if n_flips < 1:
        raise UsageError(f"max-T needs one flip at least, got {n_flips}")
    table = table_of(differences, "comparisons", 1)
    generator, seed = chance_of(rng)
    rows = table[(table != 0).any(axis=1)]
    exact = len(rows) < 63 and 2 ** len(rows) <= n_flips
    units = _in_units_of_largest(rows, statistic)
    observed = abs(units.sum(axis=0))
    order = np.argsort(-observed, kind="stable")
    descending = observed[order] - _TOLERANCE
    counts = np.zeros((3, len(order)), dtype=np.int64)
    n_counted = 2 ** len(rows) if exact else n_flips
    chunk = max(1, _CHUNK // max(table.shape))
    for signs in _signs(len(rows), n_counted, chunk, None if exact else generator):
        flipped = signs @ units[:, order]
        np.abs(flipped, out=flipped)
        counts[0] += (flipped >= descending).sum(axis=0)
        # From here on column i holds the largest statistic of comparisons i and after it.
        np.maximum.accumulate(flipped[:, ::-1], axis=1, out=flipped[:, ::-1])
        largest = np.sort(flipped[:, 0])
        counts[1] += len(largest) - np.searchsorted(largest, descending)
        counts[2] += (flipped >= descending).sum(axis=0)
    pvalues = counts / n_counted if exact else (1 + counts) / (1 + n_counted)
    pvalues[2] = np.maximum.accumulate(pvalues[2])
    raw, single, down = pvalues[:, np.argsort(order, kind="stable")]
    note = "" if len(rows) else "identical: no topic differs in any comparison"
    return MaxT(statistic, raw, single, down, len(table), n_counted, exact, None if exact else seed, note)


def _in_units_of_largest(rows: Values, statistic: Statistic) -> Values:
    """Differences scaled so that the size of a column's sum orders sign patterns as the statistic does, 1 at most.

    With S the sum of flipped differences and Q the sum of their squares, which no flip changes, t depends on
    S / sqrt(n Q) alone and grows with it: t = sqrt(n - 1) r / sqrt(1 - r r). No t is infinite that way.
    """
    if not len(rows):
        return rows
    # Scaled first, so that no square overflows or vanishes.
    largest = abs(rows).max(axis=0)
    scaled: Values = rows / np.where(largest > 0, largest, 1.0)
    if statistic == "mean":
        return rows / float(len(rows) * largest.max())
    length: Values = np.sqrt(len(rows) * (scaled**2).sum(axis=0))
    scaled /= np.where(length > 0, length, 1.0)
    return scaled


def _signs(n: int, n_patterns: int, chunk: int, generator: np.random.Generator | None) -> Iterator[Values]:
    """Yield sign patterns of n topics, up to `chunk` at a time: random, or without a generator all in order."""
    for first in range(0, n_patterns, chunk):
        rows = min(chunk, n_patterns - first)
        if generator is None:
            bits = (np.arange(first, first + rows)[:, None] >> np.arange(n)) & 1
        else:
            bits = generator.integers(0, 2, (rows, n), dtype=np.int8)
        yield np.where(bits, 1.0, -1.0)
