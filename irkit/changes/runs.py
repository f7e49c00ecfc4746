"""Compare two runs on the same qrels."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from irkit.changes.documents import Graded, changed_documents
from irkit.changes.result import RunDiff
from irkit.data.judgments.fractional import FractionalQrels
from irkit.data.qrels import Qrels
from irkit.data.runs import Run, RunSource
from irkit.errors import UsageError
from irkit.evaluation.scoring import Evaluator, Measures
from irkit.measures import parse_measures
from irkit.rules import AverageOver, NoRelevant, Rules, Ties
from irkit.stats.paired.pairing import scores_of

if TYPE_CHECKING:
    from irkit.data.passages import CollapseAt, CollapseBy
    from irkit.data.topic_matching import MatchTopics
    from irkit.data.topic_subsets import TopicList

DEFAULT_MEASURES: Final = parse_measures("nDCG@10")
PAGE: Final = 10  # ranks in which new documents are looked at where the measure has no cutoff
DEEPEST_PAGE: Final = 100  # and with a deep one


def diff(
    first: RunSource,
    second: RunSource,
    qrels: "str | Qrels | FractionalQrels | Mapping[str, Mapping[str, float]]",
    measures: Measures = DEFAULT_MEASURES,
    *,
    names: tuple[str | None, str | None] = (None, None),
    average: AverageOver = "judged",
    topics: "TopicList | None" = None,
    no_relevant: NoRelevant = "zero",
    ties: Ties = "docid",
    fractional: bool = False,
    collapse: str | None = None,
    collapse_by: "CollapseBy" = "max",
    collapse_at: "CollapseAt" = "first",
    drop_self: bool = False,
    match_topics: "MatchTopics | None" = None,
    rules: str | Rules = "trec_eval-10",
) -> RunDiff:
    """Find the topics that changed between two runs, and the documents that caused it.

    Parameters
    ----------
    first, second : path, dict, table, iterable of objects or Run
        Whatever `Run.of` takes. Both are held in memory.
    qrels : path, dict, table, Qrels or FractionalQrels
        Whatever `Qrels.of` takes, or with `fractional` whatever `FractionalQrels.of` takes.
    measures : iterable of str or Measure
        As `parse_measures` takes them. The first one decides the order of the topics, and documents contribute to it.
    names : tuple of two str or None
        What to call the runs, as of `evaluate`.
    average, topics, no_relevant, ties, fractional, collapse, collapse_by, collapse_at, drop_self, match_topics, rules
        As of `evaluate`; ties go by document id or as in the file, since a document has one rank.

    Returns
    -------
    RunDiff

    Raises
    ------
    FormatError
        If runs or qrels are not in their form.
    DataError
        If the runs have no topic in common with each other or with the qrels.
    MeasureError
        If a measure does not exist, or does not fit the grades, or needs more than a grade for each document.
    UsageError
        If there is no measure, or a convention or the rules do not exist, or ties cannot be broken so.
    """
    if ties not in ("docid", "file"):
        raise UsageError(f"a document that moved has one rank in each run; ties {ties!r} takes several: docid or file")
    judgments: Graded = FractionalQrels.of(qrels) if fractional else Qrels.of(qrels)
    scorer = Evaluator(
        judgments,
        measures,
        average=average,
        topics=topics,
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
    prepared = [scorer.prepare(source, name) for source, name in zip((first, second), names, strict=True)]
    one, other = (Run.of(its.run, its.name) for its in prepared)
    scored = [scorer.score(its._replace(run=run)) for its, run in zip(prepared, (one, other), strict=True)]
    scores = scores_of(scored, scorer.measures, None)
    measure = scorer.measures[0]
    values = scores.values.transpose(2, 1, 0)
    # Rounded, so that topics of one change stand in their own order whatever the last digits are.
    size = np.round(abs(values[:, 0, 1] - values[:, 0, 0]), 12)
    order = np.lexsort((np.arange(len(size)), -size))
    order = order[~np.isnan(size[order])]
    compared = tuple(scores.topics[place] for place in order.tolist())
    page = min(measure.cutoff or PAGE, DEEPEST_PAGE)
    found = RunDiff(
        (scores.evaluations[0], scores.evaluations[1]),
        compared,
        values[order],
        changed_documents((one, other), judgments, measure, compared, page=page, rules=scorer.rules),
        page,
        _same(one, other),
    )
    return found.showing()


def _same(first: Run, second: Run) -> bool:
    """Whether both return the same documents in the same order."""
    return (
        first.topics == second.topics
        and np.array_equal(first.starts, second.starts)
        and first.documents.data == second.documents.data
        and np.array_equal(first.documents.offsets, second.documents.offsets)
    )
