"""Folders of indexes, which appear whole or not at all."""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from irkit.errors import IrkitError, UsageError
from irkit.files.textio import STDIN
from irkit.files.unfinished import new_part_folder, part_name, remove_dead_folders
from irkit.retrieval.manifest import MANIFEST

N_ATTEMPTS: Final = 10
_PARTS: Final = re.compile(
    r"irkit\.json|\.irkit\.[0-9a-f]{32}\.part|index|docid|(pending_)?segments_\w+|write\.lock|_\w+(\.\w+)+"
)  # of FAISS and Lucene


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
    asked, target = target, target.parent.resolve() / target.name  # a link is replaced
    with ExitStack() as in_the_making:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            remove_dead_folders(target.parent, "part", remove_index)
            part = in_the_making.enter_context(new_part_folder(target.parent))
        except OSError as problem:
            raise UsageError(f"{asked}: cannot be written: {problem.strerror or problem}") from problem
        try:
            yield part
            _put_in_place(part, target)
        except BaseException as problem:
            shutil.rmtree(part, ignore_errors=True)
            if isinstance(problem, OSError) and str(problem.filename or part).startswith(str(part)):  # a full disk
                raise IrkitError(f"{asked}: cannot be written: {problem.strerror or problem}") from problem
            if isinstance(problem, IrkitError) and str(part) in str(problem):  # of a file in it
                raise IrkitError(str(problem).replace(str(part), str(asked))) from problem
            raise
    remove_dead_folders(target.parent, "old", remove_index)  # until now there may have been no other copy


def remove_index(folder: Path) -> None:
    """Remove a folder that holds an index, whole or in the making, and nothing else; leave every other one as it is."""
    with suppress(OSError):
        if not folder.is_symlink() and all(_PARTS.fullmatch(path.name) for path in folder.iterdir()):
            shutil.rmtree(folder)


def _may_be_replaced(folder: Path) -> bool:
    """Whether a folder is empty, or holds an index of irkit and nothing else."""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    return not names or (MANIFEST in names and all(map(_PARTS.fullmatch, names)))


def _put_in_place(part: Path, target: Path) -> None:
    """Rename a finished folder to its name, although other processes may be doing the same.

    Raises
    ------
    UsageError
        If what has come there meanwhile is no index.
    """
    for attempt in range(N_ATTEMPTS):
        old = part.with_name(part_name("old"))
        with suppress(FileNotFoundError):
            target.rename(old)
        if old.exists() and not _may_be_replaced(old):
            old.rename(target)
            raise UsageError(f"{target}: is no index that irkit made any more; name another folder")
        try:
            part.rename(target)
        except OSError:  # another process put its own there meanwhile
            if attempt == N_ATTEMPTS - 1 or not target.exists():
                raise
        else:
            return
        finally:
            if old.is_symlink():
                old.unlink()
            else:
                remove_index(old)
