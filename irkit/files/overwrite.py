"""Refuse to overwrite an input file, or to write two files under one name."""

import os
import stat
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from irkit.errors import UsageError
from irkit.files.textio import STDIN, is_open_already

PathLike: TypeAlias = str | os.PathLike[str]
_Key: TypeAlias = str | tuple[int, int]

RECORD_ENDING: Final = ".provenance.json"


def check_apart(read: Iterable[PathLike], *written: PathLike | None, implied: Iterable[PathLike] = ()) -> None:
    """Refuse to overwrite an input file, or to write two files under one name.

    Files are one where they are the same on the disk, however their names are spelled: by links of either kind, by
    folders that are links, in capitals where the file system does not see these, in relative ways. A file in a folder
    is one with the folder. The record of a run, `RUN.provenance.json`, is read with it. Pipes and devices take what
    comes.
    """
    files = [path for path in read if os.fspath(path) != STDIN]
    records = [record for path in files if os.path.lexists(record := record_place(path))]
    inputs = [(path, _place_of(path)) for path in (*files, *records)]
    outputs: list[tuple[PathLike, _Place]] = []
    named = [one for one in written if one is not None and is_kept(one)]
    beside = list(implied)
    for out in (*named, *beside):
        place = _place_of(out)
        for other, its in inputs:
            if how := _meeting(place, its):
                called = "is" if os.fspath(other) == os.fspath(out) else f"{how} {other}, which is"
                raise UsageError(f"{_named(out)} {called} read and stays as it is; name another file to write")
        for other, its in outputs:
            if place.keys & its.keys or (place.folded is not None and place.folded == its.folded):
                called = "twice" if os.fspath(other) == os.fspath(out) else f"as {other} already"
                raise UsageError(f"{out} would be written {called}; name another file to write")
        outputs.append((out, place))
    for out in beside:
        try:
            mode = os.lstat(out).st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        except OSError as problem:  # a name that is too long for it, though not for the one that the user named
            raise UsageError(f"{out}: cannot be written: {problem.strerror}") from problem
        if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
            raise UsageError(f"{out}: is no file, and one is written there; move it")


def record_place(run: PathLike) -> Path:
    """Path of the record of a run: beside the run, `RUN.provenance.json`."""
    return Path(f"{os.fspath(run)}{RECORD_ENDING}")


def is_kept(out: PathLike) -> bool:
    """Whether output under this path persists: it is not standard output, a pipe or a device."""
    if is_open_already(out):
        return False
    try:
        mode = os.lstat(out).st_mode
    except (OSError, ValueError):  # a new file, or an invalid name that writing reports
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


class _Place(NamedTuple):
    """Identity of a file, and the folders that contain it."""

    keys: frozenset[_Key]
    folders: frozenset[_Key]
    folded: str | None  # the name without capitals, where the file system does not see these


def _meeting(out: _Place, read: _Place) -> str:
    """Describe how an output file conflicts with an input; empty if it does not."""
    if out.keys & read.keys:
        return "is"
    if out.folders & read.keys:
        return "lies in"
    return "holds" if read.folders & out.keys else ""


def _named(out: PathLike) -> str:
    return os.fspath(out) or "''"


def _place_of(path: PathLike) -> _Place:
    path = Path(path)
    try:
        link = Path(os.path.realpath(path.parent)) / path.name
        end = Path(os.path.realpath(path))
    except (OSError, ValueError):  # an invalid name; reading and writing report it
        link = end = path
    keys = frozenset(key for one in (link, end) for key in _keys(one))
    folders = frozenset(key for one in (link, end) for folder in one.parents for key in _keys(folder))
    folded = unicodedata.normalize("NFC", str(link)).casefold() if _is_blind_to_capitals(link.parent) else None
    return _Place(keys, folders, folded)


def _is_blind_to_capitals(folder: Path) -> bool:
    """Whether the file system takes a folder's name in other capitals for the same."""
    there = next((one for one in (folder, *folder.parents) if one.name.swapcase() != one.name and one.exists()), None)
    try:
        return there is not None and there.with_name(there.name.swapcase()).samefile(there)
    except (OSError, ValueError):
        return False


def _keys(path: Path) -> Iterable[_Key]:
    yield str(path)
    try:
        found = path.stat()
    except (OSError, ValueError):
        return
    yield found.st_dev, found.st_ino
