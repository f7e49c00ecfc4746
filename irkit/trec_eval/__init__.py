"""A drop-in for trec_eval 10.0: its options, its measures, its lines, its exit codes.

Where it does otherwise, on purpose, stands in `docs/trec_eval.md`.
"""

from irkit.trec_eval.program import main

__all__ = ["main"]
