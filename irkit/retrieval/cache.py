"""The user's cache folder: files that can be made again, each with its checksum.

A cache never stops a command. A file that is damaged or cannot be read counts as absent and is dropped; where a file
cannot be written, it is not kept. A notice says so.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from irkit._utils.notices import notice
from irkit.errors import IrkitError
from irkit.files.textio import writing

CHECKSUM_BYTES: Final = 32  # SHA-256 of the content that follows


def cache_folder() -> Path | None:
    """`irkit` under XDG_CACHE_HOME, or under ~/.cache; None where there is no home."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(configured):  # the specification says to ignore others  # noqa: PTH117
        return Path(configured) / "irkit"
    try:
        return Path.home() / ".cache" / "irkit"
    except RuntimeError:
        return None


def keep(path: Path, content: bytes) -> bool:
    """Write a file of the cache, whole or not at all; False, with a notice, where that is not possible."""
    try:
        with writing(path) as stream:
            stream.write(hashlib.sha256(content).digest())
            stream.write(content)
    except (IrkitError, OSError) as problem:
        notice(f"the cache keeps nothing: {problem}")
        return False
    return True


def kept(path: Path) -> memoryview | None:
    """The content of a file of the cache; None where it is absent, damaged (it is dropped then) or cannot be read."""
    try:
        data = memoryview(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, MemoryError) as problem:
        notice(f"{path}: the cache cannot be read ({getattr(problem, 'strerror', None) or problem}); done without it")
        return None
    content = data[CHECKSUM_BYTES:]
    if hashlib.sha256(content).digest() != data[:CHECKSUM_BYTES]:
        drop(path)
        return None
    return content


def drop(path: Path) -> None:
    """Remove a file of the cache that is damaged, where that is possible, with a notice."""
    notice(f"{path}: damaged, and dropped from the cache; its content is made again")
    with suppress(OSError):
        path.unlink()
