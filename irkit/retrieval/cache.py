"""The user's cache folder: files that can be made again, each with its checksum.

Faults of the cache never stop a command. A damaged file is removed and counts as absent, as does an unreadable one; a
file that cannot be written is not kept. A notice reports each fault.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from irkit._utils.notices import notice
from irkit.errors import IrkitError
from irkit.files.textio import writing

CHECKSUM_BYTES: Final = 32  # SHA-256 of the rest of the file


def cache_folder() -> Path | None:
    """Return `irkit` under XDG_CACHE_HOME, or under ~/.cache; None without a home folder."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(configured):  # the specification says to ignore relative paths  # noqa: PTH117
        return Path(configured) / "irkit"
    try:
        return Path.home() / ".cache" / "irkit"
    except RuntimeError:
        return None


def keep(path: Path, content: bytes) -> bool:
    """Write a file of the cache, completely or not at all; if that fails, give a notice and return False."""
    try:
        with writing(path) as stream:
            stream.write(hashlib.sha256(content).digest())
            stream.write(content)
    except (IrkitError, OSError) as problem:
        notice(f"the cache keeps nothing: {problem}")
        return False
    return True


def kept(path: Path) -> memoryview | None:
    """Read a file of the cache; None if it is absent, unreadable, or damaged (it is then removed)."""
    try:
        data = memoryview(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, MemoryError) as problem:
        notice(
            f"{path}: the cache cannot be read ({getattr(problem, 'strerror', None) or problem}); "
            "irkit continues without it"
        )
        return None
    content = data[CHECKSUM_BYTES:]
    if hashlib.sha256(content).digest() != data[:CHECKSUM_BYTES]:
        drop(path)
        return None
    return content


def drop(path: Path) -> None:
    """Remove a damaged file of the cache, if possible, with a notice."""
    notice(f"{path}: damaged, and dropped from the cache; its content is made again")
    with suppress(OSError):
        path.unlink()
