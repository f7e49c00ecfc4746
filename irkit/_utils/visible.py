"""Escape names and ids for safe display in a terminal, a table, or the log of a workflow."""

import re
import unicodedata
from typing import Final


def visible(name: str) -> str:
    r"""Escape a name onto one line, with every control character as an escape such as `\x1b`.

    So are marks that turn the direction of text, and bytes that were not UTF-8 (`\xff`).
    """
    return "".join(character if _harmless(character) else _escape(character) for character in name)


def _harmless(character: str) -> bool:
    return (character.isascii() and character.isprintable()) or unicodedata.category(character)[0] not in "CZ"


def _escape(character: str) -> str:
    point = ord(character)
    if 0xDC80 <= point <= 0xDCFF:  # a byte that was not UTF-8, as `ids.to_text` keeps it
        return f"\\x{point - 0xDC00:02x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or (
        f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
    )


# What becomes of `::` where a line begins with it, and of the bracket of `##[`, by the format.
_JSON: Final = ("::", "\\u005b")  # no line of which begins with a text
_PARTED: Final = {
    "json": _JSON,
    "jsonl": _JSON,
    "sarif": _JSON,
    "csv": ("'::", "\\["),  # as before what a spreadsheet would take for a formula
    "tsv": ("'::", "\\["),
    "latex": ("{}::", "{}["),
    "junit": ("&#58;:", "&#91;"),
    "github": ("::", "\\["),
}


def harmless(text: str, form: str = "text") -> str:
    r"""Escape a text for printing, so that the runner of a workflow reads no command in it.

    GitHub's follows a line that begins with `::`, white space before it or not, and, of an older form, one that holds
    `##[` anywhere; Azure's and TeamCity's follow `##vso[` and `##teamcity[`. A backslash parts them (`\::`, `##\[`), in
    other formats what these have for it.
    """
    colons, bracket = _PARTED.get(form, ("\\::", "\\["))
    text = re.sub(r"((?:^|[\n\r])\s*)::", lambda found: found[1] + colons, text)
    return re.sub(r"(##[A-Za-z]*)\[", lambda found: found[1] + bracket, text)
