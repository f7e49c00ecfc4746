"""Measures that trec_eval does not have: answers of the programs that define them, and by hand, edge by edge."""

from itertools import combinations
from math import log, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import QRELS, RANKED, judged, one_topic

from irkit.data.judgments.fractional import FractionalQrels
from irkit.errors import MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.judged.fractional import judge_fractional
from irkit.measures import (
    AP,
    DCG,
    EBR,
    ERR,
    Accuracy,
    Compat,
    F,
    Hits,
    NoAnswer,
    NumRel,
    NumRelRet,
    P,
    Q,
    R,
    RCap,
    iRBU,
    nDCG,
    parse_measure,
)
from irkit.report.text import render

L3, L5 = log2(3), log2(5)
few = settings(max_examples=40, deadline=None, database=None)


# Values of spec/measures.md by NTCIREVAL (NT), compatibility.py (CO), ir_measures (IRM), ranx (RX) and trec_eval (TE),
# or of its own formula, in its sections 3.1, 3.4, 3.5, 3.6 and 7.
@pytest.mark.parametrize(
    ("name", "t1", "t2"),
    [
        # 3.1, the rows that test_measures_known.py does not have
        ("nDCG(gains={1:1,2:2,3:3})@5", 0.579235, 0.722424),  # NT, MSnDCG@5
        ("nDCG(base=2)@5", 0.527732, 0.826235),  # NT, nDCG@5 -logb 2
        ("nDCG(base=10)@10", 0.600000, 0.750000),  # NT, nDCG@10 -logb 10
        ("ndcg_burges@5", 0.501444, 0.700276),  # RX
        # 3.4
        ("AP@3", 0.333333, 0.666667),  # TE, RX
        ("AP(capped=True)@3", 0.555556, 0.666667),  # NT, AP@3
        ("AP(capped=True)", 0.453333, 0.666667),  # TE, NT, RX: without a cutoff there is nothing to cap
        # 3.5
        ("RCap@2", 0.500000, 1.000000),
        ("RCap@5", 0.600000, 0.666667),
        ("R@2", 0.200000, 0.666667),
        ("R@5", 0.600000, 0.666667),
        ("hit_rate@1", 1.0, 1.0),
        ("hits@5", 3.0, 2.0),
        ("Judged@5", 0.800000, 1.000000),
        ("Judged@10", 0.714286, 1.000000),
        ("unj_5", 0.200000, 0.0),
        ("unj_10", 0.200000, 0.0),
        ("set_F.1", 0.500000, 0.666667),
        ("set_F.0.25", 0.454545, 0.666667),
        ("set_F.2", 0.529412, 0.666667),
        ("set_F.4", 0.555556, 0.666667),
        ("SetF(beta=2)", 0.555556, 0.666667),
        ("f1", 0.500000, 0.666667),
        ("Accuracy", 0.750000, 1.000000),
        ("Accuracy@5", 0.500000, 1.000000),
        ("Accuracy(rel=2)", 0.900000, 0.500000),
        # 3.6
        ("Compat(depth=1000)", 0.474494, 0.616561),  # CO
        ("Compat(p=0.8,depth=1000)", 0.347107, 0.556637),  # CO
        ("Compat", 0.390039, 0.543967),  # IRM
        ("Compat(p=0.8)", 0.315186, 0.502732),  # IRM
        ("Compat(normalize=False)", 0.368124, 0.543967),  # IRM
        # 7, by NT
        ("Q", 0.397273, 0.555556),
        ("Q@3", 0.462121, 0.555556),
        ("Q(beta=10)", 0.380785, 0.507937),
        ("Q(gains={2:3,3:7})", 0.336667, 0.500000),
        ("Q(beta=0)", 0.453333, 0.666667),  # AP
        ("iRBU(p=0.99)", 0.888581, 0.615037),
        ("iRBU(p=0.99,gains={2:3,3:7})", 0.911169, 0.445345),
        ("EBR", 0.632386, 0.541667),
        ("EBR(gains={2:3,3:7})", 0.521322, 0.390625),
    ],
)
def test_worked_values_of_two_topics(name, t1, t2):
    assert parse_measure(name)(judged(RANKED, QRELS))[:2] == pytest.approx([t1, t2], abs=6e-7)


def test_average_precision_over_what_was_found_is_that_of_cwl_eval():
    # 3.4: cwl_eval divides by the relevant documents in the list, 3 of 5 and 2 of 3, and not by all
    both = judged(RANKED, QRELS)
    over_found = (AP(both) * NumRel(both))[:2] / NumRelRet(both)[:2]
    assert over_found == pytest.approx([0.755556, 1.0], abs=6e-7)


