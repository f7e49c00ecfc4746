"""Unfinished files and folders: locked, beside their final path, under temporary names of irkit.

A lock ends with its process, so that whatever is not locked is a leftover of one that was killed. Only a name of the
exact pattern is ever removed.
"""

import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"\.irkit\.[0-9a-f]{32}\.(part|old)")


def part_name(ending: str = "part") -> str:
    """New temporary name for an unfinished file or folder; `old` for a folder that is being replaced."""
    return f".irkit.{secrets.token_hex(16)}.{ending}"


@contextmanager
def new_part_file(folder: Path) -> Iterator[tuple[Path, int]]:
    """Create a file in a folder, locked during the block; the block closes its descriptor."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    while True:
        path = folder / part_name()
        descriptor = os.open(path, flags, 0o600)
        if _is_ours(path, descriptor):
            break
        os.close(descriptor)
    # The lock outlives the writing, up to the renaming. Windows, which has no such locks, renames no open file.
    lock = os.dup(descriptor) if os.name == "posix" else None
    try:
        yield path, descriptor
    finally:
        if lock is not None:
            os.close(lock)


@contextmanager
def new_part_folder(parent: Path) -> Iterator[Path]:
    """Create a folder in another folder, locked during the block."""
    while True:
        path = parent / part_name()
        path.mkdir(parents=True)
        descriptor = None
        with suppress(OSError):  # as on Windows, which opens no folder
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        if descriptor is None or _is_ours(path, descriptor):
            break
        os.close(descriptor)
    try:
        yield path
    finally:
        if descriptor is not None:
            os.close(descriptor)


def remove_dead_files(folder: Path) -> None:
    """Remove the unfinished files that killed processes left in a folder."""
    for path in _named_parts(folder, "part"):
        if path.is_file() and not path.is_symlink():
            _remove_if_dead(path, lambda path: path.unlink())


def remove_dead_folders(parent: Path, ending: str, remove: Callable[[Path], object]) -> None:
    """Call `remove` for each unfinished folder that a killed process left in a folder."""
    for path in _named_parts(parent, ending):
        if path.is_dir() and not path.is_symlink():
            _remove_if_dead(path, remove)


def _named_parts(folder: Path, ending: str) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [folder / one.name for one in entries if (name := _NAME.fullmatch(one.name)) and name[1] == ending]
    except OSError:
        return []


def _remove_if_dead(path: Path, remove: Callable[[Path], object]) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
        try:
            if _lock(descriptor):
                remove(path)
        finally:
            os.close(descriptor)


def _is_ours(path: Path, descriptor: int) -> bool:
    """Lock the new file; False if another process removed it as a leftover."""
    try:
        if not _lock(descriptor):
            return True  # a file system without locks, where leftovers stay
        return is_still(path, descriptor)
    except BlockingIOError:
        return False


def is_still(path: Path, descriptor: int) -> bool:
    """Whether a path still names the open file or folder; another process may have removed it."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False


def _lock(descriptor: int) -> bool:
    """Whether it could be locked; False where there are no locks."""
    try:
        import fcntl
    except ImportError:  # as on Windows
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return False
    return True
