"""Runs and qrels that come as Python mappings or pandas frames: ids, columns, nesting."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from irkit.errors import FormatError

if TYPE_CHECKING:
    import pandas as pd

TOPIC_COLUMNS = ("topic", "query_id", "qid", "q_id", "query")
DOCUMENT_COLUMNS = ("document", "doc_id", "docno", "docid", "doc")
SCORE_COLUMNS = ("score", "sim")
GRADE_COLUMNS = ("grade", "relevance", "rel", "label")


def nested(frame: "pd.DataFrame", values: Sequence[str], place: str) -> dict[Any, dict[Any, Any]]:
    """`{topic: {document: value}}` from a frame whose value column has one of the names in `values`.

    Raises
    ------
    FormatError
        If a column is not there or there twice, a value is missing or a list, or a document stands twice in a topic.
    """
    table: dict[Any, dict[Any, Any]] = {}
    columns = (_column(frame, names, place) for names in (TOPIC_COLUMNS, DOCUMENT_COLUMNS, values))
    for topic, document, value in zip(*columns, strict=True):
        if document in table.setdefault(topic, {}):
            raise FormatError(place, f"document {document!r} stands twice in topic {topic!r}; keep one of them")
        table[topic][document] = value
    return table


def check_id(identifier: Any, what: str, place: str) -> str:
    """An id, which has to be a string.

    Raises
    ------
    FormatError
        If it is not: a number has lost its leading zeros already.
    """
    if isinstance(identifier, str):
        return identifier
    raise FormatError(
        place, f"the {what} id {identifier!r} is of type {type(identifier).__name__}; ids are strings: str(id)"
    )


def _present(value: Any, column: str, row: int, place: str) -> Any:
    # nan and NaT are not equal to themselves; NA is neither equal nor unequal; a list or an array is no value at all.
    if not isinstance(value, Hashable):
        raise FormatError(place, f"row {row} of the frame has a {type(value).__name__} in column {column}: {value!r}")
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        raise FormatError(place, f"row {row} of the frame has no {column}; fill it or leave the row out")
    return value


def _column(frame: "pd.DataFrame", names: Sequence[str], place: str) -> list[Any]:
    for name in names:
        if (count := list(frame.columns).count(name)) > 1:
            raise FormatError(place, f"the frame has {count} columns named {name}; keep one of them")
        if count:
            return [_present(value, name, row, place) for row, value in enumerate(frame[name].tolist(), 1)]
    raise FormatError(
        place, f"no column named {' or '.join(names)}; the frame has {', '.join(map(str, frame.columns))}"
    )
