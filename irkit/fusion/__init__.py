"""Fusion: combine several runs into one, by ranks or by scores.

```text
arguments   check runs, weights, depth and tag
union       union of the documents of runs, block by block; fused scores -> a run
exact_sum   sums that do not depend on the order of the runs
votes       input of the methods: ranks and scores of each document
normalise   bring the scores of several runs to one scale
by_score    by_rank  elections  trained: the methods, by family
training    judged documents of the runs on the training topics
table       all methods, with names and parameters
request     check the request, compute the fused scores
explain     rank, score and contribution of each run for each document
notes       notes on topics and training
no_overlap  detect runs without common documents, or given twice
prior       make a run from a prior over documents
abstention  drop topics whose best score is below a floor
```
"""

from collections.abc import Iterable
from typing import Any

from irkit.data.runs import Run, RunSource
from irkit.fusion.abstention import abstain
from irkit.fusion.explain import ExplainedDocument, RunVote, explain, write_explanation
from irkit.fusion.no_overlap import FusionNote, fusion_notes
from irkit.fusion.normalise import NORMALISATIONS
from irkit.fusion.notes import topic_notes
from irkit.fusion.prior import prior_run
from irkit.fusion.request import requested
from irkit.fusion.table import METHODS
from irkit.fusion.training import Training

__all__ = [
    "METHODS",
    "NORMALISATIONS",
    "ExplainedDocument",
    "FusionNote",
    "RunVote",
    "Training",
    "abstain",
    "explain",
    "fuse",
    "fusion_notes",
    "linear",
    "prior_run",
    "rrf",
    "topic_notes",
    "write_explanation",
]


def fuse(
    runs: Iterable[RunSource],
    method: str = "rrf",
    *,
    normalise: str | None = None,
    weights: Iterable[float] | None = None,
    depth: int = 1000,
    depth_in: int | None = None,
    tag: str | None = None,
    training: Training | None = None,
    **parameters: Any,
) -> Run:
    """Fuse runs by one of `METHODS`.

    Ranks count from 1 in trec_eval's order. The order in which the runs are given, each with its weight, does not
    change a byte of the result.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        Whatever `Run.of` takes, one at least; their topics need not agree.
    method : str
        A name or an alias of `METHODS`; the docstring of its function has the formula.
    normalise : str, optional
        One of `NORMALISATIONS`, for a method that goes by scores; min-max if not given.
    weights : iterable of float, optional
        One a run, in their order, for a method that takes them. A run of weight 0 is left out.
    depth : int
        Documents kept of the fused ranking for a topic; at least 1.
    depth_in : int, optional
        Documents read (and normalised) from each run for a topic; as many as `depth` if not given.
    tag : str, optional
        What the fused run calls itself: one word; the method's name if not given.
    training : Training, optional
        What a trained method learns from.
    **parameters
        Those of the method.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        If there is no such method or normalisation, or the method has no such parameter; if a parameter is out of
        range; if weights do not fit the runs; if something is given that the method has no use for, or not given that
        it needs.
    DataError
        If a score is infinite, or the fused score of a document is; or if there is nothing to train on.
    """
    return requested(
        runs,
        method,
        normalise=normalise,
        weights=weights,
        depth=depth,
        depth_in=depth_in,
        tag=tag,
        training=training,
        **parameters,
    ).run()


def rrf(
    runs: Iterable[RunSource],
    *,
    k: float = 60,
    depth: int = 1000,
    weights: Iterable[float] | None = None,
    tag: str = "rrf",
) -> Run:
    """Reciprocal rank fusion: a document scores the sum of weight / (k + rank) over the runs that found it.

    It is `fuse` with method rrf, whose parameters and errors these are.

    Parameters
    ----------
    k : float
        Above 0. The larger it is, the less the first ranks stand out.

    References
    ----------
    Cormack, Clarke and Büttcher, SIGIR 2009, with k = 60.
    """
    return fuse(runs, "rrf", k=k, depth=depth, weights=weights, tag=tag)


def linear(
    runs: Iterable[RunSource],
    *,
    weights: Iterable[float],
    normalise: str = "min-max",
    depth: int = 1000,
    tag: str = "linear",
) -> Run:
    """Weighted sum of normalised scores; weights alpha and 1 - alpha make the usual hybrid of two runs.

    It is `fuse` with method linear, whose parameters and errors these are.
    """
    return fuse(runs, "linear", weights=weights, normalise=normalise, depth=depth, tag=tag)
