"""Faults found on the product: sentences that were not true, and lookups made anew for each topic."""

import random
from itertools import permutations, product
from math import sqrt
from time import process_time

import numpy as np
import pytest
from samples import PLAIN, SAMPLES
from scipy import stats

from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.evaluation.result import Evaluation, values_of
from irkit.evaluation.scoring import evaluate
from irkit.evaluation.tie_breaking import evaluation_of_ties
from irkit.gate import accept_baseline, check_regression
from irkit.judged import judge
from irkit.measures import parse_measures
from irkit.report.page.leaderboard import interval_of
from irkit.report.text import render, render_gate
from irkit.rules import TREC_EVAL_10, Conventions
from irkit.stats import compare, few_topics_note, run_similarity
from irkit.stats.reproduction.reproduced_runs import assess_reproduction

# What the power of a t test is told of.
NORMAL = "80% of samples whose differences are normally distributed and vary as these do"


def evaluation(name, *columns, measures="RR", topics=None):
    """An evaluation of these values, a column a measure."""
    values = np.array(columns, dtype=float).T
    topics = tuple(f"t{place:02}" for place in range(len(values))) if topics is None else topics
    return Evaluation(name, parse_measures(measures), topics, values, (), (), (), TREC_EVAL_10, Conventions())


def sentence(found, words):
    (one,) = [note for note in found.notes if words in note]
    return one


# C22 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "level", "options", "least"),
    [
        (5, 0.95, {"test": "sign-flip"}, "0.0625"),  # 2 / 2^5
        (5, 0.95, {"test": "wilcoxon"}, "0.0625"),
        (5, 0.95, {"test": "sign"}, "0.0625"),
        (5, 0.95, {"correction": "max-t"}, "0.0625"),
        (7, 0.99, {"test": "sign-flip"}, "0.01562"),  # 2 / 2^7 = 0.015625
        (4, 0.95, {"test": "sign-flip", "alternative": "greater"}, "0.0625"),  # 1 / 2^4
    ],
)
def test_c22_no_power_is_claimed_where_the_test_can_show_nothing(n, level, options, least):
    ahead = evaluation("b", np.linspace(0.5, 0.9, n)), evaluation("a", np.linspace(0.3, 0.4, n))
    found = compare(ahead[::-1], level=level, **options)
    (contrast,) = found.contrasts
    assert not contrast.can_be_shown
    assert np.isnan(contrast.detectable_difference)
    assert "80%" not in " ".join([contrast.verdict, *found.notes])
    assert sentence(found, "can be shown").endswith(f"with {n} topics p is {least} at least.")
    assert f"none could be shown: with {n} topics p is {least} at least" in contrast.verdict


def test_c22_with_one_topic_more_it_is_a_t_test_whose_power_is_told():
    ours = [0.5, 0.6, 0.4, 0.7, 0.2, 0.9], [0.4, 0.7, 0.1, 0.6, 0.3, 0.4]
    found = compare([evaluation("a", ours[1]), evaluation("b", ours[0])], test="sign-flip")
    assert found.contrasts[0].least_pvalue == 2 / 2**6
    assert f"would be found by a t test in {NORMAL}" in sentence(found, "80%")


def test_c22_corrections_count():
    """Of two sign-flip tests of six topics Holm's first step doubles 2 / 2^6 to 0.0625."""
    rows = np.array([[0.5, 0.6, 0.4, 0.7, 0.2, 0.9], [0.4, 0.7, 0.1, 0.6, 0.3, 0.4]])
    runs = [evaluation(name, *rows_, measures="RR AP") for name, rows_ in (("a", rows[::-1]), ("b", rows))]
    found = compare(runs, test="sign-flip")
    assert [one.least_pvalue for one in found.contrasts] == [0.0625, 0.0625]
    assert "Holm over 2 tests" in sentence(found, "can be shown")


# C23 ------------------------------------------------------------------------------------------------------------------


def detectable(differences, alpha, *, sides):
    """The difference that a t test finds in 80% of samples, by SciPy's noncentral t and bisection."""
    n, deviation = len(differences), np.std(differences, ddof=1)
    critical = stats.t.isf(alpha / sides, n - 1)
    low, high = 0.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if stats.nct.sf(critical, n - 1, middle * sqrt(n)) >= 0.8 else (middle, high)
    return high * deviation


