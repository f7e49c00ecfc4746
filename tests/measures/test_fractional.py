"""Qrels with fractional grades: reading, refusals, values by hand, and whole numbers as in plain qrels."""

import gzip
import subprocess
import sys
from fractions import Fraction
from math import log2
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from laws import holds_for
from numpy.testing import assert_allclose, assert_array_equal
from samples import SAMPLES, judged, plain, qrels, runs

from irkit.cli import main
from irkit.data.judgments.fractional import FractionalQrels, read_fractional_qrels
from irkit.data.qrels import Qrels
from irkit.errors import DuplicateError, FormatError, MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.judged.fractional import judge_fractional
from irkit.measures import DCG, FAMILIES, RBP, IdealDCG, Judged, nDCG, ndcg_rel, parse_measure, rbp, rbp_resid, unj

L3, L5 = log2(3), log2(5)
# Ranks 1 to 4: 0.5, not in the qrels, 1.5, pooled and not judged. Not retrieved: 0.25 and 0.
ONE = judge_fractional(
    {"q": list("axbn")}, FractionalQrels.of({"q": {"a": 0.5, "b": 1.5, "n": -0.5, "c": 0.25, "d": 0}})
)
FRACTIONAL = [measure for measure in SAMPLES if "fractional" in measure.family.judgments]


def read_from(tmp_path, content: bytes):
    path = tmp_path / "q"
    path.write_bytes(content)
    return read_fractional_qrels(path)


def fractional(run, judgments):
    return judge_fractional(run, FractionalQrels.of(judgments))


# Values by hand -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (DCG, 0.5 + 1.5 / 2),
        (DCG @ 2, 0.5),
        (IdealDCG, 1.5 + 0.5 / L3 + 0.25 / 2),
        (nDCG, (0.5 + 1.5 / 2) / (1.5 + 0.5 / L3 + 0.25 / 2)),
        (nDCG @ 2, 0.5 / (1.5 + 0.5 / L3)),
        (nDCG(judged_only=True), (0.5 + 1.5 / L3) / (1.5 + 0.5 / L3 + 0.25 / 2)),
        (DCG(dcg="exp-log2"), (2**0.5 - 1) + (2**1.5 - 1) / 2),
        # grades that are named are whole ones; what is outside the qrels gains 2 at rank 2, what was not judged 1 at 4
        (DCG(gains={-1: 2, -2: 1}), 0.5 + 2 / L3 + 1.5 / 2 + 1 / L5),
        # p = 0.8: the scale ends at the best grade, 1.5
        (RBP, 0.2 * (0.5 / 1.5 + 0.8**2)),
        (RBP(max_rel=2), 0.2 * (0.5 / 2 + 1.5 / 2 * 0.8**2)),
        (RBP(rel=1), 0.2 * 0.8**2),
        (rbp(p=0.8), 0.2 * (0.5 / 1.5 + 0.8**2)),
        (rbp_resid(p=0.8), 0.8**4 + 0.2 * (0.8 + 0.8**3)),
        # at rank 1, at rank 3, and at the end for the one that is missed
        (
            ndcg_rel,
            (0.5 / 1.5 + 2 * (0.5 + 1.5 / 2) / (1.5 + 0.5 / L3 + 0.25 / 2)) / 3,
        ),
        (Judged, 2 / 4),
        (unj @ 2, 1 / 2),
        (parse_measure("NumRet"), 4),
        (parse_measure("NumQ"), 1),
    ],
    ids=str,
)
def test_values_by_hand(measure, value):
    assert measure(ONE) == pytest.approx([value], rel=1e-12)


def test_a_scale_that_ends_below_1_is_a_scale():
    # the one document has the best grade that there is, so it weighs 1
    assert RBP(fractional({"q": ["a"]}, {"q": {"a": 0.25}})) == pytest.approx([0.2])
    # trec_eval's rbp divides by the best gain only where that is above 1
    assert rbp(p=0.8)(fractional({"q": ["a"]}, {"q": {"a": 0.25}})) == pytest.approx([0.2 * 0.25])


def test_a_grade_above_the_scale_is_refused_with_a_scale_that_can_be_asked_for():
    with pytest.raises(
        MeasureError, match=r"RBP has max_rel=1, but the qrels hold grade 1.5; ask for it with max_rel=2"
    ):
        RBP(max_rel=1)(ONE)
    with pytest.raises(MeasureError, match=r"grade 1000.5 is too large for a gain of 2 \*\* grade - 1"):
        nDCG(dcg="exp-log2")(fractional({"q": ["a"]}, {"q": {"a": 1000.5}}))


