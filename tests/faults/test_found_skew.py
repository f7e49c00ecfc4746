"""Faults found on the product: skewed and constant differences, and words that overlook alternative or level."""

import json
from dataclasses import replace
from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
from evaluations import evaluation
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import A, B, C, X, Y, scores_of
from ten_topics import D10

from benchmarks.calibrate_skewed import measure
from irkit.report.figures import categories, leaderboard, significance
from irkit.report.page.leaderboard import skewed_intervals
from irkit.report.text import render
from irkit.stats import (
    assess_reproduction,
    bootstrap_t_interval,
    compare,
    hall_interval,
    hall_test,
    non_inferiority_test,
    paired_t_test,
    rank_systems,
    skew_caution,
    skewness,
    studentised_bootstrap_test,
    t_interval,
    unpaired_t_test,
)
from irkit.stats.paired.bootstrap_t import bootstrap_t_pvalues, distribution_of_t
from irkit.stats.paired.differences import paired_differences
from irkit.stats.paired.skew import rarest_seen

# What the power of a t test is told of.
NORMAL = "80% of samples whose differences are normally distributed and vary as these do"

# One topic of twelve lost 0.20, the others gained: G1 -3.0889003999, in hundredths.
S12 = scores_of(np.array([5, 4, 6, 2, 3, 5, 1, 7, 4, 2, -20, 3]) / 100)
NOTHING = np.zeros(12)


def pair(candidate, baseline, **options):
    runs = [evaluation("base", {"AP": baseline}), evaluation("new", {"AP": candidate})]
    return compare(runs, **options)


# Known answers: two routes (full enumeration against dynamic programming, Python against R) agree on each.


@pytest.mark.parametrize(
    ("scores", "two_sided", "greater", "low", "high"),
    [
        (S12, 0.7038404803, 0.3519202402, -0.1034420949, 0.0472541613),
        ((A[:5], B[:5]), 604 / 3125, 302 / 3125, -0.0443424303, 0.1064767994),
        ((A, B), 0.0078550770, 0.0078550770 / 2, 0.0204469480, 0.1096284691),
        ((A, C), 0.0356564852, 0.0356564852 / 2, 0.0028102581, 0.0553853532),
    ],
)
def test_c21_known_answers_of_bootstrap_t(scores, two_sided, greater, low, high):
    found = studentised_bootstrap_test(*scores)
    assert (found.pvalue, found.exact) == (pytest.approx(two_sided, abs=1e-10), True)
    assert studentised_bootstrap_test(*scores, alternative="greater").pvalue == pytest.approx(greater, abs=1e-10)
    interval = bootstrap_t_interval(*scores)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-10)


@pytest.mark.parametrize(
    ("scores", "statistic", "two_sided", "low", "high"),
    [
        (S12, 0.5977004460, 0.5621426169, -0.1280741636, 0.0468659685),
        ((X, Y), 4.2638392519, 0.0002699991, 0.0191090753, 0.0496921165),
    ],
)
def test_c21_known_answers_of_hall(scores, statistic, two_sided, low, high):
    found, interval = hall_test(*scores), hall_interval(*scores)
    assert (found.statistic, found.pvalue) == pytest.approx((statistic, two_sided), abs=1e-10)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-10)
    assert hall_test(*scores, alternative="greater").pvalue == pytest.approx(two_sided / 2, abs=1e-10)


def test_c21_hall_without_skewness_is_t_of_the_population_s_deviation():
    # Symmetric differences, g1 = 0: H = sqrt(n) mean / sqrt(m2). Here 4 of 0.5 +- 0.25, 0.125: m2 = 5/128.
    scores = scores_of(np.array([0.25, 0.375, 0.625, 0.75]))
    assert hall_test(*scores).statistic == pytest.approx(2 * 0.5 / sqrt(5 / 128), abs=1e-12)


def test_c21_every_ordered_resample_counted_by_a_plain_loop():
    # 5 ** 5 resamples of A-B; t* by the definition, a resample of one value alone infinite.
    values = [7, 0, 9, -3, 3]
    mean, n = sum(values) / 5, 5

    def t(sample, about):
        centre = sum(sample) / n
        variance = sum((one - centre) ** 2 for one in sample) / (n - 1)
        if variance == 0:
            return 0.0 if centre == about else inf * (1 if centre > about else -1)
        return (centre - about) / sqrt(variance / n)

    observed = t(values, 0)
    stars = [t(drawn, mean) for drawn in product(values, repeat=n)]
    above, below = (sum(one >= observed - 1e-9 for one in stars), sum(one <= observed + 1e-9 for one in stars))
    for alternative, count in (("greater", above), ("less", below)):
        found = studentised_bootstrap_test(A[:5], B[:5], alternative=alternative)
        assert found.pvalue == pytest.approx(count / n**n, abs=1e-12)


