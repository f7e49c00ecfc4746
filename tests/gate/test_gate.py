"""The gate: what passes, what fails, and what could not be judged, which is never green."""

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from evaluations import evaluation
from gate_at_hand import ACCEPTED, GROUPS, NOON, QRELS, TEXTS, WORSENED, accept, ranked, write_qrels, write_run
from hypothesis import given, settings
from hypothesis import strategies as st

from irkit import Run, accept_baseline, check_regression
from irkit.data.topics import Topic, Topics
from irkit.errors import DataError, FormatError, UsageError
from irkit.gate import Limits, read_baseline
from irkit.gate.checks import mean_check
from irkit.report.text import render_gate

TOPICS = Topics(tuple(Topic(topic, TEXTS[topic], {"category": GROUPS[topic]}) for topic in TEXTS), "topics.txt")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "baseline.json"


def held(path, ranks=ACCEPTED, **options):
    return check_regression(**({"run": ranked(ranks), "qrels": QRELS, "baseline": path} | options))


def verdicts(found):
    return {str(check): check.verdict for check in found.checks}


def forge(path, change):
    """Rewrite the baseline's file by a function of its content."""
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


# B63: green on failure.


def of_fifty(mean):
    """A run of 50 topics, of which the first `50 * mean` find both of their relevant documents: R@5 is the mean."""
    return {f"q{n:02}": ["a", "b"] if n < round(50 * mean) else ["x"] for n in range(50)}


FIFTY = {f"q{n:02}": {"a": 1, "b": 1, "x": 0} for n in range(50)}


def test_b63_a_drop_from_0_60_to_0_50_fails(path):
    accept(path, run=of_fifty(0.6), qrels=FIFTY, measures="nDCG@10")
    found = check_regression(run=of_fifty(0.5), qrels=FIFTY, baseline=path)
    (check,) = found.checks
    assert (check.baseline, check.now, check.allowed) == (pytest.approx(0.6), pytest.approx(0.5), 0.02)
    assert (check.verdict, found.exit_code) == ("failed", 1)


def test_b63_a_baseline_without_the_measure_cannot_judge(path):
    accept(path, measures="RR")
    found = held(path, measures=["RR", "nDCG@10"])
    assert (found.verdict, found.exit_code) == ("not judged", 2)
    assert found.problems == ("nDCG@10 is not in the baseline, which has RR; accept a baseline with it",)


def test_b63_a_run_that_lacks_one_topic_of_fifty_cannot_be_judged(path):
    accept(path, run=of_fifty(0.6), qrels=FIFTY, measures="nDCG@10")
    lacking = of_fifty(0.9)  # better in all the others, and still not green
    del lacking["q07"]
    found = check_regression(run=lacking, qrels=FIFTY, baseline=path)
    assert (found.verdict, found.exit_code, found.missing) == ("not judged", 2, ("q07",))
    assert found.checks[0].reason == "missing from the run: q07"


# The edge of a tolerance.


def test_a_drop_just_as_large_as_the_tolerance_passes_though_doubles_say_that_it_is_larger(path):
    assert 0.6 - 0.58 > 0.02
    accept(path, run=of_fifty(0.6), qrels=FIFTY, measures="R@5")
    assert check_regression(run=of_fifty(0.58), qrels=FIFTY, baseline=path).passed
    assert not check_regression(run=of_fifty(0.56), qrels=FIFTY, baseline=path).passed


def test_a_drop_a_billionth_larger_fails_and_is_shown_to_be_larger(path):
    accept(path, run=of_fifty(0.6), qrels=FIFTY, measures="R@5", tolerance=0.019999999)
    (check,) = check_regression(run=of_fifty(0.58), qrels=FIFTY, baseline=path).checks
    assert check.verdict == "failed"
    assert check.reason == "fell by 0.020000000, more than 0.019999999"


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
@settings(max_examples=40)
def test_the_edge_is_that_of_whole_numbers(before, after, allowed):
    """Means of 50 topics that are 0 or 1: as fractions of 50 the comparison has no rounding."""
    limits = Limits().changed({"tolerance": allowed / 50})[0]
    then, now = (evaluation("run", {"R@5": [1] * ones + [0] * (50 - ones)}) for ones in (before, after))
    check = mean_check("R@5", None, then, now, limits, missing=(), contrast=None)
    stale = "stale" if after - before > allowed else "passed"
    assert check.verdict == ("failed" if before - after > allowed else stale)


@pytest.mark.parametrize(
    ("tolerance", "failed"),
    [
        # RR falls from 0.875 to 0.6875, by 0.1875 or 21.43 %; P@1 from 0.75 to 0.5, by 0.25 or a third.
        (0.1875, {"P@1"}),
        (0.1874, {"RR", "P@1"}),
        ("25%", {"P@1"}),
        ("21%", {"RR", "P@1"}),
        (["0.02", "RR=0.2", "P@1=34%"], set()),
        (["0.99", "P@1=0.24"], {"P@1"}),
        (["RR=0.2"], {"P@1"}),  # the others keep the 0.02 of the baseline
    ],
)
def test_tolerances_are_absolute_or_relative_and_the_most_specific_decides(path, tolerance, failed):
    accept(path)
    found = held(path, WORSENED, tolerance=tolerance)
    assert {check.measure for check in found.of("failed")} == failed
    assert found.exit_code == (1 if failed else 0)


def test_groups_have_tolerances_of_their_own(path):
    accept(path, topics=TOPICS, by="category", tolerance=[0.99, "easy:0.3", "easy:RR=0.7"])
    # RR of the easy ones falls by 0.625, P@1 by 1.
    assert verdicts(held(path, WORSENED)) == {
        "RR (easy)": "passed",
        "RR (hard)": "passed",
        "RR": "passed",
        "P@1 (easy)": "failed",
        "P@1 (hard)": "passed",
        "P@1": "passed",
    }


