"""Measures of sampled judgments: the specification's values, edges by hand, laws, and plain loops."""

import random
from collections import Counter
from math import floor, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from samples import DOCUMENTS, RANKED, TOPICS, judged, runs

from irkit.data.judgments.prels import Prels
from irkit.data.judgments.strata import Strata
from irkit.errors import MeasureError
from irkit.evaluation.scoring import evaluate
from irkit.judged.prels import judge_prels
from irkit.judged.strata import judge_strata
from irkit.measures import AP, FAMILIES, NumRel, P, Rprec, infNDCG, iP, nDCG, parse_measure, statP

E = 0.00001
few = settings(max_examples=30, deadline=None, database=None)

# The sampled judgments of spec/measures.md, section 1.
STRATA = {
    "T1": {
        **{"c": (1, 2), "a": (1, 3), "b": (1, 0)},
        **{"x": (2, -1), "e": (2, 1), "d": (2, 0), "f": (2, 3), "g": (2, -1)},
    },
    "T2": {"k": (1, 1), "i": (1, 2), "j": (2, 0), "h": (2, -1)},
    "T3": {"l": (1, 0), "m": (2, -1)},
}
PRELS = {
    "T1": {
        **{"c": (2, 1, 1.0), "a": (3, 1, 1.0), "b": (0, 1, 1.0)},
        **{"e": (1, 1, 0.6), "d": (0, 1, 0.6), "f": (3, 1, 0.6)},
    },
    "T2": {"k": (1, 1, 1.0), "i": (2, 1, 1.0), "j": (0, 1, 0.5)},
    "T3": {"l": (0, 1, 1.0)},
}
OF_STRATA = ("xinfAP", "infNDCG", "iP@3", "iP@20", "iNumRel", "iNumRelRet", "xinfAP(rel=2)", "iP(rel=2)@3")
OF_PRELS = ("statAP", "statRprec", "statP@3", "statP@20", "statNumRel", "statAP(rel=2)", "statRprec(rel=2)")


def by_strata(run, judgments):
    return judge_strata(run, Strata.of(judgments))


def by_prels(run, judgments):
    return judge_prels(run, Prels.of(judgments))


def one(name, ranked, missed=(), *, of=by_strata):
    """The value of one topic: what is judged at each rank (None: nothing), and of documents that were not retrieved."""
    names = [f"d{place}" for place in range(len(ranked))]
    said = {document: entry for document, entry in zip(names, ranked, strict=True) if entry is not None}
    said |= {f"m{place}": entry for place, entry in enumerate(missed)}
    return parse_measure(name)(of({"q": names}, {"q": said}))[0]


def test_every_measure_of_sampled_judgments_is_looked_at():
    for kind, names in (("strata", OF_STRATA), ("prels", OF_PRELS)):
        families = {name for name, family in FAMILIES.items() if family.judgments == (kind,)}
        assert {parse_measure(name).name for name in names} == families


# spec/measures.md, section 4.2, by sample_eval.pl.
@pytest.mark.parametrize(
    ("name", "t1", "t2", "t3"),
    [
        ("xinfAP", 0.541665, 0.999995, 0.000000),
        ("infNDCG", 0.510213, 0.859719, 0.000000),
        ("infnDCG", 0.510213, 0.859719, 0.000000),
        ("inum_rel", 5.333333, 2.000000, 0.000000),
        ("iNumRelRet", 3.499983, 1.999990, 0.333343),
        ("iP@10", 0.349998, 0.199999, 0.033334),
    ],
)
def test_values_of_the_specification_by_stratum(name, t1, t2, t3):
    assert parse_measure(name)(by_strata(RANKED, STRATA)) == pytest.approx([t1, t2, t3], abs=6e-7)


# spec/measures.md, section 4.3, by statAP_MQ_eval_v3.pl; it leaves T3 out, where nothing is relevant (`skip`).
@pytest.mark.parametrize(
    ("name", "t1", "t2"),
    [
        ("statNumRel", 5.333333, 2.000000),
        ("statAP", 0.500000, 1.000000),
        ("statRP", 0.733333, 1.000000),
        ("statP@30", 0.122222, 0.066667),
    ],
)
def test_values_of_the_specification_by_probability(name, t1, t2):
    assert parse_measure(name)(by_prels(RANKED, PRELS)) == pytest.approx([t1, t2, 0], abs=6e-7)
    skipped = evaluate(run=RANKED, qrels=Prels.of(PRELS), measures=name, no_relevant="skip")
    assert np.isnan(skipped.values[2, 0])
    assert skipped.n_averaged.tolist() == [2]


