"""Reading, ordering and writing runs: spec of trec_eval's reader, and faults that users of such tools met."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit.data.qrels import Qrels
from irkit.data.runs import Run, read_run, run_names
from irkit.errors import DataError, FormatError, UsageError
from irkit.ids import Ids


def run_of(tmp_path, content: bytes) -> Run:
    path = tmp_path / "r"
    path.write_bytes(content)
    return read_run(path)


def ranking(run: Run, topic: str) -> list[str]:
    return next(documents for name, documents, _ in run.by_topic() if name == topic)


def test_scores_rank_and_ties_go_by_document_id_falling_in_bytes(tmp_path):
    run = run_of(tmp_path, b"1 Q0 10 1 1 r\n1 Q0 9 2 1 r\n1 Q0 a 3 1 r\n1 Q0 B 4 1 r\n1 Q0 z 5 7 r\n")
    assert ranking(run, "1") == ["z", "a", "B", "9", "10"]


def test_the_second_field_is_free_text_and_the_rank_any_whole_number(tmp_path):
    run = run_of(tmp_path, b"1 0 a 1 0.2 r\n1 - b -7.0 0.9 r\n")
    assert ranking(run, "1") == ["b", "a"]


def test_topics_stand_in_byte_order_and_need_not_lie_together(tmp_path):
    run = run_of(tmp_path, b"9 Q0 a 1 1 r\n10 Q0 a 1 1 r\n9 Q0 b 1 3 r\n1 Q0 a 1 1 r\n")
    assert run.topics == ("1", "10", "9")
    assert run.starts.tolist() == [0, 1, 2, 4]


def test_exponents_and_signs_are_numbers(tmp_path):
    run = run_of(
        tmp_path, b"1 Q0 a 1 1e-05 r\n1 Q0 b 2 0.00002 r\n1 Q0 c 3 -1.5 r\n1 Q0 d 4 +.5E+1 r\n1 Q0 e 5 -inf r\n"
    )
    assert ranking(run, "1") == ["d", "b", "a", "c", "e"]


def test_scores_are_doubles(tmp_path):
    run = run_of(tmp_path, b"1 Q0 a 1 5.000000001 r\n1 Q0 b 2 5.000000000 r\n")
    assert ranking(run, "1") == ["a", "b"]
    assert ranking(run.rounded_to_float32(), "1") == ["b", "a"]


@pytest.mark.parametrize("score", ["nan", "-NaN", "abc", "1,5", "1_000", "0x1p3", "1.2.3", "é"])
def test_a_score_that_is_no_decimal_number_is_refused_with_file_line_and_text(tmp_path, score):
    with pytest.raises(FormatError, match=rf"r:2: the score '{score}' is not a decimal number"):
        run_of(tmp_path, f"1 Q0 a 1 1 r\n1 Q0 b 2 {score} r\n".encode())


def test_a_short_line_is_refused_with_what_was_found_and_the_remedy(tmp_path):
    with pytest.raises(FormatError) as caught:
        run_of(tmp_path, b"# comment\n\n1 Q0 a 1 0.5\n")
    assert str(caught.value).endswith(
        "r:3: expected 6 fields, found 5: '1 Q0 a 1 0.5'. A run line is 'topic Q0 document rank score tag'"
    )


def test_a_document_twice_in_a_topic_is_refused_with_topic_document_and_both_lines(tmp_path):
    with pytest.raises(FormatError, match=r"r:4: document 'a' occurs twice in topic '1', first in line 2;"):
        run_of(tmp_path, b"2 Q0 a 1 1 r\n1 Q0 a 1 0.9 r\n1 Q0 b 2 0.8 r\n1 Q0 a 3 0.7 r\n")


def test_byte_order_mark_crlf_tabs_blank_lines_and_comments_are_harmless(tmp_path):
    run = run_of(tmp_path, b"\xef\xbb\xbf# made by us\r\n  1\tQ0 a 1 1.0 r more fields \r\n\n   # more\n# again\n")
    assert run.to_dict() == {"1": {"a": 1.0}}
    assert run.tag == "r"


def test_ids_are_text_never_numbers(tmp_path):
    run = run_of(tmp_path, b"007 Q0 1e5 1 1 r\n7 Q0 -12 1 1 r\n7.0 Q0 1.0 1 1 r\n")
    assert run.to_dict() == {"007": {"1e5": 1.0}, "7": {"-12": 1.0}, "7.0": {"1.0": 1.0}}


def test_ids_that_are_not_utf8_survive_reading_and_writing_byte_for_byte(tmp_path):
    line = b"caf\xe9 Q0 a\xc2\xa0b\xff 1 1.0 r\n"
    run = run_of(tmp_path, line)
    assert run.as_trec() == line


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing\n"])
def test_an_empty_run_is_said(tmp_path, content):
    with pytest.raises(FormatError, match="the run file is empty"):
        run_of(tmp_path, content)


def test_a_nul_byte_is_no_text(tmp_path):
    with pytest.raises(FormatError, match="r:2: a NUL byte"):
        run_of(tmp_path, b"1 Q0 a 1 1 r\n1 Q0 b\0 1 1 r\n")
    with pytest.raises(FormatError, match="looks like UTF-16"):
        run_of(tmp_path, "1 Q0 a 1 1 r\n".encode("utf-16"))


def test_control_signs_in_a_bad_line_do_not_reach_the_terminal(tmp_path):
    with pytest.raises(FormatError) as caught:
        run_of(tmp_path, b"1 Q0 \x1b[31mred 1 x r\n1 Q0 \x1b[2J\n")
    assert "\x1b" not in str(caught.value)


def test_a_written_run_has_ranks_from_1_in_the_order_of_reading(tmp_path):
    run = run_of(tmp_path, b"1 Q0 a 9 7 r\n1 Q0 b 9 7 r\n1 Q0 c 9 7 r\n")
    assert run.as_trec(tag="t") == b"1 Q0 c 1 7.0 t\n1 Q0 b 2 7.0 t\n1 Q0 a 3 7.0 t\n"


ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8).filter(
    lambda text: text.encode().split() == [text.encode()] and not text.startswith("#")
)
runs = st.dictionaries(
    ids, st.dictionaries(ids, st.floats(allow_nan=False), min_size=1, max_size=5), min_size=1, max_size=4
)


@given(scores=runs)
def test_what_is_written_reads_back_equal(tmp_path_factory, scores):
    path = tmp_path_factory.mktemp("run") / "r"
    Run.from_scores(scores).write(path)
    again = read_run(path)
    assert again.to_dict() == scores
    assert again.as_trec() == path.read_bytes()


@given(scores=runs, seed=st.integers(0, 2**32 - 1))
def test_the_order_of_lines_does_not_matter(tmp_path_factory, scores, seed):
    path = tmp_path_factory.mktemp("run") / "r"
    lines = Run.from_scores(scores).as_trec().split(b"\n")[:-1]
    shuffled = [lines[place] for place in np.random.default_rng(seed).permutation(len(lines))]
    path.write_bytes(b"\n".join(shuffled))
    assert read_run(path).as_trec() == Run.from_scores(scores).as_trec()


def test_a_list_of_documents_is_their_ranking():
    assert ranking(Run.of({"1": ["b", "a", "c"]}), "1") == ["b", "a", "c"]


def test_a_frame_is_a_run():
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": np.float32([0.5, 1.5])})
    assert Run.of(frame).to_dict() == {"1": {"a": 0.5, "b": 1.5}}


def test_a_frame_without_a_needed_column_says_which():
    with pytest.raises(FormatError, match="no column named score or sim; the table has qid, docno"):
        Run.of(pd.DataFrame({"qid": ["1"], "docno": ["a"]}))


@pytest.mark.parametrize("score", [np.float32(0.5), np.float64(0.5), np.int64(3), 1, 2.5, float("inf")])
def test_numpy_numbers_are_numbers(score):
    assert Run.of({"q": {"d": score}}).to_dict() == {"q": {"d": float(score)}}


@pytest.mark.parametrize("score", [True, np.bool_(True), "1", None, float("nan"), np.float32("nan"), [1]])
def test_what_is_no_number_is_refused_with_topic_and_document(score):
    with pytest.raises(FormatError, match="the score of document 'd' in topic 'q' is"):
        Run.of({"q": {"d": score}})


def test_ids_of_other_types_are_refused():
    with pytest.raises(FormatError, match="topic id 1 is of type int"):
        Run.of({1: {"d": 1.0}})
    with pytest.raises(FormatError, match="document id 7 is of type int"):
        Run.of({"1": {7: 1.0}})


def test_an_empty_run_is_not_written(tmp_path):
    with pytest.raises(DataError, match="not written, since the run has no document for any topic"):
        Run.from_scores({}).write(tmp_path / "r")
    assert not list(tmp_path.iterdir())


def test_a_set_has_no_order_and_is_no_ranking():
    with pytest.raises(FormatError, match=r"give \{document: score\} or \[document, \.\.\.\]"):
        Run.of({"q": {"a", "b"}})


def test_half_a_character_is_no_id():
    with pytest.raises(FormatError, match="holds half a character"):
        Run.of({"q": {"\ud800": 1.0}})


def test_lines_that_end_in_cr_alone_are_refused(tmp_path):
    with pytest.raises(FormatError, match="lines end in CR alone"):
        run_of(tmp_path, b"1 Q0 b 1 2 r\r1 Q0 a 2 1 r\r")
    assert run_of(tmp_path, b"1 Q0 b 1 2 r\r").to_dict() == {"1": {"b": 2.0}}


@pytest.mark.parametrize(
    ("file", "name"),
    [("bm25.run", "bm25"), ("run.a.bm25.txt", "run.a.bm25"), ("a.trec.gz", "a"), ("v1.2", "v1.2"), (".run", ".run")],
)
def test_a_run_is_called_by_its_file_without_the_ending(tmp_path, file, name):
    a_line = b"1 Q0 a 1 1 t\n"
    (tmp_path / file).write_bytes(a_line)
    assert read_run(tmp_path / file).name == Run.of(str(tmp_path / file)).name == name
    assert read_run(tmp_path / file, "mine").name == "mine"


def test_runs_of_one_file_name_are_told_apart_by_their_folders():
    assert run_names(["x/bm25.run", "y/bm25.txt", "y/dense.txt"]) == ["x/bm25.run", "y/bm25.txt", "dense"]


def test_a_score_beyond_a_32_bit_float_is_infinite_under_the_older_rules():
    run = Run.of({"q": {"a": 3.5e38, "b": 1e300, "c": 3.4e38, "d": -1e39}})
    with np.errstate(all="raise"):
        rounded = run.rounded_to_float32()
    assert ranking(rounded, "q") == ["b", "a", "c", "d"]  # the first two tie, by id falling
    assert rounded.scores[[0, 1, 3]].tolist() == [float("inf"), float("inf"), float("-inf")]


@pytest.mark.parametrize(
    "wrong", [{"q": None}, {"q": [["a", 1.0]]}, {"q": 5}, {"q": {"a": None}}, {"q": {"a": 10**400}}, {"q": {("a",): 1}}]
)
def test_what_a_topic_cannot_hold_is_refused_in_words(wrong):
    with pytest.raises(FormatError):
        Run.of(wrong)
    with pytest.raises(FormatError):
        Run.from_scores(wrong)


@pytest.mark.parametrize("score", [float("nan"), "1", None, True])
def test_scores_made_in_python_are_checked_as_those_of_a_dict(score):
    with pytest.raises(FormatError, match="the score of document 'a' in topic 'q' is"):
        Run.from_scores({"q": {"a": score}})


def test_whole_numbers_that_would_tie_in_silence_are_refused():
    assert Run.of({"q": {"a": 2**53, "b": 2**60}}).scores.tolist() == [2.0**60, 2.0**53]
    with pytest.raises(FormatError, match="more digits than a score can hold"):
        Run.of({"q": {"a": 2**53 + 1, "b": 2**53}})


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame([["q", "a", "b", 1.0]], columns=["qid", "docno", "docno", "score"]), "2 columns named docno"),
        (pd.DataFrame({"qid": ["q", float("nan")], "docno": ["a", "b"], "score": [2, 1]}), "row 2 .* has no qid"),
        (pd.DataFrame({"qid": ["q"], "docno": [None], "score": [2]}), "row 1 .* has no docno"),
        (pd.DataFrame({"qid": ["q"], "docno": [pd.NA], "score": [2]}), "row 1 .* has no docno"),
        (pd.DataFrame({"qid": ["q"], "docno": ["a"], "score": [float("nan")]}), "row 1 .* has no score"),
        (pd.DataFrame({"qid": ["q"], "docno": [["a"]], "score": [1]}), "row 1 .* has a list in column docno"),
    ],
)
def test_a_frame_with_a_column_twice_or_a_value_missing_is_refused(frame, message):
    with pytest.raises(FormatError, match=message):
        Run.of(frame)


@pytest.mark.parametrize("starts", [[], [0], [1, 3], [0, 4], [0, -1, 3], [0, 2, 1, 3], [0.0, 3.0], [[0, 3]]], ids=repr)
def test_spans_that_lead_anywhere_else_are_never_followed(starts):
    with pytest.raises(UsageError, match="never fall and end with 3"):
        Ids(b"abc", np.array(starts))
    with pytest.raises(UsageError, match="never fall and end with 3"):
        Ids(b"abc", starts)
    for kind, number in NUMBERS:
        with pytest.raises(UsageError, match="never fall and end with 3"):
            kind(("1",), np.array(starts), Ids.of([b"a", b"b", b"c"]), np.ones(3, number))


NUMBERS = [(Run, np.float64), (Qrels, np.int64)]


@pytest.mark.parametrize(("kind", "number"), NUMBERS)
def test_columns_that_do_not_fit_are_never_read(kind, number):
    ids = Ids.of([b"a", b"b", b"c"])
    with pytest.raises(UsageError, match="1 topics have 2 starts, and 3 documents as many numbers; these have 2 and 2"):
        kind(("1",), np.array([0, 3]), ids, np.ones(2, number))
    with pytest.raises(UsageError, match="2 topics have 3 starts, and 3 documents as many numbers; these have 2 and 3"):
        kind(("1", "2"), np.array([0, 3]), ids, np.ones(3, number))
    with pytest.raises(UsageError, match="have 2 dimensions; a column has one"):
        kind(("1",), np.array([0, 3]), ids, np.ones((3, 1), number))


@pytest.mark.parametrize(("kind", "number"), NUMBERS)
@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("topics", ["1", "2"], "topics are a tuple of text"),
        ("topics", "12", "topics are a tuple of text"),
        ("topics", (1, 2), "topics are a tuple of text"),
        ("topics", ("2", "1"), "topics stand in the order of their bytes, each once"),
        ("topics", ("1", "1"), "topics stand in the order of their bytes, each once"),
        # As text the first is less; in bytes, which are not UTF-8, it is ff, and the second ee 80 80.
        ("topics", ("\udcff", "\ue000"), "topics stand in the order of their bytes, each once"),
        ("documents", [b"a", b"b"], "documents are Ids, not list"),
        ("numbers", [1, 1], "are an array of .*64, not list"),
        ("numbers", np.ones(2, np.float32), "are an array of .*64, not float32"),
        ("numbers", np.ones(2, bool), "are an array of .*64, not bool"),
        ("numbers", np.ones(2, "m8[s]"), r"are an array of .*64, not timedelta64\[s\]"),
        ("name", 7, "the name of .* is text, not 7"),
    ],
    ids=repr,
)
def test_columns_of_another_kind_or_order_are_refused(kind, number, column, value, message):
    numbers = "scores" if kind is Run else "grades"
    columns = {"topics": ("1", "2"), "starts": np.array([0, 1, 2]), "documents": Ids.of([b"a", b"b"])}
    columns[numbers] = np.ones(2, number)
    assert kind(**columns).to_dict() == {"1": {"a": 1}, "2": {"b": 1}}
    columns[numbers if column == "numbers" else column] = value
    with pytest.raises(UsageError, match=message):
        kind(**columns)


def test_a_run_of_columns_has_no_nan_and_a_tag_of_text():
    columns = ("1",), np.array([0, 1]), Ids.of([b"a"])
    with pytest.raises(UsageError, match="scores are never nan"):
        Run(*columns, np.array([np.nan]))
    with pytest.raises(UsageError, match="the tag of a run is text, not b'tag'"):
        Run(*columns, np.ones(1), b"tag")
    with pytest.raises(UsageError, match="scores are an array of float64, not int64"):
        Run(*columns, np.ones(1, np.int64))
    with pytest.raises(UsageError, match="grades are an array of int64, not float64"):
        Qrels(*columns, np.ones(1))
    with pytest.raises(UsageError, match=r"the data of ids are bytes, not str; Ids.of puts ids end to end"):
        Ids("a", np.array([0, 1]))


# Qrels of a topic without judgments hold that topic: C08.
@pytest.mark.parametrize("empty", [Run.of({"q": {}}), Run.of({}), Qrels.of({})])
def test_what_holds_nothing_is_not_written(tmp_path, empty):
    with pytest.raises(DataError, match="file: not written, since the"):
        empty.write(tmp_path / "file")
    assert not list(tmp_path.iterdir())
