"""The text of a document that an engine sees."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irkit.documents import Document, FieldValue


def field_text(value: "FieldValue") -> str:
    """The value of a field as text; the parts of a list are joined by spaces."""
    return " ".join(value) if isinstance(value, tuple) else str(value)


def document_text(document: "Document", fields: Sequence[str] | None) -> str:
    """The text of a document, or the named fields of it joined by spaces; a field it lacks adds nothing."""
    if fields is None:
        return document.text
    return " ".join(field_text(document.fields[name]) for name in fields if name in document.fields)


def whole(text: str) -> str:
    """The text with halves of characters, which no other program takes, replaced by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
