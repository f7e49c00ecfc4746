"""Effect sizes, power, topics needed, equivalence: known answers, definitions, scipy and statsmodels."""

from math import inf, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import A, B, C, D, X, Y, scores_of

from irkit.errors import DataError, UsageError
from irkit.stats import (
    detectable_effect,
    effect_size,
    equivalence_test,
    non_inferiority_test,
    paired_t_test,
    power_of_t_test,
    residual_variance,
    t_interval,
    topics_for_anova,
    topics_for_interval,
    topics_for_t_test,
    topics_needed,
    topics_that_moved,
    within_system_variance,
)
from irkit.stats.paired.effects import small_sample_factor
from irkit.stats.paired.power import anova_power, expected_width


@pytest.mark.parametrize(
    ("candidate", "baseline", "dz", "g", "low", "high"),
    [
        (A, B, 1.0121470868, 0.9249758094, 0.2223781, 1.7666422),
        (A, C, 0.9888475863, 0.9036829810, 0.2054564, 1.7371893),
        (X, Y, 0.9348794199, 0.9053047277, 0.4560619, 1.4001835),
    ],
)
def test_known_effect_sizes(candidate, baseline, dz, g, low, high):
    found = effect_size(candidate, baseline)
    assert (found.dz, found.g) == pytest.approx((dz, g), abs=1e-10)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-7)
    assert (found.note, found.n_topics, found.level) == ("", len(candidate), 0.95)
    root = sqrt(found.n_topics)
    assert paired_t_test(candidate, baseline).statistic == pytest.approx(found.dz * root, abs=1e-10)
    nct = pytest.importorskip("scipy.stats").nct
    t, df = found.dz * root, found.n_topics - 1
    assert nct.sf(t, df, found.low * root) == pytest.approx(0.025, abs=1e-10)
    assert nct.cdf(t, df, found.high * root) == pytest.approx(0.025, abs=1e-10)


def test_the_interval_is_not_that_of_the_normal_limit():
    found = effect_size(A, B)  # 1.0121471 -+ 1.959964 sqrt(1/10 + 1.0121471^2 / 20) is [0.2499703, 1.7743238]
    assert found.low < 0.2499703 - 0.02
    assert found.high < 1.7743238 - 0.005


@pytest.mark.parametrize(
    ("n", "factor"), [(5, 0.7978845608), (10, 0.9138748918), (25, 0.9683652334), (50, 0.9846021772)]
)
def test_the_small_sample_factor(n, factor):
    assert small_sample_factor(n - 1) == pytest.approx(factor, abs=1e-10)


def test_dz_is_not_the_difference_over_the_deviation_of_scores():
    assert effect_size(A, B).d_av == pytest.approx(0.2977342, abs=1e-7)
    assert effect_size(A, B).relative_change == pytest.approx(0.061 / 0.327)


def test_swapping_the_runs_turns_an_effect():
    one, other = effect_size(X, Y), effect_size(Y, X)
    assert (one.dz, one.g, one.low, one.high, one.d_av) == pytest.approx(
        (-other.dz, -other.g, -other.high, -other.low, -other.d_av), abs=1e-10
    )


def test_a_large_effect_has_an_interval_as_long_as_one_can_be_computed():
    # mean 0.4 + 3.5/1024, sd sqrt(6)/1024: dz 168.6
    found = effect_size(*scores_of(0.4 + np.arange(8) / 1024))
    assert found.dz == pytest.approx((0.4 * 1024 + 3.5) / sqrt(6))
    assert found.note == ""
    # T is (Z + nc) / S and Z counts for nothing: the ends are dz times the quantiles of S = sqrt(chi2 / 7), 1.689869
    # and 16.01276 (tables of chi2 with 7 degrees of freedom)
    assert (found.low, found.high) == pytest.approx(
        (found.dz * sqrt(1.689869 / 7), found.dz * sqrt(16.01276 / 7)), rel=1e-4
    )
    huge = effect_size(*scores_of(0.4 + np.arange(8) / 2**40))
    assert isnan(huge.low)
    assert isnan(huge.high)
    assert huge.note == "dz is too large for the noncentral t distribution: it has no interval here"


