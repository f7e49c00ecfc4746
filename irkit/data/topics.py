"""Topics: queries with their other fields."""

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from irkit._utils.text import counted, no_field
from irkit.data.topic_formats import LABELS, LONG_NAMES, TAG_NAME, RawTopic, escape, fold, parse_topics
from irkit.errors import DataError, FormatError, UsageError
from irkit.files.textio import check_no_nul, is_comment, read_bytes, shown, topic_field, write_bytes
from irkit.ids import to_bytes

# Tags that a field cannot have, since they say something else in a topics file.
RESERVED_FIELDS = frozenset({"top", "num", "title"})


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: an id, a query, and other fields.

    Attributes
    ----------
    id : str
    text : str
        The query. It may be empty.
    fields : mapping of str to str
        What else the file says: `description`, `narrative`, `category`, `network` ... None of them is empty.
    """

    id: str
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class Topics:
    """Topics in the order of their file.

    Attributes
    ----------
    topics : tuple of Topic
    name : str
        What to call them in messages.
    query : str or None
        What a table calls the text of its topics, which can be asked for as a field too.
    """

    topics: tuple[Topic, ...]
    name: str = "topics"
    query: str | None = None

    @classmethod
    def of(cls, source: "TopicsSource") -> "Topics":
        """Read topics from a file, a mapping `{id: text}`, or an iterable of `Topic`.

        Raises
        ------
        FormatError
            If an id is repeated or is none; from a file, as `read_topics`.
        """
        if isinstance(source, Topics):
            return source
        if isinstance(source, str | os.PathLike):
            return read_topics(source)
        if isinstance(source, Mapping):
            source = [Topic(identifier, text) for identifier, text in source.items()]
        topics = tuple(source)
        check_ids([(number, topic.id) for number, topic in enumerate(topics, 1)], "topics", "entries")
        return cls(topics)

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids in the order of the file."""
        return tuple(topic.id for topic in self.topics)

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        return f"<Topics {self.name!r}: {counted(len(self), 'topic')}>"

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics)

    def __getitem__(self, identifier: str) -> Topic:
        """Return the topic with this id; DataError with the nearest id if it is missing."""
        for topic in self.topics:
            if topic.id == identifier:
                return topic
        near = difflib.get_close_matches(str(identifier), self.ids, 1, 0.0)
        hint = f"; the nearest id is {near[0]!r}" if near else ""
        raise DataError(f"{self.name}: no topic {identifier!r}{hint}")

    @property
    def field_names(self) -> tuple[str, ...]:
        """Names of all fields of the topics, in order of first appearance."""
        return tuple(dict.fromkeys(name for topic in self.topics for name in topic.fields))

    def field(self, name: str) -> dict[str, str]:
        """Map topic ids to the value of a field, for the topics that have it.

        Raises
        ------
        UsageError
            If no topic has a field of that name.
        """
        if name == self.query:
            return {topic.id: topic.text for topic in self.topics if topic.text}
        if name not in self.field_names:
            none = "; a table has a line of names, one of them topic, qid or query_id" * (not self.field_names)
            raise UsageError(f"{self.name}: {no_field('topic', name, self.field_names)}{none}")
        return {topic.id: topic.fields[name] for topic in self.topics if name in topic.fields}

    def as_trec(self) -> bytes:
        """Format the topics as a TREC topics file.

        Fields of our own come first, closing tags have lines of their own, and a description and a narrative are
        always there: readers that go by lines (Anserini, ir_datasets) and by tags (Terrier, trectools) then find the
        same id and text. Anserini's takes whole numbers as ids only and drops what stands before a colon in a title.

        Raises
        ------
        FormatError
            If an id is empty or holds white space, or a field has a name that cannot be a tag.
        """
        return b"".join(self._element(topic) for topic in self.topics)

    def _element(self, topic: Topic) -> bytes:
        topic_field(to_bytes(topic.id), self.name)
        lines = ["<top>"]
        for name, value in topic.fields.items():
            if name in LONG_NAMES.values():
                continue
            if not TAG_NAME.fullmatch(name) or name.lower() in RESERVED_FIELDS | LONG_NAMES.keys():
                raise FormatError(
                    self.name, f"topic {topic.id!r} has a field {name!r}, which cannot be a tag of its own; rename it"
                )
            if fold(value):
                lines += [f"<{name}> {escape(fold(value))}", f"</{name}>"]
        lines += [f"<num> {escape(topic.id, LABELS['num'])}", "</num>"]
        lines += [f"<title> {escape(fold(topic.text), LABELS['title'])}".rstrip(" "), "</title>"]
        for tag, name in LONG_NAMES.items():
            lines += [f"<{tag}> {LABELS[tag]}:", escape(fold(topic.fields.get(name, ""))), f"</{tag}>"]
        try:
            return "\n".join([*filter(None, lines), "</top>", "", ""]).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as problem:
            raise FormatError(self.name, f"topic {topic.id!r} holds half a character, which no file can") from problem

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the topics as a TREC file, whole or not at all; errors as `as_trec`."""
        write_bytes(path, self.as_trec())


TopicsSource: TypeAlias = "str | os.PathLike[str] | Topics | Mapping[str, str] | Iterable[Topic]"


def read_topics(path: str | os.PathLike[str], query_field: str | None = None) -> Topics:
    """Read topics; the content decides the format.

    Parameters
    ----------
    path : str or path
        TREC SGML (`<top>`, tags closed or not), TREC XML (`<topics><topic number="1">`), lines `id<TAB>text`, JSON
        lines or a JSON array, compressed or not; `-` is standard input.
    query_field : str, optional
        The field that is the query. By default the first of title, query, text, question that the file has
        (text, query, title, question in JSON and tab-separated lines; query before title in XML).

    Raises
    ------
    FormatError
        With file, line and remedy: no topics, a broken line, a topic without id or query, repeated ids (all of them).
    """
    return topics_in(read_bytes(path), shown(path), query_field)


def topics_in(data: bytes, place: str, query_field: str | None = None) -> Topics:
    """Parse topics from the bytes of a file, called `place` in messages; errors as `read_topics`."""
    check_no_nul(data, place)
    text = data.decode("utf-8", "surrogateescape")
    names, found = parse_topics(text, place)
    if not found:
        raise FormatError(place, "the file holds no topics")
    for topic in found:
        check_text(topic, place)
    check_ids([(topic.line, topic.id) for topic in found], place)
    name = query_field or query_name(found, names, place)
    return Topics(tuple(topic_of(topic, name, place) for topic in found), place)


def query_name(found: list[RawTopic], likely: tuple[str, ...], place: str) -> str:
    """Return the first usual query field name that any topic has."""
    names = {name: None for topic in found for name in topic.fields}
    for name in likely:
        if name in names:
            return name
    there = f"they have {', '.join(names)}; say which of these is the query" if names else "they have nothing else"
    fault = f"the topics have no {', '.join(likely[:-1])} or {likely[-1]}"
    raise FormatError(place, fault, found[0].line, remedy=there)


def topic_of(found: RawTopic, query: str, place: str) -> Topic:
    """Make a topic with this field as its query; empty fields are left out."""
    if query not in found.fields:
        there = ", ".join(found.fields) or "nothing"
        raise FormatError(
            place, f"topic {found.id!r} has no {query}, which is the query here", found.line, remedy=f"it has {there}"
        )
    others = {name: value for name, value in found.fields.items() if name != query and value}
    return Topic(found.id or "", found.fields[query], others)


def check_text(topic: RawTopic, place: str) -> None:
    """Refuse a text with characters invalid in UTF-8, or with NUL, which ends a text in C programs."""
    for name, value in topic.fields.items():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as problem:
            raise FormatError(
                place, f"the {name} of topic {topic.id!r} is not UTF-8", topic.line, remedy="save the file as UTF-8"
            ) from problem
        if "\0" in value:
            raise FormatError(
                place, f"the {name} of topic {topic.id!r} holds a NUL character", topic.line, remedy="remove it"
            )


def check_ids(ids: list[tuple[int, str | None]], place: str, unit: str = "lines") -> None:
    """Refuse ids (each with its line) that no run can hold, and duplicate ids."""
    lines: dict[str, list[int]] = {}
    for line, identifier in ids:
        if not isinstance(identifier, str) or not identifier:
            raise FormatError(place, "a topic without an id", line, remedy="give it one")
        if "\0" in identifier:
            raise FormatError(
                place, f"the topic id {identifier!r} holds a NUL byte, which is not text", line, remedy="remove it"
            )
        if to_bytes(identifier).split() != [to_bytes(identifier)] or is_comment(to_bytes(identifier)):
            raise FormatError(
                place,
                f"the topic id {identifier!r} holds white space or begins with '#' or U+FEFF, which no run can carry",
                line,
                remedy="change it, or convert the collection, which gives new ids and lists them",
            )
        lines.setdefault(identifier, []).append(line)
    repeated = {identifier: places for identifier, places in lines.items() if len(places) > 1}
    if repeated:
        listed = "; ".join(f"{identifier!r} ({unit} {', '.join(map(str, at))})" for identifier, at in repeated.items())
        raise FormatError(
            place, f"topic ids that occur more than once: {listed}; keep one of each", next(iter(repeated.values()))[1]
        )
