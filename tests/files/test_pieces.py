"""Large files: read without a second copy, written piece by piece, and left alone where nothing changed."""

import gzip
import io
import os
import sys

import pytest

from irkit.data.runs import Run
from irkit.errors import FormatError
from irkit.files.textio import read_bytes, write_pieces, writing


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_a_file_is_read_whole_whatever_was_looked_at_before(tmp_path, start):
    text = b"".join(b"%d Q0 d 1 1.0 r\n" % number for number in range(50_000))
    (tmp_path / "run").write_bytes(start + text)
    assert read_bytes(tmp_path / "run") == text


def test_standard_input_is_read_from_where_it_stands(tmp_path, monkeypatch):
    (tmp_path / "run").write_bytes(b"read before\n" + b"1 Q0 d 1 1.0 r\n" * 2000)
    with (tmp_path / "run").open("rb") as stream:
        assert stream.readline() == b"read before\n"
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        assert read_bytes("-") == b"1 Q0 d 1 1.0 r\n" * 2000


def test_pieces_become_one_file_compressed_as_its_name_says(tmp_path):
    write_pieces(tmp_path / "plain", iter([b"one ", b"", b"two"]))
    write_pieces(tmp_path / "packed.gz", iter([b"one ", b"", b"two"]))
    assert (tmp_path / "plain").read_bytes() == gzip.decompress((tmp_path / "packed.gz").read_bytes()) == b"one two"


@pytest.mark.parametrize("name", ["plain", "packed.gz"])
def test_a_file_that_holds_the_same_stays_as_it_is(tmp_path, name):
    path = tmp_path / name
    write_pieces(path, [b"one ", b"two"])
    os.utime(path, ns=(1, 1))
    write_pieces(path, [b"o", b"ne two"])
    assert path.stat().st_mtime_ns == 1
    assert [one.name for one in tmp_path.iterdir()] == [name]
    write_pieces(path, [b"one two", b"!"])
    assert path.stat().st_mtime_ns != 1


def test_pieces_that_break_off_leave_the_old_file(tmp_path):
    def pieces():
        yield b"new"
        raise FormatError("x", "no more")

    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FormatError):
        write_pieces(tmp_path / "file", pieces())
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("file", b"old")]


def test_the_mode_of_a_file_stays_where_it_holds_the_same(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"same")
    path.chmod(0o600)
    with writing(path) as stream:
        stream.write(b"same")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_run_that_no_file_can_hold_makes_no_folder(tmp_path):
    run = Run.of({"t": {"a b": 1.0}})
    with pytest.raises(FormatError, match="holds white space"):
        run.write(tmp_path / "new" / "run")
    assert not (tmp_path / "new").exists()
