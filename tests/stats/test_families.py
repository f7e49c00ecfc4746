"""Families of tests that need no correction: max-T, Tukey's HSD and its randomised form."""

from fractions import Fraction
from itertools import permutations, product
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ten_topics import D10, differences_of_pairs

from irkit.errors import DataError, UsageError
from irkit.stats import max_t, paired_t_test, randomised_tukey, tukey_hsd

ALL_PAIRS = differences_of_pairs(D10)
BASELINE_A = ALL_PAIRS[:, :3]

small_tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=1, max_size=6)
)

# max-T ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("differences", "statistic", "form", "counts"),
    [
        (BASELINE_A, "t", "single_step", [34, 46, 2]),
        (BASELINE_A, "t", "step_down", [32, 32, 2]),
        (ALL_PAIRS, "t", "raw", [20, 20, 2, 292, 60, 6]),
        (ALL_PAIRS, "t", "single_step", [64, 76, 2, 642, 184, 12]),
        (ALL_PAIRS, "t", "step_down", [58, 58, 2, 292, 106, 12]),
        (ALL_PAIRS, "mean", "single_step", [100, 520, 2, 678, 328, 54]),
    ],
)
def test_all_1024_sign_patterns_of_ten_topics(differences, statistic, form, counts):
    result = max_t(differences, statistic=statistic)
    assert (getattr(result, form) * 1024).tolist() == counts
    assert (result.exact, result.n_flips, result.n_topics, result.seed, result.note) == (True, 1024, 10, None, "")


def max_t_by_hand(table):
    """Raw, single-step and step-down counts over all sign patterns, in whole numbers and fractions."""
    m = len(table[0])

    def statistics(signs):
        # t rises with (sum of differences)^2 / (sum of squares).
        sums = [sum(sign * row[j] for sign, row in zip(signs, table, strict=True)) for j in range(m)]
        squares = [sum(row[j] ** 2 for row in table) for j in range(m)]
        return [
            Fraction(total**2, square) if square else Fraction(0) for total, square in zip(sums, squares, strict=True)
        ]

    observed = statistics([1] * len(table))
    counts = {"raw": [0] * m, "single_step": [0] * m, "step_down": [0] * m}
    for signs in product([1, -1], repeat=len(table)):
        flipped = statistics(signs)
        for j in range(m):
            not_larger = [flipped[i] for i in range(m) if observed[i] <= observed[j]]
            counts["raw"][j] += flipped[j] >= observed[j]
            counts["single_step"][j] += max(flipped) >= observed[j]
            counts["step_down"][j] += max(not_larger) >= observed[j]
    counts["step_down"] = [
        max(count for count, other in zip(counts["step_down"], observed, strict=True) if other >= observed[j])
        for j in range(m)
    ]
    return {form: [count / 2 ** len(table) for count in column] for form, column in counts.items()}


@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=6))
def test_max_t_of_small_tables_is_what_counting_gives(table):
    result, expected = max_t(np.array(table) / 100), max_t_by_hand(table)
    for form in ("raw", "single_step", "step_down"):
        assert getattr(result, form) == pytest.approx(expected[form], abs=1e-12), form


@given(st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4), min_size=1, max_size=8), st.integers(0, 9))
def test_step_down_lies_between_raw_and_single_step(table, seed):
    for n_flips in (100_000, 99):
        result = max_t(table, n_flips=n_flips, rng=seed)
        assert (result.raw <= result.step_down).all()
        assert (result.step_down <= result.single_step).all()
        assert (result.single_step <= 1).all()
        assert (result.raw > 0).all()


def test_one_comparison_is_the_sign_flip_test():
    # A - B over ten topics: 20 of the 1024 sums of flipped differences are 61 or more in size.
    result = max_t(ALL_PAIRS[:, :1])
    assert result.raw == result.single_step == result.step_down == 20 / 1024


@pytest.mark.parametrize("form", ["raw", "single_step", "step_down"])
def test_sampled_flips_come_within_four_standard_errors_of_all(form):
    exact = getattr(max_t(ALL_PAIRS), form)
    result = max_t(ALL_PAIRS, n_flips=1000, rng=3)  # fewer than the 1024 that there are
    assert (result.exact, result.n_flips, result.seed) == (False, 1000, 3)
    assert (abs(getattr(result, form) - exact) <= 4 * np.sqrt(exact * (1 - exact) / 1000) + 1 / 1000).all()


