"""Agreement of models of users with cwl_eval, by itself and through ir_measures; where they or ranx differ, why."""

import random
import warnings
from functools import partial
from math import nan

import pytest
from collections_at_hand import cranfield
from samples import QRELS, RANKED, judged, one_topic

from irkit.data.qrels import Qrels
from irkit.evaluation.scoring import evaluate
from irkit.measures import AP, BPM, INST, RBP, RR, P, continuation, parse_measure
from irkit.measures.cwl import QUANTITIES, expectations

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its texts hold escapes that Python does not know
    ir_measures = pytest.importorskip("ir_measures")
    pytest.importorskip("cwl")
    from cwl.ruler import cwl_ruler as cwl
    from cwl.ruler.ranking import Ranking

static = partial(continuation.bpm, hb=0, hc=0, gain_med=0.5)
# Our name of the measure, with room for the top of its scale; cwl_eval's metric; and the model.
PAIRS = [
    (None, cwl.PrecisionCWLMetric(5), partial(continuation.precision, cutoff=5)),
    (None, cwl.RRCWLMetric(), continuation.reciprocal_rank),
    (None, cwl.APCWLMetric(), continuation.average_precision),
    (None, cwl.RBPCWLMetric(0.95), partial(continuation.rank_biased, p=0.95)),
    ("SDCG(max_rel={})@7", cwl.NDCGCWLMetric(7), partial(continuation.scaled_dcg, cutoff=7)),
    ("INSQ(T=2.5,max_rel={})", cwl.INSQCWLMetric(2.5), partial(continuation.insq, T=2.5)),
    ("INST(max_rel={})", cwl.INSTCWLMetric(1), partial(continuation.inst, T=1)),
    ("INST(T=3,max_rel={})", cwl.INSTCWLMetric(3), partial(continuation.inst, T=3)),
    ("BPM(max_rel={})@6", cwl.BPMCWLMetric(1, 6), partial(static, T=1, cutoff=6)),
    ("BPM(T=2,max_rel={})@30", cwl.BPMCWLMetric(2, 30), partial(static, T=2, cutoff=30)),
    # its K does not move, whatever its hc is
    (
        "BPM(T=2,max_rel={},hb=0.5)@30",
        cwl.BPMDCWLMetric(2, 30, 0.5, 7, 0.5),
        partial(continuation.bpm, T=2, cutoff=30, hb=0.5, hc=0, gain_med=0.5),
    ),
    ("NERR8(max_rel={})@10", cwl.NERReq8CWLMetric(10), partial(continuation.nerr8, cutoff=10)),
    ("NERR9(max_rel={})@10", cwl.NERReq9CWLMetric(10), partial(continuation.nerr9, cutoff=10)),
    ("NERR10(p=0.8,max_rel={})", cwl.NERReq10CWLMetric(0.8), partial(continuation.nerr10, p=0.8)),
    ("NERR11(T=0.5,max_rel={})", cwl.NERReq11CWLMetric(0.5), partial(continuation.nerr11, T=0.5)),
    ("TBG(halflife=22,max_rel={})", cwl.TBGCWLMetric(22), partial(continuation.time_biased, halflife=22)),
    ("UMeasure(L=50,max_rel={})", cwl.UMeasureCWLMetric(50), partial(continuation.u_measure, L=50)),
    ("UMeasure(L=2000,max_rel={})", cwl.UMeasureCWLMetric(2000), partial(continuation.u_measure, L=2000)),
    (
        "IFT_C1(T=2,b1=0.9,R1=1,max_rel={})",
        cwl.IFTGoalCWLMetric(2, 0.9, 1),
        partial(continuation.ift_goal, T=2, b1=0.9, R1=1),
    ),
    (
        "IFT_C2(A=0.2,b2=0.9,R2=5,max_rel={})",
        cwl.IFTRateCWLMetric(0.2, 0.9, 5),
        partial(continuation.ift_rate, A=0.2, b2=0.9, R2=5),
    ),
    (
        "IFT_C1_C2(T=2,b1=0.9,R1=1,A=0.2,b2=0.9,R2=5,max_rel={})",
        cwl.IFTGoalRateCWLMetric(2, 0.9, 1, 0.2, 0.9, 5),
        partial(continuation.ift_goal_rate, T=2, b1=0.9, R1=1, A=0.2, b2=0.9, R2=5),
    ),
]
NAMED = [(name, metric) for name, metric, _ in PAIRS if name is not None]
ASKED = [{"of": of, "residual": residual} for residual in (False, True) for of in QUANTITIES]


