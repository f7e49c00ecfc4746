"""Experiments made again, and how well measures tell runs apart: worked answers, laws and cases without an answer."""

from math import inf, isnan

import numpy as np
import pytest
from evaluations import evaluation
from hypothesis import given
from hypothesis import strategies as st
from ten_topics import D10

from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.rules import Conventions
from irkit.stats import (
    discriminative_power,
    effect_reproduced,
    kendall_tau,
    pair_by_pair,
    paired_t_test,
    randomised_tukey,
    run_tau_union,
    tau_union,
    tukey_hsd,
    unpaired_t_test,
    values_reproduced,
)

A, B, C, D = D10.T
A_AGAIN = np.array([40, 17, 58, 31, 6, 57, 70, 22, 44, 33]) / 100
B_AGAIN = np.array([36, 14, 53, 31, 6, 44, 68, 14, 43, 22]) / 100

# Order of documents ---------------------------------------------------------------------------------------------------

ORIGINAL, AGAIN = ["d1", "d2", "d3", "d4", "d5"], ["d2", "d1", "d3", "d6", "d5"]
RENAMED = dict(zip(["d1", "d2", "d3", "d4", "d5", "d6"], ["x9", "b2", "m5", "a1", "z0", "c7"], strict=True))


@pytest.mark.parametrize(("numbering", "named_so", "renamed"), [("appearance", 0.6, 0.6), ("sorted", 0.6, 0.2)])
def test_tau_union_by_appearance_does_not_depend_on_what_documents_are_called(numbering, named_so, renamed):
    # By appearance 0 1 2 3 4 against 1 0 2 5 4: 2 of 10 pairs discordant, (8 - 2) / 10.
    assert tau_union(ORIGINAL, AGAIN, numbering=numbering) == pytest.approx(named_so)
    lists = ([RENAMED[one] for one in documents] for documents in (ORIGINAL, AGAIN))
    assert tau_union(*lists, numbering=numbering) == pytest.approx(renamed)


@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"))
def test_tau_union_sorted_is_the_tau_of_the_places_in_the_alphabet(first, second):
    # As repro_eval has it, for documents that both lists hold.
    expected = kendall_tau([ord(one) for one in first], [ord(one) for one in second]).value
    assert tau_union(first, second, numbering="sorted") == pytest.approx(expected)
    assert tau_union(first, first, numbering="sorted") == tau_union(first, first) == 1


def test_runs_are_compared_topic_by_topic_and_the_rest_is_told():
    original = Run.of({"1": ORIGINAL, "2": ["a", "b", "c"], "3": ["a"], "4": ["a"]}, name="original")
    again = Run.of({"1": AGAIN, "2": ["b", "a"], "3": ["a"], "5": ["a"]}, name="again")
    result = run_tau_union(original, again)
    assert (result.original, result.reproduced, result.topics) == ("original", "again", ("1", "2", "3"))
    assert result.values == pytest.approx([0.6, -1, np.nan], nan_ok=True)
    assert result.mean == pytest.approx((0.6 - 1) / 2)
    assert (result.only_original, result.only_reproduced) == (("4",), ("5",))
    assert result.note == "cut to the shorter ranking in 1 topic; no value in 1 topic of one document or none"
    assert (result.numbering, result.depth) == ("appearance", None)


def test_runs_can_be_read_to_a_depth():
    original, again = Run.of({"1": ORIGINAL}), Run.of({"1": AGAIN})
    result = run_tau_union(original, again, depth=2, numbering="sorted")
    assert (result.values.tolist(), result.depth, result.numbering, result.note) == ([-1], 2, "sorted", "")
    alone = run_tau_union(original, again, depth=1)
    assert isnan(alone.mean)
    assert alone.note == "no value in 1 topic of one document or none"


def test_orders_that_cannot_be_compared_are_refused():
    with pytest.raises(UsageError, match="lists of one length, got 1 and 2"):
        tau_union(["a"], ["a", "b"])
    with pytest.raises(UsageError, match="numbered by appearance or sorted, not 'id'"):
        tau_union(["a"], ["a"], numbering="id")
    with pytest.raises(UsageError, match="a depth of at least 1, got 0"):
        run_tau_union(Run.of({"1": ["a"]}), Run.of({"1": ["a"]}), depth=0)
    with pytest.raises(DataError, match="no topic in common"):
        run_tau_union(Run.of({"1": ["a"]}), Run.of({"2": ["a"]}))


# Values and effects ---------------------------------------------------------------------------------------------------


