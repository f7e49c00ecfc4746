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

COLUMN: Final = 317  # pixels: 3.3 inches, a column of a paper
LEAST: Final = 100  # pixels; smaller figures are not readable
MOST: Final = 10_000

Row = dict[str, Any]


def altair() -> Any:
    """Import Altair; MissingDependencyError if it is not installed."""
    try:
        import altair
    except ImportError as problem:
        raise MissingDependencyError("figures need Altair; pip install 'irkit[report]'") from problem
    return altair


def checked(evaluations: Iterable[Evaluation] | Evaluation, least: int = 1) -> tuple[Evaluation, ...]:
    """Check that evaluations fit into one figure, and give each its own name.

    Raises
    ------
    UsageError
        If there are too few, or an object is not an Evaluation.
    DataError
        If rules or conventions differ.
    """
    given = (evaluations,) if isinstance(evaluations, Evaluation) else tuple(evaluations)
    for evaluation in given:
        if not isinstance(evaluation, Evaluation):
            raise UsageError(
                f"a figure shows evaluations, the results of irkit.evaluate, not {type(evaluation).__name__}"
            )
    if len(given) < least:
        raise UsageError(f"the figure needs {counted(least, 'evaluation')} at least, got {len(given)}")
    for evaluation in given[1:]:
        if (evaluation.rules, evaluation.conventions) != (given[0].rules, given[0].conventions):
            raise DataError(
                f"{evaluation.name} was evaluated by other rules or conventions than {given[0].name}; "
                "evaluate both alike to show them in one figure"
            )
    return told_apart(given)


def measure_of(evaluations: Sequence[Evaluation], measure: str | Measure | None) -> Measure:
    """Return the measure of this name, or the first; every evaluation must have it.

    Raises
    ------
    UsageError
        If an evaluation lacks it.
    """
    chosen = evaluations[0].measures[0] if measure is None else parse_measure(measure)
    for evaluation in evaluations:
        evaluation.by_topic(chosen)  # raises an error that lists the measures
    return chosen


def check_values(evaluations: Sequence[Evaluation], measures: Iterable[Measure]) -> None:
    """Raise DataError for a measure without any value, because its figure would be empty."""
    for measure in measures:
        check_drawn(not all(np.isnan(evaluation.by_topic(measure)).all() for evaluation in evaluations), str(measure))


def check_drawn(there: bool, what: str) -> None:
    """Raise DataError for a figure without any value."""
    if not there:
        raise DataError(
            f"nothing to draw: no run has a topic with a value ({what}); evaluate other topics, or count those without "
            "relevant documents"
        )


def plain(value: float) -> float | None:
    """Convert a number for a dataset; nan and infinity become None."""
    return None if isnan(value) else float(value)


def check_size(**sizes: float | None) -> None:
    """Raise UsageError for a width or height that is too small to draw in."""
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
    """Add title, description, size, theme and data to a chart.

    Parameters
    ----------
    chart : altair chart
        A chart with named datasets.
    datasets : mapping of name to rows
    title : str
    basis : iterable of str
        Basis of the numbers, shown under the title.
    description : str
        Text for readers who cannot see the figure.
    width, height : float
        Size of the figure in pixels; a height of None means the height that the plot needs.
    inner_height : float
        Height of the plot without title and axes, in pixels, if `height` is None.
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
    """Add datasets to a chart without checking them row by row."""
    chart["datasets"] = dict(datasets)
    return chart


def heading(title: str, basis: Iterable[str], width: float) -> Any:
    """Make the title of a chart, with its basis below, wrapped into lines."""
    return altair().Title(text=lines([title], width, 11.5 * 1.08), subtitle=lines(basis, width, 9.5))
