"""Read collections in JSON lines: documents, queries and judgments under usual names (BEIR, services, passages ...)."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from irkit.conversion.collection import (
    DOCUMENT_IDS,
    JUDGED_QUERIES,
    SEARCHED,
    Judgment,
    SourceDocument,
    SourceId,
    SourceTopic,
    TopicsPart,
    document_of,
    judged_id,
    judgments_of,
    source_id,
)
from irkit.conversion.relevant import names_relevant_in, relevant, taken_relevant
from irkit.data.topic_formats import ID_NAMES, TEXT_NAMES, found_in_object
from irkit.files.field_names import first_named
from irkit.files.records import read_objects


def recognises(head: str) -> bool:
    """Whether a file that starts like this is JSON."""
    return head.lstrip().startswith(("{", "["))


def documents(path: Path) -> Iterator[SourceDocument]:
    """Read documents: each object (see `document_of`), each string of an array, or each value of `{id: document}`."""
    for line, record in _records(path, "text", (*DOCUMENT_IDS, *SEARCHED, "contents", "text")):
        yield document_of(record, str(path), line)


def topics(path: Path, *, judged_elsewhere: bool = False) -> TopicsPart:
    """Read topics: each object is a topic and may hold its judgments; see `irkit.conversion.relevant`.

    A topic without an id is called by its place in the file, from 1.
    """
    place = str(path)
    found: list[SourceTopic] = []
    judgments: list[Judgment] = []
    for line, record in _records(path, "text", (*ID_NAMES, *TEXT_NAMES)):
        its = taken_relevant(record, place, line, judged_elsewhere=judged_elsewhere)
        key = first_named(record, ID_NAMES)
        identifier = source_id(None if key is None else record.pop(key), "query", place, line)
        if not identifier.text:
            identifier = SourceId(str(len(found) + 1), number=True)
        found.append(SourceTopic(identifier, found_in_object(line, record, None, place)))
        for name, value in its:
            judgments += relevant(name, value, identifier, place, line)
    return TopicsPart(found, TEXT_NAMES, judgments or None)


def judgments(path: Path) -> Iterator[Judgment]:
    """Read judgments: each object holds query, document and grade, or whole queries as `{query: {document: grade}}`."""
    place = str(path)
    for line, held in read_objects(path):
        record = _unwrapped(held)
        if first_named(record, JUDGED_QUERIES) is None and _are_nested(record):
            for name, value in record.items():
                yield from relevant(name, value, source_id(name, "query", place, line), place, line)
        elif (its := first_named(record, (*JUDGED_QUERIES, *ID_NAMES))) and names_relevant_in(record):
            query = judged_id(record[its], "query", place, line)
            for key, value in taken_relevant(dict(record), place, line):
                yield from relevant(key, value, query, place, line)
        else:
            yield from judgments_of(iter([(line, record)]), place)


def _unwrapped(record: dict[str, Any]) -> dict[str, Any]:
    """The table of queries in `{"qrels": {query: {document: grade}}}`; any other object as it is."""
    if len(record) == 1 and names_relevant_in(record):
        (held,) = record.values()
        if isinstance(held, dict) and _are_nested(held):
            return held
    return record


def _are_nested(record: dict[str, Any]) -> bool:
    return bool(record) and all(isinstance(value, dict | list) for value in record.values())


def _records(path: Path, text: str, usual: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Objects of a file; if it is one object without a usual key, its values by id."""
    objects = read_objects(path, text)
    first = list(islice(objects, 2))
    if len(first) != 1 or first_named(first[0][1], usual) is not None:
        yield from first
        yield from objects
        return
    line, record = first[0]
    held = list(record.values())
    if len(held) == 1 and isinstance(held[0], list):  # {"queries": [...]}
        held = held[0]
        yield from ((line, one if isinstance(one, dict) else {text: one}) for one in held)
    elif held and all(isinstance(value, dict) for value in held):
        yield from ((line, {**value, "id": key}) for key, value in record.items())
    elif held and all(isinstance(value, str) for value in held):
        yield from ((line, {"id": key, text: value}) for key, value in record.items())
    else:
        yield line, record
