"""A table of pairs to judge, and reading it back with grades."""

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from irkit._utils.visible import visible
from irkit.data.qrels import Qrels, read_qrels
from irkit.errors import FormatError
from irkit.files.textio import check_no_nul, read_bytes, shown, write_bytes
from irkit.holes.result import Holes
from irkit.ids import to_bytes, to_text

COLUMNS: Final = ("topic", "document", "grade", "could_change", "returned_by", "query", "text")
NEEDED: Final = COLUMNS[:3]
# What a spreadsheet takes for the beginning of a formula; and what is put before it, which is one more of them.
_FORMULA: Final = ("=", "+", "-", "@", "'")
_LONGEST: Final = 30_000  # characters of a text: a cell of a spreadsheet holds 32,767


class Answer(NamedTuple):
    """Judgment in a worklist, with its file and line."""

    topic: str
    document: str
    grade: int
    place: str
    line: int | None


def write_worklist(
    path: str | os.PathLike[str],
    holes: Holes,
    *,
    queries: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Write the pairs as tab-separated lines under a line of names, whole or not at all.

    The columns are topic, document, grade (empty, to be filled in), what judging the document alone could change, and
    the runs that return it with its rank, such as `bm25:3 dense:7`; then the query and the text where they are given.
    What a spreadsheet would take for a formula has ' before it; `read_answers` takes it off.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    columns = COLUMNS[:5] + COLUMNS[5:6] * (queries is not None) + COLUMNS[6:] * (texts is not None)
    writer.writerow(columns)
    for hole in holes:
        change = hole.difference_change if holes.by == "difference" else hole.value_change
        returned = " ".join(f"{run}:{rank}" for run, rank in hole.ranks.items())
        row = [_guarded(hole.topic), _guarded(hole.document), "", f"{change:.6f}", _guarded(visible(returned))]
        if queries is not None:
            row.append(_guarded(_line(queries.get(hole.topic, ""))))
        if texts is not None:
            row.append(_guarded(_line(texts.get(hole.document, ""))))
        writer.writerow(row)
    write_bytes(path, stream.getvalue().encode("utf-8", "surrogateescape"))


def read_answers(path: str | os.PathLike[str]) -> list[Answer]:
    """The judgments filled into a list: the lines with a grade. A file of qrels will do as well."""
    place = shown(path)
    data = read_bytes(path)
    check_no_nul(data, place)
    first = data.split(b"\n", 1)[0]
    if b"\t" not in first or b"grade" not in first:
        return _of_qrels(path, place, first)
    return list(_once(_rows(data, place)))


def has_answers(path: str | os.PathLike[str]) -> bool:
    """Whether a file has judgments that would be lost were it written over, or a list of them that cannot be read."""
    try:
        return bool(read_answers(path))
    except FormatError:
        return b"\tgrade" in read_bytes(path).split(b"\n", 1)[0]


def joined(qrels: Qrels, answers: Iterable[Answer]) -> Qrels:
    """The qrels with these judgments besides.

    Documents that were pooled and not judged (of negative grade) get their grade; a judgment that is there already may
    be repeated.
    """
    grades = qrels.to_dict()
    for topic, document, grade, place, line in answers:
        known = grades.setdefault(topic, {})
        before = known.get(document, -1)
        if before >= 0 and before != grade:
            raise FormatError(
                place,
                f"document {document!r} of topic {topic!r} has grade {grade} here and {before} already; keep one",
                line,
            )
        known[document] = grade
    return Qrels.from_grades(grades, qrels.name)


def _rows(data: bytes, place: str) -> Iterator[Answer]:
    try:
        rows = csv.reader(io.StringIO(to_text(data), newline=""), delimiter="\t", strict=True)
        names = next(rows)
        if missing := [name for name in NEEDED if name not in names]:
            raise FormatError(
                place, f"the list has no column {missing[0]!r}; there are {', '.join(map(visible, names))}", 1
            )
        columns = [names.index(name) for name in NEEDED]
        line = rows.line_num
        for row in rows:
            start, line = line + 1, rows.line_num
            topic, document, grade = (row[column].strip() if column < len(row) else "" for column in columns)
            if not grade:
                continue
            if not topic or not document:
                raise FormatError(place, f"a grade {grade!r} without topic or document", start)
            yield Answer(_plain(topic), _plain(document), _grade(grade, place, start), place, start)
    except csv.Error as problem:
        raise FormatError(place, f"no table of tab-separated values ({problem})", rows.line_num) from problem


def _of_qrels(path: str | os.PathLike[str], place: str, first: bytes) -> list[Answer]:
    if len(first.split()) != 4:
        names = ", ".join(NEEDED)
        raise FormatError(place, f"neither a list (tab-separated, its first line has {names}) nor qrels", 1)
    qrels = read_qrels(path)
    return [
        Answer(topic, document, grade, place, None)
        for topic, documents, grades in qrels.by_topic()
        for document, grade in zip(documents, grades, strict=True)
        if grade >= 0
    ]


def _once(answers: Iterable[Answer]) -> Iterator[Answer]:
    seen: dict[tuple[str, str], Answer] = {}
    for answer in answers:
        before = seen.setdefault(answer[:2], answer)
        if before.grade != answer.grade:
            raise FormatError(
                answer.place,
                f"document {answer.document!r} of topic {answer.topic!r} has grade {answer.grade} here and "
                f"{before.grade} in line {before.line}; keep one",
                answer.line,
            )
        yield answer


def _grade(text: str, place: str, line: int) -> int:
    try:
        grade = int(text)
    except ValueError:
        grade = -1
    if not 0 <= grade < 2**63 or not text.isascii() or "_" in text:
        raise FormatError(
            place, f"grade {text!r} is not a whole number of 0 or more; leave it empty where nobody judged", line
        )
    return grade


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def _line(text: str) -> str:
    """Text on one line, cut at the length of a cell."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."


def texts_of(holes: Holes, documents: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The texts of those of these documents, each id and text, that are in the list."""
    wanted = set(holes.documents)
    return {name: text for name, text in documents if to_bytes(name) in wanted}
