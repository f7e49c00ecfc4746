"""What holds for every test of a pair: swapped runs, shifted topics, cases without an ordinary answer, bad requests."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import TESTS, A, B, X, Y, scores_of

from irkit.errors import DataError, UsageError
from irkit.stats import paired_differences

SIDES = ("two-sided", "greater", "less")
SCORES = st.lists(st.tuples(st.integers(0, 64), st.integers(0, 64), st.integers(0, 64)), min_size=1, max_size=9)

each_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)


@each_test
@pytest.mark.parametrize("alternative", SIDES)
@given(topics=SCORES)
@settings(deadline=None, max_examples=40)
def test_swapping_the_runs_turns_the_alternative(test, alternative, topics):
    candidate, baseline, _ = np.array(topics).T / 128
    one = test(candidate, baseline, alternative=alternative)
    turned = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    other = test(baseline, candidate, alternative=turned)
    assert one.pvalue == pytest.approx(other.pvalue, abs=1e-12, nan_ok=True)
    assert one.mean_difference == -other.mean_difference
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    assert (one.n_effective, one.exact, one.note) == (other.n_effective, other.exact, other.note)


@each_test
@given(topics=SCORES)
@settings(deadline=None, max_examples=40)
def test_a_constant_added_to_both_scores_of_a_topic_changes_nothing(test, topics):
    candidate, baseline, constant = np.array(topics).T / 128
    one, other = test(candidate, baseline), test(candidate + constant, baseline + constant)
    assert (one.statistic, one.pvalue) == pytest.approx((other.statistic, other.pvalue), nan_ok=True)
    assert (one.wins, one.n_effective, one.note) == (other.wins, other.n_effective, other.note)


@each_test
@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_the_size_of_the_scores_does_not_change_p(test, size):
    with np.errstate(all="raise"):
        assert test(A * size, B * size).pvalue == pytest.approx(test(A, B).pvalue)


@each_test
def test_the_two_sides_overlap_and_none_is_above_one(test):
    two, greater, less = (test(A, B, alternative=side).pvalue for side in SIDES)
    assert greater < two < less <= 1 <= greater + less + 1e-12  # both sides hold what equals the observed


@each_test
def test_identical_runs_have_p_1_on_every_side(test):
    for side in SIDES:
        result = test(A, A, alternative=side)
        assert (result.pvalue, result.note) == (1, "identical: no topic differs")
        assert (result.wins, result.ties, result.losses) == (0, 10, 0)
        assert result.exact
        assert result.n_resamples is None


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize(("shift", "sign"), [(0.1, 1), (-0.1, -1)])
def test_the_same_difference_in_every_topic(alternative, shift, sign):
    # ten signs that all agree: one pattern of 1024 on its side, two on both, and on the other side all of them
    counted = {"two-sided": 2, "greater": 1 if sign > 0 else 1024, "less": 1024 if sign > 0 else 1}[alternative]
    results = {name: test(A + shift, A, alternative=alternative) for name, test in TESTS.items()}
    for name in ("sign flip", "sign", "Wilcoxon"):
        assert results[name].pvalue == counted / 1024, name
    assert results["t"].statistic == sign * inf
    assert results["t"].pvalue == (1.0 if counted == 1024 else 0.0)
    assert "t has no noise to measure it by" in results["t"].note
    for name in ("shift", "studentised"):
        assert isnan(results[name].pvalue)
        assert results[name].note == "every topic differs by the same amount: resamples do not vary"


def test_one_topic_shows_nothing():
    results = {name: test([0.5], [0.25]) for name, test in TESTS.items()}
    for name in ("sign flip", "sign", "Wilcoxon"):
        assert results[name].pvalue == 1
        assert results[name].note == "1 topic differs: the two-sided p cannot be below 1"
    for name in ("t", "shift", "studentised"):
        assert isnan(results[name].pvalue)
        assert results[name].note == "one topic: no test is possible"


def test_two_topics_can_be_tested_but_not_be_significant():
    results = {name: test([0.5, 0.5], [0.25, 0.125]) for name, test in TESTS.items()}
    for name in ("sign flip", "sign", "Wilcoxon"):
        assert results[name].pvalue == 0.5  # two of four sign patterns
    # means 1/4 and 3/8: t = (5/16) / (1/16) = 5, with one degree of freedom p = 1 - 2 atan(5) / pi
    assert results["t"].pvalue == pytest.approx(1 - 2 * np.arctan(5) / np.pi)


@pytest.mark.parametrize("name", ["sign flip", "sign", "Wilcoxon"])
def test_where_all_topics_but_one_tie_p_is_1(name):
    result = TESTS[name]([0.5, 0.25, 0.75], [0.25, 0.25, 0.75])
    assert (result.pvalue, result.n_effective, result.n_topics) == (1, 1, 3)


@pytest.mark.parametrize("name", ["sign flip", "sign", "Wilcoxon"])
def test_fewer_than_six_topics_that_differ_cannot_reach_5_percent_and_it_is_said(name):
    five = TESTS[name](*scores_of([0.5, 0.25, 0.125, 0.375, 0.0625]))
    assert (five.pvalue, five.note) == (2 / 32, "5 topics differ: the two-sided p cannot be below 0.0625")
    assert TESTS[name](*scores_of([0.5, 0.25, 0.125, 0.375, 0.0625]), alternative="greater").note == ""  # 1/32
    six = TESTS[name](*scores_of([0.5, 0.25, 0.125, 0.375, 0.0625, 0.03125]))
    assert (six.pvalue, six.note) == (2 / 64, "")


@each_test
def test_a_topic_without_a_score_is_an_error_or_leaves_both_runs(test):
    nan = float("nan")
    with pytest.raises(DataError, match=r"needs finite scores; leave topics .* \(nan_policy='skip'\)"):
        test([*A, nan], [*B, 0.5])
    result = test([*A, nan, 0.5], [*B, 0.5, nan], nan_policy="skip")
    assert (result.pvalue, result.n_topics) == (test(A, B).pvalue, 10)
    assert result.note.endswith("2 topics without a score left out of both runs")
    with pytest.raises(DataError, match="none of 2 topics has a score in both runs"):
        test([nan, 1], [1, nan], nan_policy="skip")
    with pytest.raises(DataError, match="needs finite scores"):
        test([inf, 1], [1, 0], nan_policy="skip")


@each_test
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "great"}, "there is no alternative 'great'; did you mean 'greater'?"),
        ({"nan_policy": "omit"}, "there is no nan_policy 'omit'; there are error, skip"),
    ],
)
def test_what_does_not_exist_is_refused(test, options, message):
    with pytest.raises(UsageError) as caught:
        test(A, B, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["sign flip", "shift", "studentised"])
def test_a_sample_has_one_member_at_least(name):
    with pytest.raises(UsageError, match=r"one .* at least, got n_resamples=0"):
        TESTS[name](X, Y, n_resamples=0)


def test_every_test_says_what_a_small_p_speaks_against():
    nulls = {name: test(A, B).null for name, test in TESTS.items()}
    assert nulls == {
        "t": "the mean difference over topics is 0",
        "sign flip": "in each topic the two scores could as well have been the other's",
        "sign": "a topic that is no tie is as likely won as lost",
        "Wilcoxon": "differences lie symmetrically about 0",
        "shift": "the mean difference over topics is 0",
        "studentised": "the mean difference over topics is 0",
    }


def test_differences_that_arithmetic_leaves_of_none_are_none():
    differences = paired_differences([0.1 + 0.2, 0.5], [0.3, 0.25])
    assert (differences.values * differences.unit).tolist() == [0, 0.25]
    assert differences.nonzero.tolist() == [0.5]  # in halves, the power of two not above the largest score
    assert (differences.unit, differences.mean, differences.n) == (0.5, 0.25, 2)
