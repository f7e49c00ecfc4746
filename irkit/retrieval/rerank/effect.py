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
    """Score a run, the same re-ranked, and the best that re-ranking its first documents could give.

    Parameters
    ----------
    first : Run
        Of the first stage.
    reranked : Run
    qrels : path, dict, table or Qrels
    depth : int
        Documents of each topic that were re-ranked.
    measures : iterable of str or Measure
        Measured beside R@depth, which comes first.

    Returns
    -------
    tuple of three Evaluation
        The first stage, whose R@depth is the ceiling: a relevant document below `depth` stays lost. The re-ranked run.
        And the same with its first `depth` documents ordered by grade, which is the ceiling of the other measures.

    Raises
    ------
    FormatError
        If the qrels are not in their form.
    DataError
        If run and qrels have no topic in common.
    MeasureError
        If a measure does not exist.
    """
    check_depth(depth)
    judged = Qrels.of(qrels)
    wanted = parse_measures(measures)
    if not wanted:
        raise UsageError("there is no measure to show beside the ceiling; give one at least, such as nDCG@10")
    ceiling = parse_measures(f"R@{depth}")
    scorer = Evaluator(judged, tuple(dict.fromkeys((*ceiling, *wanted))))
    best = best_order(reranked, judged, depth)
    named = zip((first, reranked, best), _names(first, reranked, depth), strict=True)
    before, after, at_most = (scorer.evaluate(run, name) for run, name in named)
    return before, after, at_most


def best_order(run: Run, qrels: Qrels, depth: int) -> Run:
    """The run with the first documents of each topic by grade, falling; what nobody judged counts as not relevant."""
    grades = qrels.to_dict()
    scores = {}
    for topic, documents, _ in run.by_topic():
        its = grades.get(topic, {})
        gains = [float(max(its.get(document, 0), 0)) for document in documents[:depth]]
        scores[topic] = dict(zip(documents, (*gains, *below(0.0, len(documents) - len(gains))), strict=True))
    return Run.from_scores(scores, "best")


def _names(first: Run, reranked: Run, depth: int) -> Sequence[str]:
    return first.name, reranked.tag, f"best order of the first {depth}"
