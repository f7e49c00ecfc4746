"""Measures made from click models."""

from dataclasses import replace
from typing import Any, Final

from irkit.measures import clicks
from irkit.measures.family import Family
from irkit.measures.parameters import CUTOFF, JUDGED_ONLY, Parameter, by_grade, is_probability, is_some, number


def _triangle(value: Any) -> tuple[tuple[float, ...], ...]:
    rows = tuple(tuple(map(number(is_probability), row)) for row in value)
    if not rows or any(len(row) != rank for rank, row in enumerate(rows, 1)):
        raise ValueError
    return rows


CLICK: Final = Parameter(
    "a",
    None,
    "probabilities by grade, such as {0: 0.1, 1: 0.5}",
    by_grade(0, is_probability),
    "probability of a click on a document that is looked at",
    example={0: 0.1, 1: 0.3, 2: 0.5, 3: 0.7, 4: 0.9},
)
SATISFIED: Final = replace(
    CLICK,
    name="s",
    help="probability that a document that is clicked satisfies",
    example={0: 0.05, 1: 0.2, 2: 0.5, 3: 0.8, 4: 0.9},
)
GOING_ON: Final = Parameter(
    "gamma",
    None,
    "a number from 0 to 1",
    number(is_probability),
    "probability of going on without being satisfied",
    example=0.9,
)
LOOKING: Final = Parameter(
    "gamma",
    None,
    "rows of 1, 2, 3 and so on probabilities, such as ((1.0,), (0.9, 0.7))",
    _triangle,
    "probability of looking at each rank, by distance from the last click; none yet is the greatest distance",
    example=((1.0,), (0.9, 0.8), (0.9, 0.8, 0.6)),
)
UTILITY: Final = Parameter(
    "U",
    None,
    "numbers of 0 or more by grade, such as {0: 0, 1: 1}",
    by_grade(0, is_some),
    "what a click is worth",
    example={0: 0, 1: 0.25, 2: 0.5, 3: 0.75, 4: 1},
)

FAMILIES: Final = (
    Family(
        "EBU",
        clicks.browsing_utility,
        "what a user's clicks are worth until one satisfies (DBN click model)",
        (CUTOFF, CLICK, SATISFIED, GOING_ON, UTILITY, JUDGED_ONLY),
        unit=False,
        rises=False,
    ),
    Family(
        "rrDBN",
        clicks.satisfied_rank,
        "expected 1 / rank of the click that satisfies (DBN click model)",
        (CUTOFF, CLICK, SATISFIED, GOING_ON, JUDGED_ONLY),
    ),
    Family(
        "uUBM",
        clicks.clicked_utility,
        "what a user's clicks are worth who looks on from the last one (UBM click model)",
        (CUTOFF, CLICK, LOOKING, UTILITY, JUDGED_ONLY),
        unit=False,
        rises=False,
    ),
)
