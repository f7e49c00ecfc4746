"""The forward pass of a BERT encoder in NumPy, used where onnxruntime is not installed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irkit.retrieval.minilm import Array, Shape, Tokens


def token_vectors(weights: "Mapping[str, Array]", shape: "Shape", ids: "Tokens", mask: "Tokens") -> "Array":
    """Compute the token vectors of a batch: the output of the last layer.

    Parameters
    ----------
    weights : mapping of str to float32 array
        Keyed by the names of a BERT checkpoint.
    shape : Shape
    ids, mask : int64 arrays of shape (n, length)
        Token ids, and 1 at tokens, 0 at padding.

    Returns
    -------
    float32 array of shape (n, length, hidden)
        Vectors are not scaled; those at padding have no meaning.

    References
    ----------
    Devlin et al., "BERT", NAACL 2019; post-norm layers, exact GELU.
    """
    n, length = ids.shape
    size = shape.hidden // shape.heads
    scale = np.float32(1 / np.sqrt(size))
    away = ((1 - mask) * np.float32(-1e9)).astype(np.float32)[:, None, None, :]

    def linear(x: "Array", name: str) -> "Array":
        product: Array = x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return product

    def norm(x: "Array", name: str) -> "Array":
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(shape.epsilon))
        normed: Array = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
        return normed

    def heads(x: "Array") -> "Array":
        return x.reshape(n, length, shape.heads, size).transpose(0, 2, 1, 3)

    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(shape.layers):
        name = f"encoder.layer.{layer}"
        query, key, value = (heads(linear(x, f"{name}.attention.self.{part}")) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) * scale + away
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        context = (scores @ value).transpose(0, 2, 1, 3).reshape(n, length, shape.hidden)
        x = norm(x + linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        inner = _gelu(linear(x, f"{name}.intermediate.dense"))
        x = norm(x + linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    return x


def pooled(tokens: "Array", mask: "Tokens") -> "Array":
    """Compute the vector of each text of a batch: the mean of its tokens, scaled to length 1; float32 (n, hidden)."""
    present = mask.astype(np.float32)[:, :, None]
    mean = (tokens * present).sum(axis=1) / present.sum(axis=1)
    unit: Array = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), np.float32(1e-12))
    return unit


def _gelu(x: "Array") -> "Array":
    from scipy.special import erf

    activated: Array = x * np.float32(0.5) * (1 + erf(x * np.float32(np.sqrt(0.5))))
    return activated
