"""Similarity of two or more runs, topic by topic, without judgments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.data.topic_matching import as_end, topic_hint
from irkit.errors import DataError, UsageError
from irkit.evaluation.result import told_apart
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.rankings.document_order import Numbering, TauUnion, run_tau_union
from irkit.stats.rankings.overlap import RunOverlap, mean_of_known, run_overlap
from irkit.stats.rankings.rankings import Ties


@dataclass(frozen=True, slots=True, eq=False)
class Similarity:
    """Overlap and order of the documents of every two of several runs, over the T topics that all runs have.

    Attributes
    ----------
    runs : tuple of str
        Those of one name have a number behind it.
    topics : tuple of T str
        In byte order.
    cutoffs : tuple of int
        Depths k of overlap@k, rising; the average overlap is to the last one.
    overlaps : tuple of RunOverlap
        One a pair, the earlier run first: (0, 1), (0, 2), ...
    unions : tuple of TauUnion
        In the same order.
    left_out : tuple of (str, tuple of str)
        Each run that has topics which another one lacks, and those topics.
    notes : tuple of str
        Short rankings, and topics without a value; a sentence each.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    cutoffs: tuple[int, ...]
    overlaps: tuple[RunOverlap, ...]
    unions: tuple[TauUnion, ...]
    left_out: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...] = ()

    def most_different(self, n: int = 5) -> tuple[tuple[str, float], ...]:
        """The n topics of the lowest RBO, each with its mean over the pairs of runs; those that are the same are not.

        Topics of one value stand in byte order.
        """
        # A topic's ranking is empty in both runs of a pair: that pair says nothing of it.
        means = [mean_of_known(column) for column in np.array([one.rbo for one in self.overlaps]).T]
        places = [place for place, mean in enumerate(means) if mean < 1 - 1e-12]
        return tuple((self.topics[place], means[place]) for place in sorted(places, key=means.__getitem__)[:n])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, with the values of each topic; nan where there is none."""
        first = self.overlaps[0]

        def named(values: Sequence[float]) -> dict[str, float]:
            return dict(zip(self.columns, values, strict=True))

        return {
            "runs": list(self.runs),
            "n_topics": len(self.topics),
            "topics_left_out": {run: list(topics) for run, topics in self.left_out},
            "rbo": {"p": first.p, "ties": first.ties, "depth": first.depth},
            "tau_union": {"numbering": self.unions[0].numbering, "depth": first.depth},
            "pairs": [
                {
                    "first": overlap.first,
                    "second": overlap.second,
                    "topics_with_ties": overlap.n_tied,
                    "means": named(self.means(pair)),
                    "topics": dict(zip(self.topics, map(named, self.values(pair).tolist()), strict=True)),
                }
                for pair, overlap in enumerate(self.overlaps)
            ],
            "most_different": dict(self.most_different()),
            "notes": list(self.notes),
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of `values`: overlap at each cutoff, average overlap, RBO and its bounds, tau union."""
        at = [f"overlap@{k}" for k in self.cutoffs]
        return (*at, f"average_overlap@{self.cutoffs[-1]}", "rbo", "rbo_least", "rbo_most", "tau_union")

    def values(self, pair: int) -> Values:
        """A row for each topic and a column for each of `columns`, of the pair at this place."""
        overlap = self.overlaps[pair]
        at = [overlap.agreement[:, k - 1] for k in self.cutoffs]
        rbo = (overlap.rbo, overlap.rbo_least, overlap.rbo_most)
        return np.column_stack([*at, overlap.average_overlap, *rbo, self.unions[pair].values])

    def means(self, pair: int) -> tuple[float, ...]:
        """The mean of each of `columns` over the topics that have a value, of the pair at this place."""
        return tuple(map(mean_of_known, self.values(pair).T))


def run_similarity(
    runs: Sequence[Run],
    *,
    cutoffs: Sequence[int] = (10,),
    p: float = 0.9,
    ties: Ties = "a",
    numbering: Numbering = "appearance",
    depth: int | None = None,
    done: Callable[[int], None] = lambda pairs: None,
) -> Similarity:
    """Overlap@k, average overlap, rank-biased overlap and tau union of every two runs, paired by topic id.

    Parameters
    ----------
    runs : sequence of Run
        Two at least.
    cutoffs : sequence of int
        Depths of overlap@k; the deepest one is that of the average overlap.
    p, ties
        As of `rank_biased_overlap`.
    numbering
        As of `tau_union`.
    depth : int, optional
        Read that many ranks of each run only.
    done : function, optional
        Called with 1 after each pair.

    Returns
    -------
    Similarity

    Raises
    ------
    UsageError
        If there are fewer than two runs, no cutoff or one below 1, or an option has no such value.
    DataError
        If no topic is in all runs.
    """
    if len(runs) < 2:
        raise UsageError(f"similarity needs at least two runs, got {len(runs)}")
    depths = tuple(sorted(set(cutoffs)))
    if not depths or depths[0] < 1:
        raise UsageError(f"overlap needs a depth of at least 1, got {', '.join(map(str, depths)) or 'none'}")
    runs = told_apart(runs)
    topics = set(runs[0].topics).intersection(*(run.topics for run in runs[1:]))
    if not topics:
        named = ", ".join(run.name for run in runs)
        hint = as_end(topic_hint(runs[0].topics, runs[1].topics, "write the topic ids of both alike"))
        raise DataError(f"no topic is in all of {named}: nothing can be compared{hint}")
    overlaps, unions = [], []
    for first, second in combinations(runs, 2):
        overlaps.append(run_overlap(first, second, cutoff=depths[-1], p=p, ties=ties, depth=depth, topics=topics))
        unions.append(run_tau_union(first, second, numbering=numbering, depth=depth, topics=topics))
        done(1)
    only = ((run.name, tuple(topic for topic in run.topics if topic not in topics)) for run in runs)
    short = [(run.name, _n_short(run, depths[-1], topics)) for run in runs]
    notes = [
        f"{run}: fewer than {depths[-1]} documents in {counted(n, 'topic')}; the ranks it lacks count as empty."
        for run, n in short
        if n
    ]
    notes += [
        f"{one.first}, {one.second}: {note}."
        for one, union in zip(overlaps, unions, strict=True)
        for note in (one.note, union.note)
        if note
    ]
    return Similarity(
        tuple(run.name for run in runs),
        overlaps[0].topics,
        depths,
        tuple(overlaps),
        tuple(unions),
        tuple((run, left) for run, left in only if left),
        tuple(notes),
    )


def _n_short(run: Run, k: int, topics: set[str]) -> int:
    """Number of topics for which the run has fewer than k documents."""
    sizes = np.diff(run.starts).tolist()
    return sum(size < k and topic in topics for topic, size in zip(run.topics, sizes, strict=True))
