"""Dense retrieval: an encoder's vectors, compared by FAISS."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.retrieval.dense.engine import usual_mode
from irkit.retrieval.dense.files import load_index, save_index
from irkit.retrieval.dense.index import DenseIndex, build_index, join_indexes
from irkit.retrieval.dense.recall import IndexRecall, recall_of_index, recall_of_vectors
from irkit.retrieval.dense.topic_vectors import encoded_topics, prefix_of
from irkit.retrieval.dense.vector_search import search_vectors
from irkit.retrieval.encoder import Encoder
from irkit.retrieval.index_kinds import Flat, Hnsw, Ivf, IvfPq, ScalarQuantised, check_search
from irkit.retrieval.ranking import Allowed, Detail, Retrieved, check_depth, check_floor, note_of_topics

if TYPE_CHECKING:
    from irkit.data.documents import Document
    from irkit.data.topics import Topic

__all__ = [
    "DenseIndex",
    "Flat",
    "Hnsw",
    "IndexRecall",
    "Ivf",
    "IvfPq",
    "ScalarQuantised",
    "build_index",
    "join_indexes",
    "load_index",
    "recall_of_index",
    "recall_of_vectors",
    "save_index",
    "search",
    "search_index",
    "search_vectors",
]


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
    """Build an index and rank documents by the inner product of their vectors with those of topics."""
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
    ef_search: int | None = None,
    n_probes: int | None = None,
    query_prefix: str | None = None,
    recall: int | None = None,
    tag: str = "dense",
) -> Retrieved:
    """Rank the documents of an index by the inner product of their vectors with those of topics.

    Parameters
    ----------
    index : DenseIndex
    topics : iterable of Topic
    encoder : Encoder
        The encoder that made the index.
    k : int
        Maximum number of documents for each topic, at least 1.
    allowed : function, optional
        Returns the documents allowed for a topic, or None for all. Applied before the cut at k: such a topic is
        compared with all its allowed documents, exactly, in every kind of index.
    floor : float, optional
        Abstain: a topic returns nothing if the score of its best allowed document is below the floor.
    ef_search : int, optional
        For hnsw: number of candidates during the search, 128 by default; never fewer than k.
    n_probes : int, optional
        For ivf and ivf-pq: number of lists to search. By default a sixteenth of them, or as many as hold 8 k documents
        if that is more.
    query_prefix : str, optional
        Text before each topic; by default the prefix with which the index was built.
    recall : int, optional
        Also note the share of the first `recall` documents of an exact search that is found; see `IndexRecall`.
    tag : str
        Name of the run.

    Returns
    -------
    Retrieved
        Scores have six decimals; equal scores are ranked by descending document id, also across the cut.

    Raises
    ------
    DataError
        If index and encoder do not fit.
    UsageError
        If k is below 1, the floor is nan, or the kind of index does not have a given parameter.
    """
    check_depth(k)
    check_floor(floor)
    check_search(index.kind, {"ef_search": ef_search, "n_probes": n_probes})
    topics = list(topics)
    with_text = [topic for topic in topics if topic.text.strip()]
    encoded = encoded_topics(index, with_text, encoder, query_prefix)
    ids = [topic.id for topic in with_text]
    filters = [allowed(topic) for topic in with_text] if allowed else None
    run = search_vectors(
        index, ids, encoded.vectors, k=k, allowed=filters, ef_search=ef_search, n_probes=n_probes, tag=tag
    )
    measured = None
    if recall is not None and with_text and index.ids:
        measured = recall_of_vectors(index, encoded.vectors, recall, ef_search=ef_search, n_probes=n_probes)
    n_found = dict(zip(run.topics, np.diff(run.starts).tolist(), strict=True))
    unfiltered = [topic for place, topic in enumerate(ids) if filters is None or filters[place] is None]
    short = [topic for topic in unfiltered if n_found.get(topic, 0) < min(k, len(index.ids))]
    nothing = [topic.id for topic in with_text if topic.id not in n_found and topic.id not in short]
    abstained: set[str] = set()
    if floor is not None:
        run, abstained = _abstained(run, floor)
    notes = (
        *note_of_topics([topic.id for topic in topics if not topic.text.strip()], "without text, not searched"),
        *note_of_topics(nothing, "whose filters no document passes"),
        *note_of_topics(
            short,
            f"for which the {index.kind} index found fewer than {min(k, len(index.ids))} documents; "
            "raise ef_search or n_probes",
        ),
        *note_of_topics(
            [topic.id for topic in with_text if topic.id in abstained],
            f"abstained from, since no document scores {floor:g}" if floor is not None else "",
        ),
        *((f"the {index.kind} index {measured}",) if measured else ()),
        *_notes_of_index(index, encoder),
        *_note_of_truncated(encoder, int(encoded.truncated.sum()), len(with_text), "topic"),
    )
    details: dict[str, Detail] = {
        "engine": "dense",
        "k": k,
        "kind": index.kind,
        **usual_mode(index.index, k, ef_search=ef_search, n_probes=n_probes).searched_by,
        "encoder": encoder.name,
        "max_length": encoder.max_length,
        "query_prefix": prefix_of(index, encoder, query_prefix),
        "documents": len(index.ids),
    }
    if floor is not None:
        details["floor"] = floor
    if measured is not None:
        details |= {"recall": measured.recall, "recall_depth": measured.k}
    if index.manifest is not None:
        details |= {
            **index.manifest.parameters,
            "document_prefix": index.manifest.document_prefix,
            "truncated_documents": index.manifest.truncated,
            "empty_documents": index.manifest.empty,
            "content": index.manifest.content,
            **index.manifest.versions,
        }
    return Retrieved(run, notes, details)


def _abstained(run: Run, floor: float) -> tuple[Run, set[str]]:
    """Remove topics whose best score is below the floor; return the run and these topics."""
    below = run.scores[run.starts[:-1]] < floor
    if not below.any():
        return run, set()
    left = {topic for topic, out in zip(run.topics, below.tolist(), strict=True) if out}
    kept = {topic: scores for topic, scores in run.to_dict().items() if topic not in left}
    return Run.from_scores(kept, run.tag, run.name), left


def _notes_of_index(index: DenseIndex, encoder: Encoder) -> tuple[str, ...]:
    manifest = index.manifest
    if manifest is None:
        return ("the index has no manifest of irkit; neither its encoder nor damage to its files can be checked",)
    empty = f"{manifest.empty} of {counted(len(index.ids), 'document')} without text, ranked nevertheless"
    return (
        *((empty,) if manifest.empty else ()),
        *_note_of_truncated(encoder, manifest.truncated, len(index.ids), "document"),
    )


def _note_of_truncated(encoder: Encoder, n: int, total: int, noun: str) -> tuple[str, ...]:
    if not n:
        return ()
    return (f"{encoder.name} reads {encoder.max_length} tokens: {n} of {counted(total, noun)} truncated",)
