"""What the kernel hands over: columns with one span of rows a topic."""

from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from irkit.ids import Ids

INT64_MAX: Final = 2**63 - 1


def most_rows(depth: int | None) -> int:
    """A depth as a number of 64 bits; None is one that nothing reaches."""
    return INT64_MAX if depth is None else int(min(depth, INT64_MAX))


class RunColumns(NamedTuple):
    """A run of T topics and N lines, topics in byte order, each topic ranked."""

    topics: list[bytes]
    starts: npt.NDArray[np.int64]  # (T + 1,)
    documents: Ids  # (N,)
    scores: npt.NDArray[np.float64]  # (N,)
    tag: bytes


class QrelsColumns(NamedTuple):
    """Judgments of T topics and N lines, topics in byte order, lines of a topic as in the file."""

    topics: list[bytes]
    starts: npt.NDArray[np.int64]  # (T + 1,)
    documents: Ids  # (N,)
    grades: npt.NDArray[np.int64]  # (N,)


class Matches(NamedTuple):
    """The retrieved and judged documents of T topics, topics end to end, each in rank order."""

    topic: npt.NDArray[np.int64]  # (H,) place of the row's topic
    rank: npt.NDArray[np.int64]  # (H,) from 1
    grade: npt.NDArray[np.int64]  # (H,)
    first: npt.NDArray[np.int64]  # (H,) first rank of the retrieved documents of the topic that have the row's score
    last: npt.NDArray[np.int64]  # (H,) their last rank; both are `rank` where no other document has it


class Retrieved(NamedTuple):
    """What of a run of T topics is needed to score it, topics in byte order."""

    topics: list[bytes]
    lengths: npt.NDArray[np.int64]  # (T,) documents retrieved
    matches: Matches  # `topic` is the place in the qrels
    tag: bytes


class Merged(NamedTuple):
    """The documents that R runs found for T topics, N in all, each once in its topic, in the order of their bytes."""

    starts: npt.NDArray[np.int64]  # (T + 1,)
    documents: Ids  # (N,)
    ranks: npt.NDArray[np.float64]  # (N, R), from 1, nan where the run lacks it; each column in one piece
    scores: npt.NDArray[np.float64]  # (N, R), likewise


class Reranked(NamedTuple):
    """The documents of T topics by new scores."""

    starts: npt.NDArray[np.int64]  # (T + 1,)
    documents: Ids
    scores: npt.NDArray[np.float64]


class ArrowTable(Protocol):
    """A table of another library, taken over by the Arrow C stream interface."""

    names: list[str]

    def column(self, place: int) -> Ids | npt.NDArray[Any] | list[Any] | None:
        """A column: ids; numbers as int64 or float64; a list where values are missing; None where no type fits."""

    def type_of(self, place: int) -> str:
        """The Arrow type of a column, as the interface writes it."""
