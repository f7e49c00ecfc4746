"""Small evaluations, built by hand."""

import numpy as np

from irkit.evaluation.result import Evaluation
from irkit.measures import parse_measure
from irkit.rules import TREC_EVAL_10, Conventions


def evaluation(run, columns, topics=None, **others):
    """The evaluation of a run from {measure: [value, ...]}."""
    values = np.array(list(columns.values()), dtype=float).T
    known = {
        "name": run,
        "measures": tuple(map(parse_measure, columns)),
        "topics": tuple(topics or (str(n + 1) for n in range(len(values)))),
        "values": values,
        "missing": (),
        "unjudged": (),
        "without_relevant": (),
        "rules": TREC_EVAL_10,
        "conventions": Conventions(),
    }
    return Evaluation(**(known | others))
