"""`import irkit.pytrec_eval as pytrec_eval` moves a code base over: held against pytrec-eval-terrier itself."""

import inspect
import math
from collections import OrderedDict, defaultdict

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import irkit.pytrec_eval as ours
from irkit.evaluation.scoring import evaluate

theirs = pytest.importorskip("pytrec_eval")

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2, "d4": -1}, "q2": {"d1": 1}, "q3": {}, "q4": {"a": 0}}
RUN = {"q9": {"a": 1.0}, "q4": {"a": 1.0, "b": 2.0}, "q1": {"d1": 1.0, "d2": 2.0, "x": 1.5, "d4": 0.2}}
OPEN_TO_NAN = ("iprec_at_recall", "11pt_avg")  # 0 / 0 there where nothing is retrieved
many = settings(max_examples=60, deadline=None, database=None)

IDS = [
    *"abcdefghij",
    "B",
    "10",
    "9",
    "é",
    "\U0001f600",
    "\uffff",
    "été5",
    "two words",
    "Doc_2",
    *(f"d{place}" for place in range(20)),
]
# Ties, scores that a 32-bit float does not tell apart, the ends of its range and beyond, whole numbers.
SCORES = st.sampled_from(
    [0.0, -0.0, 1.0, 1.5, -1.0, 16.0, 16.0000001, 16.0000002, 16.000002, 1e38, 1e300, -1e300, 2, -3]
)
SCORES |= st.floats(allow_nan=False)


def nested(values, most):
    documents = st.dictionaries(st.sampled_from(IDS), values, max_size=most)
    return st.dictionaries(st.sampled_from(["1", "10", "2", "q", "é"]), documents, min_size=1, max_size=5)


def cutoffs(name):
    return st.sets(st.integers(1, 60), min_size=1, max_size=4).map(lambda some: f"{name}_{','.join(map(str, some))}")


def levels(name, highest=300):
    hundredths = st.sets(st.integers(0, highest), min_size=1, max_size=4)
    return hundredths.map(lambda some: f"{name}.{','.join(f'{one / 100:.2f}' for one in some)}")


ASKED = st.one_of(
    st.sampled_from(sorted(theirs.supported_measures)),
    *map(cutoffs, ("P", "recall", "ndcg_cut", "map_cut", "relative_P", "success")),
    *(levels("iprec_at_recall"), levels("Rprec_mult"), levels("11pt_avg", 100)),
    st.integers(1, 400).map(lambda one: f"set_F_{one / 100:.2f}"),
    st.just("utility.1,2,3,4"),
)


def assert_the_same(qrels, run, measures, level=1, judged_only=False):
    found = ours.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run)
    expected = theirs.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run)
    assert list(found) == list(expected)
    for topic, values in expected.items():
        assert list(found[topic]) == list(values)
        for name, value in values.items():
            assert type(found[topic][name]) is float
            if math.isnan(value) and name.startswith(OPEN_TO_NAN):
                value = 0.0
            assert found[topic][name] == pytest.approx(value, abs=1e-12, rel=1e-12), (topic, name)


@many
@given(
    qrels=nested(st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3, 12]), 20),
    run=nested(SCORES, 30),
    level=st.integers(1, 3),
    judged_only=st.booleans(),
)
def test_every_measure_has_the_same_value(qrels, run, level, judged_only):
    assume(all(not judged or max(judged.values()) >= 0 for judged in qrels.values()))  # it stops, see below
    run = {topic: documents for topic, documents in run.items() if documents}  # it stops here too
    assert_the_same(qrels, run, ours.supported_measures, level, judged_only)


@many
@given(qrels=nested(st.integers(0, 3), 20), run=nested(SCORES, 30), measures=st.lists(ASKED, max_size=8))
def test_measures_with_parameters_have_the_same_keys_and_values(qrels, run, measures):
    assume(sum(name.startswith("set_F") for name in measures) < 2)  # of two it drops one, see below
    assume(sum(name.startswith("11pt") for name in measures) < 2)
    assert_the_same(qrels, {topic: documents for topic, documents in run.items() if documents}, measures)


