"""Read-only arrays for results."""

from typing import Any


def freeze(holder: Any, *names: str) -> None:
    """Replace each named array of an object by a read-only view; the original array stays writable."""
    for name in names:
        array = getattr(holder, name).view()
        array.flags.writeable = False
        object.__setattr__(holder, name, array)
