"""Parameters of each method and their domains, for experiments, tuning and records."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from irkit._utils.text import instead, nearest
from irkit.data.topic_matching import TOPIC_RULES
from irkit.errors import UsageError
from irkit.fusion import METHODS as FUSIONS
from irkit.fusion import NORMALISATIONS
from irkit.fusion.table import Parameter as FusionParameter
from irkit.recipes.checks import Check, count, flag, number, one_of, text, texts, weighted, weights
from irkit.retrieval.analysis import ENGLISH, LANGUAGES, STEMMERS, Analysis
from irkit.retrieval.bm25 import HIGHEST_K1, HIGHEST_MU, MODELS
from irkit.retrieval.feedback import feedback_of
from irkit.retrieval.index_kinds import KIND_PARAMETERS, KINDS, SEARCH_PARAMETERS, check_search, kind_of
from irkit.retrieval.rerank.reranker import DEFAULT, PACKAGED
from irkit.retrieval.rerank.reranking import TAILS


def checked(method: str, name: str, value: Any) -> Any:
    """The value of a parameter, as the method takes it."""
    known = PARAMETERS[method]
    if name not in known:
        raise UsageError(f"{method} has no parameter '{name}'; {instead(name, known)}")
    return known[name](name, value)


def check_together(method: str, parameters: Mapping[str, Any], *, indexed: bool = False) -> None:
    """Refuse parameters that conflict, or that would have no effect."""
    if method == "bm25":
        _check_bm25(parameters)
    elif method == "dense" and not indexed:
        kind = parameters.get("kind", "flat")
        kind_of(kind, {name: parameters[name] for name in KIND_PARAMETERS if name in parameters})
        check_search(kind, {one.name: parameters.get(one.name) for one in SEARCH_PARAMETERS})
    elif method == "rerank":
        name = parameters.get("model", DEFAULT)
        meant = None if name in PACKAGED or Path(name).exists() else nearest(name, PACKAGED)
        if meant is not None:
            raise UsageError(f"there is no model '{name}'; did you mean '{meant}'?")


def _check_bm25(parameters: Mapping[str, Any]) -> None:
    analysis = ("language", "stemmer", "keep_stop_words", "pretokenized")
    given = {name: parameters[name] for name in analysis if name in parameters}
    Analysis(**given)
    own = given.get("language", ENGLISH) != ENGLISH
    if "stemmer" in given and (own or given.get("pretokenized")):
        raise UsageError("a stemmer can be chosen for English words alone; leave out the stemmer")
    if "feedback" in parameters and "fields" in parameters:
        raise UsageError("feedback ranks by the whole text alone, and would forget the weights of fields; choose one")
    unused = ("k1", "b") if parameters.get("model") == "qld" else ("mu",)
    for name in unused:
        if name in parameters:
            model = "qld" if unused == ("mu",) else "bm25"
            raise UsageError(f"'{name}' belongs to the model {model}; leave it out, or choose that model")


def _feedback(name: str, value: Any) -> str | dict[str, Any]:
    if not isinstance(value, str | Mapping):
        raise UsageError(
            f"'{name}' is rm3, rocchio, or a table such as {{ method = \"rm3\", fb_docs = 5 }}, not {value!r}"
        )
    # A range of a search may give whole numbers as 5.0.
    whole = {} if isinstance(value, str) else {key: int(one) for key, one in value.items() if _is_count(key, one)}
    given = value if isinstance(value, str) else {**value, **whole}
    feedback_of(given)
    return given


def _is_count(key: str, value: Any) -> bool:
    return key.endswith(("_terms", "_docs")) and isinstance(value, float) and value.is_integer()


def _of_fusion(parameter: FusionParameter, method: str) -> Check:
    return lambda _, value: parameter.read(int(value) if _is_whole(parameter, value) else value, method)


def _is_whole(parameter: FusionParameter, value: Any) -> bool:
    return parameter.kind is int and isinstance(value, float) and value.is_integer()


_DEPTH: Final = count(what="the number of documents a topic gets")
_SEARCH: Final[dict[str, Check]] = {"depth": _DEPTH, "floor": number()}
_FUSION: Final[dict[str, Check]] = {
    **_SEARCH,
    "depth_in": _DEPTH,
    "weights": weights,
    "normalise": one_of(NORMALISATIONS),
    "tag": text,
}

# By method; fusions by theirs.
PARAMETERS: Final[dict[str, dict[str, Check]]] = {
    "bm25": {
        **_SEARCH,
        "model": one_of(MODELS),
        "k1": number(0, HIGHEST_K1),
        "b": number(0, 1),
        "mu": number(0, HIGHEST_MU, above=True),
        "fields": weighted,
        "feedback": _feedback,
        "language": one_of(LANGUAGES),
        "stemmer": one_of(STEMMERS),
        "keep_stop_words": flag,
        "pretokenized": flag,
    },
    "dense": {
        **_SEARCH,
        "encoder": text,
        "fields": texts,
        "kind": one_of(KINDS),
        **dict.fromkeys((*KIND_PARAMETERS, *(one.name for one in SEARCH_PARAMETERS)), count()),
        "query_prefix": text,
        "document_prefix": text,
    },
    "rerank": {
        "floor": number(),
        "model": text,
        "depth": count(what="the number of documents re-ranked for each topic"),
        "tail": one_of(TAILS),
        "match_topics": one_of(TOPIC_RULES),
        "fields": texts,
        "max_length": count(what="the number of tokens read of query and document"),
        "batch_size": count(what="the number of pairs read at a time"),
    },
    **{
        method.name: {
            **{parameter.name: _of_fusion(parameter, method.name) for parameter in method.parameters},
            **{name: _FUSION[name] for name in method.known if name in _FUSION},
            "floor": number(),
        }
        for method in FUSIONS.values()
    },
}

# Those that are not said. None: it is not used.
DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "bm25": {"depth": 1000, "floor": -math.inf, "model": "bm25", "k1": 0.9, "b": 0.4, "mu": 1000.0},
    "dense": {"depth": 1000, "floor": -math.inf},
    "rerank": {"model": DEFAULT, "depth": 100, "tail": "keep", "floor": -math.inf},
    **{
        method.name: {
            "depth": 1000,
            "depth_in": 1000,
            "floor": -math.inf,
            "normalise": "min-max",
            **{parameter.name: parameter.default for parameter in method.parameters},
        }
        for method in FUSIONS.values()
    },
}
