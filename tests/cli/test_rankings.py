"""Commands about rankings, reproduction and planning: whole outputs, the specification's answers, and errors."""

import csv
import io
import json
from pathlib import Path

import pytest
from ten_topics import D10

from irkit.cli import main
from irkit.report.text import COMPARISON_FORMATS

S, L = "abcdefg", "bacfgeh"
SHORT, LONG = "abcde", "bacfdhgj"
HOSTILE = "=1|\x1b[31m&%"


def write_run(path, lists):
    """A run of one-letter documents, without ties."""
    lines = (
        f"{topic} Q0 {document} {rank} {100 - rank} r\n"
        for topic, documents in lists.items()
        for rank, document in enumerate(documents)
    )
    Path(path).write_text("".join(lines))


def write_hundredths(path, hits, marks="r"):
    """A run whose P@100 is so many hundredths in each topic; of several marks, one column each."""
    lines = []
    for topic, counts in enumerate(hits, 1):
        found = [f"{mark}{n}" for mark, count in zip(marks, counts, strict=True) for n in range(count)]
        found += [f"x{n}" for n in range(100 - len(found))]
        lines += [f"{topic} Q0 {document} 0 {1000 - rank} r\n" for rank, document in enumerate(found)]
    Path(path).write_text("".join(lines))


def write_qrels(path, n_topics, mark="r"):
    Path(path).write_text("".join(f"{t} 0 {mark}{n} 1\n" for t in range(1, n_topics + 1) for n in range(100)))


