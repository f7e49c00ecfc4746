"""Write the folder of an index completely or not at all."""

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
)  # file names of FAISS and Lucene


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Context for a new folder that replaces `target` if the block succeeds, and is removed if it fails."""
    if str(target) == STDIN:
        raise UsageError("an index is a folder and cannot go to standard output; name a folder")
    if target.exists() and not _may_be_replaced(target):
        raise UsageError(f"{target}: exists and is not an index made by irkit; remove it or name another folder")
    given, target = target, target.parent.resolve() / target.name  # replaces a link, not its target
    with ExitStack() as in_the_making:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            remove_dead_folders(target.parent, "part", remove_index)
            part = in_the_making.enter_context(new_part_folder(target.parent))
        except OSError as problem:
            raise UsageError(f"{given}: cannot be written: {problem.strerror or problem}") from problem
        try:
            yield part
            _put_in_place(part, target)
        except BaseException as problem:
            shutil.rmtree(part, ignore_errors=True)
            if isinstance(problem, OSError) and str(problem.filename or part).startswith(
                str(part)
            ):  # such as a full disk
                raise IrkitError(f"{given}: cannot be written: {problem.strerror or problem}") from problem
            if isinstance(problem, IrkitError) and str(part) in str(problem):  # an error about a file in the folder
                raise IrkitError(str(problem).replace(str(part), str(given))) from problem
            raise
    remove_dead_folders(target.parent, "old", remove_index)  # only now, because the old index was the only copy before


def remove_index(folder: Path) -> None:
    """Remove a folder that holds only an index, finished or not; leave any other folder unchanged."""
    with suppress(OSError):
        if not folder.is_symlink() and all(_PARTS.fullmatch(path.name) for path in folder.iterdir()):
            shutil.rmtree(folder)


def _may_be_replaced(folder: Path) -> bool:
    """Whether a folder is empty, or holds only an index of irkit."""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    return not names or (MANIFEST in names and all(map(_PARTS.fullmatch, names)))


def _put_in_place(part: Path, target: Path) -> None:
    """Rename a finished folder to its name, even if other processes do the same; UsageError if the name is taken."""
    for attempt in range(N_ATTEMPTS):
        old = part.with_name(part_name("old"))
        with suppress(FileNotFoundError):
            target.rename(old)
        if old.exists() and not _may_be_replaced(old):
            old.rename(target)
            raise UsageError(f"{target}: is no longer an index made by irkit; name another folder")
        try:
            part.rename(target)
        except OSError:  # another process put its index there first
            if attempt == N_ATTEMPTS - 1 or not target.exists():
                raise
        else:
            return
        finally:
            if old.is_symlink():
                old.unlink()
            else:
                remove_index(old)