def test_limits_are_kept_in_the_baseline_and_another_one_is_said(path):
    accept(path, tolerance=["0.3", "RR=0.1"])
    assert verdicts(held(path, WORSENED)) == {"RR": "failed", "P@1": "passed"}
    found = held(path, WORSENED, tolerance="RR=0.2")
    assert found.passed
    assert "tolerance 0.3, RR=0.2 (in the baseline: 0.3, RR=0.1)" in found.notes


def test_a_limit_can_be_taken_away(path):
    accept(path, tolerance="RR=0.99", topic_floor=0.5)
    assert held(path, WORSENED, tolerance=[0.99, "RR=none"], topic_floor="none").passed
    assert not held(path, WORSENED, tolerance="RR=none", topic_floor="none").passed


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("-0.1", "'-0.1' is no limit"),
        ("nan", "'nan' is no limit"),
        ("inf", "'inf' is no limit"),
        ("", "'' is no limit"),
        ("RR", "'RR' is no limit"),
        ("RR=", "'RR=' is no limit"),
        ("=0.1", "'=0.1' is no limit"),
        (":0.1", "':0.1' is no limit"),
        ("nDGC@10=0.1", "did you mean 'nDCG@10'?"),
        ("AP=0.1", "AP is not gated"),
        ("eazy:0.1", "did you mean 'easy'?"),
        (["RR=0.1", "RR=0.2"], "keep one"),
    ],
)
def test_a_limit_that_would_hold_nothing_is_refused(path, written, said):
    accept(path, topics=TOPICS, by="category")
    with pytest.raises(UsageError) as refused:
        held(path, tolerance=written)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("option", "written", "said"),
    [
        ("tolerance", "2", "RR cannot fall by more than 1; did you mean 2%?"),
        ("tolerance", 1, "did you mean 1%?"),
        ("tolerance", 1.0, "did you mean 1%?"),
        ("tolerance", "RR=1", "did you mean 1%?"),
        ("tolerance", "easy:5", "did you mean 5%?"),
        ("tolerance", "easy:RR=5", "did you mean 5%?"),
        ("tolerance", "200%", "nothing falls by more than the whole; did you mean 2%?"),
        ("tolerance", "100%", "did you mean 1%?"),
        ("tolerance", "500", "write 0.02 or 2%"),
        ("tolerance", ["0.1", "P@1=2"], "tolerance P@1=2 would hold nothing"),
        ("topic_drop", "2", "did you mean 2%?"),
        ("topic_drop", "hard:100%", "did you mean 1%?"),
        ("topic_floor", "0", "nothing falls below 0; leave it out"),
        ("topic_floor", "2", "no topic could stay above it; did you mean 2%?"),
        ("non_inferior", 5, "did you mean 5%?"),
        *(
            ("tolerance", odd, "in plain digits")
            for odd in ("1_0", "0_1", "\u0660.\u0661", "\uff11%", "0x1p-4", "1e999")
        ),
        *(("tolerance", odd, "in plain digits") for odd in ("+0.1", "0,1", "Infinity", ".", "e1", "2%%", "-0")),
    ],
)
def test_a_limit_that_no_run_could_break_is_refused_wherever_it_is_given(path, option, written, said):
    accept(path, topics=TOPICS, by="category")
    with pytest.raises(UsageError) as refused:
        held(path, **{option: written})
    assert said in str(refused.value)
    with pytest.raises(UsageError):
        accept(path, **{option: written})
    in_file = written if option == "non_inferior" else [str(written)] if not isinstance(written, list) else written
    forge(path, lambda content: content["limits"].update({option: in_file}))
    assert "is no baseline that can be read" in held(path).problems[0]


@pytest.mark.parametrize("written", ["0.02", ".02", "2.e-2", "2e-2", "2%", "2.0 %", "0", "0.999", "99.9%"])
def test_amounts_are_plain_decimal_numbers(path, written):
    accept(path)
    assert held(path, tolerance=written).passed


def test_a_measure_of_large_values_may_have_a_large_tolerance(path):
    # DCG of an only document of grade 20 at rank 1 is 20 / log2(2); at rank 3 it is 20 / log2(4), less by 10.
    qrels = {"q1": {"right": 20}}
    accept(path, {"q1": 1}, qrels=qrels, measures="DCG@10", tolerance=9.99)
    assert held(path, {"q1": 3}, qrels=qrels).exit_code == 1
    assert held(path, {"q1": 3}, qrels=qrels, tolerance=10).passed
    with pytest.raises(UsageError, match="cannot fall by more than 20; did you mean 20%"):
        held(path, qrels=qrels, tolerance=20)


def test_a_mean_too_low_to_fall_by_its_tolerance_is_said(path):
    accept(path, tolerance="P@1=0.8")
    assert held(path).notes == ("cannot fail, since the baseline has no more than the tolerance: P@1",)


# Topics one by one.


def test_no_topic_may_fall_below_a_floor(path):
    accept(path)
    found = held(path, WORSENED, tolerance=0.99, topic_floor="RR=0.5")  # q1 falls to 0.25, q2 to just 0.5
    check = found.checks[-1]
    assert (check.kind, check.verdict, check.topics, found.exit_code) == ("topic floor", "failed", ("q1",), 1)
    assert check.reason == "1 topic fell below the floor; q1 to 0.2500, below 0.5000"


def test_a_topic_that_was_below_its_floor_may_stay_there_and_may_not_fall(path):
    accept(path, {**ACCEPTED, "q1": 4})
    assert held(path, {**ACCEPTED, "q1": 4}, topic_floor="RR=0.5").passed
    assert held(path, {**ACCEPTED, "q1": 5}, topic_floor="RR=0.5", tolerance=0.99).exit_code == 1


def test_no_topic_may_lose_more_than_a_drop(path):
    accept(path)
    found = held(path, WORSENED, tolerance=0.99, topic_drop=["RR=0.5"])  # q1 loses 0.75, q2 just 0.5
    assert found.checks[-1].topics == ("q1",)
    assert found.checks[-1].reason == "1 topic lost too much; q1 fell by 0.7500, more than 0.5000"


