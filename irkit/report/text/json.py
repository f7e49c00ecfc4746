"""JSON: everything, with all digits; null where there is no number."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irkit.evaluation.result import Evaluation

if TYPE_CHECKING:
    from irkit.stats import Comparison


def evaluations(found: Sequence[Evaluation], *, by_topic: bool, groups: Mapping[str, str] | None) -> str:
    """`{"evaluations": [...]}`, each as `Evaluation.to_dict`, with `topics` and `groups` where they were asked for."""
    return text({"evaluations": [_evaluation(one, by_topic, groups) for one in found]})


def _evaluation(one: Evaluation, by_topic: bool, groups: Mapping[str, str] | None) -> dict[str, Any]:
    whole = one.to_dict()
    if not by_topic:
        del whole["topics"]
        for measure in whole["measures"].values():
            if measure.get("bounds"):
                del measure["bounds"]["topics"]
    if groups is not None:
        parts = one.by_group(groups).items()
        whole["groups"] = {
            name: {"n_topics": part.n_topics, "measures": part.to_dict()["measures"]} for name, part in parts
        }
    return whole


def comparison(compared: Comparison) -> str:
    """The tests and the notes; null stands for a statistic that is infinite or not defined, and the note says why."""
    return text(compared.to_dict())


def results(found: Sequence[Evaluation], comparisons: Sequence[Comparison], *, groups: Mapping[str, str] | None) -> str:
    """`{"evaluations": [...], "comparisons": [...]}`: those with each topic, and these as `comparison` gives them."""
    return text(
        {
            "evaluations": [_evaluation(one, True, groups) for one in found],
            "comparisons": [_without_topics(one.to_dict()) for one in comparisons],
        }
    )


def _without_topics(whole: dict[str, Any]) -> dict[str, Any]:
    """A comparison without the values of each topic, which stand with the evaluations."""
    runs = [{name: run[name] for name in run if name != "topics"} for run in whole["runs"]]
    return whole | {"runs": runs}


def text(value: Any) -> str:
    """Plain values as JSON; null for a number that it does not have."""
    return json.dumps(finite(value), indent=2, allow_nan=False) + "\n"


def finite(value: Any) -> Any:
    """The same with None for every number that JSON does not have, however deep it stands."""
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
