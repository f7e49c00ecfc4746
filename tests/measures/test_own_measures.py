"""Measures that users define: they work wherever a built-in one does, and what cannot be one is refused."""

import pickle

import numpy as np
import pytest
from samples import QRELS, RANKED, judged

import irkit
from irkit.errors import MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.measures import FAMILIES, Measure, P, parse_measure, parse_measures
from irkit.measures.names import families_named

pytestmark = pytest.mark.usefixtures("table_as_it_is")


def found_in_top(judged, cutoff, rel=1):
    """Relevant documents in the first ranks.

    And more that nobody asks for.
    """
    return judged.sum_by_topic((judged.rank <= cutoff) & (judged.grade >= rel))


def test_a_measure_of_ones_own_is_scored_by_its_name():
    mine = Measure.define("Mine", lambda judged, cutoff=None: judged.n_retrieved / 10, help="tenths of what came")
    assert mine == Measure("Mine") == parse_measure("Mine")
    found = irkit.evaluate(run=RANKED, qrels=QRELS, measures=["Mine@5", "Mine", "P@5"])
    # T1 to T4 retrieved 7, 3, 3 and no documents
    assert found.by_topic("Mine").tolist() == found.by_topic("Mine@5").tolist() == [0.7, 0.3, 0.3, 0.0]
    assert found.value(mine) == pytest.approx(1.3 / 4)
    assert [str(measure) for measure in found.measures] == ["Mine@5", "Mine", "P@5"]
    assert found.value("Mine", "T2") == 0.3


def test_its_parameters_are_those_of_its_function():
    mine = Measure.define("Mine", found_in_top)
    assert mine.family.help == "Relevant documents in the first ranks."
    assert [parameter.name for parameter in mine.family.parameters] == ["cutoff", "rel", "judged_only"]
    both = judged(RANKED, QRELS)
    for name, built_in in (("Mine@5", P @ 5), ("Mine(rel=2)@5", P(rel=2) @ 5)):
        assert str(parse_measure(name)) == name
        assert parse_measure(name)(both) == pytest.approx(5 * built_in(both))
    # without x the third document, a, is the second
    assert parse_measure("Mine(rel=3)@2")(both)[0] == 0.0
    assert parse_measure("Mine(rel=3,judged_only=True)@2")(both)[0] == 1.0
    assert parse_measures("Mine@5,10") == (mine @ 5, mine @ 10)
    with pytest.raises(MeasureError, match="Mine needs a cutoff, such as Mine@10"):
        parse_measure("Mine")
    with pytest.raises(MeasureError, match="the rel of Mine is a grade of at least 0; not -1"):
        mine(rel=-1)
    with pytest.raises(MeasureError, match="Mine takes cutoff, rel, judged_only; not 'p'"):
        parse_measure("Mine(p=0.5)@3")


def test_defaults_are_its_functions_own():
    def weighed(judged, *, p=0.5, gains=(), max_rel):
        gain = np.array([dict(gains).get(grade, grade) for grade in judged.grade.tolist()])
        return judged.sum_by_topic(gain / max_rel * p**judged.rank)

    Measure.define("Weighed", weighed)
    both = judged({"q": ["a", "b"]}, {"q": {"a": 1, "b": 2}})
    assert parse_measure("Weighed(max_rel=2)")(both) == pytest.approx([1 / 2 * 0.5 + 2 / 2 * 0.25])
    assert parse_measure("Weighed(max_rel=2,p=0.1)")(both) == pytest.approx([1 / 2 * 0.1 + 2 / 2 * 0.01])
    assert parse_measure("Weighed(max_rel=2,gains={1:2})")(both) == pytest.approx([2 / 2 * 0.5 + 2 / 2 * 0.25])
    assert str(parse_measure("Weighed(p=0.5,max_rel=2)")) == "Weighed(max_rel=2)"
    with pytest.raises(MeasureError, match=r"Weighed needs max_rel, such as Weighed\(max_rel=4\)"):
        parse_measure("Weighed")


def test_it_is_compared_and_reported_as_others_are():
    mine = Measure.define("Mine", found_in_top)
    counted = Measure.define("Counted", found_in_top, summary="sum", quality=False)
    qrels = {str(topic): {"a": 1} for topic in range(4)}
    one, two = (
        evaluate(run=dict.fromkeys(qrels, order), qrels=qrels, measures=[mine @ 1, counted @ 1], name=name)
        for name, order in (("one", ["x", "a"]), ("two", ["a", "x"]))
    )
    assert two.summary.tolist() == [1.0, 4.0]
    (test,) = irkit.compare([one, two]).tests
    assert (test.measure, test.mean_difference) == ("Mine@1", 1.0)
    table = irkit.render([one, two])
    assert "Mine@1  Counted@1" in table
    assert "two  1.0000          4" in table
    assert '"Mine@1"' in irkit.render([one], "json")
    assert [family.name for family in families_named("mine")] == ["Mine"]
    assert irkit.measures.Mine == mine
    with pytest.raises(MeasureError, match=r"did you mean 'Mine@3'\?"):
        parse_measure("mine@3")


