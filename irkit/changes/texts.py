"""The texts of documents that are shown: their first words, without holding a collection."""

import os
from collections.abc import Collection
from typing import Final

from irkit.data.documents import read_documents

LENGTH: Final = 100  # signs of a text that are shown at most


def first_words(text: str, length: int = LENGTH) -> str:
    """First words of a text on one line, up to a number of characters."""
    line = " ".join(text[: 10 * length].split())
    if len(line) <= length and len(text) <= 10 * length:
        return line
    cut = line[: length - 3]
    return f"{cut.rpartition(' ')[0] or cut}..."


def document_texts(path: str | os.PathLike[str], ids: Collection[str]) -> dict[str, str]:
    """The first words of these documents.

    Parameters
    ----------
    path : str or path
        JSON lines, as `read_documents` takes them. They are read until all of these are found, and no others are held.
    ids : collection of str

    Returns
    -------
    dict of str to str
        Without those that the file lacks.

    Raises
    ------
    FormatError
        As `read_documents`.
    """
    wanted, found = set(ids), dict[str, str]()
    if not wanted:
        return found
    for document in read_documents(path):
        if document.id in wanted:
            found[document.id] = first_words(document.text)
            if len(found) == len(wanted):
                break
    return found
