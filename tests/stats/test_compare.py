"""Runs compared, all tests together: known answers on ten topics, laws, slices, and what is refused."""

import json
from dataclasses import FrozenInstanceError
from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from evaluations import evaluation
from hypothesis import given, settings
from hypothesis import strategies as st
from per_topic_scores import X, Y
from ten_topics import D10

from irkit.errors import DataError, UsageError
from irkit.report.text import TerminalWidth, render
from irkit.stats import FAMILY_CORRECTIONS, PAIRED_TESTS, compare

RUNS = [evaluation(name, {"AP": values}) for name, values in zip("ABCD", D10.T, strict=True)]
XY = [evaluation("Y", {"AP": Y}), evaluation("X", {"AP": X})]
# A against B: the baseline first
AB = RUNS[1::-1]
PAIRS = ["AB", "AC", "AD", "BC", "BD", "CD"]
EVEN = {str(n): "even" if n % 2 == 0 else "odd" for n in range(1, 11)}


def all_pairs(**options):
    comparison = compare(RUNS, baseline="all pairs", **options)
    assert [one.test.baseline + one.test.candidate for one in comparison.contrasts] == PAIRS
    return comparison


def adjusted(comparison):
    return [one.adjusted_pvalue for one in comparison.contrasts]


# Of six p-values of paired t tests, by hand (statsmodels agrees); BD 0.0479924290 as in tests/stats/test_stats.py
@pytest.fixture
def t_alone(monkeypatch):
    """No bootstrap-t beside t: the published p-values of the ten topics are those of t, and one pair is skewed."""
    monkeypatch.setattr("irkit.stats.paired.calibrated.skew_caution", lambda values, one_sided: None)


@pytest.mark.parametrize(
    ("correction", "known", "family"),
    [
        ("none", [0.0108193141, 0.0121802259, 0.0000679653, 0.2742855242, 0.0479924290, 0.0006777701], ""),
        (
            "bonferroni",
            [0.0649158846, 0.0730813554, 0.0004077919, 1, 0.2879545741, 0.0040666207],
            "Bonferroni over 6 tests",
        ),
        (
            "holm",
            [0.0432772564, 0.0432772564, 0.0004077919, 0.2742855242, 0.0959848580, 0.0033888506],
            "Holm over 6 tests",
        ),
        (
            "hochberg",
            [0.0365406777, 0.0365406777, 0.0004077919, 0.2742855242, 0.0959848580, 0.0033888506],
            "Hochberg over 6 tests",
        ),
        (
            "benjamini-hochberg",
            [0.0182703389, 0.0182703389, 0.0004077919, 0.2742855242, 0.0575909148, 0.0020333103],
            "Benjamini-Hochberg over 6 tests",
        ),
        # counted over all 1024 sign patterns
        ("max-t", np.array([58, 58, 2, 292, 106, 12]) / 1024, "max-T over 6 tests, step down"),
        (
            "tukey",
            [0.0077019150, 0.2244345671, 0.0000113698, 0.4153852547, 0.0842492713, 0.0020495072],
            "Tukey HSD over 6 pairs",
        ),
        # over all 24 ** 10 orders, by dynamic programming
        (
            "randomised-tukey",
            [0.0775066696, 0.5730495418, 0.0000150683, 0.7431564390, 0.3544242105, 0.0261176134],
            "randomised Tukey HSD over 6 pairs",
        ),
    ],
)
def test_all_pairs_of_four_runs_under_each_correction(correction, known, family, t_alone):
    comparison = all_pairs(correction=correction)
    assert adjusted(comparison) == pytest.approx(known, abs=3e-10)
    assert (comparison.family, comparison.n_tests) == (family, 6)
    assert (comparison.correction, comparison.alternative) == (correction, "two-sided")


