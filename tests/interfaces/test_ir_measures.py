"""ir_measures' interface computed by irkit, and irkit as a provider of ir_measures."""

import io
import random
import shutil
import subprocess
import sys

import pandas as pd
import pytest

import irkit
from irkit import ir_measures as ours
from irkit.errors import DataError, FormatError, MeasureError
from irkit.ir_measures import AP, RR, NoAnswer, NumQ, NumRel, NumRelRet, P, Qrel, ScoredDoc, SetRelP, nDCG
from irkit.measures import parse_measures

QRELS = {"q1": {"a": 0, "b": 1, "z": 1}, "q2": {"e": 2}, "q3": {"x": 1}}
RUN = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"e": 0.5}, "q9": {"x": 1.0}}


# The interface


def test_all_judged_topics_count_and_no_others():
    # AP: q1 (1/2) / 2, q2 1, q3 nothing retrieved; q9 is not judged. Of q3, which the run lacks, counts are 0 too.
    found = ours.calc([AP, NumQ, NumRel], QRELS, RUN)
    assert found.aggregated == {AP: (1 / 4 + 1) / 3, NumQ: 2, NumRel: 3}
    assert found.per_query == [
        *(("q1", AP, 0.25), ("q1", NumQ, 1), ("q1", NumRel, 2)),
        *(("q2", AP, 1), ("q2", NumQ, 1), ("q2", NumRel, 1)),
        *(("q3", AP, 0), ("q3", NumQ, 0), ("q3", NumRel, 0)),
    ]
    assert found.per_query[0]._fields == ("query_id", "measure", "value")
    assert list(ours.iter_calc([AP, NumQ, NumRel], QRELS, RUN)) == found.per_query
    assert ours.calc_aggregate([AP, NumQ, NumRel], QRELS, RUN) == found.aggregated
    assert ours.evaluator([AP, NumQ, NumRel], QRELS).calc(RUN) == found


@pytest.mark.parametrize("run", [{}, [], pd.DataFrame({"query_id": [], "doc_id": [], "score": []})], ids=repr)
def test_of_a_run_without_a_topic_all_is_0(run):
    found = ours.calc([AP, NumQ, RR @ 3], QRELS, run)
    assert found.aggregated == {AP: 0, NumQ: 0, RR @ 3: 0}
    assert [metric.query_id for metric in found.per_query] == ["q1"] * 3 + ["q2"] * 3 + ["q3"] * 3


def test_a_run_of_other_topics_is_refused():
    with pytest.raises(DataError, match="no topic in common: run has 1 topic, such as '1'; qrels has 3, such as 'q1'"):
        ours.calc_aggregate([AP], QRELS, {"1": {"a": 1.0}})


def test_the_rules_are_those_of_trec_eval_9():
    # as 32-bit floats both scores are 1, and of equal ones the higher document id is the first
    run = {"q": {"a": 1.00000001, "b": 1.0}}
    assert ours.calc_aggregate([RR], {"q": {"a": 1}}, run) == {RR: 0.5}
    assert irkit.evaluate(run=run, qrels={"q": {"a": 1}}, measures="RR").value("RR") == 1


def test_results_are_keyed_by_what_was_asked():
    class Theirs:  # as a measure of ir_measures, which need not be installed
        SUPPORTED_PARAMS = ("rel",)

        def __str__(self):
            return "AP(rel=2)"

    theirs = Theirs()
    found = ours.calc_aggregate([theirs, "nDCG@10", RR, "RR"], {"q": {"a": 2}}, {"q": ["a"]})
    assert found == {theirs: 1, nDCG @ 10: 1, RR: 1}
    assert [str(measure) for measure in found] == ["AP(rel=2)", "nDCG@10", "RR"]
    assert ours.calc_aggregate("AP", {"q": {"a": 2}}, {"q": ["a"]}) == {AP: 1}


def test_measures_are_there_by_all_their_names():
    assert (ours.MRR, ours.MAP, ours.NDCG @ 5, ours.Precision @ 5) == (RR, AP, nDCG @ 5, P @ 5)
    assert SetRelP == ours.SetP(relative=True)
    assert ours.parse_measure("NumRet(rel=2)") == NumRelRet(rel=2)
    assert {"nDCG", "MRR", "SetRelP", "calc_aggregate"} <= set(dir(ours))
    with pytest.raises(ImportError, match="cannot import name 'nDGC'"):
        from irkit.ir_measures import nDGC  # noqa: F401
    with pytest.raises(MeasureError, match="did you mean 'nDCG@10'"):
        ours.calc_aggregate(["nDGC@10"], QRELS, RUN)


