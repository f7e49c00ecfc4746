"""Tuning: what is chosen, by which topics, and what the figures on others say. Runs are made so that RR is 1 / rank."""

import os
import subprocess
import sys
from itertools import pairwise, product
from math import inf
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irkit
from irkit.errors import DataError, UsageError
from irkit.fusion import fuse
from irkit.tuning import Folds, Nested, Separate, Share, fusion_maker, tune

ONE_RELEVANT = {"d": 1}


def ranking(rank):
    """A topic whose relevant document d stands at this rank; its RR is 1 / rank. 0: nothing is returned."""
    return [f"x{place}" for place in range(1, rank)] + ["d"] if rank else []


def maker(ranks):
    """From the parameter p to the run in which topic t has the relevant document at ranks[p][t]."""

    def make(parameters):
        return {topic: ranking(rank) for topic, rank in ranks[parameters["p"]].items() if rank}

    return make


# RR of each point on six topics:  a    b    c    d    e    f
#                             1    1    1/2  1/2  1    1/2  1      the default
#                             2    1    1    1    1/2  1/2  1/2
#                             3    1/4  1/4  1/4  1    1    1
RANKS = {
    1: dict(zip("abcdef", (1, 2, 2, 1, 2, 1), strict=True)),
    2: dict(zip("abcdef", (1, 1, 1, 2, 2, 2), strict=True)),
    3: dict(zip("abcdef", (4, 4, 4, 1, 1, 1), strict=True)),
}
QRELS = dict.fromkeys("abcdef", ONE_RELEVANT)


def test_development_chooses_and_test_says_what_it_was_worth():
    # On a, b, c: 2/3, 1, 1/4. On d, e, f: (1 + 1/2 + 1) / 3 = 5/6 for the default, 1/2 for the choice.
    found = tune(maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Separate("abc", "def"), measure="RR")
    assert found.parameters == {"p": 2}
    assert found.choice.means == pytest.approx([2 / 3, 1, 1 / 4])
    assert found.ranks == (2, 1, 3)
    assert (found.development_value, found.default_development) == pytest.approx((1, 2 / 3))
    assert (found.test_value, found.contrast.test.baseline_mean) == pytest.approx((1 / 2, 5 / 6))
    assert found.development_gain == pytest.approx(1 / 3)
    assert found.test_gain == pytest.approx(-1 / 3)
    assert found.optimism == pytest.approx(1 - 1 / 2)
    assert found.evaluation_of_tuned.by_topic("RR").tolist() == [0.5, 0.5, 0.5]
    assert found.evaluation_of_default.by_topic("RR").tolist() == [1, 0.5, 1]
    assert found.evaluation_of_tuned.topics == ("d", "e", "f")
    # Differences -1/2, 0, -1/2: mean -1/3, deviation sqrt(1/12), t = -1/3 / (sqrt(1/12) / sqrt(3)) = -2.
    assert found.contrast.test.statistic == pytest.approx(-2)
    # t of 2 degrees: P(|t| > 2) = 1 - 2 / sqrt(2 + 4).
    assert found.contrast.test.pvalue == pytest.approx(1 - 2 / 6**0.5)
    # Of 95%: 4.302653 * sqrt(1/12) / sqrt(3) = 0.717109 either way.
    assert found.contrast.interval.low == pytest.approx(-1 / 3 - 0.717109, abs=1e-6)


def test_each_topic_is_tested_by_what_the_other_folds_chose():
    found = tune(maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Folds(3, seed=1), measure="RR")
    values = {p: {topic: 1 / rank for topic, rank in of.items()} for p, of in RANKS.items()}
    for fold in found.folds:
        best = max(RANKS, key=lambda p: (mean(values[p][topic] for topic in fold.development), -p))
        assert found.points[fold.choice.place] == {"p": best}
        for topic in fold.test:
            assert found.evaluation_of_tuned.value("RR", topic) == values[best][topic]
    # All six topics: 4.5/6, 4.5/6, 3.75/6: a tie, and the default is nearest to itself.
    assert found.parameters == {"p": 1}
    assert found.choice.n_tied == 2
    assert (
        "2 points share the best mean on development; of them the one nearest to the default is taken." in found.notes
    )