def by_cwl_eval(metric, ranking):
    """All that it says of a ranking: values, then residuals."""
    metric.residuals = True
    metric.measure(ranking)
    kinds = ("utility", "total_utility", "cost", "total_cost", "items")
    return [getattr(metric, f"{which}expected_{kind}") for which in ("", "residual_") for kind in kinds]


def assert_agrees_with_cwl_eval(run, qrels, max_rel):
    pairs = [(parse_measure(name.format(max_rel)), metric) for name, metric in NAMED]
    measures = [measure(**asked) for measure, _ in pairs for asked in ASKED]
    ours = evaluate(run=run, qrels=qrels, measures=measures, average="intersection")
    assert ours.topics
    for topic in ours.topics:
        order = sorted(run[topic], key=run[topic].get, reverse=True)
        gains = [qrels[topic].get(document, nan) / max_rel for document in order]
        ranking = Ranking(topic, gains, [1.0] * len(gains))
        for measure, metric in pairs:
            values = [ours.value(measure(**asked), topic) for asked in ASKED]
            assert values == pytest.approx(by_cwl_eval(metric, ranking), rel=1e-9, abs=1e-9), (measure, topic)


def random_run(qrels, seed, n_topics):
    """Rankings without ties, which cwl_eval leaves in the order of the lines, of some of the topics."""
    rng = random.Random(seed)
    documents = sorted({document for judgments in qrels.values() for document in judgments})
    run = {}
    for topic in rng.sample(sorted(qrels), n_topics):
        found = set(rng.sample(documents, min(60, len(documents)))) | {d for d in qrels[topic] if rng.random() < 0.4}
        order = sorted(found)
        rng.shuffle(order)
        run[topic] = {document: -float(rank) for rank, document in enumerate(order)}
    return run


@pytest.fixture(params=["cranfield", "scifact/qrels.beir-v1.0.0-scifact.test.txt", "vaswani/qrels"])
def collection(shared, request):
    if request.param == "cranfield":
        return cranfield(shared)[2]
    return Qrels.of(shared / "collections" / request.param).to_dict()


def test_collections_agree_with_cwl_eval(collection):
    max_rel = max(grade for judgments in collection.values() for grade in judgments.values())
    assert_agrees_with_cwl_eval(random_run(collection, 3, 12), collection, max_rel)


@pytest.mark.parametrize("max_rel", [1, 2, 4])
def test_random_rankings_agree_with_cwl_eval(max_rel):
    # of any length, up to more than the thousand ranks that both look at
    rng = random.Random(max_rel)
    qrels, run = {}, {}
    for topic, n_retrieved in enumerate([1, 2, 3, 5, 10, 40, 999, 1000, 1300]):
        qrels[str(topic)] = {f"d{rng.randrange(1300)}": rng.randint(0, max_rel) for _ in range(rng.choice([3, 1000]))}
        run[str(topic)] = {f"d{n}": rng.random() for n in range(n_retrieved)}
    assert_agrees_with_cwl_eval(run, qrels, max_rel)


@pytest.mark.parametrize(("metric", "model"), [pair[1:] for pair in PAIRS], ids=[pair[1].name() for pair in PAIRS])
def test_rankings_whose_documents_have_costs_agree_with_cwl_eval(metric, model):
    rng = random.Random(7)
    for n_retrieved in (0, 1, 4, 30, 60):
        gains = [rng.choice([nan, 0, 0.25, 0.5, 1]) for _ in range(n_retrieved)]
        costs = [rng.choice([nan, 0.5, 1, 3, 10]) for _ in range(n_retrieved)]
        ranking = Ranking("1", gains, costs, min_cost=0.5, max_cost=10.0, max_n=50)
        found = expectations(model, gains, costs, n_ranks=50, min_cost=0.5, max_cost=10)
        values = [*found.worst, *found.residual]
        assert values == pytest.approx(by_cwl_eval(metric, ranking), rel=1e-9, abs=1e-9)


