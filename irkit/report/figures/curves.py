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

# What has to be evaluated for each figure.
PRECISION_RECALL: Final = parse_measures(" ".join(f"IPrec@{tenth / 10:g}" for tenth in range(11)))
DEPTHS: Final = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
RECALL: Final = parse_measures(" ".join(["NumRet", *(f"R@{depth}" for depth in DEPTHS)]))
UNJUDGED: Final = parse_measures(" ".join(["NumRet", *(f"Judged@{depth}" for depth in (*range(1, 11), *DEPTHS[5:]))]))

NUMBER: Final = Measure("NumRet")  # of documents that a run returned
HIGHLIGHTED: Final = 7  # runs with a colour of their own; more cannot be told apart


def precision_recall(
    evaluations: Iterable[Evaluation] | Evaluation, *, width: float = COLUMN, height: float | None = None
) -> Any:
    """Interpolated precision at eleven levels of recall, averaged over topics, one line a run.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Of the measures `PRECISION_RECALL`, or other levels of IPrec, and the same rules and conventions.
    width, height : float
        Of the whole, in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `curve`: `run`, `label` (the run as the legend shows it), `recall`, `value`, `n_topics`, and
        `line`: the number of its colour. Of more than 7 runs those with the highest precision have one, the others are
        grey and have none.

    Raises
    ------
    UsageError
        If IPrec was not evaluated at two levels at least.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    found = _by_level(runs, "IPrec", "recall", "IPrec@0.0 to IPrec@1.0")
    return _curves(
        runs,
        "recall",
        {level: [_mean(one, measure) for one in runs] for level, measure in found.items()},
        title=f"Interpolated precision by recall{_grades(found)}, {_topics(runs, found.values())}",
        x=("recall", {"scale": {"domain": [0, 1]}, "axis": {"tickCount": 6}}),
        y="interpolated precision, mean over topics",
        said=basis(runs),
        width=width,
        height=height,
    )


def recall(
    evaluations: Iterable[Evaluation] | Evaluation, *, width: float = COLUMN, height: float | None = None
) -> Any:
    """Recall in the first k documents, averaged over topics, by depth k on a logarithmic axis, one line a run.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Of the measures `RECALL`, or R with other cutoffs, and the same rules and conventions. With NumRet among them
        the curves end where the longest ranking does.
    width, height : float
        Of the whole, in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `curve`, as of `precision_recall` but with `depth` in the place of `recall`.

    Raises
    ------
    UsageError
        If R was not evaluated at two cutoffs at least.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    found = _within(runs, _by_level(runs, "R", "cutoff", "R@1 R@10 R@100"))
    return _curves(
        runs,
        "depth",
        {depth: [_mean(one, measure) for one in runs] for depth, measure in found.items()},
        title=f"Recall by depth{_grades(found)}, {_topics(runs, found.values())}",
        x=("depth k", _logarithmic(list(found))),
        y="R@k, mean over topics",
        said=basis(runs),
        width=width,
        height=height,
    )


def unjudged(
    evaluations: Iterable[Evaluation] | Evaluation, *, width: float = COLUMN, height: float | None = None
) -> Any:
    """The share of the first k documents that nobody judged, averaged over topics, by depth k, one line a run.

    Topics for which a run returned nothing are left out of its average: there is nothing that could have been judged.

    Parameters
    ----------
    evaluations : iterable of Evaluation
        Of the measures `UNJUDGED`: NumRet, and Judged with any cutoffs.
    width, height : float
        Of the whole, in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `curve`, as of `precision_recall` but with `depth` in the place of `recall`; `n_topics` are those that
        the run returned something for.

    Raises
    ------
    UsageError
        If NumRet, or Judged at two cutoffs at least, was not evaluated.
    DataError
        If the evaluations are not of the same rules and conventions, or no topic has a value.
    """
    runs = checked(evaluations)
    found = _within(runs, _by_level(runs, "Judged", "cutoff", "NumRet Judged@1 Judged@10"))
    returned = [one.by_topic(NUMBER) > 0 for one in runs]
    values = {
        depth: [_share(1 - one.by_topic(measure)[some]) for one, some in zip(runs, returned, strict=True)]
        for depth, measure in found.items()
    }
    numbers = [int(some.sum()) for some in returned]
    return _curves(
        runs,
        "depth",
        values,
        title=f"Documents not judged by depth, {range_of_topics(min(numbers), max(numbers))}",
        x=("depth k", _logarithmic(list(found))),
        y="share of the first k not judged",
        said=["mean over the topics with documents", *basis(runs, empty_rankings_count=False)],
        width=width,
        height=height,
    )


