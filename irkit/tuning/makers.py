"""What makes a run from parameters, for runs that are there already."""

from collections.abc import Callable, Iterable
from typing import Any

from irkit.errors import UsageError
from irkit.fusion import fuse
from irkit.runs import Run, RunSource
from irkit.spelling import counted


def fusion_maker(runs: Iterable[RunSource], method: str = "rrf", **fixed: Any) -> Callable[[dict[str, Any]], Run]:
    """What fuses these runs with the parameters it is given.

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
        From parameters by name to a run. They are those of the method; of two runs also `alpha`, between 0 and 1, the
        first run's weight, where the second one's is 1 - alpha.

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
        chosen = {"method": method, **fixed, **parameters}
        if "alpha" in chosen:
            chosen["weights"] = _weights(chosen.pop("alpha"), len(read), given="weights" in chosen)
        return fuse(read, **chosen)

    return make


def _weights(alpha: Any, n_runs: int, *, given: bool) -> tuple[float, float]:
    if given:
        raise UsageError("alpha and weights exclude each other")
    if n_runs != 2:
        raise UsageError(f"alpha is the weight of the first of two runs, not of {counted(n_runs, 'run')}; give weights")
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 <= alpha <= 1:
        raise UsageError(f"alpha is a weight between 0 and 1, got {alpha!r}")
    return alpha, 1 - alpha
