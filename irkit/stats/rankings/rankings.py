"""Ranked lists with tied items, and how many items two of them share at each depth."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, UsageError
from irkit.stats.paired.checked_arrays import Values

Counts: TypeAlias = npt.NDArray[np.int64]
Groups: TypeAlias = Sequence[str | Collection[str]]
Ties: TypeAlias = Literal["w", "a", "b"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A list of n items, best first, each with the first and the last rank of its group of ties."""

    items: tuple[str, ...]
    top: Counts
    bottom: Counts

    @classmethod
    def of(cls, groups: "Groups | Ranking") -> "Ranking":
        """Make a ranking of items; items in an inner list, tuple or set are tied."""
        if isinstance(groups, Ranking):
            return groups
        if isinstance(groups, str):
            raise UsageError(f"a ranking is a list of items, not the text {groups!r}")
        tied = [(one,) if isinstance(one, str) else tuple(one) for one in groups]
        sizes = [len(group) for group in tied]
        return cls._of_sizes(tuple(item for group in tied for item in group), np.array(sizes, dtype=np.int64))

    @classmethod
    def of_scores(cls, items: Sequence[str], scores: Sequence[float]) -> "Ranking":
        """Make a ranking of items with falling scores; items with equal scores are tied."""
        column = np.asarray(scores, dtype=np.float64)
        new = np.ones(len(column), dtype=bool)
        new[1:] = column[1:] != column[:-1]
        return cls._of_sizes(tuple(items), np.diff(np.flatnonzero(new), append=len(column)))

    @classmethod
    def _of_sizes(cls, items: tuple[str, ...], sizes: Counts) -> "Ranking":
        if len(set(items)) < len(items):
            twice = next(item for place, item in enumerate(items) if item in items[:place])
            raise DataError(f"{twice!r} occurs twice in a ranking; an item has one place")
        bottom = np.cumsum(sizes)
        return cls(items, np.repeat(bottom - sizes + 1, sizes), np.repeat(bottom, sizes))

    @property
    def tied(self) -> bool:
        """Whether any items are tied."""
        return bool((self.top < self.bottom).any())

    def shares(self, depth: Counts, ties: Ties) -> Values:
        """Share of an item in the tied group at each depth that has been seen there, for depths within the list."""
        top, bottom = self.top[depth - 1], self.bottom[depth - 1]
        if ties == "w":
            return np.ones(len(depth))
        share: Values = (depth - top + 1) / (bottom - top + 1)
        return share

    def size(self, depth: Counts, ties: Ties) -> Values:
        """Number of items down to each depth, fractional within ties; past the end, the depth itself."""
        size = depth.astype(np.float64)
        within = depth[depth <= len(self.items)]
        top, bottom = self.top[within - 1], self.bottom[within - 1]
        if ties == "w":
            size[: len(within)] = bottom
        elif ties == "b":
            size[: len(within)] = top - 1 + (within - top + 1) ** 2 / (bottom - top + 1)
        return size


def shared(first: Ranking, second: Ranking, ties: Ties) -> Values:
    """Number of items seen in both lists at each depth, down to the end of the longer list."""
    depth = max(len(first.items), len(second.items))
    place = {item: row for row, item in enumerate(second.items)}
    rows = np.array([(row, place[item]) for row, item in enumerate(first.items) if item in place], dtype=np.int64)
    if not len(rows):
        return np.zeros(depth)
    (tops, other_tops), (bottoms, other_bottoms) = (
        (ours[rows[:, 0]], theirs[rows[:, 1]])
        for ours, theirs in ((first.top, second.top), (first.bottom, second.bottom))
    )
    start = np.maximum(tops, other_tops)
    whole = start if ties == "w" else np.maximum(bottoms, other_bottoms)
    seen = np.cumsum(np.bincount(whole - 1, minlength=depth), dtype=np.float64)
    partly = start < whole
    if not partly.any():
        return seen
    groups = np.stack((start, whole, tops, bottoms, other_tops, other_bottoms))[:, partly]
    # What is in one group here and in one there comes in alike.
    alike, counts = np.unique(groups, axis=1, return_counts=True)
    for (begin, end, top, bottom, other_top, other_bottom), n in zip(alike.T.tolist(), counts.tolist(), strict=True):
        within = np.arange(begin, end)
        ours = np.minimum((within - top + 1) / (bottom - top + 1), 1.0)
        theirs = np.minimum((within - other_top + 1) / (other_bottom - other_top + 1), 1.0)
        seen[begin - 1 : end - 1] += n * ours * theirs
    return seen
