"""Read files of any compression or standard input; write files whole or not at all."""

import filecmp
import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from irkit.errors import FormatError, IrkitError, UsageError
from irkit.files.compression import COMPRESSED, compressed, decompressing
from irkit.files.unfinished import new_part_file, remove_dead_files

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STDIN = "-"
_PIECE: Final = 1 << 20
_STANDARD_OUTPUT: Final = (STDIN, "/dev/stdout")
# What is open already, by its number.
_DESCRIPTOR: Final = re.compile(r"(?:/dev|/proc/self)/fd/([0-9]{1,9})|/dev/stderr")


def shown(path: str | os.PathLike[str]) -> str:
    """Name of a file in messages."""
    name = os.fspath(path)
    return "standard input" if name == STDIN else name


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for one pass from its start, decompressed by its content whatever its name."""
    name = shown(path)
    try:
        raw = _standard_input() if os.fspath(path) == STDIN else Path(path).open("rb")  # noqa: SIM115 - closed below
    except (OSError, RuntimeError, ValueError) as problem:  # a loop of links, a name with a NUL byte
        why = getattr(problem, "strerror", None) or problem
        raise FormatError(name, f"cannot be read: {why}", code="unreadable-file") from problem
    damages: tuple[type[Exception], ...] = (OSError,)
    try:
        stream, damages = decompressing(cast(io.BufferedReader, raw), name)
        yield stream
    except damages as problem:
        raise FormatError(
            name,
            f"the file or its archive is cut off or damaged ({problem})",
            remedy="fetch or make it again",
            code="damaged-archive",
        ) from problem
    finally:
        if os.fspath(path) != STDIN:
            raw.close()


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise OSError("it is closed")
    return sys.stdin.buffer


def open_standard_output() -> None:
    """Open a standard output that discards its input, where the caller of the process closed it."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - for the rest of the process


def silence_standard_output() -> None:
    """Discard the flush of standard output at the end of the process, since it would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read the whole content of a file, decompressed, without a byte order mark; errors as `reading`."""
    with reading(path) as stream:
        return rest_of(stream).removeprefix(BYTE_ORDER_MARK)


