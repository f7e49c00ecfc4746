"""Check, before any search, that documents and topics have the fields an experiment names."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from irkit._utils.text import no_field
from irkit.experiment.plan import Experiment
from irkit.retrieval.texts import CONTENTS, FieldCheck

if TYPE_CHECKING:
    from irkit.data.documents import Document
    from irkit.data.topics import Topics

Place = tuple[tuple[str, ...], str]


def check_fields(experiment: Experiment, documents: "Iterable[Document]", topics: "Topics") -> None:
    """Refuse an experiment that names a field which no document or no topic has."""
    for name, (keys, key) in _topic_fields(experiment):
        if name not in topics.field_names:
            raise experiment.root.inside(*keys).error(key, no_field("topic", name, topics.field_names))
    searched = [(name, place) for name, place in _searched_fields(experiment) if name != CONTENTS]
    others = list(_other_fields(experiment))
    check = FieldCheck(name for name, _ in (*searched, *others))
    for document in documents if check.wanted else ():
        check.see(document)
        if not check.missing:
            return
    for known, wanted in (((CONTENTS, *check.known), searched), (tuple(check.known), others)):
        for name, (keys, key) in wanted:
            if name in check.missing:
                raise experiment.root.inside(*keys).error(key, no_field("document", name, known))


def _topic_fields(experiment: Experiment) -> Iterator[tuple[str, Place]]:
    if experiment.by is not None:
        yield experiment.by, (("evaluation",), "by")
    for one in experiment.filters:
        yield one.topic_field, (("filters",), one.topic_field)


def _searched_fields(experiment: Experiment) -> Iterator[tuple[str, Place]]:
    for name, step in experiment.configurations.items():
        here, fields = ("configurations", name), step.parameters.get("fields", ())
        if isinstance(fields, dict):  # with a weight each, in a table of their own
            yield from ((field, ((*here, "fields"), field)) for field in fields)
        else:
            yield from ((field, (here, "fields")) for field in fields)


def _other_fields(experiment: Experiment) -> Iterator[tuple[str, Place]]:
    for one in experiment.filters:
        yield one.document_field, (("filters",), one.topic_field)
    for name, step in experiment.configurations.items():
        if "prior_field" in step.parameters:
            yield step.parameters["prior_field"], (("configurations", name, "prior"), "field")
