"""Recall of an approximate index: the share of the exact results that it finds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irkit._utils.text import counted
from irkit.errors import DataError
from irkit.retrieval.dense.engine import Vectors
from irkit.retrieval.dense.index import DenseIndex, build_index
from irkit.retrieval.dense.topic_vectors import encoded_topics
from irkit.retrieval.dense.vector_search import exact_run, search_vectors
from irkit.retrieval.encoder import Encoder

if TYPE_CHECKING:
    from irkit.data.documents import Document
    from irkit.data.topics import Topic


@dataclass(frozen=True, slots=True)
class IndexRecall:
    """Share of the documents of an exact search that an index finds.

    Attributes
    ----------
    recall : float
        Share of the k documents of an exact search that the index finds, averaged over topics.
    least : float
        The share of the worst topic.
    k, n_topics : int
    against : str
        Vectors of the exact search: "its vectors" (of the index, compressed by ivf-pq and sq8), or "the documents".
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
    """Compare the first k documents found by an index with those of an exact search.

    Parameters
    ----------
    index : DenseIndex
    topics : iterable of Topic
        Topics without text are left out.
    encoder : Encoder
    k : int
        Number of documents for each topic, at least 1.
    ef_search, n_probes, query_prefix
        As in `search_index`.
    documents : iterable of Document, optional
        The documents of the index: the exact search then compares their own vectors (cached, if known), which shows
        the loss by compression. By default it compares all vectors of the index.

    Raises
    ------
    DataError
        If index and encoder do not fit, or there is no document or no topic with a text.
    UsageError
        As `search_index`.
    """
    with_text = [topic for topic in topics if topic.text.strip()]
    queries = encoded_topics(index, with_text, encoder, query_prefix).vectors
    exact = index
    if documents is not None:
        manifest = index.manifest
        exact = build_index(
            documents,
            encoder,
            fields=manifest.fields or None if manifest else None,
            document_prefix=manifest.document_prefix if manifest else None,
        )
    return recall_of_vectors(index, queries, k, ef_search=ef_search, n_probes=n_probes, exact=exact)


def recall_of_vectors(
    index: DenseIndex,
    queries: Vectors,
    k: int = 10,
    *,
    ef_search: int | None = None,
    n_probes: int | None = None,
    exact: DenseIndex | None = None,
) -> IndexRecall:
    """Compute `recall_of_index` from vectors of topics, shape (T, dimensions).

    `exact` is the index for the exact search; by default the index itself.

    Raises
    ------
    DataError
        If there is no topic or no document; or as in `search_vectors`.
    UsageError
        As in `search_vectors`.
    """
    if not len(queries) or not index.ids:
        raise DataError("there is no topic with a text, or no document, so there is nothing to find")
    topics = list(map(str, range(len(queries))))
    approximate = search_vectors(index, topics, queries, k=k, ef_search=ef_search, n_probes=n_probes).to_dict()
    truth = exact or index
    expected = exact_run(truth, topics, queries, k).to_dict()
    shares = [len(approximate.get(topic, {}).keys() & first) / len(first) for topic, first in expected.items()]
    against = "its vectors" if truth is index else "the documents"
    return IndexRecall(sum(shares) / len(shares), min(shares), k, len(shares), against)
