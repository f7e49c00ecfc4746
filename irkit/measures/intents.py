"""NTCIR's measures over qrels by subtopic: a document's gain is its mean gain for the intents that a query can have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from irkit.errors import MeasureError
from irkit.judged import PerTopic
from irkit.measures.common import share, top
from irkit.measures.diversity import share_covered
from irkit.measures.gains import Gains, gain_of
from irkit.measures.ideal import blended_ratio

if TYPE_CHECKING:
    from irkit.judged.subtopics import JudgedSubtopics

Probabilities = Mapping[str, float] | Iterable[tuple[str, float]]


def normalised_gain(
    judged: JudgedSubtopics, cutoff: int | None = None, gains: Gains = (), probabilities: Probabilities = ()
) -> PerTopic:
    """Global nDCG: gains of a document for each subtopic, weighted by the probability of the subtopic.

    Parameters
    ----------
    cutoff : int, optional
        Depth in documents, at least 1, of the ranking and of the ideal one. Without it the ideal holds every judged
        document, however short the ranking is.
    gains : mapping of grade to gain
        Gains in place of the grades, for grades of 1 and more; grades that are not named keep their own.
    probabilities : mapping of subtopic to number
        How likely each subtopic is meant, for every subtopic that has a document with a gain above 0; if not given,
        those of a topic are equally likely. A subtopic of probability 0 counts for nothing.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing gains.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1, or a subtopic has no probability though others have.

    Notes
    -----
    sum over r <= k of GG(r) / log2(r + 1), divided by the same of all judged documents, greatest GG first
    GG(r) = sum over the subtopics i of P(i) * gain of the document at r for i

    Examples
    --------
    Ranked 1=2 - 1+2=3, not retrieved 3: D_nDCG@3 = (2 + (1 + 3)/log2(4)) / (4 + 2/log2(3) + 1/log2(4)) = 0.6942

    References
    ----------
    Sakai and Song 2011; NTCIREVAL 190111, measure MSnDCG of global gains.
    """
    judged = top(judged, cutoff)
    found, ideal, ranking = *_global_gain(judged, gains, probabilities), judged.ranking
    best = ideal / np.log2(ranking.pool_rank + 1)
    if cutoff is not None:
        best *= ranking.pool_rank <= cutoff
    return share(ranking.sum_by_topic(found / np.log2(ranking.rank + 1)), ranking.sum_pool_by_topic(best))


def normalised_gain_and_recall(
    judged: JudgedSubtopics,
    cutoff: int | None = None,
    gains: Gains = (),
    probabilities: Probabilities = (),
    gamma: float = 0.5,
) -> PerTopic:
    """D-nDCG and the share of the subtopics covered (I-rec), weighed by `gamma`: the D#-nDCG of NTCIR.

    Parameters
    ----------
    cutoff, gains, probabilities
        As for `normalised_gain`. A subtopic counts as covered where a document gains something for it.
    gamma : float
        Weight of the share covered, from 0 to 1.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing gains.

    Raises
    ------
    MeasureError
        As `normalised_gain`.

    Notes
    -----
    gamma * I-rec + (1 - gamma) * D-nDCG
    I-rec = subtopics covered in the first k ranks / subtopics for which a document gains something

    Examples
    --------
    Ranked 1=2 - 1+2=3, not retrieved 3: DSharp_nDCG@3 = 0.5 * 2/3
        + 0.5 * (2 + (1 + 3)/log2(4)) / (4 + 2/log2(3) + 1/log2(4)) = 0.6804

    References
    ----------
    Sakai and Song 2011.
    """
    covered = _intent_recall(judged, cutoff, gains, probabilities)
    return gamma * covered + (1.0 - gamma) * normalised_gain(judged, cutoff, gains, probabilities)


def q_measure(
    judged: JudgedSubtopics,
    cutoff: int | None = None,
    gains: Gains = (),
    probabilities: Probabilities = (),
    beta: float = 1.0,
) -> PerTopic:
    """Q-measure of global gains: the blended ratio at each document that gains something, averaged over all of them.

    Parameters
    ----------
    cutoff, gains, probabilities
        As for `normalised_gain`.
    beta : float
        How much the gain weighs beside the number of documents that gain something; with 0, it is AP.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing gains.

    Raises
    ------
    MeasureError
        As `normalised_gain`.

    Notes
    -----
    sum over the ranks r <= k with GG(r) > 0 of (C(r) + beta cg(r)) / (r + beta cg*(r)), divided by min(k, R)
    GG(r) = sum over the subtopics i of P(i) * gain of the document at r for i
    C(r), cg(r) = documents with GG > 0, and the sum of GG, down to r; cg*(r) that sum in the ideal ranking
    R = judged documents with GG > 0

    Examples
    --------
    Ranked 1=2 - 1+2=3, not retrieved 3: D_Q@3 = ((1 + 2/3)/(1 + 4/3) + (2 + 2)/(3 + 7/3)) / 3 = 0.4881

    References
    ----------
    Sakai and Song 2011; NTCIREVAL 190111, measure Q-measure of global gains.
    """
    judged = top(judged, cutoff)
    found, ideal, ranking = *_global_gain(judged, gains, probabilities), judged.ranking
    blended = blended_ratio(ranking, found, ideal, beta)
    n_relevant = ranking.sum_pool_by_topic(ideal > 0)
    most = n_relevant if cutoff is None else np.minimum(cutoff, n_relevant)
    return share(ranking.sum_by_topic((found > 0) * blended), most)


def q_measure_and_recall(
    judged: JudgedSubtopics,
    cutoff: int | None = None,
    gains: Gains = (),
    probabilities: Probabilities = (),
    beta: float = 1.0,
    gamma: float = 0.5,
) -> PerTopic:
    """D-Q and the share of the subtopics covered (I-rec), weighed by `gamma`: the D#-Q of NTCIR.

    Parameters
    ----------
    cutoff, gains, probabilities, beta
        As for `q_measure`. A subtopic counts as covered where a document gains something for it.
    gamma : float
        Weight of the share covered, from 0 to 1.

    Returns
    -------
    float64 array of shape (T,), each in [0, 1]; 0 where nothing gains.

    Raises
    ------
    MeasureError
        As `normalised_gain`.

    Notes
    -----
    gamma * I-rec + (1 - gamma) * D-Q
    I-rec = subtopics covered in the first k ranks / subtopics for which a document gains something

    Examples
    --------
    Ranked 1=2 - 1+2=3, not retrieved 3: DSharp_Q@3 = 0.5 * 2/3
        + 0.5 * ((1 + 2/3)/(1 + 4/3) + (2 + 2)/(3 + 7/3)) / 3 = 0.5774

    References
    ----------
    Sakai and Song 2011.
    """
    covered = _intent_recall(judged, cutoff, gains, probabilities)
    return gamma * covered + (1.0 - gamma) * q_measure(judged, cutoff, gains, probabilities, beta)


def n_gaining(
    judged: JudgedSubtopics, *, gains: Gains = (), probabilities: Probabilities = (), **_: object
) -> npt.NDArray[np.int64]:
    """Judged documents that gain something for each topic, shape (T,)."""
    return judged.n_documents(_weighed_gain(judged, gains, probabilities) > 0)


def _intent_recall(judged: JudgedSubtopics, cutoff: int | None, gains: Gains, probabilities: Probabilities) -> PerTopic:
    return share_covered(top(judged, cutoff), _weighed_gain(judged, gains, probabilities) > 0)


def _global_gain(
    judged: JudgedSubtopics, gains: Gains, probabilities: Probabilities
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The global gain of each row of the ranking; and of each judged document, topic by topic, greatest first."""
    weighed, n_places = _weighed_gain(judged, gains, probabilities), len(judged.qrels.places)
    # One more, 0, for place -1: what was pooled and not judged.
    of_place = np.bincount(judged.qrels.document, weights=weighed, minlength=n_places + 1).astype(np.float64)
    pool = of_place[judged.ranking.pool_grade]
    return of_place[judged.ranking.grade], pool[np.lexsort((-pool, judged.ranking.pool_topic))]


def _weighed_gain(judged: JudgedSubtopics, gains: Gains, probabilities: Probabilities) -> npt.NDArray[np.float64]:
    """The gain of each line of the qrels times the probability of its subtopic, shape (N,)."""
    qrels, gain = judged.qrels, gain_of(judged.qrels.grade, gains=gains)
    probability = np.zeros(len(qrels.subtopics))
    probability[qrels.subtopic[gain > 0]] = 1.0
    gaining = np.flatnonzero(probability)
    if given := dict(probabilities):
        for place in gaining.tolist():
            name, topic = qrels.subtopics[place], qrels.topics[qrels.topic[place]]
            if name not in given:
                raise MeasureError(
                    f"no probability is given for subtopic {name!r} of topic {topic!r}, only for "
                    f"{', '.join(map(repr, given))}; give one for each subtopic, or for none"
                )
            probability[place] = given[name]
    else:
        topic_of = qrels.topic[gaining]
        probability[gaining] = 1.0 / np.bincount(topic_of, minlength=len(qrels.topics))[topic_of]
    return np.asarray(probability[qrels.subtopic] * gain)
