"""Measures over preferences: answers worked by hand, and the definitions computed slowly on random data."""

import random
from itertools import product
from math import inf

import numpy as np
import pytest

from irkit import Preferences, Run, evaluate, judge_preferences, parse_measure
from irkit.measures import FAMILIES

PREFS = [name for name, family in FAMILIES.items() if family.judgments == ("prefs",)]
approx = pytest.approx

# Retrieved, in this order, are a, b and c; x was never judged.
#
# Group A prefers b to c and d, and all three to a and e, so 8 preferences are possible:
#   both retrieved    b>c yes, b>a no, c>a no            1 of 3
#   one of them       b>d yes, b>e yes, c>e yes, d>a no  3 of 4
#   neither           d>e                                0 of 1
# Group B prefers b to c and, in another sub-group, c to a; so it prefers b to a:
#   both retrieved    b>c yes, c>a no, b>a no            1 of 3
A = {"s": {"a": 0, "b": 2, "c": 1, "d": 1, "e": 0}}
B = {"s": {"b": 2, "c": 1}, "t": {"c": 1, "a": 0}}
RUN = {"1": ["a", "x", "b", "c"]}

BY_HAND = {
    "prefs_num_prefs_poss": 8 + 3,
    "prefs_num_prefs_ful": 4 + 1,
    "prefs_num_prefs_ful_ret": 1 + 1,
    "prefs_simp": (4 + 1) / (8 + 3),
    "prefs_simp_ret": (1 + 1) / (3 + 3),
    "prefs_simp_imp": (4 + 1) / (7 + 3),
    # bc, bd, be and ce as both or the one group want them; ab, ac, ad and de not: 8 pairs; 3 of two retrieved
    "prefs_pair": 4 / 8,
    "prefs_pair_ret": 1 / 3,
    "prefs_pair_imp": 4 / 7,
    "prefs_avgjg": (4 / 8 + 1 / 3) / 2,
    "prefs_avgjg_ret": (1 / 3 + 1 / 3) / 2,
    "prefs_avgjg_imp": (4 / 7 + 1 / 3) / 2,
    # A: 3 relevant, 2 of them retrieved, and 2 others: one more other, below the 2 and not the third relevant document
    # B: 2 relevant and 1 other: one more other
    "prefs_avgjg_Rnonrel": ((4 + 2 * 1) / (8 + 3 * 1) + (1 + 2 * 1) / (3 + 2 * 1)) / 2,
    # A: 2 relevant and 1 other retrieved: one more other, though 3 are relevant; B as before
    "prefs_avgjg_Rnonrel_ret": ((1 + 2 * 1) / (3 + 3 * 1) + (1 + 2 * 1) / (3 + 2 * 1)) / 2,
}


def judged(run, groups, **options):
    return judge_preferences(run, Preferences.from_dict({"1": groups}), **options)


def values(both):
    return {name: parse_measure(name)(both)[0] for name in PREFS}


def test_every_measure_of_two_groups_worked_by_hand():
    assert values(judged(RUN, {"A": A, "B": B})) == approx(BY_HAND)


def test_every_measure_is_worked_by_hand():
    assert set(BY_HAND) == set(PREFS)


def test_groups_may_want_the_opposite():
    # three groups want a above b, two want b above a: 3 of 5, whichever way it is looked at
    groups = {name: {"s": {"a": 1, "b": 0}} for name in "ABC"} | {name: {"s": {"a": 1, "b": 2}} for name in "DE"}
    found = values(judged({"1": ["a", "b"]}, groups))
    assert found["prefs_pair"] == found["prefs_simp"] == found["prefs_avgjg"] == approx(3 / 5)
    # a second pair, of one group and fulfilled, weighs as much as the first in prefs_pair: (3/5 + 1) / 2
    more = groups | {"F": {"s": {"a": 1, "c": 0}}}
    found = values(judged({"1": ["a", "b"]}, more))
    assert found["prefs_pair"] == approx((3 / 5 + 1) / 2)
    assert found["prefs_simp"] == found["prefs_avgjg"] == approx(4 / 6)


def test_more_documents_not_relevant_than_relevant_in_one_sub_group():
    # b is relevant, a, c and d are not: R = 1, so the first other, a, is kept; b>a is fulfilled. As trec_eval counts,
    # a, c and d are held against a too, and none of these can be fulfilled.
    found = values(judged({"1": ["b", "a", "c"]}, {"A": {"s": {"b": 1, "a": 0, "c": 0, "d": 0}}}))
    assert found["prefs_avgjg_Rnonrel"] == approx(1 / (1 + 3))
    assert found["prefs_avgjg_Rnonrel_ret"] == approx(1 / (1 + 2))  # d was not retrieved
    assert found["prefs_avgjg"] == 1.0


