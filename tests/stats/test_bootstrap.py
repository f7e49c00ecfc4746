"""Bootstrap tests and intervals: exact distributions, samples against them, one resample for all columns."""

from itertools import product
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import A, B, C, D, X, Y, scores_of

from irkit.errors import DataError, UsageError
from irkit.stats import (
    bootstrap_intervals,
    bootstrap_shift_test,
    paired_t_test,
    studentised_bootstrap_test,
    t_interval,
)
from irkit.stats.paired.intervals import _Bootstrap, _ends, _exact, bias_and_acceleration
from irkit.stats.paired.resampling import resampled_means

SIDES = ("two-sided", "greater", "less")


@pytest.mark.parametrize(
    ("pair", "two_sided", "greater"),
    [
        ((A[:5], B[:5]), 374 / 3125, 0.05664),
        ((A, B), 0.0005651573, 0.0004227533),
        ((A, C), 0.0011285955, 0.0001972567),
        ((X, Y), 0.0000010526, 0.0000000214),
    ],
)
def test_known_answers_of_the_shift_test(pair, two_sided, greater):
    result = bootstrap_shift_test(*pair)
    assert result.pvalue == pytest.approx(two_sided, abs=1e-10)
    assert bootstrap_shift_test(*pair, alternative="greater").pvalue == pytest.approx(greater, abs=1e-10)
    assert (result.exact, result.n_resamples) == (True, None)
    assert result.note == "below 50 topics this test's p is too small; bootstrap-t is better"


def test_the_studentised_test_of_five_topics_counts_resamples_of_one_value():
    result = studentised_bootstrap_test(A[:5], B[:5])
    assert result.statistic == pytest.approx(1.4545454545, abs=1e-10)
    # Each tail by itself: 302 of 3125 are at least as high, and twice that; by the size of t* it would be 615.
    assert result.pvalue == pytest.approx(604 / 3125, abs=1e-12)
    assert studentised_bootstrap_test(A[:5], B[:5], alternative="greater").pvalue == pytest.approx(302 / 3125)
    assert paired_t_test(A[:5], B[:5]).pvalue == pytest.approx(0.2194803, abs=1e-7)


