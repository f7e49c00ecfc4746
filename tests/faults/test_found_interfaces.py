"""Faults found where irkit stands in for other libraries, and in fusion: each by its number, with the right answer."""

import json
import pickle
import subprocess
import sys
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irkit
import irkit.ir_measures.measures
from irkit import ir_measures as ours
from irkit import pytrec_eval
from irkit.cli import main
from irkit.errors import DataError, FormatError
from irkit.fusion import fusion_notes
from irkit.ir_measures import AP, NumQ, NumRelRet, NumRet, P, Qrel, ScoredDoc, alpha_nDCG

ROOT = Path(__file__).resolve().parents[2]
QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
ROWS = [ScoredDoc("q1", "b", 2.0), ScoredDoc("q1", "a", 1.0), ScoredDoc("q9", "a", 1.0)]
QREL_COLUMNS, RUN_COLUMNS = ["query_id", "doc_id", "relevance"], ["query_id", "doc_id", "score"]


@pytest.fixture
def theirs():
    return pytest.importorskip("ir_measures")


@pytest.fixture
def registered(theirs):
    provider = ours.register()
    yield theirs
    theirs.DefaultPipeline.providers.remove(provider)  # others compare with what it is without
    del theirs.providers.registry["irkit"], theirs.irkit


# C09: names as ir_measures prints them


def test_c09_num_rel_ret_is_printed_as_ir_measures_prints_it(theirs):
    for name in ("NumRelRet", "NumRet(rel=1)", "NumRet(rel=2)"):
        assert str(ours.parse_measure(name)) == str(theirs.parse_measure(name))
    assert str(ours.parse_measure("NumRelRet")) == repr(NumRelRet) == "NumRet(rel=1)"
    assert str(NumRelRet(rel=3)) == str(NumRet(rel=3)) == "NumRet(rel=3)"
    # what irkit itself prints stays as it is, and the two are one measure
    assert str(irkit.parse_measure("NumRelRet")) == "NumRelRet"
    assert irkit.parse_measure("NumRelRet") == NumRelRet == pickle.loads(pickle.dumps(NumRelRet))
    assert len({irkit.parse_measure("NumRelRet"), NumRelRet}) == 1


def test_c09_every_measure_of_ir_measures_is_printed_as_there(theirs):
    for name, measure in theirs.measures.registry.items():
        assert str(getattr(ours, name)) == str(measure), name


def test_c09_a_measure_has_the_methods_that_it_has_in_ir_measures():
    # q1: a at rank 2 of one relevant document, P@5 1/5; q2: nothing retrieved
    assert (P @ 5).calc_aggregate(QRELS, ROWS) == 0.1
    assert (P @ 5).calc(QRELS, ROWS) == (0.1, [("q1", P @ 5, 0.2), ("q2", P @ 5, 0.0)])
    assert list((P @ 5).iter_calc(QRELS, ROWS)) == list((P @ 5).evaluator(QRELS).iter_calc(ROWS))


# C40: nothing judged

EMPTY_QRELS = {
    "list": [],
    "tuple": (),
    "dict": {},
    "frame": pd.DataFrame([], columns=QREL_COLUMNS),
    "filtered frame": pd.DataFrame([("q1", "a", 1)], columns=QREL_COLUMNS)[:0],
    "Qrels": irkit.Qrels.of({}),
    "columns": {"query_id": [], "doc_id": [], "relevance": []},
    "arrays": {"qid": np.array([], dtype=str), "docno": np.array([], dtype=str), "label": np.array([], dtype=int)},
}
EMPTY_RUNS = {"list": [], "dict": {}, "frame": pd.DataFrame([], columns=RUN_COLUMNS)}


