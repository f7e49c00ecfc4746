"""Convert source documents, topics and judgments to documents, topics and qrels, and report every change."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from irkit._utils.text import counted
from irkit.conversion import cranfield
from irkit.conversion.collection import Judgment, SourceDocument, TopicsPart
from irkit.conversion.detect import form_of, is_cranfield, judgments_in
from irkit.conversion.renaming import Renaming
from irkit.conversion.report import Note
from irkit.data.documents import Document, FieldValue
from irkit.data.qrels import GRADED_SIGN, NO_JUDGMENTS, Qrels
from irkit.data.topic_formats import LONG_NAMES, TAG_NAME
from irkit.data.topic_matching import MatchTopics, matching, topic_hint
from irkit.data.topics import RESERVED_FIELDS, Topic, Topics, check_text, query_name, topic_of
from irkit.errors import DataError, FormatError

# Grades above this are more often a column in the wrong place than a scale.
HIGHEST_USUAL_GRADE = 10


class DocumentsPart:
    """Documents of a file: read once for ids and again for writing, so that memory holds none."""

    def __init__(self, path: Path, renaming: Renaming, notes: list[Note]) -> None:
        self.path = path
        self._read = form_of(path).documents
        ids, empty, as_json = [], [], Counter[str]()
        searched: Counter[tuple[str, ...]] = Counter()
        remarks: dict[str, list[int]] = {}
        for document in self._read(path):
            ids.append((document.line, document.id))
            searched[document.searched] += 1
            if document.remark:
                remarks.setdefault(document.remark, []).append(len(ids) - 1)
            if not document.contents.strip():
                empty.append(len(ids) - 1)
            as_json.update(name for name, value in document.fields.items() if _field(value)[1])
        if not ids:
            raise FormatError(str(path), "the file holds no documents")
        self.ids = renaming.settle(ids, str(path))
        # Where contents are a title and a text, each may be searched for itself; where they are the text, it is there.
        self._text_apart = any(len(names) > 1 for names in searched)
        for names, count in searched.items():
            notes.append(Note(f"documents whose contents are {', '.join(names) or 'nothing'}", count))
        for remark, places in remarks.items():
            notes.append(Note.of(remark, (self.ids[place] for place in places)))
        if empty:
            notes.append(Note.of("documents with no text, kept", (self.ids[place] for place in empty)))
        for name, count in as_json.items():
            notes.append(Note(f"documents whose field {name!r} is neither text nor number, kept as JSON text", count))

    def __iter__(self) -> Iterator[Document]:
        for identifier, document in zip(self.ids, self._read(self.path), strict=True):
            left_out: set[str] = set() if self._text_apart else {"text"}.intersection(document.searched)
            yield Document(identifier, document.contents, _fields(document, left_out))


def _fields(document: SourceDocument, left_out: Collection[str]) -> dict[str, FieldValue]:
    fields: dict[str, FieldValue] = {}
    for name, value in document.fields.items():
        if name in left_out:
            continue
        fields[_unused(f"original_{name}" if name in ("id", "contents") else name, fields)] = _field(value)[0]
    return fields


def _field(value: Any) -> tuple[FieldValue, bool]:
    """A value as a document field has it, and whether it had to become JSON text."""
    if isinstance(value, str | int | float):
        return value, False
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value), False
    return json.dumps(value, ensure_ascii=False), True


def _unused(name: str, taken: Mapping[str, Any]) -> str:
    unused, count = name, 1
    while unused in taken:
        count += 1
        unused = f"{name}_{count}"
    return unused


def convert_topics(
    part: TopicsPart, path: Path, query_field: str | None, renaming: Renaming, notes: list[Note]
) -> Topics:
    """Convert the topics of a file, with new ids where necessary."""
    place = str(path)
    if not part.topics:
        raise FormatError(place, "the file holds no topics")
    found = [topic.found for topic in part.topics]
    new_ids = renaming.settle([(topic.found.line, topic.id) for topic in part.topics], place)
    query = query_field or query_name(found, part.query_names, place)
    topics, renamed = [], dict[str, str]()
    for identifier, topic in zip(new_ids, found, strict=True):
        check_text(topic._replace(id=identifier), place)
        original = topic_of(topic._replace(id=identifier), query, place)
        fields: dict[str, str] = {}
        for name, value in original.fields.items():
            fit = _tag(name)
            if fit != name:
                renamed[name] = fit
            fields[_unused(fit, fields)] = value
        topics.append(Topic(identifier, original.text, fields))
    notes.append(Note(f"topics whose query is their {query}", len(topics)))
    if renamed:
        pairs = (f"{old!r} -> {new!r}" for old, new in renamed.items())
        notes.append(Note.of("topic fields renamed, since they cannot be tags", pairs))
    empty = [topic.id for topic in topics if not topic.text]
    if empty:
        notes.append(Note.of("topics with an empty query, kept", empty))
    return Topics(tuple(topics), place)


def _tag(name: str) -> str:
    fit = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    if fit.lower() in RESERVED_FIELDS | LONG_NAMES.keys():
        return f"original_{fit}"
    return fit if TAG_NAME.fullmatch(fit) else f"_{fit}"


def read_judgments(path: Path, beside: list[Path | None], notes: list[Note]) -> Iterator[Judgment]:
    """Read the judgments of a file; codes become grades where a file beside it is in Cranfield's format."""
    judgments = judgments_in(path)
    if any(map(is_cranfield, beside)):
        notes.append(
            Note("grades are 5 less Cranfield's code (1 complete answer ... 4 minimum interest), and 0 for -1")
        )
        return cranfield.graded(judgments)
    return judgments


