"""Agreement with ranx to 1e-9 on random runs; where it differs, why."""

import os
import random
from pathlib import Path

import pytest

from irkit.fusion import METHODS, Training, fuse

# Its code as it stands, and not compiled, which takes minutes and gives the same.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
ranx = pytest.importorskip("ranx")

TOPICS = [f"q{number}" for number in range(6)]
WEIGHTS = [0.2, 0.3, 0.5]


def random_runs(seed, n_runs=3, lengths=(3, 8, 12, 20), n_documents=40):
    """Runs with the same topics, whose documents stand as they are ranked, no two of one score: all that ranx needs."""
    chance = random.Random(seed)
    runs = []
    for _ in range(n_runs):
        run = {}
        for topic in TOPICS:
            documents = chance.sample([f"d{number}" for number in range(n_documents)], chance.choice(lengths))
            values = sorted((chance.uniform(-2, 30) for _ in documents), reverse=True)
            run[topic] = dict(zip(documents, values, strict=True))
        runs.append(run)
    return runs


def random_qrels(seed, n_documents=40):
    chance = random.Random(seed)
    return {
        topic: {f"d{number}": int(chance.random() < 0.3) for number in range(n_documents)} | {"d0": 1}
        for topic in TOPICS
    }


def theirs(runs, method, normalise=None, **params):
    fused = ranx.fuse([ranx.Run(run) for run in runs], norm=normalise, method=method, params=params)
    return {topic: dict(documents) for topic, documents in fused.to_dict().items()}


def ours(runs, method, **options):
    return fuse(runs, method, **options).to_dict()


def assert_alike(mine, other):
    assert mine.keys() == other.keys()
    for topic in mine:
        assert mine[topic] == pytest.approx(other[topic], rel=1e-9, abs=1e-9)


NORMALISED = ["min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda", "none"]


def of_ranx(normalise):
    return None if normalise == "none" else normalise


@pytest.mark.parametrize("normalise", NORMALISED)
@pytest.mark.parametrize("method", ["sum", "mnz", "anz", "min", "max", "med"])
def test_combinations_of_scores_agree(method, normalise):
    runs = random_runs(1)
    assert_alike(ours(runs, method, normalise=normalise), theirs(runs, method, of_ranx(normalise)))


@pytest.mark.parametrize("method", ["wsum", "wmnz", "mixed"])
@pytest.mark.parametrize("normalise", ["min-max", "zmuv", "none"])
def test_weighted_combinations_agree(method, normalise):
    runs = random_runs(2)
    other = theirs(runs, method, of_ranx(normalise), weights=WEIGHTS)
    assert_alike(ours(runs, method, normalise=normalise, weights=WEIGHTS), other)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("gmnz", {"gamma": 0.3}),
        ("gmnz", {"gamma": 2.0}),
        ("rrf", {"k": 60}),
        ("rrf", {"k": 1}),
        ("isr", {}),
        ("log_isr", {}),
        ("logn_isr", {"sigma": 0.01}),
        ("logn_isr", {"sigma": 0.7}),
        ("rbc", {"phi": 0.8}),
        ("rbc", {"phi": 0.35}),
        ("bordafuse", {}),
        ("w_bordafuse", {"weights": WEIGHTS}),
    ],
)
def test_methods_by_rank_and_by_parameter_agree(method, options):
    runs = random_runs(3)
    scores = {"normalise": "min-max"} if method == "gmnz" else {}
    assert_alike(ours(runs, method, **scores, **options), theirs(runs, method, scores.get("normalise"), **options))


