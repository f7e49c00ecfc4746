"""Intervals for means over topics: t, bootstrap percentile and BCa."""

from dataclasses import dataclass, replace
from math import nan
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.measures import Measure
from irkit.stats.paired.checked_arrays import chance_of, table_of
from irkit.stats.paired.lattice import multiples_of_a_step, sums_of_draws
from irkit.stats.paired.means import TOLERANCE, FloatArray, power_of_two_below, standard_deviation, t_half_width
from irkit.stats.paired.resampling import MOST_LISTED, every_resample, resampled_means
from irkit.stats.paired.skew import Skewed, skew_caution

BootstrapMethod = Literal["percentile", "BCa"]

ONE_TOPIC: Final = "one topic: no interval is possible"
CONSTANT: Final = "every topic has the same value: the interval is a point"
# Shares of resamples this close to a level have reached it.
_ROUNDING: Final = 1e-12
LEAST: Final = 100  # resamples, below which an end is one of a handful


@dataclass(frozen=True, slots=True)
class Interval:
    """Confidence interval of a mean over topics.

    Attributes
    ----------
    estimate : float
        The mean, in the measure's own unit.
    low, high : float
        nan for a single topic.
    level : float
        Share of such intervals that hold the mean, as 0.95.
    method : str
        't', 'percentile', 'BCa', 'bootstrap-t' or 'Hall'.
    n_topics : int
    exact : bool
        Computed from the whole distribution; else from a sample of it.
    n_resamples : int or None
        Size of the sample; None where nothing was sampled.
    seed : int or None
        What the sample was drawn with, where it was a number.
    note : str
        What a reader must know about a case without an ordinary answer; else empty.
    skewed : Skewed or None
        The caution of a t or bootstrap interval over values so skewed that it may hold the mean less often.
    """

    estimate: float
    low: float
    high: float
    level: float
    method: str
    n_topics: int
    exact: bool = True
    n_resamples: int | None = None
    seed: int | None = None
    note: str = ""
    skewed: Skewed | None = None

    def drawn(self, measure: Measure) -> tuple[float, float]:
        """The ends as a chart shows them: within 0 and 1 where the measure's values lie there."""
        return (max(self.low, 0.0), min(self.high, 1.0)) if measure.unit else (self.low, self.high)


class _Bootstrap(NamedTuple):
    """Means of resamples, rising, and the probability of each."""

    means: FloatArray
    probabilities: FloatArray


def t_interval(values: npt.ArrayLike, *, level: float = 0.95) -> Interval:
    """The t interval of the mean of a run's scores, or of differences.

    Parameters
    ----------
    values : array-like of shape (n,)
        One a topic.
    level : float
        Above 0 and below 1.

    Raises
    ------
    UsageError
        If the values are not of shape (n,), or the level is out of range.
    DataError
        If there is no value, or one that is not finite.
    """
    check_level(level)
    column = _column(values)
    unit, n = power_of_two_below(column), len(column)
    column = column / unit
    mean = float(column.mean())
    if n == 1:
        return Interval(mean * unit, nan, nan, level, "t", n, note=ONE_TOPIC)
    if _constant(column):
        return Interval(mean * unit, mean * unit, mean * unit, level, "t", n, note=CONSTANT)
    half = t_half_width(n, standard_deviation(column), level)
    ends = (mean - half) * unit, (mean + half) * unit
    return Interval(mean * unit, *ends, level, "t", n, skewed=skew_caution(column))


