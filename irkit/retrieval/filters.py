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
    """A condition: a document field must stand in this relation to a topic field.

    The filter does not apply to a topic without the field. A document without the field never passes.

    Attributes
    ----------
    topic_field, document_field : str
    relation : {"equal", "at_most", "at_least"}
        equal: the same text, number or boolean, by the type of the document's value; if it is a list, one equal part
        is enough. at_most, at_least: the document's number compared with the topic's.
    """

    topic_field: str
    document_field: str
    relation: Relation = "equal"

    def __str__(self) -> str:
        """Format the filter as `filter_from_text` reads it."""
        field = "" if self.document_field == self.topic_field else f"={self.document_field}"
        return f"{self.topic_field}{field}:{self.relation}"

    def demand(self, topic: "Topic") -> str:
        """Return the topic's value; empty if the filter does not apply to the topic."""
        return topic.fields.get(self.topic_field, "").strip()

    def passes(self, topic: "Topic", document: "Document") -> bool:
        """Whether the document fulfils the topic's condition."""
        demand = self.demand(topic)
        if not demand:
            return True
        if self.document_field not in document.fields:
            return False
        value = document.fields[self.document_field]
        if self.relation == "equal":
            return _equal(value, demand)
        limit = _number(demand, f"topic {topic.id!r}: {self.topic_field}")
        number = _number(value, f"document {document.id!r}: {self.document_field}")
        return number <= limit if self.relation == "at_most" else number >= limit


def filters_of(table: Mapping[str, object]) -> tuple[Filter, ...]:
    """Read filters from their declaration, one for each topic field."""
    return tuple(_filter(topic_field, declared) for topic_field, declared in table.items())


def filter_from_text(text: str) -> Filter:
    """Read a filter `TOPIC_FIELD[=DOCUMENT_FIELD][:RELATION]`; the default relation is equal."""
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
    """Return the ids of the documents that pass every filter; None if no filter applies to the topic."""
    active = [condition for condition in filters if condition.demand(topic)]
    if not active:
        return None
    for condition in active:  # checks the topic's number even if no document has the field
        if condition.relation != "equal":
            _number(condition.demand(topic), f"topic {topic.id!r}: {condition.topic_field}")
    return frozenset(
        document.id for document in documents if all(condition.passes(topic, document) for condition in active)
    )


def allowing(
    documents: "Collection[Document]", filters: Collection[Filter]
) -> "Callable[[Topic], frozenset[str] | None]":
    """Make a function from topic to `allowed_documents`; topics with equal conditions share the result."""
    names = {name for document in documents for name in document.fields}
    for condition in filters:
        if documents and condition.document_field not in names:
            raise UsageError(no_field("document", condition.document_field, sorted(names)))
    known: dict[tuple[str, ...], frozenset[str] | None] = {}

    def allowed(topic: "Topic") -> frozenset[str] | None:
        demands = tuple(condition.demand(topic) for condition in filters)
        if demands not in known:
            known[demands] = allowed_documents(topic, documents, filters)
        return known[demands]

    return allowed


def filtered(run: Run, topics: "Topics", allowed: "Callable[[Topic], frozenset[str] | None]") -> Run:
    """Remove the documents that topics do not allow from a run; a topic without documents has no lines."""
    kept: dict[str, dict[str, float]] = {}
    known = {topic.id: topic for topic in topics}
    for topic, documents, scores in run.by_topic():
        if topic not in known:
            raise DataError(
                f"{run.name}: topic {topic!r} is not in the topics file, which has the fields for the filters"
            )
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


def _equal(value: "FieldValue", demand: str) -> bool:
    if isinstance(value, tuple):
        return any(part.strip() == demand for part in value)
    if isinstance(value, str):
        return value.strip() == demand
    if isinstance(value, bool):  # `true` in JSON, `True` or other capitals from people
        return str(value).lower() == demand.lower()
    try:
        return float(demand) == value
    except ValueError:
        return False


def _number(value: object, place: str) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        raise DataError(f"{place} is {value!r}, which is not a number")
    return number
