"""Agreement with ir_measures where it computes by itself, by cwl_eval, by gdeval or by MS MARCO's program; its names.

What it has from pytrec_eval is in test_measures_peers.py. Its other programs break ties otherwise, so nothing ties.
"""

import random
import shutil
from subprocess import CalledProcessError

import numpy as np
import pytest

from irkit.data.qrels import Qrels
from irkit.errors import MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.measures import (
    AP,
    ERR,
    FAMILIES,
    RBP,
    RR,
    Accuracy,
    Compat,
    Judged,
    NumRel,
    NumRelRet,
    P,
    nDCG,
    parse_measure,
)

ir_measures = pytest.importorskip("ir_measures")
perl = pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is written in Perl, which is not installed")

MEASURES = (
    *(Compat, Compat(p=0.8), Compat(normalize=False), Compat(p=0.5, normalize=False)),
    *(Judged, Judged @ 1, Judged @ 5, Judged @ 100),
    *(RR @ 1, RR @ 3, RR(rel=2) @ 10),
    *(RBP(rel=1), RBP(p=0.5, rel=1), RBP(p=0.95, rel=2)),
)
BY_CWL = (P @ 5, P(rel=2) @ 20, RR, RR(rel=2))
ACCURACY = (Accuracy, Accuracy @ 5, Accuracy(rel=2), Accuracy(rel=2) @ 20)
BY_GDEVAL = (ERR @ 3, ERR @ 20, nDCG(dcg="exp-log2") @ 3, nDCG(dcg="exp-log2") @ 20)


def theirs_of(measure, run, qrels, provider=ir_measures):
    """The values of a measure by topic; of one at a time, for they mix the parameters of several."""
    peer = ir_measures.parse_measure(str(measure))
    return {metric.query_id: metric.value for metric in provider.iter_calc([peer], qrels, run)}


def assert_agrees(measures, run, qrels, provider=ir_measures, atol=1e-9):
    ours = evaluate(run=run, qrels=qrels, measures=measures)
    for measure in measures:
        theirs = theirs_of(measure, run, qrels, provider)
        expected = [theirs[topic] for topic in ours.topics]
        np.testing.assert_allclose(ours.by_topic(measure), expected, rtol=0, atol=atol, err_msg=str(measure))


def untied(qrels, seed):
    """A run of most topics in which no two scores of a topic are equal, and the first document is not judged."""
    rng = random.Random(seed)
    documents = sorted({document for judged in qrels.values() for document in judged})
    run = {}
    for topic in sorted(qrels):
        if rng.random() < 0.9:
            found = {*rng.sample(documents, min(40, len(documents))), *(d for d in qrels[topic] if rng.random() < 0.5)}
            scores = rng.sample(range(1, 1000), len(found))
            run[topic] = {"x": 1000.0} | dict(zip(sorted(found), map(float, scores), strict=True))
    return run


def random_qrels(seed, top=4):
    rng = random.Random(seed)
    return {
        f"{topic}": {f"d{rng.randrange(40)}": rng.randrange(top + 1) for _ in range(rng.randint(1, 15))}
        for topic in range(101, 116)
    }


@pytest.fixture(params=["cranfield/cranqrel", "scifact/qrels.beir-v1.0.0-scifact.test.txt", "vaswani/qrels"])
def collection(shared, request):
    path = shared / "collections" / request.param
    if path.name == "cranqrel":
        # topic document code; the best code is 1, the worst 4 and 5 (its readme)
        qrels = {}
        for line in path.read_text().splitlines():
            topic, document, code = line.split()[:3]
            qrels.setdefault(topic, {})[document] = max(0, 5 - abs(int(code)))
        return qrels
    return Qrels.of(path).to_dict()


@pytest.mark.parametrize("seed", range(8))
def test_random_data_agrees(seed):
    qrels = random_qrels(seed)
    assert_agrees(MEASURES, untied(qrels, seed), qrels)
    assert_agrees(BY_CWL, untied(qrels, seed), qrels, ir_measures.cwl_eval)


def test_collections_agree(collection):
    run = untied(collection, 11)
    assert_agrees(MEASURES, run, collection)
    assert_agrees(BY_CWL, run, collection, ir_measures.cwl_eval)


