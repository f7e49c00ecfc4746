"""The ideal ranking of qrels by subtopic: at each rank the document with the most that is new."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from irkit.data.judgments.subtopics import SubtopicQrels

Gain = npt.NDArray[np.float64]

# Made once for any number of runs against the same qrels: by rel, alpha and depth.
_ideals: WeakKeyDictionary[SubtopicQrels, dict[tuple[int, float, int], Gain]] = WeakKeyDictionary()


def ideal_gain(qrels: SubtopicQrels, rel: int, alpha: float, depth: int) -> Gain:
    """The novel gain at the first ranks of the ideal ranking of each topic of the qrels, 0 past its end.

    At each rank the document with the greatest gain is taken; of several, the one with the larger id. Gains are equal
    if they agree to 12 decimals: what they are the sum of has no order.

    Returns
    -------
    float64 array of shape (T, D), D being `depth`, or the most relevant documents of a topic if they are fewer.
    """
    known = _ideals.setdefault(qrels, {})
    if (rel, alpha, depth) not in known:
        known[rel, alpha, depth] = _greedy_gain(qrels, rel, alpha, depth)
    return known[rel, alpha, depth]


def _greedy_gain(qrels: SubtopicQrels, rel: int, alpha: float, depth: int) -> Gain:
    lines = np.flatnonzero(qrels.grade >= rel)[::-1]  # topic by topic, larger ids first
    subtopic = qrels.subtopic[lines]
    new = np.diff(qrels.document[lines], prepend=-1) != 0
    document = np.cumsum(new) - 1  # of each line, among the relevant ones
    topic = qrels.topic[subtopic[new]]  # of each relevant document
    n_documents = np.bincount(topic, minlength=len(qrels.topics))
    deepest = min(depth, int(n_documents.max(initial=0)))
    gain = np.zeros((len(qrels.topics), deepest))
    taken = np.zeros(len(topic), dtype=bool)
    n_above = np.zeros(len(qrels.subtopics))
    for rank in range(deepest):
        novel = np.bincount(document, weights=(1.0 - alpha) ** n_above[subtopic], minlength=len(topic))
        worth = np.where(taken, -1.0, np.round(novel, 12))
        best = np.full(len(qrels.topics), -1.0)
        np.maximum.at(best, topic, worth)
        candidates = np.flatnonzero(~taken & (worth == best[topic]))
        chosen = candidates[np.diff(topic[candidates], prepend=-1) != 0]  # the first of each topic
        gain[topic[chosen], rank] = novel[chosen]
        taken[chosen] = True
        now = np.zeros(len(topic), dtype=bool)
        now[chosen] = True
        n_above[subtopic[now[document]]] += 1  # a topic has one document at a rank, so that no subtopic comes twice
    return gain
