"""A point of the search: a value for each parameter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = str | bool | int | float | tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Point(Mapping[str, Value]):
    """A value for each parameter: a mapping that cannot be changed, and is equal to a dict of the same values.

    Attributes
    ----------
    pairs : tuple of (str, Value)
        In the order of the space.
    """

    pairs: tuple[tuple[str, Value], ...]

    def __getitem__(self, name: str) -> Value:
        return dict(self.pairs)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self.pairs))

    def __len__(self) -> int:
        return len(self.pairs)

    def __hash__(self) -> int:
        return hash(frozenset(self.pairs))

    def __str__(self) -> str:
        return ", ".join(f"{name}={shown_value(value)}" for name, value in self.pairs)


def shown_value(value: Value) -> str:
    """A value as a table shows it."""
    if isinstance(value, tuple):
        return "/".join(map(shown_value, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def kind_of(value: Value) -> str:
    """Kind of a value, in words."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "a text"
    return "a list of weights" if isinstance(value, tuple) else "a number"
