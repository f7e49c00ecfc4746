"""Files in and out: any compression by content, standard input, and writing whole or not at all."""

import bz2
import gzip
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from irkit.errors import FormatError, UsageError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STDIN = "-"


def shown(path: str | os.PathLike[str]) -> str:
    """How a file is called in messages."""
    name = os.fspath(path)
    return "standard input" if name == STDIN else name


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file, decompressed whatever its name is, without a byte order mark.

    Parameters
    ----------
    path : str or path
        A file, or `-` for standard input. gzip, bzip2, xz and zstd are known by their first bytes.

    Raises
    ------
    FormatError
        If the file cannot be read, or its archive is cut off or damaged.
    """
    name = shown(path)
    try:
        raw = sys.stdin.buffer.read() if os.fspath(path) == STDIN else Path(path).read_bytes()
    except OSError as problem:
        raise FormatError(name, f"cannot be read: {problem.strerror or problem}") from problem
    return _decompressed(raw, name).removeprefix(BYTE_ORDER_MARK)


def read_text_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 text file with their numbers from 1, without line ends.

    Raises
    ------
    FormatError
        As `read_bytes`, or where a line is not UTF-8.
    """
    for number, line in enumerate(read_bytes(path).split(b"\n"), 1):
        try:
            yield number, line.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as problem:
            raise FormatError(
                shown(path), f"byte {problem.start + 1} of the line is not UTF-8; save the file as UTF-8", number
            ) from problem


def _decompressed(raw: bytes, name: str) -> bytes:
    try:
        if raw.startswith(b"\x1f\x8b"):
            return gzip.decompress(raw)
        if raw.startswith(b"BZh"):
            return bz2.decompress(raw)
        if raw.startswith(b"\xfd7zXZ\x00"):
            return lzma.decompress(raw, format=lzma.FORMAT_XZ)
        if raw.startswith(b"\x28\xb5\x2f\xfd"):
            return _zstd_decompress(raw)
    except (EOFError, OSError, ValueError, lzma.LZMAError, zlib.error) as problem:
        raise FormatError(name, f"the archive is cut off or damaged ({problem}); fetch or make it again") from problem
    return raw


def _zstd_decompress(raw: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    try:
        return bytes(zstd.decompress(raw))
    except zstd.ZstdError as problem:
        raise ValueError(str(problem)) from problem


def check_no_nul(data: bytes, name: str) -> None:
    """Refuse a text that holds NUL bytes, which the C tools of the field take for its end.

    Raises
    ------
    FormatError
        With the line of the first one.
    """
    place = data.find(b"\0")
    if place >= 0:
        hint = "the file looks like UTF-16; save it as UTF-8" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "remove it"
        raise FormatError(name, f"a NUL byte is no text; {hint}", data.count(b"\n", 0, place) + 1)


def trec_field(identifier: bytes, what: str, name: str) -> bytes:
    """An id or tag as a field of a TREC line.

    Raises
    ------
    FormatError
        If it is empty or holds white space or a NUL byte, which such a line cannot carry.
    """
    if identifier.split() == [identifier] and b"\0" not in identifier:
        return identifier
    text = identifier.decode("utf-8", "surrogateescape")
    raise FormatError(name, f"the {what} {text!r} is empty or holds white space, which a TREC file cannot carry")


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of `path` when the block ends well, and never before.

    It is written beside its target, synced and renamed; after an error or an interrupt the old file, if any, is
    as it was. `-` and what is no regular file (a pipe, a terminal) are written directly. Missing folders are made.

    Raises
    ------
    UsageError
        If the place cannot be written.
    """
    if os.fspath(path) == STDIN:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise UsageError(f"{path}: is a folder; name a file in it")
            with target.open("wb") as stream:
                yield stream
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".part")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror or problem}") from problem
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all; a file that already holds just this content is left as it is."""
    target = Path(path)
    if os.fspath(path) != STDIN and target.is_file() and target.read_bytes() == content:
        return
    with writing(path) as stream:
        stream.write(content)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
