"""C20: a choice by folds is tested as often as it should be found, and not more often."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irkit
from benchmarks.calibrate import band
from benchmarks.calibrate_tuning import claims, draw
from irkit.stats.cross_validation import corrected_t_test, repeated_choice, widened_interval
from irkit.stats.differences import paired_differences
from irkit.stats.intervals import t_interval
from irkit.tuning import Folds, Nested, Separate, tune

# Six topics in three folds, two points, differences to the default in hundredths.
SIX = np.array([(4, 1), (6, -2), (-1, 3), (5, 2), (2, -4), (3, 5)]) / 100
FOLDS = np.array([0, 0, 1, 1, 2, 2])
WITH_DEFAULT = np.column_stack([np.zeros(6), SIX])


def test_c20_the_known_answer_of_all_64_flips():
    # Every fold gets the first point: 4 + 6 - 1 + 5 + 2 + 3 = 19. Of 64 patterns 2 reach 19, 63 stay at or below.
    found = repeated_choice(WITH_DEFAULT, FOLDS)
    assert found.mean == pytest.approx(0.19 / 6)
    assert (found.greater, found.less, found.pvalue) == (2 / 64, 63 / 64, 4 / 64)
    assert (found.exact, found.n_flips) == (True, 64)


def test_c20_the_known_answer_of_nadeau_and_bengio():
    # t 3.1235807588 over sqrt(1 + 3 * 1/2) = 1.9755259307, with 5 degrees of freedom.
    found = corrected_t_test(paired_differences(SIX[:, 0], np.zeros(6)), 3)
    assert found.statistic == pytest.approx(1.9755259307, abs=1e-10)
    assert found.pvalue == pytest.approx(0.1051780573, abs=1e-10)


def by_loops(differences, folds):
    """p by every sign pattern, each fold choosing by plain sums; of equal sums the first point."""
    n, n_points = differences.shape

    def mean(signs):
        total = 0.0
        for fold in set(folds):
            sums = [sum(signs[i] * differences[i][p] for i in range(n) if folds[i] != fold) for p in range(n_points)]
            chosen = next(p for p in range(n_points) if sums[p] >= max(sums) - 1e-9)
            total += sum(signs[i] * differences[i][chosen] for i in range(n) if folds[i] == fold)
        return total / n

    means = [mean(signs) for signs in product([1, -1], repeat=n)]
    observed = mean([1] * n)
    greater = sum(one >= observed - 1e-9 for one in means) / len(means)
    less = sum(one <= observed + 1e-9 for one in means) / len(means)
    return observed, min(1.0, 2 * min(greater, less))


@given(
    st.integers(2, 7).flatmap(
        lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=n, max_size=n)
    )
)
def test_c20_all_sign_patterns_agree_with_plain_loops(rows):
    differences = np.column_stack([np.zeros(len(rows)), np.array(rows, dtype=float)])
    folds = np.arange(len(rows)) % 2
    found = repeated_choice(differences, folds, tolerance=1e-12)
    assert (found.mean, found.pvalue) == pytest.approx(by_loops(differences, folds.tolist()))


def test_c20_drawn_sign_patterns_come_to_the_exact_answer():
    # 15 topics are drawn, 14 counted: one more topic in which no point differs changes nothing but the mean.
    rng = np.random.default_rng(5)
    differences = np.column_stack([np.zeros(14), rng.normal(0.3, 1, (14, 3))])
    exact = repeated_choice(differences, np.arange(14) % 5)
    widened = np.vstack([differences, np.full((1, 4), 1e-12)])
    drawn = repeated_choice(widened, np.arange(15) % 5, tolerance=1e-9, n_flips=20_000)
    assert (exact.exact, drawn.exact) == (True, False)
    # Four standard errors of a sampled share, doubled for two sides.
    share = exact.pvalue / 2
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=8 * (share * (1 - share) / 20_000) ** 0.5 + 1e-3)


def test_c20_under_a_null_the_flips_reject_in_a_twentieth_and_a_t_test_twice_as_often():
    rng = np.random.default_rng(51)
    found = [claims(draw("independent", 30, 10, rng), rng) for _ in range(600)]
    share = {name: sum(getattr(one, name) for one in found) / 600 for name in ("naive", "flips", "misses")}
    _, high = band(600)  # 0.0729
    assert share["naive"] > high
    assert share["flips"] < high
    assert share["misses"] < high


def a_maker(values):
    """Makes runs whose RR of each topic is 1 over the rank that `values[point]` has for it."""

    def make(parameters):
        ranks = values[parameters["p"]]
        return {f"q{topic}": [*(f"x{rank}" for rank in range(1, rank)), "right"] for topic, rank in enumerate(ranks, 1)}

    return make


RANKS = {1: [2] * 12, 2: [1, 1, 2, 1, 1, 4, 1, 1, 1, 2, 1, 1], 3: [2, 1, 4, 1, 2, 1, 2, 2, 1, 4, 1, 2]}
QRELS = {f"q{topic}": {"right": 1} for topic in range(1, 13)}


@pytest.mark.parametrize("split", [Folds(4), Nested(4, inner=3)])
def test_c20_tune_tests_a_choice_by_folds_with_its_own_flips(split):
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=split, measure="RR")
    values = np.array([[1 / rank for rank in RANKS[p]] for p in (1, 2, 3)])
    columns = {f"q{topic}": values[:, topic - 1] - values[0, topic - 1] for topic in range(1, 13)}
    fold_of = {topic: number for number, part in enumerate(found.split.parts) for topic in part.test}
    observed, pvalue = by_loops(np.array([columns[t] for t in found.topics]), [fold_of[t] for t in found.topics])
    assert found.test_gain == pytest.approx(observed)
    assert found.contrast.test.pvalue == pytest.approx(pvalue)
    assert found.contrast.test.test == "sign flips that repeat the choice"
    plain = t_interval(found.contrast.candidate_values - found.contrast.baseline_values)
    half = (plain.high - plain.low) / 2
    assert found.contrast.interval.high - found.test_gain == pytest.approx(1.3 * half)
    assert found.contrast.interval.method == "t x 1.3"


def test_c20_named_halves_keep_the_paired_t_test():
    split = Separate([f"q{n}" for n in range(1, 7)], [f"q{n}" for n in range(7, 13)])
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=split, measure="RR")
    assert (found.contrast.test.test, found.contrast.interval.method) == ("paired t test", "t")


def test_c20_where_every_fold_keeps_the_default_p_is_1():
    worse = {1: [1] * 8, 2: [2] * 8}
    qrels = {f"q{topic}": {"right": 1} for topic in range(1, 9)}
    found = tune(a_maker(worse), {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(4), measure="RR")
    assert (found.contrast.test.pvalue, found.contrast.test.note) == (1.0, "every fold chose the default")
    assert found.notes[0] == "Nothing that was tried is better than the default on development: keep the default (p=1)."


def test_c20_a_constant_gain_is_judged_by_flips_and_not_by_a_t_test_without_noise():
    better = {1: [2] * 8, 2: [1] * 8}
    qrels = {f"q{topic}": {"right": 1} for topic in range(1, 9)}
    found = tune(a_maker(better), {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(4), measure="RR")
    # Every topic gains 1/2. A sum of 8 halves is reached by all signs alike only; its mirror chooses the default: 0.
    assert found.contrast.test.pvalue == 2 / 2**8
    assert found.notes[0].startswith("Tuned is shown to be better")


@pytest.mark.parametrize(("n_folds", "factor"), [(2, 1.3), (5, 1.3), (6, 1.5), (10, 1.5)])
def test_c20_intervals_of_folds_are_wider(n_folds, factor):
    # [1, 3] has mean 2, se 1, and t with 1 degree of freedom 12.7062.
    low, high = (2 - 12.7062047 * factor, 2 + 12.7062047 * factor)
    found = widened_interval(t_interval([1.0, 3.0]), n_folds)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_c20_beyond_ten_folds_there_is_no_interval():
    found = widened_interval(t_interval([1.0, 3.0]), 11)
    assert np.isnan([found.low, found.high]).all()
    assert found.note == "no interval is known for 11 folds"


def test_c20_a_learned_floor_has_the_corrected_t_test():
    runs = irkit.fusion_maker(["runs/run.services.bm25.txt", "runs/run.services.dense.txt"])
    qrels = "qrels/qrels.services.txt"
    found = tune(runs, {"floor": "learn"}, qrels, default={"floor": float("-inf")}, split=Folds(5))
    assert found.contrast.test.test in ("t test corrected for folds",)


def test_c32_most_folds_that_agree_are_said_to_agree():
    # In one fold of four another point is best, as q6 and its fold are left out.
    found = tune(a_maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Folds(4), measure="RR")
    said = [note for note in found.notes if "folds chose" in note]
    assert len(said) == 1
    same = found.choices.get(found.choice.place, 0)
    assert ("most topics agree" in said[0] or said[0].startswith("All")) == (2 * same > 4)
