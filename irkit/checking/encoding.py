"""Faults of a file before its lines are parsed: compression, encoding, NUL bytes."""

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from irkit.checking.findings import FindingCollector
from irkit.errors import FormatError
from irkit.files.compression import UnpackedLimitError, decompressing
from irkit.files.textio import BYTE_ORDER_MARK, STDIN, reading, rest_of, shown
from irkit.ids import to_text

_PIECE: Final = 1 << 18  # bytes that stay in the processor's cache
_BITS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_PACKED: Final = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")
# Control characters, and the spaces, directions and signs of no width that Unicode has beyond ASCII, in UTF-8.
INVISIBLE: Final = re.compile(
    rb"[\x01-\x08\x0e-\x1f\x7f]|\xc2[\x80-\xa0\xad]|\xe1\x9a\x80|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe2\x81[\x9f-\xaf]"
    rb"|\xe3\x80\x80|\xef\xbb\xbf"
)

DATA_LINE: Final = re.compile(rb"^[ \t\r\f\v]*[^ \t\r\f\v\n#]", re.MULTILINE)


class Content(NamedTuple):
    """The text of a file.

    Attributes
    ----------
    data : bytes
        Decompressed, and without byte order mark.
    whole : bool
        Whether lines can be looked at; if not, `FindingCollector` says why.
    packed, marked : bool
        Whether it was compressed, and had a byte order mark.
    cr_alone : bool
        Whether lines end in CR alone.
    encoding : str
        `utf-16-le` or `utf-16-be` where it is UTF-16; else `utf-8`.
    """

    data: bytes
    whole: bool = True
    packed: bool = False
    marked: bool = False
    cr_alone: bool = False
    encoding: str = "utf-8"


def content_of(path: str | os.PathLike[str], findings: FindingCollector) -> Content:
    """The text of a file, and the findings about the file as a whole."""
    try:
        return content_in(raw_of(path), findings)
    except FormatError as problem:
        findings.add("unreadable-file", problem.fault)
        return Content(b"", whole=False)


def content_in(raw: bytes, findings: FindingCollector) -> Content:
    """Inspect the encoding of a file's bytes."""
    packed = raw.startswith(_PACKED) or raw[1:4] == b"\x2a\x4d\x18"
    damages: tuple[type[Exception], ...] = ()
    try:
        # What is not compressed is not copied either; of it only the beginning is looked at.
        stream, damages = decompressing(io.BufferedReader(io.BytesIO(raw if packed else raw[: 1 << 14])), findings.file)
        data = rest_of(stream) if packed else raw
    except UnpackedLimitError as problem:
        findings.add("unpacked-limit", problem.fault)
        return Content(b"", whole=False, packed=packed)
    except FormatError as problem:
        findings.add(problem.code, problem.fault)
        if problem.code != "cr-line-ends":
            return Content(b"", whole=False, packed=packed)
        return _unmarked(Content(b"" if packed else raw, whole=False, packed=packed, cr_alone=True), findings)
    except damages as problem:
        findings.add("damaged-archive", f"the archive is cut off or damaged ({problem})")
        return Content(b"", whole=False, packed=packed)
    if packed:
        findings.add("compressed-file", "the file is compressed, which trec_eval cannot read")
    if data[257:262] == b"ustar":
        findings.add("archive-of-files", "a tar archive")
        return Content(b"", whole=False, packed=packed)
    if encoding := _utf_16(data):
        findings.add("utf-16", "the text is UTF-16")
        return Content(data, whole=False, packed=packed, encoding=encoding)
    return _unmarked(Content(data, packed=packed), findings)


def _unmarked(content: Content, findings: FindingCollector) -> Content:
    """The content without its byte order mark."""
    if not content.data.startswith(BYTE_ORDER_MARK):
        return content
    findings.add("byte-order-mark", "the file begins with a byte order mark", 1)
    return content._replace(data=content.data.removeprefix(BYTE_ORDER_MARK), marked=True)


def raw_of(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file as it lies there."""
    if os.fspath(path) == STDIN:
        with reading(path):  # which says what is wrong with it
            import sys

            return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except (OSError, RuntimeError, ValueError) as problem:
        raise FormatError(shown(path), f"cannot be read: {getattr(problem, 'strerror', None) or problem}") from problem


def _utf_16(data: bytes) -> str:
    """The kind of UTF-16 that a text is, by its mark or by the NUL byte in all of its first signs; else nothing."""
    if b"\0" not in data[:64]:
        return ""
    if data[:2] in _BITS:
        return _BITS[data[:2]]
    start = data[:64]
    if len(start) < 8 or not any(start):  # NUL bytes alone, as in a file that a crash left, are no text
        return ""
    if not any(start[1::2]):
        return "utf-16-le"
    return "" if any(start[::2]) else "utf-16-be"


def look_at_signs(content: Content, findings: FindingCollector, *, ids_only: bool) -> None:
    """Findings about line ends; and, where lines hold ids only, about signs in them that cannot be seen."""
    data = content.data
    if b"\r" in data and (place := data.find(b"\r\n")) >= 0:
        findings.add("crlf-line-ends", "lines end in CR and LF", data.count(b"\n", 0, place) + 1)
    if data and not data.endswith(b"\n"):
        findings.add("no-final-newline", "the last line has no line end", data.count(b"\n") + 1)
    if not ids_only or (data.isascii() and not _has_control(data)) or not INVISIBLE.search(data):
        return
    for number, line in numbered(data):
        if (sign := INVISIBLE.search(line)) is None or line.lstrip().startswith(b"#"):
            continue
        field = next((field for field in line.split() if INVISIBLE.search(field)), b"")
        if field:
            code = sign[0].decode("utf-8", "replace")
            findings.add("invisible-character", f"{quoted(field)} holds U+{ord(code):04X}", number)


def look_at_encoding(content: Content, findings: FindingCollector) -> None:
    """Findings about lines of ids that are no UTF-8."""
    if content.data.isascii():
        return
    for number, line in numbered(content.data):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            say_not_utf_8(line, number, findings)


def say_not_utf_8(line: bytes, number: int, findings: FindingCollector) -> None:
    """Report a line that is not valid UTF-8, with its Latin-1 reading."""
    if line.lstrip().startswith(b"#"):
        return
    field = next((field for field in line.split() if _is_broken(field)), b"")
    findings.add(
        "not-utf-8", f"{quoted(field)} is no UTF-8; as Latin-1 it would be {field.decode('latin-1')!r}", number
    )


def _is_broken(field: bytes) -> bool:
    try:
        field.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _has_control(data: bytes) -> bool:
    """Whether there is a control character that is no white space."""
    if b"\x7f" in data:
        return True
    signs = np.frombuffer(data, dtype=np.uint8)
    moved = np.empty(_PIECE, dtype=np.uint8)
    for start in range(0, len(signs), _PIECE):
        piece = signs[start : start + _PIECE]
        for first, n in ((1, 8), (14, 18)):
            # 8-bit numbers go round, so that what lies below the first is above all.
            if np.subtract(piece, np.uint8(first), out=moved[: len(piece)]).min() < n:
                return True
    return False


def numbered(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a text with their numbers from 1, without LF."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return enumerate(lines, 1)


def n_lines_of(data: bytes) -> int:
    """Number of lines of a text, with or without a final line end."""
    return data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


def quoted(text: bytes) -> str:
    """A text of a file as a message shows it."""
    return repr(to_text(text[:80])) + ("..." if len(text) > 80 else "")
