"""Collections in JSON lines: documents, queries and judgments under the names in use (BEIR, services, passages ...)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irkit.conversion.parts import (
    Judgment,
    SourceDocument,
    SourceId,
    SourceTopic,
    TopicsPart,
    document_of,
    judgments_of,
    source_id,
)
from irkit.errors import FormatError
from irkit.records import read_objects
from irkit.topic_formats import ID_NAMES, TEXT_NAMES, found_in_object

RELEVANT = "relevant_ids"


def recognises(head: str) -> bool:
    """Whether a file that starts like this is JSON."""
    return head.lstrip().startswith(("{", "["))


def documents(path: Path) -> Iterator[SourceDocument]:
    """Each object is a document; see `document_of`."""
    for line, record in read_objects(path):
        yield document_of(record, str(path), line)


def topics(path: Path) -> TopicsPart:
    """Each object is a topic. One that lists `relevant_ids` is judged by them: grade 1, and nothing else is judged.

    A topic without an id is called by its place in the file, from 1.
    """
    place, judged = str(path), False
    found: list[SourceTopic] = []
    judgments: list[Judgment] = []
    for line, record in read_objects(path):
        relevant = record.pop(RELEVANT, None)
        key = next((name for name in ID_NAMES if name in record), None)
        identifier = source_id(None if key is None else record.pop(key), "query", place, line)
        if not identifier.text:
            identifier = SourceId(str(len(found) + 1), number=True)
        found.append(SourceTopic(identifier, found_in_object(line, record, None, place)))
        if relevant is not None:
            judged = True
            judgments += _relevant(relevant, identifier, place, line)
    return TopicsPart(found, TEXT_NAMES, judgments if judged else None)


def judgments(path: Path) -> Iterator[Judgment]:
    """Each object is a judgment: query, document, grade."""
    return judgments_of(read_objects(path), str(path))


def _relevant(relevant: Any, query: SourceId, place: str, line: int) -> list[Judgment]:
    if not isinstance(relevant, list):
        raise FormatError(place, f"{RELEVANT!r} is no list of document ids", line)
    ids = [source_id(value, "document", place, line) for value in relevant]
    if not all(identifier.text for identifier in ids):
        raise FormatError(place, f"{RELEVANT!r} holds an empty id", line)
    return [Judgment(place, line, query, identifier, 1) for identifier in ids]
