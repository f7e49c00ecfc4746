"""`tune`: try points, let development topics choose, and test the choice on others."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.evaluation.scoring import evaluator
from irkit.judged.kinds import JudgmentsSource
from irkit.measures import Measure
from irkit.rules import AverageOver, NoRelevant, Rules, Ties
from irkit.stats import compare
from irkit.tuning.cross_validation import compared_by_folds
from irkit.tuning.floors import check_compared
from irkit.tuning.points import Point
from irkit.tuning.remarks import remarks
from irkit.tuning.result import Fold, Tuned
from irkit.tuning.score_table import Evidence, Make, ScoreTable, score_points
from irkit.tuning.space import LIMIT, Space, SpaceSource
from irkit.tuning.splits import Folds, Split, Splitting

Search = Literal["grid", "random"]
N_RANDOM = 50


def tune(
    make: Make,
    space: SpaceSource,
    qrels: JudgmentsSource,
    *,
    default: Mapping[str, Any],
    split: Splitting | None = None,
    measure: str | Measure = "nDCG@10",
    search: Search = "grid",
    n: int | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    evidence: Evidence = None,
    no_relevant: NoRelevant | None = None,
    average: AverageOver = "judged",
    ties: Ties = "docid",
    rules: str | Rules = "trec_eval-10",
    level: float = 0.95,
) -> Tuned:
    """Tune the parameters of a run maker on some topics, and measure the gain on other topics.

    Each point is made and scored once, over all topics; development topics choose by their mean, and the others test
    the choice against the default.

    Parameters
    ----------
    make : callable
        From parameters by name to a run over all topics, in any form that `Run.of` takes. A `DataError` that it raises
        is kept as the reason why the point failed; other errors end the search.
    space : Space, mapping, or iterable of str
        The parameters and the values to try, as `Space.of` reads them.
    qrels : judgments, as `irkit.evaluate` takes them
    default : mapping of parameter to value
        What is used now, for every parameter. It is always tried too: nothing is chosen that is worse on development.
    split : Folds, Nested, Share or Separate, optional
        Which topics choose, and which test; 5 folds if not given.
    measure : str or Measure
        Its mean is what is tuned for.
    search : {"grid", "random"}
    n : int, optional
        Points that random search tries; 50 if not given.
    seed : int
        Of random search, and of the sign flips that test a choice by folds. A split has its own.
    limit : int
        A grid of more points is refused.
    evidence : Run or callable, optional
        Where a floor is learned: the run whose best scores are held against it, or what makes it from the parameters.
        The run itself if not given.
    no_relevant, average, ties, rules
        As of `irkit.evaluate`; where a floor is learned no_relevant is `abstain` if not given, else `zero`. With the
        average `intersection` the topics are those that the runs of all points have.
    level : float
        Of the intervals.

    Returns
    -------
    Tuned

    Raises
    ------
    UsageError
        If the space, the default, the split or an option cannot be, or the measure has no mean of which more is better.
    DataError
        If the default's run cannot be made or scored, or the topics cannot be divided so.
    """
    space = Space.of(space)
    measure = check_compared(measure)
    default_parameters = space.checked(default)
    points, said = _points(space, search, n, seed, limit)
    if average == "topics":
        raise UsageError("the split says which topics are looked at; name them there: Separate(development, test)")
    if space.learned is not None and average == "intersection":
        raise UsageError("a learned floor silences topics, which leave an intersection; average over judged topics")
    if evidence is not None and space.learned is None:
        raise UsageError("evidence is for a floor that is learned, and none is: set one to 'learn'")
    scorer = evaluator(
        qrels,
        [measure],
        average=average,
        no_relevant=no_relevant or ("zero" if space.learned is None else "abstain"),
        ties=ties,
        rules=rules,
    )
    scored = score_points(make, space, points, default_parameters, scorer, evidence)
    return _tuned(scored, (split or Folds()).over(scored.topics), measure, said, level, seed)


def _points(space: Space, search: str, n: int | None, seed: int, limit: int) -> tuple[tuple[Point, ...], str]:
    if search not in get_args(Search):
        raise UsageError(f"there is no search {search!r}; {instead(str(search), get_args(Search))}")
    if search == "random":
        n = N_RANDOM if n is None else n
        return space.random(n, seed), f"random search (seed {seed})"
    if n is not None:
        raise UsageError("n is the number of points of a random search; a grid has all: search='random'")
    return space.grid(limit), "grid search"


def _tuned(scored: ScoreTable, split: Split, measure: Measure, said: str, level: float, seed: int) -> Tuned:
    default_floor = scored.default_floor
    folds = []
    for part in split.parts:
        choice = scored.choose(part.development, part.inner)
        folds.append(
            Fold(
                choice,
                part.development,
                part.test,
                scored.mean(choice.place, choice.floor, part.test),
                scored.mean(scored.default, default_floor, part.development),
                scored.mean(scored.default, default_floor, part.test),
            )
        )
    # The folds that report are the inner ones of the choice that is made of all topics.
    nested = any(part.inner for part in split.parts)
    choice = scored.choose(split.development, split.parts if nested else ()) if split.crossed else folds[0].choice
    n_points = len(scored.points)
    default = scored.evaluation("default", [(scored.default, default_floor, split.test)])
    tuned = scored.evaluation("tuned", [(fold.choice.place, fold.choice.floor, fold.test) for fold in folds])
    comparison = compare([default, tuned], level=level)
    if split.crossed:
        comparison = compared_by_folds(comparison, scored, split, seed)
    found = Tuned(
        measure,
        scored.space,
        said,
        scored.points,
        np.array([scored.counted(place, floor) for place, floor in enumerate(choice.floors or [None] * n_points)]),
        scored.topics,
        scored.default,
        scored.default_parameters,
        scored.failed,
        choice,
        tuple(folds),
        split,
        default,
        tuned,
        comparison,
    )
    return replace(found, remarks=tuple(remarks(found, scored)))