def test_more_documents_not_relevant_than_relevant_in_several_sub_groups():
    # the first other in rank order, a, is kept: b>a alone is left
    groups = {"A": {"s": {"b": 1, "a": 0}, "t": {"b": 1, "c": 0}, "u": {"b": 1, "d": 0}}}
    found = values(judged({"1": ["a", "b", "c"]}, groups))
    assert found["prefs_avgjg_Rnonrel"] == found["prefs_avgjg_Rnonrel_ret"] == 0.0
    assert found["prefs_avgjg"] == approx(2 / 3)
    found = values(judged({"1": ["b", "a", "c"]}, groups))
    assert found["prefs_avgjg_Rnonrel"] == found["prefs_avgjg_Rnonrel_ret"] == 1.0


def test_a_group_without_preferences_is_0_and_counts():
    # B holds all documents alike: 1/1 of A and 0 of B
    groups = {"A": {"s": {"a": 1, "b": 0}}, "B": {"s": {"a": 0, "b": 0}}}
    found = values(judged({"1": ["a", "b"]}, groups))
    assert found["prefs_avgjg"] == 1 / 2
    assert found["prefs_simp"] == found["prefs_pair"] == 1.0
    # 0 relevant in B leaves no preference to balance, which in trec_eval makes the topic 0
    assert found["prefs_avgjg_Rnonrel"] == found["prefs_avgjg_Rnonrel_ret"] == 0.0


def test_negative_levels_are_below_0():
    found = values(judged({"1": ["a", "b", "c"]}, {"A": {"s": {"a": 1, "b": 0, "c": -1}}}))
    assert found["prefs_num_prefs_ful"] == found["prefs_num_prefs_poss"] == 3


def test_what_follows_from_two_sub_groups_is_a_preference():
    chain = {"A": {"s": {"a": 3, "b": 2}, "t": {"b": 9, "c": 8}, "u": {"c": 5, "d": 4}}}
    # a>b, b>c, c>d; so a>c, b>d, a>d
    assert values(judged({"1": list("abcd")}, chain))["prefs_num_prefs_ful"] == 6
    # alike in one sub-group says nothing of what the other one has
    alike = {"A": {"s": {"a": 2, "b": 1}, "t": {"b": 1, "c": 1}}}
    assert values(judged({"1": list("abc")}, alike))["prefs_num_prefs_poss"] == 1


def test_ties_stand_in_ascending_order_of_the_ids():
    groups = {"A": {"s": {"B": 1, "a": 0}}}
    assert values(judged({"1": {"a": 1.0, "B": 1.0}}, groups))["prefs_simp"] == 1.0


def test_scores_and_levels_are_32_bit_under_the_rules_of_trec_eval_9():
    groups = {"A": {"s": {"a": 1, "b": 2}}, "B": {"s": {"a": 16777217, "b": 16777216}}}
    run = {"1": {"a": 16777216.0, "b": 16777217.0}}
    assert values(judged(run, groups))["prefs_num_prefs_ful"] == 1  # of two: b is above a
    assert values(judged(run, groups, rules="trec_eval-9"))["prefs_num_prefs_ful"] == 0  # a tie; the levels of B too
    assert values(judged(run, groups, rules="trec_eval-9"))["prefs_num_prefs_poss"] == 1


def test_a_cut_leaves_the_rest_not_retrieved():
    both = judged({"1": list("abc")}, {"A": {"s": {"a": 2, "b": 1, "c": 0}}})
    # of a alone is known that it is above b and c; b>c is of two that were not retrieved
    found = values(both.cut(1))
    assert found["prefs_simp"] == approx(2 / 3)
    assert found["prefs_simp_imp"] == 1.0
    assert found["prefs_simp_ret"] == 0.0
    assert values(both.judged_only()) == values(both)
    assert values(both.cut(0)) == values(judged({"1": ["x"]}, {"A": {"s": {"a": 2, "b": 1, "c": 0}}}))


def test_evaluate_takes_preferences_and_counts_are_summed():
    preferences = Preferences.from_dict({topic: {"A": {"s": {"a": 1, "b": 0, "c": 0}}} for topic in "12"})
    found = evaluate(run={"1": ["a"]}, qrels=preferences, measures=["prefs_num_prefs_poss", "prefs_simp", "num_q"])
    assert found.values.tolist() == [[2, 1, 1], [2, 0, 1]]
    assert found.summary.tolist() == [4, 0.5, 2]
    assert found.missing == ("2",)
    both = evaluate(run={"1": ["a"]}, qrels=preferences, average="intersection")
    assert [str(measure) for measure in both.measures] == ["prefs_simp", "prefs_pair", "prefs_avgjg"]
    assert both.summary.tolist() == [1, 1, 1]


def test_a_topic_without_preferences_follows_the_convention():
    preferences = Preferences.from_dict({"1": {"A": {"s": {"a": 1, "b": 1}}}})
    found = evaluate(run={"1": ["a"]}, qrels=preferences, measures="prefs_simp", no_relevant="one")
    assert found.summary.tolist() == [1.0]
    assert found.without_relevant == ("1",)


