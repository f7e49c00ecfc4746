"""Edits of a text: replaced bytes, deleted lines, and a description of each."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.checking.findings import MOST, Repair
from irkit.ids import to_text


class Edit(NamedTuple):
    """Change of one line.

    Attributes
    ----------
    line : int
        From 1, of the text as it is now.
    start, end : int
        The bytes that are replaced.
    text : bytes or None
        What takes their place; None leaves the line out, LF and all, and `end` says nothing.
    code : str
        The fault that it mends.
    """

    line: int
    start: int
    end: int
    text: bytes | None
    code: str


class EditedText:
    """Text with its edits; parts between edits are copied unchanged."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._repairs: list[Repair] = []
        self._counts: Counter[str] = Counter()
        self._last: dict[str, int] = {}  # of each code, the last line changed
        self._numbers: npt.NDArray[np.int64] | None = None  # that lines had at first; None until one is left out

    @property
    def repairs(self) -> list[Repair]:
        """The repairs; if a code has more than 10,000, one entry counts the rest."""
        rest = [
            Repair(code, None, f"{n - MOST:,} more, up to line {self._last[code]}", "", n - MOST)
            for code, n in self._counts.items()
            if n > MOST
        ]
        return [*self._repairs, *rest]

    def say(self, code: str, what: str) -> None:
        """A change of the whole text."""
        self._repairs.append(Repair(code, None, what, ""))

    def starts(self) -> npt.NDArray[np.int64]:
        """Start of each line, and of one line more."""
        ends = np.flatnonzero(np.frombuffer(self.data, dtype=np.uint8) == ord("\n"))
        return np.append(0, ends + 1)

    def apply(self, edits: Iterable[Edit]) -> bool:
        """Change the text, from its beginning to its end; whether there was a change."""
        data, view = self.data, memoryview(self.data)
        changed, at = bytearray(), 0
        dropped = []
        n_before = self._counts.total()
        for line, start, end, text, code in edits:
            if text is None:
                end = (data.find(b"\n", start) + 1) or len(data)
                dropped.append(line)
            elif data[start:end] == text:
                continue
            changed += view[at:start]
            changed += text or b""
            at = end
            self._counts[code] += 1
            if self._counts[code] > MOST:
                self._last[code] = self._at_first(line)
            else:
                self._say(Edit(line, start, end, text, code))
        if self._counts.total() == n_before:
            return False
        changed += view[at:]
        self.data = bytes(changed)
        if dropped:
            numbers = self._numbers if self._numbers is not None else np.arange(1, dropped[-1] + self._n_lines() + 1)
            self._numbers = np.delete(numbers, np.array(dropped) - 1)
        return True

    def _n_lines(self) -> int:
        return self.data.count(b"\n") + 1

    def _at_first(self, line: int) -> int:
        return line if self._numbers is None else int(self._numbers[line - 1])

    def _say(self, edit: Edit) -> None:
        data = self.data
        begin = data.rfind(b"\n", 0, edit.start) + 1
        end = data.find(b"\n", edit.start)
        was = data[begin : end if end >= 0 else len(data)]
        becomes = b"" if edit.text is None else data[begin : edit.start] + edit.text + was[edit.end - begin :]
        self._repairs.append(Repair(edit.code, self._at_first(edit.line), to_text(was), to_text(becomes)))
