"""The page on lexical retrieval names the languages that there are."""

from pathlib import Path

from irkit.retrieval.analysis import LANGUAGES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "retrieval-lexical.md").read_text("utf-8")


def test_the_page_lists_the_languages_that_there_are():
    assert f"| {', '.join(LANGUAGES)} |" in PAGE
