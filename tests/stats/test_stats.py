"""Paired t tests: answers worked from tables and by scipy, degenerate cases, and how runs are paired."""

from math import inf, isnan

import numpy as np
import pytest
from evaluations import evaluation
from hypothesis import given, settings
from hypothesis import strategies as st

from irkit.errors import DataError, UsageError
from irkit.evaluation.scoring import evaluate
from irkit.rules import TREC_EVAL_9, Conventions
from irkit.stats import compare, few_topics_note, paired_t_test
from irkit.stats.paired.means import t_half_width

A = [0.42, 0.15, 0.61, 0.30, 0.08, 0.55, 0.73, 0.21, 0.47, 0.36]
B = [0.35, 0.15, 0.52, 0.33, 0.05, 0.41, 0.70, 0.12, 0.44, 0.20]
C = [0.40, 0.11, 0.58, 0.24, 0.09, 0.50, 0.69, 0.24, 0.38, 0.31]
D = [0.28, 0.10, 0.49, 0.26, 0.02, 0.44, 0.58, 0.15, 0.30, 0.22]
X = np.array([41, 22, 67, 35, 10, 58, 79, 28, 50, 33, 62, 18, 45, 71, 5, 38, 54, 27, 66, 13, 49, 31, 57, 24, 44]) / 100
Y = np.array([37, 24, 60, 36, 7, 52, 74, 29, 41, 30, 63, 12, 40, 66, 5, 31, 56, 20, 58, 15, 42, 33, 49, 21, 38]) / 100


@pytest.mark.parametrize(
    ("candidate", "baseline", "mean", "deviation", "t", "p", "wins_ties_losses"),
    [
        (A, B, 0.061, 0.0602679203, 3.2006901214, 0.0108193141, (8, 1, 1)),
        (A, C, 0.034, 0.0343834586, 3.1270106314, 0.0121802259, (8, 0, 2)),
        (X, Y, 0.0352, 0.0376519145, 4.6743970995, 0.0000950362, (17, 1, 7)),
    ],
)
def test_known_answers(candidate, baseline, mean, deviation, t, p, wins_ties_losses):
    result = paired_t_test(candidate, baseline)
    assert result.mean_difference == pytest.approx(mean)
    assert result.standard_deviation == pytest.approx(deviation, abs=1e-10)
    assert result.statistic == pytest.approx(t, abs=1e-9)
    assert result.pvalue == pytest.approx(p, abs=1e-10)
    assert (result.wins, result.ties, result.losses) == wins_ties_losses
    assert (result.n_topics, result.note) == (len(candidate), "")


def test_three_topics_apart_by_1_2_and_3_tenths_have_t_of_two_roots_of_three():
    result = paired_t_test([0.3, 0.6, 0.9], [0.2, 0.4, 0.6])  # mean 0.2, sd 0.1: t = 0.2 / (0.1 / sqrt 3)
    assert result.statistic == pytest.approx(2 * 3**0.5)
    # With 2 degrees of freedom P(|T| >= t) = 1 - t / sqrt(2 + t * t) = 1 - sqrt(12 / 14).
    assert result.pvalue == pytest.approx(1 - (12 / 14) ** 0.5)


def test_the_interval_of_ten_topics_is_0_043_either_way():
    assert paired_t_test(A, B).half_width() == pytest.approx(0.0431131, abs=1e-7)  # 2.262157 * 0.0190584
    assert isnan(paired_t_test([0.5], [0.4]).half_width())


@pytest.mark.parametrize("n", [2, 3, 4, 10, 25, 26, 1001])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_t_of_an_interval_is_that_of_scipy(n, level):
    special = pytest.importorskip("scipy.special")
    assert t_half_width(n, n**0.5, level) == pytest.approx(special.stdtrit(n - 1, (1 + level) / 2), rel=1e-9)


def test_a_run_against_itself_has_p_1():
    result = paired_t_test(A, A)
    assert (result.mean_difference, result.pvalue, result.ties) == (0, 1, 10)
    assert isnan(result.statistic)
    assert result.note == "identical: no topic differs"


@pytest.mark.parametrize(("shift", "t", "wins_ties_losses"), [(0.1, inf, (10, 0, 0)), (-0.1, -inf, (0, 0, 10))])
def test_the_same_difference_in_every_topic_has_p_0_and_says_why(shift, t, wins_ties_losses):
    result = paired_t_test(np.array(A) + shift, A)  # noise leaves an sd of some 1e-17
    assert (result.statistic, result.pvalue) == (t, 0)
    assert (result.wins, result.ties, result.losses) == wins_ties_losses
    assert "every topic differs by the same amount" in result.note


