"""Texts of documents and topics for a page, up to its size limit."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

from irkit._utils.progress import progress
from irkit._utils.visible import visible
from irkit.data.documents import Document, read_documents
from irkit.data.topics import Topics

LONGEST: Final = 800  # maximum characters of a text on the page
LONGEST_FIELD: Final = 120
MOST_FIELDS: Final = 12
TITLES: Final = ("title", "name", "headline", "subject")


def cut(text: str, longest: int) -> str:
    """Cut a text with `…` at the end, between words if it has blanks."""
    if len(text) <= longest:
        return text
    beginning = text[:longest]
    before, _, _ = beginning.rpartition(" ")
    return f"{before if len(before) > longest // 2 else beginning}…"


def document_texts(path: str | os.PathLike[str], ids: Iterable[str]) -> dict[str, list[Any]]:
    """Read title, text and other fields of documents from a file, keyed by the id that the page shows.

    Raises
    ------
    FormatError
        As `read_documents`.
    """
    missing = set(ids)
    texts = {}
    with progress("reading documents") as done:
        for document in read_documents(path):
            done(1)
            if document.id in missing:
                missing.discard(document.id)
                texts[visible(document.id)] = _shown(document)
    return texts


def _shown(document: Document) -> list[Any]:
    texts = {name: _as_text(value) for name, value in document.fields.items()}
    title = next((texts[name] for name in TITLES if texts.get(name)), "")
    text = document.text.strip()
    if title and text.startswith(title):  # do not repeat the title if the contents begin with it
        text = text[len(title) :].strip()
    others = {
        visible(name): cut(value, LONGEST_FIELD)
        for name, value in texts.items()
        if value and value != title and value[:LONGEST_FIELD] not in document.text
    }
    return [cut(title, LONGEST_FIELD), cut(text, LONGEST), dict(list(others.items())[:MOST_FIELDS])]


def _as_text(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def topic_texts(topics: Topics | None, ids: Iterable[str]) -> tuple[list[str] | None, list[dict[str, str]] | None]:
    """Return the query and other fields of each topic; None without a topics file or fields."""
    if topics is None:
        return None, None
    known = {topic.id: topic for topic in topics}
    queries, fields = [], []
    for id in ids:
        topic = known.get(id)
        queries.append("" if topic is None else cut(topic.text, LONGEST))
        its: Mapping[str, str] = {} if topic is None else topic.fields
        fields.append({visible(name): cut(value, LONGEST) for name, value in its.items()})
    return (queries if any(queries) else None), (fields if any(fields) else None)