points = st.lists(st.lists(st.integers(0, 4), min_size=8, max_size=8), min_size=2, max_size=5)
TOPICS = "abcdefgh"


@given(points, st.integers(2, 5), st.integers(0, 50), st.integers(0, 4))
@settings(max_examples=40)
def test_the_grid_search_agrees_with_plain_loops(table, k, seed, default):
    table = [[1] * 8, *table]  # so that every topic is in one run
    ranks = {p: dict(zip(TOPICS, row, strict=True)) for p, row in enumerate(table)}
    default %= len(table)
    qrels = dict.fromkeys(TOPICS, ONE_RELEVANT)
    made = maker({p: of for p, of in ranks.items() if any(of.values())})
    if not all(any(of.values()) for of in ranks.values()):
        return
    found = tune(made, {"p": sorted(ranks)}, qrels, default={"p": default}, split=Folds(k, seed), measure="RR")
    rr = {p: {topic: 1 / rank if rank else 0 for topic, rank in of.items()} for p, of in ranks.items()}
    for part, fold in zip(Folds(k, seed).over(TOPICS).parts, found.folds, strict=True):
        means = {p: mean(rr[p][topic] for topic in part.development) for p in ranks}
        top = max(means.values())
        best = min((p for p in ranks if means[p] > top - 1e-12), key=lambda p: (abs(p - default), p))
        assert found.points[fold.choice.place] == {"p": best}
        assert fold.test_value == pytest.approx(mean(rr[best][topic] for topic in part.test))


@given(points, st.integers(0, 20), st.sampled_from(TOPICS), st.sampled_from([Folds(4), Nested(4, 2), Share(0.5)]))
@settings(max_examples=40)
def test_no_test_topic_has_a_say_in_its_own_parameters(table, seed, changed, split):
    split = type(split)(**{name: getattr(split, name) for name in split.__slots__} | {"seed": seed})
    ranks = {p: dict(zip(TOPICS, [max(one, 1) for one in row], strict=True)) for p, row in enumerate(table)}
    before = dict.fromkeys(TOPICS, ONE_RELEVANT)
    # Other documents are relevant in this topic now: every value of it changes.
    after = before | {changed: {"x1": 1, "x2": 1}}
    found = [
        tune(maker(ranks), {"p": sorted(ranks)}, qrels, default={"p": 0}, split=split, measure="RR")
        for qrels in (before, after)
    ]
    for one, other in zip(found[0].folds, found[1].folds, strict=True):
        if changed in one.test:
            assert one.choice.place == other.choice.place
            assert one.choice.means.tolist() == other.choice.means.tolist()


@pytest.mark.slow
def test_on_noise_the_value_on_the_choosing_topics_is_too_good_and_the_one_on_others_is_not():
    # 20 points without any difference: ranks 1 to 4 by chance in 24 topics, 60 times.
    rng = np.random.default_rng(7)
    topics = [f"t{n:02}" for n in range(24)]
    seen, crossed = [], []
    for _ in range(60):
        ranks = {p: dict(zip(topics, rng.integers(1, 5, 24).tolist(), strict=True)) for p in range(20)}
        qrels = dict.fromkeys(topics, ONE_RELEVANT)
        found = tune(maker(ranks), {"p": list(range(20))}, qrels, default={"p": 0}, split=Folds(4), measure="RR")
        seen.append(found.choice.development - found.choice.means[0])
        crossed.append(found.test_gain)
    # RR is 1, 1/2, 1/3, 1/4 alike: variance 205/576 - (25/48)^2 = 0.0846, of a mean of 24 0.0594^2. The best of 20
    # such means lies 1.87 deviations above the middle: 0.111.
    assert mean(seen) == pytest.approx(0.111, abs=0.02)
    error = np.std(crossed, ddof=1) / 60**0.5
    assert abs(mean(crossed)) < 3 * error
    assert mean(seen) > 5 * error


