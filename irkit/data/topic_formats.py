"""Parse topics in TREC SGML, TREC XML, tab-separated lines or JSON; the content decides the format."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from xml.parsers import expat

from irkit.errors import FormatError
from irkit.files.field_names import first_named, plain
from irkit.files.formats import REFERENCE, holds_ranking, is_reference
from irkit.files.records import Fields, array_objects, parse_object
from irkit.ids import to_bytes

ID_NAMES: Final = ("id", "_id", "qid", "query_id", "topic_id", "question_id", "number", "num", "topic")
TEXT_NAMES: Final = ("text", "query", "title", "question", "content")  # the last of NTCIR


class RawTopic(NamedTuple):
    """A topic as in its file: every text under its original field name, white space folded."""

    line: int
    id: str | None
    fields: dict[str, str]


# The label that classic TREC topics repeat after the tag, and the name that the field has here.
LABELS: Final = {"num": "Number", "title": "Topic", "desc": "Description", "narr": "Narrative"}
MOST_FIELDS: Final = 1000  # of one topic; more are a broken file, and slow to read
_ORDER_IN_XML: Final = ("query", "title", "text", "question", "content")
_ORDERS: Final = {"top": ("title", "query", "text", "question"), "doc": TEXT_NAMES}
LONG_NAMES: Final = {"desc": "description", "narr": "narrative"}
TAG_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)

# Elements that can hold a topic each without one around them all.
_ALONE: Final = ("doc", "topic", "query")
_NUMBERS: Final = ("num", "docno", "qid", "number", "id")  # the elements of a topic that can hold its id
_ATTRIBUTE = re.compile(r"""\s([\w.:-]+)\s*=\s*["']([^"'<>]*)["']""", re.ASCII)
# `1:text` of the Web and Million Query tracks; the latter put a priority between.
_COLON = re.compile(r"([\w.-]+):(.*\S.*)", re.ASCII)
_PRIORITY = re.compile(r"([0-9]):(.*\S.*)")
_TAG = re.compile(r"<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>", re.ASCII)
_ANY_CLOSING = re.compile(r"</[A-Za-z_][\w.-]*\s*>", re.ASCII)
_LOOKS_LIKE_TAG = re.compile(r"<(?=[A-Za-z_/!?])")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_UNKNOWN_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([^\W\d][\w.-]*);")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def fold(text: str) -> str:
    """Fold each run of ASCII white space to one space, and strip both ends."""
    text = text.strip(" \t\n\r\f\v")
    # Weighted queries repeat a word by its weight, tens of thousands in all: a text that is folded is left alone.
    if "  " not in text and not any(space in text for space in "\t\n\r\f\v"):
        return text
    return b" ".join(text.encode("utf-8", "surrogatepass").split()).decode("utf-8", "surrogatepass")


def escape(text: str, label: str | None = None) -> str:
    """Escape a text so that `unescape` restores it; only misreadable characters change, for readers without entities.

    `label` is the classic word before a colon that readers take off (`Topic:`).
    """
    safe = _LOOKS_LIKE_TAG.sub("&lt;", _ENTITY.sub(lambda found: "&amp;" + found[0][1:], text))
    if label and _labelled(label).match(safe):
        safe = safe.replace(":", "&#58;", 1)
    return safe


def _labelled(label: str) -> re.Pattern[str]:
    # ASCII white space only, as in `fold`: writer and reader have to see the same labels.
    return re.compile(rf"\A\s*{label}\s*:", re.IGNORECASE | re.ASCII)


def unescape(text: str) -> str:
    """Replace XML entities and character numbers; any other `&` stays."""

    def character(found: re.Match[str]) -> str:
        name = found[1]
        if not name.startswith("#"):
            return _NAMED[name]
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else found[0]

    return _ENTITY.sub(character, text)


def parse_topics(text: str, place: str) -> tuple[tuple[str, ...], list[RawTopic]]:
    """Parse the topics in the text of a file; its first character decides the format."""
    start = text.lstrip()[:1]
    if start == "<" and (element := _element(text)):
        return _ORDERS.get(element, _ORDER_IN_XML), list(_sgml(text, place, element))
    if start == "<":
        return _ORDER_IN_XML, list(_xml(text, place))
    if start == "[":
        objects = array_objects(text, place)
    elif start == "{":
        objects = ((number, parse_object(line, place, number)) for number, line in _lines(text) if line.strip())
    elif (lines := colon_separated(text)) is not None:
        return TEXT_NAMES, lines
    else:
        return TEXT_NAMES, list(_tab_separated(text, place))
    return TEXT_NAMES, [_from_object(number, found, place) for number, found in objects]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # str.splitlines would also break at U+2028 and other signs that may stand in a text.
    return ((number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1))


def _opening(element: str) -> re.Pattern[str]:
    return re.compile(rf"<{re.escape(element)}(?:\s[^<>]*)?>", re.IGNORECASE)


def _closing(element: str) -> re.Pattern[str]:
    return re.compile(rf"</{re.escape(element)}\s*>", re.IGNORECASE)


def _element(text: str) -> str:
    """The element that holds a topic, where the file is a row of such elements; empty where it is an XML document."""
    if _opening("top").search(text):
        return "top"
    first = _TAG.search(text)
    name = first[1].lower() if first else ""
    if first is None or name not in _ALONE:
        return ""
    again, end = _opening(name).search(text, first.end()), _closing(name).search(text, first.end())
    # Where it stands in itself, the outer one is the root of a document.
    return "" if end is None or (again and again.start() < end.start()) else name


def _sgml(text: str, place: str, element: str) -> Iterator[RawTopic]:
    opening_tag, closing_tag = _opening(element), _closing(element)
    starts = list(opening_tag.finditer(text))
    counted, line = 0, 1
    for opening, following in zip(starts, [*starts[1:], None], strict=True):
        line += text.count("\n", counted, opening.start())
        counted = opening.start()
        limit = len(text) if following is None else following.start()
        end = closing_tag.search(text, opening.end(), limit)
        body = text[opening.end() : end.start() if end else limit]
        if len(_TAG.findall(body)) > MOST_FIELDS:
            raise FormatError(place, f"a topic with more than {MOST_FIELDS} tags; is its </{element}> missing?", line)
        fields: dict[str, str] = {}
        attributes = dict(_ATTRIBUTE.findall(opening[0])) if element != "top" else {}
        key = first_named(attributes, (*ID_NAMES, "docno"))
        outer = identifier = None if key is None else fold(unescape(attributes[key]))
        numbers = ("num",) if element == "top" else _NUMBERS
        for tag, value in _elements(body):
            if tag.lower() in numbers:
                if identifier is not None and (identifier is not outer or identifier != value):
                    raise FormatError(
                        place,
                        f"a topic with two ids, {identifier!r} and <{tag}> {value!r}; is a <{element}> missing?",
                        line,
                    )
                identifier = value
                continue
            lowered = tag.lower()
            usual = lowered == "title" or (element != "top" and lowered in TEXT_NAMES)
            name = LONG_NAMES.get(lowered, lowered if usual else tag)
            _add(fields, name, value)
        if element != "top" and (direct := _outside(body)):
            _add(fields, "text", direct)
        yield RawTopic(line, identifier, fields)


def _outside(body: str) -> str:
    """Text of a topic before the first tag and after the last closing tag."""
    if (tag := _TAG.search(body)) is None:
        return fold(unescape(body))
    end = max((closing.end() for closing in _ANY_CLOSING.finditer(body)), default=len(body))
    return fold(unescape(f"{body[: tag.start()]} {body[end:]}"))


def _elements(body: str) -> Iterator[tuple[str, str]]:
    """Tags of a topic with their texts; an unclosed tag extends to the next tag."""
    tag = _TAG.search(body)
    while tag:
        name = tag[1]
        closing, again = _closing(name).search(body, tag.end()), _opening(name).search(body, tag.end())
        if closing and not (again and again.start() < closing.start()):
            text, following = body[tag.end() : closing.start()], _TAG.search(body, closing.end())
        else:
            following = _TAG.search(body, tag.end())
            text = body[tag.end() : following.start() if following else len(body)]
        label = LABELS.get(name.lower())
        if label:
            text = _labelled(label).sub("", text, count=1)
        yield name, fold(unescape(fold(text)))
        tag = following


def _add(fields: dict[str, str], name: str, value: str) -> None:
    """Add a field; a repeated name gets a number, so that nothing is lost."""
    unused, count = name, 1
    while unused in fields:
        count += 1
        unused = f"{name}.{count}"
    fields[unused] = value


def _xml(text: str, place: str) -> Iterator[RawTopic]:
    """Elements `topic` (or the children of the root) with the number as an attribute or a child."""
    parser = expat.ParserCreate()
    found: list[RawTopic] = []
    open_topic: list[tuple[int, dict[str, str]]] = []
    path: list[str] = []
    parts: list[str] = []  # of the field that is open
    direct: list[str] = []  # of the topic itself, outside its fields

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        if len(path) == 2:
            open_topic.append((parser.CurrentLineNumber, {key: fold(value) for key, value in attributes.items()}))
            direct.clear()
        if len(path) == 3:
            number = attributes.get("number", attributes.get("id"))
            path[-1] = name if number is None else f"{name}.{number}"
            parts.clear()

    def end(name: str) -> None:
        if len(path) == 3:
            line, fields = open_topic[-1]
            if len(fields) == MOST_FIELDS:
                raise FormatError(place, f"a topic with more than {MOST_FIELDS} fields; is its end missing?", line)
            _add(fields, path[-1], fold("".join(parts)))
        elif len(path) == 2:
            line, fields = open_topic.pop()
            if fold("".join(direct)):
                _add(fields, "text", fold("".join(direct)))
            key = first_named(fields, (*ID_NAMES, "docno"))
            found.append(RawTopic(line, None if key is None else fields.pop(key), _named(fields)))
        path.pop()

    def refuse(*_: Any) -> None:
        raise FormatError(
            place, "an entity declaration, which is not read for safety; remove it", parser.CurrentLineNumber
        )

    def check_entities(*_: Any) -> None:
        # expat opens no other file, and takes entities that may be declared there for nothing, unseen in attributes.
        if unknown := _UNKNOWN_ENTITY.search(text):
            raise FormatError(
                place,
                f"the entity &{unknown[1]}; would be declared by the document type, which is not read for safety; "
                "write the character itself",
                text.count("\n", 0, unknown.start()) + 1,
            )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda text: (parts if len(path) > 2 else direct).append(text)
    parser.StartDoctypeDeclHandler, parser.EntityDeclHandler = check_entities, refuse
    try:
        # The text is decoded already, whatever encoding its first line declares.
        undeclared = re.sub(r"\A\s*<\?xml[^>]*\?>", lambda declared: "\n" * declared[0].count("\n"), text)
        parser.Parse(undeclared.encode("utf-8", "surrogateescape"), True)
    except expat.ExpatError as problem:
        raise FormatError(
            place, f"neither TREC topics (<top>) nor well-formed XML: {expat.ErrorString(problem.code)}", problem.lineno
        ) from problem
    return iter(found)


def _named(fields: dict[str, str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for name, value in fields.items():
        _add(named, LONG_NAMES.get(name, name), value)
    return named


def colon_separated(text: str) -> list[RawTopic] | None:
    """Parse topics from lines `id:text` or `id:priority:text`; None if any line has another format."""
    lines = [(number, line) for number, line in _lines(text) if line.strip()]
    cells = [_COLON.fullmatch(line.strip()) for _, line in lines]
    if not lines or "\t" in text or not all(cells):
        return None
    texts = [cell[2] for cell in cells if cell]
    priorities = [_PRIORITY.fullmatch(text) for text in texts]
    all_have = all(priorities)
    return [
        RawTopic(number, cell[1], {"priority": priority[1], "text": fold(priority[2])})
        if priority and all_have
        else RawTopic(number, cell[1], {"text": fold(text)})
        for (number, _), cell, priority, text in zip(lines, cells, priorities, texts, strict=True)
        if cell
    ]


def _tab_separated(text: str, place: str) -> Iterator[RawTopic]:
    lines = [(number, line) for number, line in _lines(text) if line.strip()]
    names, columns = ["id", "text"], [number for number, line in lines[:1] if _names_columns(line.split("\t"))]
    if columns:
        names = [cell.strip() for cell in lines[0][1].split("\t")]
    if len(lines) > 1 and all(is_reference(to_bytes(line)) for _, line in lines):
        raise FormatError(place, f"no topics: {REFERENCE}", lines[0][0])
    # A tab more may stand in a text, where that is last and most lines have none; else it parts columns without names.
    n_wanted = sum(line.count("\t") == len(names) - 1 for _, line in lines)
    most = len(names) - 1 if plain(names[-1]) in TEXT_NAMES and (columns or 2 * n_wanted > len(lines)) else -1
    for number, line in lines[len(columns) :]:
        cells = line.split("\t", most)
        if len(cells) != len(names):
            raise FormatError(
                place,
                f"expected {len(names)} fields separated by tabs, found {len(cells)}. A topic line is 'id<TAB>text'; "
                f"more columns need a first line that names them",
                number,
            )
        yield RawTopic(number, fold(cells[0]), dict(zip(names[1:], map(fold, cells[1:]), strict=True)))


def _names_columns(cells: list[str]) -> bool:
    return len(cells) > 1 and plain(cells[0]) in ID_NAMES and plain(cells[1]) in TEXT_NAMES


def _from_object(line: int, found: Fields, place: str) -> RawTopic:
    if holds_ranking(found):
        raise FormatError(place, "this is JSON of a run or of qrels, and holds no topics", line)
    key = first_named(found, ID_NAMES)
    identifier = None if key is None else id_text(found.pop(key), "topic", place, line)
    return found_in_object(line, found, identifier, place)


def found_in_object(line: int, found: Fields, identifier: str | None, place: str) -> RawTopic:
    """Make a topic from a JSON object; null values and empty containers are dropped."""
    fields: dict[str, str] = {}
    for name, value in found.items():
        if value is None or value in ({}, []):
            continue
        if name in TEXT_NAMES and isinstance(value, list | dict):
            raise FormatError(place, f"the {name} of a topic is {json.dumps(value)[:40]}; a query is one text", line)
        fields[name] = fold(scalar_text(value))
    return RawTopic(line, identifier, _named(fields))


def id_text(value: Any, what: str, place: str, line: int) -> str:
    """Convert a JSON id to text: a string stays, a whole number becomes its decimal digits."""
    if isinstance(value, str):
        check_whole(value, what, place, line)
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise FormatError(place, f"the {what} id is {json.dumps(value)[:40]}; an id is a string", line)


def check_whole(identifier: str, what: str, place: str, line: int) -> None:
    """Refuse an id with a lone surrogate, which no file can hold."""
    try:
        to_bytes(identifier)
    except FormatError as problem:
        raise FormatError(place, f"the {what} id {problem.message}", line) from problem


def scalar_text(value: Any) -> str:
    """Convert a JSON value to text: strings stay, all other values as JSON writes them."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