@pytest.mark.parametrize("method", ["posfuse", "mapfuse", "slidefuse", "probfuse"])
def test_trained_methods_agree_where_all_topics_are_trained_on(method):
    runs, qrels = random_runs(4), random_qrels(5)
    given = [ranx.Run(run) for run in runs]
    judged = ranx.Qrels({topic: {d: g for d, g in grades.items() if g} for topic, grades in qrels.items()})
    match method:
        case "posfuse":
            learned, params = ranx.fusion.posfuse_train(judged, given), {}
        case "mapfuse":
            learned, params = ranx.fusion.mapfuse_train(judged, given), {}
        case "slidefuse":
            learned, params = ranx.fusion.slidefuse_train(judged, given), {"w": 3}
        case "probfuse":
            learned, params = ranx.fusion.probfuse_train(judged, given, 4), {}
    name = "map_scores" if method == "mapfuse" else "probs"
    other = theirs(runs, method, None, **{name: learned}, **params)
    options = {"n_segments": 4} if method == "probfuse" else params
    assert_alike(ours(runs, method, training=Training(qrels, runs=runs), **options), other)


def bayes(runs, qrels):
    given = [ranx.Run(run) for run in runs]
    judged = ranx.Qrels({topic: {d: g for d, g in grades.items() if g} for topic, grades in qrels.items()})
    return theirs(runs, "bayesfuse", None, log_odds=ranx.fusion.bayesfuse_train(judged, given))


def test_bayesfuse_agrees_where_no_precision_is_one():
    runs, qrels = random_runs(6), random_qrels(7)
    assert_alike(ours(runs, "bayesfuse", training=Training(qrels, runs=runs)), bayes(runs, qrels))


def test_bayesfuse_takes_a_precision_of_one_for_0_999():
    # ranx makes 1 - p 0.001 and leaves p at 1: log(1 / 0.001) = 6.9078; here both ends are alike, log(0.999 / 0.001).
    runs = [{"q": {f"d{number}": 9.0 - number for number in range(5)}}] * 2
    qrels = {"q": {f"d{number}": 1 for number in range(5)}}
    assert bayes(runs, qrels)["q"]["d0"] == pytest.approx(2 * 6.907755279)
    mine = ours(runs, "bayesfuse", training=Training(qrels, runs=runs))["q"]["d0"]
    assert mine == pytest.approx(2 * 6.906754779)


def segments(runs, qrels):
    given = [ranx.Run(run) for run in runs]
    judged = ranx.Qrels({topic: {d: g for d, g in grades.items() if g} for topic, grades in qrels.items()})
    return theirs(runs, "segfuse", "min-max", probs=ranx.fusion.segfuse_train(judged, given))


def test_segfuse_agrees_on_the_first_segment():
    runs, qrels = random_runs(8, lengths=(5,), n_documents=12), random_qrels(9, 12)
    mine = ours(runs, "segfuse", normalise="min-max", training=Training(qrels, runs=runs))
    assert_alike(mine, segments(runs, qrels))


def test_segfuse_has_segments_of_the_sizes_that_its_paper_gives():
    # 10 * 2 ** (k - 1) - 5 is the size of a segment: ranks 1 to 5, 6 to 20. To ranx it is where a segment ends: ranks 6
    # to 15, 16 to 35; and it divides by the whole size where a list ends within.
    runs = [{"q": {f"d{rank}": 30.0 - rank for rank in range(1, 21)}}] * 2
    qrels = {"q": {"d16": 1}}
    score = 1 + 4 / 19  # d16 is 4 ranks from the last of 20
    assert ours(runs, "segfuse", training=Training(qrels, runs=runs))["q"]["d16"] == pytest.approx(2 * score / 15)
    assert segments(runs, qrels)["q"]["d16"] == pytest.approx(2 * score / 20)


def test_condorcet_agrees_where_majorities_make_an_order():
    # Three runs that rank all documents, each one exchange of neighbours away from one order: its majorities follow it.
    order = [f"d{number}" for number in range(9)]
    runs = []
    for place in (0, 3, 6):
        ranked = order.copy()
        ranked[place], ranked[place + 1] = ranked[place + 1], ranked[place]
        runs.append({"q": {document: 20.0 - rank for rank, document in enumerate(ranked)}})
    for name, options in (("condorcet", {}), ("w_condorcet", {"weights": [0.2, 0.3, 0.4]})):
        assert list(ours(runs, name, **options)["q"]) == list(theirs(runs, name, **options)["q"]) == order


