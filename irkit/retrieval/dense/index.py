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

DOCUMENTS_AT_ONCE: Final = 8192  # held as text; one file of the cache


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """Vectors of documents in a FAISS index, with their ids.

    Attributes
    ----------
    index : faiss.Index
        By inner product; vector i belongs to `ids[i]`.
    ids : tuple of str
    manifest : DenseManifest or None
        None for an index that another program made.
    column : Ids
        The ids as the kernel has them.

    Raises
    ------
    FormatError
        If an id holds half a character.
    DataError
        If vectors and ids are not as many, an id stands twice, or the index does not number its vectors from 0.
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
                f"the dense index is an {type(self.index).__name__}, which numbers its vectors in its own way; irkit "
                "takes the id in line i for vector i: save the index inside it"
            )
        if self.index.ntotal != len(self.ids):
            raise DataError(
                f"the dense index holds {counted(self.index.ntotal, 'vector')}, {counted(len(self.ids), 'id')}; "
                "build it again"
            )
        if len(set(self.ids)) < len(self.ids):
            seen: set[str] = set()
            twice = next(one for one in self.ids if one in seen or seen.add(one))  # type: ignore[func-returns-value]
            raise DataError(f"document id {twice!r} stands twice; ids name one document each")
        object.__setattr__(self, "column", _column(self.ids))

    @property
    def kind(self) -> str:
        """Its kind: one of `KINDS`, or FAISS's name for one that irkit does not make."""
        return kind_name(self.index)

    @property
    def encoder_name(self) -> str:
        """What `load_encoder` calls the encoder that made it, as far as is known; else the default."""
        return self.manifest.encoder_name or MINILM if self.manifest else MINILM

    @property
    def encoder_options(self) -> dict[str, bool]:
        """With which options `load_encoder` gives that encoder."""
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
    """Encode documents, or take their vectors from the cache, and index them.

    The texts of some thousand documents are held at a time; what grows with the documents is their vectors and ids.

    Parameters
    ----------
    documents : iterable of Document
    encoder : Encoder
    fields : sequence of str, optional
        The document fields that make the text; by default the document's own text, which is also called `contents`.
    kind : IndexKind, optional
        `Flat()`, which is exact, if not given; or `Hnsw()`, `Ivf()`, `IvfPq()`, `ScalarQuantised()`.
    query_prefix, document_prefix : str, optional
        What is put before the text of each topic and document, as the model was trained with ("query: " and
        "passage: " for E5). By default the encoder's own. Kept with the index; topics get theirs when it is searched.

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
    """One index of the documents of several, in their order, as if it had been built from all of them.

    Parameters
    ----------
    parts : sequence of DenseIndex
        One at least, made by one encoder with the same prefixes and fields. Their vectors are taken out and indexed
        anew, so kinds may differ; a compressed index no longer has its vectors.
    kind : IndexKind, optional
        That of the new index; the first one's if not given.

    Raises
    ------
    UsageError
        If there is no part, or too few documents to train the kind.
    DataError
        If the parts do not fit together, or one is compressed; if a document is in two of them.
    """
    if not parts:
        raise UsageError("there is no index to join; give one at least")
    first = parts[0].manifest
    for number, part in enumerate(parts, 1):
        if first is None or part.manifest is None:
            raise DataError(f"index {number} has no manifest of irkit, so what made it is not known; build it by irkit")
        for what in ("encoder", "query_prefix", "document_prefix", "fields"):
            ours, theirs = getattr(first, what), getattr(part.manifest, what)
            if ours != theirs:
                raise DataError(f"indexes 1 and {number} do not fit: {what} {ours!r} and {theirs!r}")
        if part.kind in ("ivf-pq", "sq8"):
            raise DataError(
                f"index {number} is {part.kind}, whose vectors are compressed; join flat ones, or index all documents"
            )
    assert first is not None
    ids = tuple(one for part in parts for one in part.ids)
    # Before the work: also refuses a document that is in two parts.
    fingerprint = Fingerprint()
    for one in ids:
        fingerprint.add(one, ())
    if kind is None:
        kind = kind_of(first.index_kind, {} if first.index_kind == "ivf" else first.parameters)
    index, settled = make_index(kind, [vectors_of(part.index) for part in parts], first.dimensions)
    manifests = [part.manifest for part in parts if part.manifest is not None]
    manifest = replace(
        first,
        documents=sum(one.documents for one in manifests),
        indexed=len(ids),
        ids=fingerprint.ids,
        content=hashlib.sha256("".join(one.content for one in manifests).encode()).hexdigest(),
        truncated=sum(one.truncated for one in manifests),
        empty=sum(one.empty for one in manifests),
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
        return Ids.of(map(to_bytes, ids))  # which says what is wrong with which


def _batches(documents: "Iterable[Document]") -> "Iterator[tuple[Document, ...]]":
    rest = iter(documents)
    while batch := tuple(islice(rest, DOCUMENTS_AT_ONCE)):
        yield batch
