import numpy as np
import pytest

from irkit.errors import MeasureError
from irkit.measures import (
    AP,
    DCG,
    ERR,
    FAMILIES,
    GMAP,
    RBP,
    RR,
    AP11pt,
    Bpref,
    F,
    Hits,
    IPrec,
    Judged,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    RCap,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    Success,
    infAP,
    nDCG,
    parse_measure,
    parse_measures,
    rbp,
    rbp_resid,
    unj,
    utility,
)
from irkit.measures.names import families_named

NINE = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("nDCG@10", nDCG @ 10),
        ("NDCG@10", nDCG @ 10),
        ("ndcg@10", nDCG @ 10),
        (" nDCG @ 10 ", nDCG @ 10),
        ("nDCG(cutoff=10)", nDCG @ 10),
        ("nDCG", nDCG),
        ("MRR", RR),
        ("MRR@10", RR @ 10),
        ("MAP@100", AP @ 100),
        ("Precision@5", P @ 5),
        ("Recall@100", R @ 100),
        ("P(rel=2)@10", P(rel=2) @ 10),
        ("P(rel=1)@10", P @ 10),
        ("nDCG(dcg='exp-log2')@10", nDCG(dcg="exp-log2") @ 10),
        ('nDCG(dcg="log2",judged_only=False)', nDCG),
        ("nDCG(gains={1:3,2:9})", nDCG(gains={2: 9.0, 1: 3.0})),
        ("nDCG(gains={1:1})", nDCG),
        ("RBP(p=0.9,rel=1)", RBP(rel=1, p=0.9)),
        ("RBP(rel=1, p=0.9)", RBP(rel=1, p=0.9)),
        ("ERR@20", ERR @ 20),
        ("RPrec", Rprec),
        ("BPref", Bpref),
        ("Judged@10", Judged @ 10),
        ("NumRet(rel=2)", NumRelRet(rel=2)),
        ("ndcg_cut_10", nDCG @ 10),
        ("ndcg_cut.10", nDCG @ 10),
        ("ndcg", nDCG),
        ("dcg", Measure("DCG")),
        ("ndcg.1=3,2=9,3=4.5", nDCG(gains={1: 3, 2: 9, 3: 4.5})),
        ("map", AP),
        ("map_cut_3", AP @ 3),
        ("P_5", P @ 5),
        ("P.5", P @ 5),
        ("recall_1000", R @ 1000),
        ("success_1", Success @ 1),
        ("recip_rank", RR),
        ("recip_rank_cut.10", RR @ 10),
        ("recip_rank_cut_10", RR @ 10),
        ("Rprec", Rprec),
        ("bpref", Bpref),
        ("set_P", SetP),
        ("set_recall", SetR),
        ("set_F", SetF),
        ("set_F.4", SetF(beta=2)),
        ("set_F_0", SetF(beta=0)),
        ("num_q", NumQ),
        ("num_ret", NumRet),
        ("num_rel", NumRel),
        ("num_rel_ret", NumRelRet),
        ("gm_map", GMAP),
        ("infAP", infAP),
        ("IPrec@0.1", IPrec @ 0.1),
        ("IPrec(rel=2)@0", IPrec(rel=2, recall=0.0)),
        ("iprec_at_recall_0.10", IPrec @ 0.1),
        ("iprec_at_recall..5", IPrec @ 0.5),
        ("11pt_avg..25,.5,.75", AP11pt(recalls=(0.75, 0.25, 0.5))),
        ("Rprec_mult_1.00", Rprec),
        ("Rprec_mult.0.2", Rprec(mult=0.2)),
        ("utility.2,-1,0,0", utility(weights=(2, -1, 0, 0))),
        ("set_relative_P", SetP(relative=True)),
        ("SetRelP(rel=2)", SetP(relative=True, rel=2)),
        ("set_map", SetAP),
        ("rbp", rbp),
        ("rbp.p=0.8", rbp(p=0.8)),
        ("rbp.1=3,p=0.8", rbp(p=0.8, gains={1: 3})),
        ("rbp_resid_p=0.8", rbp_resid(p=0.8)),
        ("ndcg.-1=1,-2=0.5", nDCG(gains={-1: 1, -2: 0.5})),
        ("nDCG(gains={-1:0})", nDCG),
        ("relative_P_5", RCap @ 5),
        ("R_cap@5", RCap @ 5),
        ("hits", Hits),
        ("hits@5", Hits @ 5),
        ("hits@5-l2", Hits(rel=2) @ 5),
        ("hit_rate@5", Success @ 5),
        ("hit_rate(rel=2)@5", Success(rel=2) @ 5),
        ("precision@5-l2", P(rel=2) @ 5),
        ("recall@100-l2", R(rel=2) @ 100),
        ("recall@100-l1", R @ 100),
        ("f1", SetF),
        ("f1-l2", SetF(rel=2)),
        ("f1@10", F @ 10),
        ("f1@10-l3", F(rel=3) @ 10),
        ("mrr", RR),
        ("mrr@10", RR @ 10),
        ("map@100", AP @ 100),
        ("map-l2", AP(rel=2)),
        ("r-precision", Rprec),
        ("r-precision-l2", Rprec(rel=2)),
        ("bpref-l2", Bpref(rel=2)),
        ("rbp.95", RBP(p=0.95)),
        ("rbp.8", RBP(p=0.8)),
        ("rbp.95-l2", RBP(p=0.95, rel=2)),
        ("dcg@10", DCG @ 10),
        ("dcg_burges", DCG(dcg="exp-log2")),
        ("dcg_burges@10", DCG(dcg="exp-log2") @ 10),
        ("ndcg_burges@10", nDCG(dcg="exp-log2") @ 10),
        ("ndcg_burges(judged_only=True)@10", nDCG(dcg="exp-log2", judged_only=True) @ 10),
        ("ndcg@10-l3", nDCG(gains={1: 0, 2: 0}) @ 10),
        ("ndcg-l1", nDCG),
    ],
)
def test_a_name_means_its_measure(name, measure):
    assert parse_measures([name]) == (measure,)
    assert parse_measure(name) == measure


