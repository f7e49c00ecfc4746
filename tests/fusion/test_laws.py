"""Laws that every method of the table keeps, with every normalisation."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import holds_for

from irkit.data.runs import Run
from irkit.fusion import METHODS, NORMALISATIONS, Training, explain, fuse
from irkit.ids import to_bytes

QRELS = {"j": {"a": 1, "b": 0, "c": 2}, "k": {"b": 1, "z": 1}}
# Parameters that have to be given.
NEEDED = {"combgmnz": {"gamma": 1.5}, "probfuse": {"n_segments": 3}}
CASES = [
    (method.name, how)
    for method in METHODS.values()
    for how in (NORMALISATIONS if method.by == "scores" else (None,))
]  # fmt: skip


def cases(holds):
    """The methods and normalisations of which something holds."""
    return [(name, how) for name, how in CASES if holds(METHODS[name], how)]


# Each method once, and each normalisation once.
SOME_CASES = cases(lambda method, how: how in (None, "min-max") or method.name == "combmed")


def options(name, how, n_runs, weights=None):
    """What a method needs, and weights if it takes them."""
    method = METHODS[name]
    given = dict(NEEDED.get(name, {}))
    if how is not None:
        given["normalise"] = how
    if method.weights == "needed" or (method.weights == "optional" and weights is not None):
        given["weights"] = weights or [1.0] * n_runs
    if method.learn:
        given["training"] = Training(QRELS)
    return given


scores = st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-2, 2).map(float)
rankings = st.dictionaries(st.sampled_from("abcdefgh"), scores, max_size=6)
topics = st.dictionaries(st.sampled_from("jktu"), rankings, max_size=4)


@st.composite
def several_runs(draw):
    """Two to four runs; all have the topics trained on, and one has another topic."""
    runs = draw(st.lists(topics, min_size=2, max_size=4))
    for run in runs:
        run |= {"j": draw(rankings) | {"c": 0.5}, "k": draw(rankings)}
    runs[0]["t"] = {"a": draw(scores), "b": 1.0}
    return runs


weighted = st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0, 3.0]), min_size=4, max_size=4)


@settings(max_examples=20)
@given(runs=several_runs(), weights=weighted, random=st.randoms(use_true_random=False))
def test_the_order_of_runs_and_lines_does_not_change_a_byte(runs, weights, random):
    def shuffled(order):
        made = []
        for place in order:
            lines = [
                (topic, document, score)
                for topic, documents in runs[place].items()
                for document, score in documents.items()
            ]
            random.shuffle(lines)
            made.append(Run.from_columns(*map(list, zip(*lines, strict=True))))
        return order, made

    places = range(len(runs))
    orders = list(permutations(places))
    random.shuffle(orders)
    ways = [shuffled(order) for order in (places, *orders[:3])]

    def law(case):
        name, how = case
        first, *others = (
            fuse(made, name, **options(name, how, len(runs), [weights[place] for place in order])).as_trec()
            for order, made in ways
        )
        assert all(other == first for other in others)

    holds_for(SOME_CASES, law)


@settings(max_examples=20)
@given(runs=several_runs())
def test_a_fused_run_holds_what_any_run_found_ranked_by_finite_scores(runs):
    found = {topic: set().union(*(run.get(topic, {}) for run in runs)) for run in runs for topic in run}

    def law(case):
        name, how = case
        fused = fuse(runs, name, **options(name, how, len(runs)))
        trained = {"j", "k"} if METHODS[name].learn else set()
        expected = {topic: documents for topic, documents in found.items() if topic not in trained}
        assert {topic: set(documents) for topic, documents in fused.to_dict().items()} == expected
        assert np.isfinite(fused.scores).all()
        for _, documents, values in fused.by_topic():
            keys = [(value, to_bytes(document)) for document, value in zip(documents, values, strict=True)]
            assert keys == sorted(keys, reverse=True)

    holds_for(SOME_CASES, law)


@pytest.mark.parametrize(
    "documents",
    [
        {"a": 1.0},
        {"a": 0.0},
        {"a": -1e-300},
        {"a": 2.0, "b": 2.0, "c": 2.0},
        {"a": 0.0, "b": -0.0},
        {"a": -3.0, "b": -3.0},
        {"a": 5e-324, "b": 0.0},
        {"a": 1e300, "b": -1e300, "c": 0.0},
    ],
    ids=str,
)
def test_constant_single_and_extreme_scores_give_finite_scores(documents):
    runs = [{"t": documents, "j": {"a": 1.0}}, {"t": {"b": 1.0}, "j": {"a": 1.0}}]

    def law(case):
        name, how = case
        fused = fuse(runs, name, **options(name, how, 2))
        assert np.isfinite(fused.scores).all()
        assert set(fused.to_dict()["t"]) == set(documents) | {"b"}

    holds_for(CASES, law)


# Others rank by what they learned; and to log_isr one run alone says nothing.
KEPT = {name for name, method in METHODS.items() if method.learn is None} - {"log_isr"} | {"mapfuse"}


def test_one_run_alone_keeps_its_order():
    run = {"t": {"d": 9.0, "b": 7.5, "e": 7.5, "a": 0.25, "c": -4.0}, "k": {"b": 1.0}}

    def law(case):
        name, how = case
        assert list(fuse([run], name, **options(name, how, 1)).to_dict()["t"]) == ["d", "e", "b", "a", "c"]

    holds_for(cases(lambda method, how: method.name in KEPT and how != "min-max-inverted"), law)


def test_what_one_run_alone_found_is_nothing_to_log_isr():
    assert fuse([{"t": ["a", "b"]}], "log_isr").to_dict() == {"t": {"b": 0.0, "a": 0.0}}


def test_a_document_that_all_runs_rank_first_by_far_is_first():
    runs = [{"t": {"x": 9.0 + place, "a": 2.0, "b": 1.0}} for place in range(3)]
    runs[2]["t"] |= {"c": 0.5}

    def law(case):
        name, how = case
        assert next(iter(fuse(runs, name, **options(name, how, 3)).to_dict()["t"])) == "x"

    # By distances the highest is the worst.
    holds_for(cases(lambda method, how: method.learn is None and how != "min-max-inverted"), law)


def test_a_run_of_weight_zero_is_left_out():
    runs = [{"t": {"a": 3.0, "b": 1.0}}, {"t": {"b": 2.0, "c": 1.0}}, {"t": {"z": 1.0}, "u": {"z": 1.0}}]

    def law(case):
        name, how = case
        with_zero = fuse(runs, name, **options(name, how, 3, [2, 1, 0]))
        assert with_zero.as_trec() == fuse(runs[:2], name, **options(name, how, 2, [2, 1])).as_trec()

    holds_for(cases(lambda method, how: method.weights != "none"), law)


def test_scaling_all_scores_changes_nothing_once_they_are_normalised():
    runs = [{"t": {"a": 3.0, "b": 1.5, "c": 1.0}, "j": {"a": 1.0}}, {"t": {"b": 2.0, "c": 1.0}, "j": {"b": 1.0}}]
    scaled = [
        {topic: {document: 4 * score for document, score in documents.items()} for topic, documents in run.items()}
        for run in runs
    ]

    def law(case):
        name, how = case
        given = options(name, how, 2)
        assert fuse(scaled, name, **given).as_trec() == fuse(runs, name, **given).as_trec()

    holds_for(cases(lambda method, how: how != "none"), law)


@settings(max_examples=20)
@given(runs=several_runs())
def test_an_explanation_ranks_as_the_fused_run_and_its_shares_add_up(runs):
    def law(case):
        name, how = case
        given = options(name, how, len(runs))
        rows = list(explain(runs, name, depth=4, depth_in=5, **given))
        fused = fuse(runs, name, depth=4, depth_in=5, **given)
        assert [(row.topic, row.rank, row.document, row.score) for row in rows] == [
            (topic, rank, document, score)
            for topic, documents, values in fused.by_topic()
            for rank, (document, score) in enumerate(zip(documents, values, strict=True), 1)
        ]
        for row in rows:
            assert [voice.rank is None for voice in row.voices] == [voice.score is None for voice in row.voices]
            shares = [voice.share for voice in row.voices if voice.share is not None]
            if name in ("combmin", "combmax", "combmed", "condorcet"):
                assert shares == []
            else:
                assert sum(shares) == pytest.approx(row.score, rel=1e-9, abs=1e-9 * max(map(abs, shares)))

    holds_for(SOME_CASES, law)
