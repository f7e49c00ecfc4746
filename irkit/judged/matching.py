"""Find the judged documents of a run file without holding the file in memory."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BufferedReader, FileIO
from typing import BinaryIO, cast
from weakref import WeakKeyDictionary

import numpy as np

from irkit import _kernel
from irkit._kernel.columns import Retrieved
from irkit.data.exchanged_columns import LOOKED_AT, refuse_exchanged
from irkit.data.from_tables import is_table
from irkit.data.qrels import Qrels
from irkit.data.runs import Run, RunSource, read_run
from irkit.errors import FormatError, IrkitError
from irkit.files.textio import BYTE_ORDER_MARK, STDIN, reading, shown

CHUNK = 1 << 18

_pools: WeakKeyDictionary[Qrels, _kernel.Pool] = WeakKeyDictionary()


def retrieved(run: RunSource, qrels: Qrels, *, float32: bool = False, name: str | None = None) -> Retrieved:
    """Read the part of a run that scoring needs.

    A file is read once, on all cores where it is not compressed, and only the topics in flight are held. A file whose
    topics lie scattered, so that one comes back after another, is read whole.
    """
    if not isinstance(run, str | os.PathLike):
        plain = None
        if isinstance(run, Mapping) and not is_table(run):
            plain = _kernel.score_mapping(run, pool_of(qrels), float32=float32)
        return plain or _of_run(Run.of(run, name), qrels, float32)
    name = shown(run)
    with reading(run) as stream:
        start = cast(BufferedReader, stream).peek(LOOKED_AT)
        if os.fspath(run) == STDIN or not stat.S_ISREG((status := os.fstat(stream.fileno())).st_mode):
            found = _of_pipe(stream, qrels, name, float32)
        else:
            found = _of_file(stream, status.st_size, qrels, name, float32) or _of_run(read_run(run), qrels, float32)
    if not found.topics:
        raise FormatError(name, "the run file is empty")
    refuse_exchanged(start.removeprefix(BYTE_ORDER_MARK), name)
    return found


def pool_of(qrels: Qrels) -> _kernel.Pool:
    """Prepare qrels for lookup in the kernel."""
    if qrels not in _pools:
        _pools[qrels] = _kernel.Pool(qrels.columns())
    return _pools[qrels]


@contextmanager
def _keeping() -> Iterator[None]:
    """Tell want of space for a stream that is kept from damage of the stream itself."""
    try:
        yield
    except OSError as problem:
        import tempfile

        folder = tempfile.tempdir or os.environ.get("TMPDIR") or "the folder of temporary files"
        raise IrkitError(
            f"{folder}: cannot be written: {problem.strerror or problem}; a run from a pipe is kept there while it is "
            "read: name a folder with room for it in TMPDIR, or give the run as a file"
        ) from problem


def _of_run(run: Run, qrels: Qrels, float32: bool) -> Retrieved:
    columns = (run.rounded_to_float32() if float32 else run).columns()
    return Retrieved(columns.topics, np.diff(columns.starts), _kernel.match(columns, pool_of(qrels)), columns.tag)


def _of_file(stream: BinaryIO, size: int, qrels: Qrels, name: str, float32: bool) -> Retrieved | None:
    if isinstance(getattr(stream, "raw", None), FileIO):  # not decompressed: the file itself, to be read anywhere
        return _kernel.score_file(stream.fileno(), size, pool_of(qrels), name, float32=float32)
    return _of_stream(stream, qrels, name, float32)


def _of_stream(stream: BinaryIO, qrels: Qrels, name: str, float32: bool) -> Retrieved | None:
    scorer = _kernel.Scorer(pool_of(qrels), name, float32=float32)
    while data := stream.read(CHUNK):
        scorer.feed(data)
    return scorer.finish()


def _of_pipe(stream: BinaryIO, qrels: Qrels, name: str, float32: bool) -> Retrieved:
    """Judge as `_of_stream`; keep the input in an unnamed file until its topics are known to be contiguous."""
    import tempfile

    scorer = _kernel.Scorer(pool_of(qrels), name, float32=float32)
    with ExitStack() as until_the_end:
        with _keeping():
            spool = until_the_end.enter_context(tempfile.TemporaryFile(prefix="irkit.", buffering=0))
        while data := stream.read(CHUNK):
            with _keeping():
                left = memoryview(data)
                while left:  # a disk that is nearly full takes a part
                    left = left[spool.write(left) :]
            scorer.feed(data)
        if (found := scorer.finish()) is not None:
            return found
        spool.seek(0)
        return _of_run(Run.from_bytes(spool.read().removeprefix(BYTE_ORDER_MARK), name), qrels, float32)
