"""Figure: what each part of a fusion adds to the top of the fused run."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from irkit._utils.text import counted
from irkit.data.qrels import Qrels, QrelsSource
from irkit.data.runs import Run, RunSource
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import told_apart
from irkit.report.figures.captions import columns, labels, shown
from irkit.report.figures.drawing import COLUMN, Row, altair, finished

SEVERAL: Final = "several parts"
NONE: Final = "no part"
MOST_PARTS: Final = 5  # parts with their own colour, besides 'several' and 'none'
WRITTEN: Final = 0.05  # smallest share of a bar with room for a number


def contribution(
    fused: RunSource,
    parts: Sequence[RunSource],
    qrels: QrelsSource,
    *,
    depth: int = 10,
    part_depth: int | None = None,
    rel: int = 1,
    width: float = COLUMN,
    height: float | None = None,
) -> Any:
    """Draw which part of a fusion found its first documents, and the relevant ones: one part, several, or none.

    A part found a document if it is among the first documents of that part. Counts are over the judged topics of the
    fused run.

    Parameters
    ----------
    fused : path, dict, table or Run
        Any input of `Run.of`.
    parts : sequence of the same
        The fused runs, at least two.
    qrels : path, dict, table or Qrels
        Any input of `Qrels.of`.
    depth : int
        Number of documents counted for each topic.
    part_depth : int, optional
        Number of first documents of a part in which these are looked up; by default `depth`.
    rel : int
        Lowest grade that counts as relevant.
    width, height : float
        Size of the figure in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `counts`: `what` (`all` or `relevant`), `bar` (its label on the axis), `source` (a run, `several parts`
        or `no part`), `label`, `count`, `share` of its bar, `middle` of the segment as a share, and `place` in the bar.
        With more than 5 parts, the smallest are combined.

    Raises
    ------
    UsageError
        If there are fewer than two parts, or a depth is below 1.
    DataError
        If the fused run and the qrels have no topic in common.
    """
    alt = altair()
    if len(parts) < 2:
        raise UsageError(f"a fusion has two parts at least, got {len(parts)}")
    part_depth = depth if part_depth is None else part_depth
    if depth < 1 or part_depth < 1:
        raise UsageError(f"a depth is 1 at least, got {min(depth, part_depth)}")
    fused_run, judged = Run.of(fused), Qrels.of(qrels)
    voices = told_apart([Run.of(part).first(part_depth) for part in parts])
    sources, counts, n_topics = _counts(fused_run, voices, judged, depth, rel)
    if not n_topics:
        raise DataError(f"no topic in common: {fused_run.name} and {judged.name}; ids are compared as text")
    total = {what: of.total() for what, of in counts.items()}
    bars = {"all": f"first {depth}: {total['all']}", "relevant": f"relevant: {total['relevant']}"}
    rows = [row for what, of in counts.items() for row in _bar(what, bars[what], sources, of)]
    grades = "grade 1 and up" if rel == 1 else f"grade {rel} and up"
    title = f"Parts of {labels([fused_run.name])[0]}: first {depth} documents of {counted(n_topics, 'topic')}"
    names = [label for _, label in sources]
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", columns=columns(names, width - 70))
    base = alt.Chart(alt.NamedData(name="counts")).encode(
        y=alt.Y("bar:N", sort=None, axis=alt.Axis(title=None, ticks=False, domain=False, grid=False)),
        tooltip=[
            alt.Tooltip("what:N", title="documents"),
            alt.Tooltip("label:N", title="found by"),
            alt.Tooltip("count:Q", title="number"),
            alt.Tooltip("share:Q", format=".1%", title="share"),
        ],
    )
    x = {
        "title": "share of the documents",
        "axis": alt.Axis(format="%", tickCount=5),
        "scale": alt.Scale(domain=[0, 1]),
    }
    pieces = base.mark_bar().encode(
        x=alt.X("share:Q", stack="zero", **x),
        order=alt.Order("place:Q"),
        color=alt.Color("label:N", scale=alt.Scale(domain=names), legend=legend),
    )
    numbers = (
        base.transform_filter(f"datum.share >= {WRITTEN}")
        .mark_text(style="inside")
        .encode(x=alt.X("middle:Q", **x), text="count:Q")
    )
    counts_of = {
        what: ", ".join(f"{label} {of[place]}" for place, label in enumerate(names)) for what, of in counts.items()
    }
    return finished(
        alt.layer(pieces, numbers),
        {"counts": rows},
        title=title,
        basis=[f"found by a part: among its own first {part_depth}; relevant: {grades}"],
        description=(
            f"{title}. All {total['all']}: {counts_of['all']}. Relevant {total['relevant']}: {counts_of['relevant']}."
        ),
        width=width,
        height=height,
        inner_height=64,
    )


def _bar(what: str, bar: str, sources: Sequence[tuple[str, str]], counts: Counter[int]) -> list[Row]:
    total = counts.total()
    ends = list(accumulate(counts[place] for place in range(len(sources))))
    return [
        {
            "what": what,
            "bar": bar,
            "source": source,
            "label": label,
            "count": counts[place],
            "share": counts[place] / total if total else None,
            "middle": (ends[place] - counts[place] / 2) / total if total else None,
            "place": place + 1,
        }
        for place, (source, label) in enumerate(sources)
    ]


def _counts(
    fused: Run, parts: Sequence[Run], qrels: Qrels, depth: int, rel: int
) -> tuple[list[tuple[str, str]], dict[str, Counter[int]], int]:
    """Return the sources with labels, the number of documents of each by its place, and the number of topics."""
    grades = {topic: dict(zip(documents, given, strict=True)) for topic, documents, given in qrels.by_topic()}
    common = [topic for topic in fused.topics if topic in grades]
    rankings = [{topic: set(documents) for topic, documents, _ in part.of_topics(common).by_topic()} for part in parts]
    several, none = len(parts), len(parts) + 1
    counts: dict[str, Counter[int]] = {"all": Counter(), "relevant": Counter()}
    for topic, documents, _ in fused.of_topics(common).first(depth).by_topic():
        for document in documents:
            by = [place for place, part in enumerate(rankings) if document in part.get(topic, ())]
            source = by[0] if len(by) == 1 else several if by else none
            counts["all"][source] += 1
            counts["relevant"][source] += grades[topic].get(document, 0) >= rel
    names = [shown(part.name) for part in parts]
    kept = list(range(len(parts)))
    if len(parts) > MOST_PARTS:
        most = sorted(kept, key=lambda place: -counts["all"][place])[: MOST_PARTS - 1]
        kept = sorted(most)
    sources = [(names[place], f"only {label}") for place, label in enumerate(labels(names, 22)) if place in kept]
    n_others = len(parts) - len(kept)
    if n_others:
        sources.append((f"{n_others} other parts", f"only one of {n_others} others"))
    # Convert places among the parts to places among the sources.
    place_of = {place: kept.index(place) if place in kept else len(kept) for place in range(len(parts))}
    place_of |= {several: len(sources), none: len(sources) + 1}
    merged: dict[str, Counter[int]] = {"all": Counter(), "relevant": Counter()}
    for what, of in counts.items():
        for place, count in of.items():
            merged[what][place_of[place]] += count
    return [*sources, (SEVERAL, SEVERAL), (NONE, NONE)], merged, len(common)
