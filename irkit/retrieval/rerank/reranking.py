"""Score the top documents of a run again."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from irkit._utils.progress import progress
from irkit._utils.text import counted, instead
from irkit.data.runs import Run, RunSource
from irkit.data.topic_matching import as_end, topic_hint
from irkit.data.topics import Topics, TopicsSource
from irkit.errors import DataError, UsageError
from irkit.retrieval.ranking import Detail, Retrieved, note_of_topics
from irkit.retrieval.rerank.latency import Latency
from irkit.retrieval.rerank.reranker import Reranker
from irkit.retrieval.texts import CONTENTS, FieldCheck, document_text

if TYPE_CHECKING:
    from irkit.data.documents import Document

Tail = Literal["keep", "drop"]
TAILS: Final[tuple[Tail, ...]] = get_args(Tail)

DECIMALS: Final = 6  # further digits differ between batch sizes


@dataclass(frozen=True, slots=True)
class Reranked(Retrieved):
    """A re-ranked run with notes, details and times.

    Attributes
    ----------
    run, notes, details
        As in `Retrieved`; notes name topics that were not re-ranked, and count empty and truncated texts.
    latency : Latency
        Times on this machine; the other attributes do not contain times.
    """

    latency: Latency = field(kw_only=True)


def rerank(
    run: RunSource,
    topics: TopicsSource,
    documents: "Iterable[Document]",
    reranker: Reranker,
    *,
    depth: int = 100,
    tail: Tail = "keep",
    fields: Sequence[str] | None = None,
    tag: str = "reranked",
    clock: Callable[[], float] = time.perf_counter,
) -> Reranked:
    """Score the first documents of each topic of a run again, by their texts.

    Parameters
    ----------
    run : path, dict, table or Run
        Run of the first stage, in trec_eval's order: score descending, then id descending.
    topics : path, dict, Topics or iterable of Topic
    documents : iterable of Document
        Only the texts of documents to re-rank are held in memory.
    reranker : Reranker
    depth : int
        Number of documents of each topic to score, at least 1.
    tail : {"keep", "drop"}
        Whether documents below `depth` are kept. They follow in their order, with scores 1, 2, 3 ... below the lowest
        new score, so that the order remains when the run is read again.
    fields : sequence of str, optional
        Document fields that form the text; by default the document's own text, whose name is `contents`.
    tag : str
        Name of the new run.
    clock : function
        Returns the seconds of a monotonic clock.

    Returns
    -------
    Reranked
        Scores have six decimals; equal scores are ranked by descending document id. A topic without text keeps its
        ranking, cut at `depth` if the tail is dropped.

    Raises
    ------
    UsageError
        If the depth is below 1, the tail is unknown, or no document has a field.
    DataError
        If topics or documents of the run are missing, a document is repeated, or the model's scores are not one finite
        number for each document.
    """
    if depth < 1:
        raise UsageError(f"depth is the number of documents re-ranked for each topic, at least 1; got {depth}")
    if tail not in TAILS:
        raise UsageError(f"unknown tail {tail!r}; {instead(tail, TAILS)}")
    first = Run.of(run)
    queries = {topic.id: topic.text for topic in Topics.of(topics)}
    _check_topics(first, queries)
    topic_of: dict[str, str] = {}  # for each document, a topic that needs it
    for topic, ranked, _ in first.by_topic():
        if queries[topic].strip():
            topic_of |= {document: topic for document in ranked[:depth] if document not in topic_of}
    texts = _texts_of(topic_of, documents, fields, first.name)
    scores: dict[str, dict[str, float]] = {}
    blank: list[str] = []
    seconds: list[float] = []
    preparing, n_prepared, n_pairs, n_truncated = 0.0, 0, 0, 0
    with progress("re-ranking topics", sum(bool(queries[topic].strip()) for topic in first.topics)) as advance:
        for topic, ranked, before in first.by_topic():
            query, head = queries[topic], ranked[:depth]
            n_below = len(ranked) - len(head) if tail == "keep" else 0
            kept = ranked[: len(head) + n_below]
            if not query.strip():
                blank.append(topic)
            if not query.strip() or not head:
                scores[topic] = dict(zip(kept, before, strict=False))
                continue
            its = [texts[document] for document in head]
            started = clock()
            n_prepared += reranker.prepare(its)
            prepared = clock()
            raw = reranker.score(query, its)
            seconds.append(clock() - prepared)
            preparing += prepared - started
            n_pairs += len(head)
            n_truncated += int(np.count_nonzero(reranker.truncated(query, its)))
            new = _checked(raw, topic, head, reranker)
            scores[topic] = dict(zip(kept, (*new, *below(min(new), n_below)), strict=True))
            advance(1)
    notes = (
        *note_of_topics(blank, "without text, not re-ranked"),
        *note_of_topics(sorted(queries.keys() - set(first.topics)), "of which the run has no document"),
        *_note_of_empty(texts),
        *_note_of_truncated(reranker, n_truncated, n_pairs),
    )
    details: dict[str, Detail] = {
        "engine": "rerank",
        "reranker": reranker.name,
        "identity": reranker.identity,
        "max_length": reranker.max_length,
        "depth": depth,
        "tail": tail,
        "pairs": n_pairs,
        "truncated_pairs": n_truncated,
    }
    latency = Latency(np.array(seconds, dtype=np.float64), n_pairs, n_prepared, preparing)
    return Reranked(Run.from_scores(scores, tag), notes, details, latency=latency)


def below(lowest: float, n: int) -> list[float]:
    """Return scores for n documents below a given score: 1, 2, 3 ... less."""
    # If a double cannot hold steps of 1 at this size, use the smallest step that it holds, even past a power of two.
    step = max(1.0, 4 * float(np.spacing(abs(lowest))))
    return [round(lowest - step * place, DECIMALS) for place in range(1, n + 1)]


def _check_topics(run: Run, queries: Mapping[str, str]) -> None:
    missing = [topic for topic in run.topics if topic not in queries]
    if missing:
        named = ", ".join(map(repr, missing[:5])) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        raise DataError(
            f"{run.name}: {counted(len(missing), 'topic')} of {len(run.topics)} not among the topics: {named}; "
            "give the topics that the run was made of" + as_end(topic_hint(run.topics, list(queries)))
        )


def _texts_of(
    topic_of: Mapping[str, str], documents: "Iterable[Document]", fields: Sequence[str] | None, name: str
) -> dict[str, str]:
    """Collect the texts of the documents to re-rank."""
    check = FieldCheck(field for field in fields or () if field != CONTENTS)
    texts: dict[str, str] = {}
    for document in documents:
        check.see(document)
        if document.id in texts:
            raise DataError(f"document id {document.id!r} stands twice; each document needs its own id")
        if document.id in topic_of:
            texts[document.id] = document_text(document, fields)
    check.finish()
    missing = [document for document in topic_of if document not in texts]
    if missing:
        named = ", ".join(f"{document!r} (topic {topic_of[document]!r})" for document in missing[:5])
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise DataError(
            f"{name}: {len(missing)} of {counted(len(topic_of), 'document')} to re-rank not among the documents: "
            f"{named}{more}; their texts are needed, so give the documents that the run was made of"
        )
    return texts


def _checked(raw: npt.NDArray[np.floating], topic: str, documents: Sequence[str], reranker: Reranker) -> list[float]:
    scores = np.asarray(raw, dtype=np.float64)
    if scores.shape != (len(documents),):
        raise DataError(
            f"{reranker.name} gave scores of shape {scores.shape} for {counted(len(documents), 'document')} of topic "
            f"{topic!r}; a re-ranker gives one number for each"
        )
    if not np.isfinite(scores).all():
        place = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise DataError(
            f"{reranker.name} gave {scores[place]} for document {documents[place]!r} of topic {topic!r}, which has "
            "no rank; check the model and both texts"
        )
    return [round(score, DECIMALS) + 0.0 for score in scores.tolist()]  # + 0.0 turns -0.0 into 0.0


def _note_of_empty(texts: Mapping[str, str]) -> tuple[str, ...]:
    n = sum(not text.strip() for text in texts.values())
    return (f"{counted(n, 'document')} without text, scored like the others",) if n else ()


def _note_of_truncated(reranker: Reranker, n: int, n_pairs: int) -> tuple[str, ...]:
    if not n:
        return ()
    return (f"{reranker.name} reads {reranker.max_length} tokens: {n} of {counted(n_pairs, 'pair')} truncated",)
