"""What changed between two runs: known answers, a plain program's answers, and parts that add up."""

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import holds_for
from samples import SAMPLES, qrels, runs

import irkit
from irkit.changes import RunDiff, document_texts, first_words
from irkit.data.judgments.fractional import FractionalQrels
from irkit.data.runs import Run
from irkit.errors import DataError, FormatError, MeasureError, UsageError
from irkit.measures import parse_measure
from irkit.measures.contributions import CONTRIBUTIONS

few = settings(max_examples=15, deadline=None, database=None)

QRELS = {"t1": {"a": 2, "b": 1, "c": 1, "n": 0}, "t2": {"d": 1}, "t3": {"e": 1}}
A = {"t1": ["n", "b", "c", "a"], "t2": ["x", "d"], "t3": ["e"]}
B = {"t1": ["a", "u", "b", "n"], "t2": ["x", "d"], "t3": ["v", "e"]}
AT_2 = 1 / log2(3)  # the discount of rank 2


def listed(topic):
    return [(one.id, one.change, one.grade, one.ranks) for one in topic.documents]


def test_topics_stand_by_the_size_of_their_change_with_the_documents_that_made_it():
    found = irkit.diff(A, B, QRELS, "DCG@2")
    assert found.topics == ("t1", "t3", "t2")  # t1: AT_2 becomes 2; t3: 1 becomes AT_2; t2 stays
    first, second, third = found.by_topic()
    assert first.values == (pytest.approx((AT_2, 2)),)
    # c left rank 3, and n fell from 1 to 4, where DCG@2 asks for neither.
    assert listed(first) == [
        ("a", "gained", 2, (4, 1)),
        ("b", "lost", 1, (2, 3)),
        ("u", "new", None, (None, 2)),
    ]
    assert [one.difference for one in first.documents] == pytest.approx([2, -AT_2, 0])
    assert listed(second) == [("e", "down", 1, (1, 2)), ("v", "new", None, (None, 1))]
    assert second.documents[0].contributions == pytest.approx((1, AT_2))
    assert listed(third) == []
    assert (found.n_changed, found.n_half) == (2, 1)
    assert found.shown == ("t1", "t3")
    assert (found.n("gained"), found.n("lost"), found.n("up"), found.n("down"), found.n("new")) == (1, 1, 0, 1, 2)


def test_without_a_cutoff_a_document_retrieved_by_both_moves_however_deep():
    found = irkit.diff(A, B, QRELS, "AP")
    # A has b, c, a at 2, 3, 4: (1/2 + 2/3 + 3/4) / 3; B has a, b at 1, 3: (1 + 2/3) / 3
    assert found.topic("t1").values == (pytest.approx(((1 / 2 + 2 / 3 + 3 / 4) / 3, (1 + 2 / 3) / 3)),)
    documents = {one.id: one for one in found.topic("t1").documents}
    assert {name: one.change for name, one in documents.items()} == {"a": "up", "b": "down", "c": "lost", "u": "new"}
    parts = {name: one.difference for name, one in documents.items()}
    assert parts == pytest.approx({"a": (1 - 3 / 4) / 3, "b": (2 / 3 - 1 / 2) / 3, "c": -2 / 9, "u": 0})


def test_a_document_at_its_rank_contributes_more_where_a_relevant_one_came_in_above():
    found = irkit.diff({"1": ["x", "r"]}, {"1": ["s", "r"]}, {"1": {"r": 1, "s": 1}}, "AP")
    assert [(one.id, one.change, one.ranks) for one in found.topic("1").documents] == [
        ("s", "gained", (None, 1)),
        ("r", "same", (2, 2)),
    ]
    assert [one.difference for one in found.topic("1").documents] == pytest.approx([1 / 2, (2 / 2 - 1 / 2) / 2])


