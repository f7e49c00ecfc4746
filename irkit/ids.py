"""A column of topic or document ids, kept as the bytes of the file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import lt
from typing import overload

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import FormatError, UsageError


def to_bytes(identifier: str, place: str = "ids") -> bytes:
    """Encode an id as bytes; ids from `to_text` that were not UTF-8 get their original bytes.

    `place` is the place of the id, for the message.
    """
    try:
        return identifier.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as problem:
        raise FormatError(place, f"{identifier!r} holds half a character, which no file can; change it") from problem


def to_text(identifier: bytes) -> str:
    """Decode an id as text; `to_bytes` restores bytes that are not UTF-8."""
    return identifier.decode("utf-8", "surrogateescape")


def check_spans(starts: npt.NDArray[np.int64], end: int, what: str) -> None:
    """Check the boundaries of spans, since the kernel reads memory by them."""
    if (
        not isinstance(starts, np.ndarray)
        or starts.dtype != np.int64
        or starts.ndim != 1
        or len(starts) == 0
        or starts[0] != 0
        or starts[-1] != end
        or (starts[1:] < starts[:-1]).any()
    ):
        raise UsageError(f"{what} are int64, begin with 0, never fall and end with {end}; these do not")


def blocks(starts: npt.NDArray[np.int64], n_rows: int) -> Iterator[tuple[int, int]]:
    """Group spans into blocks of about `n_rows` rows; yield the first span and the end of each block."""
    number = starts[:-1] // n_rows
    return pairwise([*np.flatnonzero(np.diff(number, prepend=-1)).tolist(), len(number)])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ids:
    """Concatenated ids: id `i` is `data[offsets[i]:offsets[i + 1]]`.

    Attributes
    ----------
    data : bytes
    offsets : int64 array of shape (n + 1,)
    """

    data: bytes
    offsets: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        if not isinstance(self.data, bytes):
            raise UsageError(f"the data of ids are bytes, not {type(self.data).__name__}; Ids.of puts ids end to end")
        check_spans(self.offsets, len(self.data), "offsets of ids")
        freeze(self, "offsets")

    @classmethod
    def of(cls, identifiers: Iterable[bytes]) -> "Ids":
        """Make a column of these ids, in this order."""
        column = list(identifiers)
        offsets = np.zeros(len(column) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, column), dtype=np.int64, count=len(column)), out=offsets[1:])
        return cls(b"".join(column), offsets)

    @classmethod
    def of_texts(cls, identifiers: Sequence[str]) -> "Ids":
        """Make a column of these texts, all encoded at once."""
        text = "".join(identifiers)
        data = text.encode("utf-8", "surrogateescape")
        if len(data) > len(text):  # a character may need several bytes
            return cls.of(identifier.encode("utf-8", "surrogateescape") for identifier in identifiers)
        offsets = np.zeros(len(identifiers) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, identifiers), dtype=np.int64, count=len(identifiers)), out=offsets[1:])
        return cls(data, offsets)

    @classmethod
    def joined(cls, columns: Sequence["Ids"]) -> "Ids":
        """Concatenate columns."""
        offsets = np.zeros(sum(map(len, columns)) + 1, dtype=np.int64)
        end = 0
        for column in columns:
            np.add(column.offsets[1:], offsets[end], out=offsets[end + 1 : end + 1 + len(column)])
            end += len(column)
        return cls(b"".join(column.data for column in columns), offsets)

    def of_spans(self, spans: Iterable[slice]) -> "Ids":
        """Concatenate the ids of these slices."""
        bounds = [self.offsets[span.start : span.stop + 1] for span in spans]
        data = b"".join(self.data[int(bound[0]) : int(bound[-1])] for bound in bounds)
        return Ids(data, np.concatenate([[0], *map(np.diff, bounds)]).cumsum(dtype=np.int64))

    def repeated(self, counts: Sequence[int]) -> "Ids":
        """Repeat each id by its count."""
        offsets = np.zeros(sum(counts) + 1, dtype=np.int64)
        np.cumsum(np.repeat(np.diff(self.offsets), counts), out=offsets[1:])
        return Ids(b"".join(name * count for name, count in zip(self, counts, strict=True)), offsets)

    def taken(self, places: npt.NDArray[np.int64]) -> "Ids":
        """Select the ids at these places, in their order; places may repeat."""
        lengths = np.diff(self.offsets)
        width = int(lengths[0]) if len(lengths) else 0
        if width and (lengths == width).all():  # equal lengths: select rows of a table
            table = np.frombuffer(self.data, dtype=np.uint8).reshape(-1, width)
            return Ids(table[places].tobytes(), np.arange(len(places) + 1, dtype=np.int64) * width)
        lengths = lengths[places]
        offsets = np.zeros(len(places) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        # Source of each byte: its own place, shifted by as much as its id.
        sources = np.arange(offsets[-1]) + np.repeat(self.offsets[places] - offsets[:-1], lengths)
        return Ids(np.frombuffer(self.data, dtype=np.uint8)[sources].tobytes(), offsets)

    def __repr__(self) -> str:
        return f"<Ids: {len(self)}>"

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, key: int) -> bytes: ...
    @overload
    def __getitem__(self, key: slice) -> list[bytes]: ...
    def __getitem__(self, key: int | slice) -> bytes | list[bytes]:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                raise ValueError("ids are sliced in their own order only")
            bounds = self.offsets[start : max(start, stop) + 1].tolist()
            return [self.data[low:high] for low, high in pairwise(bounds)]
        place = key + len(self) if key < 0 else key
        if not 0 <= place < len(self):
            raise IndexError(key)
        return self.data[self.offsets[place] : self.offsets[place + 1]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self[:])


def check_rows(
    topics: tuple[str, ...],
    starts: npt.NDArray[np.int64],
    documents: Ids,
    numbers: npt.NDArray[np.float64] | npt.NDArray[np.int64],
    what: str,
    kind: type[np.float64] | type[np.int64],
) -> None:
    """Check that columns of a run or qrels agree: a span of rows for each topic, a number for each row."""
    if not isinstance(topics, tuple) or not all(issubclass(type_, str) for type_ in set(map(type, topics))):
        raise UsageError("topics are a tuple of text; these are not")
    if not isinstance(documents, Ids):
        raise UsageError(f"documents are Ids, not {type(documents).__name__}; Ids.of makes them")
    if not isinstance(numbers, np.ndarray) or numbers.dtype != kind:
        actual = numbers.dtype if isinstance(numbers, np.ndarray) else type(numbers).__name__
        raise UsageError(f"{what} are an array of {kind.__name__}, not {actual}")
    if numbers.ndim != 1:
        raise UsageError(f"{what} have {numbers.ndim} dimensions; a column has one")
    check_spans(starts, len(documents), "starts of topics")
    if len(starts) != len(topics) + 1 or len(numbers) != len(documents):
        raise UsageError(
            f"{len(topics)} topics have {len(topics) + 1} starts, and {len(documents)} documents as many numbers; "
            f"these have {len(starts)} and {len(numbers)}"
        )
    names = list(map(to_bytes, topics))
    if not all(map(lt, names, names[1:])):
        raise UsageError("topics stand in the order of their bytes, each once; these do not")
    if kind is np.float64 and np.isnan(numbers).any():
        raise UsageError(f"{what} are never nan, which has no place in a ranking; there is one among these")
