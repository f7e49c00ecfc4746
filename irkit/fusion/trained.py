"""Fusion by what judged topics taught about each run: how likely a document is relevant at a rank of it.

Each method has two functions. One learns an array from a run's judged documents on the topics to train on (`Judged`);
relevant is a grade of 1 or more, and what nobody judged is not relevant. The other takes `Votes` with what was learned,
and gives shares, shape (N, R), of which the fused score is the sum.

In the examples each list of topics to train on is a run's, 1 a relevant document and 0 another, `/` between topics; no
other document is relevant.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.fusion.union import Matrix
from irkit.fusion.votes import RankedDocuments, Vector, Votes, by_run
from irkit.judged import Judged

# Last ranks of the segments of SegFuse: the size of segment k is 10 * 2 ** (k - 1) - 5.
SEGMENT_ENDS: Final = np.cumsum([10 * 2 ** (k - 1) - 5 for k in range(1, 40)])
# Last ranks of the segments of BayesFuse: where trec_eval has precision.
BAYES_ENDS: Final = np.array([5, 10, 15, 20, 30, 100, 200, 500, 1000])
# The least probability of being relevant that BayesFuse reckons with, and 1 minus the greatest.
LEAST: Final = 0.001


def learn_positions(judged: Judged) -> Vector:
    """At each rank the share of relevant documents, over the topics whose list reaches that rank."""
    deepest = int(judged.n_retrieved.max(initial=0))
    reach = np.cumsum(np.bincount(judged.n_retrieved, minlength=deepest + 1)[::-1])[::-1][1:]
    hits = np.bincount(judged.rank[judged.grade >= 1], minlength=deepest + 1)[1:]
    return hits / reach


def posfuse(votes: Votes) -> Matrix:
    """PosFuse: the sum of the probabilities that a document is relevant at its rank.

    The probability at a rank is the share of the topics trained on whose document there is relevant, of those that have
    one; 0 at ranks which no topic reached.

    Examples
    --------
    Trained on 1 0 / 0 1 | 1 / 1, runs a b | b a: posfuse(b) = 1 / 2 + 2 / 2 = 1.5000

    References
    ----------
    Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, SIGIR 2010.
    """
    return by_run(votes.block, lambda run, found: _at(votes.learned[run], found.rank - 1))


def slidefuse(votes: Votes, *, w: int) -> Matrix:
    """SlideFuse: as PosFuse, with the mean of the probabilities from w ranks above to w ranks below.

    The window ends at the first and at the last rank of the list that is fused.

    Examples
    --------
    Trained on 1 0 0 1, runs a b c d: slidefuse(a, w=1) = (1 + 0) / 2 = 0.5000
    Trained on 1 0 0 1, runs a b c d: slidefuse(c, w=1) = (0 + 0 + 1) / 3 = 0.3333

    References
    ----------
    Lillis, Toolan, Collier and Dunnion, ECIR 2008; w = 5 as in Lillis's own program.
    """

    def mean(run: int, found: RankedDocuments) -> Vector:
        total, n_ranks = np.zeros((2, len(found.rank)))
        for away in range(-w, w + 1):
            rank = found.rank - 1 + away
            inside = (rank >= 0) & (rank < found.length)
            total += np.where(inside, _at(votes.learned[run], rank), 0.0)
            n_ranks += inside
        return total / n_ranks

    return by_run(votes.block, mean)


def learn_average_precision(judged: Judged) -> Vector:
    """Mean average precision of the run, as an array of one number."""
    relevant = judged.grade >= 1
    precision = np.where(relevant, judged.count_above(relevant) / judged.rank, 0.0)
    total = judged.sum_by_topic(precision)
    n_relevant = judged.n_relevant()
    average = np.divide(total, n_relevant, out=np.zeros(judged.n_topics), where=n_relevant > 0)
    return np.array([average.mean()])


def mapfuse(votes: Votes) -> Matrix:
    """MAPFuse: the sum of the mean average precision of each run, divided by the rank in it.

    Topics without relevant documents count 0. In the example each run finds one of two relevant documents.

    Examples
    --------
    Trained on 0 1 | 1 0, runs a b | b a: mapfuse(b) = (1/2 / 2) / 2 + (1/1 / 2) / 1 = 0.6250

    References
    ----------
    Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, SIGIR 2010.
    """
    return by_run(votes.block, lambda run, found: votes.learned[run][0] / found.rank)


def learn_segments(judged: Judged, *, n_segments: int) -> Vector:
    """Share of relevant documents in each segment, mean over topics; 0 if a list has none."""
    ends = np.ceil(judged.n_retrieved / n_segments)[:, np.newaxis] * np.arange(1, n_segments + 1)
    return _mean_share(judged, ends)


def probfuse(votes: Votes, *, n_segments: int) -> Matrix:
    """ProbFuse: the sum over the runs of the probability in the document's segment k, divided by k.

    A list of n documents has segments of n / n_segments ranks, rounded up; the last ones may be short, or empty. The
    probability in a segment is the share of its documents that are relevant, unjudged ones not being (ProbFuseAll); the
    mean over the topics trained on.

    Examples
    --------
    Trained on 1 0 0 1 | 1 1 0 0, runs a b c d | d c b a: probfuse(a, n_segments=2) = 0.5 / 1 + 0 / 2 = 0.5000
    Trained on 1 0 0 1 | 1 1 0 0, runs a b c d | d c b a: probfuse(d, n_segments=2) = 0.5 / 2 + 1 / 1 = 1.2500

    References
    ----------
    Lillis, Toolan, Collier and Dunnion, SIGIR 2006.
    """

    def share(run: int, found: RankedDocuments) -> Vector:
        segment = np.ceil(found.rank / np.ceil(found.length / n_segments))
        return _at(votes.learned[run], segment - 1) / segment

    return by_run(votes.block, share)


def learn_growing_segments(judged: Judged) -> Vector:
    """Share of relevant documents in each segment of SegFuse, mean over topics; 0 if a list has none."""
    return _mean_share(judged, np.broadcast_to(SEGMENT_ENDS, (judged.n_topics, len(SEGMENT_ENDS))))


def segfuse(votes: Votes) -> Matrix:
    """SegFuse: the sum over the runs of (1 + score) times the probability in the document's segment.

    Segment k holds 10 * 2 ** (k - 1) - 5 ranks: 1 to 5, 6 to 20, 21 to 55, and so on. The probability in a segment is
    the share of its documents that are relevant, the mean over the topics trained on; where a list ends within it, of
    the documents that are there. Scores are min-max normalised.

    Examples
    --------
    Trained on 1 0 | 0 0 1 0, runs a=3 b=1 c=2 | c=8 a=4, min-max: segfuse(a) = (1 + 1) / 2 + (1 + 0) / 4 = 1.2500

    References
    ----------
    Shokouhi, ECIR 2007.
    """

    def probability(run: int, found: RankedDocuments) -> Vector:
        return _at(votes.learned[run], np.searchsorted(SEGMENT_ENDS, found.rank))

    return by_run(votes.block, probability) * (votes.points + 1)


def learn_log_odds(judged: Judged) -> Vector:
    """Log-odds of relevance in each segment of BayesFuse."""
    hits = np.bincount(np.searchsorted(BAYES_ENDS, judged.rank[judged.grade >= 1]), minlength=len(BAYES_ENDS) + 1)
    precision = hits[: len(BAYES_ENDS)] / (judged.n_topics * np.diff(BAYES_ENDS, prepend=0))
    return _log_odds(precision)


def bayesfuse(votes: Votes) -> Matrix:
    """BayesFuse: the sum over all runs of log(p / (1 - p)), p the probability that a document at its rank is relevant.

    p is the precision of the run from rank 1 to 5, 6 to 10, and so on to 15, 20, 30, 100, 200, 500 and 1000, the mean
    over the topics trained on, where a list that ends within a segment is divided by all of it; 0.001 at least and
    0.999 at most. It is 0.001 past rank 1000, and for a document that the run did not find.

    Examples
    --------
    Trained on 1 0 1 0 0 | 0 1 0 0 0, runs a | b a: bayesfuse(a) = log(0.4 / 0.6) + log(0.2 / 0.8) = -1.7918
    Trained on 1 0 1 0 0 | 0 1 0 0 0, runs a | b a: bayesfuse(b) = log(0.001 / 0.999) + log(0.2 / 0.8) = -8.2930

    References
    ----------
    Aslam and Montague, SIGIR 2001: Bayes-fuse. The odds of relevance given a rank take the place of the odds of a rank
    given relevance, which differ by the same amount for all documents.
    """
    least = float(_log_odds(np.zeros(1))[0])

    def odds(run: int, found: RankedDocuments) -> Vector:
        learned = np.append(votes.learned[run], least)
        return learned[np.searchsorted(BAYES_ENDS, found.rank)]

    shares = by_run(votes.block, odds)
    return np.where(np.isnan(shares), least, shares)


def _log_odds(probability: Vector) -> Vector:
    p = np.clip(probability, LEAST, 1 - LEAST)
    return np.log(p / (1 - p))


def _at(learned: Vector, place: Vector | npt.NDArray[np.intp]) -> Vector:
    """Learned value at each place from 0 on; 0 where none was learned."""
    known = (place >= 0) & (place < len(learned))
    found = np.zeros(len(place))
    found[known] = learned[place[known].astype(np.int64)]
    return found


def _mean_share(judged: Judged, ends: npt.NDArray[np.generic]) -> Vector:
    """The share of relevant documents in each of K segments, the mean over T topics.

    Parameters
    ----------
    judged : Judged
    ends : array of shape (T, K)
        The last rank of each segment of each topic, which the list may not reach.
    """
    within = np.minimum(ends, judged.n_retrieved[:, np.newaxis]).astype(np.int64)
    sizes = np.diff(within, axis=1, prepend=0)
    relevant = judged.grade >= 1
    hits = np.zeros(sizes.shape)
    topic = judged.topic[relevant]
    segment = np.count_nonzero(within[topic] < judged.rank[relevant][:, np.newaxis], axis=1)
    np.add.at(hits, (topic, segment), 1)
    shares = np.divide(hits, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
    means: Vector = shares.mean(axis=0)
    return means
