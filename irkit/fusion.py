"""Fusion: several runs -> one run, by their ranks or by their scores."""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, isfinite, isnan
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from irkit.errors import DataError, UsageError
from irkit.runs import Run, RunSource
from irkit.spelling import counted, instead
from irkit.tables import is_table


def rrf(
    runs: Iterable[RunSource],
    *,
    k: float = 60,
    depth: int = 1000,
    weights: Iterable[float] | None = None,
    tag: str = "rrf",
) -> Run:
    """Reciprocal rank fusion: a document scores the sum of weight / (k + rank) over the runs that found it.

    Ranks count from 1 in trec_eval's order; a run that did not find a document adds nothing for it. The order in which
    the runs are given does not change a byte of the result.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        Whatever `Run.of` takes, one at least; their topics need not agree.
    k : float
        Above 0. The larger it is, the less the first ranks stand out.
    depth : int
        Documents read from each run for a topic, and kept of the fused ranking; at least 1.
    weights : iterable of float, optional
        One a run, in their order; 1 each if not given. A run of weight 0 is left out.
    tag : str
        What the fused run calls itself: one word.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        If a parameter is out of range, or the weights do not fit the runs.

    References
    ----------
    Cormack, Clarke and Büttcher, SIGIR 2009, with k = 60.
    """
    if not (_is_number(k) and k > 0):
        raise UsageError(f"k of rrf must be a finite number above 0, got {k!r}")
    k = float(k)

    def votes(_: str, scores: Sequence[float]) -> list[float]:
        shares = [1 / (k + rank) for rank in range(1, len(scores) + 1)]
        if len(set(shares)) < len(shares):
            raise UsageError(
                f"k={k:g} of rrf is so large that ranks of {len(scores)} documents tie; give a smaller one"
            )
        return shares

    return _combine(runs, votes, weights, depth, tag)


def linear(
    runs: Iterable[RunSource],
    *,
    weights: Iterable[float],
    normalise: str = "min-max",
    depth: int = 1000,
    tag: str = "linear",
) -> Run:
    """Weighted sum of normalised scores; weights alpha and 1 - alpha make the usual hybrid of two runs.

    A run that did not find a document adds nothing for it. The order in which the runs are given, with their weights,
    does not change a byte of the result.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        Whatever `Run.of` takes, one at least; their topics need not agree.
    weights : iterable of float
        One a run, in their order. A run of weight 0 is left out.
    normalise : {"min-max", "none"}
        min-max: the best of the scores that a run gives in a topic becomes 1, the worst 0; all become 1 where they are
        equal or there is but one. none: scores as they are.
    depth : int
        Documents read (and normalised) from each run for a topic, and kept of the fused ranking; at least 1.
    tag : str
        What the fused run calls itself: one word.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        If a parameter is out of range, or the weights do not fit the runs.
    DataError
        If a score is infinite, or the sum of a document is.
    """
    if normalise not in NORMALISATIONS:
        raise UsageError(f"unknown normalisation {normalise!r}; there are {' and '.join(NORMALISATIONS)}")
    if weights is None:
        raise UsageError("linear needs weights, one for each run")
    return _combine(runs, NORMALISATIONS[normalise], weights, depth, tag)


def fuse(runs: Iterable[RunSource], method: str = "rrf", **parameters: Any) -> Run:
    """Fuse runs by one of `METHODS`, with its parameters by name.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        Whatever `Run.of` takes, one at least.
    method : {"rrf", "linear"}
    **parameters
        Those of the function of that name.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        If there is no such method, or it has no such parameter, or one that it needs is not given; or as the method.
    """
    if not isinstance(method, str) or method not in METHODS:
        raise UsageError(f"unknown fusion method {method!r}; {instead(str(method), METHODS)}")
    known = dict(list(inspect.signature(METHODS[method]).parameters.items())[1:])
    for name in parameters:
        if name not in known:
            raise UsageError(f"{method} has no parameter {name!r}; {instead(name, known)}")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in parameters:
            raise UsageError(f"{method} needs {name}")
    return METHODS[method](runs, **parameters)


def prior_run(candidates: Sequence[Run], weights: Mapping[str, float], tag: str = "prior") -> Run:
    """A prior that knows nothing of the query, as a run to fuse with others: one more voter.

    For each topic it ranks, by weight, the documents which the candidate runs retrieved. A document without a weight
    is not listed, and neither is a topic that is left with none.

    Parameters
    ----------
    candidates : sequence of Run
        One at least.
    weights : mapping of document to float
        Such as the number of settled payments. Equal weights are ranked by document id, as everywhere.
    tag : str
        What the run calls itself.

    Raises
    ------
    UsageError
        If there is no candidate.
    DataError
        If a weight is not finite.
    """
    if not candidates:
        raise UsageError("there is no candidate run for a prior; give one at least")
    for document, weight in weights.items():
        if not isfinite(weight):
            raise DataError(f"the weight of document {document!r} is {weight}; a prior needs finite numbers")
    listed: dict[str, dict[str, float]] = {}
    for run in candidates:
        for topic, documents, _ in run.by_topic():
            for document in documents:
                if document in weights:
                    listed.setdefault(topic, {})[document] = float(weights[document])
    return Run.from_scores(listed, tag)


