"""Error messages for faulty files, shared by both kernels."""

import re

from irkit._utils.options import option
from irkit.errors import DuplicateError, FormatError
from irkit.files.formats import text_format
from irkit.ids import to_text


class TwiceError(Exception):
    """A topic holds a duplicate document, given by rows from 0; the caller words the message.

    Parameters
    ----------
    row, first : int
        Where it stands again, and where it stands first.
    """

    def __init__(self, row: int, first: int) -> None:
        super().__init__(row, first)
        self.row = row
        self.first = first


_BLANK_IN_ID = "Is there a blank in an id? Put another sign in its place: ids hold no blanks"
RUN_LINE = "A run line is 'topic Q0 document rank score tag'"
QRELS_LINE = "A qrels line is 'topic iteration document grade'"

_DECIMAL = re.compile(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE)


def too_few_fields(name: str, number: int, n_fields: int, line: bytes) -> FormatError:
    """Error for a line of a run with fewer than six fields."""
    if (what := text_format(line)) is not None:
        return _other_format(name, number, line, what, RUN_LINE)
    return FormatError(name, f"expected 6 fields, found {n_fields}: {_quoted(line)}. {RUN_LINE}", number)


class ShiftedError(FormatError):
    """A line of a run has shifted or exchanged columns.

    Parameters
    ----------
    place, message, line
        As of a `FormatError`.
    seen : str
        What shows it, as the beginning of a sentence.
    """

    def __init__(self, place: str, message: str, line: int | None = None, seen: str = "") -> None:
        super().__init__(place, message, line)
        self.seen = seen


def no_rank(name: str, number: int, n_fields: int, rank: bytes, line: bytes) -> ShiftedError:
    """Error for a line of a run whose fourth field is not a whole number; `line` may be truncated."""
    seen = f"the rank {_quoted(rank)} is not a whole number"
    return ShiftedError(name, no_rank_words(n_fields, rank, line), number, seen)


def moved(name: str, number: int, n_fields: int, tag: bytes, line: bytes) -> ShiftedError:
    """Error for a line of a run with more than six fields whose sixth is a number; `line` may be truncated."""
    seen = f"the line has {n_fields} fields, and the tag would be the number {_quoted(tag)}"
    found = f"found {n_fields} fields for 6, and the tag would be the number {_quoted(tag)}: {_quoted(line)}"
    return ShiftedError(name, f"{found}. {_BLANK_IN_ID}. {RUN_LINE}", number, seen)


def no_rank_words(n_fields: int, rank: bytes, line: bytes) -> str:
    """Message for a line of a run whose fourth field is not a whole number."""
    if (what := text_format(line)) is not None:
        return f"{what}: {_quoted(line)}. {RUN_LINE}"
    if n_fields > 6:
        found = f"found {n_fields} fields for 6, and the rank field is {_quoted(rank)}: {_quoted(line)}"
        return f"{found}. {_BLANK_IN_ID}. {RUN_LINE}"
    what = f"column 4 is no rank: {_quoted(rank)} is not a whole number"
    if _DECIMAL.fullmatch(rank):
        remedy = "Are rank and score exchanged? Put them in their places"
    else:
        remedy = "Is there a blank in an id, or is a column missing? Ids hold no blanks"
    return f"{what}, in {_quoted(line)}. {remedy}. {RUN_LINE}"


def not_four_fields(name: str, number: int, n_fields: int, line: bytes) -> FormatError:
    """Error for a line of qrels with more or fewer than four fields; `line` may be truncated."""
    if (what := text_format(line)) is not None:
        return _other_format(name, number, line, what, QRELS_LINE)
    hint = ""
    if n_fields > 4 and (n_fields > 5 or _has_word_for_grade(line)):
        hint = ". Is there a blank in an id? Ids hold no blanks"
    elif n_fields == 5:
        hint = "; sampled judgments have five, and measures of their own, such as infNDCG and statAP"
    return FormatError(name, f"expected 4 fields, found {n_fields}: {_quoted(line)}. {QRELS_LINE}{hint}", number)


def _has_word_for_grade(line: bytes) -> bool:
    """Whether the fourth field of a line is not a number, as where a blank in a document id moved the grade."""
    fields = line[:80].split()
    return len(fields) > 3 and _DECIMAL.fullmatch(fields[3]) is None


def no_score(name: str, number: int, text: bytes, line: bytes = b"") -> FormatError:
    """Error for an invalid score; the message shows the score and ignores `line`."""
    return FormatError(name, f"the score {_quoted(text)} is not a decimal number such as 12.5 or 1e-3", number)


def no_grade(name: str, number: int, text: bytes, line: bytes) -> FormatError:
    """Error for an invalid grade; `line` may be truncated."""
    if (what := text_format(line)) is not None:
        return _other_format(name, number, line, what, QRELS_LINE)
    if re.fullmatch(rb"[-+]?[0-9]+", text):
        return FormatError(name, f"the grade {_quoted(text)} is beyond 64 bits; map it to a smaller one", number)
    remedy = "round it or map it to one"
    if _DECIMAL.fullmatch(text) and (how := option(fractional=True)):
        remedy += f", or take grades as fractional gains ({how})"
    return FormatError(name, f"the grade {_quoted(text)} is not a whole number; {remedy}", number)


def twice(name: str, number: int, first: int, topic: bytes, document: bytes) -> FormatError:
    """Error for a duplicate document, in line `first` and again in line `number`."""
    return DuplicateError(
        name,
        f"document {_quoted(document)} occurs twice in topic {_quoted(topic)}, first in line {first}; keep one of them",
        number,
    )


def became_shorter(name: str) -> FormatError:
    """Error for a file that became shorter during reading."""
    return FormatError(name, "the file became shorter while it was read; score it once it is written")


def _other_format(name: str, number: int, line: bytes, what: str, form: str) -> FormatError:
    """A line of another format."""
    return FormatError(name, f"{what}: {_quoted(line)}. {form}", number)


def _quoted(text: bytes) -> str:
    return repr(to_text(text[:80])) + ("..." if len(text) > 80 else "")
