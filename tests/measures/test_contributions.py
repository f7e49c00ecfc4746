"""What each document contributes to a measure: known answers, and sums that are the measure's value."""

import numpy as np
import pytest
from hypothesis import given, settings
from laws import holds_for
from numpy.testing import assert_allclose
from samples import SAMPLES, judged, one_topic, qrels, runs

from irkit.data.judgments.fractional import FractionalQrels
from irkit.data.judgments.subtopics import SubtopicQrels
from irkit.errors import MeasureError
from irkit.judged.fractional import judge_fractional
from irkit.judged.subtopics import judge_subtopics
from irkit.measures import Measure, parse_measure
from irkit.measures.contributions import CONTRIBUTIONS, contributions
from irkit.rules import TREC_EVAL_9

KNOWN = [measure for measure in SAMPLES if measure.name in CONTRIBUTIONS]
OF_GAINS = [measure for measure in KNOWN if "fractional" in measure.family.judgments and "rel" not in str(measure)]
few = settings(max_examples=25, deadline=None, database=None)


def sum_to_the_value(both):
    """The law of a measure: what the documents of a topic contribute adds up to its value."""

    def law(measure):
        assert_allclose(both.sum_by_topic(contributions(both, measure)), measure(both), rtol=0, atol=1e-12)

    return law


@few
@given(run=runs(), qrels=qrels())
def test_contributions_sum_to_the_value(run, qrels):
    for options in ({}, {"average": "intersection", "rules": TREC_EVAL_9}):
        holds_for(KNOWN, sum_to_the_value(judged(run, qrels, **options)))


@few
@given(run=runs(), qrels=qrels())
def test_contributions_of_fractional_grades_sum_to_the_value(run, qrels):
    halved = {topic: {document: grade / 2 for document, grade in its.items()} for topic, its in qrels.items()}
    holds_for(OF_GAINS, sum_to_the_value(judge_fractional(run, FractionalQrels.of(halved))))


def test_every_measure_of_the_table_is_among_the_samples():
    assert {measure.name for measure in KNOWN} == set(CONTRIBUTIONS)


@pytest.mark.parametrize(
    ("measure", "ranked", "missed", "expected"),
    [
        # ideal: 3 + 2/log2(3) + 1/2
        ("nDCG@3", [3, 0, 1, 2], (), [3 / 4.761859507142915, 0, 0.5 / 4.761859507142915, 0]),
        ("nDCG@2", [None, 1, 3], (), [1 / np.log2(3) / (3 + 1 / np.log2(3)), 0]),
        ("DCG(dcg='exp-log2')", [2, None, 1], (), [3, 1 / 2]),
        ("P@4", [1, 0, None, 2, 1], (), [1 / 4, 0, 1 / 4, 0]),
        ("P(rel=2)@4", [1, 0, None, 2, 1], (), [0, 0, 1 / 4, 0]),
        ("R@2", [1, 0, 1], (1,), [1 / 3, 0, 0]),
        ("RCap@2", [1, 0, 1], (1,), [1 / 2, 0, 0]),
        ("Success@3", [0, 2, 1], (), [0, 1, 0]),
        ("RR", [0, None, 2, 1], (), [0, 1 / 3, 0]),
        ("RR@2", [0, None, 2, 1], (), [0, 0, 0]),
        ("AP", [1, 0, 2], (1,), [1 / 3, 0, 2 / 3 / 3]),
        ("AP(judged_only=True)", [1, None, 2], (), [1 / 2, 1 / 2]),
        ("AP(capped=True)@1", [1, 0, 2], (1,), [1, 0, 0]),
        ("Rprec", [1, 0, 2], (), [1 / 2, 0, 0]),
        # two judged not relevant, one of them above: 1 - 1/2
        ("Bpref", [0, 1, 0, 1], (), [0, (1 - 1 / 2) / 2, 0, 0]),
        ("binG", [0, 1, 1], (), [0, 1 / np.log2(3) / 2, 1 / np.log2(3) / 2]),
        ("RBP(p=0.5)", [2, None, 1], (), [0.5, 0.5 * 0.5 * 0.25]),
        ("RBP(p=0.5,rel=1)", [2, None, 1], (), [0.5, 0.5 * 0.25]),
        ("ERR", [3, None, 1], (), [7 / 16, 9 / 16 * 1 / 16 / 3]),
        ("nERR(max_rel=2)", [1, 2], (), [1 / 4 / 0.78125, 3 / 4 * 3 / 4 / 2 / 0.78125]),  # 3/4 + 1/4 * 1/4 / 2
        ("Q", [1, 2, 0], (1,), [2 / 3 / 3, 1 / 3, 0]),
        ("iRBU(p=0.9)", [0, 1], (1,), [0, 0.9**2 / 2]),
        ("EBR", [0, 1], (1,), [0, (1 + 1) / (2 + 2) / 2]),
        ("SetP(relative=True)", [1, 0, None, 2], (1,), [1 / 3, 0, 1 / 3]),
        ("Judged@3", [1, 0, None, 2], (), [1 / 3, 1 / 3, 0]),
        ("NumNonRelRet", [1, 0, -1], (), [0, 1, 0]),
    ],
)
def test_what_each_document_contributes(measure, ranked, missed, expected):
    assert contributions(one_topic(ranked, missed), measure) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("measure", ["GMAP", "yaap", "F@10", "INST(max_rel=2)", "IPrec@0.1", "nDCG(gains={-1:0.5})@10"])
def test_it_is_not_known_where_the_value_is_no_sum_over_judged_documents(measure):
    assert contributions(one_topic([2, 0, None, 1]), measure) is None


def test_it_is_not_known_where_a_document_has_no_one_grade():
    both = judge_subtopics({"1": ["a"]}, SubtopicQrels.of({"1": {"1": {"a": 1}, "2": {"a": 2}}}))
    assert contributions(both, parse_measure("Judged@10")) is None


def test_a_measure_of_other_judgments_or_without_its_cutoff_is_refused():
    with pytest.raises(MeasureError, match="alpha_nDCG@10 needs qrels by subtopic"):
        contributions(one_topic([1]), "alpha_nDCG@10")
    with pytest.raises(MeasureError, match="IPrec needs a level of recall"):
        contributions(one_topic([1]), Measure("IPrec"))
