"""All tests of a comparison together: their p-values, and these corrected for each other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isnan
from typing import Any, Final, NamedTuple, cast

import numpy as np

from irkit._utils.text import counted, instead
from irkit.errors import UsageError
from irkit.stats.paired.bootstrap import bootstrap_shift_test
from irkit.stats.paired.bootstrap_t import studentised_bootstrap_test
from irkit.stats.paired.calibrated import Calibrated, deciding_test, margin_pvalue
from irkit.stats.paired.checked_arrays import chance_of
from irkit.stats.paired.corrections import CORRECTIONS, Correction, correct
from irkit.stats.paired.differences import (
    IDENTICAL,
    Alternative,
    PairedTest,
    check_alternative,
    least_by_signs,
    paired_differences,
)
from irkit.stats.paired.equivalence import MarginDecider, MarginKind, MarginTest, equivalence_test, non_inferiority_test
from irkit.stats.paired.maxt import max_t
from irkit.stats.paired.means import FloatArray
from irkit.stats.paired.pairing import Pair, Scores
from irkit.stats.paired.sign import sign_test
from irkit.stats.paired.signflip import sign_flip_pvalues, sign_flip_result
from irkit.stats.paired.student import paired_t_test
from irkit.stats.paired.tukey import tukey_hsd
from irkit.stats.paired.tukey_randomised import randomised_tukey
from irkit.stats.paired.wilcoxon import wilcoxon_test

Chance = int | np.random.Generator

# Those of a single pair by their names here, and whether chance may be in them.
_OF_A_PAIR: Final[Mapping[str, tuple[Callable[..., PairedTest], bool]]] = {
    "t": (paired_t_test, False),
    "wilcoxon": (wilcoxon_test, False),
    "sign": (sign_test, False),
    "bootstrap": (studentised_bootstrap_test, True),
    "bootstrap-shift": (bootstrap_shift_test, True),
}
PAIRED_TESTS: Final = ("t", "sign-flip", *(name for name in _OF_A_PAIR if name != "t"))
# The test that each of these corrections is made of.
_TEST_OF: Final[Mapping[str, str]] = {"max-t": "sign-flip", "tukey": "", "randomised-tukey": ""}
FAMILY_CORRECTIONS: Final = (*CORRECTIONS, *_TEST_OF)
CALLED: Final = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "benjamini-hochberg": "Benjamini-Hochberg",
    "max-t": "max-T",
    "tukey": "Tukey HSD",
    "randomised-tukey": "randomised Tukey HSD",
}
# Enough for three decimals of a p near 0.05; a resample of topics costs more than signs do.
_N_FLIPS: Final = 100_000
_N_RESAMPLES: Final = 10_000


class FamilyOfTests(NamedTuple):
    """Tests made together.

    Attributes
    ----------
    tests : list of PairedTest
        In the order of the pairs.
    adjusted : list of float
        Their p-values corrected; as they are where nothing is corrected.
    n_tests : int
        What was corrected for.
    family : str
        The same in words, "Holm over 6 tests"; empty where nothing is corrected.
    note : str
        A sentence about tests that gave no p-value; else empty.
    """

    tests: list[PairedTest]
    adjusted: list[float]
    n_tests: int
    family: str
    note: str = ""


def check_family(test: str | None, correction: str, alternative: str, *, all_pairs: bool) -> None:
    """Refuse tests and corrections that do not exist, or not together."""
    check_alternative(alternative)
    if test is not None and test not in PAIRED_TESTS:
        raise UsageError(f"there is no test {test!r}; {instead(str(test), PAIRED_TESTS)}")
    if correction not in FAMILY_CORRECTIONS:
        raise UsageError(f"there is no correction {correction!r}; {instead(str(correction), FAMILY_CORRECTIONS)}")
    if correction in CORRECTIONS:
        return
    made_of = _TEST_OF[correction]
    if test not in (None, made_of):
        of = f"the test {made_of!r}" if made_of else "a test of its own"
        raise UsageError(f"the correction {correction!r} is made of {of}, not of {test!r}; name no other")
    if alternative != "two-sided":
        raise UsageError(f"the correction {correction!r} is two-sided, not {alternative!r}; 'holm' takes either")
    if not made_of and not all_pairs:
        raise UsageError(f"the correction {correction!r} is of all pairs of runs; compare all pairs, or take 'max-t'")


def family_of_tests(
    scores: Scores,
    pairs: Sequence[Pair],
    *,
    test: str | None,
    alternative: Alternative,
    correction: str,
    n_resamples: int | None,
    rng: Chance,
    calibrated: Sequence[Calibrated | None],
) -> FamilyOfTests:
    """The tests of all pairs, named, and the p-values that decide, corrected for each other; see `compare`."""
    if correction == "max-t":
        found = _by_max_t(scores, pairs, n_resamples, rng)
    elif correction in _TEST_OF:
        found = _by_range(scores, pairs, correction, n_resamples, rng)
    else:
        found = _one_by_one(scores, pairs, test or "t", alternative, correction, n_resamples, rng, calibrated)
    named = [
        replace(one, measure=pair.measure, baseline=pair.baseline, candidate=pair.candidate)
        for one, pair in zip(found.tests, pairs, strict=True)
    ]
    return found._replace(tests=named)


def margin_tests(
    pairs: Sequence[Pair],
    kind: MarginKind,
    margin: float,
    correction: str,
    calibrated: Sequence[Calibrated | None],
) -> list[MarginTest]:
    """The tests of all pairs against a margin, corrected as a family of their own.

    Where differences are skewed the larger p of t and bootstrap-t decides, and where they are all the same that of the
    sign test against the margin. A correction that is a test of differences cannot be made of these: Holm's takes its
    place.
    """
    found: list[tuple[MarginDecider, float, float]] = []
    for pair, beside in zip(pairs, calibrated, strict=True):
        differences = paired_differences(pair.candidate_values, pair.baseline_values)
        one = equivalence_test if kind == "equivalence" else non_inferiority_test
        of_t = one(pair.candidate_values, pair.baseline_values, margin).pvalue
        decided: tuple[MarginDecider, float] = "t", of_t
        if differences.constant and not differences.identical and of_t == 0:
            decided = "sign", least_by_signs(differences.n, "greater")
        elif beside is not None:
            pvalue = margin_pvalue(differences, beside.resampled, margin, both_sides=kind == "equivalence")
            decided = ("bootstrap-t", pvalue) if pvalue > of_t else decided
        found.append((*decided, of_t))
    corrected = correction if correction in CORRECTIONS else "holm"
    adjusted, _, family, _ = _corrected([pvalue for _, pvalue, _ in found], corrected)
    return [
        MarginTest(kind, margin, pvalue, its_adjusted, family, by, of_t)
        for (by, pvalue, of_t), its_adjusted in zip(found, adjusted, strict=True)
    ]


def _one_by_one(
    scores: Scores,
    pairs: Sequence[Pair],
    test: str,
    alternative: Alternative,
    correction: str,
    n_resamples: int | None,
    rng: Chance,
    calibrated: Sequence[Calibrated | None],
) -> FamilyOfTests:
    if test == "sign-flip":
        tests = _flipped(scores, pairs, alternative, n_resamples or _N_FLIPS, rng)
    else:
        function, by_chance = _OF_A_PAIR[test]
        if by_chance:
            function = partial(function, n_resamples=n_resamples or _N_RESAMPLES, rng=rng)
        tests = [function(pair.candidate_values, pair.baseline_values, alternative=alternative) for pair in pairs]
    deciding = [deciding_test(one, beside).pvalue for one, beside in zip(tests, calibrated, strict=True)]
    return FamilyOfTests(tests, *_corrected(deciding, correction))


def _corrected(pvalues: Sequence[float], correction: str) -> tuple[list[float], int, str, str]:
    found = correct(pvalues, cast(Correction, correction))
    if correction == "none" or len(pvalues) == 1 or not found.n_tests:
        return found.corrected.tolist(), found.n_tests, "", ""
    family = f"{CALLED[correction]} over {counted(found.n_tests, 'test')}"
    return found.corrected.tolist(), found.n_tests, family, f"{found.note}." if found.note else ""


def _columns(scores: Scores, pairs: Sequence[Pair]) -> FloatArray:
    """The differences of each pair as a column of all topics; 0, which no flip of signs changes, where it has none."""
    columns = np.zeros((len(scores.topics), len(pairs)))
    for column, pair in zip(columns.T, pairs, strict=True):
        column[pair.places] = paired_differences(pair.candidate_values, pair.baseline_values).values
    return columns


def _flipped(
    scores: Scores, pairs: Sequence[Pair], alternative: Alternative, n_resamples: int, rng: Chance
) -> list[PairedTest]:
    """Sign-flip tests that share their signs."""
    columns = _columns(scores, pairs)
    pvalues, exact = sign_flip_pvalues(columns, alternative=alternative, n_resamples=n_resamples, rng=rng)
    sampled = n_resamples, chance_of(rng)[1]
    return [
        sign_flip_result(
            paired_differences(pair.candidate_values, pair.baseline_values),
            pvalue,
            alternative=alternative,
            sampled=None if counted_all else sampled,
        )
        for pair, pvalue, counted_all in zip(pairs, pvalues.tolist(), exact.tolist(), strict=True)
    ]


def _by_max_t(scores: Scores, pairs: Sequence[Pair], n_resamples: int | None, rng: Chance) -> FamilyOfTests:
    found = max_t(_columns(scores, pairs), n_flips=n_resamples or _N_FLIPS, rng=rng)
    sampled = None if found.exact else (found.n_flips, found.seed)
    tests = [
        sign_flip_result(
            paired_differences(pair.candidate_values, pair.baseline_values),
            pvalue,
            alternative="two-sided",
            sampled=sampled,
        )
        for pair, pvalue in zip(pairs, found.raw.tolist(), strict=True)
    ]
    family = "" if len(pairs) == 1 else f"max-T over {len(pairs)} tests, step down"
    return FamilyOfTests(tests, found.step_down.tolist(), len(pairs), family)


def _by_range(
    scores: Scores, pairs: Sequence[Pair], correction: str, n_resamples: int | None, rng: Chance
) -> FamilyOfTests:
    """Tukey's test or its randomised form for all pairs of each measure and group, with Bonferroni over these."""
    tables = list(dict.fromkeys((pair.group, pair.measure) for pair in pairs))
    found: dict[tuple[str | None, str, tuple[int, int]], PairedTest] = {}
    for group, measure in tables:
        inside = [pair for pair in pairs if (pair.group, pair.measure) == (group, measure)]
        column = [str(one) for one in scores.measures].index(measure)
        values = scores.values[:, column, inside[0].places].T
        for pair, test in zip(inside, _ranged(values, inside, correction, n_resamples, rng), strict=True):
            found[group, measure, pair.runs] = test
    tests = [found[pair.group, pair.measure, pair.runs] for pair in pairs]
    n_pairs = len(pairs) // len(tables)
    family = "" if len(pairs) == 1 else f"{CALLED[correction]} over {counted(n_pairs, 'pair')}"
    if len(tables) > 1:
        family += f", Bonferroni over {len(tables)} such families: {len(pairs)} tests"
    adjusted = [one.pvalue if isnan(one.pvalue) else min(1.0, len(tables) * one.pvalue) for one in tests]
    return FamilyOfTests(tests, adjusted, len(pairs), family)


