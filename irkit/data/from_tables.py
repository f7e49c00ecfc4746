"""Read runs and qrels from tables: pandas, Polars, PyArrow, NumPy, an Arrow stream, or plain columns."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irkit import _kernel
from irkit._kernel.columns import ArrowTable
from irkit._kernel.problems import TwiceError
from irkit.data.from_dicts import Check, Column, Numbers, Rows, check_id, ids_of
from irkit.errors import FormatError, IrkitError, MissingDependencyError, WrongTypeError
from irkit.files.field_names import DOCUMENT_COLUMNS, GRADE_COLUMNS, TOPIC_COLUMNS, grade_names, id_places, places_of
from irkit.ids import Ids, to_text

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_MOST_COLUMNS = 100  # of a dict of columns; one with more keys has topics


def is_table(source: Any) -> bool:
    """Whether a source has rows and named columns; a dict needs topics and documents, and only columns as values."""
    if isinstance(source, np.ndarray):
        return source.dtype.names is not None
    if type(source) is dict:  # other mappings may say other things when they are read again
        return _is_of_columns(source)
    return hasattr(source, "__arrow_c_stream__") or (hasattr(source, "iloc") and hasattr(source, "columns"))


def _is_of_columns(source: Mapping[Any, Any]) -> bool:
    if len(source) > _MOST_COLUMNS or not all(
        places_of(list(source), wanted) for wanted in (TOPIC_COLUMNS, DOCUMENT_COLUMNS)
    ):
        return False
    return all(isinstance(column, np.ndarray) or _is_column(column) for column in source.values())


def _is_column(column: Any) -> bool:
    """Whether it is a list, a column of a library, or `{row number: value}` as of pandas' `to_dict`."""
    if isinstance(column, Mapping):
        return all(isinstance(row, int) for row in column)
    is_list = isinstance(column, Sequence) and not isinstance(column, str | bytes)
    return is_list or any(hasattr(column, method) for method in ("to_pylist", "to_list", "tolist"))


class Columns(NamedTuple):
    """Topic, document and number of each row, and the column names."""

    names: tuple[str, ...]
    topics: Column
    documents: Column
    numbers: Column
    first: int = 0  # the row, from 0, that they begin with
    whole: str = "the table"  # what has the rows

    def row(self, place: int) -> str:
        """Name of a row in messages, by its place."""
        return _row(self.first + place, self.whole)


def table_columns(table: Any, number: Sequence[str], place: str) -> Columns:
    """Select the topic, document and number columns of a table."""
    names, (topics, documents, numbers) = named_columns(table, (TOPIC_COLUMNS, DOCUMENT_COLUMNS, number), place)
    return Columns(names, topics, documents, numbers)


def named_columns(table: Any, wanted: Iterable[Sequence[str]], place: str) -> tuple[tuple[str, ...], list[Column]]:
    """Select a column of a table for each group of names, with the name found; as `table_columns`."""
    if isinstance(table, np.ndarray) and table.ndim != 1:
        raise FormatError(place, f"the array has {table.ndim} dimensions; a table has one, its rows")
    try:
        library = _library(table) or _streamed(table, place)
        if isinstance(table, Mapping):
            _check_one_length(table, place)
        chosen = [_chosen(library.names, names, place) for names in wanted]
        columns = [_one_value_a_row(library.column(column), library.names[column], place) for column in chosen]
        return tuple(library.names[column] for column in chosen), columns
    except (IrkitError, MemoryError):
        raise
    except Exception as problem:  # a library, or whoever made the stream, has broken its own rules
        called = type(table).__name__
        raise FormatError(place, f"the {called} cannot be read as a table with named columns") from problem