def assert_accuracy_agrees(run, qrels):
    ours = evaluate(run=run, qrels=qrels, measures=ACCURACY)
    for measure in ACCURACY:
        theirs = theirs_of(measure, run, qrels)
        for topic in ours.topics:
            # it leaves out a topic for which no relevant document was found, where ours is 0
            assert ours.value(measure, topic) == pytest.approx(theirs.get(topic, 0.0), abs=1e-9), (measure, topic)


@pytest.mark.parametrize("seed", range(8))
def test_accuracy_of_random_data_agrees_where_it_is_not_left_out(seed):
    qrels = random_qrels(seed)
    assert_accuracy_agrees(untied(qrels, seed), qrels)


def test_accuracy_of_collections_agrees_where_it_is_not_left_out(collection):
    assert_accuracy_agrees(untied(collection, 12), collection)


def test_accuracy_divides_by_0_there_where_only_relevant_documents_were_retrieved():
    run, qrels = {"1": {"a": 1.0}}, {"1": {"a": 1, "n": 0}}
    assert evaluate(run=run, qrels=qrels, measures=Accuracy).value(Accuracy) == 1.0
    with pytest.raises(ZeroDivisionError):
        theirs_of(Accuracy, run, qrels)


def test_accuracy_rewards_a_run_there_for_finding_less():
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    more = {"1": {"a": 2.0, "x": 1.0}, "2": {"x": 2.0, "b": 1.0}}
    less = {"1": {"a": 2.0, "x": 1.0}, "2": {"x": 2.0, "y": 1.0}}
    for run, theirs in ((more, 1 / 2), (less, 1.0)):
        assert evaluate(run=run, qrels=qrels, measures=Accuracy).value(Accuracy) == 1 / 2
        assert ir_measures.calc_aggregate([ir_measures.Accuracy], qrels, run)[ir_measures.Accuracy] == theirs


def test_compat_stands_documents_of_negative_score_behind_those_not_retrieved_there():
    # one grade: the nearest ideal ranking is a, b, then m. There m, with 0 for its score, comes before both.
    run, qrels = {"1": {"a": -1.0, "b": -2.0}}, {"1": {"a": 1, "b": 1, "m": 1}}
    weights = [1, 0.95, 0.95**2]
    ours = (1 + 0.95 + 0.95**2 * 2 / 3) / sum(weights)
    theirs = (0 + 0.95 * 1 / 2 + 0.95**2 * 2 / 3) / sum(weights)
    assert evaluate(run=run, qrels=qrels, measures=Compat).value(Compat) == pytest.approx(ours, abs=1e-12)
    assert theirs_of(Compat, run, qrels)["1"] == pytest.approx(theirs, abs=1e-12)
    positive = {"1": {"a": 2.0, "b": 1.0}}
    assert theirs_of(Compat, positive, qrels)["1"] == pytest.approx(ours, abs=1e-12)


@pytest.mark.parametrize(
    ("measure", "here", "there"),
    [
        (Compat, 1.0, (0 + 0.95 / 2) / (1 + 0.95 / 2)),
        (RR @ 2, 1.0, 1 / 2),
        (Judged @ 1, 1.0, 0.0),
        (RBP(p=0.8, rel=1), 0.2, 0.2 * 0.8),
        (Accuracy, 1.0, 0.0),
    ],
    ids=str,
)
def test_documents_that_tie_stand_otherwise_there(measure, here, there):
    # the larger id first here, as in trec_eval; there the smaller, or as they are given
    run, qrels = {"1": {"a": 1.0, "b": 1.0}}, {"1": {"b": 1}}
    assert evaluate(run=run, qrels=qrels, measures=measure).value(measure) == pytest.approx(here)
    assert theirs_of(measure, run, qrels)["1"] == pytest.approx(there)


def test_average_precision_by_cwl_eval_is_divided_by_what_was_found():
    qrels = random_qrels(3)
    run = untied(qrels, 4)
    ours = evaluate(run=run, qrels=qrels, measures=[AP, NumRel, NumRelRet])
    theirs = theirs_of(AP, run, qrels, ir_measures.cwl_eval)
    for topic in run:
        found = ours.value(NumRelRet, topic)
        expected = ours.value(AP, topic) * ours.value(NumRel, topic) / found if found else 0.0
        assert theirs[topic] == pytest.approx(expected, abs=1e-9)


