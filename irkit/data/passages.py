"""Collapse a run of passages into a run of documents; drop documents with the id of their topic."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, get_args

import numpy as np

from irkit import _kernel
from irkit._utils.text import counted
from irkit.data.from_dicts import with_topics
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.ids import Ids, to_bytes, to_text

CollapseBy = Literal["max", "first"]
CollapseAt = Literal["first", "last"]

FEW: Final = 10  # documents of a page; a topic with fewer cannot fill it


@dataclass(frozen=True, slots=True, eq=False)
class CollapsedRun:
    """A run of documents collapsed from passages, with counts of the passages.

    Attributes
    ----------
    run : Run
    separator : str
    n_passages : int
        Lines of the run before.
    n_separated : int
        Those of them whose id holds the separator; the others are documents by themselves.
    n_short : int
        Topics that had passages and have fewer than ten documents.
    """

    run: Run
    separator: str
    n_passages: int
    n_separated: int
    n_short: int

    @property
    def note(self) -> str:
        """Note to print above the results."""
        if not self.n_separated:
            return f"{self.separator!r} stands in no document id: nothing was collapsed"
        passages, topics = counted(self.n_passages, "passage"), counted(len(self.run.topics), "topic")
        note = f"collapsed {passages} of {topics} to {counted(len(self.run), 'document')}"
        if not self.n_short:
            return note
        return f"{note}; {counted(self.n_short, 'topic')} {'has' if self.n_short == 1 else 'have'} fewer than {FEW}"


@dataclass(frozen=True, slots=True, eq=False)
class WithoutSelf:
    """A run without documents whose id is the id of their topic.

    Attributes
    ----------
    run : Run
    n_dropped : int
    """

    run: Run
    n_dropped: int

    @property
    def note(self) -> str:
        """Note to print above the results."""
        one = self.n_dropped == 1
        which = "that is its own topic" if one else "that are their own topic"
        return f"dropped {counted(self.n_dropped, 'document')} {which}"


def collapse(run: Run, separator: str, by: CollapseBy = "max", at: CollapseAt = "first") -> CollapsedRun:
    """Collapse a run of passages into a run of documents.

    A passage `doc#3` belongs to the document `doc`: what stands before the first separator, as in Anserini and
    Pyserini; or before the last one, where ids of documents hold the separator themselves. An id without separator is a
    document. Every document stands once, however many of its passages were retrieved.

    Parameters
    ----------
    run : Run
    separator : str
    by : {"max", "first"}
        max: a document has the score of its best passage, and ties go by document id as everywhere. first: documents
        stand in the order of their first passages, which differs only among ties; their scores count down to 1.
    at : {"first", "last"}
        The separator that ends the id of the document.

    Returns
    -------
    CollapsedRun

    Raises
    ------
    UsageError
        If the separator is no text or empty, or there is no such way.
    DataError
        If nothing stands before the separator of an id.
    """
    if not isinstance(separator, str) or not separator:
        raise UsageError(f"the separator of document and passage is text such as '#', not {separator!r}")
    if by not in get_args(CollapseBy):
        raise UsageError(f"unknown way to collapse {by!r}; choose one of {', '.join(get_args(CollapseBy))}")
    if at not in get_args(CollapseAt):
        raise UsageError(f"unknown place to collapse at {at!r}; choose one of {', '.join(get_args(CollapseAt))}")
    sign = to_bytes(separator, "separator")
    documents: list[bytes] = []
    rows: list[int] = []
    lengths = []
    n_separated = 0
    for start, end in pairwise(run.starts.tolist()):
        best: dict[bytes, int] = {}
        for row, passage in enumerate(run.documents[start:end], start):
            end_of_document = passage.find(sign) if at == "first" else passage.rfind(sign)
            n_separated += end_of_document >= 0
            document = passage if end_of_document < 0 else passage[:end_of_document]
            best.setdefault(document, row)
        if b"" in best:
            nameless = to_text(run.documents[best[b""]])
            raise DataError(
                f"{run.name}: nothing stands before {separator!r} in {nameless!r}, so that it is no passage of any "
                "document; choose another separator"
            )
        documents += best
        rows += best.values()
        lengths.append(len(best))
    # Rows stand in ranked order, so that the first passage of a document is its best one.
    scores = run.scores[np.array(rows, dtype=np.int64)]
    if by == "first":
        scores = np.concatenate([scores[:0], *(np.arange(length, 0, -1.0) for length in lengths)])
    topics = Ids.of_texts(run.topics).repeated(lengths)
    columns = with_topics(_kernel.rank(topics, Ids.of(documents), scores, to_bytes(run.tag)), run.topics)
    n_short = sum(0 < length < FEW for length in lengths)
    collapsed = Run(run.topics, columns.starts, columns.documents, columns.scores, run.tag, run.name)
    return CollapsedRun(collapsed, separator, len(run), n_separated, n_short)


def drop_self(run: Run) -> WithoutSelf:
    """Drop documents whose id is the id of their topic, as where documents of the collection serve as queries.

    A topic for which nothing else was retrieved stays, with no document.
    """
    kept: list[bytes] = []
    rows: list[int] = []
    starts = [0]
    for topic, (start, end) in zip(map(to_bytes, run.topics), pairwise(run.starts.tolist()), strict=True):
        for row, document in enumerate(run.documents[start:end], start):
            if document != topic:
                kept.append(document)
                rows.append(row)
        starts.append(len(rows))
    spans = np.array(starts, dtype=np.int64)
    left = Run(run.topics, spans, Ids.of(kept), run.scores[np.array(rows, dtype=np.int64)], run.tag, run.name)
    return WithoutSelf(left, len(run) - len(left))
