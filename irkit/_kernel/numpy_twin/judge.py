"""Find the judged documents of a run, from whole topics that each come once."""

import numpy as np

from irkit._kernel import problems
from irkit._kernel.columns import Matches, Retrieved
from irkit._kernel.numpy_twin.fields import Places
from irkit._kernel.numpy_twin.numbers import as_float32
from irkit._kernel.numpy_twin.order import find_twice, ranking, tie_of, ties
from irkit._kernel.numpy_twin.pool import Pool
from irkit._kernel.numpy_twin.rows import Rows
from irkit.errors import FormatError


class Judge:
    """Collect the judged documents of the topics so far, without keeping their rows.

    Parameters
    ----------
    pool : Pool
    name : str
        What the run is called in messages.
    float32 : bool
        Scores are compared as 32-bit floats.
    """

    def __init__(self, pool: Pool, name: str, float32: bool) -> None:
        self._pool, self._name, self._float32 = pool, name, float32
        self._problem: FormatError | None = None
        self._scattered = False
        self._lengths: dict[bytes, int] = {}
        self._matches: list[Matches] = []
        self._tag = b""

    @property
    def ended(self) -> bool:
        """Whether further rows change nothing: a line was faulty, or a topic came back."""
        return self._scattered or self._problem is not None

    def take(self, rows: Rows, starts: Places) -> None:
        """Take the next topics: topic `t` has the rows from `starts[t]` up to `starts[t + 1]`, exclusive.

        The problem of the rows comes after the last of them.
        """
        lengths, n_rows = np.diff(starts), int(starts[-1])
        number = np.repeat(np.arange(len(lengths)), lengths)
        topics, documents = rows.topics.take(starts[:-1]).tolist(), rows.documents.take(slice(n_rows))
        self._problem = rows.problem
        if twice := find_twice(number, documents):
            row, first = twice
            del topics[int(number[row]) + 1 :]
            line, first_line = int(rows.line[row]), int(rows.line[first])
            self._problem = problems.twice(self._name, line, first_line, topics[-1], documents[row])
        for topic, length in zip(topics, lengths.tolist(), strict=False):
            # A document may stand in both parts of a topic: only a reader of the whole file finds the first fault.
            self._scattered |= topic in self._lengths
            self._lengths[topic] = length
        if self.ended or not n_rows:
            return
        self._tag = rows.tags[n_rows - 1]
        place = np.repeat(np.array([self._pool.place.get(topic, -1) for topic in topics], dtype=np.int64), lengths)
        judged, grades = self._pool.find(place, documents)
        if len(judged):
            scores = as_float32(rows.numbers[:n_rows]) if self._float32 else rows.numbers[:n_rows]
            order = ranking(number, documents, scores)
            place_of_row = np.empty(n_rows, dtype=np.int64)
            place_of_row[order] = np.arange(n_rows)
            ranks = place_of_row[judged]
            spans = (ranks, *tie_of(ties(number[order], scores[order]), ranks))
            rank, tie_first, tie_last = (places - starts[number[judged]] + 1 for places in spans)
            self._matches.append(Matches(place[judged], rank, grades, tie_first, tie_last))

    def found(self) -> Retrieved | None:
        """Return the judged documents of all topics; None where a topic came back after another topic."""
        if self._scattered:
            return None
        if self._problem is not None:
            raise self._problem
        topics = sorted(self._lengths)
        lengths = np.array([self._lengths[topic] for topic in topics], dtype=np.int64)
        none = Matches(*(np.zeros(0, dtype=np.int64) for _ in Matches._fields))
        matches = Matches(*map(np.concatenate, zip(none, *self._matches, strict=True)))
        order = np.lexsort((matches.rank, matches.topic))
        return Retrieved(topics, lengths, Matches(*(column[order] for column in matches)), self._tag)
