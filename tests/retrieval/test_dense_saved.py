"""Dense indexes in folders: what they say of themselves, what is checked when they are read, and joining them."""

import hashlib
import json
import re

import numpy as np
import pytest
from collections_at_hand import documents_of, topics_of, with_manifest
from vectors_at_hand import Given, Letters, unit_vectors

from irkit.data.documents import Document
from irkit.errors import DataError, FormatError, UsageError
from irkit.retrieval import dense, vectors
from irkit.retrieval.dense import index as dense_index
from irkit.retrieval.index_kinds import Flat, Hnsw, Ivf, IvfPq, ScalarQuantised

faiss = pytest.importorskip("faiss")

TEXTS = {"one": "a", "two": "ab", "three": "b", "four": "c"}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "irkit" / "vectors"


def saved(folder, texts=TEXTS, encoder=None, **options):
    dense.save_index(dense.build_index(documents_of(texts), encoder or Letters(), **options), folder)
    return folder


# What is kept -------------------------------------------------------------------------------------------------------


def test_the_manifest_says_all_that_made_the_index(tmp_path):
    encoder = Letters()
    encoder.pooling, encoder.query_prefix = "mean", "a"
    documents = documents_of({"x": "aaaaaaaa", "y": " ", "z": "b"}, title={"x": "c"})
    index = dense.build_index(documents, encoder, kind=Hnsw(m=8), fields=["title", "contents"], document_prefix="b ")
    dense.save_index(index, tmp_path / "index")
    kept = json.loads((tmp_path / "index" / "irkit.json").read_text())
    names = ("index", "docid")
    shas = {name: hashlib.sha256((tmp_path / "index" / name).read_bytes()).hexdigest() for name in names}
    assert kept.pop("files") == shas
    shas = {name: kept.pop(name) for name in ("ids", "content", "sha256")}
    assert all(re.fullmatch("[0-9a-f]{64}", sha) for sha in shas.values())
    assert kept == {
        "kind": "dense",
        "documents": 3,
        "indexed": 3,
        "fields": ["title", "contents"],
        "versions": {"faiss": faiss.__version__},
        "encoder": "letters 3",
        "encoder_name": "letters",
        "dimensions": 3,
        "max_length": 5,
        "pooling": "mean",
        "normalised": True,
        "truncated": 1,
        "empty": 1,
        "query_prefix": "a",
        "document_prefix": "b ",
        "index_kind": "hnsw",
        "parameters": {"m": 8, "ef_construction": 200},
    }


@pytest.mark.parametrize(
    "kind", [Flat(), Hnsw(), Ivf(2), IvfPq(2, 4, 4), ScalarQuantised()], ids=lambda kind: kind.name
)
def test_an_index_of_any_kind_answers_as_before_it_was_saved(tmp_path, kind):
    texts = {f"d{n}": f"t{n}" for n in range(700)}
    given = dict(zip((*texts.values(), "q"), unit_vectors(701, 8, 1), strict=True))
    index = dense.build_index(documents_of(texts), Given(given), kind=kind)
    dense.save_index(index, tmp_path / "index")
    loaded = dense.load_index(tmp_path / "index")
    assert (loaded.kind, loaded.manifest) == (kind.name, index.manifest)
    before, after = (dense.search_index(one, topics_of({"1": "q"}), encoder=Given(given)) for one in (index, loaded))
    assert before.run.as_trec() == after.run.as_trec()
    assert before.details == after.details


# B57 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Flat(), Hnsw()], ids=lambda kind: kind.name)
def test_b57_k_above_the_corpus_is_capped_and_an_empty_topic_is_noted(kind):
    index = dense.build_index(documents_of({"x": "a", "y": "ab"}), Letters(), kind=kind)
    found = dense.search_index(index, topics_of({"1": "a", "2": " "}), encoder=Letters(), k=10)
    assert {topic: list(documents) for topic, documents in found.run.to_dict().items()} == {"1": ["x", "y"]}
    assert found.notes == ("1 topic without text, not searched: 2",)


# B58 ----------------------------------------------------------------------------------------------------------------


def test_b58_an_index_and_an_encoder_of_other_sizes_are_named_before_anything_is_encoded(tmp_path):
    loaded = dense.load_index(saved(tmp_path / "index", encoder=Letters(6)))
    other = Letters(8)
    with pytest.raises(DataError, match="the index has 6 dimensions, encoder letters gives 8; search with the encoder"):
        dense.search_index(loaded, topics_of({"1": "a"}), encoder=other)
    with pytest.raises(DataError, match="the index has 6 dimensions, encoder letters gives 8"):
        dense.recall_of_index(loaded, topics_of({"1": "a"}), other)
    assert other.encoded == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "runes", "identity": "runes"}, "was made by encoder letters, not by runes"),
        ({"max_length": 9, "identity": "letters 9"}, r"by another encoder letters \(5 tokens, now 9\)"),
        ({"identity": "other weights"}, r"by another encoder letters \(weights or settings differ\)"),
    ],
    ids=str,
)
def test_another_encoder_of_the_same_size_is_refused_with_both_sides(change, message):
    index = dense.build_index(documents_of(TEXTS), Letters())
    other = Letters()
    vars(other).update(change)
    with pytest.raises(DataError, match=message):
        dense.search_index(index, topics_of({"1": "a"}), encoder=other)


