"""Input of fusion methods: for each document, the runs that found it, with rank and score."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irkit.fusion.union import Matrix, UnionOfRuns

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Votes:
    """Ranks and scores of the N documents of a block in R runs.

    Attributes
    ----------
    block : UnionOfRuns
    points : float64 array of shape (N, R)
        Normalised scores; nan where a run has none. All nan for a method that goes by ranks.
    weights : float64 array of shape (R,)
        Above 0.
    learned : tuple of R float64 arrays
        What a trained method knows of each run; empty for the others.
    """

    block: UnionOfRuns
    points: Matrix
    weights: Vector
    learned: tuple[Vector, ...] = ()

    @property
    def ranks(self) -> Matrix:
        """Rank of each document in each run from 1, nan where the run did not find it, shape (N, R)."""
        return self.block.ranks

    @property
    def n_points(self) -> Matrix:
        """Number of runs that give points to each document, shape (N, 1)."""
        return np.count_nonzero(~np.isnan(self.points), axis=1, keepdims=True).astype(np.float64)

    @property
    def n_runs(self) -> Matrix:
        """Number of runs that found each document, shape (N, 1)."""
        return np.count_nonzero(~np.isnan(self.ranks), axis=1, keepdims=True).astype(np.float64)


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """The n documents of one run for a block of topics, topic by topic, in ranked order.

    Attributes
    ----------
    row : int64 array of shape (n,)
        Place of each document in the block.
    topic : int64 array of shape (n,)
        Place of its topic.
    rank, score : float64 arrays of shape (n,)
    length : float64 array of shape (n,)
        Documents that the run found for its topic.
    first, last : int64 arrays of shape (n,)
        Where the topic's first and last document stand here.
    """

    row: npt.NDArray[np.int64]
    topic: npt.NDArray[np.int64]
    rank: Vector
    score: Vector
    length: Vector
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]

    def sum(self, values: Vector) -> Vector:
        """Sum one value of each document over its topic; each document gets the sum, shape (n,)."""
        # bincount adds in rank order, so that nothing else can show.
        sums: Vector = np.bincount(self.topic, weights=values).astype(np.float64, copy=False)
        return sums[self.topic]


def n_candidates(block: UnionOfRuns) -> Matrix:
    """Number of documents that all runs together found for each document's topic, shape (N, 1)."""
    sizes = np.diff(block.starts)
    return np.repeat(sizes, sizes).astype(np.float64)[:, np.newaxis]


def listed(block: UnionOfRuns, run: int) -> RankedDocuments:
    """Return the documents of the run in this column."""
    ranks, length = block.ranks[:, run], block.lengths[:, run]
    end = np.cumsum(length)
    first = end - length
    found = np.flatnonzero(~np.isnan(ranks))
    row = np.empty(len(found), dtype=np.int64)
    # The ranks of a topic are 1 to its length: each says where its document stands.
    row[first[block.topic_of[found]] + ranks[found].astype(np.int64) - 1] = found
    topic = np.repeat(np.arange(len(block.topics)), length)
    return RankedDocuments(
        row,
        topic,
        ranks[row],
        block.scores[row, run],
        length[topic].astype(np.float64),
        first[topic],
        (end - 1)[topic],
    )


def by_run(block: UnionOfRuns, value: Callable[[int, RankedDocuments], Vector]) -> Matrix:
    """Compute a value for each document in each run, nan where the run lacks it, shape (N, R)."""
    matrix = np.full(block.ranks.shape, np.nan, order="F")  # column by column
    for run in range(block.ranks.shape[1]):
        found = listed(block, run)
        matrix[found.row, run] = value(run, found)
    return matrix
