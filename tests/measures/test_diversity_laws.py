"""What holds for every measure over qrels by subtopic, on whatever run and qrels."""

import random
from functools import cache
from pickle import dumps, loads

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import holds_for
from numpy.testing import assert_allclose, assert_array_equal
from samples import DIVERSE, DOCUMENTS, SUBTOPIC_SAMPLES, by_subtopic, chosen, runs, subtopic_qrels

from irkit.data.judgments.subtopics import read_subtopic_qrels
from irkit.data.runs import read_run
from irkit.measures import parse_measure

# Of two rankings the greedy one need not be the better, so that a run may have more than the ideal one.
GREEDY = {"nERR_IA", "alpha_nDCG", "nNRBP"}
few = settings(max_examples=10, deadline=None, database=None)
more = settings(max_examples=25, deadline=None, database=None)


def test_the_samples_hold_every_family_and_parameter():
    assert {measure.name for measure in SUBTOPIC_SAMPLES} == set(DIVERSE)
    for name, family in DIVERSE.items():
        used = {key for measure in SUBTOPIC_SAMPLES if measure.name == name for key, _ in measure.params}
        assert used == {parameter.name for parameter in family.parameters}


def test_a_measure_printed_and_parsed_is_equal():
    def law(measure):
        assert parse_measure(str(measure)) == measure
        assert hash(parse_measure(str(measure))) == hash(measure)
        assert loads(dumps(measure)) == measure

    holds_for(SUBTOPIC_SAMPLES, law)


@more
@given(run=runs(), qrels=subtopic_qrels())
def test_values_are_finite_and_in_range(run, qrels):
    both = by_subtopic(run, qrels)

    def law(measure):
        values = measure(both)
        assert values.dtype == np.float64
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert measure.name in GREEDY or (values <= 1 + 1e-12).all()
        assert (values[measure.n_findable(both) == 0] == 0).all()

    holds_for(SUBTOPIC_SAMPLES, law)


