"""Documents that two runs rank differently, with both ranks and their contribution to a measure.

Judged documents are matched as plain qrels whose grades are their places, so that one array a run has the rank of every
line of the qrels, and the two are aligned. What nobody judged is looked at in the first ranks only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from irkit import _kernel
from irkit._kernel.columns import QrelsColumns
from irkit._utils.arrays import freeze
from irkit.data.judgments.fractional import FractionalQrels
from irkit.data.qrels import Qrels
from irkit.data.runs import Run
from irkit.fusion.union import pooled
from irkit.ids import Ids, to_bytes
from irkit.judged import judge
from irkit.judged.fractional import judge_fractional
from irkit.measures import Measure
from irkit.measures.contributions import contributions, looked_at
from irkit.rules import Rules

Change = Literal["gained", "lost", "up", "down", "same", "new"]
CHANGES: Final[tuple[Change, ...]] = get_args(Change)
GAINED, LOST, UP, DOWN, SAME, NEW = range(len(CHANGES))

Graded = Qrels | FractionalQrels
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ChangedDocuments:
    """N documents of T topics that two runs return differently, topic by topic, those of most influence first.

    Attributes
    ----------
    starts : int64 array of shape (T + 1,)
        Topic `t` holds the documents `starts[t]` up to `starts[t + 1]`.
    ids : Ids of N ids
    grades : float64 array of shape (N,)
        nan where nobody judged the document.
    ranks : int64 array of shape (N, 2)
        In either run from 1, however deep; 0 where it was not retrieved.
    changes : int64 array of shape (N,)
        Places in `CHANGES`. A document that is relevant, or contributes to the measure, is gained, lost, up, down, or
        stands at the same rank and contributes something else, because of what stands above. Any other one is new.
    contributions : float64 array of shape (N, 2), or None
        What it contributes to the measure in either run. None where that is not known.
    """

    starts: Places
    ids: Ids
    grades: npt.NDArray[np.float64]
    ranks: Places
    changes: Places
    contributions: npt.NDArray[np.float64] | None

    def __post_init__(self) -> None:
        freeze(self, "starts", "grades", "ranks", "changes")
        if self.contributions is not None:
            freeze(self, "contributions")

    @property
    def topic_of(self) -> Places:
        """The place of each document's topic, shape (N,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


class _Side(NamedTuple):
    """One run, seen from the N lines of the qrels."""

    rank: Places  # (N,), 0 where it lacks the document
    inside: npt.NDArray[np.bool_]  # (N,), whether the measure looks at it
    contribution: npt.NDArray[np.float64] | None  # (N,)


class _Rows(NamedTuple):
    """Documents in any order."""

    topic: Places
    ids: Ids
    grades: npt.NDArray[np.float64]
    ranks: Places
    changes: Places
    contributions: npt.NDArray[np.float64]


def changed_documents(
    runs: tuple[Run, Run], judgments: Graded, measure: Measure, topics: Sequence[str], *, page: int, rules: Rules
) -> ChangedDocuments:
    """The documents that two runs return differently.

    Those are the relevant ones that a measure looks at in either run, and others that contribute to it, if they were
    gained, lost or moved, or contribute something else; and the rest that are new in the first ranks of the second run.
    """
    if rules.float32_scores:
        runs = runs[0].rounded_to_float32(), runs[1].rounded_to_float32()
    place_of = {topic: place for place, topic in enumerate(topics)}
    sides = _sides(runs, judgments, measure, rules)
    parts = [_judged(sides, judgments, measure, place_of, page), _unjudged(runs, sides, judgments, place_of, page)]
    topic, grades, ranks, changes, given = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("topic", "grades", "ranks", "changes", "contributions")
    )
    influence = np.round(abs(given[:, 1] - given[:, 0]), 12)
    best = np.where(ranks > 0, ranks, np.iinfo(np.int64).max).min(axis=1)
    order = np.lexsort((best, changes, -influence, topic))
    return ChangedDocuments(
        np.concatenate(([0], np.cumsum(np.bincount(topic, minlength=len(topics))))),
        Ids.joined([part.ids for part in parts]).taken(order),
        grades[order],
        ranks[order],
        changes[order],
        None if sides[0].contribution is None else given[order],
    )


def _sides(runs: tuple[Run, Run], judgments: Graded, measure: Measure, rules: Rules) -> list[_Side]:
    if isinstance(judgments, FractionalQrels):
        places = judgments.places
    else:
        places = replace(judgments, grades=np.arange(len(judgments)))
    sides = []
    for run in runs:
        judged = (
            judge_fractional(run, judgments, rules=rules)
            if isinstance(judgments, FractionalQrels)
            else judge(run, judgments, rules=rules)
        )
        line = judge(run, places, rules=rules).grade  # of the same documents in the same order
        given = contributions(judged, measure)
        rank, inside, contribution = np.zeros(len(places), np.int64), np.zeros(len(places), bool), np.zeros(len(places))
        rank[line] = judged.rank
        inside[line] = looked_at(judged, measure).rows
        if given is not None:
            contribution[line] = given
        sides.append(_Side(rank, inside, None if given is None else contribution))
    return sides


