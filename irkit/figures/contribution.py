"""What each part of a fusion brought to the first documents of the fused run."""

from collections.abc import Sequence
from typing import Any

from irkit.errors import DataError, UsageError
from irkit.evaluation import told_apart
from irkit.figures.drawing import COLUMN, Row, altair, finished
from irkit.figures.words import labels, shown
from irkit.qrels import Qrels, QrelsSource
from irkit.runs import Run, RunSource
from irkit.spelling import counted

SEVERAL, NONE = "several parts", "no part"


def contribution(
    fused: RunSource,
    parts: Sequence[RunSource],
    qrels: QrelsSource,
    *,
    depth: int = 10,
    rel: int = 1,
    width: float = COLUMN,
    height: float | None = None,
) -> Any:
    """Which part found the first documents of a fused run: only one of them, several or none; and so for the relevant.

    A part found a document if it has it at any rank of the topic. Counted are the judged topics that the fused run has.

    Parameters
    ----------
    fused : path, dict, table or Run
        Whatever `Run.of` takes.
    parts : sequence of these
        The runs that were fused, two at least.
    qrels : path, dict, table or Qrels
        Whatever `Qrels.of` takes.
    depth : int
        Documents of each topic.
    rel : int
        Lowest grade that counts as relevant.
    width, height : float
        Of the whole, in pixels.

    Returns
    -------
    altair.LayerChart
        Dataset `counts`: `what` (`all` or `relevant`), `bar` (the same as the axis shows it), `source` (a run,
        `several parts` or `no part`), `label`, `count`, `share` of its bar, and `place`, the order in the bar.

    Raises
    ------
    UsageError
        If there are fewer than two parts, or the depth is below 1.
    DataError
        If the fused run and the qrels have no topic in common.
    """
    alt = altair()
    if len(parts) < 2:
        raise UsageError(f"a fusion has two parts at least, got {len(parts)}")
    if depth < 1:
        raise UsageError(f"depth is 1 at least, got {depth}")
    whole, judged = Run.of(fused), Qrels.of(qrels)
    voices = told_apart([Run.of(part) for part in parts])
    counts, topics = _counts(whole, voices, judged, depth, rel)
    if not topics:
        raise DataError(f"no topic in common: {whole.name} and {judged.name}; ids are compared as text")
    names = labels([one.name for one in voices], 22)
    sources = [*(f"only {name}" for name in names), SEVERAL, NONE]
    runs = [*(shown(one.name) for one in voices), SEVERAL, NONE]
    total = {what: sum(of.values()) for what, of in counts.items()}
    bars = {"all": f"first {depth}: {total['all']}", "relevant": f"relevant: {total['relevant']}"}
    rows: list[Row] = [
        {
            "what": what,
            "bar": bars[what],
            "source": run,
            "label": label,
            "count": of.get(place, 0),
            "share": of.get(place, 0) / total[what] if total[what] else None,
            "place": place + 1,
        }
        for what, of in counts.items()
        for place, (run, label) in enumerate(zip(runs, sources, strict=True))
    ]
    graded = "" if rel == 1 else f" (grade {rel} and up)"
    title = f"Parts of {labels([whole.name])[0]}: first {depth} documents of {counted(topics, 'topic')}"
    legend = alt.Legend(title=None, orient="bottom", columns=max(1, int(width // 150)), direction="horizontal")
    base = alt.Chart(alt.NamedData(name="counts")).encode(
        y=alt.Y("bar:N", sort=[*bars.values()], axis=alt.Axis(title=None, ticks=False, domain=False)),
        x=alt.X("share:Q", stack="zero", title="share of the documents", axis=alt.Axis(format="%", tickCount=5)),
        order=alt.Order("place:Q"),
        tooltip=[
            alt.Tooltip("what:N", title="documents"),
            alt.Tooltip("label:N", title="found by"),
            alt.Tooltip("count:Q", title="number"),
            alt.Tooltip("share:Q", format=".1%", title="share"),
        ],
    )
    said = {
        what: ", ".join(f"{label} {of.get(place, 0)}" for place, label in enumerate(sources))
        for what, of in counts.items()
    }
    return finished(
        alt.layer(base.mark_bar().encode(color=alt.Color("label:N", scale=alt.Scale(domain=sources), legend=legend))),
        {"counts": rows},
        title=title,
        basis=[f"a part found a document at any rank; relevant{graded or ': grade 1 and up'}"],
        description=(
            f"{title}. All {total['all']}: {said['all']}. Relevant{graded} {total['relevant']}: {said['relevant']}."
        ),
        width=width,
        height=height,
        inner_height=64,
    )


def _counts(
    fused: Run, parts: Sequence[Run], qrels: Qrels, depth: int, rel: int
) -> tuple[dict[str, dict[int, int]], int]:
    """How many documents each source has, by its place: the parts, then several, then none; and how many topics."""
    several, none = len(parts), len(parts) + 1
    grades = {topic: dict(zip(documents, given, strict=True)) for topic, documents, given in qrels.by_topic()}
    common = [topic for topic in fused.topics if topic in grades]
    found = [{topic: set(documents) for topic, documents, _ in part.of_topics(common).by_topic()} for part in parts]
    counts: dict[str, dict[int, int]] = {"all": {}, "relevant": {}}
    for topic, documents, _ in fused.of_topics(common).first(depth).by_topic():
        for document in documents:
            by = [place for place, part in enumerate(found) if document in part.get(topic, ())]
            source = by[0] if len(by) == 1 else several if by else none
            counts["all"][source] = counts["all"].get(source, 0) + 1
            if grades[topic].get(document, 0) >= rel:
                counts["relevant"][source] = counts["relevant"].get(source, 0) + 1
    return counts, len(common)
