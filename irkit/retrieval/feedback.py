"""Pseudo-relevance feedback: expand a query by words of its first documents.

Both methods are those of Anserini, with its names and defaults; they need an index that stores the words of documents.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeAlias

from irkit._utils.text import instead
from irkit.errors import UsageError

FIRST_SEARCH: Final = 50  # documents that Anserini retrieves for RM3
MOST: Final = 2**31 - 1  # largest int of Java


@dataclass(frozen=True, slots=True)
class Rm3:
    """The relevance model RM3: a weighted mixture of the query and the most likely words of the first documents.

    Words of one letter, of more than 20, or in more than a tenth of the documents are never added.

    Attributes
    ----------
    fb_terms : int
        Number of words of the first documents that are kept.
    fb_docs : int
        Number of documents assumed relevant, at most 50.
    original_query_weight : float
        Weight of the original query, from 0 to 1; the new words have the rest.
    filter_terms : bool, optional
        Add only words of the letters a to z and digits. By default true only for an English index, because few words
        of other languages would pass.

    References
    ----------
    Abdul-Jaleel and others, UMass at TREC 2004: Novelty and HARD. Anserini, Rm3Reranker.
    """

    fb_terms: int = 10
    fb_docs: int = 10
    original_query_weight: float = 0.5
    filter_terms: bool | None = None

    # Names in recipes and commands.
    names: ClassVar[Mapping[str, str]] = {
        "fb_terms": "fb_terms",
        "fb_docs": "fb_docs",
        "original_weight": "original_query_weight",
    }

    def __post_init__(self) -> None:
        _check_count("RM3", "fb_terms", self.fb_terms, MOST)
        _check_count("RM3", "fb_docs", self.fb_docs, FIRST_SEARCH)
        _check_weight("RM3", "an original_query_weight", self.original_query_weight, 1, "from 0 to 1")

    def depth(self, k: int) -> int:
        """Return the search depth needed for the first k documents."""
        return k

    def set_on(self, searcher: Any, *, english: bool) -> None:
        """Set RM3 on Anserini's searcher."""
        filtered = english if self.filter_terms is None else self.filter_terms
        searcher.set_rm3(None, self.fb_terms, self.fb_docs, self.original_query_weight, False, filtered)

    def __str__(self) -> str:
        return f"rm3 fb_terms={self.fb_terms} fb_docs={self.fb_docs} weight={self.original_query_weight:g}"


@dataclass(frozen=True, slots=True)
class Rocchio:
    """Rocchio's method: move the query vector towards the first documents, and away from the last ones.

    Words of one letter, of more than 20, or in more than a tenth of the documents are never added.

    Attributes
    ----------
    top_fb_terms, top_fb_docs : int
        Numbers of words kept and documents read at the top of the ranking.
    alpha, beta : float
        Weights of the query and of the top documents, at least 0.
    bottom_fb_terms, bottom_fb_docs, gamma
        The same for documents at the bottom of the ranking, which are read only with `use_negative`.
    use_negative : bool
        Assume that the last of the k documents are nonrelevant. The run then depends on k.

    References
    ----------
    Rocchio, Relevance feedback in information retrieval, 1971. Anserini, RocchioReranker.
    """

    top_fb_terms: int = 10
    top_fb_docs: int = 10
    bottom_fb_terms: int = 10
    bottom_fb_docs: int = 10
    alpha: float = 1.0
    beta: float = 0.75
    gamma: float = 0.15
    use_negative: bool = False

    names: ClassVar[Mapping[str, str]] = {
        "fb_terms": "top_fb_terms",
        "fb_docs": "top_fb_docs",
        "alpha": "alpha",
        "beta": "beta",
        "gamma": "gamma",
        "bottom_terms": "bottom_fb_terms",
        "bottom_docs": "bottom_fb_docs",
        "use_negative": "use_negative",
    }

    def __post_init__(self) -> None:
        for name in ("top_fb_terms", "top_fb_docs", "bottom_fb_terms", "bottom_fb_docs"):
            _check_count("Rocchio", name, getattr(self, name), MOST)
        for name in ("alpha", "beta", "gamma"):
            _check_weight("Rocchio", name, getattr(self, name), sys.float_info.max, "of at least 0")

    def depth(self, k: int) -> int:
        """Return the search depth needed for the first k documents: Anserini takes feedback from these only."""
        return k if self.use_negative else max(k, self.top_fb_docs)

    def set_on(self, searcher: Any, *, english: bool) -> None:
        """Set Rocchio on Anserini's searcher."""
        searcher.set_rocchio(
            None,
            self.top_fb_terms,
            self.top_fb_docs,
            self.bottom_fb_terms,
            self.bottom_fb_docs,
            self.alpha,
            self.beta,
            self.gamma,
            False,
            self.use_negative,
        )

    def __str__(self) -> str:
        top = f"rocchio top={self.top_fb_terms}/{self.top_fb_docs} alpha={self.alpha:g} beta={self.beta:g}"
        if not self.use_negative:
            return top
        return f"{top} bottom={self.bottom_fb_terms}/{self.bottom_fb_docs} gamma={self.gamma:g}"


Feedback: TypeAlias = Rm3 | Rocchio


METHODS: Final[Mapping[str, type[Rm3] | type[Rocchio]]] = {"rm3": Rm3, "rocchio": Rocchio}


def feedback_of(description: str | Mapping[str, Any]) -> Feedback:
    """Read the feedback of a recipe: `rm3`, or `{"method": "rocchio", "fb_docs": 5}`."""
    table: dict[str, Any] = {"method": description} if isinstance(description, str) else dict(description)
    name = table.pop("method", None)
    if name not in METHODS:
        raise UsageError(f"unknown feedback {name!r}; {instead(name, METHODS)}")
    method = METHODS[name]
    for key in table:
        if key not in method.names:
            raise UsageError(f"{name} has no parameter {key!r}; {instead(key, method.names)}")
    return method(**{method.names[key]: value for key, value in table.items()})


def _check_count(method: str, name: str, count: int, most: int) -> None:
    if type(count) is not int or not 1 <= count <= most:
        raise UsageError(f"{method} needs {name} from 1 to {most}; got {count}")


def _check_weight(method: str, name: str, weight: float, most: float, bounds: str) -> None:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= most:
        raise UsageError(f"{method} needs {name} {bounds}; got {weight}")
