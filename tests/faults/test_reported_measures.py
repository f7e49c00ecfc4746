"""Faults of measures that users of such tools reported, each with its right answer and its number in our list."""

from math import log2

import numpy as np
import pytest
from samples import judged, one_topic

from irkit.data.qrels import read_qrels
from irkit.data.runs import read_run
from irkit.errors import DataError, FormatError, MeasureError
from irkit.evaluation.scoring import evaluate, evaluator
from irkit.measures import AP, ERR, RR, Bpref, Judged, Measure, P, R, RCap, Rprec, nDCG, parse_measures
from irkit.trec_eval.program import main as trec_eval

L3 = log2(3)


def written(tmp_path, qrels, run):
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "run").write_text(run)
    return {"run": tmp_path / "run", "qrels": tmp_path / "qrels"}


def test_b10_fractional_grades_are_refused_or_taken_as_gains_and_never_truncated(tmp_path):
    # trec_eval 10.0 takes 0.9 for 0 and 2.7 for 2, and prints an nDCG of 0.6309
    files = written(tmp_path, "1 0 a 0.9\n1 0 b 2.7\n", "1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n")
    with pytest.raises(FormatError, match=r"qrels:1: the grade '0\.9' is not a whole number"):
        evaluate(**files, measures="map")
    taken = evaluate(**files, measures="nDCG", fractional=True)
    assert taken.value("nDCG") == pytest.approx((0.9 + 2.7 / L3) / (2.7 + 0.9 / L3))  # 2.6035 / 3.2678
    assert taken.value("nDCG") == pytest.approx(0.7967, abs=5e-5)
    (tmp_path / "qrels").write_text("1 0 a 1.0\n1 0 b 2\n")
    assert evaluate(**files, measures="map num_rel").summary.tolist() == [1.0, 2.0]


def test_b11_the_relevance_level_does_not_touch_ndcg(tmp_path, capfd):
    files = written(tmp_path, "1 0 a 1\n1 0 b 2\n", "1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n")
    gain, ideal = 1 + 2 / L3, 2 + 1 / L3
    found = evaluate(**files, measures=["AP(rel=2)", "RR(rel=2)", "nDCG"])
    assert found.summary == pytest.approx([0.5, 0.5, gain / ideal])
    with pytest.raises(MeasureError, match=r"nDCG takes .*; not 'rel'"):
        nDCG(rel=2)
    assert "A relevance level does not touch it" in nDCG.family.function.__doc__
    words = ["-l", "2", "-m", "map", "-m", "recip_rank", "-m", "ndcg", str(files["qrels"]), str(files["run"])]
    assert trec_eval(words) == 0
    values = [line.split()[-1] for line in capfd.readouterr().out.splitlines()]
    assert values == ["0.5000", "0.5000", f"{gain / ideal:.4f}"] == ["0.5000", "0.5000", "0.8597"]


def test_b12_the_name_of_a_measure_carries_the_level():
    run, qrels = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": 1, "b": 2}}
    found = evaluate(run=run, qrels=qrels, measures=["recip_rank", "RR(rel=2)"])
    assert found.to_dict()["measures"] == {
        "RR": {"summary": "mean", "value": 1.0, "n_averaged": 1},
        "RR(rel=2)": {"summary": "mean", "value": 0.5, "n_averaged": 1},
    }


def test_b13_the_number_of_relevant_documents_is_the_sum_of_the_topics(tmp_path, capfd):
    # trec_eval 10 prints 3 with -c, though its topic lines say 1 and 0
    files = written(tmp_path, "1 0 a 1\n1 0 b 2\n2 0 c 1\n", "1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n2 Q0 c 1 1 r\n")
    for average in ("judged", "intersection"):
        found = evaluate(**files, measures="NumRel(rel=2)", average=average)
        assert found.by_topic("NumRel(rel=2)").tolist() == [1.0, 0.0]
        assert found.value("NumRel(rel=2)") == 1.0
    for complete in ([], ["-c"]):
        words = ["-q", "-l", "2", *complete, "-m", "num_rel", str(files["qrels"]), str(files["run"])]
        assert trec_eval(words) == 0
        assert [line.split() for line in capfd.readouterr().out.splitlines()] == [
            ["num_rel", "1", "1"],
            ["num_rel", "2", "0"],
            ["num_rel", "all", "1"],
        ]


def test_b24_no_topic_in_common_is_an_error_that_shows_both_sides():
    for average in ("judged", "intersection"):
        with pytest.raises(DataError, match=r"'2024'.*'2024\.1'"):
            evaluate(run={"2024": ["a"]}, qrels={"2024.1": {"a": 1}}, average=average)


def test_b25_a_topic_not_found_counts_in_one_average_and_not_in_the_other():
    qrels = {topic: {f"r{topic}": 1} for topic in "123"}
    for average, mean, n in (("intersection", 1.0, 1), ("judged", 1 / 3, 3)):
        result = evaluate(run={"1": ["r1"]}, qrels=qrels, measures=["map", "num_q"], average=average)
        assert result.value("map") == pytest.approx(mean)
        assert result.value("num_q") == n
        assert result.missing == ("2", "3")


