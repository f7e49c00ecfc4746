"""What to make of a tuning: whether to change anything, and what makes the figures less than they seem."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from irkit.heading import some
from irkit.numerals import four_decimals, signed
from irkit.spelling import counted
from irkit.stats.means import FEW_TOPICS
from irkit.tuning.axes import Interval
from irkit.tuning.floors import NOTHING_GAINED
from irkit.tuning.points import shown_value
from irkit.tuning.scored import Scored
from irkit.tuning.tuned import Tuned

_MOST_NAMED: Final = 3
# The share of an interval at either end in which a best point calls for a wider one.
_END: Final = 0.05


def remarks(found: Tuned, scored: Scored) -> Iterator[str]:
    """The sentences under a tuning, the advice first."""
    yield _advice(found)
    yield from _optimism(found)
    yield from _stability(found)
    flat = bool((found.values[~np.isnan(found.values[:, 0])] == found.values[found.default]).all())
    if flat and len(found.points) > 1 and not found.choice.floors:
        yield "Every point has the same value in every topic: the parameters change nothing that the measure sees."
    elif len(found.points) > 1:
        yield from _ties(found)
        yield from _edges(found)
    yield from _many_points(found)
    if found.choice.floors and not (scored.silent > scored.values[found.choice.place]).any():
        yield NOTHING_GAINED
    yield from _left_out(found, scored)
    yield from found.comparison.notes


def _advice(found: Tuned) -> str:
    contrast, keep = found.contrast, f"keep the default ({found.default_parameters})"
    if all(fold.choice.place == found.default for fold in found.folds):
        return f"Nothing that was tried is better than the default on development: {keep}."
    if contrast.shown and found.test_gain > 0:
        if found.choice.place == found.default:
            return f"Tuning is shown to help, but all topics together choose the default: {keep}."
        return f"Tuned is shown to be better than the default on topics that did not choose it: use {found.parameters}."
    if contrast.shown:
        return f"Tuned is shown to be worse than the default on topics that did not choose it: {keep}."
    return f"On topics that did not choose it, tuned is not shown to be better than the default: {keep}."


def _optimism(found: Tuned) -> Iterator[str]:
    seen, left = found.development_gain, found.test_gain
    if four_decimals(seen) != four_decimals(left):
        yield (
            f"The gain over the default is {signed(seen)} on the topics that chose, and {signed(left)} on others: "
            "report the second."
        )


def _stability(found: Tuned) -> Iterator[str]:
    choices, n_folds = found.choices, len(found.folds)
    if n_folds == 1:
        return
    if len(choices) == 1:
        if found.space.learned is None or len({fold.choice.floor for fold in found.folds}) == 1:
            yield f"All {n_folds} folds chose the same."
            return
        floors = [fold.choice.floor for fold in found.folds if fold.choice.floor is not None]
        yield (
            f"The floors of {n_folds} folds lie between {_floor(min(floors))} and {_floor(max(floors))}"
            + (", every other parameter is the same." if found.space.tried else ".")
        )
        return
    same = choices.get(found.choice.place, 0)
    agree = "most topics agree" if 2 * same > n_folds else "the topics do not agree"
    yield (
        f"{n_folds} folds chose {len(choices)} different points, {same} of them the point that all topics choose: "
        f"{agree} on what is best."
    )


def _floor(floor: float) -> str:
    return shown_value(float(f"{floor:.6g}"))


def _ties(found: Tuned) -> Iterator[str]:
    n = found.choice.n_tied
    if n > 1:
        yield f"{n} points share the best mean on development; of them the one nearest to the default is taken."


def _edges(found: Tuned) -> Iterator[str]:
    """Parameters whose best value is the smallest or largest one that was tried."""
    point = found.points[found.choice.place]
    for axis in found.space.tried:
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
            yield f"{axis.name}={shown_value(value)} {which}: if {others} ones make sense, widen the search."


def _many_points(found: Tuned) -> Iterator[str]:
    n_points, n_topics = len(found.points), min(len(fold.development) for fold in found.folds)
    tried = f"{counted(n_points, 'point')} tried on {n_topics} topics"
    if n_points > n_topics:
        yield f"{tried}: the best of so many owes part of its mean to chance."
    elif n_topics < FEW_TOPICS:
        yield f"{tried}: so few topics choose by chance too."


def _left_out(found: Tuned, scored: Scored) -> Iterator[str]:
    yield from found.split.notes
    if scored.left_out:
        n = counted(len(scored.left_out), "judged topic")
        yield f"{n} left out, for which there is no value in all runs: {some(scored.left_out)}."
    if found.failed:
        n_failed = len(found.failed)
        named = "; ".join(f"{one.parameters}: {one.why}" for one in found.failed[:_MOST_NAMED])
        more = f"; and {n_failed - _MOST_NAMED} more" if n_failed > _MOST_NAMED else ""
        yield f"{n_failed} of {counted(len(found.points), 'point')} failed and were left out: {named}{more}."