@pytest.mark.parametrize("qrels", EMPTY_QRELS.values(), ids=EMPTY_QRELS)
@pytest.mark.parametrize("run", [ROWS, {"q1": {"a": 1.0}}, pd.DataFrame(ROWS), *EMPTY_RUNS.values()], ids=repr)
def test_c40_without_judgments_there_is_no_metric(qrels, run):
    for measures in ([P @ 5], [AP, NumQ, alpha_nDCG @ 5], ["nDCG@10"], [P @ 5 for _ in range(2)]):
        assert list(ours.iter_calc(measures, qrels, run)) == []
        found = ours.calc(measures, qrels, run)
        assert found.per_query == []
        for measure, value in found.aggregated.items():
            assert value == 0 if measure == NumQ else np.isnan(value)
        np.testing.assert_equal(ours.calc_aggregate(measures, qrels, run), found.aggregated)
    assert ours.evaluator([AP], qrels).topics == ()


def test_c40_what_is_not_in_its_form_is_refused_all_the_same():
    for qrels in ([], QRELS):
        with pytest.raises(FormatError, match="nan"):
            ours.calc_aggregate([AP], qrels, {"q1": {"a": float("nan")}})
    with pytest.raises(FormatError, match="gives no objects; one that was read before is used up"):
        ours.calc_aggregate([AP], iter([]), ROWS)


def forms(rows, columns):
    """The same rows in each form that ir_measures takes."""
    nested = {}
    for row in rows:
        nested.setdefault(row[0], {})[row[1]] = row[2]
    return [rows, iter(rows), (row for row in rows), nested, pd.DataFrame([row[:3] for row in rows], columns=columns)]


JUDGED = [Qrel("q1", "a", 1), Qrel("q1", "b", 0), Qrel("q2", "c", 2)]


@pytest.mark.parametrize("n_judged", [0, 1, 3])
@pytest.mark.parametrize("n_retrieved", [0, 1, 2, 3])
@pytest.mark.parametrize("by", [0, 2], ids=["one provider", "two"])
def test_c40_the_provider_answers_as_ir_measures_does_without_it(n_judged, n_retrieved, by, theirs):
    # with a measure that irkit cannot know, ir_measures hands copies of its iterators to both providers
    strange = [theirs.define_byquery(lambda qrels, run: 0.5, name="strange")] if by else []
    measures = [theirs.P @ 5, theirs.AP, theirs.NumQ, *strange]

    def answers():
        rows = [theirs.Qrel(*row) for row in JUDGED[:n_judged]], [theirs.ScoredDoc(*row) for row in ROWS[:n_retrieved]]
        for qrels, run in zip(forms(rows[0], QREL_COLUMNS), forms(rows[1], RUN_COLUMNS), strict=True):
            if iter(run) is run and not rows[1]:
                continue  # which may have been read before, and is refused: see the manual
            found = theirs.calc(measures, qrels, run)
            yield {(m.query_id, str(m.measure)): m.value for m in found.per_query}, found.aggregated

    expected = list(answers())
    provider = ours.register()
    try:
        found = list(answers())
    finally:
        theirs.DefaultPipeline.providers.remove(provider)
        del theirs.providers.registry["irkit"], theirs.irkit
    np.testing.assert_equal(found, expected)


def test_c40_every_measure_of_ir_measures_takes_empty_inputs(registered):
    for name in registered.measures.registry:
        its = getattr(ours, name)
        measure = registered.parse_measure(str(its(**its.family.examples())))
        assert registered.irkit.supports(measure), name
        for qrels in ([], EMPTY_QRELS["frame"]):
            assert list(registered.iter_calc([measure], qrels, [registered.ScoredDoc("q", "a", 1.0)])) == []
        (found,) = registered.iter_calc([measure], [registered.Qrel("q", "a", 1)], [])
        assert found == registered.Metric("q", measure, 0.0), name