A_AGAIN = [36 + 4, 17, 58, 31, 6, 57, 70, 22, 44, 33]
B_AGAIN = [36, 14, 53, 31, 6, 44, 68, 14, 43, 22]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two runs of single letters, the four systems of D10, and two of them made again."""
    monkeypatch.chdir(tmp_path)
    write_run("s.run", {"1": S, "2": SHORT, "7": "a"})
    write_run("l.run", {"1": L, "2": LONG, "8": "ab"})
    for name, column in zip("ABCD", D10.T, strict=True):
        write_hundredths(f"{name}.run", [[round(100 * value)] for value in column])
    write_hundredths("A2.run", [[n] for n in A_AGAIN])
    write_hundredths("B2.run", [[n] for n in B_AGAIN])
    write_qrels("qrels.txt", 10)
    return tmp_path


def call(capfd, *words):
    status = main(words)
    shown = capfd.readouterr()
    return status, shown.out, shown.err


def rows(out):
    return list(csv.DictReader(io.StringIO(out)))


def test_overlap_of_two_runs(folder, capfd):
    # Topic 1: overlap@5 3/5, @7 6/7; KTU: 1 0 2 5 6 4 7 has 3 of 21 pairs turned round, 15/21.
    # Topic 2: overlap@5 4/5, @7 4/7; AO (0 + 1 + 1 + 3/4 + 4/5 + 4/6 + 4/7) / 7; KTU of 1 0 2 5 3: 2 of 10, 6/10.
    # RBO and AO of topic 1 are those of the specification.
    assert call(capfd, "overlap", "s.run", "l.run", "-k", "5", "-k", "7", "--by-topic") == (
        0,
        "2 topics compared (those in every run); no judgments are used\n"
        "s: 1 topic that another run lacks (left out): 7\n"
        "l: 1 topic that another run lacks (left out): 8\n"
        "overlap@k: share of the first k ranks that hold the same documents; AO@7: its mean over depths 1 to 7\n"
        "RBO: rank-biased overlap, p=0.9, extrapolated; between least and most whatever follows; documents of one "
        "score (in no topic): variant a, in an order that is not known\n"
        "KTU: Kendall's tau union, between the documents at each rank, numbered in the order of the first run; it is 1 "
        "too for runs without a document in common: read it beside RBO\n"
        "\n"
        "Mean over 2 topics\n"
        "\n"
        "run  and  overlap@5  overlap@7    AO@7     RBO   least    most     KTU\n"
        "──────────────────────────────────────────────────────────────────────\n"
        "s    l       0.7000     0.7143  0.7020  0.7602  0.5292  0.8417  0.6571\n"
        "\n"
        "Topic by topic\n"
        "\n"
        "runs, topic  overlap@5  overlap@7    AO@7     RBO   least    most     KTU\n"
        "─────────────────────────────────────────────────────────────────────────\n"
        "s, l\n"
        "  topic 1       0.6000     0.8571  0.7201  0.7698  0.5702  0.8381  0.7143\n"
        "  topic 2       0.8000     0.5714  0.6840  0.7506  0.4881  0.8452  0.6000\n"
        "\n"
        "Topics that differ most\n"
        "\n"
        "topic     RBO\n"
        "─────────────\n"
        "2      0.7506\n"
        "1      0.7698\n"
        "\n"
        "s: fewer than 7 documents in 1 topic; the ranks it lacks count as empty.\n"
        "s, l: cut to the shorter ranking in 1 topic.\n",
        "",
    )


def test_overlap_to_all_digits(folder, capfd):
    words = ["overlap", "s.run", "l.run", "--by-topic", "--format", "csv", "--p", "0.8"]
    status, out, err = call(capfd, *words)
    assert status == 0
    assert [float(row["rbo"]) for row in rows(out)] == pytest.approx([0.6932601905, 0.69248, 0.69287009525], abs=1e-10)
    assert [row["topic"] for row in rows(out)] == ["1", "2", "all"]
    assert err.splitlines()[1:3] == [
        "s: 1 topic that another run lacks (left out): 7",
        "l: 1 topic that another run lacks (left out): 8",
    ]


@pytest.mark.parametrize(
    ("variant", "extrapolated", "least"),
    [("w", 0.9405666667, 0.6125556072), ("a", 0.9183875, 0.5903764406), ("b", 0.9539446703, 0.6259336109)],
)
def test_overlap_of_runs_with_ties(folder, capfd, variant, extrapolated, least):
    Path("x.run").write_text("".join(f"1 Q0 {d} 0 {s} x\n" for d, s in zip("abcde", (9, 8, 8, 7, 6), strict=True)))
    Path("y.run").write_text("".join(f"1 Q0 {d} 0 {s} y\n" for d, s in zip("abcde", (9, 9, 8, 7, 7), strict=True)))
    status, out, _ = call(capfd, "overlap", "x.run", "y.run", "--rbo-ties", variant, "--format", "json")
    found = json.loads(out)
    assert status == 0
    assert found["rbo"] == {"p": 0.9, "ties": variant, "depth": None}
    (pair,) = found["pairs"]
    assert pair["topics_with_ties"] == 1
    assert pair["means"]["rbo"] == pytest.approx(extrapolated, abs=1e-10)
    assert pair["means"]["rbo_least"] == pytest.approx(least, abs=1e-10)


def test_three_runs_are_compared_over_the_topics_of_all(folder, capfd):
    write_run("third.run", {"1": S})
    status, out, _ = call(capfd, "overlap", "s.run", "l.run", "third.run", "--format", "tsv", "-k", "5")
    table = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert status == 0
    assert [(row["first"], row["second"], row["n_topics"], row["overlap@5"]) for row in table] == [
        ("s", "l", "1", "0.6"),
        ("s", "third", "1", "1.0"),
        ("l", "third", "1", "0.6"),
    ]


def test_a_run_beside_itself_differs_in_no_topic(folder, capfd):
    status, out, _ = call(capfd, "overlap", "s.run", "s.run", "-k", "1")
    assert status == 0
    assert "s.run (1)  s.run (2)     1.0000  1.0000  1.0000" in out
    assert "Topics that differ most" not in out


def test_documents_numbered_by_id_as_repro_eval_has_them(folder, capfd):
    # [d1 d2 d3 d4 d5] and [d2 d1 d3 d6 d5] with d1..d6 called x b m a z c: by id 4 1 3 0 5 and 1 4 3 2 5 give 0.2.
    write_run("one.run", {"1": "xbmaz"})
    write_run("two.run", {"1": "bxmcz"})
    for numbering, tau in (("appearance", 0.6), ("sorted", 0.2)):
        _, out, _ = call(capfd, "overlap", "one.run", "two.run", "--numbering", numbering, "--format", "csv")
        assert float(rows(out)[0]["tau_union"]) == pytest.approx(tau)


@pytest.mark.parametrize(
    ("test", "correction", "found"),
    # C and D differ skewed, so that p is 0.0202 by bootstrap-t. Holm by t alone: 4, then p 0.0108 times 5 is too large.
    [("t", "none", 5), ("t", "holm", 1), ("tukey", None, 3), ("randomised-tukey", None, 2)],
)
def test_discriminative_power_of_ten_topics(folder, capfd, test, correction, found):
    words = ["rankings", "A.run", "B.run", "C.run", "D.run", "qrels.txt", "-m", "P@100", "--test", test]
    if correction:
        words += ["--correct", correction]
    status, out, _ = call(capfd, *words, "--format", "json")
    assert status == 0
    power = json.loads(out)["judgments"][0]["discriminative_power"]["P@100"]
    assert (power["n_significant"], power["n_pairs"]) == (found, 6)
    assert power["power"] == found / 6


def test_rankings_by_two_measures(folder, capfd):
    # P@100 is that of D10. R@100 is the same, for 100 documents are relevant.
    status, out, err = call(
        capfd, "rankings", "A.run", "B.run", "C.run", "D.run", "qrels.txt", "-m", "P@100", "-m", "R@100"
    )
    assert (status, err) == (0, "")
    assert out.startswith(
        "10 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "agreement of the rankings of 4 systems by two measures, 1 to -1: tau-b is Kendall's; tau-AP weighs the top "
        "more, with the first (1) or the second (2) for the reference\n"
        "told apart: share of the 6 pairs of systems with p < 0.05 (paired t test, two-sided, corrected by Holm over "
        "these); it depends on these systems, topics and this test, and does not show that the measure is right\n"
        "\n"
        "Means, with ranks\n"
        "\n"
        "system       P@100       R@100\n"
        "──────────────────────────────\n"
        "A       0.3880 (1)  0.3880 (1)\n"
        "B       0.3270 (3)  0.3270 (3)\n"
        "C       0.3540 (2)  0.3540 (2)\n"
        "D       0.2840 (4)  0.2840 (4)\n"
        "\n"
        "Agreement of the rankings\n"
        "\n"
        "measure  and     tau-b  tau-AP (1)  tau-AP (2)  Spearman\n"
        "────────────────────────────────────────────────────────\n"
        "P@100    R@100  1.0000      1.0000      1.0000    1.0000\n"
        "\n"
        "How well each measure tells the systems apart\n"
        "\n"
        "measure  told apart   pairs  median p  topics\n"
        "─────────────────────────────────────────────\n"
        "P@100        0.1667  1 of 6"
    )


def test_rankings_by_two_qrels_agree_as_the_specification_says(folder, capfd):
    first, second = (50, 45, 45, 40, 35, 30), (48, 50, 42, 42, 33, 36)
    untied = (50, 45, 44, 40, 35, 30)
    runs = [f"{n}.run" for n in range(6)]
    for path, *hits in zip(runs, first, second, strict=True):
        write_hundredths(path, [hits], "ab")
    write_qrels("first", 1, "a")
    write_qrels("second", 1, "b")
    words = ["rankings", *runs, "first", "--against", "second", "-m", "P@100", "--format", "json"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    (one,) = json.loads(out)["agreements"]
    assert (one["measure"], one["first"], one["second"]) == ("P@100", "first", "second")
    assert one["tau"] == {"coefficient": "tau-b", "value": pytest.approx(0.6428571429, abs=1e-10), "note": ""}
    assert one["spearman"]["value"] == pytest.approx(0.8088235294, abs=1e-10)
    for turned in ("first", "second"):
        found = one[f"tau_ap_{turned}_as_reference"]
        assert (found["coefficient"], found["value"]) == ("tau-AP,b", pytest.approx(0.3533333333, abs=1e-10))
    for path, *hits in zip(runs, untied, second, strict=True):
        write_hundredths(path, [hits], "ab")
    (one,) = json.loads(call(capfd, *words)[1])["agreements"]
    found = one["tau_ap_first_as_reference"]
    assert (found["coefficient"], found["value"]) == ("tau-AP,a", pytest.approx(0.4533333333, abs=1e-10))


def test_reproduction_of_a_run_and_its_baseline(folder, capfd):
    words = ["reproduce", "A.run", "A2.run", "qrels.txt", "--baseline", "B.run", "B2.run", "-m", "P@100"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    # 0.388 - 0.327 = 0.061; 0.378 - 0.331 = 0.047; 0.047 / 0.061; 0.061 / 0.327; 0.047 / 0.331
    assert out.split("\n\n", 4)[4].startswith(
        "measure  original  reproduced    mean  reproduced    RMSE   nRMSE       p  topics\n"
        "─────────────────────────────────────────────────────────────────────────────────\n"
        "P@100    A         A2          0.3880      0.3780  0.0232  0.0331  0.1864      10\n"
        "P@100    B         B2          0.3270      0.3310  0.0173"
    )
    assert out.endswith(
        "measure   effect  reproduced      ER       RI  reproduced  DeltaRI\n"
        "──────────────────────────────────────────────────────────────────\n"
        "P@100    +0.0610     +0.0470  0.7705  +0.1865     +0.1420  +0.0446\n"
    )
    found = json.loads(call(capfd, *words, "--format", "json")[1])
    run, baseline = (one["compared"] for one in found["values"])
    assert run["rmse"] == pytest.approx(0.0232379001, abs=1e-10)
    assert run["nrmse"] == pytest.approx(0.0331382150, abs=1e-10)
    assert run["pvalue"] == pytest.approx(0.1864465, abs=1e-7)
    assert baseline["rmse"] == pytest.approx(0.0173205081, abs=1e-10)
    assert found["effects"][0]["effect_ratio"] == pytest.approx(0.7704918033, abs=1e-10)
    assert found["effects"][0]["delta_improvement"] == pytest.approx(0.0445503848, abs=1e-10)


def test_replication_on_other_topics_is_not_paired(folder, capfd):
    words = ["reproduce", "A.run", "A2.run", "qrels.txt", "--qrels2", "qrels.txt", "-m", "P@100", "--format", "csv"]
    status, out, _ = call(capfd, *words)
    assert status == 0
    assert [row["quantity"] for row in rows(out)] == ["mean", "mean_reproduced", "unpaired_t_pvalue"]
    assert float(rows(out)[-1]["value"]) == pytest.approx(0.9142056, abs=1e-7)


def test_reproduction_of_one_run_has_documents_and_values_only(folder, capfd):
    Path("q").write_text("1 0 b 1\n2 0 a 1\n")
    status, out, err = call(capfd, "reproduce", "s.run", "l.run", "q", "-m", "RR", "--format", "csv")
    found = [(row["measure"], row["quantity"], row["value"], row["n_topics"]) for row in rows(out)]
    # RR of s: 1/2, 1; of l: 1, 1/2. RMSE 1/2; nRMSE: 1/2 over sqrt((1/4 + 1) / 2).
    assert status == 0
    assert [name for _, name, *_ in found] == [
        "tau_union",
        "rbo",
        "mean",
        "mean_reproduced",
        "rmse",
        "nrmse",
        "paired_t_pvalue",
    ]
    numbers = [float(value) for _, _, value, _ in found]
    assert numbers[0] == pytest.approx((15 / 21 + 6 / 10) / 2)
    assert numbers[1] == pytest.approx((0.7697693571 + 0.750555) / 2, abs=1e-10)
    assert numbers[2:6] == pytest.approx([0.75, 0.75, 0.5, 0.5 / ((0.25 + 1) / 2) ** 0.5])
    assert "s: 1 topic of this run only (left out of KTU and RBO): 7\n" in err


def test_topics_needed_by_sakai_s_designs(folder, capfd):
    words = [
        "topics-needed",
        "--variance",
        "0.05",
        "--difference",
        "0.1",
        "--systems",
        "10",
        "--width",
        "0.1",
        "-n",
        "81",
    ]
    status, out, _ = call(capfd, *words)
    assert status == 0
    assert out.startswith(
        "paired t test of two systems, two-sided, alpha 0.05, power 0.8\n"
        "standard deviation of the differences over topics: 0.3162\n"  # sqrt(2 * 0.05)
        "\n"
        "Topics needed to find a true difference; between best and worst of 10 systems, by an analysis of variance\n"
        "\n"
        "difference      dz  topics  any of 10\n"
        "─────────────────────────────────────\n"
        "0.1         0.3162      81        158\n"
        "\n"
        "Topics needed for a 0.95 interval of the mean difference, no wider on average\n"
        "\n"
        "width  topics\n"
        "─────────────\n"
        "0.1       156\n"
    )


@pytest.mark.parametrize(
    ("words", "topics"),
    [
        (["--effect", "0.2"], 199),
        (["--effect", "0.3", "--power", "0.9"], 119),
        (["--effect", "0.5", "--one-sided"], 27),
        (["--sd", "0.2", "--difference", "0.1"], 34),
    ],
)
def test_topics_needed_from_numbers(folder, capfd, words, topics):
    status, out, _ = call(capfd, "topics-needed", *words, "--format", "json")
    assert status == 0
    assert json.loads(out)["needed"][0]["topics"] == topics


def test_topics_needed_from_a_pilot(folder, capfd):
    words = ["topics-needed", "A.run", "B.run", "qrels.txt", "-m", "P@100", "-n", "10", "--format", "json"]
    status, out, err = call(capfd, *words)
    found = json.loads(out)
    assert (status, err) == (0, "")
    # sd of A - B is 0.0602679; the chi-square quantiles of 9 degrees are 19.0227678 and 2.7003895.
    (spread,) = found["spreads"]
    assert spread["deviation"] == pytest.approx(0.0600269 / 0.9960013715, abs=1e-7)
    assert spread["low"] == pytest.approx(spread["deviation"] * (9 / 19.0227678) ** 0.5, abs=1e-8)
    assert spread["high"] == pytest.approx(spread["deviation"] * (9 / 2.7003895) ** 0.5, abs=1e-8)
    (showing,) = found["showing"]
    assert showing["detectable"] == pytest.approx(0.0600269, abs=1e-7)
    assert showing["significant"] == pytest.approx(0.0431131, abs=1e-7)
    assert found["notes"] == ["A pilot of 10 topics says little of the deviation: plan for the topics at most."]


def test_a_pilot_of_more_runs_has_the_spread_of_two_on_average(folder, capfd):
    words = ["topics-needed", "A.run", "B.run", "C.run", "D.run", "qrels.txt", "-m", "P@100", "--format", "json"]
    (spread,) = json.loads(call(capfd, *words)[1])["spreads"]
    assert spread["deviation"] == pytest.approx((2 * 0.0014906481) ** 0.5, abs=1e-8)


COMMANDS = [
    ["overlap", HOSTILE, "l.run"],
    ["rankings", HOSTILE, "s.run", "l.run", HOSTILE + "q", "-m", "RR"],
    ["rankings", HOSTILE, "s.run", "l.run", HOSTILE + "q", "-m", "RR", "--against", "q"],
    ["reproduce", HOSTILE, "l.run", HOSTILE + "q", "-m", "RR", "--baseline", HOSTILE, "s.run"],
    ["reproduce", HOSTILE, "l.run", HOSTILE + "q", "-m", "RR", "--qrels2", "q"],
    ["topics-needed", HOSTILE, "l.run", HOSTILE + "q", "-m", "RR"],
]


@pytest.mark.parametrize("form", COMPARISON_FORMATS)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:1] + words[-2:]))
def test_names_that_mean_harm_do_none_in_any_format(folder, capfd, words, form):
    write_run(HOSTILE, {"1": S, "2": SHORT, "\x1b[2J": "a"})
    for path in (HOSTILE + "q", "q"):
        Path(path).write_text("1 0 a 1\n2 0 b 1\n\x1b[2J 0 a 1\n")
    status, out, err = call(capfd, *words, "--format", form)
    assert status == 0
    assert "\x1b" not in out + err
    if form in ("csv", "tsv"):
        assert not [cell for line in csv.reader(io.StringIO(out)) for cell in line if cell.startswith("=")]
    if form == "latex":
        assert all(line.startswith("%") or "%" not in line.replace(r"\%", "") for line in out.splitlines())
    if form in ("json", "jsonl"):
        assert [json.loads(part) for part in (out.splitlines() if form == "jsonl" else [out])]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["overlap", "s.run"], "overlap needs at least two runs, got only s.run"),
        (["overlap", "s.run", "other.run"], "no topic is in all of s, other: nothing can be compared"),
        (["overlap", "s.run", "l.run", "--p", "1"], "the persistence p of RBO lies between 0 and 1, got 1.0"),
        (["overlap", "s.run", "l.run", "--p", "0"], "the persistence p of RBO lies between 0 and 1, got 0.0"),
        (["overlap", "s.run", "l.run", "--rbo-ties", "c"], "'c' is not one of 'w', 'a', 'b'"),
        (["overlap", "s.run", "l.run", "-k", "0"], "0 is not in the range x>=1"),
        (["overlap", "s.run", "empty.run"], "empty.run"),
        (["overlap", "-", "-"], "standard input can be read only once"),
        (["rankings", "A.run", "B.run", "qrels.txt"], "rankings needs three runs at least"),
        (["rankings", "A.run", "B.run", "C.run", "qrels.txt", "-m", "nDGC@10"], "did you mean 'nDCG@10'?"),
        (["rankings", "A.run", "B.run", "C.run", "qrels.txt", "-m", "NumRet"], "NumRet: no mean that can be compared"),
        (["rankings", "A.run", "B.run", "C.run", "qrels.txt", "--alpha", "1"], "alpha lies between 0 and 1, got 1.0"),
        (
            ["rankings", "A.run", "B.run", "C.run", "qrels.txt", "--test", "tukey", "--correct", "holm"],
            "Tukey's HSD is of one family: its p-values need no correction, got 'holm'",
        ),
        (["reproduce", "A.run", "-", "qrels.txt"], "reproduce reads its files more than once"),
        (["reproduce", "s.run", "other.run", "qrels.txt"], "have no topic in common: nothing can be compared"),
        (["topics-needed"], "give one of a pilot (RUN RUN... QRELS), --sd, --variance, --effect; got none of them"),
        (["topics-needed", "--sd", "0.1", "--effect", "1"], "got --sd and --effect"),
        (["topics-needed", "--effect", "1", "--difference", "1"], "--effect and --difference exclude each other"),
        (["topics-needed", "--effect", "-0.5"], "a difference to plan for is above 0, got -0.5"),
        (["topics-needed", "--sd", "0"], "0.0 is not in the range x>0"),
        (["topics-needed", "--variance", "-1"], "-1.0 is not in the range x>0"),
        (["topics-needed", "--sd", "1", "--width", "0"], "the width of an interval to plan for is above 0, got 0"),
        (["topics-needed", "--effect", "1", "--power", "1.5"], "power is between 0 and 1, got 1.5"),
        (["topics-needed", "A.run", "qrels.txt"], "a pilot needs at least two runs"),
        (["topics-needed", "A.run", "A.run", "qrels.txt", "-m", "P@100"], "the runs do not differ from topic to topic"),
    ],
)
def test_what_is_wrong_is_said(folder, capfd, words, said):
    write_run("other.run", {"99": "a"})
    Path("empty.run").write_text("")
    status, out, err = call(capfd, *words)
    assert status in (1, 2)
    assert out == ""
    assert said in err