def test_documents_that_are_not_relevant_are_gained_or_lost_where_a_measure_counts_them():
    found = irkit.diff({"1": ["n", "x"]}, {"1": ["x", "m"]}, {"1": {"n": 0, "m": 0, "r": 1}}, "Judged@2")
    assert listed(found.topic("1")) == [("m", "gained", 0, (None, 2)), ("n", "lost", 0, (1, None))]
    assert [one.difference for one in found.topic("1").documents] == [1 / 2, -1 / 2]


def test_a_document_that_counts_and_moved_far_is_up_one_way_and_down_the_other():
    deep, high = [*map(str, range(12)), "n"], [*map(str, range(5)), "n", *map(str, range(5, 12))]
    forth, back = (irkit.diff({"1": a}, {"1": b}, {"1": {"n": 0}}, "Judged") for a, b in ((deep, high), (high, deep)))
    assert [one for one in listed(forth.topic("1")) if one[0] == "n"] == [("n", "up", 0, (13, 6))]
    # Without n above it the document 9 comes from rank 11 to 10.
    assert listed(back.topic("1")) == [("n", "down", 0, (6, 13)), ("9", "new", None, (11, 10))]


MIRRORED = {"gained": "lost", "lost": "gained", "up": "down", "down": "up", "same": "same"}


EXPLAINED = [measure for measure in SAMPLES if measure.name in CONTRIBUTIONS]


@pytest.mark.slow
@settings(max_examples=5, deadline=None, database=None)
@given(first=runs(), second=runs(), grades=qrels())
def test_what_counts_is_mirrored_where_the_runs_change_places(first, second, grades):
    def law(measure):
        forth, back = irkit.diff(first, second, grades, measure), irkit.diff(second, first, grades, measure)
        assert forth.topics == back.topics
        for one, other in zip(forth.by_topic(), back.by_topic(), strict=True):
            assert {
                (each.id, MIRRORED[each.change], *each.ranks) for each in one.documents if each.change != "new"
            } == {(each.id, each.change, *each.ranks[::-1]) for each in other.documents if each.change != "new"}
            assert not any(any(each.contributions) for each in one.documents if each.change == "new")

    holds_for(EXPLAINED, law)


def test_relevant_is_what_the_measure_takes_for_it():
    found = irkit.diff({"1": ["x", "a", "b"]}, {"1": ["b", "a", "x"]}, {"1": {"a": 1, "b": 2}}, "P(rel=2)@1")
    assert listed(found.topic("1")) == [("b", "gained", 2, (3, 1))]


def test_a_measure_that_sees_the_judged_ones_only_has_them_within_its_cutoff():
    found = irkit.diff({"1": ["x", "y", "a"]}, {"1": ["x", "y"]}, {"1": {"a": 1}}, "P(judged_only=True)@1")
    assert listed(found.topic("1")) == [("a", "lost", 1, (3, None))]
    assert found.topic("1").documents[0].difference == -1


def test_a_document_that_was_pooled_and_not_judged_is_not_judged():
    found = irkit.diff({"1": ["a"]}, {"1": ["p", "a"]}, {"1": {"a": 1, "p": -1}}, "nDCG@10")
    assert listed(found.topic("1")) == [("a", "down", 1, (1, 2)), ("p", "new", None, (None, 1))]


def test_documents_are_listed_where_their_parts_are_not_known():
    found = irkit.diff(A, B, QRELS, "F@2")
    assert [(one.id, one.change) for one in found.topic("t1").documents] == [
        ("a", "gained"),
        ("b", "lost"),
        ("u", "new"),
    ]
    assert {one.contributions for one in found.topic("t1").documents} == {None}
    assert found.topic("t1").by_convention is None


def test_a_topic_without_relevant_documents_changes_by_convention():
    found = irkit.diff({"1": ["a"], "2": ["n"]}, {"1": ["a"]}, {"1": {"a": 1}, "2": {"n": 0}}, no_relevant="abstain")
    assert found.topics == ("2", "1")
    assert found.topic("2").values == ((0.0, 1.0),)
    assert found.topic("2").by_convention == 1.0
    assert found.topic("1").by_convention == 0.0
    left = irkit.diff({"1": ["a"], "2": ["n"]}, {"1": ["a"]}, {"1": {"a": 1}, "2": {"n": 0}}, no_relevant="skip")
    assert left.topics == ("1",)


