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

ROWS: Final = 10  # documents shown of a topic, unless all are requested
_COUNTED: Final = ("gained", "lost", "up", "down")
_NAMED: Final = 5


def sheet(diff: RunDiff, shown: Shown, *, by_topic: bool) -> Sections:
    """Show the means, the most changed topics, and the documents that changed them."""
    del by_topic
    tables = [_means(diff, shown), *_groups(diff, shown), *_topics(diff, shown), *_documents(diff, shown)]
    return Sections(
        summary.head(diff.evaluations, shown, shared=True),
        summary.amiss(diff.evaluations),
        list(_explained(diff, shown)),
        tables,
        list(_notes(diff, shown)),
    )


def _explained(diff: RunDiff, shown: Shown) -> Iterator[str]:
    first, second = diff.evaluations
    yield f"A: {shown(first.name)}, B: {shown(second.name)}"
    if not diff.shown:
        return
    measure = shown(str(diff.measures[0]))
    cutoff = diff.measures[0].cutoff
    where = "retrieved" if cutoff is None else f"in the first {cutoff}"
    yield (
        f"gained, lost, up, down: relevant documents {where}; new: other documents in the first {diff.page} of B but "
        "not of A; unjudged: new documents without a judgment"
    )
    if diff.documents.contributions is None:
        yield f"the contribution of a document to {measure} is not known, because it is not a sum over documents"
    else:
        yield f"B - A of a document: its contribution to the difference of {measure}"


def _notes(diff: RunDiff, shown: Shown) -> Iterator[str]:
    if diff.same_runs:
        yield "The runs are the same: for every topic the same documents in the same order."
    elif not diff.n_changed:
        yield f"No topic differs in {shown(str(diff.measures[0]))}, though the runs are not the same."
    elif not diff.shown:
        yield f"{_differ(diff, shown)}; none of the requested topics does."


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


def _means(diff: RunDiff, shown: Shown) -> tuple[str, Grid]:
    first, other = (evaluation.summary.tolist() for evaluation in diff.evaluations)
    lines = tuple(
        Line(
            (shown(str(measure)),),
            (*_pair(measure, first[place], other[place]), *_directions(diff.differences[:, place])),
        )
        for place, measure in enumerate(diff.measures)
    )
    title = f"Over {counted(len(diff.topics), 'topic')}, and in how many of them it rises and falls from A to B"
    return title, Grid(("measure",), _MEANS, (lines,))


