"""A run that is only scored: read a chunk at a time, of which the topics in flight are kept and no more."""

import errno
from collections.abc import Mapping
from typing import Any

import numpy as np

from irkit._kernel import problems
from irkit._kernel.columns import Matches, Retrieved
from irkit._kernel.numpy_twin.fields import Places
from irkit._kernel.numpy_twin.numbers import as_float32
from irkit._kernel.numpy_twin.order import find_twice, ranking
from irkit._kernel.numpy_twin.pool import Pool
from irkit._kernel.numpy_twin.rows import RUN, Rows, read_rows
from irkit._kernel.numpy_twin.text import CHUNK, stretches
from irkit.errors import FormatError
from irkit.textio import BYTE_ORDER_MARK, nul_byte

_HEAD = 512  # the first bytes of a file, by which other kinds of files are known


class Scorer:
    """A run that comes in pieces and only once -> its judged documents.

    Parameters
    ----------
    pool : Pool
    name : str
        What the run is called in messages.
    float32 : bool
        Scores are compared as 32-bit floats.
    chunk : int
        Bytes that are looked at together.
    """

    def __init__(self, pool: Pool, name: str, *, float32: bool = False, chunk: int = CHUNK) -> None:
        self._pool, self._name, self._float32, self._chunk = pool, name, float32, chunk
        self._head = b""
        self._n_newlines = 0
        self._nul_line: int | None = None
        self._rest = b""  # the topic in flight, and a line that has not ended
        self._rest_line = 1  # the number of its first line
        self._waiting: list[bytes] = []  # pieces after the rest that were not looked at yet
        self._n_waiting = 0
        self._begun = False
        self._problem: FormatError | None = None
        self._scattered = False
        self._lengths: dict[bytes, int] = {}
        self._matches: list[tuple[Places, Places, Places]] = []
        self._tag = b""

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the run. What is wrong in them is said by `finish`."""
        if self._nul_line is not None:
            return
        if len(self._head) < _HEAD:
            self._head += data[:_HEAD]
        if (place := data.find(b"\0")) >= 0:
            self._nul_line = self._n_newlines + data.count(b"\n", 0, place) + 1
        self._n_newlines += data.count(b"\n")
        if self._problem or self._scattered:
            return
        self._waiting.append(data)
        self._n_waiting += len(data)
        # No more is looked at again than is new, so that a long topic or line costs no more than others.
        if self._n_waiting >= max(self._chunk, len(self._rest)):
            self._read(last=False)

    def finish(self) -> Retrieved | None:
        """What was found; None where topics lie scattered and the run has to be read whole.

        Raises
        ------
        FormatError
            For a NUL byte, wherever it is; else for the first bad line, as `parse_run`.
        """
        if self._nul_line is not None:
            raise nul_byte(self._name, self._nul_line, self._head.removeprefix(BYTE_ORDER_MARK))
        if not (self._problem or self._scattered):
            self._read(last=True)
        if self._scattered:
            return None
        if self._problem is not None:
            raise self._problem
        topics = sorted(self._lengths)
        lengths = np.array([self._lengths[topic] for topic in topics], dtype=np.int64)
        none = (np.zeros(0, dtype=np.int64),) * 3
        topic, rank, grade = map(np.concatenate, zip(none, *self._matches, strict=True))
        order = np.lexsort((rank, topic))
        return Retrieved(topics, lengths, Matches(topic[order], rank[order], grade[order]), self._tag)

    def _read(self, *, last: bool) -> None:
        """Look at what came, up to the topic that may go on; at all of it, where it is the last."""
        text = b"".join([self._rest, *self._waiting])
        self._waiting, self._n_waiting = [], 0
        stop = len(text) if last else text.rfind(b"\n") + 1
        if stop == 0:
            self._rest = text
            return
        if not self._begun:
            self._begun = True
            n_signs = len(text)
            text = text.removeprefix(BYTE_ORDER_MARK)
            stop -= n_signs - len(text)
        rows = read_rows(text[:stop], RUN, self._name, self._rest_line)
        starts = stretches(rows.topics)
        n_topics = len(starts) - 1
        if last or rows.problem:
            self._rest = b""
        elif n_topics:
            n_topics -= 1
            self._rest = text[int(rows.topics.start[starts[n_topics]]) :]
            self._rest_line = int(rows.line[starts[n_topics]])
        else:
            self._rest = text[stop:]
            self._rest_line += text.count(b"\n", 0, stop)
        self._score(rows, starts[: n_topics + 1])

    def _score(self, rows: Rows, starts: Places) -> None:
        """Take the first topics of these rows, whose lines are all there, and the problem that comes after them."""
        lengths, n_rows = np.diff(starts), int(starts[-1])
        number = np.repeat(np.arange(len(lengths)), lengths)
        topics, documents = rows.topics.take(starts[:-1]).tolist(), rows.documents.take(slice(n_rows))
        self._problem = rows.problem
        if twice := find_twice(number, documents):
            row, first = twice
            del topics[int(number[row]) + 1 :]
            line, first_line = int(rows.line[row]), int(rows.line[first])
            self._problem = problems.twice(self._name, line, first_line, topics[-1], documents[row])
        for topic, length in zip(topics, lengths.tolist(), strict=False):
            # A document may stand in both parts of a topic: only who has the whole file can say what is wrong first.
            self._scattered |= topic in self._lengths
            self._lengths[topic] = length
        if self._problem or self._scattered or not n_rows:
            return
        self._tag = rows.tags[n_rows - 1]
        place = np.repeat(np.array([self._pool.place.get(topic, -1) for topic in topics], dtype=np.int64), lengths)
        judged, grades = self._pool.find(place, documents)
        if len(judged):
            scores = as_float32(rows.numbers[:n_rows]) if self._float32 else rows.numbers[:n_rows]
            rank = np.empty(n_rows, dtype=np.int64)
            rank[ranking(number, documents, scores)] = np.arange(1, n_rows + 1)
            self._matches.append((place[judged], rank[judged] - starts[number[judged]], grades))


def score_file(
    descriptor: int, size: int, pool: Pool, name: str, *, float32: bool = False, threads: int = 1, piece: int = 0
) -> Retrieved | None:
    """A run in a regular file -> its judged documents.

    Parameters
    ----------
    descriptor : int
        The file, not compressed.
    size : int
        Its size in bytes.
    pool : Pool
    name : str
        What the run is called in messages.
    float32 : bool
        Scores are compared as 32-bit floats.
    threads : int
        How many may read; here one does.
    piece : int
        Bytes that a thread takes at once; 0 leaves it to the kernel.

    Returns
    -------
    Retrieved, or None
        None where topics lie scattered and the run has to be read whole.

    Raises
    ------
    FormatError
        As `Scorer.finish`.
    OSError
        If the file ends before its size.
    """
    chunk = piece or CHUNK
    scorer = Scorer(pool, name, float32=float32, chunk=chunk)
    with open(descriptor, "rb", closefd=False) as stream:
        stream.seek(0)
        while size > 0:
            data = stream.read(min(size, chunk))
            if not data:
                raise OSError(errno.EIO, "the file became shorter")
            scorer.feed(data)
            size -= len(data)
    return scorer.finish()


def score_mapping(run: Mapping[Any, Any], pool: Pool, *, float32: bool = False) -> Retrieved | None:
    """A run in a dict -> its judged documents.

    Parameters
    ----------
    run : mapping of topic to mapping of document to score, or to documents in ranked order
    pool : Pool
    float32 : bool
        Scores are compared as 32-bit floats.

    Returns
    -------
    Retrieved, or None
        None where the mapping has to be checked and ranked by `irkit.runs`, which here is always so.
    """
    return None
