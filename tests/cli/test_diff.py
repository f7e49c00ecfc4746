"""`irkit diff`: whole outputs, formats, and files that mean harm."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import irkit
from irkit.cli import main
from irkit.report.text import COMPARISON_FORMATS, TerminalWidth, render

A = "t1 Q0 n 1 4 a\nt1 Q0 b 2 3 a\nt1 Q0 c 3 2 a\nt1 Q0 a 4 1 a\nt2 Q0 x 1 2 a\nt2 Q0 d 2 1 a\nt3 Q0 e 1 1 a\n"
B = "t1 Q0 a 1 4 b\nt1 Q0 u 2 3 b\nt1 Q0 b 3 2 b\nt1 Q0 n 4 1 b\n"
B += "t2 Q0 x 1 2 b\nt2 Q0 d 2 1 b\nt3 Q0 v 1 2 b\nt3 Q0 e 2 1 b\n"
QRELS = "t1 0 a 2\nt1 0 b 1\nt1 0 c 1\nt1 0 n 0\nt2 0 d 1\nt3 0 e 1\nt4 0 f 1\n"
TOPICS = (
    '{"id": "t1", "title": "first query", "kind": "long"}\n{"id": "t3", "title": "third\\u001b[31m", "kind": "short"}\n'
)
DOCUMENTS = '{"id": "a", "contents": "Apples\\nand \\u202epears"}\n{"id": "b", "contents": "%s"}\n' % ("berry " * 40)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "a.run": A,
        "b.run": B,
        "qrels.txt": QRELS,
        "topics.jsonl": TOPICS,
        "documents.jsonl": DOCUMENTS,
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def output(capsys, *words):
    assert main(["diff", *words]) == 0
    return capsys.readouterr().out


# DCG@2 of t1: 1/log2(3) = 0.6309 becomes 2; of t3: 1 becomes 0.6309; of t2: 0.6309 both times; t4 is in neither.
@pytest.mark.usefixtures("folder")
def test_a_table_with_texts_within_forty_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    shown = output(
        capsys,
        *("a.run", "b.run", "qrels.txt", "-m", "DCG@2", "--topics", "topics.jsonl", "--documents", "documents.jsonl"),
    )
    assert shown == (
        "4 topics averaged (all judged); rules trec_eval-10; topics\n"
        "  without relevant documents: none\n"
        "1 judged topic missing from the run (counted as returning\n"
        "  nothing): t4\n"
        "A: a, B: b\n"
        "gained, lost, up, down: relevant documents in the first 2;\n"
        "  new: other documents in the first 2 of B but not of A;\n"
        "  unjudged: new documents without a judgment\n"
        "B - A of a document: its contribution to the difference of\n"
        "  DCG@2\n"
        "\n"
        "Over 4 topics, and in how many of them it rises and falls\n"
        "  from A to B\n"
        "\n"
        "measure       A       B    B - A  rises  falls  same\n"
        "────────────────────────────────────────────────────\n"
        "DCG@2    0.5655  0.8155  +0.2500      1      1     2\n"  # (2 * 0.6309 + 1) / 4, (2 + 2 * 0.6309) / 4
        "\n"
        "2 topics differ in DCG@2, of which 1 (t1) makes half of all\n"
        "  change; most changed first\n"
        "\n"
        "topic       A       B    B - A  gained  lost  up  down  new\n"
        "───────────────────────────────────────────────────────────\n"
        "t1     0.6309  2.0000  +1.3691       1     1   0     0    1\n"
        "t3     1.0000  0.6309  -0.3691       0     0   0     1    1\n"
        "\n"
        "topic  unjudged\n"
        "───────────────\n"
        "t1            1\n"
        "t3            1\n"
        "\n"
        "Documents that made the difference\n"
        "\n"
        "topic, document  change  grade  rank A  rank B    B - A\n"
        "───────────────────────────────────────────────────────\n"
        "topic t1         rises                          +1.3691\n"
        "  first query\n"
        "  a              gained      2       4       1  +2.0000\n"
        "    Apples and \\u202epears\n"
        "  b              lost        1       2       3  -0.6309\n"
        "    berry berry berry berry berry berry berry berry berry b…\n"
        "  u              new         -       -       2  +0.0000\n"  # nobody judged it, and it stands where b stood
        "\n"
        "topic t3         falls                          -0.3691\n"
        "  third\\x1b[31m\n"
        "  e              down        1       1       2  -0.3691\n"
        "  v              new         -       -       1  +0.0000\n"
    )


@pytest.mark.usefixtures("folder")
def test_documents_without_a_text_are_said(capsys):
    assert main(["diff", "a.run", "b.run", "qrels.txt", "--documents", "documents.jsonl", "--worst"]) == 0
    assert capsys.readouterr().err == "documents.jsonl has no text of 2 documents shown: e, v\n"


@pytest.mark.usefixtures("folder")
def test_one_topic_has_all_that_is_new(capsys):
    shown = output(capsys, "a.run", "b.run", "qrels.txt", "-m", "DCG@2", "--topic", "t1", "--topic", "t2")
    assert "1 (t1) makes half of all change; most changed first\n" in shown
    assert shown.endswith(
        "topic t1         rises                          +1.3691\n"
        "  a              gained      2       4       1  +2.0000\n"
        "  b              lost        1       2       3  -0.6309\n"
        "  u              new         -       -       2  +0.0000\n"
        "\n"
        "topic t2         same                           +0.0000\n"
        "  none of its documents changed\n"
    )


@pytest.mark.usefixtures("folder")
def test_groups_stand_apart_and_have_every_topic(capsys):
    shown = output(
        capsys, "a.run", "b.run", "qrels.txt", "-m", "DCG@2", "--topics", "topics.jsonl", "--by", "kind", "--best"
    )
    assert (
        "DCG@2 by group\n"
        "\n"
        "group        A       B    B - A  rises  falls  same  topics\n"
        "───────────────────────────────────────────────────────────\n"
        "long    0.6309  2.0000  +1.3691      1      0     0       1\n"
        "short   1.0000  0.6309  -0.3691      0      1     0       1\n"
        "(none)  0.3155  0.3155  +0.0000      0      0     2       2\n"
        "\n"
        "2 topics differ in DCG@2, of which 1 (t1) makes half of all change; 1 shown, most changed first\n"
        "\n"
        "topic  group       A       B    B - A  gained  lost  up  down  new  unjudged\n"
        "────────────────────────────────────────────────────────────────────────────\n"
        "t1     long   0.6309  2.0000  +1.3691       1     1   0     0    1         1\n"
    ) in shown


@pytest.mark.usefixtures("folder")
def test_other_measures_stand_beside_the_one_that_decides(capsys):
    shown = output(capsys, "a.run", "b.run", "qrels.txt", "-m", "RR DCG@2 NumRelRet", "--most", "1")
    assert (
        "measure         A       B    B - A  rises  falls  same\n"
        "──────────────────────────────────────────────────────\n"
        "RR         0.5000  0.5000  +0.0000      1      1     2\n"
        "DCG@2      0.5655  0.8155  +0.2500      1      1     2\n"
        "NumRelRet       5       4       -1      0      1     3\n"
    ) in shown
    assert "unjudged  DCG@2: B - A  NumRelRet: B - A\n" in shown


@pytest.mark.usefixtures("folder")
def test_many_documents_are_summed_up_in_a_line(capsys):
    ranked = [f"r{n:02d}" for n in range(15)]
    Path("a.run").write_text("".join(f"1 Q0 {name} 0 {-n} a\n" for n, name in enumerate(ranked)))
    Path("b.run").write_text("1 Q0 x 0 1 b\n")
    Path("qrels.txt").write_text("".join(f"1 0 {name} 1\n" for name in ranked))
    shown = output(capsys, "a.run", "b.run", "qrels.txt", "-m", "R@20")
    assert "  r09            lost        1      10       -  -0.0667\n" in shown
    assert shown.endswith("  5 more                                        -0.3333\n")  # 5 of 15
    assert "more" not in output(capsys, "a.run", "b.run", "qrels.txt", "-m", "R@20", "--topic", "1")


@pytest.mark.usefixtures("folder")
def test_what_no_document_made_has_a_line(capsys):
    Path("qrels.txt").write_text("t1 0 n 0\nt2 0 d 1\n")
    Path("b.run").write_text("t2 Q0 d 1 1 b\n")
    shown = output(capsys, "a.run", "b.run", "qrels.txt", "--no-relevant", "abstain")
    assert (
        "topic t1            rises                          +1.0000\n"
        "  nothing returned                                 +1.0000\n"
    ) in shown


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("runs", "values"), [(("a.run", "b.run"), [0, 1]), (("b.run", "a.run"), [1, 0])])
def test_what_no_document_made_has_a_record_so_that_the_parts_add_up(capsys, runs, values):
    Path("qrels.txt").write_text("t1 0 n 0\nt2 0 d 1\n")
    Path("b.run").write_text("t2 Q0 d 1 1 b\n")
    words = (*runs, "qrels.txt", "--no-relevant", "abstain", "--format")
    (topic,) = [one for one in json.loads(output(capsys, *words, "json"))["topics"] if one["topic"] == "t1"]
    (last,) = [one for one in topic["documents"] if one["document"] is None]
    assert (last["change"], last["contributions"]) == ("nothing returned", values)
    assert sum(one["difference"] for one in topic["documents"]) == topic["measures"]["nDCG@10"]["difference"]
    lines = list(map(json.loads, output(capsys, *words, "jsonl").splitlines()))
    for form, delimiter in (("csv", ","), ("tsv", "\t")):
        lines += csv.DictReader(io.StringIO(output(capsys, *words, form)), delimiter=delimiter)
    found = [one for one in lines if one["change"] == "nothing returned"]
    assert [(one["topic"], one["document"] or "") for one in found] == [("t1", "")] * 3
    assert [[float(one["value_first"]), float(one["value_second"])] for one in found] == [values] * 3
    assert [float(one["difference"]) for one in found] == [values[1] - values[0]] * 3


@pytest.mark.usefixtures("folder")
def test_runs_without_a_difference_say_so(capsys):
    assert output(capsys, "a.run", "a.run", "qrels.txt").endswith(
        "\nThe runs are the same: for every topic the same documents in the same order.\n"
    )
    Path("b.run").write_text(A.replace("t2 Q0 x", "t2 Q0 y"))
    assert output(capsys, "a.run", "b.run", "qrels.txt").endswith(
        "\nNo topic differs in nDCG@10, though the runs are not the same.\n"
    )
    Path("b.run").write_text(A.replace("t3 Q0 e", "t3 Q0 z"))
    assert output(capsys, "a.run", "b.run", "qrels.txt", "--best").endswith(
        "\n1 topic differs in nDCG@10; none of the requested topics does.\n"
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_records_have_all_topics_and_their_documents_add_up(form, capsys):
    text = output(capsys, "a.run", "b.run", "qrels.txt", "-m", "DCG@2 RR", "--most", "0", "--format", form)
    if form == "jsonl":
        records = [json.loads(line) for line in text.splitlines()]
    else:
        records = list(csv.DictReader(io.StringIO(text), delimiter="," if form == "csv" else "\t"))
    topics = {
        one["topic"]: float(one["difference"]) for one in records if one["measure"] == "DCG@2" and not one["document"]
    }
    assert list(topics) == [None if form == "jsonl" else "all", "t1", "t3", "t2", "t4"]
    for topic, difference in list(topics.items())[1:]:
        parts = [float(one["difference"]) for one in records if one["topic"] == topic and one["document"]]
        assert sum(parts) == pytest.approx(difference, abs=1e-12)
    first = next(one for one in records if one["document"] == "a")
    assert [str(first[name]) for name in ("change", "grade", "rank_first", "rank_second", "value_second")] == [
        *("gained", "2", "4", "1", "2.0")
    ]


@pytest.mark.usefixtures("folder")
def test_what_records_have_no_place_for_goes_beside_them(capsys):
    assert main(["diff", "a.run", "a.run", "qrels.txt", "--format", "csv"]) == 0
    assert capsys.readouterr().err == (
        "4 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "1 judged topic missing from the run (counted as returning nothing): t4\n"
        "The runs are the same: for every topic the same documents in the same order.\n"
    )


@pytest.mark.usefixtures("folder")
def test_json_is_the_whole_result(capsys):
    found = json.loads(output(capsys, "a.run", "b.run", "qrels.txt", "-m", "DCG@2", "--most", "0", "--format", "json"))
    assert found == irkit.diff("a.run", "b.run", "qrels.txt", "DCG@2").to_dict()
    assert len(found["topics"]) == 4


@pytest.mark.usefixtures("folder")
def test_markdown_and_latex_show_what_the_table_shows(capsys):
    words = ("a.run", "b.run", "qrels.txt", "-m", "DCG@2", "--topics", "topics.jsonl", "--worst", "--format")
    assert output(capsys, *words, "markdown").endswith(
        "| topic, document             | change | grade | rank A | rank B |       B - A |\n"
        "| --------------------------- | ------ | ----: | -----: | -----: | ----------: |\n"
        "| topic t3                    | falls  |       |        |        | **-0.3691** |\n"
        "| &nbsp;&nbsp;third\\\\x1b\\[31m |        |       |        |        |             |\n"
        "| e                           | down   |     1 |      1 |      2 |     -0.3691 |\n"
        "| v                           | new    |     - |      - |      1 |     +0.0000 |\n"
    )
    assert (
        "topic t3        & falls  &       &        &        & \\textbf{$-$0.3691} \\\\\n"
        "\\multicolumn{6}{l}{\\quad third\\textbackslash{}x1b{[}31m} \\\\\n"
    ) in output(capsys, *words, "latex")


HOSTILE = "=1|\x1b[31m&%"


@pytest.mark.parametrize("form", COMPARISON_FORMATS)
def test_names_and_texts_cannot_do_harm(form):
    found = irkit.diff({HOSTILE: ["x"]}, {HOSTILE: [HOSTILE]}, {HOSTILE: {HOSTILE: 1}}, names=(HOSTILE, "b"))
    found = found.with_groups({HOSTILE: HOSTILE}).with_texts({HOSTILE: HOSTILE}, {HOSTILE: f"{HOSTILE}\n\u202e\r"})
    text = render(found, form, screen=TerminalWidth(encoding="ascii"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text.replace("\t", "") if form == "tsv" else text)
    if form == "table":
        assert text.isascii()
    if form in ("csv", "tsv"):
        assert not re.search('(^|[,\t"])=', text, re.M)
    if form == "latex":
        rows = [line for line in text.splitlines() if HOSTILE[0] in line and not line.startswith("%")]
        assert len(rows) == 6  # of the group, the topic twice, its query, its document, and the text of that
        assert not any(re.search(r"(?<!\\)%|31m(?<!\\)&", line) for line in rows)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["a.run", "qrels.txt"], 2, "diff needs two runs, and the qrels last; got only a.run, qrels.txt"),
        (["a.run", "b.run", "a.run", "qrels.txt"], 2, "diff takes two runs, and the qrels last"),
        (["a.run", "b.run", "qrels.txt", "--topic", "t1", "--worst"], 2, "--topic and --worst exclude each other"),
        (["a.run", "b.run", "qrels.txt", "--topic", "t0"], 2, "topic 't0' is not among the 4 topics compared"),
        (["a.run", "b.run", "qrels.txt", "--by", "kind"], 2, "--by FIELD and --topics FILE go together"),
        (["a.run", "b.run", "qrels.txt", "--average", "topics"], 2, "--topics FILE needs --average topics"),
        (["a.run", "b.run", "qrels.txt", "--ties", "expected"], 2, "'expected' is not one of 'docid', 'file'"),
        (["a.run", "b.run", "qrels.txt", "--collapse-by", "max"], 2, "--collapse-by needs --collapse"),
        (["-", "-", "qrels.txt"], 2, "standard input can be read only once"),
        (["qrels.txt", "a.run", "b.run"], 1, "swap them?"),
        (["a.run", "none.run", "qrels.txt"], 1, "none.run"),
        (["a.run", "b.run", "qrels.txt", "--documents", "qrels.txt"], 1, "no JSON object"),
    ],
)
def test_what_cannot_be_is_refused_with_the_remedy(words, status, said, capsys):
    assert main(["diff", *words]) == status
    found = capsys.readouterr()
    assert said in " ".join(found.err.split())
    assert found.out == ""


@pytest.mark.usefixtures("folder")
def test_the_query_of_a_table_of_topics_is_shown(capsys):
    Path("topics.tsv").write_text("qid\tquery\tkind\nt1\tgreen tea\teasy\n")
    shown = output(capsys, "a.run", "b.run", "qrels.txt", "--topics", "topics.tsv", "--topic", "t1")
    assert "\n  green tea\n" in shown


def test_only_the_orders_of_ties_that_are_taken_are_offered(capsys):
    assert "--ties [docid|file] " in output(capsys, "--help")