def test_effects_without_an_ordinary_answer():
    same, constant, single = effect_size(A, A), effect_size(A + 0.1, A), effect_size([0.5], [0.25])
    assert (same.dz, same.g, same.d_av, same.note) == (0, 0, 0, "identical: no topic differs")
    assert (constant.dz, effect_size(A - 0.1, A).dz) == (inf, -inf)
    assert constant.note == "every topic differs by the same amount: dz has no deviation to measure it by"
    assert isnan(single.dz)
    assert single.note == "one topic: a difference has no deviation"
    for found in (same, constant, single):
        assert isnan(found.low)
        assert isnan(found.high)
    against_zero = effect_size(A, np.zeros(10))
    assert isnan(against_zero.relative_change)
    assert against_zero.note == "the baseline's mean is 0: there is no relative change"
    two = effect_size([0.5, 0.5], [0.25, 0.125])
    assert (two.dz, two.note) == (pytest.approx(0.3125 / (0.125 / sqrt(2))), "two topics: g is not defined")
    assert two.low < two.dz < two.high


def test_topics_that_moved_most_are_the_largest_differences():
    topics = [str(number) for number in range(1, 11)]  # A-B = 7 0 9 -3 3 14 3 9 3 16 hundredths
    moved = topics_that_moved(topics, A, B, most=5)
    assert [one.topic for one in moved] == ["10", "6", "3", "8", "1"]  # 9 and 9 in the order of the topics
    assert moved[0] == ("10", 0.2, 0.36, pytest.approx(0.16))
    everything = topics_that_moved(topics, A, B, most=50)
    assert [one.topic for one in everything][5:] == ["4", "5", "7", "9"]  # four threes, and topic 2 has not moved
    assert everything[5].difference == pytest.approx(-0.03)
    assert topics_that_moved(topics, A, A) == ()
    nan = float("nan")
    assert [one.topic for one in topics_that_moved("abc", [nan, 0.1, 0.5], [0.5, 0.2, 0.1])] == ["c", "b"]
    with pytest.raises(UsageError, match="got 1 topics for 10 scores"):
        topics_that_moved(["1"], A, B)


@pytest.mark.parametrize(
    ("dz", "needed", "for_90", "one_sided"),
    [(0.2, 199, 265, 156), (0.3, 90, 119, 71), (0.5, 34, 44, 27), (0.8, 15, 19, 12)],
)
def test_known_numbers_of_topics(dz, needed, for_90, one_sided):
    assert topics_needed(dz) == topics_needed(-dz) == needed
    assert topics_needed(dz, power=0.9) == for_90
    assert topics_needed(dz, alternative="greater") == topics_needed(-dz, alternative="less") == one_sided


@pytest.mark.parametrize(("dz", "nagata"), [(0.2, 198.1427228), (0.3, 89.1305043), (0.5, 33.3162483), (0.8, 14.184604)])
def test_topics_are_those_that_nagata_s_approximation_rounds_up_to(dz, nagata):
    assert nagata == pytest.approx(((1.959963985 + 0.841621234) / dz) ** 2 + 1.959963985**2 / 2, abs=1e-6)
    assert topics_needed(dz) == np.ceil(nagata)


@pytest.mark.parametrize(
    ("dz", "n", "known", "digits"),
    [
        (0.3, 50, 0.5476570390, 10),
        (0.5, 25, 0.6697077042, 10),
        (0.2, 100, 0.5082648066, 10),
        (0.5, 34, 0.8077775, 7),
        (0.5, 33, 0.7953658, 7),
        (0.0, 20, 0.05, 12),  # an effect of 0 is found as often as alpha says
        (2.0, 50, 1.0, 12),  # where the lower tail of some versions of SciPy is nan
    ],
)
def test_known_powers(dz, n, known, digits):
    assert power_of_t_test(dz, n) == pytest.approx(known, abs=10**-digits)
    assert power_of_t_test(-dz, n) == pytest.approx(known, abs=10**-digits)


