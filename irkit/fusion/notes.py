"""Notes about runs before they are fused."""

from collections.abc import Sequence

from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.fusion.training import TrainingStatistics
from irkit.ids import to_bytes

# Topics that a note names.
NAMED = 5


def topic_notes(runs: Sequence[Run]) -> tuple[str, ...]:
    """Notes on topics that some runs lack, a sentence each; empty where all runs have the same topics.

    A topic that a run lacks is fused from the others.
    """
    topics = sorted(set().union(*(run.topics for run in runs)), key=to_bytes)
    lacks = [[topic for topic in topics if topic not in has] for has in (set(run.topics) for run in runs)]
    n_lacking = len(set().union(*lacks))
    if not n_lacking:
        return ()
    return (
        f"{n_lacking} of {counted(len(topics), 'topic')} {'is' if n_lacking == 1 else 'are'} not in all runs",
        *(f"run {run.name} lacks {len(few)}: {_some(few)}" for run, few in zip(runs, lacks, strict=True) if few),
    )


def training_note(lessons: TrainingStatistics) -> str:
    """Note on the training topics of a method, and on the topics left out of the fused run."""
    trained = f"trained on {counted(len(lessons.topics), 'topic')}"
    if lessons.passed_over:
        lacking = counted(len(lessons.passed_over), "topic")
        trained += f" ({lacking} passed over, of which no run has a document: {_some(lessons.passed_over)})"
    if not lessons.left_out and lessons.seen:
        named = f"{counted(len(lessons.seen), 'topic')} of the fused run: {_some(lessons.seen)}"
        return f"{trained}; the ids are also those of {named}. If they are the same topics, do without runs to train on"
    if not lessons.left_out:
        return trained
    return f"{trained}, which the fused run leaves out, since their judgments were seen: {_some(lessons.topics)}"


def _some(topics: Sequence[str]) -> str:
    more = f" and {len(topics) - NAMED} more" if len(topics) > NAMED else ""
    return ", ".join(topics[:NAMED]) + more