def test_nothing_retrieved_and_nothing_gaining_is_0():
    both = fractional({"1": ["a"], "2": {}}, {"1": {"a": 0.0}, "2": {"b": 0.5}, "3": {"c": -0.5}})
    for measure in (nDCG, DCG, RBP, rbp, ndcg_rel):
        assert measure(both).tolist() == [0, 0, 0]
    none = fractional({"1": ["a"]}, {"1": {"a": -1.5}})
    assert RBP(none).tolist() == [0]


def test_a_topic_has_relevant_documents_where_a_gain_is_above_0():
    result = evaluate(
        run={"1": ["a"], "2": ["b"]},
        qrels={"1": {"a": 0.25}, "2": {"b": 0}},
        measures="RBP nDCG Judged@10",
        fractional=True,
        no_relevant="skip",
    )
    assert result.without_relevant == ("2",)
    assert result.n_averaged.tolist() == [1, 1, 1]


# Laws ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None, database=None)
@given(run=runs(), grades=qrels())
def test_whole_numbers_among_fractional_grades_are_plain_qrels(run, grades):
    plain, floats = judged(run, grades), fractional(run, grades)

    def law(measure):
        assert_array_equal(measure(floats), measure(plain))
        assert_array_equal(measure.n_findable(floats), measure.n_findable(plain))

    holds_for(FRACTIONAL, law)


@settings(max_examples=20, deadline=None, database=None)
@given(run=runs(), grades=qrels(lowest=0))
def test_the_unit_of_the_gains_cancels_in_ndcg_and_rbp(run, grades):
    parts = {topic: {doc: grade / 7 for doc, grade in docs.items()} for topic, docs in grades.items()}
    for measure in (nDCG, nDCG @ 2, RBP, ndcg_rel):
        assert_allclose(measure(fractional(run, parts)), measure(judged(run, grades)), rtol=1e-12)
    assert_allclose(DCG(fractional(run, parts)), DCG(judged(run, grades)) / 7, rtol=1e-12)


@settings(max_examples=10, deadline=None, database=None)
@given(run=runs(), grades=qrels())
def test_a_cut_and_thinned_ranking_stays_one_of_gains(run, grades):
    halves = {topic: {doc: grade / 2 for doc, grade in docs.items()} for topic, docs in grades.items()}
    both = fractional(run, halves)
    for seen in (both, both.cut(2), both.judged_only()):
        assert seen.kind == "fractional"
        assert seen.grade.dtype == seen.pool_grade.dtype == np.float64
        bounds = np.flatnonzero(np.diff(seen.pool_topic)) + 1
        assert all((np.diff(pool) <= 0).all() for pool in np.split(seen.pool_grade, bounds))


# Reading ------------------------------------------------------------------------------------------------------------


def test_a_file_may_hold_any_decimal_number(tmp_path):
    content = b"\xef\xbb\xbf# one\n2 0 z 1.50\r\n\r\n 2\tx  b -.5 \n2 0 a 2\n10 0 a 1e-3\n"
    read = read_from(tmp_path, content)
    assert read.topics == ("10", "2")
    assert read.to_dict() == {"10": {"a": 0.001}, "2": {"a": 2.0, "b": -0.5, "z": 1.5}}
    assert read.pools() == {"10": {"a"}, "2": {"a", "b", "z"}}
    assert len(read) == 4
    assert read_from(tmp_path, gzip.compress(content)).to_dict() == read.to_dict()


@pytest.mark.parametrize("grade", ["x", "2,7", "nan", "inf", "1_0", "0x10", "1e100", "-1e100", "1e999"])
def test_a_grade_that_is_no_number_is_refused_with_the_form(tmp_path, grade):
    with pytest.raises(FormatError, match=rf"q:2: the grade '{grade}' is not a .*'topic iteration document grade'"):
        read_from(tmp_path, f"1 0 a 1\n1 0 b {grade}\n".encode())


def test_lines_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(
        FormatError, match=r"q:1: expected 4 fields, found 3: '1 0 a'\. A line of qrels with fractional"
    ):
        read_from(tmp_path, b"1 0 a\n")
    with pytest.raises(DuplicateError, match=r"q:2: document 'a' occurs twice in topic '1', first in line 1"):
        read_from(tmp_path, b"1 0 a 1\n1 1 a 0.5\n")
    with pytest.raises(FormatError, match="q: the file holds no judgment"):
        read_from(tmp_path, b"\n")


