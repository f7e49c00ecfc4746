"""Dense retrieval: an encoder's vectors, compared exactly by FAISS."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from irkit.errors import DataError, UsageError
from irkit.retrieval import vectors
from irkit.retrieval.dense_index import DenseIndex, build_index, load_index, save_index
from irkit.retrieval.encoder import Encoder
from irkit.retrieval.ranking import Allowed, Detail, Retrieved, check_depth, first, note_of_topics, settled
from irkit.runs import Run
from irkit.spelling import counted

if TYPE_CHECKING:
    from irkit.documents import Document
    from irkit.topics import Topic

__all__ = ["DenseIndex", "build_index", "load_index", "save_index", "search", "search_index"]

DECIMALS: Final = 6  # beyond, batches of other sizes differ
SLACK: Final = 32  # documents fetched past k at first, to see whether a tie crosses the cut
SCORES_AT_ONCE: Final = 50_000_000


def search(
    documents: "Iterable[Document]",
    topics: "Iterable[Topic]",
    *,
    encoder: Encoder,
    k: int = 1000,
    allowed: Allowed | None = None,
    floor: float | None = None,
    fields: Sequence[str] | None = None,
    tag: str = "dense",
) -> Retrieved:
    """Rank documents by the inner product of their vectors with the topic's; `build_index`, then `search_index`."""
    index = build_index(documents, encoder, fields=fields)
    return search_index(index, topics, encoder=encoder, k=k, allowed=allowed, floor=floor, tag=tag)


def search_index(
    index: DenseIndex,
    topics: "Iterable[Topic]",
    *,
    encoder: Encoder,
    k: int = 1000,
    allowed: Allowed | None = None,
    floor: float | None = None,
    tag: str = "dense",
) -> Retrieved:
    """Rank an index by the inner product of its vectors with each topic's.

    Parameters
    ----------
    index : DenseIndex
    topics : iterable of Topic
    encoder : Encoder
        The one that made the index.
    k : int
        Documents for each topic at most, at least 1.
    allowed : function, optional
        The documents that a topic may return, or None for all. Applied before the cut at k.
    floor : float, optional
        Abstain: a topic whose best allowed document scores less returns nothing.
    tag : str
        The run's name.

    Returns
    -------
    Retrieved
        Scores have six decimals; equal scores are ranked by document id, falling, also across the cut.

    Raises
    ------
    DataError
        If index and encoder do not fit.
    UsageError
        If k is below 1 or the floor is nan.
    """
    check_depth(k)
    if floor is not None and math.isnan(floor):
        raise UsageError("the floor is nan; give the least score that is evidence enough")
    _check_encoder(index, encoder)
    topics = list(topics)
    asked = [topic for topic in topics if topic.text.strip()]
    filters = [allowed(topic) if allowed else None for topic in asked]
    encoded = vectors.encode([topic.text for topic in asked], encoder, description="encoding topics")
    found: dict[str, dict[str, float]] = {}
    abstained, nothing = [], []
    for topic, hits in zip(asked, _ranked(index, encoded.vectors, filters, k), strict=True):
        if not hits:
            nothing.append(topic.id)
        elif floor is not None and next(iter(hits.values())) < floor:
            abstained.append(topic.id)
        else:
            found[topic.id] = hits
    notes = (
        *note_of_topics([topic.id for topic in topics if not topic.text.strip()], "without text, not searched"),
        *note_of_topics(nothing, "whose filters no document passes"),
        *note_of_topics(abstained, f"abstained from, since no document scores {floor:g}" if floor is not None else ""),
        *_note_of_truncated(encoder, index.manifest.truncated if index.manifest else 0, len(index.ids), "document"),
        *_note_of_truncated(encoder, int(encoded.truncated.sum()), len(asked), "topic"),
    )
    details: dict[str, Detail] = {
        "engine": "dense",
        "k": k,
        "encoder": encoder.name,
        "max_length": encoder.max_length,
        "documents": len(index.ids),
    }
    if floor is not None:
        details["floor"] = floor
    if index.manifest is not None:
        details |= {
            "truncated_documents": index.manifest.truncated,
            "content": index.manifest.content,
            **index.manifest.versions,
        }
    return Retrieved(Run.from_scores(found, tag), notes, details)


def _ranked(
    index: DenseIndex, queries: vectors.Array, filters: Sequence[frozenset[str] | None], k: int
) -> list[dict[str, float]]:
    size = len(index.ids)
    ranked: list[dict[str, float]] = [{} for _ in filters]
    open_rows = [row for row, allowed in enumerate(filters) if size and (allowed is None or allowed)]
    depth = min(k + SLACK, size)
    while open_rows:
        scores, places = _search(index.index, queries, depth)
        still_open = []
        for row in open_rows:
            allowed = filters[row]
            # Rounding keeps the order; a place of -1 stands for no vector.
            pairs = [
                (index.ids[place], round(score, DECIMALS))
                for place, score in zip(places[row].tolist(), scores[row].tolist(), strict=True)
                if place >= 0
            ]
            kept = [pair for pair in pairs if allowed is None or pair[0] in allowed]
            lowest = pairs[-1][1] if pairs else -math.inf
            if depth == size or settled([score for _, score in kept], min(k, size), lowest):
                ranked[row] = first(kept, k)
            else:
                still_open.append(row)
        open_rows, depth = still_open, min(4 * depth, size)
    return ranked


def _search(index: Any, queries: vectors.Array, depth: int) -> tuple[Any, Any]:
    # One batch, since sums of single queries differ in the last bits; several only where they would fill the memory.
    at_once = max(1, SCORES_AT_ONCE // depth)
    parts = [index.search(queries[start : start + at_once], depth) for start in range(0, len(queries), at_once)]
    return np.concatenate([scores for scores, _ in parts]), np.concatenate([places for _, places in parts])


def _check_encoder(index: DenseIndex, encoder: Encoder) -> None:
    if index.index.d != encoder.dimensions:
        raise DataError(
            f"the index has {index.index.d} dimensions, encoder {encoder.name} gives {encoder.dimensions}; "
            "search with the encoder that made the index"
        )
    if index.manifest is not None and index.manifest.encoder != encoder.identity:
        raise DataError(f"the index was made by another encoder than {encoder.name}; build it again, or use that one")


def _note_of_truncated(encoder: Encoder, n: int, total: int, noun: str) -> tuple[str, ...]:
    if not n:
        return ()
    return (f"{encoder.name} reads {encoder.max_length} tokens: {n} of {counted(total, noun)} truncated",)
