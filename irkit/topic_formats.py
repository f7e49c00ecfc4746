"""The forms in which topics are handed on: TREC SGML, TREC XML, tab-separated lines, JSON; known by their content."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from xml.parsers import expat

from irkit.errors import FormatError
from irkit.ids import to_bytes
from irkit.records import Fields, array_objects, parse_object

ID_NAMES: Final = ("id", "_id", "qid", "query_id", "topic_id", "number", "num", "topic")
TEXT_NAMES: Final = ("text", "query", "title", "question")


class Found(NamedTuple):
    """A topic as a file has it: every text under the name that it has there, white space folded."""

    line: int
    id: str | None
    fields: dict[str, str]


# The label that classic TREC topics repeat after the tag, and the name that the field has here.
LABELS: Final = {"num": "Number", "title": "Topic", "desc": "Description", "narr": "Narrative"}
MOST_FIELDS: Final = 1000  # of one topic; more are a broken file, and slow to read
LONG_NAMES: Final = {"desc": "description", "narr": "narrative"}
TAG_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)

_TOP = re.compile(r"<top(?:\s[^<>]*)?>", re.IGNORECASE)
_END = re.compile(r"</top\s*>", re.IGNORECASE)
_TAG = re.compile(r"<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>", re.ASCII)
_LOOKS_LIKE_TAG = re.compile(r"<(?=[A-Za-z_/!?])")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


def fold(text: str) -> str:
    """The text with each run of ASCII white space as one space, and none at the ends."""
    return _SPACE.sub(" ", text).strip(" ")


def escape(text: str, label: str | None = None) -> str:
    """The text so that `unescape` gives it back; only what would be misread changes, for readers that know no entities.

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
    """The text with the entities of XML and character numbers replaced; any other `&` is itself."""

    def character(found: re.Match[str]) -> str:
        name = found[1]
        if not name.startswith("#"):
            return _NAMED[name]
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else found[0]

    return _ENTITY.sub(character, text)


def parse_topics(text: str, place: str) -> tuple[tuple[str, ...], list[Found]]:
    """The topics in the text of a file, whose form is known by its first sign.

    Returns
    -------
    The names that the query may have in this form, the likeliest first; and the topics.

    Raises
    ------
    FormatError
        With file and line, where the form is broken.
    """
    start = text.lstrip()[:1]
    if start == "<" and _TOP.search(text):
        return ("title", "query", "text", "question"), list(_sgml(text, place))
    if start == "<":
        return ("query", "title", "text", "question"), list(_xml(text, place))
    if start == "[":
        objects = array_objects(text, place)
    elif start == "{":
        objects = ((number, parse_object(line, place, number)) for number, line in _lines(text) if line.strip())
    else:
        return TEXT_NAMES, list(_tab_separated(text, place))
    return TEXT_NAMES, [_from_object(number, found, place) for number, found in objects]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # str.splitlines would also break at U+2028 and other signs that may stand in a text.
    return ((number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), 1))


def _sgml(text: str, place: str) -> Iterator[Found]:
    starts = list(_TOP.finditer(text))
    counted, line = 0, 1
    for opening, following in zip(starts, [*starts[1:], None], strict=True):
        line += text.count("\n", counted, opening.start())
        counted = opening.start()
        limit = len(text) if following is None else following.start()
        end = _END.search(text, opening.end(), limit)
        body = text[opening.end() : end.start() if end else limit]
        if len(_TAG.findall(body)) > MOST_FIELDS:
            raise FormatError(place, f"a topic with more than {MOST_FIELDS} tags; is its </top> missing?", line)
        fields: dict[str, str] = {}
        identifier = None
        for tag, value in _elements(body):
            if tag.lower() == "num":
                if identifier is not None:
                    raise FormatError(
                        place,
                        f"a topic with two <num>, {identifier!r} and {value!r}; is a <top> missing between?",
                        line,
                    )
                identifier = value
                continue
            name = LONG_NAMES.get(tag.lower(), "title" if tag.lower() == "title" else tag)
            _add(fields, name, value)
        yield Found(line, identifier, fields)


