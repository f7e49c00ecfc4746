"""Every method of fusion against values worked by hand, and what each normalisation does at its edges."""

import re
from inspect import cleandoc, getdoc

import pytest
from worked_examples import computed

from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.fusion import METHODS, NORMALISATIONS, Training, fuse

EXAMPLE = re.compile(
    r"(Trained on (?P<trained>[^,:]+), r|R)uns (?P<runs>[^,:]+)(, (?P<normalise>[\w-]+))?: "
    r"(?P<method>\w+)\((?P<document>\w+)(, (?P<given>.+?))?\) = (?P<arithmetic>.+) = (?P<value>[-\d.]+)"
)


def a_run(**topics):
    """A run of topics given as rankings ("b a") or scores ({"a": 1.0})."""
    return Run.of({topic: ranked.split() if isinstance(ranked, str) else ranked for topic, ranked in topics.items()})


def scored(text):
    """The run `a=3 b=1` or `a b`, of topic t."""
    words = text.split()
    return a_run(t={one: float(score) for one, score in (word.split("=") for word in words)} if "=" in text else text)


def scores(run, topic="t"):
    return run.to_dict()[topic]


def ranking(run, topic="t"):
    return list(run.to_dict()[topic])


def trained_on(text):
    """The training `1 0 / 0 1 | 1 / 1`: for each run a list for each topic, 1 a relevant document."""
    runs, qrels = [], {}
    for number, lists in enumerate(text.split("|")):
        topics = {}
        for topic, marks in enumerate(lists.split("/")):
            documents = [f"r{number}d{rank}" for rank in range(len(marks.split()))]
            topics[str(topic)] = documents
            grades = qrels.setdefault(str(topic), {})
            grades |= {one: int(mark) for one, mark in zip(documents, marks.split(), strict=True)}
        runs.append(Run.of(topics))
    return Training(qrels, runs=runs)


def examples():
    for method in METHODS.values():
        text = getdoc(method.function).split("Examples\n--------\n")[1].split("\n\n")[0]
        for line in cleandoc(text).splitlines():
            yield method, line


@pytest.mark.parametrize(("method", "line"), list(examples()), ids=lambda one: str(getattr(one, "name", one))[:60])
def test_the_worked_example_of_each_method_holds(method, line):
    found = EXAMPLE.fullmatch(line)
    assert found, line
    assert found["method"] == method.name
    options = dict(re.findall(r"(\w+)=([\d.]+|\[.*?\])", found["given"] or ""))
    options = {name: eval(value, {}) for name, value in options.items()}
    if method.by == "scores":
        options["normalise"] = found["normalise"] or "min-max"
    if method.weights == "needed" and not options.keys() & {"weights", "alpha"}:
        options["weights"] = [1] * len(found["runs"].split("|"))
    if found["trained"]:
        options["training"] = trained_on(found["trained"])
    value = scores(fuse([scored(one) for one in found["runs"].split("|")], method.name, **options))[found["document"]]
    assert value == pytest.approx(computed(found["arithmetic"]), rel=1e-12, abs=1e-15)
    assert f"{value:.4f}".removesuffix(".0000") == found["value"].removesuffix(".0000")


def test_every_method_has_an_example_and_names_its_paper():
    assert {method.name for method, _ in examples()} == set(METHODS)
    for method in METHODS.values():
        assert re.search(r"References\n-+\n.*\b(19|20)\d\d\b", getdoc(method.function), re.S), method.name


# B50
def test_rrf_counts_ranks_from_one_and_an_absent_document_adds_nothing():
    fused = fuse([a_run(t="X a Y"), a_run(t="b c Y")], "rrf")
    assert scores(fused) == pytest.approx({"Y": 2 / 63, "X": 1 / 61, "b": 1 / 61, "a": 1 / 62, "c": 1 / 62}, abs=0)
    assert ranking(fused) == ["Y", "b", "X", "c", "a"]


