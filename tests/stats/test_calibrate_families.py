"""What `make calibrate` draws and counts for families of tests. How often they claim is in docs/statistics.md."""

from itertools import combinations

import numpy as np
import pytest
from ten_topics import D10

from benchmarks.calibrate import band
from benchmarks.calibrate_families import SHIFT, Drawn, draw, randomised_tukey_pvalue, tukey_claims

FIRST, SECOND = np.array(list(combinations(range(4), 2))).T
# Studentised range of 4 means and (10 - 1)(4 - 1) = 27 degrees of freedom at 0.05.
CRITICAL = 3.8700855436


def only(*pairs):
    """The ten topics, with nothing to find between these pairs alone."""
    nothing = np.array([f"{'ABCD'[i]}{'ABCD'[j]}" in pairs for i, j in zip(FIRST, SECOND, strict=True)])
    return Drawn(D10, FIRST, SECOND, nothing)


def test_the_band_of_20_000_repetitions():
    # 2.5758 sqrt(0.05 * 0.95 / 20000) = 2.5758 * 0.00154110 = 0.00396957
    assert band(20_000) == pytest.approx((0.04603043, 0.05396957), abs=1e-8)


def test_permuted_scores_are_those_of_a_topic_and_the_systems_are_alike():
    # The scores 1 2 3, or 10 20 30: where every order is as likely, each system has the means 2 and 20.
    real = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])
    table = draw("permuted", real, 6_000, np.random.default_rng(1)).table
    ordered = np.sort(table, axis=1)
    assert {tuple(row) for row in ordered} == {(1, 2, 3), (10, 20, 30)}
    # All 3! orders of both; the standard error of a mean is 0.816 / sqrt(3000) = 0.015, and ten times that.
    assert len({tuple(row) for row in table}) == 12
    assert table[ordered[:, 0] == 1].mean(axis=0) == pytest.approx(2, abs=0.06)
    assert table[ordered[:, 0] == 10].mean(axis=0) == pytest.approx(20, abs=0.6)


def test_the_part_null_moves_one_system_and_leaves_the_pairs_without_it():
    real = np.array([[0.1, 0.2, 0.4, 0.8]])
    drawn, permuted = (draw(null, real, 50, np.random.default_rng(1)) for null in ("part", "permuted"))
    assert drawn.table - permuted.table == pytest.approx(np.tile([0, 0, 0, SHIFT], (50, 1)), abs=1e-15)
    with_nothing = drawn.nothing.nonzero()
    pairs = list(zip(drawn.first[with_nothing], drawn.second[with_nothing], strict=True))
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    assert permuted.nothing.sum() == 6


def test_flipped_differences_from_the_baseline_share_their_sign():
    # Less the first: 1 and -2 in one topic, 4 and 8 in the other.
    drawn = draw("flipped", np.array([[3.0, 4.0, 1.0], [0.0, 4.0, 8.0]]), 200, np.random.default_rng(1))
    differences = drawn.table[:, drawn.first] - drawn.table[:, drawn.second]
    assert {tuple(row) for row in differences} == {(1, -2), (-1, 2), (4, 8), (-4, -8)}
    assert drawn.nothing.all()


@pytest.mark.parametrize("pair", ["AB", "AC", "AD", "BC", "BD", "CD"])
def test_tukeys_test_claims_what_it_claims_by_its_p(pair):
    # Its p are 0.0077 (AB), 0.0000 (AD), 0.0021 (CD), and of the others 0.08 (BD) at least.
    assert tukey_claims(only(pair), CRITICAL) == (pair in ("AB", "AD", "CD"))


def test_tukeys_tests_look_at_the_pairs_with_nothing_to_find():
    assert not tukey_claims(only("AC", "BC", "BD"), CRITICAL)
    assert tukey_claims(only("AC", "BC", "CD"), CRITICAL)


@pytest.mark.parametrize(
    ("pairs", "exact"), [(["AB"], 0.0775066696), (["AB", "AC", "BC"], 0.0775066696), (["AC", "BC"], 0.5730495418)]
)
def test_the_smallest_p_of_the_randomised_test_is_near_that_of_all_orders(pairs, exact):
    # By dynamic programming over the ten topics; four standard errors.
    n = 20_000
    found = randomised_tukey_pvalue(only(*pairs), n, np.random.default_rng(1))
    assert found == pytest.approx(exact, abs=4 * (exact * (1 - exact) / n) ** 0.5)
