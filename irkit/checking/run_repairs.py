"""Repairs of a run: single lines, documents that stand twice, the length of a ranking, tags, ranks."""

import io
import re
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import LineFault, RunSurvey
from irkit._kernel.numpy_twin.numbers import grade_of, score_of
from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.checking.encoding import quoted
from irkit.checking.patterns import matching
from irkit.checking.runs import COMMA
from irkit.checking.submission import SubmissionRules
from irkit.checking.text_edits import Edit, EditedText
from irkit.errors import UsageError
from irkit.files.formats import is_trec_heading
from irkit.ids import to_bytes, to_text

TOPIC, DOCUMENT, RANK, SCORE, TAG = 0, 2, 3, 4, 5  # places of the fields of a run
_FIELD: Final = [
    re.compile(rb"[ \t\r\f\v]*(?:[^ \t\n\r\f\v]+[ \t\r\f\v]+){%d}([^ \t\n\r\f\v]+)" % place) for place in range(TAG + 1)
]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RepairOptions:
    """Options of a repair.

    Attributes
    ----------
    tag : str or None
        The tag to write where tags are mixed or forbidden; the first one if not given.
    decimal_commas : bool
        A comma in a score is a decimal point.
    by_score : bool
        Where ranks contradict scores, the scores are meant.
    """

    tag: str | None = None
    decimal_commas: bool = False
    by_score: bool = False

    def check(self, rules: SubmissionRules) -> None:
        """Refuse a tag that no run can carry, or that the rules forbid."""
        if self.tag is None:
            return
        if self.tag.split() != [self.tag] or "\0" in self.tag:
            raise UsageError(f"the tag {self.tag!r} is not one word; white space would end this field of a run")
        if rules.tag_pattern is not None and not all(matching(rules.tag_pattern, [self.tag])):
            raise UsageError(f"the tag {self.tag!r} does not match {rules.tag_pattern!r}; choose one that does")


class _Rows(NamedTuple):
    """N lines of a run that can be read."""

    line: Places
    start: Places  # where the line begins
    topic: Places  # which of the topics asked for
    score: npt.NDArray[np.float64]


def field_at(data: bytes, start: int, place: int) -> tuple[int, int]:
    """Start and end of a field of the line at this offset."""
    found = _FIELD[place].match(data, start)
    assert found is not None
    return found.span(1)


def mend_run(text: EditedText, rules: SubmissionRules, wishes: RepairOptions) -> tuple[str, ...]:
    """Repair a run; also report faults that were left because a repair would be a guess."""
    survey = _kernel.survey_run(text.data)
    if wishes.decimal_commas and text.apply(_commas(text.data, survey)):
        survey = _kernel.survey_run(text.data)
    if text.apply(_headings(text.data, survey)):
        survey = _kernel.survey_run(text.data)
    if text.apply(_extra_fields(text.data, survey)):
        survey = _kernel.survey_run(text.data)
    tags = survey.tags  # those of lines that are left out were among the mixed ones too
    if text.apply(_twice(text, survey)):
        survey = _kernel.survey_run(text.data)
    doubtful = set() if wishes.by_score else set(_rank_faults(survey))
    if text.apply(_twice(text, survey, doubtful)):
        survey = _kernel.survey_run(text.data)
    if rules.max_per_topic is not None:
        long = [survey.topics[place] for place in np.flatnonzero(survey.n_documents > rules.max_per_topic).tolist()]
        if text.apply(_beyond(text.data, [topic for topic in long if topic not in doubtful], rules.max_per_topic)):
            survey = _kernel.survey_run(text.data)
    text.apply(_tags(text.data, survey, tags, rules, wishes))
    codes = {topic: code for topic, code in _rank_faults(survey).items() if topic not in doubtful}
    text.apply(_ranks(text.data, codes))
    return tuple(_left(text.data, survey, doubtful))