def checked_rows(columns: Columns, numbers_of: Numbers, check: Check, place: str) -> Rows:
    """Check every value of a table and return its rows."""

    def checked_number(row: int, value: Any) -> Any:
        document, topic = to_text(documents[row]), to_text(topics[row])
        _check_present(
            value, f"no {names[2]} for document {document!r} in topic {topic!r}", names[2], named(row), place
        )
        return check(value, document, topic, _cell(named(row), names[2], place))

    names, named = columns.names, columns.row
    topics = checked_ids(columns.topics, names[0], "topic", place, named)
    documents = checked_ids(columns.documents, names[1], "document", place, named)
    return Rows(topics, documents, numbers_of(columns.numbers, checked_number))


def checked_ids(column: Column, name: str, what: str, place: str, named: Callable[[int], str]) -> Ids:
    """Check the ids in a column, each of a `what`; errors as `checked_rows`, with the row named by `named`."""

    def checked(row: int, value: Any) -> bytes:
        _check_present(value, f"no {name}", name, named(row), place)
        return value if isinstance(value, bytes) else check_id(value, what, _cell(named(row), name, place))

    return ids_of(column, checked)


def plain_columns(columns: Mapping[str, Any], place: str) -> Columns:
    """Check three columns (lists, NumPy arrays or table columns), keyed by their names in messages."""
    names = tuple(columns)
    topics, documents, numbers = (_plain_column(column, name, place) for name, column in columns.items())
    if not len(topics) == len(documents) == len(numbers):
        raise FormatError(
            place,
            f"there are {len(topics)} {names[0]}, {len(documents)} {names[1]} and {len(numbers)} {names[2]}; "
            "each row needs one of each",
        )
    return Columns(tuple(name.removesuffix("s") for name in names), topics, documents, numbers)


def twice_in_table(rows: Rows, problem: TwiceError, place: str, whole: str = "the table") -> FormatError:
    """Error for a duplicate document in a topic; `whole` names the source of the rows."""
    document, topic = to_text(rows.documents[problem.row]), to_text(rows.topics[problem.row])
    return FormatError(
        f"{place}: {_row(problem.row, whole)}",
        f"document {document!r} occurs twice in topic {topic!r}, first in row {problem.first + 1}; keep one of them",
    )


class _Library(NamedTuple):
    """Readers of the tables of one library."""

    names: list[Any]
    alone: Callable[[int], Any]  # a column as a table of its own, or None where Python is to read it
    listed: Callable[[int], Column]  # a column as Python or NumPy has it

    def column(self, place: int) -> Column:
        column = None
        # pandas where PyArrow is not installed, or a column for which Arrow has no type: Python says what is in it.
        with suppress(Exception):
            if (table := self.alone(place)) is not None and (stream := _kernel.arrow_table(table)) is not None:
                column = stream.column(0)
        return self.listed(place) if column is None else column


def _library(table: Any) -> _Library | None:
    if isinstance(table, np.ndarray):
        names = list(table.dtype.names or ())
        return _Library(names, lambda _: None, lambda place: table[names[place]])
    if isinstance(table, Mapping):
        columns = [_plain_column(_values(column), str(name), "the dict") for name, column in table.items()]
        return _Library(list(table), lambda _: None, lambda place: columns[place])
    if hasattr(table, "iloc") and hasattr(table, "columns"):  # pandas
        return _Library(
            list(table.columns), lambda place: _pandas_alone(table, place), lambda place: _of_pandas(table, place)
        )
    if hasattr(table, "get_column"):  # Polars
        column = table.to_series
        return _Library(
            list(table.columns), lambda place: column(place).to_frame(), lambda place: column(place).to_list()
        )
    if hasattr(table, "column_names") and hasattr(table, "to_pylist"):  # PyArrow
        table.validate()  # it knows how long its buffers are, which its stream does not say
        return _Library(
            list(table.column_names), lambda place: table.select([place]), lambda place: _of_arrow(table.column(place))
        )
    return None


def _of_arrow(column: "pa.Array | pa.ChunkedArray") -> Column:
    column.validate(full=True)
    values: list[Any] = column.to_pylist()
    return values


