"""Read-only arrays for results."""

from typing import Any


def freeze(holder: Any, *names: str) -> None:
    """Put a read-only view in the place of each of these arrays; whoever made them keeps theirs."""
    for name in names:
        array = getattr(holder, name).view()
        array.flags.writeable = False
        object.__setattr__(holder, name, array)
