"""Judgments with more than a whole grade: each document has a place in arrays with its other values."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import JudgmentLines
from irkit.data.qrels import Qrels
from irkit.files.textio import topic_field, trec_field, write_bytes
from irkit.ids import to_bytes


@dataclass(frozen=True, slots=True, eq=False)
class PlacedJudgments:
    """Judgments of T topics, N documents in all; a subclass has arrays with other values, indexed by place.

    Attributes
    ----------
    places : Qrels of N documents
        Each judged document of each topic once; its grade is its place.
    """

    places: Qrels

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in byte order."""
        return self.places.topics

    @property
    def name(self) -> str:
        """Name of the judgments in messages."""
        return self.places.name

    def __len__(self) -> int:
        return len(self.places)

    def pools(self) -> dict[str, set[str]]:
        """Return the documents of each topic, judged or only pooled."""
        return self.places.pools()

    def as_trec(self) -> bytes:
        """Format as lines of a file that reads back equal.

        Raises
        ------
        FormatError
            If an id is empty or holds white space, which a line cannot carry.
        """
        return b"".join(self._lines())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the judgments, whole or not at all; errors as `as_trec`."""
        write_bytes(path, self.as_trec())

    def _lines(self) -> Iterator[bytes]:
        raise NotImplementedError

    def _lines_of(self, line: Callable[[bytes, bytes, int], bytes]) -> Iterator[bytes]:
        """Format each document by `line`, from topic, document and place."""
        for topic, documents, places in self.places.by_topic():
            field = topic_field(to_bytes(topic), self.name)
            for document, place in zip(documents, places, strict=True):
                yield line(field, trec_field(to_bytes(document), "document id", self.name), place)


def topic_of(lines: JudgmentLines) -> npt.NDArray[np.int64]:
    """Place of the topic of each line, shape (N,)."""
    return np.repeat(np.arange(len(lines.topics)), np.diff(lines.starts))[lines.document]


def names_by_topic(
    lines: JudgmentLines,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The names in each topic, in byte order: their topics and places in `names`; and which of them each line has."""
    both, place = np.unique(topic_of(lines) * len(lines.names) + lines.name, return_inverse=True)
    return both // len(lines.names), both % len(lines.names), place
