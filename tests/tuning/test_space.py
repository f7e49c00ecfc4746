"""The search space: what a user writes, and the points that come of it."""

import pickle
from itertools import pairwise, product
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit.errors import UsageError
from irkit.tuning import Point, Space


def values(text):
    (axis,) = Space.of([f"p={text}"]).axes
    return axis.values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.6,0.9,1.2", (0.6, 0.9, 1.2)),
        ("0.1:0.5:0.1", (0.1, 0.2, 0.3, 0.4, 0.5)),
        ("0:1:0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("10:30:10", (10, 20, 30)),
        ("0.8:0.2:-0.3", (0.8, 0.5, 0.2)),
        ("1:1000:x10", (1, 10, 100, 1000)),
        ("0.01:1:x10", (0.01, 0.1, 1.0)),
        ("0,0.5:1.5:0.5,9", (0, 0.5, 1.0, 1.5, 9)),
        ("7", (7,)),
        ("min-max,none", ("min-max", "none")),
        ("model:small,other", ("model:small", "other")),
        ("true,false", (True, False)),
        ("-inf,0.3", (-inf, 0.3)),
        ("1e-3,1e-2", (0.001, 0.01)),
    ],
)
def test_values_are_what_is_written_to_the_last_digit(text, expected):
    found = values(text)
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


@given(st.integers(-500, 500), st.integers(1, 60), st.integers(1, 40), st.integers(0, 4))
def test_a_range_has_the_decimals_that_a_reader_would_write(start, step, n, places):
    def written(number):
        return f"{'-' * (number < 0)}{abs(number) // 10**places}.{abs(number) % 10**places:0{places}d}"

    found = values(f"{written(start)}:{written(start + n * step)}:{written(step)}")
    assert found == tuple(float(written(start + k * step)) for k in range(n + 1))


def test_weights_of_two_runs_by_halves_are_three():
    assert values("simplex:2:0.5") == ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))


@pytest.mark.parametrize(("n_runs", "step", "n"), [(3, "0.1", 66), (4, "0.25", 35), (2, "0.01", 101)])
def test_weights_on_a_simplex_are_all_that_sum_to_one(n_runs, step, n):
    # n steps among k runs: C(n + k - 1, k - 1); C(12, 2) = 66, C(7, 3) = 35, C(101, 1) = 101.
    found = values(f"simplex:{n_runs}:{step}")
    assert len(found) == len(set(found)) == n
    assert all(len(one) == n_runs and sum(one) == pytest.approx(1, abs=1e-12) and min(one) >= 0 for one in found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.6,O.9", "'O.9' is a text, and '0.6' is a number"),
        ("0.6,,0.9", "a value is missing"),
        ("0.6,0.9,0.6", "0.6 occurs there twice"),
        ("1,1.0", "1 occurs there twice"),
        ("0.1:0.5", "a range is start:stop:step"),
        ("0.1:O.5:0.1", "a range is start:stop:step"),
        ("0.1:0.5:0.15", "pass by 0.5; stop at 0.4 or 0.55"),
        ("0.5:0.1:0.1", "never leads from start to stop"),
        ("0:1:0", "never leads from start to stop"),
        ("0:1:0.000001", "more than 100,000 values"),
        ("1:500:x10", "pass by 500; stop at 100 or 1000"),
        ("0:10:x10", "goes up from above 0"),
        ("1:10:x1", "goes up from above 0"),
        ("1..0", "up to a larger one"),
        ("0..1:log", "begins above 0"),
        ("0.5..9:whole", "whole numbers lie between whole numbers"),
        ("0..1:lag", "did you mean 'log'?"),
        ("simplex:3", "simplex:RUNS:STEP"),
        ("simplex:1:0.1", "2 runs at least"),
        ("simplex:3:0.3", "a step that divides 1"),
        ("simplex:9:0.01", "more than 100,000 weights"),
        ("nan,1", "nan is no value"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_remedy(text, said):
    with pytest.raises(UsageError, match="p") as caught:
        Space.of([f"p={text}"])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({}, "there is no parameter to tune"),
        (["k1"], "'k1' sets no parameter: write NAME=VALUES"),
        (["k1=1", "k1=2"], "'k1' is set twice"),
        (["k 1=1"], "'k 1' is no name of a parameter"),
        ({"p": []}, "p has no value to try"),
        ({"p": [[1, "x"]]}, "is no value to try"),
        ({"p": [None]}, "is no value to try"),
        (["a=learn", "b=learn"], "one floor can be learned"),
    ],
)
def test_a_space_that_cannot_be_is_refused(source, said):
    with pytest.raises(UsageError) as caught:
        Space.of(source)
    assert said in str(caught.value)


