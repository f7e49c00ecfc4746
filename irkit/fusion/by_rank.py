"""Fusion by ranks, which count from 1 in trec_eval's order: score falling, then document id falling.

Each method takes `Votes`, whose `ranks` are those of a document in the runs that found it. It gives shares, shape
(N, R), of which the fused score is the sum. A run that did not find a document adds nothing for it.
"""

import numpy as np

from irkit.errors import UsageError
from irkit.fusion.union import Matrix
from irkit.fusion.votes import Votes


def rrf(votes: Votes, *, k: float) -> Matrix:
    """Reciprocal rank fusion: the sum of weight / (k + rank).

    Examples
    --------
    Runs X a Y | b c Y: rrf(Y) = 1 / 63 + 1 / 63 = 0.0317
    Runs X a Y | b c Y: rrf(b, k=1, weights=[1, 3]) = 3 / (1 + 1) = 1.5000

    References
    ----------
    Cormack, Clarke and Büttcher, SIGIR 2009, with k = 60; weights are ours.
    """
    deepest = int(np.fmax.reduce(votes.ranks, axis=None, initial=1))
    if not np.diff(1 / (k + np.arange(1, deepest + 1))).all():
        raise UsageError(f"k={k:g} of rrf is so large that ranks of {deepest} documents tie; give a smaller one")
    return votes.weights * (1 / (k + votes.ranks))


def isr(votes: Votes) -> Matrix:
    """Inverse square rank: the sum of 1 / rank ** 2, times the number of runs that found the document.

    Examples
    --------
    Runs X a Y | b c Y: isr(Y) = 2 * (1 / 9 + 1 / 9) = 0.4444

    References
    ----------
    Mourão, Martins and Magalhães, Computerized Medical Imaging and Graphics 39, 2015.
    """
    return votes.n_runs / votes.ranks**2


def log_isr(votes: Votes) -> Matrix:
    """Logarithmic ISR: as ISR, with the logarithm of the number of runs.

    What one run alone found scores 0.

    Examples
    --------
    Runs X a Y | b c Y: log_isr(Y) = log(2) * (1 / 9 + 1 / 9) = 0.1540
    Runs X a Y | b c Y: log_isr(X) = log(1) * 1 = 0

    References
    ----------
    Mourão, Martins and Magalhães, Computerized Medical Imaging and Graphics 39, 2015.
    """
    return np.log(votes.n_runs) / votes.ranks**2


def logn_isr(votes: Votes, *, sigma: float) -> Matrix:
    """Logarithmic ISR with sigma: as ISR, with the logarithm of the number of runs plus sigma.

    Examples
    --------
    Runs X a Y | b c Y: logn_isr(Y) = log(2 + 0.01) * (1 / 9 + 1 / 9) = 0.1551
    Runs X a Y | b c Y: logn_isr(X, sigma=0.5) = log(1 + 0.5) * 1 = 0.4055

    References
    ----------
    Mourão, Martins and Magalhães, Computerized Medical Imaging and Graphics 39, 2015, with sigma = 0.01.
    """
    return np.log(votes.n_runs + sigma) / votes.ranks**2


def rbc(votes: Votes, *, phi: float) -> Matrix:
    """Rank-biased centroid: the sum of (1 - phi) * phi ** (rank - 1).

    Examples
    --------
    Runs X a Y | b c Y: rbc(Y, phi=0.5) = 2 * (1 - 0.5) * 0.5 ** 2 = 0.2500

    References
    ----------
    Bailey, Moffat, Scholer and Thomas, SIGIR 2017.
    """
    return (1 - phi) * phi ** (votes.ranks - 1)