def test_limits_of_topics_may_be_for_a_group(path):
    accept(path, topics=TOPICS, by="category", measures="RR")
    assert held(path, WORSENED, tolerance=0.99, topic_drop="hard:RR=0.1").passed
    assert held(path, WORSENED, tolerance=0.99, topic_drop="easy:RR=0.1").exit_code == 1


@given(st.sampled_from(sorted(ACCEPTED)), st.integers(2, 9), st.floats(0.001, 1))
@settings(max_examples=60)
def test_worsening_any_topic_below_the_floor_is_always_seen(tmp_path_factory, topic, rank, floor):
    path = tmp_path_factory.mktemp("gate") / "b.json"
    accept(path, measures="RR", tolerance=0.99, topic_floor=floor)
    worse = 1 / rank < 1 / ACCEPTED[topic] and floor - 1 / rank > 1e-9
    found = held(path, {**ACCEPTED, topic: rank})
    if worse:
        assert found.exit_code == 1
        assert found.of("failed")[0].topics == (topic,)
    elif 1 / rank >= floor:
        assert found.exit_code == 0


@given(st.dictionaries(st.sampled_from(sorted(ACCEPTED)), st.integers(1, 6)))
@settings(max_examples=40)
def test_whatever_is_accepted_passes_and_survives_the_file(tmp_path_factory, changed):
    path = tmp_path_factory.mktemp("gate") / "b.json"
    ranks = ACCEPTED | changed
    accepted = accept(path, ranks, topics=TOPICS, by="category", topic_floor=0.2, topic_drop=0, tolerance=0).baseline
    assert held(path, ranks).exit_code == 0
    read = read_baseline(path)
    assert read.as_json() == accepted.as_json() == path.read_bytes()
    assert read.limits == accepted.limits
    assert read.evaluation.values.tolist() == accepted.evaluation.values.tolist()


# A run of other documents.

STRANGE = {topic: ["elsewhere"] for topic in ACCEPTED}


def test_a_run_of_which_nothing_is_judged_is_not_judged_where_it_cannot_fail(path):
    accept(path, {"q1": None, "q2": None, "q3": None, "q4": None}, measures="RR")  # RR 0, of judged documents
    found = held(path, run=STRANGE)
    assert (found.verdict, found.exit_code) == ("not judged", 2)
    assert found.checks[0].reason.startswith("no retrieved document is judged")


def test_a_run_of_which_nothing_is_judged_fails_where_it_fell_for_certain(path):
    accept(path, tolerance="P@1=0.8")
    assert verdicts(held(path, run=STRANGE)) == {"RR": "failed", "P@1": "not judged"}


def test_a_run_of_which_nothing_is_judged_is_no_baseline(path):
    with pytest.raises(DataError, match="no retrieved document is judged"):
        accept(path, run=STRANGE)


# Stale.


def test_a_rise_beyond_the_tolerance_is_not_green_unless_a_warning_is_enough(path):
    accept(path, WORSENED, fail_if_stale=Limits().fail_if_stale)
    better = held(path, ACCEPTED)
    assert (better.verdict, better.exit_code, verdicts(better)) == ("stale", 2, {"RR": "stale", "P@1": "stale"})
    found = held(path, ACCEPTED, fail_if_stale=False)
    assert found.passed
    assert [check.reason for check in found.warnings] == [
        "better than the baseline by 0.1875, more than 0.0200: accept the run",
        "better than the baseline by 0.2500, more than 0.0200: accept the run",
    ]


# What was judged has to be the same.


def test_other_grades_are_not_judged(path):
    accept(path)
    found = held(path, qrels={**QRELS, "q1": {"right": 1, "wrong1": 1}})
    assert found.exit_code == 2
    assert found.problems == ("the judgments are not those of the baseline; accept a baseline with these",)
    assert verdicts(found) == {"RR": "not judged", "P@1": "not judged"}


def test_comments_and_the_order_of_lines_say_nothing_else_of_qrels(path, tmp_path):
    accept(path)
    lines = write_qrels(tmp_path / "qrels.txt").read_text().splitlines()
    (tmp_path / "qrels.txt").write_text(
        "\n".join(["# judged by hand", "", *(one.replace(" 0 ", "\tQ0 ", 1) for one in lines[::-1])])
    )
    assert held(path, qrels=tmp_path / "qrels.txt").passed


def test_judgments_of_other_kinds_are_known_by_what_they_say(path, tmp_path):
    by_subtopic = {"q1": {"s1": {"a": 1}, "s2": {"b": 1}}}
    run = {"q1": ["a", "b"]}
    accept(path, run=run, qrels=by_subtopic, measures="alpha_nDCG@5")
    assert check_regression(run=run, qrels=by_subtopic, baseline=path).passed
    other = {"q1": {"s1": {"a": 1, "b": 1}, "s2": {"b": 1}}}
    assert check_regression(run=run, qrels=other, baseline=path).exit_code == 2
    gains = {"q1": {"a": 0.5, "b": 0.25}}
    accept(tmp_path / "gains.json", run=run, qrels=gains, measures="nDCG@5", fractional=True)
    assert check_regression(run=run, qrels=gains, baseline=tmp_path / "gains.json").passed
    gains["q1"]["b"] = 0.3
    assert check_regression(run=run, qrels=gains, baseline=tmp_path / "gains.json").exit_code == 2


def test_a_topic_more_or_less_is_not_judged(path):
    accept(path)
    more = held(path, {**ACCEPTED, "q5": 1}, qrels={**QRELS, "q5": {"right": 1}})
    assert more.problems[0] == "1 topic not in the baseline: q5; accept a baseline with these"
    less = held(path, qrels={topic: QRELS[topic] for topic in ("q1", "q2", "q3")})
    assert less.problems[0] == "1 topic of the baseline not judged any more: q4; accept a baseline with these"
    assert (more.exit_code, less.exit_code) == (2, 2)


