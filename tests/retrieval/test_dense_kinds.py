"""Kinds of dense index: each finds what it should, in irkit's order, whatever the filters and the ties."""

import numpy as np
import pytest
from collections_at_hand import documents_of, topics_of
from hypothesis import given
from hypothesis import strategies as st
from vectors_at_hand import Given, Letters, exact, grid_vectors, unit_vectors

from irkit.errors import DataError, UsageError
from irkit.ids import Ids
from irkit.retrieval import dense
from irkit.retrieval.dense import engine
from irkit.retrieval.index_kinds import KINDS, Flat, Hnsw, Ivf, IvfPq, ScalarQuantised, kind_of, parameters_of

faiss = pytest.importorskip("faiss")

N, DIMENSIONS = 3000, 16
MATRIX = grid_vectors(N, DIMENSIONS, 1)
QUERIES = grid_vectors(40, DIMENSIONS, 2)
IDS = tuple(f"d{n}" for n in range(N))
TOPICS = [str(n) for n in range(len(QUERIES))]
# All of them search exactly so, or nearly: an approximate one by as much work as an exact one.
WHOLLY = {
    "flat": (Flat(), {}),
    "hnsw": (Hnsw(), {"ef_search": 400}),
    "ivf": (Ivf(), {"n_probes": 10_000}),
}


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def index_of(kind, matrix=MATRIX, ids=IDS):
    index, _ = engine.make_index(kind, [matrix], matrix.shape[1])
    return dense.DenseIndex(index, ids, None)


@pytest.fixture(scope="module")
def indexes():
    kinds = [Flat(), Hnsw(), Ivf(), IvfPq(pq_bits=6), ScalarQuantised()]
    return {kind.name: index_of(kind) for kind in kinds}


def found(index, k=10, **options):
    run = dense.search_vectors(index, TOPICS, QUERIES, k=k, **options)
    ranked = {topic: documents for topic, documents, _ in run.by_topic()}
    return [ranked.get(topic, []) for topic in TOPICS]


def recall(ours, wanted):
    return np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(ours, wanted, strict=True)])


# What is found ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 10, 100, 5000])
def test_flat_is_plain_numpy_sorted(indexes, k):
    assert found(indexes["flat"], k) == exact(MATRIX, QUERIES, IDS, k)


@pytest.mark.parametrize("name", ["hnsw", "ivf"])
def test_an_approximate_index_that_looks_everywhere_is_exact(indexes, name):
    assert recall(found(indexes[name], **WHOLLY[name][1]), exact(MATRIX, QUERIES, IDS, 10)) > 0.999


def test_hnsw_finds_95_of_100_and_more_with_more_candidates(indexes):
    wanted = exact(MATRIX, QUERIES, IDS, 10)
    few, usual = (recall(found(indexes["hnsw"], ef_search=ef), wanted) for ef in (1, 128))
    assert usual >= 0.95
    assert few < usual


@pytest.mark.parametrize("name", ["hnsw", "ivf"])
@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_defaults_find_most_however_many_are_wanted(indexes, name, k):
    # FAISS by itself leaves a graph early where ef_search is below k, and gives fewer documents.
    ours = found(indexes[name], k)
    assert [len(row) for row in ours] == [k] * len(TOPICS)
    assert recall(ours, exact(MATRIX, QUERIES, IDS, k)) >= {"hnsw": 0.98, "ivf": 0.5}[name]


def test_an_index_that_is_not_searched_widely_enough_is_told():
    texts = {f"d{n}": f"t{n}" for n in range(100)}
    given = dict(zip((*texts.values(), "q"), unit_vectors(101, 8, 7), strict=True))
    index = dense.build_index(documents_of(texts), Given(given), kind=Ivf(2))
    few = dense.search_index(index, topics_of({"1": "q", "2": "q"}), encoder=Given(given), n_probes=1, k=200)
    assert few.notes == (
        "2 topics for which the ivf index found fewer than 100 documents; raise ef_search or n_probes: 1, 2",
    )
    none = dense.search_index(
        index, topics_of({"1": "q"}), encoder=Given(given), n_probes=1, allowed=lambda topic: frozenset({"d1"})
    )
    assert none.notes == ()


def test_ivf_finds_more_in_more_lists(indexes):
    # 4 sqrt(3000) = 219 lists would leave 13.7 vectors a list; 39 are needed: 3000 // 39 = 76.
    assert indexes["ivf"].index.nlist == 76
    wanted = exact(MATRIX, QUERIES, IDS, 10)
    one, usual, half = (recall(found(indexes["ivf"], n_probes=n), wanted) for n in (1, None, 38))
    assert one < usual < half