def test_the_run_of_the_folds_scores_what_was_said_and_can_be_written(tmp_path):
    make = maker(RANKS)
    found = tune(make, {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Folds(3, seed=1), measure="RR")
    found.run(make).write(tmp_path / "tuned.run")
    again = irkit.evaluate(run=tmp_path / "tuned.run", qrels=QRELS, measures="RR")
    assert again.topics == found.evaluation_of_tuned.topics
    assert again.by_topic("RR").tolist() == found.evaluation_of_tuned.by_topic("RR").tolist()


def test_a_topic_that_a_run_lacks_counts_as_an_empty_ranking_and_is_named():
    ranks = {1: {"a": 1, "b": 0, "c": 1, "d": 1}, 2: {"a": 2, "b": 1, "c": 2, "d": 0}}
    qrels = dict.fromkeys("abcd", ONE_RELEVANT)
    found = tune(maker(ranks), {"p": [1, 2]}, qrels, default={"p": 1}, split=Separate("ac", "bd"), measure="RR")
    assert found.evaluation_of_default.missing == ("b",)
    assert found.evaluation_of_default.by_topic("RR").tolist() == [0, 1]


def test_over_an_intersection_only_topics_of_all_points_are_looked_at():
    ranks = {1: {"a": 1, "b": 1, "c": 1, "d": 1, "e": 0}, 2: {"a": 2, "b": 2, "c": 2, "d": 2, "e": 1}}
    qrels = dict.fromkeys("abcde", ONE_RELEVANT)
    found = tune(
        maker(ranks), {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(2), measure="RR", average="intersection"
    )
    assert found.topics == ("a", "b", "c", "d")
    assert "1 judged topic left out, for which there is no value in all runs: e." in found.notes


def test_topics_without_a_value_are_left_out_of_every_split():
    qrels = QRELS | {"g": {"d": 0}}
    ranks = {p: {**of, "g": 1} for p, of in RANKS.items()}
    found = tune(maker(ranks), {"p": [1, 2]}, qrels, default={"p": 1}, split=Folds(2), measure="RR", no_relevant="skip")
    assert found.topics == tuple("abcdef")


def test_points_that_fail_are_reported_and_never_chosen():
    def make(parameters):
        if parameters["p"] == 2:
            raise DataError("the index lacks a field")
        return maker(RANKS)(parameters)

    found = tune(make, {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Separate("abc", "def"), measure="RR")
    assert found.parameters == {"p": 1}
    assert [(one.parameters, one.why) for one in found.failed] == [({"p": 2}, "the index lacks a field")]
    assert "1 of 3 points failed and were left out: p=2: the index lacks a field." in found.notes
    assert np.isnan(found.choice.means[1])
    assert found.ranks == (1, None, 2)


def test_a_default_that_fails_ends_the_search():
    def make(parameters):
        raise DataError("no index")

    with pytest.raises(DataError, match=r"the default \(p=1\) gives no run that can be scored: no index"):
        tune(make, {"p": [1, 2]}, QRELS, default={"p": 1})


def test_other_errors_of_whoever_makes_runs_are_not_kept():
    def make(parameters):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tune(make, {"p": [1, 2]}, QRELS, default={"p": 1})


def test_each_point_is_made_once_and_the_default_among_them():
    made = []

    def make(parameters):
        made.append(parameters["p"])
        return maker(RANKS)(parameters)

    found = tune(make, {"p": [2, 3]}, QRELS, default={"p": 1}, split=Nested(3, 2), measure="RR")
    assert made == [2, 3, 1]
    assert (len(found.points), found.default) == (3, 2)


def test_ties_go_to_the_point_nearest_to_the_default_then_to_the_first():
    same = dict.fromkeys((1, 2, 3, 4, 5), RANKS[1])
    found = tune(maker(same), {"p": [1, 2, 4, 5]}, QRELS, default={"p": 4}, split=Folds(2), measure="RR")
    assert found.parameters == {"p": 4}
    better = {p: RANKS[1] | ({"b": 1} if p in (2, 4) else {}) for p in (1, 2, 3, 4, 5)}
    found = tune(maker(better), {"p": [5, 4, 3, 2, 1]}, QRELS, default={"p": 3}, split=Folds(2), measure="RR")
    assert found.parameters == {"p": 4}
    assert found.choice.n_tied == 2


def test_means_that_differ_by_rounding_alone_tie():
    # 0.1 + 0.2 + 0.3 in two orders: the same mean of RR 1, 1/2 and 1/3 over topics in another order.
    ranks = {1: {"a": 3, "b": 2, "c": 1, "d": 7}, 2: {"a": 7, "b": 1, "c": 2, "d": 3}}
    qrels = dict.fromkeys("abcdef", ONE_RELEVANT)
    ranks = {p: {**of, "e": 1, "f": 1} for p, of in ranks.items()}
    for default in (1, 2):
        found = tune(
            maker(ranks), {"p": [1, 2]}, qrels, default={"p": default}, split=Separate("abcd", "ef"), measure="RR"
        )
        assert found.parameters == {"p": default}


# A floor that is learned ----------------------------------------------------------------------------------------------

# Documents d are relevant in a to d; nothing is in w to z. Scores say how sure the run is.
FLOOR_QRELS = {topic: {"d": 1} for topic in "abcd"} | {topic: {"d": 0} for topic in "wxyz"}
SURE = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "w": 0.5, "x": 0.4, "y": 0.3, "z": 0.2}


def make_sure(parameters):
    """The document d of every topic, or another one where p is 2, with the topic's score."""
    return {topic: {"d" if parameters.get("p", 1) == 1 else "e": score} for topic, score in SURE.items()}


def test_a_floor_is_learned_on_development_and_applied_on_test():
    # Development a, b, w, x: the floor is the middle of 0.5 and 0.8. Test c, d, y, z: c 0.7 stays, d 0.6 goes,
    # and so do y and z, which is right: (1 + 0 + 1 + 1) / 4; without a floor (1 + 1 + 0 + 0) / 4.
    found = tune(make_sure, {"floor": "learn"}, FLOOR_QRELS, default={"floor": -inf}, split=Separate("abwx", "cdyz"))
    assert found.parameters == pytest.approx({"floor": 0.65})
    assert found.development_value == pytest.approx(1)
    assert found.default_development == pytest.approx(0.5)
    assert found.test_value == pytest.approx(3 / 4)
    assert found.contrast.test.baseline_mean == pytest.approx(2 / 4)
    assert found.evaluation_of_tuned.missing == ("d", "y", "z")
    assert found.evaluation_of_tuned.conventions.no_relevant == "abstain"
    again = irkit.evaluate(run=found.run(make_sure), qrels=FLOOR_QRELS, measures="nDCG@10", no_relevant="abstain")
    assert again.restricted_to("cdyz").by_topic("nDCG@10").tolist() == [1, 0, 1, 1]


def test_the_evidence_may_be_another_run():
    evidence = irkit.Run.of({topic: {"e": -score} for topic, score in SURE.items()})
    found = tune(
        make_sure,
        {"floor": "learn"},
        FLOOR_QRELS,
        default={"floor": -inf},
        split=Separate("abwx", "cdyz"),
        evidence=evidence,
    )
    # Turned round, what silences w and x silences a and b too: a, b, w, x answered is as good as none (2 of 4).
    assert found.parameters == {"floor": -inf}
    turned = tune(
        make_sure,
        {"p": [1], "floor": "learn"},
        FLOOR_QRELS,
        default={"p": 1, "floor": -inf},
        split=Separate("abwx", "cdyz"),
        evidence=lambda parameters: make_sure({"p": 1}),
    )
    assert turned.parameters == pytest.approx({"p": 1, "floor": 0.65})


def test_nested_folds_choose_by_topics_that_a_floor_was_not_learned_on():
    found = tune(
        make_sure, {"p": [1, 2], "floor": "learn"}, FLOOR_QRELS, default={"p": 1, "floor": 0.45}, split=Nested(4, 3)
    )
    by_split = Nested(4, 3).over(tuple(FLOOR_QRELS)).parts

    def counted(topic, floor):
        kept = SURE[topic] >= floor
        return float(kept) if topic in "abcd" else float(not kept)

    def learned(topics):
        scores = sorted(SURE[topic] for topic in topics)
        floors = [-inf, *((low + high) / 2 for low, high in pairwise(scores))]
        means = [mean(counted(topic, floor) for topic in topics) for floor in floors]
        best = [floor for floor, one in zip(floors, means, strict=True) if one == max(means)]
        return min(best, key=lambda floor: abs(floor - 0.45))

    for part, fold in zip(by_split, found.folds, strict=True):
        inner = sum(counted(topic, learned(one.development)) for one in part.inner for topic in one.test)
        assert fold.choice.means[0] == pytest.approx(inner / len(part.development))
        assert fold.choice.floors[0] == pytest.approx(learned(part.development))
        assert fold.test_value == mean(counted(topic, fold.choice.floor) for topic in fold.test)
    # The default keeps its own floor and learns nothing: its mean is what it is.
    assert found.default == 2
    for fold in found.folds:
        assert fold.choice.means[2] == pytest.approx(fold.default_development)


@given(st.permutations("abcdwxyz"), st.integers(0, 20), st.sampled_from("abcdwxyz"))
@settings(max_examples=25)
def test_no_test_topic_has_a_say_in_its_own_floor(order, seed, changed):
    sure = dict(zip(order, SURE.values(), strict=True))
    turned = FLOOR_QRELS | {changed: {"d": 1 - FLOOR_QRELS[changed]["d"]}}
    found = [
        tune(
            lambda _: {topic: {"d": score} for topic, score in sure.items()},
            {"floor": "learn"},
            qrels,
            default={"floor": -inf},
            split=Nested(4, 2, seed),
        )
        for qrels in (FLOOR_QRELS, turned)
    ]
    for one, other in zip(found[0].folds, found[1].folds, strict=True):
        if changed in one.test:
            assert one.choice.floor == other.choice.floor


# What is said ---------------------------------------------------------------------------------------------------------

MANY = [f"t{n:02}" for n in range(40)]


def test_a_gain_shown_on_topics_that_did_not_choose_it_is_taken():
    # p=2 is better in three topics of four.
    ranks = {1: dict.fromkeys(MANY, 2), 2: {topic: 2 if n % 4 == 0 else 1 for n, topic in enumerate(MANY)}}
    qrels = dict.fromkeys(MANY, ONE_RELEVANT)
    found = tune(maker(ranks), {"p": [1, 2]}, qrels, default={"p": 1}, measure="RR")
    assert found.notes[0] == "Tuned is shown to be better than the default on topics that did not choose it: use p=2."
    assert "All 5 folds chose the same." in found.notes
    assert "p=2 is the largest value tried: if larger ones make sense, widen the search." in found.notes


def test_a_gain_within_noise_keeps_the_default():
    found = tune(maker(RANKS), {"p": [1, 2, 3]}, QRELS, default={"p": 1}, split=Separate("abc", "def"), measure="RR")
    assert found.notes[:2] == (
        "On topics that did not choose it, tuned is not shown to be better than the default: keep the default (p=1).",
        "The gain over the default is +0.3333 on the topics that chose, and -0.3333 on others: report the second.",
    )
    assert "3 points tried on 3 topics: so few topics choose by chance too." in found.notes
    assert any(note.startswith("3 topics are too few to rank systems") for note in found.notes)


def test_nothing_better_than_the_default_is_said_so():
    ranks = {1: dict.fromkeys("abcdef", 1), 2: RANKS[3]}
    found = tune(maker(ranks), {"p": [1, 2]}, QRELS, default={"p": 1}, split=Folds(3), measure="RR")
    assert found.notes[0] == "Nothing that was tried is better than the default on development: keep the default (p=1)."


def test_a_choice_that_changes_from_fold_to_fold_is_told():
    ranks = {
        1: dict(zip("abcdef", (1, 1, 1, 3, 3, 3), strict=True)),
        2: dict(zip("abcdef", (3, 3, 3, 1, 1, 1), strict=True)),
    }
    chosen = [
        tune(maker(ranks), {"p": [1, 2]}, QRELS, default={"p": 1}, split=Folds(2, seed), measure="RR")
        for seed in range(8)
    ]
    told = [one for one in chosen if len({fold.choice.place for fold in one.folds}) > 1]
    assert told
    assert all(any(note.startswith("2 folds chose 2 different points") for note in one.notes) for one in told)


def test_parameters_that_change_nothing_are_told():
    found = tune(
        maker(dict.fromkeys((1, 2, 3), RANKS[1])),
        {"p": [1, 2, 3]},
        QRELS,
        default={"p": 1},
        split=Folds(2),
        measure="RR",
    )
    assert any(note.startswith("Every point has the same value in every topic") for note in found.notes)
    assert not any("largest" in note or "smallest" in note for note in found.notes)


def test_more_points_than_topics_are_told():
    ranks = {p: RANKS[1 + p % 3] for p in range(9)}
    found = tune(maker(ranks), {"p": list(range(9))}, QRELS, default={"p": 0}, split=Folds(3), measure="RR")
    assert "9 points tried on 4 topics: the best of so many owes part of its mean to chance." in found.notes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measure": "NumRet"}, "NumRet cannot be tuned for"),
        ({"measure": "Judged@10"}, "Judged@10 cannot be tuned for"),
        ({"search": "gird"}, "did you mean 'grid'?"),
        ({"n": 5}, "n is the number of points of a random search"),
        ({"average": "topics"}, "name them there: Separate(development, test)"),
        ({"evidence": irkit.Run.of({"a": ["d"]})}, "evidence is for a floor that is learned"),
        ({"limit": 2}, "3 points (p 3), more than the limit of 2"),
        ({"default": {}}, "the default has no value of p"),
    ],
)
def test_what_cannot_be_tuned_is_refused_before_anything_is_made(options, said):
    def make(parameters):
        raise AssertionError("made")

    with pytest.raises(UsageError) as caught:
        tune(make, {"p": [1, 2, 3]}, QRELS, **{"default": {"p": 1}} | options)
    assert said in str(caught.value)


