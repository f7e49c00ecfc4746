"""Measures over qrels by subtopic: known answers, and the formulas worked by plain loops in exact numbers."""

from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_diversity import plain_gains, plain_ideal
from samples import RANKED, SUBTOPIC_QRELS, by_subtopic, runs, subtopic_qrels

from irkit.errors import MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.measures import (
    AP_IA,
    D_Q,
    ERR_IA,
    NRBP,
    P_IA,
    D_nDCG,
    DSharp_nDCG,
    DSharp_Q,
    Judged,
    NumQ,
    NumRet,
    StRecall,
    alpha_DCG,
    alpha_nDCG,
    nERR_IA,
    nNRBP,
    parse_measure,
)

approx = pytest.approx
SMALL = by_subtopic(RANKED, SUBTOPIC_QRELS)
L3, L5 = log2(3), log2(5)
PROBABILITIES = {"1": 0.5, "2": 0.3, "3": 0.2}


def one_topic(ranked, missed=()):
    """One topic: at each rank the grades by subtopic (None: not judged), and those of documents not retrieved."""
    names = [f"d{place:02}" for place in range(len(ranked))]
    grades = {name: of for name, of in zip(names, ranked, strict=True) if of is not None}
    grades |= {f"m{place:02}": of for place, of in enumerate(missed)}
    qrels = {}
    for name, of in grades.items():
        for subtopic, grade in of.items():
            qrels.setdefault(subtopic, {})[name] = grade
    return by_subtopic({"q": names}, {"q": qrels})


@pytest.mark.parametrize(
    ("name", "of_t1", "of_t2"),
    [
        # ndeval 4.5 and pyndeval 0.0.8 print these but for the two at cutoff 1, which they leave undivided: 1.000000
        ("alpha_DCG@1", 1 / 3, None),
        ("ERR_IA@1", 1 / 3, None),
        ("alpha_DCG@3", 0.404962, 0.450409),
        ("alpha_DCG@5", 0.426617, 0.427269),
        ("alpha_nDCG@1", 0.5, None),
        ("alpha_nDCG@3", 0.607443, 0.675613),
        ("alpha_nDCG@5", 0.608656, 0.675613),
        ("ERR_IA@3", 0.375, 0.4375),
        ("ERR_IA@5", 0.387292, 0.423601),
        ("nERR_IA@1", 0.5, None),
        ("nERR_IA@3", 0.5625, 0.65625),
        ("nERR_IA@5", 0.563050, 0.65625),
        ("P_IA@1", 1 / 3, None),
        ("P_IA@3", 1 / 3, 1 / 3),
        ("P_IA@5", 0.266667, 0.2),
        ("StRecall@1", 1 / 3, None),
        ("StRecall@3", 2 / 3, 2 / 3),
        ("StRecall@5", 2 / 3, 2 / 3),
        ("NRBP", 0.3515625, 0.4375),
        ("nNRBP", 0.520231, 0.666667),
        ("AP_IA", 0.307407, 0.5),
        ("alpha_nDCG(alpha=0.8)@5", 0.592179, None),
        ("ERR_IA(alpha=0.8)@5", 0.430241, None),
        ("NRBP(alpha=0.8,beta=0.6)", 0.427657, None),
        # at level 2 only subtopic 1 of T2 has a relevant document
        ("StRecall(rel=2)@5", None, 1.0),
        # NTCIREVAL 190111 with gains 1:2:3 and intent probabilities; the D# forms by gamma = 0.5 from its parts
        (f"D_nDCG(probabilities={PROBABILITIES})@5", 0.682132, 0.769592),
        (f"D#-nDCG(probabilities={PROBABILITIES})@5", 0.674399, 0.718130),
        (f"D_Q(probabilities={PROBABILITIES})@5", 0.442879, 0.550725),
        (f"D#-Q(probabilities={PROBABILITIES})@5", 0.554773, 0.608696),
    ],
)
def test_the_small_data_set_has_its_known_values(name, of_t1, of_t2):
    values = parse_measure(name)(SMALL)
    for value, known in zip(values[:2], (of_t1, of_t2), strict=True):
        assert known is None or value == approx(known, abs=5e-7)
    assert values[2:].tolist() == [0, 0]  # nothing relevant; nothing retrieved


def test_err_ia_of_chapelle_is_ours_times_a_constant():
    # Mean over the 3 subtopics of ERR with stop probability 1/2 is 0.266667 at 5: ours times alpha and the sum below.
    assert (ERR_IA @ 5)(SMALL)[0] * 0.5 * sum(0.5 ** (r - 1) / r for r in range(1, 6)) == approx(0.266667, abs=5e-7)