def test_names_of_trec_eval_stand_for_measures():
    assert ours.parse_trec_measure("P_5,10") == [P @ 5, P @ 10]
    assert ours.parse_trec_measure("recip_rank") == [RR]
    assert [str(measure) for measure in ours.parse_trec_measure("set")] == (
        ["NumQ", "NumRet", "NumRel", "NumRet(rel=1)", "utility", "SetP", "SetR", "SetP(relative=True)", "SetAP", "SetF"]
    )
    with pytest.raises(MeasureError, match="unknown measure 'nap'"):
        ours.parse_trec_measure("nap")


QREL_LINES = "q1 0 b 1\n\nq1 1 b 2\nq2 0 e -1\n"
RUN_LINES = "q2 Q0 e 1 0.5 r\nq1 Q0 b 1 2.0 r\nq1 Q0 a 2 3.0 r\n"


@pytest.mark.parametrize("form", ["text", "path", "name", "gz", "open text", "open bytes"])
def test_trec_files_are_read_into_rows_any_number_of_times(form, tmp_path):
    import gzip

    def given(lines):
        path = tmp_path / "file"
        path.write_text(lines)
        (tmp_path / "file.gz").write_bytes(gzip.compress(lines.encode()))
        forms = {"text": lines, "path": path, "name": str(path), "gz": tmp_path / "file.gz"}
        return forms.get(form) or (io.StringIO(lines) if form == "open text" else io.BytesIO(lines.encode()))

    qrels = ours.read_trec_qrels(given(QREL_LINES))
    assert qrels == [Qrel("q1", "b", 1, "0"), Qrel("q1", "b", 2, "1"), Qrel("q2", "e", -1, "0")]
    run = ours.read_trec_run(given(RUN_LINES))
    assert run == [ScoredDoc("q1", "a", 3.0), ScoredDoc("q1", "b", 2.0), ScoredDoc("q2", "e", 0.5)]
    for _ in range(2):  # B45: not used up
        assert ours.calc_aggregate([RR], qrels[1:], run) == {RR: 0.25}  # q1: b at rank 2; q2: nothing relevant


@pytest.mark.parametrize(
    ("reader", "lines", "message"),
    [
        (
            ours.read_trec_qrels,
            "q1 0 b 1\nq1 0 c\n",
            "text:2: expected 4 fields, found 3: 'q1 0 c'. A qrels line is ",
        ),
        (
            ours.read_trec_qrels,
            "\nq1 0 b x\n",
            "text:2: the grade 'x' is not a whole number; round it or map it to one",
        ),
        (ours.read_trec_run, "q1 Q0 b 1 2.0 r\nq1 Q0 b 1\n", "text:2: expected 6 fields, found 4"),
    ],
)
def test_a_line_that_is_not_in_its_form_is_refused(reader, lines, message):
    with pytest.raises(FormatError) as problem:
        reader(lines)
    assert str(problem.value).startswith(message)


def test_it_works_where_ir_measures_is_not_installed():
    code = (
        "import sys\nsys.modules['ir_measures'] = None\nfrom irkit import ir_measures\n"
        "print(ir_measures.calc_aggregate([ir_measures.nDCG @ 10], {'q': {'a': 1}}, {'q': ['a']}))\n"
        "try:\n    ir_measures.register()\nexcept Exception as problem:\n    print(type(problem).__name__, problem)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == (
        "{nDCG@10: 1.0}\nMissingDependencyError ir_measures is not installed, so there is nothing to register with: "
        "pip install ir-measures\n"
    )


# Held against ir_measures