def _elements(body: str) -> Iterator[tuple[str, str]]:
    """Tags of a topic with their texts; a tag that is never closed reaches to the next one."""
    tag = _TAG.search(body)
    while tag:
        name = tag[1]
        closing = re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE).search(body, tag.end())
        again = re.compile(rf"<{re.escape(name)}(?:\s[^<>]*)?>", re.IGNORECASE).search(body, tag.end())
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
    """Put a field in; one that stands there already gets a number behind its name, so that nothing is lost."""
    unused, count = name, 1
    while unused in fields:
        count += 1
        unused = f"{name}.{count}"
    fields[unused] = value


def _xml(text: str, place: str) -> Iterator[Found]:
    """Elements `topic` (or the children of the root) with the number as an attribute or a child."""
    parser = expat.ParserCreate()
    found: list[Found] = []
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
            key = next((key for key in ID_NAMES if key in fields), None)
            found.append(Found(line, None if key is None else fields.pop(key), _named(fields)))
        path.pop()

    def refuse(*_: Any) -> None:
        raise FormatError(
            place,
            "a document type or entity declaration, which is not read for safety; remove it",
            parser.CurrentLineNumber,
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda text: (parts if len(path) > 2 else direct).append(text)
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
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


def _tab_separated(text: str, place: str) -> Iterator[Found]:
    names = ["id", "text"]
    first = True
    for number, line in _lines(text):
        if not line.strip():
            continue
        cells = line.split("\t")
        lowered = [cell.strip().lower() for cell in cells]
        if first and len(cells) > 1 and lowered[0] in ID_NAMES and lowered[1] in TEXT_NAMES:
            names = [cell.strip() for cell in cells]
            first = False
            continue
        first = False
        if len(cells) != len(names):
            raise FormatError(
                place,
                f"expected {len(names)} fields separated by tabs, found {len(cells)}. A topic line is 'id<TAB>text'; "
                f"more columns need a first line that names them",
                number,
            )
        yield Found(number, fold(cells[0]), dict(zip(names[1:], map(fold, cells[1:]), strict=True)))


def _from_object(line: int, found: Fields, place: str) -> Found:
    key = next((name for name in ID_NAMES if name in found), None)
    identifier = None if key is None else id_text(found.pop(key), "topic", place, line)
    return found_in_object(line, found, identifier, place)


def found_in_object(line: int, found: Fields, identifier: str | None, place: str) -> Found:
    """The topic whose fields are the values of a JSON object, but for those that are null or empty containers.

    Raises
    ------
    FormatError
        If what may be the query is a list or an object.
    """
    fields: dict[str, str] = {}
    for name, value in found.items():
        if value is None or value in ({}, []):
            continue
        if name in TEXT_NAMES and isinstance(value, list | dict):
            raise FormatError(place, f"the {name} of a topic is {json.dumps(value)[:40]}; a query is one text", line)
        fields[name] = fold(scalar_text(value))
    return Found(line, identifier, _named(fields))


def id_text(value: Any, what: str, place: str, line: int) -> str:
    """An id of a JSON object as text: a string is itself, a whole number its decimal digits.

    Raises
    ------
    FormatError
        If it is anything else.
    """
    if isinstance(value, str):
        check_whole(value, what, place, line)
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise FormatError(place, f"the {what} id is {json.dumps(value)[:40]}; an id is a string", line)


def check_whole(identifier: str, what: str, place: str, line: int) -> None:
    """Refuse an id that holds half a character (a lone surrogate), which no file can.

    Raises
    ------
    FormatError
    """
    try:
        to_bytes(identifier)
    except FormatError as problem:
        raise FormatError(place, f"the {what} id {problem.message}", line) from problem


def scalar_text(value: Any) -> str:
    """A value of a JSON object as text: strings as they are, everything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