def test_b26_a_missing_topic_does_not_stop_the_average(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 r\n")
    result = evaluate(
        run=tmp_path / "run", qrels=tmp_path / "qrels", measures="map", average="intersection", rules="trec_eval-10"
    )
    assert result.value("map") == 1.0
    assert result.missing == ("2",)


def test_b27_a_topic_that_was_never_judged_is_not_averaged():
    for average in ("judged", "intersection"):
        result = evaluate(
            run={"1": ["a"], "2": ["b"]}, qrels={"1": {"a": 1}}, measures=["map", "num_q"], average=average
        )
        assert result.summary.tolist() == [1.0, 1.0]
        assert result.unjudged == ("2",)


def test_b28_a_topic_without_a_relevant_document_is_neither_nan_nor_one():
    measures = ["map", "Rprec", "bpref", "recip_rank", "ndcg", "ndcg_cut", "gm_map"]
    result = evaluate(run={"1": ["a"], "2": ["b"]}, qrels={"1": {"a": 0}, "2": {"b": 1}}, measures=measures)
    assert (result.values[0, :-1] == 0).all()
    assert (result.summary[:-1] == 0.5).all()
    assert result.value("gm_map") == pytest.approx((0.00001 * 1) ** 0.5)
    skipped = evaluate(
        run={"1": ["a"], "2": ["b"]}, qrels={"1": {"a": 0}, "2": {"b": 1}}, measures=measures, no_relevant="skip"
    )
    assert (skipped.summary == 1.0).all()


def test_b29_exponential_and_linear_gain_differ_in_value_and_name():
    one = judged({"q": ["b", "a"]}, {"q": {"a": 3, "b": 2, "c": 1}})
    linear, exponential = nDCG, nDCG(dcg="exp-log2")
    assert linear(one) == pytest.approx([(2 + 3 / L3) / (3 + 2 / L3 + 1 / 2)])
    assert [round(float(measure(one)[0]), 4) for measure in (linear, exponential)] == [0.8175, 0.7896]
    assert exponential(one) == pytest.approx([(3 + 7 / L3) / (7 + 3 / L3 + 1 / 2)])
    assert str(linear) != str(exponential)


def test_b30_the_ideal_ranking_holds_what_was_not_retrieved():
    assert (nDCG @ 10)(one_topic([3], missed=[3] * 4)) == pytest.approx([0.3392], abs=5e-5)  # 1 / 2.9485


def test_b31_ndcg_is_not_cut_where_the_run_ends():
    one = one_topic([1], missed=[1, 1])
    assert (nDCG @ 1)(one) == pytest.approx([1.0])
    assert nDCG(one) == pytest.approx([1 / (1 + 1 / L3 + 1 / 2)])


def test_b32_average_precision_divides_by_all_relevant_documents():
    one = one_topic([1, None], missed=[1])
    assert AP(one) == pytest.approx([1 / 2])
    assert (AP @ 1)(one) == pytest.approx([1 / 2])


def test_b33_recall_is_not_capped_by_its_cutoff():
    one = one_topic([1, 1], missed=[1, 1])
    assert (R @ 1)(one) == pytest.approx([0.25])
    assert (R @ 2)(one) == pytest.approx([0.5])
    # precision that is capped by what there is to find has a name of its own
    assert (RCap @ 2)(one) == pytest.approx([1.0])


def test_b34_reciprocal_rank_beyond_its_cutoff_is_zero():
    one = one_topic([None] * 10 + [1])
    assert RR(one) == pytest.approx([1 / 11])
    assert (RR @ 10)(one) == pytest.approx([0.0])
    assert RR(one.cut(10)) == pytest.approx([0.0])  # trec_eval -M 10


def test_b35_r_precision_of_a_short_run_divides_by_the_relevant():
    assert Rprec(one_topic([1, 1], missed=[1, 1])) == pytest.approx([2 / 4])


def test_b36_bpref_weighs_by_the_smaller_of_relevant_and_not_relevant():
    # 6 relevant, 4 not; n1 stands above r1..r4: each gives 1 - 1/4, and two are not found
    assert Bpref(one_topic([0, 1, 1, 1, 1], missed=[0, 0, 0, 1, 1])) == pytest.approx([4 * (3 / 4) / 6])


def test_b37_judged_divides_by_what_was_retrieved_and_unjudged_by_the_cutoff(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 b 2 0.1 r\n1 Q0 a 1 0.9 r\n")
    found = evaluate(run=tmp_path / "run", qrels=tmp_path / "qrels", measures=[Judged @ 1, Judged @ 10, "unj_10"])
    assert found.summary.tolist() == pytest.approx([1.0, 1 / 2, 1 / 10])
    assert "divided by the cutoff" in Measure("unj").family.help
    assert "of the retrieved documents" in Judged.family.help


def test_b38_err_has_the_top_of_the_scale_for_a_parameter():
    one = one_topic([2, 0])
    assert (ERR @ 10)(one) == pytest.approx([(2**2 - 1) / 2**4])
    assert (ERR(max_rel=2) @ 10)(one) == pytest.approx([3 / 4])
    assert str(ERR(max_rel=2) @ 10) == "ERR(max_rel=2)@10"


@pytest.mark.parametrize(
    ("rules", "eleven"),
    [
        # level p of 3 relevant documents stands for round(3p) of them: 0 0 1 1 1 2 2 2 2 3 3
        ("trec_eval-10", [1.0] * 5 + [0.5] * 4 + [0.0] * 2),
        # for floor(3p + 0.9), 3 * 0.7 being 2.0999999999999996: 0 1 1 1 2 2 2 2 3 3 3
        ("trec_eval-9", [1.0] * 4 + [0.5] * 4 + [0.0] * 3),
    ],
)
def test_b39_interpolated_precision_follows_the_version_that_is_named(rules, eleven):
    found = evaluate(
        run={"1": ["a", "x", "y", "b"]},
        qrels={"1": {"a": 1, "b": 1, "c": 1}},
        measures=["iprec_at_recall", "11pt_avg"],
        rules=rules,
    )
    assert found.summary.tolist() == pytest.approx([*eleven, sum(eleven) / 11])
    assert found.to_dict()["rules"] == rules


def test_b40_a_document_that_is_called_as_its_topic_is_a_document():
    # BEIR drops it in silence: 9 of 10
    documents = [str(number) for number in range(10)]
    found = evaluate(run={"0": documents}, qrels={"0": dict.fromkeys(documents, 1)}, measures="recall_10 P_10 map")
    assert found.summary.tolist() == [1.0, 1.0, 1.0]


def test_b41_every_spelling_is_understood_and_no_cutoff_is_lost():
    assert parse_measures(["P.1", "P.2"]) == (P @ 1, P @ 2)
    assert parse_measures(["ndcg_cut_10", "ndcg_cut.10", "nDCG@10"]) == (nDCG @ 10,)
    assert parse_measures("ndcg@10") == (nDCG @ 10,)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("map.", "did you mean 'map'"),
        ("P.0", "whole number of at least 1"),
        ("precision", "P needs a cutoff, such as P@10"),  # ranx's name of it, which has one too
        ("precison", "did you mean 'Precision'"),
    ],
)
def test_b41_a_name_that_is_none_gets_the_nearest(name, hint):
    with pytest.raises(MeasureError, match=hint):
        parse_measures(name)


