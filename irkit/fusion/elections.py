"""Fusion by elections: runs are voters, documents stand for election, a topic is one ballot."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from irkit.fusion.union import Matrix
from irkit.fusion.votes import Vector, Votes, n_candidates

# Pairs of documents looked at together: what a processor keeps at hand.
PAIRS: Final = 1 << 17
# A majority smaller than this share of all weights comes from rounding (0.1 + 0.2 against 0.3), and is a tie.
ROUNDING: Final = 1e-12

Places = npt.NDArray[Any]


def borda(votes: Votes) -> Matrix:
    """Borda count: of c candidates a run gives its first c points, its second c - 1, and so on.

    Weights multiply the points. The candidates are all documents that any run found for the topic. The points that a
    run has left, 1 up to c - n where it found n, are shared equally by those that it did not find: (c - n + 1) / 2.

    Examples
    --------
    Runs X a Y | b c Y: borda(Y) = 3 + 3 = 6
    Runs X a Y | b c Y: borda(X) = 5 + (5 - 3 + 1) / 2 = 6.5000
    Runs X a Y | b c Y: borda(X, weights=[2, 1]) = 2 * 5 + 1 * (5 - 3 + 1) / 2 = 11.5000

    References
    ----------
    Aslam and Montague, SIGIR 2001: Borda-fuse and weighted Borda-fuse.
    """
    candidates = n_candidates(votes.block)
    n_found = votes.block.lengths[votes.block.topic_of]
    points = np.where(np.isnan(votes.ranks), (candidates - n_found + 1) / 2, candidates - votes.ranks + 1)
    return votes.weights * points


def condorcet(votes: Votes) -> Vector:
    """Condorcet: 1 for each document of the topic that loses to this one by majority, 1/2 for each that ties with it.

    A run votes, with its weight, for the one of two documents that it ranks higher. What it did not find stands below
    all that it found; between two documents that it did not find it does not vote. Majorities may run in a circle, so
    that no order by them exists; their count (Copeland's) always does, and puts first a document that beats all others.

    Examples
    --------
    Runs a b c | b a c | a c b: condorcet(a) = 1 + 1 = 2
    Runs a b | b a: condorcet(a) = 1 / 2 = 0.5000
    Runs a b | b a: condorcet(a, weights=[2, 1]) = 1 = 1

    References
    ----------
    Montague and Aslam, CIKM 2002: Condorcet-fuse and weighted Condorcet-fuse, whose sort by majorities depends on where
    it begins when they run in a circle. Copeland, A reasonable social welfare function, 1951.
    """
    scores = np.empty(len(votes.ranks))
    # From the lightest on, so that the order of the runs cannot show.
    weights, voters = np.unique(votes.weights, return_inverse=True)
    for low, high in zip(votes.block.starts[:-1].tolist(), votes.block.starts[1:].tolist(), strict=True):
        ranks = votes.ranks[low:high].T
        lowest = high - low + 1  # below all that were found
        place = np.where(np.isnan(ranks), lowest, ranks).astype(np.min_scalar_type(lowest))
        scores[low:high] = _copeland(place, weights, voters)
    return scores


def _copeland(place: Places, weights: Vector, voters: npt.NDArray[np.intp]) -> Vector:
    """Documents beaten, and half of those tied with, for each of c documents.

    Parameters
    ----------
    place : array of whole numbers, shape (R, c)
        In each run of each document; the lower the better.
    weights : float64 array of shape (W,)
        The different weights.
    voters : int array of shape (R,)
        Which of the weights each run has.
    """
    c = place.shape[1]
    scores = np.empty(c)
    # Of one weight there are whole votes to count, and nothing is rounded.
    tie = ROUNDING * float(np.sum(weights * np.bincount(voters))) if len(weights) > 1 else 0
    step = max(1, PAIRS // max(1, c))
    alike = [place[voters == number] for number in range(len(weights))]
    for low in range(0, c, step):
        rows = slice(low, low + step)
        leads = [_lead(some[:, rows], some) for some in alike]
        majority = leads[0] if len(leads) == 1 else sum(map(np.multiply, weights, leads))
        beaten = np.count_nonzero(majority > tie, axis=1)
        not_lost = np.count_nonzero(majority >= -tie, axis=1) - 1  # against itself
        scores[rows] = (beaten + not_lost) / 2
    return scores


def _lead(some: Places, every: Places) -> Places:
    """Runs that rank each of some documents, shape (R, n), above each of all, (R, c), minus those below; (n, c)."""
    lead = np.zeros((some.shape[1], every.shape[1]), dtype=np.min_scalar_type(-1 - len(every)))
    for mine, theirs in zip(some, every, strict=True):
        lead += (mine[:, np.newaxis] < theirs).view(np.int8)
        lead -= (mine[:, np.newaxis] > theirs).view(np.int8)
    return lead
