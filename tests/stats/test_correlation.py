"""Correlation of rankings of systems: worked answers, ircor's, SciPy's, and every order of ties."""

from itertools import permutations, product
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irkit.errors import DataError, UsageError
from irkit.stats import kendall_tau, spearman, tau_ap

X = [0.50, 0.45, 0.45, 0.40, 0.35, 0.30]
Y = [0.48, 0.50, 0.42, 0.42, 0.33, 0.36]
# The vectors of ircor's README.
TRUE = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
SEEN = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
FALLING = [6, 5, 4, 3, 2, 1]

scores = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=7)


def two_rankings(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    return first, second


def test_six_systems_with_a_tie_in_either_ranking():
    a, b = kendall_tau(X, Y, ties="a"), kendall_tau(X, Y)
    assert (a.concordant, a.discordant, a.tied_first, a.tied_second, a.n_systems) == (11, 2, 1, 1, 6)
    assert a.value == pytest.approx(9 / 15)
    assert b.value == pytest.approx(0.6428571429, abs=1e-10)  # 9 / sqrt(14 * 14)
    assert (a.coefficient, b.coefficient) == ("tau-a", "tau-b")
    assert spearman(X, Y).value == pytest.approx(0.8088235294, abs=1e-10)


def test_six_systems_with_two_pairs_the_other_way_round():
    # 15 pairs, of which 2 are discordant: (13 - 2) / 15. Ranks differ by 1 in four places: 1 - 6 * 4 / 210.
    first, second = [1, 2, 3, 4, 5, 6], [2, 1, 3, 5, 4, 6]
    assert kendall_tau(first, second).value == kendall_tau(first, second, ties="a").value == pytest.approx(11 / 15)
    assert spearman(first, second).value == pytest.approx(0.8857142857, abs=1e-10)


@pytest.mark.parametrize(
    ("estimate", "ap", "tau"),
    [
        ([5, 6, 4, 3, 2, 1], 0.6, 13 / 15),  # ranks 2 to 6: 0/1 1 1 1 1, so 2/5 * 4 - 1
        ([6, 5, 4, 3, 1, 2], 0.92, 13 / 15),  # 1 1 1 1 4/5
        ([5, 6, 4, 3, 1, 2], 0.52, 11 / 15),  # 0 1 1 1 4/5
    ],
)
def test_a_mistake_at_the_top_weighs_more(estimate, ap, tau):
    result = tau_ap(FALLING, estimate)
    assert (result.coefficient, result.value) == ("tau-AP", pytest.approx(ap, abs=1e-12))
    assert kendall_tau(FALLING, estimate).value == pytest.approx(tau)


def test_ties_in_one_ranking_are_of_unknown_order_and_in_both_are_ties():
    assert tau_ap(X, Y).coefficient == "tau-AP,b"
    assert tau_ap(X, Y).value == pytest.approx(0.3533333333, abs=1e-10)  # of .32 and .3866667 by direction
    assert tau_ap(FALLING, Y).coefficient == "tau-AP,a"
    assert tau_ap(FALLING, Y).value == pytest.approx(0.4533333333, abs=1e-10)
    assert tau_ap(FALLING, Y, ties="b").coefficient == "tau-AP,b"


def test_the_vectors_of_ircor():
    assert tau_ap(TRUE, SEEN).value == pytest.approx(0.7491182, abs=5e-8)
    assert kendall_tau(TRUE, SEEN).value == pytest.approx(0.7777778, abs=5e-8)
    tied = np.round(SEEN * 5) / 5
    assert tau_ap(TRUE, tied).value == pytest.approx(0.6074515, abs=5e-8)
    assert kendall_tau(TRUE, tied, ties="a").value == pytest.approx(0.7111111, abs=5e-8)
    both = np.round(TRUE * 5) / 5
    assert tau_ap(both, tied).value == pytest.approx(0.6269841, abs=5e-8)
    assert kendall_tau(both, tied).value == pytest.approx(0.75, abs=1e-12)


def orders_of(ranking):
    """Every ranking without ties that the ranking could be, as scores."""
    for breaks in permutations(range(len(ranking))):
        order = sorted(range(len(ranking)), key=lambda place: (ranking[place], breaks[place]))
        yield [order.index(place) for place in range(len(ranking))]


def tau_ap_by_hand(reference, estimate):
    order = sorted(range(len(estimate)), key=lambda place: -estimate[place])
    shares = [
        sum(reference[above] > reference[place] for above in order[:rank]) / rank
        for rank, place in enumerate(order)
        if rank
    ]
    return 2 * sum(shares) / len(shares) - 1


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=4))
@settings(max_examples=50)
def test_tau_ap_a_is_the_mean_over_all_orders_of_ties(pairs):
    first, second = two_rankings(pairs)
    values = [tau_ap_by_hand(one, other) for one, other in product(orders_of(first), orders_of(second))]
    assert tau_ap(first, second, ties="a").value == pytest.approx(sum(values) / len(values), abs=1e-12)


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_without_ties_every_variant_is_the_coefficient_itself(first, second):
    plain = tau_ap_by_hand(first, second)
    assert tau_ap(first, second).value == tau_ap(first, second, ties="a").value == pytest.approx(plain, abs=1e-12)
    both = (plain + tau_ap_by_hand(second, first)) / 2
    assert tau_ap(first, second, ties="b").value == pytest.approx(both, abs=1e-12)
    assert kendall_tau(first, second, ties="a").value == kendall_tau(first, second, ties="b").value