def test_conventions_apply_where_it_is_a_share():
    qrels, run = {"1": {"a": 1}, "2": {"b": 0}}, {"1": ["a"], "2": ["b"]}
    Measure.define("Share", lambda judged: judged.sum_by_topic(judged.grade >= 1), normalised=True)
    for no_relevant, mean in (("zero", 1 / 2), ("one", 1.0), ("skip", 1.0), ("abstain", 1 / 2)):
        assert evaluate(run=run, qrels=qrels, measures="Share", no_relevant=no_relevant).value("Share") == mean


@pytest.mark.parametrize(
    "name", ["nDCG", "NDCG", "map", "ndcg_cut", "hit_rate", "P", "P_5", "rbp_p", "official", "alpha_nDCG", "R_cap"]
)
def test_a_name_that_is_taken_is_refused(name):
    if name == "rbp_p":  # which is like rbp_p=0.8 and means nothing by itself
        assert Measure.define(name, found_in_top) @ 3 == parse_measure("rbp_p@3")
        return
    with pytest.raises(MeasureError, match=f"{name} is the name of a measure already; choose another one"):
        Measure.define(name, found_in_top)


def test_a_name_is_defined_once():
    Measure.define("Mine", found_in_top)
    with pytest.raises(MeasureError, match="Mine is the name of a measure already"):
        Measure.define("Mine", lambda judged: judged.n_retrieved)


@pytest.mark.parametrize("name", ["", "my measure", "my-measure", "5", "P@5", "None", "a.b", "f()", "ﬁne", "x\0", 3])
def test_a_name_that_could_not_be_read_is_refused(name):
    with pytest.raises(MeasureError, match="is no name for a measure, which is a word such as Mine"):
        Measure.define(name, found_in_top)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (3, "Mine needs a function of the judged documents, not 3"),
        (lambda: 1, "the function of Mine takes the judged documents first"),
        (lambda *, cutoff: 1, "the function of Mine takes the judged documents first"),
        (lambda judged, depth: 1, "may take cutoff, rel, p, beta, max_rel, dcg, gains by name .*; not depth"),
        (lambda judged, **more: 1, r"by name beside the judged documents; not \*\*more"),
        (lambda judged, *more: 1, r"not \*more"),
        (lambda judged, cutoff=0: 1, "the cutoff of Mine is a whole number of at least 1; not 0"),
        (lambda judged, judged_only=True: 1, "need not take judged_only: every measure has it"),
    ],
)
def test_a_function_that_takes_something_else_is_refused(function, message):
    with pytest.raises(MeasureError, match=message):
        Measure.define("Mine", function)
    assert "Mine" not in FAMILIES


def test_a_summary_that_there_is_not_is_refused():
    with pytest.raises(MeasureError, match="the summary of Mine is mean, sum or geometric mean; not 'median'"):
        Measure.define("Mine", found_in_top, summary="median")


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda judged: judged.grade, r"Mine gives an array of shape \(10,\) for 4 topics; .* shape \(4,\)"),
        (lambda judged: 0.5, r"Mine gives 0.5 for 4 topics"),
        (lambda judged: None, r"Mine gives None for 4 topics"),
        (lambda judged: ["a"] * 4, "Mine gives list, not an array of numbers"),
        (
            lambda judged: [0.0, 0.0, float("nan"), 0.0],
            "Mine gives nan for topic 'T3'; say what it is there, such as 0",
        ),
        (lambda judged: [0.0, float("-inf"), float("nan"), 0.0], "Mine gives -inf for topic 'T2'"),
    ],
)
def test_a_result_that_is_no_number_for_each_topic_is_refused(result, message):
    mine = Measure.define("Mine", result)
    with pytest.raises(MeasureError, match=message):
        mine(judged(RANKED, QRELS))


def test_what_it_gives_belongs_to_it():
    kept = np.array([1.0, 2.0, 3.0, 4.0])
    values = Measure.define("Mine", lambda judged: kept)(judged(RANKED, QRELS))
    values[0] = 9.0
    assert kept[0] == 1.0
    assert Measure.define("Whole", lambda judged: judged.n_retrieved)(judged(RANKED, QRELS)).dtype == np.float64


@pytest.mark.parametrize(
    "values",
    [
        np.array([1j, 1, 1, 1]),
        np.ma.masked_array([1.0, 2, 3, 4]),
        np.array(["1", "2", "3", "4"]),
        [1e308] * 4,
        [10**400] * 4,
    ],
    ids=["complex", "masked", "text", "huge", "beyond"],
)
def test_what_is_no_number_of_a_usual_size_is_refused(values):
    mine = Measure.define("Mine", lambda judged: values)
    with pytest.raises(MeasureError, match="Mine gives"):
        mine(judged(RANKED, QRELS))


def test_two_names_that_end_in_a_digit_are_two_measures():
    Measure.define("Gain2", found_in_top)
    assert Measure.define("Gain3", found_in_top) != Measure("Gain2")
    with pytest.raises(MeasureError, match="unknown measure 'Gain4'; did you mean 'Gain"):
        parse_measure("Gain4")


def test_a_name_that_differs_in_case_alone_is_taken():
    with pytest.raises(MeasureError, match="Ap is the name of a measure already"):
        Measure.define("Ap", found_in_top)


def test_one_of_another_process_is_refused_where_it_is_not_defined():
    kept = pickle.dumps(Measure.define("Mine", found_in_top) @ 5)
    assert pickle.loads(kept) == Measure("Mine") @ 5
    del FAMILIES["Mine"]
    with pytest.raises(MeasureError, match="unknown measure 'Mine'"):
        pickle.loads(kept)