@pytest.mark.parametrize(
    "measures",
    [
        *([], ["map"], ("map", "P_5", "map"), ["official"], ["all_trec", "set"], ["P", "P_5"], ["P_3", "official"]),
        *(["P_5", "P.7", "P.1,2"], ["ndcg_cut.3", "ndcg"], ["map_5"], ["recip_rank_10"], ["P_5.5"], ["P_05"]),
        *(["iprec_at_recall_0.10"], ["Rprec_mult_0.20"], ["Rprec_mult.1"], ["set_F.2"], ["relstring_5"], ["runid"]),
    ],
    ids=str,
)
def test_names_mean_the_same(measures):
    assert_the_same(QRELS, RUN, measures)


def test_names_and_arguments_are_the_same():
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames
    assert set(theirs.__all__) < set(ours.__all__)
    for name in ("parse_run", "parse_qrel", "compute_aggregated_measure", "RelevanceEvaluator"):
        of_ours, of_theirs = (inspect.signature(getattr(module, name)).parameters for module in (ours, theirs))
        assert [(one.name, one.default) for one in of_ours.values()] == [
            (one.name, one.default) for one in of_theirs.values()
        ]
    of_ours, of_theirs = (inspect.signature(module.RelevanceEvaluator.evaluate) for module in (ours, theirs))
    assert list(of_ours.parameters) == list(of_theirs.parameters)


def test_a_known_answer():
    # d2 (0), x, d1 (1), d4 (-1): one of two relevant documents, at rank 3
    (found,) = ours.RelevanceEvaluator({"q1": QRELS["q1"]}, {"map", "gm_map", "P_5", "num_rel"}).evaluate(RUN).values()
    assert found == {"num_rel": 2.0, "map": 1 / 3 / 2, "gm_map": math.log(1 / 6), "P_5": 1 / 5}


def test_topics_come_in_the_order_of_the_run_and_only_those_that_both_have():
    evaluator = ours.RelevanceEvaluator({"b": {"d": 1}, "a": {"d": 1}, "c": {"d": 1}, "e": {}}, ["map"])
    assert list(evaluator.evaluate({"c": {"d": 1.0}, "e": {"d": 1.0}, "a": {"d": 1.0}, "z": {"d": 1.0}})) == ["c", "a"]
    assert evaluator.evaluate({"z": {"d": 1.0}}) == {}
    assert evaluator.evaluate({}) == {}
    assert ours.RelevanceEvaluator({}, ["map"]).evaluate(RUN) == {}


def test_an_evaluator_serves_many_runs_and_does_not_see_later_changes():
    qrels = {"q": {"d": 0}}
    evaluator = ours.RelevanceEvaluator(qrels, ["map", "utility_1,-1,0,0"])
    qrels["q"]["d"] = 1
    first = evaluator.evaluate({"q": {"d": 1.0}})
    assert first == {"q": {"map": 0.0, "utility": -1.0}} == evaluator.evaluate({"q": {"d": 1.0}})


@pytest.mark.parametrize(
    "kind",
    [OrderedDict, lambda pairs: defaultdict(dict, pairs), type("Mine", (dict,), {})],
    ids=["ordered", "default", "own"],
)
def test_every_kind_of_dict_will_do(kind):
    run = kind({topic: kind(documents) for topic, documents in RUN.items()})
    qrels = kind({topic: kind(documents) for topic, documents in QRELS.items()})
    assert_the_same(qrels, run, ["map", "ndcg", "num_ret"])


