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

# For more runs than these, the number of runs that return a document and its first rank replace the rank in each run.
_RUNS_SHOWN: Final = 4


def sheet(holes: Holes, shown: Shown, *, by_topic: bool) -> Sections:
    """Show how much is judged and the resulting bounds, by run and by pair, and the documents to judge."""
    del by_topic
    tables = [(f"Judged in the first {counted(holes.cutoff, 'rank')}", _runs(holes, shown))]
    if holes.contests:
        tables.append((f"Differences in {shown(str(holes.measure))}", _contests(holes, shown)))
    if len(holes):
        tables.append((_title(holes), _listed(holes, shown)))
    basis = summary.head(holes.evaluations, shown, shared=len(holes.runs) > 1)
    return Sections(
        basis, summary.amiss(holes.evaluations), list(_explained(holes)), tables, list(_notes(holes, shown))
    )


def _explained(holes: Holes) -> Iterator[str]:
    runs = "the run" if len(holes.runs) == 1 else f"one of {len(holes.runs)} runs"
    yield (
        f"holes: {counted(holes.n_holes, 'unjudged document')} in the first {counted(holes.cutoff, 'rank')} of {runs}, "
        "each counted once for its topic"
    )
    worst, best = holes.scale
    if 1 < len(holes.runs) <= _RUNS_SHOWN:
        yield "ranks: rank of the document in each run, in the order of the runs"
    yield f"lowest, highest: bounds of the mean over all judgments of them, at grades from {worst} to {best}"


def _runs(holes: Holes, shown: Shown) -> Grid:
    columns = ("returned", "unjudged", "judged", "topics", shown(str(holes.measure)), "lowest", "highest")
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
        for run in holes.runs
    )
    return Grid(("run",), columns, (lines,))


def _contests(holes: Holes, shown: Shown) -> Grid:
    lines = tuple(
        Line(
            (shown(contest.first), shown(contest.second)),
            (*(Cell(signed(value)) for value in _numbers(contest.extent)), Cell(contest.verdict)),
        )
        for contest in holes.contests
    )
    return Grid(("first", "second"), ("first - second", "lowest", "highest", "better"), (lines,))


def _title(holes: Holes) -> str:
    what = "in a difference between two runs" if holes.by == "difference" else "in a run's mean"
    listed = f"{len(holes)} of {holes.n_holes}" if len(holes) < holes.n_holes else f"all {holes.n_holes}"
    return f"To judge next ({listed}), by what each alone could change {what}"


def _listed(holes: Holes, shown: Shown) -> Grid:
    several, few = len(holes.runs) > 1, len(holes.runs) <= _RUNS_SHOWN
    ranks = ("ranks" if several else "rank",) if few else ("runs", "first at")
    lines = []
    for hole in holes:
        changes = (hole.difference_change, hole.value_change) if several else (hole.value_change,)
        where = (
            [" ".join(f"{hole.ranks.get(run.name, MISSING_VALUE):>3}" for run in holes.runs)]
            if few
            else [str(len(hole.ranks)), str(min(hole.ranks.values()))]
        )
        cells = (*(Cell(f"{change:.6f}") for change in changes), *map(Cell, where))
        lines.append(Line((shown(hole.topic), shown(hole.document)), cells))
    columns = (*(("difference", "mean") if several else ("mean",)), *ranks)
    return Grid(("topic", "document"), columns, (tuple(lines),))


def _notes(holes: Holes, shown: Shown) -> Iterator[str]:
    if not holes.n_holes:
        yield "every document at these ranks is judged: nothing is open"
    elif holes.contests:
        undecided, pairs = len(holes.open), counted(len(holes.contests), "pair")
        if undecided:
            yield (f"better: the run with the higher mean for all possible judgments; open in {undecided} of {pairs}")
        else:
            yield f"no judgments of these documents can change the order of the runs ({pairs} compared)"
    inexact = [
        *(shown(run.name) for run in holes.runs if not _exact(run.extent)),
        *(
            f"{shown(contest.first)} - {shown(contest.second)}"
            for contest in holes.contests
            if not _exact(contest.extent)
        ),
    ]
    if inexact:
        yield f"no judgments lead beyond these bounds, which may be too wide: {summary.some(inexact)}"


def _numbers(extent: MeanBounds) -> tuple[float, float, float]:
    return extent.value, extent.lowest, extent.highest


def _exact(extent: MeanBounds) -> bool:
    return extent.lowest_exact and extent.highest_exact


def records(holes: Holes, *, by_topic: bool) -> Records:
    """Make a record for each document to judge; shares judged and bounds are in JSON and in tables only."""
    del by_topic
    names = [run.name for run in holes.runs]
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
        for hole in holes
    ]
    return Records(fields, tuple(rows))
