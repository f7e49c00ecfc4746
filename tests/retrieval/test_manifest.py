"""Folders of indexes: damaged records are told, folders of other processes and of killed ones do no harm."""

import json

import pytest

from irkit.errors import FormatError
from irkit.retrieval.atomic_folder import new_folder
from irkit.retrieval.manifest import MANIFEST, LuceneManifest, read_manifest

GOOD = {
    "kind": "bm25",
    "documents": 2,
    "indexed": 2,
    "ids": "a",
    "content": "b",
    "fields": ["name"],
    "versions": {"anserini": "1"},
    "files": {},
}


def test_a_manifest_is_read_as_it_was_written(tmp_path):
    manifest = LuceneManifest("bm25", 2, 2, "a", "b", ("name",), {"anserini": "1"})
    manifest.write(tmp_path)
    assert read_manifest(tmp_path, "bm25") == manifest


@pytest.mark.parametrize(
    "change",
    [{"kind": 1}, {"documents": "2"}, {"indexed": True}, {"fields": [1]}, {"fields": 3}, {"versions": []}, {"x": 1}],
    ids=str,
)
def test_a_manifest_with_a_wrong_type_is_refused(tmp_path, change):
    (tmp_path / MANIFEST).write_text(json.dumps(GOOD | change))
    with pytest.raises(FormatError, match="is no manifest of an index"):
        read_manifest(tmp_path, "bm25")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000], ids=len)
def test_a_damaged_manifest_is_refused(tmp_path, content):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(FormatError, match="is no manifest of an index"):
        read_manifest(tmp_path, "bm25")


def test_a_folder_that_another_process_made_meanwhile_is_replaced_whole(tmp_path):
    target = tmp_path / "index"
    with new_folder(target) as mine:
        (mine / MANIFEST).write_text("mine")
        with new_folder(target) as theirs:
            (theirs / MANIFEST).write_text("theirs")
            (theirs / "docid").write_text("theirs")
    assert [(path.name, path.read_text()) for path in target.iterdir()] == [(MANIFEST, "mine")]
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
