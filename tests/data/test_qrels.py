import numpy as np
import pandas as pd
import pytest

from irkit.data.qrels import Qrels, read_qrels
from irkit.errors import FormatError


def qrels_of(tmp_path, content: bytes) -> Qrels:
    path = tmp_path / "q"
    path.write_bytes(content)
    return read_qrels(path)


def test_four_fields_any_blanks_comments_and_blank_lines_anywhere(tmp_path):
    qrels = qrels_of(tmp_path, b"\xef\xbb\xbf# one\n# two\n2 0 b 0\r\n\r\n 1\t0  a 3 \n# last\n")
    assert qrels.to_dict() == {"1": {"a": 3}, "2": {"b": 0}}


def test_negative_grades_stay(tmp_path):
    assert qrels_of(tmp_path, b"1 0 a -1\n1 0 b +2\n1 0 c 1.0\n").to_dict() == {"1": {"a": -1, "b": 2, "c": 1}}


@pytest.mark.parametrize("grade", ["0.9", "2,7", "x", "1e0", "1_0", "nan"])
def test_a_grade_that_is_no_whole_number_is_refused_with_file_line_and_text(tmp_path, grade):
    with pytest.raises(FormatError, match=rf"q:2: the grade '{grade[:80]}'(\.\.\.)? is not a whole number"):
        qrels_of(tmp_path, f"1 0 a 1\n1 0 b {grade}\n".encode())


@pytest.mark.parametrize("grade", ["99999999999999999999", "-" + "9" * 20, "1" * 5000])
def test_a_grade_that_is_too_large_is_said_to_be(tmp_path, grade):
    with pytest.raises(FormatError, match=rf"q:2: the grade '{grade[:80]}'(\.\.\.)? is beyond 64 bits; map it to"):
        qrels_of(tmp_path, f"1 0 a 1\n1 0 b {grade}\n".encode())


@pytest.mark.parametrize(("line", "found"), [(b"1 0 a", 3), (b"1 0 a 1 x", 5)])
def test_another_number_of_fields_is_refused(tmp_path, line, found):
    with pytest.raises(
        FormatError, match=rf"q:1: expected 4 fields, found {found}: .*'topic iteration document grade'"
    ):
        qrels_of(tmp_path, line)


def test_a_document_twice_in_a_topic_is_refused_with_both_lines(tmp_path):
    with pytest.raises(FormatError, match=r"q:3: document 'a' occurs twice in topic '1', first in line 1"):
        qrels_of(tmp_path, b"1 0 a 1\n2 0 a 1\n1 0 a 1\n")


def test_empty_qrels_are_said(tmp_path):
    with pytest.raises(FormatError, match="the qrels file is empty"):
        qrels_of(tmp_path, b"\n")


def test_what_is_written_reads_back(tmp_path):
    content = b"caf\xe9 0 a 1\ncaf\xe9 0 b -1\n"
    qrels = qrels_of(tmp_path, content)
    qrels.write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == content


def test_mappings_and_frames_are_qrels():
    frame = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [2]})
    assert Qrels.of(frame).to_dict() == Qrels.of({"1": {"a": np.int64(2)}}).to_dict() == {"1": {"a": 2}}


@pytest.mark.parametrize("grade", [True, np.bool_(False), "1", 0.5, None, float("nan"), float("inf"), 2**63, 1e300])
def test_a_grade_of_another_type_is_refused_with_topic_and_document(grade):
    with pytest.raises(FormatError, match="the grade of document 'd' in topic 'q' is"):
        Qrels.of({"q": {"d": grade}})


def test_large_grades_are_exact():
    assert Qrels.of({"q": {"a": 2**63 - 1, "b": -(2**53) - 1}}).to_dict() == {"q": {"a": 2**63 - 1, "b": -(2**53) - 1}}


def test_a_list_of_documents_has_no_grades():
    for documents in (["d1"], {"d1"}, "d1"):
        with pytest.raises(FormatError, match=r"topic 'q' holds a \w+; qrels need \{document: grade\}"):
            Qrels.of({"q": documents})


def test_a_number_as_id_is_told_what_to_do():
    with pytest.raises(FormatError, match=r"topic id 1 is of type int; ids are strings: str\(id\)"):
        Qrels.of({1: {"d": 1}})


def test_a_fraction_as_grade_is_told_what_to_do(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1.5\n")
    with pytest.raises(FormatError, match=r"q:1: the grade '1.5' is not a whole number; round it or map it to one"):
        Qrels.of(tmp_path / "q")
    with pytest.raises(FormatError, match=r"is 1.5; a grade is a whole number: round or map it to one"):
        Qrels.of({"1": {"a": 1.5}})
