"""Contribution of each judged document to the value of a measure."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged
from irkit.judged.kinds import AnyJudged
from irkit.measures import ntcir, ranked, users
from irkit.measures.common import share
from irkit.measures.gains import Dcg, Gains, discount, gain_of, ideal_gain, ideal_gains, n_gaining
from irkit.measures.ideal import blended_ratio
from irkit.measures.measure import Measure
from irkit.measures.names import parse_measure

Terms = npt.NDArray[np.float64]


class CountedRanks(NamedTuple):
    """Ranks and pool that a measure uses.

    Attributes
    ----------
    rows : bool array of shape (H,)
        Which of them are left where it sees the judged ones only, or the first ranks only.
    seen : Judged
        Those, with the ranks that it sees.
    """

    rows: npt.NDArray[np.bool_]
    seen: Judged


def looked_at(judged: Judged, measure: Measure) -> CountedRanks:
    """The part of judged documents that a measure uses: it applies `judged_only` and the cutoff."""
    rows, seen = np.ones(judged.n_found, dtype=bool), judged
    if dict(measure.params).get("judged_only"):
        rows, seen = judged.grade >= 0, judged.judged_only()
    if measure.cutoff is not None:
        within = seen.rank <= measure.cutoff
        rows[np.flatnonzero(rows)[~within]] = False
        seen = seen.cut(measure.cutoff)
    return CountedRanks(rows, seen)


def contributions(judged: AnyJudged, measure: str | Measure) -> Terms | None:
    """Contribution of each retrieved judged document to the value of a measure for its topic.

    Parameters
    ----------
    judged : Judged of T topics
        H documents in all.
    measure : str or Measure

    Returns
    -------
    float64 array of shape (H,) or None
        Aligned with `judged.topic`, `rank` and `grade`: `judged.sum_by_topic` of it is the value of the measure, but
        for rounding, and before any convention about topics without relevant documents. None where that is not known:
        for measures that are no such sum (`CONTRIBUTIONS` has those that are), where documents that nobody judged are
        given gains, and where judgments give no one grade to a document.

    Raises
    ------
    MeasureError
        If the measure does not exist, lacks its cutoff, or does not fit the grades or the kind of judgments.

    Notes
    -----
    Where only the first relevant document counts (RR, Success) it contributes everything. Where a term depends on what
    stands above (AP: the precision at the document), it is that of the document all the same.

    Examples
    --------
    Ranked 3 - 1: DCG has 3/log2(2) and 1/log2(4). Ranked 1 0 2, of 2 relevant: AP has (1/1) / 2, 0 and (2/3) / 2.
    """
    measure = parse_measure(measure)
    measure.check_fits(judged.kind)
    given = dict(measure.complete().params)
    terms = CONTRIBUTIONS.get(measure.name)
    if terms is None or not isinstance(judged, Judged) or min(dict(given.get("gains", ())), default=0) < 0:
        return None
    rows, seen = looked_at(judged, measure)
    given.pop("judged_only", None)
    found = np.zeros(judged.n_found)
    found[rows] = terms(seen, **given)
    return found


def _shared(seen: Judged, terms: npt.ArrayLike, whole: npt.ArrayLike) -> Terms:
    """Each term as a share of a whole of its topic, 0 where that is 0."""
    return share(terms, np.asarray(whole)[seen.topic])


def _relevant(seen: Judged, rel: int = 1) -> Terms:
    return (seen.grade >= rel).astype(np.float64)


def _first(seen: Judged, rel: int = 1) -> Terms:
    relevant = seen.grade >= rel
    first: Terms = (relevant & (seen.count_above(relevant) == 1)).astype(np.float64)
    return first


def _dcg(
    seen: Judged, cutoff: int | None = None, dcg: Dcg = "log2", gains: Gains = (), base: float | None = None
) -> Terms:
    del cutoff
    return gain_of(seen.grade, dcg, gains) / discount(seen.rank, base)


def _ndcg(seen: Judged, **given: Any) -> Terms:
    return _shared(seen, _dcg(seen, **given), ideal_gain(seen, **given))


def _q(seen: Judged, cutoff: int | None = None, beta: float = 1.0, gains: Gains = ()) -> Terms:
    gain, n_wanted = gain_of(seen.grade, gains=gains), n_gaining(seen, gains=gains)
    ratio = blended_ratio(seen, gain, ideal_gains(seen, gains=gains), beta)
    return _shared(seen, (gain > 0) * ratio, n_wanted if cutoff is None else np.minimum(n_wanted, cutoff))


def _ebr(
    seen: Judged, cutoff: int | None = None, beta: float = 1.0, gains: Gains = (), max_rel: int | None = None
) -> Terms:
    del cutoff
    gain = gain_of(seen.grade, gains=gains)
    satisfied = ntcir.satisfied_at(seen, gain / ntcir.scale_of("EBR", seen, gains, max_rel))
    terms: Terms = blended_ratio(seen, gain, ideal_gains(seen, gains=gains), beta) * satisfied
    return terms


def _irbu(seen: Judged, cutoff: int | None = None, *, p: float, gains: Gains = (), max_rel: int | None = None) -> Terms:
    del cutoff
    chance = gain_of(seen.grade, gains=gains) / ntcir.scale_of("iRBU", seen, gains, max_rel)
    weighed: Terms = p ** seen.rank.astype(np.float64) * ntcir.satisfied_at(seen, chance)
    return weighed


def _rbp(
    seen: Judged, cutoff: int | None = None, p: float = 0.8, rel: int | None = None, max_rel: int | None = None
) -> Terms:
    del cutoff
    weighed: Terms = (1.0 - p) * users.weights(seen, rel, max_rel) * p ** (seen.rank - 1.0)
    return weighed


def _err(seen: Judged, cutoff: int | None = None, max_rel: int = 4, stop: users.Stop = "exp") -> Terms:
    del cutoff
    users.check_scale("ERR", seen, max_rel)
    return ntcir.satisfied_at(seen, users.satisfaction(seen.grade, max_rel, stop)) / seen.rank


def _nerr(seen: Judged, cutoff: int | None = None, max_rel: int = 4, stop: users.Stop = "exp") -> Terms:
    ideal = users.ideal_reciprocal_rank(seen, cutoff, max_rel, stop)
    return _shared(seen, _err(seen, cutoff, max_rel, stop), ideal)


def _ap(seen: Judged, cutoff: int | None = None, rel: int = 1, capped: bool = False) -> Terms:
    return _shared(seen, ranked.precisions(seen, rel), ranked.n_wanted(seen, cutoff, rel, capped))


def _rprec(seen: Judged, mult: float = 1.0, rel: int = 1) -> Terms:
    depth = ranked.depth_of(seen, mult, rel)
    return _shared(seen, (seen.rank <= depth[seen.topic]) * _relevant(seen, rel), depth)


def _set_precision(seen: Judged, rel: int = 1, relative: bool = False) -> Terms:
    most = np.minimum(seen.n_retrieved, seen.n_relevant(rel)) if relative else seen.n_retrieved
    return _shared(seen, _relevant(seen, rel), most)


# The terms of a measure over the judged documents that it looks at, and its parameters but for `judged_only`.
CONTRIBUTIONS: Final[dict[str, Callable[..., Terms]]] = {
    "nDCG": _ndcg,
    "DCG": _dcg,
    "Q": _q,
    "EBR": _ebr,
    "iRBU": _irbu,
    "RBP": _rbp,
    "rbp": lambda seen, p=0.9, gains=(): (1.0 - p) * users.weighed_gains(seen, p, gains),
    "ERR": _err,
    "nERR": _nerr,
    "RR": lambda seen, cutoff=None, rel=1: _first(seen, rel) / seen.rank,
    "AP": _ap,
    "Rprec": _rprec,
    "Bpref": lambda seen, rel=1: _shared(seen, ranked.preferences(seen, rel), seen.n_relevant(rel)),
    "infAP": lambda seen, rel=1: _shared(seen, ranked.inferred_precisions(seen, rel), seen.n_relevant(rel)),
    "binG": lambda seen, rel=1: _shared(seen, ranked.binary_gains(seen, rel), seen.n_relevant(rel)),
    "P": lambda seen, cutoff, rel=1: _relevant(seen, rel) / cutoff,
    "R": lambda seen, cutoff, rel=1: _shared(seen, _relevant(seen, rel), seen.n_relevant(rel)),
    "Success": lambda seen, cutoff, rel=1: _first(seen, rel),
    "RCap": lambda seen, cutoff, rel=1: _shared(seen, _relevant(seen, rel), np.minimum(cutoff, seen.n_relevant(rel))),
    "Hits": lambda seen, cutoff=None, rel=1: _relevant(seen, rel),
    "SetP": _set_precision,
    "SetR": lambda seen, rel=1: _shared(seen, _relevant(seen, rel), seen.n_relevant(rel)),
    "Judged": lambda seen, cutoff=None: _shared(seen, _relevant(seen, 0), seen.n_retrieved),
    "NumRelRet": lambda seen, rel=1: _relevant(seen, rel),
    "NumNonRelRet": lambda seen, rel=1: _relevant(seen, 0) - _relevant(seen, rel),
}
