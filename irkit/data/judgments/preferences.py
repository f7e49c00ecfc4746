"""Preferences: which of two documents is the better one, by judgment group and sub-group."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.data.judgments.group_lines import (
    PREFS,
    QRELS_PREFS,
    Key,
    as_lines,
    checked_judgments,
    nested,
    read_judgments,
)
from irkit.data.qrels import JudgmentKind
from irkit.errors import FormatError
from irkit.files.textio import shown, write_bytes
from irkit.ids import to_bytes

ONLY_SUBGROUP = "0"  # what trec_eval calls the sub-group of a file that has none


class SubGroup(NamedTuple):
    """Documents with levels: a document is preferred to those of a lower level, and to no other."""

    name: str
    levels: tuple[tuple[str, float], ...]


class PreferenceGroup(NamedTuple):
    """Preferences of one judge for one topic: those of the sub-groups, and those implied by them together.

    A level above 0 stands for a relevant document, 0 for one that is not.
    """

    name: str
    subgroups: tuple[SubGroup, ...]

    def levels(self) -> dict[str, float]:
        """Level of each document; for a document in several sub-groups, the level in the last of them."""
        return {document: level for subgroup in self.subgroups for document, level in subgroup.levels}

    def preferred(self, documents: Sequence[str], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[np.bool_]:
        """Preference matrix of the group's documents, shape (D, D): row preferred to column."""
        place = {document: index for index, document in enumerate(documents)}
        better = np.zeros((len(place), len(place)), dtype=bool)
        for subgroup in self.subgroups:
            inside = [place[document] for document, _ in subgroup.levels]
            levels = np.array([level for _, level in subgroup.levels], dtype=dtype)
            better[np.ix_(inside, inside)] |= levels[:, np.newaxis] > levels
        if len(self.subgroups) > 1:
            for between in range(len(place)):  # what is preferred to it is preferred to all that it is preferred to
                better[np.flatnonzero(better[:, between])] |= better[between]
        return better


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """The preferences for T topics.

    Attributes
    ----------
    topics : tuple of T str
        In byte order.
    groups : tuple of T tuples of PreferenceGroup
        Those of each topic, in byte order of their names, as are the sub-groups.
    name : str
        What to call the preferences in messages.
    """

    kind: ClassVar[JudgmentKind] = "prefs"

    topics: tuple[str, ...]
    groups: tuple[tuple[PreferenceGroup, ...], ...]
    name: str = "preferences"

    @classmethod
    def from_dict(
        cls, topics: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]], name: str = "preferences"
    ) -> "Preferences":
        """Make preferences from `{topic: {group: {sub-group: {document: level}}}}`.

        Raises
        ------
        FormatError
            If an id is no string, a level no number, something holds no mapping, or an empty one; or the sub-groups of
            a group contradict each other.
        """
        return cls._of(checked_judgments(topics, PREFS, name), name)

    @classmethod
    def _of(cls, judgments: Mapping[Key, float], name: str) -> "Preferences":
        table = nested(judgments)
        groups = tuple(
            tuple(
                PreferenceGroup(group, tuple(SubGroup(sub, tuple(levels.items())) for sub, levels in subgroups.items()))
                for group, subgroups in inner.items()
            )
            for inner in table.values()
        )
        for topic, its_groups in zip(table, groups, strict=True):
            for group in its_groups:
                _check_consistent(group, PREFS.called((topic, group.name)), name)
        return cls(tuple(table), groups, name)

    def __len__(self) -> int:
        return sum(1 for _ in self._rows())

    def by_topic(self) -> Iterator[tuple[str, tuple[PreferenceGroup, ...]]]:
        """Yield each topic with its judgment groups."""
        return zip(self.topics, self.groups, strict=True)

    def pools(self) -> dict[str, set[str]]:
        """Return the judged documents of each topic, over all groups."""
        return {
            topic: {document for group in groups for document in group.levels()} for topic, groups in self.by_topic()
        }

    def to_dict(self) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
        """Convert to `{topic: {group: {sub-group: {document: level}}}}`."""
        return {
            topic: {group.name: {sub.name: dict(sub.levels) for sub in group.subgroups} for group in groups}
            for topic, groups in self.by_topic()
        }

    def as_trec(self) -> bytes:
        """Format as lines `topic group sub-group document level`, as `read_prefs` reads them.

        Raises
        ------
        FormatError
            If an id is empty or holds white space, which a line cannot carry.
        """
        return as_lines(self._rows(), PREFS, self.name)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the preferences, whole or not at all; errors as `as_trec`."""
        write_bytes(path, self.as_trec())

    def _rows(self) -> Iterator[tuple[Key, float]]:
        for topic, groups in self.by_topic():
            for group in groups:
                for sub in group.subgroups:
                    for document, level in sub.levels:
                        yield (topic, group.name, sub.name, document), level


def read_prefs(path: str | os.PathLike[str]) -> Preferences:
    """Read preferences: lines `topic group sub-group document level`.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input.

    Returns
    -------
    Preferences

    Raises
    ------
    FormatError
        With file, line, what was found and the remedy; also where a document occurs twice in a sub-group, sub-groups
        of a group contradict each other, or the file holds no judgment.
    """
    return Preferences._of(read_judgments(path, PREFS), shown(path))


def read_qrels_prefs(path: str | os.PathLike[str]) -> Preferences:
    """Read preferences from lines `topic group document level`, as qrels have them; errors as `read_prefs`."""
    judgments: dict[Key, float] = {
        (topic, group, ONLY_SUBGROUP, document): level
        for (topic, group, document), level in read_judgments(path, QRELS_PREFS).items()
    }
    return Preferences._of(judgments, shown(path))


def _check_consistent(group: PreferenceGroup, where: str, place: str) -> None:
    """Refuse sub-groups that do not fit together."""
    if len(group.subgroups) == 1:
        return
    seen: dict[str, tuple[float, str]] = {}
    for subgroup in group.subgroups:
        for document, level in subgroup.levels:
            before, earlier = seen.get(document, (level, ""))
            if before == 0 < level or level == 0 < before:
                raise FormatError(
                    place,
                    f"document {document!r} in {where} has level {before:g} in sub-group {earlier!r} and {level:g} in "
                    f"{subgroup.name!r}: relevant documents have levels above 0, others 0; make them agree",
                )
            seen[document] = level, subgroup.name
    documents = sorted(seen, key=to_bytes)
    better = group.preferred(documents)
    circle = better & better.T
    if circle.any():
        row, column = (int(index) for index in np.argwhere(circle & ~np.eye(len(documents), dtype=bool))[0])
        raise FormatError(
            place,
            f"the sub-groups of {where} contradict each other: document {documents[row]!r} is preferred to "
            f"{documents[column]!r} and the other way round",
            remedy="give contradicting judgments groups of their own",
        )
