"""Read BEIR's qrels (a header and three columns) as the four columns of TREC."""

import re
from typing import Final

from irkit.errors import DuplicateError, FormatError
from irkit.files.formats import is_beir_heading

_FIRST: Final = re.compile(rb"^[ \t\r\f\v]*[^ \t\r\f\v\n#][^\n]*", re.MULTILINE)


def is_beir(data: bytes) -> bool:
    """Whether the first line of data is BEIR's header."""
    first = _FIRST.search(data)
    return first is not None and is_beir_heading(first[0])


def as_trec_lines(data: bytes) -> bytes:
    """Add TREC's fourth column to BEIR's qrels; line numbers stay, and the header becomes a blank line."""
    first = _FIRST.search(data)
    assert first is not None  # `is_beir` found it
    lines = data[first.end() :].split(b"\n")[1:]
    return b"\n".join([data[: first.start()], *map(_with_iteration, lines)])


def _with_iteration(line: bytes) -> bytes:
    fields = line.split()
    if not fields or fields[0].startswith(b"#") or b"\0" in line:
        return line
    return b" ".join([fields[0], b"0", *fields[1:]])


def unread(data: bytes, problem: FormatError) -> FormatError:
    """Reword a problem with a line for BEIR's format."""
    if isinstance(problem, DuplicateError) or problem.line is None:
        return problem
    fields = data.split(b"\n")[problem.line - 1].split()
    if len(fields) == 3:
        return problem
    form = "BEIR's qrels have 'topic document grade' under a line that names them; ids hold no blanks"
    return FormatError(problem.place, f"expected 3 columns, found {len(fields)}. {form}", problem.line)
