"""Models of users: worked values of spec/measures.md, sections 3.2 to 3.4, 5 and 8, and answers worked by hand."""

from functools import partial
from math import log2, nan

import pytest
from samples import QRELS, RANKED, judged, one_topic

from irkit.errors import MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.measures import (
    AP,
    BPM,
    EBU,
    ERR,
    GAP,
    INSQ,
    INST,
    NERR8,
    NERR10,
    RBP,
    SDCG,
    TBG,
    P,
    UMeasure,
    continuation,
    nERR,
    parse_measure,
    parse_measures,
    rrDBN,
    uUBM,
)
from irkit.measures.cwl import Expected, expectations

BOTH = judged(RANKED, QRELS)
# Gains g / 3 of T1 and T2; nobody judged T1's second and seventh document.
T1 = [2 / 3, nan, 1, 0, 1 / 3, 0, nan]
T2 = [1 / 3, 2 / 3, 0]
static = partial(continuation.bpm, hb=0, hc=0, gain_med=0.5)
goal = {"T": 2, "b1": 0.9, "R1": 1}
rate = {"A": 0.2, "b2": 0.9, "R2": 1}

# Model, the measure that has it, and by cwl_eval EU, ETU, ED and the residual of EU for T1 and for T2.
TABLE = [
    (partial(continuation.precision, cutoff=5), None, (0.400000, 2.000000, 5, 0.2), (0.2, 1, 5, 0.4)),
    (continuation.reciprocal_rank, None, (0.666667, 0.666667, 1, 0), (0.333333, 0.333333, 1, 0)),
    # not AP: it knows nothing of the relevant documents that were not retrieved
    (continuation.average_precision, None, (0.566667, 1.0625, 1.875, 0.417546), (0.444444, 0.666667, 1.5, 0.543672)),
    (
        partial(continuation.scaled_dcg, cutoff=5),
        "SDCG(max_rel=3)@5",
        (0.439422, 1.295618, 2.948459, 0.213986),
        (0.255711, 0.753953, 2.948459, 0.277273),
    ),
    (
        partial(continuation.rank_biased, p=0.8),
        None,
        (0.288640, 1.443200, 5.000000, 0.422144),
        (0.173333, 0.866667, 5.000000, 0.512000),
    ),
    (
        partial(continuation.insq, T=1),
        "INSQ(max_rel=3)",
        (0.370264, 0.953696, 2.575742, 0.377755),
        (0.244446, 0.629626, 2.575742, 0.342153),
    ),
    (
        partial(continuation.inst, T=1),
        "INST(max_rel=3)",
        (0.474478, 0.842129, 1.774855, 0.268115),
        (0.295965, 0.593748, 2.006148, 0.161090),
    ),
    # 1/3 + 2/3 reaches 1 at the second rank of T2
    (
        partial(static, T=1, cutoff=5),
        "BPM(max_rel=3)@5",
        (0.555556, 1.666667, 3.000000, 0.277778),
        (0.500000, 1.000000, 2.000000, 0.000000),
    ),
    (
        partial(continuation.nerr8, cutoff=5),
        "NERR8(max_rel=3)@5",
        (0.600000, 1.000000, 1.666667, 0.150000),
        (0.333333, 0.777778, 2.333333, 0.140351),
    ),
    (
        partial(continuation.nerr9, cutoff=5),
        "NERR9(max_rel=3)@5",
        (0.608696, 0.777778, 1.277778, 0.105590),
        (0.368550, 0.555556, 1.507407, 0.049171),
    ),
    (
        partial(continuation.nerr10, p=0.9),
        "NERR10(max_rel=3)",
        (0.596603, 0.936667, 1.570000, 0.146987),
        (0.215686, 0.733333, 3.400000, 0.245350),
    ),
    (
        partial(continuation.nerr11, T=1),
        "NERR11(max_rel=3)",
        (0.609023, 0.750000, 1.231481, 0.100655),
        (0.343003, 0.530863, 1.547696, 0.065255),
    ),
    (
        partial(continuation.time_biased, halflife=22),
        "TBG(halflife=22,max_rel=3)",
        (0.058913, 1.899461, 32.241916, 0.857807),
        (0.030374, 0.979323, 32.241916, 0.909809),
    ),
    (
        partial(continuation.u_measure, L=50),
        "UMeasure(L=50,max_rel=3)",
        (0.075817, 1.933333, 25.500000, 0.814902),
        (0.038693, 0.986667, 25.500000, 0.884706),
    ),
    (
        partial(continuation.ift_goal, **goal),
        "IFT_C1(T=2,b1=0.9,R1=1,max_rel=3)",
        (0.433980, 1.326725, 3.057112, 0.353742),
        (0.229786, 0.884360, 3.848634, 0.274085),
    ),
    (
        partial(continuation.ift_rate, **rate),
        "IFT_C2(A=0.2,b2=0.9,R2=1,max_rel=3)",
        (0.425742, 1.066628, 2.505337, 0.269034),
        (0.307977, 0.706261, 2.293224, 0.196372),
    ),
    (
        partial(continuation.ift_goal_rate, **goal, **rate),
        "IFT_C1_C2(T=2,b1=0.9,R1=1,A=0.2,b2=0.9,R2=1,max_rel=3)",
        (0.489858, 0.888447, 1.813682, 0.290251),
        (0.359429, 0.641573, 1.784979, 0.063440),
    ),
]