@perl
def test_collections_agree_with_gdeval(collection):
    # gdeval prints five decimals; it breaks ties as trec_eval does
    rng = random.Random(21)
    run = {topic: {d: float(rng.randrange(20)) for d in found} for topic, found in untied(collection, 22).items()}
    assert_agrees(BY_GDEVAL, run, collection, ir_measures.gdeval, atol=5e-6 + 1e-9)


@perl
@pytest.mark.parametrize("seed", range(3))
def test_random_data_full_of_ties_agrees_with_gdeval(seed):
    rng, qrels = random.Random(seed), random_qrels(seed)
    run = {topic: {d: float(rng.randrange(5)) for d in found} for topic, found in untied(qrels, seed).items()}
    assert_agrees(BY_GDEVAL, run, qrels, ir_measures.gdeval, atol=5e-6 + 1e-9)


@perl
def test_gdeval_takes_grades_up_to_4_whatever_the_scale_is():
    run = {"1": {"a": 1.0}}
    assert theirs_of(ERR @ 5, run, {"1": {"a": 2}}, ir_measures.gdeval)["1"] == 0.1875  # (2^2 - 1) / 2^4
    assert evaluate(run=run, qrels={"1": {"a": 2}}, measures=ERR @ 5).summary.tolist() == [0.1875]
    with pytest.raises(CalledProcessError):
        theirs_of(ERR @ 5, run, {"1": {"a": 5}}, ir_measures.gdeval)
    with pytest.raises(MeasureError, match=r"ask for it with max_rel=5"):
        evaluate(run=run, qrels={"1": {"a": 5}}, measures=ERR @ 5)
    wider = evaluate(run=run, qrels={"1": {"a": 5}}, measures=ERR(max_rel=5) @ 5)
    assert wider.summary.tolist() == [31 / 32]


# A value of each parameter that is not its default, as it is written.
WRITTEN = {
    **{"rel": "2", "judged_only": "True", "p": "0.7", "normalize": "False", "relative": "True", "beta": "0.3"},
    **{"alpha": "0.3", "T": "2.0", "min_rel": "1", "max_rel": "3", "gains": "{1:3,2:9}", "dcg": "'exp-log2'"},
}


def texts_of(name, theirs):
    """A measure of ir_measures by this name: with what it needs alone, then with each of its parameters beside."""
    needed = {key: WRITTEN[key] for key, info in theirs.SUPPORTED_PARAMS.items() if info.required and key in WRITTEN}
    at = theirs.AT_PARAM if theirs.AT_PARAM in theirs.SUPPORTED_PARAMS else None
    depth = "@0.3" if at == "recall" else "@7"
    # Some of diversity may be written without a cutoff there, and then nothing computes them.
    needs_depth = at and (theirs.SUPPORTED_PARAMS[at].required or FAMILIES[theirs.NAME].needs_cutoff)
    depths = [depth] if needs_depth else ["", depth] if at else [""]
    one_value = {"dcg"} if theirs.NAME == "SDCG" else set()  # which has log2 only
    for key in ("", *(theirs.SUPPORTED_PARAMS.keys() - {at} - one_value)):
        # In their order, since ir_measures prints parameters as they were written.
        given = {one: WRITTEN[one] for one in theirs.SUPPORTED_PARAMS if one in needed or one == key}
        written = f"({','.join(f'{key}={value}' for key, value in given.items())})" if given else ""
        yield from (f"{name}{written}{depth}" for depth in depths)


@pytest.mark.parametrize("name", ir_measures.measures.registry)
def test_every_name_and_parameter_of_ir_measures_is_read_and_printed_alike(name):
    theirs = ir_measures.measures.registry[name]
    for text in texts_of(name, theirs):
        ours, peer = parse_measure(text), ir_measures.parse_measure(text)
        assert parse_measure(str(peer)) == ours
        assert parse_measure(str(ours)) == ours
        again = ir_measures.parse_measure(str(ours))
        assert (again.NAME, again.params) == (peer.NAME, peer.params)
        # There NumRelRet is printed NumRet(rel=2), and the parameters of SetRelP stand in another order.
        if name not in ("NumRelRet", "SetRelP") and ours.name != "NumRelRet":
            assert str(ours) == str(peer)
