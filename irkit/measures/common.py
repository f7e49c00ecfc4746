"""What the formulas of every family share: the top of a ranking, and a share of a whole."""

import numpy as np
import numpy.typing as npt

from irkit.judged import Judged, PerTopic


def top(judged: Judged, cutoff: int | None) -> Judged:
    """The first `cutoff` ranks, or all of them where there is no cutoff.

    Raises
    ------
    MeasureError
        If `cutoff` is below 1.
    """
    return judged if cutoff is None else judged.cut(cutoff)


def share(part: npt.ArrayLike, whole: npt.ArrayLike) -> PerTopic:
    """`part / whole` for each topic, shape (T,); 0 where the whole is 0."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    shares = np.zeros_like(part)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def n_relevant(judged: Judged, *, rel: int | None = None, **_: object) -> npt.NDArray[np.int64]:
    """Documents that a measure could find for each topic: those judged `rel` or better, 1 where it has no `rel`."""
    return judged.n_relevant(1 if rel is None else rel)