def test_a_topic_missing_where_only_shared_topics_are_averaged_is_not_judged(path):
    accept(path, average="intersection")
    found = held(path, {"q1": 1, "q2": 1, "q3": 1})
    assert found.problems == ("1 topic of the baseline not in the run: q4; make the run whole",)
    assert found.exit_code == 2


def test_other_topics_are_not_judged(path):
    accept(path, topics=TOPICS, by="category")
    assert held(path, topics=TOPICS, by="category").passed
    texts = Topics((Topic("q1", "snow tomorrow", {"category": "easy"}), *TOPICS.topics[1:]), "new.txt")
    found = held(path, topics=texts)
    assert found.problems == ("the topics of new.txt are not those of the baseline; accept a baseline with these",)
    assert found.exit_code == 2


def test_the_order_of_topics_in_their_file_is_no_change(path):
    accept(path, topics=TOPICS, by="category")
    assert held(path, topics=Topics(TOPICS.topics[::-1], "other.txt")).passed


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"no_relevant": "one"}, "no_relevant: zero in the baseline, one asked for"),
        ({"average": "intersection"}, "average: judged in the baseline, intersection asked for"),
        ({"ties": "worst"}, "ties: docid in the baseline, worst asked for"),
        ({"rules": "trec_eval-9"}, "rules: trec_eval-10 in the baseline, trec_eval-9 asked for"),
        ({"collapse": "#"}, "collapse: None in the baseline, # asked for"),
        ({"by": "category"}, "groups: the baseline has its topics in no groups, not by 'category'"),
        ({"topics": "nowhere.txt"}, "nowhere.txt: cannot be read"),
        ({"run": "nowhere.run"}, "nowhere.run: cannot be read"),
        ({"qrels": "nowhere.qrels"}, "nowhere.qrels: cannot be read"),
        ({"run": {}}, "no topic in common"),
        ({"run": {"q1": {"right": float("nan")}}}, "nan"),
        ({"run": {"other": ["right"]}}, "in common"),
    ],
)
def test_what_keeps_the_gate_from_judging_is_said(path, options, problem):
    accept(path)
    found = held(path, **options)
    assert found.exit_code == 2
    assert problem in " ".join(found.problems)


def test_conventions_are_those_of_the_baseline(path):
    qrels = {**QRELS, "q5": {"wrong1": 0}}
    accept(path, {**ACCEPTED, "q5": 1}, qrels=qrels, measures="nDCG@10", no_relevant="one")
    found = held(path, {**ACCEPTED, "q5": 1}, qrels=qrels)
    assert found.evaluation.value("nDCG@10", "q5") == 1.0
    assert found.passed


def test_averaging_topics_of_a_file_needs_the_file(path):
    some = Topics(TOPICS.topics[:2], "dev.txt")
    accept(path, average="topics", topics=some)
    assert held(path, topics=some).passed
    assert held(path).problems == ("the baseline averages the topics of dev.txt; name that file (topics=FILE)",)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tolerence": 0.1}, "there is no option 'tolerence'; did you mean 'tolerance'?"),
        ({"measure": "RR"}, "did you mean 'measures'?"),
        ({"tolerance": None}, "tolerance is text or a number such as 0.02"),
        ({"topic_drop": {"RR": 0.1}}, "topic_drop is text or a number"),
        ({"tolerance": [None]}, "'None' is no limit"),
        ({"tolerance": True}, "'True' is no limit"),
        ({"baseline": {"RR": 0.8}}, "baseline is the path of what accept_baseline wrote, or a Baseline, not a dict"),
        ({"baseline": None}, "baseline is the path"),
    ],
    ids=str,
)
def test_a_program_that_gives_what_cannot_be_meant_hears_of_it(path, options, said):
    accept(path)
    with pytest.raises(UsageError) as refused:
        held(path, **options)
    assert said in str(refused.value)


# Topics for which nothing is returned.


def test_a_topic_empty_then_and_now_is_fine_and_one_that_is_answered_is_said(path):
    qrels = {**QRELS, "q5": {"wrong1": 0}}
    with pytest.raises(DataError, match="1 judged topic missing from the run: q5"):
        accept(path, qrels=qrels)
    accept(path, qrels=qrels, may_abstain=True)
    found = held(path, qrels=qrels)
    assert found.passed
    assert found.notes == ("nothing is returned, as by the accepted run, for 1 topic: q5",)
    found = held(path, {**ACCEPTED, "q5": 1}, qrels=qrels)
    assert found.notes == ("answered now though nothing is relevant, where the accepted run returned nothing: q5",)
    assert held(path, {"q1": 1, "q2": 1, "q3": 1}, qrels=qrels).missing == ("q4",)


def test_a_topic_may_be_empty_on_purpose_and_is_scored_so(path):
    accept(path)
    assert held(path, {"q1": 1, "q2": 1, "q3": 1}).exit_code == 2
    found = held(path, {"q1": 1, "q2": 1, "q3": 1}, may_abstain=True)
    assert found.exit_code == 1  # RR falls from 0.875 to 0.75
    assert "nothing is returned now, which is said to be on purpose, for: q4" in found.notes


def test_a_certain_failure_counts_more_than_what_is_not_known(path):
    accept(path, topics=TOPICS, by="category")
    found = held(path, {"q1": 4, "q2": 2, "q3": 1})  # q4 is missing; the easy ones fell
    assert verdicts(found) == {
        "RR (easy)": "failed",
        "RR (hard)": "not judged",
        "RR": "not judged",
        "P@1 (easy)": "failed",
        "P@1 (hard)": "not judged",
        "P@1": "not judged",
    }
    assert found.exit_code == 1


