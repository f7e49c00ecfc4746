"""Repairs of a file: what can be mended without a guess, each change said."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from irkit import _kernel
from irkit._kernel.columns import LineFault, RunSurvey
from irkit._kernel.numpy_twin.numbers import grade_of, score_of
from irkit.checking.content import Content, numbered
from irkit.checking.findings import Found, Repair
from irkit.checking.kinds import JUDGMENT_KINDS, Kind
from irkit.checking.qrels import is_by_subtopic, rows_of
from irkit.checking.recognise import kind_of
from irkit.checking.runs import COMMA
from irkit.checking.submission import SubmissionRules
from irkit.ids import to_bytes, to_text
from irkit.textio import BYTE_ORDER_MARK

_CRLF: Final = re.compile(rb"\r+\n")
_FIELD: Final = re.compile(rb"[^ \t\n\r\f\v]+")
TOPIC, DOCUMENT, RANK, SCORE, TAG = 0, 2, 3, 4, 5  # places of the fields of a run


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a repair needs to be told.

    Attributes
    ----------
    tag : str or None
        The tag to write where tags are mixed or forbidden; the first one if not given.
    decimal_commas : bool
        A comma in a score is a decimal point.
    """

    tag: str | None = None
    decimal_commas: bool = False


class _Row(NamedTuple):
    """A line of a run that can be read."""

    line: int
    topic: bytes
    document: bytes
    score: float


class _Lines:
    """The lines of a file by their numbers, and what was done to them."""

    def __init__(self, data: bytes) -> None:
        self.lines: dict[int, bytes] = dict(numbered(data))
        self.repairs: list[Repair] = []

    @property
    def data(self) -> bytes:
        """The text as it is now."""
        return b"".join(line + b"\n" for line in self.lines.values())

    def numbers(self) -> list[int]:
        """The number that each line had in the file as it was."""
        return list(self.lines)

    def change(self, number: int, line: bytes, code: str) -> None:
        """Put another line in the place of one."""
        if line != self.lines[number]:
            self.repairs.append(Repair(code, number, to_text(self.lines[number]), to_text(line)))
            self.lines[number] = line

    def drop(self, number: int, code: str) -> None:
        """Leave a line out."""
        self.repairs.append(Repair(code, number, to_text(self.lines.pop(number)), ""))

    def rows(self, topics: set[bytes] | None = None) -> Iterator[_Row]:
        """The lines of a run that can be read: all, or those of some topics."""
        for number, line in self.lines.items():
            fields = line.split()
            if len(fields) < 6 or fields[0].startswith(b"#") or b"\0" in line:
                continue
            if (topics is None or fields[TOPIC] in topics) and (score := score_of(fields[SCORE])) is not None:
                yield _Row(number, fields[TOPIC], fields[DOCUMENT], score)


def repaired(content: Content, kind: Kind, rules: SubmissionRules, wishes: Wishes) -> tuple[bytes, tuple[Repair, ...]]:
    """The text with everything mended that can be, and the changes.

    Parameters
    ----------
    content : Content
    kind : Kind
        What it was said to be; `unknown` where its lines say.
    rules : SubmissionRules
        A ranking is cut to its `max_per_topic`.
    wishes : Wishes
    """
    data, repairs = _text_mended(content)
    if kind == "unknown" or (kind in JUDGMENT_KINDS and kind_of(data) in JUDGMENT_KINDS):
        kind = kind_of(data)
    if kind in ("unknown", "documents", "topics"):
        return data, tuple(repairs)
    lines = _Lines(data)
    _mend_judgments(lines, kind) if kind in JUDGMENT_KINDS else _mend_run(lines, rules, wishes)
    if not lines.repairs:  # what is not touched keeps every byte
        return data, tuple(repairs)
    return lines.data, (*repairs, *lines.repairs)


def _text_mended(content: Content) -> tuple[bytes, list[Repair]]:
    """The text as UTF-8 with LF line ends and no NUL byte."""
    data, repairs = content.data, []

    def mended(code: str, what: str, text: bytes) -> bytes:
        repairs.append(Repair(code, None, what, ""))
        return text

    if content.encoding != "utf-8":
        try:
            text = data.decode(content.encoding).encode("utf-8").removeprefix(BYTE_ORDER_MARK)
        except UnicodeDecodeError:  # half a character, or half a file
            return data, []
        data = mended("utf-16", "written as UTF-8", text)
    if b"\0" in data:
        lines = _Lines(data)
        for number in [number for number, line in lines.lines.items() if b"\0" in line]:
            lines.change(number, lines.lines[number].replace(b"\0", b""), "nul-byte")
        repairs += lines.repairs
        data = data.replace(b"\0", b"")
    if content.packed and data:
        repairs.append(Repair("compressed-file", None, "written without compression", ""))
    if content.marked:
        repairs.append(Repair("byte-order-mark", None, "written without byte order mark", ""))
    if b"\r\n" in data:
        data = mended("crlf-line-ends", "written with LF line ends", _CRLF.sub(b"\n", data))
    elif content.cr_alone or (b"\r" in data.strip() and b"\n" not in data and not data.startswith(b"#")):
        data = mended("cr-line-ends", "written with LF line ends", data.replace(b"\r", b"\n"))
    if data and not data.endswith(b"\n"):
        data = mended("no-final-newline", "written with a line end at the end", data.rstrip(b"\r") + b"\n")
    return data, repairs