# A model is a function, whose text would be its place in memory.
@pytest.mark.parametrize(
    ("model", "name", "t1", "t2"), TABLE, ids=[row[1] or f"row {n}" for n, row in enumerate(TABLE)]
)
def test_what_is_expected_of_two_rankings_by_cwl_eval(model, name, t1, t2):
    for gains, values in ((T1, t1), (T2, t2)):
        found = expectations(model, gains)
        assert pytest.approx(values, abs=6e-7) == [found.worst.EU, found.worst.ETU, found.worst.ED, found.residual.EU]
    if name is not None:
        measure = parse_measure(name)
        for column, asked in enumerate(({}, {"of": "ETU"}, {"of": "ED"}, {"residual": True})):
            assert measure(**asked)(BOTH)[:2] == pytest.approx([t1[column], t2[column]], abs=6e-7), asked


# EU, ETU, EC, ETC and ED by cwl_eval, of T1 with costs and seven ranks.
@pytest.mark.parametrize(
    ("model", "values"),
    [
        (partial(continuation.rank_biased, p=0.8), (0.365235, 1.023770, 6.326590, 15.771571, 3.951424)),
        (partial(continuation.time_biased, halflife=22), (0.358241, 1.494217, 6.479005, 27.023783, 4.170977)),
        (partial(continuation.u_measure, L=50), (0.385366, 1.580000, 6.102439, 25.020000, 4.100000)),
        (partial(static, T=3, cutoff=20), (0.416667, 1.666667, 6.750000, 27.000000, 4.000000)),
    ],
)
def test_what_is_expected_where_documents_have_costs_by_cwl_eval(model, values):
    found = expectations(model, T1, [10, 2, 5, 10, 2, 5, 10], n_ranks=7)
    assert found.worst == pytest.approx(values, abs=6e-7)


def test_what_is_not_known_of_costs_is_dear_at_worst_and_cheap_at_best():
    # two documents at all ranks; the second costs 4 or 2
    found = expectations(partial(continuation.precision, cutoff=2), [1, 0], [3, nan], n_ranks=2, min_cost=2, max_cost=4)
    assert found.worst == pytest.approx(Expected(EU=1 / 2, ETU=1, EC=7 / 2, ETC=7, ED=2))
    assert found.best == pytest.approx(Expected(EU=1 / 2, ETU=1, EC=5 / 2, ETC=5, ED=2))
    assert found.residual == pytest.approx(Expected(0, 0, -1, -2, 0))


