"""Measures that follow a user down the ranking."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from irkit.data.qrels import JudgmentKind
from irkit.measures import err_variants, foraging, goal_sensitive, thresholds, time_biased, users
from irkit.measures.cwl import N_RANKS, QUANTITIES
from irkit.measures.family import Family, TrecName
from irkit.measures.parameters import (
    CUTOFF,
    DCG,
    GAINS,
    INT64_MAX,
    JUDGED_ONLY,
    LARGEST,
    MAX_REL,
    MAX_REL_OF_QRELS,
    PERSISTENCE,
    PERSISTENCE_OF_TREC,
    REL_IF_ANY,
    Parameter,
    by_grade,
    flag,
    is_probability,
    is_some,
    number,
    whole,
)


def _thresholds(value: Any) -> tuple[tuple[int, float], ...]:
    table = by_grade(1, is_some)(value)
    if not any(probability for _, probability in table):
        raise ValueError
    return table


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return read


def _is_above_0(size: float) -> bool:
    return 0.0 < size < LARGEST


# The C/W/L framework ends its users' lists there.
RANKS: Final = replace(CUTOFF, takes=f"a whole number from 1 to {N_RANKS}", read=whole(1, N_RANKS))

_SOME, _ABOVE_0 = "a number of at least 0", "a number above 0"

STOP: Final = Parameter(
    "stop",
    "exp",
    "'exp' or 'linear'",
    _one_of("exp", "linear"),
    "how probably a document satisfies: (2 ** grade - 1) / 2 ** max_rel, or grade / (max_rel + 1)",
)
MIN_REL: Final = Parameter("min_rel", 0, "a grade of at least 0", whole(0, INT64_MAX), "grade that gains nothing")
SCALE_END: Final = replace(MAX_REL_OF_QRELS, help="grade that gains most", example=4)
OF: Final = Parameter(
    "of",
    "EU",
    ", ".join(map(repr, QUANTITIES[:-1])) + f" or {QUANTITIES[-1]!r}",
    _one_of(*QUANTITIES),
    "what is expected: gain per document looked at, gain in all, cost per document, cost in all, documents looked at",
)
RESIDUAL: Final = Parameter(
    "residual", False, "True or False", flag, "how far it could rise if all that is not known gained most"
)
WANTED: Final = Parameter("T", 1.0, _SOME, number(is_some), "gain wanted, in documents of the highest grade")
WANTED_OF_INST: Final = replace(
    WANTED, takes="a number of at least 0.5", read=number(lambda size: 0.5 <= size < LARGEST)
)
GOAL: Final = replace(WANTED, default=None, example=2.0)
MOVED: Final = Parameter("hb", 0.0, _SOME, number(is_some), "how far a gain above gain_med raises T")
PATIENCE_MOVED: Final = replace(MOVED, name="hc", help="how far a gain above gain_med raises the cutoff")
MEDIAN_GAIN: Final = Parameter(
    "gain_med", 0.5, "a number from 0 to 1", number(is_probability), "gain that leaves T and the cutoff as they are"
)
HALFLIFE: Final = Parameter(
    "halflife", None, _ABOVE_0, number(_is_above_0), "documents after which half of the users are left", example=10.0
)
LOOKED_AT: Final = Parameter(
    "L", None, _ABOVE_0, number(_is_above_0), "documents after which no user is left", example=20.0
)
GOAL_BASE: Final = Parameter(
    "b1", None, _SOME, number(is_some), "how probable going on is where T was gained", example=0.9
)
GOAL_REASON: Final = Parameter("R1", None, _SOME, number(is_some), "how much the distance from T counts", example=1.0)
RATE: Final = Parameter("A", None, _SOME, number(is_some), "gain per document that is expected", example=0.2)
RATE_BASE: Final = Parameter(
    "b2", None, _SOME, number(is_some), "how improbable going on is where A is gained", example=0.9
)
RATE_REASON: Final = Parameter("R2", None, _SOME, number(is_some), "how much the distance from A counts", example=1.0)
THRESHOLDS: Final = Parameter(
    "thresholds",
    None,
    "numbers of 0 or more by grade from 1 on, such as {1: 1, 2: 1}, of which one is above 0",
    _thresholds,
    "how probably a user's lowest relevant grade is this one, in proportion",
    example={1: 1, 2: 1, 3: 1, 4: 1},
)
_GRADES: Final[tuple[JudgmentKind, ...]] = ("qrels", "fractional")
# What the measures of the C/W/L framework take beside the parameters of their models.
_ASKED = (MIN_REL, SCALE_END, GAINS, OF, RESIDUAL, JUDGED_ONLY)

FAMILIES: Final = (
    Family(
        "RBP",
        users.rank_biased_precision,
        "gain of a user who goes on with probability p",
        (CUTOFF, PERSISTENCE, REL_IF_ANY, MAX_REL_OF_QRELS, JUDGED_ONLY),
        exclusive=("rel", "max_rel"),
        judgments=_GRADES,
    ),
    Family(
        "rbp",
        users.rank_biased_gain,
        "RBP as trec_eval has it: gains divided by the topic's highest",
        (PERSISTENCE_OF_TREC, GAINS, JUDGED_ONLY),
        trec=(TrecName("rbp", "gains", "gains"),),
        judgments=_GRADES,
    ),
    Family(
        "rbp_resid",
        users.rank_biased_residual,
        "how much rbp could rise if all that is unjudged or not retrieved were relevant",
        (PERSISTENCE_OF_TREC,),
        trec=(TrecName("rbp_resid", "gains", "gains"),),
        quality=False,
        judgments=_GRADES,
    ),
    Family(
        "ERR",
        users.expected_reciprocal_rank,
        "expected 1 / rank at which a user is satisfied; grade scale 0 to max_rel",
        (CUTOFF, MAX_REL, STOP, JUDGED_ONLY),
    ),
    Family(
        "nERR",
        users.normalised_reciprocal_rank,
        "ERR as a share of the best ranking's",
        (CUTOFF, MAX_REL, STOP, JUDGED_ONLY),
        normalised=True,
    ),
    Family(
        "SDCG",
        time_biased.sdcg,
        "DCG as a share of what so many documents of the highest grade would have",
        (RANKS, DCG, *_ASKED),
        needs_cutoff=True,
        exclusive=("dcg", "gains"),
        judgments=_GRADES,
    ),
    Family(
        "INST",
        goal_sensitive.inst,
        "gain per document of a user who wants T, and goes on the less the less of it is left",
        (WANTED_OF_INST, *_ASKED),
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "INSQ",
        goal_sensitive.insq,
        "gain per document of a user who wants T, and goes on the more the further down",
        (WANTED, *_ASKED),
        judgments=_GRADES,
    ),
    Family(
        "BPM",
        goal_sensitive.bpm,
        "gain per document of a user who stops when T was gained or the cutoff is reached",
        (RANKS, WANTED, *_ASKED, MOVED, PATIENCE_MOVED, MEDIAN_GAIN),
        needs_cutoff=True,
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "NERR8",
        err_variants.nerr8,
        "gain per document of a user whom each document satisfies as probably as it gains",
        (RANKS, *_ASKED),
        needs_cutoff=True,
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "NERR9",
        err_variants.nerr9,
        "NERR8 of a user who tires as in ERR",
        (RANKS, *_ASKED),
        needs_cutoff=True,
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "NERR10",
        err_variants.nerr10,
        "NERR8 of a user who tires as in RBP",
        (replace(PERSISTENCE, default=0.9), *_ASKED),
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "NERR11",
        err_variants.nerr11,
        "NERR8 of a user who tires as in INSQ",
        (WANTED, *_ASKED),
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "TBG",
        time_biased.tbg,
        "time-biased gain per document: half of the users are left after each halflife",
        (HALFLIFE, *_ASKED),
        judgments=_GRADES,
    ),
    Family(
        "UMeasure",
        time_biased.u_measure,
        "U-measure per document: looking falls evenly to nothing behind L",
        (LOOKED_AT, *_ASKED),
        judgments=_GRADES,
    ),
    Family(
        "IFT_C1",
        foraging.foraging_goal,
        "gain per document of a forager with a goal T",
        (GOAL, GOAL_BASE, GOAL_REASON, *_ASKED),
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "IFT_C2",
        foraging.foraging_rate,
        "gain per document of a forager who expects the rate A",
        (RATE, RATE_BASE, RATE_REASON, *_ASKED),
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "IFT_C1_C2",
        foraging.foraging_goal_and_rate,
        "gain per document of a forager with a goal and a rate",
        (GOAL, GOAL_BASE, GOAL_REASON, RATE, RATE_BASE, RATE_REASON, *_ASKED),
        judgments=_GRADES,
        rises=False,
    ),
    Family(
        "GAP",
        thresholds.graded_average_precision,
        "AP expected where users differ in the grade that is relevant to them",
        (CUTOFF, THRESHOLDS, JUDGED_ONLY),
        normalised=True,
        n_findable=thresholds.n_acceptable,
    ),
)
