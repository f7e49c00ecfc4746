"""Unjudged documents: what each could change, what all could, and which runs are apart whatever they are."""

from itertools import product
from math import log2

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irkit.errors import DataError, MeasureError, UsageError
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
    found = of_one(rankings, judged, measure, cutoff=k)
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
        patch.setattr("irkit.holes.ndcg_bounds._BUDGET", 0)
        check(rankings, judged, "nDCG@3", k)


@pytest.mark.parametrize("measure", ["RR@3", "AP", "ERR@3", "Rprec", "R@3"])
@settings(max_examples=40, deadline=None, database=None)
@given(rankings=rankings, judged=graded, k=st.integers(1, 4))
def test_bounds_hold_where_not_every_judgment_can_be_tried(measure, rankings, judged, k):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("irkit.holes.bounds._BUDGET", 0)
        check(rankings, judged, measure, k)


@pytest.mark.parametrize("measure", PLAIN)
@settings(max_examples=20, deadline=None, database=None)
@given(rankings=rankings, judged=graded, k=st.integers(1, 4))
def test_a_change_is_that_of_the_best_grade_over_the_worst_for_the_document_alone(measure, rankings, judged, k):
    top = SCALE.get(measure, max([1, *judged.values()]))
    for hole in of_one(rankings, judged, measure, cutoff=k):
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
    before = find_holes(runs, qrels, measure, cutoff=3)
    for hole in before:
        qrels[hole.topic][hole.document] = grades.draw(st.integers(0, 3))
    after = find_holes(runs, qrels, measure, cutoff=3)
    assert len(after) == 0
    pairs = [*zip(before.runs, after.runs, strict=True), *zip(before.contests, after.contests, strict=True)]
    for then, now in pairs:
        assert then.extent.lowest - 1e-12 <= now.extent.value <= then.extent.highest + 1e-12
        assert now.extent.lowest == now.extent.value == now.extent.highest
    for then, now in zip(before.contests, after.contests, strict=True):
        assert then.verdict in ("open", now.verdict)


# Two topics by hand. log2(3) = 1.584963, its inverse 0.630930; nDCG@2 of the second rank alone 0.630930, of one of two
# relevant documents 1 / 1.630930 = 0.613147 at the first rank and 0.630930 / 1.630930 = 0.386853 at the second.
A = {"1": ["a", "x"], "2": ["y", "c"]}
B = {"1": ["x", "a"], "2": ["c", "z"]}
JUDGED = {"1": {"a": 1}, "2": {"c": 1}}


def test_two_topics_by_hand():
    found = find_holes([A, B], JUDGED, "nDCG@2")
    # y makes the first 1 and the second 0.613147 * 0.630930; x makes both 1; z lowers the first to 0.386853
    changes = [
        ("2", "y", (1 - 0.630930) + (1 - 0.613147), 1 - 0.613147),
        ("1", "x", 1 - 0.630930, 1 - 0.630930),
        ("2", "z", 0.630930 - 0.386853, 0.630930 - 0.386853),
    ]
    for hole, (topic, document, difference, mean) in zip(found, changes, strict=True):
        assert (hole.topic, hole.document) == (topic, document)
        assert (hole.difference_change, hole.value_change) == pytest.approx((difference / 2, mean / 2), abs=1e-6)
    first, second = (run.extent for run in found.runs)
    # topic 1: the first has 1 whatever x is; topic 2: 0.386853 with z alone, 1 with y
    assert (first.value, first.lowest, first.highest) == pytest.approx((1.630930 / 2, 1.386853 / 2, 1), abs=1e-6)
    # topic 1: 0.630930 without x; topic 2: 0.613147 with y alone, 1 without it or with both
    assert (second.value, second.lowest, second.highest) == pytest.approx((1.630930 / 2, 1.244077 / 2, 1), abs=1e-6)
    (contest,) = found.contests
    # topic 1: 0 with x, 0.369070 without it; topic 2: z alone 0.386853 - 1, y alone 1 - 0.613147
    lowest, highest = (0 - 0.613147) / 2, (0.369070 + 0.386853) / 2
    assert (contest.extent.lowest, contest.extent.highest) == pytest.approx((lowest, highest), abs=1e-6)
    assert contest.verdict == "open"


def test_a_document_that_both_runs_have_at_one_rank_cannot_set_them_apart():
    found = find_holes([{"q": ["x", "a"]}, {"q": ["x", "b"]}], {"q": {"a": 1, "b": 0}}, "P@2")
    (hole,) = found
    assert (hole.difference_change, hole.value_change) == (0.0, 0.5)
    (contest,) = found.contests
    # the best of the second, 1/2, is as good as the worst of the first; but they never come together
    assert (contest.extent.lowest, contest.extent.highest) == (0.5, 0.5)
    assert [run.extent.lowest for run in found.runs] == [0.5, 0.0]
    assert [run.extent.highest for run in found.runs] == [1.0, 0.5]
    assert contest.verdict == "first"


