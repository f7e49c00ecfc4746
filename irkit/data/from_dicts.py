"""Check ids, scores and grades that come from memory."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isnan
from numbers import Integral, Real
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import INT64_MAX, QrelsColumns, RunColumns
from irkit._kernel.problems import TwiceError
from irkit.errors import FormatError, WrongTypeError
from irkit.ids import Ids, to_bytes, to_text

Column: TypeAlias = "Ids | npt.NDArray[Any] | Sequence[Any]"

# From here on whole numbers that differ may be one as a float.
EXACT: Final = 2**53


def check_id(identifier: Any, what: str, place: str) -> bytes:
    """Encode an id as bytes; it must be a string."""
    if isinstance(identifier, str):
        return to_bytes(identifier, place)
    raise WrongTypeError(
        place, f"the {what} id {identifier!r} is of type {type(identifier).__name__}; ids are strings: str(id)"
    )


def check_score(score: Any, document: str, topic: str, place: str) -> float:
    """Convert a score to a float; refuse a whole number that a float cannot hold exactly."""
    if not is_number(score):
        raise WrongTypeError(
            place, f"the score of document {document!r} in topic {topic!r} is {score!r}; a score is a number"
        )
    value = _as_float(score)
    if value is None or (isinstance(score, Integral) and value != int(score)):
        raise FormatError(
            place,
            f"the score of document {document!r} in topic {topic!r} is a number with more digits than a score "
            "can hold; give smaller ones, or the documents in ranked order",
        )
    if isnan(value):
        raise FormatError(
            place, f"the score of document {document!r} in topic {topic!r} is nan; give a number or leave it out"
        )
    return value


def check_grade(grade: Any, document: str, topic: str, place: str) -> int:
    """Convert a grade to an int."""
    number = is_number(grade)
    if isinstance(grade, Integral) and number and abs(whole := int(grade)) <= INT64_MAX:
        return whole
    if number and not isinstance(grade, Integral) and (value := _as_float(grade)) is not None and value.is_integer():
        return check_grade(int(value), document, topic, place)
    raise (FormatError if number else WrongTypeError)(
        place,
        f"the grade of document {document!r} in topic {topic!r} is {grade!r}; a grade is a whole number: "
        "round or map it to one",
    )


def is_number(value: Any) -> bool:
    """Whether a value is a real number; True and a time span are not."""
    # NumPy counts a span of time among its whole numbers.
    return isinstance(value, Real) and not isinstance(value, bool | np.timedelta64)


def _as_float(number: Real) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None


def as_list(column: Iterable[Any]) -> list[Any]:
    """Return the values of a column as Python objects; values that NumPy would convert to another kind stay."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "biufUSTO":
        values: list[Any] = column.tolist()
        return values
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)  # PyArrow has scalars of its own


def ids_of(column: Column, check: Callable[[int, Any], bytes]) -> Ids:
    """Convert a column of ids; `check(row, value)`, row from 0, decides on an id that is not plain text."""
    if isinstance(column, Ids):
        return column
    if type(column) is np.ndarray and column.dtype.kind in "US" and (ids := _ids_of_array(column)):
        return ids
    values = as_list(column)
    if set(map(type, values)) <= {str, np.str_}:
        try:
            return Ids.of_texts(values)
        except UnicodeEncodeError:
            pass  # the check says which
    return Ids.of(check(row, value) for row, value in enumerate(values))


def _ids_of_array(texts: npt.NDArray[Any]) -> Ids | None:
    """Ids of a fixed-width text array without a Python string for each; None for text that is not single-byte."""
    unit = np.dtype(np.uint8 if texts.dtype.kind == "S" else np.uint32)
    width = texts.dtype.itemsize // unit.itemsize
    if not (width and len(texts) and texts.dtype.isnative):
        return None
    signs = np.ascontiguousarray(texts).view(unit).reshape(len(texts), width)
    if unit.itemsize > 1 and signs.max() > 127:
        return None
    lengths = np.char.str_len(texts)
    offsets = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    return Ids(signs.astype(np.uint8)[np.arange(width) < lengths[:, np.newaxis]].tobytes(), offsets)


