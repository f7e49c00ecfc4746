"""Overlap of ranked lists and of runs: worked answers, the authors' rows for ties, and lists gone on with."""

import re
from itertools import permutations, product
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.stats import overlaps, rank_biased_overlap, run_overlap

S, L = list("abcdefg"), list("bacfgeh")
SHORT, LONG = list("abcde"), list("bacfdhgj")
TIED, OTHER = ["a", ("b", "c"), "d", "e"], [("a", "b"), "c", ("d", "e")]


def groups(text):
    """`a (b c) d` as a list of groups."""
    return [(tied or alone).split() for tied, alone in re.findall(r"\(([^)]*)\)|(\S+)", text)]


@pytest.mark.parametrize(
    ("first", "second", "extrapolated", "least", "most", "truncated", "normalised"),
    [
        (S, L, 0.7697693571, 0.5701742287, 0.8380974857, 0.3598005857, 0.6896654164),
        (SHORT, LONG, 0.7505550000, 0.4881461524, 0.8452407745, 0.2781630000, 0.6792581378),
    ],
)
def test_two_lists_of_even_and_uneven_length(first, second, extrapolated, least, most, truncated, normalised):
    for one, other in ((first, second), (second, first)):
        result = rank_biased_overlap(one, other, p=0.9)
        assert result.extrapolated == pytest.approx(extrapolated, abs=1e-10)
        assert result.least == pytest.approx(least, abs=1e-10)

        assert result.most == pytest.approx(most, abs=1e-10)
        assert result.truncated == pytest.approx(truncated, abs=1e-10)
        assert result.normalised == pytest.approx(normalised, abs=1e-10)
        assert (result.p, result.ties, result.lengths) == (0.9, "none", (len(one), len(other)))
        assert result.depth == min(len(one), len(other))


def test_another_persistence():
    assert rank_biased_overlap(S, L, p=0.8).extrapolated == pytest.approx(0.6932601905, abs=1e-10)
    assert rank_biased_overlap(SHORT, LONG, p=0.8).extrapolated == pytest.approx(0.69248, abs=1e-10)


@pytest.mark.parametrize(
    ("ties", "agreement", "extrapolated", "least"),
    [
        ("w", [2 / 3, 0.8, 1, 8 / 9, 1], 0.9405666667, 0.6125556072),
        ("a", [0.5, 0.75, 1, 0.875, 1], 0.9183875000, 0.5903764406),
        ("b", [0.5**0.5, 0.75**0.5, 1, 0.875**0.5, 1], 0.9539446703, 0.6259336109),
    ],
)
def test_tied_items_by_each_variant(ties, agreement, extrapolated, least):
    result = rank_biased_overlap(TIED, OTHER, p=0.9, ties=ties)
    assert result.agreement == pytest.approx(agreement)
    assert result.extrapolated == pytest.approx(extrapolated, abs=1e-10)
    assert result.least == pytest.approx(least, abs=1e-10)
    assert result.ties == ties


def test_ties_are_of_unknown_order_if_nothing_is_said():
    assert rank_biased_overlap(TIED, OTHER).ties == "a"


