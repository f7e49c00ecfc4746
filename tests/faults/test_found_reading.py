"""Faults found in reading files: shifted columns, headings, other formats, limits; by their numbers."""

import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from kernels import KERNELS, load

import irkit
from irkit import pytrec_eval, read_qrels, read_run
from irkit.checking import check, mend
from irkit.cli import main
from irkit.data.documents import Document, read_documents, write_documents
from irkit.data.topics import read_topics
from irkit.errors import FormatError, UsageError
from irkit.ir_measures import read_trec_qrels, read_trec_run
from irkit.judged.matching import retrieved
from irkit.trec_eval import main as trec_eval

SHIFTED = "1 Q0 New York 1 0.9 r\n1 Q0 Paris 2 0.95 r\n"
QRELS = "1 0 New 1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write files into an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        for name, content in contents.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def said_of(read, *words):
    with pytest.raises((FormatError, ValueError)) as refused:
        read(*words)
    return str(refused.value)


@pytest.fixture(params=KERNELS)
def kernel(request):
    return load(request.param)


# C01, C02: shifted columns -----------------------------------------------------------------------------------------

# A line, and what its message has to hold.
REFUSED = {
    SHIFTED: "found 7 fields for 6, and the rank field is 'York'",
    "1 Q0 New York 9 0.9 r\n1 Q0 Los Angeles 8 0.95 r\n": "the rank field is 'York'",
    "1\tQ0\tNew York\t9\t0.9\tr\n": "the rank field is 'York'",
    "1 Q0 New b 1 2\n": "'b' is not a whole number, in '1 Q0 New b 1 2'. Is there a blank in an id",
    "1 Q0 a 0.5 1 r\n": "'0.5' is not a whole number, in '1 Q0 a 0.5 1 r'. Are rank and score exchanged?",
    "1 Q0 a 99999999999999999999 1 r\n": "'99999999999999999999' is not a whole number",
    "1 Q0 a - 1 r\n": "'-' is not a whole number",
}


@pytest.mark.parametrize("line", REFUSED)
def test_c01_c02_a_line_without_a_rank_is_refused_by_every_kernel_with_its_number_and_fields(kernel, line):
    data = b"7 Q0 x 1 2 r\n" + line.encode()
    pool = kernel.Pool(read_qrels_of(QRELS).columns())
    for read in (lambda: kernel.parse_run(data, "run"), lambda: scored(kernel, pool, data)):
        said = said_of(read)
        assert said.startswith("run:2: ")
        assert REFUSED[line] in said


def read_qrels_of(text):
    return irkit.Qrels.from_grades({(its := line.split())[0]: {its[2]: int(its[3])} for line in text.splitlines()})


def scored(kernel, pool, data):
    scorer = kernel.Scorer(pool, "run", float32=False)
    scorer.feed(data)
    return scorer.finish()


@pytest.mark.parametrize("rank", ["1", "0", "-3", "+2", "1.0", "12345678", "9223372036854775807"])
def test_c01_any_whole_number_is_a_rank_and_fields_after_the_tag_are_passed_over(kernel, rank):
    columns = kernel.parse_run(f"1 Q0 a {rank} 0.5 r more\n".encode(), "run")
    assert columns.scores.tolist() == [0.5]


def test_c01_every_way_into_irkit_refuses_the_line_with_the_same_words(files, capsys):
    files(run=SHIFTED, other="1 Q0 a 1 2 r\n", qrels=QRELS)
    words = "the rank field is 'York'"
    for command in (
        ["score", "run", "qrels"], ["compare", "run", "other", "qrels"], ["fuse", "run", "other", "--out", "fused"],
        ["diff", "run", "other", "qrels"], ["holes", "run", "qrels"],
    ):  # fmt: skip
        assert main(command) == 1, command
        assert f"run:1: found 7 fields for 6, and {words}" in capsys.readouterr().err, command
    for read in (
        read_run,
        read_trec_run,
        irkit.Run.of,
        lambda path: irkit.evaluate(run=path, qrels="qrels", measures=["RR"]),
    ):
        assert words in said_of(read, "run")
    with Path("run").open() as lines:  # which pytrec_eval refuses for its seven fields
        assert "line 1: expected 6 fields, found 7" in said_of(pytrec_eval.parse_run, lines)
    assert "column 4 is no rank: 'b' is not a whole number" in said_of(pytrec_eval.parse_run, ["1 Q0 New b 1 2"])


