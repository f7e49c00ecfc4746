"""Sampled judgments as files and mappings: what they may hold, what is said of one that cannot be, and commands."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from samples import RANKED

import irkit
from irkit.cli import main
from irkit.data.judgments.prels import Prels, read_prels
from irkit.data.judgments.strata import Strata, read_strata
from irkit.errors import DuplicateError, FormatError, MeasureError, WrongTypeError
from irkit.evaluation.scoring import evaluate

READERS = {
    read_strata: ("topic 0 document stratum grade", b"1 0 d A 1"),
    read_prels: ("topic document grade method inclusion-probability", b"1 d 1 1 0.5"),
}
every_reader = pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)


def read_from(tmp_path, read, content: bytes):
    path = tmp_path / "j"
    path.write_bytes(content)
    return read(path)


def test_strata_keep_the_names_of_strata_and_grades_below_0(tmp_path):
    content = b"\xef\xbb\xbf# one\n2 0 z B 1\r\n\r\n 2\tx  b A -1 \n2 0 a A 2\n10 0 a caf\xe9 0\n"
    strata = read_from(tmp_path, read_strata, content)
    assert strata.topics == ("10", "2")
    assert strata.to_dict() == {"10": {"a": ("caf\udce9", 0)}, "2": {"a": ("A", 2), "b": ("A", -1), "z": ("B", 1)}}
    assert strata.pools() == {"10": {"a"}, "2": {"a", "b", "z"}}
    assert len(strata) == 4
    assert Strata.of(strata.to_dict()).to_dict() == strata.to_dict()
    assert Strata.of(strata) is strata


def test_prels_pass_over_what_is_no_part_of_the_sample_and_count_it(tmp_path):
    lines = [
        b"1 a 2 1 0.5",
        b"1 b 1 0 0.1",  # chosen by MTC: certain
        b"1 c 0 2 0.1",  # by both: certain
        b"1 d 1 4 1e-1",
        b"1 e -999 1 0.5",  # not judged
        b"1 f 1 1 NA",
        b"1 g 1 1 1.5",
        b"1 h 1 1 -0.5",
        b"1 i 0 1 0",  # nothing of probability 0 is in a sample
        b"1 a -999 -1 NA",  # a line that is passed over is no second judgment
        b"2 a 1 0 1",  # a topic of which MTC alone chose documents
        b"2 b 0 0 1",
    ]
    prels = read_from(tmp_path, read_prels, b"\n".join(lines))
    assert prels.to_dict() == {"1": {"a": (2, 0.5), "b": (1, 1.0), "c": (0, 1.0), "d": (1, 0.1)}}
    assert prels.n_dropped == 8
    assert prels.pools() == {"1": set("abcd")}
    assert len(prels) == 4
    found = evaluate(run={"1": ["a"], "2": ["a"]}, qrels=prels)
    assert found.unjudged == ("2",)
    assert found.notes == (f"8 lines of {tmp_path / 'j'} passed over, not part of the sample",)
    assert evaluate(run={"1": ["a"]}, qrels=Prels.of({"1": {"a": (1, 1, 1)}})).notes == ()


def test_a_sample_of_which_nothing_is_left_is_refused(tmp_path):
    with pytest.raises(FormatError, match=r"j: the file holds no judgment but 2 lines that are passed over"):
        read_from(tmp_path, read_prels, b"1 a -999 1 1\n1 b 1 1 NA\n")
    with pytest.raises(FormatError, match=r"j: no topic has a document that was drawn: the method is 0 throughout"):
        read_from(tmp_path, read_prels, b"1 a 1 0 1\n")


@every_reader
def test_a_compressed_file_is_read(tmp_path, read):
    line = READERS[read][1]
    plain, packed = (read_from(tmp_path, read, content).to_dict() for content in (line, gzip.compress(line)))
    assert plain == packed


@every_reader
def test_another_number_of_fields_is_refused_with_the_form_of_a_line(tmp_path, read):
    form, line = READERS[read]
    for found, text in ((4, line.rpartition(b" ")[0]), (6, line + b" x")):
        with pytest.raises(FormatError, match=rf"j:3: expected 5 fields, found {found}: .*A line of .* is '{form}'"):
            read_from(tmp_path, read, b"# a comment\n" + line + b"\n" + text)


@every_reader
def test_a_document_twice_in_a_topic_is_refused_with_both_lines_and_the_form(tmp_path, read):
    form, line = READERS[read]
    with pytest.raises(
        DuplicateError, match=rf"j:3: document 'd' occurs twice in topic '1', first in line 1; keep.*'{form}'"
    ):
        read_from(tmp_path, read, line + b"\n2" + line[1:] + b"\n" + line)


@every_reader
def test_a_file_without_a_judgment_is_said(tmp_path, read):
    with pytest.raises(FormatError, match=r"j: the file holds no judgment$"):
        read_from(tmp_path, read, b"# nothing\n\n")


@pytest.mark.parametrize(
    ("read", "line", "message"),
    [
        (read_strata, b"1 0 d A 0.5", "the grade '0.5' is not a whole number"),
        (read_prels, b"1 d x 1 1", "the grade 'x' is not a whole number"),
        (read_prels, b"1 d 1 3 1", "the method '3' is none of 0, 1, 2, 4"),
        (read_prels, b"1 d 1 A 1", "the method 'A' is not a whole number"),
        (read_prels, b"1 d 1 1 x", "the inclusion-probability 'x' is not a decimal number such as 2 or 0.5"),
        (read_prels, b"1 d 1 1 nan", "the inclusion-probability 'nan' is not a decimal number"),
        (read_prels, b"1 d 1 1 0", "a relevant document of inclusion-probability 0 cannot have been drawn"),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_the_form(tmp_path, read, line, message):
    with pytest.raises(FormatError, match=rf"j:1: {message}.*A line of judgments sampled .* is '{READERS[read][0]}'"):
        read_from(tmp_path, read, line)


@pytest.mark.parametrize(
    ("of", "source", "message"),
    [
        (
            Strata.of,
            [],
            r"judgments sampled by stratum are a file or \{topic: \{document: \(stratum, grade\)\}\}, not l",
        ),
        (Strata.of, {"1": ["a"]}, r"topic '1' holds a list; \{topic: .*\} is expected"),
        (
            Strata.of,
            {"1": {"a": 1}},
            r"document 'a' in topic '1' holds 1; \{topic: .*\(stratum, grade\)\}\} is expected",
        ),
        (Strata.of, {"1": {"a": ("A", 0.5)}}, "document 'a' in topic '1': the grade '0.5' is not a whole number"),
        (Strata.of, {"1": {"a": ("A", True)}}, "the grade 'True' is not a whole number"),
        (Strata.of, {"1": {2: ("A", 1)}}, "the document id 2 is of type int"),
        (Prels.of, {"1": {"a": (1, 0.5)}}, r"holds \(1, 0.5\); .*\(grade, method, inclusion-probability\)"),
        (Prels.of, {"1": {"a": (1, 1, None)}}, "the inclusion-probability 'None' is not a decimal number"),
    ],
)
def test_mappings_that_are_no_sampled_judgments_are_refused_with_the_place(of, source, message):
    with pytest.raises(FormatError, match=message):
        of(source)


def test_a_list_is_no_mapping():
    with pytest.raises(WrongTypeError):
        Prels.of([("1", "a", 1, 1, 1.0)])


def test_numbers_of_numpy_are_numbers():
    prels = Prels.of({"1": {"a": (np.int64(1), 1, np.float64(0.1))}})
    assert prels.probability.tolist() == [0.1]


# From measures to the form of the file ------------------------------------------------------------------------------

STRATA = "T1 0 c 1 2\nT1 0 a 1 3\nT1 0 b 1 0\nT1 0 x 2 -1\nT1 0 e 2 1\nT1 0 d 2 0\nT1 0 f 2 3\nT1 0 g 2 -1\n"
PRELS = "T1 c 2 1 1\nT1 a 3 1 1\nT1 b 0 1 1\nT1 e 1 1 .6\nT1 d 0 1 .6\nT1 f 3 1 .6\nT1 z -999 1 NA\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    rows = [f"T1 Q0 {document} {rank} {9 - rank} r\n" for rank, document in enumerate(RANKED["T1"], 1)]
    for name, text in {"r.run": "".join(rows), "strata.txt": STRATA, "prels.txt": PRELS, "q.txt": "T1 0 a 1\n"}.items():
        Path(name).write_text(text)


def call(capfd, *words):
    status = main(words)
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def test_score_reads_the_file_in_the_form_that_the_measures_need(files, capfd):
    status, out, _ = call(capfd, "score", "r.run", "strata.txt", "-m", "infNDCG", "-m", "xinfAP NumRet NumQ")
    assert status == 0
    assert out.split("\n")[-2].split() == ["r", "0.5102", "0.5417", "7", "1"]
    status, out, _ = call(capfd, "score", "r.run", "prels.txt", "-m", "statAP,statRP,NumRet")
    assert status == 0
    assert out.split("\n")[-2].split() == ["r", "0.5000", "0.7333", "7"]
    assert out.split("\n")[1] == "1 line of prels.txt passed over, not part of the sample"
    status, out, _ = call(capfd, "compare", "r.run", "r.run", "prels.txt", "-m", "statAP")
    assert status == 0
    assert "statAP" in out


@pytest.mark.parametrize(
    ("judgments", "measure", "message"),
    [
        (
            "q.txt",
            "infNDCG",
            "q.txt:1: expected 5 fields, found 4: 'T1 0 a 1'. A line of judgments sampled by stratum is",
        ),
        ("q.txt", "statAP", "q.txt:1: expected 5 fields, found 4: 'T1 0 a 1'. A line of judgments sampled with known "),
        (
            "prels.txt",
            "xinfAP",
            "prels.txt:4: the grade '.6' is not a whole number. A line of judgments sampled by stratum",
        ),
        (
            "strata.txt",
            "statAP",
            "strata.txt:1: the grade 'c' is not a whole number. A line of judgments sampled with kno",
        ),
        ("strata.txt", "infNDCG nDCG", "strata.txt:1: expected 4 fields, found 5: 'T1 0 c 1 2'. A qrels line is"),
    ],
)
def test_a_file_of_another_form_is_refused_with_the_form_that_was_expected(files, capfd, judgments, measure, message):
    status, out, err = call(capfd, "score", "r.run", judgments, "-m", measure)
    assert (status, out) == (1, "")
    assert err.startswith(f"irkit: {message}")


def test_judgments_of_another_kind_are_refused_by_name():
    strata, prels = Strata.of({"1": {"a": ("A", 1)}}), Prels.of({"1": {"a": (1, 1, 1)}})
    for measure, qrels, message in (
        (
            "statAP",
            strata,
            r"statAP needs judgments sampled with known probabilities \(read_prels\), not .*read_strata",
        ),
        ("infNDCG", prels, r"infNDCG needs judgments sampled by stratum \(read_strata\), not .*\(read_prels\)"),
        ("P@10", prels, r"P@10 needs plain qrels \(read_qrels\), not judgments sampled with known probabilities"),
    ):
        with pytest.raises(MeasureError, match=message):
            evaluate(run={"1": ["a"]}, qrels=qrels, measures=measure)


def test_a_mapping_is_read_as_the_measures_need_it():
    found = evaluate(run={"1": ["a"]}, qrels={"1": {"a": ("A", 1)}}, measures="infNDCG")
    assert found.summary.tolist() == [1]
    found = evaluate(run={"1": ["a"]}, qrels={"1": {"a": (1, 1, 0.5)}}, measures="statP@1")
    assert found.summary.tolist() == [2]


def test_measures_without_a_name_are_those_of_the_kind():
    for qrels, measures in (
        (Strata.of({"1": {"a": ("A", 1)}}), ["infNDCG", "xinfAP", "iP@10"]),
        (Prels.of({"1": {"a": (1, 1, 1)}}), ["statAP", "statRprec", "statP@10"]),
    ):
        assert list(map(str, evaluate(run={"1": ["a"]}, qrels=qrels).measures)) == measures


def test_a_topic_that_the_run_lacks_is_0_or_left_out():
    strata = Strata.of({"1": {"a": ("A", 1)}, "2": {"a": ("A", 1)}})
    assert evaluate(run={"1": ["a"]}, qrels=strata, measures="infNDCG").summary.tolist() == [0.5]
    both = irkit.judge_strata({"1": ["a"]}, strata, average="intersection")
    assert both.topics == ("1",)
    assert both.missing == ("2",)


def test_no_retrieved_document_in_the_pool_is_said():
    found = evaluate(run={"1": ["a"]}, qrels=Strata.of({"1": {"ab": ("A", 1)}}))
    assert found.notes[0].startswith("no retrieved document is judged: are the document ids alike?")


def test_a_probability_too_small_to_divide_by_is_refused(tmp_path):
    (tmp_path / "q").write_text("1 a 1 1 1e-320\n")
    with pytest.raises(FormatError, match="q:1: the inclusion-probability '1e-320' is below 1e-100"):
        read_prels(tmp_path / "q")


# Written again ------------------------------------------------------------------------------------------------------


def test_written_judgments_are_lines_of_their_form_and_read_back_equal(tmp_path):
    strata = read_from(tmp_path, read_strata, b"2 0 z B 1\n2 x b A -1\n2 0 a A 2\n10 0 a caf\xe9 0\n")
    assert strata.as_trec() == b"10 0 a caf\xe9 0\n2 0 a A 2\n2 0 b A -1\n2 0 z B 1\n"
    strata.write(tmp_path / "strata")
    assert read_strata(tmp_path / "strata").to_dict() == strata.to_dict()
    # Methods 0 and 2 give probability 1; d is passed over, since its grade says that it is not in the sample.
    prels = read_from(tmp_path, read_prels, b"1 c 0 0 0.3\n1 a 2 1 0.25\n1 b 1 2 0.1\n1 d -999 1 0.5\n")
    assert prels.as_trec() == b"1 a 2 1 0.25\n1 b 1 1 1.0\n1 c 0 1 1.0\n"
    prels.write(tmp_path / "prels.gz")
    assert read_prels(tmp_path / "prels.gz").to_dict() == prels.to_dict()


def test_an_id_that_a_line_cannot_carry_is_not_written(tmp_path):
    strata = Strata.of({"1": {"a": ("in two", 1)}})
    with pytest.raises(FormatError, match="judgments: the stratum 'in two' is empty or holds white space"):
        strata.write(tmp_path / "strata")
    assert not (tmp_path / "strata").exists()