def test_a_floor_of_a_missing_topic_is_not_judged(path):
    accept(path, topic_floor="RR=0.1", tolerance=0.99)
    check = held(path, {"q1": 1, "q2": 1, "q3": 1}).checks[-1]
    assert (check.kind, check.verdict, check.topics) == ("topic floor", "not judged", ("q4",))


# Tests that decide.


def rises_and_falls(fallen, n=20):
    """Ranks of n topics, of which the first `fallen` are 2, and the others 1."""
    return {f"q{place:02}": 2 if place < fallen else 1 for place in range(n)}


TWENTY = {topic: {"right": 1, "wrong1": 0} for topic in rises_and_falls(0)}


def test_a_drop_fails_only_if_it_is_significant(path):
    accept(path, rises_and_falls(0), qrels=TWENTY, measures="RR", only_if_significant=True)
    # Of 20 topics two lose 0.5: mean 0.05, variance (2 * 0.45^2 + 18 * 0.05^2) / 19 = 0.023684, t = -1.4530, and the
    # one-sided p of t with 19 degrees of freedom is 0.0813. Of six: mean 0.15, variance 0.055263, t = -2.8536, p 0.0051
    two = check_regression(run=ranked(rises_and_falls(2)), qrels=TWENTY, baseline=path)
    assert two.passed
    assert two.warnings[0].reason.startswith(
        "fell by 0.0500, more than 0.0200; not shown (paired t test, one-sided, p 0.0813; skewness -2.89, 20 topics "
    )
    assert "only one of" not in two.warnings[0].reason  # of skewed differences no power is known
    six = check_regression(run=ranked(rises_and_falls(6)), qrels=TWENTY, baseline=path)
    assert six.exit_code == 1
    assert six.checks[0].reason == "fell by 0.1500, more than 0.0200; shown (paired t test, one-sided, p 0.0051)"
    assert (
        check_regression(
            run=ranked(rises_and_falls(2)), qrels=TWENTY, baseline=path, only_if_significant=False
        ).exit_code
        == 1
    )


def test_the_tests_are_corrected_for_all_means(path):
    accept(path, rises_and_falls(0), qrels=TWENTY, only_if_significant=True)
    six = check_regression(run=ranked(rises_and_falls(6)), qrels=TWENTY, baseline=path)
    # RR and P@1, of which six lose 1, have the same t and p 0.005081 (scipy.stats.ttest_rel): Holm doubles it.
    assert [check.reason.partition("; ")[2] for check in six.checks] == [
        "shown (paired t test, one-sided, Holm over 2 tests 0.0102)"
    ] * 2


def test_the_same_drop_in_every_topic_is_shown(path):
    accept(path, rises_and_falls(0), qrels=TWENTY, measures="RR", only_if_significant=True)
    assert check_regression(run=ranked(rises_and_falls(20)), qrels=TWENTY, baseline=path).exit_code == 1


@pytest.mark.parametrize(
    ("n", "measures", "options", "least"),
    [
        (4, "RR", {"test": "sign-flip"}, "0.0625"),  # one of 2 ** 4 patterns of signs
        (4, "RR", {"test": "wilcoxon"}, "0.0625"),
        (4, "RR", {"test": "sign"}, "0.0625"),
        (2, "RR", {"test": "sign"}, "0.25"),
        (2, "RR", {"test": "bootstrap"}, None),  # which says nothing of differences that are all the same
        (5, ["RR", "P@1"], {"test": "sign-flip"}, "0.0625"),  # 2 ** -5 twice, by Holm and by Bonferroni
        (5, ["RR", "P@1"], {"test": "sign-flip", "correction": "bonferroni"}, "0.0625"),
        (5, "RR", {"test": "sign-flip", "level": 0.99}, "0.03125"),
    ],
)
def test_a_drop_that_no_test_of_so_few_topics_could_show_is_not_judged(path, n, measures, options, least):
    qrels = {topic: TWENTY[topic] for topic in rises_and_falls(0, n)}
    accept(path, rises_and_falls(0, n), qrels=qrels, measures=measures, only_if_significant=True, **options)
    found = held(path, rises_and_falls(n, n), qrels=qrels)  # all of them fall
    assert found.exit_code == 2
    if least is not None:
        assert f"no drop could be: with {n} topics that is {least} at the least" in found.checks[0].reason


@pytest.mark.parametrize("options", [{}, {"correction": "none"}, {"correction": "benjamini-hochberg"}])
def test_a_drop_that_so_many_topics_could_show_is_judged(path, options):
    # 2 ** -5 is 0.03125: below 0.05, and by Benjamini and Hochberg so are two of them, 2 / 2 times 0.03125.
    measures = ["RR", "P@1"] if options else "RR"
    qrels = {topic: TWENTY[topic] for topic in rises_and_falls(0, 5)}
    accept(path, rises_and_falls(0, 5), qrels=qrels, measures=measures, only_if_significant=True, test="sign-flip")
    found = [held(path, rises_and_falls(fallen, 5), qrels=qrels, **options).exit_code for fallen in (5, 4)]
    assert found == [1, 0]


@pytest.mark.parametrize(("test", "n"), [("sign-flip", 3), ("sign", 6), ("wilcoxon", 7), ("bootstrap", 3)])
def test_no_differences_give_a_smaller_p_than_the_smallest(test, n):
    """Drawn at random and of every size: the smallest of all is reached where signs decide, and nowhere passed."""
    import numpy as np

    from irkit.stats import sign_flip_test, sign_test, studentised_bootstrap_test, wilcoxon_test
    from irkit.stats.paired.attainable import least_pvalue

    tests = {"sign-flip": sign_flip_test, "sign": sign_test, "wilcoxon": wilcoxon_test}
    function = tests.get(test, studentised_bootstrap_test)
    rng, zeros = np.random.default_rng(7), np.zeros(n)
    found = [function(-(rng.random(n) ** 9), zeros, alternative="less") for _ in range(60)]
    assert min(one.pvalue for one in found) == pytest.approx(least_pvalue(found[0]))


