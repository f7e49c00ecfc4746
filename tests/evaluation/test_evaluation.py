from math import isnan, log2
from time import process_time

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from samples import QRELS, RANKED, SAMPLES

from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.errors import DataError, FormatError, MeasureError, UsageError
from irkit.evaluation.result import evaluation_of
from irkit.evaluation.scoring import DEFAULT_MEASURES, evaluate
from irkit.judged import judge
from irkit.measures import (
    AP,
    ERR,
    RR,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    SetR,
    Success,
    nDCG,
)
from irkit.report.text import head, unsaid
from irkit.rules import Conventions

RUN_OF_ONE = {"1": ["a"]}


def score(run, qrels, measure, **options):
    return evaluate(run=run, qrels=qrels, measures=measure, **options).value(measure)


# Which topics are averaged


@pytest.mark.parametrize(("average", "mean", "n"), [("judged", 0.28, 4), ("intersection", 1.12 / 3, 3)])
def test_the_mean_is_over_the_topics_chosen(average, mean, n):
    # AP: T1 0.453333, T2 0.666667, T3 0 (nothing relevant), T4 0 (not in the run); trec_eval with -c, and without
    result = evaluate(run=RANKED, qrels=QRELS, measures=[AP, NumQ], average=average)
    assert result.value("AP") == pytest.approx(mean)
    assert result.value("NumQ") == n
    assert result.n_averaged.tolist() == [n, n]
    assert result.missing == ("T4",)
    assert result.without_relevant == ("T3",)


def test_no_topic_in_common_is_an_error_that_shows_both_sides():
    with pytest.raises(DataError, match=r"'7'.*'007'"):
        evaluate(run={"7": ["a"]}, qrels={"007": {"a": 1}})


@pytest.mark.parametrize("topic", ["-12", "1e5", "1.0", "007"])
def test_ids_that_look_like_numbers_stay_text(topic):
    result = evaluate(run={topic: ["a"]}, qrels={topic: {"a": 1}}, measures="map")
    assert result.topics == (topic,)
    assert list(result.to_dict()["topics"]) == [topic]
    assert result.to_pandas().index.tolist() == [topic]


def test_a_topic_with_no_documents_has_zero():
    result = evaluate(run={"q1": {}}, qrels={"q1": {"d": 1}}, measures=["map", "num_q", "Judged@10"])
    assert result.summary.tolist() == [0.0, 1.0, 0.0]


# Topics without a relevant document


@pytest.mark.parametrize(
    ("no_relevant", "ndcg", "ap", "rr"),
    [
        ("zero", [1, 0, 0], [1, 0, 0], [1, 0, 0]),
        ("one", [1, 1, 1], [1, 1, 1], [1, 0, 0]),
        ("abstain", [1, 0, 1], [1, 0, 1], [1, 0, 0]),
        ("skip", [1, np.nan, np.nan], [1, np.nan, np.nan], [1, np.nan, np.nan]),
    ],
)
def test_what_a_topic_without_relevant_documents_counts(no_relevant, ndcg, ap, rr):
    # topic 2 was answered although nothing is relevant; topic 3 was not
    run = {"1": ["a"], "2": ["b"]}
    qrels = {"1": {"a": 1}, "2": {"b": 0}, "3": {"c": 0}}
    result = evaluate(run=run, qrels=qrels, measures=[nDCG @ 10, AP, RR], no_relevant=no_relevant)
    assert_array_equal(result.values, np.array([ndcg, ap, rr], dtype=float).T)
    assert result.without_relevant == ("2", "3")
    assert result.n_averaged.tolist() == ([1] * 3 if no_relevant == "skip" else [3] * 3)
    assert result.value("RR") == (1.0 if no_relevant == "skip" else pytest.approx(1 / 3))


@pytest.mark.parametrize(
    ("no_relevant", "two", "three"), [("zero", 0, 0), ("one", 1, 1), ("abstain", 0, 1), ("skip", np.nan, np.nan)]
)
def test_the_convention_is_that_of_every_share_of_what_could_be_found(no_relevant, two, three):
    # as above; a geometric mean takes 0 for 0.00001, and what is averaged is what AP has
    run = {"1": ["a"], "2": ["b"]}
    qrels = {"1": {"a": 1}, "2": {"b": 0}, "3": {"c": 0}}
    shares = [measure for measure in SAMPLES if measure.normalised and measure.summary == "mean"]
    shares += ["GMAP", "GMBpref"]
    result = evaluate(run=run, qrels=qrels, measures=shares, no_relevant=no_relevant)
    full, least = result.values[:, :-2], np.maximum(result.values[:, -2:], 0)
    assert (full[1:] == [[two], [three]]).all() or (np.isnan(full[1:]).all() and np.isnan(two))
    assert_array_equal(least[1:], np.array([[max(two, 0.00001)] * 2, [max(three, 0.00001)] * 2]))
    counted = [1.0] + [max(value, 0.00001) for value in (two, three) if not np.isnan(value)]
    assert result.value("GMAP") == pytest.approx(np.prod(counted) ** (1 / len(counted)))


