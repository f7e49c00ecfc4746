"""Survey a run file: its topics, ties, ranks and faulty lines."""

from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import MOST_TAGS, LineFault, RunSurvey
from irkit._kernel.numpy_twin.fields import PADDING, Fields, Flags, Places
from irkit._kernel.numpy_twin.numbers import as_float32, read_grades, read_scores
from irkit._kernel.numpy_twin.order import all_twice, falling, in_bytes, ties
from irkit._kernel.numpy_twin.text import Lines, chunks, stretches

_BLOCK = 1 << 16  # pairs of rows whose ids are objects of Python at once


def survey_run(data: bytes) -> RunSurvey:
    """Survey a run file, including a faulty one.

    Parameters
    ----------
    data : bytes
        The file, not compressed and without a byte order mark. Lines are read as `parse_run` reads them. It refuses a
        file for TOO_FEW_FIELDS, NO_RANK, NO_SCORE, MOVED and TWICE, as its caller for NUL, and passes over all others.
    """
    tags, faults = _Tags(), _Faults()
    rows = _read(data, tags, faults)
    order = sorted(range(len(rows.topics)), key=rows.topics.__getitem__)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    topic = place[rows.topic]
    again, before = np.array([*all_twice(topic, rows.documents)], dtype=np.int64).reshape(-1, 2).T
    faults.add(LineFault.TWICE, rows.line[again], rows.start[again], rows.line[before])

    def per_topic(of: Places) -> Places:
        return np.bincount(of, minlength=len(order)).astype(np.int64)

    part_starts = np.flatnonzero(np.diff(topic, prepend=-1))
    ranking = falling(topic, rows.scores)
    misplaced, contradiction = _pairs(topic, rows, ranking)
    kind, line, start, other = faults.columns()
    return RunSurvey(
        n_lines=data.count(b"\n") + (not data.endswith(b"\n") and data != b""),
        n_rows=len(topic),
        topics=[rows.topics[number] for number in order],
        first=rows.line[np.unique(topic, return_index=True)[1]],
        n_documents=per_topic(topic),
        n_parts=per_topic(topic[part_starts]),
        n_tied=per_topic(_tied(topic[ranking], rows.scores[ranking])),
        n_tied_float32=per_topic(_tied(topic[ranking], as_float32(rows.scores[ranking]))),
        misplaced=misplaced,
        contradiction=contradiction,
        tags=list(tags.number),
        tag_first=np.array(tags.first, dtype=np.int64),
        tag_rows=np.array(tags.n_rows, dtype=np.int64),
        n_other_tags=len(topic) - sum(tags.n_rows),
        kind=kind,
        line=line,
        start=start,
        other=other,
    )


class _Tags:
    """The first tags of a file, the line of each and its rows."""

    def __init__(self) -> None:
        self.number: dict[bytes, int] = {}
        self.first: list[int] = []
        self.n_rows: list[int] = []

    def add(self, tag: bytes, line: int, n_rows: int) -> None:
        """Take rows that have a tag, from this line on."""
        number = self.number.get(tag)
        if number is not None:
            self.n_rows[number] += n_rows
        elif len(self.number) < MOST_TAGS:
            self.number[tag] = len(self.number)
            self.first.append(line)
            self.n_rows.append(n_rows)


class _Faults:
    """Faults of lines, as they are found."""

    def __init__(self) -> None:
        self._found: list[tuple[Places, Places, Places, Places]] = []

    def add(self, kind: LineFault, line: Places, start: Places, other: Places | None = None) -> None:
        """Lines that have this fault, and where they begin."""
        if len(line):
            self._found.append((np.full(len(line), kind), line, start, np.zeros_like(line) if other is None else other))

    def columns(self) -> tuple[npt.NDArray[np.uint8], Places, Places, Places]:
        """Kind, line, start and other of the faults, by line and then by kind."""
        empty = np.zeros((4, 0), dtype=np.int64)
        kind, line, start, other = np.concatenate([empty, *map(np.array, self._found)], axis=1)
        order = np.lexsort((kind, line))
        return kind[order].astype(np.uint8), line[order], start[order], other[order]


class _Rows(NamedTuple):
    """The N rows of a file, in its order."""

    topics: list[bytes]
    line: Places  # (N,)
    start: Places  # (N,) where the line begins
    topic: Places  # (N,) which of the topics
    documents: Fields  # N of them
    scores: npt.NDArray[np.float64]  # (N,)
    ranks: Places  # (N,)


def _read(data: bytes, tags: _Tags, faults: _Faults) -> _Rows:
    """The rows of a file; its tags, and all faults that lines have by themselves."""
    number: dict[bytes, int] = {}
    columns: list[tuple[Places, Places, Places, Places, npt.NDArray[np.float64], Places]] = []
    ids: list[bytes] = []
    offset = 0
    # A first chunk of nothing gives every column its type.
    for text, first_line in chain([(b"", 1)], chunks(data)):
        lines = Lines(text)
        rows, ranks, scores = _rows(lines, first_line, offset, faults)
        line, start = first_line + lines.data[rows], offset + lines.starts(lines.data[rows])
        topics, documents, tag = (lines.field(place, rows) for place in (0, 2, 5))
        for kind, wrong in (
            (LineFault.EXTRA_FIELDS, lines.n_fields[rows] > 6),
            (LineFault.NOT_UTF8, _not_utf8(text, topics, documents, tag)),
            (LineFault.INFINITE, np.isinf(scores)),
        ):
            faults.add(kind, line[wrong], start[wrong])
        starts = stretches(tag)
        for name, row, n_rows in zip(
            tag.take(starts[:-1]).tolist(), starts.tolist(), np.diff(starts).tolist(), strict=False
        ):
            tags.add(name, int(line[row]), n_rows)
        starts = stretches(topics)
        known = [number.setdefault(name, len(number)) for name in topics.take(starts[:-1]).tolist()]
        topic = np.repeat(np.array(known, dtype=np.int64), np.diff(starts))
        columns.append((line, start, topic, documents.size, scores, ranks))
        ids.append(b"".join(documents.tolist()))
        offset += len(text)
    line, start, topic, size, scores, ranks = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    documents = Fields(b"".join([*ids, PADDING]), np.cumsum(size) - size, size)
    return _Rows(list(number), line, start, topic, documents, scores, ranks)


