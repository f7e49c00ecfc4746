"""Words of messages: what to suggest for a name that does not exist, and how many there are of a thing."""

from collections.abc import Iterable
from difflib import get_close_matches


def instead(name: str, known: Iterable[str]) -> str:
    """The nearest name that exists, or all of them, as the end of a message."""
    names = list(known)
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"


def no_field(holder: str, name: str, known: Iterable[str]) -> str:
    """The message that no document (or topic) has this field: the nearest one that they have, and all of them."""
    names = list(known)
    if not names:
        return f"no {holder} has a field {name!r}; they have none"
    close = get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]!r}? " if close else ""
    return f"no {holder} has a field {name!r}; {meant}there are {', '.join(names)}"


def counted(n: int, thing: str) -> str:
    """`1 topic`, `2 topics`."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"
