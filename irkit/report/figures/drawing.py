"""Shared by all figures: the library, checked evaluations, and building a chart."""

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from irkit._utils.text import counted
from irkit.errors import DataError, MissingDependencyError, UsageError
from irkit.evaluation.result import Evaluation, told_apart
from irkit.measures import Measure, parse_measure
from irkit.report.figures.captions import lines
from irkit.report.figures.theme import theme

if TYPE_CHECKING:
    import altair as alt

COLUMN: Final = 317  # pixels: 3.3 inches, one column of a paper
LEAST: Final = 100  # pixels, below which nothing can be read
MOST: Final = 10_000

Row = dict[str, Any]


def altair() -> Any:
    """The library that draws.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    try:
        import altair
    except ImportError as problem:
        raise MissingDependencyError("figures need Altair; pip install 'irkit[report]'") from problem
    return altair


def checked(evaluations: Iterable[Evaluation] | Evaluation, least: int = 1) -> tuple[Evaluation, ...]:
    """Evaluations that can stand in one figure, each with a name of its own.

    Raises
    ------
    UsageError
        If they are too few, or something else than evaluations.
    DataError
        If they are not of the same rules and conventions.
    """
    given = (evaluations,) if isinstance(evaluations, Evaluation) else tuple(evaluations)
    for one in given:
        if not isinstance(one, Evaluation):
            raise UsageError(f"a figure shows evaluations, as irkit.evaluate gives them, not {type(one).__name__}")
    if len(given) < least:
        raise UsageError(f"the figure needs {counted(least, 'evaluation')} at least, got {len(given)}")
    for one in given[1:]:
        if (one.rules, one.conventions) != (given[0].rules, given[0].conventions):
            raise DataError(
                f"{one.name} was evaluated by other rules or conventions than {given[0].name}; "
                "evaluate both alike to show them in one figure"
            )
    return told_apart(given)


def measure_of(evaluations: Sequence[Evaluation], measure: str | Measure | None) -> Measure:
    """The measure of that name, or the first; every evaluation has it.

    Raises
    ------
    UsageError
        If an evaluation lacks it.
    """
    wanted = evaluations[0].measures[0] if measure is None else parse_measure(measure)
    for one in evaluations:
        one.by_topic(wanted)  # which says what there is instead
    return wanted


def check_values(evaluations: Sequence[Evaluation], measures: Iterable[Measure]) -> None:
    """Refuse a measure that no run has a value of, of which a figure would be empty.

    Raises
    ------
    DataError
    """
    for measure in measures:
        check_drawn(not all(np.isnan(one.by_topic(measure)).all() for one in evaluations), str(measure))


def check_drawn(there: bool, what: str) -> None:
    """Refuse a figure without a single value of what it shows.

    Raises
    ------
    DataError
    """
    if not there:
        raise DataError(
            f"nothing to draw: no run has a topic with a value ({what}); evaluate other topics, or count those without "
            "relevant documents"
        )


def plain(value: float) -> float | None:
    """A number for a dataset: None for what is none."""
    return None if isnan(value) else float(value)


def check_size(**sizes: float | None) -> None:
    """Refuse a width or height that nothing can be drawn in.

    Raises
    ------
    UsageError
    """
    for name, size in sizes.items():
        if size is not None and not LEAST <= size <= MOST:
            raise UsageError(f"the {name} of a figure is {LEAST} to {MOST} pixels, got {size}")


def finished(
    chart: "alt.Chart | alt.LayerChart",
    datasets: Mapping[str, Sequence[Row]],
    *,
    title: str,
    basis: Iterable[str],
    description: str,
    width: float,
    height: float | None,
    inner_height: float,
) -> Any:
    """A chart with its title, its description, its size, its theme and its data.

    Parameters
    ----------
    chart : altair chart
        It names its datasets.
    datasets : mapping of name to rows
    title : str
    basis : iterable of str
        What the numbers rest on, under the title.
    description : str
        What a reader who cannot see the figure is told.
    width, height : float
        Of the whole, in pixels; a height of None is what the plot itself needs.
    inner_height : float
        Of the plot without title and axes, in pixels, where no height is given.
    """
    alt = altair()
    check_size(width=width, height=height)
    return with_data(chart, datasets).properties(
        title=heading(title, basis, width),
        description=description,
        width=width,
        height=inner_height if height is None else height,
        autosize=alt.AutoSizeParams(type="fit-x" if height is None else "fit", contains="padding"),
        config=theme(),
    )


def with_data(chart: Any, datasets: Mapping[str, Sequence[Row]]) -> Any:
    """The chart with its datasets, which are not checked against the grammar row by row."""
    chart["datasets"] = dict(datasets)
    return chart


def heading(title: str, basis: Iterable[str], width: float) -> Any:
    """The title of a chart, and under it what its numbers rest on, in lines that fit."""
    return altair().Title(text=lines([title], width, 11.5 * 1.08), subtitle=lines(basis, width, 9.5))
