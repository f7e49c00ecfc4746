"""Reorder documents with equal scores."""

from __future__ import annotations  # NumPy loads its generators when they are named

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, compress
from math import comb, prod
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged

Places = npt.NDArray[np.int64]

MOST_ORDERS: Final = 1000  # up to so many are all looked at, of a topic that has more so many are drawn
SEED: Final = 2008  # of the orders drawn
_BATCH: Final = 1 << 20  # rows and lines of qrels that are looked at together


class _Ties(NamedTuple):
    """The K ties of the rows of `Judged`; a row with a unique score is a tie of one."""

    number: Places  # (H,) of each row's tie
    row: Places  # (K,) the first row of each
    n_judged: Places  # (K,)
    n_documents: Places  # (K,) judged or not
    mixed: npt.NDArray[np.bool_]  # (K,) its documents are not all judged alike, so that their order tells


def _ties_of(judged: Judged) -> _Ties:
    begins = np.ones(judged.n_found, dtype=bool)
    begins[1:] = (judged.topic[1:] != judged.topic[:-1]) | (judged.tie_first[1:] != judged.tie_first[:-1])
    row = np.flatnonzero(begins)
    number = np.cumsum(begins) - 1
    n_judged = np.bincount(number, minlength=len(row))
    n_documents = judged.tie_last[row] - judged.tie_first[row] + 1
    other = np.bincount(number[judged.grade != judged.grade[row][number]], minlength=len(row))
    return _Ties(number, row, n_judged, n_documents, (n_documents > n_judged) | (other > 0))


def tied_documents(judged: Judged) -> Places:
    """Number of documents tied with a document of another grade or an unjudged document, for each topic, shape (T,).

    Where there are none, no order of the tied documents changes what a measure sees.
    """
    ties = _ties_of(judged)
    topic = judged.topic[ties.row]
    counts = np.bincount(topic[ties.mixed], weights=ties.n_documents[ties.mixed], minlength=judged.n_topics)
    return counts.astype(np.int64)


def of_topics(judged: Judged, kept: npt.NDArray[np.bool_]) -> Judged:
    """Copy with only the topics where `kept`, shape (T,), is true."""
    place = np.cumsum(kept) - 1
    rows, lines = kept[judged.topic], kept[judged.pool_topic]
    return replace(
        judged,
        topics=tuple(compress(judged.topics, kept.tolist())),
        topic=place[judged.topic[rows]],
        rank=judged.rank[rows],
        grade=judged.grade[rows],
        n_retrieved=judged.n_retrieved[kept],
        pool_topic=place[judged.pool_topic[lines]],
        pool_grade=judged.pool_grade[lines],
        tie_first=judged.tie_first[rows],
        tie_last=judged.tie_last[rows],
    )


def rearranged(judged: Judged, order: Literal["worst", "best"]) -> Judged:
    """Copy with the documents of each tie in best or worst order."""
    ties = _ties_of(judged)
    within = np.arange(judged.n_found) - ties.row[ties.number]
    if order == "best":
        by_grade, rank = np.lexsort((-judged.grade, ties.number)), judged.tie_first + within
    else:
        by_grade = np.lexsort((judged.grade, ties.number))
        rank = judged.tie_last - ties.n_judged[ties.number] + 1 + within
    return judged.with_rows(judged.topic, rank, judged.grade[by_grade], judged.n_retrieved)


def n_orders(judged: Judged) -> list[int]:
    """Number of distinct orders of the tied documents of each topic, as far as a measure distinguishes them."""
    counts = [1] * judged.n_topics
    ties = _ties_of(judged)
    topics = judged.topic[ties.row].tolist()
    for tie in np.flatnonzero(ties.mixed).tolist():
        counts[topics[tie]] *= _n_arrangements(*_key(judged, ties, tie))
    return counts


def in_every_order(judged: Judged) -> Iterator[tuple[Judged, Places]]:
    """Yield every order of tied documents as a separate topic; where orders are many, a random sample of them.

    Yields
    ------
    Judged of P topics, and an int64 array of shape (P,)
        A topic stands there once for each of its orders, in the order of `judged.topics`; the array has its place in
        them. All orders of a topic come together and are equally likely. A topic that has more than `MOST_ORDERS` has
        so many, drawn from a generator that begins with `SEED`, each with its rotations.
    """
    chance = np.random.default_rng(SEED)
    counts = n_orders(judged)
    n_lines = np.bincount(judged.topic, minlength=judged.n_topics) + np.bincount(
        judged.pool_topic, minlength=judged.n_topics
    )
    sizes = [min(count, MOST_ORDERS) * lines for count, lines in zip(counts, n_lines.tolist(), strict=True)]
    ties = _ties_of(judged)
    begin, size = 0, 0
    for topic in range(judged.n_topics):
        size += sizes[topic]
        if topic + 1 == judged.n_topics or size + sizes[topic + 1] > _BATCH:
            yield _batch(judged, ties, range(begin, topic + 1), counts, chance)
            begin, size = topic + 1, 0


