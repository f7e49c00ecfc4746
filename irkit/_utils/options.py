"""Name an option in a message as the user of an interface writes it: an argument, a flag, a key of a file."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias

# A value, True or False for a switch, a word in capitals for whatever the user chooses; None to name the option alone.
Value: TypeAlias = str | bool | None
Spelling: TypeAlias = Callable[[Mapping[str, Value]], str]

_CALLS: Final = {
    "accept_baseline": "irkit.accept_baseline(..., why=TEXT)",
    "training": "training=Training(QRELS, ...)",
}
_PLACE: Final = re.compile(r"\{(\w+)(?:=([^}]*))?\}")


def as_arguments(options: Mapping[str, Value]) -> str:
    """Spell options as arguments in Python."""
    return ", ".join(_CALLS.get(name) or _argument(name, value) for name, value in options.items())


def _argument(name: str, value: Value) -> str:
    if value is None:
        return name
    return f"{name}={value}" if isinstance(value, bool) or value.isupper() else f"{name}={value!r}"


def no_options(options: Mapping[str, Value]) -> str:
    """Spell no options, for an interface that has none of them."""
    return ""


_SPELLING: Final[ContextVar[Spelling]] = ContextVar("spelling", default=as_arguments)


def option(**options: Value) -> str:
    """Spell options, named as in Python; empty where the interface has none."""
    return _SPELLING.get()(options)


def worded(text: str) -> str:
    """Spell the options in a text: `{drop_self=True}`, `{collapse=SEPARATOR}`, or `{average}` for the name alone."""
    return _PLACE.sub(lambda place: option(**{place[1]: _value(place[2])}), text)


def _value(text: str | None) -> Value:
    return {"True": True, "False": False}.get(text, text) if text is not None else None


@contextmanager
def spelled(spelling: Spelling) -> Iterator[None]:
    """Make messages within the block spell options as this interface does."""
    token = _SPELLING.set(spelling)
    try:
        yield
    finally:
        _SPELLING.reset(token)