def test_c23_the_gate_tells_what_holms_first_step_would_find(tmp_path):
    qrels = {f"q{place:02}": {"d": 1} for place in range(15)}
    # Six topics fall from rank 1 to 3, five rise from 3 to 1, four stay.
    ranks = {topic: 3 if 6 <= place < 11 else 1 for place, topic in enumerate(qrels)}
    now = {topic: 3 if place < 6 else 1 for place, topic in enumerate(qrels)}

    def run(of):
        return {topic: {**{f"x{i}": -i for i in range(1, rank)}, "d": -rank} for topic, rank in of.items()}

    path = tmp_path / "baseline.json"
    measures = "RR nDCG@10 AP nDCG@5"
    accept_baseline(run=run(ranks), qrels=qrels, baseline=path, measures=measures, why="first", who="me")
    found = check_regression(
        run=run(now), qrels=qrels, baseline=path, tolerance=0.0, only_if_significant=True, fail_if_stale=False
    )
    drops = [1 / now[topic] - 1 / ranks[topic] for topic in qrels]
    (check,) = [one for one in found.checks if one.measure == "RR"]
    assert check.verdict == "passed"
    first_step = detectable(drops, 0.05 / 4, sides=1)
    assert f"only one of {first_step:.4f} would be found by a t test" in check.reason
    assert "(Holm over 4 tests: the first step)" in check.reason
    assert first_step > 1.2 * detectable(drops, 0.05, sides=1)


def test_c23_a_verdict_of_a_family_is_told_before_any_correction():
    rng = np.random.default_rng(5)
    base = rng.random((2, 30))
    other = np.clip(base + rng.normal(0, 0.1, base.shape), 0, 1)
    found = compare([evaluation("a", *base, measures="RR AP"), evaluation("b", *other, measures="RR AP")])
    for one, size in zip(found.contrasts, (other - base), strict=True):
        assert not one.shown
        told = f"and one of {detectable(size, 0.05, sides=2):.4f} would be found by a t test in {NORMAL}"
        assert f"{told}, before any correction" in one.verdict


# C24 ------------------------------------------------------------------------------------------------------------------


def test_c24_runs_without_a_common_document_are_not_called_the_same():
    one, other = Run.of({"1": ["a", "b", "c"]}, "one"), Run.of({"1": ["x", "y", "z"]}, "other")
    text = render(run_similarity([one, other]), "table")
    assert "KTU" in text
    assert "it is 1 too for runs without a document in common: read it beside RBO" in text


# C26 ------------------------------------------------------------------------------------------------------------------


def test_c26_accuracy_of_two_ties_has_the_ends_of_all_four_orders():
    """Tied are a (1) with u (not judged), and n (0) with b (1). Of the first two a, u: 1; u, a: 0."""
    run, qrels = {"1": {"a": 3, "u": 3, "n": 0, "b": 0}}, {"1": {"a": 1, "n": 0, "b": 1}}
    for ties, value in (("worst", 0.0), ("best", 1.0)):
        found = evaluate(run=run, qrels=qrels, measures="Accuracy@2", ties=ties)
        assert found.value("Accuracy@2") == value
        assert found.tie_notes[0].endswith("Accuracy@2 between 0.0000 and 1.0000")


def test_c26_the_ends_of_every_measure_are_those_of_all_orders_of_ties():
    rng = random.Random(26)
    measures = [*SAMPLES, *parse_measures("Accuracy@1 Accuracy@2 Accuracy(rel=2)@3")]
    for _ in range(12):
        documents = [f"d{place}" for place in range(rng.randint(3, 5))]
        scores = {document: rng.randrange(2) for document in documents}
        pool = {f"d{place}": rng.choice([-1, 0, 0, 1, 1, 2, 3]) for place in range(6) if rng.random() < 0.75} or {
            "d0": 1
        }
        tied = [[one for one in documents if scores[one] == score] for score in (1, 0)]
        orders = [[*first, *second] for first, second in product(*map(permutations, tied))]
        every = {f"{place:03}": order for place, order in enumerate(orders)}
        judged = judge(Run.of(every), Qrels.of(dict.fromkeys(every, pool)))
        alone = judge(Run.of({"1": scores}), Qrels.of({"1": pool}))
        found = evaluation_of_ties(alone, measures, conventions=Conventions())
        ends = found.tie_range
        for column, measure in enumerate(measures):
            values = values_of(measure, judged, "zero")
            low, high = (
                [found.values[0, column]] * 2 if ends is None else (ends.lowest[0, column], ends.highest[0, column])
            )
            assert (low, high) == pytest.approx((values.min(), values.max()), abs=1e-12, nan_ok=True), measure


def test_c26_where_orders_are_drawn_the_note_says_so():
    run, qrels = (
        {"1": dict.fromkeys([f"d{place}" for place in range(30)], 1)},
        {"1": {f"d{place}": 1 for place in range(15)}},
    )
    found = evaluate(run=run, qrels=qrels, measures="Accuracy@10 nDCG@10")
    (note,) = [one for one in found.tie_notes if "drawn by chance" in one]
    assert note == (
        "ties: of Accuracy@10 only 1,000 orders drawn by chance (seed 2008) were looked at in 1 of 1 topic; "
        "others could move them further"
    )