def test_the_same_subtopic_again_is_worth_less():
    both = one_topic([{"a": 1}, {"a": 1}, {"b": 1}])
    # gains 1, 1/2, 1; the ideal has 1, 1, 1/2
    assert (alpha_nDCG @ 3)(both) == approx([(1 + 0.5 / L3 + 1 / 2) / (1 + 1 / L3 + 0.5 / 2)])
    assert (alpha_nDCG(alpha=0.25) @ 3)(both) == approx([(1 + 0.75 / L3 + 1 / 2) / (1 + 1 / L3 + 0.75 / 2)])
    assert (nERR_IA @ 3)(both) == approx([(1 + 0.5 / 2 + 1 / 3) / (1 + 1 / 2 + 0.5 / 3)])
    assert nNRBP(both) == approx([(1 + 0.5 * 0.5 + 0.25) / (1 + 0.5 + 0.5 * 0.25)])


def test_alpha_0_counts_every_subtopic_again_and_alpha_1_never():
    both = one_topic([{"a": 1}, {"a": 1}, {"a": 1, "b": 1}])
    # alpha 0: gains 1, 1, 2, and 2, 1, 1 in the ideal; alpha 1: 1, 0, 1, and 2, 0, 0
    assert (alpha_nDCG(alpha=0) @ 3)(both) == approx([(1 + 1 / L3 + 2 / 2) / (2 + 1 / L3 + 1 / 2)])
    assert (alpha_nDCG(alpha=1) @ 3)(both) == approx([(1 + 0 + 1 / 2) / 2])
    assert (alpha_DCG(alpha=1) @ 3)(both) == approx([(1 + 0 + 1 / 2) / 2])
    assert (ERR_IA(alpha=0) @ 3)(both) == approx([(1 + 1 / 2 + 2 / 3) / (2 * (1 + 1 / 2 + 1 / 3))])
    assert NRBP(alpha=1)(both) == approx([(1 + 0 + 0.25) / 2])


def test_of_equal_gains_the_ideal_ranking_takes_the_larger_id():
    # d00, d02 and d03 have two subtopics, so d03 is first. Then d00 has 2, d02 has 1 + 0.5, the others less. Then
    # d02 has 0.5 + 0.5, d01 and d04 0.5 each.
    both = one_topic([{"a": 1, "b": 1}, {"a": 1}, {"b": 1, "c": 1}, {"c": 1, "d": 1}, {"d": 1}])
    assert (nERR_IA @ 5)(both) == approx(
        [(2 + 0.5 / 2 + 1.5 / 3 + 1.5 / 4 + 0.5 / 5) / (2 + 2 / 2 + 1 / 3 + 0.5 / 4 + 0.5 / 5)]
    )


def test_the_larger_id_may_be_the_worse_choice_so_that_a_run_has_more_than_1():
    # Each has two subtopics. Greedy takes z first, after which y and x have 1 + 0.5 each; x, y, z has 2, 2, 0.5 + 0.5.
    qrels = {"q": {"a": {"x": 1}, "b": {"x": 1, "z": 1}, "c": {"y": 1, "z": 1}, "d": {"y": 1}}}
    both = by_subtopic({"q": list("xyz")}, qrels)
    assert (nERR_IA @ 2)(both) == approx([(2 + 2 / 2) / (2 + 1.5 / 2)])
    assert nNRBP(both) == approx([(2 + 2 / 2 + 1 / 4) / (2 + 1.5 / 2 + 1.5 / 4)])


def test_a_short_list_ends_and_unjudged_documents_take_up_ranks():
    both = one_topic([None, {"a": 1}], missed=[{"b": 1}])
    assert (P_IA @ 10)(both) == approx([1 / (10 * 2)])
    assert (StRecall @ 10)(both) == approx([1 / 2])
    assert AP_IA(both) == approx([(1 / 2 + 0) / 2])
    assert AP_IA(judged_only=True)(both) == approx([(1 / 1 + 0) / 2])
    assert (alpha_nDCG @ 10)(both) == approx([(1 / L3) / (1 + 1 / L3)])
    assert NRBP(both) == approx([0.75 / 2 * 0.5])


def test_average_precision_is_a_mean_over_subtopics_and_not_over_pairs():
    both = one_topic([{"a": 1}, {"a": 1}, {"a": 1, "b": 1}])
    assert AP_IA(both) == approx([((1 + 1 + 1) / 3 + 1 / 3) / 2])


def test_more_relevant_documents_than_the_cutoff_can_hold():
    both = one_topic([{"a": 1}], missed=[{"a": 1}, {"b": 1}, {"c": 1}])
    assert (StRecall @ 1)(both) == approx([1 / 3])
    assert (alpha_nDCG @ 1)(both) == approx([1.0])
    assert (D_Q @ 1)(both) == approx([1.0])


