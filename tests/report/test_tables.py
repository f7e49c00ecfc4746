"""Reports: whole outputs, written by hand, and names that mean harm."""

import csv
import io
import json
from math import inf, nan

import pytest
from evaluations import evaluation

from irkit.errors import DataError, UsageError
from irkit.ids import to_text
from irkit.report.text import FORMATS, TerminalWidth, head, render, render_comparison, unsaid
from irkit.rules import TREC_EVAL_9, Conventions
from irkit.stats import compare

WIDE = TerminalWidth()
BM25 = evaluation("bm25", {"nDCG@10": [1.0, 0.5, 0.0], "RR": [1.0, 0.25, 0.0], "NumRet": [10, 10, 5]})
DENSE = evaluation(
    "dense",
    {"nDCG@10": [0.5, 0.5, 0.8], "RR": [1.0, 0.25, 0.0], "NumRet": [10, 10, 10]},
    missing=("3",),
    unjudged=("x", "y"),
)
GROUPS = {"2": "paraphrase", "1": "exact", "3": "paraphrase"}
# RR of bm25: deviations 7/12, -2/12, -5/12, so sd = sqrt((49 + 4 + 25) / 288) = 0.5204; 4.302653 * 0.5204 / sqrt 3
FEW_FOR_A_BOARD = (
    "3 topics are too few to rank systems, or to say where the mean over all topics of the kind lies (RR of bm25)."
)
HOSTILE = '[red]a|b*\x1b[31m\n=1,"c"\u202e' + to_text(b"\xff")


def table(evaluations, screen=WIDE, **options):
    return render(evaluations, "table", screen=screen, **options)


def test_table_of_two_runs():
    assert table([BM25, DENSE]) == (
        "3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "dense: 1 judged topic missing from the run (counted as returning nothing): 3\n"
        "dense: 2 topics of the run not judged (left out): x, y\n"
        "\n"
        "run    nDCG@10      RR  NumRet\n"
        "──────────────────────────────\n"
        "bm25    0.5000  0.4167      25\n"
        "dense   0.6000  0.4167      30\n"
        "\n"
        f"{FEW_FOR_A_BOARD}\n"
    )


def test_table_of_groups_has_a_block_for_each_in_the_order_named():
    assert table([BM25, DENSE], groups=GROUPS).split("\n\n", 1)[1] == (
        "run                    nDCG@10      RR  NumRet\n"
        "──────────────────────────────────────────────\n"
        "paraphrase (2 topics)\n"
        "  bm25                  0.2500  0.1250      15\n"
        "  dense                 0.6500  0.1250      20\n"
        "\n"
        "exact (1 topic)\n"
        "  bm25                  1.0000  1.0000      10\n"
        "  dense                 0.5000  1.0000      10\n"
        "\n"
        "all (3 topics)\n"
        "  bm25                  0.5000  0.4167      25\n"
        "  dense                 0.6000  0.4167      30\n"
        "\n"
        f"{FEW_FOR_A_BOARD}\n"
    )


def test_table_of_one_run_by_topic_has_topics_as_rows():
    assert table([BM25], by_topic=True, groups=GROUPS).split("\n\n", 1)[1] == (
        "bm25                   nDCG@10      RR  NumRet\n"
        "──────────────────────────────────────────────\n"
        "topic 1                 1.0000  1.0000      10\n"
        "topic 2                 0.5000  0.2500      10\n"
        "topic 3                 0.0000  0.0000       5\n"
        "\n"
        "paraphrase (2 topics)   0.2500  0.1250      15\n"
        "exact (1 topic)         1.0000  1.0000      10\n"
        "all (3 topics)          0.5000  0.4167      25\n"
    )


def test_the_best_of_several_runs_is_bold_where_they_differ():
    drawn = table([BM25, DENSE], TerminalWidth(styled=True))
    assert "\x1b[1m0.6000\x1b[0m" in drawn
    assert drawn.count("\x1b[1m") == 1  # not RR, which is the same, nor a count
    assert "\x1b" not in table([BM25], TerminalWidth(styled=True))


