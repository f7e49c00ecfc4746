"""Write dense indexes as folders, completely or not at all, and read them with all checks."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irkit.errors import DataError
from irkit.retrieval.atomic_folder import new_folder
from irkit.retrieval.dense.engine import load_faiss
from irkit.retrieval.dense.index import DenseIndex
from irkit.retrieval.manifest import DenseManifest, Fingerprint, read_manifest

if TYPE_CHECKING:
    from os import PathLike

VECTORS, IDS = "index", "docid"  # Pyserini's file names
WRITTEN_AT_ONCE: Final = 1 << 20  # bytes


def save_index(index: DenseIndex, folder: "str | PathLike[str]") -> None:
    """Write an index in Pyserini's layout (`index`, and `docid` with an id on each line), completely or not at all.

    Raises
    ------
    UsageError
        If the folder holds something other than an index of irkit.
    DataError
        If an id contains a line end, which the file of ids cannot hold.
    """
    if broken := next((document for document in index.ids if "\n" in document), None):
        raise DataError(f"document id {broken!r} contains a line end, which a file of ids cannot hold; change it")
    faiss = load_faiss()
    with new_folder(Path(folder)) as part:
        ids = "".join(f"{document}\n" for document in index.ids).encode("utf-8", "surrogateescape")
        vectors = hashlib.sha256()
        with (part / VECTORS).open("wb") as stream:

            def write(block: bytes) -> int:
                vectors.update(block)
                return stream.write(block)

            # FAISS's own writer does not report a full disk when it closes the file.
            faiss.write_index(index.index, faiss.PyCallbackIOWriter(write, WRITTEN_AT_ONCE))
        (part / IDS).write_bytes(ids)
        if index.manifest is not None:
            index.manifest.write(part, {VECTORS: vectors.hexdigest(), IDS: hashlib.sha256(ids).hexdigest()})


def load_index(folder: "str | PathLike[str]") -> DenseIndex:
    """Read an index written by `save_index` or Pyserini.

    Raises
    ------
    DataError
        If the index cannot be read, or vectors, ids and manifest do not agree.
    """
    faiss = load_faiss()
    place = Path(folder)
    manifest = read_manifest(place, "dense")
    assert manifest is None or isinstance(manifest, DenseManifest)
    if manifest is not None:
        manifest.check_files(place)  # before FAISS reads the file
    for name in (VECTORS, IDS):
        if not (place / name).is_file():
            raise DataError(
                f"{place}: no file {name!r}, so this is not a dense index; build it with 'irkit index dense'"
            )
    try:
        index = faiss.read_index(str(place / VECTORS))
    except (RuntimeError, MemoryError) as problem:  # a damaged size can request any amount of memory
        raise DataError(f"{place / VECTORS}: FAISS cannot read it; build the index again") from problem
    ids = tuple((place / IDS).read_bytes().decode("utf-8", "surrogateescape").split("\n"))
    if ids[-1] == "":
        ids = ids[:-1]
    try:
        loaded = DenseIndex(index, ids, manifest)
    except DataError as problem:
        raise DataError(f"{place}: {problem}") from None
    if manifest is not None:
        _check(loaded, manifest, place)
        manifest.check_still_there(place)
    return loaded


def _check(loaded: DenseIndex, manifest: DenseManifest, place: Path) -> None:
    fingerprint = Fingerprint()
    for document in loaded.ids:
        fingerprint.add(document, ())
    sides: list[tuple[str, object, object]] = [
        ("documents", manifest.indexed, len(loaded.ids)),
        ("documents", manifest.documents, len(loaded.ids)),
        ("documents cut short", manifest.truncated, min(manifest.truncated, len(loaded.ids))),
        ("documents without text", manifest.empty, min(manifest.empty, len(loaded.ids))),
        ("dimensions", manifest.dimensions, loaded.index.d),
        ("the kind of index", manifest.index_kind, loaded.kind),
        ("the SHA-256 of the ids", manifest.ids, fingerprint.ids),
    ]
    for what, recorded, there in sides:
        if recorded != there:
            raise DataError(f"{place}: {what}: {recorded} in its manifest, {there} in its files; build it again")
