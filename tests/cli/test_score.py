"""Commands as a user meets them: whole outputs, exit codes, and errors that name the remedy."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from irkit import _kernel
from irkit.cli import COMMANDS, irkit, main
from irkit.measures import FAMILIES

QRELS = "1 0 a 2\n1 0 b 1\n2 0 c 1\n3 0 d 0\n"
RUN = "1 Q0 a 1 3.0 one\n1 Q0 x 2 2.0 one\n1 Q0 b 3 1.0 one\n2 Q0 y 1 2.0 one\n2 Q0 c 2 1.0 one\n3 Q0 d 1 1 one\n"
OTHER = "1 Q0 x 1 3.0 two\n1 Q0 a 2 2.0 two\n2 Q0 c 1 2.0 two\n9 Q0 z 1 1 two\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels.txt": QRELS, "one.run": RUN, "two.run": OTHER}.items():
        Path(name).write_text(text)
    return tmp_path


def call(capfd, *words: str) -> tuple[int, str, str]:
    status = main(words)
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def values(out: str) -> dict[str, dict[str, float]]:
    """The last block of a trec_eval layout, `{measure: {topic: value}}`."""
    table: dict[str, dict[str, float]] = {}
    for line in out.splitlines():
        measure, topic, value = line.split("\t")
        if measure.strip() != "runid":
            table.setdefault(measure.strip(), {})[topic] = float(value)
    return table


def test_score_in_the_layout_of_trec_eval(files, capfd):
    # AP: topic 1 (1/1 + 2/3) / 2 = .8333, topic 2 1/2, topic 3 nothing to find; mean .4444. RR: 1, 1/2, 0; mean .5
    status, out, _ = call(
        capfd, "score", "one.run", "qrels.txt", "-m", "map", "-m", "recip_rank", "--format", "trec_eval"
    )
    assert status == 0
    assert out == "map                   \tall\t0.4444\nrecip_rank            \tall\t0.5000\n"


def test_score_by_topic_and_several_runs(files, capfd):
    words = ["score", "one.run", "two.run", "qrels.txt", "-m", "RR", "--format", "json", "--by-topic"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    one, two = json.loads(out)["evaluations"]
    assert one["topics"] == {"1": {"RR": 1.0}, "2": {"RR": 0.5}, "3": {"RR": 0.0}}
    assert two["topics"] == {"1": {"RR": 0.5}, "2": {"RR": 1.0}, "3": {"RR": 0.0}}
    assert two["topics_missing_from_run"] == ["3"]
    assert two["topics_without_judgments"] == ["9"]


@pytest.mark.parametrize(
    ("convention", "mean"),
    [("zero", (1 + 1 + 0) / 3), ("one", 1.0), ("abstain", (1 + 1 + 0) / 3), ("skip", 1.0)],
)
def test_the_convention_for_topics_without_relevant_documents_is_chosen_and_said(files, capfd, convention, mean):
    status, out, _ = call(capfd, "score", "one.run", "qrels.txt", "-m", "R@5", "--no-relevant", convention)
    assert status == 0
    assert f"{mean:.4f}" in out
    assert convention in out or "left out" in out or "count" in out


@pytest.mark.parametrize(
    ("rule", "said", "rr"),
    [
        ("docid", "", "0.5000"),  # c, b, a
        ("file", "; ties: file", "1.0000"),
        ("worst", "; ties: worst", "0.3333"),
        ("best", "; ties: best", "1.0000"),
        ("expected", "; ties: expected", "0.6111"),  # (1 + 1/2 + 1/3) / 3
    ],
)
def test_ties_are_broken_by_the_rule_that_is_chosen_and_said(tmp_path, monkeypatch, capfd, rule, said, rr):
    monkeypatch.chdir(tmp_path)
    Path("r").write_text("1 Q0 b 1 1 r\n1 Q0 a 2 1 r\n1 Q0 c 3 1 r\n")
    Path("q").write_text("1 0 b 1\n")
    status, out, err = call(capfd, "score", "r", "q", "-m", "RR", "--ties", rule)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"1 topic averaged (all judged); rules trec_eval-10{said}; topics without relevant documents: none",
        "ties: 3 of 3 documents share a score with one that is judged otherwise, in 1 of 1 topic; they could move RR "
        "between 0.3333 and 1.0000",
        "",
        "run      RR",
        "───────────",
        f"r    {rr}",
    ]
    Path("s").write_text("1 Q0 x 1 2 r\n")
    status, out, _ = call(capfd, "compare", "s", "r", "q", "-m", "RR", "--ties", rule, "--format", "csv")
    (test,) = csv.DictReader(io.StringIO(out))
    assert (status, f"{float(test['candidate_mean']):.4f}", test["tie_order"]) == (0, rr, rule)


def test_the_order_of_a_file_that_comes_through_standard_input(files):
    shown = subprocess.run(
        [sys.executable, "-m", "irkit", "score", "-", "qrels.txt", "-m", "RR", "--ties", "file", "--format", "csv"],
        input=RUN.encode(),
        capture_output=True,
        check=True,
    )
    assert (
        shown.stdout.decode().splitlines()[1].startswith("standard input,,all,RR,0.5,3,trec_eval-10,judged,zero,file")
    )


def test_the_table_says_what_was_averaged_and_missing(files, capfd):
    status, out, _ = call(capfd, "score", "one.run", "two.run", "qrels.txt", "-m", "RR")
    assert status == 0
    assert "3 topics" in out
    assert "trec_eval-10" in out
    assert "missing" in out
    assert "two" in out


def test_standard_input_and_compression(files, capfd, monkeypatch):
    Path("one.txt").write_bytes(gzip.compress(RUN.encode()))
    status, out, _ = call(capfd, "score", "one.txt", "qrels.txt", "-m", "map", "--format", "trec_eval")
    assert (status, values(out)["map"]["all"]) == (0, 0.4444)
    shown = subprocess.run(
        [sys.executable, "-m", "irkit", "score", "-", "qrels.txt", "-m", "map", "--format", "trec_eval"],
        input=RUN.encode(),
        capture_output=True,
        check=True,
    )
    assert values(shown.stdout.decode())["map"]["all"] == 0.4444


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["score", "qrels.txt", "one.run"], 1, "qrels.txt has 4 columns and looks like qrels, one.run has 6 and looks"),
        (["score", "one.run", "two.run"], 1, "two.run has 6 columns and looks like a run; the qrels come last"),
        (["score", "one.run"], 2, "score needs at least one run, and the qrels last; got only one.run"),
        (["score"], 2, "RUN... QRELS"),
        (["index", "bm52"], 2, "unknown command 'bm52'; did you mean 'bm25'?"),
        (["retrieve", "foo"], 2, "unknown command 'foo'; there are bm25, dense"),
        (["fuse", "one.run", "two.run", "--tag", "a b", "--out", "f"], 2, "irkit: the tag of a run is one word"),
        (["retrieve", "bm25", "t", "--index", "i", "--tag", "a b", "--out", "f"], 2, "'a b' is not one word"),
        (["compare", "one.run", "two.run", "qrels.txt", "-m", "NumRet"], 2, "more of it is not better: NumRet"),
        (["score", "none.run", "qrels.txt"], 1, "none.run: cannot be read: No such file or directory"),
        (["score", "one.run", "qrels.txt", "-m", "ndcg_cutt_10"], 2, "did you mean 'ndcg_cut"),
        (["score", "one.run", "qrels.txt", "-m", "P@0"], 2, "cutoff"),
        (["score", "one.run", "qrels.txt", "--by", "category"], 2, "--by FIELD and --topics FILE go together"),
        (["score", "one.run", "qrels.txt", "--rules", "mine"], 2, "trec_eval-9"),
        (["scroe", "one.run", "qrels.txt"], 2, "unknown command 'scroe'; did you mean 'score'?"),
        (
            ["compare", "one.run", "qrels.txt"],
            2,
            "compare needs at least two runs, and the qrels last; got only one.run, qrels.txt",
        ),
        (["compare", "one.run", "two.run", "qrels.txt", "--baseline", "three"], 2, "there are one, two"),
        (["compare", "one.run", "two.run", "qrels.txt", "--baseline", "all pairs"], 2, "there are one, two"),
        (["fuse", "one.run", "two.run", "--k", "0", "--out", "f"], 2, "above 0"),
        (["fuse", "one.run", "two.run"], 2, "--out"),
        (["run", "none.toml"], 1, "none.toml: cannot be read"),
    ],
)
def test_a_wrong_call_has_its_exit_code_and_says_the_remedy(files, capfd, words, status, message):
    found, out, err = call(capfd, *words)
    assert (found, out) == (status, "")
    assert message in err
    assert "Traceback" not in err


def test_compare_in_a_table(files, capfd):
    # RR: one 1, 1/2, 0; two 1/2, 1, 0: differences of two minus one -1/2, 1/2, 0, mean 0, t 0, p 1.
    status, out, _ = call(capfd, "compare", "one.run", "two.run", "qrels.txt", "-m", "RR")
    assert status == 0
    row = next(line.split() for line in out.splitlines() if line.startswith("RR"))
    # sd 1/2: 4.302653 * 0.5 / sqrt 3
    assert row == ["RR", "two", "0.5000", "0.5000", "+0.0000", "[-1.2421,", "+1.2421]", "1.0000", "1/1/1"]
    assert "3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: 1, counted" in out
    assert "two: 1 judged topic missing from the run (counted as returning nothing): 3" in out
    assert "3 topics are too few" in out.replace("\n", " ")


def test_compare_over_an_intersection_takes_the_topics_that_every_run_has(files, capfd):
    words = ["compare", "one.run", "two.run", "qrels.txt", "-m", "RR", "--average", "intersection"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    assert out.startswith("2 topics averaged (those in every run and in the qrels)")
    row = next(line.split() for line in out.splitlines() if line.startswith("RR"))
    # 1, 1/2 and 1/2, 1: sd sqrt(1/2), 12.7062 * sqrt(1/2) / sqrt 2
    assert row == ["RR", "two", "0.7500", "0.7500", "+0.0000", "[-6.3531,", "+6.3531]", "1.0000", "1/0/1"]


def test_compare_leaves_out_what_says_nothing_of_quality(files, capfd):
    status, out, _ = call(capfd, "compare", "one.run", "two.run", "qrels.txt")
    assert status == 0
    assert "Judged" not in out
    assert "adjusted p: Holm over 5 tests;" in out.replace("\n  ", " ")
    status, out, _ = call(capfd, "compare", "one.run", "two.run", "qrels.txt", "-m", "RR NumRet")
    assert "Not compared, because more of it is not better: NumRet." in out
    assert "adjusted p" not in out


@pytest.mark.parametrize("form", ["csv", "trec_eval"])
def test_missing_topics_are_said_beside_a_format_without_a_head(files, capfd, form):
    _, _, err = call(capfd, "score", "two.run", "qrels.txt", "-m", "RR", "--format", form)
    assert "1 judged topic missing from the run (counted as returning nothing): 3" in err
    assert "1 topic of the run not judged (left out): 9" in err
    _, _, err = call(capfd, "score", "one.run", "qrels.txt", "-m", "RR", "--format", form)
    assert err == ""


def test_the_same_run_twice_is_told_apart(files, capfd):
    _, out, _ = call(capfd, "score", "one.run", "one.run", "qrels.txt", "-m", "RR")
    assert "one.run (1)" in out
    assert "one.run (2)" in out


def test_measures_are_explained_by_any_of_their_names(capfd):
    for name in ("RR", "mrr", "recip_rank", "MRR@10"):
        assert call(capfd, "measures", name)[1].startswith("RR[@k]")
    assert call(capfd, "measures", "rbp.95")[1].startswith("rbp.95 is RBP(p=0.95)\n\nRBP[@k]")
    assert call(capfd, "measures", "f1")[1].startswith("SetF")
    status, _, err = call(capfd, "measures", "ndgc")
    assert (status, err) == (2, "irkit: unknown measure 'ndgc'; did you mean 'nDCG'?\n")


def test_a_measure_is_explained_by_what_the_table_says_of_it(capfd):
    for family in FAMILIES.values():
        status, out, _ = call(capfd, "measures", family.name)
        assert status == 0
        first = out.splitlines()[0]
        assert first.startswith(family.name)
        assert first.endswith(f": {family.help}")
        for parameter in family.parameters:
            assert f" {parameter.name}: {parameter.help}; {parameter.takes}" in out
        assert all(name in out for name in (*family.aliases, *(trec.name for trec in family.trec)))
    assert "topics       averaged geometrically" in call(capfd, "measures", "gm_map")[1]
    assert call(capfd, "measures", "IPrec")[1].startswith("IPrec@recall: best precision")
    assert [call(capfd, "measures", name)[1].split()[0] for name in ("RBP", "rbp")] == ["RBP[@k]:", "rbp:"]


def test_the_list_of_measures_is_as_wide_as_asked(capfd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    for words in (["measures"], ["measures", "nDCG"]):
        assert max(map(len, call(capfd, *words)[1].splitlines())) <= 50


def commands(command=irkit, name="irkit"):
    """Every command with its name."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for one in command.list_commands(context):
            yield from commands(command.get_command(context, one), f"{name} {one}")


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_option_is_described_and_shows_its_default(name, command):
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, option
            assert "if not given" not in option.help, option
            fixed = option.default not in (None, False, ()) and not option.required
            assert option.show_default or not fixed or str(option.default).startswith("Sentinel"), option


