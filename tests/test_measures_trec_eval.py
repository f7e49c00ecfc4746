"""trec_eval's own expected outputs and answers, to every printed digit."""

import json

import pytest

from irkit.evaluation import evaluate, evaluation_of
from irkit.judged import judge
from irkit.measures import parse_measures
from irkit.qrels import read_qrels
from irkit.rules import Conventions, rules_named
from irkit.runs import read_run

NAMES = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "P", "recall", "ndcg"),
    *("ndcg_cut", "map_cut", "success", "set_P", "set_recall", "set_F"),
)


@pytest.mark.parametrize(
    ("qrels", "run", "average", "rel", "expected"),
    [
        ("qrels.test", "results.test", "intersection", 1, "out.test"),
        ("qrels.test", "results.test", "intersection", 1, "out.test.a"),
        ("qrels.test", "results.test", "intersection", 1, "out.test.aq"),
        ("qrels.test", "results.trunc", "judged", 1, "out.test.aqc"),
        ("qrels.rel_level", "results.test", "intersection", 2, "out.test.aql"),
    ],
)
def test_the_printed_digits_are_those_of_trec_eval(shared, qrels, run, average, rel, expected):
    suite = shared / "trec_eval" / "suite"
    by_name = _at_level(NAMES, rel)
    result = evaluate(run=suite / run, qrels=suite / qrels, measures=by_name.values(), average=average)
    assert _compared((suite / expected).read_text(), by_name, result) >= 17


def test_parameters_give_the_printed_digits_of_trec_eval(shared):
    suite = shared / "trec_eval" / "suite"
    names = ["P.5,7,3", "recall.20,2000", "ndcg.1=3,2=9,4=4.5", "ndcg_cut.10,20,23", "success.2,5,20"]
    result = evaluate(
        run=read_run(suite / "results.test"),
        qrels=read_qrels(suite / "qrels.test"),
        measures=names,
        average="intersection",
    )
    by_name = {measure.trec_name: measure for measure in result.measures}
    expected = (suite / "out.test.meas_params").read_text()
    assert _compared(expected, by_name, result) == 12 * 4


def test_random_cases_have_the_printed_digits_of_trec_eval(shared, tmp_path):
    n_lines = 0
    for text in (shared / "trec_eval" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(text)
        options = case["options"]
        if "-R" in options or case["rc"] != 0:
            continue
        (tmp_path / "qrels").write_text(case["qrels"], encoding="utf-8")
        (tmp_path / "run").write_text(case["run"], encoding="utf-8")
        average = "judged" if "-c" in options else "intersection"
        rules = rules_named("trec_eval-10" if case["version"] == "10.0" else "trec_eval-9")
        both = judge(read_run(tmp_path / "run"), read_qrels(tmp_path / "qrels"), average=average, rules=rules)
        numbers = {option[:2]: int(option[2:]) for option in options if option[:2] in ("-M", "-l") and option[2:]}
        if "-M" in numbers:
            both = both.cut(numbers["-M"])
        if "-J" in options:
            both = both.judged_only()
        asked = [name for name in options if "." in name and name.partition(".")[0] in NAMES]
        by_name = _at_level((*NAMES, *asked), numbers.get("-l", 1))
        result = evaluation_of(both, by_name.values(), conventions=Conventions(average))
        n_lines += _compared(case["stdout"], by_name, result)
    assert n_lines > 40_000


def _at_level(names, rel):
    """Each measure by what trec_eval calls it, at the relevance level of its option -l."""
    return {
        measure.trec_name: measure(rel=rel) if "rel" in measure.family.defaults() else measure
        for measure in parse_measures(names)
    }


def _compared(expected, by_name, result):
    """How many lines of trec_eval's output were compared; all of them agree."""
    lines = [line.split() for line in expected.splitlines()]
    compared = [line for line in lines if line[0] in by_name]
    for name, topic, printed in compared:
        measure = by_name[name]
        value = result.value(measure, None if topic == "all" else topic)
        assert (f"{value:.0f}" if measure.summary == "sum" else f"{value:6.4f}") == printed, (name, topic)
    return len(compared)
