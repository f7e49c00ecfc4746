"""Measures of graded gain."""

from typing import Final

from irkit.measures import gains, ideal
from irkit.measures.family import TREC_CUTOFFS, Family, TrecName
from irkit.measures.parameters import (
    CUTOFF,
    DCG,
    GAINS,
    JUDGED_ONLY,
    REL,
)

FAMILIES: Final = (
    Family(
        "nDCG",
        gains.normalised_gain,
        "discounted gain as a share of the best ranking's",
        (CUTOFF, DCG, GAINS, JUDGED_ONLY),
        exclusive=("dcg", "gains"),
        aliases=("NDCG",),
        trec=(TrecName("ndcg", "gains", "gains"), TrecName("ndcg_cut", "cutoffs", defaults=TREC_CUTOFFS)),
        normalised=True,
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
    ),
    Family(
        "DCG",
        gains.discounted_gain,
        "sum of gain / log2(rank + 1)",
        (CUTOFF, DCG, GAINS, JUDGED_ONLY),
        exclusive=("dcg", "gains"),
        trec=(TrecName("dcg", "gains", "gains"),),
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
    ),
    Family(
        "IdealDCG",
        gains.ideal_gain,
        "DCG of the best ranking",
        (CUTOFF, DCG, GAINS),
        exclusive=("dcg", "gains"),
        trec=(TrecName("ideal_dcg", "gains", "gains"),),
        n_findable=gains.n_gaining,
        quality=False,
        judgments=("qrels", "fractional"),
    ),
    Family(
        "G",
        ideal.cost_discounted_gain,
        "gain discounted by the effort wasted above it, as a share of all gain",
        (GAINS, JUDGED_ONLY),
        trec=(TrecName("G", "gains", "gains"),),
        normalised=True,
        n_findable=gains.n_gaining,
    ),
    Family(
        "ndcg_rel",
        ideal.gain_at_relevant,
        "mean of nDCG at the ranks of the documents that gain something",
        (GAINS, JUDGED_ONLY),
        trec=(TrecName("ndcg_rel", "gains", "gains"),),
        normalised=True,
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
    ),
    Family(
        "Rndcg",
        ideal.gain_at_levels,
        "mean of nDCG at the ranks where the ideal ranking's gain falls",
        (GAINS, REL, JUDGED_ONLY),
        trec=(TrecName("Rndcg", "gains", "gains"),),
        normalised=True,
        n_findable=ideal.n_findable_at_levels,
    ),
)