def test_a_skewed_pair_enters_the_correction_by_its_bootstrap_t():
    # G1 of C-D is -1.22: 10 topics where 25 G1^2 = 37 are wanted. Holm's: 6 p(AD), 5 p(AB), 4 p(AC) (which is less than
    # that of AB), 3 p(CD) with the p of bootstrap-t in the place of 0.0006777701, 2 p(BD), p(BC).
    ab, ac, ad, bc, bd, cd = all_pairs(correction="holm").contrasts
    assert [one.calibrated is None for one in (ab, ac, ad, bc, bd, cd)] == [True] * 5 + [False]
    assert cd.test.pvalue == pytest.approx(0.0006777701, abs=1e-10)
    assert cd.deciding.test == "bootstrap-t test"
    assert 0.0121802259 < cd.deciding.pvalue < 0.0479924294
    known = [0.0540965705, 0.0540965705, 0.0004077919, 0.2742855242, 0.0959848588, 3 * cd.deciding.pvalue]
    found = [one.adjusted_pvalue for one in (ab, ac, ad, bc, bd, cd)]
    assert found == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize(
    ("test", "pvalue", "exact"),
    [
        ("t", 0.0108193141, True),
        ("sign-flip", 20 / 1024, True),
        ("wilcoxon", 10 / 512, True),
        ("sign", 0.0390625, True),
        ("bootstrap-shift", 0.0005651573, True),
    ],
)
def test_each_test_of_a_pair(test, pvalue, exact):
    (one,) = compare(AB, test=test).contrasts
    assert one.test.pvalue == one.adjusted_pvalue == pytest.approx(pvalue, abs=1e-10)
    assert one.test.exact is exact
    assert (one.test.candidate, one.test.baseline, one.test.measure) == ("A", "B", "AP")


def test_one_sided_tests():
    greater, less = (compare(AB, test="sign-flip", alternative=one).tests[0] for one in ("greater", "less"))
    assert (greater.pvalue, less.pvalue) == (10 / 1024, 1022 / 1024)
    (t,) = compare(AB, alternative="greater").tests
    assert t.pvalue == pytest.approx(0.0054096571, abs=1e-10)


def test_the_family_is_all_that_was_looked_at():
    runs = [evaluation(one.name, {"AP": one.values[:, 0], "RR": one.values[::-1, 0]}) for one in RUNS]
    groups = {"groups": EVEN}
    # 2 baselines with 2 candidates; 2 measures; 2 groups and all topics
    assert compare(runs, baseline=["A", "B"]).n_tests == 8
    assert compare(runs, baseline=["A", "B"], **groups).family == "Holm over 24 tests"
    assert compare(runs, baseline="all pairs", **groups).n_tests == 36
    assert compare(runs, correction="max-t", **groups).family == "max-T over 18 tests, step down"
    tukey = compare(runs, baseline="all pairs", correction="tukey", **groups)
    assert tukey.family == "Tukey HSD over 6 pairs, Bonferroni over 6 such families: 36 tests"
    # of all topics: A against B alone 0.0077019150
    assert tukey.contrasts[-12].adjusted_pvalue == pytest.approx(6 * 0.0077019150, abs=1e-9)
    assert tukey.contrasts[-12].test.pvalue == pytest.approx(0.0077019150, abs=1e-10)


def test_several_baselines_are_not_compared_with_each_other():
    comparison = compare(RUNS, baseline=["C", 0])
    assert [one.test.baseline + one.test.candidate for one in comparison.contrasts] == ["CB", "CD", "AB", "AD"]


def test_runs_of_one_name_can_be_told_apart_by_the_number_behind_it():
    twice = [evaluation("a", {"AP": D10[:, 0]}), evaluation("a", {"AP": D10[:, 1]})]
    (test,) = compare(twice, baseline="a (2)").tests
    assert (test.baseline, test.candidate) == ("a (2)", "a (1)")