def test_one_topic_cannot_be_tested():
    result = paired_t_test([0.5], [0.25])
    assert (result.mean_difference, result.wins, result.note) == (0.25, 1, "one topic: no test is possible")
    assert isnan(result.pvalue)


def test_differences_below_the_noise_of_arithmetic_are_ties():
    result = paired_t_test([0.1 + 0.2, 0.5, 0.9], [0.3, 0.4, 0.7])
    assert (result.wins, result.ties, result.losses) == (2, 1, 0)


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=30))
def test_swapping_the_runs_turns_the_signs_and_keeps_p(pairs):
    candidate, baseline = np.array(pairs).T / 100
    one, other = paired_t_test(candidate, baseline), paired_t_test(baseline, candidate)
    assert one.mean_difference == -other.mean_difference
    assert one.pvalue == other.pvalue
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    assert one.statistic == -other.statistic or isnan(one.statistic)


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=3, max_size=30))
@settings(deadline=None)  # the first example pays for loading scipy.stats
def test_p_agrees_with_scipy(pairs):
    stats = pytest.importorskip("scipy.stats")
    candidate, baseline = np.array(pairs).T / 128  # exact in binary, so scipy sees a constant difference as one
    result = paired_t_test(candidate, baseline)
    if result.note:
        return
    expected = stats.ttest_rel(candidate, baseline)
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(
    ("candidate", "baseline", "error", "message"),
    [
        ([0.1, 0.2], [0.1], UsageError, r"got shapes \(2,\) and \(1,\)"),
        ([[0.1]], [[0.1]], UsageError, r"got shapes \(1, 1\)"),
        ([], [], DataError, "one topic at least"),
        ([0.1, float("nan")], [0.1, 0.2], DataError, "needs finite scores"),
    ],
)
def test_scores_that_cannot_be_paired_are_refused(candidate, baseline, error, message):
    with pytest.raises(error, match=message):
        paired_t_test(candidate, baseline)


def test_runs_are_compared_with_the_baseline_on_each_measure():
    runs = [evaluation(name, {"AP": values, "P@5": values[::-1]}) for name, values in (("a", A), ("b", B), ("c", C))]
    comparison = compare(runs, baseline="b")
    assert [(t.candidate, t.baseline, t.measure) for t in comparison.tests] == [
        ("a", "b", "AP"),
        ("a", "b", "P@5"),
        ("c", "b", "AP"),
        ("c", "b", "P@5"),
    ]
    assert comparison.tests[0].pvalue == pytest.approx(0.0108193141, abs=1e-10)
    assert compare(runs, baseline=1) == comparison
    assert compare(runs, baseline="b", measures=["map"]).tests == comparison.tests[::2]


def test_all_pairs_of_four_runs_are_six_with_these_p_values():
    runs = [evaluation(name, {"AP": values}) for name, values in zip("ABCD", (A, B, C, D), strict=True)]
    comparison = compare(runs, baseline="all pairs")
    assert [t.baseline + t.candidate for t in comparison.tests] == ["AB", "AC", "AD", "BC", "BD", "CD"]
    # 0.0479924290 by the closed form of the t distribution with 9 degrees of freedom; some tables end in ...4.
    known = [0.0108193141, 0.0121802259, 0.0000679653, 0.2742855242, 0.0479924290, 0.0006777701]
    assert [t.pvalue for t in comparison.tests] == pytest.approx(known, abs=1e-10)
    assert comparison.tests[0].mean_difference == pytest.approx(-0.061)


def test_topics_are_paired_by_id_not_by_place():
    topics = [str(n) for n in range(10)]
    comparison = compare(
        [evaluation("b", {"AP": B}, topics), evaluation("a", {"AP": A[::-1]}, topics[::-1])],
    )
    assert comparison.tests[0].pvalue == pytest.approx(0.0108193141, abs=1e-10)


def test_few_topics_are_said_with_how_far_the_mean_could_move():
    comparison = compare([evaluation("b", {"AP": B}), evaluation("a", {"AP": A})])
    assert comparison.notes == (
        "Shown at 0.05: AP of a above b by 0.0610.",
        "10 topics are too few to rank systems: the mean difference over all topics of the kind may lie 0.0431 "
        "either way (AP, a against b; 95% t interval).",
        "A large difference on fewer than one topic in 3 may be absent from 10 topics: where large differences are so "
        "rare, tests and intervals do not hold their level (false claims up to 39% of the time at 0.05 where they "
        "are ten times as large as the others, more where they are larger).",
    )
    assert compare([evaluation("y", {"AP": Y}), evaluation("x", {"AP": X})]).notes == (
        "Shown at 0.05: AP of x above y by 0.0352.",
        "A large difference on fewer than one topic in 8 may be absent from 25 topics: where large differences are so "
        "rare, tests and intervals do not hold their level (false claims up to 39% of the time at 0.05 where they "
        "are ten times as large as the others, more where they are larger).",
    )
    assert compare([evaluation("b", {"AP": [0.1]}), evaluation("a", {"AP": [0.2]})]).notes == (
        "AP, a against b: one topic: no test is possible.",
        "1 topic cannot rank systems.",
    )
    assert compare([evaluation("b", {"AP": B}), evaluation("a", {"AP": B})]).notes == (
        "AP, a against b: identical: no topic differs.",
        "10 topics are too few to rank systems.",
    )


