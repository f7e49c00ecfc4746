"""Vectors of queries against a FAISS index: the best k of each, by irkit's own order also across the cut."""

from collections.abc import Iterator
from heapq import nlargest
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError
from irkit.ids import Ids
from irkit.retrieval.dense.engine import SearchMode, Vectors

Places: TypeAlias = npt.NDArray[np.int64]
Scores: TypeAlias = npt.NDArray[np.float64]

DECIMALS: Final = 6  # further digits differ between batch sizes
SLACK: Final = 8  # documents fetched beyond k first, to detect ties across the cut
SCORES_AT_ONCE: Final = 8_000_000
QUERIES_TOGETHER: Final = 4096  # queries that FAISS multiplies as one matrix


class Hits(NamedTuple):
    """Documents found by a search, in any order; H rows.

    query : int64 array of shape (H,), place of the query
    place : int64 array of shape (H,), place of the vector
    score : float64 array of shape (H,)
    """

    query: Places
    place: Places
    score: Scores


def best(mode: SearchMode, queries: Vectors, k: int, n: int, ids: Ids) -> Hits:
    """Return the k best documents of each query: score descending, ties by id descending, also at the cut.

    Parameters
    ----------
    mode : SearchMode
    queries : float32 array of shape (Q, dimensions)
    k : int
    n : int
        Number of vectors that can be found: all, or the allowed ones.
    ids : Ids
        Ids of all vectors of the index.
    """
    depth = min(k + SLACK, n)
    if not depth or not len(queries):
        return Hits(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    parts = [
        hits._replace(query=hits.query + start)
        for start, some in _batches(queries, depth)
        for hits in _best_of_batch(mode, some, k, n, ids)
    ]
    return Hits(*map(np.concatenate, zip(*parts, strict=True)))


def _batches(queries: Vectors, depth: int) -> Iterator[tuple[int, Vectors]]:
    at_once = max(1, SCORES_AT_ONCE // depth)
    at_once -= at_once % QUERIES_TOGETHER if at_once > QUERIES_TOGETHER else 0
    for start in range(0, len(queries), at_once):
        yield start, queries[start : start + at_once]


def _best_of_batch(mode: SearchMode, queries: Vectors, k: int, n: int, ids: Ids) -> Iterator[Hits]:
    depth = min(k + SLACK, n)
    open_rows = np.arange(len(queries))
    while len(open_rows):
        # All queries again, not only the open ones: with fewer queries the last bits of sums differ.
        raw, places = mode.search(queries, depth)
        if len(open_rows) < len(queries):
            raw, places = raw[open_rows], places[open_rows]
        if places.max() >= len(ids):
            raise DataError(
                f"the dense index has a vector numbered {places.max()}, and there are {len(ids)} ids; build it again"
            )
        # Adding zero turns -0.0 into 0.0. Rounding keeps the order.
        scores = np.rint(raw * np.float64(10**DECIMALS)) / 10**DECIMALS + 0.0
        # Place -1 means no vector: all vectors were found already.
        done = (places[:, -1] < 0) | (depth == n)
        if depth > k:
            done |= scores[:, -1] < scores[:, k - 1]
        yield _cut(open_rows[done], scores[done], places[done], k, ids)
        open_rows, depth = open_rows[~done], min(4 * depth, n)


def _cut(rows: Places, scores: Scores, places: Places, k: int, ids: Ids) -> Hits:
    """Keep the first k of each row; of documents tied with the last, the first by id, descending."""
    kept = places >= 0
    if places.shape[1] > k:
        lowest = np.where(kept[:, k - 1], scores[:, k - 1], -np.inf)[:, np.newaxis]
        tied = kept & (scores == lowest)
        kept &= scores > lowest
        room = k - kept.sum(axis=1)
        for row in np.flatnonzero(tied.sum(axis=1) > room).tolist():
            columns = np.flatnonzero(tied[row]).tolist()
            names = {column: ids[int(places[row, column])] for column in columns}
            tied[row] = False
            tied[row, nlargest(int(room[row]), columns, key=names.__getitem__)] = True
        kept |= tied
    return Hits(np.repeat(rows, kept.sum(axis=1)), places[kept], scores[kept])
