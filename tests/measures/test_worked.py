"""The measures that trec_eval alone has: answers worked by hand, edge by edge."""

from fractions import Fraction
from math import log, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import QRELS, RANKED, judged, one_topic, qrels, runs

from irkit.evaluation.scoring import evaluate
from irkit.measures import (
    RBP,
    G,
    IPrec,
    Rndcg,
    Rprec,
    SetF,
    SetP,
    infAP,
    nDCG,
    ndcg_rel,
    parse_measure,
    rbp,
    rbp_resid,
    yaap,
)

L3, L5, L6 = log2(3), log2(5), log2(6)

# Ranks 1 to 5: not in the pool, grade 2, pooled and not judged, grade 0, grade 1. Not retrieved: grades 1 and 0.
# So n = 5 retrieved, R = 3 relevant, r = 2 found; precision 1/2 at rank 2 and 2/5 at rank 5.
MIXED = one_topic([None, 2, -1, 0, 1], missed=[1, 0])
DCG_AT_2, DCG_AT_5 = 2 / L3, 2 / L3 + 1 / L6
IDEAL_AT_2, IDEAL_AT_3 = 2 + 1 / L3, 2 + 1 / L3 + 1 / 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # rank 2: nothing pooled above, 1/2; rank 5: 1/5 + 4/5 * 3 of 4 pooled * 1 of 2 judged = 1/2
        ("infAP", (1 / 2 + 1 / 2) / 3),
        ("infAP(rel=2)", 1 / 2),
        ("gm_map", (1 / 2 + 2 / 5) / 3),
        # 2 judged not relevant, none of them above rank 2, one above rank 5
        ("gm_bpref", (1 + (1 - 1 / 2)) / 3),
        # one other document above rank 2, three above rank 5
        ("binG", (1 / L3 + 1 / L5) / 3),
        ("yaap", log((1 + 0.9) / (1 + 3 - 0.9))),
        # 3 * 0.1 = 0.3 stands for no document, 0.6 for one, 1.5 for two, 2.7 for three, of which there are two
        ("IPrec@0.1", 1 / 2),
        ("IPrec@0.2", 1 / 2),
        ("IPrec@0.4", 1 / 2),
        ("IPrec@0.5", 2 / 5),
        ("IPrec@0.8", 2 / 5),
        ("IPrec@0.9", 0),
        ("IPrec@1.5", 0),
        ("AP11pt", (5 * 1 / 2 + 4 * 2 / 5 + 2 * 0) / 11),
        ("AP11pt(recalls=(0.9, 0.5, 0.25))", (1 / 2 + 2 / 5 + 0) / 3),
        # trunc(mult * 3 + 0.9) = 1, 2, 3, 6 ranks
        ("Rprec_mult_0.2", 0 / 1),
        ("Rprec_mult_0.4", 1 / 2),
        ("Rprec_mult_1.0", 1 / 3),
        ("Rprec_mult_2.0", 2 / 6),
        ("relative_P_2", 1 / 2),
        ("relative_P_4", 1 / 3),
        ("relative_P_10", 2 / 3),
        ("set_relative_P", 2 / 3),
        ("set_map", 2 / 5 * 2 / 3),
        ("utility", 2 - 3),
        # 100 documents, of which 100 - 5 - 3 + 2 = 94 are neither retrieved nor relevant
        ("utility(weights=(2, -1, -0.5, 0.1), collection=100)", 2 * 2 - 3 - 0.5 * 1 + 0.1 * 94),
        ("ideal_dcg", IDEAL_AT_3),
        ("IdealDCG@2", IDEAL_AT_2),
        ("IdealDCG(dcg='exp-log2')@2", 3 + 1 / L3),
        # at rank 2, at rank 5 where the ideal has ended, and at the end for the one that was not found
        ("ndcg_rel", (DCG_AT_2 / IDEAL_AT_2 + 2 * DCG_AT_5 / IDEAL_AT_3) / 3),
        # the ideal falls after rank 1 and after rank 3; the run is longer by two
        ("Rndcg", (0 / 2 + DCG_AT_2 / IDEAL_AT_3 + DCG_AT_5 / IDEAL_AT_3) / 3),
        # paid 2, 3, 4, 5, 6; come back 0, 2, 2, 2, 3
        ("G", (2 / log2(2 + 3 - 2) + 1 / log2(2 + 6 - 3)) / 4),
        # gains 6 and 1: paid 6, 7, 8, 9, 10
        ("G.2=6", (6 / log2(2 + 7 - 6) + 1 / log2(2 + 10 - 7)) / 8),
        # weights 2/2 at rank 2, 1/2 at rank 5
        ("rbp.p=0.5", 0.5 * (0.5 + 1 / 2 * 0.5**4)),
        ("rbp.p=0.5,1=8", 0.5 * (2 / 8 * 0.5 + 0.5**4)),
        # ranks 1 and 3, and all from rank 6 on
        ("rbp_resid.p=0.5", 0.5 * (1 + 0.25) + 0.5**5),
        ("unj_1", 1),
        ("unj_5", 2 / 5),
        ("unj_10", 2 / 10),
        ("num_nonrel_judged_ret", 1),
        ("NumNonRelRet(rel=2)", 2),
    ],
)
def test_worked_values_of_a_mixed_ranking(name, value):
    assert parse_measure(name)(MIXED) == pytest.approx([value], rel=1e-12)


