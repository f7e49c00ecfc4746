"""Answers worked by hand, or by the program that defines the measure."""

from math import log2

import numpy as np
import pytest
from samples import QRELS, RANKED, judged, one_topic

from irkit.errors import MeasureError
from irkit.measures import (
    AP,
    DCG,
    ERR,
    RBP,
    RR,
    Bpref,
    Judged,
    P,
    R,
    SetF,
    SetP,
    SetR,
    Success,
    nDCG,
    parse_measure,
)


# Values of spec/measures.md, section 3: by trec_eval, gdeval, ranx, NTCIREVAL, cwl_eval and ir_measures as said there.
@pytest.mark.parametrize(
    ("name", "t1", "t2"),
    [
        ("nDCG", 0.579235, 0.722424),
        ("nDCG@3", 0.593946, 0.722424),
        ("nDCG(dcg='exp-log2')@5", 0.501444, 0.700276),
        ("nDCG(dcg='exp-log2')@3", 0.503232, 0.700276),
        ("nDCG(gains={1:1,2:3,3:7})", 0.501444, 0.700276),
        ("ERR(max_rel=3)@5", 0.559245, 0.2890625),
        ("ERR@5", 0.311702, 0.150391),
        ("ERR@3", 0.305990, 0.150391),
        ("RBP(p=0.8,rel=1)", 0.409920, 0.360000),
        ("RBP(p=0.8,rel=2)", 0.328000, 0.160000),
        ("RBP(p=0.8)", 0.288640, 0.173333),
        ("RBP(p=0.8,max_rel=3)", 0.288640, 0.173333),
        ("AP", 0.453333, 0.666667),
        ("AP@3", 0.333333, 0.666667),
        ("R@2", 0.200000, 0.666667),
        ("R@5", 0.600000, 0.666667),
        ("Success@1", 1.0, 1.0),
        ("Judged@5", 0.800000, 1.0),
        ("Judged@10", 0.714286, 1.0),
        ("SetF", 0.500000, 0.666667),
        ("SetF(beta=2)", 0.555556, 0.666667),
        ("set_F_0.25", 0.454545, 0.666667),
        ("set_F_2", 0.529412, 0.666667),
        ("P@5", 3 / 5, 2 / 5),
        ("P@10", 3 / 10, 2 / 10),
        ("SetP", 3 / 7, 2 / 3),
        ("SetR", 3 / 5, 2 / 3),
        ("Rprec", 3 / 5, 2 / 3),
        ("RR", 1.0, 1.0),
        ("RR(rel=3)", 1 / 3, 0.0),
        # T1 has 5 relevant and 2 not: c and a have none of these above, e has b: (1 + 1 + 1 - 1/2) / 5
        ("Bpref", 2.5 / 5, 2 / 3),
        ("NumRet", 7, 3),
        ("NumRel", 5, 3),
        ("NumRel(rel=2)", 3, 1),
        ("NumRelRet", 3, 2),
        ("NumRelRet(rel=2)", 2, 1),
        ("NumQ", 1, 1),
    ],
)
def test_worked_values_of_two_topics(name, t1, t2):
    values = parse_measure(name)(judged(RANKED, QRELS))
    assert values[:2] == pytest.approx([t1, t2], abs=6e-7)


def test_judged_only_closes_the_ranks():
    # without x and y: c 2, a 3, b 0, e 1 at ranks 1 to 4; trec_eval -J says 0.644301
    assert (nDCG(judged_only=True) @ 5)(judged(RANKED, QRELS))[0] == pytest.approx(0.644301, abs=1e-6)


def test_dcg_of_t1_and_of_its_ideal():
    assert DCG(judged(RANKED, QRELS))[0] == pytest.approx(3.886853, abs=1e-6)
    ideal = one_topic([3, 3, 2, 1, 1])
    assert DCG(ideal) == pytest.approx([6.710319], abs=1e-6)
    assert nDCG(ideal) == pytest.approx([1.0])


# The search team's three answers to {a: 3, b: 1, c: 0}: gain 2^g - 1, ideal 7 + 1/log2(3) = 7.631.
@pytest.mark.parametrize(
    ("order", "dcg", "shown"), [("abc", 7.631, 1.000), ("bac", 1 + 7 / log2(3), 0.710), ("bc", 1.0, 0.131)]
)
def test_exponential_gains_of_three_services(order, dcg, shown):
    one = judged({"q": list(order)}, {"q": {"a": 3, "b": 1, "c": 0}})
    assert (DCG(dcg="exp-log2") @ 10)(one) == pytest.approx([dcg], abs=5e-4)
    assert (nDCG(dcg="exp-log2") @ 10)(one) == pytest.approx([dcg / 7.631], abs=1e-4)
    assert round(float((nDCG(dcg="exp-log2") @ 10)(one)[0]), 3) == shown


def test_binary_ndcg_of_ranks_2_and_4():
    one = one_topic([0, 1, 0, 1])
    assert (DCG @ 4)(one) == pytest.approx([1.0616], abs=5e-5)  # 1/log2(3) + 1/log2(5)
    assert (nDCG @ 4)(one) == pytest.approx([1.0616 / 1.6309], abs=5e-5)  # 0.651
    assert (P @ 4)(one) == pytest.approx([1 / 2])
    assert RR(one) == pytest.approx([1 / 2])
    assert AP(one) == pytest.approx([(1 / 2 + 2 / 4) / 2])
    assert (R @ 3)(one) == pytest.approx([1 / 2])


