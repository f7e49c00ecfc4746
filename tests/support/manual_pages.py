"""The pages of the manual, and the examples in them.

An example is a block of code between ``` marks. What is done with it depends on its language:

console  `$ command` and what it prints on a terminal: it is run, and its output held against the page. One that ends
         with another status than 0 has `$ echo $?` behind it.
sh       commands, one a line: they are run, and have to end with 0.
python   run, one block after the other, with the same names. `print(...)  # value` says what is printed, and a block
         of `text` right behind it the rest.
any      with `title="NAME"`: the file NAME, written before what follows is run.

`<!-- not run: REASON -->` before a block says why it is not. Signatures are `py`, everything else is `text`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

_BLOCK = re.compile(
    r"(?:^ *<!-- not run: (?P<reason>.*?) -->\n\n?)?"
    r"^(?P<indent> *)```(?P<language>\w+)(?: title=\"(?P<title>.*?)\")?\n(?P<text>.*?)^ *```$",
    re.M | re.S,
)


@dataclass(frozen=True)
class Block:
    """A block of code: where it stands, what it is, and why it is not run if it is not."""

    line: int
    language: str
    title: str | None
    reason: str | None
    text: str
    follows: bool  # nothing but an empty line lies between it and the block before


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in their order."""
    found, end = [], 0
    for one in _BLOCK.finditer(page):
        text = re.sub(rf"^{one['indent']}", "", one["text"], flags=re.M)
        line = page.count("\n", 0, one.start("language")) + 1
        found.append(
            Block(line, one["language"], one["title"], one["reason"], text, not page[end : one.start()].strip())
        )
        end = one.end()
    return found


def commands(text: str) -> list[str]:
    """The commands of a block of `sh`: without comments, lines that end with a backslash joined with their next."""
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def session(text: str) -> list[tuple[str, str]]:
    """The commands of a block of `console`, each with what it prints."""
    found = []
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, output = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.S).groups()
        found.append((re.sub(r"\\\n\s*", " ", command.rstrip("\n")), output))
    return found


def name(page: Path) -> str:
    """The page as people call it."""
    return str(page.relative_to(ROOT))
