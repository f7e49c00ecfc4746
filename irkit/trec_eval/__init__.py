"""A drop-in for trec_eval 10.0: its options, its measures, its lines, its exit codes.

`docs/trec_eval.md` lists the intended differences.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run irkit's trec_eval with these arguments; see `irkit.trec_eval.program.main`."""
    from irkit.errors import IrkitError

    try:
        from irkit.trec_eval import program
    except IrkitError as problem:  # the requested kernel does not exist
        print(f"trec_eval: {problem}", file=sys.stderr)
        return problem.exit_code
    except KeyboardInterrupt:
        return 130
    return program.main(arguments)
