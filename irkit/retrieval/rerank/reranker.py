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

# In print order; whatever else is named is a cross-encoder.
PACKAGED: Final = {
    "maxsim": "late interaction of the token vectors of all-MiniLM-L6-v2",
    "cosine": "cosine of its sentence vectors",
}
BATCH: Final = 32
DEFAULT: Final = "maxsim"  # the better one on two of three collections, and in their mean: docs/reranking.md


class Reranker(Protocol):
    """A model that says how well a document answers a query, from their texts.

    Attributes
    ----------
    name : str
        For people.
    identity : str
        Changes with anything that changes the scores, such as weights and maximal length, and not with the machine.
    max_length : int
        Tokens that are read of a text, or of query and document together by a model that reads both at once.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def identity(self) -> str: ...  # noqa: D102
    @property
    def max_length(self) -> int: ...  # noqa: D102

    def prepare(self, texts: Sequence[str]) -> int:
        """Compute what depends on the documents alone, and keep it; returns for how many texts it was not known yet."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.floating]:
        """The scores of n texts for a query, shape (n,), finite; more is better."""
        ...

    def truncated(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """With which of n texts something was not read, of the text or of the query, shape (n,)."""
        ...


def load_reranker(
    name: str | os.PathLike[str] = DEFAULT, *, max_length: int | None = None, batch_size: int | None = None
) -> Reranker:
    """The re-ranker of that name.

    Parameters
    ----------
    name : str or path
        `maxsim` and `cosine` are computed by all-MiniLM-L6-v2 from its package and need no network. Any other name or
        folder is a cross-encoder that sentence-transformers loads.
    max_length : int, optional
        Tokens that a cross-encoder reads of query and document together; by default what the model was made for.
    batch_size : int, optional
        Pairs that a cross-encoder reads at a time; 32 if not given.

    Raises
    ------
    UsageError
        If the name is that of a packaged one misspelt, or the numbers are below 1.
    MissingDependencyError
        If a package is missing.
    DataError
        If there is no such model, or it does not give one score for a pair.
    """
    wanted = os.fspath(name)
    if wanted not in PACKAGED:
        # A name of the hub has an owner before a slash; one without may be a slip.
        if not wanted or ("/" not in wanted and not Path(wanted).exists() and nearest(wanted, PACKAGED)):
            raise UsageError(
                f"unknown re-ranker {wanted!r}; did you mean {nearest(wanted, PACKAGED) or DEFAULT!r}? Give "
                f"{', '.join(PACKAGED)}, or the folder or name of a cross-encoder"
            )
        from irkit.retrieval.rerank.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(
            wanted, max_length=max_length, batch_size=BATCH if batch_size is None else batch_size
        )
    if max_length is not None or batch_size is not None:
        raise UsageError(f"{wanted} reads as its encoder does; maximal length and batch size are for cross-encoders")
    from irkit.retrieval.encoder import packaged_minilm

    minilm = packaged_minilm()
    return cosine_reranker(minilm) if wanted == "cosine" else maxsim_reranker(minilm)


def cosine_reranker(encoder: "Encoder") -> Reranker:
    """The cosine of the vectors of query and document, as dense retrieval ranks by."""
    from irkit.retrieval.rerank.interaction import Interaction

    return Interaction("cosine", encoder, lambda texts: list(encoder.encode(texts)[:, None, :]))


def maxsim_reranker(encoder: "MiniLM") -> Reranker:
    """Late interaction of the vectors of all tokens, [CLS] and [SEP] among them.

    All-MiniLM-L6-v2 was not trained for it. On Cranfield those two in gave the better nDCG@10 (docs/reranking.md), and
    with them every text has a token.
    """
    from irkit.retrieval.rerank.interaction import Interaction

    return Interaction("maxsim", encoder, encoder.encode_tokens)
