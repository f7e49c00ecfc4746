"""Relevant documents found by a single run, and comparison of fused runs with their parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irkit.report.page.rankings import TopicRankings
from irkit.stats.paired.means import TOLERANCE


def found_by(rankings: Sequence[TopicRankings], depth: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether each of R runs has each relevant document among its first `depth`, shape (R, N), topics end to end.

    N is the number of relevant documents that any run has there.
    """
    columns = [
        [0 < ranks[place] <= depth for ranks in ranking.ranks]
        for ranking in rankings
        for place, grade in enumerate(ranking.grades)
        if grade is not None and grade > 0
    ]
    n_runs = len(rankings[0].ranks) if rankings else 0
    return np.array([column for column in columns if any(column)], dtype=bool).reshape(-1, n_runs).T


def alone(
    has_relevant: np.ndarray[Any, np.dtype[np.bool_]], parts: Mapping[int, Sequence[int]]
) -> list[dict[str, int | None]]:
    """Count, for each run, the relevant documents among its first, and those that no other run has there.

    A fused run and its parts are not compared with each other; the second count is None if no other run is left.
    """
    counts: list[dict[str, int | None]] = []
    for run in range(len(has_relevant)):
        related = {run, *parts.get(run, ()), *(fused for fused, its in parts.items() if run in its)}
        others = [other for other in range(len(has_relevant)) if other not in related]
        by_none = int((has_relevant[run] & ~has_relevant[others].any(axis=0)).sum()) if others else None
        counts.append({"found": int(has_relevant[run].sum()), "alone": by_none})
    return counts


def fusions(
    has_relevant: np.ndarray[Any, np.dtype[np.bool_]],
    parts: Mapping[int, Sequence[int]],
    values: np.ndarray[Any, np.dtype[np.float64]],
    column: int,
) -> list[dict[str, Any]]:
    """Compare each fused run with its parts: the origin of its relevant documents, and its values topic by topic.

    Parameters
    ----------
    has_relevant : bool array of shape (R, N)
        Result of `found_by`.
    parts : mapping of place to places
    values : float64 array of shape (R, M, T)
    column : int
        Column of the measure that compares the run with its parts.
    """
    fused_runs = []
    for run, its in parts.items():
        inside = has_relevant[run]
        n_parts = has_relevant[list(its)].sum(axis=0)
        ours, theirs = values[run, column], values[list(its), column]
        kept = ~np.isnan(values[[run, *its], column]).any(axis=0)
        best, worst = theirs[:, kept].max(axis=0), theirs[:, kept].min(axis=0)
        above, below = ours[kept] > best + TOLERANCE, ours[kept] < worst - TOLERANCE
        fused_runs.append(
            {
                "run": run,
                "parts": list(its),
                "m": column,
                "found": int(inside.sum()),
                "by_all": int((inside & (n_parts == len(its))).sum()),
                "by_some": int((inside & (n_parts > 1) & (n_parts < len(its))).sum()),
                "by_one": [int((inside & (n_parts == 1) & has_relevant[part]).sum()) for part in its],
                "by_none": int((inside & (n_parts == 0)).sum()),
                "lost": [int((has_relevant[part] & ~inside).sum()) for part in its],
                "above": int(above.sum()),
                "below": int(below.sum()),
                "between": int((~above & ~below).sum()),
            }
        )
    return fused_runs
