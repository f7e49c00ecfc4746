"""Runs, judgments and measure for all questions about holes; the effect of one judgment."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irkit.evaluation.unjudged_ranks import OpenJudgments
from irkit.holes.hypothetical import HypotheticalJudgments, values_if
from irkit.holes.unjudged_documents import UnjudgedDocuments
from irkit.judged import Judged, PerTopic
from irkit.measures import Measure
from irkit.rules import NoRelevant

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HolesContext:
    """R runs over the same T topics, and the N unjudged documents that may be judged.

    `now` are the values of the runs as they are judged, shape (R, T).
    `low` and `high` are the grades that gain least and most, `highest` is the top of the scale.
    """

    judged: tuple[Judged, ...]
    found: UnjudgedDocuments
    measure: Measure
    no_relevant: NoRelevant
    now: npt.NDArray[np.float64]
    low: int
    high: int
    highest: int

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return self.judged[0].n_topics

    def seen(self, run: int) -> Places:
        """The rank of each hole in a run, 0 where it is not returned or deeper than the measure looks, shape (N,)."""
        ranks = self.found.ranks[:, run]
        return ranks if self.measure.cutoff is None else np.where(ranks <= self.measure.cutoff, ranks, 0)

    def difference(self, first: int | None, second: int | None) -> PerTopic:
        """The value of the first run minus that of the second as they are judged, shape (T,); no run counts nothing."""
        one, other = (np.zeros(self.n_topics) if run is None else self.now[run] for run in (first, second))
        return one - other

    def values(self, run: int, assumed: HypotheticalJudgments) -> PerTopic:
        """The value of each case for a run; the ranks of its entries are replaced by the run's."""
        return values_if(self.judged[run], self.measure, self.no_relevant, assumed)

    def open_judgments(self, run: int) -> OpenJudgments:
        """The holes as a run has them."""
        topic, rank = self.found.topic, self.found.ranks[:, run]
        return OpenJudgments(topic[rank > 0], rank[rank > 0], np.bincount(topic[rank == 0], minlength=self.n_topics))


def swings(scene: HolesContext, run: int) -> PerTopic:
    """Change of the topic's value by each hole alone, shape (N,).

    That is the value with the document at the grade that gains most, minus the value with it at the one that gains
    least, everything else being as it is. It is below 0 where a good document that the run does not return, or returns
    too deep, would raise what there is to find.
    """
    # A document matters by its rank only, so that all which a run does not see are one case of their topic.
    seen = scene.seen(run)
    n_ranks = int(seen.max(initial=0)) + 1
    # One number for topic, rank and pooled, which is put in order far faster than three.
    keys = (scene.found.topic * n_ranks + seen) * 2 + scene.found.pooled
    keys, of_case = np.unique(keys, return_inverse=True)
    topic, rank, pooled = keys // (2 * n_ranks), keys // 2 % n_ranks, keys % 2
    case = np.arange(len(topic))
    high, low = (
        scene.values(
            run, HypotheticalJudgments(topic, case, rank, np.full(len(case), grade, dtype=np.int64), pooled > 0)
        )
        for grade in (scene.high, scene.low)
    )
    swing: PerTopic = (high - low)[of_case]
    return swing
