"""Match a run with qrels by subtopic: the retrieved judged documents, and the subtopics of each."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.data.judgments.subtopics import SubtopicQrels, SubtopicQrelsSource
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import RunSource
from irkit.judged import judge
from irkit.judged.places import JudgedPlaces
from irkit.rules import TREC_EVAL_10, AverageOver, Rules


class CoveredSubtopics(NamedTuple):
    """M pairs of a retrieved document and a subtopic, topic by topic in rank order."""

    row: npt.NDArray[np.int64]  # (M,) the document's row in the ranking
    subtopic: npt.NDArray[np.int64]  # (M,) place in the qrels
    n_above: npt.NDArray[np.int64]  # (M,) how many documents of its topic above it have the subtopic too


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSubtopics(JudgedPlaces):
    """Retrieved judged documents of T topics, each with its place in the qrels by subtopic.

    Attributes
    ----------
    ranking : Judged of T topics
        Its `grade` is the place in `qrels` of the judged document of each row, so is its `pool_grade`; -1 where a
        document was pooled and not judged.
    qrels : SubtopicQrels
    place : int64 array of shape (T,)
        Place in `qrels.topics` of each topic.
    """

    kind: ClassVar[JudgmentKind] = "subtopics"

    qrels: SubtopicQrels
    place: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        freeze(self, "place")

    def covered(self, relevant: npt.NDArray[np.bool_]) -> CoveredSubtopics:
        """Pairs of a retrieved document and a subtopic that it is relevant to.

        Parameters
        ----------
        relevant : bool array of shape (N,)
            Which lines of the qrels say so.
        """
        lines = np.flatnonzero(relevant)
        rows = np.flatnonzero(self.ranking.grade >= 0)
        # How many lines each document has, and where they begin.
        n_lines = np.bincount(self.qrels.document[lines], minlength=len(self.qrels.places))
        places = self.ranking.grade[rows]
        counts, first = n_lines[places], (np.cumsum(n_lines) - n_lines)[places]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        subtopic = self.qrels.subtopic[lines[np.repeat(first, counts) + within]]
        # Subtopics stand topic by topic, as the rows do, so that the order is nearly there.
        order = np.argsort(subtopic, kind="stable")
        n_pairs = np.bincount(subtopic, minlength=len(self.qrels.subtopics))
        n_above = np.empty_like(order)
        n_above[order] = np.arange(len(order)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
        return CoveredSubtopics(np.repeat(rows, counts), subtopic, n_above)

    def n_subtopics(self, relevant: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Number of subtopics with a relevant document, retrieved or not, shape (T,); `relevant` as in `covered`."""
        has_one = np.zeros(len(self.qrels.subtopics), dtype=bool)
        has_one[self.qrels.subtopic[relevant]] = True
        return self._n_by_topic(self.qrels.topic[has_one])

    def n_documents(self, relevant: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Number of documents relevant to a subtopic, retrieved or not, shape (T,); `relevant` as in `covered`."""
        one = np.flatnonzero(relevant)
        one = one[np.diff(self.qrels.document[one], prepend=-1) > 0]
        return self._n_by_topic(self.qrels.topic[self.qrels.subtopic[one]])

    def n_relevant(self, rel: int = 1) -> npt.NDArray[np.int64]:
        """Number of documents judged at least `rel` for a subtopic, retrieved or not, shape (T,)."""
        return self.n_documents(self.qrels.grade >= rel)

    def _n_by_topic(self, topic: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.bincount(topic, minlength=len(self.qrels.topics))[self.place]


def judge_subtopics(
    run: RunSource,
    qrels: SubtopicQrelsSource,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> JudgedSubtopics:
    """Find the judged documents of a run, with the subtopics of each.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `Run.of` takes.
    qrels : path, dict, table or SubtopicQrels
        Whatever `SubtopicQrels.of` takes.
    average, rules, name
        As `irkit.judge` takes them.

    Returns
    -------
    JudgedSubtopics

    Raises
    ------
    FormatError, UsageError, DataError
        As `irkit.judge`.
    """
    qrels = SubtopicQrels.of(qrels)
    ranking = judge(run, qrels.places, average=average, rules=rules, name=name)
    places = {topic: place for place, topic in enumerate(qrels.topics)}
    return JudgedSubtopics(ranking, qrels, np.array([places[topic] for topic in ranking.topics], dtype=np.int64))