def abstain(run: Run, evidence: Run, floor: float) -> Run:
    """The run without the topics for which there is too little evidence that anything answers them.

    Parameters
    ----------
    run : Run
        What would be returned.
    evidence : Run
        Often a first stage whose scores mean something on their own, such as the dense run below a fused one.
    floor : float
        A topic stays if its best score in `evidence` is at least this. One which `evidence` lacks goes.

    Raises
    ------
    UsageError
        If the floor is nan.
    """
    if isnan(floor):
        raise UsageError("the floor of abstain is nan; give the least score that is evidence enough")
    enough = {topic for topic, _, scores in evidence.by_topic() if scores and scores[0] >= floor}
    kept = {topic: scores for topic, scores in run.to_dict().items() if topic in enough}
    return Run.from_scores(kept, run.tag, run.name)


Votes = Callable[[str, Sequence[float]], list[float]]


def _combine(sources: Iterable[RunSource], votes: Votes, weights: Iterable[float] | None, depth: int, tag: str) -> Run:
    """Sum, for every document, weight times vote over the runs that found it."""
    runs = _read(sources)
    if not isinstance(tag, str) or tag.split() != [tag]:
        raise UsageError(f"the tag of a run is one word without white space, got {tag!r}")
    if isinstance(depth, bool) or not isinstance(depth, Integral) or depth < 1:
        raise UsageError(f"the depth of a fusion must be a whole number of at least 1, got {depth!r}")
    pooled: dict[str, dict[str, list[float]]] = {}
    for run, weight in zip(runs, _checked_weights(weights, len(runs)), strict=True):
        if weight == 0:
            continue
        for topic, documents, scores in run.by_topic():
            shares = pooled.setdefault(topic, {})
            for document, vote in zip(documents, votes(f"{run.name}, topic {topic!r}", scores[:depth]), strict=False):
                shares.setdefault(document, []).append(weight * vote)
    fused = {
        topic: {document: _sum(shares, topic, document) for document, shares in documents.items()}
        for topic, documents in pooled.items()
    }
    return _first(Run.from_scores(fused, tag), depth)


def _sum(shares: Iterable[float], topic: str, document: str) -> float:
    try:
        # fsum rounds once, whatever the order of its terms: the order of the runs cannot show.
        total = fsum(shares)
    except (OverflowError, ValueError):
        total = float("inf")
    if not isfinite(total):
        raise DataError(f"the fused score of document {document!r} in topic {topic!r} is not finite; normalise first")
    return total


def _first(run: Run, depth: int) -> Run:
    """The run with the first `depth` documents of each topic."""
    if np.diff(run.starts).max(initial=0) <= depth:
        return run
    kept = {
        topic: dict(zip(documents[:depth], scores[:depth], strict=True)) for topic, documents, scores in run.by_topic()
    }
    return Run.from_scores(kept, run.tag, run.name)


def _min_max(place: str, scores: Sequence[float]) -> list[float]:
    checked = _unchanged(place, scores)
    low, high = min(checked, default=0.0), max(checked, default=0.0)
    if low == high:
        return [1.0] * len(checked)
    # Halves, where the whole spread would overflow.
    unit = 1.0 if isfinite(high - low) else 0.5
    return [(score * unit - low * unit) / (high * unit - low * unit) for score in checked]


def _unchanged(place: str, scores: Sequence[float]) -> list[float]:
    if not all(map(isfinite, scores)):
        raise DataError(f"{place}: a score is infinite; scores that are summed must be finite (rrf needs no scores)")
    return list(scores)


def _read(sources: Iterable[RunSource]) -> list[Run]:
    if isinstance(sources, Run | str | os.PathLike | Mapping) or is_table(sources):
        raise UsageError("runs to fuse come in a list: [run, run]")
    if not isinstance(sources, Iterable):
        raise UsageError(f"runs to fuse come in a list: [run, run]; not as {type(sources).__name__}")
    runs = [Run.of(source) for source in sources]
    if not runs:
        raise UsageError("there is no run to fuse; give one at least")
    return runs


def _is_number(value: Any) -> bool:
    """Whether it is a finite number, which text and True are not."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def _checked_weights(given: Iterable[float] | None, n_runs: int) -> list[float]:
    if given is None:
        return [1.0] * n_runs
    if not isinstance(given, Iterable) or isinstance(given, str | Mapping):
        raise UsageError(f"weights come in a list, one for each run, in their order; not as {given!r}")
    weights = list(given)
    if len(weights) != n_runs:
        raise UsageError(
            f"{counted(len(weights), 'weight')} for {counted(n_runs, 'run')}; give one for each run, in their order"
        )
    if not all(_is_number(weight) and weight >= 0 for weight in weights) or not any(weights):
        raise UsageError(f"weights must be finite numbers, none below 0 and one above 0 at least; got {weights}")
    return [float(weight) for weight in weights]


NORMALISATIONS: Final[dict[str, Votes]] = {"min-max": _min_max, "none": _unchanged}
METHODS: Final[dict[str, Callable[..., Run]]] = {"rrf": rrf, "linear": linear}
