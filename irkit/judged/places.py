"""Match a run with judgments that hold more than a grade: each document with its place among the judgments.

The judged documents are matched as plain qrels whose grades are places. What stands there - subtopics, a stratum, a
probability - is then looked up, and reading, order and matching have one home.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from irkit.data.qrels import JudgmentKind
from irkit.judged import Judged
from irkit.rules import Rules


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPlaces:
    """Retrieved judged documents of T topics, each with its place among the judgments.

    Attributes
    ----------
    ranking : Judged of T topics
        Its `grade` is the place of the judged document of each row; so is its `pool_grade`.
    """

    kind: ClassVar[JudgmentKind]

    ranking: Judged

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics averaged, in byte order."""
        return self.ranking.topics

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return self.ranking.n_topics

    @property
    def n_retrieved(self) -> npt.NDArray[np.int64]:
        """Number of retrieved documents, judged or not, shape (T,)."""
        return self.ranking.n_retrieved

    @property
    def n_found(self) -> int:
        """Number of retrieved judged documents."""
        return self.ranking.n_found

    @property
    def missing(self) -> tuple[str, ...]:
        """Topics of the judgments that are not in the run."""
        return self.ranking.missing

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Topics of the run that are not in the judgments."""
        return self.ranking.unjudged

    @property
    def rules(self) -> Rules:
        """Rules of the ranking."""
        return self.ranking.rules

    def cut(self, cutoff: int) -> Self:
        """Copy with only the first `cutoff` ranks, 0 or more."""
        return replace(self, ranking=self.ranking.cut(cutoff))

    def judged_only(self) -> Self:
        """Copy without the documents that the judgments lack; the others get consecutive ranks."""
        return replace(self, ranking=self.ranking.judged_only())