@pytest.mark.parametrize(
    ("gains", "asked", "message"),
    [
        ([2.0], {}, "gains are numbers from 0 to 1, or nan; divide them"),
        ([-0.5], {}, "gains are numbers from 0 to 1"),
        ([1, 0], {"costs": [1]}, "there are 2 gains and 1 costs"),
        ([1], {"costs": [0]}, "costs are numbers above 0"),
        ([1], {"costs": [float("inf")]}, "costs are numbers above 0"),
        ([1], {"min_cost": 2, "max_cost": 1}, "min_cost is at most max_cost"),
        ([1], {"n_ranks": 0}, "the number of ranks is at least 1, not 0"),
    ],
)
def test_gains_and_costs_that_cannot_be(gains, asked, message):
    with pytest.raises(MeasureError, match=message):
        expectations(continuation.reciprocal_rank, gains, **asked)


def test_a_user_who_finds_nothing_by_rr_looks_at_all_ranks():
    # spec/measures.md, section 5: 1000 for RR without a relevant document
    assert expectations(continuation.reciprocal_rank, [0, nan]).worst == Expected(EU=0, ETU=0, EC=1, ETC=0, ED=1000)
    assert expectations(continuation.average_precision, []).worst == Expected(EU=0, ETU=0, EC=1, ETC=1, ED=1)


def test_rbp_has_the_residual_of_its_authors():
    # 3.3: unjudged ranks 2 and 7 of T1, and all behind rank 7 of T1 and rank 3 of T2
    for gains, residual in ((T1, 0.2 * (0.8 + 0.8**6) + 0.8**7), (T2, 0.8**3)):
        assert pytest.approx(residual) == expectations(partial(continuation.rank_biased, p=0.8), gains).residual.EU
    assert pytest.approx(0.212429 + 0.209715, abs=1e-6) == 0.2 * (0.8 + 0.8**6) + 0.8**7


def test_rbp_is_the_model_of_it_and_sdcg_is_dcg_of_a_full_page():
    for gains, value in zip((T1, T2), RBP(p=0.8, max_rel=3)(BOTH), strict=False):
        assert pytest.approx(value, abs=1e-12) == expectations(partial(continuation.rank_biased, p=0.8), gains).worst.EU
    assert (P @ 5)(one_topic([1, 0, 1])) == [expectations(partial(continuation.precision, cutoff=5), [1, 0, 1])[0].EU]
    full = 1 + 1 / log2(3) + 1 / 2 + 1 / log2(5) + 1 / log2(6)
    assert (SDCG(max_rel=3) @ 5)(BOTH)[:2] == pytest.approx(parse_measure("DCG@5")(BOTH)[:2] / 3 / full)


def test_paper_forms_of_tbg_and_u_measure_are_gain_in_all_but_for_where_a_text_is_discounted():
    # TBG: sum of g 2^(-K(r - 1) / h) before the cut; U: by the start of each text, where the paper takes its end
    tbg, u = TBG(halflife=22, max_rel=3, of="ETU"), UMeasure(L=50, max_rel=3, of="ETU")
    by_hand = 2 / 3 + 2 ** (-2 / 22) + 2 ** (-4 / 22) / 3
    assert tbg(BOTH)[0] == pytest.approx(by_hand)
    assert u(BOTH)[:2] == pytest.approx([2 / 3 + 48 / 50 + 46 / 50 / 3, 1 / 3 + 49 / 50 * 2 / 3])
    paper = [2 / 3 * 49 / 50 + 47 / 50 + 45 / 50 / 3, 49 / 50 / 3 + 48 / 50 * 2 / 3]
    assert paper == pytest.approx([1.893333, 0.966667], abs=6e-7)