def _left(data: bytes, survey: RunSurvey, doubtful: Collection[bytes]) -> Iterator[str]:
    """Faults that were left because a repair would be a guess."""
    if doubtful:
        ones = (
            "topic whose ranks contradict its scores stays as it is"
            if len(doubtful) == 1
            else ("topics whose ranks contradict their scores stay as they are")
        )
        yield (
            f"{len(doubtful):,} {ones}, as {quoted(min(doubtful))}: which of the two was meant is a guess; "
            f"{option(by_score=True)} says that it is the score"
        )
    shifted = [line for line, _ in _faulty(survey, LineFault.NO_RANK)]
    if shifted:
        yield (
            f"{counted(len(shifted), 'line')} without a whole number for the rank, as line {shifted[0]:,}: which "
            "column holds rank and score is a guess"
        )
    moved = [line for line, _ in _faulty(survey, LineFault.MOVED)]
    if moved:
        yield (
            f"{counted(len(moved), 'line')} of more than six fields with a number for the tag, as line {moved[0]:,}: "
            "a blank in an id may have moved the columns"
        )


def _faulty(survey: RunSurvey, fault: LineFault) -> Iterator[tuple[int, int]]:
    """Number and start of the lines that have this fault."""
    which = survey.kind == fault
    return zip(survey.line[which].tolist(), survey.start[which].tolist(), strict=True)


def _commas(data: bytes, survey: RunSurvey) -> Iterator[Edit]:
    for line, start in _faulty(survey, LineFault.NO_SCORE):
        begin, end = field_at(data, start, SCORE)
        score = data[begin:end]
        if COMMA.fullmatch(score):
            yield Edit(line, begin, end, score.replace(b",", b"."), "decimal-comma")


def _extra_fields(data: bytes, survey: RunSurvey) -> Iterator[Edit]:
    for line, start in _faulty(survey, LineFault.EXTRA_FIELDS):
        end = data.find(b"\n", start)
        yield Edit(line, field_at(data, start, TAG)[1], end if end >= 0 else len(data), b"", "extra-fields")


def _headings(data: bytes, survey: RunSurvey) -> Iterator[Edit]:
    """Take out lines that name the columns of a run in their order."""
    for fault in (LineFault.TOO_FEW_FIELDS, LineFault.NO_RANK):
        for line, start in _faulty(survey, fault):
            end = data.find(b"\n", start)
            if is_trec_heading(data[start : end if end >= 0 else len(data)]):
                yield Edit(line, start, start, None, "header-line")


def _twice(text: EditedText, survey: RunSurvey, doubtful: Collection[bytes] | None = None) -> Iterator[Edit]:
    """Remove repeated documents.

    Where it is not known which topics are doubtful, only those of a score that they have already; then all but that of
    the best score, in the other topics.
    """
    which = survey.kind == LineFault.TWICE
    if not which.any():
        return
    data, starts = text.data, text.starts()
    # By the line where a document stands first: its scores, and score, line and start of the best one.
    seen: dict[int, set[float]] = {}
    best: dict[int, tuple[float, int, int]] = {}
    dropped: list[tuple[int, int]] = []
    columns = (column[which].tolist() for column in (survey.line, survey.start, survey.other))
    for line, start, first in zip(*columns, strict=True):
        if doubtful and _at(data, start, TOPIC) in doubtful:
            continue
        if first not in best:
            begin = int(starts[first - 1])
            best[first] = (_score(data, begin), first, begin)
            seen[first] = {best[first][0]}
        here = (_score(data, start), line, start)
        if here[0] in seen[first]:
            dropped.append((line, start))
        elif doubtful is None:
            seen[first].add(here[0])
        else:
            dropped.append(min(here, best[first])[1:])
            best[first] = max(here, best[first])
            seen[first] = {best[first][0]}
    for line, start in sorted(dropped):
        yield Edit(line, start, start, None, "duplicate-document")


def _at(data: bytes, start: int, place: int) -> bytes:
    return data[slice(*field_at(data, start, place))]


def _score(data: bytes, start: int) -> float:
    score = score_of(_at(data, start, SCORE))
    assert score is not None  # or the line would be no row
    return score


def _beyond(data: bytes, topics: Sequence[bytes], most: int) -> Iterator[Edit]:
    if not topics:
        return
    rows = _rows(data, topics)
    order, rank = _ranked(data, rows)
    for place in np.sort(order[rank > most]).tolist():
        yield Edit(int(rows.line[place]), int(rows.start[place]), 0, None, "too-many-documents")


