"""The manual is true: its Python runs, and its links lead somewhere."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
# Each block of Python, and the block of its output where one follows.
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.S)


@pytest.mark.usefixtures("table_as_it_is")
@pytest.mark.parametrize("page", ["python.md", "reranking.md", "tuning.md"])
def test_the_examples_in_python_give_what_they_say(page, tmp_path, monkeypatch):
    for folder in ("runs", "qrels", "topics"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    names = {}
    for code, output in EXAMPLE.findall((DOCS / page).read_text("utf-8")):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, f"docs/{page}", "exec"), names)
        promised = "".join(f"{line}\n" for line in re.findall(r"\)  # (.*)$", code, re.M)) + output
        assert said.getvalue() == promised, code


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_every_link_of_the_manual_leads_to_a_page(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (DOCS / target).exists(), target
