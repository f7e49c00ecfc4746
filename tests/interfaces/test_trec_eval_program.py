"""`irkit trec_eval` does what trec_eval does: options, lines byte for byte, exit codes."""

import json
import math
import os
import subprocess
import sys

import pytest

from irkit.cli import main as irkit
from irkit.measures.trec import BY_TREC_NAME, NICKNAMES, PRINT_ORDER, TEXTS
from irkit.trec_eval import main

SUITE = {
    "qrels.test results.test": "out.test",
    "qrels.test.with-comments results.test": "out.test",
    "-m all_trec qrels.test results.test": "out.test.a",
    "-m all_trec -q qrels.test results.test": "out.test.aq",
    "-m all_trec -q -c qrels.test results.trunc": "out.test.aqc",
    "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test": "out.test.aql",
    "-m all_prefs -q -R prefs prefs.test prefs.results.test": "out.test.prefs",
    "-m all_prefs -q -R qrels_prefs qrels.test results.test": "out.test.qrels_prefs",
    "-m qrels_jg -q -R qrels_jg qrels.123 results.test": "out.test.qrels_jg",
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 "
    "qrels.test results.test": "out.test.meas_params",
}


def printed(*lines):
    """`map all 1.0000` as trec_eval prints it."""
    return b"".join(b"%-22b\t%b\t%b\n" % tuple(line.encode().split(b" ", 2)) for line in lines)


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


class Program:
    """The program in a folder with a small qrels and run."""

    def __init__(self, capfdbinary):
        self._captured = capfdbinary

    def __call__(self, words, *, rc=0):
        assert main(words.split() if isinstance(words, str) else words) == rc
        captured = self._captured.readouterr()
        self.said = captured.err.decode()
        return captured.out


@pytest.fixture
def program(tmp_path, monkeypatch, capfdbinary):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 2\n1 0 c 0\n1 0 p -1\n2 0 d 1\n")
    (tmp_path / "run").write_text("1 Q0 x 1 9 tag\n1 Q0 b 2 8 tag\n1 Q0 p 3 7 tag\n1 Q0 c 4 6 tag\n2 Q0 d 1 1 tag\n")
    return Program(capfdbinary)


@pytest.mark.parametrize("words", SUITE)
def test_the_commands_of_trec_evals_own_tests_print_the_same_bytes(shared, monkeypatch, capfdbinary, words):
    monkeypatch.chdir(shared / "trec_eval" / "suite")
    assert main(words.split()) == 0
    assert capfdbinary.readouterr().out == (shared / "trec_eval" / "suite" / SUITE[words]).read_bytes()