@pytest.mark.parametrize(("name", "least"), [("sq8", 0.95), ("ivf-pq", 0.3)])
def test_compressed_vectors_lose_some(indexes, name, least):
    options = {"n_probes": 10_000} if name == "ivf-pq" else {}
    assert least <= recall(found(indexes[name], **options), exact(MATRIX, QUERIES, IDS, 10)) < 1


def test_scores_are_inner_products_to_six_decimals(indexes):
    run = dense.search_vectors(indexes["hnsw"], ["t"], QUERIES[:1], k=5).to_dict()["t"]
    assert run == {name: float(np.round(QUERIES[0] @ MATRIX[IDS.index(name)].astype(float), 6)) for name in run}


# Filters ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["flat", "hnsw", "ivf"])
@pytest.mark.parametrize("share", [2, 50, 1000])
def test_a_filtered_topic_is_compared_exactly_with_all_that_pass(indexes, name, share):
    allowed = frozenset(IDS[::share]) | {"not there"}
    rows = np.arange(0, N, share)
    ours = found(indexes[name], 20, allowed=[allowed] * len(TOPICS))
    assert ours == exact(MATRIX[rows], QUERIES, [IDS[row] for row in rows], 20)


def test_topics_may_have_filters_of_their_own_or_none(indexes):
    filters = [None, frozenset({"d5", "d7"}), frozenset(), frozenset({"not there"})] * 10
    ours = found(indexes["hnsw"], allowed=filters, ef_search=400)
    for place, row in enumerate(ours):
        wanted = exact(MATRIX, QUERIES[place : place + 1], IDS, 10)[0]
        some = exact(MATRIX[[5, 7]], QUERIES[place : place + 1], ["d5", "d7"], 10)[0]
        assert row == [wanted, some, [], []][place % 4]


@pytest.mark.parametrize("name", ["hnsw", "ivf"])
def test_places_of_minus_one_never_become_documents(indexes, name):
    # One list of some 40 vectors cannot give 3000; whatever a graph gives of them.
    few = {"n_probes": 1} if name == "ivf" else {"ef_search": 1}
    raw = engine.usual_mode(indexes[name].index, N, **few).search(QUERIES, N)[1]
    ours = found(indexes[name], N, **few)
    assert [len(row) for row in ours] == (raw >= 0).sum(axis=1).tolist()
    assert name == "hnsw" or (raw == -1).any()


# Order --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Flat(), Hnsw(), Ivf(1)], ids=lambda kind: kind.name)
@pytest.mark.parametrize("reverse", [False, True])
def test_ties_across_the_cut_go_by_id_falling_in_every_kind(kind, reverse):
    # 120 vectors of one direction: all tie, and the fetched depth of 3 + 8 does not hold them.
    ids = tuple(f"d{n:03}" for n in range(120))
    index = index_of(kind, np.tile(unit_vectors(1, 8, 3), (120, 1)), ids[::-1] if reverse else ids)
    run = dense.search_vectors(index, ["t"], unit_vectors(1, 8, 4), k=3, ef_search=400 if kind.name == "hnsw" else None)
    assert next(run.by_topic())[1] == ["d119", "d118", "d117"]


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=40), st.integers(1, 45), st.randoms())
def test_any_ties_any_k_and_any_order_of_documents_give_the_plain_answer(letters, k, random):
    ids = [f"d{n}" for n in range(len(letters))]
    random.shuffle(ids)
    matrix = Letters().encode(letters)
    index = index_of(Flat(), matrix, tuple(ids))
    queries = Letters().encode(["a", "ab", "abc", "c"])
    run = dense.search_vectors(index, ["1", "2", "3", "4"], queries, k=k)
    assert [documents for _, documents, _ in run.by_topic()] == exact(matrix, queries, ids, k)


def test_a_score_of_nothing_has_no_sign():
    index = index_of(Flat(), np.array([[-1e-8, 1]], np.float32), ("x",))
    scores = dense.search_vectors(index, ["t"], np.array([[1, 0]], np.float32)).to_dict()["t"]
    assert str(scores["x"]) == "0.0"