def test_a_base_spares_the_ranks_down_to_it():
    one = one_topic([1, 3, None, 2], missed=[3])
    # log2 of 1, 2, 4 is 0, 1, 2, and nothing is divided by less than 1
    assert DCG(base=2)(one) == pytest.approx([1 + 3 + 2 / 2])
    assert nDCG(base=2)(one) == pytest.approx([5 / (3 + 3 + 2 / L3 + 1 / 2)])
    assert (DCG(base=10) @ 3)(one) == pytest.approx([1 + 3])
    assert DCG(base=3, dcg="exp-log2")(one) == pytest.approx([1 + 7 + 3 / (log(4) / log(3))])
    with pytest.raises(MeasureError, match="the base of nDCG is a number above 1; not 1"):
        nDCG(base=1)


def test_capped_average_precision_of_a_perfect_top_is_1():
    one = one_topic([1, 1, 0, 1], missed=[1])
    assert (AP(capped=True) @ 2)(one) == [1.0]
    assert (AP(capped=True) @ 9)(one) == pytest.approx([(1 + 1 + 3 / 4) / 4])  # 4 relevant, fewer than the cutoff
    assert (AP @ 2)(one) == [0.5]


def test_f_of_the_first_ranks_divides_by_the_cutoff():
    short = one_topic([1, 0], missed=[1, 1])
    # P@4 = 1/4, R@4 = 1/3
    assert (F @ 4)(short) == pytest.approx([2 * (1 / 4) * (1 / 3) / (1 / 4 + 1 / 3)])
    assert (F(beta=2) @ 4)(short) == pytest.approx([5 * (1 / 4) * (1 / 3) / (4 * 1 / 4 + 1 / 3)])
    assert (F(beta=0) @ 4)(short) == (P @ 4)(short)
    assert (F @ 1)(one_topic([0, 1])) == [0.0]  # none found: 0, not 0 / 0
    assert (F @ 1)(one_topic([0])) == [0.0]


def test_hits_are_a_mean_of_counts():
    found = evaluate(run={"1": ["a", "b"], "2": ["x"]}, qrels={"1": {"a": 1, "b": 2}, "2": {"a": 1}}, measures="Hits")
    assert found.by_topic("Hits").tolist() == [2.0, 0.0]
    assert found.value("Hits") == 1.0
    assert Hits(rel=2)(one_topic([1, 2, None])) == [1.0]


def test_capped_recall_is_relative_precision():
    one = one_topic([1, 0, 1], missed=[1])
    assert parse_measure("relative_P_2") == RCap @ 2
    assert (RCap @ 2)(one) == pytest.approx([1 / 2])
    assert (RCap @ 5)(one) == (R @ 5)(one) == pytest.approx([2 / 3])
    assert (RCap @ 5)(one_topic([0])) == [0.0]  # BEIR divides by 0 here


def test_accuracy_looks_at_what_was_retrieved_only():
    assert Accuracy(one_topic([1, 1], missed=[1])) == [1.0]  # nothing to be wrong about: ir_measures divides by 0
    assert Accuracy(one_topic([0, None], missed=[1])) == [0.0]  # no relevant document to be right about
    # of the pairs (1, 2), (1, 3), (4, 2), (4, 3) of ranks the first two are in order
    assert Accuracy(one_topic([1, 0, None, 1])) == pytest.approx([2 / 4])
    assert (Accuracy @ 3)(one_topic([1, 0, None, 1])) == [1.0]
    assert Accuracy(judged_only=True)(one_topic([1, 0, None, 1])) == pytest.approx([1 / 2])


def test_accuracy_is_averaged_over_the_same_topics_for_every_run():
    qrels = {"1": {"a": 1, "n": 0}, "2": {"b": 1, "n": 0}}
    more = evaluate(run={"1": ["a", "n"], "2": ["n", "b"]}, qrels=qrels, measures="Accuracy")
    less = evaluate(run={"1": ["a", "n"], "2": ["n"]}, qrels=qrels, measures="Accuracy")
    assert more.value("Accuracy") == less.value("Accuracy") == 0.5  # left out, the second would be 1 for finding less
    assert less.n_averaged.tolist() == [2]


@few
@given(grades=st.lists(st.sampled_from([None, -1, 0, 1, 2]), max_size=9), rel=st.integers(1, 2))
def test_accuracy_is_the_share_of_pairs_in_order(grades, rel):
    relevant = [grade is not None and grade >= rel for grade in grades]
    pairs = [upper for upper, lower in combinations(relevant, 2) if upper != lower]
    expected = sum(pairs) / len(pairs) if pairs else float(any(relevant))
    assert Accuracy(rel=rel)(one_topic(grades, missed=[2])) == pytest.approx([expected])