def test_runs_are_equal_whatever_the_judgments_say_where_they_are_the_same():
    found = find_holes([A, A], JUDGED, "nDCG@2")
    assert [contest.verdict for contest in found.contests] == ["equal"]


def test_equal_changes_go_by_the_other_change_then_by_topic_and_document():
    # every hole is at rank 1 or 2 of P@2 in a run of its own
    runs = [{"10": ["b", "a"], "9": ["c", "j"]}, {"10": ["d", "k"], "9": ["c", "j"]}]
    found = find_holes(runs, {"10": {"k": 1}, "9": {"j": 0}}, "P@2")
    assert [(hole.topic, hole.document) for hole in found] == [("10", "a"), ("10", "b"), ("10", "d"), ("9", "c")]
    assert [hole.difference_change for hole in found] == [0.25, 0.25, 0.25, 0.0]


def test_what_is_pooled_and_not_judged_is_a_hole_and_topics_without_judgments_have_none():
    found = find_holes([{"1": ["a", "b"], "7": ["x"]}], {"1": {"a": -1, "b": 1}}, "P@2")
    assert [(hole.topic, hole.document) for hole in found] == [("1", "a")]
    assert found.runs[0].judged == 0.5


def test_ranks_beyond_the_depth_are_said_and_holes_there_are_none():
    found = find_holes([{"q": ["a", "x", "y"]}, {"q": ["y", "a"]}], {"q": {"a": 1}}, "nDCG", cutoff=1)
    assert [(hole.document, hole.ranks) for hole in found] == [("y", {"run (1)": 3, "run (2)": 1})]
    assert [run.n_unjudged for run in found.runs] == [0, 1]


@pytest.mark.parametrize("measure", ["nDCG@2", "P@2", "RR@2", "AP"])
def test_topics_averaged_are_those_of_all_runs_where_that_is_asked_for(measure):
    short = {"1": ["a", "x"]}
    found = find_holes([short, B], JUDGED, measure, average="intersection")
    assert found.topics == ("1",)
    assert {hole.topic for hole in found} == {"1"}
    alone = find_holes([short, {"1": B["1"]}], {"1": JUDGED["1"]}, measure)
    assert [one.extent for one in found.runs] == [one.extent for one in alone.runs]
    chosen = find_holes([A, B], JUDGED, measure, average="topics", topics=["1"])
    assert [one.extent for one in chosen.contests] == [one.extent for one in alone.contests]


def test_passages_are_documents_where_they_are_collapsed():
    found = find_holes([{"1": ["a#1", "x#1", "a#2", "x#2"]}], {"1": {"a": 1}}, "P@2", collapse="#")
    assert [(hole.document, hole.ranks) for hole in found] == [("x", {"run": 2})]


def test_a_scale_of_thousands_of_grades_is_bounded_by_its_ends():
    found = of_one([["a", "x"], ["x", "a"]], {"a": 5, "z": 5000}, "nDCG@2")
    extents = [run.extent for run in found.runs]
    assert all(extent.lowest_exact and extent.highest <= 1.0 for extent in extents)
    # x at the top, in the first place of the second run: 5000 + 5 / log2 3 over 5000 + 5000 / log2 3
    assert extents[1].highest >= (5000 + 5 / log2(3)) / (5000 + 5000 / log2(3)) - 1e-12


@pytest.mark.parametrize(
    ("measure", "options", "error", "words"),
    [
        ("GMAP", {}, MeasureError, "no mean over topics"),
        ("NumRel", {}, MeasureError, "no mean over topics"),
        ("alpha_nDCG@5", {}, MeasureError, "needs qrels by subtopic"),
        ("Judged@10", {}, MeasureError, "no mean over topics"),
        ("P(judged_only=True)@5", {}, MeasureError, "take P@5"),
        ("nDCG(gains={-1:1})@5", {}, MeasureError, "bounds are not known"),
        ("P@5", {"no_relevant": "skip"}, UsageError, "choose zero or one"),
        ("P@5", {"cutoff": 0}, UsageError, "at least 1"),
        ("P@5", {"by": "values"}, UsageError, "did you mean 'value'"),
    ],
)
def test_what_has_no_answer_is_refused(measure, options, error, words):
    with pytest.raises(error, match=words):
        find_holes([A, B], JUDGED, measure, **options)


def test_without_runs_or_common_topics_there_is_nothing_to_find():
    with pytest.raises(UsageError, match="there is no run"):
        find_holes([], JUDGED)
    with pytest.raises(UsageError, match="order its holes by value"):
        find_holes(A, JUDGED, by="difference")
    with pytest.raises(DataError, match="no judged topic in common"):
        find_holes([{"1": ["a"]}, {"2": ["c"]}], JUDGED, average="intersection")
