"""The page on fusion is true: its tables are those of the code, its examples run."""

import contextlib
import io
import os
import re
import subprocess
import sys
from inspect import getdoc
from pathlib import Path

from irkit.fusion import METHODS, NORMALISATIONS

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "fusion.md").read_text("utf-8")


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def names(one):
    return ", ".join(f"`{name}`" for name in (one.name, *one.aliases))


def source(function):
    """The first line of its references, which says the paper."""
    return getdoc(function).split("References\n----------\n")[1].splitlines()[0].partition(":")[0].rstrip(".")


def methods_table():
    yield row("method", "by", "weights", "parameters", "what it is", "source")
    yield row(*["---"] * 6)
    for method in METHODS.values():
        parameters = (
            f"`{one.name}`{'' if one.default is None else f' = {one.default:g}'}" for one in method.parameters
        )
        kind = f"{method.by}, trained" if method.learn else method.by
        yield row(names(method), kind, method.weights, ", ".join(parameters), method.help, source(method.function))


def normalisations_table():
    yield row("normalisation", "by", "what becomes of a score s")
    yield row(*["---"] * 3)
    for one in NORMALISATIONS.values():
        yield row(names(one), one.by, one.help.replace("|", "\\|"))


def test_the_tables_are_those_of_the_code():
    tables = re.findall(r"(?:^\|.*\n)+", PAGE, re.M)
    assert tables[0].splitlines() == list(methods_table())
    assert tables[1].splitlines() == list(normalisations_table())


def test_the_commands_give_the_output_shown():
    ((command, output),) = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)
    script = f'irkit() {{ {sys.executable} -m irkit "$@"; }}\n{command}'
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    shown = subprocess.run(["bash", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert shown.stdout == output


def test_the_python_gives_what_it_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    known = {}
    for code, output in re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.S):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "docs/fusion.md", "exec"), known)
        promised = "".join(f"{line}\n" for line in re.findall(r"\)  # (.*)$", code, re.M)) + output
        assert said.getvalue() == promised, code
