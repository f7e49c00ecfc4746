"""All data of a page; rankings and texts up to its size limit."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irkit._utils.text import counted
from irkit._utils.visible import visible
from irkit.evaluation.summary import head
from irkit.report.page import leaderboard, texts
from irkit.report.page.charts import charts
from irkit.report.page.contributions import shares
from irkit.report.page.embed import data_element, that_fit
from irkit.report.page.fusion import alone, found_by, fusions
from irkit.report.page.inputs import PageInputs, values_of
from irkit.report.page.numbers import plain_all
from irkit.report.page.provenance import hash_of, parts_of, provenance, records_of
from irkit.report.page.rankings import TopicRankings, by_change, rankings
from irkit.stats import few_topics_note


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Options of the page.

    Attributes
    ----------
    title : str
    baseline : int or str
    depth : int
        Number of documents shown of each ranking.
    room : int
        Maximum bytes of all data.
    sources : mapping of str to path
        Files of judgments, topics and documents, if they are files.
    facts : sequence of (str, str)
        Further labels and values about the making of the page.
    """

    title: str
    baseline: int | str
    depth: int
    room: int
    sources: Mapping[str, str | os.PathLike[str] | None]
    facts: Sequence[tuple[str, str]] = ()


def payload(material: PageInputs, options: PageOptions) -> dict[str, Any]:
    """Return the page's data, keyed by the names in its script.

    `core` is shown immediately; `rankings` and `texts` are for the topics that fit, those with the largest differences
    between runs first.
    """
    values = values_of(material.evaluations)
    order = by_change(values[:, [place for place, measure in enumerate(material.measures) if measure.compared]])
    added, known = shares(material, options.depth)
    ranked = list(rankings(material, options.depth, added))
    records = records_of(material.files)
    parts = parts_of(material.files, records)
    tested = leaderboard.tests(material.evaluations, options.baseline)
    core = {
        "title": visible(options.title),
        "runs": list(map(visible, material.names)),
        "measures": [
            measure | {"shared": its}
            for measure, its in zip(leaderboard.measures_shown(material.evaluations), known, strict=True)
        ],
        "board": leaderboard.board(material.evaluations),
        "tests": tested,
        "field": None if material.field is None else visible(material.field),
        "topics": _topics(material, values.tolist()),
        "groups": _groups(material),
        "graded": material.qrels is not None,
        "top_grade": max((grade for topic in ranked for grade in topic.judged), default=0),
        "provenance": [provenance(file, record) for file, record in zip(material.files, records, strict=True)],
        "facts": _facts(material, options),
        "sentences": head(material.evaluations, visible, shared=len(material.runs) > 1),
        "cautions": list(
            filter(
                None,
                [
                    few_topics_note(material.evaluations),
                    visible(leaderboard.skewed_intervals(material.evaluations, material.groups)),
                ],
            )
        ),
        "charts": charts(material, parts, options.depth),
    }
    if material.qrels is not None:
        has_relevant = found_by(ranked, options.depth)
        tested_columns = [place for place, measure in enumerate(material.measures) if measure.compared] or [0]
        core["alone"] = alone(has_relevant, parts)
        core["fusions"] = fusions(has_relevant, parts, values, tested_columns[0])
    return _fitted(material, options, core, [ranked[place] for place in order], order)


def _fitted(
    material: PageInputs, options: PageOptions, core: dict[str, Any], ranked: Sequence[TopicRankings], order: list[int]
) -> dict[str, Any]:
    """Add as many rankings and texts to the data as fit the room."""
    room = options.room - len(data_element("core", core)) - 4_000
    carried = [topic.payload() for topic in ranked]
    n_rankings = that_fit(carried, lambda some: len(data_element("rankings", some)), room)
    room -= len(data_element("rankings", carried[:n_rankings]))
    documents, topics = _texts(material, options, ranked[:n_rankings], order)

    def texts_of(some: Sequence[int]) -> dict[str, Any]:
        ids = dict.fromkeys(document for place in some for document in carried[place][0])
        return {
            "documents": {id: documents[id] for id in ids if id in documents},
            "topics": {str(order[place]): topics[order[place]] for place in some if topics and topics[order[place]]},
        }

    n_texts = 0
    if documents or topics:
        places = range(n_rankings)
        n_texts = that_fit(places, lambda some: len(data_element("texts", texts_of(some))), room)
    core["rankings"] = {"depth": options.depth, "order": order, "carried": n_rankings, "texts": n_texts}
    core["left_out"] = _left_out(len(order), n_rankings, n_texts, bool(documents))
    data = {"core": core, "rankings": carried[:n_rankings]}
    return data | ({"texts": texts_of(range(n_texts))} if n_texts else {})


def _texts(
    material: PageInputs, options: PageOptions, ranked: Sequence[TopicRankings], order: Sequence[int]
) -> tuple[dict[str, list[Any]], list[dict[str, str]] | None]:
    """Return the texts of all documents shown, and the fields of all topics."""
    path = options.sources.get("documents")
    _, fields = texts.topic_texts(material.topics, material.topic_ids)
    if path is None:
        return {}, fields
    return texts.document_texts(path, {document for topic in ranked for document in topic.documents}), fields


def _left_out(n_topics: int, n_rankings: int, n_texts: int, has_documents: bool) -> list[str]:
    sentences = []
    if n_rankings < n_topics:
        sentences.append(
            f"The page holds the rankings of {counted(n_rankings, 'topic')} of {n_topics}, those on which the runs "
            "differ most; more would make it too large."
        )
    if has_documents and n_texts < n_rankings:
        sentences.append(
            f"The page holds the texts of documents for {counted(n_texts, 'topic')} of {n_topics}, those on which the "
            "runs differ most; more would make it too large."
        )
    return sentences


def _topics(material: PageInputs, values: list[list[list[float]]]) -> dict[str, Any]:
    queries, _ = texts.topic_texts(material.topics, material.topic_ids)
    names = _group_names(material)
    return {
        "ids": list(map(visible, material.topic_ids)),
        "queries": queries,
        "group": None if material.groups is None else [names.index(material.groups[id]) for id in material.topic_ids],
        "values": [[plain_all(column) for column in run] for run in values],
    }


def _group_names(material: PageInputs) -> list[str]:
    """Return the groups in the order of the topics file."""
    if material.groups is None:
        return []
    evaluated = {material.groups[topic] for topic in material.topic_ids}
    return [name for name in dict.fromkeys(material.groups.values()) if name in evaluated]


def _groups(material: PageInputs) -> list[dict[str, Any]] | None:
    if material.groups is None:
        return None
    return [
        group | {"name": visible(group["name"])} for group in leaderboard.groups(material.evaluations, material.groups)
    ]


def _facts(material: PageInputs, options: PageOptions) -> list[tuple[str, str]]:
    """List the basis of the numbers: rules, conventions and files."""
    first = material.evaluations[0]
    rows = [
        *options.facts,
        ("rules", str(first.rules)),
        ("topics averaged", first.conventions.average),
        ("topics without relevant documents", first.conventions.no_relevant),
        ("order of ties", first.conventions.ties),
    ]
    for name, path in options.sources.items():
        if path is not None:
            rows.append((name, Path(path).name))
            rows.append((f"{name}, SHA-256", hash_of(path)))
    return [(name, visible(value)) for name, value in rows if value]
