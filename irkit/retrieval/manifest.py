"""The small file beside an index that says what is in it, and folders that appear whole or not at all."""

import glob
import hashlib
import json
import secrets
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from irkit.errors import DataError, FormatError, UsageError
from irkit.textio import write_bytes

MANIFEST = "irkit.json"
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
    encoder, dimensions
        Of a dense index: the encoder's identity and the size of its vectors.
    truncated : int
        Of a dense index: documents that the encoder did not read to their end.
    analysis : dict
        Of a bm25 index: how its texts became words; empty in one of an older irkit, which had the default.
    """

    kind: str
    documents: int
    indexed: int
    ids: str
    content: str
    fields: tuple[str, ...]
    versions: dict[str, str]
    encoder: str = ""
    dimensions: int = 0
    truncated: int = 0
    analysis: dict[str, str | bool] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write it into the folder of the index."""
        write_bytes(folder / MANIFEST, (json.dumps(asdict(self), indent=2) + "\n").encode())


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
        manifest = Manifest(**{**values, "fields": tuple(values["fields"])})
        _check_types(manifest)
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise FormatError(str(path), f"is no manifest of an index ({problem}); build the index again") from problem
    if manifest.kind != kind:
        raise DataError(
            f"{folder}: is a {manifest.kind} index, not a {kind} one; search it by 'irkit retrieve {manifest.kind}'"
        )
    return manifest


def _check_types(manifest: Manifest) -> None:
    texts = (manifest.kind, manifest.ids, manifest.content, manifest.encoder, *manifest.fields)
    counts = (manifest.documents, manifest.indexed, manifest.dimensions, manifest.truncated)
    versions = manifest.versions
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a text is none")
    if not all(type(count) is int and count >= 0 for count in counts):
        raise TypeError("a count is none")
    if not isinstance(versions, dict) or not all(isinstance(value, str) for value in versions.values()):
        raise TypeError("the versions are none")
    if not isinstance(manifest.analysis, dict) or not all(
        isinstance(v, str | bool) for v in manifest.analysis.values()
    ):
        raise TypeError("the analysis is none")


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder that takes the place of `target` when the block ends well, and is gone otherwise.

    Raises
    ------
    UsageError
        If `target` holds something that is no index of irkit, which is never replaced; or cannot be written.
    """
    if target.exists() and not (target.is_dir() and (not any(target.iterdir()) or (target / MANIFEST).is_file())):
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
