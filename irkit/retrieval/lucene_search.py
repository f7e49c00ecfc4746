"""Search one topic in a Lucene index, or explain why it finds nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from irkit.errors import DataError
from irkit.retrieval import java
from irkit.retrieval.feedback import Feedback
from irkit.retrieval.lucene import Searcher
from irkit.retrieval.ranking import note_of_topics

if TYPE_CHECKING:
    from irkit.data.topics import Topic

FAINT: Final = 1e-3
# Packages of exceptions that mean a broken index, not a fault of one topic.
BROKEN: Final = ("java.io.", "java.nio.", "org.apache.lucene.index.", "org.apache.lucene.store.")
BLANK: Final = "without text, not searched"
NONE_ALLOWED: Final = "whose filters no document passes"
ALL_REMOVED: Final = "whose filters removed every document found"
UNKNOWN_WORDS: Final = "without a word that is in a document"
ABSTAINED: Final = "abstained from, since no document scores {floor}"
FAILED: Final = "on which Lucene fails"
LACKS: Final = (BLANK, NONE_ALLOWED, ALL_REMOVED, UNKNOWN_WORDS, ABSTAINED, FAILED)


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """Search result of a topic.

    Attributes
    ----------
    hits : mapping
        Documents and their scores, best first.
    lacks : str
        Reason for an empty result: one of `LACKS`.
    problem : str
        Java's message if Lucene failed.
    """

    hits: Mapping[str, float] = field(default_factory=dict)
    lacks: str = ""
    problem: str = ""


def answer(
    searcher: Searcher,
    topic: "Topic",
    allowed: frozenset[str] | None,
    *,
    k: int,
    feedback: Feedback | None,
    floor: float | None,
) -> TopicAnswer:
    """Search for a topic: the k best allowed documents, if the best score reaches the floor."""
    if not topic.text.strip():
        return TopicAnswer(lacks=BLANK)
    if allowed is not None and not allowed:
        return TopicAnswer(lacks=NONE_ALLOWED)
    try:
        hits = _first(searcher, topic.text, k, feedback.depth(k) if feedback else k, allowed)
        if not hits:
            removed = allowed is not None and searcher.first(topic.text, 1)
            return TopicAnswer(lacks=ALL_REMOVED if removed else UNKNOWN_WORDS)
    except java.java_exception() as problem:
        if getattr(problem, "classname", "").startswith(BROKEN):
            raise DataError(f"topic {topic.id!r}: the index cannot be read: {java.cause(problem)}") from problem
        return TopicAnswer(lacks=FAILED, problem=java.cause(problem))
    if floor is not None and max(hits.values()) < floor:
        return TopicAnswer(lacks=ABSTAINED)
    return TopicAnswer(hits)


def _first(searcher: Searcher, text: str, k: int, depth: int, allowed: frozenset[str] | None) -> dict[str, float]:
    """Return the k best documents among those allowed."""
    depth = min(depth, searcher.size)
    while depth:
        hits = searcher.first(text, depth)
        kept = hits if allowed is None else [hit for hit in hits if hit[0] in allowed]
        # Search deeper if filters removed documents, until k documents are left or the index is exhausted.
        if len(kept) >= k or len(hits) < depth or depth == searcher.size:
            return dict(kept[:k])
        depth = min(4 * depth, searcher.size)
    return {}


def notes_of(topics: "Sequence[Topic]", answers: Sequence[TopicAnswer], floor: float | None) -> Iterator[str]:
    """Write the notes on topics without results or with errors, and on scores that hardly rank."""
    for lacks in LACKS:
        named = [
            f"{topic.id} ({got.problem})" if got.problem else topic.id
            for topic, got in zip(topics, answers, strict=True)
            if got.lacks == lacks
        ]
        yield from note_of_topics(named, lacks.format(floor=f"{floor:g}" if floor is not None else ""))
    faint = [
        topic.id
        for topic, got in zip(topics, answers, strict=True)
        if len(got.hits) > 1 and max(got.hits.values()) < FAINT
    ]
    yield from note_of_topics(
        faint, f"whose best score is below {FAINT:g}, so that four decimals hardly rank; raise the weights, if any"
    )


def check_some_found(topics: "Sequence[Topic]", answers: Sequence[TopicAnswer]) -> None:
    """Raise DataError if Lucene failed and no topic has a result."""
    failed = [(topic, got) for topic, got in zip(topics, answers, strict=True) if got.lacks == FAILED]
    if failed and not any(got.hits for got in answers):
        topic, got = failed[0]
        raise DataError(
            f"topic {topic.id!r}: Lucene fails on it, and finds nothing for the other topics: {got.problem}"
        )