# B51
def test_rrf_with_k_60_puts_the_shared_document_first_and_with_k_1_behind_the_first_ranks():
    runs = [a_run(t="Y p q X"), a_run(t="r s t X")]
    assert ranking(fuse(runs, "rrf"))[:3] == ["X", "r", "Y"]  # 2/64 = 0.03125 against 1/61 = 0.01639
    assert ranking(fuse(runs, "rrf", k=1))[:3] == ["r", "Y", "X"]  # 1/2 against 2/5
    text = fuse(runs, "rrf").as_trec()
    assert Run.from_bytes(text, "again").to_dict() == fuse(runs, "rrf").to_dict()


# B52
def test_a_single_result_and_equal_results_are_worth_1_by_min_max():
    runs = [a_run(t={"d1": 5.0}), a_run(t={"d2": 0.9, "d1": 0.2})]
    assert scores(fuse(runs, "combsum")) == {"d2": 1.0, "d1": 1.0}  # 1, and 1 + 0
    assert ranking(fuse(runs, "combsum")) == ["d2", "d1"]
    assert scores(fuse(runs, "combmnz")) == {"d1": 2.0, "d2": 1.0}
    assert scores(fuse(runs, "combsum", normalise="z-score")) == {"d2": 1.0, "d1": -1.0}  # and 0 from the single one


# B53
@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("combsum", 0.6),
        ("combmnz", 1.8),
        ("combanz", 0.2),
        ("combmed", 0.2),
        ("combmax", 0.3),
        ("combmin", 0.1),
    ],
)
def test_three_runs_are_fused_at_once(method, value):
    runs = [a_run(t={"a": score}) for score in (0.1, 0.2, 0.3)]
    assert scores(fuse(runs, method, normalise="none"))["a"] == pytest.approx(value, rel=1e-15)


def test_the_lowest_and_the_median_are_over_the_runs_that_found_the_document():
    runs = [a_run(t={"a": 0.5, "b": 9.0}), a_run(t={"b": 1.0}), a_run(t={"b": 3.0})]
    assert scores(fuse(runs, "combmin", normalise="none")) == {"b": 1.0, "a": 0.5}
    assert scores(fuse(runs, "combmed", normalise="none")) == {"b": 3.0, "a": 0.5}
    assert scores(fuse(runs, "combmax", normalise="none")) == {"b": 9.0, "a": 0.5}


def test_alpha_is_the_weight_of_the_first_of_two_runs():
    runs = [a_run(t={"a": 0.9, "b": 0.5, "c": 0.1}), a_run(t={"b": 20.0, "d": 10.0})]
    assert scores(fuse(runs, "linear", alpha=0.75)) == {"a": 0.75, "b": 0.625, "d": 0.0, "c": 0.0}
    assert fuse(runs, "linear", alpha=1).to_dict() == {"t": {"a": 1.0, "b": 0.5, "c": 0.0}}
    assert fuse(runs, "wsum", alpha=0.3).as_trec() == fuse(runs, "linear", weights=[0.3, 1 - 0.3]).as_trec()


def test_a_weight_of_wmnz_counts_as_so_many_runs():
    runs = [a_run(t={"a": 1.0, "b": 0.5}), a_run(t={"a": 0.25})]
    # a (1 + 0.25) * (2 + 3), b 0.5 * 2
    assert scores(fuse(runs, "wmnz", normalise="none", weights=[2, 3])) == {"a": 6.25, "b": 1.0}


def test_borda_gives_to_absent_documents_the_mean_of_the_points_that_are_left():
    # 5 candidates. The first run has 5, 4, 3 for a b c; 2 and 1 are left for d and e: 1.5 each. The second has 5 and 4
    # for d and a; 3, 2, 1 are left for b, c, e: 2 each. The third has none of them: (5 - 0 + 1) / 2 = 3 each, but it
    # lacks e as well, which the fourth gives 5 and the others (5 - 1 + 1) / 2 = 2.5.
    runs = [a_run(t="a b c"), a_run(t="d a"), a_run(u="z"), a_run(t="e")]
    assert scores(fuse(runs, "borda")) == {
        "a": 5 + 4 + 3 + 2.5,
        "b": 4 + 2 + 3 + 2.5,
        "c": 3 + 2 + 3 + 2.5,
        "d": 1.5 + 5 + 3 + 2.5,
        "e": 1.5 + 2 + 3 + 5,
    }


