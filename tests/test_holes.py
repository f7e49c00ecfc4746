"""Unjudged documents: what each could change, what all could, and which runs are apart whatever they are."""

from itertools import product
from math import log2

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irkit.holes import find_holes

# Plain loops over one ranking of grades (None: unjudged, as good as 0) and the grades of all judged documents.


def dcg(gains, cutoff):
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:cutoff], 1))


def ndcg(ranked, pool, cutoff):
    ideal = dcg(sorted(pool, reverse=True), cutoff)
    return dcg([grade or 0 for grade in ranked], cutoff) / ideal if ideal else 0.0


def exponential_ndcg(ranked, pool, cutoff):
    return ndcg([2 ** (grade or 0) - 1 for grade in ranked], [2**grade - 1 for grade in pool], cutoff)


def average_precision(ranked, pool, cutoff):
    n, total = 0, 0.0
    for rank, grade in enumerate(ranked[:cutoff], 1):
        if grade:
            n += 1
            total += n / rank
    relevant = sum(grade > 0 for grade in pool)
    return total / relevant if relevant else 0.0


def precision(ranked, pool, cutoff):
    return sum(bool(grade) for grade in ranked[:cutoff]) / cutoff


def reciprocal_rank(ranked, pool, cutoff):
    return next((1 / rank for rank, grade in enumerate(ranked[:cutoff], 1) if grade), 0.0)


def r_precision(ranked, pool, cutoff):
    relevant = sum(grade > 0 for grade in pool)
    return sum(bool(grade) for grade in ranked[:relevant]) / relevant if relevant else 0.0


def expected_reciprocal_rank(ranked, pool, cutoff):
    value, going_on = 0.0, 1.0
    for rank, grade in enumerate(ranked[:cutoff], 1):
        stopping = (2 ** (grade or 0) - 1) / 2**4
        value += going_on * stopping / rank
        going_on *= 1 - stopping
    return value


def recall(ranked, pool, cutoff):
    relevant = sum(grade > 0 for grade in pool)
    return sum(bool(grade) for grade in ranked[:cutoff]) / relevant if relevant else 0.0


PLAIN = {
    "nDCG@3": (ndcg, 3),
    "nDCG": (ndcg, None),
    "nDCG(dcg='exp-log2')@3": (exponential_ndcg, 3),
    "P@3": (precision, 3),
    "DCG@2": (lambda ranked, pool, cutoff: dcg([grade or 0 for grade in ranked], cutoff), 2),
    "RR@3": (reciprocal_rank, 3),
    "AP": (average_precision, None),
    "AP@2": (average_precision, 2),
    "R@3": (recall, 3),
    "Rprec": (r_precision, None),
    "ERR@3": (expected_reciprocal_rank, 3),
}
SCALE = {"ERR@3": 4}  # its own, whatever the qrels have


def value(measure, ranking, judged):
    function, cutoff = PLAIN[measure]
    return function([judged.get(document) for document in ranking], list(judged.values()), cutoff)


def every_judgment(measure, rankings, judged, k):
    """The values of each run under every judgment of the holes of one topic."""
    holes = sorted({document for ranking in rankings for document in ranking[:k]} - judged.keys())
    top = SCALE.get(measure, max([1, *judged.values()]))
    return holes, [
        [value(measure, ranking, judged | dict(zip(holes, grades, strict=True))) for ranking in rankings]
        for grades in product(range(top + 1), repeat=len(holes))
    ]


DOCUMENTS = "abcdefg"
rankings = st.lists(st.permutations(DOCUMENTS).map(lambda all_: all_[:4]), min_size=2, max_size=2)
graded = st.dictionaries(st.sampled_from(DOCUMENTS + "xy"), st.integers(0, 3), min_size=4, max_size=8)
binary = st.dictionaries(st.sampled_from(DOCUMENTS + "xy"), st.integers(0, 1), min_size=3, max_size=7)


def of_one(rankings, judged, measure, **options):
    return find_holes([{"q": list(ranking)} for ranking in rankings], {"q": judged}, measure, **options)


def check(rankings, judged, measure, k):
    found = of_one(rankings, judged, measure, k=k)
    holes, every = every_judgment(measure, rankings, judged, k)
    assert sorted(hole.document for hole in found) == holes
    for run, one in enumerate(found.runs):
        check_extent(one.extent, [values[run] for values in every], value(measure, rankings[run], judged))
    (contest,) = found.contests
    now = [value(measure, ranking, judged) for ranking in rankings]
    check_extent(contest.extent, [first - second for first, second in every], now[0] - now[1])
    return found