def test_c21_the_caution_by_its_rule():
    # G1 = -3.0889003999: 12 topics where 25 G1^2 = 238.53 are wanted, and 120 G1^2 = 1144.96 for a claim of one side.
    differences = S12[0] - S12[1]
    found = skew_caution(differences)
    assert (found.code, found.n_topics) == ("skewed", 12)
    assert (found.skewness, found.topics_wanted) == pytest.approx((-3.0889003999, 238.5326420), abs=1e-7)
    assert skew_caution(differences, one_sided=True).topics_wanted == pytest.approx(1144.9566817, abs=1e-6)
    assert skewness(X - Y) == pytest.approx(-0.3608481654, abs=1e-10)
    assert skew_caution(X - Y) is None  # below 1, however few the topics
    # Of 100 topics 3 lose 1: g1 = -(1 - 2 * 0.03) / sqrt(0.03 * 0.97) = -5.5104, 25 G1^2 = 782
    rare = np.array([-1.0] * 3 + [0.0] * 97)
    assert skew_caution(rare).skewness == pytest.approx(-5.5104 * sqrt(100 * 99) / 98, abs=1e-3)
    assert skew_caution(np.tile(rare, 8)) is None  # 800 topics: 25 * 30.5 = 762 are enough
    assert skew_caution(np.tile(rare, 8), one_sided=True) is not None


def test_c21_so_many_topics_show_a_loss_on_one_topic_in_r():
    # The least n with 1 - (1 - 1/r)^n >= 0.95: 29, 59, 99, 299 for 10, 5, 3, 1 % of the topics.
    assert [rarest_seen(n) for n in (28, 29, 58, 59, 99, 298, 299)] == [9, 10, 19, 20, 33, 99, 100]


@pytest.mark.parametrize(
    ("margin", "of_t", "of_bootstrap_t"), [(0.03, 0.0189073859, 0.3362342550), (0.05, 0.0033169996, 0.2501369688)]
)
def test_c21_non_inferiority_is_decided_by_the_larger_p(margin, of_t, of_bootstrap_t):
    (one,) = pair(*S12, non_inferior=margin).contrasts
    assert non_inferiority_test(*S12, margin).pvalue == pytest.approx(of_t, abs=1e-10)
    assert (one.margin.t_pvalue, one.margin.pvalue) == pytest.approx((of_t, of_bootstrap_t), abs=1e-10)
    assert one.margin.decided_by == "bootstrap-t"
    assert not one.within_margin
    assert "is not shown to be no worse than base" in one.verdict


def test_c21_the_remedy_stands_beside_t_in_every_form():
    found = pair(*S12)
    (one,) = found.contrasts
    assert (one.test.pvalue, one.adjusted_pvalue) == pytest.approx((0.3898655620, 0.7038404803), abs=1e-10)
    words = (
        "the differences are skewed (skewness -3.09, 12 topics where 239 are wanted), so that the paired t test and "
        "the t interval do not keep the level: the larger p of t and bootstrap-t decides, and the wider ends of their "
        "intervals (bootstrap-t: p 0.7038, 95% interval -0.1034 to 0.0473); with fewer than 100 topics even that may "
        "miss the level."
    )
    assert f"AP, new against base: {words}" in found.notes
    for form in ("table", "markdown", "latex"):
        text = render(found, form)
        assert "[-0.1034, +0.0473]" in text.replace("$", "")
        assert "bootstrap-t p" in text
    row = json.loads(render(found, "jsonl"))
    assert (row["skew_caution"], row["level_held"], row["decided_by"]) == ("skewed", False, "bootstrap-t test")
    assert row["bootstrap_t_pvalue"] == pytest.approx(0.7038404803, abs=1e-10)
    (whole,) = json.loads(render(found, "json"))["comparisons"]
    assert whole["calibrated"]["code"] == "skewed"
    assert whole["interval"]["skewed"]["topics_wanted"] == pytest.approx(238.53264, abs=1e-4)


