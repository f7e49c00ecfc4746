"""Topics named in a file: those that are averaged, and the slices that a field makes of them."""

import json
from pathlib import Path

import pytest

from irkit.cli import main
from irkit.data.topic_subsets import read_topic_list, with_no_value
from irkit.data.topics import Topic, Topics
from irkit.errors import DataError, FormatError, UsageError
from irkit.evaluation.scoring import evaluate
from irkit.report.text import head
from irkit.rules import Conventions

# RR: topic 1 1, topic 2 1/2, topic 3 0 (nothing relevant), topic 4 0 (not in the run); 9 is in the run and not judged
RUN = {"1": ["a", "b"], "2": ["x", "c"], "3": ["d"], "9": ["z"]}
QRELS = {"1": {"a": 1}, "2": {"c": 1}, "3": {"d": 0}, "4": {"e": 1}}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("".join(f"{t} Q0 {d} 0 {9 - i} r\n" for t, docs in RUN.items() for i, d in enumerate(docs)))
    Path("qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in QRELS.items() for d, g in docs.items()))
    return tmp_path


def call(capfd, *words):
    status = main(list(words))
    out, err = capfd.readouterr()
    return status, out, err


# Files


@pytest.mark.parametrize(
    "text",
    [
        "2\n\n4\r\n",
        "2\tsecond query\n4\tfourth\n",
        "id\ttext\n2\tsecond query\n4\tfourth\n",
        "<top>\n<num> Number: 2\n<title> second\n</top>\n<top>\n<num> Number: 4\n<title> fourth\n</top>\n",
        '{"id": "2", "text": "second"}\n{"id": "4", "text": "fourth"}\n',
        "topic,kind\n2,hard\n4,easy\n",
        "kind\tqid\nhard\t2\neasy\t4\n",
        '\ufeffquery_id;kind\n"2";"hard; very"\n4;easy\n',
    ],
)
def test_a_topics_file_a_table_and_a_plain_list_name_the_same_topics(tmp_path, text):
    (tmp_path / "topics").write_bytes(text.encode())
    assert read_topic_list(tmp_path / "topics").ids == ("2", "4")


def test_a_table_has_its_other_columns_as_fields_and_an_empty_cell_is_none(tmp_path):
    (tmp_path / "t").write_text('qid,kind,difficulty\n1,"exact, name",3\n2,,\n')
    topics = read_topic_list(tmp_path / "t")
    assert topics["1"].fields == {"kind": "exact, name", "difficulty": "3"}
    assert topics["2"].fields == {}
    (tmp_path / "t").write_text('qid\tkind\n1\t"quoted" word\n')
    assert read_topic_list(tmp_path / "t").field("kind") == {"1": '"quoted" word'}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qid,kind\n1,easy\n2\n", r"t:3: expected 2 cells \(qid, kind\), found 1"),
        ("qid,kind,kind\n1,a,b\n", "t:1: the first line names a column twice"),
        ("qid,kind\n1,easy\n1,hard\n", r"t:3: topic ids that occur more than once: '1' \(lines 2, 3\)"),
        ("qid,kind\n,easy\n", "t:2: a topic without an id"),
        ('qid,kind\n1,"easy\n', "t:2: broken CSV"),
        ("1\n2\n1\n", r"t:3: topic ids that occur more than once: '1' \(lines 1, 3\)"),
        ("", "t: the file holds no topics"),
        ("one two\nthree\n", "t:1: expected 2 fields separated by tabs"),
    ],
)
def test_what_is_no_list_of_topics_is_an_error_with_its_line(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    Path("t").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_topic_list("t")


# Topics averaged


def test_the_topics_of_a_file_that_are_judged_are_averaged(tmp_path):
    # of 1, 4 and 9: 1 has RR 1, 4 is not in the run and has 0, 9 is not judged; 2 and 3 are not in the file
    (tmp_path / "dev.txt").write_text("4\n1\n9\n8\n")
    result = evaluate(run=RUN, qrels=QRELS, measures="RR NumQ", average="topics", topics=tmp_path / "dev.txt")
    assert result.topics == ("1", "4")
    assert result.summary.tolist() == [0.5, 2.0]
    assert result.missing == ("4",)
    assert result.unjudged == ("8", "9")
    assert result.without_relevant == ()
    assert result.to_dict()["average"] == "topics"
    assert result.to_dict()["topics_file"] == str(tmp_path / "dev.txt")


@pytest.mark.parametrize(
    "topics",
    [
        ["4", "1"],
        {"4": "fourth", "1": "first"},
        [Topic("1", ""), Topic("4", "")],
        Topics((Topic("1", ""), Topic("4", ""))),
    ],
)
def test_topics_come_in_memory_too(topics):
    result = evaluate(run=RUN, qrels=QRELS, measures="RR", average="topics", topics=topics)
    assert result.topics == ("1", "4")
    assert result.conventions == Conventions("topics", topics="topics")


def test_the_head_says_which_topics_were_averaged_missing_and_not_judged():
    result = evaluate(run=RUN, qrels=QRELS, measures="RR", average="topics", topics=["1", "3", "4", "8"])
    assert head([result]) == [
        "3 topics averaged (those of topics that are judged); rules trec_eval-10; "
        "topics without relevant documents: 1, counted zero",
        "1 judged topic missing from the run (counted as returning nothing): 4",
        "1 topic of topics not judged (left out): 8",
    ]


def test_the_two_halves_of_average_topics_go_together(files, capfd):
    for options in ({"average": "topics"}, {"topics": ["1"]}, {"average": "intersection", "topics": ["1"]}):
        with pytest.raises(UsageError, match="average='topics' and topics go together"):
            evaluate(run=RUN, qrels=QRELS, **options)
    Path("t").write_text("1\n")
    for words in (["--average", "topics"], ["--topics", "t"]):
        assert call(capfd, "score", "run", "qrels", *words)[0] == 2
        assert call(capfd, "compare", "run", "run", "qrels", *words)[0] == 2


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        (["8", "7"], "no topic of topics is judged: it has 2 topics, such as '7'; the qrels have 4, such as '1'"),
        ([], "there is no topic to average"),
    ],
)
def test_topics_of_which_none_is_judged_are_an_error(topics, message):
    with pytest.raises(DataError, match=message):
        evaluate(run=RUN, qrels=QRELS, average="topics", topics=topics)