def test_topics_of_one_change_stand_in_the_order_of_their_bytes():
    grades = {topic: {"r": 1} for topic in ("10", "9", "a")}
    found = irkit.diff({topic: ["r"] for topic in grades}, {topic: ["x"] for topic in grades}, grades, "P@10")
    assert found.topics == ("10", "9", "a")
    assert found.n_half == 2  # of three of 0.1: 0.2 is the first to be half of 0.3 or more


def test_only_those_that_fall_or_rise_are_shown():
    found = irkit.diff(A, B, QRELS, "DCG@2")
    assert found.showing("worst").shown == ("t3",)
    assert found.showing("best").shown == ("t1",)
    assert found.showing(n=1).shown == ("t1",)
    assert found.showing(topics=["t2", "t3"]).shown == ("t3", "t2")
    assert found.showing(topics=["t3"]).ids_shown() == {"e", "v"}
    with pytest.raises(UsageError, match="unknown order of topics 'wrost'; did you mean 'worst'"):
        found.showing("wrost")
    with pytest.raises(UsageError, match="topic 't22' is not among the 3 topics compared; did you mean 't2'"):
        found.showing(topics=["t22"])
    with pytest.raises(UsageError, match="0 or more, not -1"):
        found.showing(n=-1)


def test_means_and_missing_topics_are_those_of_the_evaluations():
    found = irkit.diff({"1": ["a"], "7": ["z"]}, {"2": ["b"]}, {"1": {"a": 1}, "2": {"b": 1}}, "P@1 RR")
    first, second = found.evaluations
    assert (first.missing, second.missing, first.unjudged) == (("2",), ("1",), ("7",))
    assert found.values.tolist() == [[[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]
    with pytest.raises(DataError, match="no topic is in all of run, run: nothing can be compared"):
        irkit.diff({"1": ["a"]}, {"2": ["b"]}, {"1": {"a": 1}, "2": {"b": 1}}, average="intersection")
    with pytest.raises(DataError, match="no topic in common"):
        irkit.diff({"1": ["a"]}, {"8": ["b"]}, {"1": {"a": 1}})


def test_runs_that_return_the_same_are_the_same():
    assert irkit.diff(A, A, QRELS).same_runs
    other = irkit.diff({"1": ["a", "x"]}, {"1": ["a", "y"]}, {"1": {"a": 1}})
    assert not other.same_runs
    assert other.n_changed == other.n_half == 0


def test_ranks_are_those_of_the_rules_and_of_the_order_chosen():
    both = {"1": {"a": 1.0, "b": 1.0 + 1e-12}}
    grades = {"1": {"a": 1}}
    usual = irkit.diff({"1": ["a"]}, both, grades, "nDCG@10")
    # by 64 bits b is above a; by 32 they tie, and b is above a by its id; as given, a is first
    assert usual.topic("1").documents[0].ranks == (1, 2)
    as_given = irkit.diff({"1": ["b", "a"]}, {"1": {"a": 1.0, "b": 1.0}}, grades, "nDCG@10", ties="file")
    assert as_given.topic("1").documents[0].ranks == (2, 1)
    tied = {"1": {"b": 1.0, "c": 1.0 + 1e-12, "a": 1.0}}
    rounded = irkit.diff({"1": ["b"]}, tied, {"1": {"b": 1}}, "P@1", rules="trec_eval-9")
    assert [one.ranks for one in rounded.topic("1").documents] == [(1, 2), (None, 1)]  # c, b, a


def test_passages_are_collapsed_and_a_topics_own_document_dropped_before_ranks_count():
    found = irkit.diff({"q": ["a#1", "a#2", "b#1"]}, {"q": ["q", "b#1"]}, {"q": {"b": 1}}, collapse="#", drop_self=True)
    assert listed(found.topic("q")) == [("b", "up", 1, (2, 1))]
    assert found.evaluations[0].notes[0].startswith("collapsed 3 passages of 1 topic to 2 documents")


def test_fractional_grades_are_gains():
    grades = FractionalQrels.of({"1": {"a": 0.5, "b": 1.5, "n": 0.0}})
    found = irkit.diff({"1": ["a", "n"]}, {"1": ["b", "a"]}, grades, "DCG@1", fractional=True)
    assert listed(found.topic("1")) == [("b", "gained", 1.5, (None, 1)), ("a", "lost", 0.5, (1, 2))]
    assert [one.difference for one in found.topic("1").documents] == [1.5, -0.5]


def test_what_has_no_one_rank_or_no_one_grade_is_refused():
    with pytest.raises(UsageError, match="ties 'best' takes several"):
        irkit.diff(A, B, QRELS, ties="best")
    with pytest.raises(MeasureError, match="alpha_nDCG@10 needs qrels by subtopic"):
        irkit.diff(A, B, QRELS, "alpha_nDCG@10")
    with pytest.raises(UsageError, match="no measure"):
        irkit.diff(A, B, QRELS, ())


@settings(max_examples=5, deadline=None, database=None)
@given(first=runs(), second=runs(), grades=qrels())
def test_the_parts_add_up_to_the_difference(first, second, grades):
    def law(measure):
        for topic in irkit.diff(first, second, grades, measure).by_topic():
            total = sum(one.difference for one in topic.documents)
            assert total == pytest.approx(topic.difference, abs=1e-12)
            assert topic.by_convention == 0

    holds_for(EXPLAINED, law)


def plainly(first, second, grades, cutoff):
    """The same by loops: change and ranks of each document of each topic, for nDCG at a cutoff."""
    found = {}
    for topic, judged in grades.items():
        ours, theirs = (
            [document for document, _ in sorted(run.get(topic, {}).items(), key=lambda one: one[0].encode())]
            for run in (first, second)
        )
        ours.sort(key=lambda document: (first[topic][document], document.encode()), reverse=True)
        theirs.sort(key=lambda document: (second[topic][document], document.encode()), reverse=True)
        rows = found[topic] = {}
        for document in {*ours, *theirs}:
            a, b = (ranking.index(document) + 1 if document in ranking else None for ranking in (ours, theirs))
            in_a, in_b = a is not None and a <= cutoff, b is not None and b <= cutoff
            grade = judged.get(document, -1)
            if grade > 0 and in_a != in_b:
                rows[document] = ("gained" if in_b else "lost", a, b)
            elif grade > 0 and in_a and a != b:
                rows[document] = ("up" if b < a else "down", a, b)
            elif grade <= 0 and in_b and not in_a:
                rows[document] = ("new", a, b)
    return found


@few
@given(first=runs(), second=runs(), grades=qrels(), cutoff=st.integers(1, 12))
def test_a_plain_program_finds_the_same_documents(first, second, grades, cutoff):
    found = irkit.diff(first, second, grades, f"nDCG@{cutoff}")
    ours = {
        topic.id: {one.id: (one.change, *one.ranks) for one in topic.documents if one.change != "same"}
        for topic in found.by_topic()
    }
    assert ours == plainly(first, second, grades, cutoff)
    sizes = [abs(topic.difference) for topic in found.by_topic()]
    assert sizes == pytest.approx(sorted(sizes, reverse=True), abs=1e-12)


@few
@given(first=runs(), second=runs(), grades=qrels())
def test_the_other_way_round_every_part_is_turned(first, second, grades):
    there, back = (irkit.diff(*pair, grades, "nDCG@5") for pair in ((first, second), (second, first)))
    assert there.topics == back.topics
    turned = {"gained": "lost", "lost": "gained", "up": "down", "down": "up"}
    for one, other in zip(there.by_topic(), back.by_topic(), strict=True):
        ours = {
            (document.id, turned[document.change], document.ranks[::-1], document.contributions[::-1])
            for document in one.documents
            if document.change != "new"
        }
        theirs = {
            (document.id, document.change, document.ranks, document.contributions)
            for document in other.documents
            if document.change != "new"
        }
        assert ours == theirs


def test_new_documents_are_looked_at_to_the_cutoff_or_to_ten():
    first, second = {"1": [f"a{n}" for n in range(300)]}, {"1": [f"b{n}" for n in range(300)]}
    new = {name: irkit.diff(first, second, {"1": {"r": 1}}, name).n("new") for name in ("nDCG@20", "AP", "R@200")}
    assert new == {"nDCG@20": 20, "AP": 10, "R@200": 100}


def test_a_result_has_everything_as_plain_values():
    found = irkit.diff(A, B, QRELS, "DCG@2 RR", names=("one", "two"))
    found = found.with_groups({"t1": "x", "t2": "y", "t3": "x"}).with_texts({"t1": "a query"}, {"a": "a text"})
    whole = found.to_dict()
    assert whole["runs"] == ["one", "two"]
    assert [topic["topic"] for topic in whole["topics"]] == ["t1", "t3", "t2"]
    assert whole["topics"][0]["text"] == "a query"
    assert whole["topics"][0]["group"] == "x"
    assert whole["topics"][0]["documents"][0] == {
        "document": "a",
        "change": "gained",
        "grade": 2,
        "ranks": [4, 1],
        "contributions": [0.0, 2.0],
        "difference": 2.0,
        "text": "a text",
    }
    assert whole["measures"]["RR"]["values"] == pytest.approx([(1 / 2 + 1 / 2 + 1) / 3, (1 + 1 / 2 + 1 / 2) / 3])
    with pytest.raises(DataError, match="no group is given for 2 of 3 topics, such as 't2'"):
        found.with_groups({"t1": "x"})


def test_a_result_can_be_looked_at_and_not_written_to():
    found = irkit.diff(A, B, QRELS, "DCG@2")
    assert isinstance(found, RunDiff)
    # (2 * 0.6309 + 1) / 3, (2 + 2 * 0.6309) / 3
    assert repr(found) == "<RunDiff 'run (1)', 'run (2)': DCG@2 0.7540 and 1.0873, 2 of 3 topics changed>"
    for array in (found.values, found.documents.ranks, found.documents.contributions):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_runs_that_are_read_already_are_taken_as_they_are():
    read = irkit.diff(Run.of(A, "one"), Run.of(B), QRELS, "DCG@2")
    assert [one.name for one in read.evaluations] == ["one", "run"]
    assert read.topics == ("t1", "t3", "t2")


def test_first_words_stand_on_one_line():
    assert first_words("  one\n two\tthree ") == "one two three"
    assert first_words("word " * 50) == "word " * 18 + "word..."  # 94 signs and three; another word is too long
    assert first_words("x" * 200) == "x" * 97 + "..."
    assert len(first_words("é " * 10_000_000)) <= 100


def test_texts_are_read_until_all_are_found(tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text('{"id": "a", "contents": "A"}\n{"id": "b", "contents": "B"}\nbroken\n')
    assert document_texts(path, {"b"}) == {"b": "B"}
    assert document_texts(path, set()) == {}
    with pytest.raises(FormatError, match=r"documents\.jsonl:3"):
        document_texts(path, {"c"})


def test_counts_of_a_large_run_are_found_without_looking_at_each_topic():
    rng = np.random.default_rng(0)
    names = [f"{n:03d}" for n in range(200)]

    def run(seed):
        order = np.random.default_rng(seed).permutation(50)
        return {topic: [f"d{n}" for n in np.roll(order, int(topic))] for topic in names}

    grades = {topic: {f"d{n}": int(rng.integers(0, 3)) for n in range(0, 50, 3)} for topic in names}
    found = irkit.diff(run(1), run(2), grades, parse_measure("nDCG@10"))
    totals = {change: sum(topic.n(change) for topic in found.by_topic()) for change in ("gained", "lost", "new")}
    assert totals == {change: found.n(change) for change in totals}
    assert found.n("new", judged=False) == sum(topic.n("new", judged=False) for topic in found.by_topic()) > 0