@pytest.mark.parametrize("options", [{"test": "sign-flip"}, {"correction": "max-t"}, {"interval": "BCa"}])
def test_c21_what_else_was_asked_for_has_the_same_caution(options):
    (one,) = pair(*S12, **options).contrasts
    assert one.calibrated.skewed == skew_caution(S12[0] - S12[1])
    assert any("do not keep the level" in sentence for sentence in one.cautions)
    assert one.calibrated.decides is ("interval" in options)  # else the test that was named


def test_c21_a_test_that_most_topics_tie_in_is_t_s():
    # 2 of 20 topics lose 0.5. t is -1.4530 and its p below 0.0813; five resamples in 100 have five losses or more, so
    # that bootstrap-t alone would claim the drop (1 - 0.9568 = 0.0432), which the sign test gives p 1/4.
    losses = scores_of(np.array([-0.5] * 2 + [0.0] * 18))
    (one,) = pair(*losses, alternative="less").contrasts
    assert one.calibrated.test.pvalue == pytest.approx(0.0432, abs=5e-5)
    assert one.adjusted_pvalue == one.test.pvalue == pytest.approx(0.0813, abs=5e-5)


def test_c21_intervals_of_scores_have_the_caution():
    scores = S12[0] - S12[1]
    assert t_interval(scores).skewed == skew_caution(scores)
    assert t_interval(X - Y).skewed is None


def test_c21_what_irkit_takes_keeps_its_level_where_t_does_not():
    # Skewness -4, 25 topics, true nulls. 1,000 repetitions at 0.05: 99 of 100 lie within 0.032 and 0.068. Published for
    # t .134 and .166 of one side, for bootstrap-t .058 and .079.
    found = measure("-4", 25, 1_000, 499, np.random.default_rng(20261201))
    half = 2.5758 * sqrt(0.05 * 0.95 / 1_000)
    assert found.tests["t"].two_sided > 0.05 + 2 * half
    assert found.tests["irkit"].two_sided < 0.05 + half
    assert found.missed["t"] > 0.05 + 2 * half
    assert found.missed["irkit"] < 0.05 + half
    assert found.tests["t"].greater == pytest.approx(0.166, abs=2.5758 * sqrt(0.166 * 0.834 / 1_000))
    assert found.tests["bootstrap-t"].greater == pytest.approx(0.079, abs=2.5758 * sqrt(0.079 * 0.921 / 1_000))


def test_c25_the_detectable_difference_is_that_of_the_alternative():
    # Differences 0.1, -0.05, 0.1: sd 0.0866. Found in 80%: dz 3.2640 of three topics two-sided, 2.2969 one-sided.
    scores = np.array([0.5, 0.3, 0.7]), np.array([0.4, 0.35, 0.6])
    (greater,) = pair(*scores, alternative="greater").contrasts
    (either,) = pair(*scores).contrasts
    assert f"one of 0.1989 would be found by a t test in {NORMAL}" in greater.verdict
    assert greater.detectable_difference == pytest.approx(0.1989, abs=5e-5)
    assert "one of 0.2827 would be found" in either.verdict


@pytest.mark.parametrize(
    ("n", "alternative", "level", "said"),
    [
        (5, "greater", 0.95, False),  # 1/32
        (5, "two-sided", 0.95, True),  # 2/32
        (4, "less", 0.95, True),  # 1/16
        (7, "two-sided", 0.99, True),  # 2/128, which is not below 0.01
        (7, "greater", 0.99, False),  # 1/128
        (5, "two-sided", 0.9, False),
    ],
)
def test_c28_what_signs_can_reach_depends_on_alternative_and_level(n, alternative, level, said):
    values = np.arange(1, n + 1) / 64
    (one,) = pair(*scores_of(values), alternative=alternative, level=level, test="sign-flip").contrasts
    sentence = f"{n} topics differ: a test of signs cannot reach {1 - level:g}."
    assert (sentence in one.cautions) is said
    assert not any("cannot reach" in other for other in one.cautions if other != sentence)


