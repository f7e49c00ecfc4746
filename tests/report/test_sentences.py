"""docs/sentences.md has every sentence that the modules which it names can print, each under a code of its own."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "sentences.md").read_text("utf-8")
MODULES = re.findall(r"^- `(irkit/\S+\.py)`$", PAGE, re.M)
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef


def parts_of(node: ast.JoinedStr) -> str:
    """The text of an f-string, each of its fields as {}."""
    return "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)


def left_out(tree: ast.Module) -> Iterator[ast.AST]:
    """What is no sentence: docstrings, messages of errors, and the parts of f-strings, which are read as a whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise | ast.FormattedValue) and (
            within := node if isinstance(node, ast.Raise) else node.format_spec
        ):
            yield from ast.walk(within)
        elif isinstance(node, ast.JoinedStr):
            yield from (one for one in node.values if isinstance(one, ast.Constant))
        elif isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
            yield node.body[0].value


def sentences(module: str) -> set[str]:
    """The texts of three words or more in a module, fields as {}."""
    tree = ast.parse((ROOT / module).read_text("utf-8"))
    no_sentence = set(map(id, left_out(tree)))
    texts = {
        parts_of(node) if isinstance(node, ast.JoinedStr) else str(node.value)
        for node in ast.walk(tree)
        if id(node) not in no_sentence
        and (isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)))
    }
    return {re.sub(r"\{[^{}]*\}", "{}", text).strip() for text in texts if n_words(text) >= 3}


def n_words(text: str) -> int:
    """How many words a text has, without those that are part of a field, an option or a code."""
    return sum(word.strip(".,;:()'").isalpha() for word in text.split())


def test_every_sentence_of_the_code_is_on_the_page_and_every_one_of_the_page_in_the_code():
    printed = set().union(*map(sentences, MODULES))
    listed = {re.sub(r"\{[^{}]*\}", "{}", row[1].strip("`").strip()) for row in ROWS}
    assert listed - printed == set()
    assert printed - listed == set()


def test_each_code_of_a_remark_of_tuning_stands_on_the_page():
    tree = ast.parse((ROOT / "irkit" / "tuning" / "remarks.py").read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Remark"]
    codes = {
        str(one.value)
        for call in calls
        for one in ast.walk(call.args[0])
        if isinstance(one, ast.Constant) and one.value
    }
    assert len(codes) > 20
    # Those of the paired test stand under a code of their own.
    assert {f"tune-{one}" for one in codes - {"comparison"}} - {row[0].strip("`") for row in ROWS} == set()


def test_each_code_stands_once():
    codes = [row[0].strip("`") for row in ROWS]
    assert len(codes) > 100
    assert [one for one in codes if codes.count(one) > 1] == []


def test_each_sentence_says_when_and_where_it_is_printed():
    assert [row[0] for row in ROWS if len(row) < 4 or not all(cell.strip() for cell in row[2:4])] == []