def test_ids_are_taken_by_place():
    nothing = np.array([], dtype=np.int64)
    for names in ([b"a", b"", b"\xff\xfe", b"ccc"], [b"aa", b"bb", b"\xff\xfe", b"cc"], [b"", b"", b"", b""]):
        column = Ids.of(names)
        assert list(column.taken(np.array([3, 0, 0, 1, 2]))) == [names[place] for place in (3, 0, 0, 1, 2)]
        assert list(column.taken(nothing)) == []
    assert list(Ids.of([]).taken(nothing)) == []


# Building -----------------------------------------------------------------------------------------------------------


def raw(index):
    return faiss.serialize_index(index).tobytes()


@pytest.mark.parametrize("kind", [Hnsw(m=8), Ivf(20), IvfPq(20, 4, 4), ScalarQuantised()], ids=lambda kind: kind.name)
def test_equal_vectors_give_equal_bytes_whatever_the_parts_and_threads(kind):
    whole = engine.make_index(kind, [MATRIX], DIMENSIONS)[0]
    before = faiss.omp_get_max_threads()
    try:
        faiss.omp_set_num_threads(1 if before > 1 else 2)
        parted = engine.make_index(kind, list(np.array_split(MATRIX, 7)), DIMENSIONS)[0]
    finally:
        faiss.omp_set_num_threads(before)
    assert raw(whole) == raw(parted)


def test_blocks_are_of_one_size_and_lose_nothing():
    parts = [np.arange(a, b, dtype=np.float32).reshape(-1, 1) for a, b in ((0, 3), (3, 3), (3, 10), (10, 11))]
    blocks = list(engine._blocks(parts, 4))
    assert [len(block) for block in blocks] == [4, 4, 3]
    assert np.concatenate(blocks).ravel().tolist() == list(range(11))
    assert parts == []  # so that memory is free again


def test_a_sample_to_train_on_holds_each_vector_once_at_most():
    parts = [np.arange(a, b, dtype=np.float32).reshape(-1, 1) for a, b in ((0, 30), (30, 31), (31, 100))]
    drawn = engine._sample(parts, 50).ravel().tolist()
    assert len(drawn) == len(set(drawn)) == 50
    assert set(drawn) <= set(range(100))
    assert drawn == engine._sample(parts, 50).ravel().tolist()


@pytest.mark.parametrize(
    ("kind", "n", "message"),
    [
        (Ivf(), 38, "ivf index is trained on 39 vectors at least, and there are 38; take flat"),
        (Ivf(10), 200, r"ivf index of 10 lists is trained on 390 vectors at least, and there are 200; take 5 or fewer"),
        (IvfPq(), 3000, "of 8 bits is trained on 9984 vectors at least, and there are 3000; take 6, or ivf or flat"),
        (IvfPq(), 1, "9984 vectors at least, and there is 1; take flat"),
        (IvfPq(pq_m=5, pq_bits=4), 3000, "of 16 dimensions cannot be cut into 5 equal pieces; take 4"),
        (ScalarQuantised(), 0, "trained on 1 vector at least, and there are 0"),
    ],
    ids=str,
)
def test_too_few_vectors_are_refused_with_a_remedy(kind, n, message):
    with pytest.raises(UsageError, match=message):
        index_of(kind, MATRIX[:n], IDS[:n])


def test_what_depends_on_the_vectors_is_settled_when_it_is_built():
    assert parameters_of(IvfPq().settled(100_000, 384)) == {"n_lists": 1265, "pq_m": 96, "pq_bits": 8}
    assert parameters_of(IvfPq().settled(100_000, 50)) == {"n_lists": 1265, "pq_m": 10, "pq_bits": 8}  # 4 sqrt(1e5)
    assert parameters_of(Hnsw().settled(5, 384)) == {"m": 32, "ef_construction": 200}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("hnws", {}, "unknown kind of index 'hnws'; did you mean 'hnsw'"),
        ("flat", {"m": 3}, "flat index: there is no parameter 'm'; it has none"),
        ("hnsw", {"n_lists": 3}, "there is no parameter 'n_lists'; it has m, ef_construction"),
        ("hnsw", {"m": 3}, "m is a whole number from 4 to 128, not 3"),
        ("hnsw", {"m": True}, "m is a whole number from 4 to 128, not True"),
        ("ivf-pq", {"pq_bits": 9}, "pq_bits is a whole number from 4 to 8, not 9"),
    ],
)
def test_a_kind_that_cannot_be_is_refused(name, parameters, message):
    with pytest.raises(UsageError, match=message):
        kind_of(name, parameters)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_explains_itself_and_takes_the_bounds_of_its_parameters(kind):
    assert kind.meaning.endswith(".")
    for one in kind.parameters():
        assert one.meaning.endswith(".")
        for value in (one.least, one.most):
            assert getattr(kind_of(kind.name, {one.name: value}), one.name) == value


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("flat", {"ef_search": 10}, "ef_search is for hnsw indexes; this index is flat"),
        ("hnsw", {"n_probes": 10}, "n_probes is for ivf and ivf-pq indexes; this index is hnsw"),
        ("ivf", {"n_probes": 0}, "n_probes is a whole number of at least 1, not 0"),
    ],
)
def test_what_the_kind_of_index_has_not_is_refused_in_search(indexes, name, options, message):
    with pytest.raises(UsageError, match=message):
        found(indexes[name], **options)


