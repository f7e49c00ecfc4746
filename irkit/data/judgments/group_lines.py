"""Read judgments by group and sub-group, from the lines of a file or from nested mappings."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, Final, Generic, TypeVar

from irkit._kernel.numpy_twin.numbers import grade_of, score_of
from irkit.data.from_dicts import check_grade, check_id
from irkit.errors import DuplicateError, FormatError
from irkit.files.records import stream_lines
from irkit.files.textio import shown, topic_field, trec_field
from irkit.ids import to_bytes, to_text

Number = TypeVar("Number", int, float)
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgmentForm(Generic[Number]):
    """Parts of a judgment: its ids and its number.

    Attributes
    ----------
    ids : tuple of str
        What stands before the number, from the topic to the document.
    number : str
        What the number is: a grade or a level.
    takes : str
        What it may be, and the remedy.
    read : callable
        The number in a text; raises ValueError where there is none.
    check : callable
        The number in a Python value, of the document at this place; raises FormatError where there is none.
    """

    ids: tuple[str, ...]
    number: str
    takes: str
    read: Callable[[str], Number]
    check: Callable[[Key, Any, str], Number]

    @property
    def line(self) -> str:
        """The line of a file in words."""
        return " ".join((*self.ids, self.number))

    def called(self, key: Sequence[str]) -> str:
        """Name ids in words: `topic '1', group 'A'`."""
        return ", ".join(f"{what} {identifier!r}" for what, identifier in zip(self.ids, key, strict=False))


def read_judgments(path: str | os.PathLike[str], form: JudgmentForm[Number]) -> dict[Key, Number]:
    """Read the judgments of a file, keyed by ids; compression, comments and blank lines as in qrels."""
    return judgments_of(stream_lines(path), shown(path), form)


def judgments_of(numbered: Iterable[tuple[int, bytes]], place: str, form: JudgmentForm[Number]) -> dict[Key, Number]:
    """As `read_judgments`, from the numbered lines of the file."""
    judgments: dict[Key, Number] = {}
    lines: dict[Key, int] = {}
    for number, line in numbered:
        fields = list(map(to_text, line.split()))
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != len(form.ids) + 1:
            raise FormatError(
                place,
                f"expected {len(form.ids) + 1} fields, found {len(fields)}: {_quoted(to_text(line))}. "
                f"A line is '{form.line}'",
                number,
            )
        *ids, text = fields
        key = tuple(ids)
        if key in judgments:
            raise DuplicateError(
                place,
                f"document {key[-1]!r} occurs twice in {form.called(key[:-1])}, first in line {lines[key]}; "
                "keep one of them",
                number,
            )
        try:
            judgments[key] = form.read(text)
        except ValueError:
            raise FormatError(place, f"the {form.number} {_quoted(text)} is not a {form.takes}", number) from None
        lines[key] = number
    if not judgments:
        raise FormatError(place, "the file holds no judgment")
    return judgments


def checked_judgments(source: Any, form: JudgmentForm[Number], place: str) -> dict[Key, Number]:
    """Check the judgments of nested mappings, `{topic: {group: ... {document: number}}}`, keyed by ids."""
    judgments: dict[Key, Number] = {}

    def walk(inner: Any, key: Key) -> None:
        if len(key) == len(form.ids):
            judgments[key] = form.check(key, inner, place)
            return
        where = form.called(key) or "the whole"
        if not isinstance(inner, Mapping):
            shape = "".join(f"{{{what}: " for what in form.ids[len(key) :]) + form.number
            raise FormatError(
                place, f"{where} holds a {type(inner).__name__}; {shape + '}' * (len(form.ids) - len(key))} is expected"
            )
        if key and not inner:
            raise FormatError(place, f"{where} holds no judgment; leave it out")
        for identifier, rest in inner.items():
            check_id(identifier, form.ids[len(key)], place)
            walk(rest, (*key, identifier))

    walk(source, ())
    return judgments


def nested(judgments: Mapping[Key, Any]) -> dict[str, Any]:
    """Nest judgments as `{topic: {group: ... {document: number}}}`, in byte order; documents keep their order."""
    table: dict[str, Any] = {}
    for key in sorted(judgments, key=lambda key: [to_bytes(identifier) for identifier in key[:-1]]):
        inner = table
        for identifier in key[:-1]:
            inner = inner.setdefault(identifier, {})
        inner[key[-1]] = judgments[key]
    return table


def as_lines(rows: Iterable[tuple[Key, float]], form: JudgmentForm[Any], place: str) -> bytes:
    """The text of a file that `read_judgments` reads back."""
    return b"".join(
        b" ".join(
            (
                topic_field(to_bytes(key[0]), place),
                *(
                    trec_field(to_bytes(identifier), what, place)
                    for identifier, what in zip(key[1:], form.ids[1:], strict=True)
                ),
                b"%s\n" % repr(number).encode(),
            )
        )
        for key, number in rows
    )


def _quoted(text: str) -> str:
    return repr(text[:80]) + ("..." if len(text) > 80 else "")


def _read_grade(text: str) -> int:
    if (grade := grade_of(to_bytes(text))) is None:
        raise ValueError
    return grade


def _read_level(text: str) -> float:
    if (level := score_of(to_bytes(text))) is None or not isfinite(level):
        raise ValueError
    return level


def _grade_within(part: str) -> Callable[[Key, Any, str], int]:
    def check(key: Key, grade: Any, place: str) -> int:
        topic, name, document = key
        return check_grade(grade, document, topic, f"{place}, {part} {name!r}")

    return check


def _check_level(key: Key, level: Any, place: str) -> float:
    if isinstance(level, Real) and not isinstance(level, bool):
        try:
            if isfinite(number := float(level)):
                return number
        except OverflowError:  # a whole number beyond a double's range
            pass
    raise FormatError(place, f"the level of {PREFS.called(key)} is {level!r}; a level is a finite number")


def _grades(part: str) -> JudgmentForm[int]:
    takes = "whole number; round it or map it to one"
    return JudgmentForm(("topic", part, "document"), "grade", takes, _read_grade, _grade_within(part))


QRELS_JG: Final = _grades("group")
SUBTOPICS: Final = _grades("subtopic")
PREFS: Final = JudgmentForm(
    ("topic", "group", "sub-group", "document"),
    "level",
    "decimal number such as 2 or 0.5",
    _read_level,
    _check_level,
)
QRELS_PREFS: Final = JudgmentForm(("topic", "group", "document"), "level", PREFS.takes, _read_level, _check_level)
