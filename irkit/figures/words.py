"""Words in a figure: names as they can be shown, and what its numbers rest on."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan
from typing import Final

from irkit.evaluation import Evaluation
from irkit.heading import range_of_topics
from irkit.measures import Measure
from irkit.spelling import counted
from irkit.visible import visible

LONGEST_NAME: Final = 28  # characters of a name on an axis or in a legend
LONGEST_TEXT: Final = 300  # of a topic's text in a tooltip
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
    """Names as they can be shown, each different from the others; a long one is cut in its middle.

    Parameters
    ----------
    names : sequence of str
    longest : int
        Characters of each.
    """
    short = [_cut(shown(name), longest) for name in names]
    counts, seen, apart = Counter(short), Counter[str](), []
    for name in short:
        seen[name] += 1
        apart.append(name if counts[name] == 1 else f"{name} ({seen[name]})")
    return apart


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
        said.append(f"{without} without relevant documents {_TREATED[first.conventions.no_relevant]}")
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