# C27 ------------------------------------------------------------------------------------------------------------------


def test_c27_half_an_interval_is_of_the_mean_over_all_topics():
    values = np.linspace(0.1, 0.9, 15)
    half = stats.t.ppf(0.975, 14) * values.std(ddof=1) / sqrt(15)
    note = few_topics_note([evaluation("a", values), evaluation("b", values / 2)])
    assert note == (
        f"15 topics are too few to rank systems: the mean over all topics of the kind may lie {half:.4f} either way "
        "(RR of a; 95% t interval)."
    )


# C30 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["DCG@10", "Hits@10"])
@pytest.mark.parametrize("scale", [1.0, 0.2])
def test_c30_there_is_no_nrmse_of_what_does_not_lie_within_0_and_1(measure, scale):
    runs = [
        evaluation(name, np.array(row) * scale, measures=measure) for name, row in (("a", [1, 0, 1]), ("b", [0, 4, 1]))
    ]
    found = assess_reproduction(*runs)
    (value,) = found.values
    assert np.isnan(value.compared.nrmse)
    assert "no nRMSE, which is for measures whose values lie from 0 to 1" in sentence(found, "nRMSE")


def test_c30_the_table_says_which_measures_lie_within_0_and_1():
    beyond = "DCG@10 IdealDCG@10 Hits@10 yaap utility NumRet NumRel nDCG(gains={-1:9}) INST(max_rel=3,of='ETU')"
    beyond += " INST(max_rel=3,residual=True)"
    assert not [str(one) for one in parse_measures(beyond) if one.unit]
    assert all(
        one.unit
        for one in parse_measures("nDCG@10 RR AP P@5 R@10 RBP ERR@5 Bpref infAP SetF INST(max_rel=3) Accuracy@2")
    )
    assert {name for name, family in PLAIN.items() if not family.unit} == {
        *("DCG", "IdealDCG", "Hits", "yaap", "utility", "EBU", "uUBM")
    }


# C31 ------------------------------------------------------------------------------------------------------------------


def test_c31_the_accepted_run_passes_and_is_not_said_to_fall(tmp_path):
    qrels = {f"q{place}": {"d": 1} for place in range(12)}
    run = {topic: {"x": 2 if int(topic[1:]) % 3 else 0, "d": 1} for topic in qrels}
    path = tmp_path / "baseline.json"
    accept_baseline(run=run, qrels=qrels, baseline=path, measures="RR", why="first", who="me")
    found = check_regression(run=run, qrels=qrels, baseline=path, non_inferior=0.05)
    assert found.passed
    ((word, _, reason),) = found.reasons
    assert word == "passed"
    assert reason.startswith("shown not to be worse by 0.05 or more (no topic differs; ")
    assert "fell" not in render_gate(found, "table")
    assert "::warning" not in render_gate(found, "github")


# C32 ------------------------------------------------------------------------------------------------------------------


def test_c32_equal_sizes_are_told_once():
    base = np.linspace(0.1, 0.6, 30)
    noise = np.tile([0.1, -0.1, 0.05, -0.04, 0.0], 6)
    runs = [evaluation(name, row) for name, row in (("a", base), ("one", base + noise), ("two", base + noise))]
    told = sentence(compare(runs), "80%")
    size = detectable(noise, 0.05, sides=2)
    assert f"true differences of {size:.4f} (each of 2) would be found" in told


def test_c32_topics_are_those_of_the_measure_that_is_named():
    """AP has a value in 10 of 30 topics, RR in all, and RR's interval is wider: it is of no few topics."""
    ap = np.where(np.arange(30) < 10, np.linspace(0.4, 0.5, 30), np.nan)
    rr = np.tile([0.0, 1.0], 15)
    runs = [evaluation(name, rr, ap * scale, measures="RR AP") for name, scale in (("a", 1.0), ("b", 0.9))]
    half = stats.t.ppf(0.975, 9) * ap[:10].std(ddof=1) / sqrt(10)
    assert few_topics_note(runs) == (
        f"10 topics are too few to rank systems: the mean over all topics of the kind may lie {half:.4f} either way "
        "(AP of a; 95% t interval)."
    )


def test_c32_a_group_of_one_topic_is_named():
    topics = tuple(f"t{place}" for place in range(7))
    rows = [0.1, 0.5, 0.3, 0.8, 0.2, 0.9, 0.4], [0.2, 0.4, 0.6, 0.9, 0.1, 0.7, 0.5]
    groups = {topic: "rare" if topic == "t0" else "usual" for topic in topics}
    found = compare([evaluation(name, row, topics=topics) for name, row in zip("ab", rows, strict=True)], groups=groups)
    assert sentence(found, "1 topic") == "1 topic (rare) cannot rank systems."
    assert sentence(found, "are too few").startswith("6 to 7 topics are too few to rank systems: ")


