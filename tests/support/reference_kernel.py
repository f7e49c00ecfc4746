"""What the kernels do, line by line and without any haste: both are held against it."""

import re
from collections.abc import Iterable
from itertools import accumulate

import numpy as np

from irkit._kernel import problems
from irkit._kernel.columns import INT64_MAX, Matches, QrelsColumns, Retrieved, RunColumns
from irkit.errors import FormatError
from irkit.files.textio import BYTE_ORDER_MARK, check_no_nul
from irkit.ids import Ids

Table = dict[bytes, dict[bytes, float]]  # {topic: {document: score or grade}}


def parse_run(data: bytes, name: str) -> RunColumns:
    return rank(*_run_table(data, name))


def parse_run_as_given(data: bytes, name: str, float32: bool = False) -> RunColumns:
    return rank_as_given(*_run_table(data, name), float32)


def _run_table(data: bytes, name: str) -> tuple[Table, bytes]:
    topics: Table = {}
    lines: dict[tuple[bytes, bytes], int] = {}
    tag = b""
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split(None, 6)
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 6:
            raise problems.too_few_fields(name, number, len(fields), line)
        topic, _, document, place, text, tag = fields[:6]
        if not _is_whole(place):
            raise problems.no_rank(name, number, len(line.split()), place, line)
        score = _score(text, name, number)
        if len(fields) > 6 and _is_decimal(tag):
            raise problems.moved(name, number, len(line.split()), tag, line)
        _enter(topics, lines, name, number, topic, document, score)
    return topics, tag


def parse_qrels(data: bytes, name: str) -> QrelsColumns:
    topics: Table = {}
    lines: dict[tuple[bytes, bytes], int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != 4:
            raise problems.not_four_fields(name, number, len(fields), line)
        topic, _, document, text = fields
        _enter(topics, lines, name, number, topic, document, _grade(text, name, number, line))
    return gather(topics)


def rank(topics: Table, tag: bytes) -> RunColumns:
    """Topics in byte order; documents by score falling, then id falling in bytes."""
    ranked = {
        topic: sorted(topics[topic].items(), key=lambda row: (row[1], row[0]), reverse=True) for topic in sorted(topics)
    }
    return _run_columns(ranked, tag)


def rank_as_given(topics: Table, tag: bytes, float32: bool = False) -> RunColumns:
    """Topics in byte order; documents by score falling, and as they come."""
    ranked = {}
    for topic in sorted(topics):
        rows = [(document, _rounded(score) if float32 else score) for document, score in topics[topic].items()]
        ranked[topic] = sorted(rows, key=lambda row: -row[1])
    return _run_columns(ranked, tag)


def _rounded(score: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def _run_columns(ranked: dict[bytes, list[tuple[bytes, float]]], tag: bytes) -> RunColumns:
    rows = [row for documents in ranked.values() for row in documents]
    scores = np.array([score for _, score in rows], dtype=np.float64)
    return RunColumns(list(ranked), _starts(ranked.values()), Ids.of(document for document, _ in rows), scores, tag)


def gather(topics: Table) -> QrelsColumns:
    """Topics in byte order; documents as they come."""
    gathered = {topic: list(topics[topic].items()) for topic in sorted(topics)}
    rows = [row for documents in gathered.values() for row in documents]
    grades = np.array([grade for _, grade in rows], dtype=np.int64)
    return QrelsColumns(list(gathered), _starts(gathered.values()), Ids.of(document for document, _ in rows), grades)


def score(data: bytes, grades: Table, name: str, float32: bool = False) -> Retrieved:
    """What of a run is needed to score it."""
    data = data.removeprefix(BYTE_ORDER_MARK)
    check_no_nul(data, name)
    run = parse_run(data, name)
    ranked: dict[bytes, list[tuple[float, bytes]]] = {}
    for topic, low, high in zip(run.topics, run.starts[:-1], run.starts[1:], strict=True):
        scores = [_rounded(score) if float32 else score for score in run.scores[low:high].tolist()]
        ranked[topic] = sorted(zip(scores, run.documents[low:high], strict=True), reverse=True)
    matches = [
        (
            place,
            rank,
            grades[topic][document],
            1 + sum(other > score for other, _ in ranked[topic]),
            sum(other >= score for other, _ in ranked[topic]),
        )
        for place, topic in enumerate(sorted(grades))
        for rank, (score, document) in enumerate(ranked.get(topic, []), 1)
        if document in grades[topic]
    ]
    columns = np.array(matches, dtype=np.int64).reshape(-1, 5).T
    return Retrieved(run.topics, np.diff(run.starts), Matches(*columns), run.tag)


def is_scattered(data: bytes) -> bool:
    """Whether a topic comes back after another one."""
    fields = [line.split() for line in data.removeprefix(BYTE_ORDER_MARK).split(b"\n")]
    topics = [line[0] for line in fields if line and not line[0].startswith(b"#")]
    starts = [topic for place, topic in enumerate(topics) if place == 0 or topics[place - 1] != topic]
    return len(set(starts)) < len(starts)


def _enter(topics, lines, name, number, topic, document, value) -> None:
    first = lines.setdefault((topic, document), number)
    if first != number:
        raise problems.twice(name, number, first, topic, document)
    topics.setdefault(topic, {})[document] = value


def _score(text: bytes, name: str, number: int) -> float:
    # float() takes an underscore between digits, and nan; a run has neither.
    try:
        score = float(text)
    except ValueError:
        score = np.nan
    if score != score or b"_" in text:
        raise problems.no_score(name, number, text)
    return score


def _grade(text: bytes, name: str, number: int, line: bytes = b"") -> int:
    if not re.fullmatch(rb"[+-]?0*[0-9]{1,19}(\.0*)?", text) or abs(grade := int(text.partition(b".")[0])) > INT64_MAX:
        raise problems.no_grade(name, number, text, line)
    return grade


def _is_decimal(text: bytes) -> bool:
    try:
        _score(text, "", 0)
    except FormatError:
        return False
    return True


def _is_whole(text: bytes) -> bool:
    try:
        _grade(text, "", 0)
    except FormatError:
        return False
    return True


def _starts(topics: Iterable[list]) -> np.ndarray:
    return np.array(list(accumulate(map(len, topics), initial=0)), dtype=np.int64)
