import numpy as np
import pytest

from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.judged import judge
from irkit.rules import TREC_EVAL_9

RUN = Run.of({"1": ["a", "x", "b", "y", "c"], "2": ["d"], "9": ["e"]})
QRELS = Qrels.of({"1": {"a": 2, "b": 0, "c": -1, "f": 1}, "2": {"g": 1}, "3": {"h": 1}})


def test_only_judged_documents_are_kept_with_rank_and_grade():
    judged = judge(RUN, QRELS)
    assert judged.topics == ("1", "2", "3")
    assert judged.topic.tolist() == [0, 0, 0]
    assert judged.rank.tolist() == [1, 3, 5]
    assert judged.grade.tolist() == [2, 0, -1]
    assert judged.n_retrieved.tolist() == [5, 1, 0]
    assert judged.pool_grade.tolist() == [2, 1, 0, -1, 1, 1]
    assert judged.pool_rank.tolist() == [1, 2, 3, 4, 1, 1]
    assert judged.n_relevant().tolist() == [2, 1, 1]
    assert judged.n_relevant(2).tolist() == [1, 0, 0]
    assert (judged.missing, judged.unjudged, judged.top_grade) == (("3",), ("9",), 2)


def test_a_tie_spans_the_ranks_of_all_documents_of_its_score_judged_or_not():
    run = {"1": {"a": 2.0, "x": 1.0, "b": 1.0, "y": 1.0, "c": 0.0}}  # a; y x b; c
    judged = judge(run, QRELS)
    assert judged.rank.tolist() == [1, 4, 5]
    assert judged.tie_first.tolist() == [1, 2, 5]
    assert judged.tie_last.tolist() == [1, 4, 5]
    # once it is cut or thinned, the order is settled
    assert judged.cut(4).tie_first.tolist() == judged.cut(4).tie_last.tolist() == [1, 4]
    assert judged.judged_only().tie_first.tolist() == judged.judged_only().tie_last.tolist() == [1, 2]


def test_intersection_leaves_missing_topics_out():
    judged = judge(RUN, QRELS, average="intersection")
    assert judged.topics == ("1", "2")
    assert judged.missing == ("3",)
    assert judged.pool_grade.tolist() == [2, 1, 0, -1, 1]


def test_cut_keeps_the_first_ranks_and_the_whole_pool():
    judged = judge(RUN, QRELS).cut(3)
    assert judged.rank.tolist() == [1, 3]
    assert judged.n_retrieved.tolist() == [3, 1, 0]
    assert len(judged.pool_grade) == 6
    assert judged.cut(0).n_retrieved.tolist() == [0, 0, 0]


def test_judged_only_closes_the_ranks_and_takes_negative_grades_for_unjudged():
    judged = judge(RUN, QRELS).judged_only()
    assert judged.rank.tolist() == [1, 2]
    assert judged.n_retrieved.tolist() == [2, 0, 0]


def test_sums_and_counts_stay_within_their_topic():
    judged = judge(Run.of({"1": ["a", "b"], "2": ["g", "d"]}), Qrels.of({"1": {"a": 1, "b": 1}, "2": {"g": 1, "d": 1}}))
    assert judged.sum_by_topic([1, 2, 4, 8]).tolist() == [3, 12]
    assert judged.count_above(np.array([True, True, False, True])).tolist() == [1, 2, 0, 1]


def test_rules_of_version_9_compare_scores_as_32_bit_floats():
    run = Run.of({"1": {"a": 5.000000001, "b": 5.0}})
    qrels = Qrels.of({"1": {"a": 1}})
    assert judge(run, qrels).rank.tolist() == [1]
    nine = judge(run, qrels, rules=TREC_EVAL_9)
    assert (nine.rank.tolist(), nine.tie_first.tolist(), nine.tie_last.tolist()) == ([2], [1], [2])


def test_no_topic_in_common_shows_an_id_of_each_side():
    with pytest.raises(DataError, match=r"no topic in common: .*'2024'; .*'2024\.1'"):
        judge(Run.of({"2024": ["a"]}), Qrels.of({"2024.1": {"a": 1}}))


def test_a_run_and_qrels_may_be_files_or_dicts(tmp_path):
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n")
    (tmp_path / "q").write_text("1 0 a 2\n")
    judged = judge(tmp_path / "r", str(tmp_path / "q"), rules="trec_eval-9")
    assert (judged.grade.tolist(), judged.rules.name) == ([2], "trec_eval-9")
    assert judge({"1": ["a"]}, {"1": {"a": 2}}).grade.tolist() == [2]
    with pytest.raises(UsageError, match="unknown average 'all'"):
        judge({"1": ["a"]}, {"1": {"a": 2}}, average="all")
