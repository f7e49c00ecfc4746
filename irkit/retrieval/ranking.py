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
    """A run, and what its reader has to know.

    Attributes
    ----------
    run : Run
        A topic for which nothing was returned has no lines.
    notes : tuple of str
        One sentence each: topics that were not searched, found nothing or were abstained from; texts cut short.
    details : mapping
        Engine, parameters and versions, for the record kept beside the run.
    """

    run: Run
    notes: tuple[str, ...] = ()
    details: Mapping[str, Detail] = field(default_factory=dict)


def check_depth(k: int) -> None:
    """Refuse a depth below 1.

    Raises
    ------
    UsageError
    """
    if k < 1:
        raise UsageError(f"k is the number of documents for each topic, at least 1; got {k}")


def check_floor(floor: float | None) -> None:
    """Refuse a floor that no score can be compared with.

    Raises
    ------
    UsageError
    """
    if floor is not None and math.isnan(floor):
        raise UsageError("the floor is nan; give the least score that is evidence enough")


def check_topics(topics: "Sequence[Topic]") -> None:
    """Refuse topics of which two have one id.

    Raises
    ------
    DataError
    """
    seen: set[str] = set()
    for topic in topics:
        if topic.id in seen:
            raise DataError(f"topic {topic.id!r} stands twice; ids name one topic each")
        seen.add(topic.id)


def note_of_topics(topics: Sequence[str], what: str) -> tuple[str, ...]:
    """The note `2 topics <what>: a, b`, or none where there are no such topics."""
    if not topics:
        return ()
    named = ", ".join(topics[:10]) + (f" and {len(topics) - 10} more" if len(topics) > 10 else "")
    return (f"{counted(len(topics), 'topic')} {what}: {named}",)
