"""`irkit check` and `irkit check --fix`: kinds of files, what is found together, repairs, formats, exit codes."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse

import numpy as np
import pytest

from irkit._utils.options import spelled, worded
from irkit.checking import CODES, SubmissionRules, check, mend
from irkit.checking.codes import SEVERITIES
from irkit.checking.detect import kind_of
from irkit.checking.findings import MOST, FindingCollector
from irkit.cli import main
from irkit.cli.flags import as_flags
from irkit.data.qrels import read_qrels
from irkit.data.runs import read_run
from irkit.errors import FormatError, MeasureError, UsageError

ROOT = Path(__file__).resolve().parents[2]
BROKEN = Path(__file__).resolve().parents[1] / "broken"
RUN = b"1 Q0 b 1 2.5 r\n1 Q0 a 2 1.5 r\n"
QRELS = b"1 0 a 1\n1 0 b 0\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Writes files into an empty folder, in which we are then."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        for name, data in contents.items():
            (tmp_path / name).write_bytes(data)
        return list(contents)

    return write


def codes(*paths, **options):
    return list(check(paths, **options).codes)


# Reported faults ----------------------------------------------------------------------------------------------------

# The faults of files in the list that the project keeps, by their numbers there; the data are our own.
REPORTED = {
    "B01": ({"r": b"7 Q0 ant 1 4 r\n7 Q0 zebra 2 4 r\n", "q": b"7 0 ant 1\n"}, "ties-move-measures"),
    "B03": ({"r": b"7 Q0 10 1 4 r\n7 Q0 9 2 4 r\n"}, "rank-contradicts-tie-order"),
    "B05": ({"r": b"7 Q0 ant 1 4 r\n7 Q0 zebra 2 4 r\n"}, "rank-contradicts-tie-order"),
    "B06": ({"r": b"7 Q0 ant 1 .25 r\n7 Q0 bee 2 8 r\n"}, "rank-contradicts-score"),
    "B07": ({"r": b"7 Q0 ant 1 nan r\n7 Q0 bee 2 8 r\n"}, "nan-score"),
    "B09 five columns": ({"r": b"7 Q0 ant 1 0.5\n"}, "malformed-line"),
    "B09 text": ({"r": b"7 Q0 ant 1 high r\n7 Q0 bee 2 -1 r\n"}, "bad-score"),
    "B09 comma": ({"r": b"7 Q0 ant 1 1,5 r\n7 Q0 bee 2 1.2 r\n"}, "decimal-comma"),
    "B09 more columns": ({"r": b"7 Q0 ant 1 1.5 r x\n"}, "extra-fields"),
    "B10": ({"q": b"7 0 ant 0.9\n7 0 bee 2.7\n"}, "fractional-grade"),
    "B10 as text": ({"q": b"7 0 ant 1.0\n"}, "decimal-grade"),
    "B14": ({"r": b"7 Q0 ant 1 1 r\n", "q": b"007 0 ant 1\n"}, "no-common-topic"),
    "B16 mark": ({"q": b"\xef\xbb\xbf7 0 ant 1\n"}, "byte-order-mark"),
    "B16 line ends": ({"q": b"7 0 ant 1\r\n"}, "crlf-line-ends"),
    "B16 blank line": ({"q": b"7 0 ant 1\n\n"}, "blank-line"),
    "B17": ({"r": b"7 Q0 caf\xe9 1 1 r\n"}, "not-utf-8"),
    "B17 no-break space": ({"r": "7 Q0 an\u00a0t 1 1 r\n".encode()}, "invisible-character"),
    "B18": ({"r": gzip.compress(RUN * 1)[:-9]}, "damaged-archive"),
    "B19": ({"r": b"7 Q0 ant 1 9 r\n7 Q0 ant 2 8 r\n"}, "duplicate-document"),
    "B20": ({"r": b"7 Q0 2031-04-18 1 9 r\n", "q": b"7 0 2031-04-18T13 1\n"}, "truncated-id"),
    "B21 run": ({"r": b""}, "empty-file"),
    "B23": ({"t": b"7\tcats\n7\tdogs\n"}, "duplicate-topic"),
    "B24": ({"r": b"7 Q0 ant 1 1 r\n", "q": b"7.1 0 ant 1\n"}, "no-common-topic"),
    "B25": ({"r": b"7 Q0 ant 1 1 r\n", "q": b"7 0 ant 1\n8 0 ant 1\n"}, "missing-topic"),
    "B26": ({"r": b"7 Q0 ant 1 1 r\n", "q": b"7 0 ant 1\n8 0 ant 1\n"}, "missing-topic"),
    "B27": ({"r": b"7 Q0 ant 1 1 r\n8 Q0 ant 1 1 r\n", "q": b"7 0 ant 1\n"}, "unjudged-topic"),
    "B28": ({"q": b"7 0 ant 0\n8 0 bee 1\n"}, "nothing-relevant"),
}


@pytest.mark.parametrize("number", REPORTED)
def test_a_reported_fault_of_a_file_is_found(files, number):
    contents, code = REPORTED[number]
    assert code in codes(*files(**contents))


def test_b15_a_second_column_that_is_not_q0_is_no_fault(files):
    report = check(files(r=b"7 0 ant 1 9.5 r\n"))
    assert report.files[0].kind == "run"
    assert report.findings == ()


def test_b22_files_in_each_others_place_are_told(files):
    files(r=RUN, q=QRELS)
    assert codes(runs=["q"], qrels=["r"]) == ["wrong-kind"]
    assert codes("q", "r") == []  # without a word of ours it does not matter


def test_b06_ranks_that_are_all_alike_contradict_nothing(files):
    assert codes(*files(r=b"7 Q0 ant 0 .25 r\n7 Q0 bee 0 8 r\n")) == []


# Kinds --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("run", "1 Q0 a 1 2.5 r"),
        ("run", "  1\tQ0 a 1 1.0 r  "),
        ("run", "1\tQ0\ta\t1\t2.5\tmy run"),
        ("run", "1 Q0 a 1 nan r\n1 Q0 b 2 None r"),
        ("run", "1 Q0 a 1 2.5\n1 Q0 b 2 1.5"),  # without their tags
        ("run", "1 Q0 a 1 9\n1 Q0 b 2 8\n1 Q0 c 3 8"),
        ("qrels", "1 0 a 1"),
        ("qrels", "1\t0\ta\t-1"),
        ("qrels", "# pool\n1 0 a 0.5"),
        ("strata", "1 0 a top 1\n1 0 b rest -1"),
        ("prels", "1 a 1 1 0.5\n1 b 0 0 NA"),
        ("prefs", "1 ann x a 2\n1 ann y b 1.5"),
        ("topics", "1\tcats and dogs"),
        ("topics", "query_id\tquery\ttype\n1\tcats\tanimal"),
        ("topics", "1\twho won the world cup in 1998 and how"),
        ("topics", "<top>\n<num> 1\n<title> cats\n</top>"),
        ("topics", '<?xml version="1.0"?>\n<topics/>'),
        ("topics", '{"id": "1", "text": "cats"}'),
        ("topics", '[{"number": "1", "title": "cats"}]'),
        ("documents", '{"id": "a", "contents": "cats"}'),
        ("documents", '{"_id": "a", "title": "Cats", "text": "cats"}'),
        ("unknown", "1\ta\t1\n1\tb\t2"),
        ("unknown", "Dear reader,\nthese are no judgments."),
    ],
)
def test_what_a_file_is_its_lines_say(kind, text):
    assert kind_of(text.encode() + b"\n") == kind


def test_bundled_files_and_collections_have_no_error(shared):
    bundled = [*ROOT.glob("runs/*.txt"), *ROOT.glob("qrels/*.txt"), *ROOT.glob("topics/*.txt")]
    scifact = shared / "collections" / "scifact"
    vaswani = shared / "collections" / "vaswani"
    for paths in (
        [path for path in bundled if "services" in path.name],
        [path for path in bundled if "passages" in path.name],
        [*scifact.glob("qrels*"), *scifact.glob("topics*")],
        [vaswani / "qrels", vaswani / "query-text.trec"],
    ):
        assert check(paths).count("error") == 0


def test_a_thing_that_is_no_file_is_found_too(files, tmp_path):
    files()
    (tmp_path / "folder").mkdir()
    assert codes("folder", "nothing") == ["unreadable-file"]


# Together -----------------------------------------------------------------------------------------------------------


def test_a_topic_that_is_missing_is_said_once(files):
    names = files(r=RUN, q=QRELS + b"2 0 a 1\n", t=b"1\tcats\n2\tdogs\n")
    assert codes(*names) == ["missing-topic"]
    assert codes(*names, rules=SubmissionRules(all_topics=True)) == ["required-topic"]


def test_measures_that_are_asked_for_decide_what_ties_can_move(files):
    # b before a, or a before b: the relevant one is among the first two, and never at a certain rank
    names = files(r=b"1 Q0 b 1 0.5 r\n1 Q0 a 2 0.5 r\n", q=QRELS)
    assert "ties-move-measures" in codes(*names, measures="RR")
    assert "ties-move-measures" not in codes(*names, measures="P@2")


def test_versions_of_trec_eval_differ_where_recall_is_rounded(files):
    # Three relevant, found at ranks 1 and 4. Recall 0.4: trec_eval 10 rounds 1.2 to one document, precision 1 at rank
    # 1; 9 takes trunc(1.2 + 0.9) = 2, precision 2/4.
    lines = b"".join(b"1 Q0 %s %d %d r\n" % (name, rank, 9 - rank) for rank, name in enumerate(b"a x y b".split(), 1))
    names = files(r=lines, q=b"1 0 a 1\n1 0 b 1\n1 0 c 1\n")
    (found,) = check(names, measures="IPrec@0.4").findings
    assert found.message == "topic '1', by trec_eval 9 and by 10: IPrec@0.4 0.5000 and 1.0000"
    assert codes(*names) == []


def test_documents_of_a_broken_corpus_are_not_missed(files):
    documents = b'{"id": "b", "contents": "x"}\n{"id": "b", "contents": "y"}\n'
    assert codes(*files(r=RUN, d=documents)) == ["malformed-document"]


def test_judgments_are_held_against_the_corpus_too(files):
    documents = b'{"id": "a", "contents": "x"}\n'
    for judgments in (
        b"1 0 a 1\n1 0 z 0\n",
        b"1 0 a top 1\n1 0 z top 0\n",
        b"1 a 1 1 .5\n1 z 0 1 .5\n",
        b"1 A x a 2\n1 B x z 1.5\n",
    ):
        report = check(files(q=judgments, d=documents))
        (unknown,) = [one for one in report.findings if one.code == "unknown-document"]
        assert (unknown.line, unknown.message) == (2, "document 'z' is not in d")


def test_an_error_of_the_rules_keeps_nothing_else_back(files):
    names = files(r=RUN, q=b"1 0 zebra 1\n")
    found = codes(*names, rules=SubmissionRules(max_per_topic=1))
    assert found == ["too-many-documents", "no-judged-document"]


def test_a_measure_that_qrels_cannot_give_is_refused(files):
    with pytest.raises(MeasureError):
        check(files(r=RUN, q=QRELS), measures="alpha_nDCG@20")


# Very many ----------------------------------------------------------------------------------------------------------


def test_ten_thousand_findings_are_told_one_by_one_and_the_rest_with_their_lines(files):
    n = MOST + 7
    lines = [b"%d Q0 a 1 2.5 r x\n" % number for number in range(n)]
    lines.insert(MOST + 3, b"ok Q0 a 1 2.5 r\n")
    report = check(files(r=b"".join(lines)))
    assert report.count("warning") == n
    assert len(report.findings) == MOST + 1
    *_, rest = report.findings
    # lines 10,001 to 10,003, then the good one, then four more up to the last, line 10,008
    assert (rest.n, rest.message) == (7, "7 more, in lines 10001-10003, 10005-10008")


def test_findings_by_one_and_by_the_thousand_come_out_alike():
    lines = np.array([*range(1, MOST + 2), MOST + 5], dtype=np.int64)
    one, many = FindingCollector("f"), FindingCollector("f")
    many.add_lines("bad-rank", lines, lambda place: "x")
    for line in lines.tolist():
        one.add("bad-rank", "x", line)
    assert one.in_order() == many.in_order()


# Rules of a submission ----------------------------------------------------------------------------------------------


def test_a_profile_has_the_rules_and_the_command_line_goes_first(files, capsys):
    files(r=RUN, p=b'max-per-topic = 1\ntag-pattern = "[a-z]{1,12}"\n')
    assert main(["check", "r", "--profile", "p"]) == 1
    assert "1: topic '1' has 2 documents, 1 are allowed" in capsys.readouterr().out
    assert main(["check", "r", "--profile", "p", "--max-per-topic", "2"]) == 0
    assert main(["check", "r", "--profile", "p", "--max-per-topic", "2", "--tag-pattern", "[A-Z]+"]) == 1
    capsys.readouterr()
    files(p=b"max_per_topic = 1\n")
    assert main(["check", "r", "--profile", "p"]) == 2
    assert capsys.readouterr().err == (
        "irkit: p:1: unknown key 'max_per_topic' in the file; did you mean 'max-per-topic'?\n"
    )


@pytest.mark.parametrize("wrong", [{"max_per_topic": 0}, {"min_per_topic": -1}, {"tag_pattern": "["}])
def test_rules_that_cannot_be_are_refused(wrong):
    with pytest.raises(UsageError):
        SubmissionRules(**wrong)


def test_all_topics_needs_a_file_that_says_which(files):
    with pytest.raises(UsageError, match="no file says which topics there are"):
        check(files(r=RUN), rules=SubmissionRules(all_topics=True))


# Repairs ------------------------------------------------------------------------------------------------------------


def test_every_repair_is_said_and_the_copy_is_checked(files, capsys):
    files(
        r=b"\xef\xbb\xbf1 Q0 a 1 0.2 r\r\n1 Q0 b 2 0.9 r\r\n1 Q0 a 3 0.1 s\r\n2 Q0 x 1 1,5 r\r\n",
        q=b"# pool\n1 0 a 1.0\n\n1 0 b 0\n1 0 b 0",
    )
    assert main(["check", "r", "q", "--fix", "--decimal-commas", "--by-score", "--tag", "mine"]) == 0
    assert (
        capsys.readouterr().out
        == """\
