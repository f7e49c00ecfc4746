"""LaTeX, and the formats for programs: whole outputs, names that mean harm, and that all say the same."""

import csv
import io
import json
import re
from math import isnan, nan

import pytest
from evaluations import evaluation
from hypothesis import given, settings
from hypothesis import strategies as st
from imports import modules_after

from irkit._utils.visible import visible
from irkit.ids import to_text
from irkit.report.text import FORMATS, render, render_comparison, unsaid
from irkit.report.text.latex import shown
from irkit.rules import TREC_EVAL_9, Conventions
from irkit.stats import compare

BM25 = evaluation("bm25_k1", {"nDCG@10": [1.0, 0.5, 0.0], "RR": [1.0, 0.25, 0.0], "NumRet": [10, 10, 5]})
DENSE = evaluation("dense", {"nDCG@10": [0.5, 0.5, 0.8], "RR": [1.0, 0.25, 0.0], "NumRet": [10, 10, 10]})
SKIPPING = evaluation(
    "a", {"AP": [1 / 3, nan], "NumRet": [10, 5]}, conventions=Conventions(no_relevant="skip"), rules=TREC_EVAL_9
)
HOSTILE = '[red]a|b*\x1b[31m\n=1,"c"\t\u202e' + to_text(b"\xff")
SIGNS = r"\&%$#_{}~^<>|[]*-`'!?,"


def test_latex_of_two_runs():
    runs = [BM25, evaluation("dense", {"nDCG@10": [0.5, 0.5, 0.8], "RR": [1.0, 0.25, 0.0]}, missing=("50%_off",))]
    # RR of bm25 may move as far as in tests/report/test_tables.py
    assert render(runs, "latex") == (
        "% 3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "% dense: 1 judged topic missing from the run (counted as returning nothing): 50%_off\n"
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "run      &         nDCG@10 &     RR & NumRet \\\\\n"
        "\\midrule\n"
        "bm25\\_k1 &          0.5000 & 0.4167 &     25 \\\\\n"
        "dense    & \\textbf{0.6000} & 0.4167 &      - \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% 3 topics are too few to rank systems, or to say where the mean over all topics of the kind "
        "lies (RR of bm25_k1).\n"
    )


def test_latex_by_topic_and_group_has_a_rule_and_a_title_for_each():
    runs = [evaluation(name, {"P(rel=2)@10": [0.1] * 25}) for name in "ab"]
    lines = render(runs, "latex", groups={str(n): "#1" for n in range(1, 26)}).splitlines()
    assert lines[1:] == [
        "% needs \\usepackage{booktabs}",
        "\\begin{tabular}{lr}",
        "\\toprule",
        "run & P(rel=2)@10 \\\\",
        "\\midrule",
        "\\multicolumn{2}{l}{\\textbf{\\#1 (25 topics)}} \\\\",
        "a   &      0.1000 \\\\",
        "b   &      0.1000 \\\\",
        "\\midrule",
        "\\multicolumn{2}{l}{\\textbf{all (25 topics)}} \\\\",
        "a   &      0.1000 \\\\",
        "b   &      0.1000 \\\\",
        "\\bottomrule",
        "\\end{tabular}",
    ]
    one = render(evaluation("a", {"AP": [0.5, 0.25]}, ["q_1", "q_2"]), "latex", by_topic=True)
    assert one.splitlines()[4:-2] == [
        "a              &     AP \\\\",
        "\\midrule",
        "topic q\\_1     & 0.5000 \\\\",
        "topic q\\_2     & 0.2500 \\\\",
        "all (2 topics) & 0.3750 \\\\",
    ]


def test_latex_of_a_comparison():
    first = evaluation("a", {"AP": [0.3, 0.6, 0.9]})
    second = evaluation("b", {"AP": [0.2, 0.4, 0.6]})
    # as a table in tests/report/test_tables.py, the other way round: one test, so nothing is corrected
    assert render_comparison(compare([first, second]), "latex") == (
        "% 3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "% paired t test, two-sided; difference: mean of the candidate minus mean of the baseline a\n"
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{llrrrrrr}\n"
        "\\toprule\n"
        "measure & candidate &   mean & baseline & difference &        95\\% t interval &      p & win/tie/loss \\\\\n"
        "\\midrule\n"
        "AP      & b         & 0.4000 &   0.6000 &  $-$0.2000 & [$-$0.4484, $+$0.0484] & 0.0742 &        0/0/3 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% No difference is shown at 0.05, which does not say that there is none.\n"
        "% With 3 topics a true difference of 0.3264 (AP, b against a) would be found by a t test in 80% of samples "
        "whose differences are normally distributed and vary as these do, "
        "and smaller ones less often.\n"
        "% 3 topics are too few to rank systems: the mean difference over all topics of the kind may lie 0.2484 "
        "either way (AP, b against a; 95% t interval).\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("50% of_a & b", r"50\% of\_a \& b"),
        ("$x^2$ #1 {~}", r"\$x\textasciicircum{}2\$ \#1 \{\textasciitilde{}\}"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("[5pt] *", "{[}5pt] {*}"),
        ("<a|b>", r"\textless{}a\textbar{}b\textgreater{}"),
        ('"a', r"\char34{}a"),
        ("a--b ''c'' ``d !`e", "a-{}-b '{}'c'{}' `{}`d !{}`e"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
        ("a\nb\x1b", r"a\textbackslash{}nb\textbackslash{}x1b"),
        ("é\u4e2d", "é\u4e2d"),
    ],
)
def test_a_name_in_latex_is_printed_as_it_is(name, written):
    assert shown(name) == written


# How TeX reads what a name becomes: commands, escaped signs, braces around one sign, braces that end a pair of signs.
READ = re.compile(
    r"\\(?P<word>[a-z]+(?:34)?)\{\}|\\(?P<sign>[&%$#_{}])|\{(?P<braced>[\[*])\}|(?P<end>\{\})|(?P<rest>.)"
)
WORDS = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "char34": '"',
}