def test_a_document_that_beats_all_others_comes_first_though_another_has_more_points():
    # a beats b and c by 3 votes to 2. By Borda's count a has 3 * 3 + 2 * 1 = 11 points, b 3 * 2 + 2 * 3 = 12.
    runs = [a_run(t="a b c")] * 3 + [a_run(t="b c a")] * 2
    assert ranking(fuse(runs, "borda")) == ["b", "a", "c"]
    assert scores(fuse(runs, "condorcet")) == {"a": 2.0, "b": 1.0, "c": 0.0}


def test_majorities_in_a_circle_tie_and_the_document_id_decides():
    runs = [a_run(t="a b c"), a_run(t="b c a"), a_run(t="c a b")]
    assert scores(fuse(runs, "condorcet")) == {"c": 1.0, "b": 1.0, "a": 1.0}
    assert ranking(fuse(runs, "condorcet")) == ["c", "b", "a"]


def test_an_absent_document_loses_to_those_found_and_two_absent_ones_get_no_vote():
    # a-b 1:1, a-c 1:1, a-d 1:1, b-c 1:0 (the other two runs have neither), b-d 1:1, c-d 1:1.
    runs = [a_run(t="a"), a_run(t="b c"), a_run(t="d")]
    assert scores(fuse(runs, "condorcet")) == {
        "b": 1 + 0.5 + 0.5,
        "d": 0.5 * 3,
        "a": 0.5 * 3,
        "c": 0.5 * 2,
    }


def test_weights_of_a_tenth_and_two_tenths_balance_three_tenths():
    runs = [a_run(t="a b"), a_run(t="a b"), a_run(t="b a")]
    assert scores(fuse(runs, "condorcet", weights=[0.1, 0.2, 0.3])) == {"b": 0.5, "a": 0.5}
    assert scores(fuse(runs, "condorcet", weights=[0.1, 0.2, 0.31])) == {"b": 1.0, "a": 0.0}


@pytest.mark.parametrize("n_runs", [127, 128, 129, 300])
def test_so_many_votes_are_counted(n_runs):
    runs = [a_run(t="a b")] * n_runs
    assert scores(fuse(runs, "condorcet")) == {"a": 1.0, "b": 0.0}
    assert scores(fuse([*runs, *[a_run(t="b a")] * n_runs], "condorcet")) == {"a": 0.5, "b": 0.5}


def test_an_election_of_more_candidates_than_are_compared_at_once(monkeypatch):
    runs = [a_run(t=" ".join(map(str, range(100, 140)))), a_run(t=" ".join(map(str, range(139, 119, -1))))]
    whole = fuse(runs, "condorcet").as_trec()
    monkeypatch.setattr("irkit.fusion.elections.PAIRS", 90)
    assert fuse(runs, "condorcet").as_trec() == whole


def normal(how, *found):
    """The normalised scores of one run, which CombSUM of it alone are."""
    return [scores(fuse([a_run(t=dict(found))], "combsum", normalise=how))[document] for document, _ in found]


FOUR = (("a", 10.0), ("b", 4.0), ("c", 4.0), ("d", 2.0))


