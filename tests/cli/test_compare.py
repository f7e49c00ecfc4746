"""`irkit compare`: whole outputs, slices, and the options that decide a test."""

import csv
import io
import json
from pathlib import Path

import pytest

from irkit.cli import main

pytestmark = pytest.mark.usefixtures("table_as_it_is")


def call(capfd, *words):
    status = main(words)
    shown = capfd.readouterr()
    return status, shown.out, shown.err


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Runs whose RR is 1/2 in four topics; 1, 1, 1/2, 1; and 1/2 but for one topic with 1/3."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    Path("qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in "1234"))
    for name, ranks in (("base", "2222"), ("good", "1121"), ("same", "2223")):
        lines = []
        for topic, rank in zip("1234", map(int, ranks), strict=True):
            documents = ["x", "y", "z"]
            documents.insert(rank - 1, "a")
            lines += [f"{topic} Q0 {one} {place} {9 - place} r\n" for place, one in enumerate(documents, 1)]
        Path(f"{name}.run").write_text("".join(lines))
    Path("topics").write_text("qid,kind\n1,easy\n2,easy\n3,hard\n4,hard\n")


BY_KIND = """\
4 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none
paired t test, two-sided; adjusted p: Holm over 3 tests; difference: mean of the candidate minus mean of the baseline base

measure          candidate    mean  baseline  difference      95% t interval         p  adjusted p  win/tie/loss
────────────────────────────────────────────────────────────────────────────────────────────────────────────────
easy (2 topics)
  RR             good       1.0000    0.5000     +0.5000  [+0.5000, +0.5000]  < 1e-300      1.0000         2/0/0

hard (2 topics)
  RR             good       0.7500    0.5000     +0.2500  [-2.9266, +3.4266]    0.5000      1.0000         1/1/0

all (4 topics)
  RR             good       0.8750    0.5000     +0.3750  [-0.0228, +0.7728]    0.0577      0.1730         3/1/0

No difference is shown at 0.05 (Holm over 3 tests), which does not say that there is none.
In RR (easy), good against base no difference can be shown at 0.05 (Holm over 3 tests) by the sign test: with 2 topics p is 0.5 at least.
With 2 to 4 topics true differences of 0.5320 (RR, good against base) to more than 1 (RR (hard), good against base) would be found by a t test in 80% of samples whose differences are normally distributed and vary as these do, and smaller ones less often, before any correction.
RR (easy), good against base: every topic differs by the same amount: t has no noise to measure it by.
RR (hard), good against base (and 1 more test alike): 1 of 2 topics do not differ: all of the difference comes from the others.
RR (hard), good against base: one topic carries 100% of all that differs.
2 to 4 topics are too few to rank systems, or to say where the mean difference over all topics of the kind lies (RR (hard), good against base, 2 topics).
"""  # noqa: E501


