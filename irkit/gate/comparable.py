"""Check that a run and its baseline can be compared: conventions, measures, topics, judgments."""

from collections.abc import Mapping
from typing import Any, Final

from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.data.runs import RunSource
from irkit.data.topic_subsets import TopicList, topic_list
from irkit.data.topics import Topics
from irkit.errors import IrkitError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Measures
from irkit.evaluation.summary import some
from irkit.gate.baseline import Baseline
from irkit.gate.digests import run_digest, topics_digest
from irkit.measures import parse_measures

_ANEW: Final = "accept a baseline with these"


def other_conventions(held: Baseline, given: Mapping[str, Any]) -> list[str]:
    """The conventions that were named and that the baseline does not have."""
    return [
        f"{name}: {held.conventions[name]} in the baseline, {value} asked for; leave it out, or accept a baseline "
        "with it"
        for name, value in given.items()
        if value != held.conventions[name]
    ]


def measures_looked_at(held: Baseline, wanted: Measures | None, notes: list[str]) -> tuple[list[str], list[str]]:
    """Measures to check, and problems with requested measures."""
    if wanted is None:
        return list(held.measures), []
    asked = list(map(str, parse_measures(wanted)))
    lacking = [one for one in asked if one not in held.measures]
    if left := [measure for measure in held.measures if measure not in asked]:
        notes.append(f"not looked at: {', '.join(left)}")
    has = ", ".join(held.measures)
    return [one for one in asked if one in held.measures], [
        f"{one} is not in the baseline, which has {has}; accept a baseline with it" for one in lacking
    ]


def topics_given(held: Baseline, given: "TopicList | None") -> tuple[Topics | None, list[str]]:
    """The topics that were given, and whether they are those of the baseline."""
    if given is None:
        if held.conventions["average"] == "topics":
            file = held.evaluation.conventions.topics
            return None, [f"the baseline averages the topics of {file}; name that file ({option(topics='FILE')})"]
        return None, []
    try:
        listed = topic_list(given)
    except IrkitError as problem:
        return None, [str(problem)]
    if held.topics is None or topics_digest(listed) == held.topics:
        return listed, []
    return listed, [f"the topics of {listed.name} are not those of the baseline; accept a baseline with these"]


def other_judgments(held: Baseline, digest: str, now: Evaluation) -> list[str]:
    """Differences of judgments and averaged topics from the baseline."""
    then = held.evaluation
    here, known, empty = set(now.topics), set(then.topics), set(now.missing)
    gone = [topic for topic in then.topics if topic not in here]
    problems = [
        f"{counted(len(topics), 'topic')} {what}: {some(topics)}; {remedy}"
        for what, topics, remedy in (
            ("of the baseline not in the run", [one for one in gone if one in empty], "make the run whole"),
            ("of the baseline not judged any more", [one for one in gone if one not in empty], _ANEW),
            ("not in the baseline", [one for one in now.topics if one not in known], _ANEW),
        )
        if topics
    ]
    return [*problems, *([f"the judgments are not those of the baseline; {_ANEW}"] * (digest != held.qrels))]


def same_run(held: Baseline, run: RunSource) -> list[str]:
    """Note that the run is the accepted run, if it is."""
    return ["the run is the very file that was accepted"] if held.run and run_digest(run) == held.run else []


def abstentions(held: Baseline, now: Evaluation, *, may_abstain: bool) -> list[str]:
    """For which topics nothing is returned, and for which something where the accepted run returned nothing."""
    then, empty, nothing = held.evaluation.missing, set(now.missing), set(now.without_relevant)
    found = []
    if silent := [one for one in then if one in empty]:
        found.append(
            f"nothing is returned, as by the accepted run, for {counted(len(silent), 'topic')}: {some(silent)}"
        )
    answered = [one for one in then if one not in empty]
    if wrongly := [one for one in answered if one in nothing]:
        found.append(
            f"answered now though nothing is relevant, where the accepted run returned nothing: {some(wrongly)}"
        )
    if others := [one for one in answered if one not in nothing]:
        found.append(f"answered now, where the accepted run returned nothing: {some(others)}")
    if may_abstain and (fresh := sorted(empty.difference(then))):
        found.append(f"nothing is returned now, which is said to be on purpose, for: {some(fresh)}")
    return found
