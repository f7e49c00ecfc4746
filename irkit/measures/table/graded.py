"""Measures of graded gain."""

from dataclasses import replace
from typing import Final

from irkit.measures import gains, ideal, ntcir
from irkit.measures.family import TREC_CUTOFFS, Family, TrecName
from irkit.measures.parameters import (
    BETA,
    CUTOFF,
    DCG,
    GAINS,
    JUDGED_ONLY,
    LARGEST,
    MAX_REL_OF_QRELS,
    PERSISTENCE,
    REL,
    Parameter,
    number,
)

BASE: Final = Parameter(
    "base",
    None,
    "a number above 1",
    number(lambda base: 1.0 < base < LARGEST),
    "discount nothing down to this rank, then by the logarithm of the rank to this base; without it by log2(rank + 1)",
)
_BLEND: Final = replace(BETA, help="weight of the gains beside precision")
_PERSISTENCE: Final = replace(PERSISTENCE, default=None, example=0.99)

FAMILIES: Final = (
    Family(
        "nDCG",
        gains.normalised_gain,
        "discounted gain as a share of the best ranking's",
        (CUTOFF, DCG, GAINS, BASE, JUDGED_ONLY),
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
        (CUTOFF, DCG, GAINS, BASE, JUDGED_ONLY),
        exclusive=("dcg", "gains"),
        trec=(TrecName("dcg", "gains", "gains"),),
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
        unit=False,
    ),
    Family(
        "IdealDCG",
        gains.ideal_gain,
        "DCG of the best ranking",
        (CUTOFF, DCG, GAINS, BASE),
        exclusive=("dcg", "gains"),
        trec=(TrecName("ideal_dcg", "gains", "gains"),),
        n_findable=gains.n_gaining,
        quality=False,
        judgments=("qrels", "fractional"),
        unit=False,
    ),
    Family(
        "G",
        ideal.cost_discounted_gain,
        "gain discounted by the effort wasted above it, as a share of all gain",
        (GAINS, JUDGED_ONLY),
        trec=(TrecName("G", "gains", "gains"),),
        normalised=True,
        n_findable=gains.n_gaining,
        rises=False,
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
    Family(
        "Q",
        ntcir.q_measure,
        "mean over the documents that gain something of precision blended with the share of the ideal gain",
        (CUTOFF, _BLEND, GAINS, JUDGED_ONLY),
        normalised=True,
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
    ),
    Family(
        "EBR",
        ntcir.expected_blended_ratio,
        "precision blended with the share of the ideal gain, where a user is expected to be satisfied",
        (CUTOFF, _BLEND, GAINS, MAX_REL_OF_QRELS, JUDGED_ONLY),
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
        rises=False,
    ),
    Family(
        "iRBU",
        ntcir.rank_biased_utility,
        "expected p ^ rank at which a user is satisfied",
        (CUTOFF, _PERSISTENCE, GAINS, MAX_REL_OF_QRELS, JUDGED_ONLY),
        n_findable=gains.n_gaining,
        judgments=("qrels", "fractional"),
    ),
)
