"""Faults found on the product that concern topics, tables, conversion and ids that do not meet (numbers C04 to C51)."""

import numpy as np
import pytest

import irkit
from irkit.errors import FormatError
from irkit.qrels import Qrels
from irkit.runs import Run

BEIR = {"query-id": ["q", "q", "r"], "corpus-id": ["a", "b", "a"], "score": [1, 0, 2]}
NESTED = {"q": {"a": 1, "b": 0}, "r": {"a": 2}}


@pytest.mark.parametrize(
    "columns",
    [
        BEIR,
        {"queryId": BEIR["query-id"], "docId": BEIR["corpus-id"], "rating": BEIR["score"]},
        {"Query ID": BEIR["query-id"], "Document ID": BEIR["corpus-id"], "Relevance": BEIR["score"]},
        {"question_id": BEIR["query-id"], "passage_id": BEIR["corpus-id"], "judgment": BEIR["score"]},
    ],
    ids=["beir", "camel", "spaced", "questions"],
)
@pytest.mark.parametrize("library", ["dict", "arrays", "rows", "pandas", "polars", "pyarrow"])
def test_c51_tables_are_read_whatever_the_spelling_of_their_columns(columns, library):
    if library in ("pandas", "polars", "pyarrow"):
        module = pytest.importorskip(library)
        table = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    elif library == "arrays":
        table = {name: np.array(column) for name, column in columns.items()}
    elif library == "rows":  # as pandas' to_dict has them
        table = {name: dict(enumerate(column)) for name, column in columns.items()}
    else:
        table = columns
    assert Qrels.of(table).to_dict() == NESTED
    # nDCG of q and r: the relevant document stands second (1 / log2 3 of 1) and first.
    run = {"q": {"a": 1.0, "b": 2.0}, "r": {"a": 1.0}}
    scored = irkit.evaluate(run=run, qrels=table, measures="RR P@1")
    assert scored.values.tolist() == [[0.5, 0.0], [1.0, 1.0]]


def test_c51_a_run_is_read_from_a_dict_of_columns_and_a_dict_of_rankings_stays_one():
    columns = {"query-id": ["q", "q"], "corpus-id": ["a", "b"], "score": [1.0, 2.0]}
    assert Run.of(columns).to_dict() == {"q": {"b": 2.0, "a": 1.0}}
    scored = irkit.evaluate(run=columns, qrels={"q": {"a": 1}}, measures="RR")
    assert scored.values.tolist() == [[0.5]]
    assert Run.of({"query": ["a", "b"], "score": ["c"]}).topics == ("query", "score")


def test_c51_what_is_not_clear_in_a_table_is_refused():
    with pytest.raises(FormatError, match="not of one length: qid 2, docno 1, label 2"):
        Qrels.of({"qid": ["q", "r"], "docno": ["a"], "label": [1, 0]})
    with pytest.raises(FormatError, match="2 columns named query-id, queryId; keep one"):
        Qrels.of({"query-id": ["q"], "queryId": ["q"], "doc": ["a"], "rel": [1]})
    # `score` is the number of a run; only BEIR calls a grade so, beside corpus-id.
    with pytest.raises(FormatError, match="no column named grade or relevance"):
        Qrels.of({"qid": ["q"], "docno": ["a"], "score": [1]})