def test_one_topic_cannot_be_tested_and_is_not_green(path):
    qrels = {"q1": QRELS["q1"]}
    accept(path, {"q1": 1}, qrels=qrels, measures="RR")
    for options in ({"only_if_significant": True}, {"non_inferior": 0.1}):
        found = held(path, {"q1": 2}, qrels=qrels, **options)
        assert found.exit_code == 2
        assert "no test of it is possible (one topic: no test is possible)" in found.checks[0].reason


def test_non_inferior_passes_only_what_is_shown_to_have_lost_less(path):
    accept(path, rises_and_falls(0), qrels=TWENTY, measures="RR", non_inferior=0.12)
    # Two of 20 lose 0.5: t against -0.12 is (0.12 - 0.05) / sqrt(0.023684 / 20) = 2.0341, p 0.0281 with 19 degrees of
    # freedom. But a loss on 28% of all topics, which is 0.14 on average, gives 2 of 20 or fewer in one sample of 20
    # (Clopper and Pearson): t shows too much, and bootstrap-t, whose resamples lack both losses in 0.9^20 = 0.1216,
    # does not. One of 20: 0.9^20 becomes 0.95^20 = 0.3585. Three: t = 0.045 / 0.040959 = 1.0987, p 0.1428.
    outcomes = [
        check_regression(run=ranked(rises_and_falls(fallen)), qrels=TWENTY, baseline=path) for fallen in (0, 2, 3, 6)
    ]
    assert [one.exit_code for one in outcomes] == [0, 2, 2, 1]
    rule = "skewness -2.89, 20 topics where 1001 are wanted: the larger p of bootstrap-t and t (0.0281) decides"
    assert f"; {rule}, which with fewer than 100 topics may miss the level" in outcomes[1].checks[0].reason
    assert (
        outcomes[1]
        .checks[0]
        .reason.startswith("not shown to have fallen by less than 0.12 (non-inferiority bootstrap-t test, p 0.12")
    )
    assert "t (0.1428) decides" in outcomes[2].checks[0].reason
    assert outcomes[3].checks[0].reason.startswith("fell by 0.1500, more than 0.1200 (non-inferiority ")


def test_significance_and_non_inferiority_exclude_each_other(path):
    with pytest.raises(UsageError, match="exclude each other"):
        accept(path, only_if_significant=True, non_inferior=0.1)


# What is accepted, and what is refused.


def test_a_move_keeps_what_was_before_and_says_who_when_and_why(path):
    accept(path, WORSENED)
    later = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    moved = accept(path, why="  Rank by\nclicks ", who="Grace", now=later, measures=None)
    read = read_baseline(path)
    assert (read.accepted.who, read.accepted.when, read.accepted.why) == (
        "Grace",
        "2026-03-02T09:30:00Z",
        "Rank by clicks",
    )
    assert read.accepted.means == {"RR": 0.875, "P@1": 0.75}
    assert [(one.who, one.when, one.why, one.means) for one in read.history] == [
        ("Ada", "2026-03-01T12:00:00Z", "The first one", {"RR": 0.6875, "P@1": 0.5})
    ]
    assert set(read.accepted.versions) == {"irkit", "kernel", "numpy", "python"}
    assert moved.before.accepted.who == "Ada"


def test_the_history_is_bounded(path):
    for n in range(24):
        accept(path, why=str(n))
    assert [one.why for one in read_baseline(path).history] == [str(n) for n in range(22, 2, -1)]


def test_what_is_worse_is_refused_unless_it_is_said(path):
    accept(path)
    before = path.read_bytes()
    with pytest.raises(DataError) as refused:
        accept(path, WORSENED)
    assert str(refused.value) == (
        f"{path}: not accepted: RR: fell by 0.1875, more than 0.0200; P@1: fell by 0.2500, more than 0.0200; accept it "
        "all the same with even_if_worse=True"
    )
    assert path.read_bytes() == before
    accept(path, WORSENED, even_if_worse=True)
    assert held(path, WORSENED).passed


def test_what_cannot_be_held_against_the_baseline_before_is_refused_too(path):
    accept(path)
    other = {**QRELS, "q1": {"right": 2}}
    with pytest.raises(DataError, match="the judgments are not those of the baseline"):
        accept(path, qrels=other)
    accept(path, qrels=other, even_if_worse=True)
    with pytest.raises(DataError, match="no_relevant: zero in the baseline, one asked for"):
        accept(path, qrels=other, no_relevant="one")


def test_a_stale_baseline_is_there_to_be_moved(path):
    accept(path, WORSENED, fail_if_stale=True)
    assert held(path).exit_code == 2
    accept(path)
    assert held(path).passed


def test_a_move_keeps_measures_groups_limits_and_conventions(path):
    accept(path, topics=TOPICS, by="category", tolerance="easy:0.1", no_relevant="skip", measures="AP")
    accept(path, measures=None)
    read = read_baseline(path)
    assert (read.measures, read.group_names, read.conventions["no_relevant"]) == (("AP",), ("easy", "hard"), "skip")
    assert read.limits.to_dict()["tolerance"] == ["0.02", "easy:0.1"]
    assert read.topics is not None
    accept(path, measures=None, by="", tolerance="easy:none")
    assert read_baseline(path).group_names == ()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"why": " \n"}, "says why"),
        ({"why": None}, "says why"),
        ({"evenifworse": True}, "did you mean 'even_if_worse'?"),
        ({"tolerance": 2}, "did you mean 2%?"),
        ({"who": " "}, "says who"),
        ({"measures": "Judged@10"}, "the gate holds means of which more is better"),
        ({"measures": "GMAP"}, "the gate holds means of which more is better"),
        ({"by": "category"}, "give their file too"),
        ({"topics": TOPICS, "by": "categori"}, "did you mean 'category'?"),
        ({"average": "topics"}, "average='topics' and topics go together"),
        ({"tolerance": "hard:0.1"}, "there are no groups of topics"),
    ],
)
def test_an_acceptance_that_cannot_be_meant_writes_nothing(path, options, said):
    with pytest.raises(UsageError) as refused:
        accept(path, **options)
    assert said in str(refused.value)
    assert not path.exists()