def rbo(ranking, ideal, p, depth):
    """Rank-biased overlap down to a depth, by sets."""
    overlaps = [len({*ranking[:d]} & {*ideal[:d]}) / d * p ** (d - 1) for d in range(1, depth + 1)]
    return sum(overlaps) / sum(p ** (d - 1) for d in range(1, depth + 1))


@few
@given(
    grades=st.lists(st.sampled_from([None, -1, 0, 1, 2, 3]), min_size=1, max_size=9),
    missed=st.lists(st.integers(0, 3), min_size=1, max_size=4),
    p=st.sampled_from([0.5, 0.8, 0.95]),
    depth=st.sampled_from([None, 1, 3, 30]),
    rel=st.integers(1, 2),
)
def test_compatibility_is_the_overlap_with_the_nearest_ideal_ranking(grades, missed, p, depth, rel):
    ranking = [f"r{place}" for place in range(len(grades))]
    of = {doc: grade for doc, grade in zip(ranking, grades, strict=True) if grade is not None}
    of |= {f"m{place}": grade for place, grade in enumerate(missed)}
    ideal = [doc for level in (3, 2, 1) if level >= rel for doc in (*ranking, *of) if of.get(doc) == level]
    ideal = list(dict.fromkeys(ideal))
    end = depth or max(len(ranking), len(ideal))
    overlap, best = rbo(ranking, ideal, p, end), rbo(ideal, ideal, p, end)
    one = judged({"q": ranking}, {"q": of})
    assert Compat(p=p, depth=depth, rel=rel)(one) == pytest.approx([overlap / best if best else 0.0])
    assert Compat(p=p, depth=depth, rel=rel, normalize=False)(one) == pytest.approx([overlap])


def test_compatibility_of_nothing_is_0():
    assert Compat(judged({"1": {}}, {"1": {"a": 0}, "2": {"a": 1}})).tolist() == [0.0, 0.0]
    assert Compat(depth=5)(judged({"1": {}}, {"1": {"a": 0}, "2": {"a": 1}})).tolist() == [0.0, 0.0]


def test_compatibility_takes_documents_of_one_grade_as_they_come():
    # scores below 0 do not put them behind what was not retrieved, as in ir_measures
    for scores in ({"a": 2.0, "b": 1.0}, {"a": -1.0, "b": -2.0}):
        assert Compat(judged({"q": scores}, {"q": {"a": 1, "b": 1, "c": 1}})) == pytest.approx(
            [(1 + 0.95 + 0.95**2 * 2 / 3) / (1 + 0.95 + 0.95**2)]
        )


def test_saying_nothing_is_right_where_nothing_is_relevant():
    qrels = {"1": {"a": 1}, "2": {"a": 0}, "3": {"a": 1}, "4": {"a": -1}}
    both = judged({"1": ["a"], "2": ["x"]}, qrels)
    assert NoAnswer(both).tolist() == [0.0, 0.0, 0.0, 1.0]
    for no_relevant in ("zero", "one", "skip", "abstain"):
        found = evaluate(
            run={"1": ["a"], "2": ["x"]}, qrels=qrels, measures=["NoAnswer", "AP"], no_relevant=no_relevant
        )
        # topics 1 and 3 have a relevant document; an answer was right there, and they are left out
        np.testing.assert_array_equal(found.by_topic("NoAnswer"), [np.nan, 0.0, np.nan, 1.0])
        assert found.value("NoAnswer") == 0.5
        assert found.n_averaged[0] == 2
        assert found.without_relevant == ("2", "4")
    assert found.to_dict()["topics"]["1"]["NoAnswer"] is None
    # with a higher level topic 3 has nothing either, and the run says nothing for it
    higher = evaluate(run={"1": ["a"], "2": ["x"]}, qrels=qrels | {"1": {"a": 2}}, measures="NoAnswer(rel=2)")
    assert higher.value("NoAnswer(rel=2)") == pytest.approx(2 / 3)


def test_a_report_says_that_no_answer_has_its_own_topics():
    run, qrels = {"1": ["a"], "2": ["x"]}, {"1": {"a": 1}, "2": {"a": 0}, "3": {"a": 0}}
    found = evaluate(run=run, qrels=qrels, measures="AP NoAnswer")
    assert render(found).splitlines()[0] == (
        "2 to 3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: 2, counted zero, "
        "but for NoAnswer"
    )
    alone = evaluate(run=run, qrels=qrels, measures="NoAnswer", no_relevant="skip")
    assert render(alone).splitlines()[0] == (
        "2 topics averaged (of 3, all judged); rules trec_eval-10; topics without relevant documents: 2, left out, "
        "but for NoAnswer"
    )
    assert alone.value("NoAnswer") == 0.5


