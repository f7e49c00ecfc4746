"""The documents that several runs found for a topic, side by side, and a run of them again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError
from irkit.ids import Ids, to_bytes, to_text
from irkit.runs import Run


@dataclass(frozen=True, slots=True)
class Pooled:
    """The documents that R runs found for a block of T topics, N in all, each once in its topic."""

    topics: tuple[str, ...]
    starts: npt.NDArray[np.int64]
    documents: Ids
    ranks: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]


def pooled(runs: Sequence[Run], depth: int) -> Iterator[Pooled]:
    """The topics of the runs in blocks, with the first `depth` documents of each run."""
    lists = [
        {topic: (documents[:depth], scores[:depth]) for topic, documents, scores in run.by_topic()} for run in runs
    ]
    topics = tuple(sorted({topic for one in lists for topic in one}, key=to_bytes))
    for low in range(0, len(topics), 7):
        documents: list[str] = []
        starts, ranks, scores = [0], [], []
        for topic in topics[low : low + 7]:
            found = {document: None for one in lists for document in one.get(topic, ((), ()))[0]}
            place = {document: row for row, document in enumerate(found)}
            rank, score = np.full((2, len(found), len(runs)), np.nan)
            for column, one in enumerate(lists):
                for at, (document, value) in enumerate(zip(*one.get(topic, ((), ())), strict=True), 1):
                    rank[place[document], column], score[place[document], column] = at, value
            documents += found
            starts.append(len(documents))
            ranks.append(rank)
            scores.append(score)
        ids = Ids.of(map(to_bytes, documents))
        yield Pooled(topics[low : low + 7], np.array(starts), ids, np.concatenate(ranks), np.concatenate(scores))


def fused(
    blocks: Iterable[Pooled], scores_of: Callable[[Pooled], npt.NDArray[np.float64]], depth: int, tag: str
) -> Run:
    """The run that ranks the documents of the blocks by these scores, and keeps `depth` of them a topic."""
    kept: dict[str, dict[str, float]] = {}
    for block in blocks:
        scores = scores_of(block)
        for place, topic in enumerate(block.topics):
            rows = slice(int(block.starts[place]), int(block.starts[place + 1]))
            documents = list(map(to_text, block.documents[rows]))
            for document, score in zip(documents, scores[rows], strict=True):
                if not np.isfinite(score):
                    raise DataError(
                        f"the fused score of document {document!r} in topic {topic!r} is not finite; normalise first"
                    )
            rank = sorted(
                zip(scores[rows].tolist(), map(to_bytes, documents), documents, strict=True), key=lambda x: x[:2]
            )[::-1]
            kept[topic] = {document: score for score, _, document in rank[:depth]}
    return Run.from_scores(kept, tag)