@pytest.mark.parametrize(
    ("interval", "ends"),
    [
        ("t", (0.0178869270, 0.1041130730)),
        ("percentile", (0.026, 0.097)),
        ("BCa", (0.028, 0.098)),
    ],
)
def test_the_interval_of_a_difference(interval, ends):
    (one,) = compare(AB, interval=interval).contrasts
    assert (one.interval.low, one.interval.high) == pytest.approx(ends, abs=1e-10)
    assert (one.interval.method, one.interval.level, one.interval.estimate) == (interval, 0.95, pytest.approx(0.061))


def test_a_level_is_that_of_the_intervals_and_decides_what_is_shown():
    (one,) = compare(AB, level=0.9).contrasts
    assert (one.interval.low, one.interval.high) == pytest.approx((0.0260638192, 0.0959361808), abs=1e-10)
    assert one.alpha == 0.1
    assert one.shown
    assert not compare(AB, level=0.99).contrasts[0].shown  # p is 0.0108


def test_few_topics_are_said_of_what_resamples_them():
    words = "AP, A against B: 10 topics: intervals and bootstrap tests are unreliable below 25."
    assert words in compare(AB, interval="BCa").notes
    assert words in compare(AB, test="bootstrap").notes
    assert words not in compare(AB).notes


def test_means_have_intervals_that_share_the_resampled_topics_with_the_differences():
    # A is B and 0.1: in every resample their means are so far apart
    runs = [evaluation("B", {"AP": Y}), evaluation("A", {"AP": Y + 0.1})]
    comparison = compare(runs, interval="percentile", rng=3)
    b, a = (one.interval for one in comparison.means)
    assert (b.estimate, a.estimate) == pytest.approx((0.3756, 0.4756))
    assert (a.low - b.low, a.high - b.high) == pytest.approx((0.1, 0.1))


def test_sampled_tests_name_their_sample_and_repeat_with_its_seed():
    values = np.random.default_rng(5).random((40, 2))  # more topics than are counted, and no step
    runs = [evaluation(name, {"AP": column}) for name, column in zip("ab", values.T, strict=True)]
    first, again, other = (compare(runs, test="sign-flip", n_resamples=999, rng=seed).tests[0] for seed in (7, 7, 8))
    assert first == again
    assert (first.exact, first.n_resamples, first.seed) == (False, 999, 7)
    assert first.pvalue * 1000 == pytest.approx(round(first.pvalue * 1000))  # (1 + c) / (1 + 999)
    assert other.seed == 8
    head = render(compare(runs, test="sign-flip", n_resamples=999, rng=7), "markdown").splitlines()[1]
    assert head.startswith("- sign-flip randomisation test, two-sided, 999 samples, seed 7; difference: ")


def test_size_and_power_of_a_difference():
    (one,) = compare(AB).contrasts
    assert one.effect.dz == pytest.approx(1.0121470868, abs=1e-9)
    assert (one.effect.low, one.effect.high) == pytest.approx((0.2223781, 1.7666422), abs=1e-6)
    assert one.effect.relative_change == pytest.approx(0.1865443425, abs=1e-9)
    assert one.detectable_difference == pytest.approx(0.0600269, abs=1e-7)
    # n for 80% at dz 1.012: the noncentral t gives 0.7580 with 9 topics and 0.8123 with 10 (scipy)
    assert one.topics_needed == 10
    assert [(moved.topic, round(moved.difference, 2)) for moved in one.moved[:3]] == [
        ("10", 0.16),
        ("6", 0.14),
        ("3", 0.09),
    ]