def test_c01_check_names_the_line_as_an_error_and_fix_leaves_it(files, capsys):
    files(run=SHIFTED + "1 Q0 c 3 0.5 r x\n1 Q0 Boeing 747 1 0.4 r\n")
    assert {"bad-rank", "extra-fields"} <= set(check("run").codes)
    report = mend("run", out="copy")
    assert Path("copy").read_text() == SHIFTED + "1 Q0 c 3 0.5 r\n1 Q0 Boeing 747 1 0.4 r\n"
    assert report.repaired[0].left == (
        "1 line without a whole number for the rank, as line 1: which column holds rank and score is a guess",
        "1 line of more than six fields with a number for the tag, as line 4: a blank in an id may have moved the "
        "columns",
    )
    assert main(["check", "run", "--fix", "--out", "again"]) == 1


def test_c01_trec_eval_stays_as_trec_eval_is_with_one_warning(files, capsys, monkeypatch):
    files(run=SHIFTED.replace("Paris", "Big Paris") + "1 Q0 d first 9 r\n", qrels=QRELS)
    # trec_eval reads New with score 1, Big with score 2 and d with score 9: New ranks third.
    warning = (
        "trec_eval: warning: run:1: the rank 'York' is not a whole number; ranks are passed over, and the fifth field "
        "is the score. Is there a blank in an id?\n"
    )
    assert trec_eval(["-m", "recip_rank", "qrels", "run"]) == 0
    assert capsys.readouterr() == ("recip_rank            \tall\t0.3333\n", warning)
    with Path("run").open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        assert trec_eval(["-m", "recip_rank", "qrels", "-"]) == 0
    assert capsys.readouterr() == (
        "recip_rank            \tall\t0.3333\n",
        warning.replace("run:1", "standard input:1"),
    )


# Whole scores that stand in the column of ranks, and ranks in that of scores; an id with a blank and a number, no tag.
EXCHANGED = {
    "1 Q0 a 90 1 r\n1 Q0 b 80 2 r\n1 Q0 c 70 3 r\n": "ranks fall (90, 80, 70) while scores count up (1, 2, 3)",
    "1 Q0 a 12.0 1 r\n1 Q0 b 9.0 2 r\n1 Q0 c 9.0 3 r\n": "ranks fall (12.0, 9.0, 9.0) while scores count up (1, 2, 3)",
    "1\tQ0\ta\t9\t0\tr\r\n1\tQ0\tb\t7\t1\tr\r\n1\tQ0\tc\t2\t2\tr": (
        "ranks fall (9, 7, 2) while scores count up (0, 1, 2)"
    ),
    "1 Q0 Area 51 1 0.9\n1 Q0 Boeing 747 2 0.8\n1 Q0 Route 66 3 0.7\n": (
        "tags are numbers that fall (0.9, 0.8, 0.7) while scores count up (1, 2, 3)"
    ),
}


@pytest.mark.parametrize("lines", EXCHANGED)
def test_c02_rank_and_score_exchanged_are_told_where_every_line_can_be_read(files, capsys, lines):
    files(run=lines, packed=gzip.compress(lines.encode()), qrels="1 0 a 1\n", other="1 Q0 a 1 2 r\n")
    for command in (["score", "run", "qrels"], ["score", "packed", "qrels"], ["fuse", "run", "other", "--out", "o"]):
        assert main(command) == 1
        assert f"{command[1]}:1: column 4 is no rank: in topic '1' {EXCHANGED[lines]}" in capsys.readouterr().err
    assert "Are rank and score exchanged" in said_of(read_run, "run")
    assert EXCHANGED[lines] in said_of(pytrec_eval.parse_run, lines.splitlines())
    assert check("run").codes[0] == "exchanged-columns"
    assert trec_eval(["-m", "num_ret", "qrels", "run"]) == 0
    assert capsys.readouterr() == (
        "num_ret               \tall\t3\n",
        f"trec_eval: warning: run:1: in topic '1' {EXCHANGED[lines]}; ranks are passed over, and the fifth field "
        "is the score. Is there a blank in an id?\n",
    )


