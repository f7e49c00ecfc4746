"""Sentences about skewed differences."""

from collections.abc import Iterable
from math import isnan

from irkit._utils.numerals import four_decimals, shown_pvalue
from irkit._utils.text import counted
from irkit.stats.paired.calibrated import Calibrated
from irkit.stats.paired.differences import PairedTest
from irkit.stats.paired.equivalence import MarginTest
from irkit.stats.paired.intervals import Interval
from irkit.stats.paired.skew import HELD_FROM, LEAST_TOPICS, RARE_SEEN_FROM, Skewed, rarest_seen

# Simulated: the largest of 5 topics, one-sided, over all shares of topics; the larger the differences, the nearer it
# comes to the chance that no topic holds one.
_RATES = "39% of the time at 0.05 where they are ten times as large as the others, more where they are larger"


def skewed_sentence(test: str, interval: Interval, calibrated: Calibrated) -> str:
    """The caution of a test and an interval: why, which test decides, and whether that holds its level."""
    skewed = calibrated.skewed
    several = [one for one in (test, f"{interval.method} interval") if not one.startswith("bootstrap-t")]
    spoilt = " and ".join(f"the {one}" for one in several)
    why = f"The differences are skewed ({rule(skewed)})"
    if spoilt:
        why += f", so that {spoilt} {'do' if len(several) > 1 else 'does'} not keep the level"
    if test == calibrated.test.test:
        beside = f"the bootstrap-t interval is {_ends(calibrated.interval)}"
    elif calibrated.decides:
        role = "the larger p of t and bootstrap-t decides, and the wider ends of their intervals"
        beside = f"{role} (bootstrap-t: {_figures(calibrated)})"
    else:
        beside = f"bootstrap-t gives {_figures(calibrated)}"
    held = "" if skewed.held else f"; with fewer than {HELD_FROM} topics even that may miss the level"
    return f"{why}: {beside}{held}."


def skewed_briefly(calibrated: Calibrated, margin: MarginTest | None = None) -> str:
    """Skew caution as a clause beside the deciding p-value, or beside the p against a margin."""
    held = "" if calibrated.skewed.held else f", which with fewer than {HELD_FROM} topics may miss the level"
    if margin is not None:
        of_t = shown_pvalue(margin.t_pvalue)
        return f"{rule(calibrated.skewed)}: the larger p of bootstrap-t and t ({of_t}) decides{held}"
    beside = shown_pvalue(calibrated.test.pvalue)
    if not calibrated.decides:
        return f"{rule(calibrated.skewed)}: the level is not kept, bootstrap-t p {beside}"
    of_t = shown_pvalue(calibrated.t_test.pvalue)
    return f"{rule(calibrated.skewed)}: the larger p of t ({of_t}) and bootstrap-t ({beside}) decides{held}"


def skewed_samples(skewed: Skewed) -> str:
    """Skew caution for two samples of topics, whose t test has no second test beside it."""
    return (
        f"the difference between the means is skewed ({rule(skewed)}, both sides counted): the t test of two samples "
        "finds too many differences in one direction and too few in the other"
    )


def skewed_pairs(n_skewed: int, n_pairs: int, test: str, n_topics: int, *, decides: bool) -> str:
    """Skew caution for a test of all pairs, with the number of skewed pairs."""
    which = f"the differences of {n_skewed} of {counted(n_pairs, 'pair')} are skewed"
    if not decides:
        return f"{which}: there the test does not keep the level ({test})"
    held = "" if n_topics >= HELD_FROM else f", which with fewer than {HELD_FROM} topics may miss the level"
    return f"{which}: there the larger p of t and bootstrap-t decides{held}"


def skewed_intervals(n_skewed: int, n_intervals: int) -> str:
    """A phrase under a figure: how many of its intervals of means are over skewed values; empty where none is."""
    if not n_skewed:
        return ""
    return f"{n_skewed} of {counted(n_intervals, 'interval')} may be too short: skewed values of few topics"


def in_verdict(test: PairedTest, calibrated: Calibrated) -> str:
    """Part of a verdict about bootstrap-t."""
    skewness = f"skewness {calibrated.skewed.skewness:.2f}"
    if test.test == calibrated.test.test:
        return f"{skewness}: bootstrap-t interval {_ends(calibrated.interval)}"
    decides = ", so that the larger p of t and bootstrap-t decides" if calibrated.decides else ""
    return f"{skewness}{decides}: bootstrap-t {_figures(calibrated)}"


def absent(n_topics: int, what: str = "a loss") -> str:
    """Say that a claim against a margin cannot cover kinds of topics too rare to be in the sample."""
    return f"{what} on fewer than one topic in {rarest_seen(n_topics)} may be absent"


def margin_figures(margin: MarginTest, *, adjusted: bool = True) -> str:
    """The p-value that decides, and that of t beside it where it is another."""
    pvalue = margin.adjusted_pvalue if adjusted else margin.pvalue
    if margin.decided_by == "t" or isnan(pvalue):
        return f"p {shown_pvalue(pvalue)}"
    return f"{margin.decided_by} p {shown_pvalue(pvalue)}, t p {shown_pvalue(margin.t_pvalue)}"


def sampled_margin(alpha: float, n_resamples: int) -> str:
    """The caution of a p against a margin that is sampled and near the level."""
    more = f"draw more than {n_resamples:,}"
    return f"The p against the margin is sampled, and too close to {alpha:g} to tell on which side of it it is: {more}."


def rare_note(numbers: Iterable[int]) -> str:
    """Note on rare losses that tests and intervals of 5 to 199 topics may miss; empty for other numbers."""
    n_topics = min((n for n in numbers if LEAST_TOPICS <= n < RARE_SEEN_FROM), default=0)
    if not n_topics:
        return ""
    return (
        f"A large difference on fewer than one topic in {rarest_seen(n_topics)} may be absent from "
        f"{counted(n_topics, 'topic')}: where large differences are so rare, tests and intervals do not hold their "
        f"level (false claims up to {_RATES})."
    )


def _figures(calibrated: Calibrated) -> str:
    """The p-value and interval of bootstrap-t."""
    interval = calibrated.interval
    return f"p {shown_pvalue(calibrated.test.pvalue)}, {interval.level:.0%} interval {_ends(interval)}"


def _ends(interval: Interval) -> str:
    """Ends of an interval in words; an end is infinite if the topics do not bound it."""
    return f"{four_decimals(interval.low)} to {four_decimals(interval.high)}"


def rule(skewed: Skewed) -> str:
    """Why the caution is given: the skewness, and the number of topics that it asks for."""
    return f"skewness {skewed.skewness:.2f}, {skewed.n_topics} topics where {skewed.topics_wanted:.0f} are wanted"
