"""TOML tables whose every key is known and of the right type, or an error with its line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from irkit._utils.text import instead
from irkit.errors import FormatError

T = TypeVar("T")

_QUOTED = r"""\"[^"]*\"|'[^']*'"""
_HEADING = re.compile(rf"\s*\[\[?((?:{_QUOTED}|[^\]\"'])+)\]")
_ENTRY = re.compile(rf"\s*((?:{_QUOTED}|[^=#\"'])+?)\s*=")

KIND_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True)
class Table:
    """One table of a TOML file: `take` its keys, then `done` refuses the rest.

    Attributes
    ----------
    entries : mapping of key to value
    keys : tuple of str
        Where the table stands in the file, from the root.
    nth : int
        Which of the tables of that name, from 1, where there are several.
    place : str
        The file.
    text : str
        The file's content, to find lines in.
    """

    entries: Mapping[str, Any]
    keys: tuple[str, ...]
    place: str
    text: str
    taken: set[str] = field(default_factory=set)
    nth: int = 1

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def mark(self, key: str) -> bool:
        """Whether the key is there; it counts as taken, and somebody else checks its value."""
        self.taken.add(key)
        return key in self.entries

    def take(self, key: str, kind: type[T], default: T | None = None, *, required: bool = False) -> T | None:
        """The value of a key, which has to be of this kind; a whole number is also a number."""
        self.taken.add(key)
        if key not in self.entries:
            if required:
                raise self.error(None, f"{self.called} needs '{key}', {KIND_NAMES[kind]}")
            return default
        value = self.entries[key]
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = self._as_float(key, value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.error(key, f"'{key}' is {KIND_NAMES[kind]}, not {self.entries[key]!r}")
        return value

    def need(self, key: str, kind: type[T]) -> T:
        """The value of a key that has to be there; errors as `take`."""
        value = self.take(key, kind, required=True)
        assert value is not None
        return value

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts; errors as `take`."""
        return self._listed(key, str, default)

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of numbers; errors as `take`."""
        return self._listed(key, float, ())

    def _listed(self, key: str, kind: type[T], default: tuple[T, ...]) -> tuple[T, ...]:
        values = self.take(key, list)
        if values is None:
            return default
        if kind is float:
            values = [self._as_float(key, value) if type(value) is int else value for value in values]
        if not all(isinstance(value, kind) for value in values):
            raise self.error(key, f"'{key}' is a list in which each entry is {KIND_NAMES[kind]}, not {values!r}")
        return tuple(values)

    def _as_float(self, key: str, value: int) -> float:
        try:
            return float(value)
        except OverflowError as problem:
            raise self.error(key, f"'{key}' is too large a number") from problem

    def file(self, key: str, folder: Path) -> Path | None:
        """The file that a key names, its path starting from this folder; errors as `take`, and if it is not there."""
        name = self.take(key, str)
        if name is None:
            return None
        path = folder / name
        if not path.is_file():
            raise self.error(key, f"'{key}': {path} is no file that is there")
        return path

    def table(self, key: str) -> "Table | None":
        """The table under a key; errors as `take`."""
        if isinstance(self.entries.get(key), list) and key not in self.taken:
            raise self.error(key, f"there is one [{key}] only; write it in single brackets")
        entries = self.take(key, dict)
        return None if entries is None else Table(entries, (*self.keys, key), self.place, self.text)

    def tables(self, key: str) -> "list[Table]":
        """The array of tables under a key; errors as `take`."""
        if isinstance(self.entries.get(key), dict):
            raise self.error(key, f"[{key}] is one of several; write [[{key}]] with two brackets on each side")
        return [
            Table(entries, (*self.keys, key), self.place, self.text, nth=nth)
            if isinstance(entries, dict)
            else self._refuse(key, entries)
            for nth, entries in enumerate(self.take(key, list) or [], 1)
        ]

    def inside(self, *keys: str) -> "Table":
        """The place of a table, to say errors of it."""
        return Table({}, keys, self.place, self.text)

    def only(self, *known: str) -> None:
        """Refuse entries that are not among these."""
        for key, value in self.entries.items():
            if key not in known:
                called = f"key '{key}' outside any table" if not isinstance(value, dict | list) else f"table [{key}]"
                raise self.error(key, f"unknown {called}; {instead(key, known)}")

    def done(self) -> None:
        """Refuse unknown keys."""
        for key in self.entries:
            if key not in self.taken:
                raise self.error(key, f"unknown key '{key}' in {self.called}; {instead(key, sorted(self.taken))}")

    @property
    def called(self) -> str:
        """Name of the table in messages."""
        return f"[{'.'.join(self.keys)}]" if self.keys else "the file"

    def error(self, key: str | None, message: str) -> FormatError:
        """Error about a key, with its line."""
        return FormatError(self.place, message, _line_of(self.text, self.keys, key, self.nth))

    def _refuse(self, key: str, value: object) -> "Table":
        raise self.error(key, f"'{key}' is a list of tables, not of {value!r}")


def read_toml(path: Path) -> Table:
    """The root table of a TOML file."""
    try:
        text = path.read_text("utf-8-sig")
        return Table(tomllib.loads(text), (), str(path), text)
    except OSError as problem:
        raise FormatError(str(path), f"cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise FormatError(str(path), "is not UTF-8; save the file as UTF-8") from problem
    except (ValueError, RecursionError) as problem:  # a number of too many digits is a plain ValueError
        raise FormatError(str(path), f"is not a TOML file: {problem}") from problem


def _line_of(text: str, keys: tuple[str, ...], key: str | None, nth: int = 1) -> int | None:
    """Line of a key, or of the nearest table around it; None where the file does not name it plainly.

    `nth` says in which table of that name, where there are several.
    """
    current: tuple[str, ...] = ()
    header: int | None = None
    seen = 0
    wanted = keys if key is None else (*keys, key)
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.match(line):
            current = _parts(heading[1])
            if key is not None and current[: len(wanted)] == wanted:
                return number
            if current == keys:
                seen += 1
                header = number if seen <= nth else header
        elif entry := _ENTRY.match(line):
            here = (*current, *_parts(entry[1]))
            if key is not None and seen in (0, nth) and here[: len(wanted)] == wanted:
                return number
            if here == keys:
                header = number
    return header


def _parts(dotted: str) -> tuple[str, ...]:
    """The keys that a dotted key is made of, as TOML reads it."""
    try:
        table = tomllib.loads(f"{dotted} = 0")
    except ValueError:
        return (dotted,)
    parts: list[str] = []
    while isinstance(table, dict):
        key, table = next(iter(table.items()))
        parts.append(key)
    return tuple(parts)
