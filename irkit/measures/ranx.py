"""ranx's names for measures."""

import re
from typing import Any, Final

from irkit.measures.family import Family
from irkit.measures.measure import Measure

# f1 without a cutoff is SetF. A bare recall is trec_eval's, which stands for several cutoffs.
BY_RANX_NAME: Final[dict[str, Measure]] = {
    "hits": Measure("Hits"),
    "hit_rate": Measure("Success"),
    "precision": Measure("P"),
    "recall": Measure("R"),
    "f1": Measure("F"),
    "r-precision": Measure("Rprec"),
    "bpref": Measure("Bpref"),
    "rbp": Measure("RBP"),
    "mrr": Measure("RR"),
    "map": Measure("AP"),
    "dcg": Measure("DCG"),
    "dcg_burges": Measure("DCG")(dcg="exp-log2"),
    "ndcg": Measure("nDCG"),
    "ndcg_burges": Measure("nDCG")(dcg="exp-log2"),
}


def by_ranx(text: str) -> Measure | None:
    """The measure that ranx calls so: `ndcg@10`, `recall@100-l2`, `rbp.95`; None where it has no such name.

    `-lN` is the lowest grade that counts. ranx takes it for gains too, in which the grades below it count nothing.
    """
    parts = re.fullmatch(r"(r-precision|[a-z_]+1?)(?:\.(\d+))?(?:@(\d{1,18}))?(?:-l(\d{1,3}))?", text)
    if parts is None or parts[1] not in BY_RANX_NAME or (parts[1] == "rbp") != bool(parts[2]):
        return None
    name, persistence, cutoff, level = parts.groups()
    measure = BY_RANX_NAME[name]
    if name == "f1" and cutoff is None:
        measure = Measure("SetF")
    params: dict[str, Any] = {}
    if persistence:
        params["p"] = float(f"0.{persistence}")
    if cutoff:
        params["cutoff"] = int(cutoff)
    if level and "gains" in measure.family.defaults():
        params["gains"] = dict.fromkeys(range(1, int(level)), 0)
    elif level:
        params["rel"] = int(level)
    return measure(**params)


def ranx_names(family: Family) -> tuple[str, ...]:
    """Names of a measure in ranx."""
    if family.name == "SetF":
        return ("f1",)
    named = (name for name, measure in BY_RANX_NAME.items() if measure.family is family)
    return tuple("rbp.80" if name == "rbp" else name for name in named)
