"""Preferences counted: how many a ranking could fulfil, and how many it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from irkit.ids import to_bytes
from irkit.judged import PerTopic

if TYPE_CHECKING:
    from irkit.data.judgments.preferences import PreferenceGroup
    from irkit.judged.preferences import JudgedPreferences

Counts = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.bool_]


class Fulfilled(NamedTuple):
    """Preferences fulfilled, and those that could be."""

    fulfilled: int
    possible: int


class GroupTally(NamedTuple):
    """Preferences of one judgment group.

    A document is preferred to another; the ranking fulfils that if it stands above it, or if it alone was retrieved.
    """

    retrieved: Fulfilled  # both documents were retrieved
    implied: Fulfilled  # one of them was
    unseen: int  # neither was
    balanced: Fulfilled  # all of these, with as many documents not relevant as relevant
    balanced_retrieved: Fulfilled  # the same of documents retrieved


class PairTally(NamedTuple):
    """Pairs of documents that a preference of any group is about; of each, the share of its preferences fulfilled."""

    retrieved: float  # sum of the shares where both were retrieved
    n_retrieved: int
    seen: float  # sum of the shares where one was, or both
    n_seen: int
    n_pairs: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The preferences for T topics, of G judgment groups, counted.

    Attributes
    ----------
    topic : int64 array of shape (G,)
        Place of each group's topic.
    retrieved, implied, balanced, balanced_retrieved : int64 arrays of shape (G, 2)
        Preferences fulfilled and possible.
    unseen : int64 array of shape (G,)
    pairs : tuple of T PairTally
    """

    topic: Counts
    retrieved: Counts
    implied: Counts
    unseen: Counts
    balanced: Counts
    balanced_retrieved: Counts
    pairs: tuple[PairTally, ...]

    @property
    def n_topics(self) -> int:
        """T, the number of topics."""
        return len(self.pairs)

    def by_topic(self, counts: npt.ArrayLike) -> PerTopic:
        """Sum one value per group, shape (G,), within each topic, shape (T,), in the order of the groups."""
        sums = np.bincount(self.topic, weights=np.asarray(counts, dtype=np.float64), minlength=self.n_topics)
        return sums.astype(np.float64, copy=False)


# Counted once for any number of measures.
_tallies: WeakKeyDictionary[JudgedPreferences, Tally] = WeakKeyDictionary()


def tally(judged: JudgedPreferences) -> Tally:
    """The preferences of `judged`, counted.

    References
    ----------
    trec_eval 10.0, form_prefs_counts.c.
    """
    if judged not in _tallies:
        _tallies[judged] = _counted(judged)
    return _tallies[judged]


def _counted(judged: JudgedPreferences) -> Tally:
    dtype = np.dtype(np.float32 if judged.rules.float32_scores else np.float64)
    topic: list[int] = []
    groups: list[GroupTally] = []
    pairs: list[PairTally] = []
    for place, (its_groups, ranks) in enumerate(zip(judged.groups, judged.ranks, strict=True)):
        documents = _in_order(its_groups, ranks)
        index = {document: number for number, document in enumerate(documents)}
        votes = np.zeros((len(documents), len(documents)), dtype=np.int32)
        for group in its_groups:
            levels = group.levels()
            inside = sorted(levels, key=index.__getitem__)
            preferred = group.preferred(inside, dtype)
            numbers = [index[document] for document in inside]
            votes[np.ix_(numbers, numbers)] += preferred
            ordered = np.array([levels[document] for document in inside], dtype=dtype)
            n_retrieved = sum(document in ranks for document in inside)
            groups.append(_group(preferred, ordered, n_retrieved, one_subgroup=len(group.subgroups) == 1))
            topic.append(place)
        pairs.append(_pairs(votes, len(ranks)))
    counts = (np.array([group[part] for group in groups], dtype=np.int64) for part in range(5))
    retrieved, implied, unseen, balanced, balanced_retrieved = counts
    return Tally(
        np.array(topic, dtype=np.int64), retrieved, implied, unseen, balanced, balanced_retrieved, tuple(pairs)
    )