def _batch(
    judged: Judged, ties: _Ties, topics: range, counts: list[int], chance: np.random.Generator
) -> tuple[Judged, Places]:
    edges = np.arange(topics.start, topics.stop + 1)
    rows, lines = np.searchsorted(judged.topic, edges), np.searchsorted(judged.pool_topic, edges)
    found = [_orders_of(judged, ties, topic, counts[topic], chance) for topic in topics]
    repeats = [len(rank) for rank, _ in found]
    pools = [np.tile(judged.pool_grade[lines[place] : lines[place + 1]], n) for place, n in enumerate(repeats)]
    its_topic = np.repeat(edges[:-1], repeats)
    of_row = np.repeat(np.arange(len(its_topic)), np.repeat(np.diff(rows), repeats))
    of_line = np.repeat(np.arange(len(its_topic)), np.repeat(np.diff(lines), repeats))
    names = tuple(judged.topics[topic] for topic in its_topic.tolist())
    whole = replace(judged, topics=names, pool_topic=of_line, pool_grade=np.concatenate(pools))
    rank, grade = (np.concatenate([part.ravel() for part in parts]) for parts in zip(*found, strict=True))
    return whole.with_rows(of_row, rank, grade, judged.n_retrieved[its_topic]), its_topic


def _orders_of(
    judged: Judged, ties: _Ties, topic: int, n_orders: int, chance: np.random.Generator
) -> tuple[Places, npt.NDArray[np.generic]]:
    """Ranks and grades of the J rows of a topic in each of its orders, rows in rank order, shape (P, J)."""
    low, high = np.searchsorted(judged.topic, (topic, topic + 1)).tolist()
    first, end = np.searchsorted(ties.row, (low, high)).tolist()
    n = min(n_orders, MOST_ORDERS)
    rank, grade = np.tile(judged.rank[low:high], (n, 1)), np.tile(judged.grade[low:high], (n, 1))
    apart = 1  # orders from one arrangement of a tie to its next
    for tie in first + np.flatnonzero(ties.mixed[first:end]):
        n_documents, grades = _key(judged, ties, tie)
        if n_orders > MOST_ORDERS:
            slots, its_grades = _drawn(n_documents, grades, chance)
        else:
            all_slots, all_grades = _arrangements(n_documents, grades)
            number = np.arange(n) // apart % len(all_slots)
            slots, its_grades = all_slots[number], all_grades[number]
            apart *= len(all_slots)
        row = int(ties.row[tie])
        rank[:, row - low : row - low + len(grades)] = judged.tie_first[row] + slots
        grade[:, row - low : row - low + len(grades)] = its_grades
    return rank, grade


def _key(judged: Judged, ties: _Ties, tie: int) -> tuple[int, tuple[float, ...]]:
    """Number of documents of a tie, and the sorted grades of its judged documents."""
    low = int(ties.row[tie])
    grades = sorted(judged.grade[low : low + int(ties.n_judged[tie])].tolist())
    return int(ties.n_documents[tie]), tuple(grades)


def _n_arrangements(n_documents: int, grades: tuple[float, ...]) -> int:
    counts = [grades.count(grade) for grade in dict.fromkeys(grades)]
    return prod(comb(n_documents - sum(counts[:number]), count) for number, count in enumerate(counts))


@lru_cache(maxsize=1024)
def _arrangements(n_documents: int, grades: tuple[float, ...]) -> tuple[Places, npt.NDArray[np.generic]]:
    """All arrangements of a tie, A in all: places of its J judged documents from 0, rising, and grades; (A, J)."""

    def placed(free: tuple[int, ...], kinds: tuple[float, ...]) -> Iterator[tuple[tuple[int, float], ...]]:
        if not kinds:
            yield ()
            return
        for chosen in combinations(free, grades.count(kinds[0])):
            left = tuple(slot for slot in free if slot not in chosen) if len(kinds) > 1 else ()
            here = tuple((slot, kinds[0]) for slot in chosen)
            yield from (here + others for others in placed(left, kinds[1:]))

    found = [sorted(one) for one in placed(tuple(range(n_documents)), tuple(dict.fromkeys(grades)))]
    slots = np.array([[slot for slot, _ in one] for one in found], dtype=np.int64)
    return slots, np.array([[grade for _, grade in one] for one in found])


def _drawn(
    n_documents: int, grades: tuple[float, ...], chance: np.random.Generator
) -> tuple[Places, npt.NDArray[np.generic]]:
    """Some arrangements of a tie, as `_arrangements` has them.

    An order that is drawn is taken with its rotations, up to a hundred: each document then stands at each rank about
    as often, so that what is a sum over ranks, as DCG or P, is next to exact.
    """
    n_turns = min(n_documents, MOST_ORDERS // 10)
    n_bases = -(-MOST_ORDERS // n_turns)
    bases = chance.permuted(np.tile(np.arange(n_documents), (n_bases, 1)), axis=1)[:, : len(grades)]
    turns = np.arange(n_turns) * n_documents // n_turns
    slots = ((bases[:, np.newaxis] + turns[:, np.newaxis]) % n_documents).reshape(-1, len(grades))[:MOST_ORDERS]
    order = np.argsort(slots, axis=1)
    return np.take_along_axis(slots, order, axis=1), np.array(grades)[order]
