"""FAISS as irkit uses it: an index of a kind is made from vectors, and searched in its own way or exhaustively."""

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
PROBED: Final = 1 / 16  # of the lists, or more:
WANTED_TIMES: Final = 8  # as many lists as hold so many vectors for each that is wanted
ADDED_AT_ONCE: Final = 65_536  # vectors
SEED: Final = 1234  # of the sample to train on; the others are FAISS's own, and fixed


def load_faiss() -> Any:
    """The module.

    Raises
    ------
    MissingDependencyError
    """
    if importlib.util.find_spec("faiss") is None:
        raise MissingDependencyError("dense retrieval needs FAISS; pip install 'irkit[retrieval]'")
    import faiss

    return faiss


def make_index(kind: IndexKind, parts: list[Vectors], dimensions: int) -> tuple[Any, IndexKind]:
    """An index of this kind over vectors that come in parts, and the kind with all its parameters.

    Each part is let go once its vectors are in the index, and so is gone from the list: memory is about that of the
    vectors. Equal vectors in the same order give an equal index, whatever the parts.

    Raises
    ------
    UsageError
        If the kind does not fit the vectors.
    """
    faiss = load_faiss()
    kind = kind.settled(sum(map(len, parts)), dimensions)
    index = faiss.index_factory(dimensions, kind.factory(), faiss.METRIC_INNER_PRODUCT)
    if isinstance(kind, Hnsw):
        index.hnsw.efConstruction = kind.ef_construction
    if kind.n_trained_on():
        index.train(_sample(parts, kind.n_trained_on()))
    # A graph depends on which vectors are added together.
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
    """The same vectors in blocks of one size, the last one shorter; the parts are taken from the list."""
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
    """What kind of index it is: one of `KINDS`, or FAISS's name for one that irkit does not make."""
    faiss = load_faiss()
    known = (
        ("flat", faiss.IndexFlat),
        ("hnsw", faiss.IndexHNSW),
        ("ivf-pq", faiss.IndexIVFPQ),
        ("ivf", faiss.IndexIVF),
        ("sq8", faiss.IndexScalarQuantizer),
    )
    return next((name for name, one in known if isinstance(index, one)), type(index).__name__)


class SearchMode(NamedTuple):
    """How an index is searched: which part of it, with which parameters of FAISS for how many vectors wanted."""

    index: Any
    parameters: Callable[[int], Any]
    searched_by: dict[str, int]  # ef_search or n_probes

    def search(self, queries: Vectors, depth: int) -> tuple[Vectors, npt.NDArray[np.int64]]:
        """Scores and places of the best vectors of n queries, each of shape (n, depth); -1 is no place.

        Raises
        ------
        DataError
            If FAISS cannot search so.
        """
        try:
            scores, places = self.index.search(queries, depth, params=self.parameters(depth))
        except RuntimeError as problem:
            reason = str(problem).splitlines()[0]
            raise DataError(f"FAISS cannot search this {type(self.index).__name__}: {reason}") from problem
        return scores, places


def own_way(index: Any, k: int, *, ef_search: int | None = None, n_probes: int | None = None) -> SearchMode:
    """As its kind is meant to be searched for k vectors: exactly if it is flat, else approximately."""
    faiss = load_faiss()
    if isinstance(index, faiss.IndexHNSW):
        width = max(ef_search or EF_SEARCH, k)
        # With less than the depth FAISS leaves the graph early: of 1,000 documents it finds 770 with 128.

        def searching(depth: int) -> Any:  # no more widely than the whole graph, which would only take memory
            return faiss.SearchParametersHNSW(efSearch=min(max(width, depth), max(1, index.ntotal)))

        return SearchMode(index, searching, {"ef_search": width})
    if isinstance(index, faiss.IndexIVF):
        held = math.ceil(index.nlist * WANTED_TIMES * k / max(index.ntotal, 1))
        probed = min(n_probes or max(math.ceil(index.nlist * PROBED), held), index.nlist)
        return SearchMode(index, lambda _: faiss.SearchParametersIVF(nprobe=probed), {"n_probes": probed})
    return SearchMode(index, lambda _: None, {})


def exhaustive_way(index: Any, allowed: Mask | None = None) -> SearchMode:
    """Every vector is compared, or every one that is allowed; a mask over all vectors says which."""
    faiss = load_faiss()
    # Eight vectors a byte: the sets of FAISS are slower.
    chosen = {} if allowed is None else {"sel": faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))}
    parameters = faiss.SearchParameters(**chosen) if chosen else None
    if isinstance(index, faiss.IndexIVF):
        parameters = faiss.SearchParametersIVF(nprobe=index.nlist, **chosen)
    if isinstance(index, faiss.IndexHNSW):
        index = faiss.downcast_index(index.storage)
    return SearchMode(index, lambda _: parameters, {})


def vectors_of(index: Any) -> Vectors:
    """All vectors of an index in their order, shape (n, dimensions).

    Raises
    ------
    DataError
        If it does not hold them.
    """
    faiss = load_faiss()
    try:
        if isinstance(index, faiss.IndexIVF):
            index.make_direct_map()
        vectors: Vectors = index.reconstruct_n(0, index.ntotal)
    except RuntimeError as problem:
        raise DataError(f"FAISS cannot give back the vectors of this {type(index).__name__}") from problem
    return vectors