# Two documents of grade 1 to find: the ideal is 1 + 1/log2(3).
@pytest.mark.parametrize(
    ("name", "nothing_retrieved", "nothing_relevant"),
    [
        ("infAP", 0, 0),
        ("IPrec@0.0", 0, 0),  # trec_eval 10.0 -J prints -nan for nothing retrieved
        ("11pt_avg", 0, 0),
        ("gm_map", 0.00001, 0.00001),
        ("gm_bpref", 0.00001, 0.00001),
        ("binG", 0, 0),
        ("yaap", log(1 / 3), 0),
        ("G", 0, 0),
        ("ideal_dcg", 1 + 1 / L3, 0),
        ("ndcg_rel", 0, 0),
        ("Rndcg", 0, 0),
        ("Rprec_mult_0.2", 0, 0),
        ("Rprec_mult_2.0", 0, 0),
        ("relative_P_5", 0, 0),
        ("set_relative_P", 0, 0),
        ("set_map", 0, 0),
        ("utility", 0, -2),
        ("utility_0,0,-1,0", -2, 0),
        ("rbp", 0, 0),
        ("rbp_resid_p=0.5", 0, 0.5**2 + 0.5 * 0.5),
        ("unj_5", 0, 1 / 5),
        ("num_nonrel_judged_ret", 0, 1),
    ],
)
def test_a_topic_with_nothing_retrieved_and_one_with_nothing_relevant(name, nothing_retrieved, nothing_relevant):
    two = judged({"2": ["a", "x"]}, {"1": {"a": 1, "b": 1, "c": 0}, "2": {"a": 0, "b": -1}})
    assert parse_measure(name)(two).tolist() == pytest.approx([nothing_retrieved, nothing_relevant], rel=1e-12)


def test_measures_of_a_run_shorter_than_what_there_is_to_find():
    short = one_topic([1, 1], missed=[1, 1, 1])
    assert SetP(relative=True)(short) == pytest.approx([2 / 2])
    assert Rprec(mult=0.4)(short) == pytest.approx([2 / 2])  # trunc(2 + 0.9) ranks
    assert Rprec(mult=2)(short) == pytest.approx([2 / 10])
    assert (IPrec @ 0.4)(short) == pytest.approx([1.0])
    assert (IPrec @ 0.6)(short) == pytest.approx([0.0])
    assert yaap(short) == pytest.approx([log((1 + 2) / (1 + 5 - 2))])
    # both found with nothing wasted, three missed
    assert G(short) == pytest.approx([2 / 5])
    # the ideal falls after rank 5 only, where the run has ended
    assert Rndcg(short) == pytest.approx([(1 + 1 / L3) / sum(1 / log2(rank + 1) for rank in range(1, 6))])