r: 9 repairs, written to r.fixed
mended: byte-order-mark
  r: written without byte order mark
mended: crlf-line-ends
  r: written with LF line ends
mended: decimal-comma
  r:4: '2 Q0 x 1 1,5 r' becomes '2 Q0 x 1 1.5 r'
mended: duplicate-document
  r:3: '1 Q0 a 3 0.1 s' is left out
mended: mixed-tags (3)
  r:1: '1 Q0 a 1 0.2 r' becomes '1 Q0 a 1 0.2 mine'
  r:2: '1 Q0 b 2 0.9 r' becomes '1 Q0 b 2 0.9 mine'
  r:4: '2 Q0 x 1 1.5 r' becomes '2 Q0 x 1 1.5 mine'
mended: rank-contradicts-score (2)
  r:1: '1 Q0 a 1 0.2 mine' becomes '1 Q0 a 2 0.2 mine'
  r:2: '1 Q0 b 2 0.9 mine' becomes '1 Q0 b 1 0.9 mine'

q: 5 repairs, written to q.fixed
mended: no-final-newline
  q: written with a line end at the end
mended: comment-line
  q:1: '# pool' is left out
mended: decimal-grade
  q:2: '1 0 a 1.0' becomes '1 0 a 1'
mended: blank-line
  q:3: a blank line is left out
