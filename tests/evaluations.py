"""Small evaluations, built by hand."""

import numpy as np

from irkit.evaluation import Evaluation
from irkit.rules import TREC_EVAL_10, Conventions


class Named:
    """A measure, as far as reports are concerned: a name, trec_eval's if it has one, and how topics are summarised."""

    def __init__(self, name, trec_name=None, summary="mean"):
        self.name = name
        self.trec_name = trec_name
        self.summary = summary

    def __str__(self):
        return self.name


def evaluation(run, columns, topics=None, **others):
    """The evaluation of a run from {measure: [value, ...]}; nan is left out of the mean."""
    values = np.array(list(columns.values()), dtype=float).T
    measures = tuple(name if isinstance(name, Named) else Named(name) for name in columns)
    counted = ~np.isnan(values)
    known = {
        "run": run,
        "measures": measures,
        "topics": tuple(topics or (str(n + 1) for n in range(len(values)))),
        "values": values,
        "summary": np.array(
            [
                column[~np.isnan(column)].sum() if measure.summary == "sum" else np.nanmean(column)
                for measure, column in zip(measures, values.T, strict=True)
            ]
        ),
        "n_averaged": counted.sum(axis=0),
        "missing": (),
        "unjudged": (),
        "no_relevant": (),
        "rules": TREC_EVAL_10,
        "conventions": Conventions(),
    }
    return Evaluation(**(known | others))
