"""Qrels with judgment groups, and preferences: what a file may hold, and what is said of one that cannot be."""

import gzip

import pytest

from irkit.data.judgments.grouped import GroupedQrels, read_qrels_jg
from irkit.data.judgments.preferences import Preferences, read_prefs, read_qrels_prefs
from irkit.data.judgments.subtopics import read_subtopic_qrels
from irkit.errors import DuplicateError, FormatError

READERS = {
    read_qrels_jg: ("topic group document grade", b"1 A d 1"),
    read_subtopic_qrels: ("topic subtopic document grade", b"1 A d 1"),
    read_prefs: ("topic group sub-group document level", b"1 A s d 1"),
    read_qrels_prefs: ("topic group document level", b"1 A d 1"),
}
every_reader = pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)


def read_from(tmp_path, read, content: bytes):
    path = tmp_path / "j"
    path.write_bytes(content)
    return read(path)


def test_qrels_with_groups_have_groups_in_byte_order_and_documents_as_in_the_file(tmp_path):
    content = b"\xef\xbb\xbf# one\n# two\n2 B z 1\r\n\r\n 2\tA  b -1 \n2 A a 2.0\n10 0 a 0\n# last\n"
    qrels = read_from(tmp_path, read_qrels_jg, content)
    assert qrels.topics == ("10", "2")
    assert qrels.to_dict() == {"10": {"0": {"a": 0}}, "2": {"A": {"b": -1, "a": 2}, "B": {"z": 1}}}
    assert [group.name for group in qrels.groups[1]] == ["A", "B"]
    assert list(qrels.to_dict()["2"]["A"]) == ["b", "a"]
    assert len(qrels) == 4


def test_preferences_have_sub_groups(tmp_path):
    preferences = read_from(tmp_path, read_prefs, b"#\n\n1 A 2 b 0.5\n1 A 1 a 1e1\n1 A 1 b 0.5\n")
    assert preferences.to_dict() == {"1": {"A": {"1": {"a": 10.0, "b": 0.5}, "2": {"b": 0.5}}}}
    assert len(preferences) == 3


def test_qrels_are_preferences_of_one_sub_group(tmp_path):
    assert read_from(tmp_path, read_qrels_prefs, b"1 A a 2\n1 A b -1\n").to_dict() == {
        "1": {"A": {"0": {"a": 2.0, "b": -1.0}}}
    }


@every_reader
def test_a_compressed_file_is_read(tmp_path, read):
    line = READERS[read][1]
    plain, packed = (read_from(tmp_path, read, content).to_dict() for content in (line, gzip.compress(line)))
    assert plain == packed


@pytest.mark.parametrize(("of", "read"), [(GroupedQrels, read_qrels_jg), (Preferences, read_prefs)])
def test_what_is_written_reads_back(tmp_path, of, read):
    inner = {"caf\udce9": 1, "b": 0} if of is GroupedQrels else {"s": {"caf\udce9": 0.1, "b": 1e-300}, "t": {"b": 2}}
    judgments = of.from_dict({"é": {"A": inner}})
    judgments.write(tmp_path / "j")
    assert read(tmp_path / "j").to_dict() == judgments.to_dict() == {"é": {"A": inner}}


def test_what_a_line_cannot_carry_is_not_written():
    with pytest.raises(FormatError, match="the group 'A B' is empty or holds white space"):
        GroupedQrels.from_dict({"1": {"A B": {"d": 1}}}).as_trec()
    with pytest.raises(FormatError, match="the topic '#1' begins with '#'"):
        Preferences.from_dict({"#1": {"A": {"s": {"d": 1}}}}).as_trec()


@every_reader
def test_another_number_of_fields_is_refused_with_the_form_of_a_line(tmp_path, read):
    form, line = READERS[read]
    n = len(form.split())
    for found, text in ((n - 1, line.rpartition(b" ")[0]), (n + 1, line + b" x")):
        with pytest.raises(FormatError, match=rf"j:3: expected {n} fields, found {found}: .*A line is '{form}'"):
            read_from(tmp_path, read, b"# a comment\n" + line + b"\n" + text)


@every_reader
def test_a_file_without_a_judgment_and_a_nul_byte_are_said(tmp_path, read):
    with pytest.raises(FormatError, match="the file holds no judgment"):
        read_from(tmp_path, read, b"# nothing\n\n")
    with pytest.raises(FormatError, match="j:2: a NUL byte is no text"):
        read_from(tmp_path, read, READERS[read][1] + b"\n\0\n")