def test_c29_table_json_and_gate_agree_on_a_constant_difference(tmp_path):
    from irkit import accept_baseline, check_regression

    # 30 topics, every difference -0.5. t has no noise, and the sign test in its place p 2 / 2^30: shown in all three.
    qrels = {f"q{n:02}": {"right": 1} for n in range(30)}
    first = {topic: {"right": 2.0, "other": 1.0} for topic in qrels}
    second = {topic: {"right": 1.0, "other": 2.0} for topic in qrels}
    found = pair(np.full(30, 0.5), np.ones(30))
    (one,) = found.contrasts
    assert one.adjusted_pvalue == pytest.approx(2 / 2**30, rel=1e-12)
    assert one.shown
    assert "Shown at 0.05: AP of new below base by 0.5000." in render(found, "table")
    assert "new falls below base by 0.5000" in json.loads(render(found, "json"))["comparisons"][0]["verdict"]
    path = tmp_path / "baseline.json"
    accept_baseline(
        run=first,
        qrels=qrels,
        baseline=path,
        why="w",
        who="a",
        measures="RR",
        only_if_significant=True,
        allow_dirty=True,
    )
    judged = check_regression(run=second, qrels=qrels, baseline=path)
    assert judged.exit_code == 1
    assert "; shown (sign test, one-sided, p < 0.0001)" in judged.checks[0].reason
    # Of three topics nothing is claimed: 2 / 2^3.
    (few,) = pair(np.full(3, 0.5), np.ones(3)).contrasts
    assert (few.shown, few.adjusted_pvalue) == (False, 0.25)
    assert "no difference between new and base shown" in few.verdict


def test_c29_against_a_margin_too():
    # 30 topics fall by 0.01, less than a margin of 0.05: p 2^-30. Of three, 2^-3. Beyond the margin it is 1.
    for n, fall, pvalue in ((30, 0.01, 2.0**-30), (3, 0.01, 0.125), (30, 0.5, 1.0)):
        (one,) = pair(np.full(n, 1 - fall), np.ones(n), non_inferior=0.05).contrasts
        assert one.margin.pvalue == pytest.approx(pvalue, rel=1e-9)


def test_c21_no_p_is_nan_where_few_topics_differ():
    (one,) = pair(*scores_of([0.5, *[0.0] * 29])).contrasts
    assert one.calibrated.interval.high == inf  # (29/30)^30 = 0.36 of the resamples lack the topic
    assert 0 < one.deciding.pvalue <= 1
    assert " to inf" in one.verdict
    assert paired_t_test(*scores_of([0.5, *[0.0] * 29])).pvalue == pytest.approx(one.test.pvalue)


def test_c21_rare_losses_claim_more_often_than_the_sentence_had_it():
    # One topic in ten loses 10, on average, and the others vary by 1: the mean is 0, and 0.9^9 = 0.3874 of the samples
    # of 9 hold no loss. The sentence had 15% for the most. Of 10 topics four times as many resamples are listed.
    rng = np.random.default_rng(21)
    n, n_samples, false, absent = 9, 150, 0, 0
    for _ in range(n_samples):
        lost = rng.random(n) < 0.1
        values = np.where(lost, -10 * rng.uniform(0.5, 1.5, n), rng.normal(size=n)) + 1
        found = pair(0.5 + values / 100, np.full(n, 0.5))
        false += found.contrasts[0].shown
        absent += not lost.any()
    assert absent / n_samples == pytest.approx(0.9**9, abs=4 * sqrt(0.39 * 0.61 / n_samples))
    assert 0.2 < false / n_samples < 0.39
    assert (
        "(false claims up to 39% of the time at 0.05 where they are ten times as large as the others, more where they "
        in (found.notes[-1])
    )


def test_c21_the_note_of_rare_losses_is_of_the_smallest_group_that_can_be_tested():
    # A group of three topics took the note from the other, which has seven.
    rng = np.random.default_rng(4)
    scores = rng.normal(0.5, 0.1, (2, 10))
    groups = {str(topic): "few" if topic <= 3 else "many" for topic in range(1, 11)}
    found = pair(*scores, groups=groups)
    assert any("fewer than one topic in 2 may be absent from 7 topics" in note for note in found.notes)


def test_c21_of_skewed_differences_no_power_is_told_and_the_wider_end_is_compatible():
    for options in ({}, {"test": "sign-flip"}):
        (one,) = pair(*S12, **options).contrasts
        assert np.isnan(one.detectable_difference)
        assert "would be found" not in one.verdict
        # The t interval ends at -0.0267 and 0.0634, that of bootstrap-t at -0.1034 and 0.0473.
        low = min(t_interval(S12[0] - S12[1]).low, bootstrap_t_interval(*S12).low)
        assert low == pytest.approx(-0.1034, abs=5e-5)
        assert "differences up to 0.1034 are compatible" in one.verdict