@pytest.mark.parametrize(
    ("name", "measures"),
    [
        ("P", [P @ k for k in NINE]),
        ("recall", [R @ k for k in NINE]),
        ("iprec_at_recall", [IPrec @ (tenth / 10) for tenth in range(11)]),
        ("Rprec_mult", [Rprec(mult=fifth / 5) for fifth in range(1, 11)]),
        ("unj", [unj @ k for k in (5, 10, 20)]),
        ("IPrec@0.1,.5 P@5,10", [IPrec @ 0.1, IPrec @ 0.5, P @ 5, P @ 10]),
        ("ndcg_cut", [nDCG @ k for k in NINE]),
        ("map_cut", [AP @ k for k in NINE]),
        ("success", [Success @ k for k in (1, 5, 10)]),
        ("P.5,10", [P @ 5, P @ 10]),
        ("P_5,10", [P @ 5, P @ 10]),
        ("P.7,5,3", [P @ 7, P @ 5, P @ 3]),
        ("P.5, 10", [P @ 5, P @ 10]),
        ("P@5,10", [P @ 5, P @ 10]),
        ("nDCG@10,P@5", [nDCG @ 10, P @ 5]),
        ("nDCG @ 10 , P@5,10 map", [nDCG @ 10, P @ 5, P @ 10, AP]),
        ("RBP(p=0.9, rel=1) ERR@20\tRR", [RBP(rel=1, p=0.9), ERR @ 20, RR]),
        ("nDCG(gains={1: 3, 2: 9})@5, P_5", [nDCG(gains={1: 3, 2: 9}) @ 5, P @ 5]),
        ("ndcg.1=3,2=9,map", [nDCG(gains={1: 3, 2: 9}), AP]),
        ("hit_rate@5,10 recall@100-l2,r-precision", [Success @ 5, Success @ 10, R(rel=2) @ 100, Rprec]),
    ],
)
def test_a_text_may_name_several(name, measures):
    assert parse_measures(name) == tuple(measures)


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("ndcg_cut", ["nDCG"]),
        ("mrr", ["RR"]),
        ("nDCG@10", ["nDCG"]),
        ("MAP", ["AP"]),
        ("p", ["P"]),
        ("P@5 map", ["P", "AP"]),
        ("rbp", ["rbp"]),
        ("RBP", ["RBP"]),
        ("ndcg_REL", ["ndcg_rel"]),
        ("hit_rate", ["Success"]),
        ("R-precision", ["Rprec"]),
        ("relative_p", ["RCap"]),
    ],
)
def test_every_spelling_finds_its_line_in_the_table(name, families):
    assert [family.name for family in families_named(name)] == families


