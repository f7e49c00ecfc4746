"""What to suggest for a name that does not exist."""

from collections.abc import Iterable
from difflib import get_close_matches


def instead(name: str, known: Iterable[str]) -> str:
    """The nearest name that exists, or all of them, as the end of a message."""
    names = list(known)
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
