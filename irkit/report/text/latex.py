"""Tables in LaTeX: a `tabular` with the rules of booktabs."""

import re
from collections.abc import Sequence
from typing import Final

from irkit._utils.visible import visible
from irkit.report.text.layout import Cell, Grid, Line

_SIGNS: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # babel makes " a command in some languages
    "[": "{[}",  # after \\, a [ at the start of a row would be read as an optional argument
    "*": "{*}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
# These signs, and the first of two signs that form a ligature: -- would become a dash.
_SPECIAL: Final = rf"[{re.escape(''.join(_SIGNS))}]|[-`'!?,](?=[-`',])"


def shown(name: str) -> str:
    """Escape a name for LaTeX: no command, comment, cell or ligature starts in it.

    Letters that the document's font lacks are not changed.
    """
    return re.sub(_SPECIAL, lambda sign: _SIGNS.get(sign[0], f"{sign[0]}{{}}"), visible(name))


def raised(letters: str) -> str:
    """Format letters as superscripts."""
    return rf"\textsuperscript{{{letters}}}" if letters else ""


def draw(grids: Sequence[Grid], before: Sequence[str], after: Sequence[str]) -> str:
    """Format tables; the best value of each column is bold, the lines before and after are comments."""
    tables = "\n\n".join(map(_table, grids)).split("\n")
    return "\n".join([*(f"% {line}" for line in before), *tables, *(f"% {line}" for line in after)]) + "\n"


def _table(grid: Grid) -> str:
    n_labels, n_columns = len(grid.labels), len(grid.columns)
    rows: list[list[str] | str] = [[*grid.labels, *grid.columns], r"\midrule"]
    for place, section in enumerate(grid.sections):
        if place and len(section) > 1:
            rows.append(r"\midrule")
        rows += [_row(line, n_labels + n_columns) for line in section]
    cells = [row for row in rows if isinstance(row, list)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    body = [row if isinstance(row, str) else _aligned(row, widths, n_labels) for row in rows]
    start = rf"\begin{{tabular}}{{{'l' * n_labels}{'r' * n_columns}}}"
    return "\n".join([r"% needs \usepackage{booktabs}", start, r"\toprule", *body, r"\bottomrule", r"\end{tabular}"])


def _row(line: Line, n_columns: int) -> list[str] | str:
    if line.title:
        return rf"\multicolumn{{{n_columns}}}{{l}}{{\textbf{{{line.labels[0]}}}}} \\"
    if line.across:
        return rf"\multicolumn{{{n_columns}}}{{l}}{{\quad {line.labels[0].strip()}}} \\"
    return [*(r"\quad " * line.inner + label.strip() for label in line.labels), *map(_number, line.cells)]


def _number(cell: Cell) -> str:
    text = re.sub(r"<|(?<![\de])[-+](?=\d)", r"$\g<0>$", cell.text)
    return rf"\textbf{{{text}}}" if cell.best else text


def _aligned(row: Sequence[str], widths: Sequence[int], n_labels: int) -> str:
    padded = (
        text.ljust(width) if place < n_labels else text.rjust(width)
        for place, (text, width) in enumerate(zip(row, widths, strict=True))
    )
    return " & ".join(padded) + r" \\"