def scores_of(column: Column, check: Callable[[int, Any], float]) -> npt.NDArray[np.float64]:
    """Convert a column of scores; `check(row, value)`, row from 0, decides on a score that is not a plain number."""
    scores, kind = _numbers(column)
    if kind == "f" and not np.isnan(scores).any():
        return scores
    if kind in "iu" and (np.abs(scores.astype(np.float64)) < EXACT).all():
        return scores.astype(np.float64)
    return np.array([check(row, value) for row, value in _one_by_one(column)], dtype=np.float64)


def grades_of(column: Column, check: Callable[[int, Any], int]) -> npt.NDArray[np.int64]:
    """Convert a column of grades; `check(row, value)`, row from 0, decides on a grade that is not a plain number."""
    grades, kind = _numbers(column)
    if kind == "f" and ((grades == np.trunc(grades)) & (np.abs(grades) <= EXACT)).all():
        return grades.astype(np.int64)
    if kind in "iu" and ((grades <= INT64_MAX) & (grades >= -INT64_MAX)).all():
        return grades.astype(np.int64)
    return np.array([check(row, value) for row, value in _one_by_one(column)], dtype=np.int64)


def _numbers(column: Column) -> tuple[npt.NDArray[Any], str]:
    """A column of numbers with their kind as NumPy has it, `f`, `i` or `u`; nothing and `?` where it is another."""
    nothing = np.empty(0), "?"
    if type(column) is np.ndarray:  # and not an array whose values are masked
        if column.dtype.kind == "f" and column.dtype.itemsize <= 8:
            return column.astype(np.float64), "f"
        return (column, column.dtype.kind) if column.dtype.kind in "iu" else nothing
    if isinstance(column, Ids):
        return nothing
    values = as_list(column)
    types = set(map(type, values))
    try:
        if types <= {float, np.float64, np.float32}:
            return np.array(values, dtype=np.float64), "f"
        return (np.array(values, dtype=np.int64), "i") if types <= {int, np.int64, np.int32} else nothing
    except OverflowError:
        return nothing


def _one_by_one(column: Column) -> Iterator[tuple[int, Any]]:
    return enumerate(map(to_text, column) if isinstance(column, Ids) else as_list(column))


class Rows(NamedTuple):
    """N rows, each with a topic, a document, and its score or grade."""

    topics: Ids
    documents: Ids
    numbers: npt.NDArray[Any]


AnyColumns = TypeVar("AnyColumns", RunColumns, QrelsColumns)
Numbers = Callable[[Column, Callable[[int, Any], Any]], npt.NDArray[Any]]
Check = Callable[[Any, str, str, str], Any]


def nested_rows(nested: list[tuple[Any, Mapping[Any, Any]]], place: str, numbers_of: Numbers, check: Check) -> Rows:
    """Convert `{topic: {document: number}}` to rows."""
    documents: list[Any] = []
    numbers: list[Any] = []
    lengths: list[int] = []
    for _, numbered in nested:
        items = list(numbered.items())  # read once: it may change meanwhile, and its length need not be what it holds
        lengths.append(len(items))
        documents.extend(map(itemgetter(0), items))
        numbers.extend(map(itemgetter(1), items))
    topics = ids_of([topic for topic, _ in nested], lambda _, topic: check_id(topic, "topic", place)).repeated(lengths)
    ids = ids_of(documents, lambda _, document: check_id(document, "document", place))
    return Rows(
        topics, ids, numbers_of(numbers, lambda row, number: check(number, documents[row], to_text(topics[row]), place))
    )


def with_topics(columns: AnyColumns, topics: Iterable[str]) -> AnyColumns:
    """Add the topics without a row to the columns."""
    lengths: dict[bytes, int] = dict(zip(columns.topics, np.diff(columns.starts).tolist(), strict=True))
    ordered: list[bytes] = sorted({*lengths, *map(to_bytes, topics)})
    if len(ordered) == len(lengths):
        return columns
    starts = np.cumsum([0, *(lengths.get(topic, 0) for topic in ordered)], dtype=np.int64)
    return columns._replace(topics=ordered, starts=starts)


def twice_in(rows: Rows, problem: TwiceError, place: str) -> FormatError:
    """Error for a duplicate document in a topic of a dict; two texts can encode to the same bytes."""
    document, topic = to_text(rows.documents[problem.row]), to_text(rows.topics[problem.row])
    return FormatError(place, f"document {document!r} occurs twice in topic {topic!r}; keep one of them")