def _groups(diff: RunDiff, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if diff.groups is None:
        return
    measure = diff.measures[0]
    parts: list[dict[str, Evaluation]] = [evaluation.by_group(diff.groups) for evaluation in diff.evaluations]
    of_topic = np.array([diff.groups[topic] for topic in diff.topics], dtype=object)
    lines = []
    for group in parts[0]:
        inside = diff.differences[of_topic == group, 0]
        means = (float(part[group].summary[0]) for part in parts)
        numbers = (*_pair(measure, *means), *_directions(inside), Cell(str(len(inside))))
        lines.append(Line((shown(group),), numbers))
    yield f"{shown(str(measure))} by group", Grid(("group",), (*_MEANS, "topics"), (tuple(lines),))


def _topics(diff: RunDiff, shown: Shown) -> Iterator[tuple[str, Grid]]:
    if not diff.shown:
        return
    measure, *others = diff.measures

    def line(topic: TopicChange) -> Line:
        counts = [topic.n(change) for change in _COUNTED]
        new = [topic.n("new"), topic.n("new", judged=False)]
        beside = [
            _difference(other, second - first) for other, (first, second) in zip(others, topic.values[1:], strict=True)
        ]
        numbers = [*map(str, (*counts, *new)), *beside]
        labels = (shown(topic.id), *([shown(topic.group)] if diff.groups is not None else []))
        return Line(labels, (*_pair(measure, *topic.values[0]), *map(Cell, numbers)))

    columns = ("A", "B", "B - A", *_COUNTED, "new", "unjudged", *(shown(f"{other}: B - A") for other in others))
    labels = ("topic", *(["group"] if diff.groups is not None else []))
    yield _title(diff, shown), Grid(labels, columns, (tuple(map(line, map(diff.topic, diff.shown))),))


def _title(diff: RunDiff, shown: Shown) -> str:
    some_only = "" if len(diff.shown) == diff.n_changed else f"{len(diff.shown)} shown, "
    return f"{_differ(diff, shown)}; {some_only}most changed first"


def _differ(diff: RunDiff, shown: Shown) -> str:
    """Say how many topics differ, and how few of them make half of the change."""
    measure = shown(str(diff.measures[0]))
    differ = f"{counted(diff.n_changed, 'topic')} {'differs' if diff.n_changed == 1 else 'differ'} in {measure}"
    if diff.n_changed > 1:
        half = diff.topics[: diff.n_half]
        named = f" ({some(list(map(shown, half)))})" if len(half) <= _NAMED else ""
        makes = "makes" if len(half) == 1 else "make"
        differ += f", of which {len(half)}{named} {makes} half of all change"
    return differ


def _documents(diff: RunDiff, shown: Shown) -> Iterator[tuple[str, Grid]]:
    sections = [tuple(_section(diff, diff.topic(topic), shown)) for topic in diff.shown]
    if sections:
        columns = ("grade", "rank A", "rank B", "B - A")
        yield "Documents that made the difference", Grid(("topic, document", "change"), columns, tuple(sections))


def _section(diff: RunDiff, topic: TopicChange, shown: Shown) -> Iterator[Line]:
    measure = diff.measures[0]
    change = Cell(_difference(measure, topic.difference), best=True)
    direction = "rises" if topic.difference > 0 else "falls" if topic.difference < 0 else "same"
    yield Line((f"topic {shown(topic.id)}", direction), (Cell(""), Cell(""), Cell(""), change))
    if topic.text:
        yield Line((f"  {shown(topic.text)}",), (), across=True)
    if not topic.documents and not topic.by_convention:
        yield Line(("  none of its documents changed",), (), across=True)
    chosen = topic.documents if diff.whole else _chosen(topic.documents)
    for document in chosen:
        yield _document(document, measure, shown)
        if document.text:
            yield Line((f"    {shown(document.text)}",), (), across=True)
    if left := [document for document in topic.documents if document not in chosen and document.change != "new"]:
        known = [document.difference for document in left if document.difference is not None]
        rest = _difference(measure, sum(known)) if known else MISSING_VALUE
        yield Line((f"  {len(left)} more", ""), (Cell(""), Cell(""), Cell(""), Cell(rest)))
    if topic.by_convention:
        yield Line(
            (f"  {NOTHING_RETURNED}", ""),
            (Cell(""), Cell(""), Cell(""), Cell(_difference(measure, topic.by_convention))),
        )


def _chosen(documents: Sequence[DocumentChange]) -> list[DocumentChange]:
    """Choose at most `ROWS` documents: those that count, and new ones unjudged or ranked above a document that fell."""
    counting = [document for document in documents if document.change != "new" or document.difference]
    pushed = max((document.ranks[1] or 0 for document in counting if document.change == "down"), default=0)
    others = [document for document in documents if document not in counting]
    telling = [other for other in others if other.grade is None or (other.ranks[1] or 0) < pushed]
    return [*counting, *telling][:ROWS]


def _document(document: DocumentChange, measure: Measure, shown: Shown) -> Line:
    grade = MISSING_VALUE if document.grade is None else f"{document.grade:g}"
    ranks = (MISSING_VALUE if rank is None else str(rank) for rank in document.ranks)
    gives = MISSING_VALUE if document.difference is None else _difference(measure, document.difference)
    return Line((f"  {shown(document.id)}", document.change), tuple(map(Cell, (grade, *ranks, gives))))


def records(diff: RunDiff, *, by_topic: bool) -> Records:
    """Make a record for each measure over all topics and in each topic, and for each document of a topic.

    The values of a document are its contributions to the first measure. Their differences add up to that of the
    topic; if a run returned nothing and the convention counts that, a record without a document is part of the sum.
    """
    del by_topic
    fields = ("first", "second", "measure", "topic", "document", "change", "grade", "rank_first", "rank_second")
    first, second = diff.evaluations
    conventions = first.conventions
    basis = (str(first.rules), conventions.average, conventions.no_relevant, conventions.ties)
    rows = tuple((first.name, second.name, *row, *basis) for row in _rows(diff))
    return Records((*fields, "value_first", "value_second", "difference", *BASIS), rows)


def _rows(diff: RunDiff) -> Iterator[tuple[Any, ...]]:
    nothing = (None,) * 5
    summaries = (evaluation.summary.tolist() for evaluation in diff.evaluations)
    for measure, *values in zip(map(str, diff.measures), *summaries, strict=True):
        yield measure, None, *nothing, *values, values[1] - values[0]
    for topic in diff.by_topic():
        for measure, (first, other) in zip(map(str, diff.measures), topic.values, strict=True):
            yield measure, topic.id, *nothing, first, other, other - first
        for document in topic.documents:
            values = list(document.contributions or (None, None))
            what = (document.id, document.change, document.grade, *document.ranks)
            yield str(diff.measures[0]), topic.id, *what, *values, document.difference
        if topic.nothing_returned:
            part = (None, NOTHING_RETURNED, None, None, None)
            yield str(diff.measures[0]), topic.id, *part, *topic.nothing_returned, topic.by_convention
