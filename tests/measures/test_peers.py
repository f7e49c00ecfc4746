"""Agreement with ir_measures and pytrec_eval; where they differ, the reason."""

import random
from math import isnan, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import PLAIN, by_trec_name, chosen, qrels, runs

from irkit.data.qrels import Qrels
from irkit.evaluation.scoring import evaluate
from irkit.measures import (
    AP,
    ERR,
    FAMILIES,
    RBP,
    RR,
    Bpref,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    Success,
    infAP,
    nDCG,
    parse_measure,
    parse_measures,
)

ir_measures = pytest.importorskip("ir_measures")
pytrec_eval = pytest.importorskip("pytrec_eval")

AS_IR_MEASURES = (
    *(nDCG, nDCG @ 1, nDCG @ 3, nDCG @ 10, nDCG(judged_only=True), nDCG(judged_only=True) @ 3),
    *(RR, RR(rel=2), RR(judged_only=True), AP, AP(rel=2), AP @ 3, AP(judged_only=True) @ 3),
    *(
        P @ 1,
        P @ 10,
        P(rel=2) @ 3,
        P(judged_only=True) @ 3,
        R @ 1,
        R @ 10,
        R(rel=2) @ 5,
        Success @ 1,
        Success(rel=2) @ 3,
    ),
    *(Rprec, Rprec(rel=2), Bpref, Bpref(rel=2), SetP, SetP(rel=2), SetR, SetR(rel=2), SetF, SetF(judged_only=True)),
    *(
        SetP(relative=True),
        SetP(relative=True, rel=2),
        SetAP,
        SetAP(rel=2),
        SetAP(judged_only=True),
        infAP,
        infAP(rel=2),
    ),
    *(IPrec @ 0.0, IPrec @ 0.4, IPrec(rel=2) @ 0.7, NumRet, NumRelRet, NumRelRet(rel=2)),
)
# All that pytrec_eval has over qrels, but for what is not a number; parameters beside the defaults.
PYTREC = {*pytrec_eval.supported_measures} - {"runid", "relstring"}
PYTREC_CHOSEN = ("P.3,7", "recall.2", "ndcg_cut.1,3", "map_cut.4", "success.2", "relative_P.2,6")
PYTREC_CHOSEN += ("iprec_at_recall.0.15,0.33,0.65", "Rprec_mult.0.5,0.75,3.0")
few = settings(max_examples=15, deadline=None, database=None)


def floats(run):
    return {topic: {doc: float(score) for doc, score in docs.items()} for topic, docs in run.items()}


def assert_agrees_with_ir_measures(run, qrels, measures=AS_IR_MEASURES):
    ours = evaluate(run=run, qrels=qrels, measures=measures, rules="trec_eval-9")
    for measure in measures:
        # Its NumRet takes the value of a judged_only one in the same call, by the order of a set: ask one at a time.
        peer = ir_measures.parse_measure(str(measure))
        means, each = ir_measures.calc([peer], qrels, floats(run))
        by_topic = {(metric.query_id, metric.measure): metric.value for metric in each}
        for topic in ours.topics:
            assert ours.value(measure, topic) == pytest.approx(by_topic[topic, peer], abs=1e-9), (measure, topic)
        assert ours.value(measure) == pytest.approx(means[peer], abs=1e-9), measure


def assert_agrees_with_pytrec_eval(run, qrels, names=PYTREC, rel=1):
    by_name = {
        name: measure if chosen(measure, "rel") is None else measure(rel=rel)
        for name, measure in by_trec_name(names).items()
    }
    ours = evaluate(run=run, qrels=qrels, measures=by_name.values(), rules="trec_eval-9", average="intersection")
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names), relevance_level=rel).evaluate(floats(run))
    assert set(theirs) == set(ours.topics)
    for topic in ours.topics:
        assert set(theirs[topic]) == set(by_name)
        for name, measure in by_name.items():
            value = ours.value(measure, topic)
            # It gives the logarithm of what is averaged geometrically.
            value = log(value) if measure.summary == "geometric mean" else value
            assert value == pytest.approx(theirs[topic][name], abs=1e-9), (name, topic)
    for name, measure in by_name.items():
        whole = pytrec_eval.compute_aggregated_measure(name, [values[name] for values in theirs.values()])
        assert ours.value(measure) == pytest.approx(whole, abs=1e-9), name


