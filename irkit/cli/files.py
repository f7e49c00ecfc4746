"""Files named on the command line: runs and qrels, told apart by their columns."""

import os
from collections.abc import Sequence
from pathlib import Path

from irkit.errors import DataError, FormatError
from irkit.qrels import Qrels, read_qrels
from irkit.runs import Run, read_run, run_names
from irkit.textio import STDIN, read_bytes


def read_runs_and_qrels(runs: Sequence[str], qrels: str) -> tuple[list[Run], Qrels]:
    """Read the files of `RUN... QRELS`.

    Raises
    ------
    FormatError
        If a file is not what it should be.
    DataError
        If the files look as if they stood in the wrong order.
    """
    try:
        judgments = read_qrels(qrels)
        return [read_run(path, name) for path, name in zip(runs, run_names(runs), strict=True)], judgments
    except FormatError:
        _check_order(runs, qrels)
        raise


def _check_order(runs: Sequence[str], qrels: str) -> None:
    last = _n_fields(qrels)
    for path in runs:
        if last >= 6 and _n_fields(path) == 4:
            raise DataError(
                f"{path} has 4 columns and looks like qrels, {qrels} has {last} and looks like a run; swap them? "
                "The qrels come last: RUN... QRELS"
            )
    if last >= 6 and os.fspath(qrels) != STDIN:
        raise DataError(f"{qrels} has {last} columns and looks like a run; the qrels come last: RUN... QRELS")


def _n_fields(path: str) -> int:
    """Fields of a file's first line of data; 0 where that cannot be seen any more."""
    if path == STDIN or not Path(path).is_file():  # a pipe is empty by now
        return 0
    try:
        lines = read_bytes(path).split(b"\n", 1000)
    except FormatError:
        return 0
    return next((len(fields) for line in lines if (fields := line.split()) and not fields[0].startswith(b"#")), 0)