@few
@given(run=runs(), qrels=subtopic_qrels(), seed=st.integers(0, 2**32))
def test_line_order_does_not_matter(run, qrels, seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    run["1"] = run["1"] or {"a": 0.5}  # a file cannot say that a topic has no documents
    run_lines = [f"{t} Q0 {d} 0 {s} r\n" for t, docs in run.items() for d, s in docs.items()]
    lines = [f"{t} {i} {d} {g}\n" for t, inner in qrels.items() for i, docs in inner.items() for d, g in docs.items()]
    seen = []
    for shuffle in (lambda lines: lines, random.Random(seed).shuffle):
        shuffle(run_lines)
        shuffle(lines)
        (folder / "run").write_text("".join(run_lines), encoding="utf-8")
        (folder / "qrels").write_text("".join(lines), encoding="utf-8")
        both = by_subtopic(read_run(folder / "run"), read_subtopic_qrels(folder / "qrels"))
        seen.append([measure(both) for measure in SUBTOPIC_SAMPLES])
    assert_array_equal(*seen)


@few
@given(run=runs(), qrels=subtopic_qrels(), names=st.permutations(["x", "7", "0", "B"]))
def test_what_the_subtopics_are_called_does_not_matter(run, qrels, names):
    called = dict(zip(["1", "2", "10", "é"], names, strict=True))
    renamed = {topic: {called[name]: grades for name, grades in inner.items()} for topic, inner in qrels.items()}
    for measure in SUBTOPIC_SAMPLES:
        given = dict(chosen(measure, "probabilities") or ())
        other = measure(probabilities={called[name]: p for name, p in given.items()}) if given else measure
        assert_allclose(other(by_subtopic(run, renamed)), measure(by_subtopic(run, qrels)), rtol=1e-12)


@more
@given(run=runs(), qrels=subtopic_qrels())
def test_unjudged_documents_below_everything_change_nothing(run, qrels):
    longer = {topic: {**docs, "z1": -7.0, "z2": -8.0} for topic, docs in run.items()}
    short, long = by_subtopic(run, qrels), by_subtopic(longer, qrels)

    def law(measure):
        assert_array_equal(measure(long), measure(short))

    holds_for(SUBTOPIC_SAMPLES, law)


@more
@given(run=runs(), qrels=subtopic_qrels())
def test_judged_only_equals_a_run_without_the_unjudged(run, qrels):
    def is_judged(topic, document):
        return any(grades.get(document, -1) >= 0 for grades in qrels.get(topic, {}).values())

    thinned = {
        topic: {doc: score for doc, score in docs.items() if is_judged(topic, doc)} for topic, docs in run.items()
    }
    whole, thin = by_subtopic(run, qrels), by_subtopic(thinned, qrels)

    def law(measure):
        assert_array_equal(measure(judged_only=True)(whole), measure(judged_only=False)(thin))

    holds_for(SUBTOPIC_SAMPLES, law)


@more
@given(run=runs(), qrels=subtopic_qrels(), depth=st.integers(1, 6))
def test_a_cutoff_equals_a_shorter_run(run, qrels, depth):
    both = by_subtopic(run, qrels)
    shorter = both.cut(depth)

    def law(measure):
        assert_array_equal(measure(cutoff=depth)(both), measure(cutoff=depth)(shorter))
        if measure.family.cutoff == "optional":
            assert_array_equal(measure(cutoff=len(DOCUMENTS))(both), measure(cutoff=None)(both))

    cut = [measure for measure in SUBTOPIC_SAMPLES if "cutoff" in measure.family.defaults()]
    holds_for((measure for measure in cut if not chosen(measure, "judged_only")), law)


@more
@given(run=runs(), qrels=subtopic_qrels())
def test_a_document_that_covers_more_moved_upwards_never_lowers_the_value(run, qrels):
    inner = qrels["1"]
    of_order = cache(lambda order: by_subtopic({"1": list(order)}, {"1": inner}))

    def law(measure):
        order = sorted(DOCUMENTS)
        before = measure(of_order(tuple(order)))[0]
        for place in range(len(order) - 1):
            upper, lower = order[place], order[place + 1]
            judged_upper = [max(grades.get(upper, 0), 0) for grades in inner.values()]
            judged_lower = [max(grades.get(lower, 0), 0) for grades in inner.values()]
            gains = dict(chosen(measure, "gains") or ())
            worth_upper, worth_lower = (
                [gains.get(grade, grade) for grade in of] for of in (judged_upper, judged_lower)
            )
            # As good for every subtopic; and both judged, lest one of them go with judged_only.
            both = all(any(doc in grades and grades[doc] >= 0 for grades in inner.values()) for doc in (upper, lower))
            if both and all(low >= high for low, high in zip(worth_lower, worth_upper, strict=True)):
                order[place], order[place + 1] = lower, upper
                after = measure(of_order(tuple(order)))[0]
                assert after >= before - 1e-12
                before = after

    holds_for(SUBTOPIC_SAMPLES, law)


@few
@given(run=runs(), qrels=subtopic_qrels())
def test_a_topic_alone_has_the_value_it_has_among_others(run, qrels):
    both = by_subtopic(run, qrels)
    together = np.column_stack([measure(both) for measure in SUBTOPIC_SAMPLES])
    for place, topic in enumerate(both.topics):
        if topic in run:
            alone = by_subtopic({topic: run[topic]}, {topic: qrels[topic]})
            assert_array_equal([measure(alone)[0] for measure in SUBTOPIC_SAMPLES], together[place])


@few
@given(run=runs(), qrels=subtopic_qrels())
def test_over_the_topics_in_common_each_keeps_its_value(run, qrels):
    whole, common = by_subtopic(run, qrels), by_subtopic(run, qrels, average="intersection")
    kept = [whole.topics.index(topic) for topic in common.topics]
    for measure in SUBTOPIC_SAMPLES:
        assert_array_equal(measure(common), measure(whole)[kept])
        assert_array_equal(measure.n_findable(common), measure.n_findable(whole)[kept])


@more
@given(qrels=subtopic_qrels())
def test_what_can_be_found_are_the_documents_relevant_to_a_subtopic(qrels):
    both = by_subtopic({"1": ["a"]}, qrels)

    def law(measure):
        rel = chosen(measure, "rel")
        relevant = [
            {doc for grades in qrels[topic].values() for doc, grade in grades.items() if grade >= rel}
            for topic in both.topics
        ]
        assert measure.n_findable(both).tolist() == [len(documents) for documents in relevant]

    holds_for((measure for measure in SUBTOPIC_SAMPLES if chosen(measure, "rel") is not None), law)


def test_nothing_retrieved_and_nothing_relevant_is_0_and_no_nan():
    def law(measure):
        qrels = {"1": {"1": {"a": 0}}, "2": {"1": {"b": 3}}, "3": {"1": {"c": -1}}, "4": {"2": {"d": 0}}}
        assert measure(by_subtopic({"1": {"a": 1.0}, "2": {}}, qrels)).tolist() == [0, 0, 0, 0]

    holds_for(SUBTOPIC_SAMPLES, law)
