"""Documents that were retrieved and not judged: how many there are beside each measure, and what they could change."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import inf
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.evaluation import Bounds, Evaluation, values_of
from irkit.judged import Judged, PerTopic
from irkit.judgments import AnyJudged
from irkit.measures import Measure, parse_measure, parse_measures
from irkit.measures.common import every_rank, top
from irkit.measures.gains import gain_of
from irkit.rules import NoRelevant

# Measures that look at the first documents most, so that unjudged ones there matter: with no cutoff, ten are counted.
TOP_HEAVY: Final = frozenset({"nDCG", "DCG", "AP", "RR", "ERR", "RBP", "rbp", "GMAP", "binG", "yaap", "G"})
PAGE: Final = 10

# Raising a document in the first ranks never lowers them, and raising one below never raises them (or, for counts, each
# document adds its own): the extremes have all of either at the lowest grade or at the highest.
CORNERS: Final = frozenset(
    {
        "P",
        "Success",
        "RR",
        "R",
        "relative_P",
        "SetP",
        "SetR",
        "SetAP",
        "SetF",
        "utility",
        "DCG",
        "IdealDCG",
        "RBP",
        "ERR",
    }
    | {"NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonRelRet"}
)
# A document is relevant or is not, and a relevant one that changes places with one that is not, higher up, never lowers
# them: of all judgments that make j documents relevant the best has the j highest, the worst the j lowest.
EXCHANGED: Final = frozenset({"AP", "GMAP", "IPrec", "AP11pt", "binG", "Rprec", "yaap"})
# Gains by a convex ideal: lowest where each gain is at an end of the scale, and then the argument above holds for them.
GRADED: Final = frozenset({"nDCG", "rbp"})
# Within these and no more is said.
RANGES: Final = {
    **dict.fromkeys(("Bpref", "infAP", "G", "ndcg_rel", "Rndcg"), (0.0, 1.0)),
    "GMBpref": (0.00001, 1.0),
}
# More documents relevant may both raise and lower these where the ranks stay: so many are not tried in parts.
WHOLE: Final = {"Rprec": (0.0, 1.0), "yaap": (-inf, inf)}

BUDGET: Final = 100_000_000  # rows looked at for one bound, about a second or two


def with_judged(measures: Iterable[str | Measure] | str | Measure) -> tuple[Measure, ...]:
    """The measures, and behind those that look at the top of a ranking how much of that top was judged.

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
        if depth is not None and "qrels" in measure.family.judgments and measure.family.quality:
            beside.append(Measure("Judged") @ depth)
    return tuple(dict.fromkeys(beside))


