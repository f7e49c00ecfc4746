"""What is said about a file that is not what it should be; both kernels say it with these words."""

import re

from irkit.errors import DuplicateError, FormatError
from irkit.formats import names_grade, text_format
from irkit.ids import to_text


class TwiceError(Exception):
    """A document stands twice in a topic, in rows that count from 0; whoever knows what the rows are says it in words.

    Parameters
    ----------
    row, first : int
        Where it stands again, and where it stands first.
    """

    def __init__(self, row: int, first: int) -> None:
        super().__init__(row, first)
        self.row = row
        self.first = first


RUN_LINE = "A run line is 'topic Q0 document rank score tag'"
QRELS_LINE = "A qrels line is 'topic iteration document grade'"

_DECIMAL = re.compile(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE)


def too_few_fields(name: str, number: int, n_fields: int, line: bytes) -> FormatError:
    """A line of a run without its six fields."""
    if (what := text_format(line)) is not None:
        return _other_format(name, number, line, what, RUN_LINE)
    return FormatError(name, f"expected 6 fields, found {n_fields}: {_quoted(line)}. {RUN_LINE}", number)


class NoRankError(FormatError):
    """A line of a run has no rank where ranks stand."""

    def __init__(self, place: str, message: str, line: int | None = None, rank: bytes = b"") -> None:
        super().__init__(place, message, line)
        self.rank = rank


def no_rank(name: str, number: int, n_fields: int, rank: bytes, line: bytes) -> NoRankError:
    """A line of a run whose fourth field is no whole number; `line` may be cut."""
    return NoRankError(name, no_rank_words(n_fields, rank, line), number, rank)


def no_rank_words(n_fields: int, rank: bytes, line: bytes) -> str:
    """What is said of such a line."""
    if (what := text_format(line)) is not None:
        return f"{what}: {_quoted(line)}. {RUN_LINE}"
    if n_fields > 6:
        found = f"found {n_fields} fields for 6, and the rank field is {_quoted(rank)}: {_quoted(line)}"
        return f"{found}. Ids hold no blanks: put another sign in their place. {RUN_LINE}"
    what = f"column 4 is no rank: {_quoted(rank)} is no whole number"
    if _DECIMAL.fullmatch(rank):
        remedy = "Are rank and score exchanged? Put them in their places"
    else:
        remedy = "Is there a blank in an id, or a column missing? Ids hold no blanks"
    return f"{what}, in {_quoted(line)}. {remedy}. {RUN_LINE}"


def not_four_fields(name: str, number: int, n_fields: int, line: bytes) -> FormatError:
    """A line of qrels with more or fewer than four fields; `line` may be cut."""
    if (what := text_format(line)) is not None:
        return _other_format(name, number, line, what, QRELS_LINE)
    hint = ""
    if n_fields > 4 and (n_fields > 5 or _has_word_for_grade(line)):
        hint = ". Is there a blank in an id? Ids hold no blanks"
    elif n_fields == 5:
        hint = "; sampled judgments have five, and measures of their own, such as infNDCG and statAP"
    return FormatError(name, f"expected 4 fields, found {n_fields}: {_quoted(line)}. {QRELS_LINE}{hint}", number)


def _has_word_for_grade(line: bytes) -> bool:
    """Whether the fourth field of a line is no number, as where a blank in a document id moved the grade."""
    fields = line[:80].split()
    return len(fields) > 3 and _DECIMAL.fullmatch(fields[3]) is None


def no_score(name: str, number: int, text: bytes) -> FormatError:
    """A score that cannot be read."""
    return FormatError(name, f"the score {_quoted(text)} is no decimal number such as 12.5 or 1e-3", number)


def no_grade(name: str, number: int, text: bytes) -> FormatError:
    """A grade that cannot be read."""
    if re.fullmatch(rb"[-+]?[0-9]+", text):
        return FormatError(name, f"the grade {_quoted(text)} is beyond 64 bits; map it to a smaller one", number)
    if names_grade(text):
        remedy = "where the columns stand in this order, take it out, as 'irkit check --fix' does"
        return FormatError(
            name, f"the line names the columns, {_quoted(text)} that of grades; {remedy}. {QRELS_LINE}", number
        )
    remedy = "round it or map it to one"
    if _DECIMAL.fullmatch(text):
        remedy += ", or take grades as fractional gains with --float-gains"
    return FormatError(name, f"the grade {_quoted(text)} is no whole number; {remedy}", number)


def twice(name: str, number: int, first: int, topic: bytes, document: bytes) -> FormatError:
    """A document that stands in line `first` and again in line `number`."""
    return DuplicateError(
        name,
        f"document {_quoted(document)} stands twice in topic {_quoted(topic)}, first in line {first}; keep one of them",
        number,
    )


def became_shorter(name: str) -> FormatError:
    """A file that ends before the size that it had."""
    return FormatError(name, "the file became shorter while it was read; score it once it is written")


def _other_format(name: str, number: int, line: bytes, what: str, form: str) -> FormatError:
    """A line of another format."""
    return FormatError(name, f"{what}: {_quoted(line)}. {form}", number)


def _quoted(text: bytes) -> str:
    return repr(to_text(text[:80])) + ("..." if len(text) > 80 else "")