def test_a_sampled_p_is_never_0_and_its_seed_makes_it_again():
    differences = np.linspace(0.1, 0.2, 40)[:, None]  # all of 40 topics one way: 2 patterns in 2^40
    result = max_t(differences, n_flips=999, rng=5)
    assert result.step_down == 1 / 1000
    noisy = np.random.default_rng(0).normal(0.1, 1, (40, 3))
    assert max_t(noisy, n_flips=999, rng=5).raw.tolist() == max_t(noisy, n_flips=999, rng=5).raw.tolist()
    assert (
        max_t(noisy, n_flips=999, rng=np.random.default_rng(5)).raw.tolist()
        == max_t(noisy, n_flips=999, rng=5).raw.tolist()
    )
    assert max_t(noisy, n_flips=999, rng=np.random.default_rng(5)).seed is None


def test_topics_in_which_nothing_differs_change_no_p():
    # The t of a flipped sum changes with them, but in the same order.
    padded = np.vstack((ALL_PAIRS, np.zeros((20, 6))))
    assert max_t(padded).step_down.tolist() == max_t(ALL_PAIRS).step_down.tolist()


def test_a_system_that_is_the_baseline_again_has_p_1_and_does_not_disturb_the_rest():
    with_twin = max_t(np.column_stack((BASELINE_A, np.zeros(10))))
    assert (with_twin.step_down * 1024).tolist() == [32, 32, 2, 1024]


def test_identical_systems_have_p_1():
    result = max_t(np.zeros((5, 2)))
    assert result.single_step.tolist() == result.raw.tolist() == [1, 1]
    assert result.note == "identical: no topic differs in any comparison"


def test_the_same_difference_everywhere_has_the_largest_t_that_there_is():
    # Only the two patterns of one sign reach it: 2 of 2^5, though t is infinite there.
    constant = np.column_stack((np.full(5, 0.1), [0.5, 0.1, 0.3, -0.2, 0.4]))
    assert max_t(constant).raw[0] == max_t(constant).single_step[0] == 2 / 32


@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e200])
@pytest.mark.parametrize("statistic", ["t", "mean"])
def test_the_unit_of_the_scores_does_not_matter(scale, statistic):
    expected = max_t(ALL_PAIRS, statistic=statistic).step_down.tolist()
    assert max_t(ALL_PAIRS * scale, statistic=statistic).step_down.tolist() == expected
    assert max_t(-ALL_PAIRS, statistic=statistic).step_down.tolist() == expected


@pytest.mark.parametrize(
    ("table", "named", "error", "message"),
    [
        ([0.1, 0.2], {}, UsageError, r"1 comparisons at least, got shape \(2,\)"),
        (np.empty((3, 0)), {}, UsageError, r"got shape \(3, 0\)"),
        (np.empty((0, 3)), {}, DataError, "one topic at least"),
        ([[np.nan]], {}, DataError, "finite values"),
        ([[0.1]], {"n_flips": 0}, UsageError, "one flip at least, got 0"),
        ([[0.1]], {"statistic": "median"}, UsageError, "the statistics t and mean, not 'median'"),
    ],
)
def test_what_max_t_cannot_take_is_refused(table, named, error, message):
    with pytest.raises(error, match=message):
        max_t(table, **named)


# Tukey ----------------------------------------------------------------------------------------------------------------


def test_tukey_of_four_systems():
    result = tukey_hsd(D10)
    assert result.pairs == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    assert result.mean_square_error == pytest.approx(0.0402475 / 27, abs=1e-12)  # residual squares over 9 * 3
    assert result.degrees_of_freedom == 27
    assert result.f_statistic == pytest.approx(12.9535374868, abs=1e-9)
    assert result.f_pvalue == pytest.approx(1.98093e-5, abs=1e-10)
    assert result.hsd == pytest.approx(0.0472506881, abs=1e-10)
    assert result.hsd / sqrt(result.mean_square_error / 10) == pytest.approx(3.8700855436, abs=1e-9)
    assert result.differences == pytest.approx([0.061, 0.034, 0.104, -0.027, 0.043, 0.070], abs=1e-12)
    q = [4.9962281568, 2.7847829071, 8.5181594804, 2.2114452497, 3.5219313236, 5.7333765734]
    assert result.q == pytest.approx(q, abs=1e-9)
    p = [0.0077019150, 0.2244345671, 0.0000113698, 0.4153852547, 0.0842492713, 0.0020495072]
    assert result.pvalues == pytest.approx(p, abs=1e-10)
    assert result.effect_sizes[0] == pytest.approx(1.5799460685, abs=1e-9)  # .061 / sqrt(MSE)
    assert (result.n_topics, result.n_systems, result.alpha, result.note) == (10, 4, 0.05, "")


