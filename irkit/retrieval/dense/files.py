"""Dense indexes as folders: written whole or not at all, and everything checked when they are read."""

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

VECTORS, IDS = "index", "docid"  # as Pyserini calls them
WRITTEN_AT_ONCE: Final = 1 << 20  # bytes


def save_index(index: DenseIndex, folder: "str | PathLike[str]") -> None:
    """Write an index in Pyserini's layout (`index`, and `docid` with one id a line), whole or not at all.

    Raises
    ------
    UsageError
        If the folder holds something that is no index of irkit.
    DataError
        If an id has a line end in it, which the file of ids cannot carry.
    """
    if broken := next((one for one in index.ids if "\n" in one), None):
        raise DataError(f"document id {broken!r} has a line end in it, which a file of ids cannot carry; change it")
    faiss = load_faiss()
    with new_folder(Path(folder)) as part:
        ids = "".join(f"{one}\n" for one in index.ids).encode("utf-8", "surrogateescape")
        vectors = hashlib.sha256()
        with (part / VECTORS).open("wb") as stream:

            def write(block: bytes) -> int:
                vectors.update(block)
                return stream.write(block)

            # FAISS's own writer does not notice a disk that is full when it closes the file.
            faiss.write_index(index.index, faiss.PyCallbackIOWriter(write, WRITTEN_AT_ONCE))
        (part / IDS).write_bytes(ids)
        if index.manifest is not None:
            index.manifest.write(part, {VECTORS: vectors.hexdigest(), IDS: hashlib.sha256(ids).hexdigest()})


def load_index(folder: "str | PathLike[str]") -> DenseIndex:
    """Read an index that `save_index` or Pyserini wrote.

    Raises
    ------
    DataError
        If it cannot be read, or vectors, ids and manifest do not fit together.
    """
    faiss = load_faiss()
    place = Path(folder)
    manifest = read_manifest(place, "dense")
    assert manifest is None or isinstance(manifest, DenseManifest)
    if manifest is not None:
        manifest.check_files(place)  # before FAISS parses anything
    for name in (VECTORS, IDS):
        if not (place / name).is_file():
            raise DataError(f"{place}: no file {name!r}, so this is no dense index; build it by 'irkit index dense'")
    try:
        index = faiss.read_index(str(place / VECTORS))
    except (RuntimeError, MemoryError) as problem:  # a size that is damaged asks for memory without end
        raise DataError(f"{place / VECTORS}: FAISS cannot read it; build the index again") from problem
    ids = tuple((place / IDS).read_bytes().decode("utf-8", "surrogateescape").split("\n"))
    if ids[-1] == "":
        ids = ids[:-1]
    try:
        found = DenseIndex(index, ids, manifest)
    except DataError as problem:
        raise DataError(f"{place}: {problem}") from None
    if manifest is not None:
        _check(found, manifest, place)
        manifest.check_still_there(place)
    return found


def _check(found: DenseIndex, manifest: DenseManifest, place: Path) -> None:
    fingerprint = Fingerprint()
    for one in found.ids:
        fingerprint.add(one, ())
    sides: list[tuple[str, object, object]] = [
        ("documents", manifest.indexed, len(found.ids)),
        ("documents", manifest.documents, len(found.ids)),
        ("documents cut short", manifest.truncated, min(manifest.truncated, len(found.ids))),
        ("documents without text", manifest.empty, min(manifest.empty, len(found.ids))),
        ("dimensions", manifest.dimensions, found.index.d),
        ("the kind of index", manifest.index_kind, found.kind),
        ("the SHA-256 of the ids", manifest.ids, fingerprint.ids),
    ]
    for what, said, there in sides:
        if said != there:
            raise DataError(f"{place}: {what}: {said} in its manifest, {there} in its files; build it again")
