"""Detect runs with rank and score exchanged, or shifted by a blank in an id, though each line is valid."""

from itertools import groupby, islice, pairwise
from math import nan
from typing import Final

from irkit._kernel.problems import RUN_LINE, ShiftedError
from irkit.ids import to_text

LOOKED_AT: Final = 1 << 13  # bytes at the beginning of a run that decide
_FEWEST: Final = 3  # lines of a topic, of which fewer say nothing

Fields = list[bytes]


def exchanged(start: bytes) -> tuple[int, str] | None:
    """Find the line where scores count up like ranks and ranks do not: its number and the evidence.

    Scores are 1, 2, 3 (or 0, 1, 2) from line to line of each topic. Ranks fall meanwhile, and not by one each, as in a
    file that is written from its last rank on; or tags are numbers that fall, as where an id holds a blank, and a line
    no tag. Every topic that has three lines or more must be so.

    Returns
    -------
    tuple of int and str, or None
        None where the columns may be as they should.
    """
    rows = [(number, line.split()) for number, line in enumerate(start[:LOOKED_AT].split(b"\n"), 1)]
    if len(rows[-1][1]) < 6:  # the last line may be cut off
        rows.pop()
    data = [(number, fields) for number, fields in rows if fields and not fields[0].startswith(b"#")]
    if not all(len(fields) > 5 for _, fields in islice(data, _FEWEST)):
        return None
    found = None
    for topic, its in groupby(data, key=lambda row: row[1][0]):
        numbers, fields = zip(*its, strict=True)
        if len(fields) < _FEWEST:
            continue
        if (shows := _shows(fields)) is None:
            return None
        found = found or (numbers[0], f"in topic {to_text(topic)!r} {shows}")
    return found


def refuse_exchanged(start: bytes, place: str) -> None:
    """Refuse a run where `exchanged` finds evidence of exchanged columns in its first lines."""
    if (found := exchanged(start)) is not None:
        line, shows = found
        words = f"column 4 is no rank: {shows}. Are rank and score exchanged, or is there a blank in an id? {RUN_LINE}"
        raise ShiftedError(place, words, line, shows)


def _shows(lines: tuple[Fields, ...]) -> str | None:
    """Evidence that the lines of a topic have ranks in the score column; None if there is none."""
    if any(len(fields) < 6 for fields in lines):
        return None
    ranks, scores, tags = ([_number(fields[place]) for fields in lines] for place in (3, 4, 5))
    if scores[0] not in (0, 1) or any(score != scores[0] + place for place, score in enumerate(scores)):
        return None
    steps = {below - above for above, below in pairwise(ranks)}
    if steps == {0}:  # which is no column of ranks, and none of scores
        return None
    if max(steps) <= 0 and steps != {-1}:
        return f"ranks fall ({_first(lines, 3)}) while scores count up ({_first(lines, 4)})"
    if tags[0] > tags[-1] and all(above >= below for above, below in pairwise(tags)):
        return f"tags are numbers that fall ({_first(lines, 5)}) while scores count up ({_first(lines, 4)})"
    return None


def _number(field: bytes) -> float:
    """The number; nan, which compares with nothing, where it is none."""
    try:
        return float(field)
    except ValueError:
        return nan


def _first(lines: tuple[Fields, ...], place: int) -> str:
    return ", ".join(to_text(fields[place]) for fields in lines[:_FEWEST])
