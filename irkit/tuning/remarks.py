"""Remarks on a tuning: whether to change the default, and the limits of the figures."""

from collections.abc import Iterator
from math import isnan
from typing import Final

import numpy as np

from irkit._utils.numerals import four_decimals, signed
from irkit._utils.text import counted
from irkit.evaluation.summary import some
from irkit.stats.paired.cross_validation import CORRECTED_T, MOST_FOLDS, NO_INTERVAL, REPEATED_CHOICE
from irkit.stats.paired.differences import least_by_signs
from irkit.stats.paired.means import FEW_TOPICS
from irkit.stats.paired.paired_result import Contrast
from irkit.stats.paired.skew_notes import rule
from irkit.tuning.axes import Interval
from irkit.tuning.floors import NOTHING_GAINED
from irkit.tuning.points import shown_value
from irkit.tuning.result import Remark, Tuned
from irkit.tuning.score_table import ScoreTable

_MOST_NAMED: Final = 3
# The share of an interval at either end in which a best point calls for a wider one.
_END: Final = 0.05


def remarks(tuned: Tuned, scored: ScoreTable) -> Iterator[Remark]:
    """The sentences under a tuning, the advice first."""
    yield _advice(tuned)
    yield from _optimism(tuned)
    yield from _level(tuned)
    yield from _stability(tuned)
    flat = bool((tuned.values[~np.isnan(tuned.values[:, 0])] == tuned.values[tuned.default]).all())
    if flat and len(tuned.points) > 1 and not tuned.choice.floors:
        yield Remark(
            "all-equal",
            "Every point has the same value in every topic: the parameters change nothing that the measure sees.",
        )
    elif len(tuned.points) > 1:
        yield from _ties(tuned)
        yield from _edges(tuned)
        yield from _many_points(tuned)
    if tuned.choice.floors and not (scored.silent > scored.values[tuned.choice.place]).any():
        yield Remark("silence-gains-nothing", NOTHING_GAINED)
    yield from _left_out(tuned, scored)
    yield from (Remark("comparison", note) for note in tuned.comparison.notes)


def _advice(tuned: Tuned) -> Remark:
    contrast, keep = tuned.contrast, f"keep the default ({tuned.default_parameters})"
    if all(fold.choice.place == tuned.default for fold in tuned.folds):
        if tuned.choice.place == tuned.default:
            return Remark(
                "nothing-better", f"Nothing that was tried is better than the default on development: {keep}."
            )
        return Remark("not-tested", f"Every fold chose the default, so that no other point was tested: {keep}.")
    if isnan(contrast.test.pvalue):
        return Remark("not-tested", f"No test says whether tuned is better than the default: {keep}.")
    if contrast.shown and tuned.test_gain > 0:
        if tuned.choice.place == tuned.default:
            return Remark(
                "default-chosen", f"Tuning is shown to help, but all topics together choose the default: {keep}."
            )
        return Remark(
            "shown-better",
            f"Tuned is shown to be better than the default on topics that did not choose it: use {tuned.parameters}.",
        )
    if contrast.shown:
        return Remark(
            "shown-worse", f"Tuned is shown to be worse than the default on topics that did not choose it: {keep}."
        )
    return Remark(
        "not-shown", f"On topics that did not choose it, tuned is not shown to be better than the default: {keep}."
    )


def _optimism(tuned: Tuned) -> Iterator[Remark]:
    seen, left = tuned.development_gain, tuned.test_gain
    if four_decimals(seen) != four_decimals(left):
        yield Remark(
            "optimism",
            f"The gain over the default is {signed(seen)} on the topics that chose, and {signed(left)} on others: "
            "report the second.",
        )


def _level(tuned: Tuned) -> Iterator[Remark]:
    """Remarks on the interval of a choice by folds, and on the level of its test."""
    if not tuned.split.crossed or tuned.contrast.differences.identical:
        return
    n_folds, n_topics = len(tuned.folds), len(tuned.split.test)
    skewed = tuned.contrast.skewed
    if tuned.contrast.interval.method == NO_INTERVAL:
        folds = "leaving one topic out" if n_folds == n_topics else f"{n_folds} folds"
        fewer = f"{MOST_FOLDS} folds or fewer" if n_folds > MOST_FOLDS else "fewer folds than topics"
        yield Remark("no-interval", f"No interval is known for {folds}; {fewer} have one.")
    elif not tuned.contrast.differences.constant:
        yield Remark(
            "wider-interval",
            "Folds share what chose for them, so that the t interval would be too short: "
            f"this one is {_wider(tuned):.2g} times as wide{'' if skewed else ', which is cautious'}.",
        )
    if tuned.contrast.test.test == CORRECTED_T and not (skewed or isnan(tuned.contrast.test.pvalue)):
        yield Remark("cautious-test", "The t test corrected for folds is cautious: its p is larger than it need be.")
    if skewed and (spoilt := _spoilt(tuned.contrast)):
        yield Remark(
            "skewed",
            f"The differences are skewed ({rule(skewed)}): {spoilt} can find a difference that is not there more often "
            f"than {tuned.contrast.alpha:g}.",
        )


