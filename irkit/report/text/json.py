"""JSON: everything, with all digits; null where there is no number."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irkit.evaluation.result import Evaluation

if TYPE_CHECKING:
    from irkit.stats import Comparison


def evaluations(evaluations: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> str:
    """Format `{"evaluations": [...]}`, each as `Evaluation.to_dict`, with `topics` and `groups` if requested."""
    return text({"evaluations": [_evaluation(evaluation, by_topic, groups) for evaluation in evaluations]})


def _evaluation(evaluation: Evaluation, by_topic: bool, groups: Mapping[str, str] | None) -> dict[str, Any]:
    fields = evaluation.to_dict()
    if not by_topic:
        del fields["topics"]
        for measure in fields["measures"].values():
            if measure.get("bounds"):
                del measure["bounds"]["topics"]
    if groups is not None:
        parts = evaluation.by_group(groups).items()
        fields["groups"] = {
            name: {"n_topics": part.n_topics, "measures": part.to_dict()["measures"]} for name, part in parts
        }
    return fields


def comparison(compared: Comparison) -> str:
    """Format the tests and notes; an infinite or undefined statistic is null, and a note gives the reason."""
    return text(compared.to_dict())


def results(
    evaluations: Sequence[Evaluation], comparisons: Sequence[Comparison], *, groups: Mapping[str, str] | None
) -> str:
    """Format `{"evaluations": [...], "comparisons": [...]}`: evaluations with each topic, and comparisons."""
    return text(
        {
            "evaluations": [_evaluation(evaluation, True, groups) for evaluation in evaluations],
            "comparisons": [_without_topics(comparison.to_dict()) for comparison in comparisons],
        }
    )


def _without_topics(comparison: dict[str, Any]) -> dict[str, Any]:
    """Remove the values of each topic from a comparison, because its evaluations have them."""
    runs = [{name: run[name] for name in run if name != "topics"} for run in comparison["runs"]]
    return comparison | {"runs": runs}


def text(value: Any) -> str:
    """Format plain values as JSON; a number that JSON cannot hold is null."""
    return json.dumps(finite(value), indent=2, allow_nan=False) + "\n"


def finite(value: Any) -> Any:
    """Replace every number that JSON cannot hold by None, at any depth."""
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
