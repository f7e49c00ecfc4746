"""Union of the documents of runs, block by block; and the run of documents with fused scores."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import RunColumns, most_rows
from irkit.data.runs import Run
from irkit.errors import DataError
from irkit.ids import Ids, blocks, to_text

Places = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float64]
Scores = npt.NDArray[np.float64]

BLOCK = 1 << 18  # rows of runs that are put together at once; what is made of them stays near the processor


@dataclass(frozen=True, slots=True, eq=False)
class UnionOfRuns:
    """Union of the documents of R runs for a block of T topics, N in all: each document once in its topic.

    Documents stand in the order of their bytes, so that nothing shows in which order the runs came.

    Attributes
    ----------
    topics : tuple of T str
        In byte order. A topic may be without documents, as in the runs.
    starts : int64 array of shape (T + 1,)
        Topic `t` holds the documents `starts[t]` up to `starts[t + 1]`.
    documents : Ids of N ids
    ranks : float64 array of shape (N, R)
        The document's rank in each run from 1, in trec_eval's order; nan where the run did not find it. Each document
        was found by one run at least. The column of a run lies in one piece.
    scores : float64 array of shape (N, R)
        Its score in each run, likewise.
    """

    topics: tuple[str, ...]
    starts: Places
    documents: Ids
    ranks: Matrix
    scores: Matrix

    @property
    def topic_of(self) -> Places:
        """Place of each document's topic, shape (N,)."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.starts))

    @property
    def lengths(self) -> Places:
        """Number of documents of each run for each topic, shape (T, R)."""
        topic_of, found = self.topic_of, ~np.isnan(self.ranks)
        counts = [np.bincount(topic_of[column], minlength=len(self.topics)) for column in found.T]
        return np.stack(counts, axis=1)

    def only(self, kept: npt.NDArray[np.bool_]) -> "UnionOfRuns":
        """Keep the documents where `kept`, shape (N,), is true, and the topics that have any of them."""
        lengths = np.bincount(self.topic_of[kept], minlength=len(self.topics))
        return UnionOfRuns(
            tuple(compress(self.topics, lengths > 0)),
            np.cumsum([0, *lengths[lengths > 0]]),
            Ids.of(compress(self.documents, kept)),
            self.ranks[kept],
            self.scores[kept],
        )


def pooled(runs: Sequence[Run], depth: int | None) -> Iterator[UnionOfRuns]:
    """Yield the documents of all topics in any of the runs, in blocks of whole topics."""
    columns = [run.columns() for run in runs]
    topics = sorted({topic for run in columns for topic in run.topics})
    places = np.stack([_places(run, topics) for run in columns], axis=1)
    # The length behind the last one is that of a topic which stands at -1.
    lengths = [np.append(np.diff(run.starts), 0)[places[:, number]] for number, run in enumerate(columns)]
    n_rows = np.minimum(lengths, most_rows(depth)).sum(axis=0)
    for low, high in blocks(np.append(0, np.cumsum(n_rows)), BLOCK):
        merged = _kernel.merge(columns, places[low:high], depth)
        yield UnionOfRuns(tuple(map(to_text, topics[low:high])), *merged)


def _places(run: RunColumns, topics: list[bytes]) -> Places:
    """Place of each topic in the run, -1 if missing, shape (T,)."""
    place = {topic: place for place, topic in enumerate(run.topics)}
    return np.array([place.get(topic, -1) for topic in topics], dtype=np.int64)


def fused(
    blocks: Iterable[UnionOfRuns], scores_of: Callable[[UnionOfRuns], Scores], depth: int | None, tag: str
) -> Run:
    """Make a run that ranks documents by fused scores, ties by document id.

    Parameters
    ----------
    blocks : iterable of UnionOfRuns
        Their topics in byte order.
    scores_of : callable
        From the N documents of a block to their scores, float64 of shape (N,).
    depth : int, optional
        So many documents are kept for a topic; all if not given.
    tag : str
        What the run calls itself.
    """
    topics: list[str] = []
    lengths: list[Places] = [np.zeros(1, dtype=np.int64)]
    documents: list[Ids] = []
    scores: list[Scores] = [np.zeros(0)]
    for block in blocks:
        given = scores_of(block) + 0.0  # so that no zero is written as -0
        _check_finite(block, given)
        ranked = _kernel.rerank(block.starts, block.documents, given, depth)
        topics += block.topics
        lengths.append(np.diff(ranked.starts))
        documents.append(ranked.documents)
        scores.append(ranked.scores)
    starts = np.concatenate(lengths).cumsum()
    return Run(tuple(topics), starts, Ids.joined(documents), np.concatenate(scores), tag, tag)


def _check_finite(block: UnionOfRuns, scores: Scores) -> None:
    wrong = np.flatnonzero(~np.isfinite(scores))
    if len(wrong):
        topic, document = block.topics[int(block.topic_of[wrong[0]])], to_text(block.documents[int(wrong[0])])
        raise DataError(f"the fused score of document {document!r} in topic {topic!r} is not finite; normalise first")
