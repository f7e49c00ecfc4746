"""Agreement with pyndeval, directly and through ir_measures; where they differ, the reason."""

import random
from fractions import Fraction
from math import log2

import ir_measures
import numpy as np
import pyndeval
import pytest
from plain_diversity import plain_gains, plain_ideal
from samples import by_subtopic

from irkit.evaluation.scoring import evaluate
from irkit.measures import ERR_IA, alpha_DCG, alpha_nDCG, nERR_IA, nNRBP, parse_measure

approx = pytest.approx
# pyndeval's names, with ours but for rel, alpha and beta.
CUT = {
    "ERR-IA": "ERR_IA",
    "nERR-IA": "nERR_IA",
    "alpha-DCG": "alpha_DCG",
    "alpha-nDCG": "alpha_nDCG",
    "P-IA": "P_IA",
    "strec": "StRecall",
}
WHOLE = {"NRBP": "NRBP", "nNRBP": "nNRBP", "MAP-IA": "AP_IA"}
DEPTHS = (2, 3, 5, 10, 20)
NAMES = {f"{theirs}@{k}": f"{ours}@{k}" for theirs, ours in CUT.items() for k in DEPTHS} | WHOLE


def case(seed, subtopics_of_a_document):
    """A run without ties in score, and qrels of whose topics each has a relevant document."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(40)]
    run, qrels = {}, {}
    for topic in ("1", "2", "30"):
        run[topic] = {doc: float(-rank) for rank, doc in enumerate(chance.sample(documents, 30))}
        qrels[topic] = {}
        for document in chance.sample(documents, 25):
            for subtopic in chance.sample("12345", chance.randint(1, subtopics_of_a_document)):
                qrels[topic].setdefault(subtopic, {})[document] = chance.choice([-2, -1, 0, 0, 1, 2, 3])
        qrels[topic].setdefault("1", {})["d0"] = 3
    return run, qrels


def lines(qrels):
    return [
        (topic, name, doc, grade)
        for topic, inner in sorted(qrels.items())
        for name, grades in sorted(inner.items())
        for doc, grade in sorted(grades.items())
    ]


def scored(run):
    return [(topic, doc, score) for topic, docs in sorted(run.items()) for doc, score in docs.items()]


def with_parameters(name, **params):
    measure = parse_measure(name)
    return measure(**{key: value for key, value in params.items() if key in measure.family.defaults()})


def assert_agree(run, qrels, names, *, rel=1, alpha=0.5, beta=0.5):
    theirs = pyndeval.RelevanceEvaluator(lines(qrels), list(names), relevance_level=rel, alpha=alpha, beta=beta)
    found = theirs.evaluate(scored(run))
    both = by_subtopic(run, qrels)
    for name, ours in names.items():
        values = with_parameters(ours, rel=rel, alpha=alpha, beta=beta)(both)
        assert values.tolist() == approx([found[topic][name] for topic in both.topics], abs=1e-9), (name, rel, alpha)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rel", [1, 2, 3])
def test_we_agree_with_pyndeval_where_gains_are_binary_fractions(seed, rel):
    run, qrels = case(seed, 5)
    for alpha, beta in ((0.5, 0.5), (0.5, 0.9), (0.0, 0.5), (1.0, 0.25)):
        assert_agree(run, qrels, NAMES, rel=rel, alpha=alpha, beta=beta)


@pytest.mark.parametrize("seed", range(12))
def test_we_agree_with_pyndeval_at_other_values_of_alpha(seed):
    # With two subtopics a document at most: a sum of two numbers is the same in either order, see below.
    run, qrels = case(seed, 2)
    for alpha, beta in ((0.8, 0.6), (0.3, 0.5)):
        assert_agree(run, qrels, NAMES, alpha=alpha, beta=beta)


@pytest.mark.parametrize("seed", range(3))
def test_we_agree_with_ir_measures(seed):
    run, qrels = case(seed, 5)
    names = [*(f"{name}@{k}" for name in CUT.values() for k in (2, 20)), *WHOLE.values()]
    names += [f"{name}(rel=2)@5" for name in CUT.values()] + [
        "NRBP(alpha=0.25,beta=0.75)",
        "AP_IA(rel=2)",
        "nNRBP(rel=3)",
    ]
    table = [ir_measures.Qrel(topic, doc, grade, name) for topic, name, doc, grade in lines(qrels)]
    ranked = [ir_measures.ScoredDoc(*row) for row in scored(run)]
    found = evaluate(run=run, qrels=qrels, measures=names)
    for name in names:
        # One at a time, for several alphas or levels in one call leave all but the first with an empty run there.
        for metric in ir_measures.pyndeval.iter_calc([ir_measures.parse_measure(name)], table, ranked):
            assert found.value(name, metric.query_id) == approx(metric.value, abs=1e-9), name


def test_they_let_rounding_choose_between_equal_gains():
    # 1 + 0.4 + 0.16 is not 0.16 + 0.4 + 1 to the last bit, so that pyndeval does not see a tie where the order of the
    # subtopics differs, and takes the smaller id. In exact numbers the larger one is taken, and later ranks gain less.
    run, qrels = case(29, 5)
    relevant = {name: {doc for doc, grade in inner.items() if grade >= 1} for name, inner in qrels["30"].items()}
    alpha = Fraction(3, 5)
    found = plain_gains(list(run["30"]), relevant, alpha)[:20]
    best = plain_gains(plain_ideal(relevant, alpha), relevant, alpha)[:20]
    part, whole = (sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1)) for gains in (found, best))
    both = by_subtopic(run, qrels)
    assert (alpha_nDCG(alpha=0.6) @ 20)(both)[both.topics.index("30")] == approx(part / whole, abs=1e-12)
    theirs = pyndeval.RelevanceEvaluator(lines(qrels), ["alpha-nDCG@20"], alpha=0.6).evaluate(scored(run))
    assert abs(theirs["30"]["alpha-nDCG@20"] - part / whole) > 1e-4


def test_they_leave_two_measures_undivided_at_cutoff_1():
    # pyndeval starts dividing at the second rank, so that one of two subtopics is 1: by the formula 1/2.
    qrels, run = {"q": {"1": {"a": 1}, "2": {"b": 1}}}, {"q": {"a": 1.0}}
    theirs = pyndeval.ndeval(lines(qrels), scored(run), ["ERR-IA@1", "alpha-DCG@1", "nERR-IA@1", "alpha-nDCG@1"])["q"]
    assert theirs == {"ERR-IA@1": 1.0, "alpha-DCG@1": 1.0, "nERR-IA@1": 1.0, "alpha-nDCG@1": 1.0}
    both = by_subtopic(run, qrels)
    values = [(measure @ 1)(both)[0] for measure in (ERR_IA, alpha_DCG, nERR_IA, alpha_nDCG)]
    assert values == [0.5, 0.5, 1.0, 1.0]


def test_they_have_nan_where_nothing_is_relevant():
    qrels, run = {"q": {"1": {"a": 0}}}, {"q": {"a": 1.0}}
    assert np.isnan(pyndeval.ndeval(lines(qrels), scored(run), ["nNRBP"])["q"]["nNRBP"])
    assert nNRBP(by_subtopic(run, qrels)).tolist() == [0.0]


def test_they_put_equal_scores_in_ascending_order_of_the_ids():
    # ours stand as in trec_eval and in ndeval -traditional: by id falling, so that b is first
    qrels, run = {"q": {"1": {"a": 1}, "2": {"c": 1}}}, {"q": {"a": 1.0, "b": 1.0}}
    assert pyndeval.ndeval(lines(qrels), scored(run), ["nERR-IA@2"])["q"]["nERR-IA@2"] == approx(1 / (1 + 1 / 2))
    assert (nERR_IA @ 2)(by_subtopic(run, qrels)) == approx([(1 / 2) / (1 + 1 / 2)])
