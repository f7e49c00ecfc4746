"""A dense index: vectors of documents in FAISS, built from an encoder, or joined from several."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from irkit._utils.progress import progress
from irkit._utils.text import counted
from irkit.errors import DataError, UsageError
from irkit.ids import Ids, to_bytes
from irkit.retrieval import vectors
from irkit.retrieval.dense.engine import kind_name, load_faiss, make_index, vectors_of
from irkit.retrieval.encoder import MINILM, Encoder, card_of
from irkit.retrieval.index_kinds import Flat, IndexKind, kind_of, parameters_of
from irkit.retrieval.manifest import DenseManifest, Fingerprint
from irkit.retrieval.texts import CONTENTS, FieldCheck, document_text

if TYPE_CHECKING:
    from irkit.data.documents import Document

DOCUMENTS_AT_ONCE: Final = 8192  # texts in memory at a time; also the size of a cache file


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """Vectors of documents in a FAISS index, with their ids.

    Attributes
    ----------
    index : faiss.Index
        An index by inner product; vector i belongs to `ids[i]`.
    ids : tuple of str
    manifest : DenseManifest or None
        None for an index made by another program.
    column : Ids
        The ids as a column of bytes.

    Raises
    ------
    FormatError
        If an id holds an unpaired surrogate.
    DataError
        If the numbers of vectors and ids differ, an id is repeated, or the index does not number its vectors from 0.
    """

    index: Any
    ids: tuple[str, ...]
    manifest: DenseManifest | None
    column: Ids = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        faiss = load_faiss()
        if self.index.metric_type != faiss.METRIC_INNER_PRODUCT:
            raise DataError("the dense index compares by distance; irkit searches by inner product")
        if isinstance(self.index, faiss.IndexIDMap):
            raise DataError(
                f"the dense index is an {type(self.index).__name__}, which has its own numbers for vectors; irkit "
                "takes the id in line i for vector i: save the index inside it"
            )
        if self.index.ntotal != len(self.ids):
            raise DataError(
                f"the dense index holds {counted(self.index.ntotal, 'vector')}, {counted(len(self.ids), 'id')}; "
                "build it again"
            )
        if len(set(self.ids)) < len(self.ids):
            seen: set[str] = set()
            twice = next(name for name in self.ids if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise DataError(f"document id {twice!r} stands twice; each document needs its own id")
        object.__setattr__(self, "column", _column(self.ids))

    @property
    def kind(self) -> str:
        """Name of the kind: a key of `KINDS`, or FAISS's class name for other kinds."""
        return kind_name(self.index)

    @property
    def encoder_name(self) -> str:
        """Name of its encoder for `load_encoder`, as far as it is known; else the default."""
        return self.manifest.encoder_name or MINILM if self.manifest else MINILM

    @property
    def encoder_options(self) -> dict[str, bool]:
        """Options with which `load_encoder` loads its encoder."""
        return {} if self.manifest is None or self.manifest.normalised else {"normalise": False}


