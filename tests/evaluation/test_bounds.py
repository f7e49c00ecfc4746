"""What judgments of the unjudged could make of a value: held against every judgment that there can be."""

import csv
import io
import json
import re
from functools import cache
from itertools import product
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import holds_for
from numpy.testing import assert_allclose
from samples import QRELS, RANKED, SAMPLES, judged, one_topic, plain

from irkit.cli import main
from irkit.errors import MeasureError
from irkit.evaluation.bounds import BUDGET, CORNERS, EXCHANGED, GRADED, RANGES, bounds, with_judged
from irkit.evaluation.result import values_of
from irkit.evaluation.scoring import DEFAULT_MEASURES, evaluate
from irkit.evaluation.unjudged_ranks import OpenJudgments
from irkit.measures import FAMILIES, parse_measures

# A ranking of four documents or fewer, of which at most three lack a judgment (None: outside the pool, -1: pooled and
# not judged), and the grades of judged documents that are not in it.
grades = st.sampled_from([None, None, -1, 0, 0, 1, 2, 3])
rankings = st.lists(grades, max_size=5).filter(lambda ranked: sum(g is None or g < 0 for g in ranked) <= 3)
missed = st.lists(st.sampled_from([-1, 0, 1, 1, 2, 3]), max_size=3)


def case(ranked, missed):
    """Run and qrels of one topic."""
    names = [f"d{place}" for place in range(len(ranked))]
    pool = {name: grade for name, grade in zip(names, ranked, strict=True) if grade is not None}
    return names, pool | {f"m{place}": grade for place, grade in enumerate(missed)}


def every_judgment(ranked, missed, highest):
    """The same judged in every way that there is, a topic for each."""
    unjudged = [place for place, grade in enumerate(ranked) if grade is None or grade < 0]
    run, qrels = {}, {}
    for number, assumed in enumerate(product(range(highest + 1), repeat=len(unjudged))):
        whole = list(ranked)
        for place, grade in zip(unjudged, assumed, strict=True):
            whole[place] = grade
        run[str(number)], qrels[str(number)] = case(whole, missed)
    # the scale is that of the qrels
    run["scale"], qrels["scale"] = [], {"x": highest}
    return judged(run, qrels)


def scale_of(measure, ranked, missed):
    known = [grade for grade in (*ranked, *missed) if grade is not None]
    return (measure.family.defaults() | dict(measure.params)).get("max_rel") or max([1, *known])


@pytest.mark.slow
@settings(max_examples=30, deadline=None, database=None)
@given(ranked=rankings, missed=missed, no_relevant=st.sampled_from(["zero", "one", "abstain"]))
def test_no_judgments_give_less_or_more_and_where_it_is_exact_some_give_that(ranked, missed, no_relevant):
    run, pool = case(ranked, missed)
    now = judged({"q": run}, {"q": pool or {"x": 0}})
    every = cache(lambda highest: every_judgment(ranked, missed, highest))

    def law(measure):
        values = values_of(measure, every(scale_of(measure, ranked, missed)), no_relevant)[:-1]
        found = bounds(now, measure, no_relevant=no_relevant)
        lowest, most = values.min(), values.max()
        assert found.low[0] <= lowest + 1e-12
        assert found.high[0] >= most - 1e-12
        if found.low_exact:
            assert_allclose(found.low[0], lowest, atol=1e-12)
        if found.high_exact:
            assert_allclose(found.high[0], most, atol=1e-12)

    known = [measure for measure in SAMPLES if measure.name in CORNERS | EXCHANGED | GRADED | RANGES.keys()]
    holds_for(known, law)


