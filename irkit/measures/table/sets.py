"""Measures of what is in the first ranks, or in the whole answer, in whatever order."""

from typing import Final

from irkit.measures import early_recall, sets
from irkit.measures.family import TREC_CUTOFFS, Family, TrecName
from irkit.measures.parameters import BETA, COLLECTION, CUTOFF, JUDGED_ONLY, REL, RELATIVE, WEIGHTS

FAMILIES: Final = (
    Family(
        "P",
        sets.precision,
        "share of the first ranks that hold a relevant document",
        (CUTOFF, REL, JUDGED_ONLY),
        needs_cutoff=True,
        aliases=("Precision",),
        trec=(TrecName("P", "cutoffs", defaults=TREC_CUTOFFS),),
    ),
    Family(
        "R",
        sets.recall,
        "share of the relevant documents in the first ranks",
        (CUTOFF, REL, JUDGED_ONLY),
        needs_cutoff=True,
        aliases=("Recall",),
        trec=(TrecName("recall", "cutoffs", defaults=TREC_CUTOFFS),),
        normalised=True,
    ),
    Family(
        "Success",
        sets.success,
        "1 if a relevant document is in the first ranks",
        (CUTOFF, REL, JUDGED_ONLY),
        needs_cutoff=True,
        trec=(TrecName("success", "cutoffs", defaults=(1, 5, 10)),),
    ),
    Family(
        "RCap",
        sets.relative_precision,
        "relevant documents in the first ranks as a share of the most that can stand there",
        (CUTOFF, REL, JUDGED_ONLY),
        needs_cutoff=True,
        aliases=("R_cap",),
        trec=(TrecName("relative_P", "cutoffs", defaults=TREC_CUTOFFS),),
        normalised=True,
    ),
    Family(
        "F",
        early_recall.f_measure,
        "weighted harmonic mean of P and R in the first ranks",
        (CUTOFF, BETA, REL, JUDGED_ONLY),
        needs_cutoff=True,
        normalised=True,
    ),
    Family(
        "Hits",
        early_recall.hits,
        "relevant documents in the first ranks, averaged",
        (CUTOFF, REL, JUDGED_ONLY),
        unit=False,
    ),
    Family(
        "NoAnswer",
        early_recall.no_answer,
        "1 if nothing was returned; only topics without relevant documents are averaged",
        (REL,),
        averaged=early_recall.without_relevant,
    ),
    Family(
        "SetP",
        sets.set_precision,
        "share of the retrieved documents that are relevant",
        (REL, RELATIVE, JUDGED_ONLY),
        trec=(
            TrecName("set_P"),
            TrecName("set_relative_P", fixed=(("relative", True),)),
            TrecName("SetRelP", fixed=(("relative", True),), printed=False),  # as ir_measures calls it
        ),
    ),
    Family(
        "SetAP",
        sets.set_average_precision,
        "SetP times SetR",
        (REL, JUDGED_ONLY),
        trec=(TrecName("set_map"),),
        normalised=True,
    ),
    Family(
        "SetR",
        sets.set_recall,
        "share of the relevant documents that were retrieved",
        (REL,),
        trec=(TrecName("set_recall"),),
        normalised=True,
    ),
    Family(
        "SetF",
        sets.set_f,
        "weighted harmonic mean of SetP and SetR; beta is F's own, trec_eval takes its square",
        (REL, BETA, JUDGED_ONLY),
        trec=(TrecName("set_F", "beta squared", "beta"),),
        normalised=True,
    ),
    Family(
        "utility",
        sets.utility,
        "what the retrieved documents are worth, each kind having its weight",
        (WEIGHTS, COLLECTION, REL, JUDGED_ONLY),
        trec=(TrecName("utility", "numbers", "weights"),),
        unit=False,
    ),
)
