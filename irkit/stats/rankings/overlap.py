"""Overlap of the documents of two runs, topic by topic, without judgments."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import nan
from typing import Literal, TypeAlias

import numpy as np

from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.data.topic_matching import as_end, topic_hint
from irkit.errors import DataError, UsageError
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.rankings.rankings import Groups, Ranking, Ties, shared
from irkit.stats.rankings.rbo import rank_biased_overlap

Ranked: TypeAlias = tuple[list[str], list[float]]


@dataclass(frozen=True, slots=True, eq=False)
class RunOverlap:
    """Overlap of two runs in the T topics that both have.

    Attributes
    ----------
    first, second : str
        The runs.
    topics : tuple of T str
        In byte order.
    k : int
        Depth of `overlap` and `average_overlap`.
    agreement : float64 array of shape (T, k)
        Share of the first d ranks that hold the same documents, at each depth d from 1 to k.
    rbo, rbo_least, rbo_most : float64 arrays of shape (T,)
        Rank-biased overlap, extrapolated, and the bounds that it keeps whatever follows; nan where both rankings are
        empty.
    p : float
        Persistence of RBO.
    ties : str
        How RBO treats documents of the same score.
    n_tied : int
        Topics in which either run has documents of the same score, to the depth that was read.
    depth : int or None
        Ranks of each run that were read; None: all.
    only_first, only_second : tuple of str
        Topics of one run only; they are in no mean.
    note : str
        What a reader must know besides; else empty.
    """

    first: str
    second: str
    topics: tuple[str, ...]
    k: int
    agreement: Values
    rbo: Values
    rbo_least: Values
    rbo_most: Values
    p: float
    ties: Ties
    n_tied: int
    depth: int | None
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "agreement", "rbo", "rbo_least", "rbo_most")

    @property
    def n_topics(self) -> int:
        """T, the number of topics compared."""
        return len(self.topics)

    @property
    def overlap(self) -> Values:
        """The share of the first k ranks that hold the same documents, shape (T,)."""
        return self.agreement[:, -1]

    @property
    def average_overlap(self) -> Values:
        """The mean of the overlap at each depth from 1 to k, shape (T,)."""
        averages: Values = self.agreement.mean(axis=1)
        return averages

    def mean(self, of: Literal["overlap", "average_overlap", "rbo", "rbo_least", "rbo_most"] = "rbo") -> float:
        """The mean over the topics that have a value; nan if none has."""
        return mean_of_known(getattr(self, of))


def overlaps(first: Groups | Ranking, second: Groups | Ranking, k: int) -> Values:
    """The share of the first d items that two lists have in common, at each depth d from 1 to k.

    Its last value is overlap@k, its mean the average overlap to depth k.

    Parameters
    ----------
    first, second : sequence of str, or of groups of str
        Items in ranked order, each once. Those in a list, tuple or set of their own are tied: the mean over all orders.
    k : int
        At least 1. Ranks past the end of a list hold nothing that the other has.

    Returns
    -------
    float64 array of shape (k,), each in [0, 1]

    Raises
    ------
    UsageError
        If k is below 1.
    DataError
        If an item occurs twice in a list.
    """
    if k < 1:
        raise UsageError(f"overlap needs a depth of at least 1, got {k}")
    counts = shared(Ranking.of(first), Ranking.of(second), "a")[:k]
    last = counts[-1] if len(counts) else 0.0
    return np.concatenate((counts, np.full(k - len(counts), last))) / np.arange(1, k + 1)


def run_overlap(
    first: Run,
    second: Run,
    *,
    cutoff: int = 10,
    p: float = 0.9,
    ties: Ties = "a",
    depth: int | None = None,
    topics: Collection[str] | None = None,
) -> RunOverlap:
    """Overlap@k, average overlap and rank-biased overlap of two runs, paired by topic id.

    Parameters
    ----------
    first, second : Run
    cutoff : int
        Depth of overlap and average overlap. A ranking may be shorter: the ranks that it lacks hold nothing.
    p, ties
        As of `rank_biased_overlap`. Documents of one score are tied.
    depth : int, optional
        Read that many ranks of each run only; documents tied across that depth are cut as the run orders them.
    topics : collection of str, optional
        Compare these topics only.

    Returns
    -------
    RunOverlap

    Raises
    ------
    UsageError
        If the cutoff or the depth is below 1, p not between 0 and 1, or `ties` unknown.
    DataError
        If the runs have no topic in common.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"overlap needs a depth of at least 1, got {depth}")
    compared, agreement, rows, n_tied = [], [], [], 0
    for topic, *rankings in in_both(first, second, topics):
        one, other = (Ranking.of_scores(documents[:depth], scores[:depth]) for documents, scores in rankings)
        agreement.append(overlaps(one, other, cutoff))
        rbo = rank_biased_overlap(one, other, p=p, ties=ties)
        compared.append(topic)
        rows.append((rbo.extrapolated, rbo.least, rbo.most))
        n_tied += rbo.ties != "none"
    extrapolated, least, most = np.array(rows).T
    n_empty = int(np.isnan(extrapolated).sum())
    return RunOverlap(
        first.name,
        second.name,
        tuple(compared),
        cutoff,
        np.array(agreement),
        extrapolated,
        least,
        most,
        p,
        ties,
        n_tied,
        depth,
        only_in(first, second),
        only_in(second, first),
        f"both rankings are empty in {counted(n_empty, 'topic')}: no RBO" if n_empty else "",
    )


def in_both(first: Run, second: Run, topics: Collection[str] | None = None) -> Iterator[tuple[str, Ranked, Ranked]]:
    """Yield each topic of both runs, and in `topics` if given, in byte order, with documents and scores of both."""
    common = set(first.topics).intersection(second.topics, second.topics if topics is None else topics)
    if not common:
        hint = as_end(topic_hint(first.topics, second.topics, "write the topic ids of both alike"))
        raise DataError(f"{first.name} and {second.name} have no topic in common: nothing can be compared{hint}")
    ours, theirs = ((row for row in run.by_topic() if row[0] in common) for run in (first, second))
    for (topic, documents, scores), (_, others, other_scores) in zip(ours, theirs, strict=True):
        yield topic, (documents, scores), (others, other_scores)


def mean_of_known(values: Values) -> float:
    """The mean of the values that are not nan; nan if all are."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else nan


def only_in(run: Run, other: Run) -> tuple[str, ...]:
    """Topics of the first run that the second run lacks."""
    known = set(other.topics)
    return tuple(topic for topic in run.topics if topic not in known)
