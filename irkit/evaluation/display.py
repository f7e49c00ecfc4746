"""An evaluation in a prompt or notebook: its conditions and a small table."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from irkit._utils.numerals import four_decimals
from irkit._utils.visible import visible
from irkit.evaluation.summary import head

if TYPE_CHECKING:
    from irkit.evaluation.result import Evaluation

# Of more topics only the summary is shown.
_MOST_TOPICS: Final = 10


def as_text(evaluation: "Evaluation") -> str:
    """Format an evaluation as lines: conditions, run and measures, each topic if they are few, and the summary."""
    rows = list(_rows(evaluation))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    return "\n".join([*head([evaluation], visible), *lines])


def as_html(evaluation: "Evaluation") -> str:
    """Format an evaluation as HTML; names are escaped."""
    first, *rows = ([escape(cell) for cell in row] for row in _rows(evaluation))
    sentences = "".join(f"<div>{escape(sentence)}</div>" for sentence in head([evaluation], visible))
    header = "".join(f"<th>{cell}</th>" for cell in first)
    body = "".join(
        f"<tr><th>{label}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for label, *cells in rows
    )
    return f"<div>{sentences}<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table></div>"


def _rows(evaluation: "Evaluation") -> Iterator[tuple[str, ...]]:
    counts = [measure.summary == "sum" for measure in evaluation.measures]

    def row(label: str, values: list[float]) -> tuple[str, ...]:
        cells = (four_decimals(value, count=count) for value, count in zip(values, counts, strict=True))
        return (label, *cells)

    yield (visible(evaluation.name), *(visible(str(measure)) for measure in evaluation.measures))
    if 1 < evaluation.n_topics <= _MOST_TOPICS:
        for topic, values in zip(evaluation.topics, evaluation.values.tolist(), strict=True):
            yield row(visible(topic), values)
    yield row("all", evaluation.summary.tolist())
    if evaluation.bounds:
        yield row("lowest", evaluation.lowest.tolist())
        yield row("highest", evaluation.highest.tolist())
