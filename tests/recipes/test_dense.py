"""Recipes of dense runs: every parameter of an index and of its search has its place in an experiment."""

import json

import pytest
from collections_at_hand import documents_of
from vectors_at_hand import Letters

from irkit.data.documents import write_documents
from irkit.errors import UsageError
from irkit.recipes import Recipe, RecipeInputs, make
from irkit.recipes import inputs as materials_module
from irkit.recipes.parameters import checked
from irkit.retrieval import dense

pytest.importorskip("faiss")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Topics and documents, and Letters in the place of every encoder; the names asked for are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "topics.tsv").write_text("1\ta\n2\tbb\n")
    write_documents(tmp_path / "documents.jsonl", documents_of({"x": "a", "y": "ab", "z": "c"}))
    loaded = []

    def load(name, **options):
        loaded.append((name, options))
        return Letters()

    monkeypatch.setattr(materials_module, "load_encoder", load)
    paths = {name: (tmp_path / file,) for name, file in (("topics", "topics.tsv"), ("documents", "documents.jsonl"))}
    return paths, loaded


def test_kind_and_prefixes_are_those_of_the_recipe_and_another_kind_is_another_index(files, tmp_path):
    paths, _ = files
    build = RecipeInputs(tmp_path / "build")
    graph = {"kind": "hnsw", "m": 8, "ef_search": 50, "query_prefix": "c", "depth": 2}
    found = make(Recipe("dense", graph, paths), build)
    told = {name: found.details[name] for name in ("kind", "m", "ef_construction", "ef_search", "query_prefix")}
    assert told == {"kind": "hnsw", "m": 8, "ef_construction": 200, "ef_search": 50, "query_prefix": "c"}
    # Topic 1 is "ca": 1 / sqrt 2 with x and z, 1 / 2 with y.
    assert found.run.to_dict()["1"] == {"z": 0.707107, "x": 0.707107}
    make(Recipe("dense", {}, paths), build)
    kinds = [json.loads(path.read_text())["index_kind"] for path in (tmp_path / "build").glob("dense.*/irkit.json")]
    assert sorted(kinds) == ["flat", "hnsw"]


def test_an_index_is_searched_by_its_own_encoder(files, tmp_path):
    paths, loaded = files
    dense.save_index(dense.build_index(documents_of({"x": "a"}), Letters()), tmp_path / "index")
    found = make(Recipe("dense", {}, {"topics": paths["topics"], "index": (tmp_path / "index",)}))
    assert found.run.to_dict()["1"] == {"x": 1.0}
    assert loaded == [("letters", {})]


def test_parameters_are_checked_as_an_experiment_reads_them():
    assert checked("dense", "kind", "ivf-pq") == "ivf-pq"
    assert checked("dense", "n_lists", 20) == 20
    with pytest.raises(UsageError, match="'kind' is 'hsnw'; did you mean 'hnsw'"):
        checked("dense", "kind", "hsnw")
    with pytest.raises(UsageError, match="'ef_search' is a whole number, at least 1"):
        checked("dense", "ef_search", 0)
