"""The small file beside an index that says what is in it."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from irkit.errors import DataError, FormatError
from irkit.textio import write_bytes

MANIFEST = "irkit.json"


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