def test_score_over_the_topics_of_a_file(files, capfd):
    Path("dev").write_text("1\n4\n8\n")
    words = ["score", "run", "qrels", "-m", "RR", "--average", "topics", "--topics", "dev"]
    assert call(capfd, *words) == (
        0,
        "2 topics averaged (those of dev that are judged); rules trec_eval-10; topics without relevant documents: "
        "none\n"
        "1 judged topic missing from the run (counted as returning nothing): 4\n"
        "1 topic of dev not judged (left out): 8\n"
        "\n"
        "run      RR\n"
        "───────────\n"
        "run  0.5000\n",
        "",
    )
    # no place for the file's name in CSV, which is said beside it
    status, out, err = call(capfd, *words, "--format", "csv")
    assert (status, out.splitlines()[1]) == (0, "run,,all,RR,0.5,2,trec_eval-10,topics,zero,docid")
    assert err.startswith("2 topics averaged (those of dev that are judged)")
    assert json.loads(call(capfd, *words, "--format", "json")[1])["evaluations"][0]["topics_file"] == "dev"


def test_compare_over_the_topics_of_a_file(files, capfd):
    Path("dev").write_text("1\n2\n4\n")
    Path("other").write_text("1 Q0 b 1 2 o\n1 Q0 a 2 1 o\n4 Q0 e 1 1 o\n")
    words = ["compare", "run", "other", "qrels", "-m", "RR", "--average", "topics", "--topics", "dev"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    assert out.startswith("3 topics averaged (those of dev that are judged)")
    assert "run: 1 judged topic missing from the run (counted as returning nothing): 4" in out
    assert "other: 1 judged topic missing from the run (counted as returning nothing): 2" in out
    # run 1, 1/2, 0; other 1/2, 0, 1: differences -1/2, -1/2, 1, sd sqrt(3/4): 4.302653 / 2
    row = next(line.split() for line in out.splitlines() if line.startswith("RR "))
    assert row == ["RR", "other", "0.5000", "0.5000", "+0.0000", "[-2.1513,", "+2.1513]", "1.0000", "1/0/2"]


# Slices


@pytest.mark.parametrize("text", ["qid,kind\n1,easy\n2,hard\n3,hard\n", "kind\ttopic\neasy\t1\nhard\t2\nhard\t3\n"])
def test_the_values_of_a_column_are_slices_with_their_numbers_of_topics(files, capfd, text):
    Path("kinds").write_text(text)
    status, out, _ = call(capfd, "score", "run", "qrels", "-m", "RR", "--by", "kind", "--topics", "kinds")
    assert status == 0
    assert out.split("\n\n", 1)[1] == (
        "run                   RR\n"
        "────────────────────────\n"
        "easy (1 topic)    1.0000\n"
        "hard (2 topics)   0.2500\n"  # (1/2 + 0) / 2
        "(none) (1 topic)  0.0000\n"
        "all (4 topics)    0.3750\n"
    )


def test_topics_without_a_value_are_a_slice_of_their_own():
    assert with_no_value({"1": "easy", "7": "hard"}, ["1", "2"], "t") == {"1": "easy", "7": "hard", "2": "(none)"}
    with pytest.raises(DataError, match="t has a value for 1 topic, such as '01', and for none of the 2 evaluated"):
        with_no_value({"01": "easy"}, ["1", "2"], "t")


def test_a_field_that_is_not_there_gets_the_nearest(files, capfd):
    Path("kinds").write_text("qid,kind,difficulty\n1,easy,1\n")
    status, out, err = call(capfd, "score", "run", "qrels", "--by", "kidn", "--topics", "kinds")
    assert (status, out) == (2, "")
    assert err == "irkit: kinds: no topic has a field 'kidn'; did you mean 'kind'? there are kind, difficulty\n"


def test_one_file_names_the_topics_and_their_slices(files, capfd):
    Path("kinds").write_text("qid,kind\n1,easy\n2,hard\n")
    words = ["--average", "topics", "--by", "kind", "--topics", "kinds", "--format", "csv"]
    _, out, _ = call(capfd, "score", "run", "qrels", "-m", "RR", *words)
    assert [line.split(",")[1:6] for line in out.splitlines()[1:]] == [
        ["easy", "all", "RR", "1.0", "1"],
        ["hard", "all", "RR", "0.5", "1"],
        ["", "all", "RR", "0.75", "2"],
    ]


@pytest.mark.parametrize(
    "names", ["qid\tquery", "qid\ttext", "qid\ttitle", "query_id\ttext", "id\tquery", "qid\tQuery"]
)
def test_the_column_that_read_topics_takes_for_the_query_is_the_text_and_no_field(tmp_path, names):
    (tmp_path / "t").write_text(f"{names}\tkind\n7\tgreen  tea\teasy\n")
    topics = read_topic_list(tmp_path / "t")
    assert (topics["7"].text, topics["7"].fields) == ("green tea", {"kind": "easy"})
    assert topics.field(names.split("\t")[1]) == {"7": "green tea"}  # which can still be asked for as one


def test_of_several_texts_of_a_table_the_likeliest_is_the_query(tmp_path):
    (tmp_path / "t").write_text("topic,title,query\n7,Tea,green tea\n")
    topics = read_topic_list(tmp_path / "t")
    assert (topics["7"].text, topics["7"].fields) == ("green tea", {"title": "Tea"})
