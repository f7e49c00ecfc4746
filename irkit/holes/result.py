"""The holes of some runs, and what judging them could change."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.evaluation.result import Evaluation
from irkit.ids import Ids, to_text
from irkit.measures import Measure

By = Literal["difference", "value"]
Verdict = Literal["first", "second", "equal", "open"]

# Sums of rounded numbers: what is nearer to 0 says nothing.
NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class MeanBounds:
    """Mean over topics, with bounds over all judgments of the holes.

    Attributes
    ----------
    value : float
        As it is judged now.
    lowest, highest : float
        No judgments of the holes give less, or more.
    lowest_exact, highest_exact : bool
        Some judgments give just that; if not, the extreme may lie within.
    """

    value: float
    lowest: float
    highest: float
    lowest_exact: bool
    highest_exact: bool

    def to_dict(self) -> dict[str, Any]:
        """Its fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class RunHoles:
    """Share of judged documents in the first ranks of a run, and bounds of its means.

    Attributes
    ----------
    name : str
    n_returned : int
        Documents in the first k ranks, over all topics.
    n_unjudged : int
        Those of them without a judgment.
    n_topics : int
        Topics that have one of these.
    extent : MeanBounds
        Of the measure.
    """

    name: str
    n_returned: int
    n_unjudged: int
    n_topics: int
    extent: MeanBounds

    @property
    def judged(self) -> float:
        """The share of the documents in the first k ranks that is judged; nan where there is none.

        The measure Judged@k is another one: it counts the ranks that a short list lacks, and is a mean over topics.
        """
        return 1.0 - self.n_unjudged / self.n_returned if self.n_returned else nan


@dataclass(frozen=True, slots=True)
class DifferenceBounds:
    """Difference of two runs, first minus second, with bounds over all judgments of the holes."""

    first: str
    second: str
    extent: MeanBounds

    @property
    def verdict(self) -> Verdict:
        """The run that is better under all judgments, or `open`."""
        if self.extent.lowest > NOTHING:
            return "first"
        if self.extent.highest < -NOTHING:
            return "second"
        return "equal" if self.extent.lowest > -NOTHING and self.extent.highest < NOTHING else "open"


class Hole(NamedTuple):
    """Unjudged pair of topic and document, with its possible effect and its rank in each run."""

    topic: str
    document: str
    difference_change: float
    value_change: float
    ranks: dict[str, int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Holes:
    """Unjudged documents in the first k ranks of R runs, largest possible effect first.

    There are N, which are all of them or, after `head`, the first of them.

    Attributes
    ----------
    measure : Measure
    cutoff : int
    by : {"difference", "value"}
        What orders the pairs: the greatest change of a difference between two runs, or of a run's value. Equal ones go
        by the other, then by topic and document in bytes.
    scale : (int, int)
        The grades that a document is assumed to have at worst and at best.
    runs : tuple of R RunHoles
    contests : tuple of DifferenceBounds
        Every two runs.
    topics : tuple of T str
        The topics averaged, in byte order.
    n_holes : int
        How many there are in all.
    topic : int64 array of shape (N,)
        Place of each hole's topic in `topics`.
    documents : Ids of N ids
    ranks : int64 array of shape (N, R)
        From 1; 0 where the run does not return the document.
    changes : float64 array of shape (N, R)
        What the document alone could change in each run's mean: the mean with the document at the best grade, minus the
        mean with it at the worst, all else being as it is judged.
    evaluations : tuple of R Evaluation
        The runs as they are judged now.
    """

    measure: Measure
    cutoff: int
    by: By
    scale: tuple[int, int]
    runs: tuple[RunHoles, ...]
    contests: tuple[DifferenceBounds, ...]
    topics: tuple[str, ...]
    n_holes: int
    topic: npt.NDArray[np.int64]
    documents: Ids
    ranks: npt.NDArray[np.int64]
    changes: npt.NDArray[np.float64]
    evaluations: tuple[Evaluation, ...]

    def __post_init__(self) -> None:
        freeze(self, "topic", "ranks", "changes")

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return f"<Holes: {len(self)} in the first {self.cutoff} of {len(self.runs)} runs>"

    def __iter__(self) -> Iterator[Hole]:
        names = [run.name for run in self.runs]
        rows = zip(
            self.topic.tolist(),
            self.documents,
            self.difference_change.tolist(),
            self.value_change.tolist(),
            self.ranks.tolist(),
            strict=True,
        )
        for topic, document, difference, value, ranks in rows:
            found = {name: rank for name, rank in zip(names, ranks, strict=True) if rank}
            yield Hole(self.topics[topic], to_text(document), difference, value, found)

    def head(self, most: int) -> "Holes":
        """Keep only the first n pairs; bounds still cover all pairs."""
        return replace(
            self,
            topic=self.topic[:most],
            documents=Ids.of(self.documents[:most]),
            ranks=self.ranks[:most],
            changes=self.changes[:most],
        )

    @property
    def value_change(self) -> npt.NDArray[np.float64]:
        """The greatest change of a run's mean by each document alone, shape (N,)."""
        return value_change(self.changes)

    @property
    def difference_change(self) -> npt.NDArray[np.float64]:
        """Largest change of the difference of two runs by each document alone, shape (N,); 0 for one run."""
        return difference_change(self.changes)

    @property
    def open(self) -> tuple[DifferenceBounds, ...]:
        """The pairs of runs whose order the judgments decide."""
        return tuple(contest for contest in self.contests if contest.verdict == "open")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "measure": str(self.measure),
            "k": self.cutoff,
            "by": self.by,
            "grades": list(self.scale),
            "n_topics": len(self.topics),
            "n_holes": self.n_holes,
            "notes": list(
                dict.fromkeys(
                    note for evaluation in self.evaluations for note in (*evaluation.notes, *evaluation.tie_notes)
                )
            ),
            "runs": [
                {
                    "run": run.name,
                    "n_returned": run.n_returned,
                    "n_unjudged": run.n_unjudged,
                    "n_topics": run.n_topics,
                    **run.extent.to_dict(),
                }
                for run in self.runs
            ],
            "differences": [
                {
                    "first": contest.first,
                    "second": contest.second,
                    **contest.extent.to_dict(),
                    "verdict": contest.verdict,
                }
                for contest in self.contests
            ],
            "holes": [hole._asdict() for hole in self],
        }


def value_change(changes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The greatest change in any run, of changes of shape (N, R)."""
    greatest: npt.NDArray[np.float64] = np.abs(changes).max(axis=1, initial=0.0)
    return greatest


def difference_change(changes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The greatest change of the difference between any two runs, of changes of shape (N, R)."""
    # Of all differences the greatest is that between the run that gains most and the one that loses most.
    widest: npt.NDArray[np.float64] = np.ptp(changes, axis=1) if changes.shape[1] else np.zeros(len(changes))
    return widest
