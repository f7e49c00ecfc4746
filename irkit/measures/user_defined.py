"""Measures that users define."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import Parameter as Argument
from inspect import getdoc, signature
from typing import Any, Final

import numpy as np

from irkit.errors import MeasureError
from irkit.judged import Judged, PerTopic
from irkit.measures.family import Family, Summary
from irkit.measures.measure import Measure
from irkit.measures.names import all_names, is_taken
from irkit.measures.parameters import (
    BETA,
    CUTOFF,
    DCG,
    GAINS,
    JUDGED_ONLY,
    LARGEST,
    MAX_REL,
    PERSISTENCE,
    REL,
    Parameter,
)
from irkit.measures.table import FAMILIES

KNOWN: Final = {parameter.name: parameter for parameter in (CUTOFF, REL, PERSISTENCE, BETA, MAX_REL, DCG, GAINS)}
_EXAMPLES: Final = {name: one.default for name, one in KNOWN.items()} | {GAINS.name: {1: 3, 2: 9}}


def define(
    name: str, function: Callable[..., Any], *, help: str, summary: Summary, normalised: bool, quality: bool
) -> Measure:
    """Put a measure into the table; parameters, result and errors as of `Measure.define`."""
    if not isinstance(name, str) or not _is_name(name):
        raise MeasureError(f"{name!r} is no name for a measure, which is a word such as Mine, to be read in Mine@10")
    if is_taken(name) or name.lower() in map(str.lower, all_names()):
        raise MeasureError(f"{name} is the name of a measure already; choose another one")
    if summary not in ("mean", "sum", "geometric mean"):
        raise MeasureError(f"the summary of {name} is mean, sum or geometric mean; not {summary!r}")
    parameters, needs_cutoff = _parameters(name, function)
    FAMILIES[name] = Family(
        name,
        _checked(name, function),
        help or (getdoc(function) or "defined by its user").splitlines()[0],
        (*parameters, JUDGED_ONLY),
        needs_cutoff=needs_cutoff,
        summary=summary,
        normalised=normalised,
        quality=quality,
        rises=False,
        unit=False,
    )
    return Measure(name)


def _is_name(name: str) -> bool:
    try:
        node = ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return isinstance(node, ast.Name) and node.id == name  # Python reads some letters as others


def _parameters(name: str, function: Callable[..., Any]) -> tuple[list[Parameter], bool]:
    """The parameters that a function takes behind the judged documents, and whether it needs a cutoff."""
    if not callable(function):
        raise MeasureError(f"{name} needs a function of the judged documents, not {function!r}")
    try:
        arguments = list(signature(function).parameters.values())
    except ValueError:
        raise MeasureError(f"{name} needs a function whose parameters can be seen, not {function!r}") from None
    if not arguments or arguments[0].kind in (Argument.KEYWORD_ONLY, Argument.VAR_KEYWORD):
        raise MeasureError(f"the function of {name} takes the judged documents first; it takes nothing")
    parameters, needs_cutoff = [], False
    for argument in arguments[1:]:
        if argument.name == JUDGED_ONLY.name:
            raise MeasureError(
                f"the function of {name} need not take judged_only: every measure has it, and its function sees only "
                "what is left"
            )
        if argument.name not in KNOWN or argument.kind not in (Argument.POSITIONAL_OR_KEYWORD, Argument.KEYWORD_ONLY):
            raise MeasureError(
                f"the function of {name} may take {', '.join(KNOWN)} by name beside the judged documents; "
                f"not {str(argument).split(':')[0].split('=')[0].strip()}"
            )
        parameter = KNOWN[argument.name]
        default = argument.default
        if default is Argument.empty:
            needs_cutoff = needs_cutoff or parameter is CUTOFF
            parameter, default = replace(parameter, example=_EXAMPLES.get(parameter.name)), None
        elif default is not None:
            try:
                default = parameter.read(default)
            except (OverflowError, TypeError, ValueError):
                raise MeasureError(parameter.refusal(name, repr(default))) from None
        parameters.append(replace(parameter, default=default))
    return parameters, needs_cutoff


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., PerTopic]:
    """Check that the function returns one number for each topic."""

    @wraps(function)
    def checked(judged: Judged, **params: Any) -> PerTopic:
        found = function(judged, **params)
        try:
            if isinstance(found, np.ma.MaskedArray) or np.asarray(found).dtype.kind not in "biufO":
                raise TypeError
            values: PerTopic = np.array(found, dtype=np.float64)
        except (OverflowError, TypeError, ValueError):
            raise MeasureError(f"{name} gives {type(found).__name__}, not an array of numbers") from None
        if values.shape != (judged.n_topics,):
            given = f"an array of shape {values.shape}" if values.shape else repr(found)
            raise MeasureError(
                f"{name} gives {given} for {judged.n_topics} topics; a measure gives one "
                f"number for each, shape ({judged.n_topics},), such as judged.sum_by_topic(...) does"
            )
        if not (abs(values) < LARGEST).all():  # which nan is not, either
            place = int(np.flatnonzero(~(abs(values) < LARGEST))[0])
            raise MeasureError(
                f"{name} gives {values[place]} for topic {judged.topics[place]!r}; say what it is there, such as 0"
            )
        return values

    return checked
