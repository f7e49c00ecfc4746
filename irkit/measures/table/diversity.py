"""Measures over qrels by subtopic."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures import diversity, intents, novelty
from irkit.measures.family import Family
from irkit.measures.parameters import BETA, CUTOFF, GAINS, JUDGED_ONLY, PERSISTENCE, REL, Parameter


def _portion(value: Any) -> float:
    portion: float = BETA.read(value)
    if portion > 1.0:
        raise ValueError
    return portion


def _depth(value: Any) -> int:
    depth: int = CUTOFF.read(value)
    if depth > novelty.DEEPEST:
        raise ValueError
    return depth


def _gains_of_relevant(value: Any) -> tuple[tuple[int, float], ...]:
    gains: tuple[tuple[int, float], ...] = GAINS.read(value)
    if any(grade < 1 for grade, _ in gains):
        raise ValueError
    return gains


def _probabilities(value: Any) -> tuple[tuple[str, float], ...]:
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, Mapping) else value
    table = {}
    for subtopic, probability in pairs:
        if not isinstance(subtopic, str):
            raise TypeError
        table[subtopic] = _portion(probability)
    return tuple(sorted(table.items()))


ALPHA: Final = Parameter(
    "alpha", 0.5, "a number from 0 to 1", _portion, "how much less a document is worth for a subtopic seen above"
)
PATIENCE: Final = replace(PERSISTENCE, name="beta", default=0.5)
CUTOFF_OF_EVERYTHING: Final = replace(CUTOFF, takes=f"a whole number from 1 to {novelty.DEEPEST}", read=_depth)
GAINS_OF_RELEVANT: Final = replace(
    GAINS,
    takes="gains of 0 or more by grade of at least 1, such as {1: 3, 2: 9}",
    read=_gains_of_relevant,
    help="gains in place of grades; unnamed grades keep their own",
)
PROBABILITIES: Final = Parameter(
    "probabilities",
    (),
    "numbers from 0 to 1 by subtopic, such as {'1': 0.7, '2': 0.3}",
    _probabilities,
    "how likely each subtopic is meant; all that have a relevant document are equal if not given",
)
BLEND: Final = replace(BETA, help="how much the gain weighs beside the number of relevant documents")
GAMMA: Final = Parameter("gamma", 0.5, "a number from 0 to 1", _portion, "weight of the share of subtopics covered")


def _family(
    name: str,
    function: Callable[..., PerTopic],
    help_: str,
    *parameters: Parameter,
    needs_cutoff: bool = False,
    aliases: tuple[str, ...] = (),
    n_findable: Callable[..., npt.NDArray[np.int64]] = diversity.n_relevant,
    unit: bool = True,
) -> Family:
    return Family(
        name,
        function,
        help_,
        (*parameters, JUDGED_ONLY),
        needs_cutoff=needs_cutoff,
        aliases=aliases,
        normalised=True,
        n_findable=n_findable,
        judgments=("subtopics",),
        unit=unit,
    )


_OF_INTENTS: Final = (CUTOFF, GAINS_OF_RELEVANT, PROBABILITIES)

FAMILIES: Final = (
    _family(
        "ERR_IA",
        novelty.expected_reciprocal_rank,
        "novel gain divided by rank, as a share of what covers every subtopic",
        CUTOFF_OF_EVERYTHING,
        REL,
        ALPHA,
        needs_cutoff=True,
    ),
    _family(
        "nERR_IA",
        novelty.normalised_expected_reciprocal_rank,
        "novel gain divided by rank, as a share of the ideal ranking's",
        CUTOFF,
        REL,
        ALPHA,
        needs_cutoff=True,
        unit=False,  # the greedy ideal is not always the best
    ),
    _family(
        "alpha_DCG",
        novelty.discounted_gain,
        "novel gain discounted by log2(rank + 1), as a share of what covers every subtopic",
        CUTOFF_OF_EVERYTHING,
        REL,
        ALPHA,
        needs_cutoff=True,
        aliases=("α_DCG",),
    ),
    _family(
        "alpha_nDCG",
        novelty.normalised_gain,
        "novel gain discounted by log2(rank + 1), as a share of the ideal ranking's",
        CUTOFF,
        REL,
        ALPHA,
        needs_cutoff=True,
        aliases=("α_nDCG",),
        unit=False,  # the greedy ideal is not always the best
    ),
    _family(
        "NRBP",
        novelty.novelty_biased_precision,
        "novel gain of a user who goes on with probability beta, as a share of what covers every subtopic",
        ALPHA,
        PATIENCE,
        REL,
    ),
    _family(
        "nNRBP",
        novelty.normalised_novelty_biased_precision,
        "NRBP as a share of the ideal ranking's",
        ALPHA,
        PATIENCE,
        REL,
        unit=False,  # the greedy ideal is not always the best
    ),
    _family("AP_IA", diversity.average_precision, "mean of AP over the subtopics of a topic", REL, aliases=("MAP_IA",)),
    _family("P_IA", diversity.precision, "mean of P over the subtopics of a topic", CUTOFF, REL, needs_cutoff=True),
    _family(
        "StRecall",
        diversity.subtopic_recall,
        "share of the subtopics that have a relevant document in the first ranks",
        CUTOFF,
        REL,
        needs_cutoff=True,
    ),
    _family(
        "D_nDCG",
        intents.normalised_gain,
        "nDCG of gains that are means over the subtopics",
        *_OF_INTENTS,
        aliases=("D-nDCG",),
        n_findable=intents.n_gaining,
    ),
    _family(
        "DSharp_nDCG",
        intents.normalised_gain_and_recall,
        "D_nDCG and the share of subtopics covered, weighed by gamma",
        *_OF_INTENTS,
        GAMMA,
        aliases=("D#-nDCG",),
        n_findable=intents.n_gaining,
    ),
    _family(
        "D_Q",
        intents.q_measure,
        "Q-measure of gains that are means over the subtopics",
        *_OF_INTENTS,
        BLEND,
        aliases=("D-Q",),
        n_findable=intents.n_gaining,
    ),
    _family(
        "DSharp_Q",
        intents.q_measure_and_recall,
        "D_Q and the share of subtopics covered, weighed by gamma",
        *_OF_INTENTS,
        BLEND,
        GAMMA,
        aliases=("D#-Q",),
        n_findable=intents.n_gaining,
    ),
)
