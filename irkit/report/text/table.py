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
# Minimum widths, even if the table then needs several parts.
LEAST_LABEL = 16
LEAST_NUMBER = 8
_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


@dataclass(frozen=True, slots=True)
class TerminalWidth:
    """Width, style and encoding of the screen for a table.

    Attributes
    ----------
    width : int, optional
        Width in terminal columns; None without a limit, as in a file.
    styled : bool
        Whether the best value of each column is bold.
    encoding : str
        Characters that the encoding lacks are shown as escapes.
    """

    width: int | None = None
    styled: bool = False
    encoding: str = "utf-8"

    @classmethod
    def of(cls, stream: TextIO) -> "TerminalWidth":
        """Describe the screen of a stream: a terminal's width; else plain, with the width of COLUMNS or no limit."""
        encoding = stream.encoding or "utf-8"
        if stream.isatty():
            import shutil

            return cls(shutil.get_terminal_size().columns, os.environ.get("TERM") != "dumb", encoding)
        width = os.environ.get("COLUMNS", "")
        return cls(int(width) if re.fullmatch("[0-9]{1,9}", width) and int(width) else None, False, encoding)

    @classmethod
    def standard_output(cls) -> "TerminalWidth":
        """Describe the screen of standard output."""
        return cls.of(sys.stdout)

    def shown(self, name: str) -> str:
        """Make a name safe to print, in characters that the screen can show."""
        return visible(name).encode(self.encoding, "backslashreplace").decode(self.encoding)

    def raised(self, letters: str) -> str:
        """Format letters as superscripts, or after ^ if the screen cannot show superscripts."""
        small = letters.translate(_RAISED)
        return small if self.can_show(small) else f"^{letters}"

    def can_show(self, text: str) -> bool:
        """Whether the screen can show all characters of a text."""
        return self.shown(text) == text


def draw(grids: Sequence[Grid], before: Sequence[str], after: Sequence[str], screen: TerminalWidth) -> str:
    """Format tables with lines before and after them.

    Numbers that do not fit the width continue in a second part below, with the same labels; long labels and lines
    wrap. Only texts across the table are cut, if they are wider than the screen.
    """
    parts = [*(wrapped(line, screen) for line in before), ""]
    for grid in grids:
        for part in _parts(grid, screen):
            parts += [part, ""]
    parts += [wrapped(line, screen) for line in after]
    return "\n".join(parts).rstrip("\n") + "\n"


def wrapped(line: str, screen: TerminalWidth) -> str:
    """Wrap a line to the width of the screen."""
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
    for chosen in _column_ranges(numbers, room):
        yield _printed(grid, labels, numbers, chosen, screen)


def _folded(labels: Sequence[int], room: int, width: int) -> list[int]:
    """Narrow the label columns, widest first, to leave room for the numbers, but not below a minimum."""
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
    """Break a label into lines of this width, after a space or one of `._-/` where possible."""
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
    """Yield the lines with columns, without texts across the table."""
    for section in grid.sections:
        yield from (line for line in section if not line.across)


def _widest(header: str, texts: Iterator[str]) -> int:
    return max(_width(header), *map(_width, texts), 1)


def _width(text: str) -> int:
    """Width of a text in terminal columns."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _column_ranges(widths: Sequence[int], room: int) -> Iterator[range]:
    """Split the columns into ranges that fit the room."""
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
        if is_header:  # its words are aligned at the bottom, above the rule
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
                # Only in the first part, if the table has several.
                lines += [_cut(line.labels[0], screen)] if chosen.start == 0 else []
                continue
            lines += printed(line.labels, [] if line.title else [line.cells[i] for i in chosen])
    return "\n".join(lines)


def _cut(text: str, screen: TerminalWidth) -> str:
    """Cut a text at the width of the screen."""
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