def test_equivalence_and_non_inferiority_within_a_margin():
    (one,) = compare(XY, equivalent=0.05).contrasts
    assert one.margin.pvalue == one.margin.adjusted_pvalue == pytest.approx(0.0305231028, abs=1e-10)
    assert one.verdict == (
        "AP: X exceeds Y by 0.0352 (95% t interval 0.0197 to 0.0507, n=25; paired t test p < 0.0001); the two are "
        "equivalent within 0.0500 either way (p 0.0305; a loss or gain on fewer than one topic in 8 may be absent)."
    )
    (one,) = compare(AB, equivalent=0.05).contrasts
    assert one.margin.pvalue == pytest.approx(0.7110139113, abs=1e-10)
    (one,) = compare(XY[::-1], non_inferior=0.05).contrasts
    assert one.margin.pvalue == pytest.approx(0.0305231028, abs=1e-10)
    # 25 topics: 1 / (1 - 0.05^(1/25)) = 8.86
    unseen = "a loss on fewer than one topic in 8 may be absent"
    assert one.verdict.endswith(f"; Y is no worse than X by 0.0500 or more (p 0.0305; {unseen}).")
    said = f"Shown not to be worse by 0.05 or more: AP, Y against X ({unseen})."
    assert said in compare(XY[::-1], non_inferior=0.05).notes
    assert "None is shown to be equivalent within 0.05." in compare(AB, equivalent=0.05).notes


def test_tests_against_a_margin_are_a_family_of_their_own():
    comparison = compare([*XY, evaluation("Z", {"AP": Y})], baseline="Y", equivalent=0.06)
    # X-Y 0.0015306752; Z is Y: p 0. Holm over two: 0.0015306752 is the larger
    assert [one.margin.adjusted_pvalue for one in comparison.contrasts] == pytest.approx([0.0015306752, 0], abs=1e-10)
    unseen = "a loss or gain on fewer than one topic in 8 may be absent"
    assert f"Shown to be equivalent within 0.06: AP, X against Y ({unseen})." in comparison.notes
    assert render(comparison, "markdown").splitlines()[2] == (
        "- equivalence p: two one-sided t tests, within 0.06 either way; corrected as a family of their own: Holm over "
        "2 tests"
    )
    header = render(comparison, "markdown").split("\n\n")[1].splitlines()[0]
    assert "| adjusted p | equivalence p |" in header


def test_groups_of_topics_come_before_all_topics():
    comparison = compare(AB, groups=EVEN)
    assert [(one.group, one.test.n_topics) for one in comparison.contrasts] == [("odd", 5), ("even", 5), (None, 10)]
    odd = comparison.contrasts[0]
    assert odd.topics == ("1", "3", "5", "7", "9")
    # differences .07 .09 .03 .03 .03: mean .05, sd sqrt(.0032 / 4), t .05 / (sd / sqrt 5)
    assert odd.test.statistic == pytest.approx(0.05 / (sqrt(0.0008) / sqrt(5)))
    assert [one.group for one in comparison.means] == ["odd", "odd", "even", "even", None, None]


def test_a_group_without_a_value_is_not_tested_and_said():
    runs = [evaluation(name, {"AP": [0.5, 0.4, nan]}) for name in "ab"]
    comparison = compare(runs, groups={"1": "x", "2": "x", "3": "y"})
    assert [one.group for one in comparison.contrasts] == ["x", None]
    assert "Not tested: AP (y), which no topic has a value of." in comparison.notes


def test_a_topic_that_a_run_has_no_value_of_leaves_a_tukey_test_whole():
    runs = [evaluation(name, {"AP": [*values, 0.5]}) for name, values in zip("ABC", D10.T[:3], strict=True)]
    runs.append(evaluation("D", {"AP": [*D10[:, 3], nan]}))
    comparison = compare(runs, baseline="all pairs", correction="tukey")
    assert adjusted(comparison)[0] == pytest.approx(0.0077019150, abs=1e-9)
    assert {one.test.n_topics for one in comparison.contrasts} == {10}


def test_max_t_takes_a_topic_that_a_test_leaves_out_as_no_difference():
    # A against B with a topic more, which only the test of C has
    runs = [
        evaluation("B", {"AP": [*D10[:, 1], 0.5]}),
        evaluation("A", {"AP": [*D10[:, 0], nan]}),
        evaluation("C", {"AP": [*D10[:, 2], 0.5]}),
    ]
    first, _ = compare(runs, correction="max-t").contrasts
    assert (first.test.pvalue, first.test.n_topics) == (20 / 1024, 10)