@pytest.mark.parametrize("grade", ["0.5", "2,7", "x", "1e0", "1_0", "nan", "٣", "99999999999999999999"])
def test_a_grade_that_is_no_whole_number_is_refused(tmp_path, grade):
    with pytest.raises(
        FormatError, match=rf"j:2: the grade '{grade}' is not a whole number; round it or map it to one"
    ):
        read_from(tmp_path, read_qrels_jg, f"1 A a 1\n1 A b {grade}\n".encode())


@pytest.mark.parametrize("level", ["x", "2,7", "nan", "inf", "1_0", "0x10", "٣", "1e999"])
@pytest.mark.parametrize("read", [read_prefs, read_qrels_prefs])
def test_a_level_that_is_no_number_is_refused(tmp_path, read, level):
    line = READERS[read][1].decode()
    with pytest.raises(FormatError, match=rf"j:2: the level '{level}' is not a decimal number such as 2 or 0.5"):
        read_from(tmp_path, read, f"{line}\n{line[:-3]}b {level}\n".encode())


def test_a_document_twice_in_one_place_is_refused_with_both_lines(tmp_path):
    with pytest.raises(
        DuplicateError,
        match=r"j:3: document 'a' occurs twice in topic '1', group 'A', first in line 1; keep one of them",
    ):
        read_from(tmp_path, read_qrels_jg, b"1 A a 1\n1 B a 1\n1 A a 1\n")
    with pytest.raises(
        DuplicateError, match=r"j:3: document 'a' occurs twice in topic '1', group 'A', sub-group 's', first in line 1"
    ):
        read_from(tmp_path, read_prefs, b"1 A s a 1\n1 A t a 1\n1 A s a 2\n")


def test_sub_groups_whose_preferences_run_in_a_circle_are_refused(tmp_path):
    # a > b > c by the first two sub-groups, c > a by the third
    content = b"1 A 1 a 2\n1 A 1 b 1\n1 A 2 b 2\n1 A 2 c 1\n1 A 3 c 3\n1 A 3 a 1\n"
    with pytest.raises(FormatError, match=r"j: the sub-groups of topic '1', group 'A' contradict each other: document"):
        read_from(tmp_path, read_prefs, content)
    apart = content.replace(b"1 A 3", b"1 B 3")
    assert len(read_from(tmp_path, read_prefs, apart)) == 6


def test_a_document_relevant_in_one_sub_group_and_not_in_another_is_refused():
    groups = {"1": {"A": {"s": {"a": -1}, "t": {"a": 0, "b": 1}, "u": {"a": 2}}}}
    with pytest.raises(
        FormatError, match=r"document 'a' in topic '1', group 'A' has level 0 in sub-group 't' and 2 in 'u'"
    ):
        Preferences.from_dict(groups)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], r"the whole holds a list; \{topic: \{group: \{document: grade\}\}\} is expected"),
        ({"1": ["a"]}, r"topic '1' holds a list; \{group: \{document: grade\}\} is expected"),
        ({"1": {"A": 1}}, r"topic '1', group 'A' holds a int; \{document: grade\} is expected"),
        ({"1": {"A": {}}}, r"topic '1', group 'A' holds no judgment; leave it out"),
        ({"1": {2: {"a": 1}}}, r"the group id 2 is of type int; ids are strings"),
        ({"1": {"A": {"a": 0.5}}}, r"qrels, group 'A': the grade of document 'a' in topic '1' is 0.5"),
        ({"1": {"A": {"a": True}}}, r"the grade of document 'a' in topic '1' is True"),
        ({"1": {"A": {"\ud800": 1}}}, r"holds half a character"),
    ],
)
def test_mappings_that_are_no_qrels_with_groups_are_refused_with_the_place(source, message):
    with pytest.raises(FormatError, match=message):
        GroupedQrels.from_dict(source)


@pytest.mark.parametrize("level", ["1", None, True, float("nan"), float("inf"), 10**400])
def test_a_level_of_another_type_is_refused_with_the_place(level):
    where = "topic '1', group 'A', sub-group 's', document 'a'"
    with pytest.raises(FormatError, match=rf"the level of {where} is .*; a level is a finite number"):
        Preferences.from_dict({"1": {"A": {"s": {"a": level}}}})
