"""`irkit fuse`: its whole output, what it says beside it, and how a fused run is explained."""

import gzip
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from irkit.cli import main
from irkit.data.runs import Run, read_run
from irkit.errors import FormatError
from irkit.fusion import METHODS, explain, fuse, topic_notes, write_explanation

ONE = "q1 Q0 a 1 9.0 one\nq1 Q0 b 2 5.0 one\nq1 Q0 c 3 1.0 one\nq2 Q0 a 1 1.0 one\n"
TWO = "q1 Q0 c 1 0.75 two\nq1 Q0 a 2 0.5 two\nq3 Q0 d 1 0.25 two\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("one.run").write_text(ONE)
    Path("two.run").write_text(TWO)
    Path("qrels").write_text("q1 0 a 1\nq1 0 c 0\n")


def call(capfd, *words):
    status = main(list(words))
    return status, *capfd.readouterr()


NOTES = "2 of 3 topics are not in all runs\nrun one lacks 1: q3\nrun two lacks 1: q2\n"


@pytest.mark.usefixtures("files")
def test_the_hybrid_of_two_runs(capfd):
    words = ["fuse", "one.run", "two.run", "--method", "linear", "--alpha", "0.25", "--out", "-"]
    # q1: a 0.25 * 1 + 0.75 * 0, b 0.25 * 0.5, c 0.25 * 0 + 0.75 * 1
    assert call(capfd, *words) == (
        0,
        "q1 Q0 c 1 0.75 linear\nq1 Q0 a 2 0.25 linear\nq1 Q0 b 3 0.125 linear\nq2 Q0 a 1 0.25 linear\n"
        "q3 Q0 d 1 0.75 linear\n",
        NOTES,
    )


@pytest.mark.usefixtures("files")
def test_depths_tag_and_a_parameter(capfd):
    words = ["fuse", "one.run", "two.run", "--method", "rbc", "--phi", "0.5", "--depth-in", "2", "--depth", "1"]
    # q1: a 0.5 + 0.25, b 0.25, c 0.5
    assert call(capfd, *words, "--tag", "mine", "--out", "-") == (
        0,
        "q1 Q0 a 1 0.75 mine\nq2 Q0 a 1 0.5 mine\nq3 Q0 d 1 0.5 mine\n",
        NOTES,
    )


@pytest.mark.usefixtures("files")
def test_a_trained_method_says_what_it_was_trained_on(capfd):
    words = ["fuse", "one.run", "two.run", "--method", "mapfuse", "--train-qrels", "qrels", "--out", "-"]
    # average precision of q1: 1 and 1/2
    assert call(capfd, *words) == (
        0,
        "q2 Q0 a 1 1.0 mapfuse\nq3 Q0 d 1 0.5 mapfuse\n",
        NOTES + "trained on 1 topic, which the fused run leaves out, since their judgments were seen: q1\n",
    )
    status, out, err = call(capfd, *words, "--train-run", "one.run", "--train-run", "one.run")
    assert (status, out.splitlines()[0], err) == (
        0,
        "q1 Q0 a 1 1.5 mapfuse",
        NOTES
        + "trained on 1 topic; the ids are also those of 1 topic of the fused run: q1. If they are the same topics, "
        "do without runs to train on\n",
    )


@pytest.mark.usefixtures("files")
def test_all_is_explained_in_a_table(capfd):
    words = [
        "fuse",
        "one.run",
        "two.run",
        "--method",
        "linear",
        "--alpha",
        "0.25",
        "--out",
        "f",
        "--explain",
        "why.tsv",
    ]
    assert call(capfd, *words) == (0, "", NOTES)
    assert Path("why.tsv").read_text() == (
        "topic\tdocument\trank\tscore\tone.rank\tone.score\tone.normalised\tone.share\t"
        "two.rank\ttwo.score\ttwo.normalised\ttwo.share\n"
        "q1\tc\t1\t0.75\t3\t1.0\t0.0\t0.0\t1\t0.75\t1.0\t0.75\n"
        "q1\ta\t2\t0.25\t1\t9.0\t1.0\t0.25\t2\t0.5\t0.0\t0.0\n"
        "q1\tb\t3\t0.125\t2\t5.0\t0.5\t0.125\t\t\t\t\n"
        "q2\ta\t1\t0.25\t1\t1.0\t1.0\t0.25\t\t\t\t\n"
        "q3\td\t1\t0.75\t\t\t\t\t1\t0.25\t1.0\t0.75\n"
    )


@pytest.mark.usefixtures("files")
def test_all_is_explained_in_json_lines(capfd):
    words = ["fuse", "one.run", "two.run", "--method", "condorcet", "--out", "f", "--depth", "1"]
    assert call(capfd, *words, "--depth-in", "5", "--explain", "why.jsonl.gz")[0] == 0
    lines = gzip.decompress(Path("why.jsonl.gz").read_bytes()).decode().splitlines()
    # q1: a is above b twice (the second run lacks b); above c once, below once
    assert json.loads(lines[0]) == {
        "topic": "q1",
        "document": "a",
        "rank": 1,
        "score": 1.5,
        "voices": [
            {"run": "one", "rank": 1, "score": 9.0, "normalised": None, "share": None},
            {"run": "two", "rank": 2, "score": 0.5, "normalised": None, "share": None},
        ],
    }
    assert [json.loads(line)["topic"] for line in lines] == ["q1", "q2", "q3"]