# All that both can compute for topics whose ids are no numbers; its RBP needs a rel.
BOTH = parse_measures(
    "nDCG nDCG@5 nDCG(gains={1:5,2:7})@10 nDCG(judged_only=True)@5 AP AP@5 AP(rel=2) AP(judged_only=True)@7 RR "
    "RR(rel=2) RR(judged_only=True) P@5 P(rel=2)@5 P(judged_only=True)@5 R@5 R(rel=2)@10 R(judged_only=True)@5 Rprec "
    "Rprec(rel=2) Rprec(judged_only=True) Bpref Bpref(rel=2) infAP infAP(rel=2) IPrec@0.3 IPrec(rel=2)@0.5 "
    "IPrec(judged_only=True)@0.5 NumQ NumRel NumRet NumRelRet NumRelRet(rel=2) SetP SetP(rel=2) SetP(relative=True) "
    "SetP(judged_only=True) SetR SetR(rel=2) SetF SetF(rel=2) SetF(judged_only=True) SetAP SetAP(rel=2) "
    "SetAP(judged_only=True) Success@3 Success(rel=2)@3 Success(judged_only=True)@1"
)
# Computed there by code that puts the smaller document id first in a tie, or none in particular.
WITHOUT_TIES = parse_measures("RR@3 RR(rel=2)@5 Judged Judged@5 RBP(rel=1) RBP(p=0.5,rel=2)")
# Computed by a Perl program, for topics that are numbers; printed with five decimals.
BY_PERL = parse_measures("nDCG(dcg='exp-log2')@5 ERR@5 ERR@20")
# Known to ir_measures, which has no provider for them that works here, or another value (SetF).
OURS_ALONE = parse_measures("nDCG(dcg='exp-log2') RBP RBP(rel=2)@5 ERR NumRel(rel=2) SetF(beta=2.0)")


@pytest.fixture
def theirs():
    return pytest.importorskip("ir_measures")


def collection(seed, ties):
    """Twelve judged topics of which the run has ten, and one topic more."""
    rng = random.Random(seed)
    documents = [f"d{place}" for place in range(60)]
    qrels = {f"q{n}": {doc: rng.choice([0, 0, 1, 2, 3, 4]) for doc in rng.sample(documents, 25)} for n in range(12)}
    run = {
        f"q{n}": {doc: float(rng.randrange(6)) if ties else rng.random() for doc in rng.sample(documents, 30)}
        for n in range(10)
    }
    return qrels, run | {"unjudged": {"d1": 1.0}}


def by_topic(found):
    return {(metric.query_id, str(metric.measure)): metric.value for metric in found.per_query}


