"""Read the runs and qrels of a command line, and recognise them by their columns."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from irkit.data.runs import run_names
from irkit.errors import DataError, FormatError, UsageError
from irkit.evaluation.result import Evaluation
from irkit.evaluation.scoring import Evaluator
from irkit.files.formats import text_format
from irkit.files.textio import BYTE_ORDER_MARK, STDIN, reading
from irkit.measures import Measure

_OF_COLLAPSE: Final = ("collapse_by", "collapse_at")


def evaluate_files(
    runs: Sequence[str],
    qrels: str,
    *,
    measures: Sequence[str | Measure],
    **options: Any,
) -> list[Evaluation]:
    """Score the files of `RUN... QRELS` in the given order; the qrels are read once, each run with all cores.

    `options` are those of `irkit.evaluate`; `collapse_by` and `collapse_at` may be None, which means their defaults.

    Raises
    ------
    FormatError
        If a file does not have the format of a run or qrels.
    DataError
        If the files seem to be in the wrong order, or have no topic in common.
    """
    with reading_in_order(runs, qrels):
        scorer = Evaluator(qrels, measures or None, **settled(options))
        return [scorer.evaluate(path, name) for path, name in zip(runs, run_names(runs), strict=True)]


def settled(options: dict[str, Any]) -> dict[str, Any]:
    """Convert the options of `evaluation_options` to arguments of `irkit.evaluate`.

    Raises
    ------
    UsageError
        If --collapse-by or --collapse-at is given without --collapse.
    """
    unset = [name for name in _OF_COLLAPSE if options[name] is None]
    if options["collapse"] is None and len(unset) < len(_OF_COLLAPSE):
        given = next(name for name in _OF_COLLAPSE if name not in unset).replace("_", "-")
        raise UsageError(f"--{given} needs --collapse SEPARATOR, the text after the document id in a passage id")
    return {name: value for name, value in options.items() if name not in unset}


@contextmanager
def reading_in_order(runs: Sequence[str], qrels: str) -> Iterator[None]:
    """Context for reading `RUN... QRELS`: a format error becomes an error of order if the files seem to be swapped.

    Raises
    ------
    UsageError
        If two of the files are standard input.
    DataError
        Instead of a `FormatError`, if the files seem to be in the wrong order.
    """
    if [*runs, qrels].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    try:
        yield
    except FormatError:
        check_order(runs, qrels)
        raise


def check_order(runs: Sequence[str], qrels: str) -> None:
    """Raise DataError if runs and qrels seem to be in the wrong order."""
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
    """Count the fields of the first data line of a file; 0 if the file cannot be read again or is not a TREC file."""
    if path == STDIN or not Path(path).is_file():  # a pipe cannot be read again
        return 0
    try:
        with reading(path) as stream:
            lines = stream.read(1 << 20).removeprefix(BYTE_ORDER_MARK).split(b"\n", 1000)
    except FormatError:
        return 0
    first = next((line for line in lines if (fields := line.split()) and not fields[0].startswith(b"#")), b"")
    return 0 if text_format(first) is not None else len(first.split())  # other formats have their own error
