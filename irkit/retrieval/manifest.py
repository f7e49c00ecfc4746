"""The small file beside an index that says what is in it, and folders that appear whole or not at all."""

import glob
import hashlib
import json
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from irkit.errors import DataError, FormatError, UsageError
from irkit.textio import STDIN, write_bytes

MANIFEST = "irkit.json"
_PARTS: Final = re.compile(r"irkit\.json|index|docid|segments_\w+|write\.lock|_\w+(\.\w+)+")  # of FAISS and Lucene
N_ATTEMPTS = 10
LEFT_AFTER = 24 * 60 * 60  # seconds


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index holds.

    Attributes
    ----------
    kind : {"bm25", "dense"}
    documents : int
        Documents handed over.
    indexed : int
        Of them, those that can be found: Lucene takes no document without text.
    ids : str
        SHA-256 of the document ids in their order.
    content : str
        SHA-256 of ids and indexed texts.
    fields : tuple of str
        Document fields indexed apart (bm25) or joined into the text (dense).
    versions : dict
        What made it, by name.
    """

    kind: str
    documents: int
    indexed: int
    ids: str
    content: str
    fields: tuple[str, ...]
    versions: dict[str, str]

    def write(self, folder: Path) -> None:
        """Write it into the folder of the index."""
        write_bytes(folder / MANIFEST, (json.dumps(asdict(self), indent=2) + "\n").encode())


@dataclass(frozen=True, slots=True)
class LuceneManifest(Manifest):
    """What a Lucene index holds besides.

    Attributes
    ----------
    analysis : dict
        How its texts became words; empty in one of an older irkit, which had the default.
    """

    analysis: dict[str, str | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DenseManifest(Manifest):
    """What a dense index holds besides.

    Attributes
    ----------
    encoder, encoder_name : str
        Its identity, and what it is called.
    dimensions : int
        Of a vector.
    truncated, empty : int
        Documents that the encoder did not read to their end; and those without text.
    max_length : int
        Tokens that the encoder read of a text.
    pooling : str
        How the encoder makes a vector of a text's tokens; empty if it does not say.
    normalised : bool
        Vectors have length 1.
    query_prefix, document_prefix : str
        What stood, or has to stand, before each text that was encoded.
    index_kind : str
        One of `KINDS`.
    parameters : dict
        Those of the kind.
    index : str
        SHA-256 of the file of vectors; empty as long as there is none.
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
    index: str = field(default="", compare=False)  # two indexes of the same vectors need not be the same bytes


KINDS: Final[dict[str, type[Manifest]]] = {"bm25": LuceneManifest, "dense": DenseManifest}


class Fingerprint:
    """SHA-256 over ids and texts as they pass by."""

    def __init__(self) -> None:
        self._ids = hashlib.sha256()
        self._content = hashlib.sha256()

    def add(self, identifier: str, texts: Sequence[str]) -> None:
        """Take in one document."""
        self._ids.update(identifier.encode("utf-8", "surrogateescape") + b"\n")
        for part in (identifier, *texts):
            data = part.encode("utf-8", "surrogatepass")
            self._content.update(b"%d " % len(data) + data)

    @property
    def ids(self) -> str:
        """Digest of the ids alone."""
        return self._ids.hexdigest()

    @property
    def content(self) -> str:
        """Digest of ids and texts."""
        return self._content.hexdigest()


def read_manifest(folder: Path, kind: str) -> Manifest | None:
    """The manifest in the folder of an index of this kind; None where there is none, as another program leaves it.

    Raises
    ------
    FormatError
        If there is one that cannot be read.
    DataError
        If it is that of an index of another kind.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_bytes())
        there = values["kind"]
        manifest = KINDS[kind](**{**values, "fields": tuple(values["fields"])}) if there == kind else None
        wrong = "" if manifest is None else _wrong_type(manifest)
        if manifest is None and there not in KINDS:
            raise ValueError(f"no kind {there!r}")
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise FormatError(
            str(path), "is no manifest of an index as irkit writes it; build the index again"
        ) from problem
    if wrong:
        raise FormatError(str(path), f"is no manifest of an index: its {wrong} cannot be that; build the index again")
    if manifest is None:
        raise DataError(f"{folder}: is a {there} index, not a {kind} one; search it by 'irkit retrieve {there}'")
    return manifest


def _wrong_type(manifest: Manifest) -> str:
    """The name of an entry that is not of its type; empty where all are."""
    wrong = (one.name for one in fields(manifest) if not _HOLDS[str(one.type)](getattr(manifest, one.name)))
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
        isinstance(value, dict) and all(isinstance(one, str | bool) for one in value.values())
    ),
    str(dict[str, int]): lambda value: isinstance(value, dict) and all(map(_is_count, value.values())),
}


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder that takes the place of `target` when the block ends well, and is gone otherwise.

    Raises
    ------
    UsageError
        If `target` holds something that is no index of irkit, which is never replaced; or cannot be written.
    """
    if str(target) == STDIN:
        raise UsageError("an index is a folder, which standard output is not; name a folder")
    if target.exists() and not _may_be_replaced(target):
        raise UsageError(f"{target}: exists and is no index that irkit made; remove it or name another folder")
    target = target.resolve()
    part = target.parent / f".{target.name}.{secrets.token_hex(4)}.part"
    _remove_leftovers(target)
    try:
        part.mkdir(parents=True)
    except OSError as problem:
        raise UsageError(f"{target}: cannot be written: {problem.strerror or problem}") from problem
    try:
        yield part
        _put_in_place(part, target)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(part)
        raise


def _may_be_replaced(folder: Path) -> bool:
    """Whether a folder is empty, or holds an index of irkit and nothing else."""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    return not names or (MANIFEST in names and all(map(_PARTS.fullmatch, names)))


def _put_in_place(part: Path, target: Path) -> None:
    """Rename a finished folder to its name, although other processes may be doing the same."""
    for attempt in range(N_ATTEMPTS):
        old = part.with_suffix(f".{attempt}.old")
        with suppress(FileNotFoundError):
            target.rename(old)
        try:
            part.rename(target)
        except OSError:  # another process put its own there meanwhile
            if attempt == N_ATTEMPTS - 1 or not target.exists():
                raise
        else:
            return
        finally:
            shutil.rmtree(old, ignore_errors=True)


def _remove_leftovers(target: Path) -> None:
    """Remove what killed processes left beside the target, once it is too old to be in the making."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.*"):
        with suppress(OSError):
            if left.suffix in (".part", ".old") and time.time() - left.stat().st_mtime > LEFT_AFTER:
                shutil.rmtree(left)