def test_slices_are_tested_with_one_correction_for_all(files, capfd):
    # differences 1/2, 1/2 | 0, 1/2. hard: t 0.25 / 0.25 = 1, with 1 degree of freedom p = 1/2, 12.7062 * 0.25 either
    # way. all: mean 0.375, sd 0.25, t 3, with 3 degrees p 0.0577, 3.1824 * 0.125 either way. easy: both topics differ
    # by 1/2, which t has no noise to measure by; the sign test in its place has p 2/4. Holm: 3 * 0.0577, 2 * 0.5.
    # Found in 80%: dz 11.5499 of two topics and 2.1279 of four (scipy's nct), times 0.3536 and 0.25
    words = ["compare", "base.run", "good.run", "qrels", "-m", "RR", "--by", "kind", "--topics", "topics"]
    assert call(capfd, *words) == (0, BY_KIND, "")
    status, out, _ = call(capfd, *words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (status, [row["group"] for row in rows]) == (0, ["easy", "hard", ""])
    assert [row["family"] for row in rows] == ["Holm over 3 tests"] * 3


def test_several_baselines_by_name_or_file(files, capfd):
    words = ["compare", "base.run", "good.run", "same.run", "qrels", "-m", "RR", "--format", "json"]
    status, out, _ = call(capfd, *words, "--baseline", "same", "--baseline", "base.run")
    found = [(test["baseline"], test["candidate"]) for test in json.loads(out)["comparisons"]]
    assert (status, found) == (0, [("same", "good"), ("base", "good")])


def test_a_run_goes_by_the_name_that_tables_give_it(files, capfd):
    words = ["compare", "base.run", "base.run", "qrels", "-m", "RR", "--format", "json", "--baseline"]
    # two runs of one path are numbered
    (test,) = json.loads(call(capfd, *words, "base.run (2)")[1])["comparisons"]
    assert (test["baseline"], test["candidate"]) == ("base.run (2)", "base.run (1)")


def test_more_runs_than_letters_are_said_to_have_no_table(files, capfd):
    words = ["qrels", "-m", "RR", "--all-pairs"]
    for n, said in ((25, False), (26, True)):
        out = call(capfd, "compare", *["base.run"] * (n - 1), "good.run", *words)[1]
        assert ("there are more runs than letters, so no table of runs" in out) is said


def test_options_decide_the_test(files, capfd):
    words = ["compare", "base.run", "good.run", "qrels", "-m", "RR", "--format", "json"]
    options = ["--test", "sign-flip", "--alternative", "greater", "--level", "0.8", "--interval", "percentile"]
    whole = json.loads(call(capfd, *words, *options, "--non-inferior", "0.1")[1])
    (test,) = whole["comparisons"]
    # of the 16 sign patterns of 1/2, 1/2, 0, 1/2 two have as large a sum
    assert (test["pvalue"], test["alternative"], test["exact"]) == (2 / 16, "greater", True)
    # of 4 ** 4 resamples 1/256 have mean 0, 12/256 1/8, 54/256 1/4: 0.05 and 0.26 have passed 0.1
    assert (test["interval"]["low"], test["interval"]["high"], test["interval"]["level"]) == (0.25, 0.5, 0.8)
    # t (0.375 + 0.1) / 0.125 = 3.8 with 3 degrees of freedom: 0.016 (tables: 0.016 to 0.0161)
    assert test["margin_test"] == "non-inferiority"
    assert test["margin_pvalue"] == pytest.approx(0.016, abs=1e-4)


def test_a_sample_is_drawn_with_a_seed_that_is_said(files, capfd):
    words = ["compare", "base.run", "good.run", "same.run", "qrels", "-m", "RR", "--correct", "max-t"]
    status, out, _ = call(capfd, *words, "--resamples", "7", "--seed", "3")
    assert status == 0
    assert (
        "sign-flip randomisation test, two-sided, 7 samples, seed 3; adjusted p: max-T over 2 tests, step down" in out
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--test", "z"], "'z' is not one of 't', 'sign-flip', 'wilcoxon', 'sign', 'bootstrap', 'bootstrap-shift'"),
        (["--correct", "tukey"], "the correction 'tukey' is of all pairs of runs; compare all pairs, or take 'max-t'"),
        (["--correct", "max-t", "--test", "t"], "the correction 'max-t' is made of the test 'sign-flip', not of 't'"),
        (["--equivalent", "0"], "the margin is a difference above 0, in the measure's own unit, got 0"),
        (["--level", "95"], "a level of confidence is between 0 and 1, as 0.95, got 95"),
        (["--baseline", "base", "--baseline", "base.run"], "the baseline 'base' occurs there twice; keep one"),
        (["--baseline", "base", "--all-pairs"], "--baseline and --all-pairs exclude each other"),
        (["--by", "kind"], "--by FIELD and --topics FILE go together"),
        (["--resamples", "0"], "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_done_is_said(files, capfd, options, message):
    status, out, err = call(capfd, "compare", "base.run", "good.run", "same.run", "qrels", "-m", "RR", *options)
    assert (status, out) == (2, "")
    assert message in err.replace("\n", " ")