mended: repeated-judgment
  q:5: '1 0 b 0' is left out

r.fixed: run: 2 topics, 3 documents
q.fixed: qrels: 1 topic, 2 judgments

note: unjudged-topic
  r.fixed: topic '2' has no judgments in q.fixed
  fix: nothing, where only some topics were judged

2 files: 0 errors, 0 warnings, 1 note
"""
    )
    assert Path("r.fixed").read_bytes() == b"1 Q0 a 2 0.2 mine\n1 Q0 b 1 0.9 mine\n2 Q0 x 1 1.5 mine\n"
    assert Path("q.fixed").read_bytes() == b"1 0 a 1\n1 0 b 0\n"


@pytest.mark.parametrize("code", [name for name, code in CODES.items() if code.mended])
def test_what_the_table_says_is_mended_is_gone_from_the_copy(code, tmp_path, monkeypatch, capsys):
    for path in (BROKEN / code).iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    words = (BROKEN / code / "command.txt").read_text("utf-8").split()[1:]
    main([*words, "--fix", "--decimal-commas", "--by-score", *(["--tag", "OURS"] if code == "forbidden-tag" else [])])
    before, _, after = capsys.readouterr().out.partition("\n\n")
    assert "repair" in before
    kept = code == "comment-line"  # in a run
    assert (f": {code}" in after.split("written to")[-1]) == kept


# Some files are small: tests/checking/test_broken_files.py lowers the limit for them.
UNMENDED = [name for name, code in CODES.items() if not code.mended and name not in ("too-large", "unpacked-limit")]


@pytest.mark.parametrize("code", UNMENDED)
def test_what_it_does_not_say_is_mended_stays(code, tmp_path, monkeypatch, capsys):
    for path in (BROKEN / code).iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    main([*(BROKEN / code / "command.txt").read_text("utf-8").split()[1:], "--fix", "--all"])
    assert re.search(rf"^(error|warning|note): {code}\b", capsys.readouterr().out, re.M)


def test_a_ranking_is_cut_in_the_order_that_it_is_scored_in(files):
    files(r=b"1 Q0 a 1 1 r\n1 Q0 b 2 2 r\n1 Q0 c 3 2 r\n2 Q0 a 1 1 r\n")
    assert mend("r", out="m", by_score=True, rules=SubmissionRules(max_per_topic=2)).passes()
    assert read_run("m").to_dict() == {"1": {"c": 2.0, "b": 2.0}, "2": {"a": 1.0}}


def test_of_a_document_that_stands_twice_the_better_score_stays_the_first_where_they_are_alike(files):
    files(r=b"1 Q0 a 1 1 r\n1 Q0 a 2 3 r\n1 Q0 b 3 2 r\n1 Q0 b 4 2 r\n1 Q0 a 5 3 r\n")
    (mended,) = mend("r", by_score=True).repaired
    assert sorted(repair.line for repair in mended.repairs if repair.code == "duplicate-document") == [1, 4, 5]
    assert read_run("r.fixed").to_dict() == {"1": {"a": 3.0, "b": 2.0}}


def test_judgments_that_contradict_each_other_both_stay(files):
    files(q=b"1 0 a 1\n1 0 a 2\n1 0 a 1\n")
    assert not mend("q").passes()
    assert Path("q.fixed").read_bytes() == b"1 0 a 1\n1 0 a 2\n"


def test_qrels_by_subtopic_keep_a_document_in_each(files):
    data = b"1 1 a 1\n1 2 a 1\n1 1 b 0\n1 2 b 0\n"
    files(q=data + b"1 2 b 0\n")
    assert mend("q").passes()
    assert Path("q.fixed").read_bytes() == data


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_becomes_utf_8(files, encoding):
    text = "1 0 café 1\n1 0 b 0\n"
    files(q=text.encode(encoding))
    assert codes("q") == ["utf-16"]
    assert mend("q").passes()
    assert Path("q.fixed").read_text("utf-8") == text


def test_a_copy_is_compressed_as_its_name_says(files):
    files(r=gzip.compress(RUN.replace(b"\n", b"\r\n")))
    report = mend("r", out="copy.gz")
    assert gzip.decompress(Path("copy.gz").read_bytes()) == RUN
    assert report.codes == ("compressed-file",)
    assert [one.code for one in report.repaired[0].repairs] == ["crlf-line-ends"]


def test_a_file_without_a_fault_gets_no_copy_unless_one_is_asked_for(files):
    files(q=QRELS)
    assert mend("q").repaired[0].out == ""
    assert not Path("q.fixed").exists()
    assert mend("q", out="copy").passes()
    assert read_qrels("copy").to_dict() == {"1": {"a": 1, "b": 0}}


def test_a_copy_never_takes_the_place_of_the_file(files, tmp_path):
    files(r=RUN, q=QRELS)
    (tmp_path / "link").symlink_to(tmp_path / "r")
    for out in ("r", "./r", "link"):
        with pytest.raises(UsageError, match="read and stays as it is; name another file"):
            mend("r", out=out)
    with pytest.raises(UsageError, match="there are 2"):
        mend(["r", "q"], out="copy")
    with pytest.raises(UsageError, match="say where it goes"):
        mend("-")
    assert Path("r").read_bytes() == RUN


# Formats ------------------------------------------------------------------------------------------------------------


def test_text_shows_the_first_five_of_a_fault_and_all_if_asked(files, capsys):
    files(q=b"1 0 a 1\n" + b"\n" * 7)
    main(["check", "q"])
    few = capsys.readouterr().out
    assert "warning: blank-line (7)\n" in few
    assert few.count("a blank line\n") == 5
    assert "  q: and 2 more; --all shows each\n" in few
    main(["check", "q", "--all"])
    assert capsys.readouterr().out.count("a blank line\n") == 7
    files(q=b"1 0 a 1\n" + b"\n" * 6)  # one more would take as many lines
    main(["check", "q"])
    assert capsys.readouterr().out.count("a blank line\n") == 6


def test_json_has_everything(files, capsys):
    files(r=b"1 Q0 b 1 2.5 r\n1 Q0 b 2 1.5 r\n")
    assert main(["check", "r", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "files": [{"name": "r", "kind": "run", "holds": "1 topic, 2 documents"}],
        "counts": {"error": 1, "warning": 0, "note": 0},
        "findings": [
            {
                "severity": "error",
                "code": "duplicate-document",
                "file": "r",
                "line": 2,
                "topic": "1",
                "message": "document 'b' occurs twice in topic '1', first in line 1",
                "fix": "keep one of them",
                "n": 1,
            }
        ],
        "repaired": [],
    }


def test_ids_cannot_control_a_terminal(files, capsys):
    files(r=b"1 Q0 \x1b[31mred 1 2.5 r\n1 Q0 \x1b[31mred 2 1.5 r\n", **{"a\nb": b"x\n"})
    for form in ("text", "sarif", "json"):
        main(["check", "r", "a\nb", "--format", form])
        said = capsys.readouterr().out
        assert "\x1b" not in said
        assert "a\nb" not in said


def sarif(capsys, *words):
    main(["check", *words, "--format", "sarif"])
    return json.loads(capsys.readouterr().out)


def test_sarif_has_what_its_standard_requires(files, capsys):
    # SARIF 2.1.0: 3.13 sarifLog, 3.14 run, 3.18 tool, 3.19 toolComponent, 3.49 reportingDescriptor, 3.27 result,
    # 3.28 location, 3.29 physicalLocation, 3.4 artifactLocation, 3.30 region, 3.11 message
    files(r=b"1 Q0 b 1 2.5 r\n1 Q0 b 2 1.5 r x\n2 Q0 a - 1 s", q=b"1 0 b -1\n3 0 b 1\n")
    log = sarif(capsys, "r", "q")
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "irkit"
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for rule in driver["rules"]:
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note") == SEVERITIES
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
    report = check(["r", "q"])
    assert len(run["results"]) == len(report.findings) > 6
    for result, finding in zip(run["results"], report.findings, strict=True):
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == finding.code
        assert result["level"] == finding.severity
        assert finding.message in result["message"]["text"]
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        assert physical["artifactLocation"] == {"uri": finding.file, "uriBaseId": "ROOT"}
        assert physical.get("region", {}).get("startLine") == finding.line
    base = run["originalUriBaseIds"]["ROOT"]["uri"]
    assert base.startswith("file:///")
    assert base.endswith("/")


def test_sarif_escapes_names_of_files(files, tmp_path, capsys):
    inside, outside = "a b%#?é.txt", tmp_path.parent / f"{tmp_path.name} beside.txt"
    files(**{inside: b"x y\n"})
    outside.write_bytes(b"x y\n")
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]
        for result in sarif(capsys, inside, str(outside))["runs"][0]["results"]
    ]
    assert uris[0] == {"uri": "a%20b%25%23%3F%C3%A9.txt", "uriBaseId": "ROOT"}
    assert unquote(urlparse(uris[1]["uri"]).path) == str(outside)
    assert "uriBaseId" not in uris[1]


# The command --------------------------------------------------------------------------------------------------------


def test_exit_codes_are_0_clean_1_errors_2_usage(files, capsys):
    files(r=RUN, warned=RUN + b"1 Q0 c 3 1 s\n", wrong=b"1 Q0 a\n" + RUN)
    assert main(["check", "r"]) == 0
    assert main(["check", "warned"]) == 0
    assert main(["check", "warned", "--strict"]) == 1
    assert main(["check", "r", "--strict"]) == 0
    assert main(["check", "wrong"]) == 1
    for usage in (
        [],
        ["r", "r"],
        ["-", "--run", "-"],
        ["r", "--tag", "x"],
        ["r", "--max-per-topic", "0"],
        ["r", "--tag-pattern", "["],
        ["--explain", "nothing"],
        ["r", "-m", "nothing"],
    ):
        assert main(["check", *usage]) == 2, usage
    capsys.readouterr()


def test_a_run_comes_by_standard_input_and_its_copy_goes_to_standard_output(tmp_path):
    (tmp_path / "q").write_bytes(QRELS)

    def program(*words):
        return subprocess.run(
            [sys.executable, "-m", "irkit", "check", *words],
            input=RUN + b"1 Q0 a 3 0.5 r",
            cwd=tmp_path,
            capture_output=True,
        )

    found = program("-", "q")
    assert found.returncode == 1
    assert b"standard input:3: document 'a' occurs twice in topic '1', first in line 2\n" in found.stdout
    mended = program("-", "--fix", "--out", "-")
    assert mended.stdout == RUN
    assert mended.returncode == 0
    assert mended.stderr.decode().endswith(
        "standard output: run: 1 topic, 2 documents\n\n1 file: 0 errors, 0 warnings, 0 notes\n"
    )


def test_what_comes_through_a_pipe_is_read_once(tmp_path):
    (tmp_path / "run").write_bytes(RUN + b"2 Q0 a 1 1 r\n")
    (tmp_path / "qrels").write_bytes(QRELS)
    (tmp_path / "documents").write_bytes(b'{"id": "a", "contents": ""}\n{"id": "b", "contents": ""}\n')
    line = 'timeout 20 "$1" -m irkit check <(cat run) <(cat qrels) --documents <(cat documents)'
    found = subprocess.run(["bash", "-c", line, "bash", sys.executable], cwd=tmp_path, capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "3 files: 0 errors, 0 warnings, 1 note"  # topic 2 is not judged
    assert found.returncode == 0


def test_codes_lists_every_fault_and_explain_says_all_about_one(capsys):
    assert main(["check", "--codes"]) == 0
    listed = re.findall(r"^  ([\w-]+) (\*?) *(error|warning|note) ", capsys.readouterr().out, re.M)
    assert listed == [(code.name, "*" * bool(code.mended), code.severity) for code in CODES.values()]
    assert main(["check", "--explain", "blank-line"]) == 0
    assert (
        capsys.readouterr().out
        == """\
