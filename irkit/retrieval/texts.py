"""The text of a document that an engine sees."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from irkit._utils.text import no_field
from irkit.errors import UsageError

if TYPE_CHECKING:
    from irkit.data.documents import Document, FieldValue


CONTENTS: Final = "contents"


class FieldCheck:
    """Check for fields that no document has, as documents are read.

    Attributes
    ----------
    missing : set of str
        Fields not seen yet.
    known : dict of str to None
        Fields seen, in the order of first appearance; complete only while fields are missing.
    """

    def __init__(self, fields: Iterable[str]) -> None:
        self.wanted = tuple(fields)
        self.missing = set(self.wanted)
        self.known: dict[str, None] = {}
        self._documents = False

    def see(self, document: "Document") -> None:
        """Record the fields of a document."""
        self._documents = True
        if self.missing:
            self.known.update(dict.fromkeys(document.fields))
            self.missing.difference_update(document.fields)

    def finish(self) -> None:
        """Refuse fields that are still missing, unless there was no document."""
        for name in self.wanted:
            if name in self.missing and self._documents:
                raise UsageError(no_field("document", name, (CONTENTS, *self.known)))


def field_text(value: "FieldValue") -> str:
    """Return the value of a field as text; the parts of a list are joined by spaces."""
    return " ".join(value) if isinstance(value, tuple) else str(value)


def document_text(document: "Document", fields: Sequence[str] | None) -> str:
    """Return the text of a document, or its named fields joined by spaces; missing fields add nothing.

    `contents` is the whole text; every document has it.
    """
    if fields is None:
        return document.text
    return " ".join(
        document.text if name == CONTENTS else field_text(document.fields[name])
        for name in fields
        if name == CONTENTS or name in document.fields
    )


def without_surrogates(text: str) -> str:
    """Replace unpaired surrogates in a text by question marks, because other programs refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")
