"""Number of topics an experiment needs, and detectable differences, from a pilot or from numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf, nan, sqrt
from typing import Any, Final

import numpy as np

from irkit._utils.text import counted
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.stats.paired.comparable import comparable_measures
from irkit.stats.paired.differences import Alternative
from irkit.stats.paired.means import FEW_TOPICS, TOLERANCE
from irkit.stats.paired.power import (
    detectable_effect,
    expected_width,
    power_of_t_test,
    residual_variance,
    topics_for_anova,
    topics_for_interval,
    topics_needed,
)

# Looked at if nothing is said: in the measure's unit, and in topics.
DIFFERENCES: Final = (0.01, 0.02, 0.05, 0.1)
TOPICS: Final = (25, 50, 100, 250)


@dataclass(frozen=True, slots=True)
class Spread:
    """Spread of the differences between two systems over topics.

    Attributes
    ----------
    measure : str
        Empty where it was given as a number.
    deviation : float
        Standard deviation of the differences; 1 where differences are given in these deviations.
    low, high : float
        95% interval of the deviation that a pilot gives, if differences are normal; nan without a pilot.
    n_topics, n_systems : int
        Of the pilot; 0 without one.
    """

    measure: str
    deviation: float
    low: float = nan
    high: float = nan
    n_topics: int = 0
    n_systems: int = 0


@dataclass(frozen=True, slots=True)
class TopicsNeeded:
    """Topics that a difference needs.

    Attributes
    ----------
    measure : str
    difference : float
        True mean difference, in the measure's unit.
    dz : float
        The same in standard deviations.
    topics : int
        For the paired t test of two systems.
    topics_at_most : int or None
        The same were the deviation as large as `Spread.high`; None without a pilot.
    topics_of_many : int or None
        For an analysis of variance of `TopicPlan.n_systems` systems, of which best and worst differ so much.
    """

    measure: str
    difference: float
    dz: float
    topics: int
    topics_at_most: int | None
    topics_of_many: int | None


@dataclass(frozen=True, slots=True)
class DetectableDifferences:
    """Differences of two systems that a number of topics can show.

    Attributes
    ----------
    measure : str
    topics : int
    detectable : float
        True difference that is found with the power wanted.
    significant : float
        Smallest difference that comes out significant; a true difference of this size does only half of the time.
    width : float
        How wide the interval of the mean difference is on average, with level 1 - alpha.
    powers : tuple of float
        The power for each of the plan's differences.
    """

    measure: str
    topics: int
    detectable: float
    significant: float
    width: float
    powers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TopicPlan:
    """Topics needed for given differences, and differences that given numbers of topics can show.

    Attributes
    ----------
    spreads : tuple of Spread
        What the plan rests on, one a measure.
    differences : tuple of float
        In the measure's unit, or in standard deviations if `in_deviations`.
    in_deviations : bool
    power, alpha : float
    alternative : str
    n_systems : int or None
        Systems of the analysis of variance.
    needed : tuple of TopicsNeeded
    showing : tuple of DetectableDifferences
    intervals : tuple of (str, float, int)
        Measure, width of an interval, and the topics with which it is no wider on average.
    pilot : tuple of Evaluation
        What the spreads come from, if they come from a pilot.
    notes : tuple of str
    """

    spreads: tuple[Spread, ...]
    differences: tuple[float, ...]
    in_deviations: bool
    power: float
    alpha: float
    alternative: Alternative
    n_systems: int | None
    needed: tuple[TopicsNeeded, ...]
    showing: tuple[DetectableDifferences, ...]
    intervals: tuple[tuple[str, float, int], ...]
    pilot: tuple[Evaluation, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; nan where there is none."""
        whole = asdict(replace(self, pilot=()))
        del whole["pilot"]
        return {
            **{name: list(value) if isinstance(value, tuple) else value for name, value in whole.items()},
            "showing": [
                {**one, "powers": dict(zip(map(repr, self.differences), one["powers"], strict=True))}
                for one in whole["showing"]
            ],
            "intervals": [
                {"measure": measure, "width": width, "topics": topics} for measure, width, topics in self.intervals
            ],
        }


def pilot_spreads(
    evaluations: Sequence[Evaluation], *, measures: Sequence[str | Measure] | None = None
) -> tuple[Spread, ...]:
    """The spread of the differences that a pilot shows in each measure.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Two at least, over the topics that all have. Of more than two it is the spread that two of them have on average:
        sqrt(2 v), with v what is left of the variance once topics and systems have their means (of two it is the
        standard deviation of their differences).
    measures : sequence of str or Measure, optional
        All that every evaluation has if not given. Counts, Judged and geometric means are left out.

    Raises
    ------
    UsageError
        If there are fewer than two evaluations, or a measure is not in every one, or none can be compared.
    DataError
        If fewer than two topics have a value in every run, or no topic differs.

    References
    ----------
    Sakai, Information Retrieval Journal 2016.
    """
    if len(evaluations) < 2:
        raise UsageError(f"a pilot needs at least two runs, got {len(evaluations)}")
    compared = comparable_measures(evaluations, measures)
    topics = set(evaluations[0].topics).intersection(*(evaluation.topics for evaluation in evaluations[1:]))
    return tuple(_spread([one.restricted_to(topics) for one in evaluations], measure) for measure in compared)


