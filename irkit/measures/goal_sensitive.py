"""Users who want so much and no more: INSQ, INST and BPM."""

from functools import partial
from typing import Unpack

from irkit.judged import Judged, PerTopic
from irkit.measures import continuation
from irkit.measures.cwl import ExpectationOptions, expected_by_topic


def insq(judged: Judged, T: float = 1.0, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Gain per document of a user who wants `T` in all, and goes on the more willingly the further down they are.

    Parameters
    ----------
    T : float
        Gain wanted, in documents of the highest grade; at least 0.
    min_rel, max_rel, gains, of, residual
        As of `expected_by_topic`.

    Returns
    -------
    float64 array of shape (T,), EU in [0, 1]; EU and ETU are 0 if nothing relevant was retrieved. A short list gains
    nothing after its end.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.

    Notes
    -----
    sum over r <= 1000 of W(r) g(r), where C(r) = ((r + 2 T - 1) / (r + 2 T))^2,
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)
    In the example V(r) = 1 / r^2, and the sum of these is 1.64493407 - 1 / 1000.5.

    Examples
    --------
    Ranked 0 2: INSQ(T=0.5,max_rel=4) = 1/4 * 2/4 / (1.64493407 - 1/1000.5) = 0.0760

    References
    ----------
    Moffat, Scholer and Thomas 2012; cwl_eval 1.0.12, INSQCWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.insq, T=T), **asked)


def inst(judged: Judged, T: float = 1.0, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Gain per document of a user who wants `T` in all, and goes on the less willingly the less of it is left.

    Parameters
    ----------
    T : float
        Gain wanted, in documents of the highest grade; at least 0.5, so that C is a probability.
    min_rel, max_rel, gains, of, residual
        As of `expected_by_topic`.

    Returns
    -------
    float64 array of shape (T,), EU in [0, 1]; EU and ETU are 0 if nothing relevant was retrieved. A short list gains
    nothing after its end.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.

    Notes
    -----
    sum over r <= 1000 of W(r) g(r), where C(r) = ((r + 2 T - y - 1) / (r + 2 T - y))^2, y = g(1) + ... + g(r),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)
    In the example C(1) = C(2) = 1/4 and V(r) = 1/4 / (r - 1)^2 from rank 4 on.

    Examples
    --------
    Ranked 1 1: INST(max_rel=1) = (1 + 1/4) / (1 + 1/4 + 1/16 + (0.39493407 - 1/999.5) / 4) = 0.8859

    References
    ----------
    Bailey, Moffat, Scholer and Thomas 2015; cwl_eval 1.0.12, INSTCWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.inst, T=T), **asked)


def bpm(
    judged: Judged,
    cutoff: int,
    T: float = 1.0,
    hb: float = 0.0,
    hc: float = 0.0,
    gain_med: float = 0.5,
    **asked: Unpack[ExpectationOptions],
) -> PerTopic:
    """Gain per document of a user who stops when `T` was gained, or when `cutoff` documents were looked at.

    With `hb` and `hc` the limits move (the dynamic model): a document that gains more than `gain_med` raises them.

    Parameters
    ----------
    cutoff : int
        Documents that the user has patience for, at least 1.
    T : float
        Gain wanted, in documents of the highest grade; at least 0.
    hb, hc : float
        How far each document passed moves `T` and `cutoff`, for each unit that it gains above `gain_med`.
    gain_med : float
        The gain, from 0 to 1, that leaves the limits where they are.
    min_rel, max_rel, gains, of, residual
        As of `expected_by_topic`.

    Returns
    -------
    float64 array of shape (T,), EU in [0, 1]; EU and ETU are 0 if nothing relevant was retrieved. A short list gains
    nothing after its end.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.

    Notes
    -----
    (g(1) + ... + g(d)) / d at the first rank d where y(d) >= T + hb z or d >= cutoff + hc z (or 1000),
        y(d) = g(1) + ... + g(d), z = (g(1) - gain_med) + ... + (g(d - 1) - gain_med),
        g(r) = (grade - min_rel) / (max_rel - min_rel)
    In the last example T stays 1 behind rank 1 and falls to 1/2 behind rank 2.

    Examples
    --------
    Ranked 1 0 1 2 2: BPM(max_rel=2)@10 = (1/2 + 0 + 1/2) / 3 = 0.3333
    Ranked 1 0 1 2 2: BPM(max_rel=2)@2 = (1/2 + 0) / 2 = 0.2500
    Ranked 1 0 0: BPM(hb=1.0,max_rel=2)@10 = (1/2 + 0 + 0) / 3 = 0.1667

    References
    ----------
    Zhang et al. 2017; cwl_eval 1.0.12, BPMCWLMetric, and BPMDCWLMetric as its comments have it: its code leaves the
    limit of the cost where it was.
    """
    model = partial(continuation.bpm, T=T, cutoff=cutoff, hb=hb, hc=hc, gain_med=gain_med)
    return expected_by_topic(judged, model, **asked)
