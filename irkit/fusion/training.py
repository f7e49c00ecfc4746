"""Training topics for fusion, and statistics of the runs on them."""

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.data.qrels import Qrels, QrelsSource
from irkit.data.runs import Run, RunSource
from irkit.data.topic_subsets import TopicList, read_topic_list
from irkit.data.topics import Topic, Topics
from irkit.errors import DataError, UsageError
from irkit.fusion.arguments import read_runs
from irkit.judged import Judged, judged_of
from irkit.judged.matching import retrieved
from irkit.rules import TREC_EVAL_10


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """Training data of a trained fusion method.

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
        judgments were seen. Ids that stand in both are noted: they may be other topics of the same number.
    """

    qrels: QrelsSource
    topics: "TopicList | None" = None
    runs: Iterable[RunSource] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TrainingStatistics:
    """Judged documents of the runs on the training topics.

    Attributes
    ----------
    topics : tuple of str
        Those trained on, in byte order.
    judged : tuple of Judged
        One a run, with all these topics; one that the run lacks is an empty list.
    left_out : frozenset of str
        Topics that the fused run goes without.
    passed_over : tuple of str
        Topics named to train on of which no run has a document.
    seen : tuple of str
        Topics trained on whose ids the runs to fuse have too.
    """

    topics: tuple[str, ...]
    judged: tuple[Judged, ...]
    left_out: frozenset[str]
    passed_over: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()


def lessons_of(training: Training, runs: Sequence[Run], depth: int) -> TrainingStatistics:
    """Judge R runs on the training topics; separate training runs are read to `depth` documents for each topic too."""
    if not isinstance(training, Training):
        raise UsageError(f"training is a Training(qrels, ...), not {training!r}")
    taught = runs if training.runs is None else read_runs(training.runs, depth, "to train on")
    if len(taught) != len(runs):
        raise UsageError(
            f"{counted(len(taught), 'run')} to train on for {counted(len(runs), 'run')} to fuse; give one for each, in "
            "their order"
        )
    qrels = Qrels.of(training.qrels)
    topics, passed_over = _topics(training, qrels, set().union(*(run.topics for run in taught)))
    few = qrels.of_topics(topics)
    judged = tuple(judged_of(retrieved(run, few), few, average="judged", rules=TREC_EVAL_10) for run in taught)
    in_runs = set().union(*(run.topics for run in runs))
    seen = tuple(sorted(topics & in_runs))
    left_out = frozenset(seen if training.runs is None else ())
    if left_out and not in_runs - left_out:
        raise DataError(
            f"all {counted(len(left_out), 'topic')} of the runs are trained on, so that none is left to fuse; name "
            f"some topics to train on ({option(train_topics='FILE')}), or give runs over other topics to train on "
            f"({option(train_run='RUN')})"
        )
    return TrainingStatistics(few.topics, judged, left_out, passed_over, seen)


def _topics(training: Training, qrels: Qrels, in_runs: Set[str]) -> tuple[Set[str], tuple[str, ...]]:
    """The topics to train on, and those named for which no run has a document."""
    usable = in_runs & set(qrels.topics)
    silent: tuple[str, ...] = ()
    if training.topics is not None:
        named = _named(training.topics)
        if unjudged := next((topic for topic in named if topic not in qrels.topics), None):
            raise DataError(f"{unjudged!r} cannot be trained on: not a topic that the qrels have")
        silent = tuple(topic for topic in named if topic not in in_runs)
        usable = set(named).difference(silent)
    if not usable:
        raise DataError("there is no topic to train on: none is in the runs and in the qrels too")
    return usable, silent


def _named(topics: TopicList) -> list[str]:
    if isinstance(topics, str | os.PathLike):
        topics = read_topic_list(topics)
    listed = topics.topics if isinstance(topics, Topics) else topics
    if isinstance(listed, Mapping) or not isinstance(listed, Iterable):
        raise UsageError(f"topics to train on come as a file or a list of ids, not as {topics!r}")
    return [topic.id if isinstance(topic, Topic) else topic for topic in listed]
