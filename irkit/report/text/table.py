"""Tables for a terminal."""

import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TextIO

from irkit._utils.visible import visible
from irkit.report.text.layout import Cell, Grid, Line

GAP = 2
# What a label column keeps, however many numbers stand beside it.
LEAST_LABEL = 16
LEAST_NUMBER = 8
_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


@dataclass(frozen=True, slots=True)
class TerminalWidth:
    """Where a table will be shown.

    Attributes
    ----------
    width : int, optional
        Columns; None where nothing limits them, as in a file.
    styled : bool
        The best of each column is bold.
    encoding : str
        Characters that it lacks are shown as escapes.
    """

    width: int | None = None
    styled: bool = False
    encoding: str = "utf-8"

    @classmethod
    def of(cls, stream: TextIO) -> "TerminalWidth":
        """The screen behind a stream: as wide as the terminal, plain and as wide as the table where there is none."""
        encoding = stream.encoding or "utf-8"
        if stream.isatty():
            import shutil

            return cls(shutil.get_terminal_size().columns, os.environ.get("TERM") != "dumb", encoding)
        asked = os.environ.get("COLUMNS", "")
        return cls(int(asked) if re.fullmatch("[0-9]{1,9}", asked) and int(asked) else None, False, encoding)

    @classmethod
    def standard_output(cls) -> "TerminalWidth":
        """The screen behind standard output."""
        return cls.of(sys.stdout)

    def shown(self, name: str) -> str:
        """A name, harmless and in the characters that the screen has."""
        return visible(name).encode(self.encoding, "backslashreplace").decode(self.encoding)

    def raised(self, letters: str) -> str:
        """Letters as superscripts, or behind ^ where the screen has none."""
        small = letters.translate(_RAISED)
        return small if self.can_show(small) else f"^{letters}"

    def can_show(self, text: str) -> bool:
        """Whether the screen has these characters."""
        return self.shown(text) == text


def draw(grids: Sequence[Grid], before: Sequence[str], after: Sequence[str], screen: TerminalWidth) -> str:
    """The text of one table or more, with lines before and after them.

    Where the numbers do not fit the width they go on below, under the same labels; long labels and lines go on in
    the next line. Nothing is cut but texts that go across the table, where they are longer than the screen is wide.
    """
    parts = [*(wrapped(line, screen) for line in before), ""]
    for grid in grids:
        for part in _parts(grid, screen):
            parts += [part, ""]
    parts += [wrapped(line, screen) for line in after]
    return "\n".join(parts).rstrip("\n") + "\n"


def wrapped(line: str, screen: TerminalWidth) -> str:
    """The line, gone on with in the next one where the screen is narrower."""
    if screen.width is None:
        return line
    return textwrap.fill(line, screen.width, subsequent_indent="  ", break_on_hyphens=False)


def _parts(grid: Grid, screen: TerminalWidth) -> Iterator[str]:
    labels = [
        _widest(name, (line.labels[column] for line in _columned(grid) if column < len(line.labels)))
        for column, name in enumerate(grid.labels)
    ]
    numbers = [
        _widest(name, (line.cells[column].text for line in _columned(grid) if not line.title))
        for column, name in enumerate(grid.columns)
    ]
    room = sum(numbers) + GAP * len(numbers)
    if screen.width is not None:
        labels = _folded(labels, screen.width - room - GAP * (len(labels) - 1), screen.width)
        labels = [
            _widest("", (part for label in column for part in _broken(label, width)))
            for column, width in zip(_label_columns(grid), labels, strict=True)
        ]
        room = screen.width - sum(labels) - GAP * len(labels)
        numbers = [min(width, max(room, LEAST_NUMBER)) for width in numbers]
    for chosen in _that_fit(numbers, room):
        yield _printed(grid, labels, numbers, chosen, screen)


