"""The interface of a re-ranking model, and the models known by name."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from irkit._utils.text import nearest
from irkit.errors import UsageError

if TYPE_CHECKING:
    from irkit.retrieval.encoder import Encoder
    from irkit.retrieval.minilm import MiniLM

# In print order; any other name is a cross-encoder.
PACKAGED: Final = {
    "maxsim": "late interaction of the token vectors of all-MiniLM-L6-v2",
    "cosine": "cosine of its sentence vectors",
}
BATCH: Final = 32
DEFAULT: Final = "maxsim"  # better on two of three collections and in their mean: docs/reranking.md


class Reranker(Protocol):
    """Interface of a model that scores how well a document answers a query, from their texts.

    Attributes
    ----------
    name : str
        Name for people.
    identity : str
        Differs if anything that changes the scores differs, such as weights and maximum length; not by machine.
    max_length : int
        Maximum number of tokens of a text, or of query and document together for a model that reads both at once.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def identity(self) -> str: ...  # noqa: D102
    @property
    def max_length(self) -> int: ...  # noqa: D102

    def prepare(self, texts: Sequence[str]) -> int:
        """Compute and keep what depends on the documents alone; return the number of texts that were new."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.floating]:
        """Score n texts for a query, shape (n,), finite; higher is better."""
        ...

    def truncated(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether the model left out a part of each of n texts, or of the query, shape (n,)."""
        ...


def load_reranker(
    name: str | os.PathLike[str] = DEFAULT, *, max_length: int | None = None, batch_size: int | None = None
) -> Reranker:
    """Load a re-ranker by name or from a folder.

    Parameters
    ----------
    name : str or path
        `maxsim` and `cosine` use all-MiniLM-L6-v2 from its package and need no network. Any other name or folder is a
        cross-encoder, loaded by sentence-transformers.
    max_length : int, optional
        Maximum number of tokens of query and document together; by default the limit of the model. Cross-encoders
        only.
    batch_size : int, optional
        Number of pairs computed together, 32 by default. Cross-encoders only.

    Raises
    ------
    UsageError
        If the name seems to be misspelt, a number is below 1, or an option is not for this re-ranker.
    MissingDependencyError
        If a package is missing.
    DataError
        If the model does not exist, or does not give one score for a pair.
    """
    model = os.fspath(name)
    if model not in PACKAGED:
        # Names on the hub have an owner and a slash; a name without them may be a misspelling.
        if not model or ("/" not in model and not Path(model).exists() and nearest(model, PACKAGED)):
            raise UsageError(
                f"unknown re-ranker {model!r}; did you mean {nearest(model, PACKAGED) or DEFAULT!r}? Give "
                f"{', '.join(PACKAGED)}, or the folder or name of a cross-encoder"
            )
        from irkit.retrieval.rerank.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(
            model, max_length=max_length, batch_size=BATCH if batch_size is None else batch_size
        )
    if max_length is not None or batch_size is not None:
        raise UsageError(f"{model} has the limits of its encoder; maximal length and batch size are for cross-encoders")
    from irkit.retrieval.encoder import packaged_minilm

    minilm = packaged_minilm()
    return cosine_reranker(minilm) if model == "cosine" else maxsim_reranker(minilm)


def cosine_reranker(encoder: "Encoder") -> Reranker:
    """Make the re-ranker by the cosine of the vectors of query and document, as in dense retrieval."""
    from irkit.retrieval.rerank.interaction import Interaction

    return Interaction("cosine", encoder, lambda texts: list(encoder.encode(texts)[:, None, :]))


def maxsim_reranker(encoder: "MiniLM") -> Reranker:
    """Make the re-ranker by late interaction of all token vectors, including [CLS] and [SEP].

    All-MiniLM-L6-v2 was not trained for late interaction. With [CLS] and [SEP], nDCG@10 on Cranfield was higher
    (docs/reranking.md), and every text has at least one token.
    """
    from irkit.retrieval.rerank.interaction import Interaction

    return Interaction("maxsim", encoder, encoder.encode_tokens)
