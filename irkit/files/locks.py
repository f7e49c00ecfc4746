"""Locks between processes, so that only one writes a file or folder at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from irkit._utils.notices import notice
from irkit.files.unfinished import is_still


@contextmanager
def alone(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold the lock of a file or folder during the block; wait with a notice while another process or thread holds it.

    The lock is an empty file beside the target, `.irkit.HASH.lock` with the hash of the target's name, which is removed
    at the end. The system releases it when its process ends, however that happens, so that a killed process never
    blocks another. Where there are no locks (Windows, some network file systems), or the folder cannot be written, the
    block runs without one.
    """
    held = _held(path)
    try:
        yield
    finally:
        if held is not None:
            lock, descriptor = held
            with suppress(OSError):
                lock.unlink()  # before it is released, so that it is never another process's lock
            os.close(descriptor)


def _held(path: str | os.PathLike[str]) -> tuple[Path, int] | None:
    """The lock's file and its open descriptor; None where there can be no lock."""
    try:
        import fcntl
        import hashlib  # which most commands do without

        folder = Path(path).parent.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        # A name that no file of the user's has, since the lock is removed.
        lock = folder / f".irkit.{hashlib.sha256(os.fsencode(Path(path).name)).hexdigest()[:32]}.lock"
        told = False
        while True:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
            try:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if not told:
                        notice(f"waiting for another process, which writes {os.fspath(path)}")
                    told = True
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
                if is_still(lock, descriptor):
                    return lock, descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # the process that held it removed it: the next one locks another file
    except (ImportError, OSError, RuntimeError, ValueError):  # a loop of links, a name with a NUL byte
        return None
