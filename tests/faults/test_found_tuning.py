"""C20: a choice by folds is tested as often as it should be found, and not more often."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irkit
from benchmarks.calibrate import band
from benchmarks.calibrate_tuning import claims, draw
from irkit.stats.paired.cross_validation import corrected_interval, corrected_t_test, repeated_choice, widened_interval
from irkit.stats.paired.differences import paired_differences
from irkit.stats.paired.intervals import t_interval
from irkit.tuning import Folds, Nested, Separate, tune
from irkit.tuning.remarks import _advice

# Six topics in three folds, two points, differences to the default in hundredths.
SIX = np.array([(4, 1), (6, -2), (-1, 3), (5, 2), (2, -4), (3, 5)]) / 100
FOLDS = np.array([0, 0, 1, 1, 2, 2])
WITH_DEFAULT = np.column_stack([np.zeros(6), SIX])


def test_c20_the_known_answer_of_all_64_flips():
    # Every fold gets the first point: 4 + 6 - 1 + 5 + 2 + 3 = 19. Of 64 patterns 2 reach 19, 63 stay at or below.
    found = repeated_choice(WITH_DEFAULT, FOLDS)
    assert found.mean == pytest.approx(0.19 / 6)
    assert (found.greater, found.less, found.pvalue) == (2 / 64, 63 / 64, 4 / 64)
    assert (found.exact, found.n_flips) == (True, 64)


def test_c20_the_known_answer_of_nadeau_and_bengio():
    # t 3.1235807588 over sqrt(1 + 3 * 1/2) = 1.9755259307, with 5 degrees of freedom.
    found = corrected_t_test(paired_differences(SIX[:, 0], np.zeros(6)), 3)
    assert found.statistic == pytest.approx(1.9755259307, abs=1e-10)
    assert found.pvalue == pytest.approx(0.1051780573, abs=1e-10)


def by_loops(differences, folds):
    """p by every sign pattern, each fold choosing by plain sums; of equal sums the first point."""
    n, n_points = differences.shape

    def mean(signs):
        total = 0.0
        for fold in set(folds):
            sums = [sum(signs[i] * differences[i][p] for i in range(n) if folds[i] != fold) for p in range(n_points)]
            chosen = next(p for p in range(n_points) if sums[p] >= max(sums) - 1e-9)
            total += sum(signs[i] * differences[i][chosen] for i in range(n) if folds[i] == fold)
        return total / n

    means = [mean(signs) for signs in product([1, -1], repeat=n)]
    observed = mean([1] * n)
    greater = sum(one >= observed - 1e-9 for one in means) / len(means)
    less = sum(one <= observed + 1e-9 for one in means) / len(means)
    return observed, min(1.0, 2 * min(greater, less))


@given(
    st.integers(2, 7).flatmap(
        lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=n, max_size=n)
    )
)
def test_c20_all_sign_patterns_agree_with_plain_loops(rows):
    differences = np.column_stack([np.zeros(len(rows)), np.array(rows, dtype=float)])
    folds = np.arange(len(rows)) % 2
    found = repeated_choice(differences, folds, tolerance=1e-12)
    assert (found.mean, found.pvalue) == pytest.approx(by_loops(differences, folds.tolist()))


def test_c20_drawn_sign_patterns_come_to_the_exact_answer():
    # 16 topics are more than 14, so that patterns are drawn; here all 2 ** 16 are looked at.
    rng = np.random.default_rng(5)
    differences = np.column_stack([np.zeros(16), rng.normal(0.3, 1, (16, 2))])
    folds = np.arange(16) % 4
    drawn = repeated_choice(differences, folds, n_flips=20_000)
    assert (drawn.exact, drawn.n_flips, drawn.n_effective) == (False, 20_000, 16)
    signs = np.array(list(product([1, -1], repeat=16)))
    sums = np.stack([signs[:, folds == fold] @ differences[folds == fold] for fold in range(4)], axis=1)
    chosen = (sums.sum(axis=1, keepdims=True) - sums).argmax(axis=2)
    means = np.take_along_axis(sums, chosen[:, :, None], axis=2).sum(axis=(1, 2)) / 16
    greater = (means >= means[0] - 1e-12).mean()
    # Four standard errors of a share of 20,000.
    assert drawn.greater == pytest.approx(greater, abs=4 * (greater * (1 - greater) / 20_000) ** 0.5)
    # The same seed draws the same.
    assert repeated_choice(differences, folds, n_flips=20_000) == drawn


def test_c20_under_a_null_the_flips_reject_in_a_twentieth_and_a_t_test_twice_as_often():
    rng = np.random.default_rng(51)
    found = [claims(draw("independent", 30, 10, rng), rng) for _ in range(600)]
    share = {name: sum(getattr(one, name) for one in found) / 600 for name in ("naive", "flips", "misses")}
    _, high = band(600)  # 0.0729
    assert share["naive"] > high
    assert share["flips"] < high
    assert share["misses"] < high


def a_maker(values):
    """Makes runs whose RR of each topic is 1 over the rank that `values[point]` has for it."""

    def make(parameters):
        ranks = values[parameters["p"]]
        return {f"q{topic}": [*(f"x{rank}" for rank in range(1, rank)), "right"] for topic, rank in enumerate(ranks, 1)}

    return make


RANKS = {1: [2] * 12, 2: [1, 1, 2, 1, 1, 4, 1, 1, 1, 2, 1, 1], 3: [2, 1, 4, 1, 2, 1, 2, 2, 1, 4, 1, 2]}
QRELS = {f"q{topic}": {"right": 1} for topic in range(1, 13)}
EIGHT = {f"q{topic}": {"right": 1} for topic in range(1, 9)}


@pytest.mark.parametrize("split", [Folds(4), Nested(4, inner=3)])
def test_c20_tune_tests_a_choice_by_folds_with_its_own_flips(split):
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=split, measure="RR")
    values = np.array([[1 / rank for rank in RANKS[p]] for p in (1, 2, 3)])
    columns = {f"q{topic}": values[:, topic - 1] - values[0, topic - 1] for topic in range(1, 13)}
    fold_of = {topic: number for number, part in enumerate(found.split.parts) for topic in part.test}
    observed, pvalue = by_loops(np.array([columns[t] for t in found.topics]), [fold_of[t] for t in found.topics])
    assert found.test_gain == pytest.approx(observed)
    assert found.contrast.test.pvalue == pytest.approx(pvalue)
    assert found.contrast.test.test == "sign flips that repeat the choice"
    plain = t_interval(found.contrast.candidate_values - found.contrast.baseline_values)
    half = (plain.high - plain.low) / 2
    assert found.contrast.interval.high - found.test_gain == pytest.approx(1.3 * half)
    assert found.contrast.interval.method == "t x 1.3"


def test_c20_named_halves_keep_the_paired_t_test():
    split = Separate([f"q{n}" for n in range(1, 7)], [f"q{n}" for n in range(7, 13)])
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=split, measure="RR")
    assert (found.contrast.test.test, found.contrast.interval.method) == ("paired t test", "t")


def test_c20_where_every_fold_keeps_the_default_p_is_1():
    worse = {1: [1] * 8, 2: [2] * 8}
    found = tune(a_maker(worse), {"p": [1, 2]}, EIGHT, default={"p": 1}, split=Folds(4), measure="RR")
    assert (found.contrast.test.pvalue, found.contrast.test.note) == (1.0, "identical: no topic differs")
    assert found.notes[0] == "Nothing that was tried is better than the default on development: keep the default (p=1)."


def test_c20_where_only_all_topics_together_choose_another_point_nothing_was_tested():
    # Nested folds can come to that with learned floors; here the choice is put in by hand.
    worse = {1: [1] * 8, 2: [2] * 8}
    found = tune(a_maker(worse), {"p": [1, 2]}, EIGHT, default={"p": 1}, split=Folds(4), measure="RR")
    moved = replace(found, choice=found.choice._replace(place=1))
    assert _advice(moved) == (
        "not-tested",
        "Every fold chose the default, so that no other point was tested: keep the default (p=1).",
    )


@pytest.mark.parametrize("points", [[1], [1, 2]])
def test_c20_one_point_and_points_that_are_all_equal_show_nothing(points):
    alike = {1: [2] * 8, 2: [2] * 8}
    found = tune(a_maker(alike), {"p": points}, EIGHT, default={"p": 1}, split=Folds(4), measure="RR")
    assert (found.contrast.test.pvalue, found.contrast.shown) == (1.0, False)
    assert found.remarks[0].code == "nothing-better"
    assert not any("by chance" in note for note in found.notes)


def test_c20_leaving_one_out_has_a_test_and_no_interval():
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Folds(12), measure="RR")
    values = np.array([[1 / rank for rank in RANKS[p]] for p in (1, 2, 3)])
    columns = {f"q{topic}": values[:, topic - 1] - values[0, topic - 1] for topic in range(1, 13)}
    _, pvalue = by_loops(np.array([columns[t] for t in found.topics]), list(range(12)))
    interval = found.contrast.interval
    assert found.contrast.test.pvalue == pytest.approx(pvalue)
    assert (interval.method, np.isnan([interval.low, interval.high]).all()) == ("none", True)
    assert "No interval is known for leaving one topic out; 10 folds or fewer have one." in found.notes


def test_c20_a_mean_of_tuned_has_the_wider_interval_and_dz_has_none():
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Folds(4), measure="RR")
    default, tuned = found.comparison.means
    plain = t_interval(found.contrast.candidate_values)
    assert default.interval == t_interval(found.contrast.baseline_values)
    assert tuned.interval.high - plain.estimate == pytest.approx(1.3 * (plain.high - plain.estimate))
    record = found.contrast.to_dict()
    assert np.isnan([record["dz_low"], record["dz_high"], record["detectable_difference"]]).all()
    assert record["topics_needed"] is None


def test_c20_five_topics_cannot_show_anything_and_the_note_says_so():
    # The least share is that of one pattern of 32, twice: 0.0625.
    values = {1: [2] * 5, 2: [1] * 5}
    qrels = {f"q{topic}": {"right": 1} for topic in range(1, 6)}
    found = tune(a_maker(values), {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(2), measure="RR")
    assert found.contrast.test.pvalue == 0.0625
    assert found.contrast.test.note == "5 topics differ: the two-sided p cannot be below 0.0625"
    assert found.remarks[0].code == "not-shown"


def test_c20_a_constant_gain_is_judged_by_flips_and_not_by_a_t_test_without_noise():
    better = {1: [2] * 8, 2: [1] * 8}
    found = tune(a_maker(better), {"p": [1, 2]}, EIGHT, default={"p": 1}, split=Folds(4), measure="RR")
    # Every topic gains 1/2. A sum of 8 halves is reached by all signs alike only; its mirror chooses the default: 0.
    assert found.contrast.test.pvalue == 2 / 2**8
    assert found.notes[0].startswith("Tuned is shown to be better")


@pytest.mark.parametrize(("n_folds", "factor"), [(2, 1.3), (5, 1.3), (6, 1.5), (10, 1.5)])
def test_c20_intervals_of_folds_are_wider(n_folds, factor):
    # Six values 0 and six 2 have mean 1 and se sqrt(12/11/12) = 0.3015113446; t with df 11 is 2.2009852 at .975.
    half = 2.2009851601 * 0.3015113446 * factor
    found = widened_interval(t_interval([0.0, 2.0] * 6), n_folds)
    assert (found.low, found.high) == pytest.approx((1 - half, 1 + half))
    assert found.method == f"t x {factor}"


@pytest.mark.parametrize(("n_topics", "n_folds"), [(12, 11), (12, 12), (8, 8)])
def test_c20_beyond_ten_folds_and_for_leaving_one_out_there_is_no_interval(n_topics, n_folds):
    values = np.array([0.0, 2.0] * (n_topics // 2))
    for found in (widened_interval(t_interval(values), n_folds), corrected_interval(t_interval(values), n_folds)):
        assert (np.isnan([found.low, found.high]).all(), found.method) == (True, "none")
    test = corrected_t_test(paired_differences(values, np.zeros(n_topics)), n_folds)
    assert np.isnan(test.pvalue)
    assert test.note == "no test is known for so many folds if points learn from data"


SERVICES = "runs/run.services.bm25.txt", "runs/run.services.dense.txt"


@pytest.mark.parametrize("split", [Folds(5), Nested(5, inner=4)])
def test_c20_a_learned_floor_has_the_corrected_t_test(split):
    floor = {"floor": float("-inf")}
    found = tune(
        irkit.fusion_maker(SERVICES), {"floor": "learn"}, "qrels/qrels.services.txt", default=floor, split=split
    )
    test, interval = found.contrast.test, found.contrast.interval
    assert test.test == "t test corrected for folds"
    assert not found.contrast.differences.identical
    # One topic of 15 loses by silence: skewness -sqrt 15, so that nothing is said to be cautious.
    assert [one.code for one in found.remarks if one.code in ("skewed", "cautious-test")] == ["skewed"]
    # With 5 folds t is divided by sqrt(1 + 5/4) = 1.5, and the interval is 1.5 times as wide.
    plain = t_interval(found.contrast.differences.values * found.contrast.differences.unit)
    assert test.statistic == pytest.approx(test.mean_difference / (test.standard_deviation / test.n_topics**0.5) / 1.5)
    assert interval.high - plain.estimate == pytest.approx(1.5 * (plain.high - plain.estimate))


def test_c20_a_floor_that_helps_is_said_to_be_tested_with_caution():
    # The six topics without a relevant document have the lowest scores: silence gains 1 on each, and nothing elsewhere.
    run = {f"q{topic}": {"d": float(topic)} for topic in range(1, 13)}
    qrels = {f"q{topic}": {"d": int(topic > 6)} for topic in range(1, 13)}
    floor = {"floor": float("-inf")}
    found = tune(lambda _: run, {"floor": "learn"}, qrels, default=floor, no_relevant="abstain")
    # Mean 1/2, se sqrt(3/11/12): t 3.3166 over 1.5 is 2.2111, which is above 2.2010 of 11 degrees of freedom.
    assert found.contrast.test.statistic == pytest.approx(0.5 / (3 / 11 / 12) ** 0.5 / 1.5)
    assert "The t test corrected for folds is cautious: its p is larger than it need be." in found.notes
    assert found.remarks[0].code == "shown-better"


def test_c20_the_corrected_t_test_claims_nothing_from_the_same_difference_in_every_topic():
    found = corrected_t_test(paired_differences(np.full(12, 0.5), np.zeros(12)), 5)
    assert np.isnan([found.statistic, found.pvalue]).all()
    assert found.note == "every topic differs by the same amount: t has no noise to measure it by"


def test_c20_skewed_differences_are_said_to_be_too_few():
    # Of 12 topics 11 gain 1/2, and one loses 1/2 (RR 1/2 to 1): with b = 1/12 below, G1 is that of a Bernoulli sample,
    # -(1 - 2b)/sqrt(b (1 - b)) sqrt(12 * 11)/10 = -3.0151 * 1.1489 = -3.4641; 25 times its square is 300.
    ranks = {1: [2] * 11 + [1], 2: [1] * 11 + [2]}
    found = tune(a_maker(ranks), {"p": [1, 2]}, QRELS, default={"p": 1}, split=Folds(4), measure="RR")
    skewed = [one.sentence for one in found.remarks if one.code == "skewed"]
    assert skewed == [
        "The differences are skewed (skewness -3.46, 12 topics where 300 are wanted): the test and the interval can "
        "find a difference that is not there more often than 0.05."
    ]


def test_c20_a_learned_floor_with_too_many_folds_is_not_tested():
    found = tune(
        irkit.fusion_maker(SERVICES),
        {"k": [10, 60], "floor": "learn"},
        "qrels/qrels.services.txt",
        default={"k": 60, "floor": float("-inf")},
        split=Folds(11),
    )
    assert (np.isnan(found.contrast.test.pvalue), found.contrast.shown) == (True, False)
    assert found.remarks[0] == (
        "not-tested",
        "No test says whether tuned is better than the default: keep the default (k=60, floor=-inf).",
    )
    assert found.contrast.interval.method == "none"


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        # The default has 1/4 everywhere. p=2 gains 3/4 on q1, p=3 gains 1/4 on q2 and on q3: without q1 p=3 is best.
        (
            {1: [4, 4, 4, 4], 2: [1, 4, 4, 4], 3: [4, 2, 2, 4]},
            "4 folds chose 2 different points; 3 folds chose the point that all topics choose.",
        ),
        # p=2 gains 1/4 on q1 and q2, p=3 on q3 and q4: each is best where the other lacks a topic.
        (
            {1: [4, 4, 4, 4], 2: [2, 2, 4, 4], 3: [4, 4, 2, 2]},
            "4 folds chose 2 different points; 2 folds chose the point that all topics choose: "
            "the folds do not agree on what is best.",
        ),
    ],
)
def test_c32_folds_disagree_only_where_no_point_has_most_of_them(ranks, sentence):
    qrels = {f"q{topic}": {"right": 1} for topic in range(1, 5)}
    found = tune(a_maker(ranks), {"p": [1, 2, 3]}, qrels, default={"p": 1}, split=Folds(4), measure="RR")
    assert [note for note in found.notes if "folds chose" in note] == [sentence]


def gains(n_topics, n_lost):
    """Points of which the second gains 1/2 on all topics but the last few, which lose 1/6."""
    ranks = {1: [2] * n_topics, 2: [1] * (n_topics - n_lost) + [3] * n_lost}
    return a_maker(ranks), {f"q{topic}": {"right": 1} for topic in range(1, n_topics + 1)}


@pytest.mark.parametrize(("n_topics", "level", "least"), [(5, 0.95, "0.0625"), (7, 0.99, "0.01562")])
def test_c22_flips_of_so_few_topics_show_nothing_at_this_level_and_the_notes_say_so(n_topics, level, least):
    # One of the 2^5 or 2^7 patterns of signs, twice.
    make, qrels = gains(n_topics, 1)
    found = tune(make, {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(3), measure="RR", level=level)
    assert found.contrast.least_pvalue == 2 * 0.5**n_topics
    assert (
        f"No difference can be shown at {1 - level:g} by the sign flips that repeat the choice: with {n_topics} topics "
        f"p is {least} at least." in found.notes
    )
    (skewed,) = (one.sentence for one in found.remarks if one.code == "skewed")
    assert f", {n_topics} topics where {25 * n_topics} are wanted): the interval can find a difference" in skewed


def test_c21_of_three_or_four_topics_skewness_says_nothing():
    # Of 1/2, 1/2 and -1/6 G1 is -1.73, as of any three values of which two are equal.
    for n_topics, n_folds in ((3, 3), (4, 2)):
        make, qrels = gains(n_topics, 1)
        found = tune(make, {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(n_folds), measure="RR")
        assert "skewed" not in [one.code for one in found.remarks]


def test_c20_leaving_one_of_four_topics_out_asks_for_fewer_folds():
    make, qrels = gains(4, 1)
    found = tune(make, {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(4), measure="RR")
    assert "No interval is known for leaving one topic out; fewer folds than topics have one." in found.notes


def test_c20_what_signs_can_reach_goes_by_the_topics_whose_signs_are_flipped():
    # Both points gain on some topic: 12 topics are flipped, of which those by the chosen points need not all differ.
    ranks = {1: [4] * 12, 2: [1, 1, 1, *[4] * 9], 3: [4, 4, 4, *[3] * 9]}
    qrels = {f"q{topic}": {"right": 1} for topic in range(1, 13)}
    found = tune(a_maker(ranks), {"p": [1, 2, 3]}, qrels, default={"p": 1}, split=Folds(3, seed=2), measure="RR")
    assert found.contrast.test.n_effective == 12
    assert len(found.contrast.differences.nonzero) < 6
    assert not any("a test of signs cannot reach" in sentence for sentence in found.contrast.cautions)
