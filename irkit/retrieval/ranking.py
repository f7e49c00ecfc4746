"""The result of a search: a run and its notes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError

if TYPE_CHECKING:
    from irkit.data.topics import Topic

Allowed: TypeAlias = Callable[["Topic"], frozenset[str] | None]
Detail: TypeAlias = str | int | float


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A run with notes for its readers and details for its record.

    Attributes
    ----------
    run : Run
        A topic without results has no lines.
    notes : tuple of str
        One sentence each: topics not searched, without results, or with abstention; truncated texts.
    details : mapping
        Engine, parameters and versions, for the record kept beside the run.
    """

    run: Run
    notes: tuple[str, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)


def check_depth(k: int) -> None:
    """Raise UsageError if a depth is below 1."""
    if k < 1:
        raise UsageError(f"k is the number of documents for each topic, at least 1; got {k}")


def check_floor(floor: float | None) -> None:
    """Raise UsageError if a floor is nan."""
    if floor is not None and math.isnan(floor):
        raise UsageError("the floor is nan; give the least score that is evidence enough")


def check_topics(topics: "Sequence[Topic]") -> None:
    """Raise DataError if two topics have the same id."""
    seen: set[str] = set()
    for topic in topics:
        if topic.id in seen:
            raise DataError(f"topic {topic.id!r} stands twice; each topic needs its own id")
        seen.add(topic.id)


def note_of_topics(topics: Sequence[str], what: str) -> tuple[str, ...]:
    """Make the note `2 topics <what>: a, b`, or none without such topics."""
    if not topics:
        return ()
    named = ", ".join(topics[:10]) + (f" and {len(topics) - 10} more" if len(topics) > 10 else "")
    return (f"{counted(len(topics), 'topic')} {what}: {named}",)
