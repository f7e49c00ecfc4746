"""Inputs of a page: runs, evaluations, topics, grades."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from irkit.data.qrels import Qrels
from irkit.data.runs import Run, RunSource, run_names
from irkit.data.topic_matching import matched_topics, matching
from irkit.data.topic_subsets import TopicList, topic_list, with_no_value
from irkit.data.topics import Topics
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation, told_apart
from irkit.evaluation.scoring import Evaluator, Measures
from irkit.judged.kinds import JudgmentsSource
from irkit.measures import Measure, parse_measures
from irkit.rules import AverageOver, NoRelevant, Rules, Ties
from irkit.stats.paired.pairing import over_shared_topics

if TYPE_CHECKING:
    from irkit.data.judgments.fractional import FractionalQrels
    from irkit.data.passages import CollapseAt, CollapseBy
    from irkit.data.topic_matching import MatchTopics

PlainQrels: TypeAlias = "Qrels | FractionalQrels"


@dataclass(frozen=True, slots=True, eq=False)
class PageInputs:
    """Runs and judgments, read and scored.

    Attributes
    ----------
    runs : tuple of R Run
        Runs in the order of scoring, with the names of their evaluations.
    files : tuple of R (str or None)
        Source file of each run.
    evaluations : tuple of R Evaluation
        Evaluations with the same topics and measures, and different names.
    qrels : Qrels, FractionalQrels or None
        The qrels, if every measure uses a single grade for each document; else None.
    topics : Topics or None
    groups : mapping of topic to str, or None
        The value of `field` for each topic evaluated.
    field : str or None
    """

    runs: tuple[Run, ...]
    files: tuple[str | None, ...]
    evaluations: tuple[Evaluation, ...]
    qrels: "PlainQrels | None"
    topics: Topics | None
    groups: Mapping[str, str] | None
    field: str | None

    @property
    def names(self) -> list[str]:
        """Names of the runs."""
        return [evaluation.name for evaluation in self.evaluations]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """M measures, in the order of their columns."""
        return self.evaluations[0].measures

    @property
    def topic_ids(self) -> tuple[str, ...]:
        """T topics, in byte order."""
        return self.evaluations[0].topics

    def evaluated(self, measures: Sequence[Measure]) -> tuple[Evaluation, ...]:
        """Evaluate the runs by other measures, over the same topics and with the same conventions."""
        if self.qrels is None:
            raise UsageError("other measures can be computed from plain judgments only; these are of another kind")
        its = self.evaluations[0]
        scorer = Evaluator(
            self.qrels,
            measures,
            rules=its.rules,
            no_relevant=its.conventions.no_relevant,
            # A run read in file order keeps that order.
            ties="docid" if its.conventions.ties == "file" else its.conventions.ties,
            fractional=not isinstance(self.qrels, Qrels),
        )
        return tuple(scorer.evaluate(run).restricted_to(self.topic_ids) for run in self.runs)


def read_material(
    runs: Sequence[RunSource],
    qrels: JudgmentsSource,
    *,
    measures: "Measures | None" = None,
    topics: "TopicList | None" = None,
    by: str | None = None,
    average: AverageOver = "judged",
    no_relevant: NoRelevant = "zero",
    ties: Ties = "docid",
    fractional: bool = False,
    collapse: str | None = None,
    collapse_by: "CollapseBy" = "max",
    collapse_at: "CollapseAt" = "first",
    drop_self: bool = False,
    match_topics: "MatchTopics | None" = None,
    rules: str | Rules = "trec_eval-10",
) -> PageInputs:
    """Read runs, judgments and topics, and score the runs."""
    if not runs:
        raise UsageError("a report needs at least one run")
    if by is not None and topics is None:
        raise UsageError("a topic field is given without topics; give the topics file too")
    if average == "topics" and topics is None:
        raise UsageError("average='topics' needs topics; give the topics file")
    known = None if topics is None else topic_list(topics)
    field = None if by is None or known is None else known.field(by)
    measures = None if measures is None else parse_measures(measures)
    judgments = _plain(qrels, measures, fractional=fractional)
    scorer = Evaluator(
        qrels if judgments is None else judgments,
        measures,
        average=average,
        topics=known if average == "topics" else None,
        no_relevant=no_relevant,
        ties=ties,
        fractional=fractional,
        collapse=collapse,
        collapse_by=collapse_by,
        collapse_at=collapse_at,
        drop_self=drop_self,
        match_topics=match_topics,
        rules=rules,
    )
    if known is not None and match_topics is not None:
        pairs = matching(known.ids, scorer.judged_topics, match_topics)
        known = matched_topics(known, pairs)
        field = None if field is None else {pairs.get(topic, topic): value for topic, value in field.items()}
    files = [os.fspath(run) if isinstance(run, str | os.PathLike) else None for run in runs]
    names = _names(runs, files)
    prepared = [scorer.prepare(run, name) for run, name in zip(runs, names, strict=True)]
    read = [Run.of(its.run, its.name) for its in prepared]
    scored = [scorer.score(its._replace(run=run)) for its, run in zip(prepared, read, strict=True)]
    evaluations = told_apart(scored)
    ranked = [
        replace(run.rounded_to_float32() if scorer.rules.float32_scores else run, name=evaluation.name)
        for run, evaluation in zip(read, evaluations, strict=True)
    ]
    shared = tuple(over_shared_topics(evaluations))
    groups = None if field is None or known is None else with_no_value(field, shared[0].topics, known.name)
    return PageInputs(tuple(ranked), tuple(files), shared, judgments, known, groups, by)


def _names(runs: Sequence[RunSource], files: Sequence[str | None]) -> list[str | None]:
    called = iter(run_names([file for file in files if file is not None]))
    return [None if file is None else next(called) for file in files]


def _plain(qrels: JudgmentsSource, measures: Sequence[Measure] | None, *, fractional: bool) -> "PlainQrels | None":
    """Return judgments with one grade for each document, if every measure can be computed from them; else None."""
    from irkit.data.judgments.fractional import FractionalQrels

    kind = "fractional" if fractional else "qrels"
    if not all(kind in measure.family.judgments for measure in measures or ()):
        return None
    its: Any = getattr(type(qrels), "kind", kind)
    if its not in ("qrels", "fractional"):
        return None
    return FractionalQrels.of(qrels) if fractional else Qrels.of(qrels)


def values_of(evaluations: Sequence[Evaluation]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the values of R runs on M measures for T topics, shape (R, M, T)."""
    return np.array([evaluation.values.T for evaluation in evaluations])
