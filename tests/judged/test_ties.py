"""How documents of one score can stand, and what that does to the values."""

from itertools import permutations
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import DOCUMENTS, NOT_MONOTONE, SAMPLES, is_gain_per_document, judged, qrels, runs

from irkit.data.judgments.grouped import GroupedQrels
from irkit.data.judgments.preferences import Preferences
from irkit.data.runs import Run
from irkit.errors import DataError, FormatError, UsageError
from irkit.evaluation.scoring import evaluate, evaluator
from irkit.ir_measures import ScoredDoc
from irkit.judged.tie_orders import MOST_ORDERS, in_every_order, n_orders, rearranged, tied_documents
from irkit.stats import compare

approx = pytest.approx
L3 = log2(3)
# a and b tie at ranks 1 and 2, c alone at 3, d, e, f and g at 4 to 7; b, e and f are judged, and c.
RUN = {"q": {"a": 3.0, "b": 3.0, "c": 2.0, "d": 1.0, "e": 1.0, "f": 1.0, "g": 1.0}}
QRELS = {"q": {"b": 1, "c": 0, "e": 2, "f": 0}}


def values(run, grades, measures, **options):
    return evaluate(run=run, qrels=grades, measures=measures, **options).summary.tolist()


def test_worst_and_best_put_the_better_grades_last_and_first():
    both = judged(RUN, QRELS)
    assert both.rank.tolist() == [1, 3, 5, 6]  # b before a; g, f, e, d
    worst, best = rearranged(both, "worst"), rearranged(both, "best")
    assert (worst.rank.tolist(), worst.grade.tolist()) == ([2, 3, 6, 7], [1, 0, 0, 2])
    assert (best.rank.tolist(), best.grade.tolist()) == ([1, 3, 4, 5], [1, 0, 2, 0])
    assert tied_documents(both).tolist() == [6]


def test_what_is_pooled_and_not_judged_stands_between_the_judged_and_the_unjudged():
    both = judged({"q": dict.fromkeys("abcd", 1.0)}, {"q": {"a": 0, "b": -1, "c": 1}})
    assert rearranged(both, "best").grade.tolist() == [1, 0, -1]
    assert rearranged(both, "best").rank.tolist() == [1, 2, 3]
    assert rearranged(both, "worst").grade.tolist() == [-1, 0, 1]
    assert rearranged(both, "worst").rank.tolist() == [2, 3, 4]


def test_documents_that_are_judged_alike_and_tie_change_nothing():
    both = judged({"q": {"a": 1.0, "b": 1.0, "c": 0.5}}, {"q": {"a": 1, "b": 1}})
    assert tied_documents(both).tolist() == [0]
    assert evaluate(run={"q": {"a": 1.0, "b": 1.0, "c": 0.5}}, qrels={"q": {"a": 1, "b": 1}}).tie_range is None


def test_a_tie_is_broken_before_a_cut_and_before_the_unjudged_go():
    both = judged(RUN, QRELS)
    for once in (both.cut(4), both.judged_only()):
        assert once.tie_first.tolist() == once.tie_last.tolist() == once.rank.tolist()
        assert tied_documents(once).tolist() == [0]
    # best: b at 1; worst: a at 1
    assert values(RUN, QRELS, "P@1", ties="best") == [1.0]
    assert values(RUN, QRELS, "P@1", ties="worst") == [0.0]
    # worst, without a, d and g: b, c, f, e
    assert values(RUN, QRELS, "AP(judged_only=True)", ties="worst") == approx([(1 / 1 + 2 / 4) / 2])


# McSherry and Najork 2008 have a formula for what is expected of ties, one a measure; these are counted by hand -----