blank-line: warning, qrels and other judgments

what       A blank line among judgments. irkit passes it over.
remedy     take it out
--fix      takes it out
trec_eval  Both stop: 'Malformed line N', exit 2.
"""
    )


def test_the_manual_lists_every_fault_as_the_table_has_it():
    page = (ROOT / "docs" / "checking.md").read_text("utf-8")
    rows = [line for line in page.partition("## Every fault")[2].splitlines() if line.startswith("| `")]
    with spelled(as_flags):
        table = [
            f"| `{code.name}` | {code.severity} | {worded(code.meaning)} | {worded(code.mended)} | {code.trec_eval} |"
            for code in CODES.values()
        ]
    assert rows == [row.replace("<", "&lt;") for row in table]


def test_ties_that_move_no_measure_are_not_told_where_there_are_qrels(files):
    names = files(r=b"1 Q0 b 1 0.5 r\n1 Q0 a 2 0.5 r\n", q=b"1 0 a 1\n1 0 b 1\n")
    assert codes("r") == ["tied-scores"]
    assert codes(*names) == []


# trec_eval ----------------------------------------------------------------------------------------------------------

# How trec_eval 9.0.4 ends on the broken files: what the table says of 9. -11 is a crash.
ENDS = {
    **dict.fromkeys(("blank-line", "comment-line", "malformed-line", "misread-comment"), 2),
    **dict.fromkeys(("duplicate-document", "repeated-judgment", "conflicting-judgments"), 4),
    **dict.fromkeys(("utf-16", "nul-byte", "compressed-file", "archive-of-files", "damaged-archive"), -11),
    **dict.fromkeys(("missing-topic", "decimal-comma", "bad-score", "nan-score", "fractional-grade", "mixed-tags"), 0),
    **dict.fromkeys(("byte-order-mark", "crlf-line-ends", "no-final-newline", "extra-fields", "infinite-score"), 0),
    "no-common-topic": 7,
}


@pytest.mark.parametrize("code", ENDS)
def test_trec_eval_9_ends_on_a_broken_file_as_the_table_says(code, files, trec_eval):
    names = {"run": "ok.run", "qrels": "ok.qrels"}
    files(**{"ok.run": RUN, "ok.qrels": QRELS})
    for path in (BROKEN / code).iterdir():
        names[path.name.partition(".")[0]] = str(path)
    found = subprocess.run([trec_eval, names["qrels"], names["run"]], capture_output=True)
    assert found.returncode == ENDS[code]
    said = CODES[code].trec_eval
    assert ("stop" in said or "crash" in said) == bool(ENDS[code]) or code == "missing-topic"


# What --fix never does ----------------------------------------------------------------------------------------------

CRLF_RUN = RUN.replace(b"\n", b"\r\n")


def test_what_goes_before_a_second_byte_order_mark_does_not_make_it_the_first(files):
    data = b"# made by pool\n\xef\xbb\xbf1 0 a 1\n2 0 b 1\n"
    files(q=data)
    report = mend("q")
    # The first mark is passed over, the second is the beginning of the id, as it was.
    assert Path("q.fixed").read_bytes() == b"\xef\xbb\xbf\xef\xbb\xbf1 0 a 1\n2 0 b 1\n"
    assert read_qrels("q.fixed").to_dict() == read_qrels("q").to_dict() == {"2": {"b": 1}, "\ufeff1": {"a": 1}}
    assert [one.code for one in report.repaired[0].repairs] == ["comment-line"]
    assert mend("q.fixed").repaired[0].repairs == ()


def test_no_copy_is_written_over_a_file_that_is_read_or_is_there(files, tmp_path, capsys):
    names = files(**{"a.run": CRLF_RUN, "q": QRELS, "t": b"1\tcats\n", "p": b"max-per-topic = 9\n"})
    contents = {name: (tmp_path / name).read_bytes() for name in names}
    fixed = tmp_path / "a.run.fixed"
    for words in (
        ["a.run", "q", "--out", "q"],
        ["a.run", "--qrels", "q", "--out", "./q"],
        ["a.run", "--topics", "t", "--out", str(tmp_path / "t")],
        ["a.run", "--documents", "q", "--out", "q"],
        ["a.run", "--profile", "p", "--out", "p"],
    ):
        assert main(["check", *words, "--fix"]) == 2, words
    for target in ("a.run", "q", "nowhere"):
        fixed.symlink_to(target)
        assert main(["check", "a.run", "--fix"]) == 2, target
        assert fixed.is_symlink()
        fixed.unlink()
    fixed.write_bytes(CRLF_RUN)
    assert main(["check", "a.run", "a.run.fixed", "--fix"]) == 2
    assert main(["check", "a.run", "--fix"]) == 2
    assert "a.run.fixed is there already; remove it, or name another file (--out FILE)" in capsys.readouterr().err
    assert fixed.read_bytes() == CRLF_RUN
    fixed.unlink()
    for _ in range(2):  # the same copy may be there
        assert main(["check", "a.run", "--fix"]) == 0
        assert fixed.read_bytes() == RUN
    assert {name: (tmp_path / name).read_bytes() for name in names} == contents
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "a.run.fixed"])


@pytest.mark.parametrize("tag", ["", " ", "a b", "a\nb", " a", "a\u00a0b"])
def test_a_tag_is_one_word(files, tag, capsys):
    files(r=RUN + b"1 Q0 c 3 1 s\n")
    assert main(["check", "r", "--fix", "--tag", tag]) == 2
    assert "is not one word" in capsys.readouterr().err
    assert not Path("r.fixed").exists()


def test_a_tag_that_the_rules_forbid_is_not_written(files):
    files(r=RUN)
    with pytest.raises(UsageError, match="does not match"):
        mend("r", tag="x", rules=SubmissionRules(tag_pattern="[A-Z]+"))


def test_a_copy_is_checked_as_the_kind_that_its_source_had(files):
    # Three lines of a run and two of qrels; when two of the run, which say the same, are gone, the others are more.
    files(r=b"1 Q0 a 1 2 r\n" * 3 + b"1 0 a 1\n1 0 b 1\n")
    assert check("r").files[0].kind == "run"
    assert mend("r").files[0].kind == "run"


def test_a_run_scored_by_distance_keeps_its_best_documents(files, capsys):
    # Ranks 1 to 8 with scores that rise: the three of the worst ranks have the best scores.
    lines = b"".join(b"1 Q0 d%d %d %d r\n" % (rank, rank, rank) for rank in range(1, 9))
    files(r=lines + b"2 Q0 a 1 2 r\n2 Q0 b 2 1 r\n2 Q0 c 3 0 r\n")
    assert main(["check", "r", "--fix", "--max-per-topic", "2"]) == 1
    said = capsys.readouterr().out
    assert (
        "left: r: 1 topic whose ranks contradict its scores stays as it is, as '1': which of the two was meant is a "
        "guess; --by-score says that it is the score\n"
    ) in said
    assert Path("r.fixed").read_bytes() == lines + b"2 Q0 a 1 2 r\n2 Q0 b 2 1 r\n"
    assert main(["check", "r", "--fix", "--max-per-topic", "2", "--by-score", "--out", "m"]) == 0
    assert Path("m").read_bytes() == b"1 Q0 d7 2 7 r\n1 Q0 d8 1 8 r\n2 Q0 a 1 2 r\n2 Q0 b 2 1 r\n"


def test_a_document_that_stands_twice_stays_where_ranks_contradict_scores_unless_the_scores_are_alike(files):
    files(r=b"1 Q0 a 1 1 r\n1 Q0 b 2 2 r\n1 Q0 a 3 3 r\n1 Q0 b 4 2 r\n")
    (its,) = mend("r").repaired
    assert [(one.code, one.line) for one in its.repairs] == [("duplicate-document", 4)]
    assert len(its.left) == 1


def test_nothing_is_written_before_the_request_was_looked_at(files, tmp_path, capsys):
    names = files(**{"s.run": CRLF_RUN, "p": b"all-topics = true\n", "bad": b"max-per-topic = 0\n"})
    for words in (["--profile", "p"], ["--profile", "bad"], ["-m", "nothing"], ["-m", "alpha_nDCG@20"], ["--tag", ""]):
        assert main(["check", "s.run", *words, "--fix", "--out", "m.run"]) == 2, words
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    capsys.readouterr()


def test_out_is_the_copy_of_the_one_file_that_is_to_be_mended(files, capsys):
    files(r=CRLF_RUN, q=QRELS, t=b"1\tcats\r\n", p=b"all-topics = true\n", q2=QRELS + b"\n")
    for words in (
        ["r", "--topics", "t", "--profile", "p"],
        ["r", "t", "--profile", "p"],
        ["r", "q"],
        ["r", "--qrels", "q2"],
    ):
        assert main(["check", *words, "--fix", "--out", "m"]) == 0, words
        assert Path("m").read_bytes() == RUN
        Path("m").unlink()
    assert main(["check", "r", "q2", "--fix", "--out", "m"]) == 2
    assert "there are 2 (r, q2)" in capsys.readouterr().err


# Requests that cannot be --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        (b"max-per-topic = 0\n", "p:1: max-per-topic is a whole number, 1 or more, not 0"),
        (b"\nmin-per-topic = -1\n", "p:2: min-per-topic is a whole number, 1 or more, not -1"),
        (b'max-per-topic = "5"\n', "p:1: 'max-per-topic' is a whole number, not '5'"),
        (b"all-topics = 1\n", "p:1: 'all-topics' is true or false, not 1"),
        (b'tag-pattern = "["\n', "p:1: tag-pattern '[' is no regular expression"),
        (b"max-per-topic = 3\nmin-per-topic = 5\n", "p:2: min-per-topic, 5, is above max-per-topic, 3"),
        (b"max-per-topic 3\n", "p: is not a TOML file"),
        (b"\xff", "p: is not UTF-8"),
        (None, "p: cannot be read"),
    ],
)
def test_a_wrong_profile_is_a_wrong_request(files, profile, said, capsys):
    files(r=RUN, **({} if profile is None else {"p": profile}))
    assert main(["check", "r", "--profile", "p"]) == 2
    assert capsys.readouterr().err.startswith(f"irkit: {said}")


def test_a_copy_that_cannot_be_written_is_a_wrong_request(files, tmp_path, capsys):
    files(r=CRLF_RUN, other=b"")
    (tmp_path / "folder").mkdir()
    for out in ("folder", "other/m", *(["/dev/full"] if Path("/dev/full").exists() else [])):
        assert main(["check", "r", "--fix", "--out", out]) == 2, out
    capsys.readouterr()


def test_codes_and_explain_are_not_both_done_and_a_wrong_code_has_the_nearest(capsys):
    assert main(["check", "--codes", "--explain", "blank-line"]) == 2
    assert main(["check", "--explain", "blank-lines"]) == 2
    assert "the nearest is 'blank-line', and --codes lists all\n" in capsys.readouterr().err


def test_a_name_that_cannot_be_is_a_finding_and_the_other_files_are_checked(files, capsys):
    name = "x" * 300
    files(**{"a.run": RUN})
    assert main(["check", "a.run", name, "nosuch", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [one["holds"] for one in report["files"]] == ["1 topic, 2 documents", "", ""]
    assert [(one["code"], one["file"]) for one in report["findings"]] == [
        ("unreadable-file", name),
        ("unreadable-file", "nosuch"),
    ]
    assert codes("a.run", documents=[name]) == ["unreadable-file"]
    assert codes("a\0b") == ["unreadable-file"]
    assert mend(["a.run", name]).codes == ("unreadable-file",)


def test_one_file_under_two_names_is_named_twice(files, tmp_path):
    files(**{"a.run": RUN})
    (tmp_path / "link").symlink_to("a.run")
    for other in ("./a.run", str(tmp_path / "a.run"), "link"):
        with pytest.raises(UsageError, match=r"named twice, also as a\.run"):
            check(["a.run", other])
        with pytest.raises(UsageError, match="named twice"):
            mend("a.run", topics=[other])
    with pytest.raises(UsageError, match="named twice"):
        check(["-", "/dev/stdin"])


# What is left out ---------------------------------------------------------------------------------------------------


def test_lines_beyond_the_ten_thousandth_are_told_in_twenty_spans_at_most():
    one, many = FindingCollector("f"), FindingCollector("f")
    lines = np.arange(1, 8 * MOST, 2)
    many.add_lines("bad-rank", lines, lambda place: "x")
    for line in lines.tolist():
        one.add("bad-rank", "x", line)
    assert one.in_order() == many.in_order()
    *_, rest = many.in_order()
    # MOST odd numbers end with 19,999; twenty more with 20,039
    told = ", ".join(map(str, range(20_001, 20_040, 2)))
    assert rest.message == f"30,000 more, in lines {told} and others up to line 79999"


def test_repairs_beyond_the_ten_thousandth_are_told_by_their_number(files, capsys):
    n = MOST + 7
    files(r=b"".join(b"%d Q0 a 1 2,5 r\n" % number for number in range(n)))
    assert main(["check", "r", "--fix", "--decimal-commas"]) == 0
    assert "mended: decimal-comma (10,007)\n" in capsys.readouterr().out
    (its,) = mend("r", decimal_commas=True).repaired
    assert (its.repairs[-1].n, its.repairs[-1].was) == (7, "7 more, up to line 10007")


def test_what_follows_from_an_error_of_a_topic_is_not_told_of_it_again(files):
    files(
        r=b"1 Q0 a 1 2 r\n2 Q0 a 1\n3 Q0 a 1 x r\n5 Q0 a 1 2 r\n",
        q=b"1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n5 0 a yes\n5 0 b 0\n6 0 a no\n",
        t=b"1\ta\n2\tb\n3\tc\n4\td\n5\te\n",
    )
    found = {(one.code, one.topic) for one in check(["r", "q"], rules=SubmissionRules(min_per_topic=1)).findings}
    errors = {("malformed-line", None), ("bad-score", "3"), ("bad-grade", None)}
    assert found == errors | {("missing-topic", "4")}  # nothing of 2, 3, 5 and 6
    assert {one.topic for one in check(["r", "t"]).findings if one.code == "unanswered-topic"} == {"4"}
    rules = SubmissionRules(all_topics=True)
    assert {one.topic for one in check(["r", "t"], rules=rules).findings if one.code == "required-topic"} == {"4"}


def test_a_file_of_which_nothing_can_be_read_lacks_no_topic(files):
    files(r=b"1 Q0 a\n", q=QRELS + b"2 0 a 1\n", t=b"1\tcats\n2\tdogs\n")
    assert codes(runs=["r"], qrels=["q"], topics=["t"]) == ["malformed-line"]


def test_a_damaged_archive_keeps_the_reason_and_one_in_another_is_read(files):
    whole = gzip.compress(RUN * 1, mtime=0)
    files(cut=whole[:-9], crc=whole[:-8] + b"\0" * 4 + whole[-4:], tail=whole + b"xyz", twice=gzip.compress(whole))
    for name in ("cut", "crc", "tail"):
        (found,) = check(name).findings
        with pytest.raises(FormatError) as refused:
            read_run(name)
        assert found.code == "damaged-archive"
        assert found.message.removeprefix("the archive is cut off or damaged ") in str(refused.value)
    assert codes("twice") == ["compressed-file"]


def test_sarif_names_a_file_alike_however_it_was_named(files, tmp_path, capsys):
    (tmp_path / "sub").mkdir()
    files(**{"x.txt": b"x y\n"})
    (tmp_path / "link.txt").symlink_to("x.txt")

    def uri(name):
        (result,) = sarif(capsys, name)["runs"][0]["results"]
        return result["locations"][0]["physicalLocation"]["artifactLocation"]

    for name in ("x.txt", "./x.txt", "sub/../x.txt", str(tmp_path / "x.txt")):
        assert uri(name) == {"uri": "x.txt", "uriBaseId": "ROOT"}
    assert uri("link.txt") == {"uri": "link.txt", "uriBaseId": "ROOT"}
    assert ".." not in uri("../nothing.txt")["uri"]