def test_the_most_of_a_measure_that_is_none_of_quality_is_not_bold():
    runs = [evaluation("a", {"unj@5": [0.2], "Judged": [0.5]}), evaluation("b", {"unj@5": [0.6], "Judged": [0.25]})]
    assert "**" not in render(runs, "markdown")


def test_values_that_print_alike_are_bold_alike():
    runs = [evaluation("a", {"AP": [0.50001]}), evaluation("b", {"AP": [0.50002]}), evaluation("c", {"AP": [0.1]})]
    assert render(runs, "markdown").count("**0.5000**") == 2


def test_numbers_that_do_not_fit_go_on_below_and_long_names_fold():
    run = evaluation("a-run-with-a-name-longer-than-is-wise", {"nDCG@10": [0.1], "AP": [0.2], "RR": [0.3], "P@10": [0]})
    assert table([run], TerminalWidth(40)).split("\n\n", 1)[1] == (
        "run            nDCG@10      AP      RR\n"
        "──────────────────────────────────────\n"
        "a-run-with-a-   0.1000  0.2000  0.3000\n"
        "name-longer-\n"
        "than-is-wise\n"
        "\n"
        "run              P@10\n"
        "─────────────────────\n"
        "a-run-with-a-  0.0000\n"
        "name-longer-\n"
        "than-is-wise\n"
    )


def test_a_name_without_a_sign_to_break_at_is_broken_anywhere_and_keeps_its_indent():
    one = evaluation("abcdefghijklmnopqrstuvwxyz", {"nDCG@10": [0.5], "AP": [0.5], "RR": [0.5]})
    drawn = table([one, evaluation("b", {"AP": [0.5]})], TerminalWidth(32), groups={"1": "g"})
    assert "  abcdefghijklmn   0.5000\n  opqrstuvwxyz" in drawn
    assert max(map(len, drawn.splitlines())) <= 32


def test_runs_of_one_name_are_numbered_in_every_format():
    runs = [
        evaluation("a", {"AP": [0.5] * 30}),
        evaluation("a", {"AP": [0.25] * 30}),
        evaluation("b", {"AP": [0] * 30}),
    ]
    for form in FORMATS:
        text = render(runs, form)
        assert "a (1)" in text
        assert "a (2)" in text
        assert "b (" not in text
    assert [(t.baseline, t.candidate) for t in compare(runs[:2]).tests] == [("a (1)", "a (2)")]


@pytest.mark.parametrize("width", [40, 80, 140])
@pytest.mark.parametrize("n_runs", [1, 3, 12])
def test_nothing_is_cut_and_no_line_is_wider_than_the_screen(width, n_runs):
    names = ["nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10", "nDCG(dcg='exp-log2')@10", "Success@5", "NumRet"]
    runs = [
        evaluation(f"run-{n}-" + "x" * n * 4, {m: [(n * 9 + c) / 200] for c, m in enumerate(names)})
        for n in range(n_runs)
    ]
    drawn = table(runs, TerminalWidth(width))
    assert max(map(len, drawn.splitlines())) <= width
    joined = drawn.split("\n\n", 1)[1].replace("\n", "").replace(" ", "")
    assert "…" not in drawn
    for n in range(n_runs):
        for c in range(len(names) - 1):
            assert f"{(n * 9 + c) / 200:.4f}" in joined


def test_a_screen_without_unicode_gets_ascii_only():
    drawn = table([evaluation("éa|[red]\u4e2d", {"AP": [0.5]})], TerminalWidth(80, True, "ascii"))
    assert drawn.split("\n\n", 1)[1] == (
        "run                    AP\n"  # the name takes 17 columns
        "-------------------------\n"
        "\\xe9a|[red]\\u4e2d  0.5000\n"
    )