@pytest.mark.parametrize(
    "lines",
    [
        "1 Q0 a 3 1 r\n1 Q0 b 2 2 r\n1 Q0 c 1 3 r\n",  # written from the last rank on
        "1 Q0 a 0 1 r\n1 Q0 b 0 2 r\n1 Q0 c 0 3 r\n",  # without ranks
        "1 Q0 a 1 1 9\n1 Q0 b 2 2 9\n1 Q0 c 3 3 9\n",  # ranks and scores alike
        "1 Q0 a 90 1 r\n1 Q0 b 80 2 r\n",  # two lines say nothing
        "1 Q0 a 90 1 r\n1 Q0 b 80 2 r\n1 Q0 c 70 3 r\n2 Q0 a 1 9 r\n2 Q0 b 2 8 r\n2 Q0 c 3 7 r\n",  # not every topic
    ],
)
def test_c02_what_may_be_meant_is_read(files, lines):
    files(run=lines)
    assert len(read_run("run")) == lines.count("\n")
    assert "exchanged-columns" not in check("run").codes


def test_c01_a_number_for_the_tag_of_more_than_six_fields_is_refused_in_every_kernel(kernel):
    data = b"1 Q0 Area 51 1 0.9 r\n1 Q0 Paris 2 0.95 r\n"
    pool = kernel.Pool(read_qrels_of(QRELS).columns())
    for read in (lambda: kernel.parse_run(data, "run"), lambda: scored(kernel, pool, data)):
        assert "run:1: found 7 fields for 6, and the tag would be the number '0.9'" in said_of(read)
    assert kernel.parse_run(b"1 Q0 a 1 0.9 2024\r\n1 Q0 b 2 0.5 2024 \t \n", "run").tag == b"2024"


def test_c02_qrels_with_a_blank_in_an_id_are_asked_for_it_and_sampled_judgments_are_named(files):
    files(shifted="1 0 New York 1\n", sampled="1 0 d 2 1\n", longer="1 0 New York City 1\n")
    assert said_of(read_qrels, "shifted").endswith("Is there a blank in an id? Ids hold no blanks")
    assert said_of(read_qrels, "longer").endswith("Is there a blank in an id? Ids hold no blanks")
    assert "sampled judgments have five" in said_of(read_qrels, "sampled")


# C03: headings -----------------------------------------------------------------------------------------------------


def test_c03_a_line_that_names_the_columns_is_told_and_taken_out(files):
    run, qrels = "1 Q0 a 1 2 r\n", "1 0 a 1\n"
    files(run="qid Q0 docid rank score tag\n" + run, qrels="topic\titer\tdocno\trel\n" + qrels)
    for name, read, whole in (("run", read_run, run), ("qrels", read_qrels, qrels)):
        said = said_of(read, name)
        assert said.startswith(f"{name}:1: ")
        assert "is the header of" in said
        assert "take it out, as 'irkit check' does in a repaired copy" in said
        assert check(name).codes[0] == "header-line"
        assert mend(name, out="copy").passes()
        assert Path("copy").read_text() == whole


def test_c03_columns_in_another_order_are_named_and_stay(files):
    files(run="docid Q0 qid rank score tag\na Q0 1 1 2 r\n", qrels="docid 0 qid grade\na 0 1 1\n")
    for name, read in (("run", read_run), ("qrels", read_qrels)):
        said = said_of(read, name)
        assert "is the header of" in said
        assert not mend(name, out="copy").passes()


