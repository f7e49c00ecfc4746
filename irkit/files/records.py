"""Read large files piece by piece: numbered lines of any compression, and JSON objects with their lines."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any

from irkit.errors import FormatError
from irkit.files.textio import BYTE_ORDER_MARK, nul_hint, reading, shown

Fields = dict[str, Any]


def stream_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with numbers from 1, without line ends or byte order mark; memory holds a single line.

    gzip, bzip2, xz and zstd are known by their first bytes; `-` is standard input.
    """
    with reading(path) as stream:
        yield from numbered_lines(stream, shown(path))


def numbered_lines(stream: Iterable[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """As `stream_lines`, from an open file or its lines; `name` is its name in messages."""
    for number, line in enumerate(stream, 1):
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        if b"\0" in text:
            raise FormatError(name, f"a NUL byte is no text; {nul_hint(text if number == 1 else b'')}", number)
        yield number, text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text


def decode(line: bytes, place: str, number: int) -> str:
    """Decode a line as text."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise FormatError(
            place, f"byte {problem.start + 1} of the line is not UTF-8; save the file as UTF-8", number
        ) from problem


def read_objects(path: str | os.PathLike[str], text: str | None = None) -> Iterator[tuple[int, Fields]]:
    """Yield the JSON objects of a JSON lines file with their lines; a file that starts with `[` is one JSON array.

    A file whose first line is no object may be one as a whole. `text` is the key under which a string in an array
    becomes an object; without it, strings are refused.
    """
    name = shown(path)
    lines = stream_lines(path)
    is_first = True
    for number, line in lines:
        content = decode(line, name, number).strip(" \t\r")
        if not content:
            continue
        try:
            if not content.startswith("["):
                yield number, parse_object(content, name, number)
                is_first = False
                continue
        except FormatError:
            if not is_first:
                raise
        rest = "\n".join([content, *(decode(more, name, place) for place, more in lines)])
        yield from (
            array_objects(rest, name, number, text)
            if content.startswith("[")
            else [(number, _whole_object(content, rest, name, number))]
        )
        return


def _whole_object(first: str, whole: str, place: str, number: int) -> Fields:
    """Parse the whole text as an object; if that fails, raise the error of its first line."""
    try:
        return parse_object(whole, place, number)
    except FormatError:
        return parse_object(first, place, number)


def parse_object(text: str, place: str, number: int) -> Fields:
    """Parse the JSON object in a line."""
    try:
        return _object(_DECODER.decode(text), place, number)
    except (ValueError, RecursionError) as problem:
        raise FormatError(place, f"no JSON object ({problem}); each line holds one, as {{...}}", number) from problem


def array_objects(
    text: str, place: str, first_line: int = 1, string: str | None = None
) -> Iterator[tuple[int, Fields]]:
    """Yield the objects of a JSON array with their lines; a string becomes an object with the key `string`."""
    position, counted, line = _skip(text, text.index("[") + 1), 0, first_line
    closed = text.startswith("]", position)
    while not closed:
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError) as problem:
            raise FormatError(place, f"the JSON array is broken near here ({problem})", line) from problem
        yield line, {string: value} if string and isinstance(value, str) else _object(value, place, line)
        position = _skip(text, position)
        closed = text.startswith("]", position)
        if not closed:
            if not text.startswith(",", position):
                raise FormatError(place, "the JSON array has no ',' or ']' after this object", line)
            position = _skip(text, position + 1)
    if text[position + 1 :].strip():
        raise FormatError(place, "there is more after the end of the JSON array; remove it", line)


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _object(value: Any, place: str, number: int) -> Fields:
    if isinstance(value, dict):
        return value
    raise FormatError(place, f"a JSON object {{...}} is expected, found {json.dumps(value)[:40]}", number)


def _unique(pairs: list[tuple[str, Any]]) -> Fields:
    table = dict(pairs)
    if len(table) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice!r} stands twice")
    return table


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