def _ranged(
    values: FloatArray, pairs: Sequence[Pair], correction: str, n_resamples: int | None, rng: Chance
) -> Iterable[PairedTest]:
    """The tests of all pairs of columns, in the order of the pairs, which are those of `itertools.combinations`."""
    if correction == "tukey":
        hsd = tukey_hsd(values)
        statistics, pvalues = hsd.q.tolist(), hsd.pvalues.tolist()
        known: dict[str, Any] = {"null": "no run's mean differs from another's", "note": hsd.note}
    else:
        randomised = randomised_tukey(values, n_permutations=n_resamples or _N_RESAMPLES, rng=rng)
        # the earlier run of each pair is its baseline
        statistics, pvalues = (-randomised.differences).tolist(), randomised.pvalues.tolist()
        known = {"null": "in each topic every run's score could as well have been another's", "exact": randomised.exact}
        if not randomised.exact:
            known |= {"n_resamples": randomised.n_permutations, "seed": randomised.seed}
    for pair, statistic, pvalue in zip(pairs, statistics, pvalues, strict=True):
        differences = paired_differences(pair.candidate_values, pair.baseline_values)
        about = known | {"note": IDENTICAL} if differences.identical else known
        yield differences.result(CALLED[correction], statistic, pvalue, alternative="two-sided", **about)
