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

CELL = 34  # pixels for a run, with p in the cells
SMALL = 14  # pixels for a run, without p
WRITTEN = 10  # runs


def significance(
    comparison: Comparison,
    measure: str | Measure | None = None,
    *,
    width: float | None = None,
    height: float | None = None,
) -> Any:
    """Draw the difference of every two runs as a colour with its corrected p-value; significant cells are framed.

    A cell is the run of its row minus the run of its column; runs are ordered by mean, best first.

    Parameters
    ----------
    comparison : Comparison
        Result of `irkit.compare(evaluations, baseline="all pairs")`; pairs that were not compared are empty cells.
    measure : str or Measure, optional
        By default the first measure tested.
    width, height : float, optional
        Size of the figure in pixels; by default a column of a paper, or the size that the runs need.

    Returns
    -------
    altair.LayerChart
        Dataset `pairs`, in both orders: `row`, `column`, `row_label`, `column_label`, `row_place`, `column_place`,
        `difference`, `low`, `high`, `p`, `adjusted_p`, `p_text`, `shown` (the corrected p is below alpha),
        `skew_caution` ("skewed" where differences are too skewed for the test), `n_topics`.
        With more than 10 runs, cells do not show p.

    Raises
    ------
    UsageError
        If the object is not a Comparison, or the measure was not tested.
    DataError
        If only groups of topics were tested, not all topics together.
    """
    alt = altair()
    if not isinstance(comparison, Comparison):
        raise UsageError(f"the figure shows a result of irkit.compare, not {type(comparison).__name__}")
    tested = dict.fromkeys(mean.measure for mean in comparison.means)
    chosen = next(iter(tested)) if measure is None else str(parse_measure(measure))
    if chosen not in tested:
        raise UsageError(f"{chosen} was not tested; there are {', '.join(tested)}")
    contrasts = [
        contrast for contrast in comparison.contrasts if contrast.group is None and contrast.test.measure == chosen
    ]
    if not contrasts:
        raise DataError(f"the comparison has no test of {chosen} over all topics")
    means = {
        mean.run: mean.interval.estimate for mean in comparison.means if mean.group is None and mean.measure == chosen
    }
    runs = sorted(means, key=lambda run: -means[run])
    rows = _rows(contrasts, runs)
    written = len(runs) <= WRITTEN
    cell = CELL if written else SMALL
    if width is None:
        width = max(COLUMN, cell * len(runs) + 110)
    topics = range_of_topics(
        min(contrast.test.n_topics for contrast in contrasts), max(contrast.test.n_topics for contrast in contrasts)
    )
    alpha = contrasts[0].alpha
    correction = f"p corrected, {comparison.family}" if comparison.family else "p not corrected"
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
    significant = [contrast for contrast in contrasts if contrast.shown]
    pairs = [
        f"{shown(contrast.test.candidate)} less {shown(contrast.test.baseline)} {contrast.test.mean_difference:+.4f}, "
        + ("no test with one topic" if isnan(contrast.adjusted_pvalue) else f"p {contrast.adjusted_pvalue:.4f}")
        for contrast in contrasts
    ]
    return finished(
        alt.layer(*layers),
        {"pairs": rows},
        title=title,
        basis=[
            f"framed: p below {alpha:g}",
            comparison.test,
            _skewed(comparison, contrasts),
            correction,
            "" if written else "p not shown in so many cells",
            *basis(comparison.evaluations),
        ],
        description=(
            f"{title}: {len(significant)} of {len(contrasts)} pairs of runs are shown to differ ({correction}): "
            f"{listed(pairs)}."
        ),
        width=width,
        height=height,
        inner_height=float(cell * len(runs)) if not written else 26.0 * len(runs),
    )


def _skewed(comparison: Comparison, contrasts: Sequence[Contrast]) -> str:
    """Return the caution about pairs with skewed differences; empty without such pairs."""
    n = sum(contrast.skewed is not None for contrast in contrasts)
    decides = all(contrast.calibrated.decides for contrast in contrasts if contrast.calibrated is not None)
    n_topics = min(contrast.test.n_topics for contrast in contrasts)
    return skewed_pairs(n, len(contrasts), comparison.test, n_topics, decides=decides) if n else ""


def _rows(contrasts: Sequence[Contrast], runs: Sequence[str]) -> list[Row]:
    names = dict(zip(runs, labels(runs, 20), strict=True))
    places = {run: place for place, run in enumerate(runs, 1)}
    rows = []
    for contrast in contrasts:
        test, interval = contrast.test, contrast.deciding_interval
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
                    "adjusted_p": plain(contrast.adjusted_pvalue),
                    "p_text": _short(contrast.adjusted_pvalue, contrast.alpha),
                    "shown": contrast.shown,
                    "skew_caution": contrast.skewed and contrast.skewed.code,
                    "n_topics": test.n_topics,
                }
            )
    return sorted(rows, key=lambda row: (row["row_place"], row["column_place"]))


def _short(pvalue: float, alpha: float) -> str:
    """Format a p-value for a cell: `.012`, `<.001`, `1`, `-`; with a fourth digit if three would cross alpha."""
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
