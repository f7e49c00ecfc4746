"""Qrels of several judges: for each topic the groups of judgments, and in each group a grade for every document."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from irkit.data.judgments.group_lines import QRELS_JG, Key, as_lines, checked_judgments, nested, read_judgments
from irkit.data.qrels import JudgmentKind
from irkit.files.textio import shown, write_bytes


class JudgmentGroup(NamedTuple):
    """The judgments of one judge, or one user, for one topic: documents with their grades."""

    name: str
    grades: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class GroupedQrels:
    """The judged documents of T topics, by judgment group.

    Attributes
    ----------
    topics : tuple of T str
        In byte order.
    groups : tuple of T tuples of JudgmentGroup
        Those of each topic, in byte order of their names.
    name : str
        What to call the qrels in messages.
    """

    kind: ClassVar[JudgmentKind] = "qrels_jg"

    topics: tuple[str, ...]
    groups: tuple[tuple[JudgmentGroup, ...], ...]
    name: str = "qrels"

    @classmethod
    def from_dict(cls, topics: Mapping[str, Mapping[str, Mapping[str, Any]]], name: str = "qrels") -> "GroupedQrels":
        """Make qrels from `{topic: {group: {document: grade}}}`.

        Raises
        ------
        FormatError
            If an id is no string, a grade no whole number, or a topic or group holds no mapping, or an empty one.
        """
        return cls._of(checked_judgments(topics, QRELS_JG, name), name)

    @classmethod
    def _of(cls, judgments: Mapping[Key, int], name: str) -> "GroupedQrels":
        table = nested(judgments)
        groups = (
            tuple(JudgmentGroup(group, tuple(grades.items())) for group, grades in inner.items())
            for inner in table.values()
        )
        return cls(tuple(table), tuple(groups), name)

    def __len__(self) -> int:
        return sum(len(group.grades) for groups in self.groups for group in groups)

    def by_topic(self) -> Iterator[tuple[str, tuple[JudgmentGroup, ...]]]:
        """Yield each topic with its judgment groups."""
        return zip(self.topics, self.groups, strict=True)

    def pools(self) -> dict[str, set[str]]:
        """Return the judged documents of each topic, over all groups."""
        return {
            topic: {document for group in groups for document, _ in group.grades} for topic, groups in self.by_topic()
        }

    def to_dict(self) -> dict[str, dict[str, dict[str, int]]]:
        """Convert to `{topic: {group: {document: grade}}}`."""
        return {topic: {group.name: dict(group.grades) for group in groups} for topic, groups in self.by_topic()}

    def as_trec(self) -> bytes:
        """Format as lines `topic group document grade`, as `read_qrels_jg` reads them.

        Raises
        ------
        FormatError
            If an id is empty or holds white space, which a line cannot carry.
        """
        rows = (
            ((topic, group.name, document), grade)
            for topic, groups in self.by_topic()
            for group in groups
            for document, grade in group.grades
        )
        return as_lines(rows, QRELS_JG, self.name)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the qrels, whole or not at all; errors as `as_trec`."""
        write_bytes(path, self.as_trec())


def read_qrels_jg(path: str | os.PathLike[str]) -> GroupedQrels:
    """Read qrels with judgment groups: lines `topic group document grade`.

    Parameters
    ----------
    path : str or path
        The file, compressed or not; `-` is standard input.

    Returns
    -------
    GroupedQrels

    Raises
    ------
    FormatError
        With file, line, what was found and the remedy; also where a group judges a document twice, or the file holds
        no judgment.
    """
    return GroupedQrels._of(read_judgments(path, QRELS_JG), shown(path))
