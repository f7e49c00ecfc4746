"""The layout of a report, before it has a format."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import Literal, NamedTuple

from irkit._utils.numerals import MISSING_VALUE, four_decimals
from irkit.evaluation.result import Evaluation
from irkit.evaluation.summary import Shown, n_averaged, range_of_topics
from irkit.ids import to_bytes
from irkit.measures import Measure


class Row(NamedTuple):
    """Values of a run, one for each column (nan where it has none), and the fewest and most topics in a mean.

    `lowest` and `highest` are bounds of the values over all judgments, if they were requested.
    """

    run: str
    values: tuple[float, ...]
    n_topics: tuple[int, int] = (1, 1)
    lowest: tuple[float, ...] = ()
    highest: tuple[float, ...] = ()


class Block(NamedTuple):
    """Rows of a topic, of a group of topics, or of all topics."""

    kind: Literal["topic", "group", "all"]
    name: str
    rows: tuple[Row, ...]

    def title(self, shown: Shown) -> str:
        """Name of the block, with the number of its topics."""
        if self.kind == "topic":
            return f"topic {shown(self.name)}"
        return f"{shown(self.name)} ({self.n_topics})"

    @property
    def n_topics(self) -> str:
        """Number of topics in words: `15 topics`, or `14 to 15 topics` if runs or measures differ."""
        return range_of_topics(min(row.n_topics[0] for row in self.rows), max(row.n_topics[1] for row in self.rows))


class Cell(NamedTuple):
    """A number as text, and whether it is the best of its column."""

    text: str
    best: bool = False


class Line(NamedTuple):
    """A line of a table: labels with numbers, a title, or a continuation of the line above.

    A line with `across` is a single label printed under the line above, without effect on the column widths.
    """

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]
    title: bool = False
    inner: bool = False
    across: bool = False


class Grid(NamedTuple):
    """A table for people: headers of the label and number columns, and the lines by section."""

    labels: tuple[str, ...]
    columns: tuple[str, ...]
    sections: tuple[tuple[Line, ...], ...]


def columns(evaluations: Iterable[Evaluation]) -> list[Measure]:
    """Return the measures of all evaluations, in the order of first appearance."""
    return list(dict.fromkeys(measure for evaluation in evaluations for measure in evaluation.measures))


def blocks(evaluations: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> list[Block]:
    """Return blocks for topics if requested, for groups if there are any, and for all topics."""
    measures = columns(evaluations)
    sections = []
    if by_topic:
        rows: dict[str, list[Row]] = {}
        for evaluation in evaluations:
            for place, (topic, values) in enumerate(zip(evaluation.topics, evaluation.values.tolist(), strict=True)):
                row = Row(evaluation.name, _values(evaluation, measures, values))
                if evaluation.bounds:
                    lows = [nan if bound is None else float(bound.low[place]) for bound in evaluation.bounds]
                    highs = [nan if bound is None else float(bound.high[place]) for bound in evaluation.bounds]
                    row = _bounded(row, evaluation, measures, lows, highs)
                rows.setdefault(topic, []).append(row)
        sections += [Block("topic", topic, tuple(rows[topic])) for topic in sorted(rows, key=to_bytes)]
    if groups is not None:
        parts = [evaluation.by_group(groups) for evaluation in evaluations]
        for name in dict.fromkeys(groups.values()):
            having = [part[name] for part in parts if name in part]
            if having:
                sections.append(Block("group", name, tuple(_summary(part, measures) for part in having)))
    sections.append(Block("all", "all", tuple(_summary(evaluation, measures) for evaluation in evaluations)))
    return sections


def _summary(evaluation: Evaluation, measures: Sequence[Measure]) -> Row:
    values = _values(evaluation, measures, evaluation.summary.tolist())
    row = Row(evaluation.name, values, n_averaged(evaluation))
    if not evaluation.bounds:
        return row
    return _bounded(row, evaluation, measures, evaluation.lowest.tolist(), evaluation.highest.tolist())


def _bounded(
    row: Row, evaluation: Evaluation, measures: Sequence[Measure], lows: Sequence[float], highs: Sequence[float]
) -> Row:
    return row._replace(lowest=_values(evaluation, measures, lows), highest=_values(evaluation, measures, highs))


def _values(evaluation: Evaluation, measures: Sequence[Measure], values: Sequence[float]) -> tuple[float, ...]:
    """Return a value of the evaluation for each column, nan for a measure that it lacks."""
    known = dict(zip(evaluation.measures, values, strict=True))
    return tuple(known.get(measure, nan) for measure in measures)


def grid(evaluations: Sequence[Evaluation], blocks: Sequence[Block], shown: Shown) -> Grid:
    """Lay out runs as rows in a section for each block; a single run has its topics or groups as rows."""
    measures = columns(evaluations)
    header = tuple(shown(str(measure)) for measure in measures)
    if len(blocks) == 1:
        return Grid(("run",), header, (tuple(_lines(blocks[0].rows, measures, shown)),))
    if len(evaluations) == 1:
        return Grid((shown(evaluations[0].name),), header, tuple(_sections_of_single_run(blocks, measures, shown)))
    sections = []
    for block in blocks:
        title = Line((block.title(shown),), (), title=True)
        sections.append((title, *_lines(block.rows, measures, shown, indent="  ")))
    return Grid(("run",), header, tuple(sections))


def _sections_of_single_run(
    blocks: Sequence[Block], measures: Sequence[Measure], shown: Shown
) -> Iterable[tuple[Line, ...]]:
    for kind in ("topic", "group", "all"):
        lines: list[Line] = []
        for block in blocks:
            if block.kind == kind:
                first, *others = _lines(block.rows, measures, shown)
                lines += [first._replace(labels=(block.title(shown),)), *others]
        if lines:
            yield tuple(lines)


def _lines(rows: Sequence[Row], measures: Sequence[Measure], shown: Shown, indent: str = "") -> Iterator[Line]:
    """Yield a line for each run, and two more where its values have bounds."""
    for row, cells in zip(rows, _cells(rows, measures), strict=True):
        yield Line((f"{indent}{shown(row.run)}",), cells)
        for label, values in (("lowest", row.lowest), ("highest", row.highest)):
            if values:
                texts = [
                    four_decimals(value, count=measure.summary == "sum")
                    for measure, value in zip(measures, values, strict=True)
                ]
                yield Line((f"{indent}  {label}",), tuple(map(Cell, texts)), inner=True)


def _cells(rows: Sequence[Row], measures: Sequence[Measure]) -> list[tuple[Cell, ...]]:
    """Format the values; the best of each column is marked if the texts differ and a higher value is better."""
    printed = []
    for column, measure in zip(zip(*(row.values for row in rows), strict=True), measures, strict=True):
        texts = [four_decimals(value, count=measure.summary == "sum") for value in column]
        printed.append(best_marked(texts, column) if measure.family.quality else list(map(Cell, texts)))
    return list(zip(*printed, strict=True))


def best_marked(texts: Sequence[str], values: Sequence[float]) -> list[Cell]:
    """Mark the best value of a column, if the texts differ."""
    numbers = [(value, text) for value, text in zip(values, texts, strict=True) if not isnan(value)]
    top = max(numbers)[1] if numbers else MISSING_VALUE
    differ = len(set(texts) - {MISSING_VALUE}) > 1
    return [Cell(text, differ and text == top) for text in texts]
