"""The first documents of every run for each topic, with their grades, and the relevant ones that no run has there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import isfinite
from typing import Any, Final

import numpy as np

from irkit._utils.progress import progress
from irkit._utils.visible import visible
from irkit.data.runs import Run
from irkit.ids import to_text
from irkit.report.page.contributions import Shares
from irkit.report.page.inputs import PageInputs

MOST_MISSED: Final = 20  # relevant documents below the depth that are listed for a topic
Grade = int | float


@dataclass(frozen=True, slots=True)
class TopicRankings:
    """Rankings of a topic on the page: D documents, ordered by their best rank in any run.

    Attributes
    ----------
    documents : tuple of D str
        Documents among the first ranks of any run, then other relevant documents.
    grades : tuple of D (number or None)
        None: not judged. Negative: pooled and not judged.
    ranks : tuple of R tuples of D int
        Rank in each complete run; 0 if the run did not retrieve the document.
    scores : tuple of R tuples of float
        Scores at the first ranks of each run.
    n_missed : int
        Number of relevant documents that are not listed.
    judged : mapping of grade to int
        Number of documents of the topic with each grade.
    lengths : tuple of R int
        Number of documents retrieved by each run.
    shares : tuple of R mappings of rank to list of M float
        Non-zero contributions of the first documents to the value of the topic, by measure.
    """

    documents: tuple[str, ...]
    grades: tuple[Grade | None, ...]
    ranks: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[float, ...], ...]
    n_missed: int
    judged: Mapping[Grade, int]
    lengths: tuple[int, ...]
    shares: tuple[Mapping[int, Sequence[float]], ...] = ()

    def payload(self) -> list[Any]:
        """Convert to the form of the page's script; grades of judgments are pairs, best first."""
        return [
            list(map(visible, self.documents)),
            self.grades,
            self.ranks,
            [list(map(_short, scores)) for scores in self.scores],
            self.n_missed,
            sorted(self.judged.items(), reverse=True),
            self.lengths,
            [[[rank, *map(_short, values)] for rank, values in its.items()] for its in self.shares],
        ]


def _short(value: float) -> float | str:
    """Round a number to six digits; an infinite one becomes text, because JSON has none."""
    return float(f"{value:.6g}") if isfinite(value) else str(value)


def rankings(material: PageInputs, depth: int, added: Sequence[Shares] = ()) -> Iterator[TopicRankings]:
    """Yield the first `depth` documents of every run, topic by topic, in the order of `material.topic_ids`."""
    grades = _grades(material)
    places = [{topic: place for place, topic in enumerate(run.topics)} for run in material.runs]
    with progress("ranking topics", len(material.topic_ids)) as done:
        for topic in material.topic_ids:
            spans = [_documents(run, place.get(topic)) for run, place in zip(material.runs, places, strict=True)]
            scores = [_scores(run, place.get(topic), depth) for run, place in zip(material.runs, places, strict=True)]
            ranked = _topic(spans, scores, grades.get(topic, {}), depth)
            yield replace(ranked, shares=tuple(its.get(topic, {}) for its in added))
            done(1)


def _grades(material: PageInputs) -> dict[str, dict[str, Grade]]:
    if material.qrels is None:
        return {}
    topics = set(material.topic_ids)
    return {
        topic: dict(zip(documents, grades, strict=True))
        for topic, documents, grades in material.qrels.by_topic()
        if topic in topics
    }


def _span(run: Run, place: int) -> slice:
    first, end = run.starts[place : place + 2].tolist()
    return slice(first, end)


def _documents(run: Run, place: int | None) -> list[str]:
    return [] if place is None else list(map(to_text, run.documents[_span(run, place)]))


def _scores(run: Run, place: int | None, depth: int) -> tuple[float, ...]:
    return () if place is None else tuple(run.scores[_span(run, place)][:depth].tolist())


def _topic(
    documents: Sequence[Sequence[str]], scores: Sequence[tuple[float, ...]], grades: Mapping[str, Grade], depth: int
) -> TopicRankings:
    rank_in = [{document: rank for rank, document in enumerate(its, 1)} for its in documents]
    seen = [its[:depth] for its in documents]
    # Order as shown side by side: rank 1 of every run, rank 2 of every run, and so on.
    listed = dict.fromkeys(
        document for same_rank in zip_longest(*seen) for document in same_rank if document is not None
    )
    beyond = depth + max(map(len, documents), default=0) + 1

    def best_rank(document: str) -> int:
        return min(its.get(document, beyond) for its in rank_in)

    missed = sorted(
        (document for document, grade in grades.items() if grade > 0 and document not in listed),
        key=lambda document: (-grades[document], best_rank(document), document),
    )
    shown = (*listed, *missed[:MOST_MISSED])
    its_grades = list(grades.values())
    return TopicRankings(
        shown,
        tuple(grades.get(document) for document in shown),
        tuple(tuple(its.get(document, 0) for document in shown) for its in rank_in),
        tuple(scores),
        len(missed[MOST_MISSED:]),
        {grade: its_grades.count(grade) for grade in dict.fromkeys(its_grades)},
        tuple(map(len, documents)),
    )


def by_change(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[int]:
    """Order T topics by the largest difference between any of R runs on any of M measures, largest first.

    Parameters
    ----------
    values : float64 array of shape (R, M, T)
        Measures in [0, 1], so that their differences are comparable.
    """
    if not values.size:
        return []
    spread = np.nan_to_num(np.nanmax(values, axis=0, initial=-np.inf) - np.nanmin(values, axis=0, initial=np.inf))
    order: list[int] = np.argsort(-spread.max(axis=0), kind="stable").tolist()
    return order
