"""Qrels with judgment groups: each measure is the plain one, averaged over a topic's groups."""

import random

import numpy as np
import pytest
from samples import plain

from irkit import (
    DataError,
    GroupedQrels,
    MeasureError,
    Preferences,
    SubtopicQrels,
    evaluate,
    judge,
    judge_groups,
    parse_measure,
)
from irkit.errors import WrongTypeError
from irkit.measures import FAMILIES, AP_avgjg, P_avgjg, Rprec_avgjg

approx = pytest.approx
GROUPED = [name for name, family in FAMILIES.items() if family.judgments == ("qrels_jg",)]
# A: relevant at ranks 1 and 3 of three relevant; B: at rank 2, its only one; C finds nothing relevant.
QRELS = {"1": {"A": {"a": 1, "b": 0, "c": 2, "z": 1}, "B": {"b": 1, "c": 0}, "C": {"a": 0}}, "2": {"A": {"a": 1}}}
RUN = {"1": list("abcx")}


def groups(run=RUN, qrels=QRELS, **options):
    return judge_groups(run, GroupedQrels.from_dict(qrels), **options)


def test_average_precision_is_averaged_over_the_groups():
    # A: (1/1 + 2/3) / 3 = 5/9; B: 1/2; C: 0; a topic that is not in the run: 0
    assert AP_avgjg(groups()) == approx([(5 / 9 + 1 / 2 + 0) / 3, 0])


def test_average_precision_at_a_level():
    # A: c alone, at rank 3; B and C: nothing
    assert AP_avgjg(rel=2)(groups())[0] == approx((1 / 3) / 3)


def test_precision_is_averaged_over_the_groups():
    assert (P_avgjg @ 2)(groups())[0] == approx((1 / 2 + 1 / 2 + 0) / 3)
    assert (P_avgjg @ 8)(groups())[0] == approx((2 / 8 + 1 / 8 + 0) / 3)  # past the end nothing is relevant


def test_r_precision_looks_at_each_groups_own_rank():
    # A: 3 relevant, 2 of them in 3 ranks; B: 1, none in 1 rank; C: 0
    assert Rprec_avgjg(groups())[0] == approx((2 / 3 + 0 + 0) / 3)
    # trunc(0.5 * 3 + 0.9) = 2 ranks for A, trunc(0.5 + 0.9) = 1 for B
    assert Rprec_avgjg(mult=0.5)(groups())[0] == approx((1 / 2 + 0 + 0) / 3)


def test_a_cut_is_made_before_the_unjudged_go():
    both = groups({"1": list("xacb")})
    # three ranks are left, x, a, c; A judged a and c, B judged c, C judged a
    cut = both.cut(3).judged_only()
    assert AP_avgjg(cut)[0] == approx(((1 / 1 + 2 / 2) / 3 + 0 + 0) / 3)
    assert AP_avgjg(judged_only=True)(both.cut(3))[0] == AP_avgjg(cut)[0]
    assert both.cut(0).n_retrieved.tolist() == [0, 0]
    assert AP_avgjg(both.cut(0)).tolist() == [0, 0]


def test_ties_stand_in_descending_order_of_the_ids():
    both = groups({"1": {"a": 1.0, "b": 1.0}}, {"1": {"A": {"b": 1}}})
    assert AP_avgjg(both).tolist() == [1.0]


def test_scores_are_32_bit_under_the_rules_of_trec_eval_9():
    run, qrels = {"1": {"a": 16777217.0, "b": 16777216.0}}, {"1": {"A": {"a": 1}}}
    assert AP_avgjg(groups(run, qrels)).tolist() == [1.0]
    assert AP_avgjg(groups(run, qrels, rules="trec_eval-9")).tolist() == [0.5]  # a tie, in which b stands first