Point = tuple[float, int]  # a mean, and how many topics it is over


def _mean(one: Evaluation, measure: Measure) -> Point:
    place = one.measures.index(measure)
    return float(one.summary[place]), int(one.n_averaged[place])


def _share(values: Any) -> Point:
    kept = values[~np.isnan(values)]
    return (float(np.cumsum(kept)[-1]) / len(kept) if len(kept) else nan), len(kept)


def _by_level(runs: Sequence[Evaluation], name: str, parameter: str, such: str) -> dict[float, Measure]:
    """The measures of this name that every run has, by level, rising; those whose other parameters are the first's."""
    shared = [one for one in runs[0].measures if one.name == name and all(one in run.measures for run in runs)]
    levels: dict[float, Measure] = {}
    others = [tuple(pair for pair in one.params if pair[0] != parameter) for one in shared]
    for one, other in zip(shared, others, strict=True):
        level = dict(one.params).get(parameter)
        if level is not None and other == others[0]:
            levels[level] = one
    if len(levels) < 2:
        raise UsageError(f"the figure needs {name} at several levels, such as {such}; evaluate these")
    return dict(sorted(levels.items()))


def _within(runs: Sequence[Evaluation], found: dict[float, Measure]) -> dict[float, Measure]:
    """The measures to the first depth that no ranking is longer than; all where it is not known how long they are."""
    returned = [one.by_topic(NUMBER).max(initial=0.0) for one in runs if NUMBER in one.measures]
    if len(returned) < len(runs):
        return found
    beyond = [depth for depth in found if depth >= max(returned)]
    least = sorted(found)[1]  # one depth is no curve
    return {depth: one for depth, one in found.items() if not beyond or depth <= max(beyond[0], least)}


def _grades(found: dict[float, Measure]) -> str:
    lowest = dict(next(iter(found.values())).params).get("rel")
    return "" if lowest is None else f" (grade {lowest} and up)"


def _topics(runs: Sequence[Evaluation], measures: Iterable[Measure]) -> str:
    numbers = [int(one.n_averaged[one.measures.index(measure)]) for one in runs for measure in measures]
    return range_of_topics(min(numbers), max(numbers))


def _logarithmic(depths: Sequence[float]) -> dict[str, Any]:
    steps = (1, 2, 5) if depths[-1] < 200 * depths[0] else (1, 3)  # as many as find room
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
    said: Sequence[str],
    width: float,
    height: float | None,
) -> Any:
    check_drawn(any(number_ for points in values.values() for _, number_ in points), y)
    alt = altair()
    names = labels([one.name for one in runs], 24)
    heights = [np.nanmean([points[place][0] for points in values.values()] or [nan]) for place in range(len(runs))]
    best = np.argsort(-np.array(heights), kind="stable").tolist()
    coloured = sorted(best[:HIGHLIGHTED]) if len(runs) > HIGHLIGHTED else list(range(len(runs)))
    rows: list[Row] = [
        {
            "run": shown(one.name),
            "label": names[place],
            along: float(level),
            "value": plain(points[place][0]),
            "n_topics": points[place][1],
            "line": coloured.index(place) + 1 if place in coloured else None,
        }
        for place, one in enumerate(runs)
        for level, points in values.items()
    ]
    if len(coloured) < len(runs):
        said = [f"in colour the {len(coloured)} highest of {len(runs)} runs, the others grey", *said]
    order = [names[place] for place in coloured]
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", columns=columns(order, width - 50))
    scale = {"domain": order}
    base = alt.Chart(alt.NamedData(name="curve")).encode(
        x=alt.X(f"{along}:Q", title=x[0], **{name: _made(name, given) for name, given in x[1].items()}),
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
    # By its number, so that the dashes do not run around the signs of the legend.
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
        basis=said,
        description=f"{title}: one line a run, {along} {first:g} to {last:g}, highest first: {listed(ends)}.",
        width=width,
        height=height,
        inner_height=min(220.0, width * 0.6),
    )


def _made(name: str, given: dict[str, Any]) -> Any:
    alt = altair()
    return {"scale": alt.Scale, "axis": alt.Axis}[name](**given)
