"""Verdict of a paired test in a sentence, and its cautions."""

from collections.abc import Iterator
from math import isfinite, isinf, isnan, sqrt
from typing import Final, NamedTuple

from irkit._utils.numerals import four_decimals, shown_pvalue, signed
from irkit._utils.text import counted
from irkit.stats.paired.attainable import least_pvalue
from irkit.stats.paired.calibrated import Calibrated, deciding_test, wider_interval
from irkit.stats.paired.cross_validation import OF_A_CHOICE, REPEATED_CHOICE
from irkit.stats.paired.differences import Alternative, Differences, PairedTest, least_by_signs, that_differ
from irkit.stats.paired.equivalence import MarginTest
from irkit.stats.paired.intervals import Interval
from irkit.stats.paired.means import FEW_TOPICS, TOLERANCE
from irkit.stats.paired.power import detectable_effect
from irkit.stats.paired.skew import LEAST_SKEWNESS, skewness
from irkit.stats.paired.skew_notes import absent, in_verdict, margin_figures
from irkit.stats.paired.wilcoxon import TEST as WILCOXON

# What the power of a t test is of; where topics tie or few are there to measure their spread, it is less.
SAMPLES: Final = "80% of samples whose differences are normally distributed and vary as these do"
_MANY_TIES: Final = 0.2
# A sampled p-value can be off by so many of its standard errors.
_SAMPLING_ERRORS: Final = 3


def verdict(
    test: PairedTest,
    interval: Interval,
    *,
    alpha: float = 0.05,
    adjusted: tuple[float, str] | None = None,
    margin: MarginTest | None = None,
    calibrated: Calibrated | None = None,
    least: float | None = None,
) -> str:
    """Verdict in one sentence: estimate, interval, topics, test, p, corrected p and its family.

    Parameters
    ----------
    test : PairedTest
        With the names of its runs.
    interval : Interval
        Of the mean difference.
    alpha : float
        Level at which a difference counts as shown.
    adjusted : (float, str), optional
        The corrected p-value, which decides then, and what it was corrected for: "Holm over 6 pairs".
    margin : MarginTest, optional
        Of the same pair.
    calibrated : Calibrated, optional
        Bootstrap-t of the same pair, which may decide.
    least : float, optional
        The smallest p-value, corrected where one is, that so many topics can give; that of the test if not given.
    """
    limit = least_pvalue(test) if least is None else least
    candidate, baseline = test.candidate or "the candidate", test.baseline or "the baseline"
    where = f"{test.measure}: " if test.measure else ""
    if isnan(test.pvalue) or not test.n_effective or test.wins + test.losses == 0:
        return f"{where}{candidate} against {baseline}: {test.note}."
    figures = f"n={test.n_topics}; {test.test} p {shown_pvalue(test.pvalue)}"
    deciding = deciding_test(test, calibrated)
    if isinf(test.statistic):
        figures += f"; {deciding.test} in its place p {shown_pvalue(deciding.pvalue)}"
    if calibrated is not None:
        figures += f"; {in_verdict(test, calibrated)}"
    if adjusted is not None:
        figures += f"; {adjusted[1]} {shown_pvalue(adjusted[0])}"
    if not isnan(interval.low):
        ends = f"{four_decimals(interval.low)} to {four_decimals(interval.high)}"
        figures = f"{interval.level:.0%} {interval.method} interval {ends}, {figures}"
    if (deciding.pvalue if adjusted is None else adjusted[0]) < alpha:
        apart = four_decimals(abs(test.mean_difference))
        how = "exceeds" if test.mean_difference > 0 else "falls below"
        found = f"{candidate} {how} {baseline} by {apart} ({figures})"
    else:
        sides = {"greater": f"{candidate} not shown to exceed {baseline}"}
        sides["less"] = f"{candidate} not shown to fall below {baseline}"
        what = sides.get(test.alternative, f"no difference between {candidate} and {baseline} shown")
        could_be = _could_be(test, interval, calibrated, alpha, limit, corrected=adjusted is not None)
        found = f"{what} ({figures}){could_be}"
    if margin is not None:
        found += f"; {_against_margin(margin, candidate, baseline, alpha, test.n_topics)}"
    if test.note:
        found += f"; {test.note}"
    return f"{where}{found}."


class Caution(NamedTuple):
    """Caution: its kind and its sentence."""

    kind: str
    sentence: str


def cautions(
    test: PairedTest, differences: Differences, *, alpha: float = 0.05, n_planned: int | None = None
) -> tuple[str, ...]:
    """Cautions about a test or its interval; empty if there are none.

    Parameters
    ----------
    test : PairedTest
    differences : Differences
        What was tested.
    alpha : float
        Level that its p-value is held against.
    n_planned : int, optional
        Topics that the experiment was to have.
    """
    found = cautions_by_kind(test, differences, alpha=alpha, n_planned=n_planned)
    return tuple(one.sentence for one in found)