def test_an_explanation_names_runs_of_one_name_apart_and_refuses_white_space(tmp_path):
    runs = [Run.of({"q": {"a": 2.0}}, "x y"), Run.of({"q": {"a": 1.0}}, "x y")]
    write_explanation(tmp_path / "why", explain(runs, "borda"))
    assert (tmp_path / "why").read_text() == (
        "topic\tdocument\trank\tscore\tx_y.1.rank\tx_y.1.score\tx_y.1.normalised\tx_y.1.share\t"
        "x_y.2.rank\tx_y.2.score\tx_y.2.normalised\tx_y.2.share\n"
        "q\ta\t1\t2.0\t1\t2.0\t\t1.0\t1\t1.0\t\t1.0\n"
    )
    with pytest.raises(FormatError, match="white space"):
        write_explanation(tmp_path / "other", explain([{"q": {"a\tb": 1.0}}], "rrf"))
    assert not (tmp_path / "other").exists()


def test_a_borda_share_goes_to_documents_that_were_not_found():
    (a, b) = explain([Run.of({"q": ["a"]}, "one"), Run.of({"q": ["b"]}, "two")], "borda", weights=[2, 1])
    # two candidates: 2 points to the one found, (2 - 1 + 1) / 2 = 1 to the other
    assert [(voice.rank, voice.share) for voice in a.voices] == [(1, 4.0), (None, 1.0)]
    assert [(voice.rank, voice.share) for voice in b.voices] == [(None, 2.0), (1, 2.0)]


def test_the_methods_are_listed_a_line_each(capfd):
    status, out, err = call(capfd, "fuse", "--methods")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert [line.split(":")[0].split(" ")[0] for line in lines] == list(METHODS)
    assert lines[0] == "rrf: Reciprocal rank fusion: the sum of weight / (k + rank). By ranks; --k --weight"


def test_every_parameter_of_the_table_is_an_option(capfd):
    out = call(capfd, "fuse", "--help")[1]
    for method in METHODS.values():
        for parameter in method.parameters:
            assert f"--{parameter.name.replace('_', '-')} " in out


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "combsm"], "irkit: unknown fusion method 'combsm'; did you mean 'combsum'?\n"),
        (["--method", "isr", "--k", "3"], "irkit: isr has no parameter 'k'; there are depth, depth_in, tag\n"),
        (["--method", "rbc", "--phi", "2"], "irkit: phi of rbc must be a number between 0 and 1, got 2.0\n"),
        (["--weight", "1"], "irkit: 1 weight for 2 runs; give one for each run, in their order\n"),
        (["--train-run", "one.run"], "irkit: --train-topics and --train-run need --train-qrels QRELS, the judgments "
         "to learn from\n"),
        (["--method", "posfuse"], "irkit: posfuse needs training (--train-qrels QRELS)\n"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told_why(capfd, words, message):
    assert call(capfd, "fuse", "one.run", "two.run", *words, "--out", "f") == (2, "", message)
    assert not Path("f").exists()


def test_notes_count_the_topics_that_not_all_runs_have():
    every = [f"q{number:02}" for number in range(50)]
    bm25 = Run.of({topic: ["a"] for topic in every if topic not in ("q05", "q12")}, "bm25")
    dense = Run.of({topic: ["a"] for topic in every if topic != "q07"}, "dense")
    assert topic_notes([bm25, dense]) == (
        "3 of 50 topics are not in all runs",
        "run bm25 lacks 2: q05, q12",
        "run dense lacks 1: q07",
    )
    assert topic_notes([dense, dense]) == ()
    none = Run.of({"q99": ["a"]}, "none")
    assert topic_notes([dense, none])[1:] == (
        "run dense lacks 1: q99",
        "run none lacks 49: q00, q01, q02, q03, q04 and 44 more",
    )


@pytest.mark.skipif(importlib.util.find_spec("pyserini") is None, reason="Pyserini is not installed")
def test_rrf_agrees_with_pyserini(tmp_path):
    import random

    chance = random.Random(3)
    paths = []
    for name in ("x", "y", "z"):
        run = {
            f"{topic}": {f"d{number}": chance.random() for number in chance.sample(range(300), 150)}
            for topic in range(1, 6)
        }
        Run.of(run).write(tmp_path / name)
        paths.append(tmp_path / name)
    words = ["--method", "rrf", "--rrf.k", "60", "--depth", "100", "--k", "1000", "--runs", *paths]
    out = tmp_path / "theirs"
    done = subprocess.run(
        [sys.executable, "-m", "pyserini.fusion", *map(str, words), "--output", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip(f"Pyserini's fusion does not start here: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    theirs, ours = read_run(out).to_dict(), fuse(paths, "rrf", depth=1000, depth_in=100).to_dict()
    assert theirs.keys() == ours.keys()
    for topic in ours:
        assert ours[topic] == pytest.approx(theirs[topic], abs=6e-7, rel=0)  # it writes six decimals
