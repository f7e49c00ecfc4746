import bz2
import gzip
import lzma
import os
import subprocess
import sys

import pytest

from irkit.data.runs import read_run
from irkit.errors import FormatError, UsageError
from irkit.files.records import stream_lines
from irkit.files.textio import read_bytes, trec_field, write_bytes, writing

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def zst(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


COMPRESS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zst}
TEXT = b"1 Q0 a 1 2.0 r\n" * 2000


@pytest.mark.parametrize("kind", COMPRESS)
def test_compression_is_known_by_content_whatever_the_name(tmp_path, kind):
    path = tmp_path / "run.txt"
    path.write_bytes(COMPRESS[kind](TEXT))
    assert read_bytes(path) == TEXT


@pytest.fixture(params=["isal", "zlib"])
def either_gunzip(request, monkeypatch):
    """The tests that use this run with the fast library, and as on a machine that it has no wheel for."""
    if request.param == "zlib":
        monkeypatch.setitem(sys.modules, "isal", None)


@pytest.mark.usefixtures("either_gunzip")
def test_gzip_of_several_members_is_read_to_its_end(tmp_path):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))
    assert read_bytes(path) == b"a\nb\n"


@pytest.mark.usefixtures("either_gunzip")
@pytest.mark.parametrize("kind", [kind for kind in COMPRESS if kind != "plain"])
def test_a_truncated_archive_is_an_error_that_names_the_file(tmp_path, kind):
    path = tmp_path / "run.txt"
    whole = COMPRESS[kind](os.urandom(5000))
    path.write_bytes(whole[:-7])
    with pytest.raises(FormatError, match=r"run\.txt: the file or its archive is cut off or damaged"):
        read_bytes(path)


