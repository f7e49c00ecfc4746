"""Report of the similarity of runs."""

from typing import Any, Final

from irkit._utils.numerals import four_decimals
from irkit._utils.text import counted
from irkit.evaluation.summary import Shown, some
from irkit.report.text.layout import Cell, Grid, Line
from irkit.report.text.records import Records
from irkit.report.text.sections import Sections
from irkit.stats.rankings.similarity import Similarity

TIES: Final = {
    "w": "equally good",
    "a": "in an order that is not known",
    "b": "in an order that is not known, and a run agrees with itself wholly",
}
NUMBERING: Final = {"appearance": "in the order of the first run", "sorted": "by their ids"}
BLIND: Final = "it is 1 too for runs without a document in common: read it beside RBO"
_SHORT: Final = {"rbo": "RBO", "rbo_least": "least", "rbo_most": "most", "tau_union": "KTU"}


def sheet(similarity: Similarity, shown: Shown, *, by_topic: bool) -> Sections:
    """Show the means of each pair, its topics if requested, and the topics that differ most."""
    missing = [
        f"{shown(run)}: {counted(len(topics), 'topic')} that another run lacks (left out): "
        f"{some(list(map(shown, topics)))}"
        for run, topics in similarity.left_out
    ]
    pairs = range(len(similarity.overlaps))
    means = [Line(_names(similarity, pair, shown), _cells(similarity.means(pair))) for pair in pairs]
    columns = tuple(map(_column, similarity.columns))
    tables = [(f"Mean over {counted(len(similarity.topics), 'topic')}", Grid(("run", "and"), columns, (tuple(means),)))]
    if by_topic:
        sections = [
            (
                Line((f"{shown(overlap.first)}, {shown(overlap.second)}",), (), title=True),
                *(
                    Line((f"  topic {shown(topic)}",), _cells(values))
                    for topic, values in zip(similarity.topics, similarity.values(pair).tolist(), strict=True)
                ),
            )
            for pair, overlap in enumerate(similarity.overlaps)
        ]
        tables.append(("Topic by topic", Grid(("runs, topic",), columns, tuple(sections))))
    if different := similarity.most_different():
        lines = tuple(Line((shown(topic),), (Cell(four_decimals(mean)),)) for topic, mean in different)
        which = "mean RBO of the pairs" if len(pairs) > 1 else "RBO"
        tables.append(("Topics that differ most", Grid(("topic",), (which,), (lines,))))
    basis = [
        f"{counted(len(similarity.topics), 'topic')} compared (those in every run); no judgments are used",
        *missing,
    ]
    return Sections(basis, bool(missing), _explained(similarity), tables, list(map(shown, similarity.notes)))


def _explained(similarity: Similarity) -> list[str]:
    first, deepest = similarity.overlaps[0], similarity.cutoffs[-1]
    n_topics = len(similarity.topics)
    read = "" if first.depth is None else f"; {counted(first.depth, 'rank')} read"
    n_tied = max(overlap.n_tied for overlap in similarity.overlaps)
    most = "up to " if len(similarity.overlaps) > 1 else ""
    tied = f"{most}{n_tied} of {counted(n_topics, 'topic')}" if n_tied else "no topic"
    return [
        "overlap@k: share of the first k ranks that hold the same documents; "
        f"AO@{deepest}: its mean over depths 1 to {deepest}",
        f"RBO: rank-biased overlap, p={first.p:g}, extrapolated; between least and most whatever follows; documents of "
        f"one score (in {tied}): variant {first.ties}, {TIES[first.ties]}",
        "KTU: Kendall's tau union, between the documents at each rank, numbered "
        f"{NUMBERING[similarity.unions[0].numbering]}{read}; {BLIND}",
    ]


def _names(similarity: Similarity, pair: int, shown: Shown) -> tuple[str, str]:
    return shown(similarity.overlaps[pair].first), shown(similarity.overlaps[pair].second)


def _column(name: str) -> str:
    return _SHORT.get(name, name.replace("average_overlap", "AO"))


def _cells(values: Any) -> tuple[Cell, ...]:
    return tuple(Cell(four_decimals(value)) for value in values)


def records(similarity: Similarity, *, by_topic: bool) -> Records:
    """Make a record for each pair and topic, if requested, and for the means of each pair (topic None)."""
    fields = ("first", "second", "topic", "n_topics", *similarity.columns, "p", "ties", "numbering", "depth")
    rows: list[tuple[Any, ...]] = []
    for pair, overlap in enumerate(similarity.overlaps):
        names = (overlap.first, overlap.second)
        how = (overlap.p, overlap.ties, similarity.unions[pair].numbering, overlap.depth)
        if by_topic:
            for topic, values in zip(similarity.topics, similarity.values(pair).tolist(), strict=True):
                rows.append((*names, topic, None, *values, *how))
        rows.append((*names, None, len(similarity.topics), *similarity.means(pair), *how))
    return Records(fields, tuple(rows))
