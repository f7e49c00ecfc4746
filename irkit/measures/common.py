"""What the formulas of every family share: the top of a ranking, and a share of a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic


class _Ranking(Protocol):
    def cut(self, cutoff: int) -> Self: ...


AnyRanking = TypeVar("AnyRanking", bound=_Ranking)


def top(judged: AnyRanking, cutoff: int | None) -> AnyRanking:
    """The first `cutoff` ranks, or all of them where there is no cutoff.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.
    """
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
    """The same with a row for every retrieved document: grade -1 where it is not in the pool.

    A document that was pooled and not judged has -2, whatever its negative grade was.
    """
    topic = np.repeat(np.arange(judged.n_topics), judged.n_retrieved)
    first = np.cumsum(judged.n_retrieved) - judged.n_retrieved
    grade = np.full(len(topic), -1, dtype=judged.grade.dtype)
    grade[first[judged.topic] + judged.rank - 1] = np.where(judged.grade < 0, -2, judged.grade)
    return replace(judged, topic=topic, rank=np.arange(len(topic)) - first[topic] + 1, grade=grade)