@pytest.mark.parametrize(
    ("how", "values"),
    [
        ("none", [10, 4, 4, 2]),
        ("min-max", [1, 0.25, 0.25, 0]),  # (4 - 2) / (10 - 2)
        ("min-max-inverted", [0, 0.75, 0.75, 1]),
        ("max", [1, 0.4, 0.4, 0.2]),
        ("sum", [8 / 12, 2 / 12, 2 / 12, 0]),  # 8 + 2 + 2 + 0 = 12
        ("z-score", [5 / 9**0.5, -1 / 9**0.5, -1 / 9**0.5, -3 / 9**0.5]),  # mean 5, variance (25 + 1 + 1 + 9) / 4 = 9
        ("rank", [1, 0.5, 0.75, 0.25]),  # c before b by id
        ("borda", [1, 0.5, 0.75, 0.25]),
    ],
)
def test_a_normalisation_of_four_scores(how, values):
    assert normal(how, *FOUR) == pytest.approx(values, rel=1e-12, abs=1e-15)


def test_borda_gives_points_to_absent_documents_too():
    # 4 candidates; the second run found 1: 1 to d, and to a, b, c 1/2 - 0/8 each
    fused = fuse([a_run(t="a b c"), a_run(t="d")], "combsum", normalise="borda")
    # first run: 1, 3/4, 1/2, and 1/2 - 2/8 for d
    assert scores(fused) == {"a": 1.5, "b": 1.25, "c": 1.0, "d": 1.25}


@pytest.mark.parametrize(
    ("how", "equal", "single", "zeros"),
    [
        ("none", 3.0, 3.0, 0.0),
        ("min-max", 1.0, 1.0, 1.0),
        ("min-max-inverted", 1.0, 1.0, 1.0),
        ("max", 1.0, 1.0, 0.0),
        ("sum", 0.5, 1.0, 0.5),
        ("z-score", 0.0, 0.0, 0.0),
    ],
)
def test_equal_scores_and_a_single_one_are_finite_by_a_rule(how, equal, single, zeros):
    assert normal(how, ("a", 3.0), ("b", 3.0)) == [equal, equal]
    assert normal(how, ("a", 3.0)) == [single]
    assert normal(how, ("a", 0.0), ("b", -0.0)) == [zeros, zeros]


def test_no_normalisation_turns_the_order_of_negative_scores_but_the_inverted_one():
    found = (("a", -1.0), ("b", -2.0), ("c", -4.0))
    assert normal("max", *found) == [-0.25, -0.5, -1.0]
    for how in NORMALISATIONS:
        values = normal(how, *found)
        assert values == sorted(values, reverse=how != "min-max-inverted"), how


@pytest.mark.parametrize("how", [how for how in NORMALISATIONS if how != "none"])
def test_scores_near_the_largest_number_are_normalised(how):
    values = normal(how, ("a", 1.7e308), ("b", 0.0), ("c", -1.7e308))
    assert values == sorted(values, reverse=how != "min-max-inverted")
    expected = {"min-max": 0.5, "min-max-inverted": 0.5, "max": 0.0, "sum": 1 / 3, "z-score": 0.0}
    assert values[1] == pytest.approx(expected.get(how, 2 / 3), abs=1e-15)


@pytest.mark.parametrize("how", [one.name for one in NORMALISATIONS.values() if one.by == "scores"])
def test_an_infinite_score_is_refused_with_run_and_topic(how):
    run = Run.of({"t6": {"a": 1.0}, "t7": {"a": float("inf"), "b": 1.0}}, "bm25")
    with pytest.raises(DataError, match=r"bm25, topic 't7': a score is infinite"):
        fuse([a_run(t7="a"), run], "combsum", normalise=how)


def test_an_infinite_score_past_the_depth_that_is_read_or_by_rank_is_no_matter():
    run = a_run(t={"a": 1.0, "b": float("-inf")})
    assert ranking(fuse([run], "combsum", depth_in=1)) == ["a"]
    assert ranking(fuse([run], "combsum", normalise="rank")) == ["a", "b"]
    assert ranking(fuse([run], "isr")) == ["a", "b"]


def test_a_fused_score_past_the_largest_number_is_refused():
    with pytest.raises(DataError, match="document 'a' in topic 't' is not finite"):
        fuse([a_run(t={"a": 1.7e308})] * 2, "combsum", normalise="none")
    assert scores(fuse([a_run(t={"a": 1.7e308})] * 2, "combmed", normalise="none")) == {"a": 1.7e308}


