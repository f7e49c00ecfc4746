"""Dense retrieval: an encoder's vectors, compared by FAISS."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irkit import _kernel
from irkit.errors import DataError, UsageError
from irkit.ids import Ids, to_bytes, to_text
from irkit.retrieval import vectors
from irkit.retrieval.dense_files import load_index, save_index
from irkit.retrieval.dense_index import DenseIndex, build_index, join_indexes
from irkit.retrieval.dense_ranking import Hits, Places, best
from irkit.retrieval.encoder import Encoder, card_of
from irkit.retrieval.faiss_index import Way, exhaustive_way, own_way
from irkit.retrieval.index_kinds import Flat, Hnsw, Ivf, IvfPq, ScalarQuantised, check_search
from irkit.retrieval.ranking import Allowed, Detail, Retrieved, check_depth, note_of_topics
from irkit.runs import Run
from irkit.spelling import counted

if TYPE_CHECKING:
    from irkit.documents import Document
    from irkit.topics import Topic

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

_NONE = Hits(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


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
    ef_search: int | None = None,
    n_probes: int | None = None,
    query_prefix: str | None = None,
    recall: int | None = None,
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
        The documents that a topic may return, or None for all. Applied before the cut at k: such a topic is compared
        with every document that it may return, exactly, whatever the kind of index.
    floor : float, optional
        Abstain: a topic whose best allowed document scores less returns nothing.
    ef_search : int, optional
        Of an hnsw index: candidates kept on the way, 128 if not given; never fewer than are fetched.
    n_probes : int, optional
        Of an ivf or ivf-pq index: lists searched, a sixteenth of them if not given.
    query_prefix : str, optional
        What is put before each topic's text; what the index was built with if not given.
    recall : int, optional
        Also note how many of the first `recall` documents of an exact search are found; see `IndexRecall`.
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
        If k is below 1, the floor is nan, or the kind of index has no such parameter.
    """
    check_depth(k)
    if floor is not None and math.isnan(floor):
        raise UsageError("the floor is nan; give the least score that is evidence enough")
    check_search(index.kind, {"ef_search": ef_search, "n_probes": n_probes})
    _check_encoder(index, encoder)
    topics = list(topics)
    asked = [topic for topic in topics if topic.text.strip()]
    prefix = _query_prefix(index, encoder, query_prefix)
    encoded = vectors.encode([prefix + topic.text for topic in asked], encoder, description="encoding topics")
    ids = [topic.id for topic in asked]
    filters = [allowed(topic) for topic in asked] if allowed else None
    run = search_vectors(
        index, ids, encoded.vectors, k=k, allowed=filters, ef_search=ef_search, n_probes=n_probes, tag=tag
    )
    measured = None
    if recall is not None and asked and index.ids:
        measured = recall_of_vectors(index, encoded.vectors, recall, ef_search=ef_search, n_probes=n_probes)
    found = set(run.topics)
    abstained: set[str] = set()
    if floor is not None:
        run, abstained = _above(run, floor)
    notes = (
        *note_of_topics([topic.id for topic in topics if not topic.text.strip()], "without text, not searched"),
        *note_of_topics([one.id for one in asked if one.id not in found], "whose filters no document passes"),
        *note_of_topics(
            [one.id for one in asked if one.id in abstained],
            f"abstained from, since no document scores {floor:g}" if floor is not None else "",
        ),
        *((f"the {index.kind} index {measured}",) if measured else ()),
        *_notes_of_index(index, encoder),
        *_note_of_truncated(encoder, int(encoded.truncated.sum()), len(asked), "topic"),
    )
    details: dict[str, Detail] = {
        "engine": "dense",
        "k": k,
        "kind": index.kind,
        **own_way(index.index, ef_search=ef_search, n_probes=n_probes).searched_by,
        "encoder": encoder.name,
        "max_length": encoder.max_length,
        "query_prefix": prefix,
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


def search_vectors(
    index: DenseIndex,
    topics: Sequence[str],
    queries: vectors.Array,
    *,
    k: int = 1000,
    allowed: Sequence[frozenset[str] | None] | None = None,
    ef_search: int | None = None,
    n_probes: int | None = None,
    tag: str = "dense",
) -> Run:
    """Rank an index for vectors that are there already; what `search_index` does once the topics are encoded.

    Parameters
    ----------
    index : DenseIndex
    topics : sequence of T str
        Ids of the topics, each once.
    queries : float32 array of shape (T, dimensions)
    allowed : sequence of T sets of ids, optional
        The documents that each topic may return; None for all.
    k, ef_search, n_probes, tag
        As `search_index` takes them.

    Returns
    -------
    Run
        A topic that may return no document of the index has no lines.

    Raises
    ------
    DataError
        If the vectors are of another size than those of the index, or one is not finite.
    UsageError
        As `search_index`; if there are not as many vectors as topics.
    """
    check_depth(k)
    check_search(index.kind, {"ef_search": ef_search, "n_probes": n_probes})
    queries = np.ascontiguousarray(queries, dtype=np.float32)
    _check_queries(index, topics, queries)
    filters = [None] * len(topics) if allowed is None else list(allowed)
    parts = []
    for documents, rows in _grouped(filters).items():
        if documents is None:
            way, n = own_way(index.index, ef_search=ef_search, n_probes=n_probes), len(index.ids)
        else:
            mask = np.fromiter((one in documents for one in index.ids), dtype=np.bool_, count=len(index.ids))
            way, n = exhaustive_way(index.index, mask), int(mask.sum())
        parts.append(_found(index, way, queries, rows, k, n))
    return _run(parts, topics, index.column, tag)


@dataclass(frozen=True, slots=True)
class IndexRecall:
    """How much of the exact answer an index finds.

    Attributes
    ----------
    recall : float
        Of the k documents that an exact search finds, the share that the index finds, averaged over topics.
    least : float
        That of the worst topic.
    k, n_topics : int
    against : str
        What the exact search compares: "its vectors", which an ivf-pq or sq8 index has compressed, or "the documents".
    """

    recall: float
    least: float
    k: int
    n_topics: int
    against: str

    def __str__(self) -> str:
        return (
            f"finds {self.recall:.4f} of the exact top {self.k} of {self.against} "
            f"({counted(self.n_topics, 'topic')}; {self.least:.4f} at worst)"
        )


def recall_of_index(
    index: DenseIndex,
    topics: "Iterable[Topic]",
    encoder: Encoder,
    k: int = 10,
    *,
    ef_search: int | None = None,
    n_probes: int | None = None,
    query_prefix: str | None = None,
    documents: "Iterable[Document] | None" = None,
) -> IndexRecall:
    """Compare the first k documents that an index finds with those of an exact search.

    Parameters
    ----------
    index : DenseIndex
    topics : iterable of Topic
        Those without text are left out.
    encoder : Encoder
    k : int
        Documents of each topic, at least 1.
    ef_search, n_probes, query_prefix
        As `search_index` takes them.
    documents : iterable of Document, optional
        The documents of the index: their own vectors (from the cache, where they are) are then searched, which shows
        what compression loses. By default the vectors in the index are, every one of them.

    Raises
    ------
    DataError
        If index and encoder do not fit, or there is no document or no topic with a text.
    UsageError
        As `search_index`.
    """
    _check_encoder(index, encoder)
    prefix = _query_prefix(index, encoder, query_prefix)
    texts = [prefix + topic.text for topic in topics if topic.text.strip()]
    exact = index
    if documents is not None:
        manifest = index.manifest
        exact = build_index(
            documents,
            encoder,
            fields=manifest.fields or None if manifest else None,
            document_prefix=manifest.document_prefix if manifest else None,
        )
    queries = vectors.encode(texts, encoder, description="encoding topics").vectors
    return recall_of_vectors(index, queries, k, ef_search=ef_search, n_probes=n_probes, exact=exact)


def recall_of_vectors(
    index: DenseIndex,
    queries: vectors.Array,
    k: int = 10,
    *,
    ef_search: int | None = None,
    n_probes: int | None = None,
    exact: DenseIndex | None = None,
) -> IndexRecall:
    """`recall_of_index` for vectors of topics, shape (T, dimensions), that are there already.

    `exact` is the index whose vectors are all compared; the index itself if not given.

    Raises
    ------
    DataError
        If there is nothing to find; or as `search_vectors`.
    UsageError
        As `search_vectors`.
    """
    if not len(queries) or not index.ids:
        raise DataError("there is no topic with a text, or no document, so there is nothing to find")
    topics = list(map(str, range(len(queries))))
    found = search_vectors(index, topics, queries, k=k, ef_search=ef_search, n_probes=n_probes).to_dict()
    truth = exact or index
    part = _found(truth, exhaustive_way(truth.index), queries, np.arange(len(queries)), k, len(truth.ids))
    wanted = _run([part], topics, truth.column, "exact").to_dict()
    shares = [len(found.get(topic, {}).keys() & first) / len(first) for topic, first in wanted.items()]
    against = "its vectors" if truth is index else "the documents"
    return IndexRecall(sum(shares) / len(shares), min(shares), k, len(shares), against)


def _grouped(filters: Sequence[frozenset[str] | None]) -> dict[frozenset[str] | None, Places]:
    rows: dict[frozenset[str] | None, list[int]] = {}
    for row, documents in enumerate(filters):
        rows.setdefault(documents, []).append(row)
    return {documents: np.array(chosen) for documents, chosen in rows.items()}


def _found(index: DenseIndex, way: Way, queries: vectors.Array, rows: Places, k: int, n: int) -> Hits:
    some = queries if len(rows) == len(queries) else queries[rows]
    hits = best(way, some, k, n, index.column)
    return hits._replace(query=rows[hits.query])


def _run(parts: Sequence[Hits], topics: Sequence[str], ids: Ids, tag: str) -> Run:
    query, place, score = (np.concatenate(columns) for columns in zip(*parts, strict=True)) if parts else _NONE
    if len(parts) > 1 or (query[1:] < query[:-1]).any():
        order = np.argsort(query, kind="stable")
        query, place, score = query[order], place[order], score[order]
    counts = np.bincount(query, minlength=len(topics)).tolist()
    names = Ids.of(map(to_bytes, topics)).repeated(counts)
    ranked = _kernel.rank(names, ids.taken(place), score, to_bytes(tag))
    return Run(tuple(map(to_text, ranked.topics)), ranked.starts, ranked.documents, ranked.scores, tag, tag)


def _above(run: Run, floor: float) -> tuple[Run, set[str]]:
    """The run without the topics whose best score is below the floor, and these."""
    below = run.scores[run.starts[:-1]] < floor
    if not below.any():
        return run, set()
    left = {topic for topic, out in zip(run.topics, below.tolist(), strict=True) if out}
    kept = {topic: scores for topic, scores in run.to_dict().items() if topic not in left}
    return Run.from_scores(kept, run.tag, run.name), left


def _query_prefix(index: DenseIndex, encoder: Encoder, given: str | None) -> str:
    if given is not None:
        return given
    return card_of(encoder).query_prefix if index.manifest is None else index.manifest.query_prefix


def _check_encoder(index: DenseIndex, encoder: Encoder) -> None:
    if index.index.d != encoder.dimensions:
        raise DataError(
            f"the index has {index.index.d} dimensions, encoder {encoder.name} gives {encoder.dimensions}; "
            "search with the encoder that made the index"
        )
    manifest = index.manifest
    if manifest is None or manifest.encoder == encoder.identity:
        return
    made = f"encoder {manifest.encoder_name or 'of another name'}"
    if manifest.encoder_name == encoder.name:
        lengths = manifest.max_length, encoder.max_length
        differ = f"{lengths[0]} tokens, now {lengths[1]}" if len(set(lengths)) > 1 else "weights or settings differ"
        raise DataError(f"the index was made by another {made} ({differ}); build it again, or use that one")
    raise DataError(f"the index was made by {made}, not by {encoder.name}; build it again, or use that one")


def _check_queries(index: DenseIndex, topics: Sequence[str], queries: vectors.Array) -> None:
    if queries.ndim != 2 or len(queries) != len(topics):
        raise UsageError(f"{counted(len(topics), 'topic')} need a matrix of as many rows, not {queries.shape}")
    if len(set(topics)) < len(topics):
        raise UsageError("a topic stands twice; each has one vector")
    if queries.shape[1] != index.index.d:
        raise DataError(f"the index has {index.index.d} dimensions, the queries have {queries.shape[1]}")
    if not np.isfinite(queries).all():
        row = int(np.flatnonzero(~np.isfinite(queries).all(axis=1))[0])
        raise DataError(f"the vector of topic {topics[row]!r} is not finite")


def _notes_of_index(index: DenseIndex, encoder: Encoder) -> tuple[str, ...]:
    manifest = index.manifest
    if manifest is None:
        return ()
    empty = f"{manifest.empty} of {counted(len(index.ids), 'document')} without text, ranked all the same"
    return (
        *((empty,) if manifest.empty else ()),
        *_note_of_truncated(encoder, manifest.truncated, len(index.ids), "document"),
    )


def _note_of_truncated(encoder: Encoder, n: int, total: int, noun: str) -> tuple[str, ...]:
    if not n:
        return ()
    return (f"{encoder.name} reads {encoder.max_length} tokens: {n} of {counted(total, noun)} truncated",)
