"""Faults of topics and of documents."""

import re
from itertools import takewhile
from typing import Final

from irkit.checking.encoding import numbered, quoted
from irkit.checking.findings import FindingCollector
from irkit.data.documents import read_documents
from irkit.data.topic_formats import RawTopic as FoundTopic
from irkit.data.topic_formats import parse_topics
from irkit.data.topics import check_ids, check_text, query_name, topic_of
from irkit.errors import FormatError
from irkit.ids import to_bytes

_MOST_FAULTS: Final = 1000  # of form: each topic that has one is left out, and the rest read again
_TOP: Final = re.compile(r"\s*<top[\s>]", re.IGNORECASE)


def check_topics(data: bytes, findings: FindingCollector) -> list[str]:
    """Findings about topics; their ids."""
    for number, line in numbered(data):
        if b"\0" in line:
            findings.add("nul-byte", f"a NUL byte in {quoted(line.strip())}", number)
    if findings.has_error:
        return []
    names, topics = _parsed(data.decode("utf-8", "surrogateescape"), findings)
    if not topics and not findings.has_error:
        findings.add("empty-file", "the file holds no topics")
    lines: dict[str, list[int]] = {}
    for topic in topics:
        _check_id(topic, lines, findings)
        try:
            check_text(topic, "")
        except FormatError as problem:
            findings.add("topic-not-utf-8", problem.fault, topic.line, topic.id)
    for identifier, places in lines.items():
        if len(places) > 1:
            findings.add(
                "duplicate-topic",
                f"topic {identifier!r} stands {len(places)} times, in lines {', '.join(map(str, places))}",
                places[1],
                identifier,
            )
    _check_queries(topics, names, findings)
    return sorted(lines, key=to_bytes)


def _parsed(text: str, findings: FindingCollector) -> tuple[tuple[str, ...], list[FoundTopic]]:
    """The topics that can be read; each that cannot is a finding, and is left out."""
    for _ in range(_MOST_FAULTS):
        try:
            return parse_topics(text, "")
        except FormatError as problem:
            findings.add("malformed-topic", problem.message, problem.line)
            without = _without(text, problem.line)
            if without == text:
                break
            text = without
    return (), []


def _without(text: str, line: int | None) -> str:
    """The text with the topic blank that begins in this line; as it was where a fault spoils the rest too."""
    start = text.lstrip()[:1]
    lines = text.split("\n")
    if line is None or line > len(lines) or start == "[" or (start == "<" and not any(map(_TOP.match, lines))):
        return text
    its = 1
    if start == "<":
        its += sum(1 for _ in takewhile(lambda one: not _TOP.match(one), lines[line:]))
    return "\n".join([*lines[: line - 1], *[""] * its, *lines[line - 1 + its :]])


def _check_id(topic: FoundTopic, lines: dict[str, list[int]], findings: FindingCollector) -> None:
    try:
        check_ids([(topic.line, topic.id)], "")
    except FormatError as problem:
        findings.add("bad-topic-id", problem.fault, topic.line, topic.id)
        return
    lines.setdefault(topic.id or "", []).append(topic.line)


def _check_queries(topics: list[FoundTopic], names: tuple[str, ...], findings: FindingCollector) -> None:
    if not topics:
        return
    try:
        name = query_name(topics, names, "")
    except FormatError as problem:
        findings.add("no-query", problem.fault, problem.line)
        return
    for topic in topics:
        try:
            query = topic_of(topic, name, "").text
        except FormatError as problem:
            findings.add("no-query", problem.fault, topic.line, topic.id)
            continue
        if not query:
            findings.add("empty-query", f"the {name} of topic {topic.id!r} is empty", topic.line, topic.id)


def check_documents(path: str, findings: FindingCollector) -> set[bytes]:
    """A finding about the first document that is not in its form; the ids of those before it."""
    ids: set[bytes] = set()
    try:
        ids.update(to_bytes(document.id) for document in read_documents(path))
    except FormatError as problem:
        if problem.code:
            findings.add(problem.code, problem.fault)
        else:
            findings.add("malformed-document", problem.message, problem.line)
    else:
        if not ids:
            findings.add("empty-file", "the file holds no documents")
    return ids