def plan_topics(
    spreads: Sequence[Spread] | None = None,
    *,
    differences: Sequence[float] = DIFFERENCES,
    topics: Sequence[int] = TOPICS,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_systems: int | None = None,
    widths: Sequence[float] = (),
    pilot: Sequence[Evaluation] = (),
) -> TopicPlan:
    """Plan the number of topics by the paired t test: topics needed, and differences that can be shown.

    Parameters
    ----------
    spreads : sequence of Spread, optional
        Of the differences: `pilot_spreads(...)`, or `[Spread("nDCG@10", 0.2)]`. If not given, differences are in
        standard deviations (dz).
    differences : sequence of float
        True mean differences, above 0.
    topics : sequence of int
        Numbers of topics, 2 at least.
    power, alpha, alternative
        As of `topics_needed`; the alternative is `two-sided` or `greater`.
    n_systems : int, optional
        Plan an analysis of variance of so many systems too.
    widths : sequence of float
        Plan intervals of these widths, of level 1 - alpha, too.
    pilot : sequence of Evaluation
        What the spreads come from, to be said beside them.

    Raises
    ------
    UsageError
        If there is no difference, or a number is out of its range.

    References
    ----------
    Sakai, Information Retrieval Journal 2016.
    """
    if not differences:
        raise UsageError("give the difference to be found, one at least")
    for what, numbers in (("a difference", differences), ("the width of an interval", widths)):
        if any(not 0 < number < inf for number in numbers):
            raise UsageError(f"{what} to plan for is above 0, got {', '.join(f'{one:g}' for one in numbers)}")
    of = tuple(spreads) if spreads is not None else (Spread("", 1.0),)
    for spread in of:
        if not 0 < spread.deviation < inf:
            raise UsageError(f"a standard deviation is above 0, got {spread.deviation:g}")
    how: dict[str, Any] = {"power": power, "alpha": alpha, "alternative": alternative}
    looked_at = tuple(sorted(set(differences)))
    return TopicPlan(
        of,
        looked_at,
        spreads is None,
        power,
        alpha,
        alternative,
        n_systems,
        tuple(_needed(spread, one, n_systems, how) for spread in of for one in looked_at),
        tuple(_showing(spread, n, looked_at, how) for spread in of for n in sorted(set(topics))),
        tuple(
            (spread.measure, width, topics_for_interval(width, spread.deviation**2, level=1 - alpha))
            for spread in of
            for width in sorted(set(widths))
        ),
        tuple(pilot),
        tuple(_notes(of)),
    )


def _spread(runs: Sequence[Evaluation], measure: Measure) -> Spread:
    from scipy.special import gammaincinv

    table = np.array([run.by_topic(measure) for run in runs]).T
    table = table[~np.isnan(table).any(axis=1)]
    n, k = table.shape
    if n < 2:
        raise DataError(f"{measure} has a value in every run for {counted(n, 'topic')}: a pilot needs two at least")
    deviation = sqrt(2 * residual_variance(table))
    # What arithmetic leaves behind is no spread.
    if deviation <= TOLERANCE * float(abs(table).max()):
        raise DataError(f"{measure}: the runs do not differ from topic to topic; a plan needs a pilot that varies")
    df = (n - 1) * (k - 1)
    low, high = (deviation * sqrt(df / (2 * float(gammaincinv(df / 2, share)))) for share in (0.975, 0.025))
    return Spread(str(measure), deviation, low, high, n, k)


def _needed(spread: Spread, difference: float, n_systems: int | None, how: dict[str, Any]) -> TopicsNeeded:
    dz = difference / spread.deviation
    many = None
    if n_systems is not None:
        # Each system has half of the variance of a difference.
        variance = spread.deviation**2 / 2
        many = topics_for_anova(n_systems, difference, variance, power=how["power"], alpha=how["alpha"])
    at_most = topics_needed(difference / spread.high, **how) if spread.n_topics else None
    return TopicsNeeded(spread.measure, difference, dz, topics_needed(dz, **how), at_most, many)


def _showing(spread: Spread, n: int, differences: Sequence[float], how: dict[str, Any]) -> DetectableDifferences:
    from scipy.special import stdtrit

    detectable = detectable_effect(n, **how) * spread.deviation
    alpha, alternative = how["alpha"], how["alternative"]
    share = 1 - alpha / 2 if alternative == "two-sided" else 1 - alpha
    return DetectableDifferences(
        spread.measure,
        n,
        detectable,
        float(stdtrit(n - 1, share)) * spread.deviation / sqrt(n),
        expected_width(n, spread.deviation**2, level=1 - alpha),
        tuple(
            power_of_t_test(difference / spread.deviation, n, alpha=alpha, alternative=alternative)
            for difference in differences
        ),
    )


def _notes(spreads: Sequence[Spread]) -> Iterator[str]:
    few = [spread for spread in spreads if 0 < spread.n_topics < FEW_TOPICS]
    if few:
        least = min(spread.n_topics for spread in few)
        yield f"A pilot of {counted(least, 'topic')} says little of the deviation: plan for the topics at most."
