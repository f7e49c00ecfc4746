"""A measure for each group of topics: dots with intervals for a few runs, a table of colours for many."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.report.figures.captions import basis, columns, labels, listed, number, room_beside, shown, topics_averaged
from irkit.report.figures.curves import HIGHLIGHTED
from irkit.report.figures.drawing import COLUMN, Row, altair, check_values, checked, finished, measure_of, plain
from irkit.report.figures.theme import SHAPES
from irkit.stats.paired.intervals import t_interval
from irkit.stats.paired.skew_notes import skewed_intervals


def categories(
    evaluations: Iterable[Evaluation] | Evaluation,
    groups: Mapping[str, Hashable],
    measure: str | Measure | None = None,
    *,
    level: float = 0.95,
    width: float = COLUMN,
    height: float | None = None,
) -> Any:
    """Draw the mean of each run on a measure in each group of topics.

    Up to 7 runs are dots with t intervals, side by side in each group; more runs are a table, coloured by the mean.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Evaluations with the same rules and conventions.
    groups : mapping of topic to group
        As in `Evaluation.by_group`. Groups are in the order of first appearance.
    measure : str or Measure, optional
        By default the first measure evaluated.
    level : float
        Level of the intervals. A sum, a geometric mean and the mean of a single topic have no interval.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `groups`: `run`, `label`, `group`, `group_label` (with its number of topics), `mean`, `low`, `high`,
        `n_topics`, `skew_caution` ("skewed" where values are too skewed for the interval), and `place` and
        `group_place`, the order of runs and groups from 1.

    Raises
    ------
    UsageError
        If the measure was not evaluated, or there is no evaluation.
    DataError
        If rules or conventions of the evaluations differ, a topic has no group, or no topic has a value.
    """
    runs = checked(evaluations)
    chosen = measure_of(runs, measure)
    check_values(runs, [chosen])
    rows = _rows(runs, groups, chosen, level)
    n_groups = len({row["group_place"] for row in rows})
    many = len(runs) > HIGHLIGHTED
    drawn = [row for row in rows if row["low"] is not None]
    skewed = skewed_intervals(sum(row["skew_caution"] is not None for row in drawn), len(drawn))
    phrases = ["colour and number: mean"] if many else [f"dot: mean; bar: {100 * level:g}% t interval", skewed]
    title = f"{chosen} by group, {topics_averaged(runs, [chosen])}"
    means = [
        f"{row['group_label']}, {row['run']} {number(nan if row['mean'] is None else row['mean'])}" for row in rows
    ]
    return finished(
        _table(chosen, rows) if many else _dots(runs, rows, chosen, width),
        {"groups": rows},
        title=title,
        basis=[*phrases, *basis(runs)],
        description=f"{title}, {chosen.summary} of each run: {listed(means, 20)}.",
        width=width,
        height=height,
        inner_height=16 * len(runs) if many else n_groups * (11 * len(runs) + 10),
    )


def _rows(runs: Sequence[Evaluation], groups: Mapping[str, Hashable], measure: Measure, level: float) -> list[Row]:
    names = labels([run.name for run in runs], 24)
    parts = [run.by_group(groups) for run in runs]
    every = list(dict.fromkeys(group for group in groups.values() if any(group in part for part in parts)))
    called = labels([str(group) for group in every], 20)
    numbers = {
        group: [int(part[group].n_averaged[part[group].measures.index(measure)]) for part in parts if group in part]
        for group in every
    }
    rows: list[Row] = []
    for group_place, (group, name) in enumerate(zip(every, called, strict=True), 1):
        least, most = min(numbers[group]), max(numbers[group])
        n = f"{least}" if least == most else f"{least} to {most}"
        for place, (run, part) in enumerate(zip(runs, parts, strict=True), 1):
            mean = low = high = nan
            skewed = None
            n_topics = 0
            if group in part:
                values = part[group].by_topic(measure)
                values = values[~np.isnan(values)]
                mean, n_topics = float(part[group].summary[part[group].measures.index(measure)]), len(values)
                if measure.summary == "mean" and n_topics:
                    interval = t_interval(values, level=level)
                    (low, high), skewed = interval.drawn(measure), interval.skewed
            rows.append(
                {
                    "run": shown(run.name),
                    "label": names[place - 1],
                    "group": shown(str(group)),
                    "group_label": f"{name} (n = {n})",
                    "mean": plain(mean),
                    "low": plain(low),
                    "high": plain(high),
                    "n_topics": n_topics,
                    "skew_caution": skewed and skewed.code,
                    "place": place,
                    "group_place": group_place,
                }
            )
    return rows


def _base() -> Any:
    alt = altair()
    return alt.Chart(alt.NamedData(name="groups")).encode(
        tooltip=[
            alt.Tooltip("group:N", title="group"),
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("mean:Q", format=".4f", title="mean"),
            alt.Tooltip("low:Q", format=".4f", title="interval from"),
            alt.Tooltip("high:Q", format=".4f", title="to"),
            alt.Tooltip("n_topics:Q", title="topics"),
        ]
    )


def _dots(runs: Sequence[Evaluation], rows: Sequence[Row], measure: Measure, width: float) -> Any:
    alt = altair()
    order = labels([run.name for run in runs], 24)
    by_place = alt.EncodingSortField("place", op="min")
    names = list({row["group_label"]: None for row in rows})
    legend = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=columns(order, room_beside(names, width)),
        symbolOpacity=1,
    )
    title = f"{measure}, {measure.summary}"
    base = _base().encode(
        y=alt.Y(
            "group_label:N",
            sort=alt.EncodingSortField("group_place", op="min"),
            axis=alt.Axis(title=None, ticks=False, domain=False),
            scale=alt.Scale(paddingInner=0.25),
        ),
        yOffset=alt.YOffset("label:N", sort=by_place),
        color=alt.Color("label:N", scale=alt.Scale(domain=order), legend=legend),
    )
    shape = alt.Shape("label:N", scale=alt.Scale(domain=order, range=list(SHAPES[: len(order)])), legend=legend)
    return alt.layer(
        base.mark_rule(strokeWidth=2, opacity=0.55).encode(
            x=alt.X("low:Q", title=title, axis=alt.Axis(tickCount=5)), x2="high:Q"
        ),
        base.mark_point().encode(x=alt.X("mean:Q"), shape=shape),
    )


def _table(measure: Measure, rows: Sequence[Row]) -> Any:
    alt = altair()
    base = _base().encode(
        y=alt.Y(
            "label:N",
            sort=alt.EncodingSortField("place", op="min"),
            axis=alt.Axis(title=None, ticks=False, domain=False),
        ),
        x=alt.X(
            "group_label:N",
            sort=alt.EncodingSortField("group_place", op="min"),
            axis=alt.Axis(title=None, ticks=False, domain=False, labelAngle=-40),
        ),
    )
    legend = alt.Legend(title=f"{measure}, {measure.summary}", orient="bottom", gradientLength=120)
    return alt.layer(
        base.mark_rect().encode(color=alt.Color("mean:Q", legend=legend)),
        base.mark_text().encode(text=alt.Text("mean:Q", format=".2f")),
    )
