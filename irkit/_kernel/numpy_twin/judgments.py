"""Read a file of judgments with more columns than qrels have."""

from typing import Any

import numpy as np

from irkit._kernel.columns import JudgmentLines
from irkit._kernel.numpy_twin.fields import Fields, Flags, Places
from irkit._kernel.numpy_twin.numbers import read_grades, read_scores
from irkit._kernel.numpy_twin.text import Lines
from irkit.ids import Ids


def judgment_lines(data: bytes, kinds: str) -> JudgmentLines | None:
    """Read a file of judgments, and sort its lines by topic, document and name.

    Parameters
    ----------
    data : bytes
        The file; comments and blank lines as in qrels.
    kinds : str
        Kinds of the four or five fields of a line, a letter for each: `t` topic, `d` document, `i` name of a subtopic
        or a stratum, `n` whole number, `f` finite decimal number or NA, `-` not read.

    Returns
    -------
    JudgmentLines or None
        None where the file has a NUL byte, or a line has other fields.
    """
    lines = Lines(data)
    if b"\0" in data or (lines.n_fields != len(kinds)).any():
        return None
    fields = {kind: lines.field(kinds.index(kind), slice(None)) for kind in kinds if kind not in "nf-"}
    numbers: dict[str, list[Any]] = {"n": [], "f": []}
    for place, kind in enumerate(kinds):
        if kind in numbers:
            column, is_read = (read_grades if kind == "n" else _read_decimals)(lines.field(place, slice(None)))
            if not is_read.all():
                return None
            numbers[kind].append(column)
    topics, topic = _numbered(fields["t"])
    documents, document = _numbered(fields["d"])
    names, name = _numbered(fields["i"]) if "i" in fields else ([], np.zeros(0, dtype=np.int64))
    order = np.lexsort((*([name] if names else []), document, topic))
    topic, document = topic[order], document[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (topic[1:] != topic[:-1]) | (document[1:] != document[:-1])
    return JudgmentLines(
        topics,
        np.searchsorted(topic[is_first], np.arange(len(topics) + 1)),
        Ids.of(documents[place] for place in document[is_first].tolist()),
        np.cumsum(is_first) - 1,
        names,
        name[order] if names else name,
        [column[order] for column in numbers["n"]],
        [column[order] for column in numbers["f"]],
    )


def _numbered(fields: Fields) -> tuple[list[bytes], Places]:
    """The different fields in byte order, and the place of each row's."""
    texts = fields.tolist()
    distinct = sorted(set(texts))
    place = {text: number for number, text in enumerate(distinct)}
    return distinct, np.fromiter(map(place.__getitem__, texts), dtype=np.int64, count=len(texts))


def _read_decimals(fields: Fields) -> tuple[Any, Flags]:
    numbers, is_read = read_scores(fields)
    is_read &= np.isfinite(numbers)
    for row in np.flatnonzero(~is_read).tolist():
        if fields[row] == b"NA":
            numbers[row], is_read[row] = np.nan, True
    return numbers, is_read
