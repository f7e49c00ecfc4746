"""Fusion: ranks and scores worked by hand, laws, and what is refused."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit.data.runs import Run, read_run
from irkit.errors import DataError, UsageError
from irkit.fusion import abstain, fuse, linear, prior_run, rrf


def a_run(**topics):
    """A run of topics given as rankings ("b a") or scores ({"a": 1.0})."""
    return Run.of({topic: ranked.split() if isinstance(ranked, str) else ranked for topic, ranked in topics.items()})


def ranking(run, topic="t"):
    return list(run.to_dict()[topic])


def scores(run, topic="t"):
    return run.to_dict()[topic]


def test_rrf_counts_ranks_from_one_and_an_absent_document_adds_nothing():
    fused = rrf([a_run(t="X a Y"), a_run(t="b c Y")])
    assert scores(fused) == pytest.approx({"Y": 2 / 63, "X": 1 / 61, "b": 1 / 61, "a": 1 / 62, "c": 1 / 62}, abs=0)
    assert ranking(fused) == ["Y", "b", "X", "c", "a"]


def test_rrf_takes_60_for_k_and_a_small_k_lifts_the_first_ranks():
    runs = [a_run(t="Y p q X"), a_run(t="r s t X")]
    assert scores(rrf(runs))["X"] == 2 / 64
    assert ranking(rrf(runs))[:3] == ["X", "r", "Y"]
    small = rrf(runs, k=1)
    assert (scores(small)["X"], scores(small)["Y"]) == (2 / 5, 1 / 2)
    assert ranking(small)[:3] == ["r", "Y", "X"]


def test_rrf_goes_by_score_and_then_document_id_not_by_the_order_given():
    fused = rrf([a_run(t={"a": 1.0, "b": 1.0, "c": 2.0})])
    assert scores(fused) == pytest.approx({"c": 1 / 61, "b": 1 / 62, "a": 1 / 63}, abs=0)


def test_weights_multiply_the_votes_of_their_run():
    fused = rrf([a_run(t="a b"), a_run(t="b a")], weights=[2, 1])
    assert scores(fused) == pytest.approx({"a": 2 / 61 + 1 / 62, "b": 2 / 62 + 1 / 61})


def test_a_run_of_weight_zero_is_left_out():
    only = rrf([a_run(t="a")], weights=[3])
    assert rrf([a_run(t="a"), a_run(t="z", u="z")], weights=[3, 0]).as_trec() == only.as_trec()


def test_topics_need_not_agree():
    fused = rrf([a_run(one="a"), a_run(two="b")])
    assert fused.to_dict() == {"one": {"a": 1 / 61}, "two": {"b": 1 / 61}}


def test_depth_limits_what_is_read_and_what_is_kept():
    fused = rrf([a_run(t="a b c"), a_run(t="d e c")], depth=2)
    assert ranking(fused) == ["d", "a"]


@pytest.mark.parametrize("weights", [None, [0.1, 0.2, 0.7]])
@pytest.mark.parametrize("method", ["rrf", "linear"])
def test_the_order_of_the_runs_does_not_change_a_byte(method, weights):
    runs = [
        a_run(t={"a": 0.1, "b": 0.7, "c": 0.3}, u="a b c"),
        a_run(t={"c": 0.2, "a": 0.15, "d": 0.9}),
        a_run(t={"d": 0.3, "b": 0.9, "a": 0.31}, v="z y x w"),
    ]
    given_weights = weights or ([1, 1, 1] if method == "linear" else None)
    texts = set()
    for order in permutations(range(3)):
        kept = None if given_weights is None else [given_weights[i] for i in order]
        texts.add(fuse([runs[i] for i in order], method, weights=kept).as_trec())
    assert len(texts) == 1


rankings = st.lists(st.permutations("abcdefgh").map(lambda p: p[:5]), min_size=2, max_size=5)


@given(rankings, st.randoms(use_true_random=False))
def test_rrf_of_shuffled_runs_is_the_same_run_and_reads_back_in_the_same_order(tmp_path_factory, lists, random):
    runs = [Run.of({"t": ranked}) for ranked in lists]
    fused = rrf(runs)
    random.shuffle(runs)
    assert rrf(runs).as_trec() == fused.as_trec()
    path = tmp_path_factory.mktemp("rrf") / "run"
    fused.write(path)
    assert read_run(path).to_dict() == fused.to_dict()
    assert ranking(read_run(path)) == ranking(fused)


def test_sum_of_three_runs_is_taken_at_once():
    runs = [a_run(t={"a": score}) for score in (0.1, 0.2, 0.3)]
    assert scores(linear(runs, weights=[1, 1, 1], normalise="none")) == {"a": 0.6}  # 0.1 + 0.2 + 0.3 is 0.6000...01


def test_min_max_spreads_the_scores_of_each_topic_from_zero_to_one():
    fused = linear([a_run(t={"a": 12.0, "b": 7.0, "c": 2.0}, u={"a": 5.0, "b": 1.0})], weights=[1])
    assert fused.to_dict() == {"t": {"a": 1.0, "b": 0.5, "c": 0.0}, "u": {"a": 1.0, "b": 0.0}}


def test_a_single_score_and_equal_scores_all_become_one():
    fused = linear([a_run(t={"d1": 5.0}), a_run(t={"d2": 0.9, "d1": 0.2})], weights=[1, 1])
    assert scores(fused) == {"d2": 1.0, "d1": 1.0}
    assert ranking(fused) == ["d2", "d1"]
    assert scores(linear([a_run(t={"a": 3.0, "b": 3.0})], weights=[1])) == {"b": 1.0, "a": 1.0}


def test_alpha_weighs_two_runs():
    dense, bm25 = a_run(t={"a": 0.9, "b": 0.5, "c": 0.1}), a_run(t={"b": 20.0, "d": 10.0})
    fused = linear([dense, bm25], weights=[0.75, 0.25])
    assert scores(fused) == {"a": 0.75, "b": 0.625, "d": 0.0, "c": 0.0}  # 0.75 * 0.5 + 0.25 * 1


def test_min_max_survives_scores_whose_spread_overflows():
    fused = linear([a_run(t={"a": 1.5e308, "b": 0.0, "c": -1.5e308})], weights=[1])
    assert scores(fused) == {"a": 1.0, "b": 0.5, "c": 0.0}


@pytest.mark.parametrize("normalise", ["min-max", "none"])
def test_an_infinite_score_is_refused_with_its_topic(normalise):
    with pytest.raises(DataError, match=r"run, topic 't7': a score is infinite"):
        linear([a_run(t7={"a": float("inf"), "b": 1.0})], weights=[1], normalise=normalise)


def test_a_sum_past_the_largest_number_is_refused_with_its_topic():
    with pytest.raises(DataError, match="document 'a' in topic 't' is not finite"):
        linear([a_run(t={"a": 1.7e308})] * 2, weights=[1, 1], normalise="none")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "1 weight for 2 runs"),
        ([1, -1], "weights must be finite"),
        ([0, 0], "weights must be finite"),
        ([1, float("nan")], "weights must be finite"),
        ([1, float("inf")], "weights must be finite"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, message):
    with pytest.raises(UsageError, match=message):
        rrf([a_run(t="a"), a_run(t="b")], weights=weights)


@pytest.mark.parametrize("k", [0, -1, float("nan"), float("inf")])
def test_k_of_rrf_is_above_zero(k):
    with pytest.raises(UsageError, match="k of rrf"):
        rrf([a_run(t="a")], k=k)


@pytest.mark.parametrize(
    ("method", "parameters", "message"),
    [
        ("rff", {}, "unknown fusion method 'rff'; did you mean 'rrf'?"),
        ("irs", {}, "unknown fusion method 'irs'; did you mean 'isr'?"),
        ("rrf", {"alpha": 1}, "rrf has no parameter 'alpha'; there are k, weights, depth, depth_in, tag"),
        ("linear", {"weight": [1]}, "linear has no parameter 'weight'; did you mean 'weights'?"),
        ("linear", {}, "linear needs weights, one for each run, or alpha for two runs"),
        ("linear", {"weights": [1], "normalise": "minmax"}, "unknown normalisation 'minmax'; did you mean 'min-max'?"),
        ("rrf", {"depth": 0}, "the depth of a fusion must be a whole number of at least 1, got 0"),
    ],
)
def test_a_misspelt_request_is_told_what_exists(method, parameters, message):
    with pytest.raises(UsageError) as caught:
        fuse([a_run(t="a")], method, **parameters)
    assert str(caught.value) == message


def test_nothing_to_fuse_is_refused_and_one_run_is_fused():
    with pytest.raises(UsageError, match="no run to fuse"):
        fuse([])
    assert ranking(fuse([a_run(t="b a")])) == ["b", "a"]


def test_a_prior_ranks_only_what_the_candidates_retrieved_and_has_a_weight():
    candidates = [a_run(t="a b c", u="x"), a_run(t="d b")]
    prior = prior_run(candidates, {"a": 5, "b": 40, "d": 0, "e": 1000}, tag="payments")
    assert prior.to_dict() == {"t": {"b": 40.0, "a": 5.0, "d": 0.0}}
    assert (prior.tag, prior.name) == ("payments", "payments")


def test_a_prior_is_one_more_voter():
    candidates = [a_run(t="a b"), a_run(t="b a")]
    fused = rrf([*candidates, prior_run(candidates, {"a": 2.0})])
    assert scores(fused)["a"] - scores(fused)["b"] == pytest.approx(1 / 61)


def test_a_prior_with_a_weight_that_is_not_finite_is_refused():
    with pytest.raises(DataError, match="weight of document 'a' is nan"):
        prior_run([a_run(t="a")], {"a": float("nan")})


def test_topics_with_too_little_evidence_return_nothing():
    run = a_run(at="a b", above="a", below="a", lacking="a")
    evidence = a_run(at={"z": 0.5, "y": 0.1}, above={"z": 0.9}, below={"z": 0.49}, other={"z": 1.0})
    kept = abstain(run, evidence, 0.5)
    assert kept.topics == ("above", "at")
    assert kept.to_dict()["at"] == run.to_dict()["at"]
    assert (kept.tag, kept.name) == (run.tag, run.name)


def test_a_floor_that_is_no_number_is_refused():
    with pytest.raises(UsageError, match="floor of abstain is nan"):
        abstain(a_run(t="a"), a_run(t="a"), float("nan"))


def test_runs_to_fuse_may_be_files_dicts_or_runs(tmp_path):
    run = a_run(t="a b")
    run.write(tmp_path / "one.run")
    given = rrf([tmp_path / "one.run", {"t": ["b", "c"]}, a_run(t="c")])
    assert given.as_trec() == rrf([run, a_run(t="b c"), a_run(t="c")]).as_trec()
    with pytest.raises(UsageError, match=r"runs to fuse come in a list"):
        rrf({"t": ["a"]})


@pytest.mark.parametrize("tag", ["", "a b", "a\tb", " a"])
def test_a_tag_is_one_word(tag):
    with pytest.raises(UsageError, match="the tag of a run is one word"):
        fuse([a_run(t="a")], tag=tag)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": "60"}, "k of rrf must be a finite number above 0, got '60'"),
        ({"k": True}, "k of rrf"),
        ({"k": 10**400}, "k of rrf"),
        ({"k": 1e17}, r"k=1e\+17 of rrf is so large that ranks of 2 documents tie"),
        ({"depth": 1.5}, "depth of a fusion must be a whole number of at least 1, got 1.5"),
        ({"weights": ["1", "2"]}, "weights must be finite numbers"),
        ({"weights": 1}, "weights come in a list"),
        ({"weights": "12"}, "weights come in a list"),
        ({"tag": 5}, "one word"),
        ({"method": ["rrf"]}, "unknown fusion method"),
        ({"method": "linear", "weights": None}, "linear needs weights"),
    ],
)
def test_parameters_of_another_kind_are_refused_in_words(wrong, message):
    with pytest.raises(UsageError, match=message):
        fuse([a_run(t="a b"), a_run(t="b a")], **wrong)


def test_runs_and_weights_may_come_one_by_one():
    runs = [a_run(t="a b"), a_run(t="b a")]
    fused = fuse((run for run in runs), weights=(weight for weight in (2, 1)))
    assert scores(fused) == scores(rrf(runs, weights=[2, 1]))
    for wrong in (5, None, runs[0]):
        with pytest.raises(UsageError, match="runs to fuse come in a list"):
            fuse(wrong)