def test_b42_a_repeated_cutoff_counts_once():
    assert parse_measures("P.5,5") == parse_measures({"P_5", "P.5"}) == (P @ 5,)
    found = evaluate(run={"1": ["a"]}, qrels={"1": {"a": 1}}, measures=["P.5,5", "P_5"])
    assert found.measures == (P @ 5,)


def test_b43_each_measure_keeps_its_value():
    names = ["map", "recall_100", "ndcg_cut_10"]
    found = evaluate(run={"1": ["x", "a"]}, qrels={"1": {"a": 1}}, measures=names, name="text")
    assert found.summary.tolist() == pytest.approx([1 / 2, 1.0, 1 / L3])
    plain = found.to_dict()
    assert list(plain["measures"]) == list(plain["topics"]["1"]) == ["AP", "R@100", "nDCG@10"]
    assert plain["run"] == "text"


@pytest.mark.parametrize("score", [np.float32(0.5), np.float16(0.5), 1, np.int64(3), np.uint8(3)])
def test_b44_numbers_of_numpy_are_numbers(score):
    for grade in (1, np.int64(1), np.int8(1)):
        assert evaluate(run={"q": {"d": score}}, qrels={"q": {"d": grade}}, measures="recip_rank").summary == [1.0]


@pytest.mark.parametrize("score", [True, np.bool_(True), "0.5", None])
def test_b44_what_is_no_number_is_refused_where_it_stands(score):
    for run in ({"q": {"d": score}}, {"q": {"c": 1.0, "d": score}}):
        with pytest.raises(TypeError, match="document 'd' in topic 'q' is"):
            evaluate(run=run, qrels={"q": {"d": 1}}, measures="recip_rank")


def test_b45_judgments_read_once_serve_twice(tmp_path):
    files = written(tmp_path, "1 0 a 1\n2 0 b 2\n", "1 Q0 a 1 2 r\n2 Q0 x 1 2 r\n2 Q0 b 2 1 r\n")
    qrels, run = read_qrels(files["qrels"]), read_run(files["run"])
    prepared = evaluator(qrels, "map ndcg")
    first, *others = [
        prepared.evaluate(run),
        prepared.evaluate(run),
        prepared.evaluate(files["run"]),
        evaluate(run=run, qrels=qrels, measures="map ndcg"),
        evaluate(run=run, qrels=qrels, measures=iter(["map", "ndcg"])),
    ]
    assert first.summary.tolist() == pytest.approx([(1 + 1 / 2) / 2, (1 + 1 / L3) / 2])
    for other in others:
        np.testing.assert_array_equal(other.values, first.values)