def test_fuse_writes_the_same_bytes_in_any_order(files, capfd):
    assert call(capfd, "fuse", "one.run", "two.run", "--out", "a")[0] == 0
    assert call(capfd, "fuse", "two.run", "one.run", "--out", "b")[0] == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()
    # topic 1: a 1/61 + 1/62, x 1/62 + 1/61: a tie, x first by id; b 1/63
    assert Path("a").read_text().splitlines()[:3] == [
        f"1 Q0 x 1 {1 / 61 + 1 / 62!r} rrf",
        f"1 Q0 a 2 {1 / 61 + 1 / 62!r} rrf",
        f"1 Q0 b 3 {1 / 63!r} rrf",
    ]


def test_by_category(files, capfd):
    Path("topics").write_text(
        '{"id": "1", "text": "x", "category": "easy"}\n{"id": "2", "text": "y", "category": "hard"}\n'
        '{"id": "3", "text": "z", "category": "hard"}\n'
    )
    words = ["score", "one.run", "qrels.txt", "-m", "RR", "--by", "category", "--topics", "topics"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    assert "easy" in out
    assert "1.0000" in out
    assert "0.2500" in out  # hard: (1/2 + 0) / 2


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=str)
def test_every_command_has_help(command, capfd):
    status, out, _ = call(capfd, *command, "--help")
    assert status == 0
    assert out.lower().startswith(f"usage: irkit {' '.join(command)}".rstrip())


