"""Read runs and qrels from row objects: of ir_measures, of ir_datasets, or of a generator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np

from irkit.data.from_dicts import Check, Column, Numbers, Rows
from irkit.data.from_tables import Columns, checked_rows
from irkit.errors import FormatError, WrongTypeError
from irkit.files.field_names import DOCUMENT_COLUMNS, TOPIC_COLUMNS, ids_first
from irkit.ids import Ids

# What messages call them together.
OBJECTS: Final = "the objects"
_CHUNK: Final = 1 << 14


def objects_of(source: Any, method: str) -> Iterable[Any] | None:
    """Return the row objects of a source; None if it has none."""
    if hasattr(source, method):
        objects: Iterable[Any] = getattr(source, method)()
        return objects
    is_iterable = isinstance(source, Iterable) and not isinstance(source, str | bytes | np.ndarray)
    return source if is_iterable else None


class ObjectColumns(NamedTuple):
    """Fields of consecutive objects, column by column."""

    first: int  # the row, from 0, that they begin with
    names: tuple[str, ...]
    columns: Sequence[Column]


def object_columns(objects: Iterable[Any], wanted: Sequence[Sequence[str]], place: str) -> Iterator[ObjectColumns]:
    """Read named fields of objects as columns, in one pass; memory holds only a part of the objects."""
    rows = iter(objects)
    names: tuple[str, ...] = ()
    first = 0
    while chunk := list(islice(rows, _CHUNK)):
        names = names or tuple(_field(chunk[0], called, place) for called in wanted)
        yield ObjectColumns(first, names, [_column(chunk, name, first, place) for name in names])
        first += len(chunk)
    if not first and isinstance(objects, Iterator):
        raise FormatError(
            place, f"the {type(objects).__name__} gives no objects; one that was read before is used up: give a list"
        )


def object_rows(objects: Iterable[Any], number: Sequence[str], numbers_of: Numbers, check: Check, place: str) -> Rows:
    """Convert objects with a topic, a document and a number field to rows; field names as for columns of a table."""
    wanted = (TOPIC_COLUMNS, DOCUMENT_COLUMNS, number)
    parts = [checked_rows(Columns(("topic", "document", number[0]), (), (), ()), numbers_of, check, place)]
    for chunk in object_columns(objects, wanted, place):
        topics, documents, numbers = chunk.columns
        columns = Columns(chunk.names, topics, documents, numbers, chunk.first, OBJECTS)
        parts.append(checked_rows(columns, numbers_of, check, place))
    return Rows(
        Ids.joined([part.topics for part in parts]),
        Ids.joined([part.documents for part in parts]),
        np.concatenate([part.numbers for part in parts]),
    )


def _field(row: Any, names: Sequence[str], place: str) -> str:
    for name in ids_first(names):
        if hasattr(row, name):
            return name
    remedy = "a row says which of its values is which, as a namedtuple does"
    if isinstance(row, Mapping):
        remedy = "make a table of such rows: pandas.DataFrame(rows)"
    raise WrongTypeError(
        place, f"row 1 of {OBJECTS} is a {type(row).__name__} that has no field {' or '.join(names)}; {remedy}"
    )


def _column(chunk: Sequence[Any], field: str, first: int, place: str) -> list[Any]:
    try:
        return list(map(attrgetter(field), chunk))
    except AttributeError:
        lacking = next(number for number, row in enumerate(chunk) if not hasattr(row, field))
        raise WrongTypeError(
            place,
            f"row {first + lacking + 1} of {OBJECTS} is a {type(chunk[lacking]).__name__} that has no field {field}, "
            "as row 1 has it",
        ) from None
