"""Normalisation: the scores of several runs brought to one scale, run by run and topic by topic."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final, Literal

import numpy as np

from irkit._utils.text import instead
from irkit.errors import UsageError
from irkit.fusion.union import Matrix, UnionOfRuns
from irkit.fusion.votes import RankedDocuments, Vector, by_run, n_candidates

Normaliser = Callable[[UnionOfRuns], Matrix]


def _each_run(points: Callable[[RankedDocuments], Vector]) -> Normaliser:
    """Extend a function from the documents of a run to those of all runs in a block, shape (N, R)."""

    @wraps(points)
    def normalise(block: UnionOfRuns) -> Matrix:
        return by_run(block, lambda _, found: points(found))

    return normalise


@_each_run
def none(found: RankedDocuments) -> Vector:
    """Scores as they are."""
    return found.score


@_each_run
def min_max(found: RankedDocuments) -> Vector:
    """(s - lowest) / (highest - lowest): the best becomes 1, the worst 0; equal scores, or a single one, become 1.

    References
    ----------
    Lee, SIGIR 1997. That a lone document gets 1 and not 0 is ours: with 0 the run might as well not have found it.
    """
    return _between(found)


@_each_run
def min_max_inverted(found: RankedDocuments) -> Vector:
    """(highest - s) / (highest - lowest): for distances, where less is better; equal scores, or a single one, become 1.

    The ranks of the run are not turned round.

    References
    ----------
    ranx 0.3.21, min-max-inverted.
    """
    return _share_of_range(found, found.score[found.first], found.score)


def _between(found: RankedDocuments) -> Vector:
    """Position of each score between the lowest, 0, and the highest, 1."""
    return _share_of_range(found, found.score, found.score[found.last])


def _share_of_range(found: RankedDocuments, upper: Vector, lower: Vector) -> Vector:
    highest, lowest = found.score[found.first], found.score[found.last]
    with np.errstate(over="ignore"):
        # Halves, where the whole range would overflow.
        unit = np.where(np.isfinite(highest - lowest), 1.0, 0.5)
    shares = np.ones(len(found.score))
    np.divide(upper * unit - lower * unit, highest * unit - lowest * unit, out=shares, where=highest != lowest)
    return shares


@_each_run
def max_(found: RankedDocuments) -> Vector:
    """Divided by the highest, s / highest, where that is above 0; else s / |lowest|; 0 where all scores are 0.

    A highest score below 0 would turn the order round; divided by the size of the lowest, scores go from -1 to 0.

    References
    ----------
    ranx 0.3.21, max.
    """
    highest, lowest = found.score[found.first], found.score[found.last]
    scale = np.where(highest > 0, highest, -lowest)
    shares = np.zeros(len(found.score))
    with np.errstate(over="ignore"):
        np.divide(found.score, scale, out=shares, where=scale != 0)
    return shares


@_each_run
def sum_(found: RankedDocuments) -> Vector:
    """(s - lowest) / sum of (s - lowest): the worst becomes 0 and all add up to 1; n equal scores become 1/n each.

    References
    ----------
    Montague and Aslam, CIKM 2001.
    """
    shares = _between(found)
    return shares / found.sum(shares)


@_each_run
def z_score(found: RankedDocuments) -> Vector:
    """(s - mean) / standard deviation over the n documents (divided by n); equal scores, or a single one, become 0.

    References
    ----------
    Montague and Aslam, CIKM 2001: ZMUV, zero mean and unit variance.
    """
    shares = _between(found)  # which changes no z-score, and cannot overflow
    away = shares - found.sum(shares) / found.length
    deviation = np.sqrt(found.sum(away**2) / found.length)
    scores = np.zeros(len(shares))
    np.divide(away, deviation, out=scores, where=deviation != 0)
    return scores


@_each_run
def rank(found: RankedDocuments) -> Vector:
    """1 - (rank - 1) / n, n documents found by the run: the first becomes 1, the last 1/n; scores play no part.

    References
    ----------
    Renda and Straccia, SAC 2003.
    """
    return (found.length + 1.0 - found.rank) / found.length  # rounded once


def borda(block: UnionOfRuns) -> Matrix:
    """1 - (rank - 1) / c of the c documents that any run found; 1/2 - (n - 1) / 2c for those that this one did not.

    Every run has points for every document then: CombMNZ counts all runs, and the lowest or the median is over all.

    References
    ----------
    Renda and Straccia, SAC 2003.
    """
    candidates = n_candidates(block)
    absent = 0.5 - (block.lengths[block.topic_of] - 1.0) / (2.0 * candidates)
    return np.where(np.isnan(block.ranks), absent, (candidates + 1.0 - block.ranks) / candidates)


@dataclass(frozen=True, slots=True)
class Normalisation:
    """One line of the table of normalisations.

    Attributes
    ----------
    name : str
    aliases : tuple of str
        Other names that are understood.
    function : callable
        From a block to points; its docstring has the formula.
    by : {"scores", "ranks"}
    """

    name: str
    aliases: tuple[str, ...]
    function: Normaliser
    by: Literal["scores", "ranks"] = "scores"

    @property
    def help(self) -> str:
        """Summary in one line."""
        return (self.function.__doc__ or "").partition("\n")[0].rstrip(".")


NORMALISATIONS: Final = {
    one.name: one
    for one in (
        Normalisation("min-max", ("min_max",), min_max),
        Normalisation("min-max-inverted", ("min_max_inverted",), min_max_inverted),
        Normalisation("max", (), max_),
        Normalisation("sum", (), sum_),
        Normalisation("z-score", ("zmuv",), z_score),
        Normalisation("rank", (), rank, by="ranks"),
        Normalisation("borda", (), borda, by="ranks"),
        Normalisation("none", (), none),
    )
}


def normalisation_named(name: object) -> Normalisation:
    """The normalisation of this name, its own or an alias."""
    for one in NORMALISATIONS.values():
        if isinstance(name, str) and name in (one.name, *one.aliases):
            return one
    raise UsageError(f"unknown normalisation {name!r}; {instead(name, NORMALISATIONS)}")