def test_identical_runs_one_topic_and_constant_differences_have_a_reason():
    (same,) = compare([RUNS[0], evaluation("E", {"AP": D10[:, 0]})]).contrasts
    assert (same.adjusted_pvalue, same.effect.dz, same.topics_needed) == (1, 0, None)
    assert same.verdict == "AP: E against A: identical: no topic differs."
    (apart,) = compare([RUNS[0], evaluation("E", {"AP": D10[:, 0] + 0.1})]).contrasts
    assert (apart.test.statistic, apart.test.pvalue) == (inf, 0)
    assert apart.adjusted_pvalue == 2 / 2**10  # by the sign test, which needs no noise
    assert isnan(apart.detectable_difference)
    assert apart.shown
    assert apart.verdict == (
        "AP: E exceeds A by 0.1000 (95% t interval 0.1000 to 0.1000, n=10; paired t test p < 1e-300; sign test in its "
        "place p 0.0020); every topic differs by the same amount: t has no noise to measure it by."
    )
    alone = compare([evaluation(name, {"AP": [0.5], "RR": [0.5]}) for name in "ab"])
    assert alone.notes == (
        "AP, b against a (and 1 more test alike): one topic: no test is possible.",
        "1 topic cannot rank systems.",
    )
    alone, _ = alone.contrasts
    assert isnan(alone.adjusted_pvalue)
    assert alone.verdict == "AP: b against a: one topic: no test is possible."


def test_a_test_without_a_p_value_is_left_out_of_the_correction_and_said():
    runs = [
        evaluation(name, {"AP": values, "RR": [0.5, *[nan] * 9]}) for name, values in zip("ABC", D10.T, strict=False)
    ]
    comparison = compare(runs)
    assert comparison.n_tests == 2
    assert comparison.notes[-1] == "2 tests without a p-value left out; corrected for 2."


def test_what_was_found_and_what_could_not_have_been(t_alone):
    assert all_pairs().notes[:2] == (
        "Shown at 0.05 (Holm over 6 tests): AP of B below A by 0.0610; AP of C below A by 0.0340; AP of D below A by "
        "0.1040; AP of D below C by 0.0700.",
        # 0.9960 times 0.0594512 and 0.0733409, the deviations of B-D and B-C
        "2 others not shown: with 10 topics true differences of 0.0592 (AP, D against B) to 0.0730 (AP, C against B) "
        "would be found by a t test in 80% of samples whose differences are normally distributed and vary as these do, "
        "and smaller ones less often, before any correction.",
    )


def test_cautions_of_several_tests_are_gathered():
    runs = [evaluation(name, {"P@5": values, "P@10": values}) for name, values in (("Y", Y), ("X", X))]
    assert "P@5, P@10: one measure at several cutoffs, whose values are not to be held against each other." in (
        compare(runs).notes
    )
    spread = np.array([0.5, *[0.01] * 24])
    base = np.full(25, 0.25)
    runs = [
        evaluation("a", {"AP": base}),
        evaluation("b", {"AP": base + spread}),
        evaluation("c", {"AP": base - spread}),
    ]
    # 0.5 of 0.74
    assert "AP, b against a (and 1 more test alike): one topic carries 68% of all that differs." in compare(runs).notes


def test_a_sampled_p_near_alpha_is_said_to_be_so():
    values = np.random.default_rng(8).normal(0.03, 0.1, 45)
    runs = [evaluation("a", {"AP": np.zeros(45)}), evaluation("b", {"AP": values})]
    comparison = compare(runs, test="sign-flip", n_resamples=50, level=0.5)
    # 3 errors of a p of 0.5 from 50 samples are 3 * 0.5 / sqrt 50 = 0.21
    assert 0.4 < comparison.tests[0].pvalue < 0.6
    words = "p is sampled, and too close to 0.5 to tell on which side of it p is: draw more than 50."
    assert f"AP, b against a: {words}" in comparison.notes
    assert not any("sampled" in note for note in compare(runs, test="sign-flip", n_resamples=50).notes)