def test_the_search_teams_convention_is_one_for_ndcg_and_recall_and_zero_for_rr():
    result = evaluate(
        run={"lottery": ["a", "b"]},
        qrels={"lottery": {"a": 0, "b": 0}},
        measures=["nDCG(dcg='exp-log2')@10", "RR", "R@20"],
        no_relevant="one",
    )
    assert result.summary.tolist() == [1.0, 0.0, 1.0]


def test_relevant_means_what_it_means_to_the_measure():
    # grade 1 is relevant to AP, not to AP(rel=2); gain 0 for grade 1 leaves nDCG nothing to find
    measures = ["AP", "AP(rel=2)", "nDCG", "nDCG(gains={1:0})", "DCG(gains={1:0})", "SetR(rel=2)"]
    result = evaluate(run={"1": ["a"]}, qrels={"1": {"a": 1}}, measures=measures, no_relevant="skip")
    assert np.isnan(result.values[0]).tolist() == [False, True, False, True, True, True]
    result = evaluate(run={"1": ["a"]}, qrels={"1": {"a": 1}}, measures=measures, no_relevant="one")
    assert result.values[0].tolist() == [1, 1, 1, 1, 0, 1]


def test_a_mean_over_no_topic_is_no_number_and_says_so():
    result = evaluate(run={"1": ["a"]}, qrels={"1": {"a": 0}}, measures=[AP, NumRel], no_relevant="skip")
    assert isnan(result.value("AP"))
    assert result.value("NumRel") == 0
    assert result.n_averaged.tolist() == [0, 1]  # a count keeps the topic
    assert result.to_dict()["measures"]["AP"] == {"summary": "mean", "value": None, "n_averaged": 0}


# Order, scores and grades


def test_ties_go_to_the_larger_document_id():
    measures = ["recip_rank", "P_1", "map", "ndcg"]
    result = evaluate(run={"1": {"b": 1.0, "c": 1.0}}, qrels={"1": {"b": 1}}, measures=measures)
    assert result.summary.tolist() == pytest.approx([0.5, 0, 0.5, 1 / log2(3)])


def test_the_order_of_a_dict_is_no_ranking():
    for documents in (["d1", "d2", "d3"], ["d3", "d1", "d2"]):
        result = evaluate(run={"q1": dict.fromkeys(documents, 1)}, qrels={"q1": {"d1": 1}}, measures=[AP, nDCG])
        assert result.summary.tolist() == pytest.approx([1 / 3, 1 / log2(4)])


@pytest.mark.parametrize(("first", "second"), [("9", "10"), ("a", "B"), ("b", "a")])
def test_ties_compare_ids_as_bytes(first, second):
    assert score({"1": {first: 1, second: 1}}, {"1": {second: 1}}, RR) == 0.5


def test_ties_are_settled_before_the_cut():
    assert score({"1": {"a": 1, "b": 1}}, {"1": {"a": 1}}, RR @ 1) == 0.0