@settings(max_examples=30, deadline=None, database=None)
@given(ranked=rankings, missed=missed, budget=st.integers(1, 60))
def test_bounds_hold_where_not_every_number_can_be_tried(ranked, missed, budget):
    run, pool = case(ranked, missed)
    now = judged({"q": run}, {"q": pool or {"x": 0}})
    for name in sorted(EXCHANGED | GRADED):
        measure = plain(name)
        every = every_judgment(ranked, missed, scale_of(measure, ranked, missed))
        values = measure(every)[:-1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("irkit.evaluation.bounds.BUDGET", budget)
            found = bounds(now, measure)
        assert found.low[0] <= values.min() + 1e-12, measure
        assert found.high[0] >= values.max() - 1e-12, measure


@pytest.mark.parametrize(
    "open_judgments", [None, OpenJudgments(np.array([0, 0, 1]), np.array([1, 7, 3]), np.arange(4))]
)
@pytest.mark.parametrize("budget", [BUDGET, 10])
def test_topics_have_the_same_bounds_to_the_last_bit_in_blocks_of_any_size(monkeypatch, budget, open_judgments):
    now = judged(RANKED, QRELS)
    monkeypatch.setattr("irkit.evaluation.bounds.BUDGET", budget)
    known = [measure for measure in SAMPLES if measure.name in CORNERS | EXCHANGED | GRADED | RANGES.keys()]
    together = [bounds(now, measure, open_judgments=open_judgments) for measure in known]
    monkeypatch.setattr("irkit.evaluation.bounds.BLOCK", 1)
    for measure, whole in zip(known, together, strict=True):
        found = bounds(now, measure, open_judgments=open_judgments)
        assert [found.low.tobytes(), found.high.tobytes()] == [whole.low.tobytes(), whole.high.tobytes()], measure
        assert (found.low_exact, found.high_exact) == (whole.low_exact, whole.high_exact), measure


def of_one(ranked, missed, measure, **options):
    found = bounds(one_topic(ranked, missed), measure, **options)
    return found.low[0], found.high[0], found.low_exact, found.high_exact


@pytest.mark.parametrize(
    ("measure", "low", "high"),
    [
        # ranked 1 - 0 -, not retrieved 1
        ("P@4", 1 / 4, 3 / 4),
        ("RR", 1.0, 1.0),
        ("Success@1", 1.0, 1.0),
        ("R@4", 1 / 2, 3 / 4),  # one of two found, three of four
        ("R@2", 1 / 3, 2 / 3),  # the one at rank 4 may be a third to find
        ("AP", 1 / 2, (1 + 1 + 3 / 4) / 4),  # with the last one only it would be (1 + 2 / 4) / 3, which is 1/2 too
        ("AP@1", 1 / 4, 1 / 2),
        ("Rprec", 1 / 3, 3 / 4),  # 1/2 of two; rank 4 raised: 1 in the first three; both raised: 3 in four
        ("RBP(p=0.5,rel=1)", 0.5, 0.5 * (1 + 1 / 2 + 1 / 8)),
        ("DCG@2", 1.0, 1 + 1 / log2(3)),
        ("NumRelRet", 1.0, 3.0),
        ("Bpref", 0.0, 1.0),
    ],
)
def test_bounds_by_hand(measure, low, high):
    found = of_one([1, None, 0, None], [1], measure)
    assert found == pytest.approx((low, high, measure != "Bpref", measure != "Bpref"))


def test_the_lowest_ndcg_raises_what_hurts_most():
    # ranked 1 - -, all found: nothing raised gives 1. The last raised: (1 + 1/2) / (1 + 1/log2 3) = 0.9197; both: 1
    assert of_one([1, None, None], [], "nDCG") == pytest.approx((1.5 / (1 + 1 / log2(3)), 1.0, True, True))
    # looked at to rank 1 only, the ideal of one rank is full already
    assert of_one([1, None, None], [], "nDCG@1") == (1.0, 1.0, True, True)


def test_the_highest_ndcg_of_a_graded_scale_is_only_a_bound():
    # ranked 1 -, not retrieved 2: with 0 it is 1 / (2 + 1/log2 3), with 1 (1 + 1/log2 3) / (2 + 1/log2 3 + 1/2), with 2
    # (1 + 2/log2 3) / (2 + 2/log2 3 + 1/2). The bound has the gain 2 and the ideal of the judged.
    low, high, low_exact, high_exact = of_one([1, None], [2], "nDCG")
    assert (low_exact, high_exact) == (True, False)
    assert low == pytest.approx(1 / (2 + 1 / log2(3)))
    assert high == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))
    assert high > (1 + 2 / log2(3)) / (2 + 2 / log2(3) + 1 / 2)


