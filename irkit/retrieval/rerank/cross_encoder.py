"""Cross-encoders, which read query and document together, by sentence-transformers."""

import hashlib
import importlib
import importlib.util
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from irkit.errors import DataError, MissingDependencyError, UsageError
from irkit.retrieval.encoder import check_words, first_line, weights_digest
from irkit.retrieval.texts import without_surrogates


class CrossEncoderReranker:
    """A cross-encoder by name or from a folder; implements `Reranker`.

    Scores are the output of the model before any activation, because a sigmoid would create ties among the best.

    Parameters
    ----------
    name : str
        Folder, or a name that sentence-transformers can fetch.
    max_length : int, optional
        Maximum number of tokens of query and document together; by default the limit of the model.
    batch_size : int
        Number of pairs computed together.

    References
    ----------
    Nogueira and Cho, "Passage Re-ranking with BERT", 2019.
    """

    def __init__(self, name: str, *, max_length: int | None = None, batch_size: int = 32) -> None:
        for what, number in (("maximal length", max_length), ("batch size", batch_size)):
            if number is not None and number < 1:
                raise UsageError(f"the {what} of a cross-encoder is at least 1, got {number}")
        if importlib.util.find_spec("sentence_transformers") is None:
            raise MissingDependencyError(
                f"the re-ranker {name!r} needs sentence-transformers; pip install 'irkit[sentence-transformers]', "
                "or use maxsim or cosine, which need no more than irkit[retrieval]"
            )
        from sentence_transformers import CrossEncoder

        try:
            with _no_bars():
                self._model: Any = CrossEncoder(name, max_length=max_length)
        except Exception as problem:  # many libraries report damaged models, each with its own class of error
            raise DataError(
                f"sentence-transformers cannot load {name!r} ({first_line(problem)}); give the folder of a "
                "cross-encoder, a name that it can fetch, or maxsim or cosine"
            ) from problem
        _check_head(name, self._model)
        check_words(name, self._model.tokenizer, self._model)
        n_outputs = int(self._model.config.num_labels)
        if n_outputs != 1:
            raise DataError(f"{name} gives {n_outputs} numbers for a pair; a re-ranker gives one")
        self.name = Path(name).name if Path(name).is_dir() else name
        self.max_length = int(self._model.tokenizer.model_max_length)
        self._batch_size = batch_size
        words = json.dumps(sorted(self._model.tokenizer.get_vocab().items()))
        digest = hashlib.sha256(words.encode()).hexdigest()
        self.identity = f"cross-encoder {self.max_length} {weights_digest(self._model)} {digest}"

    def prepare(self, texts: Sequence[str]) -> int:
        """Do nothing: a cross-encoder computes nothing from a document alone; see `Reranker.prepare`."""
        return 0

    def score(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Score pairs, batched by length; see `Reranker.score`."""
        from torch.nn import Identity

        scores = np.empty(len(texts), dtype=np.float64)
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        output = self._model.predict(
            [(without_surrogates(query), without_surrogates(texts[row])) for row in order],
            batch_size=self._batch_size,
            activation_fn=Identity(),
            show_progress_bar=False,
        )
        scores[order] = np.asarray(output, dtype=np.float64).reshape(len(texts))
        return scores

    def truncated(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Whether pairs are truncated; see `Reranker.truncated`."""
        tokens = self._model.tokenizer(
            [without_surrogates(query)] * len(texts),
            list(map(without_surrogates, texts)),
            truncation=False,
            verbose=False,
        )["input_ids"]
        return np.array([len(pair_tokens) > self.max_length for pair_tokens in tokens], dtype=np.bool_)


def _check_head(name: str, model: Any) -> None:
    """Raise DataError for a model without a trained output layer, which would get random weights."""
    trained = ("ForSequenceClassification", "ForCausalLM")
    kinds = tuple(model.config.architectures or ())
    # In a model of several modules, the modules after the transformer are the output.
    if not any(kind.endswith(trained) for kind in kinds) and len(list(model.children())) < 2:
        raise DataError(
            f"{name} is not a cross-encoder: {', '.join(kinds) or 'its model'} gives no score for a pair of texts; "
            "give a model trained for it, or maxsim or cosine"
        )


@contextmanager
def _no_bars() -> Iterator[None]:
    """Context without the progress bars of transformers, which always print to standard error."""
    logging: Any = importlib.import_module("transformers.utils.logging")
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
