"""Fusion: several runs -> one run, by their ranks or by their scores.

```text
arguments  runs, weights, depth and tag, checked
pooled     runs -> the documents that they found, block by block; documents with fused scores -> a run
ordered    sums in which the order of the runs cannot show
sums       what each run gives a document, added up: rrf, linear
prior      what is known of documents without a query, as a run
evidence   topics for which nothing should be returned
```
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Final

from irkit.errors import UsageError
from irkit.fusion.evidence import abstain
from irkit.fusion.prior import prior_run
from irkit.fusion.sums import NORMALISATIONS, linear, rrf
from irkit.runs import Run, RunSource
from irkit.spelling import instead

__all__ = ["METHODS", "NORMALISATIONS", "abstain", "fuse", "linear", "prior_run", "rrf"]

METHODS: Final[dict[str, Callable[..., Run]]] = {"rrf": rrf, "linear": linear}


def fuse(runs: Iterable[RunSource], method: str = "rrf", **parameters: Any) -> Run:
    """Fuse runs by one of `METHODS`, with its parameters by name.

    Parameters
    ----------
    runs : iterable of paths, dicts, tables or Runs
        Whatever `Run.of` takes, one at least.
    method : {"rrf", "linear"}
    **parameters
        Those of the function of that name.

    Returns
    -------
    Run

    Raises
    ------
    UsageError
        If there is no such method, or it has no such parameter, or one that it needs is not given; or as the method.
    """
    if not isinstance(method, str) or method not in METHODS:
        raise UsageError(f"unknown fusion method {method!r}; {instead(str(method), METHODS)}")
    known = dict(list(inspect.signature(METHODS[method]).parameters.items())[1:])
    for name in parameters:
        if name not in known:
            raise UsageError(f"{method} has no parameter {name!r}; {instead(name, known)}")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in parameters:
            raise UsageError(f"{method} needs {name}")
    return METHODS[method](runs, **parameters)
