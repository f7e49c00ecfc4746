"""The baseline: what a run was worth when somebody accepted it, and all that is needed to hold another one to it."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from irkit.errors import FormatError, IrkitError
from irkit.evaluation import Evaluation
from irkit.gate.acceptance import KNOWN, Acceptance
from irkit.gate.limits import Limits
from irkit.ids import to_bytes
from irkit.judgments.fractional import LARGEST
from irkit.measures import parse_measure
from irkit.rules import Conventions, rules_named
from irkit.stats.means import TOLERANCE
from irkit.textio import read_bytes, shown, write_bytes

FORMAT: Final = 1
# So many moves before the last one stay in the file.
REMEMBERED: Final = 20
# How a run is prepared before it is judged, beside what `Conventions` hold; as `irkit.evaluate` takes it.
PREPARED: Final[Mapping[str, Any]] = {"fractional": False, "collapse": None, "collapse_by": "max", "drop_self": False}


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """An accepted state of a run.

    Attributes
    ----------
    evaluation : Evaluation
        Its values by topic and measure, with rules and conventions. `missing` are the topics for which the run returned
        nothing, on purpose, as whoever accepted it said.
    prepared : mapping
        The other options of `irkit.evaluate`: `fractional`, `collapse`, `collapse_by`, `drop_self`.
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

    @classmethod
    def of(cls, source: "BaselineSource") -> "Baseline":
        """A baseline, or the one in a file; errors as of `read_baseline`."""
        return source if isinstance(source, Baseline) else read_baseline(source)

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
        """What decides a number, by the names that `irkit.evaluate` has for it."""
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

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write its file, whole or not at all."""
        write_bytes(path, self.as_json())


BaselineSource: TypeAlias = "str | os.PathLike[str] | Baseline"


def means_of(evaluation: Evaluation) -> dict[str, float | None]:
    """The mean of each measure; None where no topic has a value."""
    summary = zip(evaluation.measures, evaluation.summary.tolist(), strict=True)
    return {str(measure): None if np.isnan(value) else value for measure, value in summary}


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Read the file of a baseline.

    Raises
    ------
    FormatError
        If it is not there or damaged, of a later format, or says two things that cannot both be.
    """
    place = shown(path)
    if os.fspath(path) != "-" and not Path(path).exists():
        raise FormatError(
            place, "there is no such baseline; make it: irkit gate RUN QRELS --baseline FILE --accept --why TEXT"
        )
    data = read_bytes(path)
    try:
        content = _is(json.loads(data, parse_constant=_refused, object_pairs_hook=_once), dict, "the whole")
        found = content["format"]
        if isinstance(found, int) and found > FORMAT:
            raise ValueError(f"it is of format {found}, and this irkit knows {FORMAT}: install a newer one")
        if found != FORMAT or isinstance(found, bool):
            raise ValueError(f"its format is {found!r}, not {FORMAT}")
        return replace(_baseline(content), name=place)
    except (IrkitError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as problem:
        said = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
        raise FormatError(
            place,
            f"is no baseline that can be read: {said}. Take the last good one from version control, or remove it and "
            "accept a run anew",
        ) from problem


def _baseline(content: Mapping[str, Any]) -> Baseline:
    """The baseline that a file holds; every part of it is looked at, since it decides whether a build is green."""
    conventions = dict(_is(content["conventions"], dict, "conventions"))
    rules = rules_named(conventions.pop("rules"))
    prepared = {name: conventions.pop(name) for name in PREPARED}
    if not isinstance(prepared["fractional"], bool) or not isinstance(prepared["drop_self"], bool):
        raise ValueError("a convention is neither true nor false")
    measures = tuple(parse_measure(_is(one, str, "a measure")) for one in _is(content["measures"], list, "measures"))
    if not measures or len(set(measures)) < len(measures) or not all(measure.compared for measure in measures):
        raise ValueError("its measures are none, or stand twice, or are none of which more is better")
    rows = _is(content["topics"], dict, "topics")
    topics = tuple(rows)
    if list(topics) != sorted(topics, key=to_bytes) or not topics:
        raise ValueError("its topics are none, or not in byte order")
    values = np.array([_row(row, len(measures)) for row in rows.values()])
    field = content["field"] or ""
    by_group = _is(content["groups"], dict, "groups")
    groups = {topic: group for group, members in by_group.items() for topic in _texts(members)}
    if sum(map(len, by_group.values())) != len(groups) or (groups and groups.keys() != set(topics)):
        raise ValueError("a topic has no group, or two, or there is no such topic")
    if bool(groups) != bool(_is(field, str, "field")):
        raise ValueError("groups have no field")
    digests = _is(content["sha256"], dict, "sha256")
    accepted = _acceptance(content["accepted"])
    evaluation = Evaluation(
        _is(content["run"], str, "run"),
        measures,
        topics,
        values,
        tuple(_texts(content["returned_nothing"])),
        (),
        (),
        rules,
        Conventions(**{**conventions, "topics": conventions["topics"] or ""}),
    )
    _check_means(evaluation, accepted)
    limits = Limits().changed(_is(content["limits"], dict, "limits"))[0]
    found = Baseline(
        evaluation,
        prepared,
        field,
        groups,
        _is(digests["qrels"], str, "the hash of the qrels"),
        None if digests["topics"] is None else _is(digests["topics"], str, "the hash of the topics"),
        None if digests["run"] is None else _is(digests["run"], str, "the hash of the run"),
        limits,
        accepted,
        tuple(map(_acceptance, _is(content["history"], list, "history"))),
    )
    limits.check(found.measures, found.group_names)
    return found


def _acceptance(content: Any) -> Acceptance:
    known = _is(content, dict, "an acceptance")
    found = Acceptance(**{name: known[name] for name in KNOWN} | {"dirty": tuple(_texts(known["dirty"]))})
    texts = (found.who, found.when, found.why, found.commit or "", *_is(found.versions, dict, "versions").values())
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("who, when, why, commit or a version is no text")
    for value in _is(found.means, dict, "means").values():
        _number(value)
    return found


def _check_means(evaluation: Evaluation, accepted: Acceptance) -> None:
    """The means that a reader sees are those of the topics below them: a file put together by hand is seen so."""
    for name, mean in means_of(evaluation).items():
        told = accepted.means.get(name)
        if mean is None or told is None or not abs(mean - told) <= TOLERANCE * abs(mean):
            raise ValueError(f"it gives {name} as {told}, and its topics give {mean}")


def _row(row: Any, n: int) -> list[float]:
    if len(_is(row, list, "a topic's values")) != n:
        raise ValueError(f"a topic has {len(row)} values of {n}")
    return [_number(value) for value in row]


def _number(value: Any) -> float:
    if value is None:
        return nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise ValueError(f"{value!r} is no number that a measure has")
    return float(value)


def _texts(content: Any) -> list[str]:
    return [_is(one, str, "a name") for one in _is(content, list, "a list of names")]


def _is(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{what}: {type(value).__name__} in the place of {kind.__name__}")
    return value


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no finite number")


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names stand once; twice they do where two versions of a file were merged."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} stands there twice")
        found[name] = value
    return found


class _Lines(dict[str, Any]):
    """An object with a line for each of its names."""


class _Line(dict[str, Any]):
    """An object on one line."""


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
