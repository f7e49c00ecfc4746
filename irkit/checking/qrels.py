"""Faults of qrels: of the lines, and of the topics that they judge."""

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

import numpy as np

from irkit import _kernel
from irkit._kernel.columns import QrelsColumns
from irkit._kernel.numpy_twin.numbers import grade_of, score_of
from irkit._utils.text import counted
from irkit.checking.encoding import Content, n_lines_of, numbered, quoted
from irkit.checking.findings import FindingCollector
from irkit.checking.runs import say_heading
from irkit.errors import FormatError
from irkit.files.formats import heading
from irkit.ids import to_text

MOST_BYTES: Final = 1 << 31  # trec_eval keeps the size of qrels in 32 bits
_WITH_POINT: Final = re.compile(rb"[0-9]\.0*[ \t\r\f\v]*$", re.MULTILINE)
_BY_SUBTOPIC: Final = 0.1  # share of lines that judge a document again, from which on the second column is a subtopic


class Row(NamedTuple):
    """A line of qrels that has four fields and a grade."""

    line: int
    topic: bytes
    iteration: bytes
    document: bytes
    grade: int


def parsed(data: bytes) -> QrelsColumns | None:
    """Qrels without faults; None if a line has a fault."""
    if b"\0" in data:
        return None
    try:
        return _kernel.parse_qrels(data, "")
    except FormatError:
        return None


def check_clean(columns: QrelsColumns, content: Content, findings: FindingCollector) -> None:
    """Findings about qrels that are read without an error."""
    if len(columns.documents) < n_lines_of(content.data):
        check_passed_over(content.data, findings)
    if _WITH_POINT.search(content.data):
        for number, line in numbered(content.data):
            fields = line.split()
            if len(fields) == 4 and not fields[0].startswith(b"#") and b"." in fields[3]:
                findings.add("decimal-grade", f"the grade {quoted(fields[3])}", number)
    starts, grades = columns.starts[:-1], columns.grades
    best = np.maximum.reduceat(grades, starts) if len(starts) else grades
    check_grades(
        [(to_text(topic), int(grade)) for topic, grade in zip(columns.topics, best.tolist(), strict=True)],
        int(np.count_nonzero(grades < 0)),
        findings,
    )


def rows_of(data: bytes, findings: FindingCollector) -> list[Row]:
    """The lines that can be read; findings about the others."""
    rows = []
    for number, line, fields in data_lines(data, findings):
        if heading(line) is not None and (len(fields) != 4 or grade_of(fields[3]) is None):
            findings.add("header-line", say_heading(line), number)
        elif len(fields) != 4:
            findings.add(
                "malformed-line",
                f"{counted(len(fields), 'field')} where qrels have four, 'topic iteration document grade': "
                f"{quoted(line.strip())}",
                number,
            )
        elif (grade := read_grade(fields[3], number, findings)) is not None:
            rows.append(Row(number, fields[0], fields[1], fields[2], grade))
    return rows


def data_lines(data: bytes, findings: FindingCollector) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """The lines that are neither blank nor comments, with their fields; findings about NUL bytes."""
    for number, line in numbered(data):
        if b"\0" in line:
            findings.add("nul-byte", f"a NUL byte in {quoted(line.strip())}", number)
            continue
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            yield number, line, fields


def read_grade(text: bytes, line: int, findings: FindingCollector) -> int | None:
    """A whole grade; a finding where it is none, or is written with a point."""
    grade = grade_of(text)
    if grade is not None:
        if b"." in text:
            findings.add("decimal-grade", f"the grade {quoted(text)}", line)
        return grade
    if re.fullmatch(rb"[-+]?[0-9]+(\.0*)?", text):
        findings.add("bad-grade", f"the grade {quoted(text)} is beyond 64 bits", line)
    elif score_of(text) is not None:
        findings.add("fractional-grade", f"the grade {quoted(text)} is not a whole number", line)
    else:
        findings.add("bad-grade", f"the grade {quoted(text)} is not a number", line)
    return None


