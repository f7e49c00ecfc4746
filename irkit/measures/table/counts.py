"""Counts, and how much was judged."""

from collections.abc import Callable
from typing import Final

from irkit.data.qrels import JudgmentKind
from irkit.judged import PerTopic
from irkit.judged.kinds import NEEDS
from irkit.measures import counts, sets
from irkit.measures.family import Family, TrecName
from irkit.measures.parameters import CUTOFF, REL, Parameter


def _count(
    name: str,
    function: Callable[..., PerTopic],
    help_: str,
    parameters: tuple[Parameter, ...] = (),
    *,
    trec: str,
    judgments: tuple[JudgmentKind, ...] = ("qrels",),
) -> Family:
    named = (TrecName(trec),)
    return Family(name, function, help_, parameters, trec=named, summary="sum", quality=False, judgments=judgments)


FAMILIES: Final = (
    Family(
        "Judged",
        counts.judged_share,
        "share of the retrieved documents (in the first ranks) that were judged",
        (CUTOFF,),
        quality=False,
        judgments=("qrels", "fractional", "subtopics"),
    ),
    Family(
        "unj",
        counts.unjudged,
        "documents in the first ranks that nobody judged, divided by the cutoff",
        (CUTOFF,),
        needs_cutoff=True,
        trec=(TrecName("unj", "cutoffs", defaults=(5, 10, 20)),),
        quality=False,
        judgments=("qrels", "fractional"),
    ),
    Family(
        "NumQ",
        counts.one,
        "topics",
        trec=(TrecName("num_q"),),
        summary="sum",
        n_findable=counts.n_findable,
        quality=False,
        judgments=tuple(NEEDS),
    ),
    _count(
        "NumRet",
        counts.n_retrieved,
        "documents retrieved",
        trec="num_ret",
        judgments=("qrels", "fractional", "subtopics", "strata", "prels"),
    ),
    _count("NumRel", counts.n_relevant, "relevant documents", (REL,), trec="num_rel"),
    _count("NumRelRet", sets.n_found, "relevant documents retrieved", (REL,), trec="num_rel_ret"),
    _count(
        "NumNonRelRet",
        counts.n_other_judged,
        "retrieved documents judged not relevant",
        (REL,),
        trec="num_nonrel_judged_ret",
    ),
)