def test_a_pipe_is_plain_and_as_wide_as_the_table(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert TerminalWidth.of(io.TextIOWrapper(io.BytesIO(), "utf-8")) == TerminalWidth(None, False, "utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    assert TerminalWidth.of(io.TextIOWrapper(io.BytesIO(), "ascii")) == TerminalWidth(100, False, "ascii")


def test_markdown():
    assert render([BM25, DENSE], "markdown") == (
        "- 3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "- dense: 1 judged topic missing from the run (counted as returning nothing): 3\n"
        "- dense: 2 topics of the run not judged (left out): x, y\n"
        "\n"
        "| run   |    nDCG@10 |     RR | NumRet |\n"
        "| ----- | ---------: | -----: | -----: |\n"
        "| bm25  |     0.5000 | 0.4167 |     25 |\n"
        "| dense | **0.6000** | 0.4167 |     30 |\n"
        "\n"
        f"{FEW_FOR_A_BOARD}\n"
    )


def test_csv_has_all_digits():
    run = evaluation("a", {"AP": [1 / 3, nan]}, conventions=Conventions(no_relevant="skip"), rules=TREC_EVAL_9)
    assert render([run], "csv", by_topic=True, groups={"1": "g", "2": "h"}) == (
        "run,group,topic,measure,value,n_topics,rules,average,no_relevant,tie_order\n"
        "a,g,1,AP,0.3333333333333333,,trec_eval-9,judged,skip,docid\n"
        "a,h,2,AP,,,trec_eval-9,judged,skip,docid\n"
        "a,g,all,AP,0.3333333333333333,1,trec_eval-9,judged,skip,docid\n"
        "a,h,all,AP,,0,trec_eval-9,judged,skip,docid\n"
        "a,,all,AP,0.3333333333333333,1,trec_eval-9,judged,skip,docid\n"
    )


def test_json_has_everything_and_null_for_nan():
    run = evaluation("a", {"AP": [1 / 189, nan]}, missing=("2",), conventions=Conventions(no_relevant="skip"))
    (whole,) = json.loads(render([run], "json"), parse_constant=pytest.fail)["evaluations"]
    assert whole["measures"]["AP"] == {"summary": "mean", "value": 1 / 189, "n_averaged": 1}
    assert (whole["rules"], whole["no_relevant"], whole["n_topics"]) == ("trec_eval-10", "skip", 2)
    assert whole["topics_missing_from_run"] == ["2"]
    assert "topics" not in whole
    (by_topic,) = json.loads(render([run], "json", by_topic=True, groups={"1": "g", "2": "g"}))["evaluations"]
    assert by_topic["topics"] == {"1": {"AP": 1 / 189}, "2": {"AP": None}}
    assert by_topic["groups"]["g"]["n_topics"] == 2


def test_trec_eval_layout_of_one_run():
    run = evaluation("a", {"NumQ": [1, 1], "NumRet": [10, 5], "AP": [1 / 189, nan], "RBP": [0.5, 0.25]}, ["q1", "q2"])
    assert render([run], "trec_eval", by_topic=True) == (
        "num_ret               \tq1\t10\n"
        "map                   \tq1\t0.0053\n"
        "RBP                   \tq1\t0.5000\n"
        "num_ret               \tq2\t5\n"
        "RBP                   \tq2\t0.2500\n"
        "num_q                 \tall\t2\n"
        "num_ret               \tall\t15\n"
        "map                   \tall\t0.0053\n"
        "RBP                   \tall\t0.3750\n"
    )


def test_a_geometric_mean_in_every_format():
    run = evaluation("a", {"GMAP": [0.5, 0.125], "AP": [0.5, 0.125]})  # sqrt(1/16) and 5/16
    assert table([run]).splitlines()[-1] == "a    0.2500  0.3125"
    assert "| a   | 0.2500 | 0.3125 |" in render([run], "markdown")
    assert render([run], "csv").splitlines()[1] == "a,,all,GMAP,0.25,2,trec_eval-10,judged,zero,docid"
    (whole,) = json.loads(render([run], "json"))["evaluations"]
    assert whole["measures"]["GMAP"] == {"summary": "geometric mean", "value": 0.25, "n_averaged": 2}
    # trec_eval has no line of a topic for it
    assert render([run], "trec_eval", by_topic=True) == (
        "map                   \t1\t0.5000\n"
        "map                   \t2\t0.1250\n"
        "gm_map                \tall\t0.2500\n"
        "map                   \tall\t0.3125\n"
    )
    assert str(run) == "a: GMAP 0.2500, AP 0.3125 (2 topics)"


def test_trec_eval_layout_names_each_of_several_runs():
    runs = [evaluation("a", {"AP": [0.5]}), evaluation("b", {"AP": [0.25]})]
    assert render(runs, "trec_eval") == (
        "runid                 \tall\ta\n"
        "map                   \tall\t0.5000\n"
        "runid                 \tall\tb\n"
        "map                   \tall\t0.2500\n"
    )


@pytest.mark.parametrize(
    ("no_relevant", "values", "said"),
    [
        ("zero", [0.5, 0, 0], "3 topics averaged (all judged); RULES: 2, counted zero"),
        ("one", [0.5, 1, 1], "3 topics averaged (all judged); RULES: 2, counted one"),
        ("skip", [0.5, nan, nan], "1 topic averaged (of 3, all judged); RULES: 2, left out"),
        ("abstain", [0.5, 1, 0], "3 topics averaged (all judged); RULES: 2, COUNTED"),
    ],
)
def test_the_head_says_what_topics_without_relevant_documents_counted(no_relevant, values, said):
    run = evaluation("a", {"AP": values}, without_relevant=("2", "3"), conventions=Conventions(no_relevant=no_relevant))
    said = said.replace("RULES", "rules trec_eval-10; topics without relevant documents")
    assert head([run]) == [said.replace("COUNTED", "counted one where nothing was returned, else zero")]


def test_the_head_names_ten_missing_topics_and_the_first_five_of_more():
    ids = [f"{n:02}" for n in range(1, 12)]
    ten = evaluation("a", {"AP": [0.5]}, missing=tuple(ids[:10]))
    more = evaluation("a", {"AP": [0.5]}, missing=tuple(ids), conventions=Conventions("intersection"))
    assert head([ten])[1].endswith("(counted as returning nothing): 01, 02, 03, 04, 05, 06, 07, 08, 09, 10")
    assert head([more]) == [
        "1 topic averaged (those in both run and qrels); rules trec_eval-10; topics without relevant documents: none",
        "11 judged topics missing from the run (left out): 01, 02, 03, 04, 05 and 6 more",
    ]


def test_the_head_says_by_run_what_differs_and_once_what_does_not():
    both = Conventions("intersection")
    runs = [
        evaluation("a", {"AP": [0.5, 0.5]}, conventions=both, unjudged=("z",)),
        evaluation("b", {"AP": [0.5]}, conventions=both, missing=("2",), unjudged=("z",)),
    ]
    basis = "averaged (those in both run and qrels); rules trec_eval-10; topics without relevant documents: none"
    assert head(runs) == [
        f"a: 2 topics {basis}",
        f"b: 1 topic {basis}",
        "b: 1 judged topic missing from the run (left out): 2",
        "1 topic of the run not judged (left out): z",
    ]


def test_hostile_names_come_out_harmless_in_tables():
    run = evaluation(HOSTILE, {"AP": [0.5]}, [HOSTILE], missing=(HOSTILE,))
    shown = '[red]a|b*\\x1b[31m\\n=1,"c"\\u202e\\xff'
    for drawn in (table([run]), table([run, BM25], TerminalWidth(200, True), by_topic=True)):
        assert shown in drawn
        assert HOSTILE not in drawn
        drawn.encode("utf-8")
    markdown = render([run], "markdown")
    escaped = '\\[red\\]a\\|b\\*\\\\x1b\\[31m\\\\n=1,"c"\\\\u202e\\\\xff'
    assert f"| {escaped} |" in markdown
    assert markdown.splitlines()[1].endswith(f": {escaped}")


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("-7", "-7"),
        ("\t=1", "\\t=1"),
        ('a,"b"\nc', 'a,"b"\\nc'),
        ("plain", "plain"),
    ],
)
def test_a_name_in_csv_is_no_formula_and_one_cell(name, cell):
    rows = list(csv.reader(io.StringIO(render([evaluation(name, {"AP": [0.5]}, [name])], "csv", by_topic=True))))
    assert [len(row) for row in rows] == [10, 10, 10]
    assert (rows[1][0], rows[1][2]) == (cell, cell)


