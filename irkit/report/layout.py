"""What a report says, before it has a format: its head lines, and its values in blocks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import Literal, NamedTuple

from irkit.evaluation import Evaluation
from irkit.ids import to_bytes
from irkit.measures import Measure
from irkit.report.text import MISSING_VALUE, four_decimals, some
from irkit.spelling import counted

Shown = Callable[[str], str]
COUNTED = {
    "zero": "counted zero",
    "one": "counted one",
    "skip": "left out",
    "abstain": "counted one where nothing was returned, else zero",
}


class Row(NamedTuple):
    """The values of one run: one for each column, nan where it has none; and the fewest and most topics in a mean.

    `lowest` and `highest` are what they could be by other judgments, where that was asked for.
    """

    run: str
    values: tuple[float, ...]
    n_topics: tuple[int, int] = (1, 1)
    lowest: tuple[float, ...] = ()
    highest: tuple[float, ...] = ()


class Block(NamedTuple):
    """The rows that belong together: of a topic, of a group of topics, or of all topics."""

    kind: Literal["topic", "group", "all"]
    name: str
    rows: tuple[Row, ...]

    def title(self, shown: Shown) -> str:
        """The block's name, with the number of its topics."""
        if self.kind == "topic":
            return f"topic {shown(self.name)}"
        return f"{shown(self.name)} ({self.n_topics})"

    @property
    def n_topics(self) -> str:
        """`15 topics`, or `14 to 15 topics` where the runs or the measures differ."""
        return _range(min(row.n_topics[0] for row in self.rows), max(row.n_topics[1] for row in self.rows))


class Cell(NamedTuple):
    """A number as text, and whether it is the best of its column."""

    text: str
    best: bool = False


class Line(NamedTuple):
    """A line of a table: labels, then numbers; or the title of what follows, with neither."""

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]
    title: bool = False


class Grid(NamedTuple):
    """A table for people: the header of the label columns and of the numbers, and the lines by section."""

    labels: tuple[str, ...]
    columns: tuple[str, ...]
    sections: tuple[tuple[Line, ...], ...]


def columns(evaluations: Iterable[Evaluation]) -> list[Measure]:
    """Every measure that one of the evaluations has, in the order of first appearance."""
    return list(dict.fromkeys(measure for evaluation in evaluations for measure in evaluation.measures))