def test_the_width_of_rbp_is_its_residual_without_the_tail():
    # spec/measures.md 3.3: T1 (ranked 2 - 3 0 1 0 -, p 0.8) has the residual 0.212429 + 0.209715, whose tail is 0.8^7;
    # T2 is judged throughout, T3 lacks its second, T4 was not retrieved
    both = judged(RANKED, QRELS)
    found = bounds(both, "RBP(rel=1)")
    assert (found.high - found.low)[0] == pytest.approx(0.422144 - 0.8**7, abs=1e-6)
    assert_allclose((found.high - found.low)[1:], [0, 0.2 * 0.8, 0])


@pytest.mark.parametrize(
    ("no_relevant", "low", "high"), [("zero", 0.5, 1.0), ("one", 0.5, 1.0), ("abstain", 0.0, 1.0), ("skip", None, None)]
)
def test_the_convention_counts_as_long_as_nothing_is_relevant(no_relevant, low, high):
    # ranked - -: AP is 1/2 with the second relevant, 1 with the first; with none it is what the convention says
    found = bounds(one_topic([None, None]), "AP", no_relevant=no_relevant)
    if no_relevant == "skip":
        assert np.isnan([found.low[0], found.high[0]]).all()
    else:
        assert (found.low[0], found.high[0]) == (0.0 if no_relevant == "zero" else low, high)


def test_what_says_how_much_was_judged_has_no_bounds():
    for name in ("Judged@10", "unj@10", "rbp_resid"):
        with pytest.raises(MeasureError, match="has no bounds"):
            bounds(one_topic([1, None]), name)


def test_the_manual_lists_the_measures_by_how_exact_their_bounds_are():
    table = (Path(__file__).resolve().parents[2] / "docs" / "conventions.md").read_text("utf-8")
    for line, known in (
        ("| both exact |", CORNERS),
        ("| both exact, by number |", EXCHANGED),
        ("| lowest exact, highest a bound unless the scale is 0 and 1 |", GRADED),
        ("| range only |", RANGES.keys()),
    ):
        row = next(row for row in table.splitlines() if row.startswith(line))
        assert set(re.findall(r"`(\w+)`", row)) == set(known)
    assert CORNERS | EXCHANGED | GRADED | RANGES.keys() <= FAMILIES.keys()


# Judged beside each measure


@pytest.mark.parametrize(
    ("measures", "beside"),
    [
        ("nDCG@10 AP RR P@10 R@100", "nDCG@10 Judged@10 AP RR P@10 R@100 Judged@100"),
        ("RBP P@5 nDCG(dcg='exp-log2')@5", "RBP Judged@10 P@5 Judged@5 nDCG(dcg='exp-log2')@5"),
        ("SetF NumRet Rprec", "SetF NumRet Rprec"),
        ("Judged@5 nDCG@5", "Judged@5 nDCG@5"),
        ("unj@5 AP_avgjg P_avgjg@10", "unj@5 AP_avgjg P_avgjg@10"),
        (DEFAULT_MEASURES, "nDCG@10 Judged@10 AP RR P@10 R@100 Judged@100"),
    ],
)
def test_judged_stands_once_beside_what_looks_at_the_first_ranks(measures, beside):
    assert with_judged(measures) == parse_measures(beside)


# Reports


RUN = "1 Q0 a 1 3 r\n1 Q0 x 2 2 r\n1 Q0 b 3 1 r\n2 Q0 y 1 1 r\n"
JUDGMENTS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n3 0 d 1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run").write_text(RUN)
    Path("qrels").write_text(JUDGMENTS)


def call(capfd, *words):
    status = main(list(words))
    out, err = capfd.readouterr()
    return status, out, err


