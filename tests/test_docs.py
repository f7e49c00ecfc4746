"""The manual's table of measures is the one in the code."""

from pathlib import Path

from irkit.cli import main

PAGE = Path(__file__).resolve().parents[1] / "docs" / "measures.md"


def test_the_manual_lists_the_measures_that_there_are(capsys):
    assert main(["measures", "--format", "markdown"]) == 0
    assert capsys.readouterr().out in PAGE.read_text("utf-8")