def test_values_made_again():
    advanced, baseline = values_reproduced(A, A_AGAIN), values_reproduced(B, B_AGAIN)
    assert advanced.rmse == pytest.approx(0.0232379001, abs=1e-10)
    assert baseline.rmse == pytest.approx(0.0173205081, abs=1e-10)
    assert advanced.nrmse == pytest.approx(0.0331382150, abs=1e-10)
    assert advanced.pvalue == pytest.approx(0.1864465, abs=5e-8)
    assert (advanced.n_topics, advanced.note) == (10, "")


def test_the_same_values_have_no_error():
    same = values_reproduced(A, A)
    assert (same.rmse, same.nrmse, same.pvalue) == (0, 0, 1)
    assert same.note == "identical: no topic differs"


def test_an_error_outside_0_and_1_has_no_largest_one_to_go_by():
    result = values_reproduced([2.0, 0.5], [1.5, 0.5])
    assert result.rmse == pytest.approx((0.25 / 2) ** 0.5)
    assert isnan(result.nrmse)
    assert result.note == "no nRMSE, which is for measures whose values lie from 0 to 1"
    assert "one topic" in values_reproduced([0.5], [0.25]).note


def test_the_worst_values_have_a_normalised_error_of_1():
    assert values_reproduced([0.2, 0.9, 0.5], [1, 0, 0]).nrmse == pytest.approx(1)


def test_an_effect_made_again():
    result = effect_reproduced(A, B, A_AGAIN, B_AGAIN)
    assert (result.effect, result.effect_reproduced) == pytest.approx((0.061, 0.047))
    assert result.effect_ratio == pytest.approx(0.7704918033, abs=1e-10)  # .047 / .061
    assert result.improvement == pytest.approx(0.1865443425, abs=1e-10)  # .061 / .327
    assert result.improvement_reproduced == pytest.approx(0.1419939577, abs=1e-10)  # .047 / .331
    assert result.delta_improvement == pytest.approx(0.0445503848, abs=1e-10)
    assert (result.n_topics, result.n_topics_reproduced, result.note) == (10, 10, "")


def test_the_same_effect_over_a_baseline_that_moved_has_ratio_1_and_another_improvement():
    result = effect_reproduced(A, B, A + 0.1, B + 0.1)
    assert result.effect_ratio == pytest.approx(1)
    assert result.delta_improvement == pytest.approx(0.061 / 0.327 - 0.061 / 0.427)


def test_an_effect_may_be_made_again_on_other_topics():
    assert effect_reproduced(A, B, [0.5, 0.4], [0.3, 0.2]).n_topics_reproduced == 2


def test_no_effect_and_a_baseline_of_0_leave_a_reason():
    none = effect_reproduced(A, A, A_AGAIN, B_AGAIN)
    assert isnan(none.effect_ratio)
    assert none.note == "the original has no effect: no ratio"
    # .1 + .2 is not .3 to the last bit, and no effect either.
    assert isnan(effect_reproduced([0.1 + 0.2], [0.3], [0.2], [0.1]).effect_ratio)
    zero = effect_reproduced(A, B, A_AGAIN, np.zeros(10))
    assert (isnan(zero.improvement_reproduced), isnan(zero.delta_improvement)) == (True, True)
    assert zero.note == "the mean of a baseline is 0: no relative improvement"


def test_values_on_another_collection():
    result = unpaired_t_test(A, A_AGAIN)
    assert result.pvalue == pytest.approx(0.9142056, abs=5e-8)
    assert (result.degrees_of_freedom, result.n_first, result.n_second, result.note) == (18, 10, 10, "")


@given(
    st.lists(st.integers(0, 100), min_size=2, max_size=9, unique=True),
    st.lists(st.integers(0, 100), min_size=1, max_size=9, unique=True),
)
def test_scipy_agrees_on_two_collections(first, second):
    stats = pytest.importorskip("scipy.stats")
    first, second = np.array(first) / 128, np.array(second) / 128
    expected = stats.ttest_ind(first, second)
    result = unpaired_t_test(first, second)
    assert result.statistic == pytest.approx(expected.statistic, abs=1e-10)
    assert result.pvalue == pytest.approx(expected.pvalue, abs=1e-10)


def test_collections_that_do_not_vary_leave_a_reason():
    assert unpaired_t_test([0.5], [0.5]).note == "one topic on each side: no test is possible"
    same = unpaired_t_test([0.3, 0.3], [0.1 + 0.2])
    assert (same.pvalue, same.note) == (1, "identical: all values are the same")
    apart = unpaired_t_test([0.1, 0.1], [0.5, 0.5])
    assert (apart.statistic, apart.pvalue) == (-inf, 0)
    assert "neither side varies" in apart.note
    assert unpaired_t_test([0.1 + 0.2, 0.3], [0.5, 0.5]).statistic == -inf  # the last bit is no variance