def blocks(evaluations: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> list[Block]:
    """Topics if wanted, then groups if there are some, then all topics."""
    measures = columns(evaluations)
    found = []
    if by_topic:
        rows: dict[str, list[Row]] = {}
        for evaluation in evaluations:
            for place, (topic, values) in enumerate(zip(evaluation.topics, evaluation.values.tolist(), strict=True)):
                row = Row(evaluation.name, _values(evaluation, measures, values))
                if evaluation.bounds:
                    lows = [nan if one is None else float(one.low[place]) for one in evaluation.bounds]
                    highs = [nan if one is None else float(one.high[place]) for one in evaluation.bounds]
                    row = _bounded(row, evaluation, measures, lows, highs)
                rows.setdefault(topic, []).append(row)
        found += [Block("topic", topic, tuple(rows[topic])) for topic in sorted(rows, key=to_bytes)]
    if groups is not None:
        parts = [evaluation.by_group(groups) for evaluation in evaluations]
        for name in dict.fromkeys(groups.values()):
            having = [part[name] for part in parts if name in part]
            if having:
                found.append(Block("group", name, tuple(_summary(part, measures) for part in having)))
    found.append(Block("all", "all", tuple(_summary(evaluation, measures) for evaluation in evaluations)))
    return found


def _summary(evaluation: Evaluation, measures: Sequence[Measure]) -> Row:
    values = _values(evaluation, measures, evaluation.summary.tolist())
    row = Row(evaluation.name, values, _n_averaged(evaluation))
    if not evaluation.bounds:
        return row
    return _bounded(row, evaluation, measures, evaluation.lowest.tolist(), evaluation.highest.tolist())


def _bounded(
    row: Row, evaluation: Evaluation, measures: Sequence[Measure], lows: Sequence[float], highs: Sequence[float]
) -> Row:
    return row._replace(lowest=_values(evaluation, measures, lows), highest=_values(evaluation, measures, highs))


def _values(evaluation: Evaluation, measures: Sequence[Measure], values: Sequence[float]) -> tuple[float, ...]:
    """One of the evaluation's values for each column, nan for a measure that it lacks."""
    known = dict(zip(evaluation.measures, values, strict=True))
    return tuple(known.get(measure, nan) for measure in measures)


def _n_averaged(evaluation: Evaluation) -> tuple[int, int]:
    """The fewest and the most topics that a mean is over; a sum, which leaves no topic out, says nothing of it."""
    numbers = [
        n
        for measure, n in zip(evaluation.measures, evaluation.n_averaged.tolist(), strict=True)
        if measure.summary != "sum"
    ] or [evaluation.n_topics]
    return min(numbers), max(numbers)


def _range(least: int, most: int) -> str:
    return counted(most, "topic") if least == most else f"{least} to {counted(most, 'topic')}"


def grid(evaluations: Sequence[Evaluation], found: Sequence[Block], shown: Shown) -> Grid:
    """Runs as rows in a section for each block; with a single run, its topics or groups as rows."""
    measures = columns(evaluations)
    header = tuple(shown(str(measure)) for measure in measures)
    if len(found) == 1:
        return Grid(("run",), header, (tuple(_lines(found[0].rows, measures, shown)),))
    if len(evaluations) == 1:
        return Grid((shown(evaluations[0].name),), header, tuple(_sections_of_one(found, measures, shown)))
    sections = []
    for block in found:
        title = Line((block.title(shown),), (), title=True)
        sections.append((title, *_lines(block.rows, measures, shown, indent="  ")))
    return Grid(("run",), header, tuple(sections))


def _sections_of_one(found: Sequence[Block], measures: Sequence[Measure], shown: Shown) -> Iterable[tuple[Line, ...]]:
    for kind in ("topic", "group", "all"):
        lines: list[Line] = []
        for block in found:
            if block.kind == kind:
                first, *others = _lines(block.rows, measures, shown)
                lines += [first._replace(labels=(block.title(shown),)), *others]
        if lines:
            yield tuple(lines)


def _lines(rows: Sequence[Row], measures: Sequence[Measure], shown: Shown, indent: str = "") -> Iterator[Line]:
    """A line for each run, and two more where its values have bounds."""
    for row, cells in zip(rows, _cells(rows, measures), strict=True):
        yield Line((f"{indent}{shown(row.run)}",), cells)
        for label, values in (("lowest", row.lowest), ("highest", row.highest)):
            if values:
                texts = [
                    four_decimals(value, count=measure.summary == "sum")
                    for measure, value in zip(measures, values, strict=True)
                ]
                yield Line((f"{indent}  {label}",), tuple(map(Cell, texts)))


def _cells(rows: Sequence[Row], measures: Sequence[Measure]) -> list[tuple[Cell, ...]]:
    """The values as text, the best of each column marked where the rows differ in print and more is better."""
    printed = []
    for column, measure in zip(zip(*(row.values for row in rows), strict=True), measures, strict=True):
        count = measure.summary == "sum"
        texts = [four_decimals(value, count=count) for value in column]
        top = four_decimals(max((value for value in column if not isnan(value)), default=nan), count=count)
        differ = measure.family.quality and len(set(texts) - {MISSING_VALUE}) > 1
        printed.append([Cell(text, differ and text == top) for text in texts])
    return list(zip(*printed, strict=True))


def head(evaluations: Sequence[Evaluation], shown: Shown = str, *, shared: bool = False) -> list[str]:
    """What a reader must know before the numbers, a sentence each: topics, rules, conventions, what is missing.

    `shared` says that the topics are those that all of the runs have in common.
    """
    return [
        *_by_runs(evaluations, lambda one: _averaged(one, shared, shown), shown),
        *_by_runs(evaluations, lambda one: _missing(one, shown), shown),
        *_by_runs(evaluations, lambda one: _unjudged(one, shown), shown),
        *_by_runs(evaluations, lambda one: _bounds_said(one, shown), shown),
        *_by_runs(evaluations, lambda one: "; ".join(map(shown, one.notes)), shown),
    ]


def _by_runs(evaluations: Sequence[Evaluation], say: Callable[[Evaluation], str], shown: Shown) -> list[str]:
    """Each different sentence once, with the runs that it is about unless it is about every run."""
    runs: dict[str, list[str]] = {}
    for evaluation in evaluations:
        runs.setdefault(say(evaluation), []).append(shown(evaluation.name))
    return [
        sentence if len(names) == len(evaluations) else f"{', '.join(names)}: {sentence}"
        for sentence, names in runs.items()
        if sentence
    ]


def _averaged(evaluation: Evaluation, shared: bool, shown: Shown) -> str:
    match evaluation.conventions.average:
        case "judged":
            which = "all judged"
        case "topics":
            which = f"those of {shown(evaluation.conventions.topics)} that are judged"
        case "intersection":
            which = "those in every run and in the qrels" if shared else "those in both run and qrels"
    without = len(evaluation.without_relevant)
    least, most = _n_averaged(evaluation)
    n = _range(least, most)
    if most < evaluation.n_topics:
        which = f"of {evaluation.n_topics}, {which}"
    how = f"{without}, {COUNTED[evaluation.conventions.no_relevant]}" if without else "none"
    return f"{n} averaged ({which}); rules {evaluation.rules}; topics without relevant documents: {how}"


def _missing(evaluation: Evaluation, shown: Shown) -> str:
    missing = evaluation.missing
    if not missing:
        return ""
    treated = "left out" if evaluation.conventions.average == "intersection" else "counted as returning nothing"
    topics = counted(len(missing), "judged topic")
    return f"{topics} missing from the run ({treated}): {some(list(map(shown, missing)))}"


def _unjudged(evaluation: Evaluation, shown: Shown) -> str:
    unjudged = evaluation.unjudged
    if not unjudged:
        return ""
    topics = counted(len(unjudged), "topic")
    whose = shown(evaluation.conventions.topics) or "the run"
    return f"{topics} of {whose} not judged (left out): {some(list(map(shown, unjudged)))}"


def _bounds_said(evaluation: Evaluation, shown: Shown) -> str:
    """Which of the bounds are exact."""
    if not evaluation.bounds:
        return ""
    loose, without = [], []
    for measure, one in zip(evaluation.measures, evaluation.bounds, strict=True):
        if one is None:
            without.append(shown(str(measure)))
        else:
            loose += [f"lowest {shown(str(measure))}"] * (not one.low_exact)
            loose += [f"highest {shown(str(measure))}"] * (not one.high_exact)
    said = "lowest and highest: what judgments of the documents retrieved and not judged could give; exact"
    if loose:
        said += f" but for the {', the '.join(loose)}, which {'is' if len(loose) == 1 else 'are'} no more than a bound"
    return said + (f"; not known for {', '.join(without)}" if without else "")