def git(folder, *words):
    known = ("-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *known, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Ada Lovelace")
    (tmp_path / "index.toml").write_text("k1 = 0.9\n")
    git(tmp_path, "add", "index.toml")
    git(tmp_path, "commit", "--quiet", "-m", "Begin")
    return tmp_path


def test_a_clean_repository_names_its_commit_and_its_user(repository, path):
    (repository / "notes.txt").write_text("not followed by git\n")
    accepted = accept(path, who=None).baseline.accepted
    head = subprocess.run(["git", "-C", repository, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    assert (accepted.who, accepted.commit, accepted.dirty) == ("Ada Lovelace", head, ())


def test_a_dirty_repository_is_refused_or_named(repository, path):
    (repository / "index.toml").write_text("k1 = 1.2\n")
    with pytest.raises(DataError, match=r"changed and not committed: index\.toml; commit first"):
        accept(path)
    assert not path.exists()
    accept(path, allow_dirty=True)
    assert read_baseline(path).accepted.dirty == ("index.toml",)


def test_the_baseline_itself_makes_no_repository_dirty(repository, path):
    accept(path)
    git(repository, "add", "baseline.json")
    git(repository, "commit", "--quiet", "-m", "Hold the line")
    accept(path, why="again")  # changes the file
    accept(path, why="and again")
    assert read_baseline(path).accepted.dirty == ()


def test_a_repository_of_which_git_cannot_tell_is_refused(repository, path):
    (repository / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(DataError, match="git cannot say whether"):
        accept(path)


def test_of_acceptances_at_once_none_that_was_told_to_be_accepted_is_lost(path):
    accept(path)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from gate_at_hand import accept; from irkit.errors import DataError\n"
        "sys.stdin.readline()\n"
        "try: accept(sys.argv[2], why=sys.argv[3]); print('accepted')\n"
        "except DataError as problem: print(problem)\n"
    )
    here = str(Path(__file__).resolve().parents[1] / "support")
    words = [[sys.executable, "-c", code, here, str(path), f"move {n}"] for n in range(6)]
    movers = [subprocess.Popen(one, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for one in words]
    for one in movers:
        one.stdin.write("\n")
        one.stdin.flush()
    said = [one.communicate()[0].strip() for one in movers]
    accepted = {f"move {n}" for n, one in enumerate(said) if one == "accepted"}
    read = read_baseline(path)
    assert {read.accepted.why, *(one.why for one in read.history)} == {*accepted, "The first one"}
    assert accepted
    refused = f"{path}: the baseline moved meanwhile; run it again"
    assert set(said) <= {"accepted", refused}
    assert [one.name for one in path.parent.iterdir()] == [path.name]  # no lock is left


@pytest.mark.parametrize("there", [True, False])
def test_a_baseline_that_moved_while_another_run_was_scored_is_not_written_over(path, monkeypatch, there):
    from irkit.gate import acceptance

    if there:
        accept(path)

    def meanwhile(now):
        path.write_text("what another one accepted")
        return "2026-03-01T12:00:00Z"

    monkeypatch.setattr(acceptance, "moment", meanwhile)
    with pytest.raises(DataError, match="the baseline moved meanwhile; run it again"):
        accept(path, why="mine")
    assert path.read_text() == "what another one accepted"


# Files that are no baseline.


def test_a_baseline_that_is_not_there_is_said(path):
    found = held(path)
    assert found.exit_code == 2
    assert found.problems == (
        f"{path}: there is no such baseline; accept a run as the baseline first: irkit.accept_baseline(..., why=TEXT)",
    )


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"null", b"\xff\xfe", b"[" * 100_000, b'{"format": 1}', b"{\x00}"])
def test_what_is_no_baseline_is_never_green(path, data):
    path.write_bytes(data)
    found = held(path)
    assert found.exit_code == 2
    assert f"{path}: is no baseline that can be read" in found.problems[0]


def test_a_later_format_is_said(path):
    accept(path)
    forge(path, lambda content: content.update(format=2))
    assert "it is of format 2, and this irkit knows 1: install a newer one" in held(path).problems[0]


def one_value(content, value):
    content["topics"]["q1"][0] = value


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.pop("topics"),
        lambda content: content.update(format=True),
        lambda content: content.update(format="1"),
        lambda content: content.update(measures=[]),
        lambda content: content.update(measures=["RR", "RR"]),
        lambda content: content.update(measures=["RR", "NoSuch"]),
        lambda content: content.update(measures=["RR", "NumRet"]),
        lambda content: content.update(measures={"RR": 1}),
        lambda content: content.update(topics={}),
        lambda content: content.update(topics=dict(reversed(content["topics"].items()))),
        lambda content: content.update(groups={"easy": ["q1"]}, field="category"),
        lambda content: content.update(groups={"easy": list(ACCEPTED), "hard": ["q1"]}, field="category"),
        lambda content: content.update(field="category"),
        lambda content: content.update(history=[1]),
        lambda content: content.update(returned_nothing="q1"),
        lambda content: content["limits"].update(tolerance=["much"]),
        lambda content: content["limits"].update(tolerance=["AP=0.1"]),
        lambda content: content["limits"].update(level=2),
        lambda content: content["limits"].clear(),
        lambda content: content["limits"].pop("tolerance"),
        lambda content: content["limits"].pop("fail_if_stale"),
        lambda content: content["limits"].update(tolerance=None),
        lambda content: content["limits"].update(tolerance="0.02", tolerence=["0.5"]),
        lambda content: content.update(tolerance=["0.5"]),
        lambda content: content.update(limit={}),
        lambda content: content.pop("returned_nothing"),
        lambda content: content.pop("history"),
        lambda content: content["sha256"].update(document="0"),
        lambda content: content["accepted"].update(whom="Ada"),
        lambda content: content["limits"].update(alpha=0.1),
        lambda content: content["limits"].update(only_if_significant="no"),
        lambda content: content["conventions"].update(rules="trec_eval-11"),
        lambda content: content["conventions"].update(no_relevant="two"),
        lambda content: content["conventions"].update(drop_self="no"),
        lambda content: content["conventions"].update(other=1),
        lambda content: content["sha256"].update(qrels=None),
        lambda content: content["accepted"].update(who=None),
        lambda content: content["accepted"].pop("why"),
        lambda content: content["accepted"]["means"].update(RR=0.5),
        lambda content: content["accepted"]["means"].pop("RR"),
        lambda content: one_value(content, "1"),
        lambda content: one_value(content, True),
        lambda content: one_value(content, float("nan")),
        lambda content: one_value(content, float("inf")),
        lambda content: one_value(content, 10**400),
        lambda content: one_value(content, 1e308),
        lambda content: one_value(content, 0.9),
        lambda content: one_value(content, []),
        lambda content: content["topics"].update(q1=[1.0]),
        lambda content: content["topics"].update({"\ud800": [1.0, 1.0]}),
    ],
)
def test_a_forged_baseline_is_never_green(path, change):
    accept(path)
    assert held(path).passed
    forge(path, change)
    found = held(path)
    assert found.exit_code == 2
    assert f"{path}: is no baseline that can be read" in found.problems[0]
    assert found.checks == ()