def _mend_judgments(lines: _Lines, kind: Kind) -> None:
    is_plain = kind == "qrels" and not is_by_subtopic(rows_of(lines.data, Found("")))
    has_grade = kind in ("qrels", "subtopics")
    said: dict[tuple[bytes, ...], tuple[bytes, ...]] = {}  # of each document, what its first line says
    for number in lines.numbers():
        line = lines.lines[number]
        fields = line.split()
        if not fields:
            lines.drop(number, "blank-line")
            continue
        if fields[0].startswith(b"#"):
            lines.drop(number, "comment-line")
            continue
        if len(fields) != (4 if has_grade else 5):
            continue
        if has_grade:
            if (grade := grade_of(fields[3])) is None:
                continue
            fields[3] = b"%d" % grade
            if b"." in line.split()[3]:
                lines.change(number, _with_field(line, 3, fields[3]), "decimal-grade")
        at = {"strata": (0, 2), "prels": (0, 1), "prefs": (0, 1, 2, 3)}.get(kind, (0, 2) if is_plain else (0, 1, 2))
        key = tuple(fields[place] for place in at)
        its = tuple(field for place, field in enumerate(fields) if place not in (*at, 1))
        if key not in said:
            said[key] = its
        elif said[key] == its:
            lines.drop(number, "repeated-judgment")


def _mend_run(lines: _Lines, rules: SubmissionRules, wishes: Wishes) -> None:
    numbers = lines.numbers()
    survey = _kernel.survey_run(lines.data)
    if wishes.decimal_commas:
        for line in survey.line[survey.kind == LineFault.NO_SCORE].tolist():
            number = numbers[line - 1]
            its = lines.lines[number]
            score = its.split()[SCORE]
            if COMMA.fullmatch(score):
                lines.change(number, _with_field(its, SCORE, score.replace(b",", b".")), "decimal-comma")
        survey = _kernel.survey_run(lines.data)
    for line in survey.line[survey.kind == LineFault.EXTRA_FIELDS].tolist():
        number = numbers[line - 1]
        its = lines.lines[number]
        lines.change(number, its[: _span(its, TAG)[1]], "extra-fields")
    survey = _kernel.survey_run(lines.data)
    if (survey.kind == LineFault.TWICE).any():
        _drop_twice(lines)
    if rules.max_per_topic is not None:
        _cut(lines, survey, rules.max_per_topic)
    _mend_tags(lines, survey, rules, wishes)
    _mend_ranks(lines)


def _drop_twice(lines: _Lines) -> None:
    """Of a document that stands several times in a topic, keep the line of the best score, the first of such."""
    best: dict[tuple[bytes, bytes], _Row] = {}
    dropped = []
    for row in lines.rows():
        key = (row.topic, row.document)
        before = best.setdefault(key, row)
        if before is not row:
            dropped.append((before if row.score > before.score else row).line)
            best[key] = row if row.score > before.score else before
    for number in sorted(dropped):
        lines.drop(number, "duplicate-document")


def _cut(lines: _Lines, survey: RunSurvey, most: int) -> None:
    long = {survey.topics[place] for place in np.flatnonzero(survey.n_documents > most).tolist()}
    beyond = [row.line for rows in _ranked(lines.rows(long)) for row in rows[most:]] if long else []
    for number in sorted(beyond):
        lines.drop(number, "too-many-documents")


def _mend_tags(lines: _Lines, survey: RunSurvey, rules: SubmissionRules, wishes: Wishes) -> None:
    pattern = rules.tag_pattern
    is_mixed = len(survey.tags) > 1
    is_forbidden = pattern is not None and not all(re.fullmatch(pattern, to_text(tag)) for tag in survey.tags)
    if not survey.tags or not (is_mixed or (is_forbidden and wishes.tag is not None)):
        return
    tag = survey.tags[0] if wishes.tag is None else to_bytes(wishes.tag)
    for row in list(lines.rows()):
        its = lines.lines[row.line]
        lines.change(row.line, _with_field(its, TAG, tag), "mixed-tags" if is_mixed else "forbidden-tag")


def _mend_ranks(lines: _Lines) -> None:
    """Number the documents of topics whose ranks say another order than scores do, or are no numbers."""
    survey = _kernel.survey_run(lines.data)
    numbers = lines.numbers()
    codes: dict[bytes, str] = {}
    for line in survey.line[survey.kind == LineFault.NO_RANK].tolist():
        codes[lines.lines[numbers[line - 1]].split()[TOPIC]] = "bad-rank"
    for pairs, code in (
        (survey.misplaced, "rank-contradicts-tie-order"),
        (survey.contradiction, "rank-contradicts-score"),
    ):
        codes |= {survey.topics[place]: code for place in np.flatnonzero(pairs[:, 0]).tolist()}
    for rows in _ranked(lines.rows(set(codes))) if codes else ():
        for rank, row in enumerate(rows, 1):
            its = lines.lines[row.line]
            lines.change(row.line, _with_field(its, RANK, b"%d" % rank), codes[row.topic])


def _ranked(rows: Iterable[_Row]) -> list[list[_Row]]:
    """The rows of each topic in trec_eval's order."""
    topics: dict[bytes, list[_Row]] = {}
    for row in rows:
        topics.setdefault(row.topic, []).append(row)
    return [sorted(its, key=lambda row: (row.score, row.document), reverse=True) for its in topics.values()]


def _span(line: bytes, place: int) -> tuple[int, int]:
    """Where a field begins and ends."""
    spans = [found.span() for found in _FIELD.finditer(line)]
    return spans[place]


def _with_field(line: bytes, place: int, text: bytes) -> bytes:
    """The line with another field in that place; the blanks between fields stay."""
    start, end = _span(line, place)
    return line[:start] + text + line[end:]