def test_c22_half_of_the_power_is_gone_where_most_topics_tie():
    # Told of normal differences: where 8 topics in 10 tie, a gain of the others that has this mean is found in 0.05 of
    # samples of 10, not in 0.80.
    rng = np.random.default_rng(22)
    found = 0
    for _ in range(200):
        differ = rng.random(10) < 0.2
        size = 0.9960013715 * 1.0  # the dz that t finds in 80% with 10 topics, and a deviation of 1
        values = np.where(differ, rng.normal(size / 0.2, sqrt(5), 10), 0.0)
        found += paired_t_test(values, np.zeros(10), alternative="greater").pvalue < 0.025
    assert found < 50
    sample = pair(X, Y, level=0.99999)
    assert any(NORMAL in note for note in sample.notes)


def test_c22_the_least_p_of_bootstrap_t_is_of_its_smaller_tail_twice():
    # Of the 27 resamples of three topics one has the highest topic three times: the smaller tail is 1/27 at least.
    rng = np.random.default_rng(3)
    for alternative, least in (("two-sided", 2 / 27), ("greater", 1 / 27)):
        pvalues = [
            studentised_bootstrap_test(rng.normal(9, 1, 3), np.zeros(3), alternative=alternative).pvalue
            for _ in range(50)
        ]
        assert min(pvalues) == pytest.approx(least)
        (one,) = pair([0.5, 0.6, 0.71], [0.3, 0.2, 0.35], test="bootstrap", alternative=alternative).contrasts
        assert one.least_pvalue == pytest.approx(least)
        assert one.can_be_shown == (least < 0.05)


def test_c22_the_bootstrap_shift_test_has_no_least_p():
    # No resample of 0.49 and 0.51 has a mean that is 0.5 away from theirs: p is 0, and 1/4 was said to be the least.
    (one,) = pair([0.49, 0.51], [0.0, 0.0], test="bootstrap-shift").contrasts
    assert (one.test.pvalue, one.least_pvalue, one.can_be_shown) == (0.0, 0.0, True)


def test_c22_the_randomised_tukey_test_of_two_topics_shows_nothing_and_says_so():
    # Of the (3!)^2 = 36 permutations of three runs over two topics 3! put the runs in one order in both: p is 1/6.
    runs = [
        evaluation(name, {"AP": values})
        for name, values in (("a", [0.1, 0.11]), ("b", [0.5, 0.52]), ("c", [0.9, 0.94]))
    ]
    found = compare(runs, baseline="all pairs", correction="randomised-tukey")
    assert min(one.adjusted_pvalue for one in found.contrasts) == pytest.approx(1 / 6)
    assert [one.least_pvalue for one in found.contrasts] == pytest.approx([1 / 6] * 3)
    assert any(
        note
        == "No difference can be shown at 0.05 (randomised Tukey HSD over 3 pairs) by the randomised Tukey HSD: with 2 "
        "topics p is 0.1667 at least."
        for note in found.notes
    )


def test_c22_whether_a_sampled_p_of_max_t_is_near_the_level_goes_by_its_own_error():
    # An adjusted p of max-T is a share of samples itself: sqrt(q (1 - q) / B), not the error of a multiple of p.
    rng = np.random.default_rng(2)
    base = rng.normal(0.5, 0.1, 40)
    ours = [base + rng.normal(0.042 if place == 0 else 0, 0.1, 40) for place in range(8)]
    runs = [evaluation("base", {"AP": base})] + [evaluation(f"new{n}", {"AP": one}) for n, one in enumerate(ours)]
    near = 0
    for seed in range(20):
        for one in compare(runs, correction="max-t", n_resamples=2000, rng=seed).contrasts:
            q = one.adjusted_pvalue
            expected = abs(q - 0.05) <= 3 * sqrt(q * (1 - q) / 2000)
            assert any("too close" in sentence for sentence in one.cautions) == expected
            near += expected
    assert near


