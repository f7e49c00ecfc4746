"""Documents of a collection, in the format of Pyserini."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from irkit.data.topic_formats import id_text
from irkit.errors import FormatError
from irkit.files.records import read_objects
from irkit.files.textio import STDIN, sha256_of, shown, writing
from irkit.ids import to_bytes

FieldValue: TypeAlias = "str | int | float | tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a collection.

    Attributes
    ----------
    id : str
    text : str
        What is searched. It may be empty.
    fields : mapping
        What else is known: text, numbers or tuples of texts, by name.
    """

    id: str
    text: str
    fields: Mapping[str, FieldValue] = field(default_factory=dict)


def read_documents(path: str | os.PathLike[str]) -> Iterator[Document]:
    """Read documents from JSON lines `{"id": ..., "contents": ..., other fields}`, a document at a time.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input. The ids seen are held in memory, the documents are not.

    Raises
    ------
    FormatError
        With file and line: what is no JSON object, a document without id or contents, an id that no run can carry,
        a repeated id, a field that is neither text, number nor a list of texts.
    """
    place = shown(path)
    seen: dict[str, int] = {}
    for line, found in read_objects(path):
        document = _document(found, place, line)
        if document.id in seen:
            raise FormatError(
                place, f"document id {document.id!r} stands in line {seen[document.id]} already; keep one", line
            )
        seen[document.id] = line
        yield document


def write_documents(path: str | os.PathLike[str], documents: Iterable[Document]) -> int:
    """Write documents as JSON lines, whole or not at all, and return how many.

    The same documents give the same bytes. A file that holds just these bytes already is left as it is.

    Raises
    ------
    FormatError
        If an id is repeated or no run can carry it, or a number is not finite.
    """
    place = shown(path)
    seen: set[str] = set()
    digest = hashlib.sha256()
    try:
        with writing(path) as stream:
            for document in documents:
                _check_id(document.id, place, None)
                if document.id in seen:
                    raise FormatError(place, f"document id {document.id!r} is given twice; keep one")
                seen.add(document.id)
                line = document_line(document, place)
                digest.update(line)
                stream.write(line)
            if os.fspath(path) != STDIN and _holds(Path(path), digest.hexdigest()):
                raise _Unchanged
    except _Unchanged:
        pass
    return len(seen)


def document_line(document: Document, place: str = "documents") -> bytes:
    """Format a document as a JSON line: id, contents, then its fields in their order."""
    for name in ("id", "contents"):
        if name in document.fields:
            raise FormatError(place, f"document {document.id!r} has a field called {name!r}; rename it")
    record = {"id": document.id, "contents": document.text, **document.fields}
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise FormatError(place, f"document {document.id!r} cannot be written as JSON: {problem}") from problem
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can carry only as an escape
        return json.dumps(record).encode("ascii") + b"\n"


class _Unchanged(Exception):  # noqa: N818 - it is no error
    """Leaves `writing` without replacing the file."""


def _holds(path: Path, digest: str) -> bool:
    return path.is_file() and sha256_of(path) == digest


def _document(found: dict[str, Any], place: str, line: int) -> Document:
    if "id" not in found or "contents" not in found:
        missing = "id" if "id" not in found else "contents"
        raise FormatError(
            place, f"a document without {missing!r}; it has {', '.join(map(repr, found)) or 'nothing'}", line
        )
    identifier = id_text(found["id"], "document", place, line)
    _check_id(identifier, place, line)
    text = found["contents"]
    if not isinstance(text, str):
        raise FormatError(place, f"the contents of document {identifier!r} are no text", line)
    fields: dict[str, FieldValue] = {}
    for name, value in found.items():
        if name in ("id", "contents") or value is None:
            continue
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            fields[name] = tuple(value)
        elif isinstance(value, str | int | float):
            fields[name] = value
        else:
            raise FormatError(
                place, f"field {name!r} of document {identifier!r} is neither text, number nor a list of texts", line
            )
    return Document(identifier, text, fields)


def _check_id(identifier: str, place: str, line: int | None) -> None:
    if "\0" in identifier:
        raise FormatError(place, f"the document id {identifier!r} holds a NUL byte, which is not text; remove it", line)
    if to_bytes(identifier).split() != [to_bytes(identifier)]:
        raise FormatError(
            place,
            f"the document id {identifier!r} is empty or holds white space, which no run can carry; change it, or "
            "convert the collection, which gives new ids and lists them",
            line,
        )