@pytest.mark.parametrize(
    ("topics", "queries", "error", "message"),
    [
        (["1"], QUERIES[:2], UsageError, "1 topic need a matrix of as many rows"),
        (["1", "1"], QUERIES[:2], UsageError, "a topic stands twice"),
        (["1"], QUERIES[:1, :8], DataError, "the index has 16 dimensions, the queries have 8"),
        (["1"], np.full((1, DIMENSIONS), np.nan), DataError, "the vector of topic '1' is not finite"),
    ],
)
def test_queries_that_do_not_fit_are_refused(indexes, topics, queries, error, message):
    with pytest.raises(error, match=message):
        dense.search_vectors(indexes["flat"], topics, queries)


def test_an_index_that_numbers_its_vectors_in_its_own_way_is_refused():
    own = faiss.IndexIDMap(faiss.IndexFlatIP(DIMENSIONS))
    own.add_with_ids(MATRIX[:2], np.array([7, 3]))
    with pytest.raises(DataError, match="has its own numbers for vectors"):
        dense.DenseIndex(own, ("a", "b"), None)
    lists = engine.make_index(Ivf(1), [MATRIX[:39]], DIMENSIONS)[0]
    lists.reset()
    lists.add_with_ids(MATRIX[:2], np.array([7, 3]))
    with pytest.raises(DataError, match="a vector numbered 7, and there are 2 ids"):
        dense.search_vectors(dense.DenseIndex(lists, ("a", "b"), None), ["t"], QUERIES[:1])


# Recall -------------------------------------------------------------------------------------------------------------


def test_recall_is_the_share_of_the_exact_answer_by_hand():
    # Two directions of 39 documents each, one list for each, and one list searched: the nearest to the topic.
    east, north = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    index = index_of(Ivf(2), np.array([east] * 39 + [north] * 39), tuple(f"d{n}" for n in range(78)))
    query = np.array([[0.6, 0.8], [1, 0]], np.float32)
    one = dense.recall_of_vectors(index, query, 52, n_probes=1)
    assert (one.recall, one.least, one.k, one.n_topics) == (0.75, 0.75, 52, 2)  # 39 of 52 lie in the one list
    assert str(one) == "finds 0.7500 of the exact top 52 of its vectors (2 topics; 0.7500 at worst)"
    assert dense.recall_of_vectors(index, query, 52, n_probes=2).recall == 1


def test_recall_of_compressed_vectors_is_told_against_the_documents():
    texts = {f"d{n}": f"t{n}" for n in range(700)}
    vectors = dict(zip(texts.values(), unit_vectors(700, 8, 5), strict=True))
    topics = topics_of({"1": "q1", "2": "q2", "3": " "})
    encoder = Given({**vectors, **dict(zip(("q1", "q2"), unit_vectors(2, 8, 6), strict=True))})
    index = dense.build_index(documents_of(texts), encoder, kind=IvfPq(1, 2, 4))
    assert dense.recall_of_index(index, topics, encoder).recall == 1  # one list: all its vectors are compared
    lost = dense.recall_of_index(index, topics, encoder, documents=documents_of(texts))
    assert (lost.against, lost.n_topics) == ("the documents", 2)
    assert lost.recall < 0.9
    run = dense.search_index(index, topics, encoder=encoder, recall=10)
    assert "the ivf-pq index finds 1.0000 of the exact top 10 of its vectors (2 topics; 1.0000 at worst)" in run.notes


def test_recall_of_nothing_is_refused():
    index = dense.build_index(documents_of({"x": "a"}), Letters())
    with pytest.raises(DataError, match="there is nothing to find"):
        dense.recall_of_index(index, topics_of({"1": " "}), Letters())
