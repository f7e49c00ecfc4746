"""Documents, topics and judgments with their original ids: the common form of all readers."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from irkit.data.topic_formats import RawTopic, check_whole
from irkit.errors import FormatError
from irkit.files.field_names import GRADE_COLUMNS, first_named

# As `irkit.files.field_names.plain` spells them.
DOCUMENT_IDS = ("id", "_id", "doc_id", "docid", "docno", "document", "document_id", "corpus_id", "passage_id", "pid")
JUDGED_QUERIES = ("query_id", "qid", "topic_id", "question_id", "query", "topic", "question")
JUDGED_DOCUMENTS = ("document_id", "doc_id", "docid", "docno", "corpus_id", "passage_id", "pid", "document", "doc")
GRADES = ("grade", "score", *GRADE_COLUMNS[1:])
# Fields that are text to search where a document has no field `contents` or `text`.
SEARCHED = ("title", "name", "headline", "description", "summary", "abstract", "tags", "keywords", "body")

# A table may say 1.0; Python's own `1_0` and signs of other scripts are no digits of a qrels file.
_WHOLE = re.compile(r"[+-]?[0-9]{1,20}(\.0*)?")


class SourceId(NamedTuple):
    """An id as it is in its file.

    Attributes
    ----------
    text : str or None
        None where there is none.
    number : bool
        It stands there as a number, not as text.
    """

    text: str | None
    number: bool = False


class SourceDocument(NamedTuple):
    """A document before its final id is chosen; its fields include its text, which only some collections need."""

    line: int
    id: SourceId
    contents: str
    fields: Mapping[str, Any]
    searched: tuple[str, ...]  # the fields that the contents are made of
    remark: str | None = None  # what is odd about it, for the report


class SourceTopic(NamedTuple):
    """A topic before its final id and its query are chosen."""

    id: SourceId
    found: RawTopic


class Judgment(NamedTuple):
    """A judgment with its place in the file."""

    place: str
    line: int
    query: SourceId
    document: SourceId | None  # none where no document of the topic is judged
    grade: int


@dataclass(frozen=True, slots=True)
class TopicsPart:
    """Topics of a file, with their judgments if the file holds any."""

    topics: list[SourceTopic]
    query_names: tuple[str, ...]  # fields that may be the query, the likeliest first
    judgments: list[Judgment] | None = None


def source_id(value: Any, what: str, place: str, line: int) -> SourceId:
    """Convert a JSON value to an id."""
    if isinstance(value, str):
        check_whole(value, what, place, line)
    if value is None or isinstance(value, str):
        return SourceId(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return SourceId(str(value), number=True)
    raise FormatError(place, f"the {what} id is {json.dumps(value)[:40]}; an id is a string or a whole number", line)


def grade_of(value: Any, place: str, line: int) -> int:
    """Convert a cell or JSON value to a grade."""
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip(" ")):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**31 and value == int(value):
        return int(value)
    raise FormatError(place, f"the grade is {str(value)[:40]!r}; a grade is a whole number", line)


def first_of(names: tuple[str, ...], record: Mapping[str, Any], what: str, place: str, line: int) -> str:
    """Return the first of these names that the record has."""
    name: str | None = first_named(record, names)
    if name is None:
        has = ", ".join(map(repr, record)) or "nothing"
        raise FormatError(place, f"no {what} ({' or '.join(names[:3])}); there is {has}", line)
    return name


def document_of(record: dict[str, Any], place: str, line: int) -> SourceDocument:
    """Make a document from named values.

    The contents are the field `contents`; or `title` and `text`; or name, description, tags and their like; or, where
    there is none of these, all fields that are text. The parts are joined by a line end. All fields are kept but the
    id, those that are null or `{}`, and the `contents` that is searched.
    """
    key = first_named(record, DOCUMENT_IDS)
    identifier = SourceId(None) if key is None else source_id(record[key], "document", place, line)
    fields = {name: value for name, value in record.items() if name != key and value is not None and value != {}}
    if "contents" in fields:
        searched = ["contents"]
    elif "text" in fields:
        searched = [name for name in ("title", "text") if name in fields]
    else:
        searched = [name for name in fields if name in SEARCHED]
        searched = searched or [name for name, value in fields.items() if isinstance(value, str)]
    contents = "\n".join(filter(None, (_text(fields[name], name, place, line) for name in searched)))
    kept = {name: value for name, value in fields.items() if name != "contents"}
    return SourceDocument(line, identifier, contents, kept, tuple(searched))


def _text(value: Any, name: str, place: str, line: int) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    raise FormatError(place, f"{name!r} is searched, but it is neither text nor a list of texts", line)


def judgments_of(records: Iterator[tuple[int, dict[str, Any]]], place: str) -> Iterator[Judgment]:
    """Make judgments from named values: query, document and grade, each under any of its usual names."""
    for line, record in records:
        query = first_of(JUDGED_QUERIES, record, "query", place, line)
        document = first_of(JUDGED_DOCUMENTS, record, "document", place, line)
        grade = first_of(GRADES, record, "grade", place, line)
        yield Judgment(
            place,
            line,
            judged_id(record[query], "query", place, line),
            judged_id(record[document], "document", place, line),
            grade_of(record[grade], place, line),
        )


def judged_id(value: Any, what: str, place: str, line: int) -> SourceId:
    """Convert the query or document of a judgment to an id."""
    identifier = source_id(value, what, place, line)
    if not identifier.text:
        raise FormatError(place, f"a judgment without a {what}", line)
    return identifier
