"""Faults that users of other tools reported: ties and order, scores, files and ids. Both kernels are free of them.

Each name begins with the number that the fault has in the list which the project keeps; the data are our own.
"""

import bz2
import gzip
import itertools
import lzma
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from kernels import KERNELS, load

from irkit import _kernel, evaluate
from irkit.cli import main
from irkit.data.qrels import Qrels, read_qrels
from irkit.data.runs import Run, read_run
from irkit.data.topics import read_topics
from irkit.errors import DataError, FormatError
from irkit.judged import judge
from irkit.judged.matching import retrieved

pytestmark = pytest.mark.usefixtures("kernel")


@pytest.fixture(params=KERNELS)
def kernel(request, monkeypatch):
    module = load(request.param)
    for name in set(_kernel.__all__) - {"NAME"}:
        monkeypatch.setattr(_kernel, name, getattr(module, name))
    return request.param


@pytest.fixture
def files(tmp_path):
    """Writes a run and qrels; gives their paths."""

    def write(run: bytes, qrels: bytes):
        (tmp_path / "r").write_bytes(run)
        (tmp_path / "q").write_bytes(qrels)
        return tmp_path / "r", tmp_path / "q"

    return write


def value(run, qrels, measure):
    return evaluate(run=run, qrels=qrels, measures=measure).value(measure)


def refused(path, qrels):
    """What is said of a run that is read whole; that it is said of one that is only scored too."""
    with pytest.raises(FormatError) as whole:
        read_run(path)
    with pytest.raises(FormatError) as found:
        retrieved(path, read_qrels(qrels))
    assert str(found.value) == str(whole.value)
    return str(whole.value)


# Ties and order ----------------------------------------------------------------------------------------------------


def test_b01_a_tie_goes_to_the_greater_document_id_wherever_it_stands(files):
    # zebra before ant: ant, the one that counts, has rank 2
    for lines in ([b"7 Q0 ant 1 4 r", b"7 Q0 zebra 2 4 r"], [b"7 Q0 zebra 1 4 r", b"7 Q0 ant 2 4 r"]):
        run, qrels = files(b"\n".join(lines), b"7 0 ant 1")
        assert value(run, qrels, "RR") == 1 / 2
        assert value(run, qrels, "P@1") == 0
        assert value(run, qrels, "AP") == 1 / 2
        assert value(run, qrels, "nDCG") == pytest.approx(1 / math.log2(3))


def test_b02_the_order_of_a_dict_is_no_ranking():
    for order in itertools.permutations("mno"):
        run = {"t": dict.fromkeys(order, 0.25)}  # o n m
        assert value(run, {"t": {"m": 1}}, "AP") == pytest.approx(1 / 3)
        assert value(run, {"t": {"m": 1}}, "nDCG") == pytest.approx(1 / math.log2(4))
        assert evaluate(run=run, qrels={"t": {"m": 1}}, measures="AP nDCG SetP").tie_notes == (
            "ties: 3 of 3 documents share a score with one that is judged otherwise, in 1 of 1 topic; they could move "
            "AP between 0.3333 and 1.0000, nDCG between 0.5000 and 1.0000",
        )


@pytest.mark.parametrize(("first", "second"), [("8", "12"), ("8", "08"), ("z", "Z"), ("é", "z"), ("ab", "a")])
def test_b03_ids_are_compared_as_bytes_and_never_as_numbers_or_words(files, first, second):
    run, qrels = files(f"1 Q0 {second} 1 3 r\n1 Q0 {first} 2 3 r\n".encode(), f"1 0 {second} 1\n".encode())
    assert value(run, qrels, "RR") == 1 / 2


def test_b04_every_reading_and_writing_has_one_order(files):
    lines = [f"1 Q0 {document} {rank} 0.5 r".encode() for rank, document in enumerate("pqrst", 1)]
    for order in itertools.permutations(lines):
        run, _ = files(b"\n".join(order), b"1 0 p 1")
        written = read_run(run).as_trec().decode().splitlines()
        assert [line.split()[2:4] for line in written] == [["t", "1"], ["s", "2"], ["r", "3"], ["q", "4"], ["p", "5"]]
        found = retrieved(run, Qrels.from_grades({"1": {"s": 1, "p": 1}}))
        assert found.matches.rank.tolist() == [2, 5]


def test_b05_a_ranking_is_cut_after_its_ties_are_broken(files):
    run, qrels = files(b"1 Q0 k 1 2.0 r\n1 Q0 l 2 2.0 r\n", b"1 0 k 1\n")
    assert value(run, qrels, "RR@1") == 0
    assert judge(run, read_qrels(qrels)).cut(1).rank.tolist() == []


def test_b06_the_score_ranks_and_not_the_rank_column(files):
    run, qrels = files(b"1 Q0 k 1 -3 r\n1 Q0 l 2 7 r\n", b"1 0 k 1\n")
    assert value(run, qrels, "RR") == 1 / 2
    run, qrels = files(b"1 Q0 k 0 7 r\n1 Q0 l 0 -3 r\n", b"1 0 k 1\n")
    assert value(run, qrels, "RR") == 1


