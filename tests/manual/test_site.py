"""The built manual: strict and silent, it works from its files alone, and nothing in it asks for the network."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("material")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site that `make docs` makes, in a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    made = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    return folder


class Loaded(HTMLParser):
    """What a browser loads by itself to show a page; links that a reader may follow are not among it."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "link" and given.get("rel") != "canonical":
            self.found.append(given.get("href"))
        elif tag in ("script", "img", "iframe", "source", "video", "audio", "embed"):
            self.found.append(given.get("src"))
        elif tag == "object":
            self.found.append(given.get("data"))


def test_no_page_loads_anything_that_is_not_beside_it(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        parser = Loaded()
        parser.feed(page.read_text("utf-8"))
        assert parser.found
        for address in filter(None, parser.found):
            if page.name == "404.html" and address.startswith("/"):
                there = site / address.lstrip("/")
            else:
                there = page.parent / address.partition("?")[0].partition("#")[0]
            assert address.startswith("data:") or there.exists(), f"{page.name}: {address}"


def test_the_way_home_is_a_page_and_no_folder(site):
    for page in (site / "gate.html", site / "how-to" / "score.html"):
        (home,) = set(re.findall(r'<a href="([^"]*)"[^>]*md-logo', page.read_text("utf-8")))
        assert (page.parent / home).is_file()


def test_no_style_loads_anything_that_is_not_beside_it(site):
    styles = list(site.rglob("*.css"))
    assert styles
    for style in styles:
        text = style.read_text("utf-8")
        assert not re.findall(r"url\(\s*['\"]?(?:https?:)?//", text), style
        assert not re.findall(r"@import", text), style


@pytest.fixture(scope="module")
def browser():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser):
    """A page of a browser, with what it asks for and what goes wrong in it."""
    context = browser.new_context()
    opened = context.new_page()
    opened.asked, opened.wrong = [], []
    opened.on("request", lambda request: opened.asked.append(request.url))
    opened.on("pageerror", lambda problem: opened.wrong.append(str(problem)))
    yield opened
    context.close()


def test_a_page_opened_as_a_file_finds_what_is_searched_for(site, page):
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("Holm")
    found = page.locator(".md-search-result__link", has_text="Statistics").first
    found.wait_for(timeout=20_000)
    assert "statistics.html" in found.get_attribute("href")
    assert page.wrong == []
    assert [one for one in page.asked if not one.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("width", [390, 1440], ids=["phone", "desk"])
@pytest.mark.parametrize("name", ["index", "tutorial", "how-to/index", "commands-reference", "statistics"])
def test_a_page_fits_the_screen(site, page, name, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto((site / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.wrong == []


def test_a_session_is_copied_without_prompts_and_without_what_it_printed(site, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto((site / "how-to" / "compare.html").as_uri())
    page.locator(".language-console").first.hover()
    page.locator(".language-console button[data-md-type=copy], .language-console .md-clipboard").first.click()
    page.wait_for_timeout(200)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split() == ["irkit", "compare", "bm25.run", "rrf.run", "qrels.txt", "-m", "nDCG@10"]