def test_a_geometric_mean_takes_nothing_for_a_hundred_thousandth():
    run, pool = {"1": ["a"], "2": ["x"], "3": ["x", "a"]}, {topic: {"a": 1, "n": 0} for topic in "123"}
    found = evaluate(run=run, qrels=pool, measures="GMAP GMBpref AP")
    assert found.value("GMAP") == pytest.approx((1 * 0.00001 * 1 / 2) ** (1 / 3))
    assert found.value("GMBpref") == pytest.approx((1 * 0.00001 * 1) ** (1 / 3))
    assert found.value("AP") == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert evaluate(run=run, qrels=pool, measures="GMAP", average="intersection").value("GMAP", "2") == 0.00001


def test_rndcg_looks_at_the_end_of_a_run_that_is_two_longer_than_the_ideal():
    # the ideal falls after rank 1; a relevant document at rank 2 is seen only at the end
    assert Rndcg(one_topic([0, 1])) == pytest.approx([0.0])
    assert Rndcg(one_topic([0, 1, 0])) == pytest.approx([(0 + 1 / L3) / 2])
    # nothing of grade 2 to find: 0, as trec_eval -l 2 has it
    assert Rndcg(rel=2)(one_topic([1])).tolist() == [0.0]


def test_inferred_precision_counts_the_pooled_and_not_judged_as_the_judged_are():
    # rank 3: 1/3 + 2/3 * (2 of 2 pooled) * (1 + e) / (1 + 2e); with a document outside the pool 1 of 2
    e = 0.00001
    assert infAP(one_topic([1, -1, 1])) == pytest.approx([(1 + 1 / 3 + 2 / 3 * (1 + e) / (1 + 2 * e)) / 2], rel=1e-12)
    assert infAP(one_topic([1, None, 1])) == pytest.approx([(1 + 1 / 3 + 1 / 3 * (1 + e) / (1 + 2 * e)) / 2], rel=1e-12)


def test_half_a_document_is_rounded_up_and_by_trec_eval_9_a_tenth():
    run, pool = {"1": ["a", "x", "b"]}, {"1": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}}
    # 5 relevant: 0.3 stands for 1.5 documents, 0.24 for 1.2, 0.2 for 1
    for rules, values in (("trec_eval-10", [2 / 3, 1, 1]), ("trec_eval-9", [2 / 3, 2 / 3, 1])):
        found = evaluate(run=run, qrels=pool, measures="IPrec@0.3 IPrec@0.24 IPrec@0.2", rules=rules)
        assert found.summary.tolist() == pytest.approx(values), rules


# Values of spec/measures.md, section 3.3: rbp and rbp_resid with p = 0.8, and infAP of section 4.1, by trec_eval.
@pytest.mark.parametrize(
    ("name", "t1", "t2"),
    [
        ("rbp_p=0.8", 0.288640, 0.260000),
        ("rbp_resid_p=0.8", 0.422144, 0.0),
        ("infAP", 0.453333, 0.666665),
    ],
)
def test_values_of_two_topics_by_trec_eval(name, t1, t2):
    assert parse_measure(name)(judged(RANKED, QRELS))[:2] == pytest.approx([t1, t2], abs=6e-7)


def test_infap_with_a_pooled_document():
    pooled = QRELS | {"T1": QRELS["T1"] | {"x": -1}}
    assert infAP(judged(RANKED, pooled))[0] == pytest.approx(0.546665, abs=6e-7)


