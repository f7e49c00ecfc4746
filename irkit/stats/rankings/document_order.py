"""Kendall's tau union: whether a reproduced run returns documents in the same order."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import nan
from typing import Literal, TypeAlias

import numpy as np

from irkit._utils.arrays import freeze
from irkit._utils.text import counted
from irkit.data.runs import Run
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.rankings.correlation import kendall_tau
from irkit.stats.rankings.overlap import in_both, mean_of_known, only_in

Numbering: TypeAlias = Literal["appearance", "sorted"]


@dataclass(frozen=True, slots=True, eq=False)
class TauUnion:
    """Kendall's tau union of two runs in the T topics that both have.

    Attributes
    ----------
    original, reproduced : str
        The runs.
    topics : tuple of T str
        In byte order.
    values : float64 array of shape (T,)
        From -1 to 1; nan where a ranking has one document or none.
    mean : float
        Over the topics that have a value; nan if none has.
    numbering : str
        How documents were numbered: by first `appearance`, or `sorted` by id.
    depth : int or None
        Ranks of each run that were read; None: all.
    only_original, only_reproduced : tuple of str
        Topics of one run only; they are in no mean.
    note : str
        Topics cut to the shorter ranking, and topics without a value; else empty.
    """

    original: str
    reproduced: str
    topics: tuple[str, ...]
    values: Values
    mean: float
    numbering: Numbering
    depth: int | None
    only_original: tuple[str, ...]
    only_reproduced: tuple[str, ...]
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "values")


def tau_union(original: Sequence[str], reproduced: Sequence[str], *, numbering: Numbering = "appearance") -> float:
    """Kendall's tau union of two lists of as many documents.

    Every document of either list has a number; the two sequences of numbers, read rank by rank, are correlated. So it
    is the numbers at one rank that are compared, not the ranks of one document.

    Parameters
    ----------
    original, reproduced : sequence of n str
        Documents in ranked order.
    numbering : str
        "appearance": in the order of the original list, then of the reproduced one. "sorted": by document id, as
        repro_eval has it; the value then depends on what the documents are called.

    Returns
    -------
    float
        From -1 to 1; nan if n is below 2.

    Raises
    ------
    UsageError
        If `numbering` is unknown, or the lists are not of one length.

    References
    ----------
    Breuer et al., SIGIR 2020; repro_eval, ktau_union.
    """
    if numbering not in ("appearance", "sorted"):
        raise UsageError(f"documents are numbered by appearance or sorted, not {numbering!r}")
    if len(original) != len(reproduced):
        raise UsageError(f"tau union needs lists of one length, got {len(original)} and {len(reproduced)}")
    if len(original) < 2:
        return nan
    documents = dict.fromkeys([*original, *reproduced])
    number = {document: n for n, document in enumerate(sorted(documents) if numbering == "sorted" else documents)}
    return kendall_tau([number[one] for one in original], [number[one] for one in reproduced]).value


def run_tau_union(
    original: Run,
    reproduced: Run,
    *,
    numbering: Numbering = "appearance",
    depth: int | None = None,
    topics: Collection[str] | None = None,
) -> TauUnion:
    """Kendall's tau union of two runs, paired by topic id.

    Parameters
    ----------
    original, reproduced : Run
    numbering
        As of `tau_union`.
    depth : int, optional
        Read that many ranks of each run only.
    topics : collection of str, optional
        Compare these topics only.

    Returns
    -------
    TauUnion
        Where the rankings of a topic differ in length, the longer one is cut to the shorter one and the note says so.

    Raises
    ------
    UsageError
        If `numbering` is unknown, or the depth is below 1.
    DataError
        If the runs have no topic in common.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"tau union needs a depth of at least 1, got {depth}")
    compared, values, n_cut = [], [], 0
    for topic, (documents, _), (others, _) in in_both(original, reproduced, topics):
        one, other = documents[:depth], others[:depth]
        shorter = min(len(one), len(other))
        n_cut += len(one) != len(other)
        compared.append(topic)
        values.append(tau_union(one[:shorter], other[:shorter], numbering=numbering))
    column = np.array(values)
    n_without = int(np.isnan(column).sum())
    notes = [
        f"cut to the shorter ranking in {counted(n_cut, 'topic')}" if n_cut else "",
        f"no value in {counted(n_without, 'topic')} of one document or none" if n_without else "",
    ]
    return TauUnion(
        original.name,
        reproduced.name,
        tuple(compared),
        column,
        mean_of_known(column),
        numbering,
        depth,
        only_in(original, reproduced),
        only_in(reproduced, original),
        "; ".join(filter(None, notes)),
    )