def bad_calls(module):
    """What both refuse."""

    def evaluator(qrels=QRELS, measures=("map",), **options):
        return module.RelevanceEvaluator(qrels, measures, **options)

    return {
        "unknown measure": lambda: evaluator(measures=["mapp"]),
        "ir_measures' name": lambda: evaluator(measures=["nDCG@10"]),
        "one text": lambda: evaluator(measures="map"),
        "nothing after the point": lambda: evaluator(measures=["P."]),
        "nickname with a parameter": lambda: evaluator(measures=["official_5"]),
        "nickname of another form": lambda: evaluator(measures=["prefs"]),
        "measure of version 10": lambda: evaluator(measures=["rbp"]),
        "negative cutoff": lambda: evaluator(measures=["P_-5"]),
        "measure that is no text": lambda: evaluator(measures=[5]),
        "no measures": lambda: evaluator(measures=None),
        "level of 0": lambda: evaluator(relevance_level=0),
        "level with a fraction": lambda: evaluator(relevance_level=1.0),
        "level that is text": lambda: evaluator(relevance_level="1"),
        "flag that is text": lambda: evaluator(judged_docs_only_flag="yes"),
        "topic that is a number": lambda: evaluator({1: {"d1": 1}}),
        "document that is a number": lambda: evaluator({"1": {1: 1}}),
        "grade with a fraction": lambda: evaluator({"q1": {"d1": 1.5}}),
        "grade that is text": lambda: evaluator({"q1": {"d1": "1"}}),
        "no grade": lambda: evaluator({"q1": {"d1": None}}),
        "topic with a list of documents": lambda: evaluator({"q1": ["d1"]}),
        "topic with nothing": lambda: evaluator({"q1": None}),
        "topic of a run that is a number": lambda: evaluator().evaluate({1: {"d1": 1.0}}),
        "topic of a run in bytes": lambda: evaluator().evaluate({b"q1": {"d1": 1.0}}),
        "document of a run that is a number": lambda: evaluator().evaluate({"q1": {1: 1.0}}),
        "score that is text": lambda: evaluator().evaluate({"q1": {"d1": "1"}}),
        "score in a topic that is not judged": lambda: evaluator().evaluate({"q1": {"d1": 1.0}, "z": {"a": "x"}}),
        "no score": lambda: evaluator().evaluate({"q1": {"d1": None}}),
        "run of lists": lambda: evaluator().evaluate({"q1": ["d1"]}),
        "run that is a list": lambda: evaluator().evaluate(["q1"]),
        "run line with five fields": lambda: module.parse_run(["q 0 d 1 2.0"]),
        "run line with seven": lambda: module.parse_run(["q 0 d 1 2.0 t more"]),
        "blank run line": lambda: module.parse_run(["q 0 d 1 2.0 t", "\n"]),
        "score of a line": lambda: module.parse_run(["q 0 d 1 x t"]),
        "document twice in a run": lambda: module.parse_run(["q 0 d 1 2.0 t", "q 0 d 2 1.0 t"]),
        "run of nothing": lambda: module.parse_run(None),
        "qrels line with five fields": lambda: module.parse_qrel(["q 0 d 1 2"]),
        "grade of a line": lambda: module.parse_qrel(["q 0 d 1.0"]),
        "document twice in qrels": lambda: module.parse_qrel(["q 0 d 1", "q 1 d 1"]),
        "mean of texts": lambda: module.compute_aggregated_measure("map", ["a"]),
        "mean of None": lambda: module.compute_aggregated_measure("map", [None]),
    }


@pytest.mark.parametrize("call", bad_calls(ours))
def test_what_is_wrong_raises_the_same_type(call):
    with pytest.raises((TypeError, ValueError, AssertionError)) as of_theirs:
        bad_calls(theirs)[call]()
    expected = next(kind for kind in (TypeError, ValueError, AssertionError) if isinstance(of_theirs.value, kind))
    with pytest.raises(expected):
        bad_calls(ours)[call]()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("unknown measure", "unsupported measure 'mapp'; did you mean 'map'?"),
        ("one text", "measures are a list or set of names, such as ['map'], not one text"),
        ("score that is text", "scores: the score of document 'd1' in topic 'q1' is '1'; a score is a number"),
        ("grade with a fraction", "query_relevance: the grade of document 'd1' in topic 'q1' is 1.5"),
        ("run of lists", "scores: topic 'q1' holds a list, not a dict of documents"),
        (
            "run line with five fields",
            "line 1: expected 6 fields, found 5: 'q 0 d 1 2.0'. A line is 'topic Q0 document",
        ),
        ("document twice in a run", "line 2: document 'd' occurs twice in topic 'q'; keep one of them"),
        ("grade of a line", "line 1: the grade '1.0' is not a whole number; round it or map it to one"),
    ],
)
def test_what_is_wrong_is_said(call, message):
    with pytest.raises((TypeError, ValueError, AssertionError)) as problem:
        bad_calls(ours)[call]()
    assert str(problem.value).startswith(message)


