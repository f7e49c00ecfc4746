"""The result of a tuning: the choice, its value on test topics, and cautions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irkit._utils.arrays import freeze
from irkit.data.runs import Run
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.stats import Comparison
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.paired_result import Contrast
from irkit.tuning.axes import ListedValues
from irkit.tuning.floors import above_floor
from irkit.tuning.points import Point, Value
from irkit.tuning.score_table import Choice, Evidence, FailedPoint, Make
from irkit.tuning.space import Space
from irkit.tuning.splits import Split

if TYPE_CHECKING:
    import pandas as pd


class Fold(NamedTuple):
    """One part of the split: the choice of its development topics, and its value on the test topics.

    Attributes
    ----------
    choice : Choice
    development, test : tuple of str
        The topics.
    test_value : float
        Mean of the chosen point over the test topics.
    default_development, default_test : float
        Means of the default.
    """

    choice: Choice
    development: tuple[str, ...]
    test: tuple[str, ...]
    test_value: float
    default_development: float
    default_test: float


class Marginal(NamedTuple):
    """The best development mean among the points that have this value of a parameter."""

    parameter: str
    value: Value
    best: float
    n_points: int


class Remark(NamedTuple):
    """Remark on a tuning with its code; `comparison` for notes of the paired test."""

    code: str
    sentence: str


@dataclass(frozen=True, eq=False, repr=False)
class Tuned:
    """P points tried, chosen by development topics, tested on others.

    Attributes
    ----------
    measure : Measure
    space : Space
    search : str
        `grid`, or `random` with its seed.
    points : tuple of P Point
        Without a learned floor. The default is one of them: the last where the search has it not, and where a floor is
        learned, since the default keeps its own.
    values : float64 array of shape (P, T)
        Of each point on each topic, with the floor of `choice` where one is learned; nan for a point that failed.
    topics : tuple of T str
        In byte order: those that have a value.
    default : int
        The default's place among the points.
    default_parameters : Point
        With its floor, where one is learned.
    failed : tuple of FailedPoint
    choice : Choice
        What to use: chosen by all topics of development; where folds cross, by all topics. `choice.means` are the
        development means of all points.
    folds : tuple of Fold
        One where development and test are two lists of topics.
    split : Split
    evaluation_of_default, evaluation_of_tuned : Evaluation
        Over the test topics; each topic by the parameters that other topics chose.
    comparison : Comparison
        Tuned against default over the test topics. Where folds cross, its test is of sign flips that repeat the choice,
        or the corrected t test where points learn from data, and its intervals are wider than those of t.
    remarks : tuple of Remark
        What to make of it, the advice first.
    """

    measure: Measure
    space: Space
    search: str
    points: tuple[Point, ...]
    values: FloatArray
    topics: tuple[str, ...]
    default: int
    default_parameters: Point
    failed: tuple[FailedPoint, ...]
    choice: Choice
    folds: tuple[Fold, ...]
    split: Split
    evaluation_of_default: Evaluation
    evaluation_of_tuned: Evaluation
    comparison: Comparison
    remarks: tuple[Remark, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "values")

    def __repr__(self) -> str:
        return (
            f"<Tuned {self.parameters}: {self.measure} on test {self.test_value:.4f}, default "
            f"{self.contrast.test.baseline_mean:.4f}, {len(self.points)} points>"
        )

    @property
    def parameters(self) -> Point:
        """The parameters to use if tuning is adopted."""
        return self.choice.parameters

    @property
    def contrast(self) -> Contrast:
        """The test of tuned against default over the test topics."""
        return self.comparison.contrasts[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the result, a sentence each."""
        return tuple(one.sentence for one in self.remarks)

    @property
    def test_value(self) -> float:
        """Mean of tuned over the test topics."""
        return self.contrast.test.candidate_mean

    @property
    def test_gain(self) -> float:
        """Tuned minus default over the test topics."""
        return self.contrast.test.mean_difference

    @property
    def development_value(self) -> float:
        """Mean of the chosen points over the topics that chose them; folds are weighted by their test topics."""
        return self._over_folds([fold.choice.development for fold in self.folds])

    @property
    def default_development(self) -> float:
        """Mean of the default over the same topics."""
        return self._over_folds([fold.default_development for fold in self.folds])

    @property
    def development_gain(self) -> float:
        """Tuned minus default over the topics that chose it."""
        return self.development_value - self.default_development

    @property
    def optimism(self) -> float:
        """Difference between the value of the choice on development topics and on test topics.

        Where development and test are two lists of topics, the one may also be harder: hold `development_gain` against
        `test_gain` then.
        """
        return self.development_value - self.test_value

    def choice_of(self, place: int) -> Point:
        """The point at this place, with its learned floor if it has one."""
        floors = self.choice.floors
        return self.space.with_floor(self.points[place], floors[place] if floors else None)

    @property
    def choices(self) -> dict[int, int]:
        """Number of folds that chose each point, by place, most frequent first."""
        return dict(Counter(fold.choice.place for fold in self.folds).most_common())

    @property
    def ranks(self) -> tuple[int | None, ...]:
        """Rank of each point on development from 1; equal means share a rank, failed points have None."""
        means = self.choice.means.round(12).tolist()
        return tuple(None if isnan(mean) else 1 + sum(other > mean for other in means) for mean in means)

    def marginals(self) -> tuple[Marginal, ...]:
        """For each value of each listed parameter the best development mean of the points that have it."""
        found = []
        for axis in self.space.tried:
            for value in axis.values if isinstance(axis, ListedValues) else ():
                means = [
                    mean
                    for point, mean in zip(self.points, self.choice.means.tolist(), strict=True)
                    if point[axis.name] == value and not isnan(mean)
                ]
                found.append(Marginal(axis.name, value, max(means, default=np.nan), len(means)))
        return tuple(found)

    def run(self, make: Make, evidence: Evidence = None, tag: str = "tuned") -> Run:
        """The run of the test topics, each ranked by the parameters that other topics chose.

        Parameters
        ----------
        make, evidence
            As `tune` had them. `make` is called once for each point that a fold chose.
        tag : str
            What the run calls itself: one word.

        Returns
        -------
        Run
            Scored by the same conventions over the test topics it has the values of `evaluation_of_tuned`. Scores of
            topics of different folds are on different scales.
        """
        whole: dict[str, dict[str, float]] = {}
        made: dict[Point, tuple[Run, Run]] = {}
        for fold in self.folds:
            point = self.points[fold.choice.place]
            if point not in made:
                run = Run.of(make(dict(point)))
                if evidence is None or isinstance(evidence, Run):
                    made[point] = run, evidence or run
                else:
                    made[point] = run, Run.of(evidence(dict(point)))
            run, its_evidence = made[point]
            if fold.choice.floor is not None:
                run = above_floor(run, its_evidence, fold.choice.floor)
            tested = set(fold.test)
            whole |= {topic: scores for topic, scores in run.to_dict().items() if topic in tested}
        return Run.from_scores(whole, tag)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; None where a point failed."""
        chosen_by = Counter(self.choices)
        test = self.contrast
        return {
            "measure": str(self.measure),
            "search": self.search,
            "split": self.split.said,
            "n_points": len(self.points),
            "default": dict(self.default_parameters),
            "chosen": dict(self.parameters),
            "development_value": self.development_value,
            "development_value_of_default": self.default_development,
            "development_gain": self.development_gain,
            "test_value": self.test_value,
            "test_value_of_default": test.test.baseline_mean,
            "test_gain": self.test_gain,
            "optimism": self.optimism,
            "folds": [_fold(fold) for fold in self.folds],
            "points": [
                {
                    "parameters": dict(point),
                    "development": mean,
                    "rank": rank,
                    "floor": self.choice.floors[place] if self.choice.floors else None,
                    "is_default": place == self.default,
                    "is_chosen": place == self.choice.place,
                    "n_folds": chosen_by[place],
                    "values": dict(zip(self.topics, self.values[place].tolist(), strict=True)),
                }
                for place, (point, mean, rank) in enumerate(
                    zip(self.points, self.choice.means.tolist(), self.ranks, strict=True)
                )
            ],
            "failed": [{"parameters": dict(one.parameters), "why": one.why} for one in self.failed],
            "comparison": self.comparison.to_dict(),
            "notes": list(self.notes),
            "remarks": [one._asdict() for one in self.remarks],
        }

    def to_pandas(self) -> "pd.DataFrame":
        """A frame with a row for each point: its parameters, then `development` and `rank`."""
        import pandas as pd

        frame = pd.DataFrame([dict(point) for point in self.points], columns=[axis.name for axis in self.space.tried])
        return frame.assign(development=self.choice.means, rank=pd.array(self.ranks, dtype="Int64"))

    def _over_folds(self, values: Sequence[float]) -> float:
        sizes = [len(fold.test) for fold in self.folds]
        return float(np.average(values, weights=sizes))


def _fold(fold: Fold) -> dict[str, Any]:
    choice = fold.choice
    return {
        "chosen": dict(choice.parameters),
        "development": choice.development,
        "n_tied": choice.n_tied,
        **{name: value for name, value in fold._asdict().items() if name in _VALUES},
        "development_topics": list(fold.development),
        "test_topics": list(fold.test),
    }


_VALUES = ("test_value", "default_development", "default_test")
