"""Match a run with its qrels: the retrieved judged documents, with rank and grade.

What was retrieved but never judged is known by counting, so everything that is reported is arithmetic over this.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import ClassVar, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import Retrieved
from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.data.qrels import JudgmentKind, Qrels, QrelsSource
from irkit.data.runs import RunSource, name_of
from irkit.errors import NoCommonTopicError
from irkit.ids import to_text
from irkit.judged.matching import retrieved
from irkit.rules import TREC_EVAL_10, AverageOver, Conventions, Rules, rules_named

PerTopic = npt.NDArray[np.float64]

# Made once for any number of runs against the same qrels.
_pools: WeakKeyDictionary[Qrels, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Retrieved judged documents of T topics, H in all, and counts of all other documents.

    Rows stand topic by topic, each topic in rank order.

    Attributes
    ----------
    topics : tuple of T str
        The topics averaged, in byte order.
    topic : int64 array of shape (H,)
        Place in `topics` of each row.
    rank : int64 array of shape (H,)
        From 1; ranks that are not here hold documents without a judgment.
    grade : int64 array of shape (H,)
        Negative: pooled but not judged.
    n_retrieved : int64 array of shape (T,)
        Documents retrieved, judged or not.
    pool_topic, pool_grade : int64 arrays of shape (G,)
        Every line of the qrels for these topics, retrieved or not: topic by topic, best grade first.
    top_grade : int
        The best grade in the whole qrels, 0 at least.
    missing : tuple of str
        Topics of the qrels that are not in the run. With `average="judged"` they are among `topics`, with nothing
        retrieved; with `intersection` they are not.
    unjudged : tuple of str
        Topics of the run that are not in the qrels. They are never averaged.
    rules : Rules
    tie_first, tie_last : int64 arrays of shape (H,)
        The first and the last rank of the retrieved documents that have the row's score: where it could stand as well.
        Both are `rank` where no other document has it, and once the ranking is cut or thinned: that is done to an order
        that is settled.
    """

    kind: ClassVar[JudgmentKind] = "qrels"

    topics: tuple[str, ...]
    topic: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    grade: npt.NDArray[np.int64]
    n_retrieved: npt.NDArray[np.int64]
    pool_topic: npt.NDArray[np.int64]
    pool_grade: npt.NDArray[np.int64]
    top_grade: int
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    rules: Rules
    tie_first: npt.NDArray[np.int64]
    tie_last: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        freeze(self, "topic", "rank", "grade", "n_retrieved", "pool_topic", "pool_grade", "tie_first", "tie_last")

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return len(self.topics)

    @property
    def n_found(self) -> int:
        """H, the number of judged documents retrieved."""
        return len(self.topic)

    @property
    def has_ties(self) -> bool:
        """Whether a judged document shares its score with another document."""
        return bool((self.tie_first < self.tie_last).any())

    def sum_by_topic(self, values: npt.ArrayLike) -> PerTopic:
        """Sum one value per row, shape (H,), within each topic, shape (T,)."""
        return self._sum(self.topic, values)

    def sum_pool_by_topic(self, values: npt.ArrayLike) -> PerTopic:
        """Sum one value per line of the pool, shape (G,), within each topic, shape (T,), best grade first."""
        return self._sum(self.pool_topic, values)

    def _sum(self, topic: npt.NDArray[np.int64], values: npt.ArrayLike) -> PerTopic:
        # bincount adds in rank order, so the last digit agrees with a C loop; reduceat and pairwise sums do not.
        sums = np.bincount(topic, weights=np.asarray(values, dtype=np.float64), minlength=self.n_topics)
        return sums.astype(np.float64, copy=False)

    def n_relevant(self, rel: int = 1) -> npt.NDArray[np.int64]:
        """Number of documents judged at least `rel` for each topic, retrieved or not, shape (T,)."""
        return np.bincount(self.pool_topic[self.pool_grade >= rel], minlength=self.n_topics)

    @property
    def pool_rank(self) -> npt.NDArray[np.int64]:
        """Rank of each line of the pool in its topic's ideal ranking, from 1, shape (G,)."""
        first = np.searchsorted(self.pool_topic, np.arange(self.n_topics))
        return np.arange(len(self.pool_topic)) - first[self.pool_topic] + 1

    def count_above(self, counted: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Number of `counted` rows, shape (H,), at or above each row in its topic, shape (H,)."""
        running = np.cumsum(counted)
        before = np.concatenate(([0], running))[np.searchsorted(self.topic, np.arange(self.n_topics))]
        return running - before[self.topic]

    def with_rows(
        self,
        topic: npt.NDArray[np.int64],
        rank: npt.NDArray[np.int64],
        grade: npt.NDArray[np.int64],
        n_retrieved: npt.NDArray[np.int64],
    ) -> Self:
        """Copy with other rows and numbers of retrieved documents, without ties; topics and pool stay."""
        return replace(
            self, topic=topic, rank=rank, grade=grade, n_retrieved=n_retrieved, tie_first=rank, tie_last=rank
        )

    def cut(self, cutoff: int) -> Self:
        """Copy with only the first `cutoff` ranks, 0 or more; the pool stays whole."""
        kept = self.rank <= cutoff
        lengths = np.minimum(self.n_retrieved, cutoff)
        return self.with_rows(self.topic[kept], self.rank[kept], self.grade[kept], lengths)

    def judged_only(self) -> Self:
        """Copy without the unjudged documents; the remaining documents get consecutive ranks.

        References
        ----------
        trec_eval 10.0, option -J (form_res_rels.c): documents outside the qrels and of negative grade go.
        """
        kept = self.grade >= 0
        topic = self.topic[kept]
        first = np.searchsorted(topic, np.arange(self.n_topics))
        rank = np.arange(len(topic)) - first[topic] + 1
        return self.with_rows(topic, rank, self.grade[kept], np.bincount(topic, minlength=self.n_topics))


def judge(
    run: RunSource,
    qrels: QrelsSource,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> Judged:
    """Find the judged documents of a run.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `Run.of` takes; a file is read without being held.
    qrels : path, dict, table or Qrels
        Whatever `Qrels.of` takes.
    average : {"judged", "intersection"}
        The topics to look at: all of the qrels, where one that the run lacks is an empty ranking; or only those that
        are in both.
    rules : str or Rules
        With `trec_eval-9`, scores are compared as 32-bit floats.
    name : str, optional
        What to call the run in messages.

    Returns
    -------
    Judged

    Raises
    ------
    FormatError
        If run or qrels are not in their form.
    UsageError
        If the rules, or the topics to look at, do not exist.
    DataError
        If run and qrels have no topic in common.

    References
    ----------
    trec_eval 10.0, form_res_rels.c.
    """
    Conventions(average)  # which refuses what it does not know
    qrels, rules = Qrels.of(qrels), rules_named(rules)
    found = retrieved(run, qrels, float32=rules.float32_scores, name=name)
    check_in_common(list(map(to_text, found.topics)), qrels.topics, run=name_of(run, name), judgments=qrels.name)
    return judged_of(found, qrels, average=average, rules=rules)


def judged_of(found: Retrieved, qrels: Qrels, *, average: AverageOver, rules: Rules) -> Judged:
    """Make the result of `judge` from judged documents already found; run and qrels may share no topic."""
    lengths = dict(zip(map(to_text, found.topics), found.lengths.tolist(), strict=True))
    met = meet(lengths, qrels.topics, average)
    averaged = met.averaged
    topic = found.matches.topic
    pool_topic, pool_grade = _best_first(qrels)
    if not averaged.all():
        place = np.cumsum(averaged) - 1
        in_average = averaged[pool_topic]
        topic, pool_topic, pool_grade = place[topic], place[pool_topic[in_average]], pool_grade[in_average]
    return Judged(
        met.topics,
        topic,
        found.matches.rank,
        found.matches.grade,
        np.array([lengths.get(topic, 0) for topic in met.topics], dtype=np.int64),
        pool_topic,
        pool_grade,
        max(0, int(qrels.grades.max(initial=0))),
        met.missing,
        met.unjudged,
        rules,
        found.matches.first,
        found.matches.last,
    )


class TopicOverlap(NamedTuple):
    """Topics of a run compared with the topics of its judgments."""

    averaged: npt.NDArray[np.bool_]  # whether each topic of the judgments is averaged
    topics: tuple[str, ...]  # those that are
    missing: tuple[str, ...]  # judged, and not in the run
    unjudged: tuple[str, ...]  # in the run, and not judged


def meet(retrieved: Collection[str], judged: Sequence[str], average: AverageOver) -> TopicOverlap:
    """Compare the topics of a run and of its judgments: averaged, missing or unjudged."""
    judged_topics = set(judged)
    averaged = np.array([average == "judged" or topic in retrieved for topic in judged], dtype=bool)
    return TopicOverlap(
        averaged,
        tuple(compress(judged, averaged.tolist())),
        tuple(topic for topic in judged if topic not in retrieved),
        tuple(topic for topic in retrieved if topic not in judged_topics),
    )


def check_in_common(retrieved: Sequence[str], judged: Sequence[str], *, run: str, judgments: str) -> None:
    """Refuse a run and judgments that share no topic; `run` and `judgments` are their names in messages."""
    if set(judged).isdisjoint(retrieved):
        from irkit.data.topic_matching import as_end, topic_hint

        sides = (f", such as {topics[0]!r}" if topics else "" for topics in (retrieved, judged))
        of_run, of_judgments = sides
        raise NoCommonTopicError(
            f"no topic in common: {run} has {counted(len(retrieved), 'topic')}{of_run}; "
            f"{judgments} has {len(judged)}{of_judgments}. Ids are compared as text: '007' is not '7'"
            + as_end(topic_hint(retrieved, judged))
        )


def _best_first(qrels: Qrels) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Topic and grade of every line of the qrels, topic by topic, best grade first."""
    if qrels not in _pools:
        topic = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.starts))
        order = np.lexsort((-qrels.grades, topic))
        _pools[qrels] = topic[order], qrels.grades[order]
    return _pools[qrels]
