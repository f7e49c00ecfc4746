"""Agreement of assessors: worked answers, cases without one, and the peers where they are installed."""

from math import isnan

import numpy as np
import pytest

from irkit.errors import DataError, UsageError
from irkit.stats import cohen_kappa, fleiss_kappa, krippendorff_alpha

R1 = [0, 0, 1, 2, 3, 1, 0, 2, 2, 3, 0, 1, 1, 0, 2, 3, 0, 0, 1, 2]
R2 = [0, 1, 1, 2, 2, 1, 0, 2, 1, 3, 0, 0, 1, 0, 3, 3, 0, 0, 2, 2]
R3 = [0, 0, 1, 1, 3, 2, 0, 2, 2, 3, 0, 1, 0, 0, 2, 3, 1, 0, 1, 2]
THREE = np.array([R1, R2, R3], dtype=float).T
GAPS = THREE.copy()
GAPS[[0, 4, 9], 2] = np.nan
GAPS[0, 1] = np.nan


def pair_with(table):
    """The grades of two assessors whose table this is."""
    return np.array([(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]).T


def test_cohen_of_twenty_items():
    result = cohen_kappa(R1, R2)
    assert (result.observed, result.expected) == pytest.approx((0.70, 0.27))
    assert result.kappa == pytest.approx(0.5890410959, abs=1e-10)  # (.70 - .27) / .73
    assert result.standard_error == pytest.approx(0.1379782, abs=5e-8)
    assert (result.low, result.high) == pytest.approx((0.3186089, 0.8594733), abs=5e-8)
    assert result.table.tolist() == [[6, 1, 0, 0], [1, 3, 1, 0], [0, 1, 3, 1], [0, 0, 1, 2]]
    assert (result.grades.tolist(), result.n_items, result.weights, result.level) == ([0, 1, 2, 3], 20, "none", 0.95)


@pytest.mark.parametrize(("weights", "expected"), [("linear", 0.7478991597), ("quadratic", 0.8706896552)])
def test_weighted_kappa(weights, expected):
    assert cohen_kappa(R1, R2, weights=weights).kappa == pytest.approx(expected, abs=1e-10)


def test_binary_kappa():
    result = cohen_kappa(np.array(R1) >= 1, np.array(R2) >= 1)
    assert result.kappa == pytest.approx(0.7802197802, abs=1e-10)
    assert (result.observed, result.adjusted) == pytest.approx((0.90, 0.80))
    # Two grades have one distance only.
    assert cohen_kappa(np.array(R1) >= 1, np.array(R2) >= 1, weights="quadratic").kappa == pytest.approx(result.kappa)


@pytest.mark.parametrize(("table", "kappa"), [([[85, 5], [5, 5]], 0.4444444444), ([[45, 5], [5, 45]], 0.8)])
def test_the_same_agreement_has_a_lower_kappa_where_one_grade_prevails(table, kappa):
    result = cohen_kappa(*pair_with(table))
    assert (result.observed, result.kappa) == (pytest.approx(0.9), pytest.approx(kappa, abs=1e-10))
    assert result.table.tolist() == table


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_one_grade_for_all_items_leaves_no_kappa_and_a_reason(weights):
    result = cohen_kappa([1, 1, 1], [1, 1, 1], weights=weights)
    assert (isnan(result.kappa), result.observed, result.expected) == (True, 1, 1)
    assert "one and the same grade to all items" in result.note


def test_assessors_who_agree_on_all_items_have_kappa_1():
    result = cohen_kappa(R1, R1)
    assert (result.kappa, result.low, result.high) == pytest.approx((1, 1, 1))
    assert fleiss_kappa(THREE[:, [0, 0]]).kappa == pytest.approx(1)
    assert krippendorff_alpha(THREE[:, [0, 0]]).alpha == 1


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_statsmodels_agrees_on_kappa_and_its_standard_error(weights):
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    result = cohen_kappa(R1, R2, weights=weights)
    expected = rater.cohens_kappa(result.table, wt=None if weights == "none" else weights)
    assert result.kappa == pytest.approx(expected.kappa, abs=1e-10)
    assert result.standard_error == pytest.approx(expected.std_kappa, abs=1e-10)
    assert (result.low, result.high) == pytest.approx((expected.kappa_low, expected.kappa_upp), abs=1e-10)


def test_fleiss_of_three_assessors():
    result = fleiss_kappa(THREE)
    assert (result.observed, result.expected) == pytest.approx((2 / 3, 0.27))
    assert result.kappa == pytest.approx(0.5433789954, abs=1e-10)
    assert result.free_marginal == pytest.approx(0.5555555556, abs=1e-10)  # (2/3 - 1/4) / (3/4)
    assert (result.n_items, result.n_assessors, result.n_grades, result.note) == (20, 3, 4, "")


def test_statsmodels_agrees_on_fleiss():
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    counts, _ = rater.aggregate_raters(THREE.astype(int))
    assert fleiss_kappa(THREE).kappa == pytest.approx(rater.fleiss_kappa(counts), abs=1e-10)
    assert fleiss_kappa(THREE).free_marginal == pytest.approx(rater.fleiss_kappa(counts, method="randolph"), abs=1e-10)


@pytest.mark.parametrize(
    ("grades", "level", "alpha"),
    [
        (THREE, "nominal", 0.5509893455),
        (THREE, "ordinal", 0.8528997290),
        (THREE, "interval", 0.8587164751),
        (THREE[:, :2], "nominal", 0.5993150685),
        (GAPS, "nominal", 0.5095367847),
        (GAPS, "ordinal", 0.8287048787),
        (GAPS, "interval", 0.8330241187),
    ],
)
def test_alpha_by_level_and_with_grades_missing(grades, level, alpha):
    assert krippendorff_alpha(grades, level=level).alpha == pytest.approx(alpha, abs=1e-10)


def test_an_item_with_one_grade_says_nothing_and_is_counted():
    result = krippendorff_alpha(GAPS)
    assert (result.level, result.n_items, result.n_grades_given, result.n_left_out) == ("ordinal", 19, 55, 1)
    without = krippendorff_alpha(GAPS[1:])
    assert (without.alpha, without.n_left_out) == (result.alpha, 0)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorff_package_agrees(level):
    package = pytest.importorskip("krippendorff")
    expected = package.alpha(reliability_data=GAPS.T, level_of_measurement=level)
    assert krippendorff_alpha(GAPS, level=level).alpha == pytest.approx(expected, abs=1e-10)


def test_where_chance_agrees_as_well_there_is_a_reason_and_no_alpha():
    constant = np.ones((4, 3))
    assert isnan(fleiss_kappa(constant).kappa)
    assert "one and the same grade to all items" in fleiss_kappa(constant).note
    assert isnan(krippendorff_alpha(constant).alpha)
    assert krippendorff_alpha(constant).note == "all grades are the same: chance agrees as well"
    alone = krippendorff_alpha([[1, np.nan], [np.nan, 2]])
    assert (isnan(alone.alpha), alone.n_left_out, alone.note) == (True, 2, "no item has two grades")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: cohen_kappa([1], [1, 2]), UsageError, "one value a document on both sides"),
        (lambda: cohen_kappa([1], [1], weights="cubic"), UsageError, "weights none, linear and quadratic, not 'cubic'"),
        (lambda: cohen_kappa([1], [1], level=95), UsageError, "level of an interval lies between 0 and 1, got 95"),
        (
            lambda: fleiss_kappa(GAPS),
            DataError,
            "of every assessor for every item; krippendorff_alpha does not",
        ),
        (lambda: fleiss_kappa([[1], [2]]), UsageError, r"two assessors at least, got shape \(2, 1\)"),
        (lambda: fleiss_kappa(np.empty((0, 2))), DataError, "one item at least, got none"),
        (lambda: krippendorff_alpha([[1, np.inf]]), DataError, "a grade is infinite"),
        (lambda: krippendorff_alpha(THREE, level="ratio"), UsageError, "nominal, ordinal and interval, not 'ratio'"),
    ],
)
def test_grades_that_cannot_be_compared_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
