"""`irkit plot` and its page of the manual."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from irkit.cli import main
from irkit.cli.plot import KINDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plots.md").read_text("utf-8")
BM25, DENSE, FUSED = (f"runs/run.services.{name}.txt" for name in ("bm25", "dense", "fused"))
QRELS = "qrels/qrels.services.txt"
TOPICS = "topics/topics.services.txt"
CALLS = {
    "leaderboard": [BM25, DENSE, FUSED, QRELS],
    "scatter": [BM25, DENSE, QRELS, "--topics", TOPICS],
    "differences": [BM25, DENSE, QRELS, "-m", "AP"],
    "precision-recall": [BM25, DENSE, QRELS],
    "recall": [BM25, QRELS],
    "unjudged": [BM25, DENSE, QRELS],
    "categories": [BM25, DENSE, QRELS, "--topics", TOPICS, "--by", "category"],
    "significance": [BM25, DENSE, FUSED, QRELS],
    "contribution": [FUSED, BM25, DENSE, QRELS],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the committed runs, in which figures are written."""
    for name in ("runs", "qrels", "topics"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plot(*words):
    return main(["plot", *words])


def datasets(path):
    return json.loads(Path(path).read_text("utf-8"))["datasets"]


def opened(path):
    with Image.open(path) as picture:
        return picture.convert("RGB")


def test_there_is_a_call_of_every_kind():
    assert list(CALLS) == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_in_every_form(kind, folder):
    for ending, start in (("svg", b"<svg "), ("json", b"{"), ("pdf", b"%PDF-"), ("png", b"\x89PNG\r\n")):
        assert plot(kind, *CALLS[kind], "--out", f"figure.{ending}") == 0
        assert (folder / f"figure.{ending}").read_bytes().startswith(start)
    assert len(opened("figure.png").getcolors(1 << 24)) > 10
    assert not list(folder.glob(".irkit*"))


@pytest.mark.parametrize("ending", ["svg", "json"])
def test_the_same_command_writes_the_same_bytes_in_another_process(ending, folder):
    words = ["plot", "recall", BM25, DENSE, QRELS, "--out"]
    assert main([*words, f"one.{ending}"]) == 0
    subprocess.run([sys.executable, "-m", "irkit", *words, f"two.{ending}"], check=True, capture_output=True)
    assert (folder / f"one.{ending}").read_bytes() == (folder / f"two.{ending}").read_bytes()


def test_a_leaderboard_has_the_numbers_of_irkit_score(capsys):
    assert plot("leaderboard", BM25, DENSE, QRELS, "-m", "nDCG@10", "-o", "figure.json") == 0
    assert "15 topics are too few to rank systems" in capsys.readouterr().err
    assert main(["score", BM25, DENSE, QRELS, "-m", "nDCG@10", "--format", "json"]) == 0
    scored = {
        one["run"]: one["measures"]["nDCG@10"]["value"] for one in json.loads(capsys.readouterr().out)["evaluations"]
    }
    assert {row["run"]: row["mean"] for row in datasets("figure.json")["means"]} == scored


def test_what_is_said_of_runs_and_qrels_goes_to_standard_error(capsys):
    assert plot("recall", BM25, QRELS, "-o", "figure.svg") == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "2 judged topics missing from the run (counted as returning nothing): q05, q12" in said.err


def test_conventions_change_the_numbers_and_are_said():
    assert plot("leaderboard", BM25, QRELS, "-m", "AP", "--no-relevant", "skip", "-o", "figure.json") == 0
    assert datasets("figure.json")["means"][0]["n_topics"] == 12  # 3 of 15 have nothing relevant
    spec = json.loads(Path("figure.json").read_text("utf-8"))
    assert "3 topics without relevant documents left out" in " ".join(spec["title"]["subtitle"])


def test_two_runs_have_the_texts_and_groups_of_their_topics():
    words = [BM25, DENSE, QRELS, "--topics", TOPICS]
    assert plot("scatter", *words, "-o", "figure.json") == 0
    first = datasets("figure.json")["topics"][0]
    assert first["topic"] == "q01"
    assert first["text"]
    assert first["group"] == ""
    assert plot("differences", *words, "--by", "category", "-o", "figure.json") == 0
    assert datasets("figure.json")["topics"][0]["group"] == "exact-name"


def test_a_contribution_takes_depth_and_grade_from_the_measure():
    assert (
        plot("contribution", *CALLS["contribution"], "-m", "P(rel=2)@3", "--part-depth", "50", "-o", "figure.json") == 0
    )
    spec = json.loads(Path("figure.json").read_text("utf-8"))
    assert "first 3 documents" in " ".join(spec["title"]["text"])
    assert " ".join(spec["title"]["subtitle"]) == "found by a part: among its own first 50; relevant: grade 2 and up"


def test_collapsed_passages_count_once_in_a_contribution(folder):
    for name, documents in (("fused", ["d#1", "d#2", "e#1"]), ("one", ["d#9"]), ("two", ["e#3"])):
        lines = (f"q Q0 {document} {rank} {9 - rank} {name}\n" for rank, document in enumerate(documents, 1))
        (folder / f"{name}.run").write_text("".join(lines))
    (folder / "qrels").unlink()
    (folder / "judged.txt").write_text("q 0 d 1\n")
    words = ["fused.run", "one.run", "two.run", "judged.txt", "--collapse", "#", "-o", "figure.json"]
    assert plot("contribution", *words) == 0
    table = [(row["what"], row["label"], row["count"]) for row in datasets("figure.json")["counts"]]
    assert table[:4] == [
        ("all", "only one", 1),
        ("all", "only two", 1),
        ("all", "several parts", 0),
        ("all", "no part", 0),
    ]
    assert table[4] == ("relevant", "only one", 1)


def test_width_scale_and_theme_are_those_asked_for(folder):
    assert plot("recall", BM25, QRELS, "--width", "500", "--height", "300", "--scale", "1", "-o", "wide.png") == 0
    assert opened("wide.png").size == (500, 300)
    assert plot("recall", BM25, QRELS, "--dark", "-o", "dark.png") == 0
    assert max(opened("dark.png").getpixel((1, 1))) < 50


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["leaderbord", BM25, QRELS, "-o", "x.svg"], "did you mean 'leaderboard'?"),
        (["recall", BM25, QRELS, "-o", "x.gif"], "x.gif: a figure's name ends in .svg, .png, .pdf or .json"),
        (["recall", BM25, QRELS, "-o", "-"], "a figure's name ends in"),
        (["scatter", BM25, QRELS, "-o", "x.svg"], "scatter needs 2 runs at least"),
        (["scatter", BM25, DENSE, FUSED, QRELS, "-o", "x.svg"], "scatter shows 2 runs, and the qrels last; got 3 runs"),
        (["scatter", BM25, DENSE, QRELS, "-m", "AP RR", "-o", "x.svg"], "scatter shows one measure; got AP, RR"),
        (["categories", BM25, QRELS, "-o", "x.svg"], "categories needs --topics FILE and --by FIELD"),
        (["recall", BM25, QRELS, "--by", "category", "--topics", TOPICS, "-o", "x.svg"], "--by changes nothing"),
        (["recall", BM25, QRELS, "--topics", TOPICS, "-o", "x.svg"], "--topics FILE needs"),
        (["recall", BM25, QRELS, "--level", "0.9", "-o", "x.svg"], "--level changes nothing in a figure of recall"),
        (["recall", BM25, QRELS, "--test", "t", "-o", "x.svg"], "--test changes nothing"),
        (["recall", BM25, QRELS, "--scale", "2", "-o", "x.svg"], "--scale works only with PNG"),
        (["recall", BM25, QRELS, "--width", "5", "-o", "x.svg"], "--width"),
        (["recall", BM25, QRELS, "-m", "R@10", "-o", "x.svg"], "needs R at several levels"),
        (["contribution", FUSED, BM25, DENSE, QRELS, "-m", "AP", "-o", "x.svg"], "-m P@20"),
        (["contribution", FUSED, BM25, DENSE, QRELS, "--ties", "file", "-o", "x.svg"], "--ties changes nothing"),
        (["contribution", FUSED, BM25, QRELS, "-o", "x.svg"], "contribution needs 3 runs at least"),
    ],
)
def test_wrong_usage_is_answered_and_nothing_is_written(words, said, folder, capsys):
    assert plot(*words) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert not [path for path in folder.iterdir() if path.name.startswith("x.")]


