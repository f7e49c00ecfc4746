"""The layout of trec_eval 10.0: measure, topic and value, a line each."""

from collections.abc import Iterator, Sequence
from math import isnan

from irkit._utils.visible import visible
from irkit.evaluation.result import Evaluation
from irkit.measures import Measure
from irkit.measures.trec import SUMMARY_ONLY


def evaluations(evaluations: Sequence[Evaluation], *, by_topic: bool, runid: bool | None = None) -> str:
    """Format the lines of each run: topics if requested, then `all`."""
    named = len(evaluations) > 1 if runid is None else runid
    return "".join(line for evaluation in evaluations for line in _lines(evaluation, by_topic, named))


def _lines(evaluation: Evaluation, by_topic: bool, named: bool) -> Iterator[str]:
    if named:
        yield _line("runid", "all", _field(evaluation.name))
    if by_topic:
        for topic, values in zip(evaluation.topics, evaluation.values.tolist(), strict=True):
            for measure, value in zip(evaluation.measures, values, strict=True):
                if measure.trec_name not in SUMMARY_ONLY and not isnan(value):
                    yield _line(_name(measure), _field(topic), _value(measure, value))
    for measure, value in zip(evaluation.measures, evaluation.summary.tolist(), strict=True):
        yield _line(_name(measure), "all", _value(measure, value))


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}\n"


def _name(measure: Measure) -> str:
    return measure.trec_name or str(measure)


def _value(measure: Measure, value: float) -> str:
    return f"{int(value)}" if measure.summary == "sum" and not isnan(value) else f"{value:6.4f}"


def _field(name: str) -> str:
    """Return an id with its control characters escaped, and all others unchanged."""
    return "".join(c if c >= "\xa0" else visible(c) for c in name)
