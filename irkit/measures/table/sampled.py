"""Measures estimated from sampled judgments."""

from collections.abc import Callable
from typing import Final

from irkit.judged import PerTopic
from irkit.measures import sampled
from irkit.measures.family import Family
from irkit.measures.parameters import CUTOFF, REL
from irkit.qrels import JudgmentKind


def _number(name: str, function: Callable[..., PerTopic], help_: str, kind: JudgmentKind, alias: str) -> Family:
    # The mean over topics, since a sum is shown as a whole number, which an estimate is not.
    return Family(
        name,
        function,
        help_,
        (REL,),
        aliases=(alias,) if alias else (),
        n_findable=sampled.n_relevant,
        quality=False,
        judgments=(kind,),
    )


FAMILIES: Final = (
    Family(
        "xinfAP",
        sampled.inferred_average_precision,
        "AP estimated from judgments sampled by stratum",
        (REL,),
        normalised=True,
        n_findable=sampled.n_relevant,
        judgments=("strata",),
    ),
    Family(
        "infNDCG",
        sampled.inferred_ndcg,
        "nDCG estimated from judgments sampled by stratum",
        aliases=("infnDCG",),
        normalised=True,
        n_findable=sampled.n_relevant,
        judgments=("strata",),
    ),
    Family(
        "iP",
        sampled.inferred_precision,
        "P estimated from judgments sampled by stratum",
        (CUTOFF, REL),
        needs_cutoff=True,
        n_findable=sampled.n_relevant,
        judgments=("strata",),
    ),
    _number(
        "iNumRel",
        sampled.estimated_relevant,
        "relevant documents in the pool, estimated from judgments sampled by stratum",
        "strata",
        "inum_rel",
    ),
    _number(
        "iNumRelRet",
        sampled.estimated_relevant_retrieved,
        "relevant documents retrieved, estimated from judgments sampled by stratum",
        "strata",
        "inum_rel_ret",
    ),
    Family(
        "statAP",
        sampled.sampled_average_precision,
        "AP estimated from documents sampled with known probabilities",
        (REL,),
        normalised=True,
        n_findable=sampled.n_relevant,
        judgments=("prels",),
    ),
    Family(
        "statRprec",
        sampled.sampled_r_precision,
        "Rprec estimated from documents sampled with known probabilities",
        (REL,),
        aliases=("statRP",),
        normalised=True,
        n_findable=sampled.n_relevant,
        judgments=("prels",),
    ),
    Family(
        "statP",
        sampled.sampled_precision,
        "P estimated from documents sampled with known probabilities",
        (CUTOFF, REL),
        needs_cutoff=True,
        n_findable=sampled.n_relevant,
        judgments=("prels",),
    ),
    _number(
        "statNumRel",
        sampled.sampled_relevant,
        "relevant documents, estimated from documents sampled with known probabilities",
        "prels",
        "",
    ),
)
