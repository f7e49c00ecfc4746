"""Files to write that are none of those read."""

import os
from collections.abc import Iterable
from pathlib import Path

import click

from irkit.textio import STDIN


def check_apart(read: Iterable[str | os.PathLike[str]], *outputs: str | os.PathLike[str] | None) -> None:
    """Refuse to write over what is read, or two files under one name; pipes and devices take what comes.

    Parameters
    ----------
    read : iterable of str or path
        Files, or folders of which anything may be read; `-` is none.
    *outputs : str, path or None
        Those that are None are not written.

    Raises
    ------
    click.UsageError
    """
    taken = {os.path.realpath(path) for path in read if os.fspath(path) != STDIN}
    for out in outputs:
        if out is None or not is_kept(out):
            continue
        place = os.path.realpath(out)
        if place in taken or any(str(folder) in taken for folder in Path(place).parents):
            raise click.UsageError(f"{out} is read for this, or written already; name another file to write")
        taken.add(place)


def is_kept(out: str | os.PathLike[str]) -> bool:
    """Whether a file stays: not standard output, no pipe, no device."""
    try:
        return os.fspath(out) != STDIN and (not Path(out).exists() or Path(out).is_file())
    except OSError:  # a name that cannot be, of which writing has more to say
        return True
