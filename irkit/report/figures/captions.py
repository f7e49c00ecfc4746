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
LONGEST_TEXT: Final = 300  # characters of a topic's text in a tooltip
LETTER: Final = 5.3  # average pixels of a letter on an axis or in a legend
_TREATED: Final = {
    "zero": "counted zero",
    "one": "counted one",
    "skip": "left out",
    "abstain": "counted one where nothing was returned",
}


def shown(name: str) -> str:
    """Make a name or text safe to show, on a single line."""
    return visible(" ".join(name.split()) if name.strip() else name)


def shortened(text: str, longest: int) -> str:
    """Cut a text at its end to a number of characters."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def labels(names: Sequence[str], longest: int = LONGEST_NAME) -> list[str]:
    """Make labels from names: safe to show, all different, and hardly longer than a limit.

    If a name is too long, the beginning and end shared by all names are removed first, then the middle of the rest.
    """
    full = [shown(name) for name in names]
    if max(map(len, full), default=0) > longest and len(set(full)) > 1:
        full = _without_shared_words(full)
    short = [_cut(name, longest) for name in full]
    counts, seen, apart = Counter(short), Counter[str](), []
    for name in short:
        seen[name] += 1
        apart.append(name if counts[name] == 1 else f"{name} ({seen[name]})")
    return apart


def _without_shared_words(names: Sequence[str]) -> list[str]:
    """Remove the words at both ends that all names share."""
    first = _shared(names)
    while first and names[0][first - 1].isalnum():  # only between words and numbers
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
    """Count the characters at the beginning that all names share."""
    first, last = min(names), max(names)
    return next((place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))


def _cut(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 2  # keep the end, where names of similar runs often differ
    return f"{name[: longest - 1 - tail]}…{name[-tail:]}"


def lines(sentences: Iterable[str], width: float, size: float) -> list[str]:
    """Wrap sentences into lines that fit a figure of this width in pixels and this font size."""
    text = "; ".join(filter(None, sentences))
    # The mean width of Arial's letters is half the font size.
    return textwrap.wrap(text, max(20, int(width / (size * 0.5))), break_on_hyphens=False)


def topics_averaged(evaluations: Sequence[Evaluation], measures: Sequence[Measure]) -> str:
    """Format the number of topics: `15 topics`, or `14 to 15 topics` if the runs' means differ in it."""
    numbers = [
        int(evaluation.n_averaged[evaluation.measures.index(measure)])
        for evaluation in evaluations
        for measure in measures
    ] or [0]
    return range_of_topics(min(numbers), max(numbers))


def basis(evaluations: Sequence[Evaluation], *, empty_rankings_count: bool = True) -> list[str]:
    """List the basis of the numbers in phrases: topics averaged, unless all judged; rules, ties, missing topics."""
    first = evaluations[0]
    phrases = []
    if first.conventions.average == "intersection":
        phrases.append("topics in both run and qrels")
    elif first.conventions.average == "topics":
        phrases.append(f"topics of {shown(first.conventions.topics)}")
    if (without := max(len(evaluation.without_relevant) for evaluation in evaluations)) and empty_rankings_count:
        phrases.append(
            f"{counted(without, 'topic')} without relevant documents {_TREATED[first.conventions.no_relevant]}"
        )
    lacking = [evaluation for evaluation in evaluations if evaluation.missing]
    if lacking and first.conventions.average != "intersection" and empty_rankings_count:
        most = max(len(evaluation.missing) for evaluation in lacking)
        who = shown(lacking[0].name) if len(evaluations) > 1 else "the run"
        if len(lacking) > 1:
            who = f"{len(lacking)} runs"
        least = min(len(evaluation.missing) for evaluation in lacking)
        which = counted(most, "topic") if least == most else f"{least} to {counted(most, 'topic')}"
        phrases.append(f"{who} {'lack' if len(lacking) > 1 else 'lacks'} {which}, counted as empty rankings")
    if first.conventions.ties != "docid":
        phrases.append(f"ties: {first.conventions.ties}")
    return [*phrases, f"rules {first.rules}"]


def number(value: float) -> str:
    """Format a value for a description: four decimals, `none` for nan."""
    return "none" if isnan(value) else f"{value:.4f}"


def listed(items: Sequence[str], most: int = 10) -> str:
    """List the first items, and count the others."""
    if len(items) <= most:
        return "; ".join(items)
    return f"{'; '.join(items[:most])}; and {len(items) - most} more"


def columns(names: Sequence[str], room: float) -> int:
    """Return the number of legend columns that fit a width in pixels."""
    widest = max(map(len, names), default=0) * LETTER + 24  # symbol and gap between columns
    return max(1, min(len(names), int(room // widest)))


def room_beside(names: Sequence[str], width: float) -> float:
    """Return the pixels left of a width beside a column of names."""
    return width - max(map(len, names), default=0) * LETTER - 16
