"""What may be said of each method, and what each of it may be: read by experiments, by tuning and from the records."""

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from irkit.errors import UsageError
from irkit.fusion import METHODS as FUSIONS
from irkit.fusion import NORMALISATIONS
from irkit.fusion.table import Parameter as FusionParameter
from irkit.retrieval.analysis import ENGLISH, LANGUAGES, STEMMERS, Analysis
from irkit.retrieval.bm25 import HIGHEST_K1, HIGHEST_MU, MODELS
from irkit.retrieval.feedback import feedback_of
from irkit.retrieval.index_kinds import KIND_PARAMETERS, KINDS, SEARCH_PARAMETERS, check_search, kind_of
from irkit.retrieval.rerank.reranker import DEFAULT, PACKAGED
from irkit.retrieval.rerank.reranking import TAILS
from irkit.spelling import instead, nearest

Check: TypeAlias = Callable[[str, Any], Any]


def checked(method: str, name: str, value: Any) -> Any:
    """The value of a parameter, as the method takes it.

    Parameters
    ----------
    method : str
        A key of `PARAMETERS`: an engine, or a fusion.
    name : str
        The parameter.
    value : value
        As TOML, JSON or a command has it.

    Raises
    ------
    UsageError
        If the method has no such parameter, or it cannot be this.
    """
    known = PARAMETERS[method]
    if name not in known:
        raise UsageError(f"{method} has no parameter '{name}'; {instead(name, known)}")
    return known[name](name, value)


def check_together(method: str, parameters: Mapping[str, Any], *, indexed: bool = False) -> None:
    """Refuse parameters that do not go together, or of which one would have no effect.

    Parameters
    ----------
    method : str
        An engine, or `fuse`.
    parameters : mapping of str to value
        Each right by itself.
    indexed : bool
        There is an index already, which says of what kind it is.

    Raises
    ------
    UsageError
    """
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


def number(low: float = -math.inf, high: float = math.inf, *, above: bool = False) -> Check:
    """A number in [low, high]; `above`: and not `low` itself. It is never nan, and infinite only without bounds."""
    if low == -math.inf:
        what = "a number"
    elif above:
        what = f"a number above {low:g}"
    else:
        what = f"a number from {low:g} on" if high == math.inf else f"a number from {low:g} to {high:g}"

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"'{name}' is {what}, not {value!r}")
        try:
            given = float(value)
        except OverflowError as problem:
            raise UsageError(f"'{name}' is too large a number") from problem
        if not low <= given <= high or (above and given == low) or (low != -math.inf and math.isinf(given)):
            raise UsageError(f"'{name}' is {what}, not {value!r}")
        return given

    return check


def count(least: int = 1, *, what: str = "a whole number") -> Check:
    """A whole number from `least` on, below 2**31."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():  # as a range of a search may give it
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
            raise UsageError(f"'{name}' is {what}, at least {least} and below 2**31, not {value!r}")
        return value

    return check


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise UsageError(f"'{name}' is a text, not {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"'{name}' is true or false, not {value!r}")
    return value


def texts(name: str, value: Any) -> list[str]:
    """A list of texts."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise UsageError(f"'{name}' is a list in which each entry is a text, not {value!r}")
    return list(value)


def weights(name: str, value: Any) -> list[float]:
    """The weights of runs: none below 0, one above 0 at least."""
    if not isinstance(value, list | tuple):
        raise UsageError(f"'{name}' is a list of numbers, not {value!r}")
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in value):
        raise UsageError(f"'{name}' is a list in which each entry is a number, not {list(value)!r}")
    try:
        given = list(map(float, value))
    except OverflowError as problem:
        raise UsageError(f"'{name}' is too large a number") from problem
    if not (all(0 <= one < math.inf for one in given) and any(given)):
        raise UsageError(f"weights are numbers from 0 on, one above 0 at least; not {list(value)}")
    return given


def weighted(name: str, value: Any) -> dict[str, float]:
    """Fields with their weights, each above 0."""
    if not isinstance(value, Mapping):
        raise UsageError(f"'{name}' is a table of fields and their weights, not {value!r}")
    return {field: number(0, above=True)(field, weight) for field, weight in value.items()}


def table_of(**known: Check) -> Check:
    """A table with these keys, none of which has to be there."""

    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise UsageError(f"'{name}' is a table, not {value!r}")
        for key in value:
            if key not in known:
                raise UsageError(f"unknown key '{key}' in '{name}'; {instead(key, known)}")
        return {key: known[key](key, one) for key, one in value.items()}

    return check


def _one_of(known: Iterable[str]) -> Check:
    def check(name: str, value: Any) -> str:
        if value not in known:
            raise UsageError(f"'{name}' is {value!r}; {instead(value, known)}")
        return str(value)

    return check


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
    "normalise": _one_of(NORMALISATIONS),
    "tag": text,
}

# By method; fusions by theirs.
PARAMETERS: Final[dict[str, dict[str, Check]]] = {
    "bm25": {
        **_SEARCH,
        "model": _one_of(MODELS),
        "k1": number(0, HIGHEST_K1),
        "b": number(0, 1),
        "mu": number(0, HIGHEST_MU, above=True),
        "fields": weighted,
        "feedback": _feedback,
        "language": _one_of(LANGUAGES),
        "stemmer": _one_of(STEMMERS),
        "keep_stop_words": flag,
        "pretokenized": flag,
    },
    "dense": {
        **_SEARCH,
        "encoder": text,
        "fields": texts,
        "kind": _one_of(KINDS),
        **dict.fromkeys((*KIND_PARAMETERS, *(one.name for one in SEARCH_PARAMETERS)), count()),
        "query_prefix": text,
        "document_prefix": text,
    },
    "rerank": {
        "floor": number(),
        "model": text,
        "depth": count(what="the number of documents re-ranked for each topic"),
        "tail": _one_of(TAILS),
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
