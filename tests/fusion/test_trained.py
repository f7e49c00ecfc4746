"""Fusion that learns from judged topics: what it learns, from which topics, and what it refuses."""

from math import log

import pytest

from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.errors import DataError, FormatError, UsageError
from irkit.fusion import METHODS, Training, fuse
from irkit.fusion.request import requested
from irkit.fusion.trained import (
    learn_average_precision,
    learn_growing_segments,
    learn_log_odds,
    learn_positions,
    learn_segments,
)
from irkit.fusion.training import lessons_of
from irkit.judged import judge

TRAINED = [name for name, method in METHODS.items() if method.learn]
# Relevant at ranks 1 and 3 of 4; at rank 2 of 2; nothing found; and a relevant document that was not found.
QRELS = Qrels.of({"a": {"a1": 1, "a2": 0, "a3": 2}, "b": {"b2": 1, "b9": 1}, "c": {"c9": 1}})
RUN = Run.of({"a": ["a1", "a2", "a3", "a4"], "b": ["b1", "b2"], "z": ["z1"]})
JUDGED = judge(RUN, QRELS)


def options(name):
    return {"n_segments": 2} if name == "probfuse" else {}


def test_the_probability_at_a_rank_is_over_the_topics_that_reach_it():
    # rank 1: a1 yes, b1 no; rank 2: a2 no, b2 yes; rank 3: a3 yes; rank 4: a4 no
    assert learn_positions(JUDGED).tolist() == [1 / 2, 1 / 2, 1, 0]


def test_average_precision_is_the_mean_over_all_topics_trained_on():
    # a (1/1 + 2/3) / 2, b (1/2) / 2, c nothing found
    assert learn_average_precision(JUDGED)[0] == pytest.approx(((1 + 2 / 3) / 2 + 1 / 4 + 0) / 3)


def test_segments_are_equal_parts_of_each_list_the_last_ones_short():
    # two segments: a [1 0] [1 0], b [0] [1], c none: (1/2 + 0 + 0) / 3 and (1/2 + 1 + 0) / 3
    assert learn_segments(JUDGED, n_segments=2) == pytest.approx([0.5 / 3, 1.5 / 3])
    # three of 4 documents: two each, so that the third is empty; of 2: one each, and the third is empty
    assert learn_segments(JUDGED, n_segments=3) == pytest.approx([0.5 / 3, 1.5 / 3, 0])


def test_segments_of_segfuse_grow():
    judged = judge(Run.of({"t": [f"d{rank}" for rank in range(1, 61)]}), Qrels.of({"t": dict.fromkeys(
        ["d1", "d5", "d6", "d20", "d21", "d22", "d55", "d56"], 1)}))  # fmt: skip
    learned = learn_growing_segments(judged)
    # ranks 1-5: 2; 6-20: 2 of 15; 21-55: 3 of 35; 56-60, where the list ends: 1 of 5
    assert learned[:5] == pytest.approx([2 / 5, 2 / 15, 3 / 35, 1 / 5, 0])


def test_log_odds_are_of_the_precision_between_the_cutoffs_of_trec_eval():
    learned = learn_log_odds(JUDGED)
    # ranks 1 to 5: three relevant of 5 in each of 3 topics; below nothing, which counts 0.001
    assert learned[0] == pytest.approx(log(3 / 12))
    assert learned[1:] == pytest.approx([log(0.001 / 0.999)] * 8)


def test_a_precision_of_one_counts_0_999():
    judged = judge(Run.of({"t": list("abcde")}), Qrels.of({"t": dict.fromkeys("abcde", 1)}))
    assert learn_log_odds(judged)[0] == pytest.approx(log(0.999 / 0.001))


def test_bayesfuse_reckons_with_the_least_past_rank_1000():
    long = {"t": [f"d{rank:04}" for rank in range(1200)]}
    training = Training({"t": {"d0000": 1}}, runs=[long])
    found = fuse([long], "bayesfuse", training=training, depth=2000).to_dict()["t"]
    assert found["d1199"] == pytest.approx(log(0.001 / 0.999))
    assert found["d0000"] == pytest.approx(log(0.2 / 0.8))


RUNS = [
    Run.of({"q1": ["a", "b", "c"], "q2": ["a", "b"], "q3": ["c", "a"]}, "one"),
    Run.of({"q1": ["c", "b"], "q2": ["b", "d"], "q4": ["e"]}, "two"),
]
JUDGMENTS = {"q1": {"a": 1, "b": 0}, "q2": {"b": 1}, "q9": {"x": 1}}