def test_c32_topics_that_do_not_differ_are_in_the_t_test_too():
    base = np.linspace(0.1, 0.9, 30)
    other = base + np.where(np.arange(30) < 12, np.linspace(0.01, 0.05, 30), 0.0)
    found = compare([evaluation("a", base), evaluation("b", other)])
    assert "18 of 30 topics do not differ: all of the difference comes from the others." in sentence(found, "differ: ")
    assert found.tests[0].n_topics == 30


def test_c32_no_interval_is_drawn_beyond_what_a_measure_can_be():
    values = [1.0, 1.0, 0.9, 1.0, 0.2]
    mean, half = np.mean(values), stats.t.ppf(0.975, 4) * np.std(values, ddof=1) / sqrt(5)
    assert mean + half > 1
    assert interval_of(evaluation("a", values), 0) == (pytest.approx(mean - half), 1.0)
    counted = evaluation("a", values, measures="Hits@10")
    assert interval_of(counted, 0) == (pytest.approx(mean - half), pytest.approx(mean + half))


@pytest.mark.parametrize(("alternative", "way"), [("greater", "up to"), ("less", "down to")])
def test_c32_a_one_sided_verdict_names_the_end_on_its_side(alternative, way):
    first, second = np.linspace(0.2, 0.8, 12), np.linspace(0.2, 0.8, 12)[::-1]
    found = compare([evaluation("a", first), evaluation("b", second + 0.01)], alternative=alternative)
    (one,) = found.contrasts
    end = one.interval.high if alternative == "greater" else one.interval.low
    assert f"differences {way} {end:+.4f} are compatible" in one.verdict


# C63, C73 -------------------------------------------------------------------------------------------------------------


def seconds_of_gate(n_topics, path):
    """CPU time of a gate that finds changes, topics missing and a table of them; the least of three."""
    names = [f"q{place}" for place in range(n_topics)]
    qrels = {topic: {"d": 1, "e": 1} for topic in names}
    then = {topic: ["d", "e"] for topic in names}
    now = {topic: ["x", "d"] if place % 2 else ["d", "e"] for place, topic in enumerate(names) if place % 10}
    accept_baseline(run=then, qrels=qrels, baseline=path, measures="RR nDCG@5", why="first", who="me")
    taken = []
    for _ in range(3):
        start = process_time()
        found = check_regression(run=now, qrels=qrels, baseline=path, topic_drop=0.4)
        render_gate(found, "table")
        render_gate(found, "junit")
        taken.append(process_time() - start)
    assert len(found.missing) == -(-n_topics // 10)
    return min(taken)


def test_c63_the_gate_takes_time_in_proportion_to_the_topics(tmp_path):
    """Six times the topics take about six times as long; with sets made anew for each topic it was thirty-six times."""
    few, many = (seconds_of_gate(n, tmp_path / f"{n}.json") for n in (2_000, 12_000))
    assert many < 15 * few


def test_c73_what_a_run_has_by_itself_is_computed_once_for_all_pairs(monkeypatch):
    from irkit import holes
    from irkit.holes import ndcg_bounds

    calls = []
    for module, name in ((holes.Evaluator, "judge"), (ndcg_bounds, "discounted_gain")):
        function = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *args, f=function, n=name, **options: calls.append(n) or f(*args, **options)
        )
    rng = random.Random(73)
    runs = [Run.of({"1": rng.sample([f"d{i}" for i in range(12)], 6)}, f"r{n}") for n in range(12)]
    found = holes.find_holes(runs, {"1": {"d0": 1, "d1": 2, "d2": 0}}, "nDCG@5")
    assert len(found.contests) == 66
    assert calls.count("judge") == 12
    assert calls.count("discounted_gain") == 12


@pytest.mark.parametrize("written", ["table", "json", "junit"])
def test_c31_a_pass_over_topics_that_do_not_differ_names_no_p_value(tmp_path, written):
    # Without noise p would be 0, "< 1e-300", however few topics there are.
    run = {f"q{topic}": {"d": 1.0} for topic in range(1, 6)}
    qrels = {topic: {"d": 1} for topic in run}
    path = tmp_path / "baseline.json"
    accept_baseline(run=run, qrels=qrels, baseline=path, measures="RR", why="the start", who="us", non_inferior=0.05)
    found = check_regression(run=run, qrels=qrels, baseline=path)
    told = "shown not to be worse by 0.05 or more (no topic differs; a loss on fewer than one topic in 2 may be absent)"
    assert found.passed
    assert found.checks[0].reason == told
    whole = render_gate(found, written)
    assert told in whole
    assert "1e-300" not in whole
