"""The sign-flip test: exact counts, by hand and by two routes; samples against them; many pairs that share signs."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import A, B, C, X, Y, scores_of

from irkit.errors import DataError, UsageError
from irkit.stats import sign_flip_pvalues, sign_flip_test
from irkit.stats.paired.lattice import multiples_of_a_step
from irkit.stats.paired.signflip import sign_blocks

SIDES = ("two-sided", "greater", "less")


@pytest.mark.parametrize(
    ("candidate", "baseline", "n_patterns", "counts", "n_effective"),
    [
        (A, B, 2**10, (20, 10, 1022), 9),
        (A, C, 2**10, (20, 10, 1018), 10),
        (X, Y, 2**24, (4098, 2049, 0.9999204278 * 2**24), 24),
    ],
)
def test_known_answers(candidate, baseline, n_patterns, counts, n_effective):
    for alternative, count in zip(SIDES, counts, strict=True):
        result = sign_flip_test(candidate, baseline, alternative=alternative)
        assert result.pvalue == pytest.approx(count / n_patterns, abs=1e-10)
        assert (result.exact, result.n_resamples, result.seed) == (True, None, None)
        assert (result.n_effective, result.note) == (n_effective, "")
        assert result.statistic == result.mean_difference


def test_three_topics_with_a_tie_that_rounding_hides():
    # -3 -1 1: the sums of the eight patterns are +-3 (twice each), +-5 and +-1; six are as far from 0 as -3
    assert sign_flip_test(*scores_of([-0.3, -0.1, 0.1])).pvalue == 0.75


def brute(differences, alternative):
    """The share of all sign patterns, in integers."""
    observed = sum(differences)
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    extreme = {
        "two-sided": lambda one: abs(one) >= abs(observed),
        "greater": lambda one: one >= observed,
        "less": lambda one: one <= observed,
    }[alternative]
    return sum(map(extreme, sums)) / len(sums)


@pytest.mark.parametrize("alternative", SIDES)
@given(differences=st.lists(st.integers(-9, 9), min_size=1, max_size=9))
@settings(deadline=None)
def test_enumeration_by_halves_is_that_of_all_patterns(alternative, differences):
    found = sign_flip_test(*scores_of(np.array(differences) / 100), alternative=alternative)
    assert found.pvalue == brute(differences, alternative)


@pytest.mark.parametrize("alternative", SIDES)
@given(differences=st.lists(st.integers(-9, 9), min_size=1, max_size=9))
@settings(deadline=None)
def test_sums_on_a_grid_give_the_same_as_all_patterns(alternative, differences):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.stats.paired.signflip.MOST_ENUMERATED", 0)
        found = sign_flip_test(*scores_of(np.array(differences) / 100), alternative=alternative)
    assert found.exact
    assert found.pvalue == pytest.approx(brute(differences, alternative), abs=1e-14)


def test_25_topics_by_sums_on_a_grid_and_by_halves(monkeypatch):
    halves = sign_flip_test(X, Y).pvalue
    monkeypatch.setattr("irkit.stats.paired.signflip.MOST_ENUMERATED", 0)
    assert sign_flip_test(X, Y).pvalue == pytest.approx(halves, rel=1e-12)


@pytest.mark.parametrize(
    ("values", "multiples", "step"),
    [
        ([0.3, -0.1, 0.0, 0.5], [3, -1, 0, 5], 0.1),
        ([0.42 - 0.35, 0.61 - 0.52, 0.30 - 0.33], [7, 9, -3], 0.01),
        ([1 / 2, 1 / 3, -1 / 10], [15, 10, -3], 1 / 30),
        ([1 / 7 - 1 / 9, 1 / 8], [16, 63], 1 / 504),  # 2/63 = 16/504
        ([6e-300, -4e-300], [3, -2], 2e-300),
    ],
)
def test_the_largest_step_of_which_all_are_multiples(values, multiples, step):
    found, width = multiples_of_a_step(np.array(values), 1e-12 * max(map(abs, values)))
    assert (found.tolist(), width) == (multiples, pytest.approx(step, rel=1e-12, abs=0))


@pytest.mark.parametrize("values", [[1.0, 2**0.5], [0.3, 0.1 + 1e-9], [0.0, 0.0]])
def test_numbers_without_a_common_step_have_none(values):
    assert multiples_of_a_step(np.array(values), 1e-12) is None


def test_a_seeded_sample_of_9999_patterns_counts_185():
    # numpy's default_rng(42).integers(0, 2, (9999, 10)) * 2 - 1 on A-B, counted by another program
    signs = np.concatenate(list(sign_blocks(10, 9999, 42)))
    assert signs.shape == (9999, 10)
    differences = np.rint(100 * (A - B))
    assert np.count_nonzero(abs(signs @ differences) >= 61) == 185


def test_blocks_of_signs_are_one_stream():
    whole = 2 * np.random.default_rng(3).integers(0, 2, (5000, 1001)) - 1  # 2,095 rows of 1,001 in a block
    assert (np.concatenate(list(sign_blocks(1001, 5000, 3))) == whole).all()


def off_the_grid(n, seed):
    return np.random.default_rng(seed).normal(0.02, 0.1, n)


def test_a_sampled_p_is_one_more_than_the_count_of_one_more_than_the_sample():
    always = np.full(40, 2**-0.5) + np.arange(40) * 1e-5 * np.pi  # no other pattern comes near
    result = sign_flip_test(*scores_of(always), n_resamples=999, rng=7)
    assert (result.pvalue, result.exact, result.n_resamples, result.seed) == (1 / 1000, False, 999, 7)
    assert sign_flip_test(*scores_of(always), n_resamples=999, rng=np.random.default_rng(7)).seed is None


@pytest.mark.parametrize("alternative", SIDES)
def test_a_sample_comes_near_the_exact_p(alternative, monkeypatch):
    exact = sign_flip_test(X, Y, alternative=alternative).pvalue
    bent = scores_of(off_the_grid(28, 1))
    exact_bent = sign_flip_test(*bent, alternative=alternative).pvalue
    monkeypatch.setattr("irkit.stats.paired.signflip.MOST_ENUMERATED", 0)
    sampled = sign_flip_test(*bent, alternative=alternative, n_resamples=20_000)
    assert not sampled.exact
    for found, known in ((sampled.pvalue, exact_bent), (sampled_grid(alternative), exact)):
        assert abs(found - known) <= 4 * (known * (1 - known) / 20_000) ** 0.5 + 1 / 20_001


def sampled_grid(alternative):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.stats.paired.signflip.subset_sums", lambda sizes: None)
        result = sign_flip_test(X, Y, alternative=alternative, n_resamples=20_000)
    assert not result.exact
    return result.pvalue


def test_a_sample_of_scores_on_a_grid_counts_ties():
    # 40 differences of +-0.1, 24 of them won: as extreme are all with 24 heads or more of 40, or 16 or fewer
    differences = np.array([0.1] * 24 + [-0.1] * 16)
    exact = sign_flip_test(*scores_of(differences))
    assert (exact.exact, exact.n_effective) == (True, 40)
    assert exact.pvalue == pytest.approx(2 * sum(comb(40, heads) for heads in range(24, 41)) / 2**40, abs=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.stats.paired.signflip.subset_sums", lambda sizes: None)
        sampled = sign_flip_test(*scores_of(differences), n_resamples=20_000)
    assert abs(sampled.pvalue - exact.pvalue) < 4 * (exact.pvalue * (1 - exact.pvalue) / 20_000) ** 0.5


@pytest.mark.parametrize("alternative", SIDES)
def test_many_pairs_have_the_p_values_that_each_has_alone(alternative):
    # topics 31 or more and off any grid: sampled; the same signs serve all, however many there are
    columns = np.column_stack([off_the_grid(35, seed) for seed in range(5)] + [np.tile([0.1, 0, -0.2, 0.3, 0], 7)])
    together = sign_flip_pvalues(columns, alternative=alternative, n_resamples=5000, rng=3)
    assert together.exact.tolist() == [False] * 5 + [True]
    for column, pvalue in zip(columns.T, together.pvalues, strict=True):
        alone = sign_flip_test(*scores_of(column, at=0.0), alternative=alternative, n_resamples=5000, rng=3)
        assert alone.pvalue == pvalue


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=8))
@settings(deadline=None, max_examples=25)
def test_exact_p_agrees_with_scipy(differences):
    stats = pytest.importorskip("scipy.stats")
    for alternative in SIDES:
        values = np.array(differences) / 64
        expected = stats.permutation_test(
            (values,),
            lambda sample, axis: sample.mean(axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
            alternative=alternative,
        )
        # scipy doubles the smaller tail where the observed mean is 0, too, and cuts at 1
        assert sign_flip_test(*scores_of(values), alternative=alternative).pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(
    ("differences", "error", "message"),
    [
        ([0.1, 0.2], UsageError, r"columns of differences at least, got shape \(2,\)"),
        (np.empty((0, 2)), DataError, "one topic at least"),
        ([[0.1], [float("nan")]], DataError, "finite values"),
    ],
)
def test_what_is_no_table_of_differences_is_refused(differences, error, message):
    with pytest.raises(error, match=message):
        sign_flip_pvalues(differences)
