"""Name an option in a remedy: as a command's flag, as a key of an experiment, or not at all."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal, TypeAlias

Interface: TypeAlias = Literal["command", "experiment", "none"]

_INTERFACE: Final[ContextVar[Interface]] = ContextVar("interface", default="command")


def options(values: Mapping[str, str]) -> str:
    """Spell options as the user of this interface gives them; empty where the interface has none.

    Parameters
    ----------
    values : mapping of name to value
        Names as Python has them, `collapse_at`.
    """
    interface = _INTERFACE.get()
    if interface == "command":
        return " ".join(f"--{name.replace('_', '-')} {_word(value)}" for name, value in values.items())
    if interface == "experiment":
        return ", ".join(f"{name} = {value!r}" for name, value in values.items()) + " in [evaluation]"
    return ""


def _word(value: str) -> str:
    """A value as a shell takes it."""
    return value if value.isalpha() else f"'{value}'"


@contextmanager
def named_for(interface: Interface) -> Iterator[None]:
    """Make messages within the block name options as this interface has them."""
    token = _INTERFACE.set(interface)
    try:
        yield
    finally:
        _INTERFACE.reset(token)