def _rows(
    lines: Lines, first_line: int, offset: int, faults: _Faults
) -> tuple[Places, Places, npt.NDArray[np.float64]]:
    """Mark data lines that are rows, with ranks and scores; name the faults of the others."""

    def add(kind: LineFault, numbers: Places) -> None:
        faults.add(kind, first_line + numbers, offset + lines.starts(numbers))

    with_nul = lines.with_nul()
    add(LineFault.NUL, with_nul)
    without = ~np.isin(lines.data, with_nul)
    add(LineFault.TOO_FEW_FIELDS, lines.data[without & (lines.n_fields < 6)])
    rows = np.flatnonzero(without & (lines.n_fields >= 6))
    ranks, is_rank = read_grades(lines.field(3, rows))
    add(LineFault.NO_RANK, lines.data[rows[~is_rank]])
    rows, ranks = rows[is_rank], ranks[is_rank]
    scores, is_score = read_scores(lines.field(4, rows))
    add(LineFault.NO_SCORE, lines.data[rows[~is_score]])
    is_row = is_score.copy()
    longer = np.flatnonzero(is_score & (lines.n_fields[rows] > 6))
    moved = longer[read_scores(lines.field(5, rows[longer]))[1]]
    add(LineFault.MOVED, lines.data[rows[moved]])
    is_row[moved] = False
    return rows[is_row], ranks[is_row], scores[is_row]


def _not_utf8(text: bytes, *columns: Fields) -> Flags:
    """Rows with a field that is not UTF-8."""
    wrong = np.zeros(len(columns[0]), dtype=bool)
    if not _is_utf8(text):
        for fields in columns:
            wrong |= ~np.array(list(map(_is_utf8, fields.tolist())), dtype=bool)
    return wrong


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _tied(topic: Places, scores: npt.NDArray[np.float64]) -> Places:
    """Topics of the ranked rows that share a score with another row of the topic."""
    lengths = np.diff(ties(topic, scores))
    return topic[np.repeat(lengths > 1, lengths)]


def _pairs(topic: Places, rows: _Rows, ranking: Places) -> tuple[Places, Places]:
    """For each topic two tied lines in another order than trec_eval's, and two whose ranks contradict their scores.

    Parameters
    ----------
    topic : int64 array of shape (N,)
    rows : _Rows
    ranking : int64 array of shape (N,)
        The rows by topic rising, then score falling; those of one score as they come.
    """
    ranking = _by_rank(topic, rows, ranking)
    upper, lower = ranking[:-1], ranking[1:]
    pairs = np.flatnonzero(topic[upper] == topic[lower])
    upper, lower = upper[pairs], lower[pairs]
    alike = rows.scores[upper] == rows.scores[lower]
    # Where neighbours in this order are as they should be, all are.
    against = ~alike & (rows.ranks[upper] > rows.ranks[lower])
    misplaced = alike & (rows.ranks[upper] < rows.ranks[lower])
    candidates = np.flatnonzero(misplaced)
    for low in range(0, len(candidates), _BLOCK):
        block = candidates[low : low + _BLOCK]
        ids = zip(rows.documents.take(upper[block]).tolist(), rows.documents.take(lower[block]).tolist(), strict=True)
        misplaced[block] = [one < other for one, other in ids]

    def first(of: Flags) -> Places:
        found = np.zeros((len(rows.topics), 2), dtype=np.int64)
        topics, places = np.unique(topic[upper[of]], return_index=True)
        found[topics, 0], found[topics, 1] = rows.line[upper[of][places]], rows.line[lower[of][places]]
        return found

    return first(misplaced), first(against)


def _by_rank(topic: Places, rows: _Rows, ranking: Places) -> Places:
    """Sort rows with equal scores by rank ascending, then by document id descending in bytes."""
    lengths = np.diff(ties(topic[ranking], rows.scores[ranking]))
    tied = np.flatnonzero(np.repeat(lengths > 1, lengths))
    tie = np.repeat(np.arange(len(lengths)), lengths)[tied]
    order = np.lexsort((rows.ranks[ranking[tied]], tie))
    found = ranking[tied][order]
    tie, ranks = tie[order], rows.ranks[found]
    group = np.cumsum(np.diff(tie, prepend=-1).astype(bool) | np.diff(ranks, prepend=0).astype(bool))
    # Rows that are alike in all this stay as they come, since they are turned round twice.
    found, group = found[::-1], -group[::-1]
    by_rank = ranking.copy()
    by_rank[tied] = found[in_bytes(group, rows.documents.take(found))][::-1]
    return by_rank