def _folded(labels: Sequence[int], room: int, width: int) -> list[int]:
    """Label columns made narrow enough to leave room for the numbers, the longest first; but never too narrow."""
    least = max(LEAST_LABEL, width // (len(labels) + 2))
    folded = list(labels)
    while sum(folded) > room and max(folded) > least:
        folded[folded.index(max(folded))] -= 1
    return folded


def _label_columns(grid: Grid) -> list[list[str]]:
    return [
        [name, *(line.labels[i] for line in _columned(grid) if i < len(line.labels))]
        for i, name in enumerate(grid.labels)
    ]


def _broken(label: str, width: int) -> list[str]:
    """The label in lines of this width, broken after a space or one of `._-/` where there is one."""
    indent = label[: len(label) - len(label.lstrip())]
    lines, rest = [], label
    while _width(rest) > width:
        fits = next(n for n in range(len(rest), 0, -1) if _width(rest[:n]) <= width or n == len(indent) + 1)
        after = max(rest.rfind(sign, len(indent), fits) for sign in " ._-/") + 1
        end = after if after > len(indent) else fits
        lines.append(rest[:end].rstrip())
        rest = indent + rest[end:].lstrip()
    return [*lines, rest]


def _columned(grid: Grid) -> Iterator[Line]:
    """The lines that stand in columns."""
    for section in grid.sections:
        yield from (line for line in section if not line.across)


def _widest(header: str, texts: Iterator[str]) -> int:
    return max(_width(header), *map(_width, texts), 1)


def _width(text: str) -> int:
    """Columns of a terminal that the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _that_fit(widths: Sequence[int], room: int) -> Iterator[range]:
    """The columns, in parts that fit the room."""
    start = 0
    while start < len(widths):
        stop, used = start + 1, widths[start]
        while stop < len(widths) and used + GAP + widths[stop] <= room:
            used += GAP + widths[stop]
            stop += 1
        yield range(start, stop)
        start = stop


def _printed(grid: Grid, labels: Sequence[int], numbers: Sequence[int], chosen: range, screen: TerminalWidth) -> str:
    widths = [*labels, *(numbers[i] for i in chosen)]
    rule = ("─" if screen.can_show("─") else "-") * (sum(widths) + GAP * (len(widths) - 1))

    def printed(names: Sequence[str], cells: Sequence[Cell], *, is_header: bool = False) -> Iterator[str]:
        texts = [*names, *[""] * (len(labels) - len(names)), *(cell.text for cell in cells)]
        columns = [_broken(text, width) for text, width in zip(texts, widths, strict=False)]
        if is_header:  # its words stand just above the rule
            height = max(map(len, columns))
            columns = [[""] * (height - len(column)) + column for column in columns]
        best = [False] * len(labels) + [screen.styled and cell.best for cell in cells]
        for parts in zip_longest(*columns, fillvalue=""):
            padded = (
                _padded(part, width, right=place >= len(labels), bold=best[place])
                for place, (part, width) in enumerate(zip(parts, widths, strict=False))
            )
            yield (" " * GAP).join(padded).rstrip()

    lines = [*printed(grid.labels, [Cell(grid.columns[i]) for i in chosen], is_header=True), rule]
    for place, section in enumerate(grid.sections):
        lines += [""] if place and len(section) > 1 else []
        for line in section:
            if line.across:
                # Said once, where the numbers of a table go on below.
                lines += [_cut(line.labels[0], screen)] if chosen.start == 0 else []
                continue
            lines += printed(line.labels, [] if line.title else [line.cells[i] for i in chosen])
    return "\n".join(lines)


def _cut(text: str, screen: TerminalWidth) -> str:
    """The text, cut where the screen ends."""
    if screen.width is None or _width(text) <= screen.width:
        return text
    end = "\u2026" if screen.can_show("\u2026") else "..."
    kept = len(text)
    while kept and _width(text[:kept]) + len(end) > screen.width:
        kept -= 1
    return text[:kept].rstrip() + end


def _padded(text: str, width: int, *, right: bool, bold: bool) -> str:
    room = " " * (width - _width(text))
    styled = f"\x1b[1m{text}\x1b[0m" if bold and text else text
    return room + styled if right else styled + room
