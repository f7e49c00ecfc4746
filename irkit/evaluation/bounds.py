"""Retrieved documents without a judgment: their number for each measure, and bounds on its value."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product
from math import inf
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.evaluation.result import Bounds, Evaluation, values_of
from irkit.evaluation.unjudged_ranks import OpenJudgments, UnjudgedCounts, UnjudgedRanks, of_topics, open_in_topics
from irkit.ids import blocks
from irkit.judged import Judged, PerTopic
from irkit.judged.kinds import AnyJudged
from irkit.measures import Measure, parse_measure, parse_measures
from irkit.measures.common import share
from irkit.measures.ideal import running
from irkit.measures.ranked import LEAST
from irkit.rules import NoRelevant

# Measures that look at the first documents most, so that unjudged ones there matter: with no cutoff, ten are counted.
TOP_HEAVY: Final = frozenset(
    {"nDCG", "DCG", "AP", "RR", "ERR", "RBP", "rbp", "GMAP", "binG", "yaap", "G", "Q", "EBR", "iRBU", "Compat"}
)
PAGE: Final = 10
JUDGED_OF: Final = frozenset(Measure("Judged").family.judgments)

# Raising a document in the first ranks never lowers them, and raising one below never raises them (or, for counts, each
# document adds its own): the extremes have all of either at the lowest grade or at the highest.
CORNERS: Final = frozenset(
    {"P", "Hits", "Success", "RR", "R", "RCap", "F", "SetP", "SetR", "SetAP", "SetF", "utility"}
    | {"DCG", "IdealDCG", "RBP", "ERR", "iRBU"}
    | {"NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonRelRet"}
)
# A document is relevant or is not, and a relevant one that changes places with one that is not, higher up, never lowers
# them: of all judgments that make j documents relevant the best has the j highest, the worst the j lowest.
EXCHANGED: Final = frozenset({"AP", "GMAP", "IPrec", "AP11pt", "binG", "Rprec", "yaap"})
# Gains by a convex ideal: lowest where each gain is at an end of the scale, and then the argument above holds for them.
GRADED: Final = frozenset({"nDCG", "rbp"})
# Measures of which only this range is known as a bound.
RANGES: Final = {
    **dict.fromkeys(("Bpref", "infAP", "Accuracy", "Compat", "G", "Q", "EBR", "ndcg_rel", "Rndcg"), (0.0, 1.0)),
    "GMBpref": (0.00001, 1.0),
}
# Of those exchanged, what is made of the sum of the precisions at the relevant documents and of their number.
Made = Callable[[PerTopic, PerTopic], PerTopic]
BY_PRECISIONS: Final[Mapping[str, Made]] = {
    "AP": lambda total, n: total / n,
    "GMAP": lambda total, n: np.maximum(total / n, LEAST),
    "yaap": lambda total, n: np.log((1.0 + total) / (1.0 + n - total)),
}
# Measures to which the pool only tells whether a topic has a relevant document.
BY_RANKS: Final = frozenset({"P", "Success", "RR"})
# Corner measures to which a document of grade 0 is as good as none, unless `rel` is 0.
BY_RELEVANT: Final = BY_RANKS | {"R"}
BLOCK: Final = 1 << 18  # ranks of the topics looked at together, so that what is made of them stays in the cache
BUDGET: Final = 100_000_000  # rows looked at for one measure, about two seconds


def with_judged(measures: Iterable[str | Measure] | str | Measure) -> tuple[Measure, ...]:
    """Insert `Judged` after each measure of the top of a ranking, to show how much of that top is judged.

    A measure with a cutoff is followed by `Judged` with the same cutoff; one without, that weighs the first ranks most,
    by `Judged@10`. Each stands once, where it is first needed.

    Parameters
    ----------
    measures
        As `parse_measures` takes them.

    Raises
    ------
    MeasureError
        If a measure does not exist.
    """
    beside = []
    for measure in parse_measures(measures):
        beside.append(measure)
        depth = measure.cutoff or (PAGE if measure.name in TOP_HEAVY else None)
        if depth is not None and measure.family.quality and JUDGED_OF.intersection(measure.family.judgments):
            beside.append(Measure("Judged") @ depth)
    return tuple(dict.fromkeys(beside))


def bounds(
    judged: AnyJudged,
    measure: str | Measure,
    *,
    no_relevant: NoRelevant = "zero",
    open_judgments: OpenJudgments | None = None,
) -> Bounds:
    """Bounds of a measure for each topic, over all judgments of the retrieved unjudged documents.

    Each of them may get any grade from 0 to the top of the scale: the measure's `max_rel`, or the best grade in the
    qrels, 1 at least. Judgments that there are stay, and so does what was not retrieved.

    Parameters
    ----------
    judged : Judged of T topics
    measure : str or Measure
        Of plain qrels.
    no_relevant : {"zero", "one", "skip", "abstain"}
        What a topic counts as long as none of its documents is relevant. With `skip` those that are left out now are
        nan.
    open_judgments : OpenJudgments, optional
        Only these documents may be judged; by default all retrieved unjudged documents.

    Returns
    -------
    Bounds
        Where nothing retrieved lacks a judgment, both are the value itself.

    Raises
    ------
    MeasureError
        If the judgments are of another kind, or nothing is known of how the measure depends on them.

    Notes
    -----
    Exact are the measures of `CORNERS`, and AP, GMAP, yaap and Rprec of `EXCHANGED`; the others of these, nDCG and rbp
    as long as every number of relevant documents can be tried. But the highest nDCG and rbp over more than two grades
    are only bounds, in which the ideal ranking keeps its grades.
    """
    measure = parse_measure(measure)
    measure.check_fits(judged.kind)
    if not isinstance(judged, Judged) or not is_bounded(measure, judged):
        raise MeasureError(
            f"{measure} has no bounds: they are known over plain qrels, for measures of how good a ranking is and not "
            "of how much was judged, and of those for the ones that the manual lists under its conventions"
        )
    if dict(measure.params).get("judged_only"):
        measure = measure(judged_only=False)  # once everything is judged
    now = values_of(measure, judged, no_relevant)
    rule: NoRelevant = "zero" if no_relevant == "skip" else no_relevant
    counts = UnjudgedCounts.of(judged, measure, open_judgments)
    starts = np.concatenate([[0], np.cumsum(judged.n_retrieved)])
    found = []
    for first, end in list(blocks(starts, BLOCK)) or [(0, judged.n_topics)]:
        gaps = UnjudgedRanks.of(
            of_topics(judged, first, end),
            measure,
            counts_zeros=measure.name in (CORNERS - BY_RELEVANT) | RANGES.keys(),
            open_judgments=None if open_judgments is None else open_in_topics(open_judgments, first, end),
            pool_depth=_pool_depth(measure),
        )
        found.append(_of_block(gaps, counts, measure, rule, now[first:end]))
    left_out = np.isnan(now)
    return Bounds(
        np.where(left_out, np.nan, np.concatenate([part.low for part in found])),
        np.where(left_out, np.nan, np.concatenate([part.high for part in found])),
        all(part.low_exact for part in found),
        all(part.high_exact for part in found),
    )


def _of_block(gaps: UnjudgedRanks, counts: UnjudgedCounts, measure: Measure, rule: NoRelevant, now: PerTopic) -> Bounds:
    """The bounds for some of the topics; `counts` are those of all topics."""

    def value(filled: Judged) -> PerTopic:
        return values_of(measure, filled, rule)

    rel = dict(measure.params).get("rel", 1)
    if measure.name in RANGES:
        return _within(gaps, now, *RANGES[measure.name])
    if measure.name in CORNERS or (measure.name in EXCHANGED and not gaps.low < rel <= gaps.high):
        return _corners(gaps, value)  # also where all grades are relevant to it, or none
    if measure.name in BY_PRECISIONS and not dict(measure.params).get("capped"):
        return _by_precisions(gaps, value, BY_PRECISIONS[measure.name], rel)
    if measure.name == "Rprec" and counts.below.any():
        return _within(gaps, now, 0.0, 1.0)  # more to find elsewhere moves the rank looked at, down or up
    if measure.name == "Rprec":
        return _r_precision(gaps, value, dict(measure.params).get("mult", 1.0), rel)
    return _tried(gaps, value, measure, list(_parts(int(counts.n.max(initial=0)), counts.cost // (1 + gaps.idle))))


def with_bounds(evaluation: Evaluation, judged: AnyJudged) -> Evaluation:
    """Add bounds of the measures to an evaluation; None for a measure without known bounds."""
    rule = evaluation.conventions.no_relevant
    found = tuple(
        bounds(judged, measure, no_relevant=rule) if is_bounded(measure, judged) else None
        for measure in evaluation.measures
    )
    return replace(evaluation, bounds=found)


def is_bounded(measure: Measure, judged: AnyJudged) -> bool:
    """Whether `bounds` supports a measure: plain qrels, and a measure with known dependence on unjudged documents."""
    # A gain for unjudged documents is lost once they are judged: the direction of that change is unknown.
    named = min(dict(dict(measure.params).get("gains") or ()), default=0) < 0
    return type(judged) is Judged and not named and measure.name in CORNERS | EXCHANGED | GRADED | RANGES.keys()


def _pool_depth(measure: Measure) -> int | None:
    """How many lines of each topic's pool, best grade first, a measure looks at; None for all of them."""
    if measure.name in BY_RANKS:
        return 1
    return measure.cutoff if measure.name == "nDCG" and not dict(measure.params).get("gains") else None


