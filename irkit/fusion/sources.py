"""Runs to fuse, and the weights that go with them, as they are given."""

import os
from collections.abc import Iterable, Mapping
from math import isfinite
from numbers import Real
from typing import Any

from irkit.errors import UsageError
from irkit.runs import Run, RunSource
from irkit.spelling import counted
from irkit.tables import is_table


def read_runs(sources: Iterable[RunSource], purpose: str = "to fuse") -> list[Run]:
    """The runs of a list of whatever `Run.of` takes.

    Raises
    ------
    UsageError
        If it is no list, or empty.
    """
    if isinstance(sources, Run | str | os.PathLike | Mapping) or is_table(sources):
        raise UsageError(f"runs {purpose} come in a list: [run, run]")
    if not isinstance(sources, Iterable):
        raise UsageError(f"runs {purpose} come in a list: [run, run]; not as {type(sources).__name__}")
    runs = [Run.of(source) for source in sources]
    if not runs:
        raise UsageError(f"there is no run {purpose}; give one at least")
    return runs


def is_number(value: Any) -> bool:
    """Whether it is a finite number, which text and True are not."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def checked_weights(given: Iterable[float], n_runs: int) -> list[float]:
    """One weight for each run.

    Raises
    ------
    UsageError
        If there are more or fewer, one is no finite number or below 0, or all are 0.
    """
    if not isinstance(given, Iterable) or isinstance(given, str | Mapping):
        raise UsageError(f"weights come in a list, one for each run, in their order; not as {given!r}")
    weights = list(given)
    if len(weights) != n_runs:
        raise UsageError(
            f"{counted(len(weights), 'weight')} for {counted(n_runs, 'run')}; give one for each run, in their order"
        )
    if not all(is_number(weight) and weight >= 0 for weight in weights) or not any(weights):
        raise UsageError(f"weights must be finite numbers, none below 0 and one above 0 at least; got {weights}")
    return [float(weight) for weight in weights]
