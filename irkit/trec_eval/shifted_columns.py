"""Runs with shifted columns: trec_eval takes them as they stand, and so does its drop-in, with a warning."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from irkit._kernel.problems import ShiftedError
from irkit.data.runs import Run, RunSource
from irkit.files.textio import check_no_nul, read_bytes, shown

Read = TypeVar("Read")

# Groups: text before the fourth of at least six fields, that field, the next two, and the rest of the line.
_LINE: Final = re.compile(
    rb"^([ \t\r\f\v]*(?:[^ \t\n\r\f\v]+[ \t\r\f\v]+){3})[^ \t\n\r\f\v]+"
    rb"((?:[ \t\r\f\v]+[^ \t\n\r\f\v]+){2})[^\n]*",
    re.MULTILINE,
)


def passing_over_shifts(path: str, read: Callable[[RunSource], Read], say: Callable[[str], None]) -> Read:
    """Read a run whatever its rank column and the text after its tag; warn if columns are shifted.

    If columns are shifted, the whole file is read again; input that can be read only once is kept for this.
    """
    data = None if Path(path).is_file() else read_bytes(path)
    try:
        return read(path if data is None else Run.from_bytes(data, shown(path)))
    except ShiftedError as problem:
        say(
            f"warning: {problem.place}:{problem.line}: {problem.seen}; ranks are passed over, and the fifth field is "
            "the score. Is there a blank in an id?"
        )
    data = read_bytes(path) if data is None else data
    check_no_nul(data, shown(path))
    return read(Run.from_bytes(_LINE.sub(rb"\g<1>0\g<2>", data), shown(path)))
