"""How measures, or two sets of judgments, rank the same systems; and which measure tells them apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation, told_apart
from irkit.measures import Measure
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.paired.comparable import comparable_measures
from irkit.stats.paired.corrections import Correction
from irkit.stats.paired.means import few_topics_note
from irkit.stats.paired.pair_tests import PairsTest, TestName, pairs_test
from irkit.stats.paired.skew_notes import skewed_pairs
from irkit.stats.rankings.correlation import RankCorrelation, kendall_tau, spearman, tau_ap
from irkit.stats.rankings.discrimination import DiscriminativePower, discriminative_power

# Means are ranked to so many decimals: the last ones are what arithmetic leaves behind.
_DECIMALS: Final = 12


@dataclass(frozen=True, slots=True)
class RankingAgreement:
    """Agreement of two rankings of the same systems.

    Attributes
    ----------
    first, second : str
        What ranks: a measure, or judgments.
    measure : str
        Where judgments rank, by which measure; else empty.
    tau : RankCorrelation
        Kendall's tau-b.
    tau_ap, tau_ap_turned : RankCorrelation
        tau-AP with the first, and with the second, as the reference.
    spearman : RankCorrelation
    """

    first: str
    second: str
    measure: str
    tau: RankCorrelation
    tau_ap: RankCorrelation
    tau_ap_turned: RankCorrelation
    spearman: RankCorrelation


@dataclass(frozen=True, slots=True, eq=False)
class SystemRankings:
    """The rankings of S systems by M measures, by Q = 1 or 2 sets of judgments.

    Attributes
    ----------
    systems : tuple of S str
    measures : tuple of M str
    judgments : tuple of Q str
        What the judgments are called.
    means : float64 array of shape (Q, S, M)
    agreements : tuple of RankingAgreement
        With one set of judgments of every two measures, with two of the two sets, by each measure.
    powers : tuple of Q tuples of M DiscriminativePower
        How well each measure tells the systems apart.
    test, correction : str
        Of `powers`: which test, and what it is corrected by.
    evaluations : tuple of Q tuples of S Evaluation
        What was ranked.
    notes : tuple of str
        Sentences that belong under the table.
    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    judgments: tuple[str, ...]
    means: Values
    agreements: tuple[RankingAgreement, ...]
    powers: tuple[tuple[DiscriminativePower, ...], ...]
    test: str
    correction: str
    evaluations: tuple[tuple[Evaluation, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "means")

    @property
    def ranks(self) -> npt.NDArray[np.int64]:
        """Rank of each system from 1, ties share the first of their ranks; shape (Q, S, M)."""
        scores = self.means.round(_DECIMALS)
        above: npt.NDArray[np.int64] = (scores[:, None] > scores[:, :, None]).sum(axis=2)
        return above + 1

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values; nan where there is none, and the note says why."""
        first = self.evaluations[0][0]
        return {
            "rules": str(first.rules),
            "average": first.conventions.average,
            "no_relevant": first.conventions.no_relevant,
            "ties": first.conventions.ties,
            "judgments": [
                {
                    "name": name,
                    "n_topics": evaluations[0].n_topics,
                    "systems": {
                        system: {
                            measure: {"mean": mean, "rank": rank}
                            for measure, mean, rank in zip(self.measures, means, ranks, strict=True)
                        }
                        for system, means, ranks in zip(self.systems, of_means, of_ranks, strict=True)
                    },
                    "discriminative_power": {power.measure: _power(power) for power in powers},
                }
                for name, evaluations, of_means, of_ranks, powers in zip(
                    self.judgments,
                    self.evaluations,
                    self.means.tolist(),
                    self.ranks.tolist(),
                    self.powers,
                    strict=True,
                )
            ],
            "agreements": [
                {
                    **({"measure": one.measure} if one.measure else {}),
                    "first": one.first,
                    "second": one.second,
                    "n_systems": one.tau.n_systems,
                    "tau": _correlation(one.tau),
                    "tau_ap_first_as_reference": _correlation(one.tau_ap),
                    "tau_ap_second_as_reference": _correlation(one.tau_ap_turned),
                    "spearman": _correlation(one.spearman),
                }
                for one in self.agreements
            ],
            "test": self.test,
            "correction": self.correction,
            "notes": list(self.notes),
        }


def rank_systems(
    evaluations: Sequence[Evaluation],
    against: Sequence[Evaluation] | None = None,
    *,
    measures: Sequence[str | Measure] | None = None,
    test: TestName = "t",
    correction: Correction | None = None,
    alpha: float = 0.05,
    judgments: tuple[str, str] = ("first", "second"),
) -> SystemRankings:
    """Systems ranked by their means, how far the rankings agree, and how well each measure tells the systems apart.

    Parameters
    ----------
    evaluations : sequence of S Evaluation
        Three at least, of the same rules and conventions; over the topics that all of them have.
    against : sequence of S Evaluation, optional
        Those of the same systems, in the same order, by other judgments.
    measures : sequence of str or Measure, optional
        All that every evaluation has if not given. Counts, Judged and geometric means are not ranked by.
    test : str
        Of every two systems: one of `TESTS`. With 't' and 'bootstrap' the larger p of t and bootstrap-t is taken where
        differences are skewed (see `skew_caution`).
    correction : str, optional
        As of `correct`; Holm's if not given. None for the two forms of Tukey's test, which are of one family.
    alpha : float
        Level below which a pair counts as told apart.
    judgments : (str, str)
        What the two sets of judgments are called.

    Returns
    -------
    SystemRankings
        Its correlations are those of the means; systems whose means are equal are tied.

    Raises
    ------
    UsageError
        If there are fewer than three systems, test, correction or measure is unknown, or a correction is asked of a
        test that needs none; if `against` is of other systems.
    DataError
        If the evaluations differ in rules or conventions, or have no topic or no measure in common.

    References
    ----------
    Sakai, SIGIR 2006 (discriminative power); Yilmaz, Aslam and Robertson, SIGIR 2008 (tau-AP).
    """
    of_pairs = pairs_test(test, correction, alpha)
    sets = [_shared(evaluations)]
    if against is not None:
        sets.append(_shared(against))
        if len(against) != len(evaluations):
            raise UsageError(f"{len(evaluations)} systems cannot be held against {len(against)}: give the same ones")
    chosen = comparable_measures([run for runs in sets for run in runs], measures)
    powers = tuple(
        discriminative_power(runs, of_pairs.pvalues, called=of_pairs.called, measures=chosen, alpha=alpha)
        for runs in sets
    )
    means = np.array([[[run.value(measure) for measure in chosen] for run in runs] for runs in sets])
    names = tuple(map(str, chosen))
    if np.isnan(means).any():
        without = names[int(np.argwhere(np.isnan(means))[0, 2])]
        raise DataError(f"no topic has a value of {without}: nothing can be ranked by it")
    scores = means.round(_DECIMALS)
    if against is None:
        pairs = combinations(range(len(names)), 2)
        agreements = [_agreement(names[a], names[b], "", scores[0, :, a], scores[0, :, b]) for a, b in pairs]
    else:
        agreements = [_agreement(*judgments, name, *scores[:, :, place]) for place, name in enumerate(names)]
    return SystemRankings(
        tuple(run.name for run in sets[0]),
        names,
        judgments[: len(sets)],
        means,
        tuple(agreements),
        powers,
        of_pairs.called,
        of_pairs.correction,
        tuple(sets),
        tuple(_notes(agreements, powers, sets, of_pairs)),
    )


def _shared(given: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """The evaluations over the topics that all of them have."""
    if len(given) < 3:
        raise UsageError(f"a ranking is one of three systems at least, got {len(given)}")
    topics = set(given[0].topics).intersection(*(one.topics for one in given[1:]))
    return told_apart([one if len(topics) == one.n_topics else one.restricted_to(topics) for one in given])


def _agreement(first: str, second: str, measure: str, ours: Values, theirs: Values) -> RankingAgreement:
    return RankingAgreement(
        first,
        second,
        measure,
        kendall_tau(ours, theirs),
        tau_ap(ours, theirs),
        tau_ap(theirs, ours),
        spearman(ours, theirs),
    )


def _notes(
    agreements: Sequence[RankingAgreement],
    powers: Sequence[Sequence[DiscriminativePower]],
    sets: Sequence[Sequence[Evaluation]],
    test: PairsTest,
) -> list[str]:
    notes = [
        f"{f'{one.measure}, ' if one.measure else ''}{one.first} and {one.second}: {one.tau.note}."
        for one in agreements
        if one.tau.note
    ]
    for one in (power for of_set in powers for power in of_set):
        skewed = (
            skewed_pairs(one.n_skewed, one.n_pairs, test.called, one.n_topics, decides=test.calibrated)
            if one.n_skewed
            else ""
        )
        notes += [f"{one.measure}: {note}." for note in (one.note, skewed) if note]
    return [*notes, *dict.fromkeys(filter(None, map(few_topics_note, sets)))]


def _correlation(correlation: RankCorrelation) -> dict[str, Any]:
    return {"coefficient": correlation.coefficient, "value": correlation.value, "note": correlation.note}


def _power(power: DiscriminativePower) -> dict[str, Any]:
    return {
        "power": power.power,
        "n_significant": power.n_significant,
        "n_pairs": power.n_pairs,
        "n_topics": power.n_topics,
        "alpha": power.alpha,
        "n_skewed": power.n_skewed,
        "pvalues": [
            {
                "first": first,
                "second": second,
                "pvalue": pvalue,
                "skew_caution": skewed and skewed.code,
                "skewness": skewed and skewed.skewness,
                "skew_topics_wanted": skewed and skewed.topics_wanted,
            }
            for (first, second), pvalue, skewed in zip(power.pairs, power.pvalues.tolist(), power.skewed, strict=True)
        ],
        "note": power.note,
    }