def test_random_cases_print_the_same_bytes(shared, program, tmp_path):
    cases = (shared / "trec_eval" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    for text in cases:
        case = json.loads(text)
        (tmp_path / "qrels").write_bytes(case["qrels"].encode())
        (tmp_path / "run").write_bytes(case["run"].encode())
        rules = [] if case["version"] == "10.0" else ["--rules", "trec_eval-9"]
        found = program([*rules, *case["options"], "qrels", "run"], rc=case["rc"]).decode()
        lines = found.splitlines(keepends=True)
        if case["rc"] == 0:  # trec_eval's rbp depends on what was in memory before
            assert "".join(line for line in lines if line[:4] not in ("rbp ", "rbp_p")) == case["stdout"], case["id"]


def test_options_stand_in_any_place_shortened_attached_or_together(program):
    expected = program("-q -n -m P.2 -M 3 -l 2 qrels run")
    assert expected == printed("P_2 1 0.5000", "P_2 2 0.0000")
    for words in (
        "qrels run -qnmP.2 -M3 -l2",
        "-qn qrels -mP.2 run --Max 3 --level=2",
        "--query --nosummary --measure P.2 --Max_retrieved_per_topic=3 --lev 2 -- qrels run",
        "-q -n -m P_2 -M3 -l2 -o -D0 -T trec_results --Output_old=1 qrels run",
    ):
        assert program(words) == expected, words


def test_measures_are_printed_in_the_fixed_order_once_each(program):
    assert [line.split()[0] for line in program("-m P.2,1 -m map -m num_q -m P.1 -m map qrels run").splitlines()] == [
        *(b"num_q", b"map", b"P_1", b"P_2")
    ]


def test_parameters_hold_for_a_measure_that_a_nickname_has_too(program):
    names = [line.split()[0] for line in program("-m P.3,1 -m official qrels run").splitlines()]
    assert names[-2:] == [b"P_1", b"P_3"]
    assert len(names) == 23  # 10 values and texts, 11 levels of recall, 2 cutoffs


def test_the_string_of_grades(program):
    assert program("-q -n -m relstring qrels run") == printed("relstring 1 '-2.0'", "relstring 2 '1'")
    assert program("-q -n -m relstring.2 -m relstring.0 qrels run").splitlines()[:2] == [
        *(b"relstring_2           \t1\t'-2'", b"relstring_0           \t1\t''")
    ]


def test_a_missing_topic_is_named_and_left_out_or_with_c_counted(program, tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 1\n3 0 c 1\n")
    (tmp_path / "run").write_text("2 Q0 b 1 1 r\n9 Q0 z 1 1 r\n")
    assert program("-m map -m num_q qrels run") == printed("num_q all 1", "map all 1.0000")
    assert "2 judged topics not in the run, and not averaged ('1', '3'); -c counts them" in program.said
    assert program("-c -m map -m num_q qrels run").endswith(printed("num_q all 3", "map all 0.3333"))
    assert program.said == ""
    # An empty ranking: nothing of one relevant document found, so yaap is ln((1 + 0) / (1 + 1 - 0)).
    lines = program("-c -q -n -m yaap -m utility.1,2,-3,0 -m relstring.5 -m rbp_resid.p=0.5 qrels run").decode()
    assert f"yaap                  \t1\t{math.log(0.5):6.4f}\n" in lines
    assert "utility_1,2,-3,0      \t1\t-3.0000\n" in lines
    assert "relstring_5           \t1\t''\n" in lines
    assert "rbp_resid_p=0.5       \t1\t0.0000\n" in lines


def test_under_the_rules_of_9_missing_topics_count_and_have_no_lines(program, tmp_path):
    (tmp_path / "run").write_text("2 Q0 d 1 1 r\n")
    words = "-c -q -m map -m num_q qrels run --rules trec_eval-9"
    assert program(words).decode().split() == ["map", "2", "1.0000", "num_q", "all", "2", "map", "all", "0.5000"]
    # 9.0.4 adds nothing for topic 1: utility is (1 - 0) / 2; under the rules of 10 it is (1 - 2) / 2, two being missed.
    words = "-c -m utility.1,-1,-1,0 qrels run"
    assert program(f"{words} --rules trec_eval-9").split()[-1] == b"0.5000"
    assert program(words).split()[-1] == b"-0.5000"
    assert program("-c -D0.1 -m map qrels run --rules trec_eval-9", rc=7) == b""


def test_no_topic_in_common(program, tmp_path):
    (tmp_path / "qrels").write_text("2024.1 0 a 1\n")
    (tmp_path / "run").write_text("2024 Q0 a 1 1 r\n")
    assert program("qrels run", rc=7) == b""
    assert "the run has '2024', the qrels have '2024.1'" in program.said
    assert program("-c -m map -m num_q qrels run") == printed("num_q all 1", "map all 0.0000")
    assert "warning: no topic with both results and judgments" in program.said


def test_one_topic_alone(program):
    assert program("-D0.2 -m map -m num_q qrels run") == printed("num_q all 1", "map all 1.0000")
    assert program("-c -D0.2 -m map qrels run") == printed("map all 0.5000")
    assert program("-D 1.nowhere qrels run", rc=7) == b""
    # Of two topics one has nothing: sqrt(1 * 0.00001) = 0.0032.
    assert program("-c -D0.2 -m gm_map qrels run") == printed("gm_map all 0.0032")


def test_z_scores(program, tmp_path):
    # map of topic 1: b is found at rank 2 and a never, (1/2) / 2 = 0.25; z = (0.25 - 0.15) / 0.05 = 2.
    # Topic 2 has 1, which is its mean. num_q is a number of topics, whatever the file says.
    (tmp_path / "z").write_text("1 map 0.15 0.05\n2 map 1.0 0\n1 num_ret 2 4\n1 num_q 0 1\n1 P_5 1 nan\n")
    assert program("-q -m map -m num_ret -m num_q -m runid -m P.5 -Z z qrels run").decode().splitlines() == [
        f"{'Znum_ret':<23}\t1\t0.5000",
        f"{'Zmap':<23}\t1\t2.0000",
        f"{'ZP_5':<23}\t1\t   nan",
        f"{'Znum_ret':<23}\t2\t-1000000.0000",
        f"{'Zmap':<23}\t2\t0.0000",
        f"{'ZP_5':<23}\t2\t-1000000.0000",
        f"{'runid':<22}\tall\ttag",
        f"{'Znum_q':<23}\tall\t2.0000",
        f"{'Znum_ret':<23}\tall\t-999999.5000",
        f"{'Zmap':<23}\tall\t1.0000",
        f"{'ZP_5':<23}\tall\t   nan",
    ]
    (tmp_path / "z").write_text("1 map 0.15\n")
    program("-Z z qrels run", rc=255)
    program("-Z nowhere qrels run", rc=255)


def test_n_without_q_prints_nothing(program):
    assert program("-n qrels run") == b""


def test_nothing_is_left_where_the_first_none_are_looked_at(program):
    assert program("-M0 -m num_ret -m map -m iprec_at_recall.0 qrels run").split()[2::3] == [b"0", b"0.0000", b"0.0000"]


def test_ids_are_printed_byte_for_byte(program, tmp_path):
    (tmp_path / "qrels").write_bytes(b"\xe9\xff 0 \xe9 1\n")
    (tmp_path / "run").write_bytes(b"\xe9\xff Q0 \xe9 1 1 caf\xe9\n")
    of_topic, named, _ = program("-q -m map -m runid qrels run").splitlines()
    assert of_topic == b"map                   \t\xe9\xff\t1.0000"
    assert named == b"runid                 \tall\tcaf\xe9"


@pytest.mark.parametrize(
    ("words", "rc", "said"),
    [
        ("qrels", 1, "two files are needed, 1 are given"),
        ("qrels run more", 1, "two files are needed, 3 are given"),
        ("--nonsense qrels run", 1, "option --nonsense not recognized"),
        ("-m", 1, "option -m requires argument"),
        ("-m P. qrels run", 1, "improper measure in parameter 'P.'"),
        ("-m foo qrels run", 1, "illegal measure 'foo'"),
        ("-m precision qrels run", 1, "illegal measure 'precision'"),
        ("-m maps qrels run", 1, "did you mean 'map'?"),
        ("-l x qrels run", 1, "-l takes a whole number of at least 0, not 'x'"),
        ("-l-1 qrels run", 1, "-l takes a whole number of at least 0, not '-1'"),
        ("--rules trec_eval-8 qrels run", 2, "did you mean 'trec_eval-9'?"),
        ("-R qrel qrels run", 2, "did you mean 'qrels'?"),
        ("-T letor qrels run", 2, "there are trec_results"),
        ("-m P.0 qrels run", 2, "a cutoff of P is a whole number of at least 1, not '0'"),
        ("-m P.1e3 qrels run", 2, "a cutoff of P is a whole number of at least 1, not '1e3'"),
        ("-m P.x qrels run", 2, "'x' is not a number"),
        ("-m ndcg.10 qrels run", 2, "did you mean 'ndcg_cut.10'?"),
        ("-m ndcg.1=2, qrels run", 2, "malformed pair ''"),
        ("-R qrels_jg -m map qrels run", 4, "map needs"),
        ("-m map_avgjg qrels run", 4, "map_avgjg needs"),
        ("-m prefs_simp qrels run", 4, "prefs_simp needs"),
        ("-R qrels_jg -m relstring -q qrels run", 4, "relstring needs"),
        ("-m set_F.x,2 qrels run", 2, "'x' is not a number, which set_F takes"),
        ("-m P.1e400 qrels run", 2, "is a whole number of at least 1"),
        ("-m recall.99e9999 qrels run", 2, "is a whole number of at least 1"),
        ("-m relstring.1e400 qrels run", 2, "is not a number"),
        ("-m map_5 qrels run", 1, "illegal measure 'map_5'"),
        ("-m recip_rank_10 qrels run", 1, "illegal measure 'recip_rank_10'"),
        ("-m rbp.P=0.5 qrels run", 2, "'P' in 'P=0.5' is neither a grade nor the probability p"),
        ("-m ndcg.1=1,1=2 qrels run", 2, "names a grade twice"),
        ("-m utility.1,2 qrels run", 4, "takes four numbers, not the 2"),
        ("nowhere run", 2, "nowhere: cannot be read"),
        ("qrels nowhere", 2, "nowhere: cannot be read"),
        ("run qrels", 2, "run:1: expected 4 fields, found 6"),
    ],
)
def test_wrong_words_and_files_end_with_trec_evals_codes(program, words, rc, said):
    assert program(words, rc=rc) == b""
    assert said in program.said
    assert program.said.startswith("trec_eval: ")


def test_numbers_beyond_everything_are_as_good_as_all(program):
    words = "-m num_ret -m relstring.99999999999999999999 -q -M 99999999999999999999 -N 99999999999999999999 qrels run"
    assert printed("relstring_99999999999999999999 1 '-2.0'") in program(words)
    assert program(f"{words} -l 99999999999999999999 -m num_rel").splitlines()[-2:] == [
        *(b"num_ret               \tall\t5", b"num_rel               \tall\t0")
    ]


@pytest.mark.parametrize(
    ("redirected", "code", "out", "said"),
    [
        (">/dev/full", 8, b"", b"trec_eval: output: No space left on device\n"),
        (">&-", 0, b"", b""),
        ("2>&-", 0, printed("map all 0.6250"), b""),
    ],
)
def test_streams_that_are_closed_or_full(program, tmp_path, redirected, code, out, said):
    command = f"{sys.executable} -m irkit.trec_eval -m map qrels run {redirected}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=tmp_path, env=ENVIRONMENT)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, said)


def test_a_kernel_that_does_not_exist_is_said(tmp_path):
    env = {**ENVIRONMENT, "IRKIT_KERNEL": "fast"}
    done = subprocess.run(
        [sys.executable, "-m", "irkit.trec_eval", "q", "r"], capture_output=True, check=False, env=env
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"trec_eval: IRKIT_KERNEL is 'fast'")


def test_a_document_twice_in_a_topic(program, tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n1 Q0 a 3 0 r\n")
    assert program("qrels run", rc=4) == b""
    assert "run:3: document 'a' occurs twice in topic '1', first in line 1" in program.said


def test_the_manual_explains_the_measures_asked_for_from_the_table(program):
    manual = program("-h -m all_trec -m set_F.2").decode()
    for name in NICKNAMES["all_trec"]:
        text = TEXTS[name] if name in TEXTS else BY_TREC_NAME[name][0].help
        assert f"  {name} " in manual
        assert " ".join(text.split())[1:40] in " ".join(manual.split())
    assert "  dcg " not in manual
    assert "ideal_dcg" in program("-h -m ideal_dcg").decode()


def test_the_version_is_ours_and_says_the_rules(program):
    assert program("-v") == b""
    assert program.said.startswith("irkit ")
    assert "by the rules of trec_eval-10" in program.said


def test_every_measure_that_is_printed_is_in_the_table_or_a_text():
    assert len(PRINT_ORDER) == len(set(PRINT_ORDER)) == 57
    assert {*PRINT_ORDER} - {*TEXTS} == {name for name, (_, trec) in BY_TREC_NAME.items() if trec.printed}
    assert all(set(members) <= set(PRINT_ORDER) for members in NICKNAMES.values())
    assert len(NICKNAMES["all_trec"]) == 37


def test_it_is_a_command_of_irkit_and_a_program_of_its_own(program, tmp_path, capfdbinary):
    assert irkit(["trec_eval", "-m", "map", "qrels", "run"]) == 0
    expected = printed("map all 0.6250")
    assert capfdbinary.readouterr().out == expected
    assert irkit(["trec_eval", "-m", "nothing", "qrels", "run"]) == 1
    alone = subprocess.run(
        [sys.executable, "-m", "irkit.trec_eval", "-m", "map", "qrels", "-"],
        input=(tmp_path / "run").read_bytes(),
        capture_output=True,
        check=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=tmp_path,
    )
    assert alone.stdout == expected


def test_it_loads_no_library_but_numpy(tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 r\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    code = (
        "import sys; from irkit.trec_eval import main\n"
        f"assert main([{str(tmp_path / 'qrels')!r}, {str(tmp_path / 'run')!r}]) == 0\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "numpy" in shown.stderr.split()
    assert not {"click", "rich", "pandas", "scipy"} & set(shown.stderr.split())
