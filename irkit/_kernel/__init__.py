"""The kernel: parse files into topic spans, ids and scores; rank runs; match runs with qrels.

There are two. The one in Python and NumPy is always present; the compiled one does the same faster, and is taken where
it is installed. The environment variable `IRKIT_KERNEL` asks for one of them.
"""

import os
from typing import TYPE_CHECKING

from irkit.errors import MissingDependencyError, UsageError

if TYPE_CHECKING:
    from irkit._kernel import numpy_twin as kernel
else:
    _asked = os.environ.get("IRKIT_KERNEL", "")
    if _asked not in ("", "compiled", "numpy"):
        raise UsageError(f"IRKIT_KERNEL is {_asked!r}; it can be compiled or numpy, or be left out")
    try:
        if _asked == "numpy":
            raise ImportError(name="irkit._kernel._compiled")
        from irkit._kernel import compiled as kernel
    except ImportError as problem:
        if _asked == "compiled":
            raise MissingDependencyError(
                "IRKIT_KERNEL asks for the compiled kernel, which was not built or cannot be loaded; install irkit "
                "again where a C++20 compiler is found, or leave IRKIT_KERNEL out"
            ) from problem
        from irkit._kernel import numpy_twin as kernel

NAME = "compiled" if kernel.__name__.endswith(".compiled") else "numpy"

Pool = kernel.Pool
Scorer = kernel.Scorer
arrow_table = kernel.arrow_table
first_unfit = kernel.first_unfit
format_run = kernel.format_run
gather = kernel.gather
judgment_lines = kernel.judgment_lines
match = kernel.match
merge = kernel.merge
parse_file = kernel.parse_file
parse_qrels = kernel.parse_qrels
parse_run = kernel.parse_run
rank = kernel.rank
rerank = kernel.rerank
score_file = kernel.score_file
score_mapping = kernel.score_mapping
survey_run = kernel.survey_run

__all__ = [
    "NAME",
    "Pool",
    "Scorer",
    "arrow_table",
    "first_unfit",
    "format_run",
    "gather",
    "judgment_lines",
    "match",
    "merge",
    "parse_file",
    "parse_qrels",
    "parse_run",
    "rank",
    "rerank",
    "score_file",
    "score_mapping",
    "survey_run",
]