def test_the_parts_of_the_specification_s_infndcg_by_hand():
    # stratum 1: c 2 at rank 1, a 3 at rank 3, all sampled. Stratum 2: x, e, d retrieved and e, d sampled; e 1 at rank 5
    gain = (2 + 3 / 2) + 3 / 2 * (1 / log2(6))
    # grade 3: 1 + 5/3, three documents; grade 2: one; grade 1: 5/3, two
    ideal = 3 * (1 + 1 / log2(3) + 1 / 2) + 2 / log2(5) + 1 / log2(6) + 1 / log2(7)
    assert infNDCG(by_strata(RANKED, STRATA))[0] == pytest.approx(gain / ideal, rel=1e-12)


# Edges by hand ------------------------------------------------------------------------------------------------------


def test_precision_at_a_relevant_document_by_stratum():
    # rank 1: 1. Rank 4: above it stratum a has 1 pooled, sampled, relevant; b 2 pooled, 1 sampled, 0 relevant.
    above = (1 + E) / (1 + 3 * E) + 2 * E / (1 + 3 * E)
    # b: 4 pooled, 2 sampled, so that its one relevant document stands for two
    value = (1 + 2 * (1 + above) / 4) / (1 + 2)
    ranked = [("a", 1), ("b", -1), ("b", 0), ("b", 1)]
    assert one("xinfAP", ranked, [("b", -1)]) == pytest.approx(value, rel=1e-12)
    # a document outside the pool above it only takes up a rank
    lower = (1 / 2 + 2 * (1 + above) / 5) / (1 + 2)
    assert one("xinfAP", [None, *ranked], [("b", -1)]) == pytest.approx(lower, rel=1e-12)


def test_a_stratum_of_which_nothing_was_sampled_counts_a_third_of_its_documents_above_and_no_gain():
    # where sample_eval.pl warns of a division by zero
    ranked = [("b", -1), ("b", -1), ("a", 1)]
    assert one("xinfAP", ranked) == pytest.approx((1 + 2 / 3) / 3, rel=1e-12)
    assert one("iP@3", ranked) == pytest.approx((2 / 3 + (1 + E) / (1 + 3 * E)) / 3, rel=1e-12)
    assert one("infNDCG", ranked) == pytest.approx(1 / 2, rel=1e-12)
    assert one("iNumRel", ranked) == 1


def test_estimates_can_be_above_1():
    # 4 pooled, 2 sampled, one relevant: the estimate is of 2 relevant documents. All 4 are retrieved, so that the found
    # gain counts twice as much, and it stands at rank 1: 2 / (1 + 1/log2(3))
    ranked = [("a", 1), ("a", 0), ("a", -1), ("a", -1)]
    assert one("infNDCG", ranked) == pytest.approx(2 / (1 + 1 / log2(3)), rel=1e-12)
    assert one("infNDCG", ranked) > 1
    # probability 1/10 at rank 1: 10 documents
    assert one("statP@2", [(1, 1, 0.1)], of=by_prels) == pytest.approx(10 / 2)


def test_expected_numbers_of_a_grade_are_rounded_half_upwards():
    # 3 pooled, 2 sampled: 1.5 of grade 1, so two; and 5 pooled, 4 sampled: 1.25 of grade 2, so one
    # b: 2 retrieved, 1 of them sampled: 2/1 of 2 at rank 1
    value = 2 * 2 / (2 + 1 / log2(3) + 1 / log2(4))
    missed = [("a", 1), ("a", 0), ("a", -1), ("b", 0), ("b", 0), ("b", 0)]
    assert one("infNDCG", [("b", 2), ("b", -1)], missed) == pytest.approx(value, rel=1e-12)


def test_grades_are_numbers():
    # sample_eval.pl sorts them as texts, with 10 below 9: 9 + 10/log2(3) would be its ideal
    assert one("infNDCG", [("a", 9), ("a", 10)]) == pytest.approx((9 + 10 / log2(3)) / (10 + 9 / log2(3)), rel=1e-12)


