"""Tables in Markdown, aligned in the source too."""

import re
from collections.abc import Sequence

from irkit._utils.visible import visible
from irkit.report.text.layout import Grid, Line


def shown(name: str) -> str:
    """Escape a name for Markdown: no cell, markup or HTML starts in it."""
    escaped = re.sub(r"[\\`*\[\]<>|~&$!#]", r"\\\g<0>", visible(name))
    # An underscore inside a word is not emphasis.
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", escaped)


def raised(letters: str) -> str:
    """Format letters as superscripts."""
    return f"<sup>{letters}</sup>" if letters else ""


def draw(grids: Sequence[Grid], before: Sequence[str], after: Sequence[str]) -> str:
    """Format tables with lines before and after them; the best value of each column is bold."""
    tables = list(map(_table, grids))
    for sentences, place in ((before, 0), (after, len(tables) + bool(before))):
        if sentences:
            tables.insert(place, paragraph(sentences))
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


def paragraph(sentences: Sequence[str]) -> str:
    """Format one sentence as a paragraph, or several as a list."""
    return sentences[0] if len(sentences) == 1 else "\n".join(f"- {sentence}" for sentence in sentences)


def _row(grid: Grid, line: Line) -> list[str]:
    if line.title:
        return [f"**{line.labels[0]}**", *[""] * (len(grid.labels) + len(grid.columns) - 1)]
    if line.across:
        return [f"&nbsp;&nbsp;{line.labels[0].strip()}", *[""] * (len(grid.labels) + len(grid.columns) - 1)]
    labels = ["&nbsp;&nbsp;" * line.inner + label.strip() for label in line.labels]
    return [*labels, *(f"**{cell.text}**" if cell.best else cell.text for cell in line.cells)]