# One user each; the limits of the dynamic model by the rule of its authors: cwl_eval never moves the second.
@pytest.mark.parametrize(
    ("name", "grades", "n_looked_at"),
    [
        ("BPM(max_rel=2)@3", [0, 0, 0, 0, 2], 3),
        ("BPM(max_rel=2)@9", [0, 0, 0, 0, 2], 5),
        ("BPM(T=0,max_rel=2)@9", [0, 2], 1),
        # a limit of 3 at rank 1, 3.5 behind the full gain there, and no change behind 1/2
        ("BPM(T=9,hc=1,max_rel=2)@3", [2, 1, 0, 0], 4),
        # 3 at rank 1, 2.5 from rank 2 on
        ("BPM(T=9,hc=1,max_rel=2)@3", [0, 1, 1, 1], 3),
        # 4 at rank 1, 3.5 at rank 2, 3 at rank 3
        ("BPM(T=9,hc=1,max_rel=2)@4", [0, 0, 0, 2, 2], 3),
        # T is still 1 at rank 1
        ("BPM(hb=1,max_rel=2)@9", [2, 2], 1),
        # T is 2, 2.5, 3 at ranks 1, 2, 3, where 1, 2, 3 are gained
        ("BPM(T=2,hb=1,max_rel=2)@9", [2, 2, 2, 2, 2], 3),
        ("BPM(T=2,max_rel=2)@9", [2, 2, 2, 2, 2], 2),
        # 2 at rank 1, 2.5 at rank 2, 3 at rank 3: every gain raises it
        ("BPM(T=9,hc=1,gain_med=0,max_rel=2)@2", [1, 1, 0, 0, 0], 3),
    ],
)
def test_how_far_bpm_looks(name, grades, n_looked_at):
    one, measure = one_topic(grades), parse_measure(name)
    assert measure(of="ED")(one) == [n_looked_at]
    assert measure(of="ETU")(one) == pytest.approx([sum(grades[:n_looked_at]) / 2])
    assert measure(one) == pytest.approx([sum(grades[:n_looked_at]) / 2 / n_looked_at])


def test_dynamic_bpm_of_the_topics_of_the_manual_by_cwl_eval():
    # section 5: T3 has ED 3 dynamic and 5 static; T1 and T2 are equal in both
    static, dynamic = BPM(max_rel=3) @ 5, BPM(max_rel=3, hb=1, hc=1) @ 5
    assert static(of="ED")(BOTH)[:3].tolist() == [3, 2, 5]
    assert dynamic(of="ED")(BOTH)[:3].tolist() == [3, 2, 3]
    assert dynamic(BOTH)[:3] == pytest.approx(static(BOTH)[:3])


def test_bpm_reaches_what_a_sum_of_tenths_reaches_by_the_book():
    # ten times 0.1 is 1, and 0.9999999999999999 as numbers are added
    assert (BPM(max_rel=10) @ 50)(of="ED")(one_topic([1] * 20)) == [10]


def test_grades_are_clipped_to_the_scale_as_ir_measures_does():
    # by SDCG@1, which is the gain of the first document: (grade - 1) / 2 from 0 to 1
    first = [(SDCG(min_rel=1, max_rel=3) @ 1)(one_topic([grade]))[0] for grade in (None, -1, 0, 1, 2, 3, 4)]
    assert first == [0, 0, 0, 0, 1 / 2, 1, 1]
    # min_rel=1, max_rel=2 is grade 2 or nothing
    binary = SDCG(min_rel=1, max_rel=2) @ 3
    assert binary(one_topic([1, 2, 3])) == pytest.approx((SDCG(max_rel=1) @ 3)(one_topic([0, 1, 1])))
    with pytest.raises(MeasureError, match="min_rel=3 and max_rel=3 are no scale"):
        INST(min_rel=3, max_rel=3)(BOTH)


