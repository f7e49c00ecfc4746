"""Cranfield's original layout: records `.I` with parts `.T` title, `.A` authors, `.B` where published, `.W` text."""

import re
from collections.abc import Iterator
from pathlib import Path

from irkit.conversion.collection import Judgment, SourceDocument, SourceId, SourceTopic, TopicsPart
from irkit.data.topic_formats import RawTopic, fold
from irkit.errors import FormatError
from irkit.files.records import decode, stream_lines

NAMES = {"T": "title", "A": "author", "B": "bibliography", "W": "text"}
_SINGLE = frozenset(NAMES.values())
_MARK = re.compile(r"\.(?:I[ \t]+(\S+)|([TABW]))[ \t]*")


def recognises(head: str) -> bool:
    """Whether a file that starts like this has records `.I`."""
    return re.match(r"\s*\.I[ \t]+\S+[ \t]*\r?\n", head) is not None


def documents(path: Path) -> Iterator[SourceDocument]:
    """Read documents: each record gives a document whose contents are its title and text.

    The text begins with the title already, so that the words of the title count twice. A part that stands in a record
    twice (document 576 of the usual file, where lines of another one got in) is a field of its own and not searched.
    """
    for line, identifier, parts in _records(path):
        kept = {name: value for name, value in parts.items() if value}
        contents = "\n".join(filter(None, (parts.get("title"), parts.get("text"))))
        remark = "documents with a part twice, the second kept as a field" if kept.keys() - _SINGLE else None
        yield SourceDocument(line, SourceId(identifier), contents, kept, ("title", "text"), remark)


def topics(path: Path) -> TopicsPart:
    """Read topics: the id is the place of the record in the file, as in the judgments; its own id becomes a field."""
    found = []
    for number, (line, identifier, parts) in enumerate(_records(path), 1):
        if "text" not in parts:
            raise FormatError(str(path), f"query {identifier!r} has no part .W, its text", line)
        topic = RawTopic(line, str(number), {"text": parts["text"], "original_id": identifier})
        found.append(SourceTopic(SourceId(str(number)), topic))
    return TopicsPart(found, ("text",))


def graded(judgments: Iterator[Judgment]) -> Iterator[Judgment]:
    """Convert codes to ascending grades: 5 - code (1: complete answer, 4: minimum interest); -1 becomes 0."""
    for judgment in judgments:
        if judgment.grade not in (-1, 1, 2, 3, 4, 5):
            raise FormatError(
                judgment.place, f"the code is {judgment.grade}; Cranfield's are 1 to 5, and -1", judgment.line
            )
        yield judgment._replace(grade=0 if judgment.grade == -1 else 5 - judgment.grade)


def _records(path: Path) -> Iterator[tuple[int, str, dict[str, str]]]:
    place = str(path)
    start, identifier, name = 0, "", ""
    parts: dict[str, list[str]] = {}
    for number, line in stream_lines(path):
        text = decode(line, place, number)
        mark = _MARK.fullmatch(text)
        if mark and mark[1]:
            if start:
                yield start, identifier, _folded(parts)
            start, identifier, name, parts = number, mark[1], "", {}
        elif mark:
            name, count = NAMES[mark[2]], 1
            while name in parts:
                count += 1
                name = f"{NAMES[mark[2]]}_{count}"
            parts[name] = []
        elif name:
            parts[name].append(text)
        elif text.strip():
            raise FormatError(
                place, f"text outside any part: {text[:40]!r}; a record is '.I number', then '.W'", number
            )
    if start:
        yield start, identifier, _folded(parts)


def _folded(parts: dict[str, list[str]]) -> dict[str, str]:
    return {name: fold("\n".join(lines)) for name, lines in parts.items()}