@few
@given(run=runs(), qrels=qrels(lowest=0))
def test_random_data_full_of_ties_agrees_with_ir_measures(run, qrels):
    run = run | {"1": {"a": 1.0}}
    assert_agrees_with_ir_measures({topic: docs for topic, docs in run.items() if docs}, qrels)


@few
@given(run=runs(), qrels=qrels(lowest=-2), rel=st.integers(1, 3))
def test_random_data_full_of_ties_agrees_with_pytrec_eval(run, qrels, rel):
    run = run | {"1": {"a": 1.0}}
    # It cannot do with a topic that has negative grades only: each has a document of grade 0 beside them.
    qrels = {topic: grades | {"z": 0} for topic, grades in qrels.items()}
    for names in (PYTREC, PYTREC_CHOSEN):
        assert_agrees_with_pytrec_eval({topic: docs for topic, docs in run.items() if docs}, qrels, names, rel)


@pytest.fixture(params=["cranfield/cranqrel", "scifact/qrels.beir-v1.0.0-scifact.test.txt", "vaswani/qrels"])
def collection(shared, request):
    path = shared / "collections" / request.param
    if path.name == "cranqrel":
        # topic document grade, without the second column; the best grade is 1, the worst 4 and 5 (its readme)
        grades = {}
        for line in path.read_text().splitlines():
            topic, document, grade = line.split()[:3]
            grades.setdefault(topic, {})[document] = max(0, 5 - abs(int(grade)))
        return grades
    return Qrels.of(path).to_dict()


def random_run(qrels, seed):
    rng = random.Random(seed)
    documents = sorted({document for judged in qrels.values() for document in judged})
    run = {}
    for topic in sorted(qrels):
        if rng.random() < 0.9:
            found = set(rng.sample(documents, min(60, len(documents)))) | set(rng.sample(sorted(qrels[topic]), 1))
            found |= {document for document in qrels[topic] if rng.random() < 0.4}
            run[topic] = {document: float(rng.randrange(12)) for document in found}
    return run


def test_collections_agree_with_ir_measures(collection):
    assert_agrees_with_ir_measures(random_run(collection, 1), collection)


def test_collections_agree_with_pytrec_eval(collection):
    assert_agrees_with_pytrec_eval(random_run(collection, 2), collection)


def test_reciprocal_rank_with_a_cutoff_and_judged_agree_where_nothing_ties():
    # ir_measures hands these to code that puts the smaller document id first in a tie, so here are none
    rng = random.Random(5)
    qrels = {str(topic): {f"d{rng.randrange(60)}": rng.randrange(3) for _ in range(15)} for topic in range(20)}
    run = {topic: {f"d{place}": rng.random() for place in range(40)} for topic in qrels}
    assert_agrees_with_ir_measures(run, qrels, (RR @ 3, RR(rel=2) @ 10, Judged, Judged @ 5, Judged @ 100))


def test_judged_differs_where_scores_tie():
    # a and b tie: here as everywhere b comes first, in ir_measures a
    run, qrels = {"1": {"a": 1.0, "b": 1.0}}, {"1": {"b": 1}}
    assert evaluate(run=run, qrels=qrels, measures=Judged @ 1).value(Judged @ 1) == 1.0
    assert ir_measures.calc_aggregate([ir_measures.Judged @ 1], qrels, run)[ir_measures.Judged @ 1] == 0.0


def test_judged_differs_for_negative_grades():
    # trec_eval: a negative grade stands for a pooled document without judgment; ir_measures counts it as judged
    run, qrels = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": -1, "b": 1}}
    assert evaluate(run=run, qrels=qrels, measures=Judged).value(Judged) == 0.5
    assert ir_measures.calc_aggregate([ir_measures.Judged], qrels, run)[ir_measures.Judged] == 1.0


def test_precision_at_recall_0_of_nothing_differs():
    # trec_eval divides 0 by 0 where nothing retrieved is left to look at; not a number is no answer
    measure, theirs = IPrec(judged_only=True) @ 0.0, ir_measures.IPrec(judged_only=True) @ 0.0
    run, qrels = {"1": {"x": 1.0}}, {"1": {"a": 1}}
    assert evaluate(run=run, qrels=qrels, measures=measure).summary.tolist() == [0.0]
    assert isnan(ir_measures.calc_aggregate([theirs], qrels, run)[theirs])