def bootstrap_intervals(
    values: npt.ArrayLike,
    *,
    method: BootstrapMethod = "BCa",
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> tuple[Interval, ...]:
    """Bootstrap intervals of the means of several columns, which share the resampled topics.

    Parameters
    ----------
    values : array-like of shape (n, columns)
        A row for each topic; a column for each run and measure, and for each difference of runs.
    method : {'percentile', 'BCa'}
        Both hold the mean less often than `level` says below some 30 topics.
    level : float
        Above 0 and below 1.
    n_resamples : int
        Resamples of the topics where they are too many to count: they are counted for 10 topics or fewer, and for up to
        140 in a column whose values are multiples of one step.
    rng : int or numpy.random.Generator
        What they are drawn with.

    Returns
    -------
    tuple of Interval
        One a column. The same value in every topic has a point for an interval, and a single topic has none; the note
        says so.

    Raises
    ------
    UsageError
        If it is no table with a column, or the method does not exist, or level or n_resamples is out of range.
    DataError
        If there is no topic, or a value that is not finite.

    Notes
    -----
    The quantile at q is the smallest mean m with F(m) >= q, without interpolation. BCa takes q = Phi(z0 + (z0 + z) /
    (1 - a (z0 + z))), where Phi(z0) is the share of resampled means below the mean, half of those equal to it among
    them, and a = sum u^3 / (6 (sum u^2)^1.5) with u the mean of the jackknife's means less each.

    References
    ----------
    Efron and Tibshirani 1993, 14.3.
    """
    check_level(level)
    if method not in get_args(BootstrapMethod):
        raise UsageError(f"there is no method {method!r}; {instead(str(method), get_args(BootstrapMethod))}")
    if n_resamples < LEAST:
        raise UsageError(f"the ends of an interval need {LEAST} resamples at least, got n_resamples={n_resamples}")
    table = table_of(values, "columns of values", 1)
    units = [power_of_two_below(column) for column in table.T]
    table = table / units
    exact = [_exact(column) for column in table.T]
    sampled = [place for place, found in enumerate(exact) if found is None and not _constant(table[:, place])]
    drawn = dict(zip(sampled, resampled_means(table[:, sampled], n_resamples, rng).T, strict=True)) if sampled else {}
    seed = chance_of(rng)[1] if sampled else None
    intervals = []
    for place, (column, unit) in enumerate(zip(table.T, units, strict=True)):
        n, mean = len(column), float(column.mean())
        if n == 1:
            intervals.append(Interval(mean * unit, nan, nan, level, method, n, note=ONE_TOPIC))
            continue
        if _constant(column):
            intervals.append(Interval(mean * unit, mean * unit, mean * unit, level, method, n, note=CONSTANT))
            continue
        found = exact[place] or _Bootstrap(np.sort(drawn[place]), np.full(n_resamples, 1 / n_resamples))
        low, high = (unit * end for end in _ends(column, found, method, level))
        chance = (False, n_resamples, seed) if place in drawn else (True, None, None)
        intervals.append(
            replace(Interval(mean * unit, low, high, level, method, n, *chance), skewed=skew_caution(column))
        )
    return tuple(intervals)


def bias_and_acceleration(column: FloatArray, found: _Bootstrap) -> tuple[float, float]:
    """z0 and a of BCa."""
    from scipy.special import ndtri

    mean = float(column.mean())
    rounding = TOLERANCE * float(abs(column).max())
    below = float(found.probabilities[found.means < mean - rounding].sum())
    equal = float(found.probabilities[abs(found.means - mean) <= rounding].sum())
    # The mean of the jackknife's means is the mean; each differs from it by (value - mean) / (n - 1).
    influence = (column - mean) / (len(column) - 1)
    acceleration = float((influence**3).sum()) / (6 * float((influence**2).sum()) ** 1.5)
    # So few resamples may all lie on one side of the mean.
    smallest = float(found.probabilities.min())
    return float(ndtri(np.clip(below + equal / 2, smallest / 2, 1 - smallest / 2))), acceleration


def check_level(level: float) -> None:
    """Refuse a level of confidence that is none."""
    if not 0 < level < 1:
        raise UsageError(f"a level of confidence is between 0 and 1, as 0.95, got {level}")


def _ends(column: FloatArray, found: _Bootstrap, method: BootstrapMethod, level: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    shares = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "BCa":
        bias, acceleration = bias_and_acceleration(column, found)
        moved = bias + ndtri(shares)
        shares = ndtr(bias + moved / (1 - acceleration * moved))
    cumulative = np.cumsum(found.probabilities)
    places = np.searchsorted(cumulative, shares - _ROUNDING).clip(max=len(cumulative) - 1)
    low, high = found.means[places].tolist()
    return low, high


def _exact(column: FloatArray) -> _Bootstrap | None:
    """Exact bootstrap distribution of the mean, for few topics or for multiples of one step."""
    n = len(column)
    if n <= MOST_LISTED:
        places, probabilities = every_resample(n)
        means = np.asarray(column[places].mean(axis=1), dtype=np.float64)
        order = np.argsort(means, kind="stable")
        return _Bootstrap(means[order], probabilities[order])
    multiples = multiples_of_a_step(column, TOLERANCE * float(abs(column).max()))
    if multiples is None or (drawn := sums_of_draws(multiples[0])) is None:
        return None
    sums, probabilities = drawn
    return _Bootstrap(np.asarray(sums * (multiples[1] / n)), probabilities)


def _column(values: npt.ArrayLike) -> FloatArray:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise UsageError(f"an interval needs one value a topic, got shape {column.shape}")
    return np.asarray(table_of(column[:, np.newaxis], "column of values", 1)[:, 0])


def _constant(column: FloatArray) -> bool:
    return bool(np.ptp(column) <= 2 * TOLERANCE * abs(column).max())
