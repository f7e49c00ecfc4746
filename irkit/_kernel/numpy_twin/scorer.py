"""Score a run in chunks of the file; only the current topic is kept in memory."""

from collections.abc import Mapping
from typing import Any, Final

from irkit._kernel.columns import Retrieved
from irkit._kernel.numpy_twin.judge import Judge
from irkit._kernel.numpy_twin.pool import Pool
from irkit._kernel.numpy_twin.rows import RUN, read_rows
from irkit._kernel.numpy_twin.text import CHUNK, stretches
from irkit._kernel.problems import became_shorter
from irkit.files.textio import BYTE_ORDER_MARK, nul_byte

_HEAD: Final = 512  # the first bytes of a file, by which other kinds of files are known


class Scorer:
    """Find the judged documents of a run in one pass over its pieces.

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
        self._judge = Judge(pool, name, float32)
        self._name, self._chunk = name, chunk
        self._rest = b""  # the topic in flight, and a line that has not ended
        self._rest_line = 1  # the number of its first line
        self._waiting: list[bytes] = []  # pieces after the rest that were not looked at yet
        self._n_waiting = 0
        self._begun = False
        self._head = b""
        self._n_newlines = 0
        self._nul_line: int | None = None

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the run; `finish` reports errors in them."""
        if len(self._head) < _HEAD:
            self._head += data[:_HEAD]
        if self._nul_line is not None:
            return
        if (place := data.find(b"\0")) >= 0:
            self._nul_line = self._n_newlines + data.count(b"\n", 0, place) + 1
        self._n_newlines += data.count(b"\n")
        if self._judge.ended:
            return
        self._waiting.append(data)
        self._n_waiting += len(data)
        # No more is looked at again than is new, so that a long topic or line costs no more than others.
        if self._n_waiting >= max(self._chunk, len(self._rest)):
            self._read(last=False)

    def finish(self) -> Retrieved | None:
        """Return the judged documents; None where topics are scattered, so that the run must be read whole.

        Raises
        ------
        FormatError
            For a NUL byte, wherever it is; else for the first bad line, as `parse_run`.
        """
        if self._nul_line is not None:
            raise nul_byte(self._name, self._nul_line, self._head.removeprefix(BYTE_ORDER_MARK))
        if not self._judge.ended:
            self._read(last=True)
        return self._judge.found()

    def _read(self, *, last: bool) -> None:
        """Process the received lines up to the last complete topic, or all at the end."""
        text = b"".join([self._rest, *self._waiting])
        self._waiting, self._n_waiting = [], 0
        if not last and b"\n" not in text:
            self._rest = text
            return
        if not self._begun:
            text, self._begun = text.removeprefix(BYTE_ORDER_MARK), True
        stop = len(text) if last else text.rfind(b"\n") + 1
        rows = read_rows(text[:stop], RUN, self._name, self._rest_line)
        starts = stretches(rows.topics)
        if not (last or rows.problem):
            if len(rows.topics):
                starts = starts[:-1]
                self._rest = text[int(rows.topics.start[starts[-1]]) :]
                self._rest_line = int(rows.line[starts[-1]])
            else:
                self._rest = text[stop:]
                self._rest_line += text.count(b"\n", 0, stop)
        self._judge.take(rows, starts)


def score_file(
    descriptor: int, size: int, pool: Pool, name: str, *, float32: bool = False, threads: int = 1, piece: int = 0
) -> Retrieved | None:
    """Find the judged documents of a run in a regular file.

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
        As `Scorer.finish`; or if the file ends before its size.
    """
    chunk = piece or CHUNK
    scorer = Scorer(pool, name, float32=float32, chunk=chunk)
    with open(descriptor, "rb", closefd=False) as stream:
        stream.seek(0)
        while size > 0:
            if not (data := stream.read(min(size, chunk))):
                raise became_shorter(name)
            scorer.feed(data)
            size -= len(data)
    return scorer.finish()


def score_mapping(run: Mapping[Any, Any], pool: Pool, *, float32: bool = False) -> Retrieved | None:
    """Find the judged documents of a run in a dict.

    Parameters
    ----------
    run : mapping of topic to mapping of document to score, or to documents in ranked order
    pool : Pool
    float32 : bool
        Scores are compared as 32-bit floats.

    Returns
    -------
    Retrieved, or None
        None where the mapping has to be checked and ranked by `irkit.data.runs`, which here is always so.
    """
    return None
