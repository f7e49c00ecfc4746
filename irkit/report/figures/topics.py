"""Two runs topic by topic: their scores against each other, and their differences in order."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from irkit._utils.text import counted
from irkit.errors import DataError
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.report.figures.captions import LONGEST_TEXT, basis, labels, shortened, shown
from irkit.report.figures.drawing import COLUMN, Row, altair, checked, finished, measure_of
from irkit.stats.paired.differences import paired_differences

if TYPE_CHECKING:
    from irkit.data.topics import Topics

MANY = 1500  # with more topics, dots have no names for screen readers


def scatter(
    a: Evaluation,
    b: Evaluation,
    measure: str | Measure | None = None,
    *,
    texts: "Topics | Mapping[str, str] | None" = None,
    groups: Mapping[str, Hashable] | None = None,
    width: float = COLUMN,
    height: float | None = None,
) -> Any:
    """Draw the scores of two runs, a dot for each topic: run A on x, run B on y; B is better above the diagonal.

    Parameters
    ----------
    a, b : Evaluation
        Evaluations with the same rules and conventions. The figure shows the topics for which both have values.
    measure : str or Measure, optional
        By default the first measure of A.
    texts : Topics, or mapping of topic to text, optional
        Texts shown with the topic ids.
    groups : mapping of topic to group, optional
        Groups shown with the topic ids.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `topics`, a row for each topic: `topic`, `a`, `b` (the scores), `difference` (b minus a), `text` and
        `group` (empty if not given). Scales, diagonal and colours follow the data, so that a page may replace the rows
        by those of any two runs. Texts with the names of the runs are in `title` (`text` and `subtitle`, lists of
        lines), `description`, and the titles of both axes, `layer[1].encoding.x.title` and `.y.title`.

    Raises
    ------
    UsageError
        If the measure was not evaluated.
    DataError
        If rules or conventions of the evaluations differ, or they share no topic with a value.
    """
    alt = altair()
    pair = checked([a, b])
    chosen = measure_of(pair, measure)
    rows = topic_rows(pair[0], pair[1], chosen, texts=texts, groups=groups)
    data = alt.Chart(alt.NamedData(name="topics"))
    x = alt.X("a:Q", title=f"A: {labels([pair[0].name])[0]}, {chosen}", axis=alt.Axis(tickCount=5))
    y = alt.Y("b:Q", title=f"B: {labels([pair[1].name])[0]}, {chosen}", axis=alt.Axis(tickCount=5))
    ends = (
        data.transform_aggregate(a0="min(a)", a1="max(a)", b0="min(b)", b1="max(b)")
        .transform_calculate(low="min(datum.a0, datum.b0)", high="max(datum.a1, datum.b1)")
        .mark_rule(style="quiet")
        .encode(x=alt.X("low:Q"), x2="high:Q", y=alt.Y("low:Q"), y2="high:Q")
    )
    dots = (
        data.transform_calculate(side=_SIDE, said=_SAID)
        .mark_point(aria=len(rows) <= MANY, opacity=0.75, size=40 if len(rows) <= 300 else 14)
        .encode(x=x, y=y, description="said:N", tooltip=_tooltip(), **_by_side())
    )
    return _finished(alt.layer(ends, dots), rows, pair, chosen, width, height, width * 0.85)


def differences(
    a: Evaluation,
    b: Evaluation,
    measure: str | Measure | None = None,
    *,
    texts: "Topics | Mapping[str, str] | None" = None,
    groups: Mapping[str, Hashable] | None = None,
    width: float = COLUMN,
    height: float | None = None,
) -> Any:
    """Draw the difference B - A of two runs for each topic, largest first.

    Parameters
    ----------
    a, b, measure, texts, groups, width, height
        As in `scatter`.

    Returns
    -------
    altair.Chart
        Dataset `topics`, as in `scatter`; `title` and `description` name the runs.

    Raises
    ------
    UsageError, DataError
        As in `scatter`.
    """
    alt = altair()
    pair = checked([a, b])
    chosen = measure_of(pair, measure)
    rows = topic_rows(pair[0], pair[1], chosen, texts=texts, groups=groups)
    bars = (
        alt.Chart(alt.NamedData(name="topics"))
        .transform_filter("isValid(datum.difference)")
        .transform_window(
            place="row_number()", sort=[alt.SortField("difference", order="descending"), alt.SortField("topic")]
        )
        .transform_calculate(side=_SIDE, left="datum.place - 0.95", right="datum.place - 0.05")
        .mark_bar(aria=len(rows) <= MANY)
        .encode(
            x=alt.X(
                "left:Q",
                title="topics, largest difference first",
                scale=alt.Scale(nice=False, zero=True),
                axis=alt.Axis(grid=False, tickMinStep=1, tickCount=6, format="d"),
            ),
            x2="right:Q",
            y2=alt.datum(0),
            y=alt.Y("difference:Q", title=f"{chosen}, B − A", axis=alt.Axis(tickCount=6)),
            tooltip=_tooltip(),
            **_by_side(),
        )
    )
    return _finished(bars, rows, pair, chosen, width, height, min(200.0, width * 0.5))


_SIDE = "datum.difference > 0 ? 'B higher' : datum.difference < 0 ? 'A higher' : 'equal'"
# Text of a dot for screen readers. Without it, Vega-Lite builds an expression from the titles of the axes; these
# contain names of runs, which must never be part of an expression.
_SAID = "datum.topic + ': A ' + format(datum.a, '.4f') + ', B ' + format(datum.b, '.4f')"


def _by_side() -> dict[str, Any]:
    alt = altair()
    sides = ["A higher", "B higher", "equal"]  # A has the colour of the first run, B that of the second
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal")
    return {"color": alt.Color("side:N", scale=alt.Scale(domain=sides), legend=legend)}


def _tooltip() -> list[Any]:
    alt = altair()
    return [
        alt.Tooltip("topic:N", title="topic"),
        alt.Tooltip("text:N", title="text"),
        alt.Tooltip("group:N", title="group"),
        alt.Tooltip("a:Q", format=".4f", title="A"),
        alt.Tooltip("b:Q", format=".4f", title="B"),
        alt.Tooltip("difference:Q", format="+.4f", title="B − A"),
    ]


def topic_rows(
    a: Evaluation,
    b: Evaluation,
    measure: Measure,
    *,
    texts: "Topics | Mapping[str, str] | None" = None,
    groups: Mapping[str, Hashable] | None = None,
) -> list[Row]:
    """Return the rows of the dataset `topics`, in the order of A's topics."""
    known = texts if isinstance(texts, Mapping) else {topic.id: topic.text for topic in texts or ()}
    theirs = dict(zip(b.topics, b.by_topic(measure).tolist(), strict=True))
    pairs = {
        topic: (ours, theirs[topic])
        for topic, ours in zip(a.topics, a.by_topic(measure).tolist(), strict=True)
        if topic in theirs and not np.isnan(ours) and not np.isnan(theirs[topic])
    }
    if not pairs:
        raise DataError(f"{a.name} and {b.name} have no topic with a value of {measure}")
    paired = paired_differences([other for _, other in pairs.values()], [ours for ours, _ in pairs.values()])
    return [
        {
            "topic": shown(topic),
            "a": ours,
            "b": other,
            "difference": difference,
            "text": shortened(shown(known.get(topic, "")), LONGEST_TEXT),
            "group": shown(str((groups or {}).get(topic, ""))),
        }
        for (topic, (ours, other)), difference in zip(
            pairs.items(), (paired.values * paired.unit).tolist(), strict=True
        )
    ]


