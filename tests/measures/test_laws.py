"""What holds for every measure of the table, on whatever run and qrels."""

import random
from functools import cache
from pickle import dumps, loads

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import holds_for
from numpy.testing import assert_allclose, assert_array_equal
from samples import DOCUMENTS, NOT_MONOTONE, PLAIN, SAMPLES, chosen, is_gain_per_document, judged, qrels, runs

from irkit.data.qrels import read_qrels
from irkit.data.runs import read_run
from irkit.evaluation.scoring import evaluate
from irkit.measures import FAMILIES, Measure, nDCG, parse_measure

UNBOUNDED = {"DCG", "IdealDCG", "yaap", "utility", "EBU", "uUBM", "Hits"} | {
    name for name in FAMILIES if name.startswith("Num")
}
few = settings(max_examples=10, deadline=None, database=None)
more = settings(max_examples=20, deadline=None, database=None)


def test_the_samples_hold_every_family_and_parameter():
    assert {measure.name for measure in SAMPLES} == set(PLAIN)
    used = {name for measure in SAMPLES for name, _ in measure.params}
    assert used == {parameter.name for family in PLAIN.values() for parameter in family.parameters}


def test_a_measure_printed_and_parsed_is_equal():
    def law(measure):
        again = parse_measure(str(measure))
        assert again == measure
        assert hash(again) == hash(measure)
        assert loads(dumps(measure)) == measure
        if measure.trec_name is not None:
            assert parse_measure(measure.trec_name) == measure

    holds_for(SAMPLES, law)


@more
@given(run=runs(), qrels=qrels())
def test_values_are_finite_and_in_range(run, qrels):
    both = judged(run, qrels)

    def law(measure):
        values = measure(both)
        assert values.dtype == np.float64
        assert np.isfinite(values).all()
        if measure.name not in {"yaap", "utility"} and not chosen(measure, "residual"):
            assert (values >= 0).all()
        if measure.name not in UNBOUNDED and is_gain_per_document(measure):
            assert (values <= 1 + 1e-12).all()

    holds_for(SAMPLES, law)