def test_every_name_of_the_table_finds_its_line():
    for family in FAMILIES.values():
        for name in (family.name, *family.aliases, *(trec.name for trec in family.trec)):
            assert families_named(name) == (family,)


def test_repeats_go_and_the_order_stays():
    assert parse_measures(["P.5,5", "P_5", P @ 5]) == (P @ 5,)
    assert parse_measures(["P.1", "P.2"]) == (P @ 1, P @ 2)
    assert parse_measures(["ndcg_cut_10", "map", "nDCG@10", "ndcg_cut.10"]) == (nDCG @ 10, AP)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndcg_cutt", r"unknown measure 'ndcg_cutt'; did you mean 'ndcg_cut'\?"),
        ("ndcg_cutt_10", r"unknown measure 'ndcg_cutt_10'; did you mean 'ndcg_cut_10'\?"),
        ("NDGC@10", r"did you mean 'nDCG@10'\?"),
        ("nDCG10", r"did you mean 'nDCG@10'\?"),
        ("P10", r"did you mean 'P@10'\?"),
        ("Mrr@10", r"did you mean 'MRR@10'\?"),
        ("NDCG_CUT_10", r"did you mean 'ndcg_cut_10'\?"),
        ("Hit_Rate@5", r"did you mean 'hit_rate@5'\?"),
        ("rprec", r"did you mean 'Rprec'\?"),
        ("r_precision", r"did you mean 'r-precision'\?"),
        ("hitrate@5-l2", r"did you mean 'hit_rate@5-l2'\?"),
        ("hit_rate", r"Success needs a cutoff, such as Success@10"),
        ("hits@0", r"the cutoff of Hits is a whole number of at least 1; not 0"),
        ("rbp.0", r"the p of RBP is a number between 0 and 1; not 0\.0"),
        ("mrr@5-l", r"write it as"),
        ("iRBU@5", r"iRBU@5 needs p, such as iRBU\(p=0\.99\)@"),
        ("numret10", r"did you mean 'NumRet'\?"),
        ("NDGC(dcg='exp-log2')@5", r"did you mean \"nDCG\(dcg='exp-log2'\)@5\"\?"),
        ("ndcg_5", r"for a cutoff write 'ndcg_cut_5'"),
        ("nDCG@10,xyzzy", r"unknown measure 'xyzzy'"),
        ("relstring.5", r"relstring is a text among the lines of trec_eval and no measure"),
        ("runid", r"runid is a text .*'irkit trec_eval' prints it"),
        ("set_Q", r"did you mean 'set_P'\?"),
        ("nDCG(judged_only=true)@10", r"the judged_only of nDCG is True or False; not true; write True"),
        ("nDCG(dcg=exp)@5", r"the dcg of nDCG is 'log2' or 'exp-log2'; not exp; with the quotes"),
        ("nDCG@ten", r"the cutoff of nDCG is a whole number of at least 1; not ten"),
        ("P(x=y)@3", r"P takes cutoff, rel, judged_only; not 'x'"),
        ("precision", r"P needs a cutoff, such as P@10"),
        ("precison@5", r"did you mean 'Precision@5'\?"),
        ("map.", r"did you mean 'map'\?"),
        ("map_10", r"map takes no parameter; did you mean 'map_cut_10'\?"),
        ("bpref.5", r"bpref takes no parameter; did you mean 'bpref'\?"),
        ("xyzzy", r"lists those that there are"),
        ("", r"unknown measure ''"),
        ("P.0", r"the cutoff of P is a whole number of at least 1; not 0"),
        ("P.-5", r"the cutoff of P .* not -5"),
        ("P@0", r"the cutoff of P .* not 0"),
        ("P@-1", r"the cutoff of P .* not -1"),
        ("P@1.5", r"the cutoff of P .* not 1\.5"),
        ("P.1.5", r"the cutoff of P .* not '1\.5'"),
        ("P@True", r"the cutoff of P .* not True"),
        ("P@99999999999999999999", r"the cutoff of P"),
        ("P.5,x", r"unknown measure 'x'"),
        ("P.5,,6", r"the cutoff of P .* not ''"),
        ("R", r"R needs a cutoff, such as R@10"),
        ("Precision", r"P needs a cutoff, such as P@10"),
        ("P(rel=2)", r"P\(rel=2\) needs a cutoff, such as P\(rel=2\)@10"),
        ("recip_rank_cut", r"needs a cutoff, such as recip_rank_cut_10"),
        ("num_q@3", r"NumQ takes no parameters; not 'cutoff'"),
        ("Rprec@5", r"Rprec takes mult, rel, judged_only; not 'cutoff'"),
        ("nDCG(foo=1)", r"nDCG takes cutoff, dcg, gains, base, judged_only; not 'foo'"),
        ("nDCG(dcg='ln')", r"the dcg of nDCG is 'log2' or 'exp-log2'; not 'ln'"),
        ("nDCG(gains=3)", r"the gains of nDCG"),
        ("nDCG(gains={1:'x'})", r"the gains of nDCG"),
        ("nDCG(gains={-3:1})", r"the gains of nDCG are gains of 0 or more by grade"),
        ("IPrec", r"IPrec needs a level of recall, such as IPrec@0\.1"),
        ("IPrec@-1", r"the recall of IPrec is a number of at least 0; not -1"),
        ("IPrec@1e200", r"the recall of IPrec"),
        ("IPrec(recall=0.5)@0.5", r"write it as"),
        ("P@5,0.5", r"the cutoff of P .* not 0\.5"),
        ("11pt_avg.", r"did you mean '11pt_avg'\?"),
        ("AP11pt(recalls=())", r"the recalls of AP11pt are numbers of at least 0"),
        ("AP11pt(recalls='12')", r"the recalls of AP11pt .* not '12'"),
        ("Rprec_mult.-1", r"the mult of Rprec is a number of at least 0; not -1\.0"),
        ("utility.1,-1,0", r"the weights of utility are four numbers; not \(1\.0, -1\.0, 0\.0\)"),
        ("utility(weights=(1,2,3,1e300))", r"the weights of utility"),
        ("rbp.p=2", r"the p of rbp is a number between 0 and 1; not 2\.0"),
        ("rbp.p=x", r"the p of rbp .* not 'x'"),
        ("rbp.q=2", r"did you mean 'rbp'\?"),
        ("rbp@5", r"rbp takes p, gains, judged_only; not 'cutoff'"),
        ("GMAP@5", r"GMAP takes rel, judged_only; not 'cutoff'"),
        ("G.5", r"gains are written grade=gain"),
        ("nDCG(gains={1:1e999})", r"the gains of nDCG"),
        ("nDCG(gains={1:3},dcg='exp-log2')", r"nDCG takes dcg or gains, not both"),
        ("RBP(rel=1,max_rel=2)", r"RBP takes rel or max_rel, not both"),
        ("ndcg.1", r"gains are written grade=gain"),
        ("P(rel=True)@5", r"the rel of P is a grade of at least 0; not True"),
        ("P(rel='1')@5", r"the rel of P .* not '1'"),
        ("P(judged_only=1)@5", r"the judged_only of P is True or False; not 1"),
        ("P(rel=None)@5", r"the rel of P .* not None"),
        ("RBP(p=1)", r"the p of RBP is a number between 0 and 1; not 1"),
        ("RBP(p=0)", r"the p of RBP"),
        ("SetF(beta=-1)", r"the beta of SetF is a number of at least 0; not -1"),
        ("set_F_-1", r"set_F takes one number of at least 0"),
        ("set_F_-1,2", r"set_F takes one number of at least 0"),
        ("ERR(max_rel=1001)", r"the max_rel of ERR is a grade from 1 to 1000; not 1001"),
        ("P(1)@3", r"write it as name\(parameter=value\)@cutoff"),
        ("P@3@5", r"write it as"),
        ("P(rel=1,rel=2)@3", r"write it as"),
        ("P(cutoff=3)@5", r"write it as"),
        ("P(**{})@5", r"write it as"),
        ("P((", r"write it as"),
        ("P(rel=f(1))@3", r"the rel of P is a grade of at least 0; not f\(1\)"),
        ("P.x@3", r"write it as"),
        ("P@'\\q'", r"the cutoff of P"),
        ("(" * 5000 + "P@3", r"write it as"),
        ("P(rel=1\0)@3", r"write it as"),
    ],
)
def test_a_name_that_cannot_be_says_why(name, message):
    with pytest.raises(MeasureError, match=message):
        parse_measures([name])


