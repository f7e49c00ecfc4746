"""Read judgments stored with their topics: lists of relevant documents, or documents with grades."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from irkit.conversion.collection import GRADES, JUDGED_DOCUMENTS, Judgment, SourceId, grade_of, source_id
from irkit.errors import FormatError
from irkit.files.field_names import first_named, plain

# What the judgments of a topic are called, as `plain` spells it.
RELEVANT: Final = (
    "relevant_ids",
    "relevant",
    "relevant_docs",
    "relevant_documents",
    "relevant_doc_ids",
    "relevant_document_ids",
    "relevant_passages",
    "relevant_passage_ids",
    "judgments",
    "judgements",
    "relevance_judgments",
    "relevance_judgements",
    "qrels",
)
_LIKE_JUDGMENTS: Final = re.compile(r"relevan|judg|qrel|gold|positive|negative|ground_truth|grades|ratings")
_DOCUMENT: Final = re.compile(r"(?:^|_)(?:doc|docno|docid|document|passage|corpus|chunk|pid)(?:_id)?s?$")
_KEY: Final = re.compile(r'"((?:[^"\\\\]|\\\\.)*)"\s*:')


def names_relevant(head: str) -> bool:
    """Whether the beginning of a JSON file has a key for judgments."""
    return names_relevant_in(_KEY.findall(head))


def names_relevant_in(keys: Iterable[str]) -> bool:
    """Whether any key is a usual name for judgments."""
    return any(plain(key) in RELEVANT for key in keys)


def taken_relevant(record: dict[str, Any], place: str, line: int, *, judged_elsewhere: bool = False) -> list[Any]:
    """Remove the judgments from a topic and return them: the values of all keys for judgments, without null.

    With `judged_elsewhere` a list of documents may be a field of the topic, since judgments have a file of their own.
    """
    keys = [key for key in record if plain(key) in RELEVANT]
    taken = [(key, record.pop(key)) for key in keys]
    refuse_judgments(record, place, line, judged_elsewhere=judged_elsewhere)
    return [(key, value) for key, value in taken if value is not None]


def refuse_judgments(record: Mapping[str, Any], place: str, line: int, *, judged_elsewhere: bool = False) -> None:
    """Refuse a topic with a value that looks like judgments under an unknown key.

    With `judged_elsewhere` a list of documents is one only if its name says so.
    """
    for key, value in _with_inner(record):
        name = plain(key)
        holds_several = isinstance(value, list | dict) and bool(value)
        looks_so = _LIKE_JUDGMENTS.search(name) is not None
        names_document = _DOCUMENT.search(name) is not None and not isinstance(value, bool | None)
        holds_documents = holds_several and names_document and not judged_elsewhere
        if name in RELEVANT or (looks_so and (holds_several or names_document)) or holds_documents:
            raise FormatError(
                place,
                f"{key!r} looks like judgments, and is not read as such: {json.dumps(value)[:40]}. Call a list of "
                "relevant documents, or a table {document: grade}, 'judgments' in a file of JSON; or rename the key",
                line,
            )


def _with_inner(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys of a topic with their values, and those of the objects in it that hold lists or objects."""
    for key, value in record.items():
        yield key, value
        if isinstance(value, dict):
            yield from ((inner, its) for inner, its in _with_inner(value) if isinstance(its, list | dict))


def relevant(key: str, value: Any, query: SourceId, place: str, line: int) -> Iterator[Judgment]:
    """Read the judgments of a topic: ids (grade 1 each), `{document: grade}`, or objects with both.

    Where there is none, one without a document says that the topic is judged.
    """
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [_pair(key, one, place, line) for one in value]
    else:
        raise FormatError(
            place, f"{key!r} is no list of document ids such as ['d1'], and no table {{document: grade}}", line
        )
    if not pairs:
        yield Judgment(place, line, query, None, 0)
    for document, grade in pairs:
        identifier = source_id(document, "document", place, line)
        if not identifier.text:
            raise FormatError(place, f"{key!r} holds an empty id", line)
        yield Judgment(place, line, query, identifier, grade_of(grade, place, line))


def _pair(key: str, value: Any, place: str, line: int) -> tuple[Any, Any]:
    """A document and its grade, which is 1 where none is given."""
    if isinstance(value, dict):
        name = first_named(value, (*JUDGED_DOCUMENTS, "id", "_id"))
        if name is None:
            raise FormatError(place, f"{key!r} holds {json.dumps(value)[:40]}, which names no document", line)
        grade = first_named(value, GRADES)
        return value[name], 1 if grade is None else value[grade]
    if isinstance(value, list) and len(value) == 2:
        return value[0], value[1]
    return value, 1