def test_negative_grades_are_no_judgments():
    both = one_topic([{"a": -1}, {"a": 1, "b": -1}], missed=[{"b": -2}])
    assert (StRecall @ 5)(both).tolist() == [1.0]  # nothing is relevant to b
    assert Judged(both).tolist() == [0.5]
    assert (P_IA(judged_only=True) @ 1)(both).tolist() == [1.0]
    assert (P_IA @ 1)(both).tolist() == [0.0]
    assert (alpha_nDCG(rel=0) @ 5)(both) == approx([1 / L3])


def test_grade_0_may_be_enough():
    # at level 0: d00 for a, d01 for b, m00 for b
    both = one_topic([{"a": 0}, {"b": 1}], missed=[{"b": 0}])
    assert (StRecall(rel=0) @ 1)(both) == approx([1 / 2])
    assert (P_IA(rel=0) @ 2)(both) == approx([2 / (2 * 2)])
    assert (StRecall(rel=1) @ 1)(both) == approx([0.0])


def test_counts_over_qrels_by_subtopic():
    assert NumRet(SMALL).tolist() == [7, 3, 3, 0]
    assert NumQ(SMALL).tolist() == [1, 1, 1, 1]
    assert (Judged @ 5)(SMALL) == approx([4 / 5, 1, 2 / 3, 0])


def test_intents_are_equally_likely_unless_it_is_said():
    both = one_topic([{"a": 2}, {"a": 1, "b": 1}], missed=[{"b": 3}])
    # gains 2/2, 2/2, and 3/2 of what is missed
    assert (D_nDCG @ 2)(both) == approx([(1 + 1 / L3) / (1.5 + 1 / L3)])
    assert (D_nDCG(probabilities={"a": 0.8, "b": 0.2}) @ 2)(both) == approx([(1.6 + 1 / L3) / (1.6 + 1 / L3)])
    assert (DSharp_nDCG(gamma=0.25) @ 1)(both) == approx([0.25 * 1 / 2 + 0.75 * 1 / 1.5])
    # blended ratios (1 + 1)/(1 + 1.5) and (2 + 2)/(2 + 2.5); three documents gain something, two at most fit
    assert (D_Q @ 2)(both) == approx([(2 / 2.5 + 4 / 4.5) / 2])
    assert D_Q(both) == approx([(2 / 2.5 + 4 / 4.5) / 3])
    # beta = 0: precision at each, as in AP
    assert D_Q(beta=0)(both) == approx([(1 + 1) / 3])
    assert (DSharp_Q(beta=0, gamma=0.1) @ 2)(both) == approx([0.1 * 1 + 0.9 * 1])


def test_gains_stand_in_place_of_grades():
    both = one_topic([{"a": 1}, {"a": 2}])
    assert (D_nDCG(gains={2: 5}) @ 2)(both) == approx([(1 + 5 / L3) / (5 + 1 / L3)])
    # what gains nothing is not relevant: b is no subtopic to cover
    both = one_topic([{"b": 1}, {"a": 2}])
    assert (DSharp_nDCG(gains={1: 0}) @ 2)(both) == approx([0.5 * 1 + 0.5 * 1 / L3])


def test_a_subtopic_of_probability_0_counts_for_nothing():
    both = one_topic([{"a": 1}, {"b": 1}])
    assert (DSharp_nDCG(probabilities={"a": 0, "b": 1}) @ 2)(both) == approx([0.5 * 1 + 0.5 * 1 / L3])


def test_a_subtopic_without_probability_is_refused_where_others_have_one():
    with pytest.raises(MeasureError, match="no probability is given for subtopic '3' of topic 'T1', only for '1', '2'"):
        (D_nDCG(probabilities={"1": 0.5, "2": 0.5}) @ 5)(SMALL)
    # subtopic 0 has no relevant document, and needs none
    assert (D_nDCG(probabilities=PROBABILITIES) @ 5)(SMALL)[0] > 0


