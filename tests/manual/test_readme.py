"""The Python of the README gives what its comment says; its commands and links are in test_docs.py."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from irkit.cli import main

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_python_gives_what_its_comment_says():
    code = re.search(r"```python\n(.*?)```", README, re.S)
    assert code
    wanted = re.search(r"# ([0-9.]+):", code[1])
    assert wanted
    shown = subprocess.run([sys.executable, "-c", code[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"{float(shown.stdout):.4f}" == wanted[1]


def test_the_end_of_make_runs_is_what_the_committed_runs_give(tmp_path, monkeypatch, capsys):
    names = ("bm25", "dense", "rrf", "hybrid")
    for name in names:
        shutil.copy(ROOT / f"runs/run.passages.{name}.txt", tmp_path / f"{name}.txt")
    monkeypatch.chdir(tmp_path)
    files = [*(f"{name}.txt" for name in names), str(ROOT / "qrels/qrels.passages.txt")]
    shown = []
    for command, measures in (("score", "nDCG@5 RR R@5 P@5 AP"), ("compare", "nDCG@5 RR")):
        assert main([command, *files, *(f"-m{measure}" for measure in measures.split())]) == 0
        shown.append(capsys.readouterr().out)
    assert f"```text\n{shown[0]}\n{shown[1]}The runs are in runs/" in README
