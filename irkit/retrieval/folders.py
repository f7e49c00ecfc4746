"""Folders of indexes, which appear whole or not at all."""

import glob
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from irkit.errors import IrkitError, UsageError
from irkit.retrieval.manifest import MANIFEST
from irkit.textio import STDIN

N_ATTEMPTS: Final = 10
LEFT_AFTER: Final = 24 * 60 * 60  # seconds
_PARTS: Final = re.compile(r"irkit\.json|index|docid|segments_\w+|write\.lock|_\w+(\.\w+)+")  # of FAISS and Lucene


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder that takes the place of `target` when the block ends well, and is gone otherwise.

    Raises
    ------
    UsageError
        If `target` holds something that is no index of irkit, which is never replaced; or cannot be written.
    IrkitError
        If the disk is full before the end.
    """
    if str(target) == STDIN:
        raise UsageError("an index is a folder, which standard output is not; name a folder")
    if target.exists() and not _may_be_replaced(target):
        raise UsageError(f"{target}: exists and is no index that irkit made; remove it or name another folder")
    target = target.resolve()
    part = target.parent / f".{target.name}.{secrets.token_hex(4)}.part"
    _remove_leftovers(target)
    try:
        part.mkdir(parents=True)
    except OSError as problem:
        raise UsageError(f"{target}: cannot be written: {problem.strerror or problem}") from problem
    try:
        yield part
        _put_in_place(part, target)
    except BaseException as problem:
        with suppress(OSError):
            shutil.rmtree(part)
        if isinstance(problem, OSError) and str(problem.filename or part).startswith(str(part)):  # a full disk
            raise IrkitError(f"{target}: cannot be written: {problem.strerror or problem}") from problem
        raise


def _may_be_replaced(folder: Path) -> bool:
    """Whether a folder is empty, or holds an index of irkit and nothing else."""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    return not names or (MANIFEST in names and all(map(_PARTS.fullmatch, names)))


def _put_in_place(part: Path, target: Path) -> None:
    """Rename a finished folder to its name, although other processes may be doing the same."""
    for attempt in range(N_ATTEMPTS):
        old = part.with_suffix(f".{attempt}.old")
        with suppress(FileNotFoundError):
            target.rename(old)
        try:
            part.rename(target)
        except OSError:  # another process put its own there meanwhile
            if attempt == N_ATTEMPTS - 1 or not target.exists():
                raise
        else:
            return
        finally:
            shutil.rmtree(old, ignore_errors=True)


def _remove_leftovers(target: Path) -> None:
    """Remove what killed processes left beside the target, once it is too old to be in the making."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.*"):
        with suppress(OSError):
            if left.suffix in (".part", ".old") and time.time() - left.stat().st_mtime > LEFT_AFTER:
                shutil.rmtree(left)