def matched_judgments(
    judgments: Iterator[Judgment], topics: Renaming, rule: MatchTopics, notes: list[Note]
) -> Iterator[Judgment]:
    """Replace the topic ids of judgments by those of the topics file, matched by a rule."""
    held = list(judgments)
    pairs = matching((one.query.text or "" for one in held), topics.new, rule)
    changed = [f"{one} -> {other}" for one, other in pairs.items() if one != other]
    if changed:
        notes.append(Note.of(f"topics of judgments matched by '{rule}'", changed))
    return (
        one._replace(query=one.query._replace(text=pairs.get(one.query.text or "", one.query.text))) for one in held
    )


def convert_judgments(
    judgments: Iterator[Judgment],
    place: str,
    topics: Renaming | None,
    documents: Renaming | None,
    notes: list[Note],
) -> Qrels:
    """Convert judgments to qrels.

    A judgment of an unknown topic is dropped, one of an unknown document is kept, and both are noted. `topics` and
    `documents` are None where there is no file of them, and then all are known.
    """
    grades: dict[str, dict[str, int]] = {}
    lines: dict[tuple[str, str], int] = {}
    repeated: list[str] = []
    conflicts: list[str] = []
    strange_topics: dict[str, None] = {}
    strange_documents: dict[str, None] = {}
    n_dropped = n_strange = 0
    topics, known_topics = topics or Renaming("topic", "Q"), topics is not None
    documents, known_documents = documents or Renaming("document", "D"), documents is not None
    for judgment in judgments:
        if known_topics and judgment.query.text not in topics.new:
            strange_topics[judgment.query.text or ""] = None
            n_dropped += 1
            continue
        topic, _ = topics.of(judgment.query)
        if judgment.document is None or judgment.document.text == NO_JUDGMENTS:
            if judgment.grade:
                raise FormatError(judgment.place, GRADED_SIGN, judgment.line)
            grades.setdefault(topic, {})
            continue
        document, known = documents.of(judgment.document)
        if known_documents and not known:
            strange_documents[document] = None
            n_strange += 1
        judged = grades.setdefault(topic, {})
        first = lines.setdefault((topic, document), judgment.line)
        if document in judged:
            pair = f"{topic} {document} (lines {first} and {judgment.line})"
            (repeated if judged[document] == judgment.grade else conflicts).append(pair)
        judged.setdefault(document, judgment.grade)
    if conflicts:
        raise FormatError(place, f"judged twice with different grades: {'; '.join(conflicts)}; keep one of each")
    if not grades:
        some = (
            f": {', '.join(list(strange_topics)[:3])} and {', '.join(list(topics.new)[:3])}" if strange_topics else ""
        )
        raise DataError(
            f"{place}: no judgment is of a topic that there is{some}; are these files of one collection?"
            + (f" {hint}" if (hint := topic_hint(list(strange_topics), list(topics.new))) else "")
        )
    _note_judgments(grades, notes)
    if repeated:
        notes.append(Note.of("judgments that stand twice with the same grade, kept once", repeated))
    if strange_topics:
        notes.append(Note.of(f"unknown topics, whose {counted(n_dropped, 'judgment')} fall away", strange_topics))
        if hint := topic_hint([*strange_topics, *grades], list(topics.new)):
            notes.append(Note(f"topic ids of judgments and topics differ: {hint}"))
    if strange_documents:
        notes.append(
            Note.of(
                f"judged documents that are not there, with {counted(n_strange, 'judgment')} kept", strange_documents
            )
        )
    return Qrels.from_grades(grades, place)


def _note_judgments(grades: Mapping[str, Mapping[str, int]], notes: list[Note]) -> None:
    counts = Counter(grade for judged in grades.values() for grade in judged.values())
    by_grade = ", ".join(f"{grade}: {counts[grade]}" for grade in sorted(counts))
    notes.append(Note(f"judgments by grade: {by_grade or 'none'}"))
    if without := [topic for topic, judged in grades.items() if not judged]:
        notes.append(Note.of(f"topics judged without a judged document, kept by a line with {NO_JUDGMENTS!r}", without))
    if not counts:
        return
    if min(counts) < 0:
        notes.append(
            Note(
                "judgments with a negative grade, which stands for pooled but not judged, kept",
                sum(count for grade, count in counts.items() if grade < 0),
            )
        )
    if max(counts) > HIGHEST_USUAL_GRADE:
        notes.append(
            Note(
                f"judgments with a grade above {HIGHEST_USUAL_GRADE}, kept; is the right column read?",
                sum(count for grade, count in counts.items() if grade > HIGHEST_USUAL_GRADE),
            )
        )
    without = [topic for topic, judged in grades.items() if judged and max(judged.values()) <= 0]
    if without:
        notes.append(Note.of("topics without a relevant document, kept", without))