def test_json_and_trec_eval_keep_ids_and_let_no_control_character_through():
    run = evaluation(HOSTILE, {"AP": [0.5]}, ["caf\u00e9" + to_text(b"\xff")])
    text = render([run], "json", by_topic=True)
    assert text.isascii()
    assert json.loads(text)["evaluations"][0]["run"] == HOSTILE
    lines = render([run, run], "trec_eval", by_topic=True).split("\n")
    assert lines[0].startswith("runid                 \tall\t[red]a|b*\\x1b[31m\\n=1")
    assert lines[1] == "map                   \tcaf\u00e9" + to_text(b"\xff") + "\t0.5000"


A = evaluation("a", {"AP": [0.3, 0.6, 0.9], "RR": [1, 1, 1]})
B = evaluation("b", {"AP": [0.2, 0.4, 0.6], "RR": [1, 1, 1]})
FEW = (
    "3 topics are too few to rank systems: the mean difference over all topics of the kind may lie 0.2484 either "
    "way (AP, a against b; 95% t interval)."
)  # 4.302653 * 0.1 / sqrt 3


# 3.2640 is the dz that a t test of three topics finds in 80% (scipy's nct); times the deviation, 0.1
FOUND = (
    "No difference is shown at 0.05 (Holm over 2 tests), which does not say that there is none.",
    "With 3 topics a true difference of 0.3264 (AP, a against b) would be found by a t test in 80% of samples "
    "whose differences are normally distributed and vary as these do, "
    "and smaller ones less often, before any correction.",
    "RR, a against b: identical: no topic differs.",
)