def build_index(
    documents: "Iterable[Document]",
    encoder: Encoder,
    *,
    fields: Sequence[str] | None = None,
    kind: IndexKind | None = None,
    query_prefix: str | None = None,
    document_prefix: str | None = None,
) -> DenseIndex:
    """Encode documents, or read their vectors from the cache, and index them.

    Memory holds the texts of a few thousand documents at a time, and the vectors and ids of all.

    Parameters
    ----------
    documents : iterable of Document
    encoder : Encoder
    fields : sequence of str, optional
        Document fields that form the text; by default the document's own text, whose name is `contents`.
    kind : IndexKind, optional
        `Flat()` by default, which is exact; or `Hnsw()`, `Ivf()`, `IvfPq()`, `ScalarQuantised()`.
    query_prefix, document_prefix : str, optional
        Text before each topic and document, as in the training of the model ("query: " and "passage: " for E5). By
        default those of the encoder. The index keeps both; a search puts the query prefix before topics.

    Raises
    ------
    DataError
        If a document id is repeated.
    UsageError
        If a field is in no document, or there are too few documents to train the kind of index.
    MissingDependencyError
        If FAISS is missing.
    """
    faiss = load_faiss()
    card = card_of(encoder)
    prefix = card.document_prefix if document_prefix is None else document_prefix
    ids: list[str] = []
    parts: list[vectors.Array] = []
    truncated = empty = 0
    fingerprint = Fingerprint()
    check = FieldCheck(name for name in fields or () if name != CONTENTS)
    store = vectors.VectorStore(encoder)
    total = len(documents) if isinstance(documents, Sized) else None
    with progress("encoding documents", total) as advance:
        for batch in _batches(documents):
            texts = []
            for document in batch:
                check.see(document)
                text = document_text(document, fields)
                ids.append(document.id)
                texts.append(prefix + text)
                empty += not text.strip()
                fingerprint.add(document.id, (text,))
            encoded = store.encode(texts, advance)
            parts.append(encoded.vectors)
            truncated += int(encoded.truncated.sum())
    check.finish()
    index, settled = make_index(kind or Flat(), parts, encoder.dimensions)
    manifest = DenseManifest(
        kind="dense",
        documents=len(ids),
        indexed=len(ids),
        ids=fingerprint.ids,
        content=fingerprint.content,
        fields=tuple(fields or ()),
        versions={"faiss": faiss.__version__},
        encoder=encoder.identity,
        dimensions=encoder.dimensions,
        truncated=truncated,
        encoder_name=encoder.name,
        max_length=encoder.max_length,
        pooling=card.pooling,
        normalised=card.normalised,
        empty=empty,
        query_prefix=card.query_prefix if query_prefix is None else query_prefix,
        document_prefix=prefix,
        index_kind=settled.name,
        parameters=parameters_of(settled),
    )
    return DenseIndex(index, tuple(ids), manifest)


def join_indexes(parts: Sequence[DenseIndex], *, kind: IndexKind | None = None) -> DenseIndex:
    """Join several indexes into one, in their order; the result equals an index built from all documents.

    Parameters
    ----------
    parts : sequence of DenseIndex
        At least one index; all made by the same encoder with the same prefixes and fields. Their vectors are indexed
        again, so kinds may differ; a compressed index has lost its vectors and cannot be a part.
    kind : IndexKind, optional
        Kind of the new index; by default that of the first part.

    Raises
    ------
    UsageError
        If there is no part, or too few documents to train the kind.
    DataError
        If the parts do not fit together, a part is compressed, or a document is in two parts.
    """
    if not parts:
        raise UsageError("there is no index to join; give at least one")
    first = parts[0].manifest
    for number, part in enumerate(parts, 1):
        if first is None or part.manifest is None:
            raise DataError(f"index {number} has no manifest of irkit, so its encoder is unknown; build it with irkit")
        for what in ("encoder", "query_prefix", "document_prefix", "fields"):
            ours, theirs = getattr(first, what), getattr(part.manifest, what)
            if ours != theirs:
                raise DataError(f"indexes 1 and {number} do not fit: {what} {ours!r} and {theirs!r}")
        if part.kind in ("ivf-pq", "sq8"):
            raise DataError(
                f"index {number} is {part.kind}, whose vectors are compressed; join flat ones, or index all documents"
            )
    assert first is not None
    ids = tuple(document for part in parts for document in part.ids)
    # Before the long work; this also refuses a document that is in two parts.
    fingerprint = Fingerprint()
    for document in ids:
        fingerprint.add(document, ())
    if kind is None:
        kind = kind_of(first.index_kind, {} if first.index_kind == "ivf" else first.parameters)
    index, settled = make_index(kind, [vectors_of(part.index) for part in parts], first.dimensions)
    manifests = [part.manifest for part in parts if part.manifest is not None]
    manifest = replace(
        first,
        documents=sum(manifest.documents for manifest in manifests),
        indexed=len(ids),
        ids=fingerprint.ids,
        content=hashlib.sha256("".join(manifest.content for manifest in manifests).encode()).hexdigest(),
        truncated=sum(manifest.truncated for manifest in manifests),
        empty=sum(manifest.empty for manifest in manifests),
        versions={"faiss": load_faiss().__version__},
        index_kind=settled.name,
        parameters=parameters_of(settled),
        files={},
    )
    return DenseIndex(index, ids, manifest)


def _column(ids: tuple[str, ...]) -> Ids:
    try:
        return Ids.of_texts(ids)
    except UnicodeEncodeError:
        return Ids.of(map(to_bytes, ids))  # the error then names the part


def _batches(documents: "Iterable[Document]") -> "Iterator[tuple[Document, ...]]":
    rest = iter(documents)
    while batch := tuple(islice(rest, DOCUMENTS_AT_ONCE)):
        yield batch
