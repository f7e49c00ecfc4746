"""Corrections for many tests: worked vectors, what they keep to among themselves, and statsmodels."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ten_topics import D10

from irkit.errors import DataError, UsageError
from irkit.stats import CORRECTIONS, correct, paired_t_test

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
SIX = [0.010, 0.013, 0.014, 0.190, 0.350, 0.500]


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        # The paired t tests of D10. The note that these answers come from prints .0479924294 for B and D; SciPy has
        # .04799242901, and the note's own lines below have twice and six times that.
        ("none", [0.0108193141, 0.0121802259, 0.0000679653, 0.2742855242, 0.0479924290, 0.0006777701]),
        ("bonferroni", [0.0649158846, 0.0730813554, 0.0004077919, 1, 0.2879545741, 0.0040666207]),
        ("holm", [0.0432772564, 0.0432772564, 0.0004077919, 0.2742855242, 0.0959848580, 0.0033888506]),
        ("hochberg", [0.0365406777, 0.0365406777, 0.0004077919, 0.2742855242, 0.0959848580, 0.0033888506]),
        ("benjamini-hochberg", [0.0182703389, 0.0182703389, 0.0004077919, 0.2742855242, 0.0575909148, 0.0020333103]),
    ],
)
def test_six_pairs_of_four_systems(correction, expected):
    result = correct([paired_t_test(D10[:, i], D10[:, j]).pvalue for i, j in PAIRS], correction)
    assert result.corrected == pytest.approx(expected, abs=1e-10)
    assert (result.correction, result.n_tests, result.note) == (correction, 6, "")


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", SIX),
        ("bonferroni", [0.06, 0.078, 0.084, 1, 1, 1]),
        ("holm", [0.06, 0.065, 0.065, 0.57, 0.70, 0.70]),  # 6 * .010, 5 * .013, 4 * .014 = .056 < .065, 3 * .19, ...
        ("hochberg", [0.056, 0.056, 0.056, 0.5, 0.5, 0.5]),
        ("benjamini-hochberg", [0.028, 0.028, 0.028, 0.285, 0.42, 0.5]),  # 6 / 3 * .014, 6 / 4 * .19, 6 / 5 * .35
    ],
)
def test_six_p_values_worked_by_hand(correction, expected):
    assert correct(SIX, correction).corrected == pytest.approx(expected, abs=1e-12)
    assert correct(SIX[::-1], correction).corrected == pytest.approx(expected[::-1], abs=1e-12)


def test_holm_is_what_is_taken_if_none_is_named():
    assert correct(SIX).correction == "holm"


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_a_test_without_a_p_value_is_left_out_and_said(correction):
    result = correct([0.01, float("nan"), 0.04], correction)
    assert result.corrected[[0, 2]] == pytest.approx(correct([0.01, 0.04], correction).corrected)
    assert np.isnan(result.corrected[1])
    assert (result.n_tests, result.note) == (2, "1 test without a p-value left out; corrected for 2")


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_no_p_values_at_all_stay_none(correction):
    assert correct([], correction).corrected.tolist() == []
    assert correct([float("nan")], correction).n_tests == 0


probabilities = st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.02, 0.05]), min_size=1, max_size=12)


@given(probabilities)
def test_each_correction_is_as_severe_as_the_next_one_at_least(pvalues):
    rounding = 1e-15
    descending = [
        correct(pvalues, which).corrected for which in ("bonferroni", "holm", "hochberg", "benjamini-hochberg", "none")
    ]
    for severe, mild in pairwise(descending):
        assert (severe >= mild - rounding).all()
    assert (descending[0] <= 1).all()


@given(probabilities, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_smaller_stays_smaller(pvalues, random):
    shuffled = random.sample(range(len(pvalues)), len(pvalues))
    for correction in CORRECTIONS:
        corrected = correct(pvalues, correction).corrected
        again = correct([pvalues[place] for place in shuffled], correction).corrected
        assert again.tolist() == corrected[shuffled].tolist()
        assert (np.diff(corrected[np.argsort(pvalues)]) >= 0).all()


@given(probabilities)
def test_a_closed_test_of_bonferroni_is_holm(pvalues):
    # Holm's p of a test is the largest Bonferroni p over all families that the test is in.
    m = len(pvalues[:8])
    expected = [0.0] * m
    for members in range(1, 2**m):
        family = [place for place in range(m) if members >> place & 1]
        joint = min(1, len(family) * min(pvalues[place] for place in family))
        for place in family:
            expected[place] = max(expected[place], joint)
    assert correct(pvalues[:8]).corrected == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("hochberg", "simes-hochberg"),
        ("benjamini-hochberg", "fdr_bh"),
    ],
)
def test_statsmodels_agrees(ours, theirs):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    pvalues = np.random.default_rng(7).random(50) ** 3
    assert correct(pvalues, ours).corrected == pytest.approx(
        multitest.multipletests(pvalues, method=theirs)[1], abs=1e-12
    )


def test_scipy_agrees_on_the_false_discovery_rate():
    stats = pytest.importorskip("scipy.stats")
    pvalues = np.random.default_rng(7).random(50) ** 3
    expected = stats.false_discovery_control(pvalues)
    assert correct(pvalues, "benjamini-hochberg").corrected == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("pvalues", "correction", "error", "message"),
    [
        ([0.1], "holms", UsageError, "there is no correction 'holms'; did you mean 'holm'?"),
        ([[0.1]], "holm", UsageError, r"needed is a list of p-values, got shape \(1, 1\)"),
        ([0.1, 1.5], "holm", DataError, "a p-value lies between 0 and 1, got 1.5"),
        ([-0.1], "holm", DataError, "a p-value lies between 0 and 1, got -0.1"),
    ],
)
def test_what_cannot_be_corrected_is_refused(pvalues, correction, error, message):
    with pytest.raises(error, match=message):
        correct(pvalues, correction)