def test_no_answer_is_a_mean_over_nothing_where_every_topic_has_a_relevant_document():
    found = evaluate(run={"1": ["a"]}, qrels={"1": {"a": 1}}, measures=["NoAnswer"])
    assert found.n_averaged.tolist() == [0]
    assert found.to_dict()["measures"]["NoAnswer"]["value"] is None


def test_q_of_gains_and_of_a_short_run():
    one = one_topic([1, None, 2], missed=[1])
    # ideal gains 2, 3, 4: at rank 1 (1 + 1) / (1 + 2), at rank 3 (2 + 3) / (3 + 4)
    assert Q(one) == pytest.approx([(2 / 3 + 5 / 7) / 3])
    assert (Q @ 2)(one) == pytest.approx([(2 / 3) / 2])  # 3 to find, more than the cutoff
    assert Q(gains={1: 0})(one) == pytest.approx([(1 + 2) / (3 + 2)])  # only the one of grade 2 gains: 3/5
    assert Q(judged_only=True)(one) == pytest.approx([(2 / 3 + 5 / 5) / 3])
    assert Q(one_topic([1, 1, 0, 0])) == [1.0]  # the ideal gain stays 2 after rank 2
    assert Q(judged({"2": ["x"]}, {"1": {"a": 1}, "2": {"x": 0}})).tolist() == [0.0, 0.0]


def test_expected_measures_follow_a_user_who_stops():
    one = one_topic([1, None, 2], missed=[1])  # satisfied with probability 1/3 and 2/3 on the scale of 2
    assert iRBU(p=0.9)(one) == pytest.approx([0.9 / 3 + 0.9**3 * (2 / 3) * (2 / 3)])
    assert (iRBU(p=0.9) @ 2)(one) == pytest.approx([0.9 / 3])
    assert EBR(one) == pytest.approx([2 / 3 * 1 / 3 + 5 / 7 * (2 / 3) * (2 / 3)])
    # on a scale of 3 the probabilities are 1/4 and 1/2
    assert iRBU(p=0.9, max_rel=3)(one) == pytest.approx([0.9 / 4 + 0.9**3 * (3 / 4) / 2])
    # the top gain is that of the scale: 9, of grade 2
    assert iRBU(p=0.9, gains={2: 9})(one) == pytest.approx([0.9 / 10 + 0.9**3 * (9 / 10) * (9 / 10)])
    # grade 2 gains nothing, so the top is grade 1's
    assert EBR(gains={2: 0})(one) == pytest.approx([(1 + 1) / (1 + 1) * 1 / 2])
    for measure in (EBR, iRBU(p=0.9)):
        assert measure(one_topic([0, None], missed=[1])) == [0.0]
        with pytest.raises(MeasureError, match=r"has max_rel=1, but the qrels hold grade 2; ask for it with max_rel=2"):
            measure(max_rel=1)(one)


def test_irbu_has_no_persistence_of_its_own():
    with pytest.raises(MeasureError, match=r"iRBU@3 needs p, such as iRBU\(p=0\.99\)@"):
        parse_measure("iRBU@3")


def test_an_expected_measure_of_gains_of_one_grade_is_err():
    # s = (2^g - 1) / 2^2 = 3/4 for grade 2 alone, as s = 3 / (3 + 1); BR is 1 at every rank of a perfect ranking
    one = one_topic([2, 2, 2])
    assert EBR(gains={2: 3})(one) == pytest.approx([1 - (1 / 4) ** 3])
    assert ERR(max_rel=2)(one) == pytest.approx([3 / 4 * (1 + 1 / 4 / 2 + 1 / 16 / 3)])


def test_q_and_its_kin_take_fractional_grades_for_gains():
    one = judge_fractional({"q": ["a", "b"]}, FractionalQrels.of({"q": {"a": 0.5, "b": 1.5}}))
    # ideal gains 1.5 and 2: (1 + 0.5) / (1 + 1.5) and (2 + 2) / (2 + 2); satisfied with 0.5 / 2.5 and 1.5 / 2.5
    assert Q(one) == pytest.approx([(0.6 + 1) / 2])
    assert EBR(one) == pytest.approx([0.6 * 0.2 + 1 * 0.8 * 0.6])
    assert iRBU(p=0.9)(one) == pytest.approx([0.9 * 0.2 + 0.9**2 * 0.8 * 0.6])
