"""Match a run with qrels of several judges: the retrieved judged documents for each judgment group."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.data.judgments.grouped import GroupedQrels
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import Run, RunSource, name_of
from irkit.judged import Judged, PerTopic, check_in_common, meet
from irkit.rules import TREC_EVAL_10, AverageOver, Conventions, Rules, rules_named


@dataclass(frozen=True, slots=True, eq=False)
class JudgedGroups:
    """Retrieved judged documents of T topics for each of their judgment groups, G in all.

    Attributes
    ----------
    topics : tuple of T str
        The topics averaged, in byte order.
    groups : Judged of G judgment groups
        Every group as if it were a topic of its own, with its topic's ranking: topic by topic, in byte order.
    topic : int64 array of shape (G,)
        Place in `topics` of each group.
    missing, unjudged, rules
        As in `Judged`.
    """

    kind: ClassVar[JudgmentKind] = "qrels_jg"

    topics: tuple[str, ...]
    groups: Judged
    topic: npt.NDArray[np.int64]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    rules: Rules

    def __post_init__(self) -> None:
        freeze(self, "topic")

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return len(self.topics)

    @property
    def n_retrieved(self) -> npt.NDArray[np.int64]:
        """Number of retrieved documents, judged or not, shape (T,); after `judged_only`, the maximum over groups."""
        most = np.zeros(self.n_topics, dtype=np.int64)
        np.maximum.at(most, self.topic, self.groups.n_retrieved)
        return most

    @property
    def n_found(self) -> int:
        """Number of retrieved judged documents, summed over groups."""
        return len(self.groups.topic)

    def n_relevant(self, rel: int = 1) -> npt.NDArray[np.int64]:
        """Number of documents judged at least `rel`, retrieved or not, summed over the groups, shape (T,)."""
        sums = np.bincount(self.topic, weights=self.groups.n_relevant(rel), minlength=self.n_topics)
        return sums.astype(np.int64)

    def mean_of_groups(self, values: PerTopic) -> PerTopic:
        """Mean of one value for each group, shape (G,), over the groups of each topic, shape (T,)."""
        # bincount adds in the order of the groups, as a C loop does, so the last digit agrees.
        sums = np.bincount(self.topic, weights=values, minlength=self.n_topics)
        return np.asarray(sums / np.bincount(self.topic, minlength=self.n_topics), dtype=np.float64)

    def cut(self, cutoff: int) -> "JudgedGroups":
        """Copy with only the first `cutoff` ranks, 0 or more."""
        return replace(self, groups=self.groups.cut(cutoff))

    def judged_only(self) -> "JudgedGroups":
        """Copy where each group lacks the documents that it did not judge; the others get consecutive ranks."""
        return replace(self, groups=self.groups.judged_only())


def judge_groups(
    run: RunSource,
    qrels: GroupedQrels,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> JudgedGroups:
    """Find the retrieved judged documents of a run, group by group.

    Parameters
    ----------
    run : path, dict, pandas.DataFrame or Run
        Whatever `Run.of` takes.
    qrels : GroupedQrels
    average, rules, name
        As `irkit.judge` takes them.

    Returns
    -------
    JudgedGroups

    Raises
    ------
    FormatError, UsageError, DataError
        As `irkit.judge`.

    References
    ----------
    trec_eval 10.0, form_res_rels_jg.c.
    """
    Conventions(average)  # which refuses what it does not know
    rules, ranked = rules_named(rules), Run.of(run, name)
    check_in_common(ranked.topics, qrels.topics, run=name_of(run, name), judgments=qrels.name)
    return judged_groups_of(ranked, qrels, average=average, rules=rules)


def judged_groups_of(run: Run, qrels: GroupedQrels, *, average: AverageOver, rules: Rules) -> JudgedGroups:
    """Make the result of `judge_groups`; run and qrels may share no topic."""
    ranked = run.rounded_to_float32() if rules.float32_scores else run
    rankings = {topic: documents for topic, documents, _ in ranked.by_topic()}
    met = meet(rankings, qrels.topics, average)
    groups_of = dict(qrels.by_topic())
    labels: list[str] = []
    owners: list[int] = []
    lengths: list[int] = []
    found: list[tuple[int, int, int]] = []
    pool: list[tuple[int, int]] = []
    for place, topic in enumerate(met.topics):
        ranking = rankings.get(topic, [])
        ranks = {document: rank for rank, document in enumerate(ranking, 1)}
        for group in groups_of[topic]:
            here = len(labels)
            labels.append(f"{topic} {group.name}")
            owners.append(place)
            lengths.append(len(ranking))
            found += sorted((here, ranks[document], grade) for document, grade in group.grades if document in ranks)
            pool += [(here, grade) for grade in sorted((grade for _, grade in group.grades), reverse=True)]
    rows, lines = np.array(found, dtype=np.int64).reshape(-1, 3), np.array(pool, dtype=np.int64).reshape(-1, 2)
    judged = Judged(
        tuple(labels),
        rows[:, 0],
        rows[:, 1],
        rows[:, 2],
        np.array(lengths, dtype=np.int64),
        lines[:, 0],
        lines[:, 1],
        max([0, *(grade for groups in qrels.groups for group in groups for _, grade in group.grades)]),
        met.missing,
        met.unjudged,
        rules,
        rows[:, 1],
        rows[:, 1],
    )
    return JudgedGroups(met.topics, judged, np.array(owners, dtype=np.int64), met.missing, met.unjudged, rules)
