"""Qrels by subtopic: files, mappings and tables; and how they are asked for."""

import io

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from samples import subtopic_qrels

from irkit.cli import main
from irkit.data.judgments.subtopics import SubtopicQrels, read_subtopic_qrels
from irkit.data.qrels import read_qrels
from irkit.errors import DataError, DuplicateError, FormatError, MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.judged.subtopics import judge_subtopics

QRELS = {"1": {"1": {"a": 1, "b": 0}, "2": {"a": 2, "c": -1}}, "10": {"1": {"d": 0}}}
LINES = "1 1 a 1\n1 1 b 0\n1 2 a 2\n1 2 c -1\n10 1 d 0\n"


def test_a_file_is_read_whatever_the_order_of_its_lines(tmp_path):
    path = tmp_path / "q"
    path.write_text("# topic subtopic document grade\n" + "".join(reversed(LINES.splitlines(keepends=True))) + "\r\n")
    qrels = read_subtopic_qrels(path)
    assert qrels.topics == ("1", "10")
    assert qrels.to_dict() == QRELS
    assert qrels.as_trec().decode() == LINES
    assert len(qrels) == 5
    assert qrels.pools() == {"1": {"a", "b", "c"}, "10": {"d"}}
    assert qrels.name == str(path)


@settings(max_examples=30, deadline=None, database=None)
@given(qrels=subtopic_qrels())
def test_what_is_written_reads_back(qrels, tmp_path_factory):
    path = tmp_path_factory.mktemp("q") / "q.gz"
    SubtopicQrels.of(qrels).write(path)
    assert SubtopicQrels.of(path).to_dict() == SubtopicQrels.of(qrels).to_dict() == qrels


def test_each_document_has_one_place_and_none_that_only_negative_grades_speak_of():
    qrels = SubtopicQrels.of(QRELS)
    # in byte order: a, b, c of topic 1, and d of topic 10
    assert qrels.places.to_dict() == {"1": {"a": 0, "b": 1, "c": -1}, "10": {"d": 3}}
    assert qrels.subtopics == ("1", "2", "1")
    assert qrels.topic.tolist() == [0, 0, 1]
    assert list(zip(qrels.document.tolist(), qrels.subtopic.tolist(), qrels.grade.tolist(), strict=True)) == [
        (0, 0, 1),
        (0, 1, 2),
        (1, 0, 0),
        (2, 1, -1),
        (3, 2, 0),
    ]
    with pytest.raises(ValueError, match="read-only"):
        qrels.grade[0] = 5


@pytest.mark.parametrize("name", ["subtopic", "subtopic_id", "iteration"])
def test_a_table_has_one_more_column(name):
    rows = [
        (topic, sub, doc, grade)
        for topic, inner in QRELS.items()
        for sub, g in inner.items()
        for doc, grade in g.items()
    ]
    table = pd.DataFrame(rows, columns=["query_id", name, "doc_id", "relevance"])
    assert SubtopicQrels.of(table).to_dict() == QRELS
    # such a table is asked for its subtopics where a measure needs them
    found = evaluate(run={"1": ["a"]}, qrels=table, measures="StRecall@1 NumQ")
    assert found.value("StRecall@1", "1") == 1.0


def test_objects_have_one_more_field():
    lines = [line.split() for line in LINES.splitlines()]
    objects = [ir_measures.Qrel(topic, doc, int(grade), sub) for topic, sub, doc, grade in lines]
    assert SubtopicQrels.of(objects).to_dict() == SubtopicQrels.of(iter(objects)).to_dict() == QRELS
    found = evaluate(run={"1": ["a"]}, qrels=objects, measures="StRecall@1 NumQ Judged@1")
    assert found.values.tolist() == [[1, 1, 1], [0, 1, 0]]
    with pytest.raises(FormatError, match="row 6 of the objects: document 'a' occurs twice in topic '1', subtopic '1'"):
        SubtopicQrels.of([*objects, objects[0]])


def test_tables_that_are_no_qrels_by_subtopic_are_refused_with_the_place():
    columns = ["topic", "iteration", "document", "grade"]
    with pytest.raises(FormatError, match="row 2 of the table: document 'a' occurs twice in topic '1', subtopic 's'"):
        SubtopicQrels.of(pd.DataFrame([("1", "s", "a", 1), ("1", "s", "a", 2)], columns=columns))
    with pytest.raises(FormatError, match=r"column iteration: the subtopic id 7 is of type int; ids are strings: str"):
        SubtopicQrels.of(pd.DataFrame([("1", 7, "a", 1)], columns=columns))
    with pytest.raises(FormatError, match="no column named subtopic or subtopic_id or iteration"):
        SubtopicQrels.of(pd.DataFrame([("1", "a", 1)], columns=["topic", "document", "grade"]))
    with pytest.raises(FormatError, match=r"qrels by subtopic are a file, a dict, a table .*, not int"):
        SubtopicQrels.of(7)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"1": {"a": 1}}, r"topic '1', subtopic 'a' holds a int; \{document: grade\} is expected"),
        ({"1": {}}, r"topic '1' holds no judgment; leave it out"),
        ({"1": {"s": {"a": 0.5}}}, r"qrels, subtopic 's': the grade of document 'a' in topic '1' is 0.5"),
    ],
)
def test_mappings_that_are_no_qrels_by_subtopic_are_refused_with_the_place(source, message):
    with pytest.raises(FormatError, match=message):
        SubtopicQrels.from_dict(source)


def test_a_document_twice_for_a_subtopic_is_refused_with_both_lines(tmp_path):
    (tmp_path / "q").write_text("1 1 a 1\n1 2 a 1\n1 1 a 0\n")
    with pytest.raises(
        DuplicateError, match=r"q:3: document 'a' occurs twice in topic '1', subtopic '1', first in line 1"
    ):
        read_subtopic_qrels(tmp_path / "q")