@pytest.mark.usefixtures("either_gunzip")
@pytest.mark.parametrize("kind", [kind for kind in COMPRESS if kind != "plain"])
def test_a_damaged_archive_is_an_error(tmp_path, kind):
    path = tmp_path / "run.txt"
    whole = bytearray(COMPRESS[kind](os.urandom(5000)))
    whole[len(whole) // 2] ^= 0xFF
    whole[-5] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(FormatError, match="cut off or damaged"):
        read_bytes(path)


ARCHIVES = [kind for kind in COMPRESS if kind != "plain"]


@pytest.mark.usefixtures("either_gunzip")
@pytest.mark.parametrize("kind", ARCHIVES)
def test_streams_end_to_end_are_one_text(tmp_path, kind):
    path = tmp_path / "run"
    path.write_bytes(COMPRESS[kind](b"a\n") + COMPRESS[kind](b"") + COMPRESS[kind](TEXT))
    assert read_bytes(path) == b"a\n" + TEXT


@pytest.mark.usefixtures("either_gunzip")
@pytest.mark.parametrize("kind", ARCHIVES)
@pytest.mark.parametrize("place", [0, 1, 2, 12, -12, -2])
def test_damage_in_a_later_stream_is_an_error_and_never_a_short_text(tmp_path, kind, place):
    later = bytearray(COMPRESS[kind](os.urandom(500)))
    later[place] ^= 0xFF
    path = tmp_path / "run"
    path.write_bytes(COMPRESS[kind](b"a\n") + bytes(later))
    with pytest.raises(FormatError, match="cut off or damaged"):
        read_bytes(path)


@pytest.mark.usefixtures("either_gunzip")
@pytest.mark.parametrize("kind", ARCHIVES)
@pytest.mark.parametrize("after", [b"something else", b"x", None], ids=["text", "sign", "half a stream"])
def test_what_is_no_stream_behind_one_is_an_error(tmp_path, kind, after):
    path = tmp_path / "run"
    path.write_bytes(COMPRESS[kind](b"a\n") + (COMPRESS[kind](TEXT)[:20] if after is None else after))
    with pytest.raises(FormatError, match="cut off or damaged"):
        read_bytes(path)


def test_zeros_may_stand_between_the_streams_of_xz(tmp_path):
    path = tmp_path / "run"
    path.write_bytes(lzma.compress(b"a\n") + bytes(8) + lzma.compress(b"b\n") + bytes(4))
    assert read_bytes(path) == b"a\nb\n"


def test_a_frame_to_be_skipped_may_come_first_in_zstd(tmp_path):
    path = tmp_path / "run"
    path.write_bytes(b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc" + zst(TEXT))
    assert read_bytes(path) == TEXT


@pytest.mark.parametrize("kind", COMPRESS)
def test_lines_that_end_in_cr_alone_are_refused(tmp_path, kind):
    path = tmp_path / "run"
    path.write_bytes(COMPRESS[kind](TEXT.replace(b"\n", b"\r")))
    with pytest.raises(FormatError, match="lines end in CR alone"):
        read_bytes(path)


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_cr_in_a_long_comment_is_harmless(tmp_path, kind):
    path = tmp_path / "run"
    text = b"# a\rb" + b"." * 20_000 + b"\n1 Q0 a 1 2 r\n"
    path.write_bytes(COMPRESS[kind](text))
    assert read_run(path).to_dict() == {"1": {"a": 2.0}}


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path):
    path = tmp_path / "run"
    path.write_bytes(b"\xef\xbb\xbf1 Q0")
    assert read_bytes(path) == b"1 Q0"


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(FormatError, match=r"nowhere: cannot be read: No such file"):
        read_bytes(tmp_path / "nowhere")
    with pytest.raises(FormatError, match="cannot be read: Is a directory"):
        read_bytes(tmp_path)


def interrupt_while_writing(path):
    with writing(path) as stream:
        stream.write(b"other")
        raise KeyboardInterrupt


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "run"
    with writing(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
    assert path.read_bytes() == b"half"
    with pytest.raises(KeyboardInterrupt):
        interrupt_while_writing(path)
    assert path.read_bytes() == b"half"
    assert list(path.parent.iterdir()) == [path]


def test_a_written_file_has_ordinary_rights_and_keeps_those_it_had(tmp_path):
    path = tmp_path / "run"
    mask = os.umask(0o022)
    try:
        write_bytes(path, b"a")
        assert path.stat().st_mode & 0o777 == 0o644
        path.chmod(0o600)
        write_bytes(path, b"b")
        assert path.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(mask)


def test_a_link_is_replaced_and_the_file_that_it_leads_to_stays(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    write_bytes(tmp_path / "link", b"new")
    assert not (tmp_path / "link").is_symlink()
    assert (tmp_path / "link").read_bytes() == b"new"
    assert (tmp_path / "target").read_bytes() == b"old"


def test_equal_content_leaves_the_file_untouched(tmp_path):
    path = tmp_path / "run"
    write_bytes(path, b"a")
    os.utime(path, ns=(1, 1))
    write_bytes(path, b"a")
    assert path.stat().st_mtime_ns == 1


def test_a_folder_cannot_be_written_as_a_file(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        write_bytes(tmp_path, b"a")


@pytest.mark.parametrize("bad", [b"", b"a b", b"a\tb", b"a\n", b"a\0b"])
def test_what_a_trec_line_cannot_carry_is_refused(bad):
    with pytest.raises(FormatError, match="cannot carry"):
        trec_field(bad, "topic", "run")


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (b"PK\x03\x04\x14\0", "a zip archive; unpack it first, since it may hold several files"),
        (b"7z\xbc\xaf\x27\x1c\0", "a 7z archive"),
        (b"Rar!\x1a\x07\0", "a rar archive"),
    ],
)
def test_an_archive_of_files_is_called_so(tmp_path, start, message):
    (tmp_path / "a").write_bytes(start)
    with pytest.raises(FormatError, match=message):
        read_bytes(tmp_path / "a")


def test_a_tar_archive_is_told_from_a_stray_nul(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 257 + b"ustar\0")
    for read in (read_run, lambda path: list(stream_lines(path))):
        with pytest.raises(FormatError, match="the file is a tar archive; unpack it first"):
            read(tmp_path / "a")


UNPACK = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
    ".zst": zstd.decompress,
    ".txt": bytes,
}


@pytest.mark.parametrize("ending", UNPACK)
def test_what_is_written_is_compressed_by_its_name(tmp_path, ending):
    path = tmp_path / f"run{ending}"
    write_bytes(path, TEXT)
    written = path.read_bytes()
    assert UNPACK[ending](written) == read_bytes(path) == TEXT
    write_bytes(path, TEXT)
    assert path.read_bytes() == written


def test_an_open_file_is_gone_on_with_and_not_replaced(tmp_path):
    path = tmp_path / "all"
    path.write_bytes(b"kept\n")
    code = (
        "from irkit.files.textio import write_bytes; "
        "[write_bytes(name, b'more\\n') for name in ('/dev/stdout', '/dev/fd/1')]"
    )
    with path.open("ab") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert path.read_bytes() == b"kept\nmore\nmore\n"


def test_a_descriptor_that_is_not_open_is_said():
    with pytest.raises(UsageError, match="/dev/fd/999: cannot be written: Bad file descriptor"):
        write_bytes("/dev/fd/999", b"x")