def test_a_mapping_takes_lists_as_they_are_and_texts_as_they_are_written():
    space = Space.of({"k": [10, 60], "weights": [[0.5, 0.5], [1, 0]], "normalise": "none", "b": "0.2:0.4:0.1", "n": 3})
    assert [axis.values for axis in space.axes] == [
        (10, 60),
        ((0.5, 0.5), (1.0, 0.0)),
        ("none",),
        (0.2, 0.3, 0.4),
        (3,),
    ]


def test_the_grid_has_every_combination_the_last_parameter_first():
    space = Space.of(["k1=0.6,0.9,1.2", "b=0.2:0.8:0.2"])
    assert space.n_points == 12
    assert [tuple(point.values()) for point in space.grid()] == list(product([0.6, 0.9, 1.2], [0.2, 0.4, 0.6, 0.8]))


def test_a_grid_above_the_limit_is_refused_with_its_size():
    space = Space.of(["a=1:40:1", "b=1:30:1"])
    with pytest.raises(UsageError, match=r"1,200 points \(a 40 x b 30\), more than the limit of 1,000"):
        space.grid()
    assert len(space.grid(limit=1200)) == 1200


def test_an_interval_is_for_random_search():
    with pytest.raises(UsageError, match="k1 is an interval, which random search draws from"):
        Space.of(["k1=0.1..2"]).grid()


def test_random_points_are_distinct_within_their_ends_and_the_same_for_a_seed():
    space = Space.of(["a=0.1..0.9", "b=0.001..10:log", "c=1..3:whole", "d=x,y"])
    points = space.random(200, seed=3)
    assert len(set(points)) == 200
    assert points == space.random(200, seed=3) != space.random(200, seed=4)
    assert all(0.1 <= one["a"] <= 0.9 and 0.001 <= one["b"] <= 10 for one in points)
    assert {one["c"] for one in points} == {1, 2, 3}
    assert {one["d"] for one in points} == {"x", "y"}
    # Each power of ten of 0.001 to 10 has a quarter of the draws: 50 of 200, give or take 4 deviations of 6.1.
    assert 25 < sum(one["b"] < 0.01 for one in points) < 75
    # Four significant digits: what a table prints is what was tried.
    assert all(float(f"{one['b']:.4g}") == one["b"] for one in points)


def test_random_search_may_draw_a_whole_finite_space_and_no_more():
    space = Space.of(["a=1..5:whole:log", "b=0,1"])
    assert {tuple(one.values()) for one in space.random(10)} == set(product(range(1, 6), [0, 1]))
    with pytest.raises(UsageError, match="11 of 10 points"):
        space.random(11)


@pytest.mark.parametrize(
    ("default", "said"),
    [
        ({"k1": 0.9}, "the default has no value of b; give what it is now"),
        ({"k1": 0.9, "b": 0.4, "kl": 3}, "the default sets 'kl', which is not tuned; there are k1, b"),
        ({"k1": 0.9, "b": "0.4"}, "the default of b is '0.4', and what is tried is a number"),
        ([0.9, 0.4], "a mapping of parameter to value"),
    ],
)
def test_a_default_that_does_not_fit_is_refused(default, said):
    with pytest.raises(UsageError) as caught:
        Space.of(["k1=0.6,0.9", "b=0.2,0.4"]).checked(default)
    assert said in str(caught.value)


@pytest.mark.parametrize("default", [-3, 0, 0.5, 1, 2.2, 7, 100])
def test_the_farther_a_value_of_a_list_from_the_default_on_either_side_the_farther_it_counts(default):
    space = Space.of(["p=-inf,0,1,3,7,9"])
    point = Point((("p", default),))
    apart = {value: space.distance(Point((("p", value),)), point) for value in space.axes[0].values}
    above = [apart[value] for value in sorted(apart) if value >= default]
    below = [apart[value] for value in sorted(apart, reverse=True) if value <= default]
    assert all(one < other for side in (above, below) for one, other in pairwise(side))
    assert all((one == 0) == (value == default) for value, one in apart.items())


def test_a_point_is_a_mapping_equal_to_a_dict_that_can_be_kept_and_pickled():
    point = Point((("k1", 0.9), ("weights", (0.5, 0.5)), ("on", True)))
    assert point == {"k1": 0.9, "weights": (0.5, 0.5), "on": True}
    assert pickle.loads(pickle.dumps(point)) == point
    assert hash(point) == hash(Point(tuple(reversed(point.pairs))))
    assert str(point) == "k1=0.9, weights=0.5/0.5, on=true"
