"""Match a run with prels: the retrieved sampled documents, with grade and inclusion probability."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irkit.data.judgments.prels import Prels
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import RunSource
from irkit.judged import judge
from irkit.judged.places import JudgedPlaces
from irkit.rules import TREC_EVAL_10, AverageOver, Rules


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPrels(JudgedPlaces):
    """Retrieved sampled documents of T topics, H in all, of G documents in their samples.

    Attributes
    ----------
    prels : Prels
        What stands at the places of `ranking`.
    """

    kind: ClassVar[JudgmentKind] = "prels"

    prels: Prels

    def weight(self, rel: int = 1) -> npt.NDArray[np.float64]:
        """Weight of each retrieved sampled document: 1 / inclusion probability, 0 for a grade below `rel`, (H,)."""
        return self._weight(self.ranking.grade, rel)

    def pool_weight(self, rel: int = 1) -> npt.NDArray[np.float64]:
        """As `weight`, for every sampled document, shape (G,)."""
        return self._weight(self.ranking.pool_grade, rel)

    def _weight(self, places: npt.NDArray[np.int64], rel: int) -> npt.NDArray[np.float64]:
        return np.where(self.prels.grade[places] >= rel, 1.0 / self.prels.probability[places], 0.0)

    def n_relevant(self, rel: int = 1) -> npt.NDArray[np.int64]:
        """Number of sampled documents judged at least `rel`, retrieved or not, shape (T,)."""
        return np.bincount(self.ranking.pool_topic[self.pool_weight(rel) > 0], minlength=self.n_topics)


def judge_prels(
    run: RunSource,
    prels: Prels,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> JudgedPrels:
    """Find the documents of a run that are in the sample.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `Run.of` takes.
    prels : Prels
    average, rules, name
        As `irkit.judge` takes them.

    Returns
    -------
    JudgedPrels

    Raises
    ------
    FormatError, UsageError, DataError
        As `irkit.judge`.
    """
    return JudgedPrels(judge(run, prels.places, average=average, rules=rules, name=name), prels)