@pytest.mark.parametrize("name", TRAINED)
def test_the_topics_trained_on_are_left_out(name):
    request = requested(RUNS, name, training=Training(JUDGMENTS), **options(name))
    assert request.run().topics == ("q3", "q4")
    assert request.notes[-1] == (
        "trained on 2 topics, which the fused run leaves out, since their judgments were seen: q1, q2"
    )


@pytest.mark.parametrize("name", TRAINED)
def test_with_runs_to_train_on_no_topic_is_left_out(name):
    request = requested(RUNS, name, training=Training(JUDGMENTS, runs=RUNS), **options(name))
    assert request.run().topics == ("q1", "q2", "q3", "q4")
    assert request.notes[-1] == (
        "trained on 2 topics; the ids are also those of 2 topics of the fused run: q1, q2. "
        "If they are the same topics, do without runs to train on"
    )


def test_a_topic_to_train_on_that_no_run_answers_is_passed_over():
    request = requested(RUNS, "posfuse", training=Training(JUDGMENTS, ["q9", "q2"]))
    assert request.run().topics == ("q1", "q3", "q4")
    assert request.notes[-1] == (
        "trained on 1 topic (1 topic passed over, of which no run has a document: q9), which the fused run leaves out, "
        "since their judgments were seen: q2"
    )


def test_topics_to_train_on_may_be_named(tmp_path):
    (tmp_path / "topics.txt").write_text("q2\n")
    for topics in (["q2"], (one for one in ["q2"]), tmp_path / "topics.txt"):
        fused = fuse(RUNS, "posfuse", training=Training(JUDGMENTS, topics))
        assert fused.topics == ("q1", "q3", "q4")
        # q2: b is second of the first run, first of the second: ranks 1 and 2 have 0 and 1, and 1 and 0
        assert fused.to_dict()["q1"] == {"c": 1.0, "b": 1.0, "a": 0.0}


def test_a_topic_that_a_run_lacks_is_an_empty_list_to_it():
    lessons = lessons_of(Training({"q3": {"a": 1}}), RUNS, 10)
    assert lessons.topics == ("q3",)
    assert [judged.n_retrieved.tolist() for judged in lessons.judged] == [[2], [0]]
    fused = fuse(RUNS, "mapfuse", training=Training({"q3": {"a": 1}}))  # average precision 1/2 and 0
    assert fused.to_dict()["q2"] == {"a": 0.5, "b": 0.25, "d": 0.0}


def test_training_reads_as_deep_as_the_fusion_does():
    deep = fuse(RUNS, "mapfuse", training=Training({"q3": {"a": 1}}), depth_in=1)
    assert deep.to_dict()["q2"] == {"b": 0.0, "a": 0.0}  # a is second in q3
    separate = Training({"q3": {"a": 1}}, runs=RUNS)
    assert fuse(RUNS, "mapfuse", training=separate, depth_in=1).to_dict()["q2"] == {"b": 0.0, "a": 0.0}


def test_a_negative_grade_is_not_relevant_and_neither_is_what_nobody_judged():
    assert learn_positions(judge(Run.of({"t": ["a", "b", "c"]}), Qrels.of({"t": {"a": -1, "c": 1}}))).tolist() == [
        0,
        0,
        1,
    ]


@pytest.mark.parametrize(
    ("training", "error", "message"),
    [
        (Training({"q9": {"x": 1}}), DataError, "there is no topic to train on: none is in the runs and in the qrels"),
        (Training(JUDGMENTS, []), DataError, "there is no topic to train on"),
        (Training(JUDGMENTS, ["q3"]), DataError, "'q3' cannot be trained on: not a topic that the qrels have"),
        (Training(JUDGMENTS, ["q9"]), DataError, "there is no topic to train on"),
        (Training(JUDGMENTS, {"q1": 1}), UsageError, "topics to train on come as a file or a list of ids"),
        (Training(JUDGMENTS, 5), UsageError, "topics to train on come as a file or a list of ids, not as 5"),
        (Training(JUDGMENTS, runs=RUNS[:1]), UsageError, "1 run to train on for 2 runs to fuse; give one for each"),
        (Training(JUDGMENTS, runs=RUNS[0]), UsageError, "runs to train on come in a list"),
        (Training(JUDGMENTS, runs=[]), UsageError, "there is no run to train on"),
        (Training("none.qrels"), FormatError, "none.qrels: cannot be read"),
        (Training({f"q{n}": {"a": 1} for n in range(1, 5)}), DataError, "all 4 topics of the runs are trained on"),
        (JUDGMENTS, UsageError, r"training is a Training\(qrels, ...\), not"),
    ],
)  # fmt: skip
def test_training_that_cannot_be_is_refused(training, error, message):
    with pytest.raises(error, match=message):
        fuse(RUNS, "mapfuse", training=training)
