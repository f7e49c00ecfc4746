"""Match a run with qrels of fractional grades: the retrieved judged documents, with rank and gain."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from irkit.data.judgments.fractional import FractionalQrels
from irkit.data.qrels import JudgmentKind
from irkit.data.runs import RunSource
from irkit.judged import Judged, judge
from irkit.rules import TREC_EVAL_10, AverageOver, Rules


@dataclass(frozen=True, slots=True, eq=False)
class JudgedFractional(Judged):
    """As `Judged`, with gains as grades; measures that count documents from a grade on do not apply.

    Attributes
    ----------
    grade : float64 array of shape (H,)
    pool_grade : float64 array of shape (G,)
    top_grade : float
    """

    kind: ClassVar[JudgmentKind] = "fractional"

    # Formulas over gains are written for grades of either type.
    grade: npt.NDArray[np.float64]  # type: ignore[assignment]
    pool_grade: npt.NDArray[np.float64]  # type: ignore[assignment]
    top_grade: float  # type: ignore[assignment]

    def n_relevant(self, rel: float | None = None) -> npt.NDArray[np.int64]:
        """Number of documents with a grade of at least `rel` (above 0 if not given), retrieved or not, shape (T,)."""
        relevant = self.pool_grade > 0.0 if rel is None else self.pool_grade >= rel
        return np.bincount(self.pool_topic[relevant], minlength=self.n_topics)


def judge_fractional(
    run: RunSource,
    qrels: FractionalQrels,
    *,
    average: AverageOver = "judged",
    rules: str | Rules = TREC_EVAL_10,
    name: str | None = None,
) -> JudgedFractional:
    """Find the judged documents of a run.

    Parameters
    ----------
    run : path, dict, table or Run
        Whatever `Run.of` takes.
    qrels : FractionalQrels
    average, rules, name
        As `irkit.judge` takes them.

    Returns
    -------
    JudgedFractional

    Raises
    ------
    FormatError, UsageError, DataError
        As `irkit.judge`.
    """
    places = judge(run, qrels.places, average=average, rules=rules, name=name)
    pool_grade = qrels.grades[places.pool_grade]
    order = np.lexsort((-pool_grade, places.pool_topic))
    return JudgedFractional(
        places.topics,
        places.topic,
        places.rank,
        qrels.grades[places.grade],
        places.n_retrieved,
        places.pool_topic[order],
        pool_grade[order],
        max(0.0, float(qrels.grades.max(initial=0.0))),
        places.missing,
        places.unjudged,
        places.rules,
        places.tie_first,
        places.tie_last,
    )