def test_nothing_in_a_name_is_run(monkeypatch):
    monkeypatch.setattr("builtins.print", lambda *_: pytest.fail("it was run"))
    for name in ("P(rel=print(1))@3", "P@print(1)", "print(1)@3", "P(rel=(lambda: print(1))())@3"):
        with pytest.raises(MeasureError):
            parse_measures([name])


@pytest.mark.parametrize(
    ("measure", "shown"),
    [
        (nDCG @ 10, "nDCG@10"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (P(rel=2) @ 10, "P(rel=2)@10"),
        (RBP(rel=1, p=0.9), "RBP(p=0.9,rel=1)"),
        (nDCG(gains={2: 9, 1: 3, 4: 4}) @ 5, "nDCG(gains={1:3,2:9})@5"),
        (AP(judged_only=True), "AP(judged_only=True)"),
        (SetF(beta=2), "SetF(beta=2.0)"),
        (RR(rel=1), "RR"),
        (IPrec(rel=2) @ 0, "IPrec(rel=2)@0.0"),
        (AP11pt(recalls=[0.5, 0.25]), "AP11pt(recalls=(0.25,0.5))"),
        (utility(weights=(2, -1, 0, 0)), "utility(weights=(2.0,-1.0,0.0,0.0))"),
    ],
)
def test_a_measure_is_printed_as_ir_measures_prints_it(measure, shown):
    assert str(measure) == shown
    assert repr(measure) == shown


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (nDCG @ 10, "ndcg_cut_10"),
        (nDCG, "ndcg"),
        (nDCG(gains={1: 3, 2: 9, 4: 4.5}), "ndcg_1=3,2=9,4=4.5"),
        (AP, "map"),
        (AP @ 5, "map_cut_5"),
        (RR, "recip_rank"),
        (P @ 5, "P_5"),
        (SetF, "set_F"),
        (SetF(beta=0.5), "set_F_0.25"),
        (parse_measure("set_F.0.5"), "set_F_0.5"),
        (NumRelRet, "num_rel_ret"),
        (IPrec @ 0.5, "iprec_at_recall_0.50"),
        (Rprec(mult=0.2), "Rprec_mult_0.20"),
        (AP11pt(recalls=(0.5, 0.25)), "11pt_avg_0.25,0.5"),
        (utility(weights=(2, -1, 0, 0)), "utility_2,-1,0,0"),
        (utility(collection=100), None),
        (SetP(relative=True), "set_relative_P"),
        (rbp(p=0.8), "rbp_p=0.8"),
        (rbp(p=0.8, gains={1: 3}), "rbp_p=0.8,1=3"),
        (rbp_resid, "rbp_resid"),
        (nDCG(gains={-1: 1}), "ndcg_-1=1"),
        (RBP, None),
        (RR @ 10, None),
        (nDCG(dcg="exp-log2"), None),
        (nDCG(gains={1: 3}) @ 10, None),
        (P(rel=2) @ 5, None),
        (AP(judged_only=True), None),
        (ERR, None),
        (Judged @ 10, None),
    ],
)
def test_a_measure_knows_what_trec_eval_prints_for_it(measure, name):
    assert measure.trec_name == name


