"""Sort rows by topic and rank them; find a duplicate document in a topic."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit._kernel.columns import QrelsColumns, RunColumns
from irkit._kernel.numpy_twin.fields import LONG, Fields, Places
from irkit._kernel.numpy_twin.numbers import as_float32
from irkit._kernel.numpy_twin.text import stretches
from irkit._kernel.problems import TwiceError
from irkit.ids import Ids

_BLOCK: Final = 1 << 16  # rows; the ids of so many are objects of Python at once


def rank(topics: Ids, documents: Ids, scores: npt.NDArray[np.float64], tag: bytes) -> RunColumns:
    """Put the documents of each topic in trec_eval's order: score falling, then document id falling in bytes.

    Parameters
    ----------
    topics, documents : Ids of N ids
        Of N rows in any order.
    scores : float64 array of shape (N,)
        None of them is nan.
    tag : bytes
        The run's name for itself.

    Raises
    ------
    TwiceError
        For the first row whose document stands in its topic already.
    """
    return ranked(*_numbered(topics), Fields.of(documents), scores, tag)


def rank_as_given(
    topics: Ids, documents: Ids, scores: npt.NDArray[np.float64], tag: bytes, *, float32: bool = False
) -> RunColumns:
    """As `rank`, with tied documents in the order of the rows; with `float32`, scores tie as 32-bit floats."""
    return ranked_as_given(*_numbered(topics), Fields.of(documents), scores, tag, float32=float32)


def gather(topics: Ids, documents: Ids, grades: npt.NDArray[np.int64]) -> QrelsColumns:
    """Sort judgments by topic in byte order; documents keep their order.

    Parameters
    ----------
    topics, documents : Ids of N ids
        Of N rows in any order.
    grades : int64 array of shape (N,)

    Raises
    ------
    TwiceError
        As `rank`.
    """
    return gathered(*_numbered(topics), Fields.of(documents), grades)


def ranked(
    topics: list[bytes], topic: Places, documents: Fields, scores: npt.NDArray[np.float64], tag: bytes
) -> RunColumns:
    """As `rank`, where row `n` is of `topics[topic[n]]`."""
    ordered, starts, place = _by_topic(topics, topic, documents)
    order = ranking(place, documents, scores)
    return RunColumns(ordered, starts, packed(documents, order), scores[order], tag)


def ranked_as_given(
    topics: list[bytes],
    topic: Places,
    documents: Fields,
    scores: npt.NDArray[np.float64],
    tag: bytes,
    *,
    float32: bool = False,
) -> RunColumns:
    """As `rank_as_given`, where row `n` belongs to `topics[topic[n]]`."""
    ordered, starts, place = _by_topic(topics, topic, documents)
    scores = as_float32(scores) if float32 else scores
    order = falling(place, scores)
    return RunColumns(ordered, starts, packed(documents, order), scores[order], tag)


def gathered(topics: list[bytes], topic: Places, documents: Fields, grades: npt.NDArray[np.int64]) -> QrelsColumns:
    """As `gather`, where row `n` belongs to `topics[topic[n]]`."""
    ordered, starts, place = _by_topic(topics, topic, documents)
    order = np.argsort(place, kind="stable")
    return QrelsColumns(ordered, starts, packed(documents, order), grades[order])


def ranking(topic: Places, documents: Fields, scores: npt.NDArray[np.float64]) -> Places:
    """Order the rows by ascending topic, descending score, then descending document id in bytes.

    Parameters
    ----------
    topic : int64 array of shape (N,)
    documents : Fields of N ids
        None of them twice in a topic.
    scores : float64 array of shape (N,)
    """
    order = falling(topic, scores)
    starts = ties(topic[order], scores[order])
    lengths = np.diff(starts)
    tied = np.flatnonzero(np.repeat(lengths > 1, lengths))
    if len(tied):
        rows, tie = order[tied], np.repeat(np.arange(len(lengths)), lengths)[tied]
        order[tied] = rows[in_bytes(-tie, documents.take(rows))[::-1]]
    return order


def in_bytes(group: Places, fields: Fields) -> Places:
    """Order the rows by ascending group, then by ascending bytes of their fields."""
    if fields.size.max(initial=0) > LONG:
        texts = fields.tolist()
        return np.array(sorted(range(len(texts)), key=lambda row: (group[row], texts[row])), dtype=np.int64)
    return np.lexsort((*fields.sort_keys(), group))


def falling(topic: Places, scores: npt.NDArray[np.float64]) -> Places:
    """Order the rows by ascending topic, then descending score; tied rows keep their order."""
    same_topic = topic[1:] == topic[:-1]
    if np.any((topic[1:] < topic[:-1]) | (same_topic & (scores[1:] > scores[:-1]))):
        return np.lexsort((-scores, topic))
    return np.arange(len(topic))


def ties(topic: Places, scores: npt.NDArray[np.float64]) -> Places:
    """Start rows of the ties of ranked rows, followed by the number of rows; each tie ends before the next start."""
    changes = (topic[1:] != topic[:-1]) | (scores[1:] != scores[:-1])
    return np.concatenate(([0], np.flatnonzero(changes) + 1, [len(topic)]))


def tie_of(starts: Places, places: Places) -> tuple[Places, Places]:
    """Return the first and last place of the tie of each place; `starts` are those of `ties`."""
    number = np.searchsorted(starts, places, side="right")
    return starts[number - 1], starts[number] - 1


def find_twice(topic: Places, documents: Fields) -> tuple[int, int] | None:
    """Find the first duplicate document of a topic: its row and the row of its first occurrence; None without one."""
    return next(all_twice(topic, documents), None)


def all_twice(topic: Places, documents: Fields) -> Iterator[tuple[int, int]]:
    """Yield all rows with a duplicate document, in ascending order, each with the row of its first occurrence."""
    hashes = documents.hashes(topic)
    ordered = np.sort(hashes)
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(shared):
        return
    first: dict[tuple[int, bytes], int] = {}
    for row in np.flatnonzero(np.isin(hashes, shared)).tolist():
        known = first.setdefault((int(topic[row]), documents[row]), row)
        if known != row:
            yield row, known


def _numbered(topics: Ids) -> tuple[list[bytes], Places]:
    """The topics of a column, once each, and which of them each row has."""
    fields = Fields.of(topics)
    starts = stretches(fields)
    number: dict[bytes, int] = {}
    numbers = [number.setdefault(topic, len(number)) for topic in fields.take(starts[:-1]).tolist()]
    return list(number), np.repeat(np.array(numbers, dtype=np.int64), np.diff(starts))


def _by_topic(topics: list[bytes], topic: Places, documents: Fields) -> tuple[list[bytes], Places, Places]:
    """The topics in byte order, where the rows of each start, and the place of each row's topic in that order."""
    twice = find_twice(topic, documents)
    if twice is not None:
        raise TwiceError(*twice)
    order = sorted(range(len(topics)), key=topics.__getitem__)
    place = np.empty(len(topics), dtype=np.int64)
    place[order] = np.arange(len(topics))
    lengths = np.bincount(topic, minlength=len(topics))[order]
    return [topics[number] for number in order], np.concatenate(([0], np.cumsum(lengths))), place[topic]


def packed(documents: Fields, order: Places) -> Ids:
    """Concatenate the ids of these rows."""
    offsets = np.concatenate(([0], np.cumsum(documents.size[order])))
    blocks = range(0, len(order), _BLOCK)
    return Ids(b"".join(b"".join(documents.take(order[low : low + _BLOCK]).tolist()) for low in blocks), offsets)
