"""Measures over qrels of several judges."""

from typing import Final

from irkit.measures import grouped
from irkit.measures.family import TREC_CUTOFFS, TREC_MULTIPLES, Family, TrecName
from irkit.measures.parameters import CUTOFF, JUDGED_ONLY, MULTIPLE, REL

FAMILIES: Final = (
    Family(
        "AP_avgjg",
        grouped.average_precision,
        "mean of AP over the judgment groups of a topic",
        (REL, JUDGED_ONLY),
        aliases=("MAP_avgjg",),
        trec=(TrecName("map_avgjg"),),
        normalised=True,
        n_findable=grouped.n_relevant,
        judgments=("qrels_jg",),
    ),
    Family(
        "P_avgjg",
        grouped.precision,
        "mean of P over the judgment groups of a topic",
        (CUTOFF, REL, JUDGED_ONLY),
        needs_cutoff=True,
        trec=(TrecName("P_avgjg", "cutoffs", defaults=TREC_CUTOFFS),),
        n_findable=grouped.n_relevant,
        judgments=("qrels_jg",),
    ),
    Family(
        "Rprec_avgjg",
        grouped.r_precision,
        "mean of Rprec over the judgment groups of a topic",
        (MULTIPLE, REL, JUDGED_ONLY),
        trec=(TrecName("Rprec_mult_avgjg", "fractions", "mult", TREC_MULTIPLES),),
        normalised=True,
        n_findable=grouped.n_relevant,
        judgments=("qrels_jg",),
    ),
)
