"""A small BERT sentence encoder, loaded from its files: tokenizer, weights, mean pooling.

onnxruntime computes the forward pass as an ONNX graph, or NumPy computes the same.
"""

import hashlib
import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irkit._utils.cores import n_cores
from irkit.retrieval.cache import cache_folder, drop, keep, kept
from irkit.retrieval.texts import without_surrogates

Array: TypeAlias = npt.NDArray[np.float32]
Tokens: TypeAlias = npt.NDArray[np.int64]
Output: TypeAlias = Literal["vectors", "tokens"]
Forward: TypeAlias = Callable[[Tokens, Tokens, Output], Array]

GRAPH_VERSION: Final = 3


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a BERT: hidden width, attention heads, layers, and the epsilon of its norms."""

    hidden: int
    heads: int
    layers: int
    epsilon: float


class MiniLM:
    """A BERT encoder with mean pooling; implements `Encoder`.

    Parameters
    ----------
    folder : path
        Folder with `config.json`, `sentence_bert_config.json`, `tokenizer.json` and `model.safetensors`.
    name : str
    onnx : bool, optional
        Compute by onnxruntime (True) or NumPy (False); by default by onnxruntime if it and onnx are installed.
    batch : int
        Number of texts computed together.
    """

    pooling = "mean"
    normalised = True

    def __init__(self, folder: Path, name: str, *, onnx: bool | None = None, batch: int = 8) -> None:
        from safetensors.numpy import load
        from tokenizers import Tokenizer

        config = json.loads((folder / "config.json").read_bytes())
        self._shape = Shape(
            config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"], config["layer_norm_eps"]
        )
        self.name = name
        self.batch = batch
        self.dimensions = self._shape.hidden
        self.max_length = int(json.loads((folder / "sentence_bert_config.json").read_bytes())["max_seq_length"])
        data = (folder / "model.safetensors").read_bytes()
        tokenizer = (folder / "tokenizer.json").read_bytes()
        weights_digest = hashlib.sha256(data).hexdigest()
        digest = hashlib.sha256(tokenizer).hexdigest()
        self.identity = f"bert mean {name} {self.max_length} {weights_digest} {digest}"
        self._tokenizer = Tokenizer.from_str(tokenizer.decode())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_length)
        if onnx is None:
            onnx = all(importlib.util.find_spec(package) is not None for package in ("onnx", "onnxruntime"))
        self.backend = "onnxruntime" if onnx else "numpy"
        weights = load(data)
        self._forward: Forward = (
            _onnx_forward(weights, self._shape, weights_digest) if onnx else _numpy_forward(weights, self._shape)
        )

    def encode(self, texts: Sequence[str]) -> Array:
        """Encode texts, batched by length; see `Encoder.encode`."""
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for rows, ids, mask in self._batches(texts):
            vectors[rows] = self._forward(ids, mask, "vectors")
        return vectors

    def encode_tokens(self, texts: Sequence[str]) -> list[Array]:
        """Return the token vectors of n texts, each float32 of shape (tokens of the text, dimensions).

        The first token is [CLS], the last [SEP]; the vectors are not scaled. `encode` returns their mean, scaled to
        length 1.
        """
        vectors: dict[int, Array] = {}
        for rows, ids, mask in self._batches(texts):
            vectors_of_batch = self._forward(ids, mask, "tokens")
            for place, (row, n_tokens) in enumerate(zip(rows, mask.sum(axis=1).tolist(), strict=True)):
                vectors[row] = vectors_of_batch[place, :n_tokens].copy()  # a copy, so that the padded array is freed
        return [vectors[row] for row in range(len(texts))]

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether texts are truncated; see `Encoder.truncated`."""
        return np.array([bool(encoding.overflowing) for encoding in self._tokens(texts)], dtype=np.bool_)

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Tokens, Tokens]]:
        """Yield batches of texts with similar length: their rows, token ids and masks."""
        tokens = [encoding.ids for encoding in self._tokens(texts)]
        order = sorted(range(len(texts)), key=lambda row: len(tokens[row]))
        for start in range(0, len(order), self.batch):
            rows = order[start : start + self.batch]
            ids = np.zeros((len(rows), max(len(tokens[row]) for row in rows)), dtype=np.int64)
            mask = np.zeros_like(ids)
            for place, row in enumerate(rows):
                ids[place, : len(tokens[row])] = tokens[row]
                mask[place, : len(tokens[row])] = 1
            yield rows, ids, mask

    def _tokens(self, texts: Sequence[str]) -> list[Any]:
        encodings: list[Any] = self._tokenizer.encode_batch(list(map(without_surrogates, texts)))
        return encodings


def _numpy_forward(weights: Mapping[str, Array], shape: Shape) -> Forward:
    from irkit.retrieval.bert import pooled, token_vectors

    def forward(ids: Tokens, mask: Tokens, output: Output) -> Array:
        tokens = token_vectors(weights, shape, ids, mask)
        return tokens if output == "tokens" else pooled(tokens, mask)

    return forward


def _onnx_forward(weights: Mapping[str, Array], shape: Shape, digest: str) -> Forward:
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # do not send telemetry

    session_options = onnxruntime.SessionOptions()
    session_options.log_severity_level = 3
    # Explicit, because onnxruntime otherwise binds threads to processors, and warns if this is not permitted.
    session_options.intra_op_num_threads = n_cores()

    def session(graph: bytes) -> Any:
        return onnxruntime.InferenceSession(graph, session_options, providers=["CPUExecutionProvider"])

    root = cache_folder()
    path = root / "onnx" / f"{digest[:32]}-{GRAPH_VERSION}.graph" if root else None
    model = None
    if path and (content := kept(path)) is not None:
        try:
            model = session(bytes(content))
        except Exception:  # onnxruntime has no common error class
            drop(path)
    if model is None:
        from irkit.retrieval.bert_graph import bert_graph

        graph = bert_graph(weights, shape)
        if path:
            keep(path, graph)
        model = session(graph)

    def forward(ids: Tokens, mask: Tokens, output: Output) -> Array:
        output_values: Array = model.run([output], {"ids": ids, "mask": mask})[0]
        return output_values

    return forward