@given(scores)
def test_scipy_agrees(pairs):
    stats = pytest.importorskip("scipy.stats")
    first, second = two_rankings(pairs)
    assert kendall_tau(first, second).value == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-10)
    assert spearman(first, second).value == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-10)


@pytest.mark.parametrize("n_grades", [3, 100, 100_000])
def test_scipy_agrees_on_many_systems(n_grades):
    stats = pytest.importorskip("scipy.stats")
    chance = np.random.default_rng(n_grades)
    first = chance.integers(0, n_grades, 800)
    second = first + chance.integers(0, n_grades, 800)
    assert kendall_tau(first, second).value == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-10)
    assert spearman(first, second).value == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-10)


@given(scores)
def test_a_ranking_agrees_with_itself_wholly_and_with_its_reverse_not_at_all(pairs):
    first, second = two_rankings(pairs)
    reverse = [-score for score in first]
    for coefficient in (kendall_tau, spearman):
        assert coefficient(first, first).value == 1
        assert coefficient(first, reverse).value == -1
        assert coefficient(first, second).value == coefficient(second, first).value
    assert tau_ap(first, first, ties="b").value == 1
    assert tau_ap(first, second, ties="b").value == pytest.approx(tau_ap(second, first, ties="b").value, abs=1e-12)
    assert -1 <= tau_ap(first, second).value <= 1


@pytest.mark.parametrize("coefficient", [kendall_tau, spearman, tau_ap])
def test_where_there_is_no_order_there_is_a_reason_and_no_value(coefficient):
    one = coefficient([0.1], [0.2])
    assert (isnan(one.value), one.note) == (True, "one system: there is no order to compare")
    for first, second in (([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [1, 1, 1])):
        constant = coefficient(first, second)
        assert isnan(constant.value)
        assert "every system has the same score in one of the rankings" in constant.note


@pytest.mark.parametrize("coefficient", [kendall_tau, spearman, tau_ap])
@pytest.mark.parametrize(
    ("first", "second", "error", "message"),
    [
        ([1, 2], [1, 2, 3], UsageError, r"one value a system on both sides, got shapes \(2,\) and \(3,\)"),
        ([], [], DataError, "one system at least, got none"),
        ([1, np.nan], [1, 2], DataError, "leave a system without a value out of both sides"),
    ],
)
def test_scores_that_cannot_be_compared_are_refused(coefficient, first, second, error, message):
    with pytest.raises(error, match=message):
        coefficient(first, second)


@pytest.mark.parametrize("coefficient", [kendall_tau, tau_ap])
def test_another_treatment_of_ties_is_refused(coefficient):
    with pytest.raises(UsageError, match="treats ties in the way a or b, not 'c'"):
        coefficient(X, Y, ties="c")


def test_means_that_differ_by_rounding_alone_are_ties():
    # 0.1 + 0.2 + 0.3 is 0.6000000000000001
    rounded, others = [0.1 + 0.2 + 0.3, 0.6, 0.1], [3, 3, 1]
    assert rounded[0] != rounded[1]
    assert kendall_tau(rounded, others).value == pytest.approx(1, abs=1e-12)
    assert spearman(rounded, others).value == pytest.approx(1, abs=1e-12)
    assert tau_ap(rounded, others).value == pytest.approx(tau_ap([2, 2, 1], others).value, abs=1e-12)