@pytest.mark.parametrize("name", PREFS)
def test_a_measure_of_preferences_printed_and_parsed_is_equal(name):
    assert str(parse_measure(name)) == parse_measure(name).trec_name == name


# The definitions, over pairs of documents by name -------------------------------------------------------------------


def wanted(subgroups):
    """The pairs (better, worse) that sub-groups say, and all that follows from them."""
    pairs = {(a, b) for levels in subgroups.values() for a, b in product(levels, levels) if levels[a] > levels[b]}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def slowly(groups, ranking):
    """Every measure for a topic whose ranking is this list of documents."""
    place = {document: float(rank) for rank, document in enumerate(ranking)}

    def fulfilled(pair):
        return place.get(pair[0], inf) < place.get(pair[1], inf)

    def n_retrieved(pair):
        return sum(document in place for document in pair)

    def kept(pairs, least):
        return [pair for pair in pairs if n_retrieved(pair) >= least]

    def share(pairs):
        return sum(map(fulfilled, pairs)) / len(pairs) if pairs else 0.0

    def balanced(subgroups, least):
        pairs = kept(wanted(subgroups), least)
        levels = {document: level for inner in subgroups.values() for document, level in inner.items()}
        order = sorted(levels, key=lambda document: (place.get(document, inf), document))
        seen = [document for document in order if least == 0 or document in place]
        relevant = [document for document in seen if levels[document] > 0]
        others = [document for document in seen if levels[document] == 0]
        n_relevant, n_found = sum(level > 0 for level in levels.values()), sum(doc in place for doc in relevant)
        spare = len(relevant) - len(others)
        if spare >= 0:
            possible = len(pairs) + n_relevant * spare
            return (sum(map(fulfilled, pairs)) + n_found * spare) / possible if possible else None
        if len(subgroups) > 1:
            pairs = [pair for pair in pairs if pair[1] not in others[n_relevant:]]
        else:
            first = others[: len(relevant)]
            among_relevant = [(a, b) for a, b in pairs if levels[b] > 0]
            pairs = among_relevant + [(a, b) for a in (*relevant, *others) for b in first]
        return share(pairs) if pairs else None

    found = {}
    everything = [wanted(subgroups) for subgroups in groups.values()]
    found["prefs_num_prefs_poss"] = sum(map(len, everything))
    found["prefs_num_prefs_ful"] = sum(fulfilled(pair) for pairs in everything for pair in pairs)
    found["prefs_num_prefs_ful_ret"] = sum(fulfilled(pair) for pairs in everything for pair in kept(pairs, 2))
    for ending, least in (("", 0), ("_imp", 1), ("_ret", 2)):
        some = [kept(pairs, least) for pairs in everything]
        found[f"prefs_simp{ending}"] = share([pair for pairs in some for pair in pairs])
        found[f"prefs_avgjg{ending}"] = sum(map(share, some)) / len(some)
        about = {frozenset(pair) for pairs in some for pair in pairs}
        votes = [[pair for pairs in some for pair in pairs if frozenset(pair) == two] for two in about]
        found[f"prefs_pair{ending}"] = sum(map(share, votes)) / len(about) if about else 0.0
    for ending, least in (("", 0), ("_ret", 2)):
        shares = [balanced(subgroups, least) for subgroups in groups.values()]
        found[f"prefs_avgjg_Rnonrel{ending}"] = 0.0 if None in shares else sum(shares) / len(shares)
    return found


def random_topic(seed):
    """Groups that contradict each other and not themselves, and a ranking of some of their documents and others."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(chance.randint(2, 9))]
    groups = {}
    for name in "ABC"[: chance.randint(1, 3)]:
        worth = {document: chance.choice([0, 0, 0, 1, 2, 3]) for document in documents}
        groups[name] = {
            subgroup: {
                document: worth[document] for document in chance.sample(documents, chance.randint(1, len(documents)))
            }
            for subgroup in "stu"[: chance.randint(1, 3)]
        }
    return groups, chance.sample([*documents, "x", "y"], chance.randint(1, len(documents) + 2))


@pytest.mark.parametrize("seed", range(150))
def test_the_definitions_computed_slowly_give_the_same(seed):
    groups, ranking = random_topic(seed)
    assert values(judged({"1": ranking}, groups)) == approx(slowly(groups, ranking))


def test_a_run_in_any_order_of_its_lines_gives_the_same(tmp_path):
    groups, ranking = random_topic(3)
    run = Run.of({"1": ranking})
    lines = run.as_trec().splitlines(keepends=True)
    (tmp_path / "run").write_bytes(b"".join(reversed(lines)))
    assert values(judged(tmp_path / "run", groups)) == values(judged(run, groups))
    assert np.isfinite([*values(judged(run, groups)).values()]).all()