def test_numpy_numbers_are_numbers():
    assert P @ np.int64(5) == P @ 5
    assert RBP(p=np.float64(0.9)) == RBP(p=0.9)
    assert str(P(rel=np.int32(2)) @ np.int64(5)) == "P(rel=2)@5"


def test_a_measure_object_is_checked_as_its_name_is():
    with pytest.raises(MeasureError, match="cutoff of P"):
        P @ 0
    with pytest.raises(MeasureError, match="needs a cutoff"):
        parse_measures([P])
    with pytest.raises(MeasureError, match="unknown measure 'Pp'"):
        Measure("Pp")
    with pytest.raises(MeasureError, match="not by 3"):
        parse_measures([3])
    with pytest.raises(MeasureError, match="stands for P@5"):
        parse_measure("P")


def test_every_alias_of_the_table_is_understood():
    for family in FAMILIES.values():
        for alias in (family.name, *family.aliases, *(trec.name for trec in family.trec)):
            measure = Measure(family.name)(**family.examples())
            measure = measure if family.cutoff == "none" else measure @ (7 if family.at == "cutoff" else 0.7)
            name = str(measure).replace(family.name, alias, 1)
            assert {measure.name for measure in parse_measures(name)} == {family.name}


@pytest.mark.parametrize(
    "text", ["P@0x{}", "P@{}", "RBP(p=0x{})", "nDCG(gains={{1:0x{}}})@3", "P@-0x{}", "ndcg_cut_{}", "P(x=0x{})@1"]
)
def test_a_number_of_thousands_of_digits_is_no_parameter(text):
    with pytest.raises(MeasureError):
        parse_measures(text.format("9" * 5000))
    with pytest.raises(MeasureError, match="not a number of thousands of digits"):
        Measure("P")(cutoff=10**5000)


