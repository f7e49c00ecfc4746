"""Match topic ids that two files write differently, and suggest a rule that would match them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from irkit._utils.options import option
from irkit._utils.text import counted
from irkit.data.look_alikes import difference, folded
from irkit.data.runs import Run
from irkit.data.topics import Topics
from irkit.errors import UsageError
from irkit.ids import to_bytes

MatchTopics = Literal["look", "zeros", "number"]
TOPIC_RULES: Final[tuple[MatchTopics, ...]] = get_args(MatchTopics)

_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])")
_NUMBERS: Final = re.compile(r"[0-9]+")


def _without_zeros(identifier: str) -> str:
    return _ZEROS.sub("", folded(identifier))


def _numbers(identifier: str) -> list[str]:
    found: list[str] = _NUMBERS.findall(_without_zeros(identifier))
    return found


def _number(identifier: str) -> str:
    return "".join(_numbers(identifier)[-1:])


def _agree(one: str, other: str) -> bool:
    """Whether the id with fewer numbers has the last numbers of the other: 1 of 2019-1, but not 2020-1."""
    here, there = _numbers(one), _numbers(other)
    n = min(len(here), len(there))
    return here[-n:] == there[-n:]


# What of an id counts by each rule, and how a sentence says so; the closest to the ids first.
_RULES: Final[Mapping[MatchTopics, tuple[Callable[[str], str], str]]] = {
    "look": (folded, "by what the ids look like"),
    "zeros": (_without_zeros, "without leading zeros"),
    "number": (_number, "by the last number in the ids alone"),
}


class Match(NamedTuple):
    """A matching rule with the topic pairs that it gives."""

    rule: MatchTopics
    pairs: Mapping[str, str]  # each id with the one that it matches; both may be the same
    n_same: int  # ids that stand in both

    @property
    def words(self) -> str:
        """Describe the effect of the rule, with an example."""
        one, other = next((one, other) for one, other in self.pairs.items() if one != other)
        would = f"{counted(len(self.pairs), 'topic')} would meet {_RULES[self.rule][1]} ({one!r} and {other!r})"
        apart = "" if self.rule != "look" else f"; {difference(one, other, 'the first', 'the second')}"
        return would + apart

    @property
    def remedy(self) -> str:
        """Remedy: the option that applies the rule."""
        how = option(match_topics=self.rule)
        return f"match topics by '{self.rule}' ({how})" if how else "write the topic ids of both alike"


def matching(ids: Iterable[str], others: Iterable[str], rule: MatchTopics) -> dict[str, str]:
    """Map each id to its equal among the others by a rule; ambiguous ids are left out."""
    if rule not in TOPIC_RULES:
        raise UsageError(f"unknown rule to match topics {rule!r}; choose one of {', '.join(TOPIC_RULES)}")
    key = _RULES[rule][0]
    here, there = _by_key(ids, key), _by_key(others, key)
    pairs = {
        mine[0]: there[look][0] for look, mine in here.items() if look and len(mine) == len(there.get(look, ())) == 1
    }
    return {one: other for one, other in pairs.items() if rule != "number" or _agree(one, other)}


def _unclear(ids: Iterable[str], others: Iterable[str], rule: MatchTopics) -> list[str]:
    """Ids without an exact equal that could match several others."""
    key, judged = _RULES[rule][0], set(others)
    here, there = _by_key(ids, key), _by_key(judged, key)
    several = (mine for look, mine in here.items() if look and len(mine) + len(there.get(look, ())) > 2)
    return [one for mine in several if there.get(key(mine[0])) for one in mine if one not in judged]


def _by_key(ids: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for identifier in dict.fromkeys(ids):
        found.setdefault(key(identifier), []).append(identifier)
    return found


def likely_match(ids: Sequence[str], others: Sequence[str]) -> Match | None:
    """Return the rule that adds the most matching topics; None if no rule adds any.

    By their numbers alone they meet by chance too, so that this rule is named only where it matches most of the ids and
    less than half of these are the same already.
    """
    n_same = len(set(ids).intersection(others))
    best: Match | None = None
    for rule in _RULES:
        match = Match(rule, matching(ids, others, rule), n_same)
        n = len(match.pairs)
        if rule == "number" and (2 * n_same >= n or 2 * n <= min(len(ids), len(others))):
            continue
        if n > n_same and any(one != other for one, other in match.pairs.items()):
            best = match if best is None or n > len(best.pairs) else best
    return best


def topic_hint(ids: Sequence[str], others: Sequence[str], remedy: str | None = None) -> str:
    """Hint how more topics of two files could match; empty without a likely rule.

    `remedy` is what to do where no option matches topics.
    """
    if len(set(ids).intersection(others)) == min(len(set(ids)), len(set(others))):  # no more can meet
        return ""
    match = likely_match(ids, others)
    return "" if match is None else f"{match.words}: {remedy or match.remedy}"


def as_end(hint: str) -> str:
    """Format a hint as the end of a message."""
    return f". {hint}" if hint else ""


def matched_topics(topics: Topics, pairs: Mapping[str, str]) -> Topics:
    """Replace topic ids by the ids that they match."""
    return replace(topics, topics=tuple(replace(topic, id=pairs.get(topic.id, topic.id)) for topic in topics))


def matched_run(run: Run, judged: Sequence[str], rule: MatchTopics) -> tuple[Run, str]:
    """Give a run the topic ids of its judgments by a matching rule; also return a sentence on the changes."""
    pairs = matching(run.topics, judged, rule)
    names = [pairs.get(topic, topic) for topic in run.topics]
    changed = {one: other for one, other in pairs.items() if one != other}
    order = sorted(range(len(names)), key=lambda place: to_bytes(names[place]))
    bounds = list(pairwise(run.starts.tolist()))
    spans = [slice(*bounds[place]) for place in order]
    lengths = [bounds[place][1] - bounds[place][0] for place in order]
    renamed = replace(
        run,
        topics=tuple(names[place] for place in order),
        starts=np.cumsum([0, *lengths], dtype=np.int64),
        documents=run.documents.of_spans(spans),
        scores=np.concatenate([run.scores[:0], *(run.scores[span] for span in spans)]),
    )
    unclear = _unclear(run.topics, judged, rule)
    kept = f"; {len(unclear)} could be meant by several, such as {unclear[0]!r}, and were left alone" if unclear else ""
    example = "".join(f", {one!r} as {other!r}" for one, other in list(changed.items())[:1])
    return (
        renamed,
        f"matched {counted(len(pairs), 'topic')} {_RULES[rule][1]}, {len(changed)} under another id{example}{kept}",
    )
