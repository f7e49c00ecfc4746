"""What a run file holds, line by line and without any haste: both kernels are held against it."""

import math

import numpy as np
import reference_kernel

from irkit._kernel.columns import MOST_TAGS, LineFault, RunSurvey
from irkit.errors import FormatError

Row = tuple[int, bytes, float, int]  # line, document, score, rank


def survey_run(data: bytes) -> RunSurvey:
    faults: list[tuple[int, LineFault, int, int]] = []
    topics: dict[bytes, list[Row]] = {}
    parts: dict[bytes, int] = {}
    tags: dict[bytes, list[int]] = {}
    last, n_other_tags, start = None, 0, 0
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        at, start = start, start + len(line) + 1
        fields = line.split()
        if b"\0" in line:
            faults.append((number, LineFault.NUL, at, 0))
            continue
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 6:
            faults.append((number, LineFault.TOO_FEW_FIELDS, at, 0))
            continue
        topic, _, document, rank_text, score_text, tag = fields[:6]
        if (rank := read(reference_kernel._grade, rank_text)) is None:
            faults.append((number, LineFault.NO_RANK, at, 0))
            continue
        if (score := read(reference_kernel._score, score_text)) is None:
            faults.append((number, LineFault.NO_SCORE, at, 0))
            continue
        if len(fields) > 6 and read(reference_kernel._score, tag) is not None:
            faults.append((number, LineFault.MOVED, at, 0))
            continue
        rows = topics.setdefault(topic, [])
        if same := [row for row in rows if row[1] == document]:
            faults.append((number, LineFault.TWICE, at, same[0][0]))
        if len(fields) > 6:
            faults.append((number, LineFault.EXTRA_FIELDS, at, 0))
        if not all(map(is_utf8, (topic, document, tag))):
            faults.append((number, LineFault.NOT_UTF8, at, 0))
        if math.isinf(score):
            faults.append((number, LineFault.INFINITE, at, 0))
        rows.append((number, document, score, rank))
        if topic != last:
            parts[topic] = parts.get(topic, 0) + 1
            last = topic
        if tag in tags:
            tags[tag][1] += 1
        elif len(tags) < MOST_TAGS:
            tags[tag] = [number, 1]
        else:
            n_other_tags += 1
    names = sorted(topics)
    kinds = [kind for _, kind, _, _ in faults]
    return RunSurvey(
        n_lines=len(lines) - (lines[-1] == b""),
        n_rows=sum(map(len, topics.values())),
        topics=names,
        first=column(topics[name][0][0] for name in names),
        n_documents=column(len(topics[name]) for name in names),
        n_parts=column(parts[name] for name in names),
        n_tied=column(n_tied([row[2] for row in topics[name]]) for name in names),
        n_tied_float32=column(n_tied([reference_kernel._rounded(row[2]) for row in topics[name]]) for name in names),
        misplaced=column(line for name in names for line in first_pair(topics[name], is_misplaced)).reshape(-1, 2),
        contradiction=column(line for name in names for line in first_pair(topics[name], is_against)).reshape(-1, 2),
        tags=list(tags),
        tag_first=column(first for first, _ in tags.values()),
        tag_rows=column(n_rows for _, n_rows in tags.values()),
        n_other_tags=n_other_tags,
        kind=np.array(kinds, dtype=np.uint8),
        line=column(number for number, _, _, _ in faults),
        start=column(at for _, _, at, _ in faults),
        other=column(first for _, _, _, first in faults),
    )


def column(numbers) -> np.ndarray:
    return np.array(list(numbers), dtype=np.int64)


def read(how, text: bytes):
    try:
        return how(text, "", 0)
    except FormatError:
        return None


def is_utf8(text: bytes) -> bool:
    return text.decode("utf-8", "surrogateescape").encode("utf-8", "replace") == text


def n_tied(scores: list[float]) -> int:
    return sum(scores.count(score) > 1 for score in scores)


def first_pair(rows: list[Row], is_wrong) -> tuple[int, int]:
    """The first wrong pair among all pairs, by score falling, rank rising, document falling, line rising.

    Of two pairs the one is first whose lower row comes first; of two with one lower row, the one whose rows are closer.
    """
    ranked = sorted(rows, key=lambda row: row[0])
    ranked.sort(key=lambda row: row[1], reverse=True)
    ranked.sort(key=lambda row: row[3])
    ranked.sort(key=lambda row: row[2], reverse=True)
    for place, lower in enumerate(ranked):
        for upper in reversed(ranked[:place]):
            if is_wrong(upper, lower):
                return upper[0], lower[0]
    return 0, 0


def is_misplaced(upper: Row, lower: Row) -> bool:
    return upper[2] == lower[2] and upper[3] < lower[3] and upper[1] < lower[1]


def is_against(upper: Row, lower: Row) -> bool:
    return upper[2] > lower[2] and upper[3] > lower[3]