# Rows of rbo/test.csv of julian-urbano/sigir2024-rbo: extrapolated, least and most by the variants w, a and b.
ROWS = [
    (
        "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)",
        "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1",
        0.958074765324023,
        (0.0816485573277354, 0.0370062754797617, 0.59493569657566),
        (0.0808189832771587, 0.0354671825076603, 0.593396603603558),
        (0.0813693619867344, 0.0356267307324464, 0.593556151828344),
    ),
    (
        "i13 (i1 i4 i5 i6)",
        "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2",
        0.92238320668128,
        (0.117578490431637, 0.0763135264223449, 0.53999366118093),
        (0.114619469221414, 0.0733545052121218, 0.537945108035391),
        (0.11474835409049, 0.0734833900811979, 0.538589532380772),
    ),
    (
        "(i4 i7 i15) (i2 i11) i8 i18",
        "i4 i8 i17 i11 (i2 i3 i5 i7 i9 i13 i14)",
        0.955836875418683,
        (0.601671359995661, 0.310498723372055, 0.820912519608734),
        (0.584235464666522, 0.295503371358027, 0.805839323150565),
        (0.632087129618464, 0.322093781902212, 0.833840285843908),
    ),
    (
        "(i3 i6) (i2 i7) i10",
        "(i3 i6 i7 i10) (i1 i2)",
        0.965413635276732,
        (0.946064537517568, 0.343706790399566, 0.958770957517067),
        (0.92051534467649, 0.319428239558438, 0.934492406675939),
        (0.956844651806714, 0.348953051936765, 0.964017219054266),
    ),
    (
        "(i1 i3 i6 i11 i15) i17 (i5 i8)",
        "(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12)",
        0.966485585840186,
        (0.647993254615828, 0.307897712904381, 0.853885398258049),
        (0.56593642947334, 0.250532359019861, 0.795583602856033),
        (0.658581961799868, 0.315458973083789, 0.861496368240528),
    ),
    (
        "i21 i20 (i1 i16 i19) (i5 i10) i4",
        "(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9",
        0.930074017489188,
        (0, 0, 0.389142712252727),
        (0, 0, 0.38977330351866),
        (0, 0, 0.390116806797613),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_uneven_lists_with_ties_as_the_authors_of_the_variants_have_them(row):
    first, second, p, *expected = row
    for ties, values in zip("wab", expected, strict=True):
        result = rank_biased_overlap(groups(first), groups(second), p=p, ties=ties)
        assert (result.extrapolated, result.least, result.most) == pytest.approx(values, abs=1e-12)


some_lists = st.integers(1, 6).flatmap(
    lambda n: st.tuples(st.permutations(range(8)).map(lambda order: order[:n]), st.permutations(range(8)))
)


@given(some_lists, st.integers(1, 8), st.floats(0.3, 0.9))
def test_the_bounds_are_reached_by_lists_that_go_on(lists, cut, p):
    first, second = ([f"d{item}" for item in items] for items in (lists[0], lists[1][:cut]))
    result = rank_biased_overlap(first, second, p=p)

    def gone_on(one, other):
        # To a depth that has nearly all the weight: p^400 is below 1e-18.
        return sum((1 - p) * p ** (d - 1) * len({*one[:d]} & {*other[:d]}) / d for d in range(1, 401))

    apart = [[*items, *(f"{name}{n}" for n in range(400))] for name, items in (("x", first), ("y", second))]
    assert result.least == pytest.approx(gone_on(*apart), abs=1e-9)
    alike = [
        [*items, *(item for item in others if item not in items), *(f"z{n}" for n in range(400))]
        for items, others in ((first, second), (second, first))
    ]
    assert result.most == pytest.approx(gone_on(*alike), abs=1e-9)
    assert -1e-12 <= result.least <= result.extrapolated + 1e-12 <= result.most + 2e-12 <= 1 + 1e-9


def orders_of(ranking):
    for order in product(*(permutations(group) if isinstance(group, list) else [(group,)] for group in ranking)):
        yield [item for group in order for item in group]


def tied_lists(n):
    """Lists of n of the items a to f, cut into groups."""
    cuts = st.lists(st.booleans(), min_size=n - 1, max_size=n - 1)

    def cut(drawn):
        items, ends = drawn
        ranking = [[items[0]]]
        for item, end in zip(items[1:n], ends, strict=True):
            if end:
                ranking.append([item])
            else:
                ranking[-1].append(item)
        return ranking

    return st.tuples(st.permutations("abcdef"), cuts).map(cut)


@given(st.integers(1, 4).flatmap(lambda n: st.tuples(tied_lists(n), tied_lists(n))))
@settings(max_examples=50)
def test_variant_a_is_the_mean_over_all_orders_of_ties(lists):
    first, second = lists
    result = rank_biased_overlap(first, second, p=0.8, ties="a")
    each = [rank_biased_overlap(one, other, p=0.8) for one, other in product(orders_of(first), orders_of(second))]
    for value in ("extrapolated", "least", "most", "truncated"):
        mean = sum(getattr(one, value) for one in each) / len(each)
        assert getattr(result, value) == pytest.approx(mean, abs=1e-12), value
    depth = 6
    mean = sum(overlaps(one, other, depth) for one, other in product(orders_of(first), orders_of(second))) / len(each)
    assert overlaps(first, second, depth) == pytest.approx(mean, abs=1e-12)


@given(st.integers(1, 6).flatmap(tied_lists), st.floats(0.05, 0.95), st.sampled_from("wb"))
def test_a_list_agrees_with_itself_wholly_ties_and_all(ranking, p, ties):
    result = rank_biased_overlap(ranking, ranking, p=p, ties=ties)
    assert result.extrapolated == pytest.approx(1, abs=1e-12)
    assert result.most == pytest.approx(1, abs=1e-12)
    # Truncated, even the same list comes short: what lies deeper has weight too.
    assert result.truncated == pytest.approx(1 - p**result.depth, abs=1e-12)
    assert result.normalised == pytest.approx(1, abs=1e-12)


def test_identical_lists_have_an_extrapolated_overlap_of_1():
    assert rank_biased_overlap(S, S).extrapolated == pytest.approx(1, abs=1e-14)
    assert rank_biased_overlap(S, S).truncated == pytest.approx(1 - 0.9**7, abs=1e-14)


@pytest.mark.parametrize(
    ("p", "depth", "weight"), [(0.9, 10, 0.8555854467), (0.95, 10, 0.6724215402), (0.98, 50, 0.8522339103)]
)
def test_the_first_ranks_decide_the_share_that_the_manual_names(p, depth, weight):
    # What lists that are the same down to there have, even if nothing below is: it counts at every later depth too.
    same = [f"d{n}" for n in range(depth)]
    assert rank_biased_overlap(same, same, p=p).least == pytest.approx(weight, abs=1e-10)


def test_empty_lists_are_told_about():
    both, one = rank_biased_overlap([], []), rank_biased_overlap(["a"], [])
    assert isnan(both.extrapolated)
    assert both.note == "both lists are empty: there is nothing to compare"
    assert (one.extrapolated, one.least, one.truncated, one.lengths) == (0, 0, 0, (1, 0))
    assert one.most == pytest.approx(1)
    assert one.note == "one list is empty: nothing overlaps"


def test_overlap_at_each_depth():
    assert overlaps(S, L, 7) == pytest.approx([0, 1, 1, 3 / 4, 3 / 5, 5 / 6, 6 / 7])
    assert overlaps(S, L, 7).mean() == pytest.approx(0.7200680272, abs=1e-10)
    assert overlaps(["a"], ["b", "a"], 4) == pytest.approx([0, 1 / 2, 1 / 3, 1 / 4])  # past the end there is nothing
    assert overlaps([], ["a"], 2).tolist() == overlaps([], [], 2).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"p": 0}, "the persistence p of RBO lies between 0 and 1, got 0"),
        ({"p": 1}, "got 1"),
        ({"ties": "c"}, "treats ties in the way w, a or b, not 'c'"),
    ],
)
def test_a_persistence_or_variant_that_cannot_be_is_refused(named, message):
    with pytest.raises(UsageError, match=message):
        rank_biased_overlap(S, L, **named)