def test_scores_rank_and_the_rank_column_does_not(tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 0.2 r\n1 Q0 b 2 0.9 r\n")
    assert score(tmp_path / "run", {"1": {"a": 1}}, RR) == 0.5


@pytest.mark.parametrize(
    ("first", "second", "rr"),
    [("nan", "5", None), ("-1.5", "-2.5", 1.0), ("1e-05", "0.00002", 0.5), ("9e99", "inf", 0.5)],
)
def test_scores_are_numbers(tmp_path, first, second, rr):
    (tmp_path / "run").write_text(f"1 Q0 a 1 {first} r\n1 Q0 b 2 {second} r\n")
    if rr is None:
        with pytest.raises(FormatError, match=r"run:1: .*nan"):
            evaluate(run=tmp_path / "run", qrels={"1": {"a": 1}})
    else:
        assert score(tmp_path / "run", {"1": {"a": 1}}, RR) == rr


def test_rules_say_whether_scores_are_held_in_32_bits():
    run, qrels = {"1": {"a": 5.000000001, "b": 5.0}}, {"1": {"a": 1}}
    assert score(run, qrels, RR) == 1.0
    assert score(run, qrels, RR, rules="trec_eval-9") == 0.5
    assert str(evaluate(run=run, qrels=qrels, rules="trec_eval-9").rules) == "trec_eval-9"
    with pytest.raises(UsageError, match="unknown rules 'trec_eval-8'"):
        evaluate(run=run, qrels=qrels, rules="trec_eval-8")


def test_a_fraction_is_no_grade(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 0.9\n1 0 b 2.7\n")
    with pytest.raises(FormatError, match=r"qrels:1: .*0\.9"):
        evaluate(run=RUN_OF_ONE, qrels=tmp_path / "qrels")


def test_the_relevance_level_is_in_the_name_and_in_the_sum():
    # B13: the sum is that of the topics, whichever topics the run has
    qrels = {"1": {"a": 1, "b": 2}, "2": {"c": 1}}
    measures = ["AP", "AP(rel=2)", "RR", "RR(rel=2)", "NumRel", "NumRel(rel=2)"]
    for run in ({"1": ["a", "b"], "2": ["c"]}, {"1": ["a", "b"]}):
        result = evaluate(run=run, qrels=qrels, measures=measures)
        assert result.value("AP(rel=2)", "1") == 0.5
        assert result.value("RR", "1") == 1.0
        assert result.value("RR(rel=2)", "1") == 0.5
        assert result.value("NumRel") == 3
        assert result.value("NumRel(rel=2)") == 1
    assert "AP(rel=2)" in result.to_dict()["measures"]


def test_a_document_named_like_its_topic_counts():
    perfect = {"0": {str(place): 1 for place in range(10)}}
    assert evaluate(run=perfect, qrels=perfect, measures=[R @ 10, P @ 10, AP]).summary.tolist() == [1.0, 1.0, 1.0]


def test_numpy_numbers_are_taken_and_text_is_not():
    for number in (np.float32(0.5), 1, np.int64(3)):
        assert score({"q": {"d": number}}, {"q": {"d": np.int64(1)}}, RR) == 1.0
    for wrong in (True, "1"):
        with pytest.raises(FormatError, match=r"'d'.*'q'"):
            evaluate(run={"q": {"d": wrong}}, qrels={"q": {"d": 1}})


# The result


def test_every_measure_has_its_value_for_every_topic():
    result = evaluate(run=RANKED, qrels=QRELS, measures=["map", "recall_100", "ndcg_cut_10"])
    assert result.values.shape == (4, 3)
    assert result.value("map", "T1") == pytest.approx(0.453333, abs=1e-6)
    assert result.value(R @ 100, "T2") == pytest.approx(2 / 3)
    assert result.value("nDCG@10", "T3") == 0.0
    assert result.by_topic("AP").tolist() == result.values[:, 0].tolist()
    with pytest.raises(UsageError, match="RR was not evaluated; there are AP, R@100, nDCG@10"):
        result.value("RR")
    with pytest.raises(UsageError, match="topic 'T9'"):
        result.value("map", "T9")


def test_one_measure_may_be_given_alone():
    for measure in ("nDCG@10", nDCG @ 10):
        assert evaluate(run=RANKED, qrels=QRELS, measures=measure).measures == (nDCG @ 10,)


def test_the_default_is_a_basket():
    assert evaluate(run=RANKED, qrels=QRELS).measures == DEFAULT_MEASURES


@pytest.mark.parametrize("options", [{"average": "all"}, {"no_relevant": "two"}])
def test_an_unknown_convention_is_refused(options):
    with pytest.raises(UsageError, match="unknown"):
        evaluate(run=RANKED, qrels=QRELS, **options)


def test_files_dicts_and_frames_give_the_same(tmp_path):
    run, qrels = Run.of(RANKED), Qrels.of(QRELS)
    run.write(tmp_path / "run")
    qrels.write(tmp_path / "qrels")
    rows = [(t, d, s) for t, docs in run.to_dict().items() for d, s in docs.items()]
    grades = [(t, d, g) for t, docs in QRELS.items() for d, g in docs.items()]
    sources = [
        (RANKED, QRELS),
        (run.to_dict(), qrels),
        (tmp_path / "run", str(tmp_path / "qrels")),
        (
            pd.DataFrame(rows, columns=["qid", "docno", "score"]),
            pd.DataFrame(grades, columns=["query_id", "doc_id", "relevance"]),
        ),
    ]
    results = [evaluate(run=r, qrels=q, measures=SAMPLES).values for r, q in sources]
    for result in results[1:]:
        assert_array_equal(result, results[0])


def test_the_result_cannot_be_changed():
    result = evaluate(run=RANKED, qrels=QRELS)
    with pytest.raises(ValueError, match="read-only"):
        result.values[0, 0] = 1
    with pytest.raises(AttributeError):
        result.name = "other"


def test_means_are_sums_in_topic_order():
    # a compensated or pairwise sum gives another last digit for these
    qrels = {f"{place:03}": {f"m{i}": 1 for i in range(place % 7 + 2)} | {"a": 1} for place in range(300)}
    result = evaluate(run={topic: ["a"] for topic in qrels}, qrels=qrels, measures=AP)
    total = 0.0
    for value in result.values[:, 0].tolist():
        total += value
    assert result.value("AP") == total / 300


def test_plain_values_for_json():
    result = evaluate(run=RANKED, qrels=QRELS, measures=[AP, NumRet], name="bm25")
    plain = result.to_dict()
    assert plain["run"] == "bm25"
    assert plain["rules"] == "trec_eval-10"
    assert (plain["average"], plain["no_relevant"]) == ("judged", "zero")
    assert plain["topics_missing_from_run"] == ["T4"]
    assert plain["topics_without_relevant"] == ["T3"]
    assert plain["measures"]["NumRet"] == {"summary": "sum", "value": 13, "n_averaged": 4}
    assert plain["measures"]["AP"]["value"] == result.value("AP")
    assert plain["topics"]["T2"] == {"AP": pytest.approx(2 / 3), "NumRet": 3}


def test_a_frame_has_a_row_for_each_topic():
    frame = evaluate(run=RANKED, qrels=QRELS, measures=[AP, P @ 5]).to_pandas()
    assert frame.index.name == "topic"
    assert frame.loc["T2", "P@5"] == 0.4
    assert list(frame.columns) == ["AP", "P@5"]


def test_groups_are_the_evaluation_of_their_topics():
    result = evaluate(run={**RANKED, "T5": ["x"]}, qrels=QRELS, measures=[AP, NumQ])
    groups = {"T2": "easy", "T1": "easy", "T3": "none", "T4": "hard", "T5": "new", "T6": "new"}
    parts = result.by_group(groups)
    assert list(parts) == ["easy", "none", "hard"]
    assert parts["easy"].topics == ("T1", "T2")
    assert parts["easy"].value("AP") == pytest.approx((0.453333 + 0.666667) / 2, abs=1e-6)
    assert parts["easy"].value("NumQ") == 2
    assert parts["easy"].missing == ()
    assert parts["hard"].missing == ("T4",)
    assert parts["none"].without_relevant == ("T3",)
    assert result.unjudged == ("T5",)
    with pytest.raises(DataError, match="no group is given for 1 of 4 topics, such as 'T3'"):
        result.by_group(dict.fromkeys(("T1", "T2", "T4"), "one"))
    with pytest.raises(UsageError, match="topic 'T9'"):
        result.restricted_to(["T1", "T9"])


def test_a_restricted_evaluation_equals_one_of_those_topics():
    part = evaluate(run=RANKED, qrels=QRELS, measures=SAMPLES).restricted_to(["T2", "T1"])
    alone = evaluate(
        run={topic: RANKED[topic] for topic in ("T1", "T2")},
        qrels={topic: QRELS[topic] for topic in ("T1", "T2")},
        measures=SAMPLES,
    )
    assert part.topics == alone.topics
    assert_array_equal(part.values, alone.values)
    assert_array_equal(part.summary, alone.summary)


def test_what_is_judged_already_may_be_cut_first():
    # trec_eval -M 3 -m ndcg: 0.521585 for T1, since the ideal ranking is not cut
    three = judge(Run.of(RANKED), Qrels.of(QRELS)).cut(3)
    result = evaluation_of(three, [nDCG, NumRet], conventions=Conventions(), name="r")
    assert result.value("nDCG", "T1") == pytest.approx(0.521585, abs=1e-6)
    assert result.value("NumRet", "T1") == 3


def test_a_scale_too_short_for_the_qrels_is_an_error():
    with pytest.raises(MeasureError, match="ask for it with max_rel=7"):
        evaluate(run=RUN_OF_ONE, qrels={"1": {"a": 7}}, measures=ERR)


def test_other_measures_of_the_same_topic_do_not_meet():
    result = evaluate(run=RANKED, qrels=QRELS, measures=[Success @ 1, SetR, NumRelRet, Judged @ 5])
    assert result.value("NumRelRet") == 5
    assert result.value("Judged@5", "T1") == pytest.approx(0.8)


# What was applied, and over how many topics

# q1 has nothing relevant, q2 nothing of grade 2
THREE = {"q1": {"a": 0}, "q2": {"a": 1}, "q3": {"a": 2}}


@pytest.mark.parametrize(
    ("measure", "without"),
    [
        ("P@1", ("q1",)),
        ("P(rel=2)@1", ("q1", "q2")),
        ("P(rel=0)@1", ()),
        ("nDCG(gains={1:0})@1", ("q1", "q2")),
        ("AP AP(rel=2) NumRel(rel=3)", ("q1", "q2")),
        ("NumQ", ("q1",)),
    ],
)
def test_topics_without_relevant_documents_are_those_where_a_measure_could_find_nothing(measure, without):
    run = {topic: ["a"] for topic in THREE}
    assert evaluate(run=run, qrels=THREE, measures=measure).without_relevant == without


def test_skip_leaves_counts_alone():
    run = {topic: ["a"] for topic in THREE}
    found = evaluate(run=run, qrels=THREE, measures="AP(rel=2) NumQ NumRet NumRel NumRelRet", no_relevant="skip")
    assert found.summary.tolist() == [1, 3, 3, 2, 2]
    assert found.n_averaged.tolist() == [1, 3, 3, 3, 3]


def test_groups_by_the_thousand_take_no_longer_than_their_topics():
    topics = [f"{n:05}" for n in range(20_000)]
    found = evaluate(
        run=Run.of({topic: ["a"] for topic in topics}), qrels={topic: {"a": 1} for topic in topics}, measures="AP"
    )
    started = process_time()
    parts = found.by_group({topic: topic for topic in reversed(topics)})
    assert process_time() - started < 5  # it took 37 s where each group looked at every topic
    assert list(parts) == topics[::-1]
    assert parts["00007"].topics == ("00007",)


def test_groups_that_are_no_mapping_are_refused():
    with pytest.raises(UsageError, match="mapping of topic to group, not NoneType"):
        evaluate(run=RUN_OF_ONE, qrels={"1": {"a": 1}}).by_group(None)


# Documents that are strangers to the qrels


def test_a_run_without_a_judged_document_asks_whether_the_ids_are_alike():
    qrels = {"q": {"D1": 1, "D2": 0}}
    (note,) = evaluate(run={"q": ["d1", "d2"]}, qrels=qrels, measures="AP").notes
    assert note == (
        "no retrieved document is judged: are the document ids alike? "
        "2 documents look like judged ones and differ in their bytes: 'd1' and 'D1' in topic 'q'. "
        "They differ in capital and small letters. Ids are compared as bytes: write both files alike"
    )
    (note,) = evaluate(run={"q": ["x1", "x2"]}, qrels=qrels, measures="AP").notes
    assert note.endswith("alike? In topic 'q' the run has 'x1', the qrels have 'D1'")
    assert not evaluate(run={"q": ["d1", "D2"]}, qrels=qrels, measures="AP").notes
    assert not evaluate(run={"q": [], "r": ["d1"]}, qrels=qrels, measures="AP").notes


def test_ids_that_were_cut_off_are_shown_beside_the_whole_ones():
    found = evaluate(run={"p": ["z"], "q": ["x", "doc-1"]}, qrels={"p": {"a": 1}, "q": {"doc-12": 1}}, measures="AP")
    assert found.notes[0].endswith("alike? Ids may be cut off: 'doc-1' is the beginning of 'doc-12'")
    assert found.notes[0] in head([found])
    assert found.notes[0] in unsaid([found], "csv")
    assert found.to_dict()["notes"] == list(found.notes)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rules": []}, "unknown rules"),
        ({"average": []}, "unknown average"),
        ({"no_relevant": {}}, "unknown no_relevant"),
        ({"measures": 5}, "measures are named by text"),
        ({"name": 5}, "name of a run is text, not 5"),
    ],
)
def test_arguments_of_another_kind_are_refused_in_words(wrong, message):
    with pytest.raises(UsageError, match=message):
        evaluate(run=RUN_OF_ONE, qrels={"1": {"a": 1}}, **wrong)


def test_the_arrays_of_results_cannot_be_written_to():
    scores = np.array([2.0, 1.0])
    run, qrels = Run.of({"q": ["a", "b"]}), Qrels.of({"q": {"a": 1}})
    found = judge(run, qrels)
    arrays = [run.starts, run.scores, run.documents.offsets, qrels.starts, qrels.grades, qrels.documents.offsets]
    arrays += [found.topic, found.rank, found.grade, found.n_retrieved, found.pool_topic, found.pool_grade]
    arrays += [found.cut(1).rank, evaluate(run=run, qrels=qrels).values]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    Run(run.topics, run.starts, run.documents, scores)
    scores[0] = 3.0  # the maker's own array stays as it was