def test_c03_beirs_qrels_are_read_everywhere(files, capsys):
    files(
        beir="query-id\tcorpus-id\tscore\n1\ta\t1\n\n1\tb\t0\n2\tb\t2\n",
        trec="1 0 a 1\n1 0 b 0\n2 0 b 2\n",
        run="1 Q0 b 1 2 r\n1 Q0 a 2 1 r\n",
    )
    wanted = {"1": {"a": 1, "b": 0}, "2": {"b": 2}}
    assert read_qrels("beir").to_dict() == irkit.Qrels.of("beir").to_dict() == wanted
    assert [(one.query_id, one.doc_id, one.relevance) for one in read_trec_qrels("beir")] == [
        ("1", "a", 1), ("1", "b", 0), ("2", "b", 2),
    ]  # fmt: skip
    shown = []
    for qrels in ("beir", "trec"):
        assert main(["score", "run", qrels, "-m", "RR"]) == 0
        shown.append(capsys.readouterr().out.replace("beir", "trec"))
    assert shown[0] == shown[1]
    assert check("beir").passes()
    assert {"beir-qrels", "blank-line"} <= set(check("beir").codes)
    files(documents='{"id": "a", "contents": "x"}\n')
    files(fractional="query-id\tcorpus-id\tscore\n1\ta\t0.5\n")
    assert irkit.read_fractional_qrels("fractional").to_dict() == {"1": {"a": 0.5}}
    unknown = [one for one in check(qrels=["beir"], documents=["documents"]).findings if one.code == "unknown-document"]
    assert [(one.line, one.topic) for one in unknown] == [(4, "1"), (5, "2")]


def test_c03_errors_in_beirs_qrels_have_the_lines_of_the_file(files):
    head = "query-id\tcorpus-id\tscore\n1\ta\t1\n\n"
    files(few=head + "1\tb\n", blank=head + "1\tNew York\t1\n", twice=head + "1\ta\t0\n", grade=head + "1\tb\tx\n")
    for name, said in {
        "few": "few:4: expected 3 columns, found 2. BEIR's qrels have 'topic document grade'",
        "blank": "blank:4: expected 3 columns, found 4.",
        "twice": "twice:4: document 'a' occurs twice in topic '1'",
        "grade": "grade:4: the grade 'x' is no",
    }.items():
        assert said_of(read_qrels, name).startswith(said)
        assert not check(name).passes()
    files(other="corpus-id\tquery-id\tscore\na\t1\t1\n")
    assert "is the header of" in said_of(read_qrels, "other")


def test_c03_c05_lines_given_to_the_python_interfaces_are_read_as_files_are(files):
    beir = "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n"
    assert pytrec_eval.parse_qrel(io.StringIO(beir)) == {"1": {"a": 1, "b": 0}}
    for read, line, end in (
        (pytrec_eval.parse_qrel, "1 0 a 1", {"1": {"a": 1}}),
        (pytrec_eval.parse_run, "1 0 a 1 1 r", {"1": {"a": 1.0}}),
        (read_trec_qrels, "1 0 a 1", [("1", "a", 1, "0")]),
        (read_trec_run, "1 0 a 1 1 r", [("1", "a", 1.0)]),
    ):
        assert read(io.StringIO(f"\ufeff{line}\n")) == end  # a byte order mark is no part of the topic
        nbsp = read(io.StringIO(line.replace("a", "a\u00a0b") + "\n"))  # which parts no fields
        assert str(nbsp).replace("\\xa0b", "") == str(read(io.StringIO(line + "\n")))
        assert "a NUL byte is no text; remove it" in said_of(read, io.StringIO(line.replace("a", "a\0") + "\n"))
        assert "this is JSON" in said_of(read, io.StringIO('{"1": {"a": 1}}\n'))
        assert "this is CSV" in said_of(read, io.StringIO(line.replace(" ", ",") + "\n"))
        heading = {4: "topic iter docid rel", 6: "topic q0 docid rank score tag"}[len(line.split())]
        assert "is the header of" in said_of(read, io.StringIO(f"{heading}\n{line}\n"))
    assert "line 2: expected 3 fields, found 4" in said_of(pytrec_eval.parse_qrel, [*beir.splitlines()[:1], "1 a b 1"])
    assert "is not a decimal number" in said_of(
        pytrec_eval.parse_run, ["1 Q0 a 1 \u0663 r"]
    )  # the digit three of Arabic
    files(qrels="# made by hand\n1 0 a 1\n")
    assert read_trec_qrels("qrels") == [("1", "a", 1, "0")]