def test_numpys_numbers_are_numbers():
    # there a TypeError, which is what users stumble over most
    for score, grade in ((np.float32(0.5), np.int64(1)), (np.int64(3), np.int32(1)), (np.float64(0.5), True), (1, 1.0)):
        evaluator = ours.RelevanceEvaluator({"q": {"d": grade}}, {"recip_rank"})
        assert evaluator.evaluate({"q": {"d": score, "e": 0.0}}) == {"q": {"recip_rank": 1.0}}
    with pytest.raises(TypeError):
        theirs.RelevanceEvaluator({"q": {"d": np.int64(1)}}, {"map"})


@pytest.mark.parametrize("score", [True, math.nan], ids=str)
def test_a_bool_or_nan_is_no_score(score):
    # there True is 1, and nan equals every score, so that the order depends on where it stands
    with pytest.raises(TypeError, match=r"the score of document 'd1' in topic 'q1' is (True|nan)"):
        ours.RelevanceEvaluator(QRELS, {"map"}).evaluate({"q1": {"d1": score, "d2": 1.0}})


def test_nothing_retrieved_is_zero_where_it_is_nan_there():
    measures = {"iprec_at_recall", "11pt_avg", "P_5"}
    expected = theirs.RelevanceEvaluator(QRELS, measures).evaluate({"q1": {}})["q1"]
    found = ours.RelevanceEvaluator(QRELS, measures).evaluate({"q1": {}})["q1"]
    # Whether the first level is nan too depends on what was asked for before in the same process.
    nans = {name for name, value in expected.items() if math.isnan(value)}
    assert nans - {"iprec_at_recall_0.00"} == {"11pt_avg"}
    assert found == dict.fromkeys(expected, 0.0)


def test_the_order_of_utilitys_weights_is_the_one_given():
    # there parameters are sorted as text and taken once: 4,3,2,1 becomes 1,2,3,4, and 1,0,0,0 two numbers
    # q1: of 4 retrieved 1 is relevant, of 2 relevant 1 is not retrieved, and 0 + 1 - 4 - 2 are neither
    def utility(module, weights):
        return module.RelevanceEvaluator(QRELS, {f"utility.{weights}"}).evaluate(RUN)["q1"]["utility"]

    assert utility(ours, "4,3,2,1") == 4 + 9 + 2 - 5
    assert utility(theirs, "4,3,2,1") == utility(ours, "1,2,3,4") == 1 + 6 + 3 - 20
    assert utility(ours, "1,0,0,0") == 1.0
    with pytest.raises(ValueError, match="utility takes four numbers"):
        utility(ours, "1,2")


@pytest.mark.parametrize("measures", [["set_F_0.5", "set_F_2"], ["set_F.0.5,2"], ["P_5xyz"]], ids=str)
def test_what_would_be_dropped_in_silence_is_refused(measures):
    # there the first number stands for all
    with pytest.raises(ValueError, match=r"set_F|5xyz"):
        ours.RelevanceEvaluator(QRELS, measures)