def plain_size(stream: BinaryIO) -> int | None:
    """Size of the regular file that a stream of `reading` reads; None if it is no such file, or is decompressed."""
    if not isinstance(getattr(stream, "raw", None), io.FileIO):
        return None
    status = os.fstat(stream.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def rest_of(stream: BinaryIO) -> bytes:
    """Read the rest of a stream, in little more memory than its size."""
    # A buffered reader puts what it has looked at before the rest, which makes two of a large file.
    if isinstance(stream, io.BufferedReader) and isinstance(stream.raw, io.FileIO) and stream.seekable():
        stream.raw.seek(stream.tell())
        return stream.raw.readall()
    whole = io.BytesIO()  # which grows where it lies, and gives its bytes away without a copy
    while piece := stream.read(_PIECE):
        whole.write(piece)
    return whole.getvalue()


def sha256_of(path: Path) -> str:
    """SHA-256 of the stored bytes of a file (not decompressed), in hexadecimal digits."""
    import hashlib  # which most commands do without

    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_no_nul(data: bytes, name: str) -> None:
    """Refuse a text with NUL bytes, since the C tools of the field stop reading at them."""
    place = data.find(b"\0")
    if place >= 0:
        raise nul_byte(name, data.count(b"\n", 0, place) + 1, data)


def nul_byte(name: str, line: int, start: bytes) -> FormatError:
    """Error for a NUL byte in a line, with a hint from the first bytes of the file."""
    return FormatError(name, f"a NUL byte is no text; {nul_hint(start)}", line)


def nul_hint(start: bytes) -> str:
    """Remedy for NUL bytes in a file, by its first bytes."""
    if start[257:262] == b"ustar":
        return "the file is a tar archive; unpack it first"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "the file looks like UTF-16; save it as UTF-8"
    return "remove it"


def trec_field(identifier: bytes, what: str, name: str) -> bytes:
    """Encode an id or tag as a field of a TREC line."""
    if identifier.split() == [identifier] and b"\0" not in identifier:
        return identifier
    text = identifier.decode("utf-8", "surrogateescape")
    raise FormatError(name, f"the {what} {text!r} is empty or holds white space, which a TREC file cannot carry")


def is_comment(topic: bytes) -> bool:
    """Whether readers skip a line that begins with this topic id, or drop the beginning of the id."""
    return topic.startswith((b"#", BYTE_ORDER_MARK))


def topic_field(topic: bytes, name: str) -> bytes:
    """Encode a topic id as the first field of a TREC line."""
    if is_comment(topic):
        text = topic.decode("utf-8", "surrogateescape")
        raise FormatError(
            name, f"the topic {text!r} begins with '#' or U+FEFF, as no line of a TREC file can; change it"
        )
    return trec_field(topic, "topic", name)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that replaces `path` when the block ends without an exception, never before.

    It is written beside its target, synced and renamed; after an error or an interrupt the old file, if any, is as it
    was, and so it is where it holds just this content already. A link is replaced, and the file that it leads to stays
    as it is. `-` and what is no regular file (a pipe, a terminal) are written directly. Missing folders are made.
    """
    if os.fspath(path) in _STANDARD_OUTPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if descriptor_named := _DESCRIPTOR.fullmatch(os.fspath(path)):
        with _descriptor(int(descriptor_named[1] or 2), path) as stream:
            yield stream
        return
    try:
        if Path(path).is_dir():
            raise UsageError(f"{path}: is a folder; name a file in it")
        target = Path(path).parent.resolve() / Path(path).name
        is_there = target.exists() and not target.is_symlink()
        if is_there and not target.is_file():
            with target.open("wb") as stream:
                yield stream
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_dead_files(target.parent)
        in_the_making = ExitStack()
        part, descriptor = in_the_making.enter_context(new_part_file(target.parent))
    except (OSError, RuntimeError, ValueError) as problem:  # a loop of links, a name with a NUL byte
        raise UsageError(f"{path}: cannot be written: {getattr(problem, 'strerror', None) or problem}") from problem
    with in_the_making:
        try:
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            if is_there and target.is_file() and filecmp.cmp(part, target, shallow=False):
                part.unlink()
                return
            part.chmod(target.stat().st_mode & 0o7777 if is_there else 0o666 & ~_umask())
            part.replace(target)
        except BaseException as problem:
            part.unlink(missing_ok=True)
            if isinstance(problem, OSError) and problem.filename in (None, str(part), str(target)):  # a full disk
                raise IrkitError(f"{path}: cannot be written: {problem.strerror}") from problem
            raise


def is_open_already(path: str | os.PathLike[str]) -> bool:
    """Whether a path names standard output or a descriptor, which the caller of this process opened."""
    return os.fspath(path) in _STANDARD_OUTPUT or _DESCRIPTOR.fullmatch(os.fspath(path)) is not None


def _descriptor(number: int, path: str | os.PathLike[str]) -> IO[bytes]:
    """Open an already open descriptor, without taking it from its owner."""
    try:
        return os.fdopen(os.dup(number), "wb")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from problem


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all; a file with the same content stays untouched.

    It is compressed where its name ends in .gz, .bz2, .xz or .zst.
    """
    content = compressed(content, os.fspath(path))
    if os.fspath(path) != STDIN and _holds(Path(path), content):
        return
    with writing(path) as stream:
        stream.write(content)


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write content in pieces, otherwise as `write_bytes`; compression joins them in memory."""
    if os.fspath(path).endswith(COMPRESSED):
        write_bytes(path, b"".join(pieces))
        return
    with writing(path) as stream:
        stream.writelines(pieces)


def _holds(path: Path, content: bytes) -> bool:
    try:
        found = path.lstat()  # a link is to be replaced
        return stat.S_ISREG(found.st_mode) and found.st_size == len(content) and path.read_bytes() == content
    except (OSError, RuntimeError, ValueError):  # `writing` reports the fault
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
