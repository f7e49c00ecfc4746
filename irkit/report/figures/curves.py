"""Figures: precision by recall, recall by depth, unjudged documents by depth."""

from collections.abc import Iterable, Sequence
from math import nan
from typing import Any, Final

import numpy as np

from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.summary import range_of_topics
from irkit.measures import Measure, parse_measures
from irkit.report.figures.captions import basis, columns, labels, listed, number, shown
from irkit.report.figures.drawing import COLUMN, Row, altair, check_drawn, checked, finished, plain
from irkit.report.figures.theme import DASHES, SHAPES

# Measures to evaluate for each figure.
PRECISION_RECALL: Final = parse_measures(" ".join(f"IPrec@{tenth / 10:g}" for tenth in range(11)))
DEPTHS: Final = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
RECALL: Final = parse_measures(" ".join(["NumRet", *(f"R@{depth}" for depth in DEPTHS)]))
UNJUDGED: Final = parse_measures(" ".join(["NumRet", *(f"Judged@{depth}" for depth in (*range(1, 11), *DEPTHS[5:]))]))

NUMBER: Final = Measure("NumRet")  # number of documents that a run returned
HIGHLIGHTED: Final = 7  # runs with their own colour; more colours cannot be distinguished


def precision_recall(
    evaluations: Iterable[Evaluation] | Evaluation, *, width: float = COLUMN, height: float | None = None
) -> Any:
    """Draw interpolated precision at eleven levels of recall, averaged over topics, with a line for each run.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Evaluations by the measures `PRECISION_RECALL`, or other levels of IPrec, with the same rules and conventions.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `curve`: `run`, `label` (its name in the legend), `recall`, `value`, `n_topics`, and `line`, the number
        of its colour. With more than 7 runs, only those with the highest precision have a colour; the others are grey,
        without a number.

    Raises
    ------
    UsageError
        If IPrec was not evaluated at two or more levels.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    measures = _by_level(runs, "IPrec", "recall", "IPrec@0.0 to IPrec@1.0")
    return _curves(
        runs,
        "recall",
        {level: [_mean(run, measure) for run in runs] for level, measure in measures.items()},
        title=f"Interpolated precision by recall{_grades(measures)}, {_topics(runs, measures.values())}",
        x=("recall", {"scale": {"domain": [0, 1]}, "axis": {"tickCount": 6}}),
        y="interpolated precision, mean over topics",
        phrases=basis(runs),
        width=width,
        height=height,
    )


def recall(
    evaluations: Iterable[Evaluation] | Evaluation, *, width: float = COLUMN, height: float | None = None
) -> Any:
    """Draw recall in the first k documents, averaged over topics, by depth k on a logarithmic axis.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Evaluations by the measures `RECALL`, or R with other cutoffs, with the same rules and conventions. With NumRet
        among the measures, the curves end at the length of the longest ranking.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `curve`, as in `precision_recall` but with `depth` instead of `recall`.

    Raises
    ------
    UsageError
        If R was not evaluated at two or more cutoffs.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    measures = _within(runs, _by_level(runs, "R", "cutoff", "R@1 R@10 R@100"))
    return _curves(
        runs,
        "depth",
        {depth: [_mean(run, measure) for run in runs] for depth, measure in measures.items()},
        title=f"Recall by depth{_grades(measures)}, {_topics(runs, measures.values())}",
        x=("depth k", _logarithmic(list(measures))),
        y="R@k, mean over topics",
        phrases=basis(runs),
        width=width,
        height=height,
    )


