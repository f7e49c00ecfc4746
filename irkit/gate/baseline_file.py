"""Read a baseline file, and check every part of it."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from irkit._utils.options import option
from irkit._utils.text import instead
from irkit.data.judgments.fractional import LARGEST
from irkit.errors import FormatError, IrkitError
from irkit.evaluation.result import Evaluation
from irkit.files.textio import STDIN, read_bytes, shown
from irkit.gate.acceptance_record import KNOWN, Acceptance
from irkit.gate.baseline import FORMAT, PREPARED, Baseline, BaselineSource, means_of
from irkit.gate.limits import Limits
from irkit.ids import to_bytes
from irkit.measures import parse_measure
from irkit.rules import Conventions, rules_named
from irkit.stats.paired.means import TOLERANCE


def baseline_of(source: BaselineSource) -> Baseline:
    """Return a baseline, or read it from a file; errors as `read_baseline`."""
    return source if isinstance(source, Baseline) else read_baseline(source)


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Read the file of a baseline.

    Raises
    ------
    FormatError
        If it is not there or damaged, of a later format, or says two things that cannot both be.
    """
    place = shown(path)
    if os.fspath(path) != STDIN and not Path(path).exists():
        raise FormatError(
            place, f"there is no such baseline; accept a run as the baseline first: {option(accept_baseline=None)}"
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


_PARTS: Final = (
    *("format", "run", "accepted", "limits", "conventions", "sha256", "measures", "topics", "returned_nothing"),
    *("field", "groups", "history"),
)


def _baseline(content: Mapping[str, Any]) -> Baseline:
    """The baseline that a file holds."""
    _just(content, _PARTS, "the whole")
    _just(_is(content["limits"], dict, "limits"), Limits.__slots__, "limits")
    conventions = dict(_is(content["conventions"], dict, "conventions"))
    rules = rules_named(conventions.pop("rules"))
    for name in ("collapse_at", "match_topics"):  # a baseline may be of before they could be chosen
        conventions.setdefault(name, PREPARED[name])
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
    _just(digests, ("qrels", "topics", "run"), "sha256")
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
    # A tolerance of the file is all that there is; the usual one stands only where the file has none of its own.
    usual = Limits(tolerance=()) if "tolerance" in content["limits"] else Limits()
    limits = usual.changed(content["limits"], by_group)[0]
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
    limits.check(evaluation, found.group_names)
    return found


def _acceptance(content: Any) -> Acceptance:
    known = _is(content, dict, "an acceptance")
    _just(known, KNOWN, "an acceptance")
    found = Acceptance(**{name: known[name] for name in KNOWN} | {"dirty": tuple(_texts(known["dirty"]))})
    texts = (found.who, found.when, found.why, found.commit or "", *_is(found.versions, dict, "versions").values())
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("who, when, why, commit or a version is no text")
    for value in _is(found.means, dict, "means").values():
        _number(value)
    return found


def _just(content: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    """Check that an object has exactly these keys, since a missing key would silently mean a default."""
    for name in names:
        if name not in content:
            raise ValueError(f"{what}: {name} is missing")
    for name in content:
        if name not in names:
            raise ValueError(f"{what}: there is no {name!r}; {instead(name, names)}")


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
        raise ValueError(f"{value!r} is not a number that a measure has")
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
    """Build an object and refuse repeated keys, as a bad merge of two versions leaves them."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} occurs there twice")
        found[name] = value
    return found