def test_map_of_ranks_1_and_3_of_three_relevant_is_five_ninths():
    assert AP(one_topic([1, 0, 1], missed=[1])) == pytest.approx([5 / 9])  # (1/1 + 2/3 + 0) / 3


def test_bpref_passes_over_the_unjudged():
    assert Bpref(one_topic([None, -1, 1], missed=[0])) == pytest.approx([1.0])


def test_err_multiplies_the_chances_of_reading_on():
    # p = 3/4, 1/4, 0, 3/4 with top grade 2: 3/4 + 1/4 * 1/4 / 2 + 1/4 * 3/4 * 3/4 / 4
    assert ERR(max_rel=2)(one_topic([2, 1, 0, 2])) == pytest.approx([3 / 4 + 1 / 32 + 9 / 256])


def test_err_of_a_topic_after_one_that_was_not_found():
    both = judged({"2": ["a", "b", "c"]}, {"1": {"x": 1}, "2": {"a": 1, "b": 2, "c": 2}, "3": {"y": 1}})
    # p = 1/4, 3/4, 3/4: 1/4 + 3/4 * 3/4 / 2 + 3/4 * 1/4 * 3/4 / 3
    assert ERR(max_rel=2)(both) == pytest.approx([0.0, 1 / 4 + 9 / 32 + 3 / 64, 0.0])


def test_graded_rbp_of_qrels_that_hold_no_positive_grade_is_zero():
    assert RBP(one_topic([0, 0, None])).tolist() == [0.0]


@pytest.mark.parametrize("measure", [ERR, RBP(max_rel=4)], ids=str)
def test_a_grade_above_the_scale_is_an_error_that_names_the_remedy(measure):
    with pytest.raises(MeasureError, match=rf"{measure.name} has max_rel=4, .*grade 5; ask for it with max_rel=5"):
        measure(one_topic([5, 1]))


def test_the_relevance_level_does_not_touch_ndcg():
    one = judged({"q": ["a", "b"]}, {"q": {"a": 1, "b": 2}})
    assert AP(rel=2)(one) == pytest.approx([1 / 2])
    assert RR(rel=2)(one) == pytest.approx([1 / 2])
    assert RR(one) == pytest.approx([1.0])
    assert nDCG(one) == pytest.approx([(1 + 2 / log2(3)) / (2 + 1 / log2(3))])
    with pytest.raises(MeasureError, match="nDCG takes cutoff, dcg, gains, base, judged_only; not 'rel'"):
        nDCG(rel=2)


def test_negative_grades_are_no_judgments():
    one = one_topic([-1, 1, -2], missed=[-1])
    assert (Judged @ 3)(one) == pytest.approx([1 / 3])
    assert nDCG(one) == pytest.approx([1 / log2(3)])
    assert nDCG(dcg="exp-log2")(one) == pytest.approx([1 / log2(3)])
    assert SetR(rel=0)(one) == pytest.approx([1.0])
    assert SetP(one) == pytest.approx([1 / 3])
    assert nDCG(judged_only=True)(one) == pytest.approx([1.0])


def test_gains_may_reverse_the_grades():
    # grade 1 gains 5 and grade 2 gains 1: the ideal puts grade 1 first
    one = one_topic([2, 1])
    assert nDCG(gains={1: 5, 2: 1})(one) == pytest.approx([(1 + 5 / log2(3)) / (5 + 1 / log2(3))])


def test_gains_less_than_one_apart_are_sorted_in_the_ideal():
    # trec_eval takes the difference of two gains as a whole number and leaves these out of order
    assert nDCG(gains={1: 0.5, 2: 0.75})(one_topic([2, 1])) == pytest.approx([1.0])


def test_gains_may_be_given_to_grade_zero():
    assert nDCG(gains={0: 1})(one_topic([0, 1])) == pytest.approx([1.0])


@pytest.mark.parametrize("measure", [nDCG(dcg="exp-log2"), DCG(dcg="exp-log2") @ 5, ERR(max_rel=1000)], ids=str)
def test_grades_too_large_for_a_power_of_two_are_refused(measure):
    assert np.isfinite(measure(one_topic([1000, 1, 0]))).all()
    with pytest.raises(MeasureError, match=r"1001"):
        measure(one_topic([1001, 1, 0]))


def test_f_takes_beta_itself_and_not_its_square():
    # P = 1/2, R = 1/4; F2 = 5 * 1/8 / (4/2 + 1/4)
    one = one_topic([1, 0], missed=[1, 1, 1])
    assert SetF(beta=2)(one) == pytest.approx([(5 / 8) / (9 / 4)])


def test_success_looks_no_deeper_than_its_cutoff():
    one = one_topic([0, None, 1])
    assert (Success @ 2)(one) == pytest.approx([0.0])
    assert (Success @ 3)(one) == pytest.approx([1.0])


def test_grades_beyond_every_scale_are_to_be_mapped():
    with pytest.raises(MeasureError, match=r"hold grade 1001; ERR takes grades up to 1000: map them to smaller ones"):
        ERR(one_topic([1001]))
