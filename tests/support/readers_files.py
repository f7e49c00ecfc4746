"""The files of a reader whom the manual speaks to: what its examples name, made from the bundled collections."""

import contextlib
import gzip
import io
import json
import shutil
from pathlib import Path

from manual_pages import ROOT

from irkit.cli import main

# A run, a topics file, qrels as a reader would call them; here all are of the bundled services.
STAND_INS = {
    "runs/run.services.bm25.txt": [
        *("run.txt", "bm25.run", "my-bm25.run", "original.bm25.run", "my.bm25.run", "robust.bm25.run"),
        "core17.bm25.run",
    ],
    "runs/run.services.dense.txt": ["dense.run", "mine.run", "my-rrf.run", "core17.run"],
    "runs/run.services.fused.txt": ["rrf.run", "original.run", "robust.run"],
    "topics/topics.services.txt": ["topics.txt"],
    "qrels/qrels.services.txt": [f"qrels{which}.txt" for which in ("", ".model", ".nist", ".robust", ".core17")],
}
TOPICS = {
    "dev.txt": ["q01", "q04", "q07", "q13"],
    "test.txt": ["q02", "q05", "q08", "q14"],
    "train.txt": ["q03", "q06"],
}
EXPERIMENT = """\
[collection]
name = "services"
source = "irkit/collections/services"
[configurations.bm25]
method = "bm25"
[configurations.dense]
method = "file"
run = "dense.run"
[configurations.hybrid]
method = "linear"
runs = ["bm25", "dense"]
alpha = 0.5
[configurations.fused]
method = "rrf"
runs = ["bm25", "dense"]
[evaluation]
measures = ["nDCG@10", "RR"]
[[tuning]]
configuration = "fused"
set = { k = [10, 60, 100] }
"""


def write(folder: Path) -> None:
    """Write them all into an empty folder."""
    for each in ("runs", "qrels", "topics", "baselines"):
        shutil.copytree(ROOT / each, folder / each)
    shutil.copytree(ROOT / "irkit" / "collections", folder / "irkit" / "collections")
    shutil.copytree(ROOT / "irkit" / "collections" / "services", folder / "my-fixtures")
    for bundled, called in STAND_INS.items():
        for one in called:
            shutil.copy(ROOT / bundled, folder / one)
    first = {(topic, document) for topic, _, document, rank, *_ in _lines(folder / "bm25.run") if int(rank) <= 2}
    shallow = [line for line in _lines(folder / "qrels.txt") if (line[0], line[2]) in first]
    (folder / "qrels.shallow.txt").write_text("".join(f"{' '.join(line)}\n" for line in shallow))
    for one, topics in TOPICS.items():
        (folder / one).write_text("".join(f"{topic}\n" for topic in topics))
    (folder / "experiment.toml").write_text(EXPERIMENT)
    (folder / "run.txt.gz").write_bytes(gzip.compress((folder / "run.txt").read_bytes()))
    # What the experiment of docs/experiments.md names beside its fixtures.
    (folder / "my-fixtures" / "runs").mkdir()
    shutil.copy(folder / "rrf.run", folder / "my-fixtures" / "runs" / "best.txt")
    shutil.copy(folder / "train.txt", folder / "my-fixtures")
    for collection in ("services", "passages"):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            source = str(folder / "irkit" / "collections" / collection)
            assert main(["convert", source, "--out", str(folder / "build")]) == 0
    shutil.move(folder / "build" / "documents", folder)
    shutil.rmtree(folder / "build")
    for one in ("documents.jsonl", "docs.jsonl"):
        shutil.copy(folder / "documents" / "documents.services.jsonl", folder / one)
    _other_forms(folder, [json.loads(line) for line in (folder / "documents.jsonl").read_text("utf-8").splitlines()])


def _lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text("utf-8").splitlines()]


def _other_forms(folder: Path, documents: list[dict]) -> None:
    """The documents in TREC's form, and as BEIR has a collection; and how popular each is."""
    trec = "".join(f"<DOC>\n<DOCNO>{one['id']}</DOCNO>\n<TEXT>{one['contents']}</TEXT>\n</DOC>\n" for one in documents)
    (folder / "docs.trec.gz").write_bytes(gzip.compress(trec.encode()))
    (folder / "popularity.tsv").write_text("".join(f"{one['id']}\t{one['settled_payments']}\n" for one in documents))
    beir = folder / "beir" / "scifact"
    (beir / "qrels").mkdir(parents=True)
    lines = (json.dumps({"_id": one["id"], "title": one["name"], "text": one["description"]}) for one in documents)
    (beir / "corpus.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (beir / "queries.jsonl").write_text('{"_id": "1", "text": "weather forecast api"}\n')
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\tweather-now\t1\n")


def as_reference(folder: Path) -> None:
    """For the reference of the commands, whose `runs/*.txt` are of one collection."""
    shutil.rmtree(folder / "runs")
    (folder / "runs").mkdir()
    for name in ("bm25", "dense", "rrf"):
        shutil.copy(folder / f"{name}.run", folder / "runs" / f"{name}.txt")
