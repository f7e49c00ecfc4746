import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit.data.documents import Document, read_documents, write_documents
from irkit.errors import FormatError

LINES = """{"id": "d1", "contents": "a b", "tags": ["x", "y"], "price": 0.5, "n": 3, "none": null}

{"id": 7, "contents": ""}
"""


def problem_in(tmp_path, text):
    path = tmp_path / "documents.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(FormatError) as caught:
        list(read_documents(path))
    return str(caught.value).replace(str(tmp_path) + "/", "")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_documents_keep_ids_as_text_and_fields_by_kind(tmp_path, pack):
    path = tmp_path / "documents"
    path.write_bytes(pack(b"\xef\xbb\xbf" + LINES.replace("\n", "\r\n").encode()))
    assert list(read_documents(path)) == [
        Document("d1", "a b", {"tags": ("x", "y"), "price": 0.5, "n": 3}),
        Document("7", ""),
    ]


def test_documents_are_read_one_at_a_time(tmp_path):
    path = tmp_path / "documents"
    path.write_text(LINES + "broken\n")
    documents = read_documents(path)
    assert next(documents).id == "d1"
    assert next(documents).id == "7"
    with pytest.raises(FormatError, match="documents:4: no JSON object"):
        next(documents)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id":"1","contents":"a"}\n{"id":"1","contents":"b"}', ".jsonl:2: document id '1' stands in line 1 already"),
        ('{"id":"1","text":"a"}', ".jsonl:1: a document without 'contents'; it has 'id', 'text'"),
        ('{"contents":"a"}', ".jsonl:1: a document without 'id'"),
        ('{"id":"a b","contents":"a"}', ".jsonl:1: the document id 'a b' is empty or holds white space"),
        ('{"id":"","contents":"a"}', ".jsonl:1: the document id '' is empty"),
        ('{"id":1.0,"contents":"a"}', ".jsonl:1: the document id is 1.0; an id is a string"),
        ('{"id":"1","contents":5}', ".jsonl:1: the contents of document '1' are no text"),
        ('{"id":"1","contents":"a","x":{"y":1}}', ".jsonl:1: field 'x' of document '1' is neither text"),
        ('"a"', '.jsonl:1: a JSON object {...} is expected, found "a"'),
        (b'{"id":"1","contents":"\xe9"}', ".jsonl:1: byte 23 of the line is not UTF-8"),
        (b"\0", ".jsonl:1: a NUL byte"),
        (gzip.compress(LINES.encode(), mtime=0)[:-9], "documents.jsonl: the file or its archive is cut off"),
    ],
)
def test_a_broken_document_is_refused_with_its_line(tmp_path, text, message):
    assert message in problem_in(tmp_path, text)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"nowhere: cannot be read: No such file"):
        list(read_documents(tmp_path / "nowhere"))


def test_written_documents_have_this_layout_and_an_equal_file_is_left_alone(tmp_path):
    path = tmp_path / "out/documents.jsonl"
    documents = [Document("d1", "é \u2028", {"tags": ("x",), "price": 0.002})]
    assert write_documents(path, documents) == 1
    expected = '{"id": "d1", "contents": "é \u2028", "tags": ["x"], "price": 0.002}\n'
    assert path.read_bytes() == expected.encode()
    before = path.stat()
    write_documents(path, documents)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    write_documents(path, [Document("d2", "")])
    assert path.read_text() == '{"id": "d2", "contents": ""}\n'
    assert [entry.name for entry in path.parent.iterdir()] == ["documents.jsonl"]


@pytest.mark.parametrize(
    "documents",
    [
        [Document("1", "a"), Document("1", "a")],
        [Document("a b", "a")],
        [Document("1", "a", {"contents": "b"})],
        [Document("1", "a", {"x": float("nan")})],
    ],
)
def test_documents_that_could_not_be_read_again_are_not_written(tmp_path, documents):
    with pytest.raises(FormatError):
        write_documents(tmp_path / "out", documents)
    assert list(tmp_path.iterdir()) == []


@given(text=st.text(), value=st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_any_text_and_field_survive_writing_and_reading(tmp_path_factory, text, value):
    path = tmp_path_factory.mktemp("documents") / "documents.jsonl"
    documents = [Document("1", text, {"field": value})]
    write_documents(path, documents)
    assert list(read_documents(path)) == documents
