"""The means of runs with their intervals, best first."""

from collections.abc import Iterable, Sequence
from math import nan
from typing import Any

import numpy as np

from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.report.figures.captions import basis, labels, listed, number, room_beside, shown, topics_averaged
from irkit.report.figures.drawing import (
    COLUMN,
    Row,
    altair,
    check_size,
    check_values,
    checked,
    finished,
    heading,
    measure_of,
    plain,
    with_data,
)
from irkit.report.figures.theme import theme
from irkit.stats.paired.intervals import t_interval
from irkit.stats.paired.skew_notes import skewed_intervals

STEP = 21  # pixels for a run, with its value above its dot
TIGHT = 14  # pixels for a run among many, without value
MANY = 15
SPACING = 14  # pixels between plots
AXIS = 34  # pixels of a plot's axis with its title


def leaderboard(
    evaluations: Iterable[Evaluation] | Evaluation,
    measures: Sequence[str | Measure] | str | Measure | None = None,
    *,
    level: float = 0.95,
    width: float = COLUMN,
    height: float | None = None,
) -> Any:
    """Draw the mean of each run on a measure as a dot with its t interval, best run first.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Evaluations with the same rules and conventions.
    measures : measure, or sequence of measures, optional
        A plot for each, side by side, with runs in the order of the first; by default the first measure evaluated.
    level : float
        Level of the intervals. A sum, a geometric mean and the mean of a single topic have no interval.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart, or altair.ConcatChart of several measures
        Dataset `means`: `run`, `label` (its name on the axis), `measure`, `mean`, `low`, `high`, `n_topics`,
        `skew_caution` ("skewed" where values are too skewed for the interval, see `skew_caution`), and `place`, from 1
        in the order of the first measure. With several measures the datasets are `means_1`, `means_2` and so on.

    Raises
    ------
    UsageError
        If a measure was not evaluated, or there is no evaluation.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    named = [measures] if measures is None or isinstance(measures, str | Measure) else list(measures)
    chosen = [measure_of(runs, measure) for measure in named]
    check_values(runs, chosen)
    order = _order(runs, chosen[0])
    datasets = [_rows(runs, measure, order, level) for measure in chosen]
    descriptions = [_described(rows, measure, runs) for rows, measure in zip(datasets, chosen, strict=True)]
    step = STEP if len(runs) <= MANY else TIGHT
    drawn = [row for rows in datasets for row in rows if row["low"] is not None]
    skewed = skewed_intervals(sum(row["skew_caution"] is not None for row in drawn), len(drawn))
    interval = "; ".join(filter(None, [f"dot: mean; bar: {100 * level:g}% t interval", skewed]))
    if len(chosen) == 1:
        chart = _plot("means", chosen[0], runs, names=True, values=step == STEP, alone=True)
        return finished(
            chart,
            {"means": datasets[0]},
            title=f"{chosen[0]}, {topics_averaged(runs, chosen)}",
            basis=[interval, *basis(runs)],
            description=descriptions[0],
            width=width,
            height=height,
            inner_height=step * len(runs),
        )
    return _side_by_side(runs, chosen, datasets, descriptions, interval, step, width, height)


def _order(runs: Sequence[Evaluation], measure: Measure) -> list[int]:
    """Return the places of the runs, best first; runs without a mean are last."""
    means = np.array([run.summary[run.measures.index(measure)] for run in runs])
    order: list[int] = np.argsort(-means, kind="stable").tolist()  # argsort puts nan last
    return order


def _rows(runs: Sequence[Evaluation], measure: Measure, order: Sequence[int], level: float) -> list[Row]:
    names = labels([run.name for run in runs])
    rows = []
    for place, number_ in enumerate(order, 1):
        run = runs[number_]
        values = run.by_topic(measure)
        values = values[~np.isnan(values)]
        low = high = nan
        skewed = None
        if measure.summary == "mean" and len(values):
            interval = t_interval(values, level=level)
            (low, high), skewed = interval.drawn(measure), interval.skewed
        rows.append(
            {
                "run": shown(run.name),
                "label": names[number_],
                "measure": str(measure),
                "mean": plain(run.summary[run.measures.index(measure)]),
                "low": plain(low),
                "high": plain(high),
                "n_topics": len(values),
                "skew_caution": skewed and skewed.code,
                "place": place,
            }
        )
    return rows


def _plot(
    dataset: str, measure: Measure, runs: Sequence[Evaluation], *, names: bool, values: bool, alone: bool = False
) -> Any:
    alt = altair()
    what = {"mean": "mean", "sum": "sum", "geometric mean": "geometric mean"}[measure.summary]
    title = f"{measure}, {what} over {topics_averaged(runs, [measure])}" if alone else str(measure)
    x = alt.X("mean:Q", title=title, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=5 if alone else 3))
    axis = alt.Axis(title=None, ticks=False, domain=False, grid=True) if names else None
    y = alt.Y("label:N", sort=alt.EncodingSortField("place", op="min"), axis=axis)
    tooltip = [
        alt.Tooltip("run:N", title="run"),
        alt.Tooltip("mean:Q", format=".4f", title=what),
        alt.Tooltip("low:Q", format=".4f", title="interval from"),
        alt.Tooltip("high:Q", format=".4f", title="to"),
        alt.Tooltip("n_topics:Q", title="topics"),
    ]
    base = alt.Chart(alt.NamedData(name=dataset)).encode(y=y, tooltip=tooltip)
    interval = base.mark_rule(style="interval").encode(x=alt.X("low:Q", title=title), x2="high:Q")
    layers = [interval, base.mark_point().encode(x=x)]
    if values:
        count = measure.summary == "sum"
        text = alt.Text("mean:Q", format=".0f" if count else ".4f")
        layers.append(base.mark_text(style="value", dy=-8).encode(x=x, text=text))
    return alt.layer(*layers)


def _side_by_side(
    runs: Sequence[Evaluation],
    chosen: Sequence[Measure],
    datasets: Sequence[list[Row]],
    descriptions: Sequence[str],
    interval: str,
    step: float,
    width: float,
    height: float | None,
) -> Any:
    alt = altair()
    check_size(width=width, height=height)
    columns = min(len(chosen), max(1, int(width // 150)))
    beside = room_beside([row["label"] for row in datasets[0]], width)  # the first plot of each row has the names
    each = max(60.0, (beside - SPACING * (columns - 1)) / columns)
    title = heading(f"{', '.join(map(str, chosen))}, {topics_averaged(runs, chosen)}", [interval, *basis(runs)], width)
    each_height = step * len(runs)
    if height is not None:
        n_lines = -(-len(chosen) // columns)
        above = 14 * len(title.text) + 12 * len(title.subtitle) + 14
        each_height = max(30.0, (height - above) / n_lines - AXIS - SPACING)
    plots = [
        _plot(f"means_{place + 1}", measure, runs, names=place % columns == 0, values=step == STEP).properties(
            width=each, height=each_height
        )
        for place, measure in enumerate(chosen)
    ]
    chart = alt.concat(*plots, columns=columns, spacing=SPACING)
    return with_data(chart, {f"means_{place}": rows for place, rows in enumerate(datasets, 1)}).properties(
        title=title,
        description=" ".join(descriptions),
        config=theme(),
    )


def _described(rows: Sequence[Row], measure: Measure, runs: Sequence[Evaluation]) -> str:
    sentences = [
        f"{row['run']} {number(nan if row['mean'] is None else row['mean'])}"
        + ("" if row["low"] is None else f" ({row['low']:.4f} to {row['high']:.4f})")
        for row in rows
    ]
    return (
        f"Runs by {measure}, {measure.summary} over {topics_averaged(runs, [measure])}, best first, "
        f"with intervals: {listed(sentences)}."
    )
