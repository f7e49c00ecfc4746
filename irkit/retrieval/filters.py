"""Hard filters: conditions of a topic that a document must meet, whatever its score."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from irkit._utils.text import instead, no_field
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError

if TYPE_CHECKING:
    from irkit.data.documents import Document, FieldValue
    from irkit.data.topics import Topic, Topics

Relation = Literal["equal", "at_most", "at_least"]
RELATIONS: Final[tuple[Relation, ...]] = get_args(Relation)


@dataclass(frozen=True, slots=True)
class Filter:
    """One demand: the document's field stands in this relation to the topic's.

    A topic without the field is not filtered by it. A document without the field never passes.

    Attributes
    ----------
    topic_field, document_field : str
    relation : {"equal", "at_most", "at_least"}
        equal: the same text, or the same number where the document has a number, or true or false where it has a
        boolean; of a list, one part is enough.
        at_most, at_least: numbers, the document's against the topic's.
    """

    topic_field: str
    document_field: str
    relation: Relation = "equal"

    def __str__(self) -> str:
        """The filter as `filter_from_text` reads it."""
        field = "" if self.document_field == self.topic_field else f"={self.document_field}"
        return f"{self.topic_field}{field}:{self.relation}"

    def demand(self, topic: "Topic") -> str:
        """What the topic asks for; empty where it asks for nothing."""
        return topic.fields.get(self.topic_field, "").strip()

    def passes(self, topic: "Topic", document: "Document") -> bool:
        """Whether the document meets the topic's demand.

        Raises
        ------
        DataError
            If a value that has to be a number is none; topic or document, field and value are named.
        """
        wanted = self.demand(topic)
        if not wanted:
            return True
        if self.document_field not in document.fields:
            return False
        value = document.fields[self.document_field]
        if self.relation == "equal":
            return _equal(value, wanted)
        limit = _number(wanted, f"topic {topic.id!r}: {self.topic_field}")
        number = _number(value, f"document {document.id!r}: {self.document_field}")
        return number <= limit if self.relation == "at_most" else number >= limit


def filters_of(table: Mapping[str, object]) -> tuple[Filter, ...]:
    """Filters from their declaration, one for each topic field.

    Parameters
    ----------
    table : mapping
        `{network: "equal"}` compares with the document field of the same name;
        `{max_price: {field: "price", at_most: True}}` with another one.

    Raises
    ------
    UsageError
        If a declaration is not of these forms.
    """
    return tuple(_filter(topic_field, declared) for topic_field, declared in table.items())


def filter_from_text(text: str) -> Filter:
    """The filter that `TOPIC_FIELD[=DOCUMENT_FIELD][:RELATION]` says; equal if no relation is given.

    Raises
    ------
    UsageError
        If there is no such relation.
    """
    names, _, relation = text.partition(":")
    topic_field, equals, document_field = names.partition("=")
    if not topic_field or (equals and not document_field):
        raise UsageError(f"filter {text!r} names no field; write TOPIC_FIELD, or TOPIC_FIELD=DOCUMENT_FIELD")
    for known in RELATIONS:
        if known == (relation or "equal"):
            return Filter(topic_field, document_field or topic_field, known)
    raise UsageError(f"filter {text!r}: unknown relation {relation!r}; {instead(relation, RELATIONS)}")


def allowed_documents(
    topic: "Topic", documents: "Iterable[Document]", filters: Collection[Filter]
) -> frozenset[str] | None:
    """The ids of the documents that pass every filter; None where the topic asks for nothing.

    Raises
    ------
    DataError
        As `Filter.passes`.
    """
    asked = [one for one in filters if one.demand(topic)]
    if not asked:
        return None
    for one in asked:  # said even where no document could be compared
        if one.relation != "equal":
            _number(one.demand(topic), f"topic {topic.id!r}: {one.topic_field}")
    return frozenset(document.id for document in documents if all(one.passes(topic, document) for one in asked))


def allowing(
    documents: "Collection[Document]", filters: Collection[Filter]
) -> "Callable[[Topic], frozenset[str] | None]":
    """`allowed_documents` for one collection, as the engines take it; topics that ask the same share the answer.

    Raises
    ------
    UsageError
        If a filter's field is in no document at all, which would pass nothing.
    """
    names = {name for document in documents for name in document.fields}
    for one in filters:
        if documents and one.document_field not in names:
            raise UsageError(no_field("document", one.document_field, sorted(names)))
    known: dict[tuple[str, ...], frozenset[str] | None] = {}

    def allowed(topic: "Topic") -> frozenset[str] | None:
        asked = tuple(one.demand(topic) for one in filters)
        if asked not in known:
            known[asked] = allowed_documents(topic, documents, filters)
        return known[asked]

    return allowed


def filtered(run: Run, topics: "Topics", allowed: "Callable[[Topic], frozenset[str] | None]") -> Run:
    """The run without the documents that its topics do not allow; a topic that is left with none has no lines.

    Raises
    ------
    DataError
        If a topic of the run is not among the topics.
    """
    kept: dict[str, dict[str, float]] = {}
    known = {topic.id: topic for topic in topics}
    for topic, documents, scores in run.by_topic():
        if topic not in known:
            raise DataError(f"{run.name}: topic {topic!r} is not in the topics file, whose fields the filters look at")
        passed = allowed(known[topic])
        kept[topic] = {
            document: score
            for document, score in zip(documents, scores, strict=True)
            if passed is None or document in passed
        }
    return Run.from_scores({topic: scores for topic, scores in kept.items() if scores}, run.tag, run.name)


def _filter(topic_field: str, declared: object) -> Filter:
    for relation in RELATIONS:
        if declared == relation:
            return Filter(topic_field, topic_field, relation)
    if isinstance(declared, Mapping):
        named = [relation for relation in RELATIONS if declared.get(relation) is True]
        field = declared.get("field", topic_field)
        if len(named) == 1 and isinstance(field, str) and set(declared) <= {"field", named[0]}:
            return Filter(topic_field, field, named[0])
    raise UsageError(
        f"filter {topic_field!r} is {declared!r}; give one of {', '.join(RELATIONS)}, "
        'or a table such as {field = "price", at_most = true}'
    )


def _equal(value: "FieldValue", wanted: str) -> bool:
    if isinstance(value, tuple):
        return any(part.strip() == wanted for part in value)
    if isinstance(value, str):
        return value.strip() == wanted
    if isinstance(value, bool):  # as JSON writes it, or a person
        return str(value).lower() == wanted.lower()
    try:
        return float(wanted) == value
    except ValueError:
        return False


def _number(value: object, place: str) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        raise DataError(f"{place} is {value!r}, which is not a number to compare")
    return number