def test_gains_in_place_of_grades_are_on_the_scale():
    one = one_topic([1, 2, None, 3])
    assert (SDCG(gains={1: 2, 2: 0}, max_rel=4) @ 1)(one) == [2 / 4]
    # what is not in the pool gains 1: known, so that nothing but the end is left for the residual
    named = NERR10(gains={-1: 1, 1: 0, 2: 0}, max_rel=3)
    assert named(one_topic([1, None])) == pytest.approx([0.9 / 3 / (1 + 0.9 + 0.9**2 * 2 / 3 / (1 - 0.9))])
    # exp-log2: (2^2 - 1) / (2^3 - 1), and (2^2 - 2^1) / (2^3 - 2^1) on a scale from 1
    assert (SDCG(dcg="exp-log2", max_rel=3) @ 1)(one_topic([2])) == pytest.approx([3 / 7])
    assert (SDCG(dcg="exp-log2", min_rel=1, max_rel=3) @ 1)(one_topic([2])) == pytest.approx([2 / 6])


def test_fractional_grades_are_on_the_scale_too():
    one = {"run": {"1": ["a", "b"]}, "qrels": {"1": {"a": 0.25, "b": 1.5}}, "fractional": True}
    # looking 1 and 1 - 1/4; on a scale to 2, 1 and 1 - 1/8
    for measure, value in ((NERR8(max_rel=1) @ 2, (0.25 + 0.75) / 1.75), (NERR8(max_rel=2) @ 2, 0.78125 / 1.875)):
        assert evaluate(**one, measures=measure).value(measure) == pytest.approx(value)


def test_a_short_list_gains_nothing_after_its_end_and_the_unjudged_gain_nothing():
    assert (NERR8(max_rel=1) @ 4)(one_topic([None, 1])) == pytest.approx([1 / 2])
    assert (NERR8(max_rel=1) @ 4)(one_topic([None, 0])) == [0]
    # at best both unjudged ranks of the first four gain 1: all is over at rank 1, where 1 of 1 is found
    assert (NERR8(max_rel=1, residual=True) @ 4)(one_topic([None, 1])) == pytest.approx([1 - 1 / 2])
    # pooled and not judged is not judged
    assert (NERR8(max_rel=1, residual=True) @ 4)(one_topic([-1, 1])) == pytest.approx([1 - 1 / 2])
    # looking 1 at rank 1 and 1/2 at rank 2, which is past the end
    assert UMeasure(L=2, max_rel=1)(one_topic([1])) == pytest.approx([1 / 1.5])
    assert UMeasure(L=2, max_rel=1, residual=True)(one_topic([1])) == pytest.approx([0.5 / 1.5])


def test_a_residual_can_be_below_0():
    # gains 1/2, -, 1/2, 1, 1: without the second, 3/2 are gained at rank 4, and with it at rank 2
    one = one_topic([1, None, 1, 2, 2])
    assert (BPM(T=1.5, max_rel=2, of="ED") @ 9)(one) == [4]
    assert (BPM(T=1.5, max_rel=2, of="ED", residual=True) @ 9)(one) == [2 - 4]


# One document of grade 1 to find in each. Nothing retrieved; nothing relevant retrieved; nothing relevant there is.
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INST(max_rel=1)", 0),
        ("BPM(max_rel=1)@2", 0),
        ("BPM(max_rel=1,of='ETU')@2", 0),
        ("BPM(max_rel=1,of='EC')@2", 1),
        ("BPM(max_rel=1,of='ETC')@2", 2),
        ("BPM(max_rel=1,of='ED')@2", 2),
        ("TBG(halflife=3,max_rel=1)", 0),
        ("ERR", 0),
        ("nERR", 0),
        ("GAP(thresholds={1:1})", 0),
        ("uUBM(a={0:0.5,1:1},gamma=((1,),),U={0:0,1:1})", 0),
        ("EBU(a={0:0.5,1:1},s={0:0.5,1:1},gamma=1,U={0:0,1:1})", 0),
    ],
)
def test_topics_in_which_nothing_is_found(name, value):
    three = judged({"2": ["x", "y"], "3": ["x", "b"]}, {"1": {"a": 1}, "2": {"a": 1}, "3": {"b": 0}})
    assert parse_measure(name)(three).tolist() == [value] * 3


