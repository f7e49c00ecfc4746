"""Priors over documents, from a file or from a document field."""

import math
import os
import re
import sys
from collections.abc import Iterable
from typing import Final

from irkit.data.documents import Document
from irkit.errors import DataError, FormatError
from irkit.files.textio import read_bytes, shown

_NUMBER: Final = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)


def read_prior(path: str | os.PathLike[str]) -> dict[str, float]:
    """The weights of a file with lines `document<TAB>weight`.

    Blank lines, and lines that begin with `#`, are passed over.
    """
    place = shown(path)
    weights: dict[str, float] = {}
    for number, line in enumerate(read_bytes(path).decode("utf-8", "surrogateescape").split("\n"), 1):
        fields = line.removesuffix("\r").split("\t")
        if not line.strip() or line.startswith("#"):
            continue
        if len(fields) != 2 or fields[0].split() != [fields[0]]:
            raise FormatError(place, f"expected 'document<TAB>weight', found {line[:80]!r}", number)
        document, text = fields
        weight = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(weight):
            raise FormatError(place, f"the weight {text!r} of document {document!r} is no finite number", number)
        if document in weights:
            raise FormatError(place, f"document {document!r} has a weight already; keep one", number)
        weights[document] = weight
    if not weights:
        raise FormatError(place, "holds no line 'document<TAB>weight'")
    return weights


def prior_of_field(documents: Iterable[Document], field: str, place: str = "documents") -> dict[str, float]:
    """The weights that documents carry in a field of their own."""
    weights = {}
    for document in documents:
        value = document.fields.get(field)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            raise DataError(f"{place}: the prior '{field}' of document '{document.id}' is {value!r}, no number")
        weights[document.id] = float(value)
    return weights
