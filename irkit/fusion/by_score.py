"""Fusion by scores that were brought to one scale.

Each method takes `Votes`, whose `points` are the normalised scores of a document, one for each of the runs that found
it. It gives shares, shape (N, R), of which the fused score is the sum; or, where runs have no shares, the fused scores,
shape (N,). A run that did not find a document adds nothing for it.
"""

import numpy as np

from irkit.fusion.exact_sum import ordered_sum
from irkit.fusion.union import Matrix
from irkit.fusion.votes import Vector, Votes


def comb_sum(votes: Votes) -> Matrix:
    """CombSUM: the sum of the scores.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: combsum(c) = 0.5 + 1 = 1.5000

    References
    ----------
    Fox and Shaw, TREC-2, 1994.
    """
    return votes.points


def comb_mnz(votes: Votes) -> Matrix:
    """CombMNZ: the sum of the scores, times the number of runs that found the document.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: combmnz(c) = 2 * (0.5 + 1) = 3.0000

    References
    ----------
    Fox and Shaw, TREC-2, 1994.
    """
    return votes.points * votes.n_points


def comb_anz(votes: Votes) -> Matrix:
    """CombANZ: the mean of the scores over the runs that found the document.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: combanz(c) = (0.5 + 1) / 2 = 0.7500

    References
    ----------
    Fox and Shaw, TREC-2, 1994.
    """
    return votes.points / votes.n_points


def comb_gmnz(votes: Votes, *, gamma: float) -> Matrix:
    """CombGMNZ: the sum of the scores, times the number of runs that found the document to the power gamma.

    Gamma 0 is CombSUM, 1 is CombMNZ, -1 is CombANZ.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: combgmnz(c, gamma=2) = 2 ** 2 * (0.5 + 1) = 6.0000

    References
    ----------
    Lee, SIGIR 1997.
    """
    return votes.points * votes.n_points**gamma


def comb_min(votes: Votes) -> Vector:
    """CombMIN: the lowest of the scores that the runs which found the document give it.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: combmin(c) = 0.5 = 0.5000

    References
    ----------
    Fox and Shaw, TREC-2, 1994.
    """
    return _unsigned(np.fmin.reduce(votes.points, axis=1))


def comb_max(votes: Votes) -> Vector:
    """CombMAX: the highest of the scores.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: combmax(a) = 1 = 1.0000

    References
    ----------
    Fox and Shaw, TREC-2, 1994.
    """
    return _unsigned(np.fmax.reduce(votes.points, axis=1))


def comb_med(votes: Votes) -> Vector:
    """CombMED: the median of the scores that the runs which found the document give it.

    Of two in the middle it is the mean.

    Examples
    --------
    Runs a=0.1 | a=0.2 | a=0.9, none: combmed(a) = 0.2 = 0.2000
    Runs a=0.1 | a=0.2, none: combmed(a) = (0.1 + 0.2) / 2 = 0.1500

    References
    ----------
    Fox and Shaw, TREC-2, 1994.
    """
    ordered = np.sort(votes.points, axis=1)  # nan comes last
    n = votes.n_points.astype(np.int64)
    low, high = (np.take_along_axis(ordered, place, axis=1)[:, 0] for place in ((n - 1) // 2, n // 2))
    # Halves first: the sum of two large scores would overflow.
    return _unsigned(np.where(low == high, low, low / 2 + high / 2))


def linear(votes: Votes) -> Matrix:
    """Weighted sum: the sum of weight times score.

    Weights alpha and 1 - alpha make the usual hybrid of two runs.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: linear(c, weights=[0.7, 0.3]) = 0.7 * 0.5 + 0.3 * 1 = 0.6500
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: linear(c, alpha=0.5) = 0.5 * 0.5 + (1 - 0.5) * 1 = 0.7500

    References
    ----------
    Vogt and Cottrell, Information Retrieval 1999.
    """
    return votes.weights * votes.points


def wmnz(votes: Votes) -> Matrix:
    """Weighted CombMNZ: the sum of the scores, times the weights of the runs that found the document.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: wmnz(c, weights=[2, 1]) = (2 + 1) * (0.5 + 1) = 4.5000

    References
    ----------
    Wu and Crestani, CIKM 2002.
    """
    found = np.where(np.isnan(votes.points), np.nan, votes.weights)
    return votes.points * ordered_sum(found)[:, np.newaxis]


def mixed(votes: Votes) -> Matrix:
    """Mixed: the weighted sum, times the square root of the number of runs that found the document.

    Examples
    --------
    Runs a=3 b=1 c=2 | c=8 a=4 d=6, min-max: mixed(c, weights=[2, 1]) = sqrt(2) * (2 * 0.5 + 1 * 1) = 2.8284

    References
    ----------
    Wu and Crestani, CIKM 2002, as ranx 0.3.21 has it.
    """
    return votes.weights * votes.points * np.sqrt(votes.n_points)


def _unsigned(scores: Vector) -> Vector:
    """Scores without negative zeros, whose order would depend on the order of the runs."""
    return scores + 0.0
