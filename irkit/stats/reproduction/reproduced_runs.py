"""Runs that were made again beside the original ones: documents, values, and the effect over a baseline."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.errors import DataError
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.paired.comparable import comparable_measures
from irkit.stats.rankings.document_order import Numbering, TauUnion, run_tau_union
from irkit.stats.rankings.overlap import RunOverlap, run_overlap
from irkit.stats.rankings.rankings import Ties
from irkit.stats.reproduction.reproduction import (
    EffectReproduced,
    UnpairedTest,
    ValuesReproduced,
    effect_reproduced,
    unpaired_t_test,
    values_reproduced,
)

Role: TypeAlias = Literal["run", "baseline"]
ROLES: Final[tuple[Role, ...]] = ("run", "baseline")


@dataclass(frozen=True, slots=True, eq=False)
class RankingReproduced:
    """The documents of a run that was made again: how far they are the same, in the same order."""

    role: Role
    union: TauUnion
    overlap: RunOverlap


@dataclass(frozen=True, slots=True)
class RunReproduced:
    """Values of one measure of a reproduced run beside the original.

    Attributes
    ----------
    role : str
        `run`, or `baseline`.
    original, reproduced : str
        The runs.
    measure : str
    mean, mean_reproduced : float
    compared : ValuesReproduced or UnpairedTest
        Topic by topic, or as two samples of topics where the topics are others.
    """

    role: Role
    original: str
    reproduced: str
    measure: str
    mean: float
    mean_reproduced: float
    compared: ValuesReproduced | UnpairedTest


@dataclass(frozen=True, slots=True, eq=False)
class Reproduction:
    """Outcome of the reproduction of an experiment.

    Attributes
    ----------
    same_topics : bool
        Whether it was on the topics and judgments of the original; else the topics are others and not paired.
    rankings : tuple of RankingReproduced
        Of the run, then of its baseline if there is one; empty where the topics are others.
    values : tuple of RunReproduced
        By measure: of the run, then of its baseline.
    effects : tuple of (str, EffectReproduced)
        Each measure with what the run gains over its baseline; empty without one.
    evaluations, evaluations_reproduced : tuple of Evaluation
        Of the run, then of its baseline.
    notes : tuple of str
        What a reader must know of single numbers; a sentence each.
    """

    same_topics: bool
    rankings: tuple[RankingReproduced, ...]
    values: tuple[RunReproduced, ...]
    effects: tuple[tuple[str, EffectReproduced], ...]
    evaluations: tuple[Evaluation, ...]
    evaluations_reproduced: tuple[Evaluation, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, with tau union and RBO of each topic; nan where there is none."""
        first = self.evaluations[0]
        return {
            "rules": str(first.rules),
            "average": first.conventions.average,
            "no_relevant": first.conventions.no_relevant,
            "ties": first.conventions.ties,
            "same_topics": self.same_topics,
            "rankings": [
                {
                    "role": ranking.role,
                    "original": ranking.union.original,
                    "reproduced": ranking.union.reproduced,
                    "tau_union": ranking.union.mean,
                    "numbering": ranking.union.numbering,
                    "rbo": ranking.overlap.mean("rbo"),
                    "p": ranking.overlap.p,
                    "rbo_ties": ranking.overlap.ties,
                    "depth": ranking.overlap.depth,
                    "topics": {
                        topic: {"tau_union": tau, "rbo": rbo}
                        for topic, tau, rbo in zip(
                            ranking.union.topics,
                            ranking.union.values.tolist(),
                            ranking.overlap.rbo.tolist(),
                            strict=True,
                        )
                    },
                    "topics_of_original_only": list(ranking.union.only_original),
                    "topics_of_reproduced_only": list(ranking.union.only_reproduced),
                }
                for ranking in self.rankings
            ],
            "values": [asdict(value) for value in self.values],
            "effects": [{"measure": measure, **asdict(effect)} for measure, effect in self.effects],
            "notes": list(self.notes),
        }


