"""Ranks that are no numbers: trec_eval passes them over, and so does its drop-in, with a warning."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from irkit._kernel.problems import NoRankError
from irkit.ids import to_text
from irkit.runs import Run, RunSource
from irkit.textio import check_no_nul, read_bytes, shown

Read = TypeVar("Read")

# What stands before the fourth of six fields or more, and that field.
_RANK: Final = re.compile(
    rb"^([ \t\r\f\v]*(?:[^ \t\n\r\f\v]+[ \t\r\f\v]+){3})[^ \t\n\r\f\v]+"
    rb"(?=[ \t\r\f\v]+[^ \t\n\r\f\v]+[ \t\r\f\v]+[^ \t\n\r\f\v])",
    re.MULTILINE,
)


def passing_over_ranks(path: str, read: Callable[[RunSource], Read], say: Callable[[str], None]) -> Read:
    """What `read` makes of a run, whatever stands in its rank column; a warning where that is no whole number.

    The file is read again, whole, where its ranks are no numbers; what comes once is held for that.

    Raises
    ------
    FormatError
        As the reader, but for ranks.
    """
    data = None if Path(path).is_file() else read_bytes(path)
    try:
        return read(path if data is None else Run.from_bytes(data, shown(path)))
    except NoRankError as problem:
        say(
            f"warning: {problem.place}:{problem.line}: the rank {to_text(problem.rank[:80])!r} is no whole number; "
            "ranks are passed over, and the fifth field is the score. Is there a blank in an id?"
        )
    data = read_bytes(path) if data is None else data
    check_no_nul(data, shown(path))
    return read(Run.from_bytes(_RANK.sub(rb"\g<1>0", data), shown(path)))