# Scores ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", [b"nan", b"NaN", b"-nan", b"nan(1)", b"None", b"null"])
@pytest.mark.parametrize("place", [1, 2])
def test_b07_no_score_is_nan_in_a_file(files, word, place):
    lines = [b"1 Q0 k 1 5 r", b"1 Q0 l 2 4 r"]
    lines[place - 1] = lines[place - 1].replace(b" 5 " if place == 1 else b" 4 ", b" " + word + b" ")
    run, qrels = files(b"\n".join(lines), b"1 0 k 1\n")
    assert refused(run, qrels) == (
        f"{run}:{place}: the score {word.decode()!r} is not a decimal number such as 12.5 or 1e-3"
    )


@pytest.mark.parametrize("score", [float("nan"), None, np.float32("nan"), "0.5", True])
def test_b07_no_score_is_nan_or_missing_in_a_dict(score):
    with pytest.raises(FormatError, match=r"'doc'.*'t'"):
        judge({"t": {"doc": score}}, {"t": {"doc": 1}})


def test_b07_infinite_scores_have_their_place(files):
    run, qrels = files(b"1 Q0 a 1 -inf r\n1 Q0 b 2 9e99 r\n1 Q0 c 3 inf r\n", b"1 0 a 1\n1 0 b 2\n1 0 c 3\n")
    found = retrieved(run, read_qrels(qrels)).matches
    assert found.grade.tolist() == [3, 2, 1]
    assert found.rank.tolist() == [1, 2, 3]


def test_b08_negative_scores_and_exponents_are_numbers(files):
    run, qrels = files(b"1 Q0 k 1 -0.5 r\n1 Q0 l 2 -12 r\n", b"1 0 k 1\n")
    assert value(run, qrels, "RR") == 1
    run, qrels = files(b"1 Q0 k 1 3e-07 r\n1 Q0 l 2 0.0000004 r\n", b"1 0 k 1\n")
    assert value(run, qrels, "RR") == 1 / 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            b"1 Q0 k 1 0.5",
            "expected 6 fields, found 5: '1 Q0 k 1 0.5'. A run line is 'topic Q0 document rank score tag'",
        ),
        (b"1 Q0 k 1 high r", "the score 'high' is not a decimal number such as 12.5 or 1e-3"),
        (b"1 Q0 k 1 2,75 r", "the score '2,75' is not a decimal number such as 12.5 or 1e-3"),
        (b"1 Q0 k 1 0x1F r", "the score '0x1F' is not a decimal number such as 12.5 or 1e-3"),
        (b"1 Q0 k 1 1_000 r", "the score '1_000' is not a decimal number such as 12.5 or 1e-3"),
    ],
)
def test_b09_a_line_that_is_no_run_line_is_refused(files, line, said):
    run, qrels = files(b"1 Q0 m 1 1 r\n" + line, b"1 0 k 1\n")
    assert refused(run, qrels) == f"{run}:2: {said}"


def test_b09_what_follows_the_tag_is_passed_over(files):
    run, qrels = files(b"1 Q0 k 1 2 r and more\n", b"1 0 k 1\n")
    assert value(run, qrels, "RR") == 1
    assert read_run(run).tag == "r"


# Files and ids -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), [("042", "42"), ("2e3", "2000.0"), ("3.0", "3"), ("-7", "-07")])
def test_b14_ids_are_no_numbers(files, one, other):
    run, qrels = files(f"{other} Q0 d 1 1 r\n".encode(), f"{one} 0 d 1\n".encode())
    with pytest.raises(DataError, match="no topic in common") as problem:
        judge(run, read_qrels(qrels))
    assert f"such as {other!r}" in str(problem.value)
    assert f"such as {one!r}" in str(problem.value)
    run, qrels = files(f"t Q0 {other} 1 1 r\n".encode(), f"t 0 {one} 1\nt 0 {other} 0\n".encode())
    assert value(run, qrels, "RR") == 0
    assert read_run(run).as_trec() == f"t Q0 {other} 1 1.0 r\n".encode()


def test_b15_a_run_is_known_by_its_columns_and_the_second_is_free(files, capfd):
    run, qrels = files(b"1 0 k 1 2.5 r\n1 run l 2 1.5 r\n", b"1 Q0 k 1\n")
    assert value(run, qrels, "RR") == 1
    assert main(["score", str(run), str(qrels)]) == 0


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "mark"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("between", [b" ", b"\t", b" \t  "], ids=["blank", "tab", "both"])
@pytest.mark.parametrize("empty", [b"", b" \t", b"# a comment"], ids=["empty", "blanks", "comment"])
def test_b16_marks_line_ends_tabs_and_empty_lines_change_nothing(files, mark, end, between, empty):
    run = [b"  1 Q0 k 1 2 r  ", empty, b"1 Q0 l 2 1 r", b""]
    qrels = [b"1 0 k 1", b"", b"1 0 l 0", empty]
    paths = files(*(mark + end.join(lines).replace(b" ", between) for lines in (run, qrels)))
    assert value(*paths, "AP") == 1
    assert retrieved(paths[0], read_qrels(paths[1])).lengths.tolist() == [2]