@pytest.mark.parametrize("alternative", SIDES)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=5).filter(lambda values: len(set(values)) > 1))
@settings(deadline=None, max_examples=50)
def test_exact_shift_p_is_that_of_all_resamples(alternative, differences):
    whole, n = sum(differences), len(differences)
    extreme = {
        "two-sided": lambda one: abs(one - whole) >= abs(whole),
        "greater": lambda one: one - whole >= whole,
        "less": lambda one: one - whole <= whole,
    }[alternative]
    known = sum(extreme(sum(drawn)) for drawn in product(differences, repeat=n)) / n**n
    pair = scores_of(np.array(differences) / 100)
    assert bootstrap_shift_test(*pair, alternative=alternative).pvalue == pytest.approx(known, abs=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.stats.paired.bootstrap.MOST_LISTED", 0)  # by sums on a grid
        result = bootstrap_shift_test(*pair, alternative=alternative)
    assert result.exact
    assert result.pvalue == pytest.approx(known, abs=1e-12)


def test_a_resample_of_the_mean_alone_is_not_extreme():
    # Values 0 1 2, mean 1, t = sqrt 3. Of 27 resamples t* is infinite for 000 and 222, and 0/0 for 111, which counts
    # as 0. t* is 2 for 122 in any order, 1 for 112, 1/2 for 022, 0 for 012, and less for others: 1 + 3 reach sqrt 3.
    found = studentised_bootstrap_test(*scores_of([0, 0.25, 0.5]), alternative="greater")
    assert found.pvalue == pytest.approx((1 + 3) / 27, abs=1e-12)
    assert studentised_bootstrap_test(*scores_of([0, 0.25, 0.5])).pvalue == pytest.approx(2 * 4 / 27, abs=1e-12)


@pytest.mark.parametrize("test", [bootstrap_shift_test, studentised_bootstrap_test])
@pytest.mark.parametrize("alternative", SIDES)
def test_a_sample_comes_near_the_exact_p(test, alternative, monkeypatch):
    exact = test(A, C, alternative=alternative)
    monkeypatch.setattr("irkit.stats.paired.bootstrap.MOST_LISTED", 0)
    monkeypatch.setattr("irkit.stats.paired.bootstrap_t._MOST_LISTED", 0)
    monkeypatch.setattr("irkit.stats.paired.bootstrap.sums_of_draws", lambda multiples: None)
    sampled = test(A, C, alternative=alternative, n_resamples=50_000, rng=11)
    assert (sampled.exact, sampled.n_resamples, sampled.seed) == (False, 50_000, 11)
    error = 2 * (exact.pvalue * (1 - exact.pvalue) / 50_000) ** 0.5  # twice that of a tail
    assert abs(sampled.pvalue - exact.pvalue) <= 4 * error + 1 / 50_001


def test_an_exact_p_of_0_is_explained():
    # differences 1/8 and 1/4: means of resamples are 1/8, 3/16 and 1/4, none as far from 3/16 as that is from 0
    result = bootstrap_shift_test(*scores_of([0.125, 0.25]))
    assert (result.pvalue, result.exact) == (0, True)
    assert result.note.endswith("; no resample lies so far from the mean")


def test_a_sampled_p_is_never_0():
    values = np.random.default_rng(2).normal(5, 0.01, 60)
    assert bootstrap_shift_test(*scores_of(values), n_resamples=999).pvalue == 1 / 1000
    assert bootstrap_shift_test(*scores_of(values), n_resamples=999).note == ""  # 50 topics or more


@pytest.mark.parametrize(
    ("values", "level", "low", "high"),
    [
        (A - B, 0.95, 0.0178869270, 0.1041130730),
        (A - B, 0.90, 0.0260638192, 0.0959361808),
        (X - Y, 0.95, 0.0196580536, 0.0507419464),
        (X - Y, 0.90, 0.0223164028, 0.0480835972),
    ],
)
def test_known_t_intervals(values, level, low, high):
    found = t_interval(values, level=level)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-10)
    assert (found.estimate, found.method, found.level) == (pytest.approx(values.mean()), "t", level)


@pytest.mark.parametrize(
    ("values", "method", "level", "low", "high"),
    [
        (A - B, "percentile", 0.95, 0.026, 0.097),
        (A - B, "percentile", 0.90, 0.032, 0.091),
        (A - B, "BCa", 0.95, 0.028, 0.098),
        (X - Y, "percentile", 0.95, 0.0204, 0.0492),
        (X - Y, "percentile", 0.90, 0.0228, 0.0472),
        (X - Y, "BCa", 0.95, 0.0200, 0.0488),
    ],
)
def test_known_bootstrap_intervals(values, method, level, low, high, monkeypatch):
    (found,) = bootstrap_intervals(values[:, np.newaxis], method=method, level=level)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-10)
    assert (found.exact, found.n_resamples, found.seed, found.note) == (True, None, None, "")
    monkeypatch.setattr("irkit.stats.paired.intervals._exact", lambda column: None)
    (sampled,) = bootstrap_intervals(values[:, np.newaxis], method=method, level=level, n_resamples=50_000, rng=4)
    assert (sampled.exact, sampled.n_resamples, sampled.seed) == (False, 50_000, 4)
    two_steps = 2.01 * 0.01 / len(values)
    assert (sampled.low, sampled.high) == pytest.approx((low, high), abs=two_steps)


@pytest.mark.parametrize(
    ("values", "bias", "acceleration"),
    [(A - B, 0.0130910, 0.0124897), (X - Y, -0.0113641, -0.0112942)],
)
def test_bias_and_acceleration(values, bias, acceleration):
    # with means strictly below only, and not half of the equal ones, the first would be -0.0140544
    assert bias_and_acceleration(values, _exact(values)) == pytest.approx((bias, acceleration), abs=1e-7)


def test_every_resample_of_five_topics_by_hand():
    values = [7, 0, 9, -3, 3]  # all 3125 means, and their quantiles without interpolation
    means = np.sort([sum(drawn) / 500 for drawn in product(values, repeat=5)])
    (found,) = bootstrap_intervals(np.array(values)[:, np.newaxis] / 100, method="percentile", level=0.9)
    # 0.05 * 3125 = 156.25 and 0.95 * 3125 = 2968.75: the 157th and the 2969th
    assert (found.low, found.high) == pytest.approx((means[156], means[2968]), abs=1e-12)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
