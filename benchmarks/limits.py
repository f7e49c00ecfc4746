"""Runs beyond every 32-bit size: right answers, seconds and peak memory, each in a process of its own.

Not a part of the tests, since it reads some 30 GB and writes 5 GB into a temporary folder.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from irkit import _kernel
from irkit.data.qrels import Qrels
from irkit.data.runs import read_run
from irkit.errors import FormatError
from irkit.judged.matching import pool_of, retrieved

BEYOND = 2**32
LINES = b"".join(b"@ Q0 document%d 1 %d.5 run\n" % (number, 1000 - number) for number in range(1000))
N_BLOCKS = BEYOND // len(LINES) + 1000  # a topic each
LAST = f"{N_BLOCKS - 1:09}"
QRELS = Qrels.from_grades({LAST: {"document999": 1, "document7": 2}, "1": {"d1": 1, "d9999999": 2}})


def blocks() -> Iterator[bytes]:
    """A run of more than 2^32 bytes, topic by topic."""
    for number in range(N_BLOCKS):
        yield LINES.replace(b"@", b"%09d" % number)


def told_of(work: Callable[[], object]) -> str:
    """The error that is told."""
    try:
        work()
    except FormatError as problem:
        return str(problem)
    return ""


def fed(pieces: Iterable[bytes]) -> _kernel.Scorer:
    """What has taken a run in pieces."""
    taking = _kernel.Scorer(pool_of(QRELS), "run")
    for piece in pieces:
        taking.feed(piece)
    return taking


def run_in_a_stream(folder: Path) -> None:
    """A run of 4.3 GB that comes in pieces."""
    found = fed(blocks()).finish()
    assert found is not None
    assert len(found.topics) == N_BLOCKS
    assert set(found.lengths.tolist()) == {1000}
    assert found.matches.rank.tolist() == [8, 1000]


def run_in_a_file(folder: Path) -> None:
    """The same in a file, read anywhere by all cores; and the line number of what is wrong at its end."""
    path = folder / "run"
    with path.open("wb") as stream:
        stream.writelines(blocks())
    found = retrieved(path, QRELS)
    assert len(found.topics) == N_BLOCKS
    assert found.matches.rank.tolist() == [8, 1000]
    with path.open("ab") as stream:
        stream.write(b"%s Q0 document7 1 1 run\n" % LAST.encode())
    said = told_of(lambda: retrieved(path, QRELS))
    assert said.startswith(f"{path}:{1000 * N_BLOCKS + 1}: document 'document7' stands twice in topic '{LAST}'")
    assert f", first in line {1000 * (N_BLOCKS - 1) + 8};" in said


def lines_beyond(folder: Path) -> None:
    """2^32 empty lines, and the number of the bad one after them."""
    empty = b"\n" * 2**20
    for end, said in (
        (b"bad\n", f"run:{BEYOND + 1}: expected 6 fields"),
        (b"1 2 3\n\n\0", f"run:{BEYOND + 3}: a NUL byte"),
    ):
        assert told_of(fed([*[empty] * 2**12, end]).finish).startswith(said)


def one_field_beyond(folder: Path) -> None:
    """A document id of more than 2^32 bytes."""
    part = b"x" * 2**20
    found = fed([b"1 Q0 ", *[part] * (2**12 + 1), b" 1 2 run\n1 Q0 d1 2 3 run\n"]).finish()
    assert found is not None
    assert found.lengths.tolist() == [2]
    assert found.matches.rank.tolist() == [1]


def many_topics(folder: Path, read: bool = False) -> None:
    """10 million topics of one line, scored."""
    path = folder / "run"
    with path.open("wb") as stream:
        stream.writelines(b"%d Q0 d%d 1 2.5 run\n" % (number, number) for number in range(10**7))
    if read:
        assert len(read_run(path).topics) == 10**7
    else:
        found = retrieved(path, QRELS)
        assert len(found.topics) == 10**7
        assert found.matches.rank.tolist() == [1]


def many_topics_read(folder: Path) -> None:
    """10 million topics of one line, read as a run."""
    many_topics(folder, read=True)


def many_documents(folder: Path, read: bool = False) -> None:
    """A topic of 10 million documents, worst first, scored."""
    path = folder / "run"
    with path.open("wb") as stream:
        stream.writelines(b"1 Q0 d%d 1 %d run\n" % (number, number) for number in range(10**7))
    if read:
        assert read_run(path).documents[0] == b"d9999999"
    else:
        assert retrieved(path, QRELS).matches.rank.tolist() == [1, 10**7 - 1]


def many_documents_read(folder: Path) -> None:
    """A topic of 10 million documents, worst first, read as a run."""
    many_documents(folder, read=True)


CASES = {
    case.__name__: case
    for case in (
        run_in_a_stream,
        run_in_a_file,
        lines_beyond,
        one_field_beyond,
        many_topics,
        many_topics_read,
        many_documents,
        many_documents_read,
    )
}


def main() -> None:
    """Run the cases named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", help=", ".join(CASES))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    for name in options.cases or CASES:
        if not options.here:
            subprocess.run([sys.executable, __file__, "--here", name], check=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            CASES[name](Path(folder))
            seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{CASES[name].__doc__}  {seconds:.0f} s, {peak} MB ({_kernel.NAME}, {os.cpu_count()} cores)", flush=True)


if __name__ == "__main__":
    main()
