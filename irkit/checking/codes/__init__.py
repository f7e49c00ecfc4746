"""The table of faults: meaning, severity, remedy, and what trec_eval does."""

from typing import Final

from irkit._utils.options import option, worded
from irkit.checking.codes import across_files, files, judgments, runs, submission, topics
from irkit.checking.codes.code import SEVERITIES, Code, Severity
from irkit.errors import UsageError

__all__ = ["CODES", "ORDER", "SEVERITIES", "Code", "Severity", "code_named", "remedy_of"]

TABLES: Final = (files.CODES, runs.CODES, judgments.CODES, topics.CODES, across_files.CODES, submission.CODES)
CODES: Final[dict[str, Code]] = {code.name: code for table in TABLES for code in table}
ORDER: Final[dict[str, int]] = {
    name: place for place, name in enumerate(sorted(CODES, key=lambda name: SEVERITIES.index(CODES[name].severity)))
}


def remedy_of(code: str) -> str:
    """The remedy of a code, with options as this interface spells them."""
    return worded(CODES[code].remedy)


def code_named(name: str) -> Code:
    """The code of that name.

    Raises
    ------
    UsageError
        If there is none, with the nearest.
    """
    if name not in CODES:
        from difflib import get_close_matches

        (close,) = get_close_matches(name, CODES, n=1, cutoff=0)
        raise UsageError(
            f"there is no code {name!r} of a fault; the nearest is {close!r}, and {option(codes=True)} lists all"
        )
    return CODES[name]