def test_a_residual_where_nothing_was_retrieved_is_all_there_could_be():
    two = judged({"2": ["x"]}, {"1": {"a": 1}, "2": {"a": 1}})
    for measure in (INST(max_rel=1), SDCG(max_rel=1) @ 3, TBG(halflife=3, max_rel=1)):
        assert measure(residual=True)(two) == pytest.approx([1, 1])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("INST", r"INST needs max_rel, such as INST\(max_rel=4\)"),
        ("SDCG@10", r"SDCG@10 needs max_rel, such as SDCG\(max_rel=4\)@10"),
        ("SDCG", r"SDCG needs max_rel and a cutoff, such as SDCG\(max_rel=4\)@10"),
        ("TBG", r"TBG needs halflife and max_rel, such as TBG\(halflife=10.0,max_rel=4\)"),
        ("IFT_C1(b1=1)", r"IFT_C1\(b1=1.0\) needs T, R1 and max_rel, such as IFT_C1\(T=2.0,b1=1.0,R1=1.0,max_rel=4\)"),
        ("GAP", r"GAP needs thresholds, such as GAP\(thresholds=\{1:1,2:1,3:1,4:1\}\)"),
        ("rrDBN(a={0:0,1:1})", r"needs s and gamma, such as rrDBN\(a=\{0:0,1:1\},s=\{0:0.05,"),
        ("INST(T=0.4,max_rel=2)", r"the T of INST is a number of at least 0.5; not 0.4"),
        ("INSQ(of='eu',max_rel=2)", r"the of of INSQ is 'EU', 'ETU', 'EC', 'ETC' or 'ED'; not 'eu'"),
        ("ERR(stop='log')", r"the stop of ERR is 'exp' or 'linear'; not 'log'"),
        ("GAP(thresholds={1:0})", r"the thresholds of GAP are numbers of 0 or more by grade from 1 on"),
        ("GAP(thresholds={0:1})", r"the thresholds of GAP are"),
        ("EBU(a={0:1.5})", r"the a of EBU is probabilities by grade"),
        ("EBU(a={})", r"the a of EBU is probabilities by grade"),
        ("uUBM(gamma=((1,),(1,)))", r"the gamma of uUBM is rows of 1, 2, 3 and so on probabilities"),
        ("uUBM(gamma=())", r"the gamma of uUBM is rows"),
    ],
)
def test_a_parameter_that_is_missing_or_cannot_be_is_named(name, message):
    with pytest.raises(MeasureError, match=message):
        parse_measures(name)


def test_what_a_measure_of_python_lacks_is_named_when_it_is_computed():
    with pytest.raises(MeasureError, match="INST needs max_rel"):
        evaluate(run=RANKED, qrels=QRELS, measures=[INST])


def test_only_gain_is_compared_between_runs():
    inst = INST(max_rel=3)
    assert inst.compared
    assert inst(of="ETU").compared
    assert not any(inst(of=of).compared for of in ("EC", "ETC", "ED"))
    assert not inst(residual=True).compared


# Section 3.2: ERR of T1 and T2; by NTCIREVAL those with gains 1:3:7, which are exp, and with gains 1:2:3, linear.
@pytest.mark.parametrize(
    ("measure", "t1", "t2"),
    [
        (ERR(max_rel=3) @ 5, 0.559245, 0.2890625),
        (ERR @ 5, 0.311702, 0.150391),
        (ERR @ 3, 0.305990, 0.150391),
        (ERR(max_rel=3, stop="linear"), 0.631250, 0.437500),
        (nERR(max_rel=3, stop="linear") @ 5, 0.736330, 0.736842),
    ],
    ids=str,
)
def test_expected_reciprocal_rank_of_two_topics(measure, t1, t2):
    assert measure(BOTH)[:2] == pytest.approx([t1, t2], abs=6e-7)


