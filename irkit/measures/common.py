"""Shared by the formulas of all families: the top of a ranking, and shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic

_TOPICS_TOGETHER: Final = 64  # a thousand ranks of so many fit into the cache


class _Ranking(Protocol):
    def cut(self, cutoff: int) -> Self: ...


AnyRanking = TypeVar("AnyRanking", bound=_Ranking)


def top(judged: AnyRanking, cutoff: int | None) -> AnyRanking:
    """The first `cutoff` ranks, or all of them where there is no cutoff."""
    if cutoff is not None and cutoff < 1:
        raise MeasureError(f"a cutoff is at least 1, got {cutoff}")
    return judged if cutoff is None else judged.cut(cutoff)


def share(part: npt.ArrayLike, whole: npt.ArrayLike) -> PerTopic:
    """`part / whole` for each topic, shape (T,); 0 where the whole is 0."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    shares = np.zeros_like(part)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def n_relevant(judged: Judged, *, rel: int | None = None, **_: object) -> npt.NDArray[np.int64]:
    """Documents that a measure could find for each topic: those judged `rel` or better, where it has no `rel` relevant.

    Of a fractional grade, relevant is any that is above 0.
    """
    return judged.n_relevant() if rel is None else judged.n_relevant(rel)


def every_rank(judged: Judged) -> Judged:
    """Copy with a row for every retrieved document; grade -1 outside the pool.

    A document that was pooled and not judged has -2, whatever its negative grade was.
    """
    topic = np.repeat(np.arange(judged.n_topics), judged.n_retrieved)
    first = np.cumsum(judged.n_retrieved) - judged.n_retrieved
    grade = np.full(len(topic), -1, dtype=judged.grade.dtype)
    grade[first[judged.topic] + judged.rank - 1] = np.where(judged.grade < 0, -2, judged.grade)
    return judged.with_rows(topic, np.arange(len(topic)) - first[topic] + 1, grade, judged.n_retrieved)


def topics_together(judged: Judged) -> Iterator[tuple[slice, slice, npt.NDArray[np.int64]]]:
    """Some topics at a time, for measures that look at every rank: an array with a row for each topic stays small.

    Yields
    ------
    topics, rows : slice
        The topics, and their rows in `judged`.
    row : int64 array
        Which of these topics each of the rows belongs to, from 0.
    """
    starts = range(0, judged.n_topics, _TOPICS_TOGETHER)
    first = np.searchsorted(judged.topic, [*starts, judged.n_topics]).tolist()
    for start, rows in zip(starts, map(slice, first, first[1:]), strict=False):
        yield slice(start, min(start + _TOPICS_TOGETHER, judged.n_topics)), rows, judged.topic[rows] - start
