"""The text of a document that an engine sees."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from irkit._utils.text import no_field
from irkit.errors import UsageError

if TYPE_CHECKING:
    from irkit.data.documents import Document, FieldValue


CONTENTS: Final = "contents"


class FieldCheck:
    """Sees documents pass by and knows which of the wanted fields none of them had.

    Attributes
    ----------
    missing : set of str
        Wanted and not seen yet.
    known : dict of str to None
        The fields seen, in the order of their first appearance; all of them as long as some are missing.
    """

    def __init__(self, wanted: Iterable[str]) -> None:
        self.wanted = tuple(wanted)
        self.missing = set(self.wanted)
        self.known: dict[str, None] = {}
        self._documents = False

    def see(self, document: "Document") -> None:
        """Take in one document."""
        self._documents = True
        if self.missing:
            self.known.update(dict.fromkeys(document.fields))
            self.missing.difference_update(document.fields)

    def finish(self) -> None:
        """Refuse what is still missing, unless there was no document at all.

        Raises
        ------
        UsageError
            With the fields that may be searched.
        """
        for name in self.wanted:
            if name in self.missing and self._documents:
                raise UsageError(no_field("document", name, (CONTENTS, *self.known)))


def field_text(value: "FieldValue") -> str:
    """The value of a field as text; the parts of a list are joined by spaces."""
    return " ".join(value) if isinstance(value, tuple) else str(value)


def document_text(document: "Document", fields: Sequence[str] | None) -> str:
    """The text of a document, or the named fields of it joined by spaces; a field it lacks adds nothing.

    `contents` is the whole text, which every document has.
    """
    if fields is None:
        return document.text
    return " ".join(
        document.text if name == CONTENTS else field_text(document.fields[name])
        for name in fields
        if name == CONTENTS or name in document.fields
    )


def whole(text: str) -> str:
    """The text with halves of characters, which no other program takes, replaced by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