def check_extent(extent, values, now):
    assert extent.value == pytest.approx(now, abs=1e-12)
    assert extent.lowest <= min(values) + 1e-12
    assert extent.highest >= max(values) - 1e-12
    if extent.lowest_exact:
        assert extent.lowest == pytest.approx(min(values), abs=1e-12)
    if extent.highest_exact:
        assert extent.highest == pytest.approx(max(values), abs=1e-12)


@pytest.mark.parametrize("measure", PLAIN)
@settings(max_examples=40, deadline=None, database=None)
@given(rankings=rankings, judged=graded, k=st.integers(1, 4))
@example(rankings=["ab", "ba"], judged={"x": 0}, k=2)
@example(rankings=["ab", "bc"], judged={"x": 3, "y": 2}, k=2)
def test_bounds_hold_every_judgment_of_the_holes_and_are_exact_where_they_say_so(measure, rankings, judged, k):
    found = check(rankings, judged, measure, k)
    if measure not in ("Rprec",):
        extents = [*(run.extent for run in found.runs), *(contest.extent for contest in found.contests)]
        assert all(extent.lowest_exact and extent.highest_exact for extent in extents)


@settings(max_examples=40, deadline=None, database=None)
@given(rankings=rankings, judged=graded, k=st.integers(1, 4))
def test_bounds_of_ndcg_hold_where_the_grades_between_are_too_many_to_try(rankings, judged, k):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.holes.ratios._BUDGET", 0)
        check(rankings, judged, "nDCG@3", k)


@pytest.mark.parametrize("measure", ["RR@3", "AP", "ERR@3", "Rprec", "R@3"])
@settings(max_examples=40, deadline=None, database=None)
@given(rankings=rankings, judged=graded, k=st.integers(1, 4))
def test_bounds_hold_where_not_every_judgment_can_be_tried(measure, rankings, judged, k):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.holes.extremes._BUDGET", 0)
        check(rankings, judged, measure, k)


@pytest.mark.parametrize("measure", PLAIN)
@settings(max_examples=20, deadline=None, database=None)
@given(rankings=rankings, judged=graded, k=st.integers(1, 4))
def test_a_change_is_that_of_the_best_grade_over_the_worst_for_the_document_alone(measure, rankings, judged, k):
    top = SCALE.get(measure, max([1, *judged.values()]))
    for hole in of_one(rankings, judged, measure, k=k):
        best, worst = (
            [value(measure, ranking, judged | {hole.document: grade}) for ranking in rankings] for grade in (top, 0)
        )
        first, second = (high - low for high, low in zip(best, worst, strict=True))
        assert hole.value_change == pytest.approx(max(abs(first), abs(second)), abs=1e-12)
        assert hole.difference_change == pytest.approx(abs(first - second), abs=1e-12)
        for name, ranking in zip(("run (1)", "run (2)"), rankings, strict=True):
            assert hole.ranks.get(name) == (ranking.index(hole.document) + 1 if hole.document in ranking else None)


topics = st.lists(st.tuples(rankings, graded), min_size=2, max_size=3)


@settings(max_examples=30, deadline=None, database=None)
@given(topics=topics, grades=st.data(), measure=st.sampled_from(list(PLAIN)))
def test_judging_the_whole_list_lands_within_the_bounds_and_leaves_none(topics, grades, measure):
    runs = [{str(place): pair[run] for place, (pair, _) in enumerate(topics)} for run in (0, 1)]
    qrels = {str(place): dict(judged) for place, (_, judged) in enumerate(topics)}
    qrels["scale"] = {"z": 3}  # so that the top of the scale stays
    before = find_holes(runs, qrels, measure, k=3)
    for hole in before:
        qrels[hole.topic][hole.document] = grades.draw(st.integers(0, 3))
    after = find_holes(runs, qrels, measure, k=3)
    assert len(after) == 0
    pairs = [*zip(before.runs, after.runs, strict=True), *zip(before.contests, after.contests, strict=True)]
    for then, now in pairs:
        assert then.extent.lowest - 1e-12 <= now.extent.value <= then.extent.highest + 1e-12
        assert now.extent.lowest == now.extent.value == now.extent.highest
    for then, now in zip(before.contests, after.contests, strict=True):
        assert then.verdict in ("open", now.verdict)