@given(st.floats(0.05, 1.5), st.integers(3, 300), st.sampled_from([0.01, 0.05, 0.1]))
@settings(deadline=None, max_examples=50)
def test_power_agrees_with_statsmodels(dz, n, alpha):
    power = pytest.importorskip("statsmodels.stats.power").TTestPower()
    for ours, theirs in (("two-sided", "two-sided"), ("greater", "larger"), ("less", "smaller")):
        expected = power.power(dz, n, alpha, alternative=theirs)
        if isnan(expected):  # SciPy has no value for a tail this far off; it is 0 to 15 digits
            expected = 0.0 if theirs == "smaller" else power.power(dz, n, alpha / 2, alternative="larger")
        assert power_of_t_test(dz, n, alpha=alpha, alternative=ours) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("n", "dz"), [(10, 0.9960013715), (25, 0.5840266716), (50, 0.4041830021), (100, 0.2829126328)])
def test_known_detectable_effects(n, dz):
    assert detectable_effect(n) == pytest.approx(dz, abs=1e-10)
    assert power_of_t_test(dz, n) == pytest.approx(0.8, abs=1e-9)
    assert detectable_effect(n, alternative="less") == detectable_effect(n, alternative="greater") < dz


def test_a_detectable_difference_is_larger_than_the_smallest_significant_one():
    for candidate, baseline, detectable, significant in (
        (A, B, 0.0600269, 0.0431131),
        (X, Y, 0.0219897, 0.0155419),
    ):
        test = paired_t_test(candidate, baseline)
        assert detectable_effect(test.n_topics) * test.standard_deviation == pytest.approx(detectable, abs=1e-7)
        assert test.half_width() == pytest.approx(significant, abs=1e-7)


def test_topic_set_sizes_of_sakai():
    assert [topics_for_t_test(*each) for each in ((0.10, 0.05), (0.05, 0.05), (0.10, 0.02))] == [81, 316, 34]
    assert [topics_for_anova(m, 0.10, 0.05) for m in (2, 3, 10)] == [80, 98, 158]
    assert anova_power(2, 80, 0.10, 0.05) == pytest.approx(0.8026805, abs=1e-7)
    assert [topics_for_interval(width, 0.10) for width in (0.10, 0.20)] == [156, 41]
    assert expected_width(156, 0.10) == pytest.approx(0.0998664, abs=1e-7)
    assert expected_width(41, 0.10) == pytest.approx(0.1983839, abs=1e-7)


def test_power_of_an_analysis_of_variance_agrees_with_statsmodels():
    power = pytest.importorskip("statsmodels.stats.power").FTestAnovaPower()
    for m, n in ((2, 80), (3, 98), (10, 40)):
        # Cohen's f: lambda over all observations, lambda = n range^2 / (2 variance)
        effect = sqrt(n * 0.1**2 / (2 * 0.05) / (m * n))
        assert anova_power(m, n, 0.1, 0.05) == pytest.approx(power.power(effect, m * n, 0.05, k_groups=m), abs=1e-10)


def test_two_variances_of_one_table():
    table = np.column_stack([A, B, C, D])
    assert within_system_variance(table) == pytest.approx(0.0383791667, abs=1e-10)
    assert residual_variance(table) == pytest.approx(0.0014906481, abs=1e-10)  # 0.0402475 / 27


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: power_of_t_test(0.5, 1), "a paired t test needs two topics at least, got n=1"),
        (lambda: power_of_t_test(inf, 10), "power is for an effect of a finite size, got dz=inf"),
        (lambda: power_of_t_test(0.5, 10, alpha=0), "alpha is between 0 and 1, got 0"),
        (lambda: topics_needed(0), "no number of topics shows an effect of dz=0 as 'two-sided'"),
        (
            lambda: topics_needed(-0.5, alternative="greater"),
            "no number of topics shows an effect of dz=-0.5 as 'greater'",
        ),
        (lambda: topics_needed(1e-9), "10,000,000 topics are too few for an effect of dz=1e-09"),
        (lambda: topics_needed(0.5, power=80), "power is between 0 and 1, got 80"),
        (lambda: detectable_effect(10, power=0.01), "a test at level 0.05 has more power than 0.01 for any effect"),
        (lambda: topics_for_anova(1, 0.1, 0.05), "an analysis of variance needs two systems at least, got 1"),
        (lambda: topics_for_t_test(0, 0.05), "smallest is above 0, got 0"),
        (lambda: topics_for_interval(0.1, -1), "variance_of_differences is above 0, got -1"),
    ],
)
def test_designs_that_cannot_be_are_refused(call, message):
    with pytest.raises(UsageError) as caught:
        call()
    assert str(caught.value) == message


