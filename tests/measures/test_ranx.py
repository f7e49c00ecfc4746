"""Agreement with ranx, by its own names; where it differs, the reason.

It is asked where no scores tie, for it stands ties in no order that is said.
"""

import os
import random
from math import isnan

import numpy as np
import pytest

from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.evaluation.scoring import evaluate
from irkit.measures import parse_measure

# Its code as it stands, and not compiled, which takes a minute and gives the same.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
ranx = pytest.importorskip("ranx")

NAMES = (
    *("hits", "hits@1", "hits@5", "hits@5-l2", "hit_rate@1", "hit_rate@5", "hit_rate@5-l2"),
    *("precision@5", "precision@5-l2", "precision@100", "recall@5", "recall@100-l2"),
    *("f1", "f1-l2", "f1@1", "f1@10", "f1@10-l2", "r-precision", "r-precision-l2"),
    *("mrr", "mrr@1", "mrr@10", "mrr@10-l2", "map", "map-l2", "map@3", "map@100", "map@100-l2"),
    *("dcg", "dcg@10", "dcg@10-l2", "dcg_burges", "dcg_burges@10", "ndcg", "ndcg@3", "ndcg@10", "ndcg@10-l2"),
    *("ndcg@5-l3", "ndcg_burges", "ndcg_burges@3", "ndcg_burges@10"),
    *("ndcg_burges@10-l1", "ndcg_burges@10-l2", "ndcg_burges-l3", "dcg_burges@5-l2", "dcg_burges-l3"),  # C48
)


def by_ranx(run, qrels, name):
    """Its value for each topic, topics in our order."""
    theirs = ranx.Run({topic: {doc: float(score) for doc, score in docs.items()} for topic, docs in run.items()})
    ranx.evaluate(ranx.Qrels(qrels), theirs, [name])
    return [theirs.scores[name][topic] for topic in sorted(qrels)]


def assert_agrees(run, qrels, names=NAMES):
    ours = evaluate(run=run, qrels=qrels, measures=names)
    for name in names:
        np.testing.assert_allclose(
            ours.by_topic(name), by_ranx(run, qrels, name), rtol=0, atol=1e-9, err_msg=f"{name}: {parse_measure(name)}"
        )


def untied(qrels, seed):
    """A run of all topics in which no two scores of a topic are equal."""
    rng = random.Random(seed)
    documents = sorted({document for judged in qrels.values() for document in judged})
    run = {}
    for topic, judged in qrels.items():
        found = {*rng.sample(documents, min(40, len(documents))), *(doc for doc in judged if rng.random() < 0.5)}
        found = sorted(found) or documents[:1]
        run[topic] = dict(zip(found, map(float, rng.sample(range(1000), len(found))), strict=True))
    return run


@pytest.mark.parametrize("seed", range(6))
def test_random_data_agrees(seed):
    rng = random.Random(seed)
    qrels = {
        f"q{topic}": {f"d{rng.randrange(30)}": rng.randrange(4) for _ in range(rng.randint(1, 15))}
        for topic in range(8)
    }
    assert_agrees(untied(qrels, seed), qrels)


@pytest.mark.parametrize("path", ["scifact/qrels.beir-v1.0.0-scifact.test.txt", "vaswani/qrels"])
def test_collections_agree(shared, path):
    qrels = Qrels.of(shared / "collections" / path).to_dict()
    some = dict(list(qrels.items())[:40])
    assert_agrees(untied(some, 3), some)
    # one scale, of 0 and 1: there is nothing to divide by
    assert_agrees(untied(some, 4), some, ("rbp.95", "rbp.8"))


def test_the_bundled_runs_agree(request):
    folder = request.config.rootpath
    qrels = Qrels.of(folder / "qrels" / "qrels.passages.txt").to_dict()
    for name in ("bm25", "dense"):
        run = Run.of(folder / "runs" / f"run.passages.{name}.txt").to_dict()
        assert all(len({*docs.values()}) == len(docs) for docs in run.values())
        assert_agrees({topic: run.get(topic, {}) for topic in qrels if topic in run}, qrels)


def test_bpref_agrees_where_something_was_judged_not_relevant():
    rng = random.Random(7)
    qrels = {
        f"q{topic}": {f"d{doc}": rng.randrange(3) for doc in range(12)} | {"n": 0, "r": 2, "s": 1} for topic in range(9)
    }
    assert_agrees(untied(qrels, 8), qrels, ("bpref", "bpref-l2"))


def test_bpref_is_no_number_there_where_nothing_was_judged_not_relevant():
    # min(relevant, not relevant) = 0 is what it divides by; nothing above the one found is worse: 1
    run, qrels = {"q": {"a": 1.0}}, {"q": {"a": 1}}
    assert evaluate(run=run, qrels=qrels, measures="bpref").value("bpref") == 1.0
    with np.errstate(all="ignore"):
        assert isnan(by_ranx(run, qrels, "bpref")[0])


def test_rbp_differs_because_ranx_adds_up_grades():
    # ranks 1 and 2 with grades 3 and 1: 0.05 * (3 + 0.95), where the weights of RBP go from 0 to 1
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 3, "b": 1}}
    assert by_ranx(run, qrels, "rbp.95") == pytest.approx([0.05 * (3 + 0.95)])
    assert by_ranx({"q": {"a": 1.0}}, {"q": {"a": 30}}, "rbp.95") == pytest.approx([1.5])  # more than the most
    ours = evaluate(run=run, qrels=qrels, measures=["rbp.95", "rbp.95-l2"])
    assert ours.value("rbp.95") == pytest.approx(0.05 * (3 + 0.95) / 3)
    # from grade 2 on: ours asks whether, theirs how much
    assert ours.value("rbp.95-l2") == pytest.approx(0.05)
    assert by_ranx(run, qrels, "rbp.95-l2") == pytest.approx([0.05 * 3])


def test_topics_have_to_be_the_same_there():
    run, qrels = {"1": {"a": 1.0}, "3": {"a": 1.0}}, {"1": {"a": 1}, "2": {"b": 1}}
    with pytest.raises(AssertionError, match="query ids do not match"):
        by_ranx(run, qrels, "map")
    # made comparable, 2 is an empty ranking and 3 is dropped: what evaluate does with average="judged"
    both = ranx.Qrels(qrels), ranx.Run(run)
    assert ranx.evaluate(*both, "map", make_comparable=True) == 0.5
    assert evaluate(run=run, qrels=qrels, measures="map").value("map") == 0.5


def test_ties_are_in_no_order_that_is_said_there():
    # the larger document id is first here, as in trec_eval, whatever the order in the dict; ranx follows the dict
    qrels, values = {"q": {"b": 1}}, []
    for order in ("ab", "ba"):
        run = {"q": dict.fromkeys(order, 1.0)}
        assert evaluate(run=run, qrels=qrels, measures="mrr").value("mrr") == 1.0
        values += by_ranx(run, qrels, "mrr")
    assert sorted(values) == [0.5, 1.0]


def test_its_bare_precision_and_recall_have_other_names_here():
    run, qrels = {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 1, "c": 1}}
    assert by_ranx(run, qrels, "precision") == pytest.approx(
        evaluate(run=run, qrels=qrels, measures="SetP").summary.tolist()
    )
    assert by_ranx(run, qrels, "recall") == pytest.approx(
        evaluate(run=run, qrels=qrels, measures="SetR").summary.tolist()
    )
