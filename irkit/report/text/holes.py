"""Report of unjudged documents."""

from collections.abc import Iterator
from math import isnan
from typing import Any, Final

from irkit._utils.numerals import MISSING_VALUE, four_decimals, signed
from irkit._utils.text import counted
from irkit._utils.visible import visible
from irkit.evaluation import summary
from irkit.evaluation.summary import Shown
from irkit.holes.result import Holes, MeanBounds
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import Records
from irkit.report.text.sections import Sections

# Of more runs than these it is said how many return a document, and where the first has it.
_RUNS_SHOWN: Final = 4


def sheet(found: Holes, shown: Shown, *, by_topic: bool) -> Sections:
    """How much is judged and what that leaves open, run by run and pair by pair; then the documents to judge."""
    del by_topic
    tables = [(f"Judged in the first {counted(found.cutoff, 'rank')}", _runs(found, shown))]
    if found.contests:
        tables.append((f"Differences in {shown(str(found.measure))}", _contests(found, shown)))
    if len(found):
        tables.append((_title(found), _listed(found, shown)))
    basis = summary.head(found.evaluations, shown, shared=len(found.runs) > 1)
    return Sections(
        basis, summary.amiss(found.evaluations), list(_explained(found)), tables, list(_notes(found, shown))
    )


def _explained(found: Holes) -> Iterator[str]:
    runs = "the run" if len(found.runs) == 1 else f"one of {len(found.runs)} runs"
    yield (
        f"holes: {counted(found.n_holes, 'document')} that nobody judged in the first {counted(found.cutoff, 'rank')} "
        f"of {runs}, each counted once for its topic"
    )
    worst, best = found.scale
    if 1 < len(found.runs) <= _RUNS_SHOWN:
        yield "ranks: where the runs have a document, in their order"
    yield f"lowest, highest: the means that judging all of them could lead to, at grades from {worst} to {best}"


def _runs(found: Holes, shown: Shown) -> Grid:
    columns = ("returned", "unjudged", "judged", "topics", shown(str(found.measure)), "lowest", "highest")
    lines = tuple(
        Line(
            (shown(run.name),),
            (
                Cell(str(run.n_returned)),
                Cell(str(run.n_unjudged)),
                Cell(MISSING_VALUE if isnan(run.judged) else f"{run.judged:.1%}"),
                Cell(str(run.n_topics)),
                *(Cell(four_decimals(value)) for value in _numbers(run.extent)),
            ),
        )
        for run in found.runs
    )
    return Grid(("run",), columns, (lines,))


def _contests(found: Holes, shown: Shown) -> Grid:
    lines = tuple(
        Line(
            (shown(one.first), shown(one.second)),
            (*(Cell(signed(value)) for value in _numbers(one.extent)), Cell(one.verdict)),
        )
        for one in found.contests
    )
    return Grid(("first", "second"), ("first - second", "lowest", "highest", "better"), (lines,))


def _title(found: Holes) -> str:
    what = "in a difference between two runs" if found.by == "difference" else "in a run's mean"
    listed = f"{len(found)} of {found.n_holes}" if len(found) < found.n_holes else f"all {found.n_holes}"
    return f"To judge next ({listed}), by what each alone could change {what}"


def _listed(found: Holes, shown: Shown) -> Grid:
    several, few = len(found.runs) > 1, len(found.runs) <= _RUNS_SHOWN
    ranks = ("ranks" if several else "rank",) if few else ("runs", "first at")
    lines = []
    for hole in found:
        changes = (hole.difference_change, hole.value_change) if several else (hole.value_change,)
        where = (
            [" ".join(f"{hole.ranks.get(run.name, MISSING_VALUE):>3}" for run in found.runs)]
            if few
            else [str(len(hole.ranks)), str(min(hole.ranks.values()))]
        )
        cells = (*(Cell(f"{change:.6f}") for change in changes), *map(Cell, where))
        lines.append(Line((shown(hole.topic), shown(hole.document)), cells))
    columns = (*(("difference", "mean") if several else ("mean",)), *ranks)
    return Grid(("topic", "document"), columns, (tuple(lines),))


def _notes(found: Holes, shown: Shown) -> Iterator[str]:
    if not found.n_holes:
        yield "every document looked at is judged: nothing is open"
    elif found.contests:
        undecided, pairs = len(found.open), counted(len(found.contests), "pair")
        if undecided:
            yield (
                f"better: which of two runs has the higher mean whatever the judgments say; open in {undecided} of "
                f"{pairs}"
            )
        else:
            yield f"no judgments of these documents can change the order of the runs ({pairs} compared)"
    inexact = [
        *(shown(run.name) for run in found.runs if not _exact(run.extent)),
        *(f"{shown(one.first)} - {shown(one.second)}" for one in found.contests if not _exact(one.extent)),
    ]
    if inexact:
        yield f"no judgments lead beyond these bounds, but perhaps not as far either: {summary.some(inexact)}"


def _numbers(extent: MeanBounds) -> tuple[float, float, float]:
    return extent.value, extent.lowest, extent.highest


def _exact(extent: MeanBounds) -> bool:
    return extent.lowest_exact and extent.highest_exact


def records(found: Holes, *, by_topic: bool) -> Records:
    """A record for each document to judge; how much is judged, and bounds, are in JSON and in the forms for people."""
    del by_topic
    names = [run.name for run in found.runs]
    fields = (
        "topic",
        "document",
        "difference_change",
        "value_change",
        "n_runs",
        *(f"rank in {visible(name)}" for name in names),
    )
    rows: list[tuple[Any, ...]] = [
        (
            hole.topic,
            hole.document,
            hole.difference_change if len(names) > 1 else None,
            hole.value_change,
            len(hole.ranks),
            *(hole.ranks.get(name) for name in names),
        )
        for hole in found
    ]
    return Records(fields, tuple(rows))
