"""Make a run from a prior over documents."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

import numpy as np
import numpy.typing as npt

from irkit.data.runs import Run
from irkit.errors import DataError, UsageError
from irkit.fusion.union import UnionOfRuns, fused, pooled
from irkit.ids import to_text


def prior_run(candidates: Sequence[Run], weights: Mapping[str, float], tag: str = "prior") -> Run:
    """Make a run from a query-independent prior, to fuse with other runs.

    For each topic it ranks, by weight, the documents which the candidate runs retrieved. A document without a weight
    is not listed, and neither is a topic that is left with none.

    Parameters
    ----------
    candidates : sequence of Run
        One at least.
    weights : mapping of document to float
        Such as the number of settled payments. Equal weights are ranked by document id, as everywhere.
    tag : str
        What the run calls itself.

    Raises
    ------
    UsageError
        If there is no candidate.
    DataError
        If a weight is not finite.
    """
    if not candidates:
        raise UsageError("there is no candidate run for a prior; give one at least")
    for document, weight in weights.items():
        if not isfinite(weight):
            raise DataError(f"the weight of document {document!r} is {weight}; a prior needs finite numbers")
    blocks = (block.only(_has_weight(block, weights)) for block in pooled(candidates, None))
    return fused(blocks, lambda block: np.array([weights[document] for document in _names(block)], float), None, tag)


def _has_weight(block: UnionOfRuns, weights: Mapping[str, float]) -> npt.NDArray[np.bool_]:
    return np.array([document in weights for document in _names(block)], dtype=bool)


def _names(block: UnionOfRuns) -> Iterator[str]:
    return map(to_text, block.documents)
