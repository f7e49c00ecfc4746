"""Repairs of a file that need no guess, each with a description."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from irkit._kernel.numpy_twin.numbers import grade_of
from irkit.checking.detect import kind_of
from irkit.checking.encoding import Content, numbered
from irkit.checking.findings import FindingCollector, Repair
from irkit.checking.kinds import JUDGMENT_KINDS, Kind
from irkit.checking.qrels import is_by_subtopic, rows_of
from irkit.checking.run_repairs import RepairOptions, field_at, mend_run
from irkit.checking.submission import SubmissionRules
from irkit.checking.text_edits import Edit, EditedText
from irkit.files.formats import is_trec_heading
from irkit.files.textio import BYTE_ORDER_MARK

_CRLF: Final = re.compile(rb"\r+\n")
_CR: Final = re.compile(rb"\r+\n?")


class RepairedText(NamedTuple):
    """A text with everything mended that can be.

    Attributes
    ----------
    data : bytes
        As a file has it, with a byte order mark only where the first id begins with that sign.
    kind : Kind
        What it was mended as.
    repairs : tuple of Repair
    left : tuple of str
        What was left as it is, since it would be a guess.
    """

    data: bytes
    kind: Kind
    repairs: tuple[Repair, ...]
    left: tuple[str, ...]


def repaired(content: Content, kind: Kind, rules: SubmissionRules, wishes: RepairOptions) -> RepairedText:
    """The text with everything mended that can be, and the changes."""
    text = _text_mended(content)
    if kind == "unknown" or (kind in JUDGMENT_KINDS and kind_of(text.data) in JUDGMENT_KINDS):
        kind = kind_of(text.data)
    left: tuple[str, ...] = ()
    if kind in JUDGMENT_KINDS:
        text.apply(_of_judgments(text.data, kind))
    elif kind == "run":
        left = mend_run(text, rules, wishes)
    # A reader passes over one mark: a first id that begins with this sign needs one more before it.
    mark = BYTE_ORDER_MARK if text.data.startswith(BYTE_ORDER_MARK) else b""
    repairs = [repair for repair in text.repairs if not mark or repair.code != "byte-order-mark"]
    return RepairedText(mark + text.data, kind, tuple(repairs), left)


def _text_mended(content: Content) -> EditedText:
    """The text as UTF-8 with LF line ends and no NUL byte."""
    text = EditedText(content.data)
    is_new = False  # or else a reader has said whether its lines end in CR alone
    if content.encoding != "utf-8":
        try:
            text.data = content.data.decode(content.encoding).encode("utf-8").removeprefix(BYTE_ORDER_MARK)
        except UnicodeDecodeError:  # half a character, or half a file
            return text
        text.say("utf-16", "written as UTF-8")
        is_new = True
    if b"\0" in text.data:
        is_new |= text.apply(_without_nul(text.data))
    if content.packed and text.data:
        text.say("compressed-file", "written without compression")
    if content.marked:
        text.say("byte-order-mark", "written without byte order mark")
    data = text.data
    if content.cr_alone or (is_new and b"\r" in data.strip() and b"\n" not in data and not data.startswith(b"#")):
        text.say("cr-line-ends", "written with LF line ends")
        text.data = _CR.sub(b"\n", data)
    elif b"\r\n" in data:
        text.say("crlf-line-ends", "written with LF line ends")
        text.data = data.replace(b"\r\n", b"\n")
        if b"\r\n" in text.data:
            text.data = _CRLF.sub(b"\n", text.data)
    if text.data and not text.data.endswith(b"\n"):
        text.say("no-final-newline", "written with a line end at the end")
        text.data = text.data.rstrip(b"\r") + b"\n"
    return text


def _without_nul(data: bytes) -> Iterator[Edit]:
    number, at = 1, 0
    while (place := data.find(b"\0", at)) >= 0:
        start = data.rfind(b"\n", at, place) + 1 or at
        end = data.find(b"\n", place)
        end = end if end >= 0 else len(data)
        number += data.count(b"\n", at, start)
        yield Edit(number, start, end, data[start:end].replace(b"\0", b""), "nul-byte")
        at = end


def _of_judgments(data: bytes, kind: Kind) -> Iterator[Edit]:
    is_plain = kind == "qrels" and not is_by_subtopic(rows_of(data, FindingCollector("")))
    has_grade = kind in ("qrels", "subtopics")
    at = {"strata": (0, 2), "prels": (0, 1), "prefs": (0, 1, 2, 3)}.get(kind, (0, 2) if is_plain else (0, 1, 2))
    said: dict[tuple[bytes, ...], tuple[bytes, ...]] = {}  # of each document, what its first line says
    end = -1
    for number, line in numbered(data):
        start, end = end + 1, end + 1 + len(line)
        fields = line.split()
        if not fields:
            yield Edit(number, start, end, None, "blank-line")
            continue
        if fields[0].startswith(b"#"):
            yield Edit(number, start, end, None, "comment-line")
            continue
        if has_grade and is_trec_heading(line) and (len(fields) != 4 or grade_of(fields[3]) is None):
            yield Edit(number, start, end, None, "header-line")
            continue
        if len(fields) != (4 if has_grade else 5):
            continue
        as_written = fields[-1]
        if has_grade:
            if (grade := grade_of(as_written)) is None:
                continue
            fields[3] = b"%d" % grade
        key = tuple(fields[place] for place in at)
        its = tuple(field for place, field in enumerate(fields) if place not in (*at, 1))
        if said.setdefault(key, its) is not its and said[key] == its:
            yield Edit(number, start, end, None, "repeated-judgment")
        elif has_grade and b"." in as_written:
            yield Edit(number, *field_at(data, start, 3), fields[3], "decimal-grade")