@pytest.mark.parametrize(
    ("grouped", "plain"),
    [
        ("map_avgjg", "map"),
        ("P_avgjg_3", "P_3"),
        ("Rprec_mult_avgjg_0.60", "Rprec_mult_0.60"),
        ("Rprec_avgjg", "Rprec"),
    ],
)
def test_one_group_is_plain_qrels_and_several_are_their_mean(grouped, plain):
    chance = random.Random(5)
    documents = [f"d{number}" for number in range(30)]
    for _ in range(20):
        run = {"1": {document: float(chance.randint(0, 5)) for document in chance.sample(documents, 20)}}
        judges = {
            name: {document: chance.randint(-1, 3) for document in chance.sample(documents, 12)} for name in "ABC"
        }
        for level in (1, 2):
            for only in (False, True):
                options = {"rel": level, "judged_only": only}
                ours, theirs = parse_measure(grouped)(**options), parse_measure(plain)(**options)
                each = [theirs(judge(run, {"1": grades}))[0] for grades in judges.values()]
                assert ours(groups(run, {"1": judges}))[0] == approx(np.mean(each))
                assert ours(groups(run, {"1": {"A": judges["A"]}}))[0] == each[0]


def test_evaluate_takes_qrels_with_groups():
    found = evaluate(run=RUN, qrels=GroupedQrels.from_dict(QRELS), measures="map_avgjg P_avgjg.2 num_q")
    assert found.value("map_avgjg", "1") == approx((5 / 9 + 1 / 2) / 3)
    assert found.value("map_avgjg") == approx((5 / 9 + 1 / 2) / 3 / 2)
    assert found.value("num_q") == 2
    assert found.missing == ("2",)
    both = evaluate(run=RUN, qrels=GroupedQrels.from_dict(QRELS), average="intersection")
    assert both.topics == ("1",)
    assert [str(measure) for measure in both.measures] == ["AP_avgjg", "P_avgjg@10"]


def test_a_topic_without_relevant_documents_in_any_group_follows_the_convention():
    qrels = GroupedQrels.from_dict({"1": {"A": {"a": 0}, "B": {"a": 0}}, "2": {"A": {"a": 0}, "B": {"a": 1}}})
    run = {"1": ["a"], "2": ["a"]}
    found = evaluate(run=run, qrels=qrels, measures="map_avgjg P_avgjg@1", no_relevant="one")
    assert found.values.tolist() == [[1, 0], [0.5, 0.5]]
    assert found.without_relevant == ("1",)
    assert np.isnan(evaluate(run=run, qrels=qrels, no_relevant="skip").values[0]).all()


def test_strangers_are_told():
    qrels = GroupedQrels.from_dict({"1": {"A": {"doc1.txt": 1}}})
    assert "'doc1' is the beginning of 'doc1.txt'" in evaluate(run={"1": ["doc1"]}, qrels=qrels).notes[0]
    with pytest.raises(DataError, match="no topic in common: run has 1 topic, such as '2'; qrels has 1, such as '1'"):
        evaluate(run={"2": ["a"]}, qrels=qrels)


def test_a_measure_asked_of_another_kind_of_judgments_says_what_it_needs():
    kinds = {
        "qrels": {"1": {"a": 1}},
        "qrels_jg": GroupedQrels.from_dict({"1": {"A": {"a": 1}}}),
        "prefs": Preferences.from_dict({"1": {"A": {"s": {"a": 1}}}}),
        "subtopics": SubtopicQrels.from_dict({"1": {"s": {"a": 1}}}),
    }
    readers = {"qrels": "plain qrels", "qrels_jg": "read_qrels_jg", "prefs": "read_prefs or read_qrels_prefs"}
    readers |= {"subtopics": "read_subtopic_qrels", "strata": "read_strata", "prels": "read_prels"}
    for name, family in FAMILIES.items():
        measure = plain(name)
        for kind, judgments in kinds.items():
            if kind in family.judgments:
                found = evaluate(run={"1": ["a"]}, qrels=judgments, measures=measure)
                assert np.isfinite(found.values).all() or name == "NoAnswer"  # which averages no topic with an answer
            else:
                # A dict of another shape is refused by its shape.
                needs = f"needs .*{readers[family.judgments[0]]}|\\(.*grade.*\\)}}}} is expected"
                with pytest.raises((MeasureError, WrongTypeError), match=needs):
                    evaluate(run={"1": ["a"]}, qrels=judgments, measures=measure)


@pytest.mark.parametrize("name", GROUPED)
def test_a_measure_of_groups_printed_and_parsed_is_equal(name):
    family = FAMILIES[name]
    measure = parse_measure(f"{name}@7") if family.needs_cutoff else parse_measure(name)
    assert parse_measure(str(measure)) == measure
    assert parse_measure(measure.trec_name) == measure