@pytest.mark.parametrize("measure", [*BOTH, *WITHOUT_TIES], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_ir_measures(measure, seed, theirs):
    qrels, run = collection(seed, ties=measure in BOTH)
    asked = theirs.parse_measure(str(measure))  # one at a time: it mixes up some that are asked for together
    found, expected = ours.calc([asked], qrels, run), theirs.calc([asked], qrels, run)
    assert by_topic(found) == pytest.approx(by_topic(expected), abs=1e-9)
    assert found.aggregated == pytest.approx(expected.aggregated, abs=1e-9)
    if measure.name != "NumRelRet":  # called NumRet(rel=1) there
        assert [*map(str, ours.calc_aggregate([measure], qrels, run))] == [str(asked)]


@pytest.mark.skipif(shutil.which("perl") is None, reason="Perl is not installed")
@pytest.mark.parametrize("measure", BY_PERL, ids=str)
def test_values_are_those_that_gdeval_prints(measure, theirs):
    qrels, run = ({topic.removeprefix("q"): rows for topic, rows in rows.items()} for rows in collection(6, ties=True))
    del run["unjudged"]
    asked = theirs.parse_measure(str(measure))
    expected = by_topic(theirs.calc([asked], qrels, run))
    assert by_topic(ours.calc([asked], qrels, run)) == pytest.approx(expected, abs=5.001e-6)


def test_every_form_of_input_of_ir_measures_gives_the_same(theirs):
    qrels, run = collection(5, ties=True)
    measures = [theirs.nDCG @ 10, theirs.AP]
    rows = [theirs.ScoredDoc(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
    judged = [theirs.Qrel(topic, doc, grade) for topic, docs in qrels.items() for doc, grade in docs.items()]
    expected = theirs.calc_aggregate(measures, qrels, run)
    for given in ((judged, rows), (iter(judged), iter(rows)), (pd.DataFrame(judged), pd.DataFrame(rows))):
        assert ours.calc_aggregate(measures, *given) == pytest.approx(expected, abs=1e-9)


def test_what_ir_measures_is_told_to_compute_otherwise_stays_there(theirs):
    mine = theirs.define_byquery(lambda qrels, run: 1.0, name="AP")
    with pytest.raises(MeasureError, match=r"was defined by ir_measures[.]define: only ir_measures can compute it"):
        ours.calc_aggregate([mine], QRELS, RUN)


def test_a_topic_that_a_measure_is_not_averaged_over_has_no_metric():
    # topic 1 has a relevant document, so it does not ask for silence
    qrels, run = {"1": {"a": 1}, "2": {"b": 0}}, {"1": {"a": 1.0}}
    assert list(ours.iter_calc(["NoAnswer"], qrels, run)) == [ours.Metric("2", NoAnswer, 1.0)]
    assert ours.calc_aggregate(["NoAnswer"], qrels, run) == {NoAnswer: 1.0}


# irkit as a provider


@pytest.fixture
def registered(theirs):
    provider = ours.register()
    yield theirs
    theirs.DefaultPipeline.providers.remove(provider)  # others compare with what it is without
    del theirs.providers.registry["irkit"], theirs.irkit


def test_one_line_makes_irkit_a_provider():
    pytest.importorskip("ir_measures")
    code = (
        "import ir_measures\nfrom ir_measures import nDCG\nimport irkit.ir_measures\n"
        "assert irkit.ir_measures.register() is irkit.ir_measures.register() is ir_measures.irkit\n"
        "assert ir_measures.providers.registry['irkit'] is ir_measures.irkit\n"
        "assert [one.NAME for one in ir_measures.DefaultPipeline.providers].count('irkit') == 1\n"
        "found = ir_measures.calc_aggregate([nDCG(dcg='exp-log2')@10], {'q': {'a': 2}}, {'q': {'b': 2, 'a': 1}})\n"
        "print(*(f'{measure} {value:.6f}' for measure, value in found.items()))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    # (2^2 - 1) / log2(3) of (2^2 - 1) / log2(2), which no other provider computes for a topic that is not a number
    assert said == "nDCG(dcg='exp-log2')@10 0.630930\n"


@pytest.mark.parametrize("measure", [*BOTH, *WITHOUT_TIES, *BY_PERL, *OURS_ALONE], ids=str)
def test_ir_measures_gives_the_values_of_irkit(measure, registered):
    qrels, run = collection(9, ties=True)
    asked = registered.parse_measure(str(measure))
    expected = irkit.evaluate(run=run, qrels=qrels, measures=measure, rules="trec_eval-9")
    values = dict(zip(expected.topics, expected.by_topic(measure).tolist(), strict=True))
    if measure.summary == "sum":
        values |= dict.fromkeys(expected.missing, 0)
    for found in (registered.calc([asked], qrels, run), registered.irkit.calc([asked], qrels, run)):
        assert {metric.query_id: metric.value for metric in found.per_query} == values
        assert all(type(metric) is registered.Metric for metric in found.per_query)
        total = sum(values.values())
        assert found.aggregated == pytest.approx({asked: total if measure.summary == "sum" else total / len(values)})


def test_all_measures_at_once_have_the_values_that_each_has_alone(registered):
    # ir_measures without irkit gives NumRet the documents of a measure with judged_only beside it
    qrels, run = collection(4, ties=True)
    measures = [registered.parse_measure(str(one)) for one in (*BOTH, *WITHOUT_TIES, *BY_PERL, *OURS_ALONE)]
    rows = registered.util.QrelsConverter(qrels).as_namedtuple_iter()
    alone = {one: ours.calc_aggregate([one], qrels, run)[one] for one in measures}
    assert registered.calc_aggregate(measures, rows, run) == pytest.approx(alone, abs=1e-12)


def test_the_irkit_provider_leaves_to_others_what_it_has_not(registered):
    assert not registered.irkit.supports(registered.define_byquery(lambda qrels, run: 0.75, name="AP"))
    strange = registered.define_byquery(lambda qrels, run: 0.75, name="mine")
    found = registered.calc_aggregate([strange, registered.RR], {"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert found == {strange: 0.75, registered.RR: 1.0}


def test_measures_of_two_kinds_of_judgments_go_together_in_ir_measures(registered):
    qrels = [registered.Qrel("1", "a", 1, "1"), registered.Qrel("1", "b", 2, "2"), registered.Qrel("1", "c", 0, "1")]
    run = [registered.ScoredDoc("1", "b", 2.0), registered.ScoredDoc("1", "c", 1.0)]
    found = registered.calc_aggregate([registered.AP, registered.alpha_nDCG @ 5], qrels, run)
    # one of two relevant documents, in front; each covers one of two subtopics: 1 / (1 + 1 / log2(3))
    assert found == {registered.AP: 0.5, registered.alpha_nDCG @ 5: pytest.approx(0.61314719)}