def is_by_subtopic(rows: list[Row]) -> bool:
    """Whether the second column holds subtopics: it distinguishes repeated documents in enough lines."""
    seen: set[tuple[bytes, bytes]] = set()
    whole: set[tuple[bytes, bytes, bytes]] = set()
    n_again = 0
    for _, topic, iteration, document, _ in rows:
        if (topic, iteration, document) in whole:
            continue
        n_again += (topic, document) in seen
        seen.add((topic, document))
        whole.add((topic, iteration, document))
    return n_again > _BY_SUBTOPIC * len(whole)  # so that a line more or less that says the same changes nothing


def check_rows(rows: list[Row], unread: Collection[bytes], findings: FindingCollector, *, by_subtopic: bool) -> None:
    """Findings about documents that are judged twice, and about topics but those of which a line is `unread`."""
    first: dict[tuple[bytes, ...], Row] = {}
    best: dict[bytes, int] = {}
    for row in rows:
        key = (row.topic, row.iteration, row.document) if by_subtopic else (row.topic, row.document)
        before = first.setdefault(key, row)
        best[row.topic] = max(row.grade, best.get(row.topic, row.grade))
        if before is not row:
            say_twice(row, before, findings, by_subtopic=by_subtopic)
    topics = [(topic, grade) for topic, grade in sorted(best.items()) if topic not in unread]
    check_grades([(to_text(topic), grade) for topic, grade in topics], sum(row.grade < 0 for row in rows), findings)


def say_twice(row: Row, before: Row, findings: FindingCollector, *, by_subtopic: bool) -> None:
    """Report a document that is judged again."""
    where = f"topic {quoted(row.topic)}" + (f", subtopic {quoted(row.iteration)}" if by_subtopic else "")
    what = f"document {quoted(row.document)} is judged twice in {where}, first in line {before.line}"
    if row.grade == before.grade:
        findings.add("repeated-judgment", f"{what}, with grade {row.grade} both times", row.line, to_text(row.topic))
        return
    grades = f"with grade {before.grade} there and {row.grade} here"
    findings.add("conflicting-judgments", f"{what}, {grades}", row.line, to_text(row.topic))


def check_grades(best: list[tuple[str, int]], n_negative: int, findings: FindingCollector) -> None:
    """Findings about topics by their best grades."""
    for topic, grade in best:
        if grade < 0:
            findings.add("all-negative-topic", f"all grades of topic {topic!r} are negative", topic=topic)
        elif grade == 0:
            findings.add("nothing-relevant", f"no document of topic {topic!r} is relevant", topic=topic)
    if n_negative:
        findings.add("negative-grades", f"{counted(n_negative, 'grade')} below 0")


def check_passed_over(data: bytes, findings: FindingCollector) -> None:
    """Findings about blank lines and comments, where trec_eval does not pass them over as irkit does."""
    lines = [(number, line, line.lstrip()[:1]) for number, line in numbered(data)]
    last = max((number for number, _, sign in lines if sign), default=0)
    before = b""  # the first sign of the line before, blank lines left out
    for number, line, sign in lines:
        if not sign:
            findings.add("blank-line", "a blank line", number)
            continue
        if sign == b"#":
            why = _misread(line, before, is_last=number == last)
            if why:
                findings.add("misread-comment", f"a comment {why}: {quoted(line.strip())}", number)
            else:
                findings.add("comment-line", f"a comment: {quoted(line.strip())}", number)
        before = sign


def _misread(line: bytes, before: bytes, *, is_last: bool) -> str:
    if not line.startswith(b"#"):
        return "behind a blank"
    if before == b"#":
        return "after another one"
    return "in the last line" if is_last else ""


def check_size(content: Content, findings: FindingCollector) -> None:
    """A finding about qrels that trec_eval cannot hold."""
    if len(content.data) >= MOST_BYTES:
        findings.add("too-large", f"{len(content.data):,} bytes, and trec_eval reads less than {MOST_BYTES:,}")