def test_what_stops_the_interpreter_there_is_an_answer_here_or_an_error():
    one = {"q": {"d": 1.0, "e": 2.0}}
    assert ours.RelevanceEvaluator({"q": {"d": 1}}, {"P_5,05"}).evaluate(one) == {"q": {"P_5": 0.2}}
    assert ours.RelevanceEvaluator({"q": {"d": 1}}, {"ndcg.1=3"}).evaluate(one) == {
        "q": {"ndcg": pytest.approx(1 / math.log2(3))}
    }
    assert ours.RelevanceEvaluator({"q": {"d": -1}}, {"map", "bpref"}).evaluate(one) == {
        "q": {"map": 0.0, "bpref": 0.0}
    }
    every = ours.RelevanceEvaluator({"q": {"d": 1}}, ours.supported_measures).evaluate({"q": {}})["q"]
    assert {name for name, value in every.items() if value} == {"num_q", "num_rel", "gm_map", "gm_bpref"}
    for bad in ("ndcg_10", "P_0"):
        with pytest.raises(ValueError, match="unsupported measure"):
            ours.RelevanceEvaluator({"q": {"d": 1}}, {bad})
    with pytest.raises(TypeError, match="at least 1, not -1"):
        ours.RelevanceEvaluator({"q": {"d": 1}}, {"map"}, relevance_level=-1)


def test_an_id_is_whole_where_it_holds_a_nul():
    # there it ends before it, so that these two are one
    assert ours.RelevanceEvaluator({"q": {"a\0b": 1}}, {"map"}).evaluate({"q": {"a\0c": 1.0}}) == {"q": {"map": 0.0}}


LINES = ["q 0 b 1 2.5 t\n", "\tp Q0  é 7 -1e3 t\r\n", "q 0 a 2 2 t", "q 0 c 2 .5 t", "q 0 d 2 inf t"]


def test_runs_and_qrels_are_read_alike(tmp_path):
    found, expected = ours.parse_run(LINES), theirs.parse_run(LINES)
    assert (found, type(found)) == (expected, type(expected))
    assert [list(documents) for documents in found.values()] == [["b", "a", "c", "d"], ["é"]]
    lines = [
        f"{topic} {iteration} {document} {grade}"
        for topic, iteration, document, _, grade, _ in map(str.split, LINES[2:3])
    ]
    lines += ["q 0 x -2\r\n", "  p\tQ0 é +3\n"]
    found, expected = ours.parse_qrel(lines), theirs.parse_qrel(lines)
    assert (found, type(found)) == (expected, type(expected))
    (tmp_path / "run").write_text("".join(LINES[:2]), encoding="utf-8")
    with (tmp_path / "run").open(encoding="utf-8") as file:
        assert ours.parse_run(file) == {"q": {"b": 2.5}, "p": {"é": -1000.0}}


@given(
    values=st.lists(st.floats(-20, 0), min_size=1), name=st.sampled_from(["map", "gm_map", "num_ret", "P_5", "mine"])
)
def test_values_of_topics_are_put_together_alike(values, name):
    assert ours.compute_aggregated_measure(name, values) == theirs.compute_aggregated_measure(name, values)


def test_values_may_be_any_iterable_and_none_at_all():
    assert ours.compute_aggregated_measure("map", {"q": 0.5, "p": 0.25}.values()) == 0.375
    assert ours.compute_aggregated_measure("gm_map", iter([math.log(0.5), math.log(0.125)])) == pytest.approx(0.25)
    assert ours.compute_aggregated_measure("num_ret", []) == 0.0
    assert math.isnan(ours.compute_aggregated_measure("map", []))  # with a warning there


def test_put_together_they_are_the_summary_of_evaluate():
    names = ["map", "gm_map", "num_rel", "ndcg_cut_10", "P_5"]
    values = ours.RelevanceEvaluator(QRELS, names).evaluate(RUN)
    summary = evaluate(run=RUN, qrels=QRELS, measures=names, rules="trec_eval-9", average="intersection")
    for name in names:
        together = ours.compute_aggregated_measure(name, [of_topic[name] for of_topic in values.values()])
        assert together == pytest.approx(summary.value(name), abs=1e-12)
