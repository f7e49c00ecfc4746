"""How much of the exact answer an approximate index finds."""

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
    asked = [topic for topic in topics if topic.text.strip()]
    queries = encoded_topics(index, asked, encoder, query_prefix).vectors
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
    wanted = exact_run(truth, topics, queries, k).to_dict()
    shares = [len(found.get(topic, {}).keys() & first) / len(first) for topic, first in wanted.items()]
    against = "its vectors" if truth is index else "the documents"
    return IndexRecall(sum(shares) / len(shares), min(shares), k, len(shares), against)
