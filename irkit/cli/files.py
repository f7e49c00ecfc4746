"""Files named on the command line: runs and qrels, told apart by their columns."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from irkit.errors import DataError, FormatError
from irkit.evaluation import Evaluation, evaluate
from irkit.qrels import read_qrels
from irkit.rules import AverageOver, NoRelevant
from irkit.textio import BYTE_ORDER_MARK, STDIN, reading


def evaluate_files(
    runs: Sequence[str],
    qrels: str,
    *,
    measures: Sequence[str],
    average: AverageOver,
    no_relevant: NoRelevant,
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
    try:
        judgments = read_qrels(qrels)
        return [
            evaluate(
                run=path,
                qrels=judgments,
                measures=measures or None,
                average=average,
                no_relevant=no_relevant,
                rules=rules,
                name=name,
            )
            for path, name in zip(runs, run_names(runs), strict=True)
        ]
    except FormatError:
        _check_order(runs, qrels)
        raise


def run_names(paths: Sequence[str]) -> list[str]:
    """What to call each run in a table: its file's name without ending, or the whole path where two would be alike."""
    short = [path if path == STDIN else _stem(path) for path in paths]
    counts = Counter(short)
    return [name if counts[name] == 1 else path for name, path in zip(short, paths, strict=True)]


def _stem(path: str) -> str:
    name = Path(path).name
    for ending in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(ending)
    stem, dot, ending = name.rpartition(".")
    return stem if dot and ending in ("txt", "run", "trec", "res", "tsv", "out") and stem else name


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
    if path == STDIN:
        return 0
    try:
        with reading(path) as stream:
            lines = stream.read(1 << 20).removeprefix(BYTE_ORDER_MARK).split(b"\n", 1000)
    except FormatError:
        return 0
    return next((len(fields) for line in lines if (fields := line.split()) and not fields[0].startswith(b"#")), 0)
