"""Means and deviations of per-topic values, and the uncertainty of means of few topics."""

from collections.abc import Iterator, Sequence
from functools import cache
from math import cos, frexp, ldexp, nan, pi, sin, sqrt, tan
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit._utils.text import counted
from irkit.evaluation.result import Evaluation
from irkit.evaluation.summary import range_of_topics, some
from irkit.stats.paired.skew import skew_caution

FloatArray = npt.NDArray[np.float64]

# Differences below this share of the largest score are what arithmetic leaves behind, not differences.
TOLERANCE: Final = 1e-12
# Below this many topics an interval for a mean is unreliable.
FEW_TOPICS: Final = 25

# Behind what a t interval is of.
SKEWED: Final = ", whose values are so skewed that the interval may be too short"


def power_of_two_below(values: FloatArray) -> float:
    """The largest power of two that is not above the largest size among the values; division by it rounds nothing."""
    return ldexp(1.0, frexp(float(abs(values).max(initial=0.0)))[1] - 1)


def standard_deviation(values: FloatArray) -> float:
    """The standard deviation of n finite values, with n - 1; nan for fewer than two."""
    if len(values) < 2:
        return nan
    unit = power_of_two_below(values)
    return float((values / unit).std(ddof=1)) * unit


def mean_in_order(scores: FloatArray) -> float:
    """The mean to the last digit of an evaluation's summary, which adds in topic order."""
    return float(np.cumsum(scores)[-1]) / len(scores)


def t_half_width(n: int, deviation: float, level: float = 0.95) -> float:
    """Half the t interval of a mean over n topics; nan for fewer than two."""
    return nan if n < 2 else _t_quantile(n - 1, level) * deviation / sqrt(n)


@cache
def _t_quantile(df: int, level: float) -> float:
    """The t that holds this share of Student's distribution between -t and t.

    References
    ----------
    Abramowitz and Stegun, 26.7.3 and 26.7.4. A leaderboard asks for it, and loading scipy.special would double the time
    of `irkit score`.
    """

    def share(angle: float) -> float:
        squared, term, total = cos(angle) ** 2, cos(angle) if df % 2 else 1.0, 0.0
        for n in range(3 if df % 2 else 2, df + 1, 2):
            total += term
            term *= squared * (n - 1) / n
        return (angle + sin(angle) * total) * 2 / pi if df % 2 else sin(angle) * total

    low, high = 0.0, pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if share(middle) < level else (low, middle)
    return tan(low) * sqrt(df)


class FewTopics(NamedTuple):
    """Mean of few topics: their number, half its interval, its name, and its group of topics."""

    n_topics: int
    half_width: float
    which: str
    group: str | None = None


def too_few(what: str, means: Sequence[FewTopics]) -> Iterator[str]:
    """Sentences about few topics: how far `what` may be from its value over all topics, by the widest interval."""
    if alone := [one for one in means if one.n_topics == 1]:
        groups = list(dict.fromkeys(one.group for one in alone if one.group is not None))
        where = "" if len(groups) == 0 or any(one.group is None for one in alone) else f" ({some(groups)})"
        yield f"1 topic{where} cannot rank systems."
    several = [mean for mean in means if mean.n_topics > 1]
    if not several:
        return
    numbers = [one.n_topics for one in several]
    few = f"{range_of_topics(min(numbers), max(numbers))} are too few to rank systems"
    widest = max(several, key=lambda one: one.half_width)
    which = widest.which if min(numbers) == max(numbers) else f"{widest.which}, {counted(widest.n_topics, 'topic')}"
    if widest.half_width < 0.00005:  # which four decimals do not show
        yield f"{few}."
    elif widest.half_width >= 1:  # most measures end there
        yield f"{few}, or to say where the {what} over all topics of the kind lies ({which})."
    else:
        yield (
            f"{few}: the {what} over all topics of the kind may lie {widest.half_width:.4f} either way ({which}; 95% t "
            "interval)."
        )


def few_topics_note(evaluations: Sequence[Evaluation]) -> str:
    """Note for a leaderboard of few topics: how far a mean may be from its value over all topics; else empty.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        A single one ranks nothing. Counts, Judged and geometric means are not looked at.
    """
    columns = [
        (f"{measure} of {evaluation.name}", scores[~np.isnan(scores)])
        for evaluation in evaluations
        for measure, scores in zip(evaluation.measures, evaluation.values.T, strict=True)
        if measure.compared
    ]
    if len(evaluations) < 2 or any(not len(scores) for _, scores in columns):
        return ""
    few = [
        FewTopics(
            len(scores),
            t_half_width(len(scores), standard_deviation(scores)),
            which + (SKEWED if len(scores) > 1 and skew_caution(scores) else ""),
        )
        for which, scores in columns
        if len(scores) < FEW_TOPICS
    ]
    return " ".join(too_few("mean", few))
