"""Contribution of each document of a ranking to the value of its topic."""

import numpy as np

from irkit.judged import Judged
from irkit.judged.kinds import judge_as
from irkit.measures.contributions import contributions
from irkit.report.page.inputs import PageInputs

# Contribution of the document to each of M measures, by topic and rank.
Shares = dict[str, dict[int, list[float]]]


def shares(material: PageInputs, depth: int) -> tuple[list[Shares], list[bool]]:
    """Return the non-zero contributions of the first documents of each run, and the measures with known contributions.

    A value is the sum of these terms (`irkit.measures.contributions`). They are 0 if unknown: for measures that are not
    such sums, for judgments without a single grade for each document, and for values over other orders of ties than
    the displayed order.
    """
    none: tuple[list[Shares], list[bool]] = ([{} for _ in material.runs], [False] * len(material.measures))
    its = material.evaluations[0]
    if material.qrels is None or its.conventions.ties not in ("docid", "file"):
        return none
    shares_by_run: list[Shares] = []
    known: list[bool] = none[1]
    for run in material.runs:
        judged = judge_as(material.qrels.kind)(run, material.qrels, rules=its.rules)
        if not isinstance(judged, Judged):
            return none
        terms = [contributions(judged, measure) for measure in material.measures]
        known = [term is not None for term in terms]
        table = np.column_stack([np.zeros(judged.n_found) if term is None else term for term in terms])
        of_run: Shares = {}
        rows = np.flatnonzero((judged.rank <= depth) & table.any(axis=1))
        for topic, rank, values in zip(
            judged.topic[rows].tolist(), judged.rank[rows].tolist(), table[rows].tolist(), strict=True
        ):
            of_run.setdefault(judged.topics[topic], {})[rank] = values
        shares_by_run.append(of_run)
    return shares_by_run, known
