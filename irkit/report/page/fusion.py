"""Relevant documents that only one run finds, and what fusion made of its parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irkit.report.page.rankings import TopicRankings
from irkit.stats.paired.means import TOLERANCE


def found_by(rankings: Sequence[TopicRankings], depth: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether each of R runs has each relevant document among its first `depth`, shape (R, N), topics end to end.

    N are the relevant documents that some run has there.
    """
    columns = [
        [0 < ranks[place] <= depth for ranks in one.ranks]
        for one in rankings
        for place, grade in enumerate(one.grades)
        if grade is not None and grade > 0
    ]
    n_runs = len(rankings[0].ranks) if rankings else 0
    return np.array([column for column in columns if any(column)], dtype=bool).reshape(-1, n_runs).T


def alone(
    found: np.ndarray[Any, np.dtype[np.bool_]], parts: Mapping[int, Sequence[int]]
) -> list[dict[str, int | None]]:
    """How many relevant documents each run has among its first, and how many of them no other run has there.

    A run that was fused from others is not held against them, nor they against it; None where no other is left.
    """
    counts: list[dict[str, int | None]] = []
    for run in range(len(found)):
        related = {run, *parts.get(run, ()), *(fused for fused, its in parts.items() if run in its)}
        others = [other for other in range(len(found)) if other not in related]
        by_none = int((found[run] & ~found[others].any(axis=0)).sum()) if others else None
        counts.append({"found": int(found[run].sum()), "alone": by_none})
    return counts


def fusions(
    found: np.ndarray[Any, np.dtype[np.bool_]],
    parts: Mapping[int, Sequence[int]],
    values: np.ndarray[Any, np.dtype[np.float64]],
    column: int,
) -> list[dict[str, Any]]:
    """For each fused run, where its relevant documents come from, and how it stands to its parts topic by topic.

    Parameters
    ----------
    found : bool array of shape (R, N)
        As `found_by` gives it.
    parts : mapping of place to places
    values : float64 array of shape (R, M, T)
    column : int
        The measure by which topics are told apart.
    """
    told = []
    for run, its in parts.items():
        inside = found[run]
        n_parts = found[list(its)].sum(axis=0)
        ours, theirs = values[run, column], values[list(its), column]
        kept = ~np.isnan(values[[run, *its], column]).any(axis=0)
        best, worst = theirs[:, kept].max(axis=0), theirs[:, kept].min(axis=0)
        above, below = ours[kept] > best + TOLERANCE, ours[kept] < worst - TOLERANCE
        told.append(
            {
                "run": run,
                "parts": list(its),
                "m": column,
                "found": int(inside.sum()),
                "by_all": int((inside & (n_parts == len(its))).sum()),
                "by_some": int((inside & (n_parts > 1) & (n_parts < len(its))).sum()),
                "by_one": [int((inside & (n_parts == 1) & found[part]).sum()) for part in its],
                "by_none": int((inside & (n_parts == 0)).sum()),
                "lost": [int((found[part] & ~inside).sum()) for part in its],
                "above": int(above.sum()),
                "below": int(below.sum()),
                "between": int((~above & ~below).sum()),
            }
        )
    return told
