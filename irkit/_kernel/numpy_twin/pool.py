"""Look up documents in qrels, and find the judged documents of a run."""

from itertools import pairwise
from typing import Final

import numpy as np

from irkit._kernel.columns import Matches, QrelsColumns, RunColumns
from irkit._kernel.numpy_twin.fields import Fields, Places
from irkit._kernel.numpy_twin.order import tie_of, ties

_SPARSE: Final = 64  # places of the table for each judgment, so that few places are taken


class Pool:
    """Qrels, prepared once for any number of runs.

    Attributes
    ----------
    place : dict
        Of each topic in the qrels.
    """

    def __init__(self, qrels: QrelsColumns) -> None:
        self.qrels = qrels
        self.place = {topic: place for place, topic in enumerate(qrels.topics)}
        bounds = qrels.starts.tolist()
        self._grades = [
            dict(zip(qrels.documents[low:high], qrels.grades[low:high].tolist(), strict=True))
            for low, high in pairwise(bounds)
        ]
        documents = Fields.of(qrels.documents)
        # A table says by the first bits of a hash whether its document may be judged, and rules out nearly all others.
        n_bits = max(16, (_SPARSE * len(documents)).bit_length())
        self._shift = np.uint64(64 - n_bits)
        self._may_be_judged = np.zeros(1 << n_bits, dtype=bool)
        topic = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.starts))
        self._may_be_judged[documents.hashes(topic) >> self._shift] = True

    def find(self, place: Places, documents: Fields) -> tuple[Places, Places]:
        """Find the rows with judged documents, and their grades.

        Parameters
        ----------
        place : int64 array of shape (N,)
            The place in the qrels of each row's topic, -1 where they do not have it.
        documents : Fields of N ids
        """
        may_be_judged = self._may_be_judged[documents.hashes(place) >> self._shift]
        rows = np.flatnonzero(may_be_judged & (place >= 0))
        named = zip(place[rows].tolist(), documents.take(rows).tolist(), strict=True)
        grades = [self._grades[topic].get(document) for topic, document in named]
        judged = np.array([grade is not None for grade in grades], dtype=bool)
        return rows[judged], np.array([grade for grade in grades if grade is not None], dtype=np.int64)


def match(run: RunColumns, pool: Pool) -> Matches:
    """Find the judged documents of a ranked run; `topic` of a match is the place of the topic in the qrels."""
    lengths = np.diff(run.starts)
    place_of_topic = np.array([pool.place.get(topic, -1) for topic in run.topics], dtype=np.int64)
    place = np.repeat(place_of_topic, lengths)
    rows, grades = pool.find(place, Fields.of(run.documents))
    number = np.repeat(np.arange(len(lengths)), lengths)
    before = run.starts[number[rows]]
    first, last = tie_of(ties(number, run.scores), rows)
    return Matches(place[rows], rows - before + 1, grades, first - before + 1, last - before + 1)