def test_c21_a_sampled_p_against_a_margin_near_the_level_is_told():
    # 24 different gains and a loss of 0.5: too many resamples to list, so that p is sampled.
    scores = np.array([*np.linspace(0.51, 0.56, 24), 0.0]), np.full(25, 0.5)
    low, high = 0.001, 0.5
    while high - low > 1e-4:
        middle = (low + high) / 2
        (one,) = pair(*scores, non_inferior=middle, n_resamples=999).contrasts
        low, high = (middle, high) if one.margin.pvalue > 0.05 else (low, middle)
    near = pair(*scores, non_inferior=high, n_resamples=999)
    assert near.contrasts[0].margin.decided_by == "bootstrap-t"
    told = (
        "the p against the margin is sampled, and too close to 0.05 to tell on which side of it it is: draw more than "
    )
    assert any(f"{told}999." in note for note in near.notes)
    far = pair(*scores, non_inferior=0.5, n_resamples=999)
    assert not any("against the margin is sampled" in note for note in far.notes)


# What tests or draws intervals elsewhere has the same caution.

SYSTEMS = [evaluation(name, {"AP": column}) for name, column in zip("ABCD", D10.T, strict=True)]


def test_c21_rankings_decide_as_a_comparison_of_all_pairs_does():
    # C - D: G1 -1.217 on 10 topics where 25 G1^2 = 37 are wanted: p of t 0.000678, of bootstrap-t 0.0202.
    # Holm over 6: A - D 6 * 0.000068; then 5 * 0.0108 = 0.054, so that only A and D are told apart. t alone: 4 pairs.
    found = rank_systems(SYSTEMS)
    ((power,),) = found.powers
    assert [bool(one) for one in power.skewed] == [False] * 5 + [True]
    assert power.n_significant == 1
    compared = {
        frozenset((one.test.candidate, one.test.baseline)): one.adjusted_pvalue
        for one in compare(SYSTEMS, baseline="all pairs").contrasts
    }
    assert power.pvalues.tolist() == pytest.approx([compared[frozenset(one)] for one in power.pairs], abs=1e-12)
    assert rank_systems(SYSTEMS, correction="none").powers[0][0].pvalues[5] == pytest.approx(0.0202226124, abs=1e-9)
    assert (
        "AP: the differences of 1 of 6 pairs are skewed: there the larger p of t and bootstrap-t decides, which with "
        "fewer than 100 topics may miss the level."
    ) in found.notes
    shown = json.loads(render(found, "json"))["judgments"][0]["discriminative_power"]["AP"]
    assert shown["n_skewed"] == 1
    assert [one["skew_caution"] for one in shown["pvalues"]] == [None] * 5 + ["skewed"]
    assert shown["pvalues"][5]["skew_topics_wanted"] == pytest.approx(37.02, abs=0.01)


def test_c21_rankings_by_a_test_of_one_family_say_that_it_does_not_hold():
    found = rank_systems(SYSTEMS, test="tukey")
    which = "AP: the differences of 1 of 6 pairs are skewed"
    assert f"{which}: there the test does not keep the level (Tukey's HSD)." in found.notes


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=5)
def test_c21_pairs_together_have_the_p_values_of_pairs_alone(seed):
    rng = np.random.default_rng(seed)
    columns = [paired_differences(*scores_of(rng.exponential(size=15) ** 3 - 1)) for _ in range(3)]
    columns.append(paired_differences(*scores_of([1.0] * 2 + [0.0] * 13)))  # few enough resamples to list
    alone = [distribution_of_t(one, 999, 0).test(one, "two-sided").pvalue for one in columns]
    assert bootstrap_t_pvalues(columns, 999) == pytest.approx(alone, abs=1e-12)


def test_c21_a_run_made_again_is_tested_as_a_comparison_is():
    # p of t and of bootstrap-t as above: 0.38987 and 0.70384.
    runs = [evaluation("old", {"AP": S12[1]}), evaluation("new", {"AP": S12[0]})]
    found = assess_reproduction(*runs)
    compared = found.values[0].compared
    assert (compared.pvalue, compared.t_pvalue) == pytest.approx((0.7038404803, 0.3898655620), abs=1e-9)
    assert compared.decided_by == "bootstrap-t test"
    assert any(
        "skewness -3.09, 12 topics where 239 are wanted: the larger p of t (0.3899) and bootstrap-t (0.7038) decides"
        in note
        for note in found.notes
    )
    row = json.loads(render(found, "json"))["values"][0]["compared"]
    assert (row["skewed"]["code"], row["skewed"]["topics_wanted"]) == ("skewed", pytest.approx(238.53264, abs=1e-4))
    quantities = {one["quantity"]: one["value"] for one in map(json.loads, render(found, "jsonl").splitlines())}
    assert quantities["deciding_pvalue"] == pytest.approx(0.7038404803, abs=1e-9)
    # Without a caution the p is that of t, and no more is told.
    even = assess_reproduction(evaluation("x", {"AP": X}), evaluation("y", {"AP": Y})).values[0].compared
    assert (even.skewed, even.decided_by, even.pvalue) == (None, "paired t test", even.t_pvalue)


