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

# Bytes up to which data remain readable in the page's source; larger data are packed.
PACKED_FROM: Final = 100_000

SAMPLE: Final = 256  # parts in the sample for a size estimate
NEARLY: Final = 0.92  # share of the room that is enough

# In page order: the scripts share a scope, and each uses those before it.
SCRIPTS: Final = ("dom", "data", "state", "board", "topics", "ranking", "sections", "charts", "main")


def as_json(data: object) -> str:
    r"""Format JSON that is safe in an HTML script: without `<`, `>`, `&` and line ends of scripts.

    Unpaired surrogates, from ids that are not UTF-8, are escaped too.
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029\ud800-\udfff]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def packed(data: object) -> str:
    """Format JSON, deflated and in base64; the page unpacks it."""
    return base64.b64encode(zlib.compress(as_json(data).encode(), 9)).decode("ascii")


def data_element(name: str, data: object) -> str:
    """Make a script element of data, which the page finds by its name."""
    text = as_json(data)
    if len(text) < PACKED_FROM:
        return f'<script type="application/json" id="{name}">{text}</script>'
    return f'<script type="application/octet-stream" id="{name}">{packed(data)}</script>'


def that_fit(parts: Sequence[Any], size: Callable[[Sequence[Any]], int], room: int) -> int:
    """Return how many parts, from the first, fit into a number of bytes; if not all fit, nearly as many as possible."""
    room = max(room, 0)
    n, fits, beyond = len(parts), 0, len(parts) + 1
    if n > 2 * SAMPLE:  # estimate first, because packing all parts can take long
        n = min(n, 1 + SAMPLE * room // size(parts[:SAMPLE]))
    while fits < n < beyond:
        taken = size(parts[:n])
        if taken > room:
            beyond = n
            n = max(min(n - 1, int(0.98 * n * room / taken)), fits)
        else:
            fits = n
            # Adding parts may need less room than estimated, because repeated texts compress well.
            n = n if taken > NEARLY * room else min(int(0.98 * n * room / max(taken, 1)), beyond - 1, len(parts))
    return fits


def asset(name: str) -> str:
    """Read a file of the folder of assets."""
    return (files("irkit.report.page") / "assets" / name).read_text("utf-8")


def page_script() -> str:
    """Return the script of the page."""
    return "\n".join(asset(f"{name}.js") for name in SCRIPTS)


def policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """Return the content security policy: run these scripts, use these styles, load nothing."""

    def hashes(texts: Sequence[str]) -> str:
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def document(title: str, *, style: str, scripts: Sequence[str], data: Mapping[str, object]) -> str:
    """Assemble the page: frame, title, style, data and scripts."""
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
