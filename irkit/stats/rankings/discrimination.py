"""Discriminative power: the share of pairs of runs that a measure distinguishes by a test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isinf, nan
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import Evaluation, told_apart
from irkit.measures import Measure, parse_measures
from irkit.stats.paired.checked_arrays import Values, table_of
from irkit.stats.paired.corrections import Correction, correct
from irkit.stats.paired.differences import Differences, paired_differences
from irkit.stats.paired.skew import Skewed, skew_caution


class Tested(Protocol):
    """Result of a test of two runs."""

    @property
    def pvalue(self) -> float:
        """The p-value; nan where the test says nothing."""


PairTest: TypeAlias = Callable[[Values, Values], Tested]
# From values of shape (topics, runs) to one p-value a pair, in the order (0, 1), (0, 2), ..., (1, 2), ...
AllPairsTest: TypeAlias = Callable[[Values], npt.ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class DiscriminativePower:
    """Share of the pairs of k runs that one measure distinguishes.

    It says nothing of whether the measure is right, and holds for this collection and this test.

    Attributes
    ----------
    measure : str
    test : str
        What the test was called.
    alpha : float
    power : float
        Share of all pairs whose p is below alpha.
    n_significant, n_pairs : int
    pairs : tuple of (str, str)
        The runs of each pair, the earlier first.
    pvalues : float64 array, one a pair
        Achieved significance levels; nan where the test says nothing.
    n_topics : int
        Topics with a value in every run.
    note : str
        Topics left out, and pairs for which the test says nothing, which count as not significant; else empty.
    skewed : tuple of Skewed or None, one a pair
        The caution about skewed differences, whatever the test.
    """

    measure: str
    test: str
    alpha: float
    power: float
    n_significant: int
    n_pairs: int
    pairs: tuple[tuple[str, str], ...]
    pvalues: Values
    n_topics: int
    note: str = ""
    skewed: tuple[Skewed | None, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "pvalues")

    @property
    def n_skewed(self) -> int:
        """Number of pairs whose differences are too skewed for the number of topics."""
        return sum(one is not None for one in self.skewed)

    @property
    def curve(self) -> Values:
        """The ASL curve: the p-values falling, without those that are nan."""
        return np.sort(self.pvalues[~np.isnan(self.pvalues)])[::-1]


def pair_by_pair(test: PairTest, correction: Correction = "none") -> AllPairsTest:
    """The test of all pairs that tests each with `test`, and corrects for their number.

    Parameters
    ----------
    test : function
        Of the values of two runs, in the same order of topics; its result has a `pvalue`. Where its `statistic` is
        infinite, there is no noise to measure a difference by, and no p-value.
    correction : str
        As of `correct`.
    """

    def pvalue(first: Values, second: Values) -> float:
        found = test(first, second)
        return nan if isinf(getattr(found, "statistic", 0.0)) else float(found.pvalue)

    def pvalues(values: Values) -> Values:
        return correct([pvalue(first, second) for first, second in combinations(values.T, 2)], correction).corrected

    return pvalues


def discriminative_power(
    evaluations: Sequence[Evaluation],
    test: AllPairsTest,
    *,
    called: str,
    measures: Sequence[str | Measure] | None = None,
    alpha: float = 0.05,
) -> tuple[DiscriminativePower, ...]:
    """Discriminative power and ASL curve of each measure over all pairs of runs.

    Parameters
    ----------
    evaluations : sequence of k Evaluation
        Two at least, of the same rules and conventions, paired by topic id.
    test : function
        From values of shape (topics, k) to one p-value a pair, in the order (0, 1), (0, 2), ..., (1, 2), ...:
        `pair_by_pair(paired_t_test)`, or `lambda values: tukey_hsd(values).pvalues`.
    called : str
        What the test is, for the result.
    measures : sequence of str or Measure, optional
        All that every evaluation has if not given, without counts and geometric means.
    alpha : float
        Level below which a pair counts as told apart.

    Returns
    -------
    tuple of DiscriminativePower
        In the order of the measures.

    Raises
    ------
    UsageError
        If there are fewer than two evaluations, a measure is not in every one, alpha is not between 0 and 1, or the
        test gives another number of p-values.
    DataError
        If the evaluations differ in rules or conventions, or have no topic or no measure in common.

    References
    ----------
    Sakai, SIGIR 2006.
    """
    if len(evaluations) < 2:
        raise UsageError(f"discriminative power needs at least two runs, got {len(evaluations)}")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha lies between 0 and 1, got {alpha}")
    if len({(str(one.rules), one.conventions) for one in evaluations}) > 1:
        raise DataError("the evaluations differ in rules or conventions; evaluate all runs alike")
    topics = set(evaluations[0].topics).intersection(*(one.topics for one in evaluations[1:]))
    if not topics:
        raise DataError("the evaluations have no topic in common: nothing can be compared")
    runs = told_apart([evaluation.restricted_to(topics) for evaluation in evaluations])
    n_all = max(one.n_topics for one in evaluations)
    return tuple(_power(runs, measure, test, called, alpha, n_all) for measure in _chosen(runs, measures))


def _chosen(runs: Sequence[Evaluation], wanted: Sequence[str | Measure] | None) -> Sequence[Measure]:
    shared = [measure for measure in runs[0].measures if all(measure in run.measures for run in runs)]
    if wanted is not None:
        return parse_measures(wanted)
    compared = [measure for measure in shared if measure.compared]
    if not compared:
        raise DataError("the evaluations have no measure in common whose means can be compared")
    return compared


def _power(
    runs: Sequence[Evaluation], measure: Measure, test: AllPairsTest, called: str, alpha: float, n_all: int
) -> DiscriminativePower:
    values = np.array([run.by_topic(measure) for run in runs]).T
    # nan: the convention `skip` left the topic out.
    table = table_of(values[~np.isnan(values).any(axis=1)], "runs", 2)
    pairs = tuple(combinations([run.name for run in runs], 2))
    pvalues = np.asarray(test(table), dtype=np.float64)
    if pvalues.shape != (len(pairs),):
        raise UsageError(f"the test {called} gave p-values of shape {pvalues.shape} for {counted(len(pairs), 'pair')}")
    n_significant = int((pvalues < alpha).sum())
    n_unknown = int(np.isnan(pvalues).sum())
    notes = [
        f"{n_all - len(table)} of {counted(n_all, 'topic')} left out" if len(table) < n_all else "",
        f"the test says nothing of {counted(n_unknown, 'pair')}" if n_unknown else "",
    ]
    return DiscriminativePower(
        str(measure),
        called,
        alpha,
        n_significant / len(pairs),
        n_significant,
        len(pairs),
        pairs,
        pvalues,
        len(table),
        "; ".join(filter(None, notes)),
        tuple(_skewed(paired_differences(*pair)) for pair in combinations(table.T, 2)),
    )


def _skewed(differences: Differences) -> Skewed | None:
    return None if differences.constant else skew_caution(differences.values)
