"""Query and document as vectors that meet in the score only, so that a document's are computed once."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.retrieval.encoder import Encoder

Array: TypeAlias = npt.NDArray[np.float32]
Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Array]]

HELD_BYTES: Final = 1 << 30  # enough for the token vectors of about 5,000 abstracts


def maxsim(query: Array, documents: Sequence[Array]) -> npt.NDArray[np.float64]:
    """Compute, for n documents, the mean over query vectors of the maximum product with a document vector.

    Parameters
    ----------
    query : float array of shape (q, dimensions)
    documents : sequence of n float arrays of shape (d, dimensions)
        All vectors have length 1, so that the product is the cosine; q and each d are at least 1.

    Returns
    -------
    float64 array of shape (n,), each in [-1, 1]
        The mean, where the paper has the sum: the ranking is the same, and queries of any length share a scale.

    References
    ----------
    Khattab and Zaharia, "ColBERT", SIGIR 2020, section 3.2.
    """
    if not documents:
        return np.zeros(0)
    starts = np.cumsum([0, *map(len, documents)])[:-1]
    # One product for all documents, because each product waits for threads if the cores are busy.
    products = np.concatenate(documents) @ query.T
    means: npt.NDArray[np.float64] = np.maximum.reduceat(products, starts, axis=0).mean(axis=1, dtype=np.float64)
    return means


class _Embedded(NamedTuple):
    vectors: Array
    truncated: bool


class Interaction:
    """Ranks by `maxsim` of the vectors of query and document; implements `Reranker`.

    With a single vector for each text this is their cosine; with a vector for each token it is late interaction.

    Parameters
    ----------
    kind : str
        Name of the method, shown with the encoder.
    encoder : Encoder
        Encoder behind the vectors; its limits decide which texts are truncated.
    embed : function
        Returns the vectors of n texts, each array of shape (number of vectors, dimensions), not scaled.
    held_bytes : int
        Memory for vectors of documents; beyond it the oldest are dropped, except those of the current topic.
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
        """Encode the documents and keep their vectors; see `Reranker.prepare`."""
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
        """Score documents by `maxsim`; see `Reranker.score`."""
        self.prepare(texts)
        query_vectors = self._of_query(query).vectors
        return maxsim(query_vectors, [self._held[text].vectors for text in texts])

    def truncated(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether query or document is truncated; see `Reranker.truncated`."""
        self.prepare(texts)
        query_truncated = self._of_query(query).truncated
        return np.array([query_truncated or self._held[text].truncated for text in texts], dtype=np.bool_)

    def _of_query(self, query: str) -> _Embedded:
        """Return the vectors of a query; the last ones are kept, because `truncated` needs them after `score`."""
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