def test_topics_are_taken_out_before_systems_are_compared():
    # Without topics the residual variance of D10 is .0383791667, and A against D has p .6387982 instead of .0000114.
    stats = pytest.importorskip("scipy.stats")
    assert stats.tukey_hsd(*D10.T).pvalue[0, 3] == pytest.approx(0.6387982, abs=1e-7)
    assert tukey_hsd(D10).pvalues[2] < 0.0001
    harder = D10 + np.linspace(0, 50, 10)[:, None]
    assert tukey_hsd(harder).pvalues == pytest.approx(tukey_hsd(D10).pvalues, abs=1e-10)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=3, max_size=12))
@settings(max_examples=30)
def test_tukey_of_two_systems_is_the_paired_t_test(rows):
    values = np.array(rows) / 64
    paired, tukey = paired_t_test(values[:, 0], values[:, 1]), tukey_hsd(values)
    if paired.note:
        assert tukey.note
        return
    assert tukey.q[0] == pytest.approx(abs(paired.statistic) * sqrt(2))
    assert tukey.pvalues[0] == pytest.approx(paired.pvalue, abs=1e-9)
    assert tukey.f_statistic == pytest.approx(paired.statistic**2)
    assert tukey.f_pvalue == pytest.approx(paired.pvalue)


def test_p_is_alpha_where_the_difference_is_the_honestly_significant_one():
    values = np.array([[0.1, 0.3, 0.2], [0.5, 0.4, 0.3], [0.2, 0.6, 0.9], [0.7, 0.3, 0.8]])
    for alpha in (0.01, 0.2):
        hsd = tukey_hsd(values, alpha=alpha).hsd
        moved = values.copy()
        moved[:, 0] += hsd - (values[:, 0] - values[:, 1]).mean()
        assert tukey_hsd(moved, alpha=alpha).pvalues[0] == pytest.approx(alpha, abs=1e-9)


def test_identical_systems_have_p_1_by_tukey():
    result = tukey_hsd(np.repeat(D10[:, :1], 3, axis=1))
    assert result.pvalues.tolist() == [1, 1, 1]
    assert result.note == "identical: no system differs in any topic"
    assert isnan(result.hsd)


def test_two_identical_systems_beside_others_have_p_1():
    result = tukey_hsd(D10[:, [0, 0, 1]])
    assert result.q[0] == 0
    assert result.pvalues[0] == pytest.approx(1)


def test_systems_apart_by_the_same_everywhere_leave_tukey_no_variance_and_it_says_so():
    result = tukey_hsd(D10[:, :1] + [0, 0.1, 0.3])
    assert np.isnan(result.pvalues).all()
    assert result.differences == pytest.approx([-0.1, -0.3, -0.2])
    assert "no residual variance to measure them by" in result.note


def test_one_topic_gives_tukey_nothing_to_go_by():
    result = tukey_hsd([[0.1, 0.2]])
    assert np.isnan(result.pvalues).all()
    assert isnan(result.mean_square_error)
    assert result.note == "one topic: no test is possible"


def test_a_difference_beyond_all_doubt_keeps_its_p_between_0_and_1():
    noise = np.random.default_rng(0).normal(0, 1e-6, (50, 3))
    result = tukey_hsd(noise + np.arange(3))
    assert ((result.pvalues >= 0) & (result.pvalues < 1e-9)).all()
    assert np.isfinite(result.q).all()


@pytest.mark.parametrize("test", [tukey_hsd, randomised_tukey])
@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([[0.1], [0.2]], UsageError, r"2 systems at least, got shape \(2, 1\)"),
        ([0.1, 0.2], UsageError, r"got shape \(2,\)"),
        (np.empty((0, 2)), DataError, "one topic at least"),
        ([[0.1, np.nan]], DataError, "finite values"),
    ],
)
def test_values_that_are_no_table_of_systems_are_refused(test, values, error, message):
    with pytest.raises(error, match=message):
        test(values)