def _judged(sides: Sequence[_Side], judgments: Graded, measure: Measure, place_of: dict[str, int], page: int) -> _Rows:
    topic = _topic_of_line(judgments, place_of)
    ranks = np.stack([side.rank for side in sides], axis=1)
    first, second = (side.inside for side in sides)
    given = np.stack([np.zeros(len(topic)) if side.contribution is None else side.contribution for side in sides], 1)
    grades = judgments.grades.astype(np.float64)
    lowest = np.nextafter(0, 1) if isinstance(judgments, FractionalQrels) else dict(measure.params).get("rel") or 1
    relevant = grades >= lowest
    came, went = second & ~first, first & ~second
    moved = np.where(ranks[:, 1] < ranks[:, 0], UP, np.where(ranks[:, 1] > ranks[:, 0], DOWN, SAME))
    counting = (relevant & (first | second)) | (given != 0).any(axis=1)
    changes = np.select([came & counting, went & counting], [GAINED, LOST], moved)
    on_page = (ranks > 0) & (ranks <= page)
    new = ~relevant & ~counting & (grades >= 0) & on_page[:, 1] & ~on_page[:, 0]
    changes = np.where(new, NEW, changes)
    listed = new | (given[:, 0] != given[:, 1]) | (counting & (changes != SAME))
    lines = np.flatnonzero(listed & (topic >= 0))
    documents = judgments.places.documents if isinstance(judgments, FractionalQrels) else judgments.documents
    return _Rows(topic[lines], documents.taken(lines), grades[lines], ranks[lines], changes[lines], given[lines])


def _unjudged(
    runs: tuple[Run, Run], sides: Sequence[_Side], judgments: Graded, place_of: dict[str, int], page: int
) -> _Rows:
    """Unjudged documents that are new in the first ranks of the second run."""
    line = np.flatnonzero((sides[1].rank > 0) & (sides[1].rank <= page) & (judgments.grades >= 0))
    judged = _topic_of_line(judgments, place_of)[line] * (page + 1) + sides[1].rank[line]
    topics, ranks, ids = [], [], []
    for block in pooled(runs, page):
        places = np.array([place_of.get(topic, -1) for topic in block.topics], dtype=np.int64)[block.topic_of]
        rows = np.flatnonzero((places >= 0) & np.isnan(block.ranks[:, 0]))
        place, rank = places[rows], block.ranks[rows, 1].astype(np.int64)
        kept = ~np.isin(place * (page + 1) + rank, judged)
        topics.append(place[kept])
        ranks.append(rank[kept])
        ids.append(block.documents.taken(rows[kept]))
    topic, documents = np.concatenate([np.zeros(0, np.int64), *topics]), Ids.joined(ids)
    both = np.stack([np.zeros(len(topic), np.int64), np.concatenate([np.zeros(0, np.int64), *ranks])], axis=1)
    both[:, 0] = _ranks_of(runs[0], list(place_of), topic, documents)
    n = len(topic)
    return _Rows(topic, documents, np.full(n, np.nan), both, np.full(n, NEW), np.zeros((n, 2)))


def _ranks_of(run: Run, topics: Sequence[str], topic: Places, documents: Ids) -> Places:
    """The rank of each document in the run, 0 where it lacks it; `topic` is their places in `topics`."""
    names = sorted({topics[place] for place in np.unique(topic).tolist()}, key=to_bytes)
    place = np.full(len(topics), -1)
    known = {name: number for number, name in enumerate(topics)}
    place[[known[name] for name in names]] = np.arange(len(names))
    order = np.argsort(place[topic], kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(place[topic], minlength=len(names)))))
    wanted = QrelsColumns(list(map(to_bytes, names)), starts, documents.taken(order), order)
    found = _kernel.match(run.columns(), _kernel.Pool(wanted))
    ranks = np.zeros(len(topic), dtype=np.int64)
    ranks[found.grade] = found.rank
    return ranks


def _topic_of_line(judgments: Graded, place_of: dict[str, int]) -> Places:
    """The place of the topic of each line of the qrels, -1 where it is not wanted."""
    places = judgments.places if isinstance(judgments, FractionalQrels) else judgments
    place = np.array([place_of.get(topic, -1) for topic in places.topics], dtype=np.int64)
    return np.repeat(place, np.diff(places.starts))
