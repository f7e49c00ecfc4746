"""tests/broken: a folder for each fault that `irkit check` finds, with the report that is expected of it."""

import shlex
from pathlib import Path

import pytest
from kernels import KERNELS, load

from irkit import _kernel
from irkit.checking import CODES
from irkit.cli import main

BROKEN = Path(__file__).resolve().parents[1] / "broken"
FOLDERS = sorted(path for path in BROKEN.iterdir() if path.is_dir())
# No file of 2 GiB or more lies in a repository.
LIMITS = {"too-large": ("irkit.checking.qrels.MOST_BYTES", 10), "unpacked-limit": ("irkit.files.compression._MOST", 20)}


@pytest.fixture(params=KERNELS)
def kernel(request, monkeypatch):
    module = load(request.param)
    for name in set(_kernel.__all__) - {"NAME"}:
        monkeypatch.setattr(_kernel, name, getattr(module, name))


def test_every_fault_has_its_broken_file():
    assert [folder.name for folder in FOLDERS] == sorted(CODES)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_broken_file_has_the_report_that_lies_beside_it(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    if folder.name in LIMITS:
        monkeypatch.setattr(*LIMITS[folder.name])
    program, *words = shlex.split((folder / "command.txt").read_text("utf-8"))
    assert program == "irkit"
    status = main(words)
    expected = (folder / "expected.txt").read_text("utf-8")
    assert capsys.readouterr().out == expected
    assert status == int(CODES[folder.name].severity == "error")
    assert f"{CODES[folder.name].severity}: {folder.name}" in expected
