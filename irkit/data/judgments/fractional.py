"""Qrels with decimal grades; each grade is the gain of a document."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from irkit._kernel.problems import TwiceError
from irkit._utils.arrays import freeze
from irkit.data.from_dicts import Column, Rows, is_number, scores_of
from irkit.data.from_objects import OBJECTS, object_rows, objects_of
from irkit.data.from_tables import checked_rows, is_table, table_columns, twice_in_table
from irkit.data.judgments.document_lines import DocumentForm, decimal, placed, places_of, read_documents
from irkit.data.judgments.places import PlacedJudgments
from irkit.data.qrels import JudgmentKind, Qrels, QrelsSource, with_placeholder
from irkit.errors import FormatError, WrongTypeError
from irkit.files.field_names import GRADE_COLUMNS
from irkit.files.textio import read_bytes, shown, topic_field, trec_field
from irkit.ids import to_bytes

LARGEST: Final = 1e100  # so that no sum of gains leaves the range of a number


@dataclass(frozen=True, slots=True, eq=False)
class FractionalQrels(PlacedJudgments):
    """The judged documents of T topics, N in all, with grades that are gains.

    Attributes
    ----------
    places : Qrels of N documents
        The judged documents, in which the grade of each is its place in the column below.
    grades : float64 array of shape (N,)
        0 is not relevant; a negative grade stands for a document that was pooled but not judged.
    """

    kind: ClassVar[JudgmentKind] = "fractional"
    notes: ClassVar[tuple[str, ...]] = ("grades are fractional gains",)

    grades: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        freeze(self, "grades")

    @classmethod
    def of(cls, source: "QrelsSource | FractionalQrels") -> "FractionalQrels":
        """Read qrels from a file, a mapping, a table or an iterable of objects; both kinds of qrels are accepted too.

        Parameters
        ----------
        source : path, FractionalQrels, Qrels, mapping, table, iterable of objects, or data set
            As `Qrels.of` takes it, with decimal numbers for grades.

        Raises
        ------
        FormatError
            If it is none of these, or something in it is not what it should be.
        """
        if isinstance(source, FractionalQrels):
            return source
        if isinstance(source, Qrels):
            return cls(replace(source, grades=np.arange(len(source))), source.grades.astype(np.float64))
        if isinstance(source, str | os.PathLike):
            return read_fractional_qrels(source)
        if is_table(source):
            columns = table_columns(source, GRADE_COLUMNS, "qrels")
            return cls._of_rows(checked_rows(columns, _gains_of, _check_gain, "qrels"), columns.whole)
        if isinstance(source, Mapping):
            return cls.from_grades(source)
        if (objects := objects_of(source, "qrels_iter")) is not None:
            return cls._of_rows(object_rows(objects, GRADE_COLUMNS, _gains_of, _check_gain, "qrels"), OBJECTS)
        raise WrongTypeError(
            "qrels",
            "qrels are a file, a dict, a table of rows with named columns, or an iterable of objects with named "
            f"fields, not {type(source).__name__}",
        )

    @classmethod
    def _of_rows(cls, rows: Rows, whole: str) -> "FractionalQrels":
        try:
            return cls(places_of(rows.topics, rows.documents, "qrels"), rows.numbers)
        except TwiceError as problem:
            raise twice_in_table(rows, problem, "qrels", whole) from None

    @classmethod
    def from_grades(cls, topics: Mapping[str, Mapping[str, Any]], name: str = "qrels") -> "FractionalQrels":
        """Make qrels from the grade of each document.

        Raises
        ------
        FormatError
            If an id is no string, a grade no finite number below 1e100, or a topic holds no mapping.
        """
        grades: list[float] = []
        places: dict[str, Any] = {}
        for topic, documents in topics.items():
            places[topic] = documents  # which is refused if it is no mapping
            if isinstance(documents, Mapping):
                places[topic] = {document: len(grades) + place for place, document in enumerate(documents)}
                grades += [_check_gain(grade, document, topic, name) for document, grade in documents.items()]
        return cls(Qrels.from_grades(places, name), np.array(grades, dtype=np.float64))

    def by_topic(self) -> Iterator[tuple[str, list[str], list[float]]]:
        """Yield each topic with its documents and their grades."""
        for topic, documents, places in self.places.by_topic():
            yield topic, documents, self.grades[places].tolist()

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Convert to `{topic: {document: grade}}`."""
        return {topic: dict(zip(documents, grades, strict=True)) for topic, documents, grades in self.by_topic()}

    def _lines(self) -> Iterator[bytes]:
        for topic, documents, grades in self.by_topic():
            field = topic_field(to_bytes(topic), self.name)
            for document, grade in with_placeholder(documents, grades, 0.0, self.name):
                yield b"%s 0 %s %a\n" % (field, trec_field(to_bytes(document), "document id", self.name), grade)


def read_fractional_qrels(path: str | os.PathLike[str]) -> FractionalQrels:
    """Read TREC qrels whose grades are decimal numbers: lines `topic iteration document grade`.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input.

    Returns
    -------
    FractionalQrels

    Raises
    ------
    FormatError
        With file, line, what was found and the form that was expected; also where the file holds no judgment.
    """
    judgments, _ = read_documents(read_bytes(path), shown(path), _FORM)
    places, grades = placed(judgments, shown(path))
    gains = np.array(grades, dtype=np.float64)
    return FractionalQrels(places.without_placeholders(gains[places.grades]), gains)


def _read(texts: Sequence[str]) -> float:
    gain = decimal(texts[0], "grade")
    if abs(gain) >= LARGEST:
        raise ValueError(f"the grade {texts[0][:80]!r} is not a number below {LARGEST:g}")
    return gain


_FORM: Final = DocumentForm("qrels with fractional grades", "topic iteration document grade", ("grade",), _read)


def _gains_of(column: Column, check: Callable[[int, Any], float]) -> npt.NDArray[np.float64]:
    gains = scores_of(column, check)
    for row in np.flatnonzero(np.abs(gains) >= LARGEST).tolist():
        check(row, float(gains[row]))
    return gains


def _check_gain(grade: Any, document: str, topic: str, place: str) -> float:
    if is_number(grade):
        try:
            if abs(gain := float(grade)) < LARGEST:
                return gain
        except OverflowError:  # a whole number beyond a double's range
            pass
    raise (FormatError if is_number(grade) else WrongTypeError)(
        place,
        f"the grade of document {document!r} in topic {topic!r} is {grade!r}; "
        f"a fractional grade is a number below {LARGEST:g}",
    )