def _tags(
    data: bytes, survey: RunSurvey, tags: Sequence[bytes], rules: SubmissionRules, wishes: RepairOptions
) -> Iterator[Edit]:
    pattern = rules.tag_pattern
    is_mixed = len(tags) > 1
    is_forbidden = pattern is not None and not all(matching(pattern, list(map(to_text, tags))))
    if not tags or not (is_mixed or (is_forbidden and wishes.tag is not None)):
        return
    tag = tags[0] if wishes.tag is None else to_bytes(wishes.tag)
    unread = set(survey.line[survey.kind <= LineFault.MOVED].tolist())
    at = 0
    for number, line in enumerate(io.BytesIO(data), 1):
        fields = line.split(None, TAG)
        if len(fields) > TAG and not fields[0].startswith(b"#") and number not in unread:
            begin, end = field_at(data, at, TAG)
            yield Edit(number, begin, end, tag, "mixed-tags" if is_mixed else "forbidden-tag")
        at += len(line)


def _rank_faults(survey: RunSurvey) -> dict[bytes, str]:
    """Topics whose ranks contradict their scores, so that a repair must choose between them."""
    codes: dict[bytes, str] = {}
    for pairs, code in (
        (survey.misplaced, "rank-contradicts-tie-order"),
        (survey.contradiction, "rank-contradicts-score"),
    ):
        codes |= {survey.topics[place]: code for place in np.flatnonzero(pairs[:, 0]).tolist()}
    return codes


def _ranks(data: bytes, codes: Mapping[bytes, str]) -> Iterator[Edit]:
    """Number the documents of topics as they are scored."""
    if not codes:
        return
    topics = list(codes)
    rows = _rows(data, topics)
    order, rank = _ranked(data, rows)
    ranks = np.empty_like(rank)
    ranks[order] = rank
    for line, start, topic, its in zip(
        rows.line.tolist(), rows.start.tolist(), rows.topic.tolist(), ranks.tolist(), strict=True
    ):
        yield Edit(line, *field_at(data, start, RANK), b"%d" % its, codes[topics[topic]])


def _rows(data: bytes, topics: Sequence[bytes]) -> _Rows:
    """The lines of these topics that can be read, as they come."""
    known = {topic: place for place, topic in enumerate(topics)}
    lines, starts, places, scores = array("q"), array("q"), array("q"), array("d")
    at = 0
    for number, line in enumerate(io.BytesIO(data), 1):
        fields = line.split(None, TAG + 1)
        if len(fields) > TAG and (place := known.get(fields[TOPIC])) is not None and b"\0" not in line:
            is_moved = len(fields) > TAG + 1 and score_of(fields[TAG]) is not None
            is_row = not (is_moved or fields[TOPIC].startswith(b"#") or grade_of(fields[RANK]) is None)
            score = score_of(fields[SCORE]) if is_row else None
            if score is not None:
                lines.append(number)
                starts.append(at)
                places.append(place)
                scores.append(score)
        at += len(line)
    line_, start, topic = (np.frombuffer(column, dtype=np.int64) for column in (lines, starts, places))
    return _Rows(line_, start, topic, np.frombuffer(scores, dtype=np.float64))


def _ranked(data: bytes, rows: _Rows) -> tuple[Places, Places]:
    """The rows by topic and in trec_eval's order, and the rank of each."""
    order = np.lexsort((-rows.score, rows.topic))
    topic, score = rows.topic[order], rows.score[order]
    is_first = np.append(True, topic[1:] != topic[:-1])
    firsts = np.flatnonzero(is_first | np.append(True, score[1:] != score[:-1]))
    for start, end in pairwise([*firsts.tolist(), len(order)]):
        if end - start > 1:
            tied = order[start:end].tolist()
            documents = {place: _at(data, int(rows.start[place]), DOCUMENT) for place in tied}
            order[start:end] = sorted(tied, key=documents.__getitem__, reverse=True)
    places = np.arange(len(order))
    return order, places - np.maximum.accumulate(np.where(is_first, places, 0)) + 1