def ranking_reproduced(
    original: Run,
    reproduced: Run,
    *,
    role: Role = "run",
    p: float = 0.9,
    ties: Ties = "a",
    numbering: Numbering = "appearance",
    depth: int | None = None,
) -> RankingReproduced:
    """Kendall's tau union and rank-biased overlap of a run and its reproduction.

    The options are those of `run_tau_union` and `run_overlap`.
    """
    union = run_tau_union(original, reproduced, numbering=numbering, depth=depth)
    return RankingReproduced(role, union, run_overlap(original, reproduced, p=p, ties=ties, depth=depth))


def assess_reproduction(
    original: Evaluation,
    reproduced: Evaluation,
    *,
    baseline: tuple[Evaluation, Evaluation] | None = None,
    same_topics: bool = True,
    measures: Sequence[str | Measure] | None = None,
    rankings: Sequence[RankingReproduced] = (),
) -> Reproduction:
    """Assess how well an experiment was reproduced, by its values and by its effect.

    Parameters
    ----------
    original, reproduced : Evaluation
        Of the run, and of the one that it was made again as.
    baseline : (Evaluation, Evaluation), optional
        Of the run that the original was held against, and of the one that this was made again as.
    same_topics : bool
        Whether both are on the same topics, which are paired then by their ids; if not, the two are samples of topics.
    measures : sequence of str or Measure, optional
        All that every evaluation has if not given. Counts, Judged and geometric means are left out.
    rankings : sequence of RankingReproduced
        What is known of the documents, to stand beside.

    Returns
    -------
    Reproduction

    Raises
    ------
    UsageError
        If a measure is not in every evaluation, or none of those can be compared.
    DataError
        If the evaluations differ in rules or conventions, or have no topic in common that has a value.

    References
    ----------
    Breuer et al., SIGIR 2020; repro_eval.
    """
    ours, theirs = zip((original, reproduced), *([] if baseline is None else [baseline]), strict=True)
    every = (*ours, *theirs)
    if len({(str(one.rules), one.conventions) for one in every}) > 1:
        raise DataError("the evaluations differ in rules or conventions; evaluate all runs alike")
    values, effects, notes = [], [], []
    for measure in comparable_measures(every, measures):
        if same_topics:
            columns = _paired(every, measure)
            sides = columns[: len(ours)], columns[len(ours) :]
        else:
            sides = _paired(ours, measure), _paired(theirs, measure)
        for role, run, again, one, other in zip(ROLES, ours, theirs, *sides, strict=False):
            compared = values_reproduced(one, other, unit=measure.unit) if same_topics else unpaired_t_test(other, one)
            means = float(one.mean()), float(other.mean())
            values.append(RunReproduced(role, run.name, again.name, str(measure), *means, compared))
            if compared.note:
                notes.append(f"{measure}, {run.name} and {again.name}: {compared.note}.")
        if baseline is not None:
            effect = effect_reproduced(*sides[0], *sides[1])
            effects.append((str(measure), effect))
            if effect.note:
                notes.append(f"{measure}: {effect.note}.")
        n_all = max(one.n_topics for one in every)
        if same_topics and len(columns[0]) < n_all:
            left = f"{n_all - len(columns[0])} of {counted(n_all, 'topic')}"
            notes.append(f"{measure}: {left} left out, in which a run has no value.")
    for found in rankings:
        notes += [
            f"{found.union.original} and {found.union.reproduced}: {note}."
            for note in (found.union.note, found.overlap.note)
            if note
        ]
    return Reproduction(same_topics, tuple(rankings), tuple(values), tuple(effects), ours, theirs, tuple(notes))


def _paired(evaluations: Sequence[Evaluation], measure: Measure) -> list[Values]:
    """Values of each evaluation over the topics with a value in all of them, in one order."""
    topics = set(evaluations[0].topics).intersection(*(one.topics for one in evaluations[1:]))
    table = np.array([evaluation.restricted_to(topics).by_topic(measure) for evaluation in evaluations])
    table = table[:, ~np.isnan(table).any(axis=0)]
    if not table.shape[1]:
        names = ", ".join(one.name for one in evaluations)
        raise DataError(f"{names} have no topic in common with a value of {measure}: nothing can be compared")
    return list(table)
