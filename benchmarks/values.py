"""What each program printed, as numbers, and whether all found the same."""

import json
import re
from collections.abc import Callable

from benchmarks import MEASURES

Values = list[tuple[float, ...]]  # for each run, a value for each of MEASURES
Reader = Callable[[str], Values]

FROM_TREC_EVAL = ("ndcg_cut_10", "recip_rank", "map", "recall_20", "recall_1000", "P_10")
HALF_A_DIGIT = 0.00005


def of_irkit(text: str) -> Values:
    """The rows of irkit's table: below its rule, up to the empty line where it has more to say."""
    _, _, below = text.partition("─\n")
    rows = below.partition("\n\n")[0].splitlines()
    return [tuple(map(float, row.split()[-len(MEASURES) :])) for row in rows]


def of_trec_eval(text: str) -> Values:
    """The lines `measure all value`, those of several runs after each other."""
    found: list[dict[str, float]] = []
    for name, value in re.findall(r"^(\S+)\s+all\s+(\S+)$", text, re.M):
        if not found or name in found[-1]:
            found.append({})
        found[-1][name] = float(value)
    return [tuple(values[name] for name in FROM_TREC_EVAL) for values in found]


def of_peer(text: str) -> Values:
    """A list of JSON for each run."""
    return [tuple(json.loads(line)) for line in text.splitlines() if line.startswith("[")]


def agree(found: Values, wanted: Values) -> bool:
    """Whether both are the same, to the four decimals that trec_eval prints; one may have more."""
    return [len(values) for values in found] == [len(values) for values in wanted] and all(
        abs(ours - theirs) <= HALF_A_DIGIT + 1e-9
        for pair in zip(found, wanted, strict=True)
        for ours, theirs in zip(*pair, strict=True)
    )