# C05: other formats ------------------------------------------------------------------------------------------------

FORMATS = {
    b"PAR1\x15\x04": "a Parquet file; read it with pandas",
    b"ARROW1\0\0": "an Arrow file",
    b"\x04\x22\x4d\x18dd": "compressed with lz4; unpack it first",
    b"\x89HDF\r\n": "an HDF5 file",
    b"SQLite format 3\0": "an SQLite database",
    b'{"1": {"a": 0.5}}\n': "this is JSON",
    b'{"qid": "1", "docid": "a", "score": 0.5}\n': "this is JSON",
    b"qid,docid,rank,score\n1,a,1,2\n": "this line is the header of CSV",
    b"1\ta\t1\n1\tb\t2\n": "the three columns of MS MARCO",
    b"1 7\n": "the two columns of MS MARCO's reference",
    b"1, Q0, a, 1, 0.5, r\n": "this is CSV",
}


@pytest.mark.parametrize("content", FORMATS, ids=lambda content: content[:8].decode("latin-1"))
def test_c05_another_format_is_named_with_the_way_on(files, content):
    files(file=content)
    for read in (read_run, read_qrels, lambda path: retrieved(path, read_qrels_of(QRELS))):
        assert FORMATS[content] in said_of(read, "file")
    assert not check("file").passes()


def test_c05_a_file_that_was_compressed_again_is_read_and_a_chain_without_end_is_not(files):
    content = b"1 Q0 a 1 2 r\n"
    for n in range(5):
        files(file=content)
        if n <= 2:
            assert read_run("file").to_dict() == {"1": {"a": 2.0}}
        content = gzip.compress(content, mtime=0)
    assert "unpack it first" in said_of(read_run, "file")
    files(mixed=bz2.compress(lzma.compress(b"1 0 a 1\n")))
    assert read_qrels("mixed").to_dict() == {"1": {"a": 1}}


def test_c05_msmarcos_reference_and_run_are_taken_neither_for_topics_nor_for_judgments(files, capsys):
    files(
        reference="1\t7\n1\t8\n2\t9\n",
        run="".join(f"1\t{document}\t{rank}\n" for rank, document in enumerate((9, 7, 8, 5, 6), 1)),
        topics="1\tcats\n2\tdogs\n",
        documents='{"id": "7", "contents": "x"}\n',
    )
    for said in (said_of(read_topics, "reference"), check("reference").findings[0].fix):
        assert "MS MARCO's reference (topic, document); as qrels write 'topic 0 document 1', a line for each" in said
        assert "keep one" not in said
    assert check("reference").codes == ("unknown-format",)
    assert not mend("reference", out="copy").passes()
    collection = ["convert", "--documents", "documents", "--topics", "topics", "--name", "n", "--out", "made"]
    for name, words in (("reference", "the two columns of MS MARCO's reference"), ("run", "this is a run of MS MARCO")):
        assert main([*collection, "--qrels", name]) == 1
        assert words in capsys.readouterr().err
    files(runs="1 Q0 a 1 2 r\n", qrels='{"qid": "1", "docid": "a", "score": 1, "tag": "x"}\n')
    assert main(["score", "runs", "qrels"]) == 1
    assert "qrels:1: this is JSON" in capsys.readouterr().err


@pytest.mark.parametrize("indent", [None, 1])
def test_c05_json_runs_and_qrels_are_no_topics(files, indent):
    files(file=json.dumps({"1": {"a": 1, "b": 0}, "2": {"a": 1}}, indent=indent))
    (found,) = check("file").findings
    assert found.code == "unknown-format"
    assert found.message.startswith("JSON of a run or of qrels")
    assert said_of(read_topics, "file")
    files(topics='{"id": "1", "text": "cats"}\n{"id": "2", "text": "dogs"}\n')
    assert check("topics").passes()