VALUES = st.lists(st.tuples(*[st.integers(0, 20)] * 3), min_size=2, max_size=9)


@given(rows=VALUES, correction=st.sampled_from(FAMILY_CORRECTIONS), test=st.sampled_from(PAIRED_TESTS))
@settings(deadline=None, max_examples=60)
def test_a_corrected_p_is_never_below_its_own(rows, correction, test):
    table = np.array(rows) / 20
    runs = [evaluation(name, {"AP": column}) for name, column in zip("abc", table.T, strict=True)]
    alone = None if correction in ("max-t", "tukey", "randomised-tukey") else test
    for one in compare(runs, baseline="all pairs", test=alone, correction=correction, n_resamples=200).contrasts:
        if not isnan(one.test.pvalue):
            assert one.deciding.pvalue <= one.adjusted_pvalue + 1e-12 <= 1 + 1e-12


@given(rows=VALUES, test=st.sampled_from(["t", "sign-flip", "wilcoxon", "sign"]))
@settings(deadline=None, max_examples=60)
def test_swapping_the_runs_turns_differences_and_intervals_and_keeps_p(rows, test):
    table = np.array(rows) / 20
    runs = [evaluation(name, {"AP": column}) for name, column in zip("ab", table.T[:2], strict=True)]
    (one,), (other,) = (compare(runs, baseline=name, test=test).contrasts for name in "ab")
    assert one.test.mean_difference == -other.test.mean_difference
    assert (one.interval.low, one.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))
    assert one.test.pvalue == pytest.approx(other.test.pvalue)
    assert one.effect.dz == -other.effect.dz


@pytest.mark.parametrize("correction", ["tukey", "randomised-tukey"])
def test_with_two_runs_the_tests_of_all_pairs_are_those_of_one(correction):
    (one,) = compare(AB, correction=correction).contrasts
    expected = {"tukey": 0.0108193141, "randomised-tukey": 20 / 1024}
    assert one.test.pvalue == one.adjusted_pvalue == pytest.approx(expected[correction], abs=1e-9)
    assert one.test.mean_difference == pytest.approx(0.061)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "wilcoxn"}, "there is no test 'wilcoxn'; did you mean 'wilcoxon'?"),
        ({"correction": "hom"}, "there is no correction 'hom'; did you mean 'holm'?"),
        ({"alternative": "grater"}, "there is no alternative 'grater'; did you mean 'greater'?"),
        ({"interval": "bca"}, "there is no interval 'bca'; there are t, percentile, BCa"),
        ({"level": 95}, "a level of confidence is between 0 and 1, as 0.95, got 95"),
        ({"level": nan}, "a level of confidence is between 0 and 1, as 0.95, got nan"),
        ({"equivalent": 0}, "the margin is a difference above 0, in the measure's own unit, got 0"),
        ({"non_inferior": -0.1}, "the margin is a difference above 0, in the measure's own unit, got -0.1"),
        (
            {"equivalent": 0.1, "non_inferior": 0.1},
            "equivalent and non_inferior exclude each other: equivalence holds non-inferiority",
        ),
        ({"n_resamples": 0}, "sampling needs at least one sample, got n_resamples=0"),
        ({"baseline": ["A", "A"]}, "the baseline 'A' occurs there twice; keep one"),
        (
            {"baseline": list("ABCD")},
            "every run is a baseline: nothing to compare; name one run or more, and not all, or compare 'all pairs'",
        ),
        (
            {"baseline": []},
            "there is no baseline: nothing to compare; name one run or more, and not all, or compare 'all pairs'",
        ),
        (
            {"correction": "max-t", "test": "t"},
            "the correction 'max-t' is made of the test 'sign-flip', not of 't'; name no other",
        ),
        (
            {"correction": "max-t", "alternative": "less"},
            "the correction 'max-t' is two-sided, not 'less'; 'holm' takes either",
        ),
        (
            {"correction": "tukey", "test": "t", "baseline": "all pairs"},
            "the correction 'tukey' is made of a test of its own, not of 't'; name no other",
        ),
        (
            {"correction": "tukey"},
            "the correction 'tukey' is of all pairs of runs; compare all pairs, or take 'max-t'",
        ),
    ],
)
def test_a_wrong_request_says_what_there_is(options, message):
    with pytest.raises(UsageError) as caught:
        compare(RUNS, **options)
    assert str(caught.value) == message


