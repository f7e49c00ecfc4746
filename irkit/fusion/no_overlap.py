"""Detect runs without a common document, and a run that is given twice."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from irkit._utils.text import counted
from irkit.data.look_alikes import difference, folded, look_alikes
from irkit.data.runs import Run, RunSource
from irkit.data.topic_matching import topic_hint
from irkit.fusion.arguments import read_runs
from irkit.fusion.union import UnionOfRuns, pooled
from irkit.ids import to_text

# Runs are strangers where they share no document in more than this share of the topics that they have in common.
MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class FusionNote:
    """A warning about the runs of a fusion; `str` gives a sentence.

    Attributes
    ----------
    code : {"no-common-topic", "no-common-document", "same-ranking"}
        No topic is in two runs; a run and the others, or two runs, share no document in most of their common topics;
        several runs rank the same documents in the same order.
    runs : tuple of str
        The runs that it is about: one that the others share nothing with, or all.
    n_topics, of_topics : int
        Without a common document: in how many topics, and of how many that the runs have in common; else 0.
    example : tuple of str
        Without a common document: such a topic, then run and document, twice: two that look alike if there are some,
        else the first ones. Without a common topic: how topics of two runs would meet, if that is known. Else empty.
    """

    code: Literal["no-common-topic", "no-common-document", "same-ranking"]
    runs: tuple[str, ...]
    n_topics: int = 0
    of_topics: int = 0
    example: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.code == "no-common-topic":
            known = "".join(f" {words}" for words in self.example)
            return f"no topic is in two runs, so that nothing is fused: are the topic ids alike?{known}"
        if self.code == "same-ranking":
            *others, last = self.runs
            times = "twice" if len(self.runs) == 2 else f"{len(self.runs)} times"
            return f"runs {', '.join(others)} and {last} hold the same ranking: its weight counts {times}"
        topic, run, document, other, its = self.example
        what = (
            f"run {run} has no document in common with the others" if len(self.runs) == 1 else "no document in common"
        )
        return (
            f"{what} in {self.n_topics} of {counted(self.of_topics, 'topic')}: are the document ids alike? "
            f"In topic {topic!r} run {run} has {document!r}, run {other} has {its!r}"
            + (
                f": {difference(document, its, f'run {run}', f'run {other}')}"
                if folded(document) == folded(its)
                else ""
            )
        )


def fusion_notes(runs: Iterable[RunSource], depth: int = 1000) -> tuple[FusionNote, ...]:
    """Check runs before fusion: report runs without common documents, and a run given twice.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        As `irkit.fuse` takes them.
    depth : int
        Documents that are looked at of each run for a topic.

    Returns
    -------
    tuple of FusionNote
        Empty where there is nothing to say.

    Raises
    ------
    UsageError, FormatError
        As `irkit.fuse`.
    """
    read = read_runs(runs, depth)
    meeting = SharedCounts(read)
    for _ in meeting.watched(pooled(read, None)):
        pass
    return meeting.notes()


class SharedCounts:
    """Count the topics in which R runs share a document, block by block.

    Parameters
    ----------
    runs : sequence of R Run
        Those of the first R columns of the blocks; columns behind them, such as a prior's, are not looked at.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self._groups = _alike(runs)
        # Runs with the same ranking are one run here; those without a document are none.
        self._columns = [group[0] for group in self._groups if len(runs[group[0]].documents)]
        self._names = tuple(run.name for run in runs)
        self._topics = [runs[place].topics for place in self._columns]
        self._n_common = np.zeros(len(runs), dtype=np.int64)  # topics that another run has too
        self._n_apart = np.zeros(len(runs), dtype=np.int64)  # those in which the run shares no document
        self._examples: dict[int, tuple[str, ...]] = {}

    def watched(self, blocks: Iterable[UnionOfRuns]) -> Iterator[UnionOfRuns]:
        """Count each block and yield it unchanged."""
        for block in blocks:
            if len(self._columns) > 1:
                self._count(block)
            yield block

    def notes(self) -> tuple[FusionNote, ...]:
        """Return the notes on the blocks counted so far."""
        twins = (tuple(self._names[place] for place in group) for group in self._groups if group[1:])
        return (*self._strangers(), *(FusionNote("same-ranking", names) for names in twins))

    def _count(self, block: UnionOfRuns) -> None:
        found = {place: ~np.isnan(block.ranks[:, place]) for place in self._columns}
        has = {place: _any_in_topic(block, rows) for place, rows in found.items()}
        shared = sum(rows.astype(np.int64) for rows in found.values()) > 1
        common = sum(topics.astype(np.int64) for topics in has.values()) > 1
        for place in self._columns:
            asked = has[place] & common
            apart = asked & ~_any_in_topic(block, found[place] & shared)
            self._n_common[place] += asked.sum()
            self._n_apart[place] += apart.sum()
            if apart.any() and place not in self._examples:
                topic = int(np.argmax(apart))
                other = next(one for one in self._columns if one != place and has[one][topic])
                mine, its = (_documents(block, topic, one) for one in (place, other))
                shown = next(look_alikes(mine, its), (mine[0], its[0]))
                named = zip((self._names[place], self._names[other]), shown, strict=True)
                self._examples[place] = (block.topics[topic], *chain.from_iterable(named))

    def _strangers(self) -> Iterator[FusionNote]:
        names = tuple(self._names[place] for place in self._columns)
        if len(names) > 1 and not self._n_common.any():
            pairs = combinations(self._topics, 2)
            hints = (topic_hint(one, other, "write the topic ids of both alike") for one, other in pairs)
            yield FusionNote("no-common-topic", names, example=tuple(islice(filter(None, hints), 1)))
        apart = np.flatnonzero(self._n_apart > MOST * self._n_common).tolist()
        # Of two runs each is as far from the other.
        for place in apart[:1] if len(names) == 2 else apart:
            its = names if len(names) == 2 else (self._names[place],)
            counts = int(self._n_apart[place]), int(self._n_common[place])
            yield FusionNote("no-common-document", its, *counts, self._examples[place])


def _any_in_topic(block: UnionOfRuns, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether a topic has any of these rows, bool of shape (T,), where `rows` is bool of shape (N,)."""
    so_far = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(rows, out=so_far[1:])
    return np.diff(so_far[block.starts]) > 0


def _documents(block: UnionOfRuns, topic: int, run: int) -> list[str]:
    """The documents of a run in a topic, as it ranks them."""
    start, end = int(block.starts[topic]), int(block.starts[topic + 1])
    ranks = block.ranks[start:end, run]
    rows = start + np.argsort(ranks)[: np.count_nonzero(~np.isnan(ranks))]  # nan stands last
    return [to_text(block.documents[row]) for row in rows.tolist()]


def _alike(runs: Sequence[Run]) -> list[list[int]]:
    """The places of the runs, those together that rank the same documents in the same order."""
    groups: list[list[int]] = []
    for place, run in enumerate(runs):
        its = next((group for group in groups if _same_ranking(runs[group[0]], run)), None)
        if its is None:
            groups.append([place])
        else:
            its.append(place)
    return groups


def _same_ranking(run: Run, other: Run) -> bool:
    if len(run.documents) == 0 or run.topics != other.topics or not np.array_equal(run.starts, other.starts):
        return False
    its, their = run.documents, other.documents
    return its.data == their.data and np.array_equal(its.offsets, their.offsets)
