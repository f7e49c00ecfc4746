"""Parse a whole file into checked columns."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from irkit._kernel import problems
from irkit._kernel.columns import QrelsColumns, RunColumns
from irkit._kernel.numpy_twin.fields import PADDING, Fields, Places
from irkit._kernel.numpy_twin.order import gathered, ranked, ranked_as_given
from irkit._kernel.numpy_twin.rows import QRELS, RUN, Form, read_rows
from irkit._kernel.numpy_twin.text import chunks, stretches
from irkit._kernel.problems import TwiceError
from irkit.errors import FormatError


def parse_run(data: bytes, name: str) -> RunColumns:
    """Read a TREC run and put each topic in trec_eval's order: score falling, then document id falling in bytes.

    Parameters
    ----------
    data : bytes
        The file. Fields after the tag are ignored, and so are the second field and the rank.
    name : str
        What the file is called in messages.

    Raises
    ------
    FormatError
        For a line with fewer than six fields, a score that is not a decimal number, or a document twice in a topic.
    """
    return _parsed_run(data, name, ranked)


def parse_file(descriptor: int, size: int, *, threads: int = 1, piece: int = 0) -> RunColumns | None:
    """Read a TREC run in a regular file, if the kernel can read it without all of its bytes in memory.

    Parameters
    ----------
    descriptor, size, threads, piece
        As `score_file` takes them.

    Returns
    -------
    RunColumns, or None
        None where `parse_run` has to read the bytes of the file: it is empty or faulty, or, as always here, the kernel
        reads no file.
    """
    return None


def parse_run_as_given(data: bytes, name: str, *, float32: bool = False) -> RunColumns:
    """As `parse_run`, with tied documents in the order of the file; with `float32`, scores tie as 32-bit floats."""
    return _parsed_run(data, name, partial(ranked_as_given, float32=float32))


def parse_qrels(data: bytes, name: str) -> QrelsColumns:
    """Read TREC qrels.

    Parameters
    ----------
    data : bytes
        The file. The iteration field is not used.
    name : str
        What the file is called in messages.

    Raises
    ------
    FormatError
        For a line that does not have four fields, a grade that is not a whole number, or a document twice in a topic.
    """
    table = _read(data, QRELS, name)
    try:
        qrels = gathered(table.topics, table.topic, table.documents, table.numbers)
    except TwiceError as twice:
        raise _twice(table, twice, name) from None
    if table.problem is not None:
        raise table.problem
    return qrels


def _parsed_run(data: bytes, name: str, put_in_order: Callable[..., RunColumns]) -> RunColumns:
    table = _read(data, RUN, name)
    try:
        run = put_in_order(table.topics, table.topic, table.documents, table.numbers, table.tag)
    except TwiceError as twice:
        raise _twice(table, twice, name) from None
    if table.problem is not None:
        raise table.problem
    return run


class _Table(NamedTuple):
    """The rows of a file, in its order, up to the first line that is wrong by itself."""

    line: Places  # (N,) their numbers in the file
    topics: list[bytes]
    topic: Places  # (N,) which of these
    documents: Fields  # N of them
    numbers: Any  # (N,)
    tag: bytes
    problem: FormatError | None


def _read(data: bytes, form: Form, name: str) -> _Table:
    number: dict[bytes, int] = {}
    line, topic, numbers, ids, sizes = [], [], [], [], []
    tag, problem = b"", None
    # A first chunk of nothing gives every column its type.
    for lines, first_line in chain([(b"", 1)], chunks(data)):
        rows = read_rows(lines, form, name, first_line)
        starts = stretches(rows.topics)
        known = [number.setdefault(text, len(number)) for text in rows.topics.take(starts[:-1]).tolist()]
        topic.append(np.repeat(np.array(known, dtype=np.int64), np.diff(starts)))
        line.append(rows.line)
        numbers.append(rows.numbers)
        ids.append(b"".join(rows.documents.tolist()))
        sizes.append(rows.documents.size)
        if len(rows.tags):
            tag = rows.tags[-1]
        if (problem := rows.problem) is not None:
            break
    size = np.concatenate(sizes)
    documents = Fields(b"".join([*ids, PADDING]), np.cumsum(size) - size, size)
    return _Table(
        np.concatenate(line), list(number), np.concatenate(topic), documents, np.concatenate(numbers), tag, problem
    )


def _twice(table: _Table, twice: TwiceError, name: str) -> FormatError:
    row, first = twice.row, twice.first
    topic, document = table.topics[int(table.topic[row])], table.documents[row]
    return problems.twice(name, int(table.line[row]), int(table.line[first]), topic, document)