def test_expected_of_two_that_tie_of_which_one_is_relevant():
    found = values({"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1}}, "RR AP nDCG P@1 P@2", ties="expected")
    assert found == approx([3 / 4, 3 / 4, (1 + 1 / L3) / 2, 1 / 2, 1 / 2])


def test_expected_of_three_that_tie_of_which_two_are_relevant():
    run = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    # relevant at ranks 1 2, 1 3 and 2 3: RR 1, 1, 1/2; AP 1, (1 + 2/3) / 2, (1/2 + 2/3) / 2
    found = values(run, {"q": {"a": 1, "b": 1}}, "RR AP P@2", ties="expected")
    assert found == approx([5 / 6, (1 + 5 / 6 + 7 / 12) / 3, 2 / 3])


def test_expected_of_two_ties_is_the_mean_over_every_pair_of_their_orders():
    # b at 1 or 2, c at 3, e and f at two of the ranks 4 to 7: 2 * 12 orders
    assert n_orders(judged(RUN, QRELS)) == [24]
    found = values(RUN, QRELS, "P@1 RR(rel=2) DCG", ties="expected")
    deep = [1 / 4, 1 / 5, 1 / 6, 1 / 7]
    gains = sum(2 / log2(rank + 1) for rank in (4, 5, 6, 7)) / 4
    assert found == approx([1 / 2, sum(deep) / 4, (1 + 1 / L3) / 2 + gains])


def test_expected_keeps_every_digit_where_no_order_changes_a_value():
    run = {"q": dict.fromkeys("abc", 1.0), "r": {"d": 2.0, "e": 1.0, "f": 0.5}}
    grades = {"q": {"a": 1, "x": 1, "y": 1}, "r": {"e": 1, "f": 2}}
    own = evaluate(run=run, qrels=grades, measures="SetP SetR nDCG AP")
    expected = evaluate(run=run, qrels=grades, measures="SetP SetR nDCG AP", ties="expected")
    assert (own.values[:, :2] == expected.values[:, :2]).all()
    assert (own.values[1] == expected.values[1]).all()


def by_brute_force(run, grades, measures):
    """The values of every topic in every order of its tied documents: {topic: [values of the measures, ...]}."""
    found = {}
    for topic, scores in run.items():
        if topic not in grades:
            continue
        orders = [[]]
        for score in sorted(set(scores.values()), reverse=True):
            tied = [document for document, its in scores.items() if its == score]
            orders = [[*order, *more] for order in orders for more in permutations(tied)]
        each = {f"{place:04}": order for place, order in enumerate(orders)}
        every = judged(each, grades | dict.fromkeys(each, grades[topic]), average="intersection")
        found[topic] = np.array([measure(every) for measure in measures]).T
    return found


# NoAnswer is not averaged over topics with relevant documents.
RANKED = tuple(m for m in SAMPLES if m.family.quality and not m.family.averaged)
# A better document that moves up can cost some something, among them infAP where another was pooled and not judged; and
# the gains of some samples do not rise with the grade.
PROMISING = [
    measure
    for measure in RANKED
    if measure.name not in {*NOT_MONOTONE, "infAP"}
    and is_gain_per_document(measure)
    and not dict(measure.params).get("gains")
]
SMALL_RUNS = st.dictionaries(
    st.sampled_from(["1", "2"]),
    st.dictionaries(st.sampled_from(DOCUMENTS[:4]), st.sampled_from([1.0, 2.0]), min_size=1),
    min_size=1,
)
SMALL_QRELS = st.fixed_dictionaries(
    {topic: st.dictionaries(st.sampled_from(DOCUMENTS[:5]), st.integers(-1, 3), min_size=1) for topic in ("1", "2")}
)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(run=SMALL_RUNS, grades=SMALL_QRELS)
def test_expected_is_the_mean_and_worst_and_best_are_the_ends_of_all_permutations(run, grades):
    orders = by_brute_force(run, grades, RANKED)
    lowest, highest, expected = (
        evaluate(run=run, qrels=grades, measures=RANKED, average="intersection", ties=ties)
        for ties in ("worst", "best", "expected")
    )
    for place, topic in enumerate(expected.topics):
        assert expected.values[place] == approx(orders[topic].mean(axis=0), abs=1e-12)
        for column, measure in enumerate(RANKED):
            if measure not in PROMISING:
                continue
            assert lowest.values[place, column] == approx(orders[topic][:, column].min(), abs=1e-12), measure
            assert highest.values[place, column] == approx(orders[topic][:, column].max(), abs=1e-12), measure


@settings(max_examples=100, deadline=None)
@given(run=runs(), grades=qrels())
def test_ties_that_another_order_cannot_change_are_those_that_have_one_order(run, grades):
    both = judged(run, grades)
    assert [n > 1 for n in n_orders(both)] == (tied_documents(both) > 0).tolist()
    found = list(in_every_order(both))
    topics = np.concatenate([topic for _, topic in found])
    assert np.bincount(topics, minlength=both.n_topics).tolist() == [min(n, MOST_ORDERS) for n in n_orders(both)]
    for part, topic in found:
        assert part.topics == tuple(both.topics[place] for place in topic)
        assert part.n_retrieved.tolist() == both.n_retrieved[topic].tolist()
        assert (np.diff(part.topic) >= 0).all()
        assert (np.diff(part.rank)[np.diff(part.topic) == 0] > 0).all()
        assert part.n_relevant().tolist() == both.n_relevant()[topic].tolist()


def test_many_orders_are_sampled_and_said_to_be():
    # 12 documents tie, 6 of them relevant: all of 924 orders are looked at; 14 with 7: of 3432, 1,000 are drawn
    few = {"q": {f"d{n:02}": 1.0 for n in range(12)}}
    many = {"q": {f"d{n:02}": 1.0 for n in range(14)}, "r": {"a": 1.0, "b": 1.0}}
    grades = {"q": {f"d{n:02}": 1 for n in range(6)}}
    exact = evaluate(run=few, qrels=grades, measures="P@1 P@6", ties="expected")
    assert exact.summary.tolist() == approx([1 / 2, 1 / 2], abs=1e-12)
    assert not any("drawn" in note for note in exact.tie_notes)
    grades = {"q": {f"d{n:02}": 1 for n in range(7)}, "r": {"a": 1}}
    drawn, again = (evaluate(run=many, qrels=grades, measures="P@1 P@7", ties="expected") for _ in range(2))
    # P@1 is 1/2 with a standard deviation of 1/2 a draw, 0.0158 of 1,000
    assert drawn.value("P@1", "q") == approx(1 / 2, abs=4 * 0.0158)
    assert drawn.value("P@1", "q") != 1 / 2
    assert drawn.value("P@1", "r") == 1 / 2
    assert (drawn.values == again.values).all()
    assert drawn.tie_notes[-1] == (
        # sqrt(1/2 * 1/2 / 1,000) of one topic, in the mean of two
        "expected values: 1,000 orders drawn by chance (seed 2008) stand for all in 1 of 2 topics; "
        "standard error of a mean up to 0.0079 (P@1)"
    )


def test_a_sum_over_ranks_is_next_to_exact_where_orders_are_drawn():
    # 9 documents tie, 7 of them relevant: P@3 is 7/9, whatever the draw, but for the last one of 1,000 = 111 * 9 + 1
    tied = {"q": dict.fromkeys("abcdefghi", 1.0)}
    grades = {"q": dict(zip("abcdefghi", [0, 1, 2, 3, 4, 0, 1, 2, 3], strict=True))}
    found = evaluate(run=tied, qrels=grades, measures="P@3", ties="expected")
    assert found.value("P@3") == approx(7 / 9, abs=1 / 1000)


def test_orders_are_looked_at_in_parts_of_bounded_size(monkeypatch):
    run = {str(n): dict.fromkeys("abcd", 1.0) for n in range(30)}
    grades = {str(n): {"a": 1, "b": n % 3} for n in range(30)}
    whole = evaluate(run=run, qrels=grades, measures="nDCG RR", ties="expected")
    monkeypatch.setattr("irkit.judged.tie_orders._BATCH", 50)
    assert len(list(in_every_order(judged(run, grades)))) > 10
    assert (evaluate(run=run, qrels=grades, measures="nDCG RR", ties="expected").values == whole.values).all()


# The order of the file -----------------------------------------------------------------------------------------------

LINES = "1 Q0 a 1 1.0 r\n1 Q0 c 2 1.0 r\n2 Q0 x 1 1 r\n1 Q0 b 3 2.0 r\n1 Q0 d 4 1.0 r\n"  # b, then a c d as they stand


def test_the_order_of_the_lines_breaks_ties(tmp_path):
    (tmp_path / "run.txt").write_text(LINES)
    for document, rank in (("b", 1), ("a", 2), ("c", 3), ("d", 4)):
        found = evaluate(run=tmp_path / "run.txt", qrels={"1": {document: 1}}, measures="RR", ties="file")
        assert found.value("RR") == 1 / rank
        assert found.name == "run"


def test_the_order_of_a_dict_a_list_a_table_and_objects_breaks_ties():
    table = np.array(
        [("1", "a", 1.0), ("1", "c", 1.0), ("1", "b", 2.0), ("1", "d", 1.0)],
        dtype=[("query_id", "U1"), ("doc_id", "U1"), ("score", float)],
    )
    objects = (ScoredDoc(*row) for row in table.tolist())
    for run in ({"1": {"a": 1.0, "c": 1.0, "b": 2.0, "d": 1.0}}, {"1": ["b", "a", "c", "d"]}, table, objects):
        assert values(run, {"1": {"c": 1}}, "RR", ties="file") == [1 / 3]


def test_scores_that_32_bits_do_not_tell_apart_stand_as_in_the_file():
    run = {"1": {"a": 5.0, "b": 5.000000001}}
    assert values(run, {"1": {"a": 1}}, "RR", ties="file") == [1 / 2]
    assert values(run, {"1": {"a": 1}}, "RR", ties="file", rules="trec_eval-9") == [1.0]
    assert values(run, {"1": {"a": 1}}, "RR", ties="docid", rules="trec_eval-9") == [1 / 2]


def test_the_order_of_the_file_holds_for_judgments_of_every_kind():
    run = {"1": {"a": 1.0, "b": 1.0}}
    groups = GroupedQrels.from_dict({"1": {"A": {"a": 1}}})
    assert values(run, groups, "AP_avgjg") == [1 / 2]
    assert values(run, groups, "AP_avgjg", ties="file") == [1.0]


def test_a_run_has_no_order_of_a_file():
    with pytest.raises(UsageError, match="a Run has no such order any more"):
        evaluate(run=Run.of({"1": ["a"]}), qrels={"1": {"a": 1}}, ties="file")


def test_faults_of_a_file_are_said_as_always(tmp_path):
    path = tmp_path / "run"
    path.write_text(LINES + "1 Q0 c 5 1 r\n")
    with pytest.raises(FormatError) as found:
        evaluate(run=path, qrels={"1": {"a": 1}}, ties="file")
    assert str(found.value).endswith("run:6: document 'c' occurs twice in topic '1', first in line 2; keep one of them")
    path.write_text("1 Q0 a 1 1 r\nbad\n")
    with pytest.raises(FormatError, match="run:2: expected 6 fields, found 1"):
        evaluate(run=path, qrels={"1": {"a": 1}}, ties="file")


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(run=runs(), grades=qrels())
def test_where_a_file_has_its_ties_in_order_of_their_ids_both_orders_are_one(run, grades):
    ranked = Run.of(run).to_dict()
    assert values(ranked, grades, RANKED, ties="file") == values(ranked, grades, RANKED)


# Who may ask, and what is said ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["worst", "best", "expected"])
def test_judgments_without_one_grade_a_document_know_no_better_order(ties):
    for judgments, measure in (
        (GroupedQrels.from_dict({"1": {"A": {"a": 1}}}), "AP_avgjg"),
        (Preferences.from_dict({"1": {"A": {"s": {"a": 1}}}}), "prefs_simp"),
    ):
        with pytest.raises(
            UsageError, match=f"{measure} is computed from .*ties '{ties}' needs one: choose docid or file"
        ):
            evaluator(judgments, ties=ties)


def test_what_has_no_order_or_needs_one_order_is_refused_with_ties_of_others():
    with pytest.raises(UsageError, match="no line order in a file"):
        evaluator(QRELS, ties="file", collapse="#")
    with pytest.raises(UsageError, match="bounds need one order of ties; ties 'best' has several"):
        evaluator(QRELS, ties="best", bounds=True)


def test_documents_of_their_own_topic_leave_the_order_of_the_file():
    run = {"1": {"a": 1.0, "1": 1.0, "b": 1.0}}
    assert values(run, {"1": {"b": 1}}, "RR", ties="file") == [1 / 3]
    assert values(run, {"1": {"b": 1}}, "RR", ties="file", drop_self=True) == [1 / 2]


def test_the_rule_stands_in_the_head_and_in_every_form():
    from irkit.report.text import render, unsaid

    found = evaluate(run=RUN, qrels=QRELS, measures="P@1", ties="worst")
    assert "; rules trec_eval-10; ties: worst; topics without" in render(found)
    assert "ties" not in render(evaluate(run={"q": ["b"]}, qrels=QRELS, measures="P@1"))
    assert found.to_dict()["tie_order"] == "worst"
    assert render(found, "csv").splitlines()[0].endswith("rules,average,no_relevant,tie_order")
    assert render(found, "csv").splitlines()[1].endswith("trec_eval-10,judged,zero,worst")
    assert "ties: worst" in unsaid([found], "trec_eval")[0]


def test_runs_whose_ties_were_broken_otherwise_are_not_compared():
    one, other = (evaluate(run=RUN, qrels=QRELS, measures="AP", ties=ties) for ties in ("docid", "best"))
    with pytest.raises(DataError, match="order of ties: docid and best; evaluate both alike"):
        compare([one, other])
    assert compare([other, other]).to_dict()["tie_order"] == "best"


def test_how_far_ties_could_move_the_scores_is_said_of_the_widest_three():
    # in q: a b, c, g f e d; of 8 documents 6 tie with one judged otherwise. r has no tie.
    run, grades = {**RUN, "r": {"x": 1.0}}, {**QRELS, "r": {"x": 1}}
    found = evaluate(run=run, qrels=grades, measures="P@1 P@2 RR AP SetP R@6")
    # P@1 0 or 1; RR 1/2 or 1; AP worst (1/2 + 2/7) / 2, best (1 + 2/4) / 2; R@6 worst 1/2, best 1; means with r's 1
    assert found.tie_notes == (
        "ties: 6 of 8 documents share a score with one that is judged otherwise, in 1 of 2 topics; they could move "
        "P@1 between 0.5000 and 1.0000, RR between 0.7500 and 1.0000, R@6 between 0.7500 and 1.0000, "
        "and 1 other measure less",
    )
    assert evaluate(run=run, qrels=grades, measures="SetP").tie_notes == ()


def test_how_far_is_said_of_the_topics_that_are_looked_at_and_of_measures_of_every_kind(tmp_path):
    run, grades = {**RUN, "r": {"x": 1.0}}, {**QRELS, "r": {"x": 1}}
    found = evaluate(run=run, qrels=grades, measures="P@1")
    said = "ties: 6 of {} documents share a score with one that is judged otherwise, in 1 of {}; they could move "
    assert found.tie_notes == (said.format(8, "2 topics") + "P@1 between 0.5000 and 1.0000",)
    assert found.restricted_to(["q"]).tie_notes == (said.format(7, "1 topic") + "P@1 between 0.0000 and 1.0000",)
    assert found.restricted_to(["r"]).tie_notes == ()
    assert [one.tie_notes for one in found.by_group({"q": 1, "r": 2}).values()] == [
        (said.format(7, "1 topic") + "P@1 between 0.0000 and 1.0000",),
        (),
    ]
    assert found.to_dict()["notes"] == list(found.tie_notes)
    (tmp_path / "qrels").write_text("q 1 b 1\nq 2 c 0\nq 1 e 2\nq 1 f 0\nr 1 x 1\n")
    both = evaluate(run=run, qrels=tmp_path / "qrels", measures="StRecall@1 P@1 StRecall@9")
    assert both.tie_notes == found.tie_notes
    assert both.tie_range.lowest[:, 0].tolist() == both.tie_range.highest[:, 0].tolist() == both.values[:, 0].tolist()
    assert (both.tie_range.lowest[:, 1].tolist(), both.tie_range.highest[:, 1].tolist()) == ([0, 1], [1, 1])


def test_fractional_grades_tell_which_document_is_the_better_one():
    run, grades = {"q": {"a": 1.0, "b": 1.0, "x": 1.0}}, {"q": {"a": 0.5, "b": 0.25}}
    one, two, three = 1.0, 1 / L3, 1 / 2  # the discounts of the first three ranks
    for ties, dcg in (
        ("best", 0.5 * one + 0.25 * two),
        ("worst", 0.25 * two + 0.5 * three),
        ("expected", 0.75 * (one + two + three) / 3),
    ):
        assert values(run, grades, "DCG", fractional=True, ties=ties) == approx([dcg])


def test_over_the_topics_of_a_list_the_range_is_theirs():
    run, grades = {**RUN, "r": {"x": 1.0}}, {**QRELS, "r": {"x": 1}}
    assert evaluate(run=run, qrels=grades, measures="P@1", average="topics", topics=["r"]).tie_notes == ()
    (note,) = evaluate(run=run, qrels=grades, measures="P@1", average="topics", topics=["q"]).tie_notes
    assert note.endswith("in 1 of 1 topic; they could move P@1 between 0.0000 and 1.0000")
