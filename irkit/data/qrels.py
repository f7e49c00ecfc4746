"""Qrels: which documents were judged for each topic, and their grades."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import QrelsColumns
from irkit._kernel.problems import TwiceError
from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.data import beir
from irkit.data.from_dicts import Rows, check_grade, grades_of, nested_rows, twice_in, with_topics
from irkit.data.from_objects import OBJECTS, object_rows, objects_of
from irkit.data.from_tables import Columns, checked_rows, is_table, plain_columns, table_columns, twice_in_table
from irkit.errors import DataError, DuplicateError, FormatError, UsageError, WrongTypeError
from irkit.files.field_names import GRADE_COLUMNS
from irkit.files.textio import check_no_nul, read_bytes, shown, topic_field, trec_field, write_bytes
from irkit.ids import Ids, check_rows, to_bytes, to_text

# What is known of the documents: a whole grade, or a fractional one; a grade for each subtopic; a grade of a sample by
# stratum, or with its probability; one for each judge; which is preferred to which. trec_eval names the last two so.
JudgmentKind = Literal["qrels", "fractional", "subtopics", "strata", "prels", "qrels_jg", "prefs"]

# The document by which a file keeps a topic that is judged without a judged document: `topic 0 irkit:no-judgments 0`.
# A comment would keep it too, but stops trec_eval 9 and all that is built on it; one document more that is not
# relevant, and that no run has, changes no program's numbers.
NO_JUDGMENTS: Final = "irkit:no-judgments"
GRADED_SIGN: Final = (
    f"{NO_JUDGMENTS!r} says that a topic has no judgment, and its grade is not 0; give the document another id"
)

Grade = TypeVar("Grade", int, float)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, repr=False)
class Qrels:
    """The judged documents of T topics, N in all.

    `Qrels.of` and `Qrels.from_columns` refuse a document that occurs twice in a topic. Columns given
    directly must be without repeats: this alone is not checked again.

    Attributes
    ----------
    topics : tuple of T str
        In byte order, each once.
    starts : int64 array of shape (T + 1,)
        Topic `t` holds the rows `starts[t]` up to `starts[t + 1]`, in the order of the file.
    documents : Ids of N ids
    grades : int64 array of shape (N,)
        0 is not relevant; a negative grade stands for a document that was pooled but not judged.
    name : str
        What to call the qrels in messages.
    """

    kind: ClassVar[JudgmentKind] = "qrels"

    topics: tuple[str, ...]
    starts: npt.NDArray[np.int64]
    documents: Ids
    grades: npt.NDArray[np.int64]
    name: str = "qrels"

    def __post_init__(self) -> None:
        check_rows(self.topics, self.starts, self.documents, self.grades, "grades", np.int64)
        if not isinstance(self.name, str):
            raise UsageError(f"the name of qrels is text, not {self.name!r}")
        freeze(self, "starts", "grades")

    @classmethod
    def of(cls, source: "QrelsSource") -> "Qrels":
        """Read qrels from a file, a mapping, a table or an iterable of objects; `Qrels` are accepted too.

        Parameters
        ----------
        source : path, Qrels, mapping, table, iterable of objects, or data set
            A path; `{topic: {document: grade}}`; a table, as `Run.of` takes it, with columns for topic, document and
            grade (`query_id`/`qid`, `doc_id`/`docno`/`corpus-id`, `relevance`/`label`/`grade`/`rating`, and BEIR's
            `score` beside `corpus-id`); or an iterable of objects that have
            these as their fields, such as the Qrel of ir_measures, or a data set of ir_datasets that has qrels.

        Raises
        ------
        FormatError
            If it is none of these, or something in it is not what it should be.
        """
        if isinstance(source, Qrels):
            return source
        if isinstance(source, str | os.PathLike):
            return read_qrels(source)
        if is_table(source):
            return cls._from_table(table_columns(source, GRADE_COLUMNS, "qrels"), "qrels")
        if isinstance(source, Mapping):
            return cls.from_grades(source)
        if (objects := objects_of(source, "qrels_iter")) is not None:
            rows = object_rows(objects, GRADE_COLUMNS, grades_of, _check_grade, "qrels")
            return cls._from_rows(rows, "qrels", OBJECTS)
        raise WrongTypeError(
            "qrels",
            "qrels are a file, a dict, a table of rows with named columns, or an iterable of objects with named "
            f"fields, not {type(source).__name__}",
        )

    @classmethod
    def from_grades(cls, topics: Mapping[str, Mapping[str, Any]], name: str = "qrels") -> "Qrels":
        """Make qrels from the grade of each document.

        Raises
        ------
        FormatError
            If an id is no string, a grade no whole number, or a topic holds no mapping.
        """
        graded = [(topic, _graded(topic, documents, name)) for topic, documents in topics.items()]
        rows = nested_rows(graded, name, grades_of, check_grade)
        try:
            columns = _kernel.gather(*rows)
        except TwiceError as problem:
            raise twice_in(rows, problem, name) from None
        return cls._from_columns(with_topics(columns, (topic for topic, _ in graded)), name)

    @classmethod
    def from_columns(cls, topics: Any, documents: Any, grades: Any, name: str = "qrels") -> "Qrels":
        """Make qrels from rows in any order: topic, document and grade columns.

        Parameters
        ----------
        topics, documents : list or array of str
            Ids; NumPy arrays may be of any type of text, or of bytes.
        grades : list or array of whole numbers
        name : str
            What to call the qrels in messages.

        Raises
        ------
        FormatError
            If the columns are not of one length, a document occurs twice in a topic, or as `from_grades`; with the row.
        """
        return cls._from_table(plain_columns({"topics": topics, "documents": documents, "grades": grades}, name), name)

    @classmethod
    def _from_table(cls, columns: Columns, name: str) -> "Qrels":
        return cls._from_rows(checked_rows(columns, grades_of, _check_grade, name), name, columns.whole)

    @classmethod
    def _from_rows(cls, rows: Rows, name: str, whole: str) -> "Qrels":
        try:
            return cls._from_columns(_kernel.gather(*rows), name)
        except TwiceError as problem:
            raise twice_in_table(rows, problem, name, whole) from None

    @classmethod
    def _from_columns(cls, columns: QrelsColumns, name: str) -> "Qrels":
        return cls(tuple(map(to_text, columns.topics)), columns.starts, columns.documents, columns.grades, name)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"<Qrels {self.name!r}: {counted(len(self.topics), 'topic')}, {counted(len(self), 'judgment')}>"

    def columns(self) -> QrelsColumns:
        """Return the columns that the kernel reads."""
        return QrelsColumns(list(map(to_bytes, self.topics)), self.starts, self.documents, self.grades)

    def by_topic(self) -> Iterator[tuple[str, list[str], list[int]]]:
        """Yield each topic with its documents and their grades."""
        for place, topic in enumerate(self.topics):
            rows = slice(int(self.starts[place]), int(self.starts[place + 1]))
            yield topic, list(map(to_text, self.documents[rows])), self.grades[rows].tolist()

    def of_topics(self, topics: Iterable[str]) -> "Qrels":
        """Restrict the qrels to these topics; topics without qrels are ignored."""
        wanted = set(topics)
        kept = [place for place, topic in enumerate(self.topics) if topic in wanted]
        spans = [slice(int(self.starts[place]), int(self.starts[place + 1])) for place in kept]
        return replace(
            self,
            topics=tuple(self.topics[place] for place in kept),
            starts=np.concatenate(([0], np.cumsum(np.diff(self.starts)[kept], dtype=np.int64))),
            documents=self.documents.of_spans(spans),
            grades=np.concatenate([self.grades[:0], *(self.grades[span] for span in spans)]),
        )

    def pools(self) -> dict[str, set[str]]:
        """Return the judged documents of each topic."""
        return {topic: set(documents) for topic, documents, _ in self.by_topic()}

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Convert to `{topic: {document: grade}}`, as pytrec_eval and ir_measures take it."""
        return {topic: dict(zip(documents, grades, strict=True)) for topic, documents, grades in self.by_topic()}

    def as_trec(self) -> bytes:
        """Format as TREC lines: `topic 0 document grade`.

        A topic without a judged document is the line `topic 0 irkit:no-judgments 0`: for `read_qrels` the topic alone,
        and for every other program a document that is not relevant and that no run has.

        Raises
        ------
        FormatError
            If an id is empty or holds white space, which a qrels line cannot carry, or is `irkit:no-judgments`.
        """
        return b"".join(
            b"%s 0 %s %d\n"
            % (
                topic_field(to_bytes(topic), self.name),
                trec_field(to_bytes(document), "document", self.name),
                grade,
            )
            for topic, documents, grades in self.by_topic()
            for document, grade in with_placeholder(documents, grades, 0, self.name)
        )

    def without_placeholders(self, grades: npt.NDArray[Any] | None = None) -> "Qrels":
        """Remove placeholder lines, which only mark a topic as judged.

        `grades` are those of the lines, where these qrels hold something else in their place.
        """
        sign = to_bytes(NO_JUDGMENTS)
        if sign not in self.documents.data:
            return self
        kept = np.array([document != sign for document in self.documents], dtype=bool)
        if (self.grades if grades is None else grades)[~kept].any():
            raise FormatError(self.name, GRADED_SIGN)
        before = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
        documents = Ids.of(document for document in self.documents if document != sign)
        return replace(self, starts=before[self.starts], documents=documents, grades=self.grades[kept])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the qrels as a TREC file, whole or not at all.

        Raises
        ------
        FormatError
            As `as_trec`.
        DataError
            If there is no topic: no program reads such a file.
        """
        if not self.topics:
            raise DataError(f"{shown(path)}: not written, since the qrels have no judgment for any topic")
        write_bytes(path, self.as_trec())


QrelsSource: TypeAlias = "str | os.PathLike[str] | Qrels | Mapping[str, Mapping[str, Any]] | Any"


def read_qrels(path: str | os.PathLike[str]) -> Qrels:
    """Read TREC qrels: lines `topic iteration document grade`; or BEIR's, three columns under a line that names them.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input.

    Returns
    -------
    Qrels

    Raises
    ------
    FormatError
        With file, line, what was found and the remedy; also where the file holds no judgment.
    """
    place = shown(path)
    data = read_bytes(path)
    check_no_nul(data, place)
    if beir.is_beir(data):
        return Qrels._from_columns(_read_beir(data, place), place)
    try:
        columns = _kernel.parse_qrels(data, place)
    except DuplicateError as problem:
        if not _of_subtopics(data, problem):
            raise
        message = f"{problem.message}. If the second column is a subtopic, measures by subtopic read it: alpha_nDCG@20"
        raise DuplicateError(place, message, problem.line) from None
    if not columns.topics:
        raise FormatError(place, "the qrels file is empty")
    return Qrels._from_columns(columns, place).without_placeholders()


def _read_beir(data: bytes, place: str) -> QrelsColumns:
    try:
        columns = _kernel.parse_qrels(beir.as_trec_lines(data), place)
    except FormatError as problem:
        raise beir.unread(data, problem) from None
    if not columns.topics:
        raise FormatError(place, "the qrels file is empty")
    return columns


def _of_subtopics(data: bytes, problem: DuplicateError) -> bool:
    """Whether the line of the problem judges its document with another iteration than all lines before it."""
    *before, (topic, iteration, document, _) = (
        fields for line in data.split(b"\n")[: problem.line] if len(fields := line.split()) == 4
    )
    return all(other[1] != iteration for other in before if other[0] == topic and other[2] == document)


def _check_grade(grade: Any, document: str, topic: str, place: str) -> int:
    try:
        return check_grade(grade, document, topic, place)
    except WrongTypeError:
        raise
    except FormatError as problem:
        remedy = "or take grades as fractional gains with fractional=True"
        raise FormatError(problem.place, f"{problem.message}, {remedy}", problem.line) from None


def with_placeholder(documents: list[str], grades: list[Grade], zero: Grade, name: str) -> Iterator[tuple[str, Grade]]:
    """Documents of a topic with their grades as a file has them: a topic without documents has a placeholder."""
    if NO_JUDGMENTS in documents:
        raise FormatError(
            name, f"the document id {NO_JUDGMENTS!r} says in a file that a topic has no judgment; change it"
        )
    return zip(documents or [NO_JUDGMENTS], grades or [zero], strict=True)


def _graded(topic: str, documents: Any, place: str) -> Mapping[str, Any]:
    if isinstance(documents, Mapping):
        return documents
    raise WrongTypeError(
        place,
        f"topic {topic!r} holds a {type(documents).__name__}; qrels need {{document: grade}}, such as {{'d1': 1}}",
    )
