"""Makers of runs from parameters, for existing runs."""

from collections.abc import Callable, Iterable
from typing import Any

from irkit.data.runs import Run, RunSource
from irkit.errors import UsageError
from irkit.fusion import fuse


def fusion_maker(runs: Iterable[RunSource], method: str = "rrf", **fixed: Any) -> Callable[[dict[str, Any]], Run]:
    """Make a function that fuses these runs with given parameters.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        Read once.
    method : str
        As of `irkit.fuse`; the parameter `method` takes its place where it is tuned.
    **fixed
        Parameters that stay as they are.

    Returns
    -------
    callable
        From the method's parameters by name (`k`, `weights`, `normalise`; of two runs also `alpha`) to a run.

    Raises
    ------
    UsageError
        If there is no run.
    """
    if isinstance(runs, str):
        raise UsageError("runs to fuse come in a list: [run, run]")
    read = [Run.of(run) for run in runs]
    if not read:
        raise UsageError("there is no run to fuse; give one at least")

    def make(parameters: dict[str, Any]) -> Run:
        return fuse(read, **{"method": method, **fixed, **parameters})

    return make