def test_comparison_as_a_table():
    assert render_comparison(compare([B, A]), "table", screen=WIDE) == (
        "3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "paired t test, two-sided; adjusted p: Holm over 2 tests; difference: mean of the candidate minus mean of the "
        "baseline b\n"
        "\n"
        "measure  candidate    mean  baseline  difference      95% t interval       p  adjusted p  win/tie/loss\n"
        "──────────────────────────────────────────────────────────────────────────────────────────────────────\n"
        "AP       a          0.6000    0.4000     +0.2000  [-0.0484, +0.4484]  0.0742      0.1484         3/0/0\n"
        "RR       a          1.0000    1.0000     +0.0000  [+0.0000, +0.0000]  1.0000      1.0000         0/3/0\n"
        "\n"
        f"{FOUND[0]}\n{FOUND[1]}\n{FOUND[2]}\n{FEW}\n"
    )


def test_without_correction_there_is_no_adjusted_p_and_the_number_of_tests_is_said():
    lines = render_comparison(compare([B, A], correction="none"), "table", screen=WIDE).splitlines()
    assert lines[1] == "paired t test, two-sided; difference: mean of the candidate minus mean of the baseline b"
    assert lines[5].split()[-2:] == ["0.0742", "3/0/0"]
    assert lines[-1] == "2 comparisons are shown; their p-values are not corrected for that."