def _within(gaps: UnjudgedRanks, now: PerTopic, low: float, high: float) -> Bounds:
    """Anything in the range where a document is unjudged; the value itself where none is."""
    open_ = gaps.n + gaps.below > 0
    exact = not open_.any()
    return Bounds(np.where(open_, low, now), np.where(open_, high, now), exact, exact)


def _corners(gaps: UnjudgedRanks, value: Callable[[Judged], PerTopic]) -> Bounds:
    """All of the first ranks raised or none, all below or none."""
    # The lowest one alone makes a topic relevant that had nothing to find, whatever the convention counts for that.
    cases = [
        value(gaps.filled(gaps.from_bottom <= n, np.minimum(gaps.n, n) + below))
        for n, below in product((0, 1, int(gaps.n.max(initial=0))), (gaps.below, 0 * gaps.below))
    ]
    return Bounds(np.min(cases, axis=0), np.max(cases, axis=0), True, True)


def _by_precisions(gaps: UnjudgedRanks, value: Callable[[Judged], PerTopic], made: Made, rel: int) -> Bounds:
    """Bounds as `_tried`, with each number of raised documents computed from the number before.

    A document that is raised adds its own precision, and to that of each relevant document below it one more above.
    """
    rows, unjudged, topic = gaps.judged, gaps.unjudged, gaps.judged.topic
    n_relevant = rows.n_relevant(rel)
    hit = ~unjudged & (rows.grade >= rel)
    above = rows.count_above(hit)
    now = rows.sum_by_topic(hit * above / rows.rank)

    def below(counted: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        shares = counted / rows.rank
        return rows.sum_by_topic(shares)[topic] - running(topic, shares)

    below_hit = below(hit)
    # From the top: those raised before stand above. From the bottom: they stand below.
    added = unjudged * ((above + gaps.from_top) / rows.rank + below_hit)
    n = (n_relevant[topic] + gaps.from_top).astype(np.float64)
    best = np.minimum(now[topic] + running(topic, added), n)
    high = made(best[unjudged], n[unjudged])
    added = unjudged * ((above + 1) / rows.rank + below_hit + below(unjudged))
    n = ((n_relevant + gaps.below)[topic] + gaps.from_bottom).astype(np.float64)
    worst = (now + rows.sum_by_topic(added))[topic] - running(topic, added) + added
    return _extreme(gaps, value, made(worst[unjudged], n[unjudged]), high)


def _r_precision(gaps: UnjudgedRanks, value: Callable[[Judged], PerTopic], mult: float, rel: int) -> Bounds:
    """Bounds as `_tried`, counting relevant documents down to the rank R for each number of raised documents."""
    rows, topic = gaps.judged, gaps.judged.topic[gaps.unjudged]
    length, n_relevant = rows.n_retrieved[topic], rows.n_relevant(rel)[topic]
    start = (np.cumsum(rows.n_retrieved) - rows.n_retrieved)[topic]
    hits, unjudged = rows.count_above(~gaps.unjudged & (rows.grade >= rel)), rows.count_above(gaps.unjudged)

    def precision(n_raised: npt.NDArray[np.int64], n_spared: npt.NDArray[np.int64]) -> PerTopic:
        """The highest `n_raised` of the unjudged documents raised, but for the first `n_spared` of them."""
        depth = np.floor(mult * (n_relevant + n_raised - n_spared) + 0.9)
        last = start + np.minimum(depth, length).astype(np.int64) - 1
        raised = np.maximum(np.minimum(unjudged[last], n_raised) - n_spared, 0)
        return share(np.where(depth > 0, hits[last] + raised, 0), depth)

    number = gaps.from_top[gaps.unjudged]
    return _extreme(gaps, value, precision(gaps.n[topic], number - 1), precision(number, 0 * number))


def _extreme(gaps: UnjudgedRanks, value: Callable[[Judged], PerTopic], worst: PerTopic, best: PerTopic) -> Bounds:
    """Extremes of each topic over the numbers of raised documents, from none to all unjudged ones."""
    none, topic = np.zeros_like(gaps.unjudged), gaps.judged.topic[gaps.unjudged]
    low, high = value(gaps.filled(none, gaps.below)), value(gaps.filled(none, 0 * gaps.n))
    np.minimum.at(low, topic, worst)
    np.maximum.at(high, topic, best)
    return Bounds(low, high, True, True)


def _tried(
    gaps: UnjudgedRanks, value: Callable[[Judged], PerTopic], measure: Measure, parts: list[tuple[int, int]]
) -> Bounds:
    """Every number of documents raised: the lowest of them and all below, the highest of them and none below."""
    exact = len(parts) == parts[-1][1] + 1
    low, high = np.full(len(gaps.n), inf), np.full(len(gaps.n), -inf)
    for first, last in parts:
        # A part stands for all its numbers: as few found as its first has, as many to find as its last, and vice versa.
        worst = gaps.filled(gaps.from_bottom <= first, np.minimum(gaps.n, last) + gaps.below)
        best = gaps.filled(gaps.from_top <= last, np.minimum(gaps.n, first))
        low, high = np.minimum(low, value(worst)), np.maximum(high, value(best))
    if measure.name in GRADED and not gaps.binary:
        reached = high if exact else np.full(len(high), -inf)
        flat = gaps.filled(gaps.unjudged, 0 * gaps.n)
        # Nothing to find yet, nothing to divide by.
        bound = np.where(measure.n_findable(flat) > 0, value(flat), 1.0)
        high = np.where(gaps.n > 0, np.maximum(np.minimum(bound, 1.0), reached), high)
        return Bounds(low, high, exact, bool((reached >= high).all()))
    return Bounds(low, np.minimum(high, 1.0) if not exact else high, exact, exact)


def _parts(most: int, cost: int) -> Iterator[tuple[int, int]]:
    """Split the numbers from 0 to `most` into ranges; a range of one number where that is cheap.

    0 is one by itself, since with nothing to find there is nothing to divide by.
    """
    n_parts = min(most, max(1, BUDGET // (2 * max(cost, 1))))
    edges = [1 + most * part // max(n_parts, 1) for part in range(n_parts + 1)]
    yield 0, 0
    yield from ((first, after - 1) for first, after in pairwise(edges))
