"""Compressed files: detected by their first bytes and read completely or refused; written by their file name."""

import io
import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO, Final, cast

from irkit.errors import FormatError, UsageError
from irkit.files.formats import binary_format

MOST_UNPACKED: Final = "IRKIT_MOST_UNPACKED"  # the environment variable that raises the limit
_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LEAST, _MOST = 4 << 30, 64 << 30  # bytes: between them, a quarter of the machine's memory

Opened = tuple[BinaryIO, tuple[type[Exception], ...]]

# Archives that hold files of their own, by their first bytes, with what opens them. An office document is a zip too.
_OF_FILES: Final = {b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!\x1a\x07": "rar"}
# Endings of names under which files are written compressed.
COMPRESSED: Final = (".gz", ".bz2", ".xz", ".zst")
_CHUNK: Final = 1 << 18
# A file that was compressed again is read too, and a chain without end is not.
_MOST_TIMES: Final = 3


class UnpackedLimitError(FormatError):
    """The decompressed content of a file exceeds the limit."""


def most_unpacked() -> int:
    """Limit of decompressed bytes for a file: IRKIT_MOST_UNPACKED, or else a quarter of the memory, 4 to 64 GiB."""
    if asked := os.environ.get(MOST_UNPACKED):
        number = re.fullmatch(r"([0-9]{1,15})([KMGT]?)(?:i?B)?", asked.strip(), re.IGNORECASE)
        if number is None or not int(number[1]):
            raise UsageError(f"{MOST_UNPACKED} is {asked!r}; it is a number of bytes, such as 100G")
        return int(number[1]) * _UNITS[number[2].upper()]
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        memory = 0
    return min(max(memory // 4, _LEAST), _MOST)


def decompressing(stream: io.BufferedReader, name: str) -> Opened:
    """Decompress a stream by its first bytes; also return the exceptions that a damaged archive raises."""
    first = stream.peek(16)
    for mark, kind in _OF_FILES.items():
        if first.startswith(mark):
            remedy = "unpack it first, since it may hold several files"
            raise FormatError(name, f"a {kind} archive", remedy=remedy, code="archive-of-files")
    text, damages = _opened(stream, first)
    for _ in range(_MOST_TIMES):
        try:
            start = cast(io.BufferedReader, text).peek(1 << 13)
        except damages:  # reading the stream raises it again
            return text, damages
        if text is not stream:
            text = cast(BinaryIO, io.BufferedReader(_Limited(text, name), _CHUNK))
        inside, more = _opened(cast(io.BufferedReader, text), start[:16])
        if inside is text:
            break
        text, damages = inside, (*damages, *more)
    else:
        raise FormatError(
            name, f"compressed more than {_MOST_TIMES} times", remedy="unpack it first", code="other-format"
        )
    if (known := binary_format(start)) is not None:
        fault, remedy = known
        raise FormatError(name, fault, remedy=remedy, code="other-format")
    if b"\r" in start.strip() and not start.startswith(b"#") and b"\n" not in start and b"\0" not in start:
        remedy = "save the file with LF line ends"
        raise FormatError(name, "lines end in CR alone", remedy=remedy, code="cr-line-ends")
    return text, damages


def compressed(content: bytes, name: str) -> bytes:
    """Compress the content where the file name ends in .gz, .bz2, .xz or .zst; else return it unchanged."""
    if name.endswith(".gz"):
        import gzip

        return gzip.compress(content, mtime=0)  # the same bytes whenever they are written
    if name.endswith(".bz2"):
        import bz2

        return bz2.compress(content)
    if name.endswith(".xz"):
        import lzma

        return lzma.compress(content)
    if name.endswith(".zst"):
        packed: bytes = _zstd().compress(content)
        return packed
    return content


def _zstd() -> Any:
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def _opened(stream: io.BufferedReader, first: bytes) -> Opened:
    if first.startswith(b"\x1f\x8b"):
        return _gunzipping(stream)
    if first.startswith(b"BZh"):
        import bz2

        return _whole(stream, bz2.BZ2Decompressor), (EOFError, OSError)
    if first.startswith(b"\xfd7zXZ\x00"):
        import lzma

        # Zeros may stand between the streams of a file and at its end.
        whole = _whole(stream, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), padding=b"\0")
        return whole, (EOFError, OSError, lzma.LZMAError)
    # A frame of zstd, or one to be skipped, with which tools that work in parallel begin.
    if first.startswith(b"\x28\xb5\x2f\xfd") or (first[1:4] == b"\x2a\x4d\x18" and first[0] & 0xF0 == 0x50):
        zstd = _zstd()
        return zstd.ZstdFile(stream), (EOFError, OSError, zstd.ZstdError)
    return stream, (OSError,)


def _gunzipping(stream: io.BufferedReader) -> Opened:
    try:
        igzip: Any = import_module("isal.igzip")  # three times as fast as zlib; its types say less than is true
        return igzip.IGzipFile(fileobj=stream), (EOFError, OSError, igzip.isal_zlib.error)
    except ImportError:  # it has no wheel for every machine
        import gzip
        import zlib

        return cast(BinaryIO, gzip.GzipFile(fileobj=stream)), (EOFError, OSError, zlib.error)


def _whole(stream: BinaryIO, new: Callable[[], Any], padding: bytes = b"") -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_Streams(stream, new, padding), _CHUNK))


class _Unpacked(io.RawIOBase):
    """Reader of a compressed stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = cast(io.BufferedReader, stream)

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        """The compressed file's."""
        return self._stream.fileno()


class _Limited(_Unpacked):
    """A decompressed stream that ends in an error where it holds too much."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__(stream)
        self._name = name
        self._most = self._left = most_unpacked()

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what comes next; 0 at the end."""
        n = self._stream.readinto(buffer)
        self._left -= n
        if self._left < 0:
            raise UnpackedLimitError(
                self._name,
                f"holds more than {self._most:,} bytes unpacked",
                remedy=f"if the file is right, raise the limit: {MOST_UNPACKED}=100G",
            )
        return n


class _Streams(_Unpacked):
    """Reader of several compressed streams, one after another.

    BZ2File and LZMAFile take a later stream that is damaged at its start for the end of the file.

    Parameters
    ----------
    stream : binary stream
    new : callable
        Makes the decompressor of a stream.
    padding : bytes
        Signs that may stand behind a stream.
    """

    def __init__(self, stream: BinaryIO, new: Callable[[], Any], padding: bytes) -> None:
        super().__init__(stream)
        self._new, self._padding = new, padding
        self._decompressor = new()

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what comes next; 0 at the end."""
        data = b""
        while not data:
            if self._decompressor.eof:
                rest = self._next_stream()
                if not rest:
                    return 0
                self._decompressor = self._new()
            else:
                rest = self._stream.read(_CHUNK) if self._decompressor.needs_input else b""
                if self._decompressor.needs_input and not rest:
                    raise EOFError("it ends within a compressed stream")
            data = self._decompressor.decompress(rest, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _next_stream(self) -> bytes:
        rest: bytes = self._decompressor.unused_data.lstrip(self._padding)
        while not rest and (more := self._stream.read(_CHUNK)):
            rest = more.lstrip(self._padding)
        return rest