@pytest.mark.parametrize("batch_size", [1, 2, 3])
def test_c40_batches_as_pyterrier_makes_them_give_what_all_topics_at_once_give(batch_size, registered):
    # PyTerrier's Experiment: for each batch of topics its results and its qrels; at the end the qrels of no batch
    # with an empty frame. Nobody judged q3; q2 is judged and has no results; q8 is in no batch.
    qrels = pd.DataFrame([("q1", "a", 1), ("q2", "b", 1), ("q4", "b", 1), ("q8", "a", 1)], columns=QREL_COLUMNS)
    run = pd.DataFrame([(topic, doc, 1.0 + (doc == "a")) for topic in ("q1", "q3", "q4") for doc in "ab"])
    run.columns = RUN_COLUMNS
    measures = [registered.AP, registered.P @ 5, registered.NumQ]
    topics = ["q3", "q2", "q1", "q4"]
    found = []
    for first in range(0, 4, batch_size):
        batch = topics[first : first + batch_size]
        results = run[run.query_id.isin(batch)]
        if not {"q1", "q4"} & set(batch) and "q2" in batch and len(results):  # other topics than the judged one
            with pytest.warns(UserWarning, match="counts as nothing retrieved: no topic in common"):
                found += registered.iter_calc(measures, qrels[qrels.query_id.isin(batch)], results)
        else:
            found += registered.iter_calc(measures, qrels[qrels.query_id.isin(batch)], results)
    empty = pd.DataFrame([], columns=RUN_COLUMNS)
    found += registered.iter_calc(measures, qrels[~qrels.query_id.isin(topics)], empty)
    assert set(found) == set(registered.iter_calc(measures, qrels, run))
    # q1: a first; q4: b second; q2, q8: nothing
    assert {one.query_id: one.value for one in found if one.measure == registered.AP} == {
        "q1": 1.0,
        "q2": 0.0,
        "q4": 0.5,
        "q8": 0.0,
    }


# C41, C42: names


def test_c41_a_star_gives_the_measures():
    code = (
        "from irkit.ir_measures import *\n"
        "print(AP @ 5, nDCG @ 10, MRR, SetRelP, alpha_nDCG @ 5, calc_aggregate([P @ 1], {'q': {'a': 1}}, {'q': ['a']}))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "AP@5 nDCG@10 RR SetP(relative=True) alpha_nDCG@5 {P@1: 1.0}\n"
    assert len(ours.__all__) == len(set(ours.__all__))


def test_c42_every_name_of_ir_measures_is_there_or_says_what_stands_for_it(theirs):
    refused = {}
    for module in ("", ".util", ".measures", ".providers"):
        exec(f"import irkit.ir_measures{module}")
        there = sys.modules[f"ir_measures{module}"]
        names = getattr(there, "__all__", None) or [
            name for name, value in vars(there).items() if getattr(value, "__module__", "") == there.__name__
        ]
        for name in names:
            if name.startswith(("_", "TYPE_")):
                continue
            try:
                exec(f"from irkit.ir_measures{module} import {name}")
            except ImportError as problem:
                refused[name] = str(problem)
    assert {"define", "DefaultPipeline", "RunConverter", "PytrecEvalProvider", "CwlMetric"} <= set(refused)
    for name, words in refused.items():
        where, _, instead = words.partition(f" has no {name!r}: ")
        assert where.startswith("irkit.ir_measures"), words
        assert len(instead) > 20, words


def test_c42_the_old_names_do_what_the_new_ones_do():
    assert ours.convert_trec_name("P_5,10") == [P @ 5, P @ 10]
    assert ours.parse_trec_qrels("q1 0 a 1\n q2 0 b 0\n") == [Qrel("q1", "a", 1), Qrel("q2", "b", 0)]
    assert ours.parse_trec_run("q1 Q0 a 1 2.5 r\nq1 Q0 b 2 1 r\n") == [
        ScoredDoc("q1", "a", 2.5),
        ScoredDoc("q1", "b", 1.0),
    ]
    assert ours.GenericQrel("q1", "a", 1) == Qrel("q1", "a", 1)
    assert ours.GenericScoredDoc("q1", "a", 1.0) == ScoredDoc("q1", "a", 1.0)
    with ours.calc_ctxt([P @ 5], QRELS) as evaluate:
        assert list(evaluate(ROWS)) == list(ours.iter_calc([P @ 5], QRELS, ROWS))
    assert irkit.ir_measures.measures.registry["MRR"] == ours.RR
    assert ours.util.Metric is ours.Metric
    assert ours.run_inputs([AP]) == RUN_COLUMNS
    assert ours.qrel_inputs([AP]) == QREL_COLUMNS
    assert ours.qrel_inputs([AP, alpha_nDCG @ 5]) == [*QREL_COLUMNS, "iteration"]


def test_c42_versions_are_those_of_the_interfaces(theirs):
    assert ours.__version__ == theirs.__version__
    assert pytrec_eval.__version__ == pytest.importorskip("pytrec_eval").__version__


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("from irkit.pytrec_eval import convert_trec_name", "irkit.ir_measures.convert_trec_name gives the measures"),
        ("from irkit.pytrec_eval import parse_trec_qrels", "parse_qrel reads qrels into dicts"),
        ("from irkit.pytrec_eval import parse_trec_run", "parse_run reads a run into dicts"),
        ("from irkit.ir_measures import define", "irkit.Measure.define makes a measure of one's own"),
        ("from irkit.ir_measures import DefaultPipeline", "iter_calc, calc_aggregate, calc, evaluator"),
        ("from irkit.ir_measures.util import RunConverter", "irkit.Run.of takes each of its forms"),
        ("from irkit.ir_measures.providers import PytrecEvalProvider", r"register\(\) makes irkit a provider"),
    ],
)
def test_c42_a_name_that_is_not_there_says_what_stands_for_it(line, words):
    with pytest.raises(ImportError, match=words):
        exec(line)


