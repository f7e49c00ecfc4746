"""Lock the file of a baseline during an update, so that no other update is lost."""

import os
from pathlib import Path

from irkit.errors import DataError, UsageError
from irkit.files.locks import alone
from irkit.files.textio import STDIN, write_bytes


def held_bytes(path: Path) -> bytes | None:
    """Bytes of the file; None for a missing file, a pipe or a device."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read: {problem.strerror}") from problem


def move(path: Path, before: bytes | None, content: bytes) -> None:
    """Write the file atomically, unless another process changed it."""
    if os.fspath(path) == STDIN or (path.exists() and not path.is_file()):
        write_bytes(path, content)
        return
    with alone(path):
        if held_bytes(path) != before:
            raise DataError(f"{path}: the baseline moved meanwhile; run it again")
        write_bytes(path, content)
