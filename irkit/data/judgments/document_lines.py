"""Judgments of documents with more than a whole grade, from the lines of a file or from mappings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import isfinite
from typing import Any, Generic, TypeVar

import numpy as np

from irkit import _kernel
from irkit._kernel.numpy_twin.numbers import grade_of, score_of
from irkit.data.from_dicts import check_id
from irkit.data.qrels import Qrels
from irkit.errors import DuplicateError, FormatError, WrongTypeError
from irkit.files.formats import is_beir_heading
from irkit.files.records import numbered_lines
from irkit.ids import Ids, to_bytes, to_text

Said = TypeVar("Said")
Document = tuple[bytes, bytes]  # its topic, and itself


@dataclass(frozen=True, slots=True)
class DocumentForm(Generic[Said]):
    """Format of a line with a judgment of a document.

    Attributes
    ----------
    called : str
        What the judgments are.
    line : str
        The fields of a line in words. The first one is the topic, one is the document.
    says : tuple of str
        Those of the fields that say something of the document.
    read : callable
        What they say, from their texts; raises ValueError with the fault. None: the line is ignored.
    """

    called: str
    line: str
    says: tuple[str, ...]
    read: Callable[[Sequence[str]], Said | None]

    @property
    def fields(self) -> list[str]:
        """The names of the fields of a line."""
        return self.line.split()

    @property
    def expected(self) -> str:
        """End of a message: the expected format of a line."""
        return f"A line of {self.called} is '{self.line}'"


def read_documents(data: bytes, place: str, form: DocumentForm[Said]) -> tuple[dict[Document, Said], int]:
    """Read the judgment of each document from a file's content, and count the lines that are ignored.

    Comments and blank lines as in qrels; `place` is the name of the file in messages.

    Raises
    ------
    FormatError
        With file, line, what was found and the form that was expected; also where no judgment is left. For a document
        judged twice in a topic, a DuplicateError.
    """
    judgments: dict[Document, Said] = {}
    lines: dict[Document, int] = {}
    read: dict[tuple[bytes, ...], Said | None] = {}  # many lines say the same
    names = form.fields
    at_document, at_says = names.index("document"), [names.index(name) for name in form.says]
    n_dropped = 0
    is_beir: bool | None = None if names == ["topic", "iteration", "document", "grade"] else False
    for number, line in numbered_lines(BytesIO(data), place):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if is_beir is None and (is_beir := is_beir_heading(line)):
            continue
        if is_beir:
            fields.insert(1, b"0")  # the column that BEIR's qrels lack
        if len(fields) != len(names):
            found = f"expected {len(names)} fields, found {len(fields)}: {quoted(to_text(line))}"
            raise FormatError(place, f"{found}. {form.expected}", number)
        key = fields[0], fields[at_document]
        texts = tuple([fields[at] for at in at_says])
        if texts not in read:
            try:
                read[texts] = form.read(list(map(to_text, texts)))
            except ValueError as problem:
                raise FormatError(place, f"{problem}. {form.expected}", number) from None
        if (said := read[texts]) is None:
            n_dropped += 1
            continue
        if key in judgments:
            raise DuplicateError(
                place,
                f"document {to_text(key[1])!r} occurs twice in topic {to_text(key[0])!r}, first in line {lines[key]}; "
                f"keep one of them. {form.expected}",
                number,
            )
        judgments[key], lines[key] = said, number
    if not judgments:
        dropped = f" but {n_dropped} lines that are passed over" if n_dropped else ""
        raise FormatError(place, f"the file holds no judgment{dropped}")
    return judgments, n_dropped


def checked_documents(source: Any, form: DocumentForm[Said], place: str) -> tuple[dict[Document, Said], int]:
    """Check the judgments of `{topic: {document: (...)}}`, and count the entries that are ignored."""
    shape = f"{{topic: {{document: ({', '.join(form.says)})}}}}"
    judgments: dict[Document, Said] = {}
    n_dropped = 0
    if not isinstance(source, Mapping):
        raise WrongTypeError(place, f"{form.called} are a file or {shape}, not {type(source).__name__}")
    for topic, documents in source.items():
        name = check_id(topic, "topic", place)
        if not isinstance(documents, Mapping):
            raise WrongTypeError(place, f"topic {topic!r} holds a {type(documents).__name__}; {shape} is expected")
        for document, values in documents.items():
            key = name, check_id(document, "document", place)
            where = f"document {document!r} in topic {topic!r}"
            if not isinstance(values, tuple | list) or len(values) != len(form.says):
                raise WrongTypeError(place, f"{where} holds {values!r}; {shape} is expected")
            try:
                said = form.read(list(map(str, values)))
            except ValueError as problem:
                raise FormatError(place, f"{where}: {problem}. {shape} is expected") from None
            if said is None:
                n_dropped += 1
            else:
                judgments[key] = said
    return judgments, n_dropped


def placed(judgments: Mapping[Document, Said], name: str) -> tuple[Qrels, list[Said]]:
    """Convert judgments to plain qrels whose grades are places, and the judgment at each place.

    Places are in order of topics and documents (`sorted`), so that no sum over them depends on the order of the lines.
    """
    order = sorted(judgments)
    topics, documents = Ids.of(topic for topic, _ in order), Ids.of(document for _, document in order)
    return places_of(topics, documents, name), [judgments[key] for key in order]


def places_of(topics: Ids, documents: Ids, name: str) -> Qrels:
    """Convert the documents of N rows to plain qrels whose grades are row numbers, from 0."""
    columns = _kernel.gather(topics, documents, np.arange(len(topics)))
    return Qrels(tuple(map(to_text, columns.topics)), columns.starts, columns.documents, columns.grades, name)


def whole(text: str, what: str) -> int:
    """Parse a whole number."""
    if (number := grade_of(to_bytes(text))) is None:
        raise ValueError(f"the {what} {quoted(text)} is not a whole number")
    return number


def decimal(text: str, what: str) -> float:
    """Parse a finite decimal number."""
    if (number := score_of(to_bytes(text))) is None or not isfinite(number):
        raise ValueError(f"the {what} {quoted(text)} is not a decimal number such as 2 or 0.5")
    return number


def quoted(text: str) -> str:
    """Quote a text of a file for a message."""
    return repr(text[:80]) + ("..." if len(text) > 80 else "")
