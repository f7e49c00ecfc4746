"""Holes: unjudged documents near the top of runs, what they could change, and which to judge next."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from irkit._utils.text import instead
from irkit.data.qrels import Qrels, QrelsSource
from irkit.data.runs import Run, RunSource, name_of, run_names
from irkit.errors import DataError, MeasureError, UsageError
from irkit.evaluation.bounds import PAGE, is_bounded
from irkit.evaluation.result import Bounds, Evaluation, told_apart
from irkit.evaluation.scoring import Evaluator
from irkit.evaluation.unjudged_ranks import extreme_grades, highest_grade
from irkit.holes.bounds import extremes_of
from irkit.holes.context import HolesContext, swings
from irkit.holes.result import (
    NOTHING,
    By,
    DifferenceBounds,
    Hole,
    Holes,
    MeanBounds,
    RunHoles,
    difference_change,
    value_change,
)
from irkit.holes.unjudged_documents import find
from irkit.judged import Judged, PerTopic
from irkit.measures import Measure, parse_measure
from irkit.rules import TREC_EVAL_10, AverageOver, NoRelevant, Rules

if TYPE_CHECKING:
    from irkit.data.passages import CollapseAt, CollapseBy
    from irkit.data.topic_matching import MatchTopics
    from irkit.data.topic_subsets import TopicList

__all__ = ["DifferenceBounds", "Hole", "Holes", "MeanBounds", "RunHoles", "find_holes"]

_DIGITS = 12  # of a change, behind the point: equal changes of two topics may be rounded differently


def find_holes(
    runs: "Sequence[RunSource] | RunSource",
    qrels: QrelsSource,
    measure: str | Measure = "nDCG@10",
    *,
    cutoff: int | None = None,
    by: By | None = None,
    average: AverageOver = "judged",
    topics: "TopicList | None" = None,
    no_relevant: NoRelevant = "zero",
    collapse: str | None = None,
    collapse_by: "CollapseBy" = "max",
    collapse_at: "CollapseAt" = "first",
    drop_self: bool = False,
    match_topics: "MatchTopics | None" = None,
    rules: str | Rules = TREC_EVAL_10,
    done: Callable[[int], Any] = lambda steps: None,
) -> Holes:
    """The unjudged documents among the first of some runs, those first whose judgment could change most.

    Holes are documents without a judgment in the first `cutoff` ranks of any run. All of them are assumed to be judged:
    at any grade from 0 to the top of the scale, which is the measure's `max_rel` or the best grade in the
    qrels. What is deeper, and what is judged, stays. That bounds each run's mean, and each difference between two
    runs, in which a document that both return has one grade.

    Parameters
    ----------
    runs : sequence of R runs, or a run
        Each whatever `Run.of` takes.
    qrels : path, dict, table or Qrels
        Whatever `Qrels.of` takes.
    measure : str or Measure
        Over plain qrels, a mean over topics of which bounds are known; not `judged_only`.
    cutoff : int, optional
        Depth; the measure's cutoff if not given, or 10.
    by : {"difference", "value"}, optional
        What orders the list: the greatest change of the difference between two runs, or of a run's mean. The difference
        if not given, or the value where there is one run.
    average : {"judged", "intersection", "topics"}
        The topics averaged: all of the qrels, those of them that every run has, or those of them in `topics`.
    no_relevant : {"zero", "one", "abstain"}
        What a topic counts as long as none of its documents is relevant.
    topics, collapse, collapse_by, collapse_at, drop_self, match_topics, rules
        As `irkit.evaluate` takes them.
    done : callable
        Called with the number of steps done, of as many as there are runs and pairs of runs.

    Returns
    -------
    Holes

    Raises
    ------
    FormatError
        If runs or qrels are not in their form.
    DataError
        If a run and the qrels, or the runs, have no topic in common.
    MeasureError
        If nothing is known of how the measure depends on judgments, or its summary is no mean.
    UsageError
        If there is no run, the depth is below 1, or a convention does not exist or does not fit.

    References
    ----------
    Moffat, Webber and Zobel 2007 (documents judged next by their weight in the differences between systems);
    Carterette, Allan and Sitaraman 2006 (as few judgments as decide between two systems).
    """
    wanted = _measure(measure)
    depth = _depth(cutoff, wanted)
    if no_relevant == "skip":
        raise UsageError("judgments could bring topics into the average that 'skip' leaves out; choose zero or one")
    judgments = Qrels.of(qrels)
    scorer = Evaluator(
        judgments,
        (wanted,),
        average=average,
        topics=topics,
        no_relevant=no_relevant,
        collapse=collapse,
        collapse_by=collapse_by,
        collapse_at=collapse_at,
        drop_self=drop_self,
        match_topics=match_topics,
        rules=rules,
    )
    read, whole, evaluations = _evaluated(_each(runs), scorer)
    by = _order(by, len(read))
    averaged = evaluations[0].topics
    judged = tuple(_over(averaged, one) for one in whole)
    if not is_bounded(wanted, judged[0]):
        raise MeasureError(f"{wanted} is not computed from one grade for each document, or its bounds are not known")
    found = find(read, judgments, averaged, depth)
    ends = extreme_grades(judged[0], wanted)
    now = np.array([one.values[:, 0] for one in evaluations])
    scene = HolesContext(judged, found, wanted, no_relevant, now, *ends, highest_grade(judged[0], wanted))
    columns = []
    for run in range(len(read)):
        columns.append(swings(scene, run))
        done(1)
    each = np.array(columns).reshape(len(read), len(found)).T
    bounds_of = extremes_of(scene, each)
    names = [evaluation.name for evaluation in evaluations]
    contests = []
    for first in range(len(read)):
        others = range(first + 1, len(read))
        for second, bounds in zip(others, bounds_of(first, others), strict=True):
            extent = _extent(scene.difference(first, second), bounds)
            contests.append(DifferenceBounds(names[first], names[second], extent))
            done(1)
    each = each / len(averaged)
    order = _ordered(each, by)
    within = (found.ranks > 0) & (found.ranks <= depth)
    return Holes(
        wanted,
        depth,
        by,
        ends,
        tuple(
            RunHoles(
                one.name,
                int(np.minimum(judged[run].n_retrieved, depth).sum()),
                int(np.count_nonzero(within[:, run])),
                len(np.unique(found.topic[within[:, run]])),
                _extent(scene.difference(run, None), *bounds_of(run, [None])),
            )
            for run, one in enumerate(evaluations)
        ),
        tuple(contests),
        averaged,
        len(found),
        found.topic[order],
        found.documents.taken(order),
        found.ranks[order],
        each[order],
        evaluations,
    )


def _measure(measure: str | Measure) -> Measure:
    wanted = parse_measure(measure).complete()
    if wanted.summary != "mean" or not wanted.family.quality:
        raise MeasureError(f"{wanted} is no mean over topics where more is better, which holes need")
    if dict(wanted.params).get("judged_only"):
        raise MeasureError(f"{wanted} leaves out unjudged documents; take {wanted(judged_only=False)}")
    return wanted


def _depth(cutoff: int | None, measure: Measure) -> int:
    depth = (measure.cutoff or PAGE) if cutoff is None else cutoff
    if depth < 1:
        raise UsageError(f"the cutoff is at least 1, got {depth}")
    return depth


def _order(by: By | None, n_runs: int) -> By:
    if by is None:
        return "difference" if n_runs > 1 else "value"
    if by not in ("difference", "value"):
        raise UsageError(f"pairs are ordered by what they change: {instead(by, ('difference', 'value'))}")
    if by == "difference" and n_runs == 1:
        raise UsageError("one run differs from none; order its holes by value")
    return by


def _each(runs: "Sequence[RunSource] | RunSource") -> list[RunSource]:
    if isinstance(runs, str | os.PathLike | Run | Mapping) or not isinstance(runs, Iterable):
        return [runs]
    return list(runs)


def _evaluated(runs: Sequence[RunSource], scorer: Evaluator) -> tuple[list[Run], list[Judged], tuple[Evaluation, ...]]:
    """The runs of documents, as they are judged, and their evaluations over the topics that all are averaged over."""
    if not runs:
        raise UsageError("there is no run; give one at least")
    paths = [os.fspath(run) for run in runs if isinstance(run, str | os.PathLike)]
    names = dict(zip(paths, run_names(paths), strict=True))
    read: list[Run] = []
    whole: list[Judged] = []
    evaluations: list[Evaluation] = []
    for source in runs:
        name = names[os.fspath(source)] if isinstance(source, str | os.PathLike) else name_of(source)
        prepared = scorer.prepare(Run.of(source, name))
        judged = scorer.judge(prepared)
        evaluations.append(scorer.score_judged(prepared, judged))
        read.append(Run.of(prepared.run))
        whole.append(cast(Judged, judged["qrels"]))
    common = set(evaluations[0].topics).intersection(*(evaluation.topics for evaluation in evaluations))
    if not common:
        raise DataError("the runs have no judged topic in common: nothing can be averaged over the same topics")
    return read, whole, told_apart([one.restricted_to(common) for one in evaluations])


def _over(topics: Sequence[str], judged: Judged) -> Judged:
    """Restrict judged documents to some topics; the grade scale stays that of the whole qrels."""
    if judged.topics == tuple(topics):
        return judged
    wanted = set(topics)
    kept = np.array([topic in wanted for topic in judged.topics], dtype=bool)
    place = np.cumsum(kept) - 1
    rows, pooled = kept[judged.topic], kept[judged.pool_topic]
    return replace(
        judged,
        topics=tuple(topics),
        topic=place[judged.topic[rows]],
        rank=judged.rank[rows],
        grade=judged.grade[rows],
        n_retrieved=judged.n_retrieved[kept],
        pool_topic=place[judged.pool_topic[pooled]],
        pool_grade=judged.pool_grade[pooled],
        tie_first=judged.tie_first[rows],
        tie_last=judged.tie_last[rows],
    )


def _extent(value: PerTopic, bounds: Bounds) -> MeanBounds:
    mean, lowest, highest = (float(np.cumsum(of)[-1]) / len(of) for of in (value, bounds.low, bounds.high))
    if abs(lowest - mean) < NOTHING:  # rounding shall not set apart what is the same
        lowest = mean
    if abs(highest - mean) < NOTHING:
        highest = mean
    return MeanBounds(mean, lowest, highest, bounds.low_exact, bounds.high_exact)


def _ordered(changes: Any, by: By) -> Any:
    keys = [np.round(change, _DIGITS) for change in (value_change(changes), difference_change(changes))]
    first, second = keys[::-1] if by == "difference" else keys
    return np.lexsort((-second, -first))  # which keeps topics and ids in order among equals