def test_comparison_of_all_pairs_in_markdown_names_the_baselines_and_shows_the_runs():
    c = evaluation("c", {"AP": [0.2, 0.4, 0.6]})
    text = render_comparison(compare([B, A, c], baseline="all pairs"), "markdown")
    assert text.split("\n\n")[1:3] == [
        "| run |         AP |\n| --- | ---------: |\n| a b |     0.4000 |\n| b a | **0.6000** |\n| c c |     0.4000 |",
        # 3 * 0.0742
        "| measure | candidate | against | difference |     95% t interval |      p | adjusted p | win/tie/loss |\n"
        "| ------- | --------- | ------- | ---------: | -----------------: | -----: | ---------: | -----------: |\n"
        "| AP      | a         | b       |    +0.2000 | [-0.0484, +0.4484] | 0.0742 |     0.2225 |        3/0/0 |\n"
        "| AP      | c         | b       |    +0.0000 | [+0.0000, +0.0000] | 1.0000 |     1.0000 |        0/3/0 |\n"
        "| AP      | c         | a       |    -0.2000 | [-0.4484, +0.0484] | 0.0742 |     0.2225 |        0/0/3 |",
    ]


def test_a_p_value_is_never_printed_as_zero():
    constant = evaluation("c", {"AP": [0.4, 0.7, 1.0]})
    assert "< 1e-300" in render_comparison(compare([A, constant]), "markdown").replace("\\<", "<")
    tiny = evaluation("t", {"AP": [0.3 + 0.1, 0.6 + 0.1001, 0.9 + 0.0999]})
    assert "< 0.0001" in render_comparison(compare([A, tiny]), "table", screen=WIDE)
    whole = json.loads(render_comparison(compare([A, constant]), "json"), parse_constant=pytest.fail)
    assert whole["comparisons"][0]["statistic"] is None
    assert compare([A, constant]).tests[0].statistic == inf


def test_comparison_in_csv():
    rows = list(csv.DictReader(io.StringIO(render_comparison(compare([B, A], measures=["RR"]), "csv"))))
    assert len(rows) == 1
    assert {
        name: rows[0][name]
        for name in ("candidate", "statistic", "pvalue", "ties", "note", "test", "rules", "tie_order")
    } == {
        "candidate": "a",
        "statistic": "",
        "pvalue": "1.0",
        "ties": "3",
        "note": "identical: no topic differs",
        "test": "paired t test",
        "rules": "trec_eval-10",
        "tie_order": "docid",
    }


def test_the_head_of_a_comparison_says_what_was_averaged_and_what_each_run_lacks():
    both = Conventions("intersection")
    runs = [
        evaluation("a", {"AP": [0.1, 0.2, 0.3]}, ["1", "2", "3"], missing=("4",), conventions=both),
        evaluation(
            "b", {"AP": [0.3, 0.4, 0.4]}, ["2", "3", "4"], missing=("1",), conventions=both, without_relevant=("4",)
        ),
    ]
    lines = render_comparison(compare(runs), "table", screen=WIDE).splitlines()
    assert lines[:4] == [
        "2 topics averaged (those in every run and in the qrels); rules trec_eval-10; "
        "topics without relevant documents: none",
        "a: 1 judged topic missing from the run (left out): 4",
        "b: 1 judged topic missing from the run (left out): 1",
        "paired t test, two-sided; difference: mean of the candidate minus mean of the baseline a",
    ]
    assert lines[7].split() == [
        "AP",
        "b",
        "0.3500",
        "0.2500",
        "+0.1000",
        "[+0.1000,",
        "+0.1000]",
        "<",
        "1e-300",
        "2/0/0",
    ]
    whole = json.loads(render(compare(runs), "json"))
    assert [run["topics_missing_from_run"] for run in whole["runs"]] == [["4"], ["1"]]
    assert (whole["average"], whole["runs"][0]["n_topics"]) == ("intersection", 2)