def test_lists_that_cannot_be_are_refused():
    with pytest.raises(DataError, match="'b' occurs twice in a ranking"):
        rank_biased_overlap(["a", "b", ("c", "b")], ["a"])
    with pytest.raises(UsageError, match="a ranking is a list of items, not the text 'abc'"):
        overlaps("abc", ["a"], 1)
    with pytest.raises(UsageError, match="overlap needs a depth of at least 1, got 0"):
        overlaps(["a"], ["a"], 0)


# Runs -----------------------------------------------------------------------------------------------------------------

FIRST = Run.of({"1": S, "2": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0, "e": 0.5}, "3": ["a"]}, name="first")
SECOND = Run.of({"2": {"a": 3.0, "b": 3.0, "c": 2.0, "d": 1.0, "e": 1.0}, "1": L, "4": ["b"]}, name="second")


def test_runs_are_compared_topic_by_topic():
    result = run_overlap(FIRST, SECOND, cutoff=5)
    assert (result.first, result.second, result.topics) == ("first", "second", ("1", "2"))
    assert (result.only_first, result.only_second) == (("3",), ("4",))
    assert result.rbo == pytest.approx([0.7697693571, 0.9183875], abs=1e-10)  # topic 2 is a (b c) d e, (a b) c (d e)
    assert result.rbo_least == pytest.approx([0.5701742287, 0.5903764406], abs=1e-10)
    assert result.overlap == pytest.approx([3 / 5, 1])
    assert result.average_overlap == pytest.approx([(0 + 1 + 1 + 3 / 4 + 3 / 5) / 5, (0.5 + 0.75 + 1 + 0.875 + 1) / 5])
    assert result.mean() == pytest.approx((0.7697693571 + 0.9183875) / 2, abs=1e-10)
    assert result.mean("overlap") == pytest.approx(0.8)
    assert (result.n_topics, result.n_tied, result.ties, result.p, result.k, result.depth) == (2, 1, "a", 0.9, 5, None)


def test_runs_can_be_read_to_a_depth():
    result = run_overlap(FIRST, SECOND, cutoff=5, depth=3)
    assert result.rbo[0] == pytest.approx(rank_biased_overlap(list("abc"), list("bac")).extrapolated)
    assert result.overlap == pytest.approx([3 / 5, 3 / 5])
    assert result.depth == 3


def test_a_run_overlaps_with_itself_wholly():
    result = run_overlap(FIRST, FIRST, cutoff=1, ties="w")
    assert result.rbo == pytest.approx([1, 1, 1])
    assert result.mean("average_overlap") == 1
    assert (result.only_first, result.only_second, result.note) == ((), (), "")


def test_infinite_scores_tie_too():
    endless = Run.of({"1": {"a": np.inf, "b": np.inf, "c": 0.0}})
    assert run_overlap(endless, endless, ties="a").n_tied == 1


def test_runs_without_a_common_topic_and_depths_below_1_are_refused():
    with pytest.raises(DataError, match="first and other have no topic in common: nothing can be compared"):
        run_overlap(FIRST, Run.of({"9": ["a"]}, name="other"))
    with pytest.raises(UsageError, match="overlap needs a depth of at least 1, got 0"):
        run_overlap(FIRST, SECOND, depth=0)
