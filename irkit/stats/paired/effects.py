"""How large a difference between two runs is: beside its own deviation, beside the baseline, and topic by topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, isfinite, isnan, lgamma, nan, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.errors import UsageError
from irkit.stats.paired.differences import IDENTICAL, Differences, NanPolicy, paired_differences
from irkit.stats.paired.intervals import check_level
from irkit.stats.paired.means import standard_deviation


@dataclass(frozen=True, slots=True)
class EffectSize:
    """Size of the difference between two runs.

    Attributes
    ----------
    mean_difference : float
        Candidate minus baseline, in the measure's own unit.
    relative_change : float
        The same as a share of the baseline's mean; nan where that is 0.
    dz : float
        Mean difference over the standard deviation of the differences: Cohen's d of paired values.
    low, high : float
        Interval of dz, from the noncentral t distribution.
    level : float
        Its level of confidence.
    g : float
        Hedges' g: dz without its bias in small samples.
    d_av : float
        Mean difference over the deviation of the scores, root mean square of both runs: another measure than dz, for
        comparison with experiments that are not paired.
    n_topics : int
    note : str
        Why a value is nan or infinite; else empty.
    """

    mean_difference: float
    relative_change: float
    dz: float
    low: float
    high: float
    level: float
    g: float
    d_av: float
    n_topics: int
    note: str = ""


class TopicDifference(NamedTuple):
    """A topic and its scores."""

    topic: str
    baseline: float
    candidate: float
    difference: float


def effect_size(
    candidate_values: npt.ArrayLike,
    baseline_values: npt.ArrayLike,
    *,
    level: float = 0.95,
    nan_policy: NanPolicy = "error",
) -> EffectSize:
    """The size of the difference between two runs over the same topics.

    Parameters
    ----------
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic, in the same order of topics.
    level : float
        Of the interval of dz; above 0 and below 1.
    nan_policy : {'error', 'skip'}
        With 'skip' a topic in which either score is nan leaves both runs.

    Returns
    -------
    EffectSize
        Identical scores have dz 0 without an interval, the same difference in every topic an infinite one, and a single
        topic none; the note says so.

    Raises
    ------
    UsageError
        If the two are not of one shape (n,), or the level is out of range.
    DataError
        If there is no score, or one that is not finite.

    Notes
    -----
    g = J dz with J = Gamma(df/2) / (sqrt(df/2) Gamma((df-1)/2)), df = n - 1. The ends of the interval are the nc at
    which t is the quantile (1 + level)/2 and (1 - level)/2 of the noncentral t with df degrees of freedom, over sqrt n.

    References
    ----------
    Hedges 1981; Lakens 2013 for the names dz and d_av.
    """
    check_level(level)
    differences = paired_differences(candidate_values, baseline_values, nan_policy=nan_policy)
    n, baseline = differences.n, float(differences.baseline.mean())
    low = high = nan
    notes = []
    if n == 1:
        dz, why = nan, "one topic: a difference has no deviation"
        notes.append(why)
    elif differences.identical:
        dz = 0.0
        notes.append(IDENTICAL)
    elif differences.constant:
        dz = inf if differences.mean > 0 else -inf
        notes.append("every topic differs by the same amount: dz has no deviation to measure it by")
    else:
        dz = differences.mean / differences.deviation
        low, high = _dz_interval(dz, n, level)
        if isnan(low) or isnan(high):
            low = high = nan
            notes.append("dz is too large for the noncentral t distribution: it has no interval here")
    if n == 2:
        notes.append("two topics: g is not defined")
    if abs(baseline) <= differences.noise:
        notes.append("the baseline's mean is 0: there is no relative change")
    return EffectSize(
        mean_difference=differences.mean * differences.unit,
        relative_change=differences.mean / baseline if abs(baseline) > differences.noise else nan,
        dz=dz,
        low=low,
        high=high,
        level=level,
        g=dz * small_sample_factor(n - 1) if n > 2 else nan,
        d_av=_d_av(differences),
        n_topics=n,
        note="; ".join(notes),
    )


def small_sample_factor(df: int) -> float:
    """Hedges' J, by which a standardised mean difference with df degrees of freedom is too large; df is 2 or more."""
    return exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)


def topics_that_moved(
    topics: Sequence[str], candidate_values: npt.ArrayLike, baseline_values: npt.ArrayLike, *, most: int = 5
) -> tuple[TopicDifference, ...]:
    """Topics with the largest differences of scores, largest first, ties in the given order.

    Parameters
    ----------
    topics : sequence of str
        The id of each topic.
    candidate_values, baseline_values : array-like of shape (n,)
        One score a topic; a topic without a score (nan) in either run has not moved.
    most : int
        How many at most; topics without a difference are never among them.

    Raises
    ------
    UsageError
        If there are not as many topics as scores.
    DataError
        If there is no score, or an infinite one.
    """
    candidate, baseline = np.asarray(candidate_values, np.float64), np.asarray(baseline_values, np.float64)
    differences = paired_differences(candidate, baseline, nan_policy="skip")
    if len(topics) != len(candidate):
        raise UsageError(f"got {len(topics)} topics for {len(candidate)} scores")
    scored = np.flatnonzero(~(np.isnan(candidate) | np.isnan(baseline)))
    # Equal but for rounding is equal: the order of topics decides then.
    sizes = np.rint(abs(differences.values) / (differences.noise or 1.0))
    order = np.argsort(-sizes, kind="stable")[:most]
    return tuple(
        TopicDifference(
            topics[scored[place]],
            float(baseline[scored[place]]),
            float(candidate[scored[place]]),
            float(differences.values[place]) * differences.unit,
        )
        for place in order.tolist()
        if differences.values[place]
    )


def _dz_interval(dz: float, n: int, level: float) -> tuple[float, float]:
    from scipy.optimize import brentq
    from scipy.special import chdtri
    from scipy.stats import nct

    root, df, tail = sqrt(n), n - 1, (1 - level) / 2
    t = dz * root

    def end(share: float) -> float:
        """The nc at which t is at this share of the distribution; the share falls as nc rises.

        T is (Z + nc) / S, so nc lies about where t S does.
        """
        near = t * sqrt(float(chdtri(df, share if t > 0 else 1 - share)) / df)
        width = 4.0
        while nct.cdf(t, df, near - width) < share or nct.cdf(t, df, near + width) > share:
            width *= 2
        ends = near - width, near + width
        if not all(isfinite(nct.cdf(t, df, one)) for one in ends):
            return nan
        return float(brentq(lambda nc: nct.cdf(t, df, nc) - share, *ends, xtol=1e-12, rtol=1e-14))

    return end(1 - tail) / root, end(tail) / root


def _d_av(differences: Differences) -> float:
    deviations = standard_deviation(differences.candidate), standard_deviation(differences.baseline)
    average = sqrt((deviations[0] ** 2 + deviations[1] ** 2) / 2)
    return differences.mean / average if average > differences.noise else nan