def test_groups_need_every_topic():
    with pytest.raises(DataError, match="no group is given for 9 of 10 topics, such as '2'"):
        compare(AB, groups={"1": "x"})
    with pytest.raises(UsageError, match="groups are a mapping"):
        compare(AB, groups="odd")


def test_a_comparison_cannot_be_written_to():
    comparison = compare(AB)
    with pytest.raises(FrozenInstanceError):
        comparison.level = 0.9
    with pytest.raises(ValueError, match="read-only"):
        comparison.contrasts[0].candidate_values[0] = 1


def test_everything_is_in_plain_values():
    plain = compare(AB, groups=EVEN, equivalent=0.05).to_dict()
    json.dumps(plain, allow_nan=False)
    last = plain["comparisons"][-1]
    assert {name: last[name] for name in ("group", "baseline", "candidate", "measure", "family")} == {
        "group": None,
        "baseline": "B",
        "candidate": "A",
        "measure": "AP",
        "family": "Holm over 3 tests",
    }
    assert last["interval"]["method"] == "t"
    assert last["moved"][0]["topic"] == "10"
    assert (plain["level"], plain["n_tests"], plain["correction"]) == (0.95, 3, "holm")
    assert plain["runs"][0]["topics"]["1"] == {"AP": 0.35}
    assert plain["means"][-1]["interval"]["estimate"] == pytest.approx(0.388)
    frame = compare(AB, groups=EVEN).to_pandas()
    assert frame["group"].tolist()[:2] == ["odd", "even"]
    assert frame["dz"].iloc[-1] == pytest.approx(1.0121470868, abs=1e-9)


TABLE = """\
10 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none
paired t test, two-sided; adjusted p: Holm over 6 tests; difference: mean of the candidate minus mean of the baseline
a raised letter names a run that is lower, with adjusted p below 0.05

run         AP
──────────────
a A  0.3880ᵇᶜᵈ
b B  0.3270
c C  0.3540ᵈ
d D  0.2840

measure  candidate  against  difference      95% t interval         p  adjusted p  win/tie/loss
───────────────────────────────────────────────────────────────────────────────────────────────
AP       B          A           -0.0610  [-0.1041, -0.0179]    0.0108      0.0433         1/1/8
AP       C          A           -0.0340  [-0.0586, -0.0094]    0.0122      0.0433         2/0/8
AP       D          A           -0.1040  [-0.1379, -0.0701]  < 0.0001      0.0004        0/0/10
AP       C          B           +0.0270  [-0.0255, +0.0795]    0.2743      0.2743         6/0/4
AP       D          B           -0.0430  [-0.0855, -0.0005]    0.0480      0.0960         3/0/7
AP       D          C           -0.0700  [-0.1013, -0.0387]    0.0007      0.0034         1/0/9
"""


def test_the_table_of_all_pairs_letters_the_runs(t_alone):
    # half of an interval: 2.262157 / sqrt 10 times the deviation, of A-B 0.0602679
    shown = render(all_pairs(), "table", screen=TerminalWidth())
    assert shown.startswith(TABLE)
    plain = render(all_pairs(), "table", screen=TerminalWidth(encoding="ascii"))
    assert "a A  0.3880^bcd\n" in plain
    assert "b B  0.3270\n" in plain
    assert "<sup>bcd</sup>**" in render(all_pairs(), "markdown")
    assert r"\textbf{0.3880\textsuperscript{bcd}}" in render(all_pairs(), "latex")
    assert "*" not in shown