def test_a_topic_skipped_in_either_run_leaves_both():
    nan = float("nan")
    comparison = compare([evaluation("b", {"AP": [*B, nan, 0.9]}), evaluation("a", {"AP": [*A, 0.7, nan]})])
    assert comparison.tests[0].n_topics == 10
    assert comparison.tests[0].pvalue == pytest.approx(0.0108193141, abs=1e-10)
    assert comparison.notes[1] == "Topics left out because a measure has no value there: 2 of 12 at most."


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            {"topics": ["1", "9"]},
            "2 topics in one evaluation only (2, 9); average over the judged topics, or over the",
        ),
        ({"rules": TREC_EVAL_9}, "rules: trec_eval-10 and trec_eval-9; evaluate both alike"),
        ({"conventions": Conventions("intersection")}, "topics averaged: judged and intersection; evaluate both alike"),
        (
            {"conventions": Conventions(no_relevant="one")},
            "value of a topic without relevant documents: zero and one; evaluate both alike",
        ),
    ],
)
def test_evaluations_that_do_not_fit_are_refused(other, message):
    with pytest.raises(DataError) as caught:
        compare([evaluation("b", {"AP": [0.1, 0.2]}), evaluation("a", {"AP": [0.1, 0.2]}, **other)])
    assert str(caught.value).startswith(f"b and a cannot be compared: {message}")


@pytest.mark.parametrize(
    ("names", "request_", "message"),
    [
        (["a"], {}, "a comparison needs at least two runs, got 1"),
        (["a", "b"], {"baseline": "c"}, "there is no run 'c'; there are a, b"),
        (["bm25", "dense"], {"baseline": "bm52"}, "there is no run 'bm52'; did you mean 'bm25'?"),
        (["a", "a"], {"baseline": "a"}, "more than one run is called 'a'; give its place"),
        (["a", "b"], {"baseline": 2}, "the baseline is run 2 of 2; give a name, or a place counted from 0"),
        (["a", "b"], {"measures": ["AP@5"]}, "AP@5 is not in every evaluation; did you mean 'AP'?"),
    ],
)
def test_a_wrong_request_is_told_what_exists(names, request_, message):
    with pytest.raises(UsageError) as caught:
        compare([evaluation(name, {"AP": [0.1, 0.2]}) for name in names], **request_)
    assert str(caught.value) == message


def test_an_intersection_is_of_all_runs():
    both = Conventions("intersection")
    runs = [
        evaluation("b", {"AP": [*B, 0.9]}, list("0123456789x"), conventions=both, missing=("y",)),
        evaluation("a", {"AP": [0.8, *A]}, list("y0123456789"), conventions=both, missing=("x",)),
        evaluation("c", {"AP": [*C, 0.9]}, list("0123456789x"), conventions=both, missing=("y",)),
    ]
    comparison = compare(runs)
    assert [test.n_topics for test in comparison.tests] == [10, 10]
    assert comparison.tests[0].pvalue == pytest.approx(0.0108193141, abs=1e-10)
    assert comparison.evaluations[0].topics == tuple("0123456789")
    assert [one.missing for one in comparison.evaluations] == [("y",), ("x",), ("y",)]
    alone = evaluation("d", {"AP": [0.5]}, ["z"], conventions=both)
    with pytest.raises(DataError, match="no topic is in all of b, d: nothing can be compared"):
        compare([runs[0], alone])


def test_both_means_are_there_and_are_of_the_topics_paired():
    (test,) = compare(
        [evaluation("b", {"AP": [0.2, 0.4, 0.9]}), evaluation("a", {"AP": [0.4, 0.8, float("nan")]})]
    ).tests
    assert (test.baseline_mean, test.candidate_mean) == pytest.approx((0.3, 0.6))
    assert test.mean_difference == pytest.approx(0.3)


