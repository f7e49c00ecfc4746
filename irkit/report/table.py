"""Tables for a terminal."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from irkit.report.layout import Grid, Line
from irkit.visible import visible

if TYPE_CHECKING:
    from rich.table import Table

GAP = 2
# What a label column keeps, however many numbers stand beside it.
LEAST_LABEL = 16
LEAST_NUMBER = 8


@dataclass(frozen=True, slots=True)
class Screen:
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
    def of(cls, stream: TextIO) -> "Screen":
        """The screen behind a stream: as wide as the terminal, plain and as wide as the table where there is none."""
        encoding = stream.encoding or "utf-8"
        if stream.isatty():
            return cls(shutil.get_terminal_size().columns, os.environ.get("TERM") != "dumb", encoding)
        asked = os.environ.get("COLUMNS", "")
        return cls(int(asked) if re.fullmatch("[0-9]{1,9}", asked) and int(asked) else None, False, encoding)

    @classmethod
    def standard_output(cls) -> "Screen":
        """The screen behind standard output."""
        return cls.of(sys.stdout)

    def shown(self, name: str) -> str:
        """A name, harmless and in the characters that the screen has."""
        return visible(name).encode(self.encoding, "backslashreplace").decode(self.encoding)

    def can_show(self, text: str) -> bool:
        """Whether the screen has these characters."""
        return self.shown(text) == text


def draw(grid: Grid, before: Sequence[str], after: Sequence[str], screen: Screen) -> str:
    """The text of a table, with lines before and after it.

    Where the numbers do not fit the width they go on below, under the same labels; long labels and lines go on in
    the next line. Nothing is cut.
    """
    parts = [*(_wrapped(line, screen) for line in before), ""]
    for part in _parts(grid, screen):
        parts += [part, ""]
    parts += [_wrapped(line, screen) for line in after]
    return "\n".join(parts).rstrip("\n") + "\n"


def _wrapped(line: str, screen: Screen) -> str:
    if screen.width is None:
        return line
    return textwrap.fill(line, screen.width, subsequent_indent="  ", break_on_hyphens=False)


def _parts(grid: Grid, screen: Screen) -> Iterator[str]:
    labels = [
        _widest(name, (line.labels[column] for line in _lines(grid) if column < len(line.labels)))
        for column, name in enumerate(grid.labels)
    ]
    numbers = [
        _widest(name, (line.cells[column].text for line in _lines(grid) if not line.title))
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
        [name, *(line.labels[i] for line in _lines(grid) if i < len(line.labels))] for i, name in enumerate(grid.labels)
    ]


def _broken(label: str, width: int) -> list[str]:
    """The label in lines of this width, broken after a space or one of `._-/` where there is one."""
    from rich.cells import cell_len

    indent = label[: len(label) - len(label.lstrip())]
    lines, rest = [], label
    while cell_len(rest) > width:
        fits = next(n for n in range(len(rest), 0, -1) if cell_len(rest[:n]) <= width or n == len(indent) + 1)
        after = max(rest.rfind(sign, len(indent), fits) for sign in " ._-/") + 1
        end = after if after > len(indent) else fits
        lines.append(rest[:end].rstrip())
        rest = indent + rest[end:].lstrip()
    return [*lines, rest]


def _lines(grid: Grid) -> Iterator[Line]:
    for section in grid.sections:
        yield from section


def _widest(header: str, texts: Iterator[str]) -> int:
    from rich.cells import cell_len

    return max(cell_len(header), *map(cell_len, texts), 1)


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


def _printed(grid: Grid, labels: Sequence[int], numbers: Sequence[int], chosen: range, screen: Screen) -> str:
    from rich.box import Box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rule = "─" if screen.can_show("─") else "-"
    plain = "    \n"
    ruled = f"{rule * 4}\n"
    box = Box(plain + plain + ruled + plain + plain + ruled + plain + plain, ascii=rule == "-")
    table = Table(box=box, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), header_style="")
    _add_columns(table, grid, labels, numbers, chosen)
    for place, section in enumerate(grid.sections):
        if place and len(section) > 1:
            table.add_section()
        for line in section:
            cells = [Text(line.cells[i].text, "bold" if line.cells[i].best else "") for i in chosen if not line.title]
            names = ("\n".join(_broken(label, width)) for label, width in zip(line.labels, labels, strict=False))
            table.add_row(*(Text(name, overflow="fold") for name in names), *cells)
    stream = StringIO()
    console = Console(
        file=stream,
        width=sum(labels) + sum(numbers[i] for i in chosen) + GAP * (len(labels) + len(chosen)),
        force_terminal=screen.styled,
        color_system="standard" if screen.styled else None,
        legacy_windows=False,
        highlight=False,
        no_color=True,
        _environ={},
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip("\n").split("\n"))


def _add_columns(table: "Table", grid: Grid, labels: Sequence[int], numbers: Sequence[int], chosen: range) -> None:
    from rich.text import Text

    for name, width in zip(grid.labels, labels, strict=True):
        table.add_column(Text("\n".join(_broken(name, width)), overflow="fold"), width=width, overflow="fold")
    for i in chosen:
        table.add_column(
            Text(grid.columns[i], overflow="fold"), width=numbers[i], justify="right", overflow="fold", vertical="top"
        )
