"""Read TREC's SGML: documents `<DOC>` with `<DOCNO>`, and topics in any format of `read_topics`."""

import re
from bisect import bisect_left as bisect
from collections.abc import Iterator
from pathlib import Path

from irkit.conversion.collection import SourceDocument, SourceId, SourceTopic, TopicsPart
from irkit.data.topic_formats import fold, parse_topics, unescape
from irkit.errors import FormatError
from irkit.files.records import decode, stream_lines
from irkit.files.textio import check_no_nul, read_bytes

# Parts of a document that are searched beside <TEXT>, where it has one.
TITLES = ("title", "headline", "hl", "head", "ttl", "lp", "leadpara")
UNTAGGED = "untagged"
_DOCNO = re.compile(r"<DOCNO>([^<]*)</DOCNO>", re.IGNORECASE)
_OPENING = re.compile(r"<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>")
_CLOSING = re.compile(r"</([A-Za-z][\w.-]*)\s*>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def recognises(head: str) -> bool:
    """Whether a file that starts like this is SGML or XML."""
    return head.lstrip().startswith("<")


def documents(path: Path) -> Iterator[SourceDocument]:
    """Read documents between `<DOC>` and `</DOC>`.

    The contents of one with `<TEXT>` are its titles and texts, and its parts are fields; otherwise they are all
    that it holds but its number. Tags inside are taken out.
    """
    place, start, lines = str(path), 0, list[str]()
    for number, line in stream_lines(path):
        text = decode(line, place, number)
        mark = text.strip().upper()
        if not start:
            if mark.startswith("<DOC>"):
                start, lines = number, [text.strip()[5:]]
            elif mark and not mark.startswith(("<?", "<!")):
                raise FormatError(place, f"expected <DOC>, found {text[:40]!r}", number)
        else:
            lines.append(text)
        if start and mark.endswith("</DOC>"):
            yield _document("\n".join(lines), place, start)
            start = 0
    if start:
        raise FormatError(place, "a <DOC> that is never closed; the file is cut off", start)


def topics(path: Path) -> TopicsPart:
    """Read topics in TREC SGML or XML."""
    data = read_bytes(path)
    check_no_nul(data, str(path))
    names, found = parse_topics(data.decode("utf-8", "surrogateescape"), str(path))
    return TopicsPart([SourceTopic(SourceId(topic.id), topic) for topic in found], names)


def _document(body: str, place: str, line: int) -> SourceDocument:
    numbers = _DOCNO.findall(body)
    if len(numbers) != 1:
        raise FormatError(place, f"a document with {len(numbers)} <DOCNO>; each has one", line)
    rest = re.sub(r"</DOC>\s*\Z", "", _DOCNO.sub(" ", body), flags=re.IGNORECASE)
    inside, outside = _parts(rest)
    parts = [(name, _plain(text)) for name, text in inside]
    if not any(name == "text" for name, _ in parts):
        return SourceDocument(line, SourceId(fold(numbers[0])), _plain(rest), {}, ("everything but <DOCNO>",))
    searched = [(name, text) for name, text in parts if name in (*TITLES, "text")]
    fields: dict[str, str] = {}
    for name, text in parts:
        if text:
            fields[name] = f"{fields[name]} {text}" if name in fields else text
    contents = "\n".join(text for _, text in searched if text)
    remark = None
    if untagged := _plain(outside):
        fields[UNTAGGED] = untagged
        remark = f"documents with words outside any tag, kept as their field {UNTAGGED!r}"
    names = tuple(dict.fromkeys(name for name, _ in searched))
    return SourceDocument(line, SourceId(fold(numbers[0])), contents, fields, names, remark)


def _parts(body: str) -> tuple[list[tuple[str, str]], str]:
    """Outermost closed tags in lower case with their contents, and the text outside of them."""
    closings: dict[str, list[tuple[int, int]]] = {}
    for found in _CLOSING.finditer(body):
        closings.setdefault(found[1].lower(), []).append(found.span())
    inside: list[tuple[str, str]] = []
    outside, reached = list[str](), 0
    for opening in _OPENING.finditer(body):
        ends = closings.get(opening[1].lower(), [])
        place = bisect(ends, (opening.end(), 0))
        if opening.start() < reached or place == len(ends):
            continue
        inside.append((opening[1].lower(), body[opening.end() : ends[place][0]]))
        outside.append(body[reached : opening.start()])
        reached = ends[place][1]
    return inside, " ".join([*outside, body[reached:]])


def _plain(markup: str) -> str:
    end = markup.rfind("-->") + 3 if "-->" in markup else 0  # behind it no comment is closed, and looking takes long
    return fold(unescape(_TAG.sub(" ", _COMMENT.sub(" ", markup[:end]) + markup[end:])))
