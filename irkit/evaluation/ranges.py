"""Range of values over all orders of tied documents."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.judged.tie_orders import MOST_ORDERS, SEED

if TYPE_CHECKING:
    from irkit.evaluation.result import Evaluation

_SHOWN: Final = 3  # measures that are named, the widest first


@dataclass(frozen=True, slots=True, eq=False)
class TieRange:
    """Range of M measures for T topics over the orders of tied documents.

    Attributes
    ----------
    lowest, highest : float64 arrays of shape (T, M)
        The least and the most that any order gives; where `partial`, that those looked at give.
    n_tied : int64 array of shape (T,)
        Documents that share a score with one that is judged otherwise.
    n_retrieved : int64 array of shape (T,)
    error : float64 array of shape (T, M)
        Standard error of a value that is the mean over orders drawn by chance; 0 of all others. It is that of orders
        drawn one by one, which those with rotations do not reach.
    partial : bool array of shape (T, M)
        Orders were drawn by chance to find the ends, and others may give less or more.
    """

    lowest: npt.NDArray[np.float64]
    highest: npt.NDArray[np.float64]
    n_tied: npt.NDArray[np.int64]
    n_retrieved: npt.NDArray[np.int64]
    error: npt.NDArray[np.float64]
    partial: npt.NDArray[np.bool_]

    def __post_init__(self) -> None:
        freeze(self, "lowest", "highest", "n_tied", "n_retrieved", "error", "partial")

    def at(self, places: Sequence[int]) -> "TieRange":
        """Select the topics at these places."""
        kept = np.array(places, dtype=np.int64)
        return TieRange(*(getattr(self, one.name)[kept] for one in fields(self)))


def tie_notes(evaluation: "Evaluation", tie_range: TieRange) -> tuple[str, ...]:
    """Notes on summaries that ties change within four decimals, and on values from sampled orders; a sentence each."""
    notes = []
    lowest, highest = (replace(evaluation, values=values).summary for values in (tie_range.lowest, tie_range.highest))
    ranges = [
        (float(high - low), f"{measure} between {low:.4f} and {high:.4f}")
        for measure, low, high in zip(evaluation.measures, lowest, highest, strict=True)
        if f"{low:.4f}" != f"{high:.4f}"
    ]
    if ranges:
        widest = [text for _, text in sorted(ranges, key=lambda pair: pair[0], reverse=True)]
        others = len(widest) - _SHOWN
        rest = [f"and {counted(others, 'other measure')} less"] if others > 0 else []
        notes.append(
            f"ties: {tie_range.n_tied.sum():,} of {tie_range.n_retrieved.sum():,} documents share a score with one "
            f"that is judged otherwise, in {_of_all(tie_range.n_tied > 0)}; they could move "
            f"{', '.join([*widest[:_SHOWN], *rest])}"
        )
    partial, of_measure = np.any(tie_range.partial, axis=1), np.any(tie_range.partial, axis=0)
    if np.any(partial):
        named = (str(measure) for measure, one in zip(evaluation.measures, np.asarray(of_measure), strict=True) if one)
        notes.append(
            f"ties: of {', '.join(named)} only {MOST_ORDERS:,} orders drawn by chance (seed {SEED}) were looked at in "
            f"{_of_all(np.asarray(partial))}; others could move them further"
        )
    drawn = np.any(tie_range.error > 0, axis=1)
    if np.any(drawn):
        error = np.sqrt((tie_range.error**2).sum(axis=0)) / len(tie_range.error)
        worst = int(error.argmax())
        notes.append(
            f"expected values: {MOST_ORDERS:,} orders drawn by chance (seed {SEED}) stand for all in "
            f"{_of_all(np.asarray(drawn))}; standard error of a mean up to {error[worst]:.4f} "
            f"({evaluation.measures[worst]})"
        )
    return tuple(notes)


def _of_all(topics: npt.NDArray[np.bool_]) -> str:
    return f"{np.count_nonzero(topics)} of {counted(len(topics), 'topic')}"