def test_what_is_relevant_below_rank_1000_is_found_by_no_estimate_of_the_whole_list():
    ranked = [None] * 1000 + [("a", 1)]
    assert [one(name, ranked) for name in ("xinfAP", "infNDCG", "iNumRelRet")] == [0, 0, 0]
    assert one("iNumRelRet", ranked[1:]) == pytest.approx(1, abs=3 * E)
    assert one("infNDCG", ranked[1:]) == pytest.approx(1 / log2(1001))
    assert one("iP@2000", ranked) == pytest.approx(1 / 2000, rel=3 * E)
    assert one("iP@1000", ranked) == 0


def test_the_ideal_ranking_ends_at_rank_1000():
    missed = [("a", 2)] * 600 + [("a", 1)] * 600
    ideal = sum((2 if rank <= 600 else 1) / log2(rank + 1) for rank in range(1, 1001))
    assert one("infNDCG", [("a", 2)], missed[1:]) == pytest.approx(2 / ideal, rel=1e-12)


def test_average_precision_by_probability():
    # weights 1, 2, and 1 that is not retrieved; rank 4: one found above
    ranked, missed = [(2, 1, 1.0), None, (0, 1, 0.6), (1, 1, 0.5)], [(1, 1, 1.0)]
    assert one("statAP", ranked, missed, of=by_prels) == pytest.approx((1 + 2 * (1 + 1) / 4) / 4)
    assert one("statP@3", ranked, missed, of=by_prels) == pytest.approx(1 / 3)
    assert one("statRprec", ranked, missed, of=by_prels) == pytest.approx(3 / 4)
    # two ranks only, where four are looked at: found 1 of 4
    assert one("statRprec", ranked[:2], [*missed, ranked[3]], of=by_prels) == pytest.approx(1 / 4)


def test_r_precision_rounds_half_upwards_and_divides_by_what_it_was_where_the_list_is_shorter():
    half = (1, 1, 1 / 1.5)  # stands for one and a half
    # Rhat 2.5, so rank 3: 2.5 / 3; of a list of two documents 2.5 / 2.5
    assert one("statRprec", [half, None, (1, 1, 1.0)], of=by_prels) == pytest.approx(2.5 / 3)
    assert one("statRprec", [half, (1, 1, 1.0)], of=by_prels) == pytest.approx(2.5 / 2.5)


def test_nothing_relevant_and_nothing_retrieved():
    for of, names, relevant, other in (
        (by_strata, OF_STRATA, ("a", 2), ("a", 0)),
        (by_prels, OF_PRELS, (2, 1, 0.5), (0, 1, 0.5)),
    ):
        both = of({"1": ["d"], "2": {}}, {"1": {"d": other}, "2": {"d": relevant}, "3": {"d": relevant}})
        found = {name: parse_measure(name)(both) for name in names}
        for name, values in found.items():
            assert values.dtype == np.float64
            assert np.isfinite(values).all()
            number = name.endswith("NumRel")
            assert values[1] == values[2] == (number and (2 if of is by_prels else 1))
            smoothed = name.startswith("iP") or name == "iNumRelRet"
            assert values[0] <= (2 * E if smoothed else 0)


def test_a_topic_without_relevant_documents_follows_the_convention():
    for judgments, shares, others in (
        (Strata.of(STRATA), "xinfAP infNDCG", "iP@10"),
        (Prels.of(PRELS), "statAP statRprec", "statP@10"),
    ):
        counted = evaluate(run=RANKED, qrels=judgments, measures=f"{shares} {others}", no_relevant="one")
        assert counted.values[2, :2].tolist() == [1, 1]
        assert counted.values[2, 2] < 0.05
        assert counted.without_relevant == ("T3",)
        left = evaluate(run=RANKED, qrels=judgments, measures=f"{shares} {others}", no_relevant="skip")
        assert left.n_averaged.tolist() == [2, 2, 2]


def test_a_cutoff_is_at_least_1():
    for measure, both in ((iP, by_strata(RANKED, STRATA)), (statP, by_prels(RANKED, PRELS))):
        with pytest.raises(MeasureError, match="needs a cutoff"):
            measure(both)
        with pytest.raises(MeasureError, match="at least 1; not 0"):
            measure @ 0
        with pytest.raises(MeasureError, match="a cutoff is at least 1, got 0"):
            measure.family.function(both, 0)


# Laws ---------------------------------------------------------------------------------------------------------------


def strata_of_topics():
    entry = st.tuples(st.sampled_from(["1", "2", "é"]), st.integers(-1, 4))
    topics = st.dictionaries(st.sampled_from(DOCUMENTS), entry, min_size=1, max_size=12)
    return st.dictionaries(st.sampled_from(TOPICS), topics, min_size=1).map(lambda t: {"1": {"a": ("1", 1)}} | t)


