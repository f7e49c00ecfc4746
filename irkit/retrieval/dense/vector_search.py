"""Vectors of topics against an index, into a run."""

from collections.abc import Sequence

import numpy as np

from irkit import _kernel
from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.ids import Ids, to_bytes, to_text
from irkit.retrieval.dense.engine import SearchMode, Vectors, exhaustive_mode, usual_mode
from irkit.retrieval.dense.index import DenseIndex
from irkit.retrieval.dense.ranking import Hits, Places, best
from irkit.retrieval.index_kinds import check_search
from irkit.retrieval.ranking import check_depth

_NONE = Hits(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def search_vectors(
    index: DenseIndex,
    topics: Sequence[str],
    queries: Vectors,
    *,
    k: int = 1000,
    allowed: Sequence[frozenset[str] | None] | None = None,
    ef_search: int | None = None,
    n_probes: int | None = None,
    tag: str = "dense",
) -> Run:
    """Rank the documents of an index for given topic vectors; `search_index` encodes topics, then does the same.

    Parameters
    ----------
    index : DenseIndex
    topics : sequence of T str
        Ids of the topics, without repetition.
    queries : float32 array of shape (T, dimensions)
    allowed : sequence of T sets of ids, optional
        Documents allowed for each topic; None for all.
    k, ef_search, n_probes, tag
        As in `search_index`.

    Returns
    -------
    Run
        A topic without allowed documents in the index has no lines.

    Raises
    ------
    DataError
        If the dimensions differ from those of the index, or a vector is not finite.
    UsageError
        As in `search_index`; or if the numbers of vectors and topics differ.
    """
    check_depth(k)
    check_search(index.kind, {"ef_search": ef_search, "n_probes": n_probes})
    queries = np.ascontiguousarray(queries, dtype=np.float32)
    _check_queries(index, topics, queries)
    filters = [None] * len(topics) if allowed is None else list(allowed)
    parts = []
    for documents, rows in _grouped(filters).items():
        if documents is None:
            mode, n = usual_mode(index.index, k, ef_search=ef_search, n_probes=n_probes), len(index.ids)
        else:
            mask = np.fromiter((document in documents for document in index.ids), dtype=np.bool_, count=len(index.ids))
            mode, n = exhaustive_mode(index.index, mask), int(mask.sum())
        parts.append(_hits(index, mode, queries, rows, k, n))
    return _run(parts, topics, index.column, tag)


def exact_run(index: DenseIndex, topics: Sequence[str], queries: Vectors, k: int) -> Run:
    """Make the run of an exact search over the vectors in an index of any kind."""
    everything = np.arange(len(topics))
    return _run(
        [_hits(index, exhaustive_mode(index.index), queries, everything, k, len(index.ids))],
        topics,
        index.column,
        "exact",
    )


def _grouped(filters: Sequence[frozenset[str] | None]) -> dict[frozenset[str] | None, Places]:
    rows: dict[frozenset[str] | None, list[int]] = {}
    for row, documents in enumerate(filters):
        rows.setdefault(documents, []).append(row)
    return {documents: np.array(chosen) for documents, chosen in rows.items()}


def _hits(index: DenseIndex, mode: SearchMode, queries: Vectors, rows: Places, k: int, n: int) -> Hits:
    some = queries if len(rows) == len(queries) else queries[rows]
    hits = best(mode, some, k, n, index.column)
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


def _check_queries(index: DenseIndex, topics: Sequence[str], queries: Vectors) -> None:
    if queries.ndim != 2 or len(queries) != len(topics):
        raise UsageError(f"{counted(len(topics), 'topic')} need a matrix of as many rows, not {queries.shape}")
    if len(set(topics)) < len(topics):
        raise UsageError("a topic stands twice; each topic has one vector")
    if queries.shape[1] != index.index.d:
        raise DataError(f"the index has {index.index.d} dimensions, the queries have {queries.shape[1]}")
    if not np.isfinite(queries).all():
        row = int(np.flatnonzero(~np.isfinite(queries).all(axis=1))[0])
        raise DataError(f"the vector of topic {topics[row]!r} is not finite")
