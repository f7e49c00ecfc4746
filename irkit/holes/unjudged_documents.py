"""The unjudged documents near the top of some runs, and their ranks in every run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import QrelsColumns, RunColumns
from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.ids import Ids, to_bytes
from irkit.judged.matching import pool_of

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedDocuments:
    """The N unjudged documents of R runs for T topics, topics end to end, in each by the bytes of their ids.

    Attributes
    ----------
    topic : int64 array of shape (N,)
        Place of each one's topic.
    documents : Ids of N ids
    ranks : int64 array of shape (N, R)
        From 1; 0 where the run does not return it at all. A rank may be beyond the depth in all runs but one.
    pooled : bool array of shape (N,)
        It is in the qrels, with a negative grade: pooled and not judged.
    """

    topic: Places
    documents: Ids
    ranks: Places
    pooled: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.topic)


def find(runs: Sequence[Run], qrels: Qrels, topics: Sequence[str], k: int) -> UnjudgedDocuments:
    """The documents without a judgment in the first `k` ranks of some run."""
    names = list(map(to_bytes, topics))
    columns = [run.columns() for run in runs]
    merged = _kernel.merge(columns, _places(names, columns), k)
    topic = np.repeat(np.arange(len(names)), np.diff(merged.starts))
    judged, pooled = np.zeros((2, len(topic)), dtype=bool)
    here = RunColumns(names, merged.starts, merged.documents, np.zeros(len(topic)), b"")
    matches = _kernel.match(here, pool_of(qrels))
    # A match names the place of its topic in the qrels, and its rank counts from 1.
    of_topic = {name: place for place, name in enumerate(names)}
    place = np.array([of_topic.get(to_bytes(name), -1) for name in qrels.topics], dtype=np.int64)[matches.topic]
    rows = merged.starts[place] + matches.rank - 1
    judged[rows[matches.grade >= 0]] = True
    pooled[rows[matches.grade < 0]] = True
    kept = np.flatnonzero(~judged)
    topic, documents = topic[kept], merged.documents.taken(kept)
    return UnjudgedDocuments(topic, documents, _ranks(columns, names, topic, documents), pooled[kept])


def _places(names: Sequence[bytes], runs: Sequence[RunColumns]) -> Places:
    """Place of each topic in each run, -1 if missing, shape (T, R)."""
    places = [{name: place for place, name in enumerate(run.topics)} for run in runs]
    return np.array([[of_run.get(name, -1) for of_run in places] for name in names], dtype=np.int64)


def _ranks(runs: Sequence[RunColumns], names: list[bytes], topic: Places, documents: Ids) -> Places:
    """Rank of each document in each run at any depth, shape (N, R)."""
    ranks = np.zeros((len(topic), len(runs)), dtype=np.int64)
    starts = np.searchsorted(topic, np.arange(len(names) + 1))
    # Looked up as if they were judged, each with its own row for a grade.
    pool = _kernel.Pool(QrelsColumns(names, starts.astype(np.int64), documents, np.arange(len(topic))))
    for number, run in enumerate(runs):
        matches = _kernel.match(run, pool)
        ranks[matches.grade, number] = matches.rank
    return ranks
