"""Report of the changes between two runs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from irkit._utils.numerals import MISSING_VALUE, four_decimals, signed
from irkit._utils.text import counted
from irkit.changes import NOTHING_RETURNED, DocumentChange, RunDiff, TopicChange
from irkit.evaluation import summary
from irkit.evaluation.result import Evaluation
from irkit.evaluation.summary import Shown, some
from irkit.measures import Measure
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import BASIS, Records
from irkit.report.text.sections import Sections

ROWS: Final = 10  # documents of a topic, where not all were asked for
_COUNTED: Final = ("gained", "lost", "up", "down")
_NAMED: Final = 5


def sheet(found: RunDiff, shown: Shown, *, by_topic: bool) -> Sections:
    """The means, the topics that changed most, and the documents that did it."""
    del by_topic
    tables = [_means(found, shown), *_groups(found, shown), *_topics(found, shown), *_documents(found, shown)]
    return Sections(
        summary.head(found.evaluations, shown, shared=True),
        summary.amiss(found.evaluations),
        list(_explained(found, shown)),
        tables,
        list(_notes(found, shown)),
    )


def _explained(found: RunDiff, shown: Shown) -> Iterator[str]:
    first, second = found.evaluations
    yield f"A: {shown(first.name)}, B: {shown(second.name)}"
    if not found.shown:
        return
    measure = shown(str(found.measures[0]))
    cutoff = found.measures[0].cutoff
    where = "retrieved" if cutoff is None else f"in the first {cutoff}"
    yield (
        f"gained, lost, up, down: relevant documents {where}; new: others in the first {found.page} of B that are not "
        "in those of A; unjudged: those of the new that nobody judged"
    )
    if found.documents.contributions is None:
        yield f"what a document contributes to {measure} is not known, which is no sum over documents"
    else:
        yield f"B - A of a document: what it contributes to the difference of {measure}"


def _notes(found: RunDiff, shown: Shown) -> Iterator[str]:
    if found.same_runs:
        yield "The runs are the same: for every topic the same documents in the same order."
    elif not found.n_changed:
        yield f"No topic differs in {shown(str(found.measures[0]))}, though the runs are not the same."
    elif not found.shown:
        yield f"{_differ(found, shown)}; of those asked for there is none to show."


def _number(measure: Measure, value: float) -> str:
    return four_decimals(value, count=measure.summary == "sum")


def _difference(measure: Measure, value: float) -> str:
    return f"{int(value):+d}" if measure.summary == "sum" and not np.isnan(value) else signed(value)


def _pair(measure: Measure, first: float, second: float) -> tuple[Cell, ...]:
    numbers = (_number(measure, first), _number(measure, second), _difference(measure, second - first))
    return tuple(map(Cell, numbers))


def _directions(differences: "np.typing.NDArray[np.float64]") -> tuple[Cell, ...]:
    numbers = ((differences > 0).sum(), (differences < 0).sum(), (differences == 0).sum())
    return tuple(Cell(str(number)) for number in numbers)


_MEANS: Final = ("A", "B", "B - A", "rises", "falls", "same")


def _means(found: RunDiff, shown: Shown) -> tuple[str, Grid]:
    one, other = (evaluation.summary.tolist() for evaluation in found.evaluations)
    lines = tuple(
        Line(
            (shown(str(measure)),),
            (*_pair(measure, one[place], other[place]), *_directions(found.differences[:, place])),
        )
        for place, measure in enumerate(found.measures)
    )
    title = f"Over {counted(len(found.topics), 'topic')}, and in how many of them it rises and falls from A to B"
    return title, Grid(("measure",), _MEANS, (lines,))


def _groups(found: RunDiff, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if found.groups is None:
        return
    measure = found.measures[0]
    parts: list[dict[str, Evaluation]] = [evaluation.by_group(found.groups) for evaluation in found.evaluations]
    of_topic = np.array([found.groups[topic] for topic in found.topics], dtype=object)
    lines = []
    for group in parts[0]:
        inside = found.differences[of_topic == group, 0]
        means = (float(part[group].summary[0]) for part in parts)
        numbers = (*_pair(measure, *means), *_directions(inside), Cell(str(len(inside))))
        lines.append(Line((shown(group),), numbers))
    yield f"{shown(str(measure))} by group", Grid(("group",), (*_MEANS, "topics"), (tuple(lines),))


def _topics(found: RunDiff, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if not found.shown:
        return
    measure, *others = found.measures

    def line(topic: TopicChange) -> Line:
        counts = [topic.n(change) for change in _COUNTED]
        new = [topic.n("new"), topic.n("new", judged=False)]
        beside = [
            _difference(other, second - first) for other, (first, second) in zip(others, topic.values[1:], strict=True)
        ]
        numbers = [*map(str, (*counts, *new)), *beside]
        labels = (shown(topic.id), *([shown(topic.group)] if found.groups is not None else []))
        return Line(labels, (*_pair(measure, *topic.values[0]), *map(Cell, numbers)))

    columns = ("A", "B", "B - A", *_COUNTED, "new", "unjudged", *(shown(f"{other}: B - A") for other in others))
    labels = ("topic", *(["group"] if found.groups is not None else []))
    yield _title(found, shown), Grid(labels, columns, (tuple(map(line, map(found.topic, found.shown))),))


def _title(found: RunDiff, shown: Shown) -> str:
    some_only = "" if len(found.shown) == found.n_changed else f"{len(found.shown)} shown, "
    return f"{_differ(found, shown)}; {some_only}most changed first"


def _differ(found: RunDiff, shown: Shown) -> str:
    """How many topics differ, and how few of them make half of it."""
    measure = shown(str(found.measures[0]))
    differ = f"{counted(found.n_changed, 'topic')} {'differs' if found.n_changed == 1 else 'differ'} in {measure}"
    if found.n_changed > 1:
        half = found.topics[: found.n_half]
        named = f" ({some(list(map(shown, half)))})" if len(half) <= _NAMED else ""
        makes = "makes" if len(half) == 1 else "make"
        differ += f", of which {len(half)}{named} {makes} half of all change"
    return differ


def _documents(found: RunDiff, shown: Shown) -> Iterator[tuple[str, Grid]]:
    sections = [tuple(_section(found, found.topic(topic), shown)) for topic in found.shown]
    if sections:
        columns = ("grade", "rank A", "rank B", "B - A")
        yield "Documents that did it", Grid(("topic, document", "change"), columns, tuple(sections))


def _section(found: RunDiff, topic: TopicChange, shown: Shown) -> Iterator[Line]:
    measure = found.measures[0]
    whole = Cell(_difference(measure, topic.difference), best=True)
    direction = "rises" if topic.difference > 0 else "falls" if topic.difference < 0 else "same"
    yield Line((f"topic {shown(topic.id)}", direction), (Cell(""), Cell(""), Cell(""), whole))
    if topic.text:
        yield Line((f"  {shown(topic.text)}",), (), across=True)
    if not topic.documents and not topic.by_convention:
        yield Line(("  none of its documents changed",), (), across=True)
    chosen = topic.documents if found.whole else _chosen(topic.documents)
    for document in chosen:
        yield _document(document, measure, shown)
        if document.text:
            yield Line((f"    {shown(document.text)}",), (), across=True)
    if left := [one for one in topic.documents if one not in chosen and one.change != "new"]:
        known = [one.difference for one in left if one.difference is not None]
        rest = _difference(measure, sum(known)) if known else MISSING_VALUE
        yield Line((f"  {len(left)} more", ""), (Cell(""), Cell(""), Cell(""), Cell(rest)))
    if topic.by_convention:
        yield Line(
            (f"  {NOTHING_RETURNED}", ""),
            (Cell(""), Cell(""), Cell(""), Cell(_difference(measure, topic.by_convention))),
        )


def _chosen(documents: Sequence[DocumentChange]) -> list[DocumentChange]:
    """Those that count for the measure, and of the new ones those that nobody judged or that pushed one of them down.

    Not more than `ROWS`.
    """
    counting = [one for one in documents if one.change != "new" or one.difference]
    pushed = max((one.ranks[1] or 0 for one in counting if one.change == "down"), default=0)
    others = [one for one in documents if one not in counting]
    telling = [one for one in others if one.grade is None or (one.ranks[1] or 0) < pushed]
    return [*counting, *telling][:ROWS]


def _document(document: DocumentChange, measure: Measure, shown: Shown) -> Line:
    grade = MISSING_VALUE if document.grade is None else f"{document.grade:g}"
    ranks = (MISSING_VALUE if rank is None else str(rank) for rank in document.ranks)
    gives = MISSING_VALUE if document.difference is None else _difference(measure, document.difference)
    return Line((f"  {shown(document.id)}", document.change), tuple(map(Cell, (grade, *ranks, gives))))


def records(found: RunDiff, *, by_topic: bool) -> Records:
    """A record for each measure over all topics, and in each topic; behind those of a topic one for each document.

    The values of a document are what it contributes to the first measure. Their differences add up to that of the
    topic, with those of a record without a document where one run returned nothing and the convention counts that.
    """
    del by_topic
    fields = ("first", "second", "measure", "topic", "document", "change", "grade", "rank_first", "rank_second")
    first, second = found.evaluations
    conventions = first.conventions
    basis = (str(first.rules), conventions.average, conventions.no_relevant, conventions.ties)
    rows = tuple((first.name, second.name, *row, *basis) for row in _rows(found))
    return Records((*fields, "value_first", "value_second", "difference", *BASIS), rows)


def _rows(found: RunDiff) -> Iterator[tuple[Any, ...]]:
    nothing = (None,) * 5
    summaries = (evaluation.summary.tolist() for evaluation in found.evaluations)
    for measure, *values in zip(map(str, found.measures), *summaries, strict=True):
        yield measure, None, *nothing, *values, values[1] - values[0]
    for topic in found.by_topic():
        for measure, (one, other) in zip(map(str, found.measures), topic.values, strict=True):
            yield measure, topic.id, *nothing, one, other, other - one
        for document in topic.documents:
            values = list(document.contributions or (None, None))
            what = (document.id, document.change, document.grade, *document.ranks)
            yield str(found.measures[0]), topic.id, *what, *values, document.difference
        if topic.nothing_returned:
            part = (None, NOTHING_RETURNED, None, None, None)
            yield str(found.measures[0]), topic.id, *part, *topic.nothing_returned, topic.by_convention
