"""Abstention: drop topics whose best score is below a floor."""

from itertools import compress
from math import isnan

import numpy as np

from irkit.data.runs import Run
from irkit.errors import UsageError


def abstain(run: Run, evidence: Run, floor: float) -> Run:
    """Drop the topics whose best score in `evidence` is below a floor.

    Parameters
    ----------
    run : Run
        What would be returned.
    evidence : Run
        Often a first stage whose scores mean something on their own, such as the dense run below a fused one.
    floor : float
        A topic stays if its best score in `evidence` is at least this. One which `evidence` lacks goes.

    Raises
    ------
    UsageError
        If the floor is nan.
    """
    if isnan(floor):
        raise UsageError("the floor of abstain is nan; give the least score that is evidence enough")
    filled = np.diff(evidence.starts) > 0
    enough = np.zeros(len(filled), dtype=bool)
    enough[filled] = evidence.scores[evidence.starts[:-1][filled]] >= floor
    return run.of_topics(compress(evidence.topics, enough))