# C71, C72: limits and NUL bytes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])
def test_c71_a_compressed_file_that_holds_too_much_is_refused_and_the_limit_can_be_raised(
    files, monkeypatch, capsys, pack
):
    files(run=pack(b"".join(b"1 Q0 d%d %d 1 r\n" % (n, n) for n in range(10_000))), qrels="1 0 d1 1\n")
    monkeypatch.setenv("IRKIT_MOST_UNPACKED", "100K")
    for command in (["score", "run", "qrels"], ["check", "run"], ["fuse", "run", "run", "--out", "fused"]):
        assert main(command) == 1, command
        said = "".join(capsys.readouterr())
        assert "holds more than 102,400 bytes unpacked" in said, command
        assert "IRKIT_MOST_UNPACKED=100G" in said, command
    monkeypatch.setenv("IRKIT_MOST_UNPACKED", "1M")
    assert len(read_run("run")) == 10_000
    monkeypatch.setenv("IRKIT_MOST_UNPACKED", "much")
    with pytest.raises(UsageError, match="IRKIT_MOST_UNPACKED is 'much'; it is a number of bytes, such as 100G"):
        read_run("run")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from Linux")
def test_c71_a_compressed_file_that_is_read_whole_takes_little_more_memory_than_it_has_bytes(files):
    n = 64 << 20
    files(file=gzip.compress(b"# " + b"a" * n, 1))
    program = (
        "from irkit.files.textio import read_bytes\n"
        "def of(name): return int(next(line for line in open('/proc/self/status') if name in line).split()[1])\n"
        "before = of('VmRSS'); data = read_bytes('file'); print((of('VmHWM') - before) * 1024 / len(data))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.4  # where pieces are joined it is 2 and more


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is Linux's")
def test_c71_want_of_space_for_a_run_from_a_pipe_is_told_as_such(files, monkeypatch, capsys):
    files(run="1 Q0 a 1 2 r\n", qrels="1 0 a 1\n")
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: io.FileIO("/dev/full", "w"))
    monkeypatch.setenv("TMPDIR", "/small")
    with Path("run").open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        assert main(["score", "-", "qrels"]) == 1
    said = capsys.readouterr().err
    assert "cannot be written: No space left on device" in said
    assert "name a folder with room for it in TMPDIR" in said
    assert "damaged" not in said


def test_c72_ids_with_a_nul_byte_are_refused_in_topics_and_documents(files, tmp_path):
    files(
        topics='{"id": "1\\u0000", "text": "cats"}\n',
        documents='{"id": "d\\u0000", "contents": "x"}\n',
        tabs="1\0\tcats\n",
        run="1 Q0 a\0 1 2 r\n",
        qrels="1 0 a\0 1\n",
    )
    for name, read in (
        ("topics", read_topics), ("tabs", read_topics), ("documents", lambda path: list(read_documents(path))),
        ("run", read_run), ("qrels", read_qrels),
    ):  # fmt: skip
        said = said_of(read, name)
        assert said.startswith(f"{name}:1: ")
        assert "NUL byte" in said
        assert not check(name).passes()
    assert "NUL byte" in said_of(write_documents, tmp_path / "out", [Document("d\0", "x")])


def test_c01_the_words_of_both_kernels_are_the_same():
    kernels = [load(name) for name in ("numpy", "compiled")]
    for line in REFUSED:
        assert len({said_of(kernel.parse_run, line.encode(), "run") for kernel in kernels}) == 1


def test_c72_nul_bytes_alone_are_not_taken_for_utf_16(files):
    files(nul=b"\0" * 200, first=b"\0" * 100 + b"1 Q0 a 1 2 r\n", real="1 Q0 a 1 2 r\n".encode("utf-16-le"))
    for name in ("nul", "first"):
        assert "a NUL byte is no text; remove it" in said_of(read_run, name)
        found = check(runs=[name])
        assert found.codes[0] == "nul-byte"
        assert not found.passes()
    assert "utf-16" in check("real").codes
