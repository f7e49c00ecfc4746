"""The Python of the README gives what its comment says; its commands and links are in test_docs.py."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_python_gives_what_its_comment_says():
    code = re.search(r"```python\n(.*?)```", README, re.S)
    assert code
    wanted = re.search(r"# ([0-9.]+):", code[1])
    assert wanted
    shown = subprocess.run([sys.executable, "-c", code[1]], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"{float(shown.stdout):.4f}" == wanted[1]
