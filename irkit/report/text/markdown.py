"""Tables in Markdown, aligned in the source too."""

import re
from collections.abc import Sequence

from irkit._utils.visible import visible
from irkit.report.text.layout import Grid, Line


def shown(name: str) -> str:
    """A name that Markdown shows as it is: no cell, markup or HTML begins in it."""
    escaped = re.sub(r"[\\`*\[\]<>|~&$!#]", r"\\\g<0>", visible(name))
    # Within a word an underscore is no emphasis.
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", escaped)


def raised(letters: str) -> str:
    """Letters as superscripts."""
    return f"<sup>{letters}</sup>" if letters else ""


def draw(grids: Sequence[Grid], before: Sequence[str], after: Sequence[str]) -> str:
    """The text of one table or more, with lines before and after them; the best of each column is bold."""
    tables = list(map(_table, grids))
    for sentences, place in ((before, 0), (after, len(tables) + bool(before))):
        if sentences:
            tables.insert(place, said(sentences))
    return "\n\n".join(tables) + "\n"


def _table(grid: Grid) -> str:
    n_labels = len(grid.labels)
    rows = [_row(grid, line) for section in grid.sections for line in section]
    table = [[*grid.labels, *grid.columns], *rows]
    widths = [max(3, *map(len, column)) for column in zip(*table, strict=True)]
    rule = ["-" * w if place < n_labels else "-" * (w - 1) + ":" for place, w in enumerate(widths)]
    aligned = [
        [
            text.ljust(w) if place < n_labels else text.rjust(w)
            for place, (text, w) in enumerate(zip(row, widths, strict=True))
        ]
        for row in table
    ]
    lines = ["| " + " | ".join(row) + " |" for row in (aligned[0], rule, *aligned[1:])]
    return "\n".join(lines)


def said(sentences: Sequence[str]) -> str:
    """One sentence as it is, several as a list."""
    return sentences[0] if len(sentences) == 1 else "\n".join(f"- {sentence}" for sentence in sentences)


def _row(grid: Grid, line: Line) -> list[str]:
    if line.title:
        return [f"**{line.labels[0]}**", *[""] * (len(grid.labels) + len(grid.columns) - 1)]
    if line.across:
        return [f"&nbsp;&nbsp;{line.labels[0].strip()}", *[""] * (len(grid.labels) + len(grid.columns) - 1)]
    labels = ["&nbsp;&nbsp;" * line.inner + label.strip() for label in line.labels]
    return [*labels, *(f"**{cell.text}**" if cell.best else cell.text for cell in line.cells)]
