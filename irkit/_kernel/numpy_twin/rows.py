"""Parse lines of a run or of qrels into rows of topic, document and number; stop at the first bad line."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from irkit._kernel import problems
from irkit._kernel.numpy_twin.fields import Fields, Flags, Places
from irkit._kernel.numpy_twin.numbers import read_grades, read_scores
from irkit._kernel.numpy_twin.text import Lines
from irkit.errors import FormatError


class Form(NamedTuple):
    """Format of a valid line of data."""

    fits: Callable[[Places], Flags]  # numbers of fields -> which of them are right
    misfit: Callable[[str, int, int, bytes], FormatError]
    number: int  # the field, from 0, of score or grade
    read: Callable[[Fields], tuple[Any, Flags]]
    unread: Callable[[str, int, bytes, bytes], FormatError]  # what cannot be read, and its line
    last: int  # the last field, from 0, that has a meaning: in a run the tag
    rank: int | None = None  # the field, from 0, that has to be a whole number and is not read


RUN: Final = Form(lambda n_fields: n_fields >= 6, problems.too_few_fields, 4, read_scores, problems.no_score, 5, 3)
QRELS: Final = Form(lambda n_fields: n_fields == 4, problems.not_four_fields, 3, read_grades, problems.no_grade, 3)


class Rows(NamedTuple):
    """The N valid lines of data before the first faulty line."""

    line: Places  # (N,) their numbers in the file
    topics: Fields  # N of them
    documents: Fields  # N of them
    numbers: Any  # (N,) float64 scores or int64 grades
    tags: Fields  # N of them, the last field that has a meaning
    problem: FormatError | None  # the fault of the line after them


def read_rows(text: bytes, form: Form, name: str, first_line: int) -> Rows:
    """Parse whole lines into rows; `first_line` is the number of their first line in the file."""
    lines = Lines(text)
    line = first_line + lines.data
    misfits = np.flatnonzero(~form.fits(lines.n_fields))
    n_rows = int(misfits[0]) if len(misfits) else len(line)
    problem = None
    if n_rows < len(line):
        problem = form.misfit(name, int(line[n_rows]), int(lines.n_fields[n_rows]), lines.line(n_rows))
    if form.rank is not None:
        ranks = lines.field(form.rank, slice(n_rows))
        n_ranked = _n_whole(ranks)
        if n_ranked < n_rows:
            at, n_fields = int(line[n_ranked]), int(lines.n_fields[n_ranked])
            problem = problems.no_rank(name, at, n_fields, ranks[n_ranked], lines.line(n_ranked))
            n_rows = n_ranked
    texts = lines.field(form.number, slice(n_rows))
    numbers, is_read = form.read(texts)
    unread = np.flatnonzero(~is_read)
    n_read = int(unread[0]) if len(unread) else n_rows
    if n_read < n_rows:
        problem = form.unread(name, int(line[n_read]), texts[n_read], lines.line(n_read))
    if form.rank is not None and (n_in_place := _n_in_place(lines, n_read)) < n_read:
        tag = lines.field(form.last, slice(n_read))[n_in_place]
        at, n_fields = int(line[n_in_place]), int(lines.n_fields[n_in_place])
        problem = problems.moved(name, at, n_fields, tag, lines.line(n_in_place))
        n_read = n_in_place
    topics, documents, tags = (lines.field(number, slice(n_read)) for number in (0, 2, form.last))
    return Rows(line[:n_read], topics, documents, numbers[:n_read], tags, problem)


def _n_in_place(lines: Lines, n_rows: int) -> int:
    """Number of lines before the first line with more than six fields and a number as its tag."""
    longer = np.flatnonzero(lines.n_fields[:n_rows] > 6)
    moved = longer[read_scores(lines.field(RUN.last, longer))[1]]
    return int(moved[0]) if len(moved) else n_rows


def _n_whole(fields: Fields) -> int:
    """Number of fields before the first that is not a whole number."""
    others = np.flatnonzero(~read_grades(fields)[1])
    return int(others[0]) if len(others) else len(fields)
