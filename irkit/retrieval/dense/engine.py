"""Build FAISS indexes from vectors, and search them in their usual mode or exhaustively."""

import importlib.util
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, MissingDependencyError
from irkit.retrieval.index_kinds import Hnsw, IndexKind

Vectors: TypeAlias = npt.NDArray[np.float32]
Mask: TypeAlias = npt.NDArray[np.bool_]

EF_SEARCH: Final = 128
PROBED: Final = 1 / 16  # share of the lists that are searched, at least
WANTED_TIMES: Final = 8  # search enough lists to hold this many times k vectors
ADDED_AT_ONCE: Final = 65_536  # vectors
SEED: Final = 1234  # seed of the training sample; FAISS's other seeds are fixed


def load_faiss() -> Any:
    """Import FAISS; MissingDependencyError if it is not installed."""
    if importlib.util.find_spec("faiss") is None:
        raise MissingDependencyError("dense retrieval needs FAISS; pip install 'irkit[retrieval]'")
    import faiss

    return faiss


def make_index(kind: IndexKind, parts: list[Vectors], dimensions: int) -> tuple[Any, IndexKind]:
    """Build an index of this kind over vectors in parts, and return it with the kind and all its parameters.

    Parts are removed from the list as they are added, so memory is about that of the vectors. Equal vectors in the
    same order give an equal index, whatever the parts.
    """
    faiss = load_faiss()
    kind = kind.settled(sum(map(len, parts)), dimensions)
    index = faiss.index_factory(dimensions, kind.factory(), faiss.METRIC_INNER_PRODUCT)
    if isinstance(kind, Hnsw):
        index.hnsw.efConstruction = kind.ef_construction
    if kind.n_trained_on():
        index.train(_sample(parts, kind.n_trained_on()))
    # A graph depends on the vectors that are added in one call, so all blocks have a fixed size.
    for block in _blocks(parts, ADDED_AT_ONCE):
        index.add(block)
    return index, kind


def _sample(parts: Sequence[Vectors], most: int) -> Vectors:
    n = sum(map(len, parts))
    if n <= most:
        return np.concatenate(parts)
    chosen = np.sort(np.random.default_rng(SEED).choice(n, most, replace=False))
    ends = np.cumsum([len(part) for part in parts])
    bounds = np.searchsorted(chosen, [0, *ends])
    rows = zip(parts, ends, bounds, bounds[1:], strict=False)
    return np.concatenate([part[chosen[low:high] - (end - len(part))] for part, end, low, high in rows])


def _blocks(parts: list[Vectors], size: int) -> Iterable[Vectors]:
    """Yield the same vectors in blocks of one size, the last may be shorter; parts are removed from the list."""
    parts.reverse()
    held: list[Vectors] = []
    while parts:
        part = parts.pop()
        while len(part):
            taken = part[: size - sum(map(len, held))]
            held.append(taken)
            part = part[len(taken) :]
            if sum(map(len, held)) == size:
                yield np.concatenate(held) if len(held) > 1 else taken
                held = []
    if held:
        yield np.concatenate(held)


def kind_name(index: Any) -> str:
    """Name the kind of an index: a key of `KINDS`, or FAISS's class name for other kinds."""
    faiss = load_faiss()
    known = (
        ("flat", faiss.IndexFlat),
        ("hnsw", faiss.IndexHNSW),
        ("ivf-pq", faiss.IndexIVFPQ),
        ("ivf", faiss.IndexIVF),
        ("sq8", faiss.IndexScalarQuantizer),
    )
    return next((name for name, index_class in known if isinstance(index, index_class)), type(index).__name__)


class SearchMode(NamedTuple):
    """How an index is searched: the FAISS index, and its search parameters for a number of vectors."""

    index: Any
    parameters: Callable[[int], Any]
    searched_by: dict[str, int]  # ef_search or n_probes

    def search(self, queries: Vectors, depth: int) -> tuple[Vectors, npt.NDArray[np.int64]]:
        """Return scores and places of the best vectors of n queries, each of shape (n, depth); -1 is no vector."""
        try:
            scores, places = self.index.search(queries, depth, params=self.parameters(depth))
        except RuntimeError as problem:
            reason = str(problem).splitlines()[0]
            raise DataError(f"FAISS cannot search this {type(self.index).__name__}: {reason}") from problem
        return scores, places


def usual_mode(index: Any, k: int, *, ef_search: int | None = None, n_probes: int | None = None) -> SearchMode:
    """Return the usual search mode of an index for k vectors: exact if it is flat, else approximate."""
    faiss = load_faiss()
    if isinstance(index, faiss.IndexHNSW):
        width = max(ef_search or EF_SEARCH, k)
        # If efSearch is below the depth, FAISS stops early: with 128 it finds 770 of 1,000 documents.

        def searching(depth: int) -> Any:  # at most the size of the graph, to save memory
            return faiss.SearchParametersHNSW(efSearch=min(max(width, depth), max(1, index.ntotal)))

        return SearchMode(index, searching, {"ef_search": width})
    if isinstance(index, faiss.IndexIVF):
        held = math.ceil(index.nlist * WANTED_TIMES * k / max(index.ntotal, 1))
        probed = min(n_probes or max(math.ceil(index.nlist * PROBED), held), index.nlist)
        return SearchMode(index, lambda _: faiss.SearchParametersIVF(nprobe=probed), {"n_probes": probed})
    return SearchMode(index, lambda _: None, {})


def exhaustive_mode(index: Any, allowed: Mask | None = None) -> SearchMode:
    """Return the search mode that compares every vector, or every vector allowed by a mask over all vectors."""
    faiss = load_faiss()
    # A bitmap (eight vectors in a byte) is faster than FAISS's sets of ids.
    chosen = {} if allowed is None else {"sel": faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))}
    parameters = faiss.SearchParameters(**chosen) if chosen else None
    if isinstance(index, faiss.IndexIVF):
        parameters = faiss.SearchParametersIVF(nprobe=index.nlist, **chosen)
    if isinstance(index, faiss.IndexHNSW):
        index = faiss.downcast_index(index.storage)
    return SearchMode(index, lambda _: parameters, {})


def vectors_of(index: Any) -> Vectors:
    """Return all vectors of an index in their order, shape (n, dimensions); DataError if they are compressed."""
    faiss = load_faiss()
    try:
        if isinstance(index, faiss.IndexIVF):
            index.make_direct_map()
        vectors: Vectors = index.reconstruct_n(0, index.ntotal)
    except RuntimeError as problem:
        raise DataError(f"FAISS cannot reconstruct the vectors of this {type(index).__name__}") from problem
    return vectors
