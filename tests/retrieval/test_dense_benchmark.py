"""The works of dense retrieval: irkit and FAISS find the same, and both read what they search before the clock."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import data, programs, shapes, timing, works
from benchmarks.shapes import VECTORS
from benchmarks.works import WORKS

pytest.importorskip("faiss")


def test_directions_have_length_one_and_equal_seeds_give_equal_ones():
    drawn = data.directions(np.random.default_rng(3), 50, 7)
    assert np.linalg.norm(drawn, axis=1) == pytest.approx(np.ones(50), abs=1e-6)
    assert (drawn == data.directions(np.random.default_rng(3), 50, 7)).all()


@pytest.mark.parametrize("name", ["dense", "hnsw"])
def test_irkit_and_faiss_find_the_same(name, tmp_path, monkeypatch):
    for module in (shapes, works, programs):
        monkeypatch.setattr(module, "BUILD", tmp_path)
    small = replace(VECTORS, n=300, dimensions=8, n_topics=7, depth=20)
    monkeypatch.setattr(works, "VECTORS", small)
    data.write_vectors(small)
    work = WORKS[name]()
    there = tuple(each for each in work.contenders if not each.command.program.absent)
    found = timing.time_work(replace(work, contenders=there), repeat=1, repeat_slow=1, slow=60, tell=lambda line: None)
    assert [each.problem for each in found] == [""] * len(there)
    assert len(found) >= 2
    assert all(each.agrees for each in found)
    assert all(0 < each.seconds[0] < 10 for each in found)
