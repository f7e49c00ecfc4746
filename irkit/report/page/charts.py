"""The page's drawings: figures of irkit as specifications, each with its title as text beside it."""

from typing import Any, Final

from irkit.data.qrels import Qrels
from irkit.measures import Measure
from irkit.report import figures
from irkit.report.page.inputs import PageInputs

MOST_GROUPS: Final = 40  # more are a table only


def charts(material: PageInputs, parts: dict[int, list[int]], depth: int) -> dict[str, Any]:
    """The specifications by name, each with `title` and `basis` as texts of its own.

    `scatter` and `differences` are of the first two runs and have no data: the page puts in those of any two.
    """
    evaluations = material.evaluations
    found: dict[str, Any] = {}
    if len(evaluations) > 1 and (measure := _with_values(material)) is not None:
        for name, figure in (("scatter", figures.scatter), ("differences", figures.differences)):
            found[name] = _part(figure(evaluations[0], evaluations[1], measure))
            found[name]["spec"]["datasets"] = {"topics": []}
    if isinstance(material.qrels, Qrels):
        wanted = {
            "precision_recall": figures.PRECISION_RECALL,
            "recall": figures.RECALL,
            "unjudged": figures.UNJUDGED,
        }
        scored = material.evaluated(tuple(dict.fromkeys(one for its in wanted.values() for one in its)))
        for name in wanted:
            found[name] = _part(getattr(figures, name)(scored))
        for run, its in parts.items():
            voices = [material.runs[part] for part in its]
            chart = figures.contribution(material.runs[run], voices, material.qrels, depth=depth)
            found[f"contribution {run}"] = _part(chart)
    groups = material.groups
    if groups is not None and len({groups[topic] for topic in material.topic_ids}) <= MOST_GROUPS:
        for column, measure in enumerate(material.measures):
            found[f"groups {column}"] = _part(figures.categories(evaluations, groups, measure))
    return found


def _with_values(material: PageInputs) -> Measure | None:
    """A measure that the first two runs have a value of for some topic."""
    pair = material.evaluations[:2]
    for measure in material.measures:
        if not any((one.by_topic(measure) != one.by_topic(measure)).all() for one in pair):
            return measure
    return None


def _part(chart: Any) -> dict[str, Any]:
    spec = figures.to_spec(chart)
    # The page has a heading in its own type, and gives each of its two themes.
    title = spec.pop("title")
    del spec["config"]
    return {"title": " ".join(title["text"]), "basis": " ".join(title.get("subtitle", ())), "spec": spec}
