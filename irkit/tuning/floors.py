"""Floors learned: from which score on there is evidence enough to answer a topic at all."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, isinf
from typing import NamedTuple

import numpy as np

from irkit._utils.arrays import freeze
from irkit._utils.numerals import four_decimals
from irkit._utils.text import counted
from irkit.data.runs import Run, RunSource
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator, evaluator
from irkit.fusion import abstain
from irkit.judged.kinds import JudgmentsSource
from irkit.measures import Measure, parse_measure
from irkit.rules import NoRelevant, Rules
from irkit.stats.paired.means import TOLERANCE, FloatArray

NOTHING_GAINED = (
    "No topic gains by silence, so that no floor can help: it takes judged topics without relevant documents which are "
    "answered without the floor, and no_relevant 'abstain'."
)


class FloorChoice(NamedTuple):
    """The floor of the best mean, and the means of all candidates.

    Attributes
    ----------
    floor, mean : float
    candidates, means : float64 arrays of shape (C,)
        Rising floors, the first -inf.
    """

    floor: float
    mean: float
    candidates: FloatArray
    means: FloatArray


@dataclass(frozen=True, slots=True)
class LearnedFloor:
    """A floor learned on development topics.

    Attributes
    ----------
    floor : float
        A topic is answered where its best score of evidence is at least this; -inf: always.
    measure : Measure
    mean, mean_without : float
        Of the measure over the topics, with the floor and with none. On the topics that chose it a floor looks better
        than it is: test it on others.
    topics, silenced : tuple of str
        The topics it was learned on, and those of them that are below it.
    candidates, means : float64 arrays of shape (C,)
        Every floor that was tried, rising, the first -inf; and its mean.
    notes : tuple of str
    """

    floor: float
    measure: Measure
    mean: float
    mean_without: float
    topics: tuple[str, ...]
    silenced: tuple[str, ...]
    candidates: FloatArray = field(repr=False, compare=False)
    means: FloatArray = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "candidates", "means")

    def __str__(self) -> str:
        said = "never abstain" if isinf(self.floor) else f"floor {self.floor:.6g}"
        return (
            f"{said}: {self.measure} {four_decimals(self.mean)}, {four_decimals(self.mean_without)} without "
            f"({len(self.silenced)} of {counted(len(self.topics), 'topic')} silent)"
        )

    def applied_to(self, run: Run, evidence: Run) -> Run:
        """The run without the topics below the floor."""
        return above_floor(run, evidence, self.floor)


def learn_floor(
    run: RunSource,
    evidence: RunSource,
    qrels: JudgmentsSource,
    *,
    topics: Iterable[str] | None = None,
    measure: str | Measure = "nDCG@10",
    default: float = -inf,
    no_relevant: NoRelevant = "abstain",
    rules: str | Rules = "trec_eval-10",
) -> LearnedFloor:
    """Learn from development topics below which best score a topic is better left without an answer.

    Nothing is retrieved again: a topic below the floor counts as one for which nothing was returned.

    Parameters
    ----------
    run : path, dict, table or Run
        What is returned for topics with evidence enough.
    evidence : path, dict, table or Run
        Whose best score of each topic is held against the floor; often the dense run below a fused one.
    qrels : judgments, as `irkit.evaluate` takes them
    topics : iterable of str, optional
        Of development; all judged topics if not given.
    measure : str or Measure
    default : float
        Of floors with the same mean the nearest to this is taken: with -inf the one that silences the fewest topics.
    no_relevant, rules
        As of `irkit.evaluate`. Only `abstain` rewards silence, in measures that are shares of what could be found.

    Returns
    -------
    LearnedFloor
        The floor is -inf or the middle between two best scores of these topics. A topic that `evidence` lacks is below
        every floor but -inf.

    Raises
    ------
    DataError
        If none of the topics is judged and averaged; or as `irkit.evaluate`.
    UsageError
        If the measure has no mean of which more is better, or the default is nan.
    """
    check_compared(measure)
    if np.isnan(default):
        raise UsageError("the default floor is nan; give a number, or -inf for none")
    scorer = evaluator(qrels, [measure], no_relevant=no_relevant, rules=rules)
    answered = scorer.evaluate(Run.of(run))
    kept = [place for place, value in enumerate(answered.values[:, 0].tolist()) if not np.isnan(value)]
    if topics is not None:
        wanted = {topics} if isinstance(topics, str) else set(topics)
        kept = [place for place in kept if answered.topics[place] in wanted]
    if not kept:
        raise DataError(f"no topic to learn a floor on has a value of {scorer.measures[0]}; give judged topics")
    names = tuple(answered.topics[place] for place in kept)
    values = answered.values[kept, 0]
    silent = values_of_silence(scorer)[kept]
    best = best_scores(Run.of(evidence), names)
    found = best_floor(values, silent, best, default)
    silenced = () if found.floor == -inf else tuple(np.array(names, dtype=object)[best < found.floor].tolist())
    notes = () if (silent > values).any() else (NOTHING_GAINED,)
    return LearnedFloor(
        found.floor,
        scorer.measures[0],
        found.mean,
        float(values.mean()),
        names,
        silenced,
        found.candidates,
        found.means,
        notes,
    )


def best_floor(values: FloatArray, silent: FloatArray, best: FloatArray, default: float = -inf) -> FloorChoice:
    """The floor of the best mean over n topics.

    Parameters
    ----------
    values, silent, best : float64 arrays of shape (n,)
        What each topic counts if it is answered, what if it is not, and its best score of evidence (-inf: none).
    default : float
        Of floors with the same mean the nearest to it is taken, then the lowest.
    """
    order = np.argsort(best, kind="stable")
    distinct, first = np.unique(best[order], return_index=True)
    with np.errstate(invalid="ignore"):
        between = distinct[:-1] / 2 + distinct[1:] / 2
    # Between two neighbours among the numbers there is no other: the floor is the upper one then.
    between = np.where(between > distinct[:-1], between, distinct[1:])
    finite = np.isfinite(distinct[:-1])
    candidates = np.concatenate(([-inf], between[finite]))
    # A floor silences all topics before the first one of the score above it.
    gains = np.concatenate(([0.0], np.cumsum((silent - values)[order])))
    n_silenced = np.concatenate(([0], first[1:][finite])).astype(np.int64)
    means = (float(values.sum()) + gains[n_silenced]) / len(values)
    tied = candidates[means >= means.max() - tolerance(means)]
    with np.errstate(invalid="ignore"):
        apart = np.where(tied == default, 0.0, abs(tied - default))
    chosen = float(tied[np.argmin(apart)]) if np.isfinite(default) else float(tied[0 if default < 0 else -1])
    return FloorChoice(chosen, float(means[np.flatnonzero(candidates == chosen)[0]]), candidates, means)


def with_floor(values: FloatArray, silent: FloatArray, best: FloatArray, floor: float) -> FloatArray:
    """Value of each topic under a floor."""
    return np.where(answered(best, floor), values, silent)


def answered(best: FloatArray, floor: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Topics with an answer: best score at least the floor; all topics for a floor of -inf."""
    return np.asarray((best >= floor) & ((best > -inf) | (floor == -inf)))


