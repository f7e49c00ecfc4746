"""The kernel: bytes of a file -> topic spans, ids, scores, order; a run and its qrels -> judged documents.

One plain implementation in Python and NumPy is always present and is the definition of right.
"""

from irkit._kernel.numpy_twin import gather, match, parse_qrels, parse_run, rank

NAME = "numpy"

__all__ = ["NAME", "gather", "match", "parse_qrels", "parse_run", "rank"]