def test_c42_a_name_that_nobody_has_is_refused_as_python_does():
    for module in (ours, ours.util, ours.measures, ours.providers, pytrec_eval):
        assert not hasattr(module, "nDGC")


def test_c42_a_package_that_imports_the_others_takes_irkit_in_their_place():
    # the calls of repro_eval (load_measures, evaluate_run) and of BEIR (EvaluateRetrieval.evaluate)
    code = (
        "import sys, irkit.ir_measures, irkit.pytrec_eval\n"
        "sys.modules['pytrec_eval'], sys.modules['ir_measures'] = irkit.pytrec_eval, irkit.ir_measures\n"
        "import ir_measures, pytrec_eval\nfrom ir_measures import *\nfrom ir_measures.util import Qrel\n"
        "names = ['P', 'recall', 'ndcg', 'ndcg_cut', 'map_cut', 'set_map', 'set_P', 'set_relative_P', 'set_recall',\n"
        "         'set_F', 'Rprec', 'infAP', 'bpref', 'recip_rank', 'map', 'iprec_at_recall']\n"
        "measures = [ir_measures.parse_measure(one) for name in names for one in ir_measures.convert_trec_name(name)]\n"
        "found = ir_measures.calc(measures, [Qrel('q', 'a', 1)], [ScoredDoc('q', 'a', 1.0)])[1]\n"
        "print(len(found), {str(one.measure): one.value for one in found}['P@5'])\n"
        "evaluator = pytrec_eval.RelevanceEvaluator({'q': {'a': 1}}, {'map_cut.1,3', 'P.1,3', 'recall.1,3'})\n"
        "print(evaluator.evaluate({'q': {'a': 1.0, 'b': 0.5}})['q']['P_3'])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    # 4 families of 9 cutoffs, 11 levels of recall, 11 others
    assert said == "58 0.2\n0.3333333333333333\n"


def test_c42_a_run_of_other_topics_is_still_refused_where_irkit_is_asked_itself():
    with pytest.raises(DataError, match="no topic in common"):
        ours.calc_aggregate([AP], QRELS, {"q9": {"a": 1.0}})


# C10, C11: fusion

STRANGERS = {"v.run": {"1": ["v_0", "v_1"], "2": ["v_1"]}, "n.run": {"1": ["0", "1"], "2": ["1"]}}
ALIKE = "in 2 of 2 topics: are the document ids alike? In topic '1' run"
APART = f"no document in common {ALIKE} v has 'v_0', run n has '0'"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, run in STRANGERS.items():
        irkit.Run.of(run).write(name)
    return tmp_path


def fused(capfd, *words):
    status = main(["fuse", *words, "--out", "-"])
    said = capfd.readouterr()
    return status, said.out.count("\n"), said.err


@pytest.mark.parametrize("method", [[], ["--method", "combsum"], ["--method", "condorcet"]], ids=str)
def test_c10_runs_whose_ids_never_meet_are_fused_with_a_note(method, folder, capfd):
    assert fused(capfd, "v.run", "n.run", *method) == (0, 6, f"{APART}\n")


def test_c10_of_several_runs_the_stranger_is_named(folder, capfd):
    irkit.Run.of({"1": ["1"], "2": ["1"], "3": ["1"]}).write("other.run")
    err = fused(capfd, "n.run", "v.run", "other.run")[2]
    assert "run v has no document in common with the others in 2 of 2 topics: are the document ids alike? " in err
    assert "run n has no" not in err
    assert "run other has no" not in err


def test_c10_the_rule_is_more_than_half_of_the_topics_that_runs_share():
    one = {f"q{n}": ["a", "b"] for n in range(10)}
    for n_apart, n_notes in ((5, 0), (6, 1)):
        two = {f"q{n}": ["c" if n < n_apart else "b"] for n in range(10)} | {"q99": ["z"]}
        notes = fusion_notes([one, two])
        assert len(notes) == n_notes
        for note in notes:
            assert (note.code, note.n_topics, note.of_topics) == ("no-common-document", 6, 10)
            assert note.example == ("q0", "run", "a", "run", "c")


def test_c10_runs_without_a_common_topic_are_noted(folder, capfd):
    irkit.Run.of({"x": ["0"]}).write("other.run")
    err = fused(capfd, "n.run", "other.run")[2]
    assert err.endswith("no topic is in two runs, so that nothing is fused: are the topic ids alike?\n")


def test_c10_documents_that_look_alike_are_named_with_their_code_points():
    one, two = {"q": ["x", "caf\u00e9"]}, {"q": ["y", "cafe\u0301"]}
    (note,) = fusion_notes([one, two])
    assert note.example == ("q", "run", "caf\u00e9", "run", "cafe\u0301")
    assert "U+00E9 (LATIN SMALL LETTER E WITH ACUTE) in run run" in str(note)
    assert str(note).endswith("the same text, NFC in run run and NFD in run run")
    assert str(fusion_notes([{"q": ["a", "b"]}, {"q": ["c"]}])[0]).endswith("run run has 'a', run run has 'c'")


def test_c10_c45_topics_of_runs_that_would_meet_are_named(folder, capfd):
    irkit.Run.of({"01": ["0"], "02": ["1"]}).write("padded.run")
    would = "2 topics would meet without leading zeros ('1' and '01'): write the topic ids of both alike"
    err = fused(capfd, "n.run", "padded.run")[2]
    assert err.endswith(f"no topic is in two runs, so that nothing is fused: are the topic ids alike? {would}\n")
    assert main(["overlap", "n.run", "padded.run"]) == 1
    assert f"no topic is in all of n, padded: nothing can be compared. {would}" in capfd.readouterr().err
    Path("qrels").write_text("1 0 0 1\n2 0 1 1\n")
    assert main(["reproduce", "n.run", "padded.run", "qrels"]) == 1
    assert f"n and padded have no topic in common: nothing can be compared. {would}" in capfd.readouterr().err


def test_c10_a_prior_brings_no_runs_together(folder, capfd):
    Path("prior.tsv").write_text("".join(f"{document}\t1\n" for document in ("v_0", "v_1", "0", "1")))
    assert APART in fused(capfd, "v.run", "n.run", "--prior", "prior.tsv")[2]
    assert APART in fused(capfd, "v.run", "n.run", "--prior", "prior.tsv", "--prior-weight", "0")[2]


def test_c10_runs_that_meet_are_fused_without_a_note(folder, capfd):
    irkit.Run.of({"1": ["1", "2"], "2": ["3", "1"]}).write("other.run")
    assert fused(capfd, "n.run", "other.run")[2] == ""
    assert fused(capfd, "n.run")[2] == ""
    # what is not read of a run is not common: at depth 1 the first documents are 0 and 1, 1 and 3
    assert "in 2 of 2 topics" in fused(capfd, "n.run", "other.run", "--depth-in", "1")[2]


def test_c11_the_same_file_twice_is_noted(folder, capfd):
    assert fused(capfd, "n.run", "n.run")[2] == "runs n.run and n.run hold the same ranking: its weight counts twice\n"


def test_c11_the_same_ranking_under_another_name_and_with_other_scores_is_noted(folder, capfd):
    Path("copy.run").write_text("2 Q0 1 1 0.5 x\n1 Q0 0 1 9 x\n1 Q0 1 2 8 x\n")
    err = fused(capfd, "n.run", "copy.run", "v.run")[2]
    # n and copy are one ranking, of which v is the stranger
    assert err.splitlines() == [
        f"no document in common {ALIKE} n has '0', run v has 'v_0'",
        "runs n and copy hold the same ranking: its weight counts twice",
    ]
    assert "same ranking" not in fused(capfd, "n.run", "copy.run", "--weight", "1", "--weight", "0")[2]


def test_c11_in_python_notes_are_values():
    one, two = {"q": ["a", "b"]}, {"q": ["b", "a"]}
    assert fusion_notes([one, two]) == ()
    (note,) = fusion_notes([one, two, one, one])
    assert (note.code, note.runs) == ("same-ranking", ("run", "run", "run"))
    assert str(note).endswith("its weight counts 3 times")
    assert fusion_notes([{}, {}]) == ()


def test_c10_c11_an_experiment_and_the_record_of_a_run_keep_the_notes(folder, capfd):
    Path("qrels.txt").write_text("1 0 0 1\n2 0 v_1 1\n")
    assert main(["fuse", "v.run", "n.run", "--out", "f.run"]) == 0
    assert APART in json.loads(Path("f.run.provenance.json").read_text())["notes"]
    assert main(["verify", "f.run"]) == 0
    Path("experiment.toml").write_text(
        '[collection]\nname = "mine"\nqrels = "qrels.txt"\n[configurations.v]\nmethod = "file"\nrun = "v.run"\n'
        '[configurations.n]\nmethod = "file"\nrun = "n.run"\n[configurations.m]\nmethod = "file"\nrun = "n.run"\n'
        '[configurations.apart]\nmethod = "rrf"\nruns = ["v", "n"]\n'
        '[configurations.twice]\nmethod = "combmnz"\nruns = ["n", "m"]\n[evaluation]\nmeasures = ["RR"]\n'
    )
    capfd.readouterr()
    assert main(["run", "experiment.toml", "--out", "out"]) == 0
    said = capfd.readouterr().err
    assert "apart: no document in common in 2 of 2 topics" in said
    assert "hold the same ranking: its weight counts twice" in said


# C49, C52: measures as trec_eval is asked for them


@pytest.fixture
def trec(tmp_path, monkeypatch, capfd):
    """`irkit trec_eval` over four relevant documents of which the second of two retrieved is one."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 d 1\n")
    Path("run").write_text("1 Q0 x 1 3 r\n1 Q0 a 2 2 r\n")

    def call(*words):
        status = main(["trec_eval", *words, "qrels", "run"])
        said = capfd.readouterr()
        return status, said.out, said.err

    return call


def test_c49_of_several_numbers_set_f_takes_the_first_as_trec_eval_does(trec):
    # P 1/2, R 1/4; F_x = (x + 1) P R / (R + x P), x the first number. trec_eval 10.0 prints these lines.
    for numbers, value in (("1.0,0.5,2.4", "0.3333"), ("0.5,1.0", "0.3750"), ("4,1", "0.2778")):
        assert trec("-m", f"set_F.{numbers}") == (
            0,
            f"{'set_F_' + numbers:<22}\tall\t{value}\n",
            f"trec_eval: warning: set_F.{numbers}: set_F takes one number, so only the first of {numbers!r} counts; "
            "ask for each by itself\n",
        )
        (measure,) = irkit.parse_measures(f"set_F.{numbers}")
        assert irkit.evaluate(run="run", qrels="qrels", measures=[measure]).value(measure) == pytest.approx(
            float(value), abs=5e-5
        )
        assert ours.parse_trec_measure(f"set_F.{numbers}") == [measure]
    assert trec("-m", "set_F.4,1", "-m", "set_F.4,1")[2].count("warning") == 1
    assert irkit.parse_measures("set_F.1.0,0.5,2.4 P_5") == irkit.parse_measures("set_F P_5")


def test_c49_a_parameter_that_trec_eval_passes_over_is_said(trec):
    assert trec("-m", "recip_rank.10")[1:] == (
        "recip_rank            \tall\t0.5000\n",
        "trec_eval: warning: recip_rank.10: recip_rank takes no parameter, so '10' is passed over; ask for "
        "recip_rank_cut.10\n",
    )
    assert trec("-m", "set_F.0.5", "-m", "ndcg_cut.5,10", "-m", "official")[2] == ""


@pytest.mark.parametrize("asked", ["recip_rank_cut.1,2", "recip_rank_cut_2,1"])
def test_c52_trec_eval_takes_rr_with_a_cutoff(asked, trec):
    # the first relevant document is at rank 2
    lines = "recip_rank_cut_1      \tall\t0.0000\nrecip_rank_cut_2      \tall\t0.5000\n"
    assert trec("-m", asked) == (0, lines, "")
    assert f"recip_rank            \tall\t0.5000\n{lines}iprec_at_recall_0.00" in trec("-m", asked, "-m", "official")[1]
    assert "recip_rank_cut" not in trec("-m", "all_trec")[1]
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, ["recip_rank_cut_1,2"])
    found = evaluator.evaluate({"1": {"x": 2.0, "a": 1.0}})
    assert found == {"1": {"recip_rank_cut_1": 0.0, "recip_rank_cut_2": 0.5}}


def test_c52_without_a_cutoff_it_is_refused(trec):
    assert trec("-m", "recip_rank_cut") == (
        2,
        "",
        "trec_eval: recip_rank_cut needs a cutoff, such as recip_rank_cut.10\n",
    )
    assert trec("-m", "recip_rank_cut.0")[0] == 2


# C47, C48: names of BEIR and ranx


def test_c47_accuracy_at_a_cutoff_says_that_it_is_not_beirs(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 a 1\n")
    Path("run").write_text("1 Q0 x 1 3 r\n1 Q0 a 2 2 r\n")
    note = (
        "Accuracy@10 is that of ir_measures: of all pairs of a relevant and another document retrieved, the share with "
        "the relevant one first. BEIR's Accuracy@10 is Success@10 here: whether a relevant document was retrieved"
    )
    # x above a: no pair has the relevant document first; a is among the first ten
    found = irkit.evaluate(run="run", qrels="qrels", measures="Accuracy@10 Success@10")
    assert found.summary.tolist() == [0.0, 1.0]
    assert found.notes == (note,)
    assert main(["score", "run", "qrels", "-m", "Accuracy@10"]) == 0
    assert note in capfd.readouterr().out
    (several,) = irkit.evaluate(run="run", qrels="qrels", measures="Accuracy@10,20").notes
    assert several.startswith("Accuracy@10, Accuracy@20 are that of ir_measures")
    assert "BEIR's Accuracy@10, Accuracy@20 are Success@10, Success@20 here" in several
    for plain in ("Accuracy", "Accuracy(rel=2)@10", "Accuracy(judged_only=True)@10", "Success@10", "P@10"):
        assert irkit.evaluate(run="run", qrels="qrels", measures=plain).notes == ()


@pytest.mark.parametrize("name", ["accuracy", "acc", "top_k_accuracy", "top_k_acc", "ACC"])
def test_c47_beirs_own_names_lead_to_both(name):
    with pytest.raises(irkit.MeasureError) as problem:
        irkit.parse_measures(f"{name}@10")
    assert str(problem.value) == (
        f"unknown measure '{name}@10'; BEIR's is 'Success@10', that of ir_measures 'Accuracy@10'"
    )


def test_c48_grades_below_a_level_gain_nothing_whatever_the_formula():
    # 3 2 1: (2^3 - 1) / log2(2) + (2^2 - 1) / log2(3), grade 1 gains nothing; that is the ideal order too
    run, qrels = {"q": ["c", "b", "a"]}, {"q": {"a": 1, "b": 2, "c": 3}}
    found = irkit.evaluate(run=run, qrels=qrels, measures=["dcg_burges@10-l2", "ndcg_burges@10-l2", "dcg_burges@10-l1"])
    assert found.summary.tolist() == pytest.approx([7 + 3 / log2(3), 1, 7 + 3 / log2(3) + 1 / log2(4)])
    (measure,) = irkit.parse_measures("ndcg_burges@10-l2")
    assert str(measure) == "nDCG(dcg='exp-log2',gains={1:0})@10"
    assert irkit.parse_measure(str(measure)) == measure
    with pytest.raises(irkit.MeasureError, match="nDCG takes dcg or gains, not both"):
        irkit.parse_measures("nDCG(dcg='exp-log2',gains={1:0,2:5})")


# C50, C53: the manual


def test_c53_help_and_manual_say_which_trec_eval_reads_comments(capfd):
    # trec_eval 10.0 evaluates a run that begins with such a record; 9.0.8 says "Malformed line 1" and ends with 2
    for command in ("fuse", "rerank", "retrieve bm25", "retrieve dense"):
        assert main([*command.split(), "--help"]) == 0
        help_text = " ".join(capfd.readouterr().out.split())
        assert "irkit and trec_eval 10 pass over them; trec_eval 9 stops at them" in help_text
    manual = " ".join((ROOT / "docs" / "provenance.md").read_text().split())
    assert "trec_eval 10 read past it. trec_eval 9, and pytrec_eval with it, stops at the first comment" in manual


def test_c50_segfuse_divides_by_the_documents_that_are_in_a_segment():
    # 1 relevant of 3 in the first segment of 5 ranks: 1/3, which the manual says, with ranx's 1/5
    training = irkit.Training(qrels={"t": {"a": 1}}, runs=[{"t": ["x", "a", "y"]}])
    run = irkit.fuse([{"q": {"d": 2.0, "e": 1.0}}], "segfuse", training=training)
    # min-max: d 1, e 0
    assert run.to_dict() == {"q": {"d": pytest.approx(2 / 3), "e": pytest.approx(1 / 3)}}
    (row,) = (
        line for line in (ROOT / "docs" / "fusion.md").read_text().splitlines() if "1 relevant of 3 is 1/3" in line
    )
    assert "5 in the first" in row
