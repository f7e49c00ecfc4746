"""Which runs, measures and groups of topics are compared: evaluations checked, and their scores paired by topic id."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from numbers import Integral
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted, instead
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation, told_apart
from irkit.measures import Measure, parse_measures
from irkit.stats.paired.means import FloatArray

ALL_PAIRS: Final = "all pairs"

Baseline = int | str | Sequence[int | str]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of R runs on M measures for T topics, in one order of topics.

    Attributes
    ----------
    evaluations : tuple of R Evaluation
        Over the topics that all of them have, each with a name of its own.
    measures : tuple of M Measure
    topics : tuple of T str
    values : float64 array of shape (R, M, T)
        nan where the topic is not averaged.
    groups : tuple of (str or None, int64 array)
        The places of each group's topics; None is all topics, and the last.
    """

    evaluations: tuple[Evaluation, ...]
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    values: FloatArray
    groups: tuple[tuple[str | None, Places], ...]

    def __post_init__(self) -> None:
        freeze(self, "values")


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Scores of two runs on one measure over n topics.

    Attributes
    ----------
    group : str or None
        The group whose topics they are; None for all.
    measure, baseline, candidate : str
    runs : tuple of (int, int)
        Baseline and candidate as places among the runs.
    places : int64 array of shape (n,)
        The topics as places among all topics.
    topics : tuple of n str
    candidate_values, baseline_values : float64 arrays of shape (n,)
    """

    group: str | None
    measure: str
    baseline: str
    candidate: str
    runs: tuple[int, int]
    places: Places
    topics: tuple[str, ...]
    candidate_values: FloatArray
    baseline_values: FloatArray

    def __post_init__(self) -> None:
        freeze(self, "places", "candidate_values", "baseline_values")

    def __str__(self) -> str:
        where = "" if self.group is None else f" ({self.group})"
        return f"{self.measure}{where}, {self.candidate} against {self.baseline}"


def scores_of(
    evaluations: Sequence[Evaluation], measures: Sequence[Measure], groups: Mapping[str, Hashable] | None
) -> Scores:
    """The scores of evaluations that were checked, over the topics that all of them have."""
    compared = told_apart(over_shared_topics(evaluations))
    topics = compared[0].topics
    rows = []
    for one in compared:
        place = {topic: row for row, topic in enumerate(one.topics)}
        order = [place[topic] for topic in topics]
        rows.append([one.by_topic(measure)[order] for measure in measures])
    everywhere = np.arange(len(topics))
    parts: list[tuple[str | None, Places]] = []
    for group, part in ({} if groups is None else compared[0].by_group(groups)).items():
        inside = set(part.topics)
        parts.append((str(group), np.array([place for place in everywhere.tolist() if topics[place] in inside])))
    return Scores(compared, tuple(measures), topics, np.array(rows), (*parts, (None, everywhere)))


def paired(scores: Scores, pairs: Sequence[tuple[int, int]], *, complete: bool) -> tuple[list[Pair], list[str]]:
    """The scores of each pair of runs, by group, pair and measure; and a sentence for each that has no topic.

    A topic in which either run has no value is left out; with `complete` one in which any run has none.
    """
    found, without = [], []
    for group, places in scores.groups:
        for runs in pairs:
            for column, measure in enumerate(scores.measures):
                values = scores.values[:, column, places]
                looked_at = values if complete else values[list(runs)]
                kept = ~np.isnan(looked_at).any(axis=0)
                baseline, candidate = (scores.evaluations[run].name for run in runs)
                if not kept.any():
                    if group is None:
                        raise DataError(f"{baseline} and {candidate} have no topic with a value of {measure}")
                    without.append(f"Not tested: {measure} ({group}), which no topic has a value of.")
                    continue
                chosen = places[kept]
                topics = tuple(scores.topics[place] for place in chosen.tolist())
                ours, theirs = values[runs[1], kept], values[runs[0], kept]
                found.append(Pair(group, str(measure), baseline, candidate, runs, chosen, topics, ours, theirs))
    return found, list(dict.fromkeys(without))


def places_of_pairs(evaluations: Sequence[Evaluation], baseline: Baseline) -> list[tuple[int, int]]:
    """(Baseline, candidate) as places among the evaluations; of several baselines none is a candidate."""
    places = range(len(evaluations))
    if baseline == ALL_PAIRS:
        return list(combinations(places, 2))
    given = [baseline] if isinstance(baseline, str) or not isinstance(baseline, Sequence) else list(baseline)
    chosen = [_place(evaluations, one) for one in given]
    candidates = [place for place in places if place not in chosen]
    names = [evaluation.name for evaluation in told_apart(evaluations)]
    if twice := [names[place] for place in dict.fromkeys(chosen) if chosen.count(place) > 1]:
        raise UsageError(f"the baseline {twice[0]!r} occurs there twice; keep one")
    if not chosen or not candidates:
        raise UsageError(
            f"{'every run is a baseline' if chosen else 'there is no baseline'}: nothing to compare; name one run or "
            f"more, and not all, or compare {ALL_PAIRS!r}"
        )
    return [(choice, candidate) for choice in chosen for candidate in candidates]


def _place(evaluations: Sequence[Evaluation], baseline: int | str) -> int:
    if isinstance(baseline, str):
        apart = [evaluation.name for evaluation in told_apart(evaluations)]
        if baseline in apart:
            return apart.index(baseline)
        shared = any(evaluation.name == baseline for evaluation in evaluations)
        problem = "more than one run is called" if shared else "there is no run"
        raise UsageError(f"{problem} {baseline!r}; {'give its place' if shared else instead(baseline, apart)}")
    if isinstance(baseline, Integral) and not isinstance(baseline, bool) and baseline in range(len(evaluations)):
        return int(baseline)
    raise UsageError(f"the baseline is run {baseline!r} of {len(evaluations)}; give a name, or a place counted from 0")


def checked_evaluations(given: Iterable[Evaluation]) -> Sequence[Evaluation]:
    """The evaluations, if there are two at least and of the same rules and conventions."""
    evaluations = list(given) if isinstance(given, Iterable) else [given]
    if isinstance(given, Evaluation) or not all(isinstance(evaluation, Evaluation) for evaluation in evaluations):
        raise UsageError("compare takes a list of evaluations: compare([evaluate(run=...), evaluate(run=...)])")
    if len(evaluations) < 2:
        raise UsageError(f"a comparison needs at least two runs, got {len(evaluations)}")
    for other in evaluations[1:]:
        _check_comparable(evaluations[0], other)
    return evaluations


def over_shared_topics(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """The evaluations over the topics that all of them have; each still names all that its own run lacks."""
    topics = set(evaluations[0].topics).intersection(*(one.topics for one in evaluations[1:]))
    if not topics:
        raise DataError(f"no topic is in all of {', '.join(one.name for one in evaluations)}: nothing can be compared")
    return [
        evaluation
        if len(topics) == evaluation.n_topics
        else replace(evaluation.restricted_to(topics), missing=evaluation.missing, unjudged=evaluation.unjudged)
        for evaluation in evaluations
    ]


def _check_comparable(first: Evaluation, other: Evaluation) -> None:
    pair = f"{first.name} and {other.name} cannot be compared"
    for what, ours, theirs in (
        ("rules", str(first.rules), str(other.rules)),
        ("topics averaged", first.conventions.average, other.conventions.average),
        ("topics file", first.conventions.topics, other.conventions.topics),
        ("value of a topic without relevant documents", first.conventions.no_relevant, other.conventions.no_relevant),
        ("order of ties", first.conventions.ties, other.conventions.ties),
    ):
        if ours != theirs:
            raise DataError(f"{pair}: {what}: {ours} and {theirs}; evaluate both alike")
    only = sorted(set(first.topics) ^ set(other.topics))
    if only and first.conventions.average != "intersection":
        shown = ", ".join(only[:5]) + (f" and {len(only) - 5} more" if len(only) > 5 else "")
        raise DataError(
            f"{pair}: {counted(len(only), 'topic')} in one evaluation only ({shown}); average over the judged topics, "
            "or over the intersection"
        )


def measures_to_test(
    evaluations: Sequence[Evaluation], wanted: Sequence[str | Measure] | None
) -> tuple[list[Measure], list[Measure]]:
    """The measures to test, and those left out: more of them is not better, or their summary is no mean."""
    first, *others = (evaluation.measures for evaluation in evaluations)
    shared = [measure for measure in first if all(measure in measures for measures in others)]
    if not shared:
        raise DataError("the evaluations have no measure in common")
    chosen = shared if wanted is None else list(parse_measures(wanted))
    for measure in chosen:
        if measure not in shared:
            raise UsageError(f"{measure} is not in every evaluation; {instead(str(measure), map(str, shared))}")
    tested = [measure for measure in chosen if measure.compared]
    if not tested:
        reasons = "; ".join(why_left_out(chosen))
        raise UsageError(f"nothing to compare: {reasons}; name a measure such as nDCG@10")
    return tested, [measure for measure in chosen if measure not in tested]


def why_left_out(measures: Sequence[Measure]) -> Iterator[str]:
    """Reasons why measures are not compared, each with those that it is about."""
    for why, quality in (
        ("more of it is not better", False),
        ("a geometric mean is no mean of the topics' values", True),
    ):
        if names := ", ".join(str(measure) for measure in measures if measure.family.quality is quality):
            yield f"{why}: {names}"