def above_floor(run: Run, evidence: Run, floor: float) -> Run:
    """The run without the topics below the floor; under -inf the run itself."""
    return run if floor == -inf else abstain(run, evidence, floor)


def best_scores(evidence: Run, topics: Iterable[str]) -> FloatArray:
    """The best score of each topic, -inf where there is none."""
    first = {
        topic: float(evidence.scores[start])
        for topic, start, stop in zip(evidence.topics, evidence.starts[:-1], evidence.starts[1:], strict=True)
        if start < stop
    }
    return np.array([first.get(topic, -inf) for topic in topics])


def values_of_silence(scorer: Evaluator) -> FloatArray:
    """Value of each judged topic if nothing is returned, shape (T,), topics in byte order."""
    # A run without any topic is refused, so each half of the truth comes from a run that answers another topic.
    topics = scorer.judged_topics
    if len(topics) < 2:
        raise DataError("a floor needs at least two judged topics; judge more")
    parts = [_answering(scorer, topic) for topic in (topics[0], topics[1])]
    found = parts[0].values[:, 0].copy()
    found[0] = parts[1].values[0, 0]
    return np.asarray(found)


def check_compared(measure: str | Measure) -> Measure:
    """The measure, if its mean says which run is better."""
    parsed = parse_measure(measure)
    if not parsed.compared:
        raise UsageError(
            f"{parsed} cannot be tuned for: it takes a mean over topics of which more is better, as nDCG@10"
        )
    return parsed


def tolerance(means: FloatArray) -> float:
    """Largest difference that rounding can cause between equal means."""
    return TOLERANCE * float(abs(means[np.isfinite(means)]).max(initial=0.0))


def _answering(scorer: Evaluator, topic: str) -> Evaluation:
    return scorer.evaluate(Run.from_scores({topic: {"-": 1.0}}))