def _finished(
    chart: Any,
    rows: list[Row],
    pair: tuple[Evaluation, ...],
    measure: Measure,
    width: float,
    height: float | None,
    inner_height: float,
) -> Any:
    a, b = (shown(run.name) for run in pair)
    names = labels([run.name for run in pair], 40)
    topics = counted(len(rows), "topic")
    signs = [np.sign(row["difference"]) for row in rows]
    higher = f"B higher on {signs.count(1)}, A on {signs.count(-1)}, equal on {signs.count(0)}"
    largest = max(rows, key=lambda row: abs(row["difference"]))
    means = f"means {np.mean([row['a'] for row in rows]):.4f} and {np.mean([row['b'] for row in rows]):.4f}"
    left_out = len(set(pair[0].topics) | set(pair[1].topics)) - len(rows)
    return finished(
        chart,
        {"topics": rows},
        title=f"{measure} by topic, {topics}",
        basis=[
            f"A: {names[0]}, B: {names[1]}",
            higher,
            f"{counted(left_out, 'topic')} without a value left out" if left_out else "",
            *basis(pair),
        ],
        description=(
            f"{measure} of {topics}, run A {a} against run B {b}: {higher}; {means}; the largest difference is "
            f"{largest['difference']:+.4f}, topic {largest['topic']}."
        ),
        width=width,
        height=height,
        inner_height=inner_height,
    )
