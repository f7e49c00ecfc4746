"""The charts of the page: figures of irkit as specifications, with titles as separate texts."""

from typing import Any, Final

from irkit.data.qrels import Qrels
from irkit.measures import Measure
from irkit.report import figures
from irkit.report.page.inputs import PageInputs

MOST_GROUPS: Final = 40  # with more groups, only a table


def charts(material: PageInputs, parts: dict[int, list[int]], depth: int) -> dict[str, Any]:
    """Return the specifications by name, each with `title` and `basis` as separate texts.

    `scatter` and `differences` are made from the first two runs, without data: the page adds the data of any two runs.
    """
    evaluations = material.evaluations
    specs: dict[str, Any] = {}
    if len(evaluations) > 1 and (measure := _with_values(material)) is not None:
        for name, figure in (("scatter", figures.scatter), ("differences", figures.differences)):
            specs[name] = _part(figure(evaluations[0], evaluations[1], measure))
            specs[name]["spec"]["datasets"] = {"topics": []}
    if isinstance(material.qrels, Qrels):
        measures = {
            "precision_recall": figures.PRECISION_RECALL,
            "recall": figures.RECALL,
            "unjudged": figures.UNJUDGED,
        }
        scored = material.evaluated(tuple(dict.fromkeys(measure for its in measures.values() for measure in its)))
        for name in measures:
            specs[name] = _part(getattr(figures, name)(scored))
        for run, its in parts.items():
            voices = [material.runs[part] for part in its]
            chart = figures.contribution(material.runs[run], voices, material.qrels, depth=depth)
            specs[f"contribution {run}"] = _part(chart)
    groups = material.groups
    if groups is not None and len({groups[topic] for topic in material.topic_ids}) <= MOST_GROUPS:
        for column, measure in enumerate(material.measures):
            specs[f"groups {column}"] = _part(figures.categories(evaluations, groups, measure))
    return specs


def _with_values(material: PageInputs) -> Measure | None:
    """Return a measure for which the first two runs have values in some topic."""
    pair = material.evaluations[:2]
    for measure in material.measures:
        if not any((evaluation.by_topic(measure) != evaluation.by_topic(measure)).all() for evaluation in pair):
            return measure
    return None


def _part(chart: Any) -> dict[str, Any]:
    spec = figures.to_spec(chart)
    # The page has its own headings, and sets one of its two themes.
    title = spec.pop("title")
    del spec["config"]
    return {"title": " ".join(title["text"]), "basis": " ".join(title.get("subtitle", ())), "spec": spec}
