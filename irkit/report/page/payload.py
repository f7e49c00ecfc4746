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
    """What the page is to show, beside runs and judgments.

    Attributes
    ----------
    title : str
    baseline : int or str
    depth : int
        Documents shown of each ranking.
    room : int
        Bytes for all data.
    sources : mapping of str to path
        The files of judgments, topics and documents, where they are files.
    facts : sequence of (str, str)
        What else is said of how the page was made.
    """

    title: str
    baseline: int | str
    depth: int
    room: int
    sources: Mapping[str, str | os.PathLike[str] | None]
    facts: Sequence[tuple[str, str]] = ()


def payload(material: PageInputs, wanted: PageOptions) -> dict[str, Any]:
    """The page's data by the names under which it looks for them.

    `core` is what is shown at once; `rankings` and `texts` are for the topics that are carried, those first on which
    the runs differ most.
    """
    values = values_of(material.evaluations)
    order = by_change(values[:, [place for place, one in enumerate(material.measures) if one.compared]])
    added, known = shares(material, wanted.depth)
    ranked = list(rankings(material, wanted.depth, added))
    records = records_of(material.files)
    parts = parts_of(material.files, records)
    tested = leaderboard.tests(material.evaluations, wanted.baseline)
    core = {
        "title": visible(wanted.title),
        "runs": list(map(visible, material.names)),
        "measures": [
            one | {"shared": its}
            for one, its in zip(leaderboard.measures_shown(material.evaluations), known, strict=True)
        ],
        "board": leaderboard.board(material.evaluations),
        "tests": tested,
        "field": None if material.field is None else visible(material.field),
        "topics": _topics(material, values.tolist()),
        "groups": _groups(material),
        "graded": material.qrels is not None,
        "top_grade": max((grade for one in ranked for grade in one.judged), default=0),
        "provenance": [provenance(file, record) for file, record in zip(material.files, records, strict=True)],
        "facts": _facts(material, wanted),
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
        "charts": charts(material, parts, wanted.depth),
    }
    if material.qrels is not None:
        found = found_by(ranked, wanted.depth)
        tested_columns = [place for place, one in enumerate(material.measures) if one.compared] or [0]
        core["alone"] = alone(found, parts)
        core["fusions"] = fusions(found, parts, values, tested_columns[0])
    return _fitted(material, wanted, core, [ranked[place] for place in order], order)


def _fitted(
    material: PageInputs, wanted: PageOptions, core: dict[str, Any], ranked: Sequence[TopicRankings], order: list[int]
) -> dict[str, Any]:
    """The data with as many rankings and texts as there is room for."""
    room = wanted.room - len(data_element("core", core)) - 4_000
    carried = [one.payload() for one in ranked]
    n_rankings = that_fit(carried, lambda some: len(data_element("rankings", some)), room)
    room -= len(data_element("rankings", carried[:n_rankings]))
    documents, topics = _texts(material, wanted, ranked[:n_rankings], order)

    def texts_of(some: Sequence[int]) -> dict[str, Any]:
        ids = dict.fromkeys(document for place in some for document in carried[place][0])
        return {
            "documents": {one: documents[one] for one in ids if one in documents},
            "topics": {str(order[place]): topics[order[place]] for place in some if topics and topics[order[place]]},
        }

    n_texts = 0
    if documents or topics:
        places = range(n_rankings)
        n_texts = that_fit(places, lambda some: len(data_element("texts", texts_of(some))), room)
    core["rankings"] = {"depth": wanted.depth, "order": order, "carried": n_rankings, "texts": n_texts}
    core["left_out"] = _left_out(len(order), n_rankings, n_texts, bool(documents))
    data = {"core": core, "rankings": carried[:n_rankings]}
    return data | ({"texts": texts_of(range(n_texts))} if n_texts else {})


def _texts(
    material: PageInputs, wanted: PageOptions, ranked: Sequence[TopicRankings], order: Sequence[int]
) -> tuple[dict[str, list[Any]], list[dict[str, str]] | None]:
    """The texts of all documents shown, and the fields of all topics."""
    path = wanted.sources.get("documents")
    _, fields = texts.topic_texts(material.topics, material.topic_ids)
    if path is None:
        return {}, fields
    return texts.document_texts(path, {document for one in ranked for document in one.documents}), fields


def _left_out(n_topics: int, n_rankings: int, n_texts: int, has_documents: bool) -> list[str]:
    said = []
    if n_rankings < n_topics:
        said.append(
            f"The page holds the rankings of {counted(n_rankings, 'topic')} of {n_topics}, those on which the runs "
            "differ most; more would make it too large."
        )
    if has_documents and n_texts < n_rankings:
        said.append(
            f"The page holds the texts of documents for {counted(n_texts, 'topic')} of {n_topics}, those on which the "
            "runs differ most; more would make it too large."
        )
    return said


def _topics(material: PageInputs, values: list[list[list[float]]]) -> dict[str, Any]:
    queries, _ = texts.topic_texts(material.topics, material.topic_ids)
    names = _group_names(material)
    return {
        "ids": list(map(visible, material.topic_ids)),
        "queries": queries,
        "group": None if material.groups is None else [names.index(material.groups[one]) for one in material.topic_ids],
        "values": [[plain_all(column) for column in run] for run in values],
    }


def _group_names(material: PageInputs) -> list[str]:
    """The groups in the order in which the topics' file has them."""
    if material.groups is None:
        return []
    evaluated = {material.groups[topic] for topic in material.topic_ids}
    return [name for name in dict.fromkeys(material.groups.values()) if name in evaluated]


def _groups(material: PageInputs) -> list[dict[str, Any]] | None:
    if material.groups is None:
        return None
    return [one | {"name": visible(one["name"])} for one in leaderboard.groups(material.evaluations, material.groups)]


def _facts(material: PageInputs, wanted: PageOptions) -> list[tuple[str, str]]:
    """What the numbers rest on: rules, conventions and files."""
    first = material.evaluations[0]
    rows = [
        *wanted.facts,
        ("rules", str(first.rules)),
        ("topics averaged", first.conventions.average),
        ("topics without relevant documents", first.conventions.no_relevant),
        ("order of ties", first.conventions.ties),
    ]
    for name, path in wanted.sources.items():
        if path is not None:
            rows.append((name, Path(path).name))
            rows.append((f"{name}, SHA-256", hash_of(path)))
    return [(name, visible(value)) for name, value in rows if value]