def test_normalised_err_at_a_cutoff_is_a_share_of_the_ideal_at_that_cutoff():
    # ideal 2 1 1: 3/4 + 1/2 * 1/4 * 1/4 at 2, and 1/3 * 1/4 * 3/4 * 1/4 more without a cutoff
    one = one_topic([1, None, 2], missed=[1, 0, -1])
    at_2, ideal_at_2 = 1 / 4, 3 / 4 + 1 / 32
    assert (nERR(max_rel=2) @ 2)(one) == pytest.approx([at_2 / ideal_at_2])
    assert nERR(max_rel=2)(one) == pytest.approx([(1 / 4 + 1 / 3 * 3 / 4 * 3 / 4) / (ideal_at_2 + 1 / 64)])
    with pytest.raises(MeasureError, match=r"nERR has max_rel=2, but .* grade 3; ask for it with max_rel=3"):
        nERR(max_rel=2)(BOTH)


# Section 3.4: GAP of T1 and T2, with equal thresholds, with l(l + 1) summed as in NTCIREVAL, and with 2^l - 1.
@pytest.mark.parametrize(
    ("measure", "t1", "t2"),
    [
        (GAP(thresholds={1: 1 / 3, 2: 1 / 3, 3: 1 / 3}), 0.426667, 0.625000),
        (GAP(thresholds={1: 2, 2: 4, 3: 6}), 0.388235, 0.600000),
        (GAP(thresholds={1: 1, 2: 2, 3: 4}), 0.364912, 0.600000),
    ],
    ids=str,
)
def test_graded_average_precision_of_two_topics(measure, t1, t2):
    assert measure(BOTH)[:2] == pytest.approx([t1, t2], abs=6e-7)


def test_graded_average_precision_with_a_cutoff_is_that_of_ntcireval():
    assert (GAP(thresholds={1: 1, 2: 2, 3: 3}) @ 3)(BOTH)[0] == pytest.approx(0.400000, abs=6e-7)


def test_graded_average_precision_with_one_threshold_is_average_precision():
    for rel in (1, 2, 3):
        assert GAP(thresholds={rel: 0.7})(BOTH) == pytest.approx(AP(rel=rel)(BOTH))
    # scaling cancels; grades above the last threshold are accepted by all
    assert GAP(thresholds={1: 2, 2: 6})(BOTH) == pytest.approx(GAP(thresholds={1: 1, 2: 3})(BOTH))
    # nobody accepts grade 1, so that such a topic has nothing to find
    assert GAP(thresholds={2: 1}).n_findable(BOTH).tolist() == [3, 1, 0, 0]


# Section 8: made-up parameters for grades 0 to 3.
CLICKS = {"a": {0: 0.1, 1: 0.3, 2: 0.5, 3: 0.7}, "s": {0: 0.05, 1: 0.2, 2: 0.5, 3: 0.8}}
UTILITY = {0: 0, 1: 1 / 3, 2: 2 / 3, 3: 1}
BY_DISTANCE = [[1 / (1 + 0.25 * (distance - 1)) for distance in range(1, rank + 1)] for rank in range(1, 8)]


@pytest.mark.parametrize(
    ("measure", "values"),
    [
        (EBU(**CLICKS, gamma=1, U=UTILITY), (0.888379, 0.413333, 0)),
        (EBU(**CLICKS, gamma=0.9, U=UTILITY), (0.777892, 0.382000, 0)),
        (rrDBN(**CLICKS, gamma=1), (0.395980, 0.178675, 0.009138)),
        (rrDBN(**CLICKS, gamma=0.9), (0.367659, 0.166702, 0.008575)),
        (uUBM(a=CLICKS["a"], gamma=BY_DISTANCE, U=UTILITY), (0.933152, 0.386667, 0)),
        (
            rrDBN(a=dict.fromkeys(range(4), 1), s={g: (2**g - 1) / 8 for g in range(4)}, gamma=1),
            (0.559245, 0.2890625, 0),
        ),
    ],
    ids=["uSDBN", "EBU", "rrSDBN", "rrDBN", "uUBM", "ERR"],
)
def test_click_models_of_three_topics(measure, values):
    assert measure(BOTH)[:3] == pytest.approx(values, abs=6e-7)


