"""Qrels by subtopic: for each topic its subtopics (aspects, intents), and a grade of a document for each of them."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import JudgmentLines
from irkit._utils.arrays import freeze
from irkit.data.from_dicts import check_grade, grades_of
from irkit.data.from_objects import OBJECTS, ObjectColumns, object_columns, objects_of
from irkit.data.from_tables import Columns, checked_ids, checked_rows, is_table, named_columns
from irkit.data.judgments.group_lines import SUBTOPICS, Key, as_lines, checked_judgments, judgments_of, nested
from irkit.data.judgments.places import PlacedJudgments, names_by_topic
from irkit.data.qrels import JudgmentKind, Qrels
from irkit.errors import FormatError, WrongTypeError
from irkit.files.field_names import DOCUMENT_COLUMNS, GRADE_COLUMNS, SUBTOPIC_COLUMNS, TOPIC_COLUMNS
from irkit.files.records import numbered_lines
from irkit.files.textio import read_bytes, shown
from irkit.ids import Ids, to_bytes, to_text

_WANTED: Final = (TOPIC_COLUMNS, DOCUMENT_COLUMNS, GRADE_COLUMNS, SUBTOPIC_COLUMNS)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class SubtopicQrels(PlacedJudgments):
    """The judged documents of T topics, D in all, by S subtopics: N lines.

    Attributes
    ----------
    places : Qrels
        Each judged document of each topic once, in byte order. Its grade is its place among all D, from 0; or -1 where
        all its grades are negative: pooled and not judged.
    subtopics : tuple of S str
        Topic by topic, in byte order.
    topic : int64 array of shape (S,)
        Place in `topics` of each subtopic.
    document, subtopic, grade : int64 arrays of shape (N,)
        Each line: the places of its document and of its subtopic, and the grade. By document, then by subtopic.
    """

    kind: ClassVar[JudgmentKind] = "subtopics"

    subtopics: tuple[str, ...]
    topic: npt.NDArray[np.int64]
    document: npt.NDArray[np.int64]
    subtopic: npt.NDArray[np.int64]
    grade: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        freeze(self, "topic", "document", "subtopic", "grade")

    @classmethod
    def of(cls, source: "SubtopicQrelsSource") -> "SubtopicQrels":
        """Read qrels from a file, a mapping, a table or an iterable of objects; `SubtopicQrels` are accepted too.

        Parameters
        ----------
        source : path, SubtopicQrels, mapping, table, iterable of objects, or data set
            A path; `{topic: {subtopic: {document: grade}}}`; or a table or objects, as `Qrels.of` takes them, with one
            more column or field, `subtopic`, `subtopic_id` or `iteration`, as the Qrel of ir_measures has it.

        Raises
        ------
        FormatError
            If it is none of these, or something in it is not what it should be.
        """
        if isinstance(source, SubtopicQrels):
            return source
        if isinstance(source, str | os.PathLike):
            return read_subtopic_qrels(source)
        if is_table(source):
            names, columns = named_columns(source, _WANTED, "qrels")
            return cls._of(_of_rows([ObjectColumns(0, names, columns)], "the table", "qrels"), "qrels")
        if isinstance(source, Mapping):
            return cls.from_dict(source)
        if (objects := objects_of(source, "qrels_iter")) is not None:
            return cls._of(_of_rows(object_columns(objects, _WANTED, "qrels"), OBJECTS, "qrels"), "qrels")
        raise WrongTypeError(
            "qrels",
            "qrels by subtopic are a file, a dict, a table of rows with named columns, or an iterable of objects with "
            f"named fields, not {type(source).__name__}",
        )

    @classmethod
    def from_dict(cls, topics: Mapping[str, Mapping[str, Mapping[str, Any]]], name: str = "qrels") -> "SubtopicQrels":
        """Make qrels from `{topic: {subtopic: {document: grade}}}`.

        Raises
        ------
        FormatError
            If an id is no string, a grade no whole number, or a topic or subtopic holds no mapping, or an empty one.
        """
        return cls._of(checked_judgments(topics, SUBTOPICS, name), name)

    @classmethod
    def _of(cls, judgments: Mapping[Key, int], name: str) -> "SubtopicQrels":
        lines = sorted(
            (to_bytes(topic), to_bytes(document), to_bytes(subtopic), grade)
            for (topic, subtopic, document), grade in judgments.items()
        )
        grade = np.array([grade for *_, grade in lines], dtype=np.int64)
        first = np.array([True, *(before[:2] != line[:2] for before, line in pairwise(lines))], dtype=bool)[
            : len(lines)
        ]
        starts = np.flatnonzero(first)
        judged = [lines[start] for start in starts.tolist()]
        best = np.maximum.reduceat(grade, starts) if len(starts) else starts
        lengths = Counter(topic for topic, *_ in judged)
        topic_place = {topic: place for place, topic in enumerate(lengths)}
        subtopics = sorted({(topic, subtopic) for topic, _, subtopic, _ in lines})
        subtopic_place = {both: place for place, both in enumerate(subtopics)}
        places = Qrels(
            tuple(map(to_text, topic_place)),
            np.cumsum([0, *lengths.values()], dtype=np.int64),
            Ids.of(document for _, document, *_ in judged),
            np.where(best < 0, -1, np.arange(len(judged))),
            name,
        )
        return cls(
            places,
            tuple(to_text(subtopic) for _, subtopic in subtopics),
            np.array([topic_place[topic] for topic, _ in subtopics], dtype=np.int64),
            np.cumsum(first) - 1,
            np.array([subtopic_place[topic, subtopic] for topic, _, subtopic, _ in lines], dtype=np.int64),
            grade,
        )

    @classmethod
    def _of_lines(cls, lines: JudgmentLines, name: str) -> "SubtopicQrels":
        grade = lines.wholes[0]
        topic, subtopic, place = names_by_topic(lines)
        best = np.maximum.reduceat(grade, np.flatnonzero(np.diff(lines.document, prepend=-1)))
        places = Qrels(
            tuple(map(to_text, lines.topics)),
            lines.starts,
            lines.documents,
            np.where(best < 0, -1, np.arange(len(best))),
            name,
        )
        texts = list(map(to_text, lines.names))
        subtopics = tuple([texts[number] for number in subtopic.tolist()])
        return cls(places, subtopics, topic, lines.document, place, grade)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes to print above results: whether the qrels lack subtopics to diversify over."""
        if self.topics and int(np.bincount(self.topic).max(initial=0)) <= 1:
            return ("no topic has more than one subtopic: are the subtopics in the second column of the qrels?",)
        return ()

    def __len__(self) -> int:
        return len(self.grade)

    def to_dict(self) -> dict[str, dict[str, dict[str, int]]]:
        """Convert to `{topic: {subtopic: {document: grade}}}`, all in byte order."""
        return nested(dict(self._rows()))

    def _lines(self) -> Iterator[bytes]:
        yield as_lines(self._rows(), SUBTOPICS, self.name)

    def _rows(self) -> Iterator[tuple[Key, int]]:
        documents = list(map(to_text, self.places.documents))
        for line in np.lexsort((self.document, self.subtopic)).tolist():
            subtopic = self.subtopic[line]
            key = self.topics[self.topic[subtopic]], self.subtopics[subtopic], documents[self.document[line]]
            yield key, int(self.grade[line])


