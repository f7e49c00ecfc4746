"""The baseline: the accepted evaluation of a run, and all that is needed to compare another run with it."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from irkit.evaluation.result import Evaluation
from irkit.gate.acceptance_record import Acceptance
from irkit.gate.limits import Limits

FORMAT: Final = 1
# So many moves before the last one stay in the file.
REMEMBERED: Final = 20
# How a run is prepared before it is judged, beside what `Conventions` hold; as `irkit.evaluate` takes it.
PREPARED: Final[Mapping[str, Any]] = {
    "fractional": False,
    "collapse": None,
    "collapse_by": "max",
    "collapse_at": "first",
    "drop_self": False,
    "match_topics": None,
}


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """An accepted state of a run.

    Attributes
    ----------
    evaluation : Evaluation
        Its values by topic and measure, with rules and conventions. `missing` are the topics for which the run returned
        nothing, on purpose, as whoever accepted it said.
    prepared : mapping
        The other options of `irkit.evaluate`: `fractional`, `collapse`, `collapse_by`, `collapse_at`, `drop_self`,
        `match_topics`.
    field : str
        The topic field whose values are the groups; empty where there are none.
    groups : mapping of topic to group
    qrels, topics, run : str or None
        SHA-256 of what the judgments and the topics said, and of the run's file; None of what there was not.
    limits : Limits
    accepted : Acceptance
    history : tuple of Acceptance
        Those before, the last one first.
    name : str
        What to call it in messages: its file.
    """

    evaluation: Evaluation
    prepared: Mapping[str, Any]
    field: str
    groups: Mapping[str, str]
    qrels: str
    topics: str | None
    run: str | None
    limits: Limits
    accepted: Acceptance
    history: tuple[Acceptance, ...] = ()
    name: str = "baseline"

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of its measures."""
        return tuple(map(str, self.evaluation.measures))

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups, in the order in which the topics file names them."""
        return tuple(dict.fromkeys(self.groups.values()))

    @property
    def conventions(self) -> dict[str, Any]:
        """Options that decide a number, by their names in `irkit.evaluate`."""
        its = self.evaluation.conventions
        told = {"average": its.average, "no_relevant": its.no_relevant, "ties": its.ties}
        return {"rules": str(self.evaluation.rules), **told, **self.prepared}

    def as_json(self) -> bytes:
        """The text of its file: stable, a line for each topic, so that a move reads well in version control."""
        its = self.evaluation
        values = [[None if np.isnan(value) else value for value in row] for row in its.values.tolist()]
        by_group: dict[str, list[str]] = {}
        for topic, group in self.groups.items():
            by_group.setdefault(group, []).append(topic)
        parts = {
            "format": FORMAT,
            "run": its.name,
            "accepted": self.accepted.to_dict(),
            "limits": self.limits.to_dict(),
            "conventions": {**self.conventions, "topics": its.conventions.topics or None},
            "sha256": {"qrels": self.qrels, "topics": self.topics, "run": self.run},
            "measures": list(self.measures),
            "topics": _Lines(dict(zip(its.topics, values, strict=True))),
            "returned_nothing": list(its.missing),
            "field": self.field or None,
            "groups": _Lines(by_group),
            "history": [_Line(one.to_dict()) for one in self.history[:REMEMBERED]],
        }
        text = ",\n".join(f" {_json(name)}: {_laid_out(value)}" for name, value in parts.items())
        # An id that is not UTF-8 is half a character here, which JSON can carry as an escape: \\udcff.
        return f"{{\n{text}\n}}\n".encode("utf-8", "backslashreplace")


BaselineSource: TypeAlias = "str | os.PathLike[str] | Baseline"


def means_of(evaluation: Evaluation) -> dict[str, float | None]:
    """The mean of each measure; None where no topic has a value."""
    summary = zip(evaluation.measures, evaluation.summary.tolist(), strict=True)
    return {str(measure): None if np.isnan(value) else value for measure, value in summary}


class _Lines(dict[str, Any]):
    """An object with a line for each of its names."""


class _Line(dict[str, Any]):
    """A JSON object to write on one line."""


def _laid_out(value: Any) -> str:
    if isinstance(value, _Lines) and value:
        inner = ",\n".join(f"  {_json(name)}: {_json(one)}" for name, one in value.items())
        return f"{{\n{inner}\n }}"
    if isinstance(value, list) and any(isinstance(one, _Line) for one in value):
        return "[\n" + ",\n".join(f"  {_json(one)}" for one in value) + "\n ]"
    if isinstance(value, dict) and value and not isinstance(value, _Line | _Lines):
        return _laid_out(_Lines(value))
    return _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False)