def test_plain_measures_asked_of_qrels_by_subtopic_say_which_read_them(tmp_path):
    path = tmp_path / "q"
    path.write_text(LINES)
    with pytest.raises(DuplicateError) as found:
        evaluate(run={"1": ["a"]}, qrels=path, measures="nDCG@10 alpha_nDCG@10")
    assert str(found.value) == (
        f"{path}:3: document 'a' occurs twice in topic '1', first in line 1; keep one of them. "
        "If the second column is a subtopic, measures by subtopic read it: alpha_nDCG@20. "
        "It was read as plain qrels (read_qrels), for nDCG@10; ask for the other measures without nDCG@10"
    )
    path.write_text("1 1 a 1\n1 2 b 1\n1 1 a 1\n")  # the same subtopic twice
    with pytest.raises(DuplicateError, match=r"q:3: .* first in line 1; keep one of them$"):
        read_qrels(path)


def test_topics_in_either_only():
    run = {"1": ["x", "a"], "7": ["y"]}
    both = judge_subtopics(run, QRELS)
    assert (both.topics, both.missing, both.unjudged) == (("1", "10"), ("10",), ("7",))
    assert both.n_retrieved.tolist() == [2, 0]
    assert both.n_found == 1
    assert judge_subtopics(run, QRELS, average="intersection").topics == ("1",)
    with pytest.raises(DataError, match="no topic in common: run has 1 topic, such as '7'; qrels has 2, such as '1'"):
        judge_subtopics({"7": ["y"]}, QRELS)


def test_measures_of_quality_are_chosen_where_none_is_named():
    found = evaluate(run={"1": ["a"]}, qrels=QRELS)
    assert [str(measure) for measure in found.measures] == ["alpha_nDCG@20", "ERR_IA@20", "StRecall@20"]
    assert found.without_relevant == ("10",)
    with pytest.raises(MeasureError, match=r"nDCG@5 needs plain qrels .*, not qrels by subtopic"):
        evaluate(run={"1": ["a"]}, qrels=QRELS, measures="nDCG@5")
    with pytest.raises(
        MeasureError, match=r"StRecall@5 needs qrels by subtopic \(read_subtopic_qrels\), not plain qrels"
    ):
        evaluate(run={"1": ["a"]}, qrels={"1": {"a": 1}}, measures="StRecall@5")


def test_strangers_are_told():
    found = evaluate(run={"1": ["doc1"]}, qrels={"1": {"s": {"doc1.txt": 1}}})
    assert "'doc1' is the beginning of 'doc1.txt'" in found.notes[-1]


def test_qrels_without_subtopics_are_said_to_have_none():
    note = "no topic has more than one subtopic: are the subtopics in the second column of the qrels?"
    for subtopics, notes in (({"0": {"a": 1, "b": 1}}, (note,)), ({"0": {"a": 1}, "1": {"a": 1}}, ())):
        assert evaluate(run={"1": ["a"]}, qrels={"1": subtopics}, measures="alpha_nDCG@5").notes == notes


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text("1 Q0 x 1 3 r\n1 Q0 a 2 2 r\n10 Q0 d 1 1 r\n")
    (tmp_path / "qrels").write_text(LINES)
    (tmp_path / "once").write_text("1 1 a 1\n1 2 b 1\n10 0 d 0\n")


def test_on_the_command_line_the_measures_say_how_the_qrels_are_read(files, capfd):
    words = ["run", "qrels", "-m", "alpha_nDCG@20", "-m", "StRecall@20", "-m", "NumQ", "-m", "Judged@2"]
    assert main(["score", *words, "--no-relevant", "skip", "--format", "csv"]) == 0
    # topic 1: a alone, at rank 2: G = 2 of 2 at best, so 1 / log2(3); topic 10 has nothing to find
    out = capfd.readouterr().out
    assert "0.6309" in out
    assert main(["score", *words, "--format", "trec_eval"]) == 0
    values = {
        name.strip(): value for name, _, value in (line.split("\t") for line in capfd.readouterr().out.splitlines())
    }
    assert values == {"alpha_nDCG@20": "0.3155", "StRecall@20": "0.5000", "num_q": "2", "Judged@2": "0.7500"}


def test_a_file_that_judges_each_document_once_can_be_read_both_ways(files, capfd):
    assert main(["score", "run", "once", "-m", "StRecall@20 R@20 NumQ NumRel", "--format", "trec_eval"]) == 0
    values = {
        name.strip(): value for name, _, value in (line.split("\t") for line in capfd.readouterr().out.splitlines())
    }
    assert values == {"StRecall@20": "0.2500", "recall_20": "0.2500", "num_q": "2", "num_rel": "2"}


def test_qrels_through_a_pipe_are_read_in_one_way_only(files, capfd, monkeypatch):
    def given(measures):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"1 1 a 1\n10 0 d 0\n"))))
        return main(["score", "run", "-", "-m", measures])

    assert given("StRecall@20 NumQ") == 0
    assert given("StRecall@20 R@20") == 2
    assert "standard input can be read only once; name a file for judgments of two kinds" in capfd.readouterr().err


def test_seven_thousand_topics_have_the_values_that_each_has():
    # d0 has both subtopics, d1 the first: run d1, d0. G = 1, 1.5 and 2, 0.5 in the ideal.
    qrels = {f"{topic:04}": {"1": {"d0": 1, "d1": 1}, "2": {"d0": 1}} for topic in range(7000)}
    found = evaluate(run={topic: ["d1", "d0"] for topic in qrels}, qrels=qrels, measures="nERR_IA@20")
    assert np.unique(found.values).tolist() == [(1 + 1.5 / 2) / (2 + 0.5 / 2)]