SubtopicQrelsSource: TypeAlias = (
    "str | os.PathLike[str] | SubtopicQrels | Mapping[str, Mapping[str, Mapping[str, Any]]] | Any"
)


def read_subtopic_qrels(path: str | os.PathLike[str]) -> SubtopicQrels:
    """Read qrels by subtopic: lines `topic subtopic document grade`, as TREC's diversity tasks have them.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input.

    Returns
    -------
    SubtopicQrels

    Raises
    ------
    FormatError
        With file, line, what was found and the remedy; also where a document is judged twice for a subtopic, or the
        file holds no judgment.
    """
    place, data = shown(path), read_bytes(path)
    lines = _kernel.judgment_lines(data, "tidn")
    if lines is not None and len(lines.document) and not _has_twice(lines):
        return SubtopicQrels._of_lines(lines, place)
    return SubtopicQrels._of(judgments_of(numbered_lines(BytesIO(data), place), place, SUBTOPICS), place)


def _has_twice(lines: JudgmentLines) -> bool:
    """Whether a document is judged twice for a subtopic."""
    return bool(((lines.document[1:] == lines.document[:-1]) & (lines.name[1:] == lines.name[:-1])).any())


def _of_rows(parts: Iterable[ObjectColumns], whole: str, place: str) -> dict[Key, int]:
    """The judgments of the rows of a table, or of objects, part by part, with the columns of `_WANTED`."""
    judgments: dict[Key, int] = {}
    for part in parts:
        *names, name = part.names
        topics, documents, grades, subtopics = part.columns
        columns = Columns(tuple(names), topics, documents, grades, part.first, whole)
        rows = checked_rows(columns, grades_of, check_grade, place)
        ids = zip(
            rows.topics, checked_ids(subtopics, name, "subtopic", place, columns.row), rows.documents, strict=True
        )
        for row, (texts, grade) in enumerate(zip(ids, rows.numbers.tolist(), strict=True)):
            topic, subtopic, document = key = (to_text(texts[0]), to_text(texts[1]), to_text(texts[2]))
            if key in judgments:
                raise FormatError(
                    f"{place}: {columns.row(row)}",
                    f"document {document!r} occurs twice in {SUBTOPICS.called((topic, subtopic))}; keep one of them",
                )
            judgments[key] = grade
    return judgments