# By trec_eval 9.0.4, which takes gains for -1, a document that is not in the pool, and -2, one that was not judged.
@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("ndcg.0=1", "0.5629"),
        ("ndcg.-1=1", "0.9835"),
        ("ndcg.-1=10", "5.0961"),
        ("ndcg.-2=1", "0.7928"),
        ("ndcg_rel.-1=1", "0.7399"),
        ("ndcg_rel.-1=1,-2=1", "0.6351"),
        ("Rndcg.-1=1", "0.7353"),
        ("G.-1=1", "0.9732"),
    ],
)
def test_gains_of_documents_that_nobody_judged(name, printed):
    pool = {"1": {"a": 2, "b": 1, "c": 0, "p": -1, "s": -3, "m": 1}}
    assert f"{parse_measure(name)(judged({'1': list('xapybcs')}, pool))[0]:.4f}" == printed


def test_ndcg_rel_is_never_below_0():
    # Four gains of 1 against an ideal of one: 1, 1.6309, 2.1309 and 2.5616 make 7.3235; one to find less four found,
    # at the end's 2.5616 each, is -7.6847. trec_eval 9.0.4 prints 0.0000.
    assert ndcg_rel(gains={-1: 1})(one_topic([None, None, None, 1])) == [0.0]


def test_f_that_gives_recall_no_weight_is_precision():
    # trec_eval 9.0.4: set_F.0 of 1 relevant in 2 retrieved prints 0.5000
    assert SetF(beta=0)(one_topic([1, 0], missed=[1, 1])) == [0.5]


def test_more_than_was_paid_cannot_come_back():
    # paid 2 and 3, come back 10 and 12: nothing wasted. trec_eval takes the logarithm of a negative number: nan
    assert G(gains={-1: 10})(one_topic([None, 2], missed=[1])) == pytest.approx([(10 + 2) / (2 + 1)])
    assert rbp(p=0.5, gains={-1: 10})(one_topic([None, 2])) == pytest.approx([0.5 * (1 + 2 / 10 * 0.5)])


def test_gains_of_the_unjudged_are_those_of_no_grade_of_the_qrels():
    # -1 and -2 stand for kinds of documents, whatever negative grades the qrels hold
    kinds = one_topic([-1, -2, -7, None])
    pooled, outside = nDCG(gains={-2: 1, 1: 1}), nDCG(gains={-1: 1, 1: 1})
    assert pooled(kinds).tolist() == outside(kinds).tolist() == [0.0]  # nothing to find
    found = one_topic([-1, 1, None])
    assert pooled(found) == pytest.approx([1 + 1 / L3])
    assert outside(found) == pytest.approx([1 / L3 + 1 / 2])


few = settings(max_examples=40, deadline=None, database=None)


def ranked_classes(run, pool):
    """Topic by topic, the grade at each rank: None where nobody judged."""
    for topic in sorted(pool):
        scores = run.get(topic, {})
        order = sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)
        grades = [pool[topic].get(document) for document in order]
        yield [None if grade is None or grade < 0 else grade for grade in grades], max(pool[topic].values())


@few
@given(run=runs(), qrels=qrels(lowest=-2), tenths=st.integers(1, 9))
def test_rbp_is_the_sum_of_what_a_user_gains_who_goes_on_by_chance(run, qrels, tenths):
    p, both = Fraction(tenths, 10), judged(run, qrels)
    gained, left = [], []
    for classes, best in ranked_classes(run, qrels):
        going_on, value, unseen = Fraction(1), Fraction(0), Fraction(0)
        for grade in classes:
            value += (1 - p) * going_on * Fraction(grade or 0, max(best, 1))
            unseen += (1 - p) * going_on * (grade is None)
            going_on *= p
        gained.append(float(value))
        left.append(float(unseen + going_on) if None in classes else 0.0)
    np.testing.assert_allclose(rbp(p=float(p))(both), gained, rtol=1e-12)
    np.testing.assert_allclose(rbp_resid(p=float(p))(both), left, rtol=1e-12)


@few
@given(run=runs(["1"]), qrels=qrels(topics=["1"]))
def test_rbp_of_one_topic_is_that_on_the_scale_of_its_best_grade(run, qrels):
    both = judged(run, qrels)
    np.testing.assert_allclose(rbp(p=0.8)(both), RBP(both), rtol=1e-12)
