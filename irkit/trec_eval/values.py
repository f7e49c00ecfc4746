"""Values of the output lines: one for each topic and line, and their summary."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic
from irkit.judged.kinds import NEEDS, AnyJudged
from irkit.measures import Measure
from irkit.measures.ranked import LEAST
from irkit.rules import TREC_EVAL_9
from irkit.trec_eval.options import Options
from irkit.trec_eval.request import Line
from irkit.trec_eval.zscores import MISSING, ZScores

# Characters of relstring.
_GRADES: Final = "0123456789"


class Values(NamedTuple):
    """Values to print: T topics, L lines.

    Attributes
    ----------
    topics : tuple of T str
        Evaluated topics, in byte order.
    columns : list of L columns, each float64 of shape (T,), or T texts for relstring, or None for runid
        The terms that trec_eval adds: logarithms for a geometric mean, z-scores with -Z.
    n_averaged : int
        Divisor of a mean.
    standardised : bool
        Whether the columns are z-scores.
    """

    topics: tuple[str, ...]
    columns: list[PerTopic | list[str] | None]
    n_averaged: int
    standardised: bool

    def summary(self, line: Line, place: int) -> float:
        """Return the value of all topics, added in their order."""
        column = self.columns[place]
        assert isinstance(column, np.ndarray)
        assert line.measure is not None
        total = float(np.cumsum(column)[-1])
        if line.measure.summary == "sum":
            return self.n_averaged if line.of == "num_q" else total
        if line.measure.summary == "mean":
            return total / self.n_averaged
        if not self.standardised:  # with -c and -D, topics that are not evaluated have the value 0
            total += (self.n_averaged - len(self.topics)) * math.log(LEAST)
        return math.exp(total / self.n_averaged)


def values_of(judged: AnyJudged, lines: Sequence[Line], options: Options, zscores: ZScores | None) -> Values:
    """Compute the value of every line for each topic."""
    seen = judged if options.most is None else judged.cut(options.most)
    seen = seen.judged_only() if options.judged_only else seen
    kept = np.array([options.topic in (None, topic) for topic in judged.topics], dtype=bool)
    topics = tuple(topic for topic, keep in zip(judged.topics, kept.tolist(), strict=True) if keep)
    lacking = set(judged.missing if options.rules == TREC_EVAL_9 else ())
    missing = np.array([topic in lacking for topic in topics], dtype=bool)
    columns: list[PerTopic | list[str] | None] = []
    for line in lines:
        if line.measure is None:
            columns.append(_text(line, seen, kept))
            continue
        if seen.kind not in (needed := line.measure.family.judgments):
            raise MeasureError(f"{line.of} needs {NEEDS[needed[0]]}, not {NEEDS[seen.kind]}; -R names the format")
        measure = _with_options(line.measure, options)
        column = measure(seen)[kept]
        column = np.log(column) if measure.summary == "geometric mean" else column
        column = column if zscores is None else _standardised(column, line, topics, zscores)
        # For a topic that the run lacks, trec_eval 9 adds only its relevant documents.
        if zscores is not None or (measure.summary != "geometric mean" and line.of not in ("num_q", "num_rel")):
            column = np.where(missing, 0.0, column)
        columns.append(column)
    n_averaged = len(judged.topics) if options.complete else len(topics)
    return Values(topics, columns, n_averaged, zscores is not None)


def _text(line: Line, seen: AnyJudged, kept: npt.NDArray[np.bool_]) -> list[str] | None:
    if line.of == "runid":
        return None
    if not isinstance(seen, Judged):
        raise MeasureError("relstring needs judgments in the format qrels")
    return [text for text, keep in zip(_signs(seen, line.n_signs), kept.tolist(), strict=True) if keep]


def _with_options(measure: Measure, options: Options) -> Measure:
    taken = measure.family.defaults()
    given: Mapping[str, Any] = {"rel": options.level, "collection": options.collection}
    return measure(**{name: value for name, value in given.items() if name in taken})


def _standardised(column: PerTopic, line: Line, topics: Sequence[str], zscores: ZScores) -> PerTopic:
    known = [zscores.get((topic, line.name)) for topic in topics]
    return np.array(
        [
            MISSING if statistic is None else statistic.of(value)
            for statistic, value in zip(known, column.tolist(), strict=True)
        ]
    )


def _signs(judged: Judged, n_signs: int) -> list[str]:
    """Return the grades of each topic's first documents as characters."""
    lengths = np.minimum(judged.n_retrieved, n_signs).tolist()
    signs = [["-"] * length for length in lengths]
    shown = judged.rank <= n_signs
    rows: Sequence[npt.NDArray[np.int64]] = (judged.topic[shown], judged.rank[shown], judged.grade[shown])
    for topic, rank, grade in zip(*(column.tolist() for column in rows), strict=True):
        signs[topic][rank - 1] = "." if grade < 0 else _GRADES[grade] if grade < 10 else ">"
    return ["".join(row) for row in signs]
