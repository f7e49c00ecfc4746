"""Measures that ask where the relevant documents stand."""

from dataclasses import replace
from typing import Final

from irkit.measures import compatibility, interpolated, ranked
from irkit.measures.family import TREC_CUTOFFS, TREC_MULTIPLES, Family, TrecName
from irkit.measures.parameters import (
    CUTOFF,
    JUDGED_ONLY,
    MULTIPLE,
    PERSISTENCE,
    RECALL,
    RECALLS,
    REL,
    Parameter,
    flag,
    whole,
)

CAPPED: Final = Parameter(
    "capped", False, "True or False", flag, "divide by the cutoff where more documents than that are relevant"
)
NORMALIZE: Final = Parameter(
    "normalize", True, "True or False", flag, "as a share of what the ideal ranking, which may be short, has itself"
)
DEPTH: Final = Parameter(
    "depth",
    None,
    "a whole number from 1 to 1000000",
    whole(1, 1_000_000),
    "ranks compared; to the end of the longer ranking if not given",
)

FAMILIES: Final = (
    Family(
        "RR",
        ranked.reciprocal_rank,
        "1 / rank of the first relevant document",
        (CUTOFF, REL, JUDGED_ONLY),
        aliases=("MRR",),
        trec=(TrecName("recip_rank"), TrecName("recip_rank_cut", "cutoffs", printed=False)),
    ),
    Family(
        "AP",
        ranked.average_precision,
        "mean over the relevant documents of the precision at each",
        (CUTOFF, REL, CAPPED, JUDGED_ONLY),
        aliases=("MAP",),
        trec=(TrecName("map"), TrecName("map_cut", "cutoffs", defaults=TREC_CUTOFFS)),
        normalised=True,
    ),
    Family(
        "Rprec",
        ranked.r_precision,
        "precision at the rank that is the number of relevant documents, or a multiple of it",
        (MULTIPLE, REL, JUDGED_ONLY),
        aliases=("RPrec",),
        trec=(TrecName("Rprec"), TrecName("Rprec_mult", "fractions", "mult", TREC_MULTIPLES)),
        normalised=True,
    ),
    Family(
        "Bpref",
        ranked.binary_preference,
        "how seldom a document judged not relevant is above a relevant one",
        (REL,),
        aliases=("BPref",),
        trec=(TrecName("bpref"),),
        normalised=True,
    ),
    Family(
        "infAP",
        ranked.inferred_average_precision,
        "AP estimated where only a sample of the pool was judged",
        (REL,),
        trec=(TrecName("infAP"),),
        normalised=True,
        rises=False,
    ),
    Family(
        "IPrec",
        interpolated.interpolated_precision,
        "best precision from a level of recall on",
        (RECALL, REL, JUDGED_ONLY),
        needs_cutoff=True,
        at="recall",
        trec=(TrecName("iprec_at_recall", "fractions", "recall", RECALLS.default),),
        normalised=True,
    ),
    Family(
        "AP11pt",
        interpolated.average_interpolated_precision,
        "mean of IPrec at eleven levels of recall, or others",
        (RECALLS, REL, JUDGED_ONLY),
        trec=(TrecName("11pt_avg", "numbers", "recalls"),),
        normalised=True,
    ),
    Family(
        "GMAP",
        ranked.floored_average_precision,
        "geometric mean of AP, which weighs the worst topics",
        (REL, JUDGED_ONLY),
        trec=(TrecName("gm_map"),),
        summary="geometric mean",
        normalised=True,
    ),
    Family(
        "GMBpref",
        ranked.floored_binary_preference,
        "geometric mean of Bpref",
        (REL,),
        trec=(TrecName("gm_bpref"),),
        summary="geometric mean",
        normalised=True,
    ),
    Family(
        "binG",
        ranked.binary_gain,
        "relevant documents discounted by how many others stand above",
        (REL, JUDGED_ONLY),
        trec=(TrecName("binG"),),
        normalised=True,
    ),
    Family(
        "Accuracy",
        ranked.accuracy,
        "how often, of a relevant and another document retrieved, the relevant one is above",
        (CUTOFF, REL, JUDGED_ONLY),
        rises=False,
    ),
    Family(
        "Compat",
        compatibility.compatibility,
        "overlap with the nearest ideal ranking, the top weighing most",
        (replace(PERSISTENCE, default=0.95), NORMALIZE, DEPTH, REL, JUDGED_ONLY),
        normalised=True,
    ),
    Family(
        "yaap",
        ranked.log_odds_precision,
        "log odds of AP",
        (REL, JUDGED_ONLY),
        trec=(TrecName("yaap"),),
        unit=False,
    ),
)
