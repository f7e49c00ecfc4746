"""Measures of graded gain."""

from typing import Final

from irkit.measures import gains, ideal, users
from irkit.measures.family import TREC_CUTOFFS, Family, TrecName
from irkit.measures.parameters import (
    CUTOFF,
    DCG,
    GAINS,
    JUDGED_ONLY,
    MAX_REL,
    MAX_REL_OF_QRELS,
    PERSISTENCE,
    PERSISTENCE_OF_TREC,
    REL,
    REL_IF_ANY,
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
    ),
    Family(
        "DCG",
        gains.discounted_gain,
        "sum of gain / log2(rank + 1)",
        (CUTOFF, DCG, GAINS, JUDGED_ONLY),
        exclusive=("dcg", "gains"),
        trec=(TrecName("dcg", "gains", "gains"),),
        n_findable=gains.n_gaining,
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
        "RBP",
        users.rank_biased_precision,
        "gain of a user who goes on with probability p",
        (CUTOFF, PERSISTENCE, REL_IF_ANY, MAX_REL_OF_QRELS, JUDGED_ONLY),
        exclusive=("rel", "max_rel"),
    ),
    Family(
        "rbp",
        users.rank_biased_gain,
        "RBP as trec_eval has it: gains divided by the topic's highest",
        (PERSISTENCE_OF_TREC, GAINS, JUDGED_ONLY),
        trec=(TrecName("rbp", "gains", "gains"),),
    ),
    Family(
        "rbp_resid",
        users.rank_biased_residual,
        "how much rbp could rise if all that is unjudged or not retrieved were relevant",
        (PERSISTENCE_OF_TREC,),
        trec=(TrecName("rbp_resid", "gains", "gains"),),
        quality=False,
    ),
    Family(
        "ERR",
        users.expected_reciprocal_rank,
        "expected 1 / rank at which a user is satisfied; grade scale 0 to max_rel",
        (CUTOFF, MAX_REL, JUDGED_ONLY),
    ),
)