def test_ubm_looks_as_deep_as_its_table():
    table = [[1.0], [0.8, 0.6]]
    measure = uUBM(a={0: 0, 1: 0.5}, gamma=table, U={0: 0, 1: 2})
    # rank 2: after no click 1/2 * 1/2 * 0.6, after a click 1/2 * 1/2 * 0.8
    at_2 = 2 * (0.5 + 0.25 * 0.6 + 0.25 * 0.8)
    for ranked in ([1, 1], [1, 1, 1]):
        assert measure(one_topic(ranked)) == pytest.approx([at_2])
    assert (measure @ 1)(one_topic([1, 1])) == [2 * 0.5]
    assert (measure @ 9)(one_topic([1, 1])) == pytest.approx([at_2])


def test_ubm_agrees_with_all_patterns_of_clicks():
    # four ranks of grades 2, unjudged, 3, 1: each pattern's probability times what its clicks are worth
    attraction, worth = [0.5, 0.1, 0.7, 0.3], [2 / 3, 0, 1, 1 / 3]
    total = 0.0
    for pattern in range(16):
        probability, last = 1.0, 0
        clicks = [pattern >> rank & 1 for rank in range(4)]
        for rank, clicked in enumerate(clicks, 1):
            click = attraction[rank - 1] * BY_DISTANCE[rank - 1][rank - last - 1]
            probability *= click if clicked else 1 - click
            last = rank if clicked else last
        total += probability * sum(u for u, clicked in zip(worth, clicks, strict=True) if clicked)
    measure = uUBM(a=CLICKS["a"], gamma=BY_DISTANCE, U=UTILITY)
    assert measure(one_topic([2, None, 3, 1])) == pytest.approx([total])


def test_a_grade_without_a_click_probability_is_named():
    with pytest.raises(MeasureError, match=r"s has no value for grade 3; documents that nobody judged have grade 0"):
        rrDBN(a=CLICKS["a"], s={0: 0.1, 1: 0.2, 2: 0.3}, gamma=1)(BOTH)
    with pytest.raises(MeasureError, match=r"U has no value for grade 0"):
        EBU(**CLICKS, gamma=1, U={1: 1, 2: 1, 3: 1})(BOTH)


def test_a_forager_of_no_reason_goes_on_as_in_rbp():
    # R = 0 leaves 1 - 1 / (1 + b1) and 1 / (1 + b2): 0.9 and 0.8
    one = one_topic([1, None, 2])
    goal = parse_measure("IFT_C1(T=1,b1=9,R1=0,max_rel=2)")
    assert goal(one) == pytest.approx(RBP(p=0.9, max_rel=2)(one))
    assert parse_measure("IFT_C2(A=1,b2=0.25,R2=0,max_rel=2)")(one) == pytest.approx(RBP(p=0.8, max_rel=2)(one))
    # e^((T - y) R1) is past the largest number: stops where 1.5 was gained
    greedy = parse_measure("IFT_C1(T=1,b1=1,R1=99999,max_rel=2)")
    assert greedy(of="ED")(one) == pytest.approx([3])


def test_a_user_of_insq_and_of_inst_by_hand():
    # no gain: C(r) = ((r + 1) / (r + 2))^2, V(r) = (2 / (r + 1))^2
    looked_at = sum((2 / (rank + 1)) ** 2 for rank in range(1, 1001))
    for measure in (INSQ(max_rel=1), INST(max_rel=1)):
        assert measure(of="ED")(one_topic([0])) == pytest.approx([looked_at])
    assert INSQ(max_rel=1)(one_topic([0, 1])) == pytest.approx([4 / 9 / looked_at])
    # T = 1/2 and a full gain first: C(1) = 0
    assert INST(T=0.5, max_rel=1)(one_topic([1, 0, 1])) == [1]