def test_c21_two_samples_of_topics_are_held_to_the_same_rule():
    # One of five is 1: G1 sqrt 5, variance 0.2; the other side is symmetric with variance 0.2. The difference of the
    # means has G = sqrt 5 (1 / sqrt 2)^3 / sqrt 5 = 0.35355 > 1/5; over 10 topics sqrt 10 G = 1.118, 25 G^2 = 3.125.
    rare, even = np.array([0, 0, 0, 0, 1.0]), np.sqrt(0.2) * np.array([-1, -1, 0, 1, 1])
    found = unpaired_t_test(rare, even)
    assert (found.skewed.n_topics, found.skewed.code) == (10, "skewed")
    assert (found.skewed.skewness, found.skewed.topics_wanted) == pytest.approx((1.1180339887, 31.25))
    assert "finds too many differences in one direction and too few in the other" in found.note
    assert unpaired_t_test(even, rare).skewed.skewness == pytest.approx(-1.1180339887)
    assert unpaired_t_test(rare, rare[::-1]).skewed is None  # the same on both sides cancels
    assert unpaired_t_test(rare[1:], even).skewed is None  # four topics say nothing


def test_c21_the_rule_of_tuning_is_that_of_comparisons():
    # G1 sqrt 4 = 2 with 4 topics, of which one differs: too few topics to tell skewness from.
    def of(*values):
        (one,) = pair(*scores_of(values)).contrasts
        return replace(one, calibrated=None)  # as a choice by folds has it

    assert of(0, 0, 0, 0.5).skewed is None
    assert of(0, 0, 0, 0, 0.5).skewed == skew_caution(np.array([0, 0, 0, 0, 0.5]))
    assert of(0, 0, 0, 0, 0.5).record()["skew_caution"] == "skewed"


def test_c21_figures_have_the_caution():
    pytest.importorskip("altair")
    # One of 12 topics has 1: G1 = sqrt 12, 25 G1^2 = 300.
    rare, even = [1.0] + [0.0] * 11, [0.25, 0.75] * 6
    runs = [evaluation("rare", {"AP": rare}), evaluation("even", {"AP": even})]
    board = leaderboard(runs)
    assert {row["run"]: row["skew_caution"] for row in board.datasets["means"]} == {"rare": "skewed", "even": None}
    assert "1 of 2 intervals may be too short: skewed values of few topics" in " ".join(board.title.subtitle)
    by_group = categories(runs, {str(n): "easy" if n < 9 else "hard" for n in range(1, 13)})
    # Easy: topics 1 to 8, one of them 1, G1 sqrt 8. Hard: 0 of four topics, which has no skewness.
    assert [(row["group"], row["run"]) for row in by_group.datasets["groups"] if row["skew_caution"]] == [
        ("easy", "rare")
    ]
    assert "1 of 4 intervals may be too short" in " ".join(by_group.title.subtitle)
    pairs = significance(compare(SYSTEMS, baseline="all pairs"))
    assert {(row["row"], row["column"]) for row in pairs.datasets["pairs"] if row["skew_caution"]} == {
        ("C", "D"),
        ("D", "C"),
    }
    assert "1 of 6 pairs are skewed: there the larger p of t and bootstrap-t decides" in " ".join(pairs.title.subtitle)
    signed = significance(compare(SYSTEMS, baseline="all pairs", test="sign"))
    assert "there the test does not keep the level (sign test)" in " ".join(signed.title.subtitle)


def test_c21_the_page_counts_intervals_of_groups_too():
    rare = evaluation("rare", {"AP": [1.0] + [0.0] * 11})
    groups = {str(n): "easy" if n < 9 else "hard" for n in range(1, 13)}
    assert skewed_intervals([rare], groups) == (
        "2 intervals of 3 are over values too skewed for so few topics, and may hold the mean less often than 95% "
        "says: AP of rare and 1 more mean."
    )
