"""Results of the kernel: columns, with one span of rows for each topic."""

from enum import IntEnum
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from irkit.ids import Ids

INT64_MAX: Final = 2**63 - 1
MOST_TAGS: Final = 100  # tags of a run that are told apart; others are only counted


def most_rows(depth: int | None) -> int:
    """Convert a depth to a 64-bit number; None becomes the largest such number."""
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
    """The part of a run of T topics that scoring needs, topics in byte order."""

    topics: list[bytes]
    lengths: npt.NDArray[np.int64]  # (T,) documents retrieved
    matches: Matches  # `topic` is the place in the qrels
    tag: bytes


class Merged(NamedTuple):
    """Union of the documents of R runs for T topics, N in all: each document once in its topic, in byte order."""

    starts: npt.NDArray[np.int64]  # (T + 1,)
    documents: Ids  # (N,)
    ranks: npt.NDArray[np.float64]  # (N, R), from 1, nan where the run lacks it; each column in one piece
    scores: npt.NDArray[np.float64]  # (N, R), likewise


class Reranked(NamedTuple):
    """The documents of T topics, ranked by new scores."""

    starts: npt.NDArray[np.int64]  # (T + 1,)
    documents: Ids
    scores: npt.NDArray[np.float64]


class JudgmentLines(NamedTuple):
    """A file of judgments with T topics, D documents and N lines: by topic, document and name in byte order."""

    topics: list[bytes]
    starts: npt.NDArray[np.int64]  # (T + 1,) documents of each topic
    documents: Ids  # (D,) each once in its topic
    document: npt.NDArray[np.int64]  # (N,) place of each line's document
    names: list[bytes]  # of subtopics or strata, each once, in byte order
    name: npt.NDArray[np.int64]  # (N,) place of each line's name; (0,) where lines have none
    wholes: list[npt.NDArray[np.int64]]  # (N,) each, a column of whole numbers
    decimals: list[npt.NDArray[np.float64]]  # (N,) each, a column of decimal numbers; NA is nan


class ArrowTable(Protocol):
    """A table of another library, imported by the Arrow C stream interface."""

    names: list[str]

    def column(self, place: int) -> Ids | npt.NDArray[Any] | list[Any] | None:
        """Read a column: ids; numbers as int64 or float64; a list where values are missing; None where no type fits."""

    def type_of(self, place: int) -> str:
        """Arrow type of a column, as the interface writes it."""


class LineFault(IntEnum):
    """Faults of a line of a run. A line with any of the first five is not a row, and has no other fault."""

    NUL = 1  # a NUL byte, in a comment too
    TOO_FEW_FIELDS = 2  # fewer than six
    NO_RANK = 3  # its fourth field is not a whole number that 64 bits hold
    NO_SCORE = 4  # its fifth field is not a decimal number
    MOVED = 5  # it has more than six, and the sixth is a decimal number, as where a blank in an id moved its columns
    TWICE = 6  # its document stands in its topic already
    EXTRA_FIELDS = 7  # more than six
    NOT_UTF8 = 8  # its topic, document or tag is no UTF-8
    INFINITE = 9  # its score is inf, or beyond what a double holds


class RunSurvey(NamedTuple):
    """Survey of a run file with T topics, including faulty files.

    A row is a line of data that can be read: it has six fields or more, the fourth of them a whole number and the fifth
    a decimal number, the sixth none where there are more, and no NUL byte. A document that occurs twice in a topic is a
    row each time. Lines count from 1, blank lines and comments included; a last line needs no LF. Topics are in byte
    order.

    Two fields hold a pair of lines for each topic, 0 and 0 where there is none. Both go by the rank column. The pair is
    the first of its kind on the way down the ranking: score falling, then rank rising, then document id falling in
    bytes.
    """

    n_lines: int
    n_rows: int
    topics: list[bytes]
    first: npt.NDArray[np.int64]  # (T,) line of the topic's first row
    n_documents: npt.NDArray[np.int64]  # (T,) rows of the topic
    n_parts: npt.NDArray[np.int64]  # (T,) stretches of rows that it lies in; 1 where no row of another topic is between
    n_tied: npt.NDArray[np.int64]  # (T,) rows whose score another row of the topic has too
    n_tied_float32: npt.NDArray[np.int64]  # (T,) the same where scores are 32-bit floats; n_tied or more
    # (T, 2) lines of one score that are ranked otherwise than trec_eval does, by document id falling: the line of the
    # better rank, whose id is the lower one, and the other.
    misplaced: npt.NDArray[np.int64]
    # (T, 2) lines whose ranks go against their scores: the line of the higher score and the greater, so worse, rank,
    # and the other. None where all ranks of a topic are equal.
    contradiction: npt.NDArray[np.int64]
    tags: list[bytes]  # different ones as they come, at most MOST_TAGS
    tag_first: npt.NDArray[np.int64]  # of each, the line of the first row that has it
    tag_rows: npt.NDArray[np.int64]  # of each, the rows that have it
    n_other_tags: int  # rows whose tag is none of these
    # The P faults of lines: by line, those of one line in the order of `LineFault`.
    kind: npt.NDArray[np.uint8]  # (P,) as `LineFault` has them
    line: npt.NDArray[np.int64]  # (P,)
    start: npt.NDArray[np.int64]  # (P,) the byte, from 0, where the line begins
    other: npt.NDArray[np.int64]  # (P,) of TWICE, the line where the document stands first; else 0