def test_a_floor_is_not_learned_over_an_intersection():
    with pytest.raises(UsageError, match="silences topics, which leave an intersection"):
        tune(make_sure, {"floor": "learn"}, FLOOR_QRELS, default={"floor": 0}, average="intersection")


# Fusion ---------------------------------------------------------------------------------------------------------------

FIRST = {"a": {"d": 3.0, "e": 2.0}, "b": {"e": 4.0, "d": 1.0}, "c": {"f": 1.0}, "d": {"d": 1.0}}
SECOND = {"a": {"e": 0.9, "f": 0.5}, "b": {"d": 0.7}, "c": {"d": 0.2, "f": 0.1}, "d": {"e": 0.3}}


def test_runs_are_fused_with_the_parameters_and_alpha_is_the_first_weight():
    make = fusion_maker([FIRST, SECOND], "linear")
    expected = fuse([FIRST, SECOND], "linear", weights=(0.25, 0.75), normalise="none")
    assert make({"alpha": 0.25, "normalise": "none"}).to_dict() == expected.to_dict()
    expected = fuse([FIRST, SECOND], "rrf", k=10, depth=2)
    assert fusion_maker([FIRST, SECOND], depth=2)({"k": 10, "method": "rrf"}).to_dict() == expected.to_dict()


def test_fusion_tuned_agrees_with_plain_loops_over_files(tmp_path):
    qrels = dict.fromkeys("abcd", ONE_RELEVANT)
    for name, run in (("first", FIRST), ("second", SECOND)):
        irkit.Run.of(run).write(tmp_path / f"{name}.run")
    files = [tmp_path / "first.run", tmp_path / "second.run"]
    space = {"k": [1, 60], "weights": "simplex:2:0.25"}
    found = tune(
        fusion_maker(files), space, qrels, default={"k": 60, "weights": (0.5, 0.5)}, split=Folds(2), measure="nDCG@10"
    )
    weights = [(1, 0), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0, 1)]
    means = [
        irkit.evaluate(run=fuse([FIRST, SECOND], k=k, weights=w), qrels=qrels, measures="nDCG@10").value("nDCG@10")
        for k, w in product([1, 60], weights)
    ]
    assert found.choice.means == pytest.approx(means, abs=1e-12)


def test_no_run_to_fuse_is_refused():
    with pytest.raises(UsageError, match="there is no run to fuse"):
        fusion_maker([])


def test_tune_is_loaded_with_irkit_only_when_it_is_asked_for():
    code = (
        "import sys, irkit\nassert 'irkit.tuning' not in sys.modules\nirkit.tune\nassert 'irkit.tuning' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)