def _in_order(groups: tuple[PreferenceGroup, ...], ranks: Mapping[str, int]) -> list[str]:
    """The judged documents of a topic: those retrieved in rank order, then the others by id."""
    documents = {document for group in groups for document in group.levels()}
    return [*sorted(ranks, key=ranks.__getitem__), *sorted(documents.difference(ranks), key=to_bytes)]


def _group(preferred: Matrix, levels: npt.NDArray[np.floating], n_retrieved: int, *, one_subgroup: bool) -> GroupTally:
    """Count the preferences of a group, its documents in order, of which the first `n_retrieved` were retrieved."""
    seen, rest = slice(n_retrieved), slice(n_retrieved, None)
    retrieved = Fulfilled(_above(preferred[seen, seen]), int(preferred[seen, seen].sum()))
    shown = int(preferred[seen, rest].sum())
    implied = Fulfilled(shown, shown + int(preferred[rest, seen].sum()))
    unseen = int(preferred[rest, rest].sum())
    relevant = levels > 0
    # trec_eval takes a negative level for one of documents that are not relevant only where there are no sub-groups
    other = ~relevant if one_subgroup else levels == 0
    thinned = _thinned_levels if one_subgroup else _thinned_matrix

    n_relevant, n_other = int(relevant.sum()), int(other.sum())
    found, n_other_found = int(relevant[seen].sum()), int(other[seen].sum())
    if (spare := n_relevant - n_other) >= 0:
        balanced = Fulfilled(
            retrieved.fulfilled + implied.fulfilled + found * spare,
            retrieved.possible + implied.possible + unseen + n_relevant * spare,
        )
    else:
        left = thinned(preferred, levels, n_relevant)
        balanced = Fulfilled(_above(left[seen]), int(left.sum()))
    if (spare := found - n_other_found) >= 0:
        # n_relevant, and not the documents found, is what trec_eval multiplies with
        balanced_retrieved = Fulfilled(retrieved.fulfilled + found * spare, retrieved.possible + n_relevant * spare)
    else:
        left = thinned(preferred, levels, found if one_subgroup else n_relevant)[seen, seen]
        balanced_retrieved = Fulfilled(_above(left), int(left.sum()))
    return GroupTally(retrieved, implied, unseen, balanced, balanced_retrieved)


def _above(preferred: Matrix) -> int:
    """Number of fulfilled preferences: pairs above the diagonal of the matrix."""
    return int(np.triu(preferred, 1).sum())


def _thinned_levels(preferred: Matrix, levels: npt.NDArray[np.floating], n_kept: int) -> Matrix:
    """Preferences of a group with one sub-group, with only the first `n_kept` documents of the lowest level.

    trec_eval compares every document to these, those of the lowest level too, and themselves.
    """
    lowest = levels == levels.min()
    kept = lowest & (np.cumsum(lowest) <= n_kept)
    return np.asarray((preferred & ~lowest) | kept)


def _thinned_matrix(preferred: Matrix, levels: npt.NDArray[np.floating], n_kept: int) -> Matrix:
    """The preferences of a group of several sub-groups, with only the first `n_kept` documents of level 0."""
    other = levels == 0
    kept = ~other | (np.cumsum(other) <= n_kept)
    return np.asarray(preferred & kept & kept[:, np.newaxis])


def _pairs(votes: npt.NDArray[np.int32], n_retrieved: int) -> PairTally:
    """Count the pairs of a topic's documents, in order, for which `votes` has preferences of row to column."""
    both = votes + votes.T
    upper = np.triu(both > 0, 1)
    sums, numbers = [0.0], []
    for columns in (slice(n_retrieved), slice(n_retrieved, None)):
        about = upper[:n_retrieved, columns]
        shares = votes[:n_retrieved, columns][about] / both[:n_retrieved, columns][about]
        # cumsum adds row by row, as a C loop does, so the last digit agrees
        sums.append(float(np.cumsum([sums[-1], *shares])[-1]))
        numbers.append(len(shares))
    return PairTally(sums[1], numbers[0], sums[2], sum(numbers), int(upper.sum()))