def test_huge_values_that_agree_with_their_mean_are_seen(path):
    accept(path, measures="RR")

    def huge(content):
        content["topics"] = {topic: [1e308] for topic in content["topics"]}
        content["accepted"]["means"]["RR"] = 1e308

    forge(path, huge)
    assert held(path).exit_code == 2  # their sum would be no number any more


def test_two_versions_merged_into_one_file_are_seen(path):
    accept(path)
    path.write_text(path.read_text().replace('  "q1": [1.0, 1.0],', '  "q1": [1.0, 1.0],\n  "q1": [0.0, 0.0],'))
    assert "'q1' occurs there twice" in held(path).problems[0]


def test_ids_that_are_no_text_survive_the_file(path):
    odd = "q\udcff"  # a byte that is not UTF-8, as a file of another encoding has it
    qrels, ranks = {odd: {"right": 1}, "q é": {"right": 1}}, {odd: 1, "q é": 2}
    accept(path, ranks, qrels=qrels)
    assert "q é" in path.read_bytes().decode("utf-8")
    assert held(path, ranks, qrels=qrels).passed


def test_a_baseline_made_in_memory_judges_too(path):
    accepted = accept(path).baseline
    assert held(accepted).passed
    assert not held(replace(accepted, qrels="0" * 64)).passed


def test_a_run_of_the_very_file_is_said(path, tmp_path):
    run, qrels = write_run(tmp_path / "good.txt", ACCEPTED), write_qrels(tmp_path / "qrels.txt")
    accept(path, run=run, qrels=qrels)
    assert held(path, run=run, qrels=qrels).notes == ("the run is the very file that was accepted",)
    assert held(path, run=Run.of(run)).notes == ()


def test_accepting_reads_what_can_be_read_once(path):
    accept(path)

    def rows():
        from types import SimpleNamespace

        for topic, documents in ranked(ACCEPTED).items():
            for place, document in enumerate(documents):
                yield SimpleNamespace(query_id=topic, doc_id=document, score=-place)

    accept_baseline(run=rows(), qrels=QRELS, baseline=path, why="again", who="Ada", now=NOON)
    assert held(path).passed


def test_ties_in_the_order_of_the_run_are_accepted_and_held_so(path):
    run = {"q1": {"wrong1": 1.0, "right": 1.0}}
    accept(path, run=run, qrels={"q1": QRELS["q1"]}, measures="RR", ties="file", why="first")
    accept(path, run=run, qrels={"q1": QRELS["q1"]}, measures=None, why="again")
    assert read_baseline(path).evaluation.value("RR") == 0.5  # the right one stands second
    swapped = {"q1": {"right": 1.0, "wrong1": 1.0}}
    assert check_regression(run=swapped, qrels={"q1": QRELS["q1"]}, baseline=path).checks[0].now == 1.0


def test_reading_what_is_no_baseline_by_itself_raises(path):
    with pytest.raises(FormatError):
        read_baseline(path)


# What the report counts, and what the file holds.


def test_a_topic_that_one_measure_calls_worse_and_another_better_is_said_to_be_both(path):
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}
    accept(path, run={"q1": ["x", "a", "b"], "q2": ["a"]}, qrels=qrels, measures=["RR", "P@3"])
    found = held(path, run={"q1": ["a", "x", "y"], "q2": ["a"]}, qrels=qrels)  # RR 1/2 to 1, P@3 2/3 to 1/3
    assert "1 of 2 topics got worse, 1 better, 1 both worse and better, by different measures" in render_gate(
        found, "table"
    )


def test_the_digest_of_qrels_is_that_of_their_sorted_lines(path):
    accept(path)
    lines = sorted(f"{topic} {one} {grade}\n" for topic, its in QRELS.items() for one, grade in its.items())
    digest = hashlib.sha256("".join(["qrels\n", *lines]).encode()).hexdigest()
    assert json.loads(path.read_text())["sha256"]["qrels"] == digest


def test_a_baseline_that_is_a_link_is_replaced_and_the_file_behind_it_stays(path, tmp_path):
    accept(path)
    before = path.read_bytes()
    link = tmp_path / "link.json"
    link.symlink_to(path)
    accept(link, ACCEPTED, why="moved")
    assert path.read_bytes() == before
    assert not link.is_symlink()
    assert json.loads(link.read_text("utf-8"))["accepted"]["why"] == "moved"