# ir_measures takes a T of whole numbers for none.
THROUGH_IR_MEASURES = [
    "SDCG(max_rel=3)@5",
    "SDCG(min_rel=1,max_rel=2)@5",
    "INSQ(max_rel=3)",
    "INSQ(T=2.5,max_rel=3)",
    "INST(max_rel=3)",
    "INST(T=0.5,min_rel=1,max_rel=4)",
    "BPM(max_rel=2)@10",
    "BPM(T=2.0,max_rel=2)@3",
    "NERR8(max_rel=3)@5",
    "NERR9(min_rel=1,max_rel=3)@5",
    "NERR10(max_rel=3)",
    "NERR10(p=0.7,max_rel=3)",
    "NERR11(max_rel=3)",
    "NERR11(T=2.0,max_rel=2)",
]


@pytest.mark.parametrize("name", THROUGH_IR_MEASURES)
def test_measures_agree_with_ir_measures_and_are_spelt_as_there(name):
    rng = random.Random(11)
    documents = [f"d{n}" for n in range(30)]
    qrels = {str(t): {d: rng.randint(-1, 4) for d in rng.sample(documents, 15)} for t in range(20)}
    run = {str(t): {d: rng.random() for d in rng.sample(documents, rng.randint(1, 30))} for t in range(1, 20)}
    theirs, ours = ir_measures.parse_measure(name), parse_measure(name)
    assert str(theirs) == str(ours) == name
    by_topic = {metric.query_id: metric.value for metric in ir_measures.cwl_eval.iter_calc([theirs], qrels, run)}
    found = evaluate(run=run, qrels=qrels, measures=ours)
    # a topic that the run lacks has 0
    assert {topic: found.value(ours, topic) for topic in found.topics} == pytest.approx(by_topic, rel=1e-9, abs=1e-9)


def test_ir_measures_refuses_a_whole_t():
    with pytest.raises(AssertionError, match="invalid param T=1"):
        ir_measures.parse_measure("INST(T=1,max_rel=3)").iter_calc({}, {})
    assert parse_measure("INST(T=1,max_rel=3)") == INST(max_rel=3)


@pytest.mark.parametrize(
    ("measure", "ours", "theirs"),
    [
        (P(rel=2) @ 3, 2 / 3, 2 / 3),
        (RR(rel=2), 1, 1),
        # R = 3, of which it knows the two that were retrieved: 3.4 of spec/measures.md
        (AP(rel=2), (1 + 2 / 3) / 3, (1 + 2 / 3) / 2),
        # 1000 ranks hold all but 0.8^1000 of its user
        (RBP(rel=2), 0.2 * (1 + 0.64), 0.2 * (1 + 0.64)),
    ],
    ids=str,
)
def test_measures_that_cwl_eval_has_too(measure, ours, theirs):
    assert measure(judged({"1": RANKED["T1"]}, {"1": QRELS["T1"]})) == pytest.approx([ours])
    run = {"1": {document: -float(rank) for rank, document in enumerate(RANKED["T1"])}}
    found = list(ir_measures.cwl_eval.iter_calc([ir_measures.parse_measure(str(measure))], {"1": QRELS["T1"]}, run))
    assert found[0].value == pytest.approx(theirs)


def test_dynamic_bpm_differs_because_cwl_eval_never_moves_the_limit_of_the_cost():
    # a full gain raises a limit of two documents by one: three are looked at; cwl_eval looks at two
    assert (BPM(T=9, hc=2, max_rel=1, of="ED") @ 2)(one_topic([1, 0, 0, 0])) == [3]
    metric = cwl.BPMDCWLMetric(9, 2, 0, 2, 0.5)
    assert by_cwl_eval(metric, Ranking("1", [1.0, 0, 0, 0], [1.0] * 4))[4] == 2


def test_bpm_differs_where_a_sum_of_gains_falls_short_by_its_last_digit():
    # ten times 0.1 is 1; added as numbers of 64 bits, 0.9999999999999999
    assert (BPM(max_rel=10, of="ED") @ 50)(one_topic([1] * 20)) == [10]
    assert by_cwl_eval(cwl.BPMCWLMetric(1, 50), Ranking("1", [0.1] * 20, [1.0] * 20))[4] == 11


def test_rbp_differs_from_ranx_which_sums_grades_as_they_are():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranx = pytest.importorskip("ranx")
        run = {"T1": {document: -float(rank) for rank, document in enumerate(RANKED["T1"])}}
        theirs = ranx.evaluate(ranx.Qrels({"T1": QRELS["T1"]}), ranx.Run(run), "rbp.80")
    assert theirs == pytest.approx(0.865920, abs=6e-7)
    assert RBP(p=0.8, max_rel=3)(judged(RANKED, QRELS))[0] == pytest.approx(theirs / 3)