def test_levels_and_sizes_that_cannot_be_are_refused():
    with pytest.raises(UsageError, match="alpha lies between 0 and 1, got 5"):
        tukey_hsd(D10, alpha=5)
    with pytest.raises(UsageError, match="one permutation at least, got 0"):
        randomised_tukey(D10, n_permutations=0)


# Randomised Tukey -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "expected", "n_permutations"),
    [
        (D10[:4, :3], [708 / 1296, 564 / 1296, 1], 6**4),
        (D10[:, :3], [0.0099643807, 0.2993406429, 0.4783605300], 6**10),
        # A system far below the others makes it harder for those: A against B goes from .00996 to .0775.
        (D10, [0.0775066696, 0.5730495418, 0.0000150683, 0.7431564390, 0.3544242105, 0.0261176134], 24**10),
    ],
)
def test_all_exchanges_of_systems_within_topics(values, expected, n_permutations):
    result = randomised_tukey(values)
    assert result.pvalues == pytest.approx(expected, abs=1e-10)
    assert (result.exact, result.n_permutations, result.seed) == (True, n_permutations, None)


@given(small_tables)
@settings(max_examples=60)
def test_the_randomised_form_is_what_counting_gives(table):
    table = [row[:3] for row in table[:4]]
    k = len(table[0])
    sums = [sum(column) for column in zip(*table, strict=True)]
    apart = [abs(sums[i] - sums[j]) for i in range(k) for j in range(i + 1, k)]
    counts, n_orders = [0] * len(apart), 0
    for orders in product(*(tuple(permutations(row)) for row in table)):
        totals = [sum(column) for column in zip(*orders, strict=True)]
        n_orders += 1
        for place, least in enumerate(apart):
            counts[place] += max(totals) - min(totals) >= least
    result = randomised_tukey(np.array(table) / 10)
    assert result.n_permutations == n_orders
    assert result.pvalues == pytest.approx([count / n_orders for count in counts], abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=10))
def test_the_randomised_form_of_two_systems_is_the_sign_flip_test(rows):
    values = np.array(rows) / 20
    flipped = max_t(differences_of_pairs(values))
    assert randomised_tukey(values).pvalues == pytest.approx(flipped.raw, abs=1e-12)


def test_drawn_exchanges_come_within_four_standard_errors_of_all(monkeypatch):
    monkeypatch.setattr("irkit.stats.paired.tukey_randomised._MOST_SUMS", 0)  # so that they are not all counted
    result = randomised_tukey(D10, n_permutations=20_000, rng=4)
    exact = np.array([0.0775066696, 0.5730495418, 0.0000150683, 0.7431564390, 0.3544242105, 0.0261176134])
    assert (result.exact, result.n_permutations, result.seed) == (False, 20_000, 4)
    assert (abs(result.pvalues - exact) <= 4 * np.sqrt(exact * (1 - exact) / 20_000) + 1 / 20_000).all()


def test_a_difference_that_no_draw_reaches_has_p_1_of_n_plus_1():
    noise = np.random.default_rng(1).normal(0, 1, (40, 5))
    result = randomised_tukey(noise + 100 * np.eye(5)[4], n_permutations=999)
    assert result.pvalues[3] == 1 / 1000
    assert randomised_tukey(noise, n_permutations=99, rng=np.random.default_rng(2)).seed is None


def test_what_a_topic_adds_to_every_system_changes_nothing():
    harder = D10[:, :3] + np.linspace(0, 50, 10)[:, None]
    assert randomised_tukey(harder).pvalues == pytest.approx(randomised_tukey(D10[:, :3]).pvalues, abs=1e-12)
    # Beside so much, the differences are smaller than the tolerance would be if what is added were left in.
    far = np.rint(D10[:, :2] * 100) + 2.0**40
    assert randomised_tukey(far).pvalues == 20 / 1024


def test_one_topic_and_identical_systems_have_p_1_by_exchange():
    assert randomised_tukey([[0.1, 0.2, 0.9]]).pvalues.tolist() == [1, 1, 1]
    assert randomised_tukey(np.repeat(D10[:, :1], 3, axis=1)).pvalues == pytest.approx([1, 1, 1])