@pytest.mark.parametrize("sides", [([], [0.1]), ([0.1], [np.nan])])
def test_collections_without_values_are_refused(sides):
    with pytest.raises(DataError, match="finite values of one topic at least on both sides"):
        unpaired_t_test(*sides)


# Discriminative power -------------------------------------------------------------------------------------------------

RUNS = [evaluation(name, {"AP": column, "NumRet": column}) for name, column in zip("ABCD", D10.T, strict=True)]


@pytest.mark.parametrize(
    ("test", "told_apart"),
    [
        (pair_by_pair(paired_t_test), ["AB", "AC", "AD", "BD", "CD"]),
        (pair_by_pair(paired_t_test, "holm"), ["AB", "AC", "AD", "CD"]),
        (lambda values: tukey_hsd(values).pvalues, ["AB", "AD", "CD"]),
        (lambda values: randomised_tukey(values).pvalues, ["AD", "CD"]),
    ],
)
def test_how_many_of_six_pairs_each_test_tells_apart(test, told_apart):
    (result,) = discriminative_power(RUNS, test, called="a test")
    found = [first + second for (first, second), p in zip(result.pairs, result.pvalues, strict=True) if p < 0.05]
    assert found == told_apart
    assert result.power == len(told_apart) / 6
    assert (result.n_significant, result.n_pairs, result.n_topics) == (len(told_apart), 6, 10)
    assert (result.measure, result.test, result.alpha, result.note) == ("AP", "a test", 0.05, "")


def test_the_curve_falls_through_all_p_values():
    (result,) = discriminative_power(RUNS, pair_by_pair(paired_t_test), called="t")
    p = [0.2742855242, 0.0479924290, 0.0121802259, 0.0108193141, 0.0006777701, 0.0000679653]
    assert result.curve == pytest.approx(p, abs=1e-10)


def test_topics_are_paired_by_id_and_those_not_in_all_are_left_out_and_said():
    columns = {"AP": [0.1, 0.2, 0.3], "RR": [1, 0.5, np.nan]}
    first = evaluation("x", columns, topics=("1", "2", "3"))
    second = evaluation("x", {"AP": [0.4, 0.1, 0.9], "RR": [1, 1, 1]}, topics=("2", "3", "4"))
    seen = []

    def test(values):
        seen.append(values.tolist())
        return [np.nan]

    ap, rr = discriminative_power([first, second], test, called="none", alpha=0.01)
    assert seen == [[[0.2, 0.4], [0.3, 0.1]], [[0.5, 1]]]
    assert (ap.pairs, ap.power, ap.alpha) == ((("x (1)", "x (2)"),), 0, 0.01)
    assert ap.note == "1 of 3 topics left out; the test says nothing of 1 pair"
    assert rr.note == "2 of 3 topics left out; the test says nothing of 1 pair"
    assert ap.curve.tolist() == []


@pytest.mark.parametrize(
    ("runs", "named", "error", "message"),
    [
        (RUNS[:1], {}, UsageError, "at least two runs, got 1"),
        (RUNS, {"alpha": 5}, UsageError, "alpha lies between 0 and 1, got 5"),
        (RUNS, {"measures": ["RR"]}, UsageError, "RR was not evaluated"),
        ([RUNS[0], evaluation("y", {"AP": [1]}, topics=("q",))], {}, DataError, "no topic in common"),
        ([RUNS[0], evaluation("y", {"RR": [1]})], {}, DataError, "no measure in common whose means"),
        (
            [RUNS[0], evaluation("y", {"AP": [1]}, conventions=Conventions(no_relevant="skip"))],
            {},
            DataError,
            "differ in rules or conventions; evaluate all runs alike",
        ),
        (RUNS[:3], {"test": lambda values: [0.5]}, UsageError, r"the test t gave p-values of shape \(1,\) for 3 pairs"),
    ],
)
def test_runs_that_cannot_be_told_apart_are_refused(runs, named, error, message):
    test = named.pop("test", pair_by_pair(paired_t_test))
    with pytest.raises(error, match=message):
        discriminative_power(runs, test, called="t", **named)


def test_pairs_whose_difference_does_not_vary_are_not_told_apart_by_t():
    # second minus first is 1/2 in both topics, without noise; third minus first is 0 and 1/2: t is 1, p 1/2
    table = np.array([[0.5, 1.0, 0.5], [0.0, 0.5, 0.5]])
    found = pair_by_pair(paired_t_test)(table)
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(1 / 2)
