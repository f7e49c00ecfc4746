"""Contribution of each document of a ranking to the value of its topic."""

import numpy as np

from irkit.judged import Judged
from irkit.judged.kinds import judge_as
from irkit.measures.contributions import contributions
from irkit.report.page.inputs import PageInputs

# By topic and rank, what the document there adds by each of M measures.
Shares = dict[str, dict[int, list[float]]]


def shares(material: PageInputs, depth: int) -> tuple[list[Shares], list[bool]]:
    """The shares of each run's first documents, those that add something; and of which measures they are known.

    They are the terms that a value is the sum of (`irkit.measures.contributions`), 0 where they are not known: for
    measures that are no such sum, where judgments give no one grade to a document, and where values are taken over
    other orders of ties than the one that is shown.
    """
    none: tuple[list[Shares], list[bool]] = ([{} for _ in material.runs], [False] * len(material.measures))
    its = material.evaluations[0]
    if material.qrels is None or its.conventions.ties not in ("docid", "file"):
        return none
    found: list[Shares] = []
    known: list[bool] = none[1]
    for run in material.runs:
        judged = judge_as(material.qrels.kind)(run, material.qrels, rules=its.rules)
        if not isinstance(judged, Judged):
            return none
        terms = [contributions(judged, measure) for measure in material.measures]
        known = [one is not None for one in terms]
        table = np.column_stack([np.zeros(judged.n_found) if one is None else one for one in terms])
        of_run: Shares = {}
        rows = np.flatnonzero((judged.rank <= depth) & table.any(axis=1))
        for topic, rank, values in zip(
            judged.topic[rows].tolist(), judged.rank[rows].tolist(), table[rows].tolist(), strict=True
        ):
            of_run.setdefault(judged.topics[topic], {})[rank] = values
        found.append(of_run)
    return found, known
