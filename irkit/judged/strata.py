"""Match a run with judgments sampled by stratum: the retrieved pooled documents, with stratum and grade."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irkit.data.judgments.strata import Strata
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import RunSource
from irkit.judged import judge
from irkit.judged.places import JudgedPlaces
from irkit.rules import TREC_EVAL_10, AverageOver, Rules


@dataclass(frozen=True, slots=True, eq=False)
class JudgedStrata(JudgedPlaces):
    """Retrieved pooled documents of T topics, H in all, of G documents in their pools.

    Attributes
    ----------
    strata : Strata
        What stands at the places of `ranking`.
    """

    kind: ClassVar[JudgmentKind] = "strata"

    strata: Strata

    @property
    def grade(self) -> npt.NDArray[np.int64]:
        """Grade of each retrieved pooled document, negative where it was not sampled, shape (H,)."""
        return self.strata.grade[self.ranking.grade]

    @property
    def pool_grade(self) -> npt.NDArray[np.int64]:
        """Grade of each pooled document, negative where it was not sampled, shape (G,)."""
        return self.strata.grade[self.ranking.pool_grade]

    @property
    def stratum(self) -> npt.NDArray[np.int64]:
        """Stratum of each retrieved pooled document, as its place in `strata.names`, shape (H,)."""
        return self.strata.stratum[self.ranking.grade]

    @property
    def pool_stratum(self) -> npt.NDArray[np.int64]:
        """Stratum of each pooled document, as its place in `strata.names`, shape (G,)."""
        return self.strata.stratum[self.ranking.pool_grade]

    def n_relevant(self, rel: int = 1) -> npt.NDArray[np.int64]:
        """Number of sampled documents judged at least `rel`, retrieved or not, shape (T,)."""
        return np.bincount(self.ranking.pool_topic[self.pool_grade >= rel], minlength=self.n_topics)


def judge_strata(
    run: RunSource,
    strata: Strata,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> JudgedStrata:
    """Find the documents of a run that are in the pool.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `Run.of` takes.
    strata : Strata
    average, rules, name
        As `irkit.judge` takes them.

    Returns
    -------
    JudgedStrata

    Raises
    ------
    FormatError, UsageError, DataError
        As `irkit.judge`.
    """
    return JudgedStrata(judge(run, strata.places, average=average, rules=rules, name=name), strata)