def test_counts_and_shares_of_judged_documents_are_not_tested():
    runs = [
        evaluation(name, {"AP": values, "NumRet": values, "Judged@10": values}) for name, values in (("a", A), ("b", B))
    ]
    for measures in (None, ["NumRet", "AP", "Judged@10"], "Judged@10 AP NumRet"):
        comparison = compare(runs, measures=measures)
        assert [test.measure for test in comparison.tests] == ["AP"]
        assert comparison.notes[1].startswith("Not compared, because more of it is not better: ")
        # What was found, few topics, and what they may not hold; one comparison is not several.
        assert len(comparison.notes) == 4
    with pytest.raises(UsageError, match="more of it is not better: NumRet; name a measure"):
        compare(runs, measures=["NumRet"])


def test_geometric_means_are_not_tested():
    # a test of differences between AP says nothing of a mean of logarithms
    runs = [evaluation(name, {"AP": A, "GMAP": values, "NumRet": A}) for name, values in (("a", A), ("b", B))]
    comparison = compare(runs)
    assert [test.measure for test in comparison.tests] == ["AP"]
    assert comparison.notes[:2] == (
        "Not compared, because more of it is not better: NumRet.",
        "Not compared, because a geometric mean is no mean of the topics' values: GMAP.",
    )
    with pytest.raises(UsageError, match="a geometric mean is no mean of the topics' values: GMAP; name a measure"):
        compare(runs, measures=["GMAP"])


@pytest.mark.parametrize("wrong", [["a.run", "b.run"], evaluation("a", {"AP": A}), [{"q": ["d"]}, {"q": ["d"]}]])
def test_only_evaluations_are_compared(wrong):
    with pytest.raises(UsageError, match="compare takes a list of evaluations"):
        compare(wrong)


def test_a_comparison_as_frame_and_as_plain_values():
    comparison = compare([evaluation("b", {"AP": B}), evaluation("a", {"AP": A})])
    frame = comparison.to_pandas()
    assert frame.loc[0, ["baseline", "candidate", "wins"]].tolist() == ["b", "a", 8]
    plain = comparison.to_dict()
    assert plain["comparisons"][0]["pvalue"] == frame.loc[0, "pvalue"] == pytest.approx(0.0108193141, abs=1e-10)
    assert plain["notes"] == list(comparison.notes)
    assert plain["runs"][0]["run"] == "b"


def test_evaluations_without_a_common_measure_are_refused():
    with pytest.raises(DataError, match="no measure in common"):
        compare([evaluation("a", {"AP": [0.1, 0.2]}), evaluation("b", {"RR": [0.1, 0.2]})])


@pytest.mark.parametrize("size", [1.0, 1e300, 1e-300, 1e308])
def test_the_size_of_the_scores_does_not_change_t_and_p(size):
    # mean 1/3, deviation sqrt(4/3), t = (1/3) / (sqrt(4/3) / sqrt 3) = 1/2; with 2 degrees p = 1 - t / sqrt(t^2 + 2)
    test = paired_t_test(np.array([1, -1, 1]) * size, [0, 0, 0])
    assert (test.statistic, test.pvalue) == pytest.approx((1 / 2, 2 / 3))
    assert test.standard_deviation / size == pytest.approx((4 / 3) ** 0.5)
    assert test.mean_difference / size == pytest.approx(1 / 3)


def test_a_difference_beyond_the_range_of_a_number_is_still_tested():
    test = paired_t_test([1.5e308, -1.5e308, 1.5e308], [-1.5e308, 1.5e308, -1.5e308])
    assert (test.statistic, test.pvalue) == pytest.approx((1 / 2, 2 / 3))


def test_gains_of_any_size_are_shown_and_compared_without_a_warning():
    # 25 topics would say nothing; of 3 the widest interval is that of numbers near 2 ** 1000
    qrels = {topic: {"a": 990 + int(topic), "b": 1} for topic in "123"}
    runs = [
        evaluate(run=dict.fromkeys(qrels, order), qrels=qrels, measures="DCG(dcg='exp-log2')", name="".join(order))
        for order in (["a", "b"], ["b", "a"])
    ]
    with np.errstate(all="raise"):
        assert few_topics_note(runs).startswith("3 topics are too few")
        assert 0 < compare(runs).tests[0].pvalue < 1


def test_evaluations_may_come_one_by_one():
    runs = [evaluation("b", {"AP": B}), evaluation("a", {"AP": A})]
    assert compare(run for run in runs).tests == compare(runs).tests
    with pytest.raises(UsageError, match="compare takes a list"):
        compare(5)


@pytest.mark.parametrize("baseline", [True, 0.0, None, 2, -1])
def test_a_baseline_is_a_name_or_a_place(baseline):
    with pytest.raises(UsageError, match="give a name, or a place counted from 0"):
        compare([evaluation("b", {"AP": B}), evaluation("a", {"AP": A})], baseline=baseline)
