"""README, and the pages on trec_eval and statistics, are true: commands give the output shown, Python runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
TREC_EVAL = (ROOT / "docs" / "trec_eval.md").read_text("utf-8")
STATISTICS = (ROOT / "docs" / "statistics.md").read_text("utf-8")


def examples() -> list[tuple[str, str]]:
    found = []
    for block in re.findall(r"```console\n(.*?)```", README + TREC_EVAL + STATISTICS, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), examples(), ids=lambda value: value[:60])
def test_the_commands_give_the_output_shown(command, output):
    script = f'irkit() {{ {sys.executable} -m irkit "$@"; }}\n{command}'
    # COLUMNS says how wide a table may be where there is no terminal.
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    shown = subprocess.run(["bash", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert shown.stdout == output


def test_the_python_gives_what_its_comment_says():
    code = re.search(r"```python\n(.*?)```", README, re.S)
    assert code
    wanted = re.search(r"# ([0-9.]+):", code[1])
    assert wanted
    shown = subprocess.run([sys.executable, "-c", code[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"{float(shown.stdout):.4f}" == wanted[1]


def test_every_link_leads_to_a_file():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target
