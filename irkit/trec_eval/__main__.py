"""The process of `irkit-trec-eval`, also as `python -m irkit.trec_eval`."""

from typing import NoReturn

from irkit._utils.process_end import process
from irkit.trec_eval import main


def program() -> NoReturn:
    """Run the process of `irkit-trec-eval`; it writes no files and can be stopped at any moment."""
    process("trec_eval", main)


if __name__ == "__main__":
    program()
