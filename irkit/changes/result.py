"""The result of comparing two runs: topics by the size of their change, each with its documents."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.numerals import four_decimals
from irkit._utils.text import counted, instead, nearest
from irkit.changes.documents import CHANGES, Change, ChangedDocuments
from irkit.changes.topics import NOTHING_RETURNED, DocumentChange, TopicChange
from irkit.errors import UsageError
from irkit.evaluation.result import Evaluation
from irkit.ids import to_text
from irkit.measures import Measure

Order = Literal["most", "worst", "best"]
ORDERS: Final = get_args(Order)
MOST: Final = 10  # topics shown if nothing is said


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RunDiff:
    """Changes between two runs, over the T topics averaged in both.

    Attributes
    ----------
    evaluations : tuple of two Evaluation
        Of M measures, of which the first decides the order of the topics, and is the one that documents contribute to.
        Each has the topics compared, and all that its own run lacks.
    topics : tuple of T str
        Most changed first; those of one change in byte order. A topic that the first measure leaves out is not there.
    values : float64 array of shape (T, M, 2)
    documents : ChangedDocuments of T topics
    page : int
        In how many ranks documents that are not relevant, or not judged, are looked at.
    same_runs : bool
        Both runs return the same documents in the same order.
    groups : mapping of topic to group, or None
    shown : tuple of str
        The topics that a report shows for people, in their order.
    whole : bool
        It shows all of their documents.
    queries, texts : mapping of id to str
        Texts of topics and of documents, where they are known.
    """

    evaluations: tuple[Evaluation, Evaluation]
    topics: tuple[str, ...]
    values: npt.NDArray[np.float64]
    documents: ChangedDocuments
    page: int
    same_runs: bool = False
    groups: Mapping[str, str] | None = None
    shown: tuple[str, ...] = ()
    whole: bool = False
    queries: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "values")

    def __repr__(self) -> str:
        first, second = self.evaluations
        values = " and ".join(four_decimals(float(evaluation.summary[0])) for evaluation in self.evaluations)
        changed = f"{self.n_changed} of {counted(len(self.topics), 'topic')} changed"
        return f"<RunDiff {first.name!r}, {second.name!r}: {self.measures[0]} {values}, {changed}>"

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, the deciding measure first."""
        return self.evaluations[0].measures

    @property
    def differences(self) -> npt.NDArray[np.float64]:
        """Change of each measure in each topic, second run minus first, shape (T, M); 0 within rounding."""
        differences = self.values[:, :, 1] - self.values[:, :, 0]
        # The noise of sums in another order, as tests over topics take it.
        noise = 1e-12 * np.nan_to_num(abs(self.values)).max(axis=(0, 2), initial=0.0)
        return np.where(abs(differences) <= noise, 0.0, differences)

    @property
    def n_changed(self) -> int:
        """Number of topics whose first measure changed; they come first in `topics`."""
        return int(np.count_nonzero(self.differences[:, 0]))

    @property
    def n_half(self) -> int:
        """Number of topics, most changed first, that make half of the total change of the first measure."""
        sizes = np.cumsum(abs(self.differences[:, 0]))
        return int(np.searchsorted(sizes, sizes[-1] / 2 * (1 - 1e-12))) + 1 if self.n_changed else 0

    def n(self, change: Change, *, judged: bool | None = None) -> int:
        """Number of documents with this kind of change: all, judged or unjudged ones."""
        rows = self.documents.changes == CHANGES.index(change)
        if judged is not None:
            rows = rows & (np.isnan(self.documents.grades) != judged)
        return int(np.count_nonzero(rows))

    def topic(self, topic: str) -> TopicChange:
        """A topic with its documents.

        Raises
        ------
        UsageError
            If it was not compared; with the nearest one that was.
        """
        if topic not in self.topics:
            close = nearest(str(topic), self.topics)
            meant = f"; did you mean {close!r}?" if close else ""
            raise UsageError(f"topic {topic!r} is not among the {counted(len(self.topics), 'topic')} compared{meant}")
        return self._at(self.topics.index(topic))

    def by_topic(self) -> Iterator[TopicChange]:
        """Every topic with its documents, most changed first."""
        return map(self._at, range(len(self.topics)))

    def _at(self, place: int) -> TopicChange:
        rows, found = slice(*self.documents.starts[place : place + 2].tolist()), self.documents
        given = [None] * (rows.stop - rows.start) if found.contributions is None else found.contributions[rows].tolist()
        columns = (found.ids[rows], found.changes[rows].tolist(), found.grades[rows].tolist())
        topic = self.topics[place]
        return TopicChange(
            topic,
            tuple((first, second) for first, second in self.values[place].tolist()),
            tuple(
                DocumentChange(
                    to_text(document),
                    CHANGES[change],
                    _grade(grade),
                    (first or None, second or None),
                    None if both is None else (both[0], both[1]),
                    self.texts.get(to_text(document), ""),
                )
                for document, change, grade, (first, second), both in zip(
                    *columns, found.ranks[rows].tolist(), given, strict=True
                )
            ),
            "" if self.groups is None else self.groups[topic],
            self.queries.get(topic, ""),
        )

    def showing(self, order: Order = "most", n: int = MOST, topics: Collection[str] = ()) -> "RunDiff":
        """Copy that shows other topics.

        Parameters
        ----------
        order : {"most", "worst", "best"}
            Those that changed most; or of those that fell, or rose, the ones that did so most.
        n : int
            How many at most.
        topics : collection of str
            These alone, with all of their documents, in place of the others.

        Raises
        ------
        UsageError
            If there is no such order, n is below 0, or one of the topics was not compared.
        """
        if order not in ORDERS:
            raise UsageError(f"unknown order of topics {order!r}; {instead(order, ORDERS)}")
        if n < 0:
            raise UsageError(f"the number of topics to show is 0 or more, not {n}")
        if topics:
            wanted = {self.topic(topic).id for topic in topics}
            return replace(self, shown=tuple(topic for topic in self.topics if topic in wanted), whole=True)
        differences = self.differences[:, 0]
        chosen = {"most": differences != 0, "worst": differences < 0, "best": differences > 0}[order]
        places = np.flatnonzero(chosen)[:n].tolist()
        return replace(self, shown=tuple(self.topics[place] for place in places), whole=False)

    def with_groups(self, groups: Mapping[str, str]) -> "RunDiff":
        """Copy with groups of topics.

        Raises
        ------
        UsageError
            If `groups` is no mapping.
        DataError
            If a topic has no group.
        """
        self.evaluations[0].by_group(groups)
        return replace(self, groups=groups)

    def ids_shown(self) -> set[str]:
        """The documents of the topics that a report shows."""
        return {document.id for topic in self.shown for document in self.topic(topic).documents}

    def with_texts(
        self, queries: Mapping[str, str] | None = None, documents: Mapping[str, str] | None = None
    ) -> "RunDiff":
        """Copy with texts of topics and documents by id, added to the known texts."""
        return replace(
            self,
            queries=self.queries if queries is None else queries,
            texts=self.texts if documents is None else documents,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values: all topics, most changed first, with their documents."""
        first, second = self.evaluations
        return {
            "runs": [first.name, second.name],
            "rules": str(first.rules),
            "average": first.conventions.average,
            "no_relevant": first.conventions.no_relevant,
            "tie_order": first.conventions.ties,
            "measure": str(self.measures[0]),
            "same_runs": self.same_runs,
            "n_topics": len(self.topics),
            "n_changed": self.n_changed,
            "n_half": self.n_half,
            "measures": {
                str(measure): {"values": [one, other], "difference": other - one}
                for measure, one, other in zip(
                    self.measures, first.summary.tolist(), second.summary.tolist(), strict=True
                )
            },
            "documents": {change: self.n(change) for change in CHANGES},
            "new_not_judged": self.n("new", judged=False),
            "new_in_the_first": self.page,
            "topics_missing_from_run": {evaluation.name: list(evaluation.missing) for evaluation in self.evaluations},
            "topics_without_judgments": {one.name: list(one.unjudged) for one in self.evaluations},
            "topics": [self._topic_dict(topic) for topic in self.by_topic()],
        }

    def _topic_dict(self, topic: TopicChange) -> dict[str, Any]:
        return {
            "topic": topic.id,
            **({"group": topic.group} if self.groups is not None else {}),
            **({"text": topic.text} if topic.text else {}),
            "measures": {
                str(measure): {"values": [one, other], "difference": other - one}
                for measure, (one, other) in zip(self.measures, topic.values, strict=True)
            },
            "documents": [
                {
                    "document": document.id,
                    "change": document.change,
                    "grade": document.grade,
                    "ranks": list(document.ranks),
                    "contributions": None if document.contributions is None else list(document.contributions),
                    "difference": document.difference,
                    **({"text": document.text} if document.text else {}),
                }
                for document in topic.documents
            ]
            + [
                {
                    "document": None,
                    "change": NOTHING_RETURNED,
                    "grade": None,
                    "ranks": [None, None],
                    "contributions": list(given),
                    "difference": topic.by_convention,
                }
                for given in [topic.nothing_returned]
                if given
            ],
        }


def _grade(grade: float) -> float | None:
    if np.isnan(grade):
        return None
    return int(grade) if grade == int(grade) else grade
