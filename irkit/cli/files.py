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
    """Score the files of `RUN... QRELS`, in the order given; the qrels are read once, each run on all cores.

    `options` are those of `irkit.evaluate`; `collapse_by` and `collapse_at` may be None for
    what they are if nothing is said.

    Raises
    ------
    FormatError
        If a file is not what it should be.
    DataError
        If the files look as if they stood in the wrong order, or have no topic in common.
    """
    with reading_in_order(runs, qrels):
        scorer = Evaluator(qrels, measures or None, **settled(options))
        return [scorer.evaluate(path, name) for path, name in zip(runs, run_names(runs), strict=True)]


def settled(options: dict[str, Any]) -> dict[str, Any]:
    """The options of `evaluation_options` as `irkit.evaluate` takes them.

    Raises
    ------
    UsageError
        If one stands without another that it goes with.
    """
    unset = [name for name in _OF_COLLAPSE if options[name] is None]
    if options["collapse"] is None and len(unset) < len(_OF_COLLAPSE):
        given = next(name for name in _OF_COLLAPSE if name not in unset).replace("_", "-")
        raise UsageError(f"--{given} goes with --collapse SEPARATOR, which says where a passage's document ends")
    return {name: value for name, value in options.items() if name not in unset}


@contextmanager
def reading_in_order(runs: Sequence[str], qrels: str) -> Iterator[None]:
    """Where the files of `RUN... QRELS` are read: what is wrong with them may be that they stand in the wrong order.

    Raises
    ------
    UsageError
        If two of them are standard input.
    DataError
        If they look as if they stood in the wrong order, in place of a `FormatError`.
    """
    if [*runs, qrels].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file for the others")
    try:
        yield
    except FormatError:
        check_order(runs, qrels)
        raise


def check_order(runs: Sequence[str], qrels: str) -> None:
    """Refuse runs and qrels that look as if they stood in the wrong order.

    Raises
    ------
    DataError
    """
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
    first = next((line for line in lines if (fields := line.split()) and not fields[0].startswith(b"#")), b"")
    return 0 if text_format(first) is not None else len(first.split())  # what is no TREC file says so itself