@given(name=st.text(st.sampled_from(SIGNS + '"a1 é\n')))
@settings(max_examples=300, deadline=None)
def test_no_sign_of_a_name_is_special_to_tex(name):
    read, parts = "", []
    for part in READ.finditer(shown(name)):
        assert part["rest"] is None or part["rest"] not in r'\&%$#_{}~^<>|[*"', part
        read += WORDS.get(part["word"] or "", part["sign"] or part["braced"] or part["rest"] or "")
        parts.append(part["rest"] or " ")
    assert read == visible(name)
    assert not re.search(r"--|''|``|,,|!`|\?`", "".join(parts))


@given(names=st.lists(st.text(st.sampled_from(SIGNS + "a\n"), min_size=1), min_size=2, max_size=2, unique=True))
@settings(max_examples=50, deadline=None)
def test_a_row_of_latex_has_its_cells_whatever_the_names(names):
    runs = [evaluation(name, {"AP": [0.5], "RR": [0.5]}, [names[0]]) for name in names]
    lines = render(runs, "latex", by_topic=True).splitlines()
    table = lines[lines.index(r"\begin{tabular}{lrr}") : lines.index(r"\end{tabular}") + 1]
    assert all(line.startswith("% ") for line in lines if line not in table)
    rows = [line for line in table if line.endswith(r" \\")]
    assert len(rows) == 1 + 2 * 3
    for row in rows:
        bare = re.sub(r"\\[&%$#_{}]", "", row)
        assert bare.count("&") == (0 if row.startswith(r"\multicolumn") else 2)
        assert bare.count("{") == bare.count("}")
        assert "%" not in bare
    assert len(table) - len(rows) == 6  # begin, rule, rule, rule between the blocks, rule, end


def test_tsv_is_csv_with_tabs():
    assert render(SKIPPING, "tsv", by_topic=True, groups={"1": "g", "2": "h"}) == (
        "run\tgroup\ttopic\tmeasure\tvalue\tn_topics\trules\taverage\tno_relevant\ttie_order\n"
        "a\tg\t1\tAP\t0.3333333333333333\t\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\tg\t1\tNumRet\t10\t\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\th\t2\tAP\t\t\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\th\t2\tNumRet\t5\t\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\tg\tall\tAP\t0.3333333333333333\t1\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\tg\tall\tNumRet\t10\t1\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\th\tall\tAP\t\t0\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\th\tall\tNumRet\t5\t1\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\t\tall\tAP\t0.3333333333333333\t1\ttrec_eval-9\tjudged\tskip\tdocid\n"
        "a\t\tall\tNumRet\t15\t2\ttrec_eval-9\tjudged\tskip\tdocid\n"
    )


def test_jsonl_has_an_object_for_each_value():
    basis = '"rules": "trec_eval-9", "average": "judged", "no_relevant": "skip", "tie_order": "docid"}\n'
    assert render(SKIPPING, "jsonl", by_topic=True) == (
        '{"run": "a", "group": null, "topic": "1", "measure": "AP", "value": 0.3333333333333333, "n_topics": null, '
        + basis
        + '{"run": "a", "group": null, "topic": "1", "measure": "NumRet", "value": 10, "n_topics": null, '
        + basis
        + '{"run": "a", "group": null, "topic": "2", "measure": "AP", "value": null, "n_topics": null, '
        + basis
        + '{"run": "a", "group": null, "topic": "2", "measure": "NumRet", "value": 5, "n_topics": null, '
        + basis
        + '{"run": "a", "group": null, "topic": null, "measure": "AP", "value": 0.3333333333333333, "n_topics": 1, '
        + basis
        + '{"run": "a", "group": null, "topic": null, "measure": "NumRet", "value": 15, "n_topics": 2, '
        + basis
    )


def test_a_topic_that_is_called_all_is_no_summary_in_jsonl():
    lines = render(evaluation("a", {"AP": [0.5]}, ["all"]), "jsonl", by_topic=True).splitlines()
    assert [json.loads(line)["topic"] for line in lines] == ["all", None]