@few
@given(run=runs(), qrels=qrels(), seed=st.integers(0, 2**32))
def test_line_order_does_not_matter(run, qrels, seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    run["1"] = run["1"] or {"a": 0.5}  # a file cannot say that a topic has no documents
    run_lines = [f"{t} Q0 {d} 0 {s} r\n" for t, docs in run.items() for d, s in docs.items()]
    qrels_lines = [f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items()]
    seen = []
    for shuffle in (lambda lines: lines, random.Random(seed).shuffle):
        shuffle(run_lines)
        shuffle(qrels_lines)
        (folder / "run").write_text("".join(run_lines), encoding="utf-8")
        (folder / "qrels").write_text("".join(qrels_lines), encoding="utf-8")
        both = judged(read_run(folder / "run"), read_qrels(folder / "qrels"))
        seen.append([measure(both) for measure in SAMPLES])
    assert_array_equal(*seen)


@more
@given(run=runs(), qrels=qrels())
def test_unjudged_documents_below_everything_change_only_what_counts_them(run, qrels):
    longer = {topic: {**docs, "z1": -7.0, "z2": -8.0} for topic, docs in run.items()}
    short, long = judged(run, qrels), judged(longer, qrels)
    added = np.array([2.0 if topic in run else 0.0 for topic in sorted(qrels)])

    def law(measure):
        before, after = measure(short), measure(long)
        if chosen(measure, "judged_only"):
            assert_array_equal(after, before)
        elif measure.name == "NumRet":
            assert_array_equal(after - before, added)
        elif measure.name == "utility":
            _, noise, _, rest = chosen(measure, "weights")
            assert_allclose(after - before, added * (noise - rest))
        elif measure.name in {"Judged", "SetP", "SetF", "SetAP", "NoAnswer"}:
            assert (after <= before).all()
        elif measure.name == "Accuracy":  # which has two more documents below the relevant ones
            assert (after >= before).all()
        elif measure.name == "Compat" and chosen(measure, "depth") is None:
            return  # it looks at the rankings down to the end of the longer one
        elif measure.name in {"unj", "rbp_resid", "rrDBN"}:  # a click model may have a user satisfied by any document
            assert (after >= before - 1e-12).all()
        elif measure.name == "Rndcg":  # which looks at the end of the run
            at_end = nDCG(gains=chosen(measure, "gains"))(short)
            assert (after >= np.minimum(before, at_end) - 1e-12).all()
            assert (after <= np.maximum(before, at_end) + 1e-12).all()
        else:
            assert_array_equal(after, before)

    holds_for(SAMPLES, law)


@more
@given(run=runs(), qrels=qrels())
def test_judged_only_equals_a_run_without_the_unjudged(run, qrels):
    thinned = {
        topic: {doc: score for doc, score in docs.items() if qrels.get(topic, {}).get(doc, -1) >= 0}
        for topic, docs in run.items()
    }
    whole, thin = judged(run, qrels), judged(thinned, qrels)

    def law(measure):
        assert_array_equal(measure(judged_only=True)(whole), measure(judged_only=False)(thin))

    holds_for((measure for measure in SAMPLES if "judged_only" in measure.family.defaults()), law)


@more
@given(run=runs(), qrels=qrels())
def test_a_cutoff_at_the_longest_list_is_none(run, qrels):
    both = judged(run, qrels)

    def law(measure):
        assert_array_equal(measure(cutoff=len(DOCUMENTS))(both), measure(cutoff=None)(both))

    holds_for((measure for measure in SAMPLES if measure.family.cutoff == "optional"), law)


def is_of_the_first_ranks(measure):
    """Whether ranks past the cutoff play no part: not in the ideal, nor judged_only, nor with hc, by which it moves."""
    cut = measure.family.cutoff != "none" and measure.family.at == "cutoff" and measure.name != "nDCG"
    return cut and not chosen(measure, "judged_only") and not chosen(measure, "hc")


@more
@given(run=runs(), qrels=qrels(), depth=st.integers(1, 6))
def test_a_cutoff_equals_a_shorter_run_but_for_the_ideal(run, qrels, depth):
    both = judged(run, qrels)
    shorter = both.cut(depth)

    def law(measure):
        assert_array_equal(measure(cutoff=depth)(both), measure(cutoff=depth)(shorter))

    holds_for(filter(is_of_the_first_ranks, SAMPLES), law)


@more
@given(qrels=qrels())
def test_a_perfect_ranking_has_1_where_anything_is_relevant(qrels):
    rankings = {}

    def law(measure):
        gains = dict(chosen(measure, "gains") or ())
        wanted = chosen(measure, "rel") or 1
        # whole-list measures are perfect when nothing else is retrieved
        only = measure.name in {"SetF", "SetAP"}
        key = (tuple(gains.items()), wanted if only else None)
        if key not in rankings:
            perfect = {}
            for topic, grades in qrels.items():
                gain = {doc: float(gains.get(grade, grade)) for doc, grade in grades.items()}
                perfect[topic] = {doc: g for doc, g in gain.items() if not only or grades[doc] >= wanted}
            rankings[key] = judged(perfect, qrels)
        both = rankings[key]
        full = measure(both)
        possible = measure.n_findable(both)
        if measure.name == "F":
            weight, some = chosen(measure, "beta") ** 2, possible[possible > 0]
            best = (1 + weight) * np.minimum(measure.cutoff, some) / (weight * some + measure.cutoff)
            assert_allclose(full[possible > 0], best)
        elif measure.name == "R" or (measure.name == "AP" and measure.cutoff and not chosen(measure, "capped")):
            assert_allclose(full[possible > 0], np.minimum(1, measure.cutoff / possible[possible > 0]))
        else:
            assert_allclose(full[possible > 0], 1.0, rtol=1e-4 if measure.name == "infAP" else 1e-7)
        assert (full[possible == 0] == (1e-5 if measure.summary == "geometric mean" else 0)).all()

    holds_for((measure for measure in SAMPLES if measure.normalised), law)


@more
@given(run=runs(), qrels=qrels())
def test_swapping_a_better_document_upwards_never_lowers_the_value(run, qrels):
    grades = {doc: max(grade, 0) for doc, grade in qrels["1"].items()}
    of_order = cache(lambda order: judged({"1": list(order)}, {"1": grades}))

    def law(measure):
        order = sorted(DOCUMENTS)
        worth = {doc: dict(chosen(measure, "gains") or ()).get(g, g) for doc, g in grades.items()}
        before = measure(of_order(tuple(order)))[0]
        for place in range(len(order) - 1):
            upper, lower = order[place], order[place + 1]
            if upper in grades and lower in grades and worth[lower] > worth[upper]:
                order[place], order[place + 1] = lower, upper
                after = measure(of_order(tuple(order)))[0]
                assert after >= before - 1e-12
                before = after

    holds_for((measure for measure in SAMPLES if measure.name not in NOT_MONOTONE), law)


@few
@given(run=runs(), qrels=qrels())
def test_evaluating_twice_gives_identical_numbers(run, qrels):
    first, second = (evaluate(run=run, qrels=qrels, measures=SAMPLES) for _ in range(2))
    assert_array_equal(first.values, second.values)
    assert_array_equal(first.summary, second.summary)


@few
@given(run=runs(), qrels=qrels())
def test_a_topic_alone_has_the_value_it_has_among_others(run, qrels):
    both = judged(run, qrels)
    together = np.column_stack([measure(both) for measure in SAMPLES])
    for place, topic in enumerate(both.topics):
        if topic in run:
            # the best grade of all the qrels is the scale of graded RBP, so it stays
            alone = judged({topic: run[topic]}, {topic: qrels[topic], "other": {"x": both.top_grade}})
            row = alone.topics.index(topic)
            assert_array_equal([measure(alone)[row] for measure in SAMPLES], together[place])


def test_nothing_retrieved_and_nothing_relevant_is_no_nan():
    def law(measure):
        both = judged({"1": {"a": 1.0}, "2": {}}, {"1": {"a": 0}, "2": {"b": 1}, "3": {"c": -1}, "4": {"d": 0}})
        assert np.isfinite(measure(both)).all()

    holds_for(SAMPLES, law)


def test_the_table_is_documented():
    def law(name):
        family = FAMILIES[name]
        assert family.help
        assert family.function.__doc__
        assert Measure(name).family is family
        assert all(parameter.help and parameter.takes for parameter in family.parameters)

    holds_for(FAMILIES, law)