def test_depth_in_is_what_is_read_and_depth_what_is_kept():
    runs = [a_run(t="a b c"), a_run(t="d e c")]
    assert ranking(fuse(runs, "rrf", depth=2)) == ["d", "a"]
    assert ranking(fuse(runs, "rrf", depth=2, depth_in=3)) == ["c", "d"]
    assert ranking(fuse(runs, "rrf", depth=10, depth_in=1)) == ["d", "a"]


def test_a_document_cut_off_is_not_part_of_the_normalisation():
    assert normal("min-max", *FOUR)[1] == 0.25
    cut = fuse([a_run(t=dict(FOUR))], "combsum", depth_in=3)
    assert scores(cut) == {"a": 1.0, "c": 0.0, "b": 0.0}


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("combmzn", {}, "unknown fusion method 'combmzn'; did you mean 'combmnz'?"),
        ("combsum", {"weights": [1]}, "combsum has no parameter 'weights'; there are normalise, depth, depth_in, tag"),
        ("rrf", {"normalise": "max"}, "rrf has no parameter 'normalise'; there are k, weights, depth, depth_in, tag"),
        ("rbc", {"ph": 1}, "rbc has no parameter 'ph'; did you mean 'phi'?"),
        ("rbc", {"phi": 1}, "phi of rbc must be a number between 0 and 1, got 1"),
        ("combgmnz", {}, "combgmnz needs gamma, a number from -100 to 100: how much it counts that several runs found "
         "a document: 0 nothing, 1 as in CombMNZ"),
        ("combgmnz", {"gamma": "1"}, "gamma of combgmnz must be a number from -100 to 100, got '1'"),
        ("logn_isr", {"sigma": 0}, "sigma of logn_isr must be a finite number of at least 1e-09, got 0"),
        ("linear", {"alpha": 1.5}, "alpha of linear must be a number from 0 to 1, got 1.5"),
        ("linear", {"alpha": 0.5}, "alpha weighs two runs, and there is 1; give weights"),
        ("linear", {"alpha": 0.5, "weights": [1]}, "alpha takes the place of weights; give one of them"),
        ("mixed", {}, "mixed needs weights, one for each run"),
        ("wsum", {"normalise": "minmax", "weights": [1]}, "unknown normalisation 'minmax'; did you mean 'min-max'?"),
        ("probfuse", {"n_segments": 2.0}, "n_segments of probfuse must be a whole number from 1 to 10000, got 2.0"),
        ("slidefuse", {"w": True}, "w of slidefuse must be a whole number from 0 to 1000, got True"),
        ("posfuse", {}, "posfuse needs training (training=Training(QRELS, ...))"),
        ("rrf", {"training": Training({"t": {"a": 1}})}, "rrf has no parameter 'training'; there are k, weights, "
         "depth, depth_in, tag"),
        ("rrf", {"depth_in": 0}, "the depth_in of a fusion must be a whole number of at least 1, got 0"),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_is_told_why(method, options, message):
    with pytest.raises(UsageError) as caught:
        fuse([a_run(t="a")], method, **options)
    assert str(caught.value) == message


def test_all_names_of_ranx_are_understood():
    theirs = [
        *("min", "max", "med", "sum", "anz", "mnz", "gmnz", "isr", "log_isr", "logn_isr", "rrf", "rbc", "posfuse"),
        *("probfuse", "segfuse", "slidefuse", "mapfuse", "bayesfuse", "bordafuse", "w_bordafuse", "condorcet"),
        *("w_condorcet", "mixed", "wmnz", "wsum"),
    ]
    assert len(theirs) == 25
    ours = [name for method in METHODS.values() for name in (method.name, *method.aliases)]
    assert len(ours) == len(set(ours))
    assert set(theirs) <= set(ours)
    normalisations = {name for one in NORMALISATIONS.values() for name in (one.name, *one.aliases)}
    assert {"min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda"} <= normalisations
