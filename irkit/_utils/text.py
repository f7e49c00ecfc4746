"""Helpers for messages: suggestions for misspelt names, singular and plural."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to this name; None if no known name is similar."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(known), n=1)), None)


def instead(name: object, known: Iterable[str]) -> str:
    """End of a message: suggest the most similar known name, or list all known names."""
    names = list(known)
    close = nearest(str(name), names)
    if not names:
        return "there is none"
    return f"did you mean {close!r}?" if close else f"there are {', '.join(names)}"


def no_field(holder: str, name: str, known: Iterable[str]) -> str:
    """Message that no document (or topic) has a field, with the most similar field name and all field names."""
    names = list(known)
    if not names:
        return f"no {holder} has a field {name!r}; they have none"
    close = nearest(name, names)
    meant = f"did you mean {close!r}? " if close else ""
    return f"no {holder} has a field {name!r}; {meant}there are {', '.join(names)}"


def counted(n: int, thing: str) -> str:
    """Format a count with its noun: `1 topic`, `2 topics`."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"
