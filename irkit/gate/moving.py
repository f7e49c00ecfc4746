"""Lock the file of a baseline during an update, so that no other update is lost."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from irkit.errors import DataError, UsageError
from irkit.textio import STDIN, write_bytes


def held_bytes(path: Path) -> bytes | None:
    """What the file holds as it lies there; None where there is none, or a pipe or a device."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read: {problem.strerror}") from problem


def move(path: Path, before: bytes | None, content: bytes) -> None:
    """Write the file, whole or not at all, if it still holds what it held before.

    Raises
    ------
    DataError
        If somebody else wrote it meanwhile.
    UsageError
        If the place cannot be written.
    """
    if os.fspath(path) == STDIN or (path.exists() and not path.is_file()):
        write_bytes(path, content)
        return
    with _alone(path):
        if held_bytes(path) != before:
            raise DataError(f"{path}: the baseline moved meanwhile; run it again")
        write_bytes(path, content)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process moves the file; its lock is a file beside it, which is removed."""
    try:
        import fcntl
    except ImportError:  # as on Windows, where the look at what the file holds has to do
        yield
        return
    try:
        folder = path.parent.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        # A name that no file of the user's has, since the lock is removed.
        lock = folder / f".irkit.{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:32]}.lock"
        descriptor = _locked(lock, lambda descriptor: fcntl.flock(descriptor, fcntl.LOCK_EX))
    except (OSError, RuntimeError, ValueError) as problem:
        raise UsageError(f"{path}: cannot be written: {getattr(problem, 'strerror', None) or problem}") from problem
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(lock: Path, wait_for: Callable[[int], None]) -> int:
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            wait_for(descriptor)
            # Whoever had it removed it: then this is no longer the file that the next one locks.
            if lock.exists() and os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