# B59 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("one\ntwo\nthree\nfour\nfive\n", "the dense index holds 4 vectors, 5 ids"),
        ("one\ntwo\nthree\ntwo\n", "document id 'two' stands twice"),
        ("two\none\nthree\nfour\n", r"the SHA-256 of the ids: [0-9a-f]{64} in its manifest, [0-9a-f]{64} in its files"),
    ],
)
def test_b59_ids_that_do_not_fit_the_vectors_are_refused_with_the_folder(tmp_path, ids, message):
    folder = saved(tmp_path / "index")
    (folder / "docid").write_text(ids)
    with_manifest(folder)
    with pytest.raises(DataError, match=f"^{re.escape(str(folder))}: {message}"):
        dense.load_index(folder)


@pytest.mark.parametrize("kind", [Flat(), Hnsw(), Ivf(1)], ids=lambda kind: kind.name)
def test_b59_joined_shards_give_each_vector_its_own_id(tmp_path, kind):
    texts = {f"d{n:02}": f"t{n}" for n in range(80)}
    given = dict(zip(texts.values(), unit_vectors(80, 8, 2), strict=True))
    shards = [dict(list(texts.items())[:40]), dict(list(texts.items())[40:])]
    parts = [
        dense.load_index(saved(tmp_path / str(n), shard, Given(given), kind=kind)) for n, shard in enumerate(shards)
    ]
    joined = dense.join_indexes(parts)
    whole = dense.build_index(documents_of(texts), Given(given), kind=kind)
    assert joined.kind == kind.name
    topics = topics_of(texts)
    search = {"ef_search": 80} if kind.name == "hnsw" else {}
    for index in (joined, whole):  # the best match of vector n is document n
        run = dense.search_index(index, topics, encoder=Given(given), k=1, **search).run
        assert [documents for _, documents, _ in run.by_topic()] == [[name] for name in sorted(texts)]
    again = dense.join_indexes(parts, kind=kind)
    assert faiss.serialize_index(again.index).tobytes() == faiss.serialize_index(whole.index).tobytes()
    assert (joined.manifest.documents, joined.manifest.ids) == (80, whole.manifest.ids)


def test_what_does_not_fit_is_not_joined():
    def built(texts, **options):
        return dense.build_index(documents_of(texts), options.pop("encoder", Letters()), **options)

    first = built({"x": "aaaaaaaa", "y": " "})
    manifest = dense.join_indexes([first, built({"z": "bbbbbbb"})]).manifest
    assert (manifest.documents, manifest.truncated, manifest.empty) == (3, 2, 1)
    with pytest.raises(DataError, match="document id 'x' stands twice"):
        dense.join_indexes([first, built({"x": "a"})])
    with pytest.raises(DataError, match="indexes 1 and 2 do not fit: encoder 'letters 3' and 'letters 4'"):
        dense.join_indexes([first, built({"z": "a"}, encoder=Letters(4))])
    with pytest.raises(DataError, match="do not fit: document_prefix '' and 'b'"):
        dense.join_indexes([first, built({"z": "a"}, document_prefix="b")])
    with pytest.raises(DataError, match="index 2 is sq8, whose vectors are compressed"):
        dense.join_indexes([first, built({"z": "a"}, kind=ScalarQuantised())])
    with pytest.raises(DataError, match="index 1 has no manifest"):
        dense.join_indexes([dense.DenseIndex(faiss.IndexFlatIP(3), (), None)])
    with pytest.raises(UsageError, match="there is no index to join"):
        dense.join_indexes([])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dimensions": 4}, "dimensions: 4 in its manifest, 3 in its files"),
        ({"indexed": 5}, "documents: 5 in its manifest, 4 in its files"),
        ({"index_kind": "hnsw"}, "the kind of index: hnsw in its manifest, flat in its files"),
        ({"ids": "0" * 64}, "the SHA-256 of the ids: 0{64} in its manifest"),
    ],
    ids=str,
)
def test_files_that_are_not_those_of_the_manifest_are_refused_with_both_sides(tmp_path, change, message):
    folder = with_manifest(saved(tmp_path / "index"), **change)
    with pytest.raises(DataError, match=message):
        dense.load_index(folder)


@pytest.mark.parametrize(
    "change", [{"normalised": 1}, {"parameters": {"m": "8"}}, {"empty": -1}, {"query_prefix": None}], ids=str
)
def test_a_dense_manifest_with_a_wrong_type_is_refused(tmp_path, change):
    with pytest.raises(FormatError, match=f"is no manifest of an index: its {next(iter(change))}"):
        dense.load_index(with_manifest(saved(tmp_path / "index"), **change))


