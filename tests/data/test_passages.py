"""Passages taken for their documents, and documents that are their own topic."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irkit.cli import main
from irkit.data.passages import collapse, drop_self
from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.evaluation.scoring import Evaluator, evaluate

PASSAGES = {"1": {"a#1": 4.0, "b#1": 3.0, "a#2": 3.0, "c": 1.0}, "2": {"b#9": 0.5}}


def ranked(run):
    return {topic: list(zip(documents, scores, strict=True)) for topic, documents, scores in run.by_topic()}


def test_a_document_has_the_score_of_its_best_passage():
    found = collapse(Run.of(PASSAGES), "#")
    assert ranked(found.run) == {"1": [("a", 4.0), ("b", 3.0), ("c", 1.0)], "2": [("b", 0.5)]}
    assert found.note == "collapsed 5 passages of 2 topics to 4 documents; 2 topics have fewer than 10"


def test_ties_of_best_passages_go_by_document_or_by_first_passage():
    # as bytes 'a-1' stands before 'a!b-1', since '-' is above '!', and the document 'a' behind 'a!b', which is longer
    run = Run.of({"1": {"a-1": 1.0, "a!b-1": 1.0, "c-1": 0.5}})
    assert ranked(collapse(run, "-").run) == {"1": [("a!b", 1.0), ("a", 1.0), ("c", 0.5)]}
    assert ranked(collapse(run, "-", "first").run) == {"1": [("a", 3.0), ("a!b", 2.0), ("c", 1.0)]}


def test_the_first_separator_ends_the_document_and_may_be_long():
    run = Run.of({"1": {"a#1#2": 3.0, "a#b": 2.0, "http://x::4": 1.0}})
    assert ranked(collapse(run, "#").run) == {"1": [("a", 3.0), ("http://x::4", 1.0)]}
    assert ranked(collapse(run, "::").run)["1"][-1] == ("http://x", 1.0)


def test_a_separator_that_stands_in_no_id_is_said():
    found = collapse(Run.of(PASSAGES), "%")
    assert found.run.to_dict() == Run.of(PASSAGES).to_dict()
    assert found.note == "'%' stands in no document id: nothing was collapsed"


def test_what_cannot_be_collapsed_is_refused():
    with pytest.raises(DataError, match="run: nothing stands before '#' in '#3'"):
        collapse(Run.of({"1": ["a#1", "#3"]}), "#")
    with pytest.raises(UsageError, match="not ''"):
        collapse(Run.of(PASSAGES), "")
    with pytest.raises(UsageError, match="unknown way to collapse 'sum'; choose one of max, first"):
        collapse(Run.of(PASSAGES), "#", "sum")


def test_empty_topics_stay_and_a_long_list_is_not_short():
    run = {"1": [f"d{place}#{part}" for place in range(10) for part in range(2)], "2": []}
    found = collapse(Run.of(run), "#")
    assert found.run.topics == ("1", "2")
    assert found.note == "collapsed 20 passages of 2 topics to 10 documents"
    assert len(collapse(Run.of({}), "#").run) == 0


passages = st.dictionaries(
    st.tuples(st.sampled_from("abcB"), st.integers(0, 3)).map(lambda pair: f"{pair[0]}#{pair[1]}"),
    st.sampled_from([0.0, 1.0, 1.5, -1.0]),
    max_size=12,
)


@given(run=st.dictionaries(st.sampled_from(["1", "2", "10"]), passages, min_size=1))
def test_collapse_is_the_best_passage_of_each_document_by_plain_loops(run):
    best = {}
    for topic, documents in run.items():
        best[topic] = {}
        for passage, score in documents.items():
            document = passage.split("#")[0]
            best[topic][document] = max(best[topic].get(document, score), score)
    assert ranked(collapse(Run.of(run), "#").run) == ranked(Run.of(best))
    firsts = {topic: list(dict.fromkeys(p.split("#")[0] for p in docs)) for topic, docs, _ in Run.of(run).by_topic()}
    by_first = {topic: documents for topic, documents, _ in collapse(Run.of(run), "#", "first").run.by_topic()}
    assert by_first == firsts


def test_recall_of_passages_is_no_more_than_one():
    # seven relevant documents, found in ten passages: a program that counted passages reported 10 / 7 = 1.43
    documents = [f"d{place}" for place in range(7)]
    run = {"1": [f"{document}#{part}" for part in (1, 2) for document in documents][:10]}
    qrels = {"1": dict.fromkeys(documents, 1)}
    result = evaluate(run=run, qrels=qrels, measures="R@10 P@10 AP", collapse="#")
    assert result.summary.tolist() == [1.0, 0.7, 1.0]
    assert result.notes == ("collapsed 10 passages of 1 topic to 7 documents; 1 topic has fewer than 10",)
    as_it_is = evaluate(run=run, qrels=qrels, measures="R@10")
    assert as_it_is.value("R@10") == 0.0
    assert as_it_is.notes[0].startswith("no retrieved document is judged")


def test_passages_are_collapsed_before_the_cut():
    # 'b' is at rank 4 by passages, at rank 2 by documents
    run = {"1": ["a#1", "a#2", "a#3", "b#1"]}
    assert evaluate(run=run, qrels={"1": {"b": 1}}, measures="RR@2", collapse="#").value("RR@2") == 0.5


def test_b40_a_document_named_like_its_topic_leaves_on_request_only_and_is_counted():
    perfect = {"0": {str(place): 1 for place in range(10)}}
    measures = ["R@10", "P@10", "AP"]
    assert evaluate(run=perfect, qrels=perfect, measures=measures).summary.tolist() == [1.0, 1.0, 1.0]
    result = evaluate(run=perfect, qrels=perfect, measures=measures, drop_self=True)
    assert result.summary.tolist() == pytest.approx([0.9, 0.9, 0.9])
    assert result.notes == ("dropped 1 document that is its own topic",)


def test_what_is_dropped_leaves_its_rank_and_its_topic_stays():
    run = Run.of({"1": ["1", "a", "2"], "2": ["2"]}, "mine")
    left = drop_self(run)
    assert ranked(left.run) == {"1": [("a", 2.0), ("2", 1.0)], "2": []}
    assert (left.n_dropped, left.note) == (2, "dropped 2 documents that are their own topic")
    assert left.run.name == "mine"
    result = evaluate(run=run, qrels={"1": {"a": 1}, "2": {"b": 0}}, measures="RR", drop_self=True)
    assert result.values[:, 0].tolist() == [1.0, 0.0]
    assert result.missing == ()
    assert drop_self(left.run).note == "dropped 0 documents that are their own topic"


def test_the_passages_of_a_topic_leave_with_their_document():
    run = {"q": ["q#1", "a#1", "q#2"]}
    result = evaluate(run=run, qrels={"q": {"a": 1, "q": 1}}, measures="RR NumRet", collapse="#", drop_self=True)
    assert result.summary.tolist() == [1.0, 1.0]
    assert result.notes == (
        "collapsed 3 passages of 1 topic to 2 documents; 1 topic has fewer than 10",
        "dropped 1 document that is its own topic",
    )


def test_a_file_is_collapsed_as_a_dict_is(tmp_path):
    lines = [f"{t} Q0 {d} 0 {s} tag\n" for t, docs in PASSAGES.items() for d, s in docs.items()]
    random.Random(1).shuffle(lines)
    (tmp_path / "passages.run").write_text("".join(lines))
    scorer = Evaluator({"1": {"b": 1}, "2": {"b": 1}}, "RR", collapse="#", collapse_by="first")
    assert scorer.evaluate(tmp_path / "passages.run").values.tolist() == scorer.evaluate(PASSAGES).values.tolist()
    assert scorer.evaluate(tmp_path / "passages.run").name == "passages"


def call(capfd, *words):
    status = main(list(words))
    out, err = capfd.readouterr()
    return status, out, err


def test_score_and_compare_collapse_and_say_so(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("1 Q0 a#1 1 4 r\n1 Q0 a#2 2 3 r\n1 Q0 1 3 2 r\n1 Q0 b#1 4 1 r\n")
    Path("qrels").write_text("1 0 b 1\n")
    options = ["qrels", "-m", "RR", "--collapse", "#", "--collapse-by", "max", "--drop-self"]
    said = [
        "collapsed 4 passages of 1 topic to 3 documents; 1 topic has fewer than 10",
        "dropped 1 document that is its own topic",
    ]
    status, out, _ = call(capfd, "score", "run", *options)
    assert status == 0
    assert out.splitlines()[1:] == [*said, "", "run      RR", "───────────", "run  0.5000"]
    status, out, _ = call(capfd, "compare", "run", "run", *options)
    assert (status, out.splitlines()[1:3]) == (0, said)
    status, _, err = call(capfd, "score", "run", *options, "--format", "csv")
    assert (status, err.splitlines()[1:3]) == (0, said)
    status, out, err = call(capfd, "score", "run", "qrels", "--collapse-by", "max")
    assert (status, out) == (2, "")
    assert err.startswith("irkit: --collapse-by needs --collapse SEPARATOR")