def test_condorcet_does_not_depend_on_the_order_of_the_runs():
    # a, b and c beat each other in a circle. The sort of ranx compares some pairs and not others.
    rankings = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]
    runs = [{"q": {document: 3.0 - rank for rank, document in enumerate(ranked)}} for ranked in rankings]
    assert ours(runs, "condorcet") == {"q": {"c": 1.0, "b": 1.0, "a": 1.0}}
    assert sorted(theirs(runs, "condorcet")["q"].values()) == [1.0, 2.0, 3.0]  # an order that nobody voted for


def test_condorcet_counts_no_vote_of_a_run_between_two_documents_that_it_lacks():
    # a and b are found by one run each, and lacked by the third: one vote for either, a tie. ranx takes what is not
    # above for what is below, so that whichever is compared first loses by 1 to 2.
    runs = [{"q": {"a": 1.0}}, {"q": {"b": 1.0}}, {"q": {"c": 1.0}}]
    assert ours(runs, "condorcet") == {"q": {"c": 1.0, "b": 1.0, "a": 1.0}}
    assert len(set(theirs(runs, "condorcet")["q"].values())) == 3


def test_ranks_come_from_scores_not_from_the_order_in_which_documents_are_stored():
    # A run is sorted when ranx reads it from a file or a dict, but not ties: they stand as they came.
    run = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    assert ours([run, run], "rrf")["q"] == pytest.approx({"c": 2 / 61, "b": 2 / 62, "a": 2 / 63})
    turned = {"q": {"c": 1.0, "b": 1.0, "a": 1.0}}
    assert ours([turned, turned], "rrf") == ours([run, run], "rrf")
    assert theirs([turned, turned], "rrf") != theirs([run, run], "rrf")


@pytest.mark.parametrize(
    ("normalise", "equal", "of_ranx"),
    [("min-max", 1.0, 0.0), ("min-max-inverted", 1.0, 0.0), ("sum", 0.5, 0.0), ("max", 1.0, 1.0), ("zmuv", 0.0, 0.0)],
)
def test_equal_scores_do_not_become_what_a_missing_document_is(normalise, equal, of_ranx):
    # ranx divides by 1e-9 in place of 0.
    runs = [{"q": {"a": 2.0, "b": 2.0}}] * 2
    assert ours(runs, "sum", normalise=normalise)["q"] == {"a": 2 * equal, "b": 2 * equal}
    assert theirs(runs, "sum", normalise)["q"] == {"a": 2 * of_ranx, "b": 2 * of_ranx}


@pytest.mark.parametrize(("normalise", "worst"), [("min-max", 0.0), ("max", -1.0)])
def test_small_or_negative_scores_are_normalised_as_large_ones_are(normalise, worst):
    # With the floor of 1e-9 under the denominator ranx leaves 1e-12 near 0, and makes -2 / 1e-9 of -2.
    runs = [{"q": {"a": -1e-12, "b": -2e-12}}] * 2
    assert ours(runs, "sum", normalise=normalise)["q"]["b"] == 2 * worst
    assert abs(theirs(runs, "sum", normalise)["q"]["a"]) < 0.01
    assert ours(runs, "max", normalise=normalise)["q"]["a"] == (1.0 if normalise == "min-max" else -0.5)


def test_the_lowest_score_of_a_document_may_be_above_a_thousand_million():
    # To ranx a run that lacks the document has 1e9 for it.
    runs = [{"q": {"a": 5e9}}, {"q": {"b": 1.0}}]
    assert ours(runs, "min", normalise="none")["q"]["a"] == 5e9
    assert theirs(runs, "min")["q"]["a"] == 1e9


def test_every_method_of_ranx_is_compared_here():
    source = Path(__file__).read_text("utf-8")
    for method in METHODS.values():
        assert any(f'"{name}"' in source for name in (method.name, *method.aliases)), method.name
