"""Represent N ids or numbers as positions in a text, and compare them eight bytes at a time."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit.ids import Ids

Places: TypeAlias = npt.NDArray[np.int64]
Words: TypeAlias = npt.NDArray[np.uint64]
Flags: TypeAlias = npt.NDArray[np.bool_]

PADDING: Final = b" " * 32  # after a text, so that some signs can be read from each of its places
LONG: Final = 64  # bytes; longer fields are looked at one by one, by Python

# The bytes of a word that belong to a field of which 0 to 8 bytes are left; the first byte is the lowest.
_KEPT: Final = np.array([(1 << 8 * n_bytes) - 1 for n_bytes in range(9)], dtype=np.uint64)
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no two words become one


class Fields:
    """Field `n` is `text[start[n]:start[n] + size[n]]`; the text ends in `PADDING`."""

    def __init__(self, text: bytes, start: Places, size: Places) -> None:
        self.text, self.start, self.size = text, start, size

    @classmethod
    def of(cls, ids: Ids) -> "Fields":
        """Make fields from ids."""
        return cls(ids.data + PADDING, ids.offsets[:-1], np.diff(ids.offsets))

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> bytes:
        start = int(self.start[row])
        return self.text[start : start + int(self.size[row])]

    def take(self, rows: "Places | Flags | slice") -> "Fields":
        """Select the fields of these rows."""
        return Fields(self.text, self.start[rows], self.size[rows])

    def tolist(self) -> list[bytes]:
        """Return the bytes of all fields."""
        text = self.text
        stop = (self.start + self.size).tolist()
        return [text[low:high] for low, high in zip(self.start.tolist(), stop, strict=True)]

    def signs(self, n_signs: int) -> npt.NDArray[np.uint8]:
        """First bytes of all fields, at most as many as `PADDING` has, 0 after a field's end; shape (n_signs, N)."""
        windows = np.lib.stride_tricks.sliding_window_view(np.frombuffer(self.text, dtype=np.uint8), n_signs)
        signs = np.ascontiguousarray(windows[self.start].T)
        signs *= np.arange(n_signs)[:, None] < self.size
        return signs

    def repeat(self) -> Flags:
        """Whether each field equals the previous field, shape (N,)."""
        same = np.zeros(len(self), dtype=bool)
        same[1:] = self.size[1:] == self.size[:-1]
        for number in range(self._n_words()):
            rows = np.flatnonzero(same & (self.size > 8 * number))
            same[rows] = self._word(number, rows) == self._word(number, rows - 1)
        for row in np.flatnonzero(same & (self.size > LONG)).tolist():
            same[row] = self[row] == self[row - 1]
        return same

    def hashes(self, group: Places) -> Words:
        """Hash each field together with its group, shape (N,).

        The same field in the same group has the same number. Others rarely have: whether two that share a number are
        the same has to be seen from their bytes.
        """
        found = self.size.astype(np.uint64)
        for number in range(self._n_words()):
            rows = np.flatnonzero(self.size > 8 * number)
            word = (found[rows] ^ self._word(number, rows)) * _FACTOR
            found[rows] = word ^ word >> np.uint64(32)
        for row in np.flatnonzero(self.size > LONG).tolist():
            found[row] = hash(self[row]) % (1 << 64)
        return (found + group.astype(np.uint64)) * _FACTOR

    def sort_keys(self) -> list[Words]:
        """Keys for `np.lexsort` to sort the fields in byte order; no field may be longer than `LONG`."""
        keys = [self.size.astype(np.uint64)]  # a field that ends in NUL comes after the one without
        for number in reversed(range(self._n_words())):
            rows = np.flatnonzero(self.size > 8 * number)
            words = np.zeros(len(self), dtype=np.uint64)
            words[rows] = self._word(number, rows).byteswap()  # the first byte counts most
            keys.append(words)
        return keys

    def _n_words(self) -> int:
        return (min(int(self.size.max(initial=0)), LONG) + 7) // 8

    def _word(self, number: int, rows: Places) -> Words:
        """Word `number` (8 bytes, missing bytes 0) of each row that is long enough."""
        words: Words = np.ndarray(len(self.text) - 7, dtype="<u8", buffer=self.text, strides=(1,))  # one at every byte
        n_left = np.minimum(self.size[rows] - 8 * number, 8)
        return words[self.start[rows] + 8 * number] & _KEPT[n_left]