@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_ids_break_no_lines(form):
    text = render(evaluation(HOSTILE, {"AP": [0.5]}, [HOSTILE]), form, by_topic=True, groups={HOSTILE: HOSTILE})
    assert len(text.split("\n")) == 3 + (form == "tsv") + 1
    assert not re.search(r"[^\x20-\x7e\t\n]", text)
    if form == "jsonl":
        first = json.loads(text.split("\n")[0])
        assert (first["run"], first["group"], first["topic"]) == (HOSTILE, HOSTILE, HOSTILE)
    else:
        rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
        assert rows[1][:3] == [visible(HOSTILE)] * 3
        assert {len(row) for row in rows} == {10}


def test_a_name_in_tsv_is_no_formula():
    assert "\n'=1+1\t" in render(evaluation("=1+1", {"AP": [0.5]}), "tsv")


def values(text, form):
    """{(run, group, topic, measure): (value, number of topics)} of what a format says."""
    if form == "json":
        found = {}
        for one in json.loads(text)["evaluations"]:
            run, groups = one["run"], one.get("groups", {})
            for group, part in [(None, one), *groups.items()]:
                for measure, said in part["measures"].items():
                    found[run, group, None, measure] = said["value"], said["n_averaged"]
            for topic, row in one["topics"].items():
                group = "even" if groups and int(topic) % 2 == 0 else "odd" if groups else None
                found |= {(run, group, topic, measure): (value, None) for measure, value in row.items()}
        return found
    if form == "jsonl":
        rows = list(map(json.loads, text.splitlines()))
    else:
        table = csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ",")
        rows = [{name: cell or None for name, cell in row.items()} for row in table]
        for row in rows:
            row["topic"] = None if row["topic"] == "all" else row["topic"]
            row["value"] = None if row["value"] is None else float(row["value"])
            row["n_topics"] = None if row["n_topics"] is None else int(row["n_topics"])
    return {(row["run"], row["group"], row["topic"], row["measure"]): (row["value"], row["n_topics"]) for row in rows}


numbers = st.floats(0, 1) | st.sampled_from([nan, 1 / 3, 5e-324, 0.1 + 0.2])


@given(rows=st.lists(st.tuples(numbers, numbers, st.integers(0, 2000)), min_size=1, max_size=6), by_group=st.booleans())
@settings(max_examples=100, deadline=None)
def test_the_formats_for_programs_agree_value_by_value(rows, by_group):
    columns = dict(zip(["AP", "nDCG(dcg='exp-log2')@10", "NumRet"], zip(*rows, strict=True), strict=True))
    runs = [evaluation("a", columns), evaluation("b,\t'\"", {"AP": columns["AP"]})]
    groups = {topic: "even" if int(topic) % 2 == 0 else "odd" for topic in runs[0].topics} if by_group else None
    found = {
        form: values(render(runs, form, by_topic=True, groups=groups), form) for form in ("csv", "tsv", "json", "jsonl")
    }
    visibly = {(visible(run), *rest): said for (run, *rest), said in found["json"].items()}
    assert found["json"] == found["jsonl"]
    assert visibly == found["csv"] == found["tsv"]
    for topic, row in zip(runs[0].topics, runs[0].values.tolist(), strict=True):
        group = None if groups is None else groups[topic]
        value, _ = found["csv"]["a", group, topic, "AP"]
        assert value is None if isnan(row[0]) else value == row[0]


def test_a_comparison_in_the_formats_for_programs():
    constant = evaluation("c", {"nDCG@10": [1.1, 0.6, 0.1]})
    compared = compare([BM25, DENSE, constant], measures=["nDCG@10"])
    lines = list(map(json.loads, render_comparison(compared, "jsonl").splitlines()))
    whole = json.loads(render_comparison(compared, "json"))
    basis = {name: whole[name] for name in ("test", "rules", "average", "no_relevant", "tie_order")}
    beside = {"interval", "moved", "cautions", "calibrated"}
    assert lines == [{name: one[name] for name in one if name not in beside} | basis for one in whole["comparisons"]]
    assert lines[1]["statistic"] is None  # every difference is 0.1: infinite
    by_commas, by_tabs = (render_comparison(compared, form) for form in ("csv", "tsv"))
    rows = list(csv.DictReader(io.StringIO(by_tabs), delimiter="\t"))
    assert rows == list(csv.DictReader(io.StringIO(by_commas)))
    assert [float(row["pvalue"]) for row in rows] == [line["pvalue"] for line in lines]
    assert list(rows[0]) == list(lines[0])


def test_what_records_have_no_place_for_is_left_to_say():
    gone = evaluation("a", {"AP": [0.5]}, missing=("2",))
    assert [bool(unsaid([gone], form)) for form in FORMATS] == [
        form in ("csv", "tsv", "jsonl", "trec_eval") for form in FORMATS
    ]


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "table"])
def test_scoring_one_run_needs_no_statistics_whatever_the_format(form, tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 r\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    words = ["score", str(tmp_path / "run"), str(tmp_path / "qrels"), "--format", form, "--by-topic"]
    loaded = modules_after(f"from irkit.cli import main\nassert main({words!r}) == 0")
    assert not loaded & {"irkit.stats.paired.comparison", "scipy", "pandas"}