def prels_of_topics():
    entry = st.tuples(st.integers(0, 3), st.just(1), st.sampled_from([1.0, 0.3, 0.7, 0.05]))
    topics = st.dictionaries(st.sampled_from(DOCUMENTS), entry, min_size=1, max_size=12)
    return st.dictionaries(st.sampled_from(TOPICS), topics, min_size=1).map(lambda t: {"1": {"a": (1, 1, 0.3)}} | t)


def shuffled(judgments, seed):
    chance = random.Random(seed)
    lines = [(topic, *entry) for topic, said in judgments.items() for entry in said.items()]
    chance.shuffle(lines)
    again: dict = {}
    for topic, document, entry in lines:
        again.setdefault(topic, {})[document] = entry
    return again


@few
@given(run=runs(), strata=strata_of_topics(), prels=prels_of_topics(), seed=st.integers(0, 2**32))
def test_line_order_does_not_matter(run, strata, prels, seed):
    for of, names, judgments in ((by_strata, OF_STRATA, strata), (by_prels, OF_PRELS, prels)):
        for name in names:
            measure = parse_measure(name)
            assert_array_equal(measure(of(run, judgments)), measure(of(run, shuffled(judgments, seed))))


@few
@given(run=runs(), strata=strata_of_topics(), prels=prels_of_topics())
def test_a_topic_alone_has_the_value_it_has_among_others(run, strata, prels):
    for of, names, judgments in ((by_strata, OF_STRATA, strata), (by_prels, OF_PRELS, prels)):
        both = of(run, judgments)
        for topic in set(run) & set(judgments):
            alone = of({topic: run[topic]}, {topic: judgments[topic]})
            for name in names:
                measure = parse_measure(name)
                assert measure(alone)[0] == measure(both)[both.topics.index(topic)]


@few
@given(run=runs(), strata=strata_of_topics(), prels=prels_of_topics())
def test_a_topic_has_one_value_whichever_are_averaged(run, strata, prels):
    for of, names, judgments in (
        (judge_strata, OF_STRATA, Strata.of(strata)),
        (judge_prels, OF_PRELS, Prels.of(prels)),
    ):
        every, common = of(run, judgments), of(run, judgments, average="intersection")
        kept = [place for place, topic in enumerate(every.topics) if topic in common.topics]
        for name in names:
            assert_array_equal(parse_measure(name)(every)[kept], parse_measure(name)(common))


@few
@given(run=runs(), strata=strata_of_topics())
def test_one_stratum_of_which_everything_was_judged_is_plain_qrels(run, strata):
    grades = {topic: {doc: max(grade, 0) for doc, (_, grade) in said.items()} for topic, said in strata.items()}
    one_stratum = {topic: {doc: ("1", grade) for doc, grade in said.items()} for topic, said in grades.items()}
    sampled, plain = by_strata(run, one_stratum), judged(run, grades)
    assert_allclose(parse_measure("infNDCG")(sampled), nDCG(plain), rtol=1e-12)
    # m (a + e) / (m + 3e) differs from a by 3e at most, where everything pooled is sampled: m = j
    assert_allclose(parse_measure("xinfAP")(sampled), AP(plain), atol=3 * E)
    assert_allclose(parse_measure("xinfAP(rel=2)")(sampled), AP(rel=2)(plain), atol=3 * E)
    assert_allclose(parse_measure("iP@3")(sampled), (P @ 3)(plain), atol=E)
    assert_array_equal(parse_measure("iNumRel")(sampled), NumRel(plain))


@few
@given(run=runs(), prels=prels_of_topics())
def test_probabilities_of_1_are_plain_qrels(run, prels):
    grades = {topic: {doc: grade for doc, (grade, _, _) in said.items()} for topic, said in prels.items()}
    certain = {topic: {doc: (grade, 1, 1.0) for doc, grade in said.items()} for topic, said in grades.items()}
    sampled, plain = by_prels(run, certain), judged(run, grades)
    pairs = [("statAP", AP), ("statAP(rel=2)", AP(rel=2)), ("statRprec", Rprec), ("statNumRel", NumRel)]
    for name, measure in [*pairs, ("statP@3", P @ 3), ("statP(rel=2)@20", P(rel=2) @ 20)]:
        assert_allclose(parse_measure(name)(sampled), measure(plain), rtol=1e-12)