def _pandas_alone(frame: "pd.DataFrame", place: int) -> "pd.DataFrame | None":
    # Out of NumPy's types pandas would make Arrow's: a number of True where another number stands beside it.
    return None if isinstance(frame.dtypes.iloc[place], np.dtype) else frame.iloc[:, [place]]


def _of_pandas(frame: "pd.DataFrame", place: int) -> Column:
    column = frame.iloc[:, place]
    # Of NumPy's types, dates would be listed as numbers.
    plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu"
    return column.to_numpy() if plain else column.tolist()


class _Stream(NamedTuple):
    """Reader for a table that only has an Arrow stream, which may be readable only once."""

    stream: ArrowTable
    place: str

    @property
    def names(self) -> list[Any]:
        return self.stream.names

    def column(self, place: int) -> Column:
        column = self.stream.column(place)
        if column is None:
            raise WrongTypeError(
                self.place,
                f"column {self.names[place]} is of Arrow type {self.stream.type_of(place)!r}; ids are strings, "
                "scores and grades are numbers",
            )
        return column


def _streamed(table: Any, place: str) -> _Library | _Stream:
    try:
        stream = _kernel.arrow_table(table)
        if stream is not None:
            return _Stream(stream, place)
        import pyarrow as pa

        library = _library(pa.table(table))
        assert library is not None
        return library
    except ImportError as problem:
        raise MissingDependencyError(
            f"{place}: a {type(table).__name__} is read by irkit's compiled kernel or by PyArrow; install one: "
            "pip install pyarrow"
        ) from problem


def _values(column: Any) -> Any:
    return list(column.values()) if isinstance(column, Mapping) else column


def _check_one_length(table: Mapping[Any, Any], place: str) -> None:
    lengths = {str(name): len(column) for name, column in table.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise FormatError(place, f"the columns of the dict are not of one length: {listed}; each row needs one of each")


def _one_value_a_row(column: Column, name: str, place: str) -> Column:
    if isinstance(column, np.ndarray) and column.ndim != 1:  # a field of a structured array can hold several values
        raise FormatError(
            place, f"column {name} holds several values in a row, of shape {column.shape[1:]}; a row has one"
        )
    return column


def _plain_column(column: Any, name: str, place: str) -> Column:
    for method in ("to_pylist", "to_list", "tolist"):  # of PyArrow, of Polars and pandas
        if hasattr(column, method) and not isinstance(column, np.ndarray):
            column = getattr(column, method)()
    if isinstance(column, np.ndarray) and column.ndim != 1:
        raise FormatError(place, f"{name} have {column.ndim} dimensions; a column has one")
    if isinstance(column, str | bytes | Set | Mapping) or not isinstance(column, Sequence | np.ndarray):
        raise WrongTypeError(place, f"{name} are a list or an array, not {type(column).__name__}")
    return column


def _chosen(names: Sequence[Any], wanted: Sequence[str], place: str) -> int:
    places = id_places(names, grade_names(names) if wanted is GRADE_COLUMNS else wanted)
    if len(places) > 1:
        called = ", ".join(dict.fromkeys(str(names[column]) for column in places))
        raise FormatError(place, f"the table has {len(places)} columns named {called}; keep one of them")
    if not places:
        raise FormatError(place, f"no column named {' or '.join(wanted)}; the table has {', '.join(map(str, names))}")
    return places[0]


def _check_present(value: Any, missing: str, column: str, row: str, place: str) -> None:
    # nan and NaT are not equal to themselves; NA is neither equal nor unequal; a list or an array is no value at all.
    if not isinstance(value, Hashable):
        raise WrongTypeError(place, f"{row} has a {type(value).__name__} in column {column}: {value!r}")
    comparable = isinstance(value, Real | np.generic)  # others may have no answer, or one of their own
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (comparable and value != value):
        raise FormatError(place, f"{row} has {missing}; fill it or leave the row out")


def _row(row: int, whole: str) -> str:
    return f"row {row + 1} of {whole}"


def _cell(row: str, column: str, place: str) -> str:
    return f"{place}: {row}, column {column}"