def cautions_by_kind(
    test: PairedTest,
    differences: Differences,
    *,
    alpha: float = 0.05,
    n_planned: int | None = None,
    adjusted: float | None = None,
    shared: bool = False,
) -> tuple[Caution, ...]:
    """Cautions with their kinds; `adjusted` is the corrected p-value, which decides if given.

    With `shared` the corrected p is itself a share of samples, as that of max-T, and no multiple of the test's.
    """
    decides = test.pvalue if adjusted is None else adjusted
    found = [Caution(*one) for one in _cautions(test, differences, alpha, n_planned)]
    single = decides if shared else test.pvalue
    if test.n_resamples is not None and near_the_level(single, decides, alpha, test.n_resamples):
        more = f"draw more than {test.n_resamples:,}"
        sentence = f"p is sampled, and too close to {alpha:g} to tell on which side of it p is: {more}."
        found.append(Caution("sampled", sentence))
    return tuple(found)


def near_the_level(pvalue: float, decides: float, alpha: float, n_resamples: int) -> bool:
    """Whether the deciding p, a multiple of a sampled p, is within three of its standard errors of alpha."""
    if not (decides > 0 and pvalue > 0):
        return False
    # A correction that multiplies p multiplies its error.
    error = decides * sqrt((1 - pvalue) / (pvalue * n_resamples))
    return abs(decides - alpha) <= _SAMPLING_ERRORS * error


def _cautions(
    test: PairedTest, differences: Differences, alpha: float, n_planned: int | None
) -> Iterator[tuple[str, str]]:
    n = test.n_topics
    n_differ = len(differences.nonzero)
    # Flips that repeat the choice have the signs of all topics in which some point differs.
    n_signs = test.n_effective if test.test == REPEATED_CHOICE else n_differ
    if n_signs and not least_by_signs(n_signs, test.alternative) < alpha:
        yield "signs", f"{that_differ(n_signs)}: a test of signs cannot reach {alpha:g}."
    if n < FEW_TOPICS:
        yield "few", f"{counted(n, 'topic')}: intervals and bootstrap tests are unreliable below {FEW_TOPICS}."
    if n_planned is not None and n < n_planned:
        yield "planned", f"{n} topics of {n_planned} planned: the power is less than planned."
    n_zero = n - n_differ
    if n > n_zero > _MANY_TIES * n:
        yield "ties", f"{n_zero} of {n} topics do not differ: all of the difference comes from the others."
    sizes = abs(differences.values)
    if n > 1 and sizes.max() > sizes.sum() * (0.5 + TOLERANCE):
        yield "one topic", f"One topic carries {sizes.max() / sizes.sum():.0%} of all that differs."
    at_zero = max(int((scores == 0).sum()) for scores in (differences.candidate, differences.baseline))
    if at_zero > n / 2:
        yield "zeros", f"{at_zero} of {n} topics score 0 in one of the runs."
    if test.test == WILCOXON and not differences.constant and abs(skewness(differences.values)) >= LEAST_SKEWNESS:
        yield (
            "skewed",
            "The differences are skewed: this test is one of symmetry, and may reject where the means are equal.",
        )


def _could_be(
    test: PairedTest,
    interval: Interval,
    calibrated: Calibrated | None,
    alpha: float,
    least: float,
    *,
    corrected: bool,
) -> str:
    """Largest difference compatible with the data, and smallest difference that would probably have been found."""
    if not (compatible := _compatible(wider_interval(interval, calibrated), test.alternative)):
        return ""
    if least >= alpha:
        return (
            f"{compatible}, and none could be shown: with {counted(test.n_topics, 'topic')} p is {least:.4g} at least"
        )
    unknown = calibrated is not None or isinf(test.statistic) or test.test in OF_A_CHOICE
    if unknown or not test.standard_deviation > 0:
        return compatible
    text = four_decimals(
        detectable_effect(test.n_topics, alpha=alpha, alternative=test.alternative) * test.standard_deviation
    )
    before = ", before any correction" if corrected else ""
    return f"{compatible}, and one of {text} would be found by a t test in {SAMPLES}{before}"


def _compatible(interval: Interval, alternative: Alternative) -> str:
    """Largest difference compatible with the data; empty if unbounded."""
    # Of a one-sided test only one end of the interval says how large the difference asked for may be.
    end = {"greater": interval.high, "less": interval.low}.get(alternative, max(abs(interval.low), abs(interval.high)))
    if not isfinite(end):
        return ""
    largest = four_decimals(end) if alternative == "two-sided" else signed(end)
    way = "down to" if alternative == "less" else "up to"
    return f"; differences {way} {largest} are compatible with these topics"


def _against_margin(margin: MarginTest, candidate: str, baseline: str, alpha: float, n_topics: int) -> str:
    passed = margin.adjusted_pvalue < alpha
    if margin.kind == "equivalence":
        found = "the two are equivalent" if passed else "they are not shown to be equivalent"
        within = f"within {four_decimals(margin.margin)} either way"
    else:
        found = f"{candidate} is {'' if passed else 'not shown to be '}no worse than {baseline}"
        within = f"by {four_decimals(margin.margin)} or more"
    which = "a loss or gain" if margin.kind == "equivalence" else "a loss"
    unseen = f"; {absent(n_topics, which)}" if passed else ""
    return f"{found} {within} ({margin_figures(margin)}{unseen})"
