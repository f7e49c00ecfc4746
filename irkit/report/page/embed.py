"""Data and scripts as parts of an HTML page: nothing in them can end the element they stand in, or run."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any, Final

# Below this the data are readable in the page's source; above, packing them saves what it costs.
PACKED_FROM: Final = 100_000

SAMPLE: Final = 256  # parts from which the size of all is guessed
NEARLY: Final = 0.92  # of the room, which is enough

# In the order in which they stand in the page: one scope, each using what stands before it.
SCRIPTS: Final = ("dom", "data", "state", "board", "topics", "ranking", "sections", "charts", "main")


def as_json(data: object) -> str:
    r"""JSON that can stand in an HTML script: no `<`, `>`, `&`, and nothing that ends a line of a script.

    Half a character, as an id that is no UTF-8 may hold it, is escaped too.
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029\ud800-\udfff]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def packed(data: object) -> str:
    """JSON, deflated and in base64, which the page unpacks."""
    return base64.b64encode(zlib.compress(as_json(data).encode(), 9)).decode("ascii")


def data_element(name: str, data: object) -> str:
    """A script element of data that the page finds by its name."""
    text = as_json(data)
    if len(text) < PACKED_FROM:
        return f'<script type="application/json" id="{name}">{text}</script>'
    return f'<script type="application/octet-stream" id="{name}">{packed(data)}</script>'


def that_fit(parts: Sequence[Any], size: Callable[[Sequence[Any]], int], room: int) -> int:
    """How many of these parts, from the first on, fit into so many bytes; where not all do, nearly as many.

    Parameters
    ----------
    parts : sequence
    size : callable
        Parts to the bytes that they take.
    room : int
    """
    room = max(room, 0)
    n, fits, beyond = len(parts), 0, len(parts) + 1
    if n > 2 * SAMPLE:  # packing all of them to see that they are ten times too large would take long
        n = min(n, 1 + SAMPLE * room // size(parts[:SAMPLE]))
    while fits < n < beyond:
        taken = size(parts[:n])
        if taken > room:
            beyond = n
            n = max(min(n - 1, int(0.98 * n * room / taken)), fits)
        else:
            fits = n
            # More of them may be smaller, as texts are that stand there already.
            n = n if taken > NEARLY * room else min(int(0.98 * n * room / max(taken, 1)), beyond - 1, len(parts))
    return fits


def asset(name: str) -> str:
    """A file that stands beside this module."""
    return (files("irkit.report.page") / "assets" / name).read_text("utf-8")


def page_script() -> str:
    """The page's own script."""
    return "\n".join(asset(f"{name}.js") for name in SCRIPTS)


def policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """What the page may do, as a content security policy: run these scripts, take these styles, and nothing else."""

    def hashes(texts: Sequence[str]) -> str:
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def document(title: str, *, style: str, scripts: Sequence[str], data: Mapping[str, object]) -> str:
    """The page: its frame with the title, style, data and scripts put in.

    Parameters
    ----------
    title : str
    style : str
    scripts : sequence of str
        Each a module of its own.
    data : mapping of str to value
        By name.
    """
    for text in scripts:
        if re.search(r"</script|<!--", text, re.IGNORECASE):
            raise AssertionError("a script of the page would end its element")
    parts = {
        "title": escape(title),
        "policy": escape(policy(scripts, [style])),
        "style": style,
        "data": "\n".join(data_element(name, value) for name, value in data.items()),
        "scripts": "\n".join(f'<script type="module">{text}</script>' for text in scripts),
    }
    frame = asset("page.html")
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], frame)
