"""Detect the format of a file from its first bytes, whatever its name."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from irkit.conversion import cranfield, json_lines, tables, trec
from irkit.conversion.collection import Judgment, SourceDocument, TopicsPart
from irkit.conversion.relevant import names_relevant
from irkit.data.topic_formats import colon_separated
from irkit.errors import FormatError, IrkitError
from irkit.files.records import stream_lines


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A file format: functions that recognise its beginning, and read documents or topics."""

    recognises: Callable[[str], bool]
    documents: Callable[[Path], Iterator[SourceDocument]]
    topics: Callable[[Path], TopicsPart]


# Asked in this order, by how the file begins.
FORMS: Final = (
    FileFormat(cranfield.recognises, cranfield.documents, cranfield.topics),
    FileFormat(trec.recognises, trec.documents, trec.topics),
    FileFormat(json_lines.recognises, json_lines.documents, json_lines.topics),
    FileFormat(tables.recognises, tables.documents, tables.topics),
    FileFormat(lambda head: colon_separated(head) is not None, tables.documents, trec.topics),
)


def form_of(path: Path) -> FileFormat:
    """Detect the format of a file by its beginning."""
    head = _head(path)
    for form in FORMS:
        if form.recognises(head):
            return form
    raise FormatError(
        str(path),
        "not in a known form; it may hold JSON lines, CSV with a line of names, tab-separated lines, TREC SGML or "
        "Cranfield's .I records",
    )


def topics_in(path: Path, *, judged_elsewhere: bool) -> TopicsPart:
    """Read the topics of a file; judgments may be in another file."""
    read = form_of(path).topics
    for reader in (json_lines.topics, tables.topics):  # whose topics may hold lists of documents
        if read is reader:
            return reader(path, judged_elsewhere=judged_elsewhere)
    return read(path)


def judgments_in(path: Path) -> Iterator[Judgment]:
    """Read the judgments in a file: JSON lines, or lines of fields."""
    return json_lines.judgments(path) if json_lines.recognises(_head(path)) else tables.judgments(path)


def _head(path: Path) -> str:
    return b"\n".join(line for _, line in islice(stream_lines(path), 5)).decode("utf-8", "replace") + "\n"


def holds_judgments(path: Path) -> bool:
    """Whether the first record of a file is a valid judgment."""
    try:
        return next(judgments_in(path), None) is not None
    except IrkitError:
        return False


def is_cranfield(path: Path | None) -> bool:
    """Whether a file is in Cranfield's own format, so that its judgments hold codes."""
    return path is not None and form_of(path) is FORMS[0]


def has_relevant_ids(topics: Path) -> bool:
    """Whether the topics of a JSON file list their relevant documents."""
    return names_relevant(_head(topics))


def is_ready(documents: Path, topics: Path, qrels: Path) -> bool:
    """Whether these files need no conversion: JSON lines with id and contents, topics as read elsewhere, TREC qrels."""
    first = next((line for line in _head(documents).splitlines() if line.strip()), "")
    judgment = next((line for line in _head(qrels).splitlines() if line.strip()), "")
    asked = _head(topics)
    return (
        _names_in(first) >= {"id", "contents"}
        and not cranfield.recognises(asked)
        and tables.named_by(asked) in (None, "\t")
        and not names_relevant(asked)
        and not json_lines.recognises(judgment)
        and tables.named_by(judgment) is None
        and len(judgment.split()) == 4
    )


def _names_in(line: str) -> set[str]:
    try:
        found = json.loads(line)
    except ValueError:
        return set()
    return set(found) if isinstance(found, dict) else set()
