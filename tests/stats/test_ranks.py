"""Wilcoxon's signed-rank test and the sign test: known answers, enumeration by hand, scipy."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import A, B, C, X, Y, scores_of

from irkit.errors import UsageError
from irkit.stats import sign_test, wilcoxon_test
from irkit.stats.paired.wilcoxon import midranks

SIDES = ("two-sided", "greater", "less")


@pytest.mark.parametrize(
    ("pair", "zeros", "method", "above", "pvalue"),
    [
        ((A, B), "wilcox", "auto", 42.5, 10 / 512),
        ((A, B), "wilcox", "normal", 42.5, 0.0167297230),  # mu 22.5, variance 69.875: z = 20 / sqrt(69.875)
        ((A, B), "wilcox", "corrected", 42.5, 0.0196597181),
        ((A, B), "pratt", "exact", 50.5, 0.01953125),
        ((A, B), "pratt", "normal", 50.5, 0.0156997379),  # mu 27, variance 94.625
        ((A, B), "pratt", "corrected", 50.5, 0.0180582566),
        ((A, B), "zsplit", "normal", 55 - 4.0, 0.0158375880),
        ((A, B), "zsplit", "corrected", 55 - 4.0, 0.0182107851),
        ((A, C), "wilcox", "auto", 50.5, 16 / 1024),
        ((X, Y), "wilcox", "auto", 272, 0.0001671314),
        ((X, Y), "wilcox", "normal", 272, 0.0004788565),
        ((X, Y), "wilcox", "corrected", 272, 0.0005051692),
        ((X, Y), "pratt", "exact", 289, 0.0002417564),
    ],
)
def test_known_answers_of_signed_ranks(pair, zeros, method, above, pvalue):
    result = wilcoxon_test(*pair, zeros=zeros, method=method)
    assert (result.statistic, result.pvalue) == pytest.approx((above, pvalue), abs=1e-10)
    assert result.exact == (method in ("auto", "exact"))
    assert result.n_effective == np.count_nonzero(np.rint(100 * (pair[0] - pair[1])))


def test_halves_of_the_zeros_on_both_sides_do_not_change_the_exact_p():
    split, dropped = (wilcoxon_test(A, B, zeros=zeros) for zeros in ("zsplit", "pratt"))
    assert (split.statistic, split.pvalue) == (dropped.statistic + 1 / 2, dropped.pvalue)  # the zero has rank 1


def test_sizes_that_are_equal_but_for_rounding_share_their_rank():
    assert midranks(np.array([0.3, 0.1 + 0.2, 0.1, 0.2]), 1e-12).tolist() == [3.5, 3.5, 1, 2]
    # 0.42-0.35, 0.52-0.45 and 0.07: three sevens, two above; ranks 2 each: W+ = 4 of 6
    result = wilcoxon_test([0.42, 0.52, 0.0], [0.35, 0.45, 0.07])
    assert (result.statistic, result.pvalue) == (4, 1)  # as far from 3 as 2: 4 or more 1/2, 4 or less 7/8


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=8).filter(any))
@settings(deadline=None)
def test_exact_p_is_that_of_all_signs_of_the_ranks(zeros, differences):
    ranked = [each for each in differences if each or zeros == "pratt"]
    sizes = sorted(map(abs, ranked))
    ranks = [sizes.index(abs(each)) + 1 + (sizes.count(abs(each)) - 1) / 2 for each in ranked if each]
    observed = sum(rank for rank, each in zip(ranks, filter(None, ranked), strict=True) if each > 0)
    sums = [sum(np.multiply(signs, ranks)) for signs in product((0, 1), repeat=len(ranks))]
    greater = sum(one >= observed for one in sums) / len(sums)
    less = sum(one <= observed for one in sums) / len(sums)
    for alternative, pvalue in zip(SIDES, (min(1, 2 * min(greater, less)), greater, less), strict=True):
        result = wilcoxon_test(*scores_of(np.array(differences) / 100), zeros=zeros, alternative=alternative)
        assert (result.statistic, result.pvalue) == pytest.approx((observed, pvalue), abs=1e-12)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@given(st.lists(st.integers(-20, 20), min_size=2, max_size=60).filter(lambda values: sum(map(bool, values)) > 1))
@settings(deadline=None, max_examples=30)
def test_the_normal_limit_agrees_with_scipy(alternative, zeros, differences):
    stats = pytest.importorskip("scipy.stats")
    values = np.array(differences) / 64
    for method, correction in (("normal", False), ("corrected", True)):
        expected = stats.wilcoxon(
            values, zero_method=zeros, correction=correction, alternative=alternative, method="asymptotic"
        )
        found = wilcoxon_test(*scores_of(values), zeros=zeros, method=method, alternative=alternative)
        assert found.pvalue == pytest.approx(expected.pvalue, abs=1e-10)


@given(st.sets(st.integers(1, 1000), min_size=1, max_size=50), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=30)
def test_exact_p_without_ties_agrees_with_scipy(sizes, random):
    stats = pytest.importorskip("scipy.stats")
    values = np.array([size * random.choice((-1, 1)) for size in sizes]) / 1024
    for alternative in SIDES:
        expected = stats.wilcoxon(values, method="exact", alternative=alternative)
        assert wilcoxon_test(*scores_of(values), alternative=alternative).pvalue == pytest.approx(
            expected.pvalue, abs=1e-10
        )


def test_above_fifty_topics_that_differ_the_limit_is_taken_and_said():
    values = np.arange(1, 52) / 64
    assert wilcoxon_test(*scores_of(values[:50])).exact
    assert not wilcoxon_test(*scores_of(values)).exact
    assert wilcoxon_test(*scores_of(values), method="exact").pvalue == pytest.approx(2 / 2**51, rel=1e-12)


def test_options_of_wilcoxon_that_do_not_exist_are_refused():
    with pytest.raises(UsageError, match="there is no zeros='prat'; did you mean 'pratt'"):
        wilcoxon_test(A, B, zeros="prat")
    with pytest.raises(UsageError, match="there is no method='exat'; did you mean 'exact'"):
        wilcoxon_test(A, B, method="exat")
    many = np.random.default_rng(1).normal(size=1001)
    with pytest.raises(UsageError, match="1001 topics are too many for method='exact'"):
        wilcoxon_test(many, np.zeros(1001), method="exact")


@pytest.mark.parametrize(
    ("pair", "wins_ties_losses", "two_sided", "greater"),
    [
        ((A, B), (8, 1, 1), 0.0390625, 0.01953125),
        ((X, Y), (17, 1, 7), 0.0639146566, 0.0319573283),
        ((A, C), (8, 0, 2), 0.109375, 56 / 1024),  # 1 + 10 + 45 of 1024
    ],
)
def test_known_answers_of_signs(pair, wins_ties_losses, two_sided, greater):
    result = sign_test(*pair)
    assert (result.wins, result.ties, result.losses) == wins_ties_losses
    assert (result.statistic, result.n_effective) == (wins_ties_losses[0], wins_ties_losses[0] + wins_ties_losses[2])
    assert result.pvalue == pytest.approx(two_sided, abs=1e-10)
    assert sign_test(*pair, alternative="greater").pvalue == pytest.approx(greater, abs=1e-10)


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (3, 3), (12, 30), (300, 250), (4000, 3100)])
def test_signs_agree_with_scipy(wins, losses):
    stats = pytest.importorskip("scipy.stats")
    pair = scores_of([0.25] * wins + [-0.25] * losses)
    for alternative in SIDES:
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
        assert sign_test(*pair, alternative=alternative).pvalue == pytest.approx(expected, rel=1e-9)


def test_differences_within_a_hundredth_can_be_ties():
    # sizes 1 2 3 0.5 1 in hundredths: those of 1, and of 0.5, are no differences
    result = sign_test([0.51, 0.52, 0.53, 0.505, 0.49], [0.5] * 5, within=0.01)
    assert (result.wins, result.ties, result.losses, result.n_effective) == (2, 3, 0, 2)
    assert result.pvalue == 0.5
    all_ties = sign_test(A, B, within=0.16)
    assert (all_ties.pvalue, all_ties.n_effective, all_ties.note) == (1, 0, "every topic is a tie")
    with pytest.raises(UsageError, match="got within=-1"):
        sign_test(A, B, within=-1)