def test_version_says_which_kernel(capfd):
    status, out, _ = call(capfd, "--version")
    assert status == 0
    assert out == f"irkit 0.1.0 (kernel: {_kernel.NAME}; rules: trec_eval-10)\n"


def test_ids_that_are_not_utf8_come_out_as_they_went_in(files):
    Path("r").write_bytes(b"caf\xe9 Q0 a 1 1 t\n")
    Path("q").write_bytes(b"caf\xe9 0 a 1\n")
    shown = subprocess.run(
        [sys.executable, "-m", "irkit", "score", "r", "q", "-m", "RR", "--by-topic", "--format", "trec_eval"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert b"\tcaf\xe9\t1.0000\n" in shown.stdout


def test_a_reader_that_goes_away_is_no_traceback(files):
    Path("r").write_text("".join(f"{topic} Q0 a 1 1 t\n" for topic in range(20000)))
    Path("q").write_text("".join(f"{topic} 0 a 1\n" for topic in range(20000)))
    command = f"{sys.executable} -m irkit score r q --by-topic --format trec_eval | head -n 1"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert shown.stderr == b""


def test_an_interrupt_ends_with_130_and_no_traceback(files):
    os.mkfifo("pipe")
    process = subprocess.Popen(
        [sys.executable, "-m", "irkit", "score", "pipe", "qrels.txt"], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with Path("pipe").open("wb"):  # waits until the command reads
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == b"irkit: interrupted"


@pytest.mark.parametrize(
    "words",
    [
        ["score", "no\x1b[31mrun", "qrels.txt"],
        ["score", "escape.run", "qrels.txt", "--format", "trec_eval", "-m", "RR"],
        ["score", "one.run", "qrels.txt", "--by", "\x1b[2Jf", "--topics", "topics"],
        ["convert", "--topics", "topics", "--qrels", "escape.qrels", "--name", "x", "--out", "o"],
        ["\x1b[31mscore"],
    ],
)
def test_nothing_in_a_name_or_id_controls_the_terminal(files, capfd, words):
    Path("escape.run").write_text(RUN + "\x1b[31mX Q0 a 1 1 r\n")
    Path("escape.qrels").write_text("1 0 \x1b[2J 1\n\x1b]0;own\x07 0 a 1\n")
    Path("topics").write_text('{"id": "1", "text": "x", "\\u001b[31mfield": "y"}\n')
    _, out, err = call(capfd, *words)
    assert out + err
    assert "\x1b" not in out + err


def test_output_that_cannot_be_written_is_an_error_in_words(files):
    shown = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m irkit score one.run qrels.txt > /dev/full"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1
    assert shown.stderr == "irkit: output: No space left on device\n"


@pytest.mark.parametrize("redirect", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_no_traceback(files, redirect):
    command = f"{sys.executable} -m irkit score {'-' if redirect == '<&-' else 'one.run'} qrels.txt {redirect}"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in shown.stderr
    assert shown.returncode == (1 if redirect == "<&-" else 0)


@pytest.mark.parametrize("out", ["x" * 300, "loop/x", "no/\udcff/" + "y" * 300])
def test_a_place_that_cannot_be_written_is_an_error_in_words(files, capfd, out):
    Path("loop").symlink_to("loop")
    status, _, err = call(capfd, "fuse", "one.run", "two.run", "--out", out)
    assert status in (1, 2)
    assert "cannot be written" in err


def test_standard_input_is_named_once(capsys):
    assert main(["score", "-", "-"]) == 2
    assert "standard input can be read only once" in capsys.readouterr().err
