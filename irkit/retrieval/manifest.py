"""The manifest of an index: its description, the SHA-256 of every file of the index, and its own SHA-256."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from irkit.errors import DataError, FormatError
from irkit.files.textio import sha256_of, write_bytes

MANIFEST = "irkit.json"
SEAL: Final = "sha256"  # SHA-256 of all other entries
AGAIN: Final = "build the index again"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of an index.

    Attributes
    ----------
    kind : {"bm25", "dense"}
    documents : int
        Number of input documents.
    indexed : int
        Number of documents that can be found: Lucene leaves out documents without text.
    ids : str
        SHA-256 of the document ids in their order.
    content : str
        SHA-256 of ids and indexed texts.
    fields : tuple of str
        Document fields indexed separately (bm25) or joined into the text (dense).
    versions : dict
        Versions of the programs that made the index, by name.
    files : dict of str to str
        SHA-256 of every other file in the folder, by name; empty before the files are written.
    """

    kind: str
    documents: int
    indexed: int
    ids: str
    content: str
    fields: tuple[str, ...]
    versions: dict[str, str]
    files: dict[str, str] = field(default_factory=dict, compare=False)  # equal indexes may differ in their bytes

    def write(self, folder: Path, hashes: Mapping[str, str] | None = None) -> None:
        """Write the manifest into the folder of a finished index."""
        files = hashes or {path.name: sha256_of(path) for path in _files(folder)}
        values = asdict(replace(self, files=dict(sorted(files.items()))))
        write_bytes(folder / MANIFEST, _as_text({**values, SEAL: _seal(values)}))

    def check_files(self, folder: Path) -> None:
        """Compare every file in the folder with its SHA-256; DataError if one is missing, changed, damaged or extra."""
        there = {path.name for path in _files(folder)}
        if missing := sorted(self.files.keys() - there):
            raise DataError(f"{folder}: the file {missing[0]!r} of the index is missing; {AGAIN}")
        if extra := sorted(there - self.files.keys()):
            raise DataError(f"{folder}: {extra[0]!r} is no part of the index; move it away, or {AGAIN}")
        for name, expected in self.files.items():
            try:
                actual = sha256_of(folder / name)
            except OSError as problem:
                raise DataError(f"{folder / name}: cannot be read: {problem.strerror}; {AGAIN}") from problem
            if actual != expected:
                raise DataError(f"{folder / name}: was changed or damaged since the index was built; {AGAIN}")

    def check_still_there(self, folder: Path) -> None:
        """Raise DataError if another index replaced this one after its files were checked."""
        now = read_manifest(folder, self.kind)
        if now is None or now.files != self.files:
            raise DataError(f"{folder}: the index was replaced while it was opened; search it again")