def _spoilt(contrast: Contrast) -> str:
    """Name what could find a difference at all: the test, the interval, or both."""
    test = contrast.test
    too_few = test.test == REPEATED_CHOICE and not least_by_signs(test.n_effective, "two-sided") < contrast.alpha
    claims = (not too_few and not isnan(test.pvalue), "the test"), (not isnan(contrast.interval.low), "the interval")
    return " and ".join(named for claims_any, named in claims if claims_any)


def _wider(tuned: Tuned) -> float:
    """The width of the interval over that of t."""
    interval = tuned.contrast.interval
    return (interval.high - interval.low) / (2 * tuned.contrast.test.half_width(interval.level))


def _stability(tuned: Tuned) -> Iterator[Remark]:
    choices, n_folds = tuned.choices, len(tuned.folds)
    if n_folds == 1:
        return
    if len(choices) == 1:
        if tuned.space.learned is None or len({fold.choice.floor for fold in tuned.folds}) == 1:
            yield Remark("folds-agree", f"All {n_folds} folds chose the same.")
            return
        floors = [fold.choice.floor for fold in tuned.folds if fold.choice.floor is not None]
        yield Remark(
            "floors-of-folds",
            f"The floors of {n_folds} folds lie between {_floor(min(floors))} and {_floor(max(floors))}"
            + (", every other parameter is the same." if tuned.space.tried else "."),
        )
        return
    same = choices.get(tuned.choice.place, 0)
    divided = 2 * max(choices.values()) <= n_folds
    yield Remark(
        "folds-divided" if divided else "folds-differ",
        f"{n_folds} folds chose {len(choices)} different points; {counted(same, 'fold')} chose the point that all "
        f"topics choose{': the folds do not agree on what is best.' if divided else '.'}",
    )


def _floor(floor: float) -> str:
    return shown_value(float(f"{floor:.6g}"))


def _ties(tuned: Tuned) -> Iterator[Remark]:
    n = tuned.choice.n_tied
    if n > 1:
        yield Remark(
            "tied-points",
            f"{n} points share the best mean on development; of them the one nearest to the default is taken.",
        )


def _edges(tuned: Tuned) -> Iterator[Remark]:
    """Parameters whose best value is the smallest or largest tried value."""
    point = tuned.points[tuned.choice.place]
    for axis in tuned.space.tried:
        value = point[axis.name]
        if not isinstance(value, int | float) or isinstance(value, bool):
            continue
        if isinstance(axis, Interval):
            at_low, at_high = (axis.distance(value, end) <= _END for end in (axis.low, axis.high))
            of = "lies at the lower end of its interval", "lies at the upper end of its interval"
        elif axis.n_values > 1 and value in axis.values:
            numbers = [one for one in axis.values if isinstance(one, int | float)]
            at_low, at_high = value == min(numbers), value == max(numbers)
            of = "is the smallest value tried", "is the largest value tried"
        else:
            continue
        if at_low or at_high:
            which, others = (of[0], "smaller") if at_low else (of[1], "larger")
            yield Remark(
                "at-the-edge",
                f"{axis.name}={shown_value(value)} {which}: if {others} ones make sense, widen the search.",
            )


def _many_points(tuned: Tuned) -> Iterator[Remark]:
    n_points, n_topics = len(tuned.points), min(len(fold.development) for fold in tuned.folds)
    tried = f"{counted(n_points, 'point')} tried on {n_topics} topics"
    if n_points > n_topics:
        yield Remark("many-points", f"{tried}: the best of so many owes part of its mean to chance.")
    elif n_topics < FEW_TOPICS:
        yield Remark("few-topics-choose", f"{tried}: so few topics choose by chance too.")


def _left_out(tuned: Tuned, scored: ScoreTable) -> Iterator[Remark]:
    yield from (Remark("split", note) for note in tuned.split.notes)
    if scored.left_out:
        n = counted(len(scored.left_out), "judged topic")
        yield Remark(
            "topics-left-out", f"{n} left out, for which there is no value in all runs: {some(scored.left_out)}."
        )
    if tuned.failed:
        n_failed = len(tuned.failed)
        named = "; ".join(f"{one.parameters}: {one.why}" for one in tuned.failed[:_MOST_NAMED])
        more = f"; and {n_failed - _MOST_NAMED} more" if n_failed > _MOST_NAMED else ""
        yield Remark(
            "failed-points",
            f"{n_failed} of {counted(len(tuned.points), 'point')} failed and were left out: {named}{more}.",
        )
