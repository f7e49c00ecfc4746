"""The effect of re-ranking: gain, and the highest value it could reach."""

from collections.abc import Iterable, Sequence

from irkit.data.qrels import Qrels, QrelsSource
from irkit.data.runs import Run
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator
from irkit.measures import Measure, parse_measures
from irkit.retrieval.ranking import check_depth
from irkit.retrieval.rerank.reranking import below


def effect(
    first: Run,
    reranked: Run,
    qrels: QrelsSource,
    *,
    depth: int,
    measures: Iterable[str | Measure] | str | Measure = ("nDCG@10",),
) -> tuple[Evaluation, Evaluation, Evaluation]:
    """Score a run, the re-ranked run, and the best possible re-ranking of its first documents.

    Parameters
    ----------
    first : Run
        Run of the first stage.
    reranked : Run
    qrels : path, dict, table or Qrels
    depth : int
        Number of re-ranked documents of each topic.
    measures : iterable of str or Measure
        Measures after R@depth, which is always first.

    Returns
    -------
    tuple of three Evaluation
        The first stage: its R@depth is an upper limit, because re-ranking cannot find relevant documents below `depth`.
        The re-ranked run. The same run with its first `depth` documents ordered by grade: the upper limit of the other
        measures.

    Raises
    ------
    FormatError
        If the qrels do not have the format of qrels.
    DataError
        If run and qrels have no topic in common.
    MeasureError
        If a measure is unknown.
    """
    check_depth(depth)
    judged = Qrels.of(qrels)
    parsed = parse_measures(measures)
    if not parsed:
        raise UsageError("there is no measure to show besides the ceiling; give at least one, such as nDCG@10")
    ceiling = parse_measures(f"R@{depth}")
    scorer = Evaluator(judged, tuple(dict.fromkeys((*ceiling, *parsed))))
    best = best_order(reranked, judged, depth)
    named = zip((first, reranked, best), _names(first, reranked, depth), strict=True)
    before, after, at_most = (scorer.evaluate(run, name) for run, name in named)
    return before, after, at_most


def best_order(run: Run, qrels: Qrels, depth: int) -> Run:
    """Order the first documents of each topic by descending grade; unjudged documents count as nonrelevant."""
    grades = qrels.to_dict()
    scores = {}
    for topic, documents, _ in run.by_topic():
        its = grades.get(topic, {})
        gains = [float(max(its.get(document, 0), 0)) for document in documents[:depth]]
        scores[topic] = dict(zip(documents, (*gains, *below(0.0, len(documents) - len(gains))), strict=True))
    return Run.from_scores(scores, "best")


def _names(first: Run, reranked: Run, depth: int) -> Sequence[str]:
    return first.name, reranked.tag, f"best order of the first {depth}"
