"""trec_eval's own answers over judgment groups and preferences, to every printed digit."""

import json
from getopt import gnu_getopt

import pytest

from irkit.data.judgments.grouped import read_qrels_jg
from irkit.data.judgments.preferences import read_prefs, read_qrels_prefs
from irkit.errors import IrkitError
from irkit.evaluation.result import evaluation_of
from irkit.evaluation.scoring import evaluate
from irkit.judged.groups import judge_groups
from irkit.judged.preferences import judge_preferences
from irkit.measures import FAMILIES, parse_measures
from irkit.rules import Conventions

READERS = {"qrels_jg": read_qrels_jg, "prefs": read_prefs, "qrels_prefs": read_qrels_prefs}


def by_trec_name(kind, asked=(), rel=1):
    """Each measure of this kind of judgments by what trec_eval prints, at the level of its option -l."""
    names = [trec.name for family in FAMILIES.values() if family.judgments == (kind,) for trec in family.trec]
    return {
        measure.trec_name: measure(rel=rel) if "rel" in measure.family.defaults() else measure
        for measure in parse_measures(["num_q", *names, *asked])
    }


def assert_agrees(expected, by_name, result):
    """Every line of trec_eval's output but the run's name is there, and printed alike."""
    lines = [line.split() for line in expected.splitlines() if not line.startswith("runid")]
    assert lines
    for name, topic, printed in lines:
        measure = by_name[name]
        value = result.value(measure, None if topic == "all" else topic)
        assert (f"{value:.0f}" if measure.summary == "sum" else f"{value:6.4f}") == printed, (name, topic)


@pytest.mark.parametrize(
    ("form", "judgments", "run"),
    [
        ("prefs", "prefs.test", "prefs.results.test"),
        ("qrels_prefs", "qrels.test", "results.test"),
        ("qrels_jg", "qrels.123", "results.test"),
    ],
)
def test_the_suite_has_the_printed_digits_of_trec_eval(shared, form, judgments, run):
    suite = shared / "trec_eval" / "suite"
    qrels = READERS[form](suite / judgments)
    by_name = by_trec_name(qrels.kind)
    result = evaluate(run=suite / run, qrels=qrels, measures=by_name.values(), average="intersection")
    assert_agrees((suite / f"out.test.{form}").read_text(), by_name, result)


def cases(shared, form):
    for text in (shared / "trec_eval" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(text)
        pairs, _ = gnu_getopt(case["options"], "cqnJl:m:M:N:R:")
        if dict(pairs).get("-R") == form:
            yield case, pairs


def evaluated(case, pairs, folder):
    """The measures of a case by their printed names, and their values."""
    (folder / "qrels").write_text(case["qrels"], encoding="utf-8")
    (folder / "run").write_text(case["run"], encoding="utf-8")
    options = dict(pairs)
    average = "judged" if "-c" in options else "intersection"
    rules = "trec_eval-10" if case["version"] == "10.0" else "trec_eval-9"
    judgments = READERS[options["-R"]](folder / "qrels")
    judge = judge_groups if options["-R"] == "qrels_jg" else judge_preferences
    both = judge(folder / "run", judgments, average=average, rules=rules)
    if "-M" in options:
        both = both.cut(int(options["-M"]))
    if "-J" in options:
        both = both.judged_only()
    asked = [name for option, name in pairs if option == "-m" and "." in name]
    by_name = by_trec_name(judgments.kind, asked, int(options.get("-l", 1)))
    return by_name, evaluation_of(both, by_name.values(), conventions=Conventions(average))


@pytest.mark.parametrize("form", READERS)
def test_random_cases_have_the_printed_digits_of_trec_eval(shared, tmp_path, form):
    found = list(cases(shared, form))
    assert len(found) > 40
    for case, pairs in found:
        if case["rc"] == 0:
            assert_agrees(case["stdout"], *evaluated(case, pairs, tmp_path))
        else:
            with pytest.raises(IrkitError):
                evaluated(case, pairs, tmp_path)
