"""trec_eval's own expected outputs and answers, to every printed digit."""

import json
from getopt import gnu_getopt

import pytest
from samples import TREC_NAMES, by_trec_name, chosen

from irkit.data.qrels import read_qrels
from irkit.data.runs import read_run
from irkit.errors import IrkitError
from irkit.evaluation.result import evaluation_of
from irkit.evaluation.scoring import evaluate
from irkit.judged import judge
from irkit.rules import Conventions, rules_named

TEXT = ("runid", "relstring")


@pytest.mark.parametrize(
    ("qrels", "run", "average", "rel", "expected"),
    [
        ("qrels.test", "results.test", "intersection", 1, "out.test"),
        ("qrels.test.with-comments", "results.test", "intersection", 1, "out.test"),
        ("qrels.test", "results.test", "intersection", 1, "out.test.a"),
        ("qrels.test", "results.test", "intersection", 1, "out.test.aq"),
        ("qrels.test", "results.trunc", "judged", 1, "out.test.aqc"),
        ("qrels.rel_level", "results.test", "intersection", 2, "out.test.aql"),
    ],
)
def test_the_suite_has_the_printed_digits_of_trec_eval(shared, qrels, run, average, rel, expected):
    suite = shared / "trec_eval" / "suite"
    by_name = at_level(by_trec_name(TREC_NAMES), rel)
    result = evaluate(run=suite / run, qrels=suite / qrels, measures=by_name.values(), average=average)
    assert_agrees((suite / expected).read_text(), by_name, result)


def test_parameters_give_the_printed_digits_of_trec_eval(shared):
    suite = shared / "trec_eval" / "suite"
    # The command of out.test.meas_params, but for the cutoff 23.4, which trec_eval takes for 23.
    asked = "iprec_at_recall..10,.20,.25,.75,.50 P.5,7,3 recall.20,2000 Rprec_mult.5.0,0.2,0.35 utility.2,-1,0,0"
    asked += " 11pt_avg..25,.5,.75 ndcg.1=3,2=9,4=4.5 ndcg_cut.10,20,23 success.2,5,20"
    by_name = by_trec_name(asked.split())
    result = evaluate(
        run=suite / "results.test", qrels=suite / "qrels.test", measures=by_name.values(), average="intersection"
    )
    assert_agrees((suite / "out.test.meas_params").read_text(), by_name, result)


def plain_cases(shared):
    for text in (shared / "trec_eval" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(text)
        if "-R" not in case["options"]:
            yield case


def evaluated(case, folder):
    """The measures of a case by their printed names, and their values."""
    (folder / "qrels").write_text(case["qrels"], encoding="utf-8")
    (folder / "run").write_text(case["run"], encoding="utf-8")
    pairs, _ = gnu_getopt(case["options"], "cqnJl:m:M:N:")
    options = dict(pairs)
    average = "judged" if "-c" in options else "intersection"
    rules = rules_named("trec_eval-10" if case["version"] == "10.0" else "trec_eval-9")
    both = judge(read_run(folder / "run"), read_qrels(folder / "qrels"), average=average, rules=rules)
    if "-M" in options:
        both = both.cut(int(options["-M"]))
    if "-J" in options:
        both = both.judged_only()
    asked = [name for option, name in pairs if option == "-m" and "." in name and not name.startswith(TEXT)]
    by_name = at_level(by_trec_name((*TREC_NAMES, *asked)), int(options.get("-l", 1)), int(options.get("-N", 0)))
    return by_name, evaluation_of(both, by_name.values(), conventions=Conventions(average))


@pytest.mark.slow
def test_random_cases_have_the_printed_digits_of_trec_eval(shared, tmp_path):
    cases = [case for case in plain_cases(shared) if case["rc"] == 0]
    assert len(cases) > 500
    for case in cases:
        assert_agrees(case["stdout"], *evaluated(case, tmp_path))


def test_where_trec_eval_stops_there_is_an_error(shared, tmp_path):
    for case in plain_cases(shared):
        if case["rc"] != 0:
            with pytest.raises(IrkitError):
                evaluated(case, tmp_path)


def at_level(by_name, rel, collection=0):
    """The same under trec_eval's options -l and -N."""
    options = {"rel": rel, "collection": collection}
    return {
        name: measure(**{option: value for option, value in options.items() if chosen(measure, option) is not None})
        for name, measure in by_name.items()
    }


def assert_agrees(expected, by_name, result):
    """Every line of trec_eval's output but text is there, and printed alike."""
    summary = dict(zip(result.measures, result.summary.tolist(), strict=True))
    each = {topic: dict(zip(result.measures, row, strict=True)) for topic, row in topics_of(result)}
    for line in expected.splitlines():
        name, topic, printed = line.split(maxsplit=2)
        if not name.startswith(TEXT):
            measure = by_name[name]
            value = (summary if topic == "all" else each[topic])[measure]
            assert (f"{value:.0f}" if measure.summary == "sum" else f"{value:6.4f}") == printed, (name, topic)


def topics_of(result):
    return zip(result.topics, result.values.tolist(), strict=True)
