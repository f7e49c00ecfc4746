"""Spell an option of the library as the flag of a command."""

from collections.abc import Mapping
from typing import Final

from irkit._utils.options import Value

# Options that a command calls otherwise than Python.
_NAMES: Final = {"fractional": "float-gains", "who": "by-whom", "roots": "root", "look_in": "in", "every": "all"}
_WHOLE: Final = {
    "accept_baseline": "--accept --why TEXT",
    "only_if_significant": "--always",
    "training": "--train-qrels QRELS",
    "feedback": "irkit index bm25 --feedback",
}


def as_flags(options: Mapping[str, Value]) -> str:
    """Spell options as flags with their values."""
    return " ".join(_WHOLE.get(name) or _flag(name, value) for name, value in options.items())


def _flag(name: str, value: Value) -> str:
    flag = f"--{_NAMES.get(name, name).replace('_', '-')}"
    if value is None or isinstance(value, bool):
        return flag
    return f"{flag} {value if value.isalpha() else repr(value)}"
