"""The user's cache folder: things that can be made again. Where it cannot be written, nothing is kept."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

from irkit.errors import UsageError
from irkit.textio import writing


def cache_folder() -> Path | None:
    """`irkit` under XDG_CACHE_HOME, or under ~/.cache; None where there is no home."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(configured):  # the specification says to ignore others  # noqa: PTH117
        return Path(configured) / "irkit"
    try:
        return Path.home() / ".cache" / "irkit"
    except RuntimeError:
        return None


def keep(path: Path, write: Callable[[IO[bytes]], object]) -> bool:
    """Write a file of the cache, whole or not at all; False where that is not possible."""
    try:
        with writing(path) as stream:
            write(stream)
    except (UsageError, OSError):
        return False
    return True