def test_known_equivalences():
    assert equivalence_test(A, B, 0.05).pvalue == pytest.approx(0.7110139113, abs=1e-10)
    wide = equivalence_test(A, B, 0.10)
    assert wide.pvalue == pytest.approx(0.0355163735, abs=1e-10)
    assert (wide.lower.statistic, wide.upper.statistic) == pytest.approx((8.4477231, -2.0463428), abs=1e-7)
    assert (wide.lower.null, wide.upper.null) == (
        "the mean difference over topics is -0.1 or below",
        "the mean difference over topics is 0.1 or above",
    )
    assert equivalence_test(X, Y, 0.05).pvalue == pytest.approx(0.0305231028, abs=1e-10)
    assert equivalence_test(X, Y, 0.06).pvalue == pytest.approx(0.0015306752, abs=1e-10)


def test_known_non_inferiority():
    result = non_inferiority_test(Y, X, 0.05)
    assert (result.statistic, result.pvalue) == (
        pytest.approx(1.9653715, abs=1e-7),
        pytest.approx(0.0305231028, abs=1e-10),
    )
    assert (result.test, result.alternative) == ("non-inferiority t test", "greater")
    assert t_interval(Y - X, level=0.90).low == pytest.approx(-0.0480836, abs=1e-7)  # its bound, one-sided 95%


@given(
    st.lists(st.tuples(st.integers(0, 64), st.integers(0, 64)), min_size=3, max_size=20),
    st.sampled_from([0.01, 0.05, 0.2]),
)
@settings(deadline=None, max_examples=50)
def test_equivalence_is_that_of_the_interval_and_agrees_with_statsmodels(pairs, margin):
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    candidate, baseline = np.array(pairs).T / 128
    if np.ptp(candidate - baseline) == 0:
        return
    found = equivalence_test(candidate, baseline, margin)
    pvalue, lower, upper = weightstats.ttost_paired(candidate, baseline, -margin, margin)
    assert found.pvalue == pytest.approx(pvalue, abs=1e-10)
    assert (found.lower.statistic, found.upper.statistic) == pytest.approx((lower[0], upper[0]), rel=1e-9)
    interval = t_interval(candidate - baseline, level=0.90)
    assert (found.pvalue < 0.05) == (-margin < interval.low and interval.high < margin)


def test_equivalence_without_an_ordinary_answer():
    same = equivalence_test(A, A, 0.01)
    assert (same.pvalue, same.lower.note) == (0, "identical: no topic differs")
    near, far = equivalence_test(A + 0.125, A, 0.25), equivalence_test(A + 0.125, A, 0.0625)
    assert (near.pvalue, far.pvalue) == (0, 1)
    assert "every topic differs by the same amount" in near.lower.note
    on_the_edge = equivalence_test(A + 0.125, A, 0.125)
    assert on_the_edge.pvalue == 1
    single = equivalence_test([0.5], [0.5], 0.1)
    assert isnan(single.pvalue)
    assert single.lower.note == "one topic: no test is possible"


@pytest.mark.parametrize("margin", [0, -0.1, inf, float("nan")])
def test_a_margin_is_above_0(margin):
    with pytest.raises(UsageError, match="the margin is a difference above 0, in the measure's own unit, got"):
        equivalence_test(A, B, margin)
    with pytest.raises(UsageError, match="the margin is a difference above 0"):
        non_inferiority_test(A, B, margin)


def test_effects_of_scores_that_cannot_be_paired_are_refused():
    with pytest.raises(DataError, match="needs finite scores"):
        effect_size([0.1, float("nan")], [0.1, 0.2])
    assert effect_size([*A, float("nan")], [*B, 0.5], nan_policy="skip").dz == effect_size(A, B).dz
