"""Split the bytes of a file into lines and fields, as positions in the text.

Fields are split on ASCII white space (space, tab, CR, VT, FF), lines on LF, as trec_eval's readers do. Blank lines and
lines whose first field begins with `#` are passed over.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from irkit._kernel.numpy_twin.fields import PADDING, Fields, Flags, Places

CHUNK: Final = 1 << 21  # bytes looked at together: what is made of them stays in the processor's cache


class Lines:
    """The lines of a text, with the places of their fields.

    Attributes
    ----------
    data : int64 array of shape (D,)
        The lines that hold data, from 0.
    n_fields : int64 array of shape (D,)
        How many fields each of them has, at least 1.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text if text.endswith(b"\n") else text + b"\n"
        self._padded = self.text + PADDING
        signs = np.frombuffer(self.text, dtype=np.uint8)
        # White space is the space and the five signs from tab, 9, to CR, 13; what is below 9 goes round to above 200.
        blank = (signs == ord(" ")) | (signs - np.uint8(9) <= 4)
        # The text ends in white space, so that every field that begins has an end.
        edges = np.flatnonzero(np.diff(blank, prepend=True))
        self._start, self._end = edges[0::2], edges[1::2]
        self._line_end = np.flatnonzero(signs == ord("\n"))
        self._line_start = np.concatenate(([0], self._line_end + 1))
        # The fields of line n are those from first[n] up to first[n + 1].
        first = np.searchsorted(self._start, self._line_start)
        filled = np.flatnonzero(first[1:] > first[:-1])
        self.data = filled[signs[self._start[first[filled]]] != ord("#")]
        self._first = first[self.data]
        self.n_fields = first[self.data + 1] - self._first

    def field(self, number: int, rows: "Places | Flags | slice") -> Fields:
        """Select a field, numbered from 0, of these lines of data; every line must have it."""
        places = self._first[rows] + number
        start = self._start[places]
        return Fields(self._padded, start, self._end[places] - start)

    def line(self, row: int) -> bytes:
        """Return the line of this row of data, without its LF."""
        number = int(self.data[row])
        return self.text[int(self._line_start[number]) : int(self._line_end[number])]

    def starts(self, numbers: Places) -> Places:
        """Positions in the text where these lines, numbered from 0, begin."""
        return self._line_start[numbers]

    def with_nul(self) -> Places:
        """Numbers, from 0, of all lines with a NUL byte, including comments and blank lines."""
        places = np.flatnonzero(np.frombuffer(self.text, dtype=np.uint8) == 0)
        return np.unique(np.searchsorted(self._line_end, places))


def chunks(text: bytes) -> Iterator[tuple[bytes, int]]:
    """Split the text into pieces of whole lines, each with the number of its first line, from 1."""
    start, line = 0, 1
    while start < len(text):
        stop = text.find(b"\n", start + CHUNK) + 1 or len(text)
        yield text[start:stop], line
        line += text.count(b"\n", start, stop)
        start = stop


def stretches(fields: Fields) -> Places:
    """Rows where a field differs from the previous row, followed by the number of rows."""
    return np.append(np.flatnonzero(~fields.repeat()), len(fields))