def test_conventions_about_topics_without_relevant_documents():
    run = {"T1": RANKED["T1"], "T3": [], "T4": ["n"]}
    for name in ("alpha_nDCG@5", "StRecall@5", "nNRBP", "D#-nDCG@5"):
        values = {
            chosen: evaluate(run=run, qrels=SUBTOPIC_QRELS, measures=name, no_relevant=chosen).by_topic(name)
            for chosen in ("zero", "one", "skip", "abstain")
        }
        assert values["zero"][2:].tolist() == [0, 1]
        assert values["one"][2:].tolist() == values["abstain"][2:].tolist() == [1, 1]
        assert np.isnan(values["skip"][2])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("alpha_nDCG", "alpha_nDCG needs a cutoff, such as alpha_nDCG@10"),
        ("StRecall", "StRecall needs a cutoff"),
        ("alpha_nDCG(alpha=1.5)@5", "the alpha of alpha_nDCG is a number from 0 to 1; not 1.5"),
        ("NRBP(beta=1)", "the beta of NRBP is a number between 0 and 1; not 1"),
        ("ERR_IA@1000001", "the cutoff of ERR_IA is a whole number from 1 to 1000000; not 1000001"),
        ("D_Q(gains={0:1})@5", "the gains of D_Q are gains of 0 or more by grade of at least 1"),
        ("D_Q(probabilities={1:0.5})@5", "the probabilities of D_Q are numbers from 0 to 1 by subtopic"),
        ("D#-nDCG(gamma=2)@5", "the gamma of DSharp_nDCG is a number from 0 to 1; not 2"),
        ("D#nDCG@5", "unknown measure 'D#nDCG@5'; did you mean 'D#-nDCG@5'"),
        ("alpha_nDGC@5", "unknown measure 'alpha_nDGC@5'; did you mean 'alpha_nDCG@5'"),
    ],
)
def test_what_cannot_be_is_refused(name, message):
    with pytest.raises(MeasureError, match=message.replace("(", r"\(")):
        parse_measure(name)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("D#-nDCG@10", "DSharp_nDCG@10"),
        (" D#-nDCG (gamma=0.3) @ 10", "DSharp_nDCG(gamma=0.3)@10"),
        ("D-nDCG", "D_nDCG"),
        ("D#-Q(beta=2,gamma=0.5)", "DSharp_Q(beta=2.0)"),
        ("α_nDCG(alpha=0.25)@20", "alpha_nDCG(alpha=0.25)@20"),
        ("MAP_IA", "AP_IA"),
        ("D_nDCG(probabilities={'b':0.5,'a':1})@3", "D_nDCG(probabilities={'a':1.0,'b':0.5})@3"),
    ],
)
def test_names_and_their_print(written, printed):
    assert str(parse_measure(written)) == printed


# By plain loops, in exact numbers where there is no logarithm -------------------------------------------------------


@settings(max_examples=60, deadline=None, database=None)
@given(
    run=runs(["1"]),
    qrels=subtopic_qrels(topics=["1"]),
    k=st.integers(1, 8),
    rel=st.integers(0, 2),
    alpha=st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(4, 5), Fraction(1)]),
    beta=st.sampled_from([Fraction(1, 2), Fraction(9, 10)]),
)
def test_the_formulas_by_plain_loops_in_exact_numbers(run, qrels, k, rel, alpha, beta):
    relevant = {
        name: documents
        for name, grades in qrels["1"].items()
        if (documents := {document for document, grade in grades.items() if grade >= rel})
    }
    ranking = [d for d, _ in sorted(run["1"].items(), key=lambda one: (one[1], one[0].encode()), reverse=True)]
    found, n = plain_gains(ranking, relevant, alpha), len(relevant)
    best = plain_gains(plain_ideal(relevant, alpha), relevant, alpha) if n else []

    def added(gains, discount):
        return sum(gain / discount(r) for r, gain in enumerate(gains[:k], 1))

    def by_rank(r):
        return r

    def by_log(r):
        return log2(r + 1)

    everything = [n * (1 - alpha) ** (r - 1) for r in range(1, k + 1)]
    precisions = [
        sum(
            Fraction(sum(d in documents for d in ranking[:r]), r)
            for r, one in enumerate(ranking, 1)
            if one in documents
        )
        / len(documents)
        for documents in relevant.values()
    ]
    expected = {
        ERR_IA(alpha=float(alpha)) @ k: (added(found, by_rank), added(everything, by_rank)),
        nERR_IA(alpha=float(alpha)) @ k: (added(found, by_rank), added(best, by_rank)),
        alpha_DCG(alpha=float(alpha)) @ k: (added(found, by_log), added(everything, by_log)),
        alpha_nDCG(alpha=float(alpha)) @ k: (added(found, by_log), added(best, by_log)),
        NRBP(alpha=float(alpha), beta=float(beta)): (
            (1 - (1 - alpha) * beta) * sum(gain * beta**r for r, gain in enumerate(found)),
            n,
        ),
        nNRBP(alpha=float(alpha), beta=float(beta)): (
            sum(gain * beta**r for r, gain in enumerate(found)),
            sum(gain * beta**r for r, gain in enumerate(best)),
        ),
        AP_IA: (sum(precisions), n),
        P_IA @ k: (sum(d in documents for documents in relevant.values() for d in ranking[:k]), k * n),
        StRecall @ k: (sum(not documents.isdisjoint(ranking[:k]) for documents in relevant.values()), n),
    }
    both = by_subtopic(run, qrels)
    for measure, (part, whole) in expected.items():
        value = measure(rel=rel)(both)[both.topics.index("1")]
        assert value == approx(float(part) / float(whole) if whole else 0.0, abs=1e-12), measure
