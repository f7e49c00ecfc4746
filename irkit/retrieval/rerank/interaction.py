"""Query and document as vectors that meet in the score only, so that a document's are computed once."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.retrieval.encoder import Encoder

Array: TypeAlias = npt.NDArray[np.float32]
Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Array]]

HELD_BYTES: Final = 1 << 30  # of documents' vectors: some five thousand abstracts by their tokens


def maxsim(query: Array, documents: Sequence[Array]) -> npt.NDArray[np.float64]:
    """Mean over the query's vectors of the maximum over a document's of their product, for n documents.

    Parameters
    ----------
    query : float array of shape (q, dimensions)
    documents : sequence of n float arrays of shape (d, dimensions)
        All vectors of length 1, so that the product is the cosine; q and each d are at least 1.

    Returns
    -------
    float64 array of shape (n,), each in [-1, 1]
        The mean, not the sum of the paper: it ranks the same, and topics of any length share one scale.

    References
    ----------
    Khattab and Zaharia, "ColBERT", SIGIR 2020, section 3.2.
    """
    if not documents:
        return np.zeros(0)
    starts = np.cumsum([0, *map(len, documents)])[:-1]
    # One product for all: where other programs keep the cores busy, each waits for its threads.
    products = np.concatenate(documents) @ query.T
    means: npt.NDArray[np.float64] = np.maximum.reduceat(products, starts, axis=0).mean(axis=1, dtype=np.float64)
    return means


class _Embedded(NamedTuple):
    vectors: Array
    truncated: bool


class Interaction:
    """Ranks by `maxsim` of the vectors of query and document; satisfies `Reranker`.

    With one vector a text this is the cosine of two; with one a token it is late interaction.

    Parameters
    ----------
    kind : str
        What to call it, beside the encoder.
    encoder : Encoder
        Which says what is cut short, and who the vectors are of.
    embed : function
        Gives n texts their vectors, each of shape (number of vectors, dimensions) and of any length.
    held_bytes : int
        Once more of documents' vectors are held, the oldest go; those of one topic are held in any case.
    """

    def __init__(self, kind: str, encoder: Encoder, embed: Embed, *, held_bytes: int = HELD_BYTES) -> None:
        self.name = f"{encoder.name} {kind}"
        self.identity = f"{kind} {encoder.identity}"
        self.max_length = encoder.max_length
        self._encoder = encoder
        self._embed = embed
        self._limit = held_bytes
        self._held: dict[str, _Embedded] = {}
        self._bytes = 0
        self._query = ""
        self._embedded_query: _Embedded | None = None

    def prepare(self, texts: Sequence[str]) -> int:
        """As `Reranker.prepare`."""
        new = [text for text in dict.fromkeys(texts) if text not in self._held]
        for text, embedded in zip(new, self._embedded(new), strict=True):
            self._held[text] = embedded
            self._bytes += embedded.vectors.nbytes
        if self._bytes > self._limit:
            needed = set(texts)
            for text in [text for text in self._held if text not in needed]:
                self._bytes -= self._held.pop(text).vectors.nbytes
                if self._bytes <= self._limit:
                    break
        return len(new)

    def score(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """As `Reranker.score`."""
        self.prepare(texts)
        asked = self._of_query(query).vectors
        return maxsim(asked, [self._held[text].vectors for text in texts])

    def truncated(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """As `Reranker.truncated`."""
        self.prepare(texts)
        asked = self._of_query(query).truncated
        return np.array([asked or self._held[text].truncated for text in texts], dtype=np.bool_)

    def _of_query(self, query: str) -> _Embedded:
        """The query's vectors; those of the last one are kept, which `truncated` asks for after `score`."""
        if self._embedded_query is None or query != self._query:
            self._query, self._embedded_query = query, self._embedded([query])[0]
        return self._embedded_query

    def _embedded(self, texts: Sequence[str]) -> list[_Embedded]:
        if not texts:
            return []
        cut = self._encoder.truncated(texts).tolist()
        return [_Embedded(_unit(vectors), was) for vectors, was in zip(self._embed(texts), cut, strict=True)]


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
    return unit
