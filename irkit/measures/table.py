"""The one ordered table of the measures that exist. Help, names, command line and tests are read from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from irkit.judged import PerTopic
from irkit.measures import common, counts, gains, ranked, sets, users
from irkit.measures.parameters import (
    BETA,
    CUTOFF,
    DCG,
    GAINS,
    JUDGED_ONLY,
    MAX_REL,
    MAX_REL_OF_QRELS,
    PERSISTENCE,
    REL,
    REL_IF_ANY,
    Parameter,
)

Summary = Literal["mean", "sum"]
Cutoff = Literal["required", "optional", "none"]

TREC_CUTOFFS: Final = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class TrecName:
    """How trec_eval spells a measure.

    Attributes
    ----------
    name : str
    takes : {"nothing", "cutoffs", "gains", "beta squared"}
        What may follow the name after a `.` or `_`.
    cutoffs : tuple of int
        The cutoffs that the bare name stands for.
    printed : bool
        trec_eval itself has this name; if not, it is understood and not printed.
    """

    name: str
    takes: Literal["nothing", "cutoffs", "gains", "beta squared"] = "nothing"
    cutoffs: tuple[int, ...] = ()
    printed: bool = True


@dataclass(frozen=True, slots=True)
class Family:
    """A measure before its parameters are chosen.

    Attributes
    ----------
    name : str
        As ir_measures spells it, where it has the measure.
    function : callable
        `Judged` and parameters to one value for each topic.
    help : str
    parameters : tuple of Parameter
        In the order in which they are printed.
    needs_cutoff : bool
        It has no value without a cutoff.
    exclusive : tuple of str
        Parameters of which only one may be given.
    aliases : tuple of str
    trec : tuple of TrecName
    summary : {"mean", "sum"}
        How the values of the topics become one.
    normalised : bool
        The value is a share of what could be found, so it has no meaning where nothing could be: the convention
        about topics without relevant documents applies.
    n_findable : callable
        `Judged` and parameters to the number of documents that could be found for each topic.
    quality : bool
        More of it is a better ranking; only such measures are compared between runs.
    """

    name: str
    function: Callable[..., PerTopic]
    help: str
    parameters: tuple[Parameter, ...] = ()
    needs_cutoff: bool = False
    exclusive: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    trec: tuple[TrecName, ...] = ()
    summary: Summary = "mean"
    normalised: bool = False
    n_findable: Callable[..., npt.NDArray[np.int64]] = common.n_relevant
    quality: bool = True

    @property
    def cutoff(self) -> Cutoff:
        """Whether it takes a cutoff."""
        if self.needs_cutoff:
            return "required"
        return "optional" if CUTOFF in self.parameters else "none"

    def defaults(self) -> dict[str, Any]:
        """What each parameter is if nothing is said."""
        return {parameter.name: parameter.default for parameter in self.parameters}


FAMILIES: Final = {
    family.name: family
    for family in (
        Family(
            "nDCG",
            gains.normalised_gain,
            "discounted gain as a share of the best ranking's",
            (CUTOFF, DCG, GAINS, JUDGED_ONLY),
            exclusive=("dcg", "gains"),
            aliases=("NDCG",),
            trec=(TrecName("ndcg", "gains"), TrecName("ndcg_cut", "cutoffs", TREC_CUTOFFS)),
            normalised=True,
            n_findable=gains.n_gaining,
        ),
        Family(
            "DCG",
            gains.discounted_gain,
            "sum of gain / log2(rank + 1)",
            (CUTOFF, DCG, GAINS, JUDGED_ONLY),
            exclusive=("dcg", "gains"),
            trec=(TrecName("dcg", "gains"),),
            n_findable=gains.n_gaining,
        ),
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
            (CUTOFF, REL, JUDGED_ONLY),
            aliases=("MAP",),
            trec=(TrecName("map"), TrecName("map_cut", "cutoffs", TREC_CUTOFFS)),
            normalised=True,
        ),
        Family(
            "P",
            sets.precision,
            "share of the first ranks that hold a relevant document",
            (CUTOFF, REL, JUDGED_ONLY),
            needs_cutoff=True,
            aliases=("Precision",),
            trec=(TrecName("P", "cutoffs", TREC_CUTOFFS),),
        ),
        Family(
            "R",
            sets.recall,
            "share of the relevant documents in the first ranks",
            (CUTOFF, REL, JUDGED_ONLY),
            needs_cutoff=True,
            aliases=("Recall",),
            trec=(TrecName("recall", "cutoffs", TREC_CUTOFFS),),
            normalised=True,
        ),
        Family(
            "Success",
            sets.success,
            "1 if a relevant document is in the first ranks",
            (CUTOFF, REL, JUDGED_ONLY),
            needs_cutoff=True,
            trec=(TrecName("success", "cutoffs", (1, 5, 10)),),
        ),
        Family(
            "Rprec",
            ranked.r_precision,
            "precision at the rank that is the number of relevant documents",
            (REL, JUDGED_ONLY),
            aliases=("RPrec",),
            trec=(TrecName("Rprec"),),
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
            "RBP",
            users.rank_biased_precision,
            "gain of a user who goes on with probability p",
            (CUTOFF, PERSISTENCE, REL_IF_ANY, MAX_REL_OF_QRELS, JUDGED_ONLY),
            exclusive=("rel", "max_rel"),
        ),
        Family(
            "ERR",
            users.expected_reciprocal_rank,
            "expected 1 / rank at which a user is satisfied; grade scale 0 to max_rel",
            (CUTOFF, MAX_REL, JUDGED_ONLY),
        ),
        Family(
            "SetP",
            sets.set_precision,
            "share of the retrieved documents that are relevant",
            (REL, JUDGED_ONLY),
            trec=(TrecName("set_P"),),
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
            trec=(TrecName("set_F", "beta squared"),),
            normalised=True,
        ),
        Family(
            "Judged",
            counts.judged_share,
            "share of the retrieved documents (in the first ranks) that were judged",
            (CUTOFF,),
            quality=False,
        ),
        Family("NumQ", counts.one, "topics", trec=(TrecName("num_q"),), summary="sum", quality=False),
        Family(
            "NumRet",
            counts.n_retrieved,
            "documents retrieved",
            trec=(TrecName("num_ret"),),
            summary="sum",
            quality=False,
        ),
        Family(
            "NumRel",
            counts.n_relevant,
            "relevant documents",
            (REL,),
            trec=(TrecName("num_rel"),),
            summary="sum",
            quality=False,
        ),
        Family(
            "NumRelRet",
            sets.n_found,
            "relevant documents retrieved",
            (REL,),
            trec=(TrecName("num_rel_ret"),),
            summary="sum",
            quality=False,
        ),
    )
}
