"""Figure: all pairs of runs, with differences and significance."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from irkit.errors import DataError, UsageError
from irkit.evaluation.summary import range_of_topics
from irkit.measures import Measure, parse_measure
from irkit.report.figures.captions import basis, labels, listed, shown
from irkit.report.figures.drawing import COLUMN, Row, altair, finished, plain
from irkit.stats import Comparison
from irkit.stats.paired.paired_result import Contrast
from irkit.stats.paired.skew_notes import skewed_pairs

CELL = 34  # pixels a run, where p is written
SMALL = 14  # where it is not
WRITTEN = 10  # runs


def significance(
    comparison: Comparison,
    measure: str | Measure | None = None,
    *,
    width: float | None = None,
    height: float | None = None,
) -> Any:
    """The difference of every two runs on a measure as a colour, its corrected p in the cell, framed where it is shown.

    A cell is the run of its row less the run of its column; runs stand by their means, best first.

    Parameters
    ----------
    comparison : Comparison
        As `irkit.compare(evaluations, baseline="all pairs")` gives it; pairs that were not compared are empty cells.
    measure : str or Measure, optional
        The first that was tested if not given.
    width, height : float, optional
        Of the whole, in pixels; one column of a paper if not given, or what the runs need.

    Returns
    -------
    altair.LayerChart
        Dataset `pairs`, both ways round: `row`, `column`, `row_label`, `column_label`, `row_place`, `column_place`,
        `difference`, `low`, `high`, `p`, `adjusted_p`, `p_text`, `shown` (the corrected p is below alpha),
        `skew_caution` ("skewed" where differences are too skewed for the test), `n_topics`.
        With more than 10 runs p is not written in the cells.

    Raises
    ------
    UsageError
        If it is no comparison, or the measure was not tested.
    DataError
        If all topics together were not tested.
    """
    alt = altair()
    if not isinstance(comparison, Comparison):
        raise UsageError(f"the figure shows what irkit.compare gives, not {type(comparison).__name__}")
    tested = dict.fromkeys(one.measure for one in comparison.means)
    chosen = next(iter(tested)) if measure is None else str(parse_measure(measure))
    if chosen not in tested:
        raise UsageError(f"{chosen} was not tested; there are {', '.join(tested)}")
    contrasts = [one for one in comparison.contrasts if one.group is None and one.test.measure == chosen]
    if not contrasts:
        raise DataError(f"the comparison has no test of {chosen} over all topics")
    means = {one.run: one.interval.estimate for one in comparison.means if one.group is None and one.measure == chosen}
    runs = sorted(means, key=lambda run: -means[run])
    rows = _rows(contrasts, runs)
    written = len(runs) <= WRITTEN
    cell = CELL if written else SMALL
    if width is None:
        width = max(COLUMN, cell * len(runs) + 110)
    topics = range_of_topics(min(one.test.n_topics for one in contrasts), max(one.test.n_topics for one in contrasts))
    alpha = contrasts[0].alpha
    told = f"p corrected, {comparison.family}" if comparison.family else "p not corrected"
    title = f"Differences in {chosen}, {topics}"
    base = alt.Chart(alt.NamedData(name="pairs")).encode(
        x=alt.X(
            "column_label:N",
            sort=alt.EncodingSortField("column_place", op="min"),
            scale=alt.Scale(paddingInner=0.08),
            axis=alt.Axis(title=None, ticks=False, domain=False, labelAngle=-40 if written else -90),
        ),
        y=alt.Y(
            "row_label:N",
            sort=alt.EncodingSortField("row_place", op="min"),
            scale=alt.Scale(paddingInner=0.08),
            axis=alt.Axis(title=None, ticks=False, domain=False),
        ),
        tooltip=[
            alt.Tooltip("row:N", title="row"),
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("difference:Q", format="+.4f", title="row − column"),
            alt.Tooltip("low:Q", format="+.4f", title="interval from"),
            alt.Tooltip("high:Q", format="+.4f", title="to"),
            alt.Tooltip("p:Q", format=".4g", title="p"),
            alt.Tooltip("adjusted_p:Q", format=".4g", title="p corrected"),
            alt.Tooltip("n_topics:Q", title="topics"),
        ],
    )
    legend = alt.Legend(title="row − column", orient="bottom", direction="horizontal", gradientLength=120, tickCount=5)
    layers = [
        base.mark_rect().encode(
            color=alt.Color("difference:Q", scale=alt.Scale(domainMid=0, interpolate="rgb"), legend=legend)
        ),
        base.transform_filter("datum.shown").mark_rect(style="outline", filled=False),
    ]
    if written:
        layers.append(base.mark_text().encode(text="p_text:N"))
    found = [one for one in contrasts if one.shown]
    pairs = [
        f"{shown(one.test.candidate)} less {shown(one.test.baseline)} {one.test.mean_difference:+.4f}, "
        + ("no test with one topic" if isnan(one.adjusted_pvalue) else f"p {one.adjusted_pvalue:.4f}")
        for one in contrasts
    ]
    return finished(
        alt.layer(*layers),
        {"pairs": rows},
        title=title,
        basis=[
            f"framed: p below {alpha:g}",
            comparison.test,
            _skewed(comparison, contrasts),
            told,
            "" if written else "p not written in so many cells",
            *basis(comparison.evaluations),
        ],
        description=(
            f"{title}: {len(found)} of {len(contrasts)} pairs of runs are shown to differ ({told}): {listed(pairs)}."
        ),
        width=width,
        height=height,
        inner_height=float(cell * len(runs)) if not written else 26.0 * len(runs),
    )


def _skewed(comparison: Comparison, contrasts: Sequence[Contrast]) -> str:
    """The caution about pairs with skewed differences; empty where there are none."""
    n = sum(one.skewed is not None for one in contrasts)
    decides = all(one.calibrated.decides for one in contrasts if one.calibrated is not None)
    n_topics = min(one.test.n_topics for one in contrasts)
    return skewed_pairs(n, len(contrasts), comparison.test, n_topics, decides=decides) if n else ""


def _rows(contrasts: Sequence[Contrast], runs: Sequence[str]) -> list[Row]:
    names = dict(zip(runs, labels(runs, 20), strict=True))
    places = {run: place for place, run in enumerate(runs, 1)}
    rows = []
    for one in contrasts:
        test, interval = one.test, one.deciding_interval
        pair = (test.candidate, test.baseline)
        ends = (interval.low, interval.high)
        turned = (-interval.high, -interval.low)
        for (row, column), sign, (low, high) in ((pair, 1, ends), (pair[::-1], -1, turned)):
            rows.append(
                {
                    "row": shown(row),
                    "column": shown(column),
                    "row_label": names[row],
                    "column_label": names[column],
                    "row_place": places[row],
                    "column_place": places[column],
                    "difference": sign * test.mean_difference,
                    "low": plain(low),
                    "high": plain(high),
                    "p": plain(test.pvalue),
                    "adjusted_p": plain(one.adjusted_pvalue),
                    "p_text": _short(one.adjusted_pvalue, one.alpha),
                    "shown": one.shown,
                    "skew_caution": one.skewed and one.skewed.code,
                    "n_topics": test.n_topics,
                }
            )
    return sorted(rows, key=lambda row: (row["row_place"], row["column_place"]))


def _short(pvalue: float, alpha: float) -> str:
    """A p-value in the width of a cell: `.012`, `<.001`, `1`, `-`; a digit more where three would cross alpha."""
    if isnan(pvalue):
        return "-"
    if pvalue < 0.001:
        return "<.001"
    if pvalue >= 0.9995:
        return "1"
    text = f"{pvalue:.3f}"
    if (float(text) < alpha) != (pvalue < alpha):
        text = f"{pvalue:.4f}"
    return text.removeprefix("0")
