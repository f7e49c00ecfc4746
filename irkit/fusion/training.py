"""Topics to train on: which they are, and what the runs did on them."""

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from irkit.errors import DataError, UsageError
from irkit.fusion.arguments import read_runs
from irkit.judged import Judged, judged_of
from irkit.qrels import Qrels, QrelsSource
from irkit.retrieved import retrieved
from irkit.rules import TREC_EVAL_10
from irkit.runs import Run, RunSource
from irkit.spelling import counted
from irkit.topic_lists import TopicList, read_topic_list
from irkit.topics import Topic, Topics


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """What a trained method of fusion learns from.

    Attributes
    ----------
    qrels : path, dict, table or Qrels
        Whatever `Qrels.of` takes.
    topics : path, Topics or iterable of str, optional
        Topics to train on, as ids or as `read_topic_list` reads them from a file; if not given, all of the qrels that a
        run has.
    runs : iterable of paths, dicts, tables or Runs, optional
        Runs to train on, one for each run to fuse, in their order, made by the same systems on other topics. If not
        given, the runs to fuse themselves; the topics trained on are then left out of the fused run, since on them
        judgments were seen.
    """

    qrels: QrelsSource
    topics: "TopicList | None" = None
    runs: Iterable[RunSource] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """What was found of the runs on the topics to train on.

    Attributes
    ----------
    topics : tuple of str
        Those trained on, in byte order.
    judged : tuple of Judged
        One a run, with all these topics; one that the run lacks is an empty list.
    left_out : frozenset of str
        Topics that the fused run goes without.
    """

    topics: tuple[str, ...]
    judged: tuple[Judged, ...]
    left_out: frozenset[str]


def lessons_of(training: Training, runs: Sequence[Run], depth: int) -> Lessons:
    """What R runs did on the topics to train on; of separate runs, too, `depth` documents of each list are read.

    Raises
    ------
    UsageError
        If the runs to train on are not one for each run.
    DataError
        If there is no topic to train on, or one that was named cannot be; or if none is left to fuse.
    """
    if not isinstance(training, Training):
        raise UsageError(f"training is a Training(qrels, ...), not {training!r}")
    taught = runs if training.runs is None else read_runs(training.runs, depth, "to train on")
    if len(taught) != len(runs):
        raise UsageError(
            f"{counted(len(taught), 'run')} to train on for {counted(len(runs), 'run')} to fuse; give one for each, in "
            "their order"
        )
    qrels = Qrels.of(training.qrels)
    topics = _topics(training, qrels, set().union(*(run.topics for run in taught)))
    few = with_topics(qrels, topics)
    judged = tuple(judged_of(retrieved(run, few), few, average="judged", rules=TREC_EVAL_10) for run in taught)
    left_out = frozenset(topics if training.runs is None else ())
    if left_out and not set().union(*(run.topics for run in runs)) - left_out:
        raise DataError(
            f"all {counted(len(left_out), 'topic')} of the runs are trained on, so that none is left to fuse; name "
            "some topics to train on, or give runs to train on"
        )
    return Lessons(few.topics, judged, left_out)


def _topics(training: Training, qrels: Qrels, in_runs: Set[str]) -> Set[str]:
    usable = in_runs & set(qrels.topics)
    if training.topics is not None:
        named = _named(training.topics)
        for topic in named:
            if topic not in usable:
                lacking = "the qrels have" if topic in in_runs else "a run has"
                raise DataError(f"{topic!r} cannot be trained on: not a topic that {lacking}")
        usable = set(named)
    if not usable:
        raise DataError("there is no topic to train on: none is in the runs and in the qrels too")
    return usable


def _named(topics: TopicList) -> list[str]:
    if isinstance(topics, str | os.PathLike):
        topics = read_topic_list(topics)
    listed = topics.topics if isinstance(topics, Topics) else topics
    if isinstance(listed, Mapping) or not isinstance(listed, Iterable):
        raise UsageError(f"topics to train on come as a file or a list of ids, not as {topics!r}")
    return [topic.id if isinstance(topic, Topic) else topic for topic in listed]


def with_topics(qrels: Qrels, topics: Set[str]) -> Qrels:
    """The qrels of these topics alone."""
    kept = [place for place, topic in enumerate(qrels.topics) if topic in topics]
    lengths = np.diff(qrels.starts)[kept]
    spans = [slice(int(qrels.starts[place]), int(qrels.starts[place + 1])) for place in kept]
    return Qrels(
        tuple(qrels.topics[place] for place in kept),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        qrels.documents.of_spans(spans),
        np.concatenate([qrels.grades[:0], *(qrels.grades[span] for span in spans)]),
        qrels.name,
    )
