"""Where a run meets judgments that say more of a document than a grade: each is known by its place among them.

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
    """The judged documents retrieved for T topics, each with its place among the judgments.

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
        """Documents retrieved, judged or not, shape (T,)."""
        return self.ranking.n_retrieved

    @property
    def n_found(self) -> int:
        """How many judged documents were retrieved."""
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
        """The rules by which it was ranked."""
        return self.ranking.rules

    def cut(self, cutoff: int) -> Self:
        """The same with only the first `cutoff` ranks retrieved, 0 or more."""
        return replace(self, ranking=self.ranking.cut(cutoff))

    def judged_only(self) -> Self:
        """The same with the documents left out of which the judgments say nothing; the ranks close up."""
        return replace(self, ranking=self.ranking.judged_only())
