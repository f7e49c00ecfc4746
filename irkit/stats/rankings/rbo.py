"""Rank-biased overlap of two ranked lists, of any lengths and with tied items."""

from dataclasses import dataclass
from math import log1p, nan
from typing import Literal

import numpy as np

from irkit._utils.arrays import freeze
from irkit.errors import UsageError
from irkit.stats.paired.checked_arrays import Values
from irkit.stats.rankings.rankings import Groups, Ranking, Ties, shared


@dataclass(frozen=True, slots=True, eq=False)
class RankBiasedOverlap:
    """Rank-biased overlap of two lists, S the shorter and L the longer.

    Attributes
    ----------
    extrapolated : float
        The estimate, as if the lists went on as they are; 1 for lists that are the same.
    least, most : float
        What it could still become, whatever follows in either list.
    truncated : float
        Of the first `depth` ranks alone; 1 - p^depth for lists that are the same.
    normalised : float
        The truncated one over 1 - p^depth: another measure, which repro_eval has.
    agreement : float64 array of shape (depth,)
        Overlap at each depth, as a share.
    p : float
        Persistence: the chance to go on from one depth to the next.
    ties : str
        `none`, or how ties were treated: `w`, `a` or `b`.
    lengths : (int, int)
        Of the lists in the order given.
    depth : int
        Length of the shorter list.
    note : str
        What a reader must know of an empty list; else empty.
    """

    extrapolated: float
    least: float
    most: float
    truncated: float
    normalised: float
    agreement: Values
    p: float
    ties: Literal["none", "w", "a", "b"]
    lengths: tuple[int, int]
    depth: int
    note: str = ""

    def __post_init__(self) -> None:
        freeze(self, "agreement")


def rank_biased_overlap(
    first: Groups | Ranking,
    second: Groups | Ranking,
    *,
    p: float = 0.9,
    ties: Ties = "a",
) -> RankBiasedOverlap:
    """Rank-biased overlap of two lists of items, best first.

    Parameters
    ----------
    first, second : sequence of str, or of groups of str
        Items in ranked order, each once; those in a list, tuple or set of their own are tied there.
    p : float
        Persistence, between 0 and 1: depth d weighs (1 - p) p^(d - 1). With 0.9 the first 10 ranks decide 86 % of the
        value, with 0.98 the first 50 decide 85 %, counting that what they share is shared at every later depth.
    ties : str
        "a": which of the tied items comes first is not known, and agreement is its mean over all orders (so is RBO
        for lists of one length; its extrapolation for others is near that mean); "b": the same, corrected for what is
        not known, so that a list agrees with itself wholly; "w": tied items are equally good.

    Returns
    -------
    RankBiasedOverlap
        Each value from 0 to 1. Two empty lists have none (nan), one has overlap 0; the note says so.

    Raises
    ------
    UsageError
        If p is not between 0 and 1, or `ties` is unknown.
    DataError
        If an item occurs twice in a list.

    Notes
    -----
    sum over d of (1 - p) p^(d - 1) A(d), with A(d) the share of the first d that both have. `extrapolated`: past the
    end of S, its items are in L as often as at its end, and past the end of L the agreement stays. With ties, an item
    of the ranks t to b has come in at depth d by c = (d - t + 1) / (b - t + 1) ("w": wholly at t), X = sum of c c' and
    A = X / d ("a"), X / sqrt(sum c^2 * sum c'^2) ("b"), 2 X / (sum c + sum c') ("w").

    References
    ----------
    Webber, Moffat and Zobel, TOIS 2010; Corsi and Urbano, SIGIR 2024.
    """
    if not 0 < p < 1:
        raise UsageError(f"the persistence p of RBO lies between 0 and 1, got {p}")
    if ties not in ("w", "a", "b"):
        raise UsageError(f"RBO treats ties in the way w, a or b, not {ties!r}")
    one, other = Ranking.of(first), Ranking.of(second)
    lengths = len(one.items), len(other.items)
    shorter, longer = (one, other) if lengths[0] <= lengths[1] else (other, one)
    n_short, n_long = len(shorter.items), len(longer.items)
    said: Literal["none", "w", "a", "b"] = ties if one.tied or other.tied else "none"
    if not n_long:
        note = "both lists are empty: there is nothing to compare"
        return RankBiasedOverlap(nan, nan, nan, nan, nan, np.empty(0), p, said, lengths, 0, note)
    depth = np.arange(1, n_long + 1)
    seen = shared(shorter, longer, ties)
    size = _joined(shorter.size(depth, ties), longer.size(depth, ties), ties)
    agreement = seen[:n_short] / size[:n_short]
    at_end = float(agreement[-1]) if n_short else 0.0
    guessed, hoped = _unseen(shorter, longer, ties)
    weight = (1 - p) * p ** (depth - 1)
    both = float(seen[-1])  # past the end of L, ties are over
    truncated = float(weight[:n_short] @ agreement)
    # Items that could still be in both: at depth l + s - both, either list could hold all of them.
    later = np.arange(n_long + 1, n_long + n_short - int(both) + 1)
    extrapolated = seen.copy()
    extrapolated[n_short:] += at_end * (depth[n_short:] - n_short) * guessed
    most = seen.copy()
    most[n_short:] += hoped
    return RankBiasedOverlap(
        extrapolated=float(weight @ (extrapolated / size)) + (both + (n_long - n_short) * at_end) / n_long * p**n_long,
        least=float(weight @ (seen / size)) - (1 - p) / p * both * (log1p(-p) + float((p**depth / depth).sum())),
        most=float(weight @ (most / size))
        + (1 - p) * float(((2 * later - n_long - n_short + both) / later * p ** (later - 1)).sum())
        + p ** (n_long + len(later)),
        truncated=truncated,
        normalised=truncated / (1 - p**n_short) if n_short else 0.0,
        agreement=agreement,
        p=p,
        ties=said,
        lengths=lengths,
        depth=n_short,
        note="" if n_short else "one list is empty: nothing overlaps",
    )


def _joined(ours: Values, theirs: Values, ties: Ties) -> Values:
    if ties == "b":
        return np.sqrt(ours * theirs)
    return (ours + theirs) / 2


def _unseen(shorter: Ranking, longer: Ranking, ties: Ties) -> tuple[Values, Values]:
    """Possible further overlap of S with L at each depth between the ends of S and L.

    Returns
    -------
    guessed : float64 array of shape (l - s,)
        How far an item that S lacks has come in, by the mean over those that have begun to.
    hoped : float64 array of shape (l - s,)
        What the next items of S add if they are those that it lacks, in their order.
    """
    n_short, n_long = len(shorter.items), len(longer.items)
    if n_short == n_long:
        return np.empty(0), np.empty(0)
    depth = np.arange(n_short + 1, n_long + 1)
    known = set(shorter.items)
    lacking = np.cumsum([item not in known for item in longer.items])
    top, bottom = longer.top[depth - 1], longer.bottom[depth - 1]
    wholly = np.where(top > 1, lacking[top - 2], 0)
    begun = lacking[bottom - 1]
    share = longer.shares(depth, ties)
    guessed = (wholly + (begun - wholly) * share) / begun
    room = depth - n_short
    hoped = np.minimum(room, wholly) + np.maximum(room - wholly, 0) * share
    return guessed, hoped
