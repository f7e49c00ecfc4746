"""Check the arguments of a fusion: runs, weights, depth, tag."""

import os
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from irkit._utils.text import counted
from irkit.data.from_tables import is_table
from irkit.data.runs import Run, RunSource
from irkit.errors import DataError, UsageError

LEAST_WEIGHT: Final = 1e-100


def read_runs(sources: Iterable[RunSource], depth: int, purpose: str = "to fuse") -> list[Run]:
    """Read the first `depth` documents of each topic of each run; runs are read in turn to save memory."""
    if isinstance(sources, Run | str | os.PathLike | Mapping) or is_table(sources):
        raise UsageError(f"runs {purpose} come in a list: [run, run]")
    if not isinstance(sources, Iterable):
        raise UsageError(f"runs {purpose} come in a list: [run, run]; not as {type(sources).__name__}")
    runs = [Run.of(source).first(depth) for source in sources]
    if not runs:
        raise UsageError(f"there is no run {purpose}; give one at least")
    return runs


def check_depth(depth: Any, name: str = "depth") -> None:
    """Refuse a depth that is not a whole number of at least 1."""
    if isinstance(depth, bool) or not isinstance(depth, Integral) or depth < 1:
        raise UsageError(f"the {name} of a fusion must be a whole number of at least 1, got {depth!r}")


def check_tag(tag: Any) -> None:
    """Refuse a tag that is not a single word."""
    if not isinstance(tag, str) or tag.split() != [tag]:
        raise UsageError(f"the tag of a run is one word without white space, got {tag!r}")


def checked_weights(given: Iterable[float] | None, n_runs: int) -> list[float]:
    """Check the weights, one for each run; all are 1 if not given."""
    if given is None:
        return [1.0] * n_runs
    if not isinstance(given, Iterable) or isinstance(given, str | Mapping):
        raise UsageError(f"weights come in a list, one for each run, in their order; not as {given!r}")
    weights = list(given)
    if len(weights) != n_runs:
        raise UsageError(
            f"{counted(len(weights), 'weight')} for {counted(n_runs, 'run')}; give one for each run, in their order"
        )
    if not all(is_number(weight) and weight >= 0 for weight in weights) or not any(weights):
        raise UsageError(f"weights must be finite numbers, none below 0 and one above 0 at least; got {weights}")
    if any(0 < weight < LEAST_WEIGHT for weight in weights):
        raise UsageError(f"weights below {LEAST_WEIGHT:g} lose the digits that tell ranks apart; got {weights}")
    return [float(weight) for weight in weights]


def is_number(value: Any) -> bool:
    """Whether a value is a finite number; text and True are not."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def check_finite(runs: Sequence[Run]) -> None:
    """Refuse runs with an infinite score."""
    for run in runs:
        infinite = np.flatnonzero(np.isinf(run.scores))
        if len(infinite):
            topic = run.topics[int(np.searchsorted(run.starts, infinite[0], side="right")) - 1]
            raise DataError(
                f"{run.name}, topic {topic!r}: a score is infinite; scores that are summed must be finite "
                "(rrf needs no scores)"
            )
