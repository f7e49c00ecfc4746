"""Measures estimated from sampled judgments."""

from collections.abc import Callable
from typing import Final

from irkit.data.qrels import JudgmentKind
from irkit.judged import PerTopic
from irkit.measures import prels, strata
from irkit.measures.family import Family
from irkit.measures.parameters import CUTOFF, REL


def _number(name: str, function: Callable[..., PerTopic], help_: str, kind: JudgmentKind, *aliases: str) -> Family:
    # The mean over topics, since a sum is shown as a whole number, which an estimate is not.
    return Family(name, function, help_, (REL,), aliases=aliases, quality=False, judgments=(kind,))


FAMILIES: Final = (
    Family(
        "xinfAP",
        strata.average_precision,
        "AP estimated from judgments sampled by stratum",
        (REL,),
        normalised=True,
        judgments=("strata",),
        unit=False,
    ),
    Family(
        "infNDCG",
        strata.normalised_gain,
        "nDCG estimated from judgments sampled by stratum",
        aliases=("infnDCG",),
        normalised=True,
        judgments=("strata",),
        unit=False,
    ),
    Family(
        "iP",
        strata.precision,
        "P estimated from judgments sampled by stratum",
        (CUTOFF, REL),
        needs_cutoff=True,
        judgments=("strata",),
    ),
    _number(
        "iNumRel",
        strata.n_relevant,
        "relevant documents in the pool, estimated from judgments sampled by stratum",
        "strata",
        "inum_rel",
    ),
    _number(
        "iNumRelRet",
        strata.n_relevant_retrieved,
        "relevant documents retrieved, estimated from judgments sampled by stratum",
        "strata",
        "inum_rel_ret",
    ),
    Family(
        "statAP",
        prels.average_precision,
        "AP estimated from documents sampled with known probabilities",
        (REL,),
        normalised=True,
        judgments=("prels",),
        unit=False,
    ),
    Family(
        "statRprec",
        prels.r_precision,
        "Rprec estimated from documents sampled with known probabilities",
        (REL,),
        aliases=("statRP",),
        normalised=True,
        judgments=("prels",),
        unit=False,
    ),
    Family(
        "statP",
        prels.precision,
        "P estimated from documents sampled with known probabilities",
        (CUTOFF, REL),
        needs_cutoff=True,
        judgments=("prels",),
        unit=False,
    ),
    _number(
        "statNumRel",
        prels.n_relevant,
        "relevant documents, estimated from documents sampled with known probabilities",
        "prels",
    ),
)
