"""C22 to C32: what the statistics say is true."""

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irkit


def test_c26_accuracy_at_a_cutoff_has_the_range_of_all_orders():
    # a and u tie at ranks 1 and 2: a above u gives 1, u above a gives 0. At 3, with b in: 1/2 to 1, and n in: 0 to 1.
    run, qrels = {"1": {"a": 3.0, "u": 3.0, "n": 0.0, "b": 0.0}}, {"1": {"a": 1, "n": 0, "b": 1}}
    values = {
        ties: irkit.evaluate(run=run, qrels=qrels, measures=["Accuracy@2"], ties=ties).value("Accuracy@2")
        for ties in ("worst", "best")
    }
    assert values == {"worst": 0.0, "best": 1.0}


def accuracy(ranking, relevant, cutoff):
    """By its definition: of all pairs of a relevant and another document, the share with the relevant one first."""
    top = ranking[:cutoff]
    pairs = [(one, other) for one in top if one in relevant for other in top if other not in relevant]
    if not any(one in relevant for one in top):
        return 0.0
    return sum(top.index(one) < top.index(other) for one, other in pairs) / len(pairs) if pairs else 1.0


@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from([None, 0, 1])), min_size=1, max_size=6),
    st.integers(1, 6),
)
def test_c26_worst_and_best_accuracy_are_those_of_all_permutations(documents, cutoff):
    run = {"1": {f"d{n}": float(score) for n, (score, _) in enumerate(documents)}}
    qrels = {"1": {f"d{n}": grade for n, (_, grade) in enumerate(documents) if grade is not None} | {"other": 0}}
    relevant = {name for name, grade in qrels["1"].items() if grade}
    scores = run["1"]
    values = [
        accuracy(order, relevant, cutoff)
        for order in permutations(scores)
        if all(scores[one] >= scores[other] for one, other in pairwise(order))
    ]
    name = f"Accuracy@{cutoff}"
    for ties, end in (("worst", min), ("best", max)):
        found = irkit.evaluate(run=run, qrels=qrels, measures=[name], ties=ties)
        assert found.value(name) == pytest.approx(end(values))
