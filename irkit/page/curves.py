"""What the runs find as one reads on: precision by recall, recall by depth, and how much of it was judged."""

from collections.abc import Sequence
from typing import Any, Final

from irkit.measures import Measure, parse_measure, parse_measures
from irkit.page.material import Material
from irkit.page.numbers import plain_all
from irkit.qrels import Qrels

LEVELS: Final = tuple(tenth / 10 for tenth in range(11))
DEPTHS: Final = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def curves(material: Material) -> dict[str, Any] | None:
    """Means over topics by run: interpolated precision, recall and the share of judged documents, each with its ends.

    None where the judgments are not whole grades for each document.
    """
    if not isinstance(material.qrels, Qrels):
        return None
    depths = _depths(material)
    precision = [parse_measure(f"IPrec@{level}") for level in LEVELS]
    recall = [parse_measure(f"R@{depth}") for depth in depths]
    judged = [parse_measure(f"Judged@{depth}") for depth in depths]
    evaluations = material.evaluated(parse_measures([*precision, *recall, *judged]))

    def means(wanted: Sequence[Measure]) -> list[list[float | None]]:
        return [
            plain_all(one.summary[[one.measures.index(measure) for measure in wanted]].tolist()) for one in evaluations
        ]

    return {
        "levels": LEVELS,
        "depths": depths,
        "precision": means(precision),
        "recall": means(recall),
        "judged": means(judged),
    }


def _depths(material: Material) -> list[int]:
    """Depths up to the first that no run goes beyond."""
    longest = max(
        (int((run.starts[1:] - run.starts[:-1]).max(initial=0)) for run in material.runs),
        default=0,
    )
    return [depth for place, depth in enumerate(DEPTHS) if not place or DEPTHS[place - 1] < longest]