def test_what_a_format_has_no_place_for_is_left_to_say():
    for form in ("csv", "trec_eval"):
        assert unsaid([BM25, DENSE], form) == head([BM25, DENSE])
        assert unsaid([BM25], form) == []
    assert unsaid([BM25, DENSE], "json") == unsaid([BM25, DENSE], "table") == []
    assert unsaid(compare([B, A]), "csv") == [
        *FOUND,
        FEW,
    ]


def test_one_function_renders_an_evaluation_several_or_a_comparison():
    assert render(A, "csv") == render([A], "csv")
    assert render(compare([B, A]), "markdown") == render_comparison(compare([B, A]), "markdown")
    with pytest.raises(UsageError, match="a comparison has no topics or groups"):
        render(compare([B, A]), by_topic=True)


def test_only_a_board_of_few_topics_is_warned_of():
    many = [evaluation(name, {"AP": [0.1 * n, *[0.5] * 24]}) for n, name in enumerate("ab")]
    assert "too few" not in render(many, "markdown")
    assert "too few" not in render(A, "markdown")
    assert "too few" in render([A, B], "markdown")
    counts = [evaluation(name, {"NumRet": [10, 10, 5], "Judged@10": [1, 0.5, 0]}) for name in "ab"]
    assert "too few" not in render(counts, "markdown")


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_ends_with_one_line_end(format):
    text = render([BM25, DENSE], format) if format != "table" else table([BM25, DENSE])
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(UsageError, match="unknown format 'tabel'; did you mean 'table'"):
        render([BM25], "tabel")
    with pytest.raises(UsageError, match="no evaluation to show"):
        render([])
    with pytest.raises(UsageError, match="no place for groups"):
        render([BM25], "trec_eval", groups=GROUPS)
    with pytest.raises(UsageError, match="no place for a comparison"):
        render_comparison(compare([A, B]), "trec_eval")
    with pytest.raises(DataError, match="no group is given for"):
        render([BM25], "csv", groups={"1": "g"})


# q1 leaves both means, q2 that of rel=2 only; the counts keep all
SKIPPING = evaluation(
    "r",
    {"AP": [nan, 1.0, 0.5, 0.5], "AP(rel=2)": [nan, nan, 0.5, 0.5], "NumQ": [1, 1, 1, 1]},
    conventions=Conventions(no_relevant="skip"),
    without_relevant=("1", "2"),
)
HALVES = {"1": "low", "2": "low", "3": "high", "4": "high"}


def test_the_number_of_topics_beside_a_mean_is_that_of_the_topics_averaged():
    lines = table([SKIPPING], groups=HALVES).split("\n")
    assert lines[0] == (
        "2 to 3 topics averaged (of 4, all judged); rules trec_eval-10; topics without relevant documents: 2, left out"
    )
    assert [line.split("  ")[0] for line in lines if "topic" in line][1:] == [
        "low (0 to 1 topic)",
        "high (2 topics)",
        "all (2 to 3 topics)",
    ]


def test_csv_has_the_number_of_topics_of_each_value():
    rows = list(csv.DictReader(io.StringIO(render(SKIPPING, "csv", groups=HALVES))))
    assert [(row["group"], row["measure"], row["n_topics"]) for row in rows] == [
        *(("low", "AP", "1"), ("low", "AP(rel=2)", "0"), ("low", "NumQ", "2")),
        *(("high", "AP", "2"), ("high", "AP(rel=2)", "2"), ("high", "NumQ", "2")),
        *(("", "AP", "3"), ("", "AP(rel=2)", "2"), ("", "NumQ", "4")),
    ]


@pytest.mark.parametrize(("columns", "width"), [("²", None), ("٣", None), ("0", None), ("9" * 5000, None), ("60", 60)])
def test_a_width_that_is_no_number_is_none(columns, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert TerminalWidth.of(io.TextIOWrapper(io.BytesIO(), "utf-8")).width == width
