"""A dense index: vectors of documents in FAISS, built from an encoder, written and read."""

import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irkit.errors import DataError, MissingDependencyError
from irkit.retrieval import vectors
from irkit.retrieval.encoder import Encoder
from irkit.retrieval.manifest import Fingerprint, Manifest, new_folder, read_manifest
from irkit.retrieval.texts import CONTENTS, FieldCheck, document_text
from irkit.spelling import counted

if TYPE_CHECKING:
    from os import PathLike

    from irkit.documents import Document


@dataclass(frozen=True, slots=True)
class DenseIndex:
    """Vectors of documents in a FAISS index, with their ids.

    Attributes
    ----------
    index : faiss.Index
        By inner product; vector i belongs to `ids[i]`.
    ids : tuple of str
    manifest : Manifest or None
        None for an index that another program made.
    """

    index: Any
    ids: tuple[str, ...]
    manifest: Manifest | None

    def __post_init__(self) -> None:
        if self.index.ntotal != len(self.ids):
            raise DataError(
                f"the dense index holds {counted(self.index.ntotal, 'vector')}, {counted(len(self.ids), 'id')}; "
                "build it again"
            )
        if len(set(self.ids)) < len(self.ids):
            seen: set[str] = set()
            twice = next(one for one in self.ids if one in seen or seen.add(one))  # type: ignore[func-returns-value]
            raise DataError(f"document id {twice!r} stands twice; ids name one document each")


def build_index(
    documents: "Iterable[Document]", encoder: Encoder, *, fields: Sequence[str] | None = None
) -> DenseIndex:
    """Encode documents, or take their vectors from the cache, and index them.

    Parameters
    ----------
    documents : iterable of Document
    encoder : Encoder
    fields : sequence of str, optional
        The document fields that make the text; by default the document's own text, which is also called `contents`.

    Raises
    ------
    DataError
        If a document id is repeated.
    UsageError
        If a field is in no document.
    MissingDependencyError
        If FAISS is missing.
    """
    faiss = _faiss()
    ids, texts = [], []
    fingerprint = Fingerprint()
    check = FieldCheck(name for name in fields or () if name != CONTENTS)
    for document in documents:
        check.see(document)
        text = document_text(document, fields)
        ids.append(document.id)
        texts.append(text)
        fingerprint.add(document.id, (text,))
    check.finish()
    encoded = vectors.encode(texts, encoder, description="encoding documents")
    index = faiss.IndexFlatIP(encoder.dimensions)
    index.add(encoded.vectors)
    manifest = Manifest(
        "dense",
        len(ids),
        len(ids),
        fingerprint.ids,
        fingerprint.content,
        tuple(fields or ()),
        {"faiss": faiss.__version__},
        encoder.identity,
        encoder.dimensions,
        int(encoded.truncated.sum()),
    )
    return DenseIndex(index, tuple(ids), manifest)


def save_index(index: DenseIndex, folder: "str | PathLike[str]") -> None:
    """Write an index in Pyserini's layout (`index`, and `docid` with one id a line), whole or not at all.

    Raises
    ------
    UsageError
        If the folder holds something that is no index of irkit.
    """
    with new_folder(Path(folder)) as part:
        _faiss().write_index(index.index, str(part / "index"))
        (part / "docid").write_bytes("".join(f"{one}\n" for one in index.ids).encode("utf-8", "surrogateescape"))
        if index.manifest is not None:
            index.manifest.write(part)


def load_index(folder: "str | PathLike[str]") -> DenseIndex:
    """Read an index that `save_index` or Pyserini wrote.

    Raises
    ------
    DataError
        If it cannot be read, or vectors, ids and manifest do not fit together.
    """
    faiss = _faiss()
    place = Path(folder)
    manifest = read_manifest(place, "dense")
    for name in ("index", "docid"):
        if not (place / name).is_file():
            raise DataError(f"{place}: no file {name!r}, so this is no dense index; build it by 'irkit index dense'")
    try:
        index = faiss.read_index(str(place / "index"))
    except RuntimeError as problem:
        raise DataError(f"{place / 'index'}: FAISS cannot read it; build the index again") from problem
    ids = tuple((place / "docid").read_bytes().decode("utf-8", "surrogateescape").split("\n"))
    if ids[-1] == "":
        ids = ids[:-1]
    if index.metric_type != faiss.METRIC_INNER_PRODUCT:
        raise DataError(f"{place}: the index compares by distance; irkit searches by inner product")
    found = DenseIndex(index, ids, manifest)
    if manifest is not None:
        fingerprint = Fingerprint()
        for one in ids:
            fingerprint.add(one, ())
        if (manifest.ids, manifest.dimensions) != (fingerprint.ids, index.d):
            raise DataError(f"{place}: ids or vectors are not those that its manifest counts; build it again")
    return found


def _faiss() -> Any:
    if importlib.util.find_spec("faiss") is None:
        raise MissingDependencyError("dense retrieval needs FAISS; pip install 'irkit[retrieval]'")
    import faiss

    return faiss
