"""Faults of a run, from the kernel's survey of its file."""

import re
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import LineFault, RunSurvey
from irkit._utils.text import counted
from irkit.checking.encoding import quoted, say_not_utf_8
from irkit.checking.findings import FindingCollector
from irkit.data.exchanged_columns import exchanged
from irkit.files.formats import heading
from irkit.ids import to_text

MOST_LINES: Final = 178_956_970  # of 24 bytes each, that a size of 32 bits holds
COMMA: Final = re.compile(rb"[-+]?[0-9]+,[0-9]+(?:e[-+]?[0-9]+)?", re.IGNORECASE)
_NAN: Final = re.compile(rb"[-+]?nan(?:\(.*\))?", re.IGNORECASE)
_SHOWN: Final = 5  # tags that are named


def check_run(data: bytes, survey: RunSurvey, findings: FindingCollector) -> None:
    """Findings about a run by itself."""
    _check_lines(data, survey, findings)
    if (columns := exchanged(data)) is not None:
        line, shows = columns
        findings.add("exchanged-columns", shows, line)
    _check_topics(survey, findings)
    _check_tags(survey, findings)
    n_unread = np.count_nonzero(survey.kind <= LineFault.MOVED)
    if b"#" in data and survey.n_rows + n_unread < survey.n_lines:
        _check_comments(data, findings)
    if survey.n_rows > MOST_LINES:
        findings.add("too-large", f"{survey.n_rows:,} lines of data, and trec_eval holds {MOST_LINES:,}")


def line_at(data: bytes, start: int) -> bytes:
    """The line that begins at this byte, without its LF."""
    end = data.find(b"\n", start)
    return data[start : end if end >= 0 else len(data)]


def _check_lines(data: bytes, survey: RunSurvey, findings: FindingCollector) -> None:
    """Findings about single lines; only lines that have a fault are looked at."""

    def at(fault: LineFault) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        which = survey.kind == fault
        return survey.line[which], survey.start[which], survey.other[which]

    def fields(start: int) -> list[bytes]:
        return line_at(data, int(start)).split()

    lines, starts, _ = at(LineFault.NUL)
    findings.add_lines("nul-byte", lines, lambda i: f"a NUL byte in {quoted(line_at(data, int(starts[i])).strip())}")
    for code, fault, say in (
        ("malformed-line", LineFault.TOO_FEW_FIELDS, _too_few),
        ("bad-rank", LineFault.NO_RANK, _no_rank),
    ):
        _say_unread(data, code, at(fault), say, findings)
    lines, starts, _ = at(LineFault.NO_SCORE)
    for line, start in zip(lines.tolist(), starts.tolist(), strict=True):
        _say_no_score(fields(start), line, findings)
    moved, moved_starts, _ = at(LineFault.MOVED)
    findings.add_lines("moved-fields", moved, lambda i: _moved(fields(int(moved_starts[i]))))
    lines, starts, firsts = at(LineFault.TWICE)
    for line, start, first in zip(lines.tolist(), starts.tolist(), firsts.tolist(), strict=True):
        topic, _, document, *_ = fields(start)
        findings.add(
            "duplicate-document",
            f"document {quoted(document)} occurs twice in topic {quoted(topic)}, first in line {first}",
            line,
            to_text(topic),
        )
    more, more_starts, _ = at(LineFault.EXTRA_FIELDS)
    findings.add_lines(
        "extra-fields",
        more,
        lambda i: (
            f"{len(its := fields(int(more_starts[i])))} fields; after the tag {quoted(its[5])} comes "
            f"{quoted(b' '.join(its[6:]))}"
        ),
    )
    infinite, infinite_starts, _ = at(LineFault.INFINITE)
    findings.add_lines(
        "infinite-score", infinite, lambda i: f"the score {quoted(fields(int(infinite_starts[i]))[4])} is infinite"
    )
    lines, starts, _ = at(LineFault.NOT_UTF8)
    for line, start in zip(lines.tolist(), starts.tolist(), strict=True):
        say_not_utf_8(line_at(data, start), line, findings)


def _say_unread(
    data: bytes,
    code: str,
    lines: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]],
    say: Callable[[bytes], str],
    findings: FindingCollector,
) -> None:
    """Report lines without the fields or the rank of a run; header lines get their own finding."""
    numbers, starts, _ = lines
    names = np.array([heading(line_at(data, start)) is not None for start in starts.tolist()], dtype=bool)
    others, headings = starts[~names], starts[names]
    findings.add_lines(code, numbers[~names], lambda i: say(line_at(data, int(others[i]))))
    findings.add_lines("header-line", numbers[names], lambda i: say_heading(line_at(data, int(headings[i]))))


