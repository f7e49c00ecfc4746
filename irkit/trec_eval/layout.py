"""The lines of trec_eval, byte for byte."""

from collections.abc import Iterator, Sequence

import numpy as np

from irkit.ids import to_bytes
from irkit.measures.trec import SUMMARY_ONLY
from irkit.trec_eval.request import Line
from irkit.trec_eval.values import Values


def text_of_topics(values: Values, lines: Sequence[Line], topics: Sequence[str]) -> bytes:
    """Format the lines of topics, topic by topic, measures in trec_eval's order."""
    place = {topic: row for row, topic in enumerate(values.topics)}
    shown = [
        (_formatted(line, column, values.standardised))
        for line, column in zip(lines, values.columns, strict=True)
        if line.of not in SUMMARY_ONLY
    ]
    return b"".join(
        b"%b\t%b\t%b\n" % (name, identifier, texts[row])
        for topic in topics
        for row, identifier in ((place[topic], to_bytes(topic)),)
        for name, texts in shown
    )


def text_of_all(values: Values, lines: Sequence[Line], tag: bytes) -> bytes:
    """Format the summary lines of all topics."""
    return b"".join(_summary(values, lines, tag))


def _summary(values: Values, lines: Sequence[Line], tag: bytes) -> Iterator[bytes]:
    for place, line in enumerate(lines):
        if line.measure is not None:
            (shown,) = _numbers(line, [values.summary(line, place)], values.standardised)
            yield b"%b\tall\t%b\n" % (_padded(line, values.standardised), shown)
        elif line.of == "runid":
            yield b"%b\tall\t%b\n" % (_padded(line, standardised=False), tag)


def _formatted(line: Line, column: object, standardised: bool) -> tuple[bytes, list[bytes]]:
    if line.measure is None:
        assert isinstance(column, list)
        return _padded(line, standardised=False), [b"'%b'" % text.encode() for text in column]
    assert isinstance(column, np.ndarray)
    return _padded(line, standardised), _numbers(line, column.tolist(), standardised)


def _numbers(line: Line, numbers: Sequence[float], standardised: bool) -> list[bytes]:
    is_count = line.measure is not None and line.measure.summary == "sum" and not standardised
    return [b"%d" % int(number) if is_count else b"%6.4f" % number for number in numbers]


def _padded(line: Line, standardised: bool) -> bytes:
    return (b"Z" if standardised else b"") + to_bytes(line.name).ljust(22)
