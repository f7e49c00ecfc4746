"""No command writes over what it reads, or over work that somebody did by hand."""

import shutil
from pathlib import Path

import pytest

from irkit.cli import main

ROOT = Path(__file__).resolve().parents[2]
RUN, QRELS, TOPICS = "a.run", "qrels.html", "topics.txt"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for bundled, here in (
        ("runs/run.services.bm25.txt", RUN),
        ("qrels/qrels.services.txt", QRELS),
        ("topics/topics.services.txt", TOPICS),
    ):
        shutil.copy(ROOT / bundled, here)
    shutil.copy(RUN, "b.run")
    Path("link.html").symlink_to(QRELS)


@pytest.mark.parametrize(
    "words",
    [
        f"report {RUN} {QRELS} --out {QRELS}",
        f"report {RUN} {QRELS} --out link.html",
        f"holes {RUN} {QRELS} --out {QRELS}",
        f"holes {RUN} {QRELS} --out list.tsv --topics {TOPICS} --documents list.tsv",
        f"holes {RUN} {QRELS} --answers answers.tsv --joined answers.tsv",
        f"holes {RUN} {QRELS} --answers answers.tsv --joined new.txt --out new.txt",
        f"gate {RUN} {QRELS} --baseline b.json --junit {RUN}",
        f"gate {RUN} {QRELS} --baseline b.json --summary b.json",
        f"gate {RUN} {QRELS} --baseline b.json --summary x --junit x",
        f"gate {RUN} {QRELS} --baseline {QRELS} --accept --why w --by-whom me --may-abstain",
        f"check {RUN} --fix --out {RUN}",
        f"plot leaderboard {RUN} {QRELS} --out ./{QRELS}",
    ],
)
def test_an_output_that_is_an_input_is_refused_and_nothing_is_written(words, tmp_path, capsys):
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(words.split()) == 2
    assert capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("answer", ["2", "very"])
def test_a_list_that_somebody_filled_in_is_not_written_over(answer, capsys):
    Path(QRELS).write_text("q15 0 spotline 3\n")  # two others are retrieved
    assert main(["holes", RUN, "b.run", QRELS, "--out", "list.tsv"]) == 0
    assert main(["holes", RUN, "b.run", QRELS, "--out", "list.tsv"]) == 0  # nobody did
    head, first, *rest = Path("list.tsv").read_text().split("\n")
    place = head.split("\t").index("grade")
    cells = first.split("\t")
    cells[place] = answer
    filled = "\n".join([head, "\t".join(cells), *rest])
    Path("list.tsv").write_text(filled)
    assert main(["holes", RUN, "b.run", QRELS, "--out", "list.tsv"]) == 2
    assert "list.tsv holds judgments, which would be lost; read them with --answers list.tsv" in capsys.readouterr().err
    assert Path("list.tsv").read_text() == filled


def test_a_report_is_no_pdf(capsys):
    assert main(["report", RUN, QRELS, "--out", "report.pdf"]) == 2
    assert "the name of a report ends in .html; irkit plot writes figures" in capsys.readouterr().err
