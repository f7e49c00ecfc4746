"""Floors learned from data: what silence is worth, topic by topic."""

from math import inf, nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irkit
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.fusion import abstain
from irkit.tuning import learn_floor
from irkit.tuning.floors import best_floor, values_of_silence, with_floor

# a and b are answered well, c badly; x and y have no relevant document, and should not be answered.
QRELS = {"a": {"d1": 1}, "b": {"d1": 1}, "c": {"d1": 1}, "x": {"d1": 0}, "y": {"d1": 0}}
RUN = {
    "a": {"d1": 0.9},  # nDCG 1
    "b": {"d2": 0.7, "d1": 0.6},  # nDCG 1 / log2(3) = 0.6309
    "c": {"d2": 0.2},  # nDCG 0
    "x": {"d2": 0.4},
    "y": {"d2": 0.8},
}
B = 1 / np.log2(3)


def test_the_floor_of_five_topics_worked_by_hand():
    # Best scores c 0.2, x 0.4, b 0.7, y 0.8, a 0.9. Sums of nDCG, x and y counting 1 where they are silent:
    # never 1 + B; above c 1 + B; above x 2 + B; above b 2; above y 3.
    found = learn_floor(RUN, RUN, QRELS, measure="nDCG@10")
    assert found.candidates == pytest.approx([-inf, 0.3, 0.55, 0.75, 0.85])
    assert found.means == pytest.approx(np.array([1 + B, 1 + B, 2 + B, 2, 3]) / 5)
    assert found.floor == pytest.approx(0.85)
    assert found.mean == pytest.approx(3 / 5)
    assert found.mean_without == pytest.approx((1 + B) / 5)
    assert found.silenced == ("b", "c", "x", "y")
    assert str(found) == "floor 0.85: nDCG@10 0.6000, 0.3262 without (4 of 5 topics silent)"


def test_only_the_topics_named_choose():
    # Without y: never 1 + B, above c the same, above x 2 + B, above b 2.
    found = learn_floor(RUN, RUN, QRELS, topics=["a", "b", "c", "x"], measure="nDCG@10")
    assert found.floor == pytest.approx(0.55)
    assert found.topics == ("a", "b", "c", "x")
    # A topic whose score is not among theirs does not move the floor.
    louder = {**RUN, "y": {"d2": 0.56}}
    assert learn_floor(louder, louder, QRELS, topics=["a", "b", "c", "x"]).floor == found.floor


def test_of_floors_with_one_mean_the_nearest_to_the_default_is_taken():
    # On a and c: never 1, above c 1 as well.
    assert learn_floor(RUN, RUN, QRELS, topics=["a", "c"]).floor == -inf
    assert learn_floor(RUN, RUN, QRELS, topics=["a", "c"], default=0.5).floor == pytest.approx(0.55)
    assert learn_floor(RUN, RUN, QRELS, topics=["a", "c"], default=inf).floor == pytest.approx(0.55)


def test_the_run_above_the_floor_scores_the_mean_that_was_learned():
    run, evidence = (
        Run.of(RUN),
        Run.of({topic: {"e": -scores["d2"]} for topic, scores in RUN.items() if "d2" in scores}),
    )
    found = learn_floor(run, evidence, QRELS)
    scored = irkit.evaluate(run=found.applied_to(run, evidence), qrels=QRELS, measures="nDCG@10", no_relevant="abstain")
    assert scored.value("nDCG@10") == pytest.approx(found.mean, abs=1e-12)
    assert set(scored.missing) == set(found.silenced)


def test_a_topic_without_evidence_is_below_every_floor_but_none():
    evidence = {"x": {"e": 0.1}, "b": {"e": 0.5}, "c": {"e": 0.2}}
    # a has no evidence: answered only where nothing is silenced. Never 1 + B (a, b), above x B + 1 (b, x), above c too.
    found = learn_floor(RUN, evidence, QRELS, topics=["a", "b", "c", "x"])
    assert found.candidates == pytest.approx([-inf, 0.15, 0.35])
    assert found.means == pytest.approx(np.array([1 + B, 1 + B, 1 + B]) / 4)
    assert found.floor == -inf
    assert found.silenced == ()


@pytest.mark.parametrize("no_relevant", ["zero", "one"])
def test_where_silence_is_worth_nothing_no_floor_is_learned_and_the_reader_is_told(no_relevant):
    found = learn_floor(RUN, RUN, QRELS, no_relevant=no_relevant)
    assert found.floor == -inf
    assert found.notes == (
        "No topic gains by silence, so that no floor can help: it takes judged topics without relevant documents "
        "which are answered without the floor, and no_relevant 'abstain'.",
    )


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4), st.integers(0, 4), st.sampled_from([-inf, -1.0, 0.0, 0.25, 1.0, nextafter(1, 2), 3])
        ),
        min_size=1,
        max_size=12,
    )
)
def test_no_floor_is_better_than_the_one_learned(topics):
    # Against plain loops over every score, as `abstain` has it.
    values, silent, best = (np.array(column, dtype=float) for column in zip(*topics, strict=True))
    found = best_floor(values, silent, best)
    finite = [score for score in best if score > -inf]
    means = [values.mean()]
    for floor in sorted({*finite}):
        # From the lowest score on, a floor silences also what has no evidence; only between scores is one learned.
        if floor > min(finite):
            counted = [v if b >= floor else s for v, s, b in topics]
            means.append(sum(counted) / len(counted))
    assert found.mean == pytest.approx(max(means))
    assert found.means == pytest.approx(means)
    assert with_floor(values, silent, best, found.floor).mean() == pytest.approx(found.mean)


def test_between_neighbours_among_the_numbers_the_floor_is_the_upper_one():
    above = nextafter(1.0, 2.0)
    found = best_floor(np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([1.0, above]))
    assert found.floor == above
    assert found.mean == 1


def test_arithmetic_and_abstain_agree_on_which_topics_stay():
    run = Run.of(RUN)
    for floor in (0.3, 0.55, 0.7, 0.85):
        scored = irkit.evaluate(run=abstain(run, run, floor), qrels=QRELS, measures="nDCG@10", no_relevant="abstain")
        whole = irkit.evaluate(run=run, qrels=QRELS, measures="nDCG@10", no_relevant="abstain")
        silent = values_of_silence(irkit.evaluator(QRELS, "nDCG@10", no_relevant="abstain"))
        best = np.array([max(RUN[topic].values()) for topic in whole.topics])
        assert with_floor(whole.values[:, 0], silent, best, floor).tolist() == scored.values[:, 0].tolist()


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"topics": ["nobody"]}, DataError, "no topic to learn a floor on"),
        ({"measure": "NumRet"}, UsageError, "NumRet cannot be tuned for"),
        ({"measure": "GMAP"}, UsageError, "GMAP cannot be tuned for"),
        ({"default": float("nan")}, UsageError, "the default floor is nan"),
    ],
)
def test_what_cannot_be_learned_is_refused(options, error, said):
    with pytest.raises(error) as caught:
        learn_floor(RUN, RUN, QRELS, **options)
    assert said in str(caught.value)
