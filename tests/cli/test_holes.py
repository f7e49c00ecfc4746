"""`irkit holes`: lists that are filled in and come back, whole outputs, and errors."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit import Qrels, Run, find_holes, render
from irkit.cli import main
from irkit.errors import FormatError
from irkit.holes.worklist import Answer, joined, read_answers, write_worklist
from irkit.report.text import COMPARISON_FORMATS

A = "1 Q0 a 1 2 A\n1 Q0 x 2 1 A\n2 Q0 y 1 2 A\n2 Q0 c 2 1 A\n"
B = "1 Q0 x 1 2 B\n1 Q0 a 2 1 B\n2 Q0 c 1 2 B\n2 Q0 z 2 1 B\n"
HEAD = "topic\tdocument\tgrade\tcould_change\treturned_by\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text(A)
    Path("b.run").write_text(B)
    Path("qrels").write_text("1 0 a 1\n2 0 c 1\n")


def call(capfd, *words):
    status = main(list(words))
    out, err = capfd.readouterr()
    return status, out, err


@pytest.mark.usefixtures("files")
def test_the_list_has_queries_and_texts_on_one_line_and_no_formulas(capfd):
    Path("topics").write_text("1\t=HYPERLINK(0)\n2\tsecond \x1b[31mquery\n")
    Path("documents").write_text(
        json.dumps({"id": "y", "contents": "a\tb\nc"}) + "\n" + json.dumps({"id": "x", "contents": "@" * 40_000}) + "\n"
    )
    words = ("a.run", "b.run", "qrels", "-m", "nDCG@2", "--topics", "topics", "--documents", "documents", "--out", "-")
    status, out, err = call(capfd, "holes", *words)
    assert status == 0
    assert err == "1 pair of the list: no such document in documents, so no text\n"
    rows = list(csv.reader(io.StringIO(out), delimiter="\t"))
    assert rows[0] == ["topic", "document", "grade", "could_change", "returned_by", "query", "text"]
    assert rows[1] == ["2", "y", "", "0.377962", "a:1", "second \\x1b[31mquery", "a b c"]
    assert rows[2] == ["1", "x", "", "0.184535", "a:2 b:1", "'=HYPERLINK(0)", "'" + "@" * 30_000 + " ..."]
    assert rows[3][5:] == ["second \\x1b[31mquery", ""]


ids = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=4) | st.sampled_from(
    ["=1", "'=1", "''", "+a", '"', '"a', "-", "'", "'a", "a\udcff"]
)


@given(documents=st.lists(ids, min_size=1, max_size=4, unique=True), topic=ids)
def test_a_filled_list_comes_back_as_it_was(tmp_path_factory, documents, topic):
    path = tmp_path_factory.getbasetemp() / "list.tsv"
    holes = find_holes(Run.from_scores({topic: dict.fromkeys(documents, 1.0)}), {topic: {"judged before": 1}})
    write_worklist(path, holes)
    assert read_answers(path) == []
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8", "surrogateescape"), newline=""), delimiter="\t"))
    for grade, row in enumerate(rows[1:]):
        row[2] = str(grade)
    with path.open("w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        csv.writer(stream, delimiter="\t", lineterminator="\r\n").writerows(rows)
    answers = read_answers(path)
    assert sorted(answer.document for answer in answers) == sorted(documents)
    assert {answer.topic for answer in answers} == {topic}
    assert [answer.grade for answer in answers] == list(range(len(documents)))
    assert all(answer.line == number for number, answer in enumerate(answers, 2))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "1\tx\ttwo\n", r"list:2: grade 'two' is not a whole number of 0 or more"),
        (HEAD + "1\tx\t-1\n", r"list:2: grade '-1'"),
        (HEAD + "1\tx\t\n\tx\t1\n", r"list:3: a grade '1' without topic or document"),
        (HEAD + "1\tx\t1\n1\tx\t2\n", r"list:3: document 'x' of topic '1' has grade 2 here and 1 in line 2; keep one"),
        ("topic\tgrade\n1\t1\n", r"list:1: the list has no column 'document'; there are topic, grade"),
        ("something else\n", r"list:1: neither a list .* nor qrels"),
        (HEAD + '1\t"x\t1\n', r"list:2: no table of tab-separated values"),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_list_that_is_not_one_is_refused_with_its_line(text, words):
    Path("list").write_text(text)
    with pytest.raises(FormatError, match=words):
        read_answers("list")


def test_answers_fill_in_and_repeat_but_never_contradict():
    qrels = Qrels.of({"1": {"a": 1, "b": -1}})
    answers = [Answer("1", "a", 1, "list", 2), Answer("1", "b", 2, "list", 3), Answer("9", "c", 0, "list", 4)]
    assert joined(qrels, answers).to_dict() == {"1": {"a": 1, "b": 2}, "9": {"c": 0}}
    with pytest.raises(FormatError, match="list:2: document 'a' of topic '1' has grade 0 here and 1 already; keep one"):
        joined(qrels, [Answer("1", "a", 0, "list", 2)])


@pytest.mark.usefixtures("files")
def test_qrels_are_answers_too(capfd):
    Path("more").write_text("1 0 x 0\n2 0 y 0\n2 0 z 1\n")
    words = ("a.run", "b.run", "qrels", "-m", "nDCG@2", "--answers", "more", "--format", "json")
    status, out, _ = call(capfd, "holes", *words)
    found = json.loads(out)
    assert (status, found["n_holes"], found["holes"]) == (0, 0, [])
    # topic 1: the first 1, the second 0.630930; topic 2: 0.386853 and 1
    (difference,) = found["differences"]
    assert difference["value"] == pytest.approx((1 - 0.630930 + 0.386853 - 1) / 2, abs=1e-6)
    assert difference["verdict"] == "second"


@pytest.mark.usefixtures("files")
def test_records_are_the_list_and_what_is_amiss_goes_beside_it(capfd):
    Path("b.run").write_text(B.splitlines()[0] + "\n" + B.splitlines()[1] + "\n")
    status, out, err = call(capfd, "holes", "a.run", "b.run", "qrels", "-m", "P@2", "--format", "csv")
    assert status == 0
    assert out == (
        "topic,document,difference_change,value_change,n_runs,rank in a,rank in b\n"
        "2,y,0.25,0.25,1,1,\n"
        "1,x,0.0,0.25,2,2,1\n"
    )
    assert "b: 1 judged topic missing from the run (counted as returning nothing): 2" in err
    # topic 1 is the same set in both, and the second has nothing where the first has c
    assert "no judgments of these documents can change the order of the runs (1 pair compared)" in err


@pytest.mark.parametrize("measure", ["AP", "RR", "R@2", "ERR", "Bpref", "Rprec", "Success@2", "rbp", "P@2", "DCG"])
@pytest.mark.usefixtures("files")
def test_json_has_the_bounds_of_every_measure_as_plain_values(measure, capfd):
    status, out, err = call(capfd, "holes", "a.run", "b.run", "qrels", "-m", measure, "--format", "json")
    assert (status, err) == (0, "")
    assert all(type(run["lowest_exact"]) is bool for run in json.loads(out)["runs"])


@pytest.mark.parametrize("form", COMPARISON_FORMATS)
def test_every_format_shows_hostile_names_harmlessly(form):
    hostile = "=1|\x1b[31m&%"
    run = Run.from_scores({"1": {"=2|\x1b&": 2.0, "a": 1.0}}, name=hostile)
    text = render(find_holes([run, {"1": ["a"]}], {"1": {"a": 1}}), form)
    assert "\x1b" not in text
    if form in ("csv", "tsv"):
        assert "'=2" in text


@pytest.mark.usefixtures("files")
def test_a_page_lists_twenty_and_says_so_and_many_runs_are_counted(capfd):
    lines = (f"1 Q0 d{n:02} 0 {99 - n} r\n" for n in range(30))
    Path("long.run").write_text("".join(lines))
    status, out, _ = call(capfd, "holes", "long.run", "qrels", "-k", "30", "-m", "nDCG@30")
    assert status == 0
    assert "To judge next (20 of 30), by what each alone could change in a run's mean" in out
    assert len(re.findall(r"^1 +d\d\d ", out, re.M)) == 20
    _, out, _ = call(capfd, "holes", *["long.run"] * 5, "qrels", "--most", "1")
    assert re.search(r"^topic  document  difference +mean  runs  first at$", out, re.M)
    assert re.search(r"^1      d\d\d +0\.000000  0\.\d{6} +5 +\d+$", out, re.M)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["qrels"], 2, "holes needs at least one run, and the qrels last"),
        (["a.run", "qrels", "--topics", "t"], 2, "--topics needs --out"),
        (["a.run", "qrels", "--documents", "t"], 2, "--documents needs --out"),
        (["a.run", "qrels", "--average", "topics"], 2, "needs --topics FILE"),
        (["a.run", "qrels", "--joined", "t"], 2, "--joined needs --answers"),
        (["-", "qrels", "--answers", "-"], 2, "standard input can be read only once"),
        (["a.run", "qrels", "--out", "-", "--answers", "qrels", "--joined", "-"], 2, "one file only"),
        (["a.run", "qrels", "--collapse-by", "max"], 2, "needs --collapse"),
        (["a.run", "qrels", "-m", "nDGC@10"], 2, "did you mean"),
        (["qrels", "a.run"], 1, "a.run"),
    ],
)
@pytest.mark.usefixtures("files")
def test_wrong_usage_and_wrong_files_are_told_apart(words, status, said, capfd):
    found, out, err = call(capfd, "holes", *words)
    assert (found, out) == (status, "")
    assert said in err