def test_tables_and_mappings_give_the_same():
    grades = {"1": {"a": 0.5, "b": 2}, "2": {"a": -0.25}}
    rows = [(topic, doc, grade) for topic, docs in grades.items() for doc, grade in docs.items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    objects = [ir_measures.Qrel(topic, doc, grade) for topic, doc, grade in rows]
    array = np.array(rows, dtype=[("topic", "U9"), ("document", "U9"), ("grade", "f4")])
    for source in (
        grades,
        objects,
        frame,
        array,
        {t: {d: Fraction(g) for d, g in ds.items()} for t, ds in grades.items()},
    ):
        assert FractionalQrels.of(source).to_dict() == grades
    again = FractionalQrels.of(grades)
    assert FractionalQrels.of(again) is again


@pytest.mark.parametrize(
    "grade", [True, np.bool_(False), "0.5", None, float("nan"), float("inf"), 1e100, 10**400, np.timedelta64(1)]
)
def test_a_grade_of_another_type_is_refused_with_topic_and_document(grade):
    with pytest.raises(
        FormatError, match=r"the grade of document 'd' in topic 'q' is .*; a fractional grade is a number"
    ):
        FractionalQrels.of({"q": {"d": grade}})


def test_a_table_s_grade_is_refused_with_its_row():
    frame = pd.DataFrame({"topic": ["1", "1"], "document": ["a", "b"], "grade": [0.5, np.inf]})
    with pytest.raises(FormatError, match=r"row 2 of the table, column grade: the grade of document 'b' in topic '1'"):
        FractionalQrels.of(frame)
    frame = pd.DataFrame({"topic": ["1", "1"], "document": ["a", "a"], "grade": [0.5, 1]})
    with pytest.raises(FormatError, match=r"row 2 of the table.*'a' occurs twice in topic '1', first in row 1"):
        FractionalQrels.of(frame)


def test_an_object_s_grade_is_refused_with_its_row():
    for grades, message in (((0.5, np.inf), "row 2 of the objects"), ((0.5, None), "row 2 of the objects")):
        with pytest.raises(FormatError, match=message):
            FractionalQrels.of([ir_measures.Qrel("1", doc, grade) for doc, grade in zip("ab", grades, strict=True)])
    with pytest.raises(FormatError, match=r"row 2 of the objects.*'a' occurs twice in topic '1', first in row 1"):
        FractionalQrels.of([ir_measures.Qrel("1", "a", 0.5)] * 2)


def test_what_is_no_qrels_is_refused():
    with pytest.raises(FormatError, match=r"topic '1' holds a list; qrels need \{document: grade\}"):
        FractionalQrels.of({"1": ["a"]})
    with pytest.raises(FormatError, match=r"qrels are a file, a dict, a table .*, not int"):
        FractionalQrels.of(3)


# Scoring ------------------------------------------------------------------------------------------------------------


def test_the_switch_reads_files_mappings_and_tables_as_gains(tmp_path):
    (tmp_path / "q").write_text("1 0 a 0.5\n1 0 b 1\n")
    frame = pd.DataFrame({"topic": ["1", "1"], "document": ["a", "b"], "grade": [0.5, 1]})
    for source in (tmp_path / "q", frame, {"1": {"a": 0.5, "b": 1}}):
        result = evaluate(run={"1": ["a", "b"]}, qrels=source, fractional=True)
        assert list(map(str, result.measures)) == ["nDCG@10", "Judged@10"]
        assert result.summary == pytest.approx([(0.5 + 1 / L3) / (1 + 0.5 / L3), 1])
        assert result.notes == ("grades are fractional gains",)
    read = read_fractional_qrels(tmp_path / "q")  # which are what they are, without it
    assert evaluate(run={"1": ["a", "b"]}, qrels=read).summary.tolist() == result.summary.tolist()


def test_plain_qrels_are_gains_where_they_are_asked_to_be():
    plain = Qrels.of({"1": {"a": 1, "b": 2}, "2": {"c": 1}})
    assert FractionalQrels.of(plain).to_dict() == plain.to_dict()
    assert evaluate(run={"1": ["a"]}, qrels=plain, fractional=True).notes == ("grades are fractional gains",)
    with pytest.raises(MeasureError, match=r"P@1 needs plain qrels .*, not qrels with fractional grades"):
        evaluate(run={"1": ["a"]}, qrels=plain, measures="P@1", fractional=True)
    assert evaluate(run={"1": ["a"]}, qrels=plain, measures="P@1 nDCG").notes == ()


def test_measures_that_count_from_a_grade_on_refuse():
    for name, family in FAMILIES.items():
        if "qrels" in family.judgments and "fractional" not in family.judgments:
            measure = plain(name)
            with pytest.raises(
                MeasureError, match=rf"^{name}.* needs plain qrels .*, not qrels with fractional grades"
            ):
                evaluate(run={"1": ["a"]}, qrels={"1": {"a": 0.5}}, measures=[measure], fractional=True)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text("1 0 a 0.9\n1 0 b 2.7\n")
    Path("r.run").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n")
    Path("s.run").write_text("1 Q0 b 1 2 s\n1 Q0 a 2 1 s\n")


def call(capfd, *words):
    status = main(words)
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def test_score_with_float_gains(files, capfd):
    assert call(capfd, "score", "r.run", "q.txt", "--float-gains") == (
        0,
        "1 topic averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "grades are fractional gains\n"
        "\n"
        "run  nDCG@10  Judged@10\n"
        "───────────────────────\n"
        "r     0.7967     1.0000\n",
        "",
    )


def test_a_fraction_without_the_switch_is_refused_and_the_switch_is_named(files, capfd):
    assert call(capfd, "score", "r.run", "q.txt") == (
        1,
        "",
        "irkit: q.txt:1: the grade '0.9' is not a whole number; round it or map it to one, or take grades as "
        "fractional gains (--float-gains)\n",
    )
    Path("q.txt").write_text("1 0 a x\n")
    assert call(capfd, "score", "r.run", "q.txt")[2] == (
        "irkit: q.txt:1: the grade 'x' is not a whole number; round it or map it to one\n"
    )


def test_a_measure_that_cannot_be_is_refused_and_the_switch_is_named(files, capfd):
    assert call(capfd, "score", "r.run", "q.txt", "--float-gains", "-m", "P@10") == (
        2,
        "",
        "irkit: P@10 needs plain qrels (read_qrels), not qrels with fractional grades (read_fractional_qrels)\n",
    )


def test_compare_with_float_gains(files, capfd):
    status, out, _ = call(capfd, "compare", "r.run", "s.run", "q.txt", "--float-gains")
    assert status == 0
    assert "grades are fractional gains\n" in out
    row = next(line.split() for line in out.split("\n") if line.startswith("nDCG@10 "))
    assert row == ["nDCG@10", "s", "1.0000", "0.7967", "+0.2033", "-", "-", "1/0/0"]


def test_written_grades_are_lines_that_read_back_equal_a_topic_without_judgments_too(tmp_path):
    grades = {"none": {}, "q": {"a": 2.0, "b": 0.1}}
    qrels = FractionalQrels.of(grades)
    assert qrels.as_trec() == b"none 0 irkit:no-judgments 0.0\nq 0 a 2.0\nq 0 b 0.1\n"
    qrels.write(tmp_path / "qrels")
    assert (
        read_fractional_qrels(tmp_path / "qrels").to_dict()
        == qrels.to_dict()
        == {"none": {}, "q": {"a": 2.0, "b": 0.1}}
    )


def test_the_document_id_that_stands_for_no_judgment_is_not_written(tmp_path):
    qrels = FractionalQrels.of({"q": {"irkit:no-judgments": 0.0, "a": 1.0}})
    with pytest.raises(
        FormatError, match="qrels: the document id 'irkit:no-judgments' says in a file that a topic has"
    ):
        qrels.write(tmp_path / "qrels")
    assert not (tmp_path / "qrels").exists()


@pytest.mark.parametrize("command", [("irkit", "trec_eval"), ("irkit.trec_eval",)])
def test_both_commands_of_trec_eval_name_no_option_that_trec_eval_lacks(tmp_path, command):
    (tmp_path / "q").write_text("1 0 a 0.5\n")
    (tmp_path / "r").write_text("1 Q0 a 1 2.0 r\n")
    words = [sys.executable, "-m", *command, "q", "r"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = "trec_eval: q:1: the grade '0.5' is not a whole number; round it or map it to one\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