@given(st.integers(11, 40), st.integers(0, 99))
@settings(deadline=None, max_examples=20)
def test_the_ends_of_one_sample_are_scipy_s_without_its_interpolation(method, n, seed):
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(seed).beta(1, 3, n)
    expected = stats.bootstrap((values,), np.mean, method=method, n_resamples=1999, rng=1)
    means = np.sort(expected.bootstrap_distribution)
    ends = _ends(values, _Bootstrap(means, np.full(1999, 1 / 1999)), method, 0.95)
    for ours, theirs in zip(ends, expected.confidence_interval, strict=True):
        below, above = np.searchsorted(means, ours - 1e-12) - 1, np.searchsorted(means, ours + 1e-12, "right")
        assert means[max(0, below)] <= theirs <= means[min(1998, above)]


def test_the_columns_share_their_resamples():
    values = np.random.default_rng(5).random((30, 2))
    means = resampled_means(np.column_stack([values, values[:, 1] - values[:, 0]]), 1000, 6)
    assert means.shape == (1000, 3)
    assert means[:, 2] == pytest.approx(means[:, 1] - means[:, 0], abs=1e-14)
    alone = bootstrap_intervals(values[:, :1], n_resamples=1000, rng=6)
    assert bootstrap_intervals(values, n_resamples=1000, rng=6)[0].low == pytest.approx(alone[0].low, abs=1e-14)


def test_resampled_means_are_those_of_numpy_s_choice_of_topics():
    values = np.random.default_rng(5).random((30, 2))
    places = np.random.default_rng(8).integers(0, 30, (500, 30))
    assert resampled_means(values, 500, 8) == pytest.approx(values[places].mean(axis=1), abs=1e-14)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_swapping_the_runs_turns_an_interval(method):
    # quantiles without interpolation turn into each other where no share of resamples is just the level: not on a grid
    values = np.random.default_rng(3).normal(0.1, 0.2, 9)
    one, other = bootstrap_intervals(np.column_stack([values, -values]), method=method)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)
    assert t_interval(values).low == -t_interval(-values).high


def test_columns_without_an_ordinary_interval():
    constant, zero, usual = bootstrap_intervals(np.column_stack([(A + 0.1) - A, A - A, A - B]))
    assert (constant.low, constant.high) == pytest.approx((0.1, 0.1))
    assert (zero.low, zero.high) == (0, 0)
    assert constant.note == zero.note == "every topic has the same value: the interval is a point"
    assert usual.note == ""
    assert t_interval((A + 0.1) - A).note == constant.note
    for single in (bootstrap_intervals([[0.5]])[0], t_interval([0.5])):
        assert isnan(single.low)
        assert isnan(single.high)
        assert (single.estimate, single.note) == (0.5, "one topic: no interval is possible")


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_the_size_of_the_values_scales_an_interval(size):
    with np.errstate(all="raise"):
        (found,) = bootstrap_intervals((A - B)[:, np.newaxis] * size)
        assert (found.low / size, found.high / size) == pytest.approx((0.028, 0.098))
        assert t_interval((A - B) * size).low / size == pytest.approx(0.0178869270)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "a level of confidence is between 0 and 1, as 0.95, got 95"),
        ({"method": "bca"}, "there is no method 'bca'; there are percentile, BCa"),
        ({"n_resamples": 0}, "the ends of an interval need 100 resamples at least, got n_resamples=0"),
    ],
)
def test_wrong_requests_for_intervals_are_refused(options, message):
    with pytest.raises(UsageError) as caught:
        bootstrap_intervals(np.column_stack([A, D]), **options)
    assert str(caught.value) == message


def test_what_has_no_interval_is_refused():
    with pytest.raises(UsageError, match=r"an interval needs one value a topic, got shape \(1, 2\)"):
        t_interval([[0.1, 0.2]])
    with pytest.raises(DataError, match="finite values"):
        bootstrap_intervals([[0.1], [float("nan")]])