def test_an_id_with_a_line_end_is_not_saved(tmp_path):
    with pytest.raises(DataError, match=r"document id 'a\\nb' contains a line end"):
        saved(tmp_path / "index", {"a\nb": "a"})
    assert not (tmp_path / "index").exists()


def test_an_index_of_another_program_is_searched(tmp_path):
    index = faiss.IndexFlatIP(3)
    index.add(Letters().encode(["a", "b"]))
    faiss.write_index(index, str(tmp_path / "index"))
    (tmp_path / "docid").write_text("x\ny\n")
    run = dense.search_index(dense.load_index(tmp_path), topics_of({"1": "a"}), encoder=Letters()).run
    assert run.to_dict() == {"1": {"x": 1.0, "y": 0.0}}


# B60 ----------------------------------------------------------------------------------------------------------------


def test_b60_texts_cut_short_are_counted_and_so_are_those_without_text(tmp_path):
    loaded = dense.load_index(saved(tmp_path / "index", {"x": "aaaaaaaa", "y": "b", "z": " "}))
    found = dense.search_index(loaded, topics_of({"1": "a", "2": "bbbbbbbb"}), encoder=Letters())
    assert found.notes == (
        "1 of 3 documents without text, ranked nevertheless",
        "letters reads 5 tokens: 1 of 3 documents truncated",
        "letters reads 5 tokens: 1 of 2 topics truncated",
    )
    told = {name: found.details[name] for name in ("max_length", "truncated_documents", "empty_documents")}
    assert told == {"max_length": 5, "truncated_documents": 1, "empty_documents": 1}


# Prefixes -----------------------------------------------------------------------------------------------------------


def test_prefixes_stand_before_topics_and_documents_also_after_loading(tmp_path):
    given = {"passage: x": [1, 0], "passage: y": [0, 1], "query: x": [0.6, 0.8], "x": [1, 0]}
    encoder = Given(given, query_prefix="query: ", document_prefix="passage: ")
    loaded = dense.load_index(saved(tmp_path / "index", {"1": "x", "2": "y"}, encoder))
    topics = topics_of({"t": "x"})
    assert dense.search_index(loaded, topics, encoder=encoder).run.to_dict() == {"t": {"2": 0.8, "1": 0.6}}
    other = dense.search_index(loaded, topics, encoder=encoder, query_prefix="")
    assert other.run.to_dict() == {"t": {"1": 1.0, "2": 0.0}}
    assert (other.details["query_prefix"], other.details["document_prefix"]) == ("", "passage: ")


def test_a_prefix_that_is_given_goes_before_that_of_the_encoder():
    encoder = Given({"x": [1, 0]}, query_prefix="query: ", document_prefix="passage: ")
    manifest = dense.build_index(documents_of({"1": "x"}), encoder, query_prefix="q ", document_prefix="").manifest
    assert (manifest.query_prefix, manifest.document_prefix) == ("q ", "")


def test_vectors_that_are_not_of_length_one_are_refused_unless_the_encoder_says_so():
    given = {"x": [3, 4], "y": [0, 0]}
    with pytest.raises(DataError, match="gave a vector of length 5 for the text 'x'; scale its vectors to length 1"):
        vectors.encode(["y", "x"], Given(given))
    longer = Given(given, normalised=False)
    found = dense.search(documents_of({"1": "x", "2": "y"}), topics_of({"t": "x"}), encoder=longer)
    assert found.run.to_dict() == {"t": {"1": 25.0, "2": 0.0}}


# Large corpora ------------------------------------------------------------------------------------------------------


def test_documents_come_in_batches_and_no_more_of_them_are_held(monkeypatch, cache):
    monkeypatch.setattr(dense_index, "DOCUMENTS_AT_ONCE", 10)
    held, most = 0, 0

    class Watched(Document):
        def __del__(self):
            nonlocal held
            held -= 1

    def documents():
        nonlocal held, most
        for n in range(45):
            held += 1
            most = max(most, held)
            yield Watched(f"d{n}", "a" * (n % 30 + 1) + "b")

    encoder = Letters()
    index = dense.build_index(documents(), encoder)
    assert len(index.ids) == 45
    assert most <= 21  # a batch, the one before, and one document on the way
    assert len(encoder.encoded) == len(set(encoder.encoded)) == 30  # those of a later batch come from the cache
    assert len(list(cache.glob("*/*"))) == 3  # one file a batch with something new in it
    whole = dense.build_index(documents(), Letters())
    assert whole.manifest == index.manifest
    assert np.array_equal(whole.index.reconstruct_n(0, 45), index.index.reconstruct_n(0, 45))


def test_a_file_of_the_cache_that_goes_away_meanwhile_is_made_again(cache):
    vectors.encode(["a", "b"], Letters())
    encoder = Letters()
    store = vectors.VectorStore(encoder)
    for path in cache.glob("*/*"):
        path.unlink()
    assert store.encode(["b", "a", "b"], lambda steps: None).vectors.tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    assert sorted(encoder.encoded) == ["a", "b"]