@few
@given(run=runs(), strata=strata_of_topics(), prels=prels_of_topics())
def test_documents_outside_the_sample_below_everything_change_nothing_but_r_precision(run, strata, prels):
    longer = {topic: {**docs, "z1": -7.0, "z2": -8.0} for topic, docs in run.items()}
    for of, names, judgments in ((by_strata, OF_STRATA, strata), (by_prels, OF_PRELS, prels)):
        for name in names:
            before, after = (parse_measure(name)(of(ranking, judgments)) for ranking in (run, longer))
            if not name.startswith("statRprec"):  # which divides by another number once the list is long enough
                assert_array_equal(after, before)


# The definitions in plain loops -------------------------------------------------------------------------------------


def slowly_by_strata(ranking, said):
    """The values of spec/measures.md, section 4.2, for one topic."""
    pooled, sampled, relevant = Counter(), Counter(), Counter()
    for stratum, grade in said.values():
        pooled[stratum] += 1
        sampled[stratum] += grade >= 0
        relevant[stratum] += grade > 0
    rhat = {s: relevant[s] * pooled[s] / sampled[s] if sampled[s] else 0 for s in pooled}
    m, j, a, sap, gain = (Counter() for _ in range(5))
    expected = {0: 0.0}
    for rank, document in enumerate(ranking, 1):
        if document in said:
            stratum, grade = said[document]
            if grade > 0:
                n_above = sum(m.values())
                above = sum(m[s] / n_above * (a[s] + E) / (j[s] + 3 * E) for s in m if m[s]) if n_above else 0
                sap[stratum] += 1 / rank + n_above / rank * above
                gain[stratum] += grade / log2(rank + 1)
            m[stratum] += 1
            j[stratum] += grade >= 0
            a[stratum] += grade > 0
        expected[rank] = sum(m[s] * (a[s] + E) / (j[s] + 3 * E) for s in m)
    total = sum(rhat.values())
    ideal, rank = 0.0, 0
    for wanted in sorted({grade for _, grade in said.values() if grade > 0}, reverse=True):
        n = sum(
            pooled[s] * sum(grade == wanted and s == of for of, grade in said.values()) / sampled[s]
            for s in pooled
            if sampled[s]
        )
        for _ in range(floor(n + 0.5)):
            rank += 1
            ideal += wanted / log2(rank + 1)
    found = sum(m[s] * gain[s] / j[s] for s in m if j[s])
    return {
        "xinfAP": sum(rhat[s] / total * sap[s] / relevant[s] for s in pooled if relevant[s]) if total else 0,
        "infNDCG": found / ideal if ideal else 0,
        "iP@3": expected[min(3, len(ranking))] / 3,
        "iNumRel": total,
        "iNumRelRet": expected[len(ranking)],
    }


def slowly_by_prels(ranking, said):
    """The values of spec/measures.md, section 4.3, for one topic."""
    rhat = sum(1 / share for grade, _, share in said.values() if grade > 0)
    found = [1 / said[doc][2] if doc in said and said[doc][0] > 0 else 0 for doc in ranking]
    precisions = [(1 + sum(found[:place])) / (place + 1) * weight for place, weight in enumerate(found)]
    depth = floor(rhat + 0.5)
    return {
        "statAP": sum(precisions) / rhat if rhat else 0,
        "statRprec": sum(found[:depth]) / (depth if len(found) >= depth else rhat) if rhat else 0,
        "statP@3": sum(found[:3]) / 3,
        "statNumRel": rhat,
    }


@pytest.mark.parametrize("seed", range(100))
def test_the_definitions_computed_slowly_give_the_same(seed):
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(chance.randint(1, 40))]
    run = {topic: chance.sample([*documents, "x", "y", "z"], chance.randint(1, len(documents))) for topic in "123"}
    strata = {t: {doc: (chance.choice("abc"), chance.randint(-1, 3)) for doc in documents} for t in run}
    prels = {t: {doc: (chance.randint(0, 2), 1, chance.choice([1.0, 0.25, 0.6])) for doc in documents} for t in run}
    for of, slowly, judgments in ((by_strata, slowly_by_strata, strata), (by_prels, slowly_by_prels, prels)):
        expected = [slowly(run[topic], judgments[topic]) for topic in run]
        for name in expected[0]:
            wanted = [values[name] for values in expected]
            assert_allclose(parse_measure(name)(of(run, judgments)), wanted, rtol=1e-10, atol=1e-12)
