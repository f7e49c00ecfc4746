"""Texts of documents and topics for a page, up to its size limit."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

from irkit._utils.progress import progress
from irkit._utils.visible import visible
from irkit.data.documents import Document, read_documents
from irkit.data.topics import Topics

LONGEST: Final = 800  # characters of a text that the page has
LONGEST_FIELD: Final = 120
MOST_FIELDS: Final = 12
TITLES: Final = ("title", "name", "headline", "subject")


def cut(text: str, longest: int) -> str:
    """The text, or its beginning with `…`, not inside a word where there is a blank."""
    if len(text) <= longest:
        return text
    beginning = text[:longest]
    before, _, _ = beginning.rpartition(" ")
    return f"{before if len(before) > longest // 2 else beginning}…"


def document_texts(path: str | os.PathLike[str], wanted: Iterable[str]) -> dict[str, list[Any]]:
    """Title, text and other fields of those of these documents that a file has, by id as the page shows it.

    Raises
    ------
    FormatError
        As `read_documents`.
    """
    missing = set(wanted)
    found = {}
    with progress("reading documents") as done:
        for document in read_documents(path):
            done(1)
            if document.id in missing:
                missing.discard(document.id)
                found[visible(document.id)] = _shown(document)
    return found


def _shown(document: Document) -> list[Any]:
    texts = {name: _as_text(value) for name, value in document.fields.items()}
    title = next((texts[name] for name in TITLES if texts.get(name)), "")
    text = document.text.strip()
    if title and text.startswith(title):  # what the contents begin with is not said twice
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
    """The query of each topic, and what else its file says of it; None where there is no file, or it says nothing."""
    if topics is None:
        return None, None
    known = {topic.id: topic for topic in topics}
    queries, fields = [], []
    for one in ids:
        topic = known.get(one)
        queries.append("" if topic is None else cut(topic.text, LONGEST))
        its: Mapping[str, str] = {} if topic is None else topic.fields
        fields.append({visible(name): cut(value, LONGEST) for name, value in its.items()})
    return (queries if any(queries) else None), (fields if any(fields) else None)