def unjudged(
    evaluations: Iterable[Evaluation] | Evaluation, *, width: float = COLUMN, height: float | None = None
) -> Any:
    """Draw the share of unjudged documents among the first k, averaged over topics, by depth k.

    The average of a run is over the topics for which it returned documents.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Evaluations by the measures `UNJUDGED`: NumRet, and Judged with any cutoffs.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `curve`, as in `precision_recall` but with `depth` instead of `recall`; `n_topics` counts the topics for
        which the run returned documents.

    Raises
    ------
    UsageError
        If NumRet was not evaluated, or Judged not at two or more cutoffs.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    measures = _within(runs, _by_level(runs, "Judged", "cutoff", "NumRet Judged@1 Judged@10"))
    returned = [run.by_topic(NUMBER) > 0 for run in runs]
    values = {
        depth: [_share(1 - run.by_topic(measure)[some]) for run, some in zip(runs, returned, strict=True)]
        for depth, measure in measures.items()
    }
    numbers = [int(some.sum()) for some in returned]
    return _curves(
        runs,
        "depth",
        values,
        title=f"Documents not judged by depth, {range_of_topics(min(numbers), max(numbers))}",
        x=("depth k", _logarithmic(list(measures))),
        y="share of the first k not judged",
        phrases=["mean over the topics with documents", *basis(runs, empty_rankings_count=False)],
        width=width,
        height=height,
    )


Point = tuple[float, int]  # a mean and its number of topics


def _mean(evaluation: Evaluation, measure: Measure) -> Point:
    place = evaluation.measures.index(measure)
    return float(evaluation.summary[place]), int(evaluation.n_averaged[place])


def _share(values: Any) -> Point:
    kept = values[~np.isnan(values)]
    return (float(np.cumsum(kept)[-1]) / len(kept) if len(kept) else nan), len(kept)


def _by_level(runs: Sequence[Evaluation], name: str, parameter: str, such: str) -> dict[float, Measure]:
    """Return the measures of this name that all runs have, by ascending level; other parameters as in the first."""
    shared = [
        measure for measure in runs[0].measures if measure.name == name and all(measure in run.measures for run in runs)
    ]
    levels: dict[float, Measure] = {}
    others = [tuple(pair for pair in measure.params if pair[0] != parameter) for measure in shared]
    for measure, other in zip(shared, others, strict=True):
        level = dict(measure.params).get(parameter)
        if level is not None and other == others[0]:
            levels[level] = measure
    if len(levels) < 2:
        raise UsageError(f"the figure needs {name} at several levels, such as {such}; evaluate these")
    return dict(sorted(levels.items()))


def _within(runs: Sequence[Evaluation], measures: dict[float, Measure]) -> dict[float, Measure]:
    """Return the measures up to the length of the longest ranking; all if the lengths are unknown."""
    returned = [run.by_topic(NUMBER).max(initial=0.0) for run in runs if NUMBER in run.measures]
    if len(returned) < len(runs):
        return measures
    beyond = [depth for depth in measures if depth >= max(returned)]
    least = sorted(measures)[1]  # a curve needs two depths
    return {depth: measure for depth, measure in measures.items() if not beyond or depth <= max(beyond[0], least)}


def _grades(measures: dict[float, Measure]) -> str:
    lowest = dict(next(iter(measures.values())).params).get("rel")
    return "" if lowest is None else f" (grade {lowest} and up)"


def _topics(runs: Sequence[Evaluation], measures: Iterable[Measure]) -> str:
    numbers = [int(run.n_averaged[run.measures.index(measure)]) for run in runs for measure in measures]
    return range_of_topics(min(numbers), max(numbers))


def _logarithmic(depths: Sequence[float]) -> dict[str, Any]:
    steps = (1, 2, 5) if depths[-1] < 200 * depths[0] else (1, 3)  # as many as fit
    ticks = [step * 10**power for power in range(7) for step in steps if depths[0] <= step * 10**power <= depths[-1]]
    scale = {"type": "log", "domain": [depths[0], depths[-1]], "nice": False}
    return {"scale": scale, "axis": {"values": ticks, "format": "d", "grid": False, "labelOverlap": False}}


def _curves(
    runs: Sequence[Evaluation],
    along: str,
    values: dict[float, list[Point]],
    *,
    title: str,
    x: tuple[str, dict[str, Any]],
    y: str,
    phrases: Sequence[str],
    width: float,
    height: float | None,
) -> Any:
    check_drawn(any(number_ for points in values.values() for _, number_ in points), y)
    alt = altair()
    names = labels([run.name for run in runs], 24)
    heights = [np.nanmean([points[place][0] for points in values.values()] or [nan]) for place in range(len(runs))]
    best = np.argsort(-np.array(heights), kind="stable").tolist()
    coloured = sorted(best[:HIGHLIGHTED]) if len(runs) > HIGHLIGHTED else list(range(len(runs)))
    rows: list[Row] = [
        {
            "run": shown(run.name),
            "label": names[place],
            along: float(level),
            "value": plain(points[place][0]),
            "n_topics": points[place][1],
            "line": coloured.index(place) + 1 if place in coloured else None,
        }
        for place, run in enumerate(runs)
        for level, points in values.items()
    ]
    if len(coloured) < len(runs):
        phrases = [f"in colour the {len(coloured)} highest of {len(runs)} runs, the others grey", *phrases]
    order = [names[place] for place in coloured]
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", columns=columns(order, width - 50))
    scale = {"domain": order}
    base = alt.Chart(alt.NamedData(name="curve")).encode(
        x=alt.X(f"{along}:Q", title=x[0], **{name: _altair_object(name, given) for name, given in x[1].items()}),
        y=alt.Y("value:Q", title=y, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=6)),
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip(f"{along}:Q", title=along),
            alt.Tooltip("value:Q", format=".4f", title="mean"),
            alt.Tooltip("n_topics:Q", title="topics"),
        ],
    )
    ours = base.transform_filter("datum.line !== null").encode(
        color=alt.Color("label:N", scale=alt.Scale(**scale), legend=legend)
    )
    # Encode the number of the line, not its label, so that symbols of the legend are not dashed.
    dashes = alt.Scale(domain=list(range(1, len(order) + 1)), range=list(DASHES[: len(order)]))
    dash = alt.StrokeDash("line:O", scale=dashes, legend=None)
    shape = alt.Shape("label:N", scale=alt.Scale(**scale, range=list(SHAPES[: len(order)])), legend=legend)
    layers = [ours.mark_line().encode(strokeDash=dash), ours.mark_point(size=28).encode(shape=shape)]
    if len(coloured) < len(runs):
        layers.insert(
            0, base.transform_filter("datum.line === null").mark_line(style="context").encode(detail="label:N")
        )
    first, last = min(values), max(values)
    ends = [
        f"{shown(runs[place].name)} {number(values[first][place][0])} to {number(values[last][place][0])}"
        for place in best
    ]
    return finished(
        alt.layer(*layers),
        {"curve": rows},
        title=title,
        basis=phrases,
        description=f"{title}: one line a run, {along} {first:g} to {last:g}, highest first: {listed(ends)}.",
        width=width,
        height=height,
        inner_height=min(220.0, width * 0.6),
    )


def _altair_object(name: str, given: dict[str, Any]) -> Any:
    alt = altair()
    return {"scale": alt.Scale, "axis": alt.Axis}[name](**given)
