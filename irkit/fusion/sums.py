"""What each run gives a document, times the run's weight, added up: by its rank (rrf), or by its score (linear)."""

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.errors import UsageError
from irkit.fusion.arguments import check_depth, check_finite, check_tag, checked_weights, is_number, read_runs
from irkit.fusion.ordered import ordered_sum
from irkit.fusion.pooled import Pooled, fused, pooled
from irkit.runs import Run, RunSource

# From a block to what each run gives each document, shape (N, R); nan where it gives nothing.
Shares = Callable[[Pooled], npt.NDArray[np.float64]]


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
    if not (is_number(k) and k > 0):
        raise UsageError(f"k of rrf must be a finite number above 0, got {k!r}")
    k = float(k)

    def shares(block: Pooled) -> npt.NDArray[np.float64]:
        longest = int(np.fmax.reduce(block.ranks, axis=None, initial=1))
        if not np.diff(1 / (k + np.arange(1, longest + 1))).all():
            raise UsageError(f"k={k:g} of rrf is so large that ranks of {longest} documents tie; give a smaller one")
        return 1 / (k + block.ranks)

    voters, votes = _voters(runs, weights, depth, tag)
    return _summed(voters, votes, shares, depth, tag)


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
    voters, votes = _voters(runs, weights, depth, tag)
    check_finite(voters)
    return _summed(voters, votes, NORMALISATIONS[normalise], depth, tag)


def _voters(
    sources: Iterable[RunSource], given: Iterable[float] | None, depth: int, tag: str
) -> tuple[list[Run], list[float]]:
    """The runs whose weight is above 0, and these weights."""
    check_tag(tag)
    check_depth(depth)
    runs = read_runs(sources, depth)
    weights = checked_weights(given, len(runs))
    return [run for run, weight in zip(runs, weights, strict=True) if weight], [weight for weight in weights if weight]


def _summed(runs: list[Run], weights: list[float], shares: Shares, depth: int, tag: str) -> Run:
    with np.errstate(over="ignore"):  # a sum that is not finite is refused with its document
        return fused(pooled(runs, depth), lambda block: ordered_sum(shares(block) * weights), depth, tag)


def _min_max(block: Pooled) -> npt.NDArray[np.float64]:
    topic_of, lengths = block.topic_of, block.lengths
    highest, lowest = np.full((2, *lengths.shape), np.nan)
    for ends, ranks in ((highest, np.ones_like(lengths)), (lowest, lengths)):
        row, run = np.nonzero(block.ranks == ranks[topic_of])
        ends[topic_of[row], run] = block.scores[row, run]
    # Halves, where the whole spread would overflow.
    unit = np.where(np.isinf(highest - lowest), 0.5, 1.0)[topic_of]
    high, low = highest[topic_of] * unit, lowest[topic_of] * unit
    shares = np.where(np.isnan(block.ranks), np.nan, 1.0)
    np.divide(block.scores * unit - low, high - low, out=shares, where=high > low)
    return shares


def _unchanged(block: Pooled) -> npt.NDArray[np.float64]:
    return block.scores


NORMALISATIONS: Final[dict[str, Shares]] = {"min-max": _min_max, "none": _unchanged}
