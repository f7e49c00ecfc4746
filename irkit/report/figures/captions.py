"""Captions and labels of figures."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan
from typing import Final

from irkit._utils.text import counted
from irkit._utils.visible import visible
from irkit.evaluation.result import Evaluation
from irkit.evaluation.summary import range_of_topics
from irkit.measures import Measure

LONGEST_NAME: Final = 28  # characters of a name on an axis or in a legend
LONGEST_TEXT: Final = 300  # of a topic's text in a tooltip
LETTER: Final = 5.3  # pixels of a letter of an axis or legend, as a rule
_TREATED: Final = {
    "zero": "counted zero",
    "one": "counted one",
    "skip": "left out",
    "abstain": "counted one where nothing was returned",
}


def shown(name: str) -> str:
    """A name or text of a file on one line, of which nothing acts on what shows it."""
    return visible(" ".join(name.split()) if name.strip() else name)


def shortened(text: str, longest: int) -> str:
    """A text cut at its end to so many characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def labels(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """Names as they can be shown, each different from the others, and none much longer than that.

    Where one is too long, the beginning and the end that all share go first, then the middle of what is left.

    Parameters
    ----------
    names : sequence of str
    longest : int
        Characters of each.
    """
    whole = [shown(name) for name in names]
    if max(map(len, whole), default=0) > longest and len(set(whole)) > 1:
        whole = _what_differs(whole)
    short = [_cut(name, longest) for name in whole]
    counts, seen, apart = Counter(short), Counter[str](), []
    for name in short:
        seen[name] += 1
        apart.append(name if counts[name] == 1 else f"{name} ({seen[name]})")
    return apart


def _what_differs(names: Sequence[str]) -> list[str]:
    """Names without the words at both ends that all of them share."""
    first = _shared(names)
    while first and names[0][first - 1].isalnum():  # not within a word or number
        first -= 1
    rest = [name[first:] for name in names]
    last = _shared([name[::-1] for name in rest])
    last = min(last, *(len(name) - 1 for name in rest))
    while last > 0 and rest[0][len(rest[0]) - last].isalnum():
        last -= 1
    if min(len(name) for name in rest) - max(last, 0) < 1:
        return list(names)
    return [
        ("…" if first > 1 else name[:first]) + (tail[:-last] + "…" if last > 1 else tail)
        for name, tail in zip(names, rest, strict=True)
    ]


def _shared(names: Sequence[str]) -> int:
    """How many characters at their beginning all names share."""
    first, last = min(names), max(names)
    return next((place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))


def _cut(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 2  # what tells runs of one family apart often stands at the end
    return f"{name[: longest - 1 - tail]}…{name[-tail:]}"


def lines(sentences: Iterable[str], width: float, size: float) -> list[str]:
    """Sentences put into lines that a figure of so many pixels holds at this size of type."""
    text = "; ".join(filter(None, sentences))
    # Half the size is the mean width of Arial's letters.
    return textwrap.wrap(text, max(20, int(width / (size * 0.5))), break_on_hyphens=False)


def topics_averaged(evaluations: Sequence[Evaluation], measures: Sequence[Measure]) -> str:
    """`15 topics`, or `14 to 15 topics` where the runs' means are over different numbers of them."""
    numbers = [int(one.n_averaged[one.measures.index(measure)]) for one in evaluations for measure in measures] or [0]
    return range_of_topics(min(numbers), max(numbers))


def basis(evaluations: Sequence[Evaluation], *, empty_rankings_count: bool = True) -> list[str]:
    """What the numbers rest on, a phrase each: topics averaged where it is not all that are judged, rules, ties, gaps.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of one set of rules and conventions.
    empty_rankings_count : bool
        A topic that a run lacks has a value too.
    """
    first = evaluations[0]
    said = []
    if first.conventions.average == "intersection":
        said.append("topics in both run and qrels")
    elif first.conventions.average == "topics":
        said.append(f"topics of {shown(first.conventions.topics)}")
    if (without := max(len(one.without_relevant) for one in evaluations)) and empty_rankings_count:
        said.append(f"{counted(without, 'topic')} without relevant documents {_TREATED[first.conventions.no_relevant]}")
    lacking = [one for one in evaluations if one.missing]
    if lacking and first.conventions.average != "intersection" and empty_rankings_count:
        most = max(len(one.missing) for one in lacking)
        who = shown(lacking[0].name) if len(evaluations) > 1 else "the run"
        if len(lacking) > 1:
            who = f"{len(lacking)} runs"
        least = min(len(one.missing) for one in lacking)
        which = counted(most, "topic") if least == most else f"{least} to {counted(most, 'topic')}"
        said.append(f"{who} {'lack' if len(lacking) > 1 else 'lacks'} {which}, counted as empty rankings")
    if first.conventions.ties != "docid":
        said.append(f"ties: {first.conventions.ties}")
    return [*said, f"rules {first.rules}"]


def number(value: float) -> str:
    """A value in a description: four decimals, `none` for nan."""
    return "none" if isnan(value) else f"{value:.4f}"


def listed(items: Sequence[str], most: int = 10) -> str:
    """The first of them and how many more there are."""
    if len(items) <= most:
        return "; ".join(items)
    return f"{'; '.join(items[:most])}; and {len(items) - most} more"


def columns(names: Sequence[str], room: float) -> int:
    """In how many columns a legend of these names fits so many pixels."""
    widest = max(map(len, names), default=0) * LETTER + 24  # its sign and what is between columns
    return max(1, min(len(names), int(room // widest)))


def room_beside(names: Sequence[str], width: float) -> float:
    """The pixels that are left of a width where these names stand at its side."""
    return width - max(map(len, names), default=0) * LETTER - 16