def say_heading(line: bytes) -> str:
    """Report a header line."""
    return f"the line names the columns: {quoted(line.strip())}"


def _no_rank(line: bytes) -> str:
    fields = line.split()
    shift = f", and the line has {len(fields)} fields" if len(fields) > 6 else ""
    return f"the rank {quoted(fields[3])} is not a whole number{shift}"


def _moved(fields: list[bytes]) -> str:
    return f"{len(fields)} fields, and the tag would be the number {quoted(fields[5])}"


def _too_few(line: bytes) -> str:
    return (
        f"{counted(len(line.split()), 'field')} where a run has six, 'topic Q0 document rank score tag': "
        f"{quoted(line.strip())}"
    )


def _say_no_score(fields: list[bytes], line: int, findings: FindingCollector) -> None:
    topic, score = to_text(fields[0]), fields[4]
    if _NAN.fullmatch(score):
        findings.add("nan-score", f"the score of document {quoted(fields[2])} is {to_text(score)}", line, topic)
    elif COMMA.fullmatch(score):
        findings.add("decimal-comma", f"the score {quoted(score)} has a comma", line, topic)
    else:
        findings.add("bad-score", f"the score {quoted(score)} is not a decimal number", line, topic)


def _check_topics(survey: RunSurvey, findings: FindingCollector) -> None:
    """Findings about topics; only those that have a fault are looked at."""

    def named(which: npt.NDArray[np.bool_]) -> list[tuple[int, str]]:
        return [(place, to_text(survey.topics[place])) for place in np.flatnonzero(which).tolist()]

    for place, topic in named(survey.contradiction[:, 0] > 0):
        better, other = survey.contradiction[place].tolist()
        findings.add(
            "rank-contradicts-score",
            f"topic {topic!r}: line {better} has the better score and the worse rank, line {other} the other way round",
            better,
            topic,
        )
    for place, topic in named(survey.misplaced[:, 0] > 0):
        better, other = survey.misplaced[place].tolist()
        findings.add(
            "rank-contradicts-tie-order",
            f"topic {topic!r}: lines {better} and {other} have one score, and the rank puts first line {better}, whose "
            "id is the lower one",
            better,
            topic,
        )
    only_float32 = survey.n_tied_float32 - survey.n_tied
    for place, topic in named(only_float32 > 0):
        n = int(only_float32[place])
        findings.add(
            "float32-tie",
            f"topic {topic!r}: {n:,} of {counted(int(survey.n_documents[place]), 'document')} "
            f"{'ties' if n == 1 else 'tie'} as 32-bit floats only",
            topic=topic,
        )
    for place, topic in named(survey.n_tied > 0):
        n_documents = counted(int(survey.n_documents[place]), "document")
        findings.add(
            "tied-scores", f"topic {topic!r}: {survey.n_tied[place]:,} of {n_documents} share a score", topic=topic
        )
    for place, topic in named(survey.n_parts > 1):
        n_parts = int(survey.n_parts[place])
        findings.add(
            "scattered-topic",
            f"topic {topic!r} stands in {n_parts:,} parts of the file",
            int(survey.first[place]),
            topic,
        )


def _check_tags(survey: RunSurvey, findings: FindingCollector) -> None:
    if len(survey.tags) < 2:
        return
    said = [
        f"{quoted(tag)} from line {first} on ({counted(n, 'line')})"
        for tag, first, n in zip(survey.tags, survey.tag_first.tolist(), survey.tag_rows.tolist(), strict=True)
    ]
    more = len(said) - _SHOWN
    rest = f" and {'at least ' if survey.n_other_tags else ''}{more} more" if more > 0 else ""
    findings.add("mixed-tags", f"tags {', '.join(said[:_SHOWN])}{rest}", int(survey.tag_first[1]))


def _check_comments(data: bytes, findings: FindingCollector) -> None:
    number, start = 1, 0
    while 0 <= start < len(data):
        place = data.find(b"#", start)
        if place < 0:
            return
        begin = data.rfind(b"\n", start, place) + 1 or start
        number += data.count(b"\n", start, begin)
        line = line_at(data, begin)
        if line.split()[0].startswith(b"#") and b"\0" not in line:
            findings.add("comment-line", f"a comment: {quoted(line.strip())}", number)
        number, start = number + 1, begin + len(line) + 1