def test_set_f_differs_because_ir_measures_hands_beta_on_as_its_square():
    # T1: P = 3/7, R = 3/5. F2 = 0.555556; trec_eval's x = 2 is beta = sqrt(2): 0.529412
    run = {"1": {f"d{place}": 9.0 - place for place in range(7)}}
    qrels = {"1": {"d0": 1, "d2": 1, "d4": 1, "m1": 1, "m2": 1}}
    theirs = ir_measures.calc_aggregate([ir_measures.SetF(beta=2.0)], qrels, run)[ir_measures.SetF(beta=2.0)]
    assert evaluate(run=run, qrels=qrels, measures=SetF(beta=2)).summary[0] == pytest.approx(0.555556, abs=1e-6)
    assert theirs == pytest.approx(0.529412, abs=1e-6)
    assert evaluate(run=run, qrels=qrels, measures=SetF(beta=2**0.5)).summary[0] == pytest.approx(theirs, abs=1e-9)


def test_counts_of_a_topic_that_the_run_lacks_differ():
    # trec_eval -c counts topic 2 and its relevant document; ir_measures takes 0 for both
    run, qrels = {"1": {"a": 1.0}}, {"1": {"a": 1}, "2": {"b": 1}}
    theirs = ir_measures.calc_aggregate([ir_measures.NumQ, ir_measures.NumRel], qrels, run)
    assert evaluate(run=run, qrels=qrels, measures=[NumQ, NumRel]).summary.tolist() == [2, 2]
    assert list(theirs.values()) == [1, 1]
    assert_agrees_with_ir_measures(run | {"2": {"x": 1.0}}, qrels, (NumQ, NumRel))


def test_whole_gains_agree():
    run, qrels = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"1": {"a": 1, "b": 2, "d": 2}}
    assert_agrees_with_ir_measures(run, qrels, (nDCG(gains={1: 3, 2: 9}),))


@pytest.mark.parametrize("measure", [*AS_IR_MEASURES, NumQ, NumRel, RBP(p=0.9, rel=1), ERR @ 20, Judged @ 10], ids=str)
def test_ir_measures_reads_and_prints_our_names(measure):
    theirs = ir_measures.parse_measure(str(measure))
    assert parse_measure(str(theirs)) == measure
    if measure.name != "NumRelRet":  # printed NumRet(rel=1) there
        assert str(theirs) == str(measure)


def test_names_of_trec_eval_mean_what_they_mean_to_ir_measures():
    more = ("iprec_at_recall", "iprec_at_recall_0.5", "set_map", "set_relative_P")
    for name in (
        "P",
        "recall",
        "ndcg_cut",
        "map_cut",
        "success",
        "recip_rank",
        "P_5,10",
        "ndcg_cut.10",
        "set_P",
        "infAP",
        *more,
    ):
        theirs = {str(measure) for measure in ir_measures.parse_trec_measure(name)}
        assert {str(measure) for measure in parse_measures(name)} == theirs


def test_our_aliases_are_those_of_ir_measures():
    registry = ir_measures.measures.registry
    for family in FAMILIES.values():
        if family.name in registry:
            theirs = {name for name, measure in registry.items() if measure == registry[family.name]}
            assert theirs == {family.name, *family.aliases}
    ours_alone = """
        AP11pt DCG EBR F G GMAP GMBpref Hits IdealDCG NoAnswer NumNonRelRet Q RCap Rndcg binG iRBU ndcg_rel rbp
        rbp_resid unj utility yaap nERR TBG UMeasure IFT_C1 IFT_C2 IFT_C1_C2 EBU rrDBN uUBM GAP
    """
    assert set(PLAIN) - set(registry) == {*ours_alone.split()}
    assert parse_measure("SetRelP") == SetP(relative=True)


def test_means_of_many_topics_agree_to_the_last_digit_with_a_plain_sum():
    rng = np.random.default_rng(3)
    qrels = {f"{topic:03}": {f"d{d}": int(rng.integers(0, 3)) for d in range(12)} for topic in range(200)}
    run = {topic: {f"d{d}": float(rng.integers(0, 5)) for d in range(20)} for topic in qrels}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg"}).evaluate(run)
    for name in ("map", "ndcg"):
        total = 0.0
        for topic in sorted(theirs):
            total += theirs[topic][name]
        assert evaluate(run=run, qrels=qrels, measures=name, rules="trec_eval-9").value(name) == total / 200
