"""Files named on the command line: runs and qrels, told apart by their columns."""

import os
from collections.abc import Sequence
from pathlib import Path

from irkit.errors import DataError, FormatError, UsageError
from irkit.evaluation import Evaluation
from irkit.measures import Measure
from irkit.rules import AverageOver, NoRelevant
from irkit.runs import run_names
from irkit.scoring import Evaluator
from irkit.textio import BYTE_ORDER_MARK, STDIN, reading


def evaluate_files(
    runs: Sequence[str],
    qrels: str,
    *,
    measures: Sequence[str | Measure],
    average: AverageOver,
    no_relevant: NoRelevant,
    fractional: bool,
    rules: str,
) -> list[Evaluation]:
    """Score the files of `RUN... QRELS`, in the order given; the qrels are read once, each run on all cores.

    Raises
    ------
    FormatError
        If a file is not what it should be.
    DataError
        If the files look as if they stood in the wrong order, or have no topic in common.
    """
    if [*runs, qrels].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    try:
        scorer = Evaluator(
            qrels, measures or None, average=average, no_relevant=no_relevant, fractional=fractional, rules=rules
        )
        return [scorer.evaluate(path, name) for path, name in zip(runs, run_names(runs), strict=True)]
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
        with reading(path) as stream:
            lines = stream.read(1 << 20).removeprefix(BYTE_ORDER_MARK).split(b"\n", 1000)
    except FormatError:
        return 0
    return next((len(fields) for line in lines if (fields := line.split()) and not fields[0].startswith(b"#")), 0)