def bounds(judged: AnyJudged, measure: str | Measure, no_relevant: NoRelevant = "zero") -> Bounds:
    """The lowest and the highest value that judgments of the documents retrieved and not judged could give.

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
    Exact are the measures of `CORNERS`, and those of `EXCHANGED` and `GRADED` as long as every number of relevant
    documents can be tried; but the highest nDCG and rbp over more than two grades are only bounds, where the ideal
    ranking keeps its grades: trying them all is out of reach.
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
    gaps = _Gaps.of(judged, measure)
    rule: NoRelevant = "zero" if no_relevant == "skip" else no_relevant

    def value(filled: Judged) -> PerTopic:
        return values_of(measure, filled, rule)

    if measure.name in RANGES:
        found = _within(gaps, value, *RANGES[measure.name])
    elif measure.name in CORNERS:
        found = _corners(gaps, value)
    else:
        found = _tried(gaps, value, measure)
    left_out = np.isnan(now)
    return replace(found, low=np.where(left_out, np.nan, found.low), high=np.where(left_out, np.nan, found.high))


def with_bounds(evaluation: Evaluation, judged: AnyJudged) -> Evaluation:
    """The evaluation of what is judged so with the bounds of its measures, None where they are not known."""
    rule = evaluation.conventions.no_relevant
    found = tuple(bounds(judged, one, rule) if is_bounded(one, judged) else None for one in evaluation.measures)
    return replace(evaluation, bounds=found)


def is_bounded(measure: Measure, judged: AnyJudged) -> bool:
    """Whether `bounds` has an answer: for plain qrels, and a measure of which it is known how it depends on them."""
    return isinstance(judged, Judged) and measure.name in CORNERS | EXCHANGED | GRADED | RANGES.keys()


@dataclass(frozen=True, slots=True)
class _Gaps:
    """The ranks that count for a measure, a row for each; and where the unjudged documents stand.

    `n` of them are in these ranks and `below` deeper, shape (T,); `from_top` and `from_bottom` count them in each topic
    from 1, shape (N,), and are beyond all of them elsewhere. `low` and `high` are the grades that gain least and most,
    `binary` says that there is none between, and `idle` that a document of the lowest is as good as none.
    """

    judged: Judged
    unjudged: npt.NDArray[np.bool_]
    from_top: npt.NDArray[np.int64]
    from_bottom: npt.NDArray[np.int64]
    n: npt.NDArray[np.int64]
    below: npt.NDArray[np.int64]
    low: int
    high: int
    binary: bool
    idle: bool

    @classmethod
    def of(cls, judged: Judged, measure: Measure) -> "_Gaps":
        params = measure.family.defaults() | dict(measure.params)
        highest = params.get("max_rel") or max(judged.top_grade, 1)
        low, high = _extremes(highest, params)
        lacking = judged.n_retrieved - np.bincount(judged.topic[judged.grade >= 0], minlength=judged.n_topics)
        pooled = judged.pool_grade >= 0
        rows = every_rank(
            replace(
                top(judged, measure.cutoff),
                pool_topic=judged.pool_topic[pooled],
                pool_grade=judged.pool_grade[pooled],
                top_grade=max(judged.top_grade, 1),
            )
        )
        unjudged = rows.grade < 0
        n = np.bincount(rows.topic[unjudged], minlength=rows.n_topics)
        above = rows.count_above(unjudged)
        beyond = n.max(initial=0) + 1
        from_top = np.where(unjudged, above, beyond)
        from_bottom = np.where(unjudged, n[rows.topic] - above + 1, beyond)
        gains_nothing = low == 0 and not dict(params.get("gains") or ()).get(0) and params.get("rel") != 0
        idle = gains_nothing and measure.name in EXCHANGED | GRADED  # others count such documents
        return cls(rows, unjudged, from_top, from_bottom, n, lacking - n, low, high, highest == 1, idle)

    @property
    def cost(self) -> int:
        """Rows and lines of the pool in one of the cases tried, about."""
        cost = len(self.unjudged) + len(self.judged.pool_grade) + int((self.n + self.below).sum())
        return cost // 2 if self.idle else cost

    def filled(self, raised: npt.NDArray[np.bool_], in_pool: npt.NDArray[np.int64]) -> Judged:
        """Judged throughout: the raised rows at the highest grade, the others at the lowest.

        `in_pool` is how many documents have the highest grade in the pool of each topic, shape (T,).
        """
        grade = np.where(self.unjudged, np.where(raised, self.high, self.low), self.judged.grade)
        kept = np.flatnonzero(grade > 0) if self.idle else slice(None)
        pool_topic, pool_grade = self._pool(in_pool)
        return replace(
            self.judged,
            topic=self.judged.topic[kept],
            rank=self.judged.rank[kept],
            grade=grade[kept],
            pool_topic=pool_topic,
            pool_grade=pool_grade,
        )

    def _pool(self, n_high: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The pool of each topic, best grade first: the highest, those judged, the lowest."""
        size = np.bincount(self.judged.pool_topic, minlength=self.judged.n_topics)
        whole = size + (n_high if self.idle else self.n + self.below)
        topic = np.repeat(np.arange(len(whole)), whole)
        place = np.arange(len(topic)) - (np.cumsum(whole) - whole)[topic] - n_high[topic]
        known = (place >= 0) & (place < size[topic])
        grade = np.where(place < 0, self.high, self.low)
        grade[known] = self.judged.pool_grade
        return topic, grade


def _extremes(highest: int, params: dict[str, object]) -> tuple[int, int]:
    """The grades from 0 to `highest` that gain least and most: these two, unless gains are named."""
    named = [grade for grade, _ in params.get("gains") or ()]  # type: ignore[attr-defined]
    near = {0, highest} | {grade + step for grade in named for step in (-1, 0, 1)}
    grades = np.array(sorted(grade for grade in near if 0 <= grade <= highest))
    gains = gain_of(grades, gains=params.get("gains") or ())  # type: ignore[arg-type]
    return int(grades[gains.argmin()]), int(grades[gains.argmax()])


def _within(gaps: _Gaps, value: Callable[[Judged], PerTopic], low: float, high: float) -> Bounds:
    """Anything in the range where a document is unjudged; the value itself where none is."""
    open_ = gaps.n > 0
    itself = value(gaps.filled(gaps.unjudged, gaps.n))
    exact = not open_.any()
    return Bounds(np.where(open_, low, itself), np.where(open_, high, itself), exact, exact)


def _corners(gaps: _Gaps, value: Callable[[Judged], PerTopic]) -> Bounds:
    """All of the first ranks raised or none, all below or none."""
    # The lowest one alone makes a topic relevant that had nothing to find, whatever the convention counts for that.
    cases = [
        value(gaps.filled(gaps.from_bottom <= n, np.minimum(gaps.n, n) + below))
        for n, below in product((0, 1, int(gaps.n.max(initial=0))), (gaps.below, 0 * gaps.below))
    ]
    return Bounds(np.min(cases, axis=0), np.max(cases, axis=0), True, True)


def _tried(gaps: _Gaps, value: Callable[[Judged], PerTopic], measure: Measure) -> Bounds:
    """Every number of documents raised: the lowest of them and all below, the highest of them and none below."""
    most = int(gaps.n.max(initial=0))
    parts = list(_parts(most, gaps.cost))
    exact = len(parts) == most + 1
    if not exact and measure.name in WHOLE:
        return _within(gaps, value, *WHOLE[measure.name])
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
    """The numbers from 0 to `most` in parts, each from its first to its last: of one number where that costs little.

    0 is one by itself, since with nothing to find there is nothing to divide by.
    """
    n_parts = min(most, max(1, BUDGET // (2 * max(cost, 1))))
    edges = [1 + most * part // max(n_parts, 1) for part in range(n_parts + 1)]
    yield 0, 0
    yield from ((first, after - 1) for first, after in pairwise(edges))
