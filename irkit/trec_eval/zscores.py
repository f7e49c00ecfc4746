"""Means and standard deviations of reference runs, by which values become z-scores."""

import re
from typing import Final, NamedTuple, TypeAlias

from irkit.errors import FormatError
from irkit.files.records import stream_lines
from irkit.ids import to_text

MISSING: Final = -1000000.0  # value of a topic without reference


class ReferenceStatistics(NamedTuple):
    """Mean and standard deviation of a measure's values for a topic."""

    mean: float
    deviation: float

    def of(self, value: float) -> float:
        """Return the value in standard deviations from the mean."""
        if self.deviation == 0:
            return 0.0 if value == self.mean else MISSING
        return (value - self.mean) / self.deviation


ZScores: TypeAlias = dict[tuple[str, str], ReferenceStatistics]


def read_zscores(path: str) -> ZScores:
    """Read lines `topic measure mean deviation`."""
    statistics: ZScores = {}
    for number, line in stream_lines(path):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != 4 or not all(map(_is_number, fields[2:])):
            raise FormatError(path, f"{to_text(line)!r} is not 'topic measure mean deviation'", number)
        key = (to_text(fields[0]), to_text(fields[1]))
        if key in statistics:
            raise FormatError(path, f"{key[1]} of topic {key[0]!r} stands twice; keep one of them", number)
        statistics[key] = ReferenceStatistics(float(fields[2]), float(fields[3]))
    if not statistics:
        raise FormatError(path, "the file of z-scores is empty")
    return statistics


def _is_number(text: bytes) -> bool:
    # A deviation is nan if there was only one reference run.
    return re.fullmatch(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|-?nan", text) is not None