@dataclass(frozen=True, slots=True)
class LuceneManifest(Manifest):
    """Description of a Lucene index.

    Attributes
    ----------
    analysis : dict
        Analysis of its texts; see `Analysis.as_record`.
    """

    analysis: dict[str, str | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DenseManifest(Manifest):
    """Description of a dense index.

    Attributes
    ----------
    encoder, encoder_name : str
        Identity and name of the encoder.
    dimensions : int
        Dimensions of a vector.
    truncated, empty : int
        Numbers of documents that the encoder truncated, and of documents without text.
    max_length : int
        Maximum number of tokens that the encoder read of a text.
    pooling : str
        How the encoder turns token vectors into a text vector; empty if unknown.
    normalised : bool
        Whether vectors have length 1.
    query_prefix, document_prefix : str
        Text before each query, to be added in searches, and before each document, added when it was encoded.
    index_kind : str
        A key of `KINDS`.
    parameters : dict
        Parameters of the kind.
    """

    encoder: str = ""
    dimensions: int = 0
    truncated: int = 0
    encoder_name: str = ""
    max_length: int = 0
    pooling: str = ""
    normalised: bool = True
    empty: int = 0
    query_prefix: str = ""
    document_prefix: str = ""
    index_kind: str = "flat"
    parameters: dict[str, int] = field(default_factory=dict)


KINDS: Final[dict[str, type[Manifest]]] = {"bm25": LuceneManifest, "dense": DenseManifest}


class Fingerprint:
    """SHA-256 over ids and texts, updated one document at a time."""

    def __init__(self) -> None:
        self._ids = hashlib.sha256()
        self._content = hashlib.sha256()

    def add(self, identifier: str, texts: Sequence[str]) -> None:
        """Add a document."""
        self._ids.update(identifier.encode("utf-8", "surrogateescape") + b"\n")
        for part in (identifier, *texts):
            data = part.encode("utf-8", "surrogatepass")
            self._content.update(b"%d " % len(data) + data)

    @property
    def ids(self) -> str:
        """Digest of the ids only."""
        return self._ids.hexdigest()

    @property
    def content(self) -> str:
        """Digest of ids and texts."""
        return self._content.hexdigest()


def read_manifest(folder: Path, kind: str) -> Manifest | None:
    """Read the manifest of an index of this kind; None if there is none, as in indexes of other programs."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_bytes())
        if values["kind"] in KINDS and "files" not in values:
            raise DataError(f"{folder}: is an index of an earlier irkit, which kept no hashes of its files; {AGAIN}")
        there, seal = values["kind"], values.pop(SEAL, None)
        manifest = KINDS[kind](**{**values, "fields": tuple(values["fields"])}) if there == kind else None
        wrong = "" if manifest is None else _wrong_type(manifest)
        if manifest is None and there not in KINDS:
            raise ValueError(f"no kind {there!r}")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OSError) as problem:
        raise FormatError(str(path), f"is no manifest of an index as irkit writes it; {AGAIN}") from problem
    if wrong:
        raise FormatError(str(path), f"is no manifest of an index: its {wrong} cannot be that; {AGAIN}")
    if manifest is None:
        raise DataError(f"{folder}: is a {there} index, not a {kind} one; search it by 'irkit retrieve {there}'")
    if seal != _seal(values):
        raise FormatError(str(path), f"was changed or damaged since the index was built; {AGAIN}")
    return manifest


def index_digest(folder: Path) -> str:
    """Compute the SHA-256 of a manifest without the hashes of files, because Lucene's bytes differ every time.

    An index built again from the same documents in the same way has the same digest. A search checks the files against
    the manifest.
    """
    data = (folder / MANIFEST).read_bytes()
    try:
        values = {name: value for name, value in json.loads(data).items() if name not in ("files", SEAL)}
    except (ValueError, AttributeError, RecursionError):  # damaged; a search reports it
        return hashlib.sha256(data).hexdigest()
    return hashlib.sha256(_as_text(values)).hexdigest()


def _as_text(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(values, indent=2) + "\n").encode()


def _seal(values: Mapping[str, Any]) -> str:
    """Compute the SHA-256 of a manifest's entries."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _files(folder: Path) -> list[Path]:
    """List the files in the folder of an index, without its manifest."""
    return [path for path in folder.iterdir() if path.name != MANIFEST]


def _wrong_type(manifest: Manifest) -> str:
    """Return the name of the first entry with a wrong type; empty if all are correct."""
    wrong = (field.name for field in fields(manifest) if not _HOLDS[str(field.type)](getattr(manifest, field.name)))
    return next(wrong, "")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


_HOLDS: Final[dict[str, Callable[[Any], bool]]] = {
    str(str): _is_text,
    str(int): _is_count,
    str(bool): lambda value: isinstance(value, bool),
    str(tuple[str, ...]): lambda value: all(map(_is_text, value)),
    str(dict[str, str]): lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    str(dict[str, str | bool]): lambda value: (
        isinstance(value, dict) and all(isinstance(item, str | bool) for item in value.values())
    ),
    str(dict[str, int]): lambda value: isinstance(value, dict) and all(map(_is_count, value.values())),
}