def test_a_nickname_of_trec_eval_stands_for_its_measures():
    # trec_eval's set, but for runid, which is text
    names = "num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P set_map set_F"
    assert parse_measures("set") == parse_measures(names)
    assert len(parse_measures("official")) == 9 + 11 + 9  # single ones, levels of recall, cutoffs of P


@pytest.mark.parametrize(
    ("name", "meant"),
    [("IFT_C3", "IFT_C2"), ("IFT_C1_C3", "IFT_C2"), ("alpha-nDCG@20", "alpha_nDCG@20"), ("ndcg-cut@10", "ndcg_cut@10")],
)
def test_a_suggestion_that_is_wrong_itself_leads_to_no_other(name, meant):
    with pytest.raises(MeasureError, match=f"did you mean '{meant}'"):
        parse_measure(name)


@pytest.mark.parametrize("name", ["ndcg.1=3,1=4", "nDCG(gains={1:3,1:4})"])
def test_a_grade_named_twice_is_refused(name):
    with pytest.raises(MeasureError, match="names a grade twice"):
        parse_measure(name)


@pytest.mark.parametrize("name", ["P@99999999999999999999", "SetF(beta=1e300)"])
def test_a_number_that_is_too_large_is_said_to_be(name):
    with pytest.raises(MeasureError, match="which is too large"):
        parse_measure(name)