def test_b17_ids_are_bytes_whatever_the_machine_thinks_of_them(kernel, tmp_path):
    names = [b"na\xc3\xafve", b"na\xefve", b"a\xc2\xa0b", b"\xff\xfe\x80"]
    for n, name in enumerate(names):
        (tmp_path / f"run.{n}").write_bytes(b"1 Q0 %s 1 1 r\n" % name)
        (tmp_path / f"qrels.{n}").write_bytes(b"1 0 %s 1\n" % name)
    code = (
        "import sys; from irkit import evaluate, read_run\n"
        f"for n in range({len(names)}):\n"
        "    run, qrels, again = (f'{sys.argv[1]}/{name}.{n}' for name in ('run', 'qrels', 'again'))\n"
        "    read_run(run).write(again); print(evaluate(run=run, qrels=qrels, measures='AP').value('AP'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "IRKIT_KERNEL": kernel},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert done.stdout == b"1.0\n" * len(names)
    for n, name in enumerate(names):
        assert (tmp_path / f"again.{n}").read_bytes() == b"1 Q0 %s 1 1.0 r\n" % name


def zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd as module
    else:
        from backports import zstd as module
    return module.compress(data)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_b18_compression_is_seen_in_the_bytes_and_an_end_that_lacks_is_an_error(tmp_path, compress):
    lines = b"".join(b"1 Q0 d%d 1 %d r\n" % (number, 3000 - number) for number in range(3000))
    packed = compress(lines)
    qrels = Qrels.from_grades({"1": {"d2": 1}})
    for name in ("run", "run.txt", "run.gz", "run.zst"):
        (tmp_path / name).write_bytes(packed)
        assert value(tmp_path / name, qrels, "RR") == pytest.approx(1 / 3)
    (tmp_path / "cut").write_bytes(packed[: len(packed) // 2])
    for work in (read_run, lambda path: retrieved(path, qrels)):
        with pytest.raises(FormatError, match=r"cut: the file or its archive is cut off or damaged"):
            work(tmp_path / "cut")


def test_b19_a_document_twice_in_a_topic_is_refused_with_both_lines(files):
    run, qrels = files(b"1 Q0 k 1 9 r\n\n2 Q0 k 1 9 r\n2 Q0 l 2 8 r\n2 Q0 k 3 8.5 r\n", b"2 0 k 1\n")
    assert refused(run, qrels) == f"{run}:5: document 'k' occurs twice in topic '2', first in line 3; keep one of them"
    qrels.write_bytes(b"2 0 k 1\n# between\n2 0 k 1\n")
    with pytest.raises(FormatError, match=r"q:3: document 'k' occurs twice in topic '2', first in line 1;"):
        read_qrels(qrels)


def test_b20_long_ids_stay_whole_and_cut_ones_are_pointed_out(files, capfd):
    long = "clueweb22-en0042-17-09381:section-0004-paragraph-0017"
    run, qrels = files(f"1 Q0 {long} 1 1 r\n".encode(), f"1 0 {long} 1\n".encode())
    assert value(run, qrels, "RR") == 1
    run.write_text(f"1 Q0 {long[:20]} 1 1 r\n")
    assert value(run, qrels, "RR") == 0
    assert main(["score", str(run), str(qrels)]) == 0
    said = "".join(capfd.readouterr())
    assert "no retrieved document is judged" in said
    assert f"{long[:20]!r} is the beginning of {long!r}" in said


@pytest.mark.parametrize(("run", "qrels", "what"), [(b"", b"1 0 k 1\n", "run"), (b"1 Q0 k 1 1 r\n", b"", "qrels")])
def test_b21_an_empty_file_is_an_error(files, capfd, run, qrels, what):
    paths = files(run, qrels)
    assert main(["score", *map(str, paths)]) == 1
    assert f"the {what} file is empty" in capfd.readouterr().err


def test_b21_a_topic_with_nothing_retrieved_counts_nought():
    found = evaluate(run={"t": {}}, qrels={"t": {"d": 1}}, measures="AP")
    assert (found.value("AP"), found.topics) == (0, ("t",))


def test_b22_files_in_the_wrong_order_are_seen(files, capfd):
    run, qrels = files(b"1 Q0 k 1 1 r\n", b"1 0 k 1\n")
    assert main(["score", str(qrels), str(run)]) == 1
    said = capfd.readouterr().err
    assert f"{qrels} has 4 columns and looks like qrels, {run} has 6 and looks like a run; swap them?" in said


def test_b22_two_dicts_are_named_where_they_are_given():
    with pytest.raises(TypeError):
        evaluate({"t": {"d": 1.0}}, {"t": {"d": 1}})
    with pytest.raises(TypeError):
        Run({"t": {"d": 1.0}})


def test_b23_every_topic_that_stands_twice_is_listed(tmp_path):
    (tmp_path / "topics").write_text("1\tfish\n2\tbirds\n1\tfrogs\n3\tbees\n3\twasps\n")
    with pytest.raises(FormatError, match=r"'1' \(lines 1, 3\); '3' \(lines 4, 5\); keep one of each"):
        read_topics(tmp_path / "topics")