def test_what_is_read_is_not_written_over(folder, capsys):
    (folder / "topics.json").write_text('[{"id": "q01", "text": "x", "kind": "k"}]')
    words = ["categories", BM25, QRELS, "--topics", "topics.json", "--by", "kind", "-o", "topics.json"]
    assert plot(*words) == 2
    assert "topics.json is read and stays as it is; name another file to write" in capsys.readouterr().err
    assert (folder / "topics.json").read_text().startswith("[")


def test_a_figure_that_cannot_be_drawn_leaves_the_old_one(folder, capsys):
    (folder / "figure.svg").write_text("old")
    assert plot("recall", BM25, "no-such-qrels.txt", "-o", "figure.svg") == 1
    assert (folder / "figure.svg").read_text() == "old"


def test_without_altair_the_remedy_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "altair", None)
    assert plot("recall", BM25, QRELS, "-o", "x.svg") == 1
    assert "pip install 'irkit[report]'" in capsys.readouterr().err


# The manual ------------------------------------------------------------------------------------------------------


def test_the_page_lists_every_kind():
    assert re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.M) == list(KINDS)


@pytest.mark.parametrize("kind", ["leaderboard", "scatter", "differences", "precision-recall", "recall", "unjudged"])
def test_a_figure_of_no_value_is_refused_and_no_file_written(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text("t1 Q0 a 1 1 a\n")
    Path("b.run").write_text("t1 Q0 b 1 1 b\n")
    Path("qrels.txt").write_text("t1 0 b 0\n")
    assert main(["plot", kind, "a.run", "b.run", "qrels.txt", "--no-relevant", "skip", "--out", "f.svg"]) == 1
    assert "topic with a value" in capsys.readouterr().err
    assert not Path("f.svg").exists()