def test_score_shows_the_lowest_and_the_highest_values(files, capfd):
    # P@2: topic 1 1/2 to 1, topic 2 0 to 1/2, topic 3 0; RR 1, 0 to 1, 0
    status, out, _ = call(capfd, "score", "run", "qrels", "-m", "P@2 RR Bpref", "--judged", "--unjudged")
    assert status == 0
    assert out == (
        "3 topics averaged (all judged); rules trec_eval-10; topics without relevant documents: none\n"
        "1 judged topic missing from the run (counted as returning nothing): 3\n"
        "lowest and highest: what judgments of the documents retrieved and not judged could give; exact but for the "
        "lowest Bpref, the highest Bpref, which are no more than a bound; not known for Judged@2, Judged@10\n"
        "\n"
        "run           P@2  Judged@2      RR  Judged@10   Bpref\n"
        "──────────────────────────────────────────────────────\n"
        "run        0.1667    0.1667  0.3333     0.2222  0.3333\n"
        "  lowest   0.1667         -  0.3333          -  0.0000\n"
        "  highest  0.5000         -  0.6667          -  0.6667\n"
    )


def test_csv_and_json_carry_the_bounds(files, capfd):
    words = ["score", "run", "qrels", "-m", "P@2 Judged@2", "--unjudged", "--by-topic"]
    _, out, err = call(capfd, *words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    found = [(row["topic"], row["measure"], row["lowest"], row["highest"], row["lowest_exact"]) for row in rows]
    assert found[:2] == [("1", "P@2", "0.5", "1.0", "true"), ("1", "Judged@2", "", "", "")]
    assert found[-2] == ("all", "P@2", repr(0.5 / 3), "0.5", "true")
    assert "lowest and highest: " in err
    (one,) = json.loads(call(capfd, *words, "--format", "json")[1])["evaluations"]
    assert one["measures"]["P@2"]["bounds"] == {
        "lowest": 0.5 / 3,
        "highest": 0.5,
        "lowest_exact": True,
        "highest_exact": True,
        "topics": {"1": [0.5, 1.0], "2": [0.0, 0.5], "3": [0.0, 0.0]},
    }
    assert one["measures"]["Judged@2"]["bounds"] is None
    assert call(capfd, *words, "--format", "trec_eval")[0] == 2


def test_bounds_go_with_the_topics(files, capfd):
    result = evaluate(run="run", qrels="qrels", measures="P@2 NumRelRet", bounds=True)
    assert result.lowest.tolist() == pytest.approx([0.5 / 3, 1])
    assert result.highest.tolist() == pytest.approx([1.5 / 3, 3])
    assert result.restricted_to(["2"]).highest.tolist() == [0.5, 1]
    groups = result.by_group({"1": "a", "2": "b", "3": "b"})
    assert groups["b"].highest.tolist() == [0.25, 1]
    over = evaluate(run="run", qrels="qrels", measures="P@2", bounds=True, average="topics", topics=["1"])
    assert (over.lowest.tolist(), over.highest.tolist()) == ([0.5], [1.0])
    without = evaluate(run="run", qrels="qrels", measures="P@2")
    assert (without.bounds, np.isnan(without.lowest).all()) == ((), True)


def test_the_lowest_geometric_mean_is_that_of_the_lowest_values(files):
    # AP: topic 1 1 to 1 (x above or below), topic 2 0 or 1/2, topic 3 0: floors of 0.00001
    result = evaluate(run="run", qrels="qrels", measures="GMAP", bounds=True)
    assert result.lowest[0] == pytest.approx((1.0 * 1e-5 * 1e-5) ** (1 / 3))
    assert result.highest[0] == pytest.approx((1.0 * 0.5 * 1e-5) ** (1 / 3))


@pytest.mark.parametrize("name", ["rbp(gains={-1:1})", "nDCG(gains={-1:1})@3"])
def test_gains_of_what_nobody_judged_have_no_bounds(name):
    with pytest.raises(MeasureError, match="has no bounds"):
        bounds(judged(RANKED, QRELS), name)


def test_measures_by_subtopic_have_their_judged_too():
    assert list(map(str, with_judged("alpha_nDCG@5 iP@5"))) == ["alpha_nDCG@5", "Judged@5", "iP@5"]
