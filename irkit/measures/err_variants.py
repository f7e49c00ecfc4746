"""Users who are satisfied by what they gain: NERR8 to NERR11, which are nearly ERR."""

from functools import partial
from typing import Unpack

from irkit.judged import Judged, PerTopic
from irkit.measures import continuation
from irkit.measures.cwl import ExpectationOptions, expected_by_topic


def nerr8(judged: Judged, cutoff: int, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Gain per document of a user who stops at each document with the probability that it satisfies, its gain.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1: nobody looks further.
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
    sum over r <= cutoff of W(r) g(r), where C(r) = 1 - g(r),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(cutoff)), g(r) = (grade - min_rel) / (max_rel - min_rel)

    Examples
    --------
    Ranked 0 1 2 2: NERR8(max_rel=2)@3 = (0 + 1/2 + 1/2 * 1) / (1 + 1 + 1/2) = 0.4000

    References
    ----------
    Azzopardi, Mackenzie and Moffat 2021, equation 8; cwl_eval 1.0.12, NERReq8CWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.nerr8, cutoff=cutoff), **asked)


def nerr9(judged: Judged, cutoff: int, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """NERR8 of a user who tires, too: looking falls as 1 / rank, as in ERR.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1: nobody looks further.
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
    sum over r <= cutoff of W(r) g(r), where C(r) = r / (r + 1) (1 - g(r)),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(cutoff)), g(r) = (grade - min_rel) / (max_rel - min_rel)

    Examples
    --------
    Ranked 0 1 2 2: NERR9(max_rel=2)@3 = (0 + 1/2 * 1/2 + 1/3 * 1/2 * 1) / (1 + 1/2 + 1/3 * 1/2) = 0.2500

    References
    ----------
    Azzopardi, Mackenzie and Moffat 2021, equation 9; cwl_eval 1.0.12, NERReq9CWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.nerr9, cutoff=cutoff), **asked)


def nerr10(judged: Judged, p: float = 0.9, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Gain per document of a user who goes on with probability `p` from a document that does not satisfy.

    Parameters
    ----------
    p : float
        Persistence, between 0 and 1.
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
    sum over r <= 1000 of W(r) g(r), where C(r) = p (1 - g(r)),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)

    Examples
    --------
    Ranked 0 1 2 2: NERR10(max_rel=2) = (0 + 0.9 * 1/2 + 0.9**2 * 1/2) / (1 + 0.9 + 0.9**2 * 1/2) = 0.3709

    References
    ----------
    Azzopardi, Mackenzie and Moffat 2021, equation 10; cwl_eval 1.0.12, NERReq10CWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.nerr10, p=p), **asked)


def nerr11(judged: Judged, T: float = 1.0, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """INSQ of a user who stops at each document with the probability that it satisfies, its gain.

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
    sum over r <= 1000 of W(r) g(r), where C(r) = ((r + 2 T - 1) / (r + 2 T))^2 (1 - g(r)),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)

    Examples
    --------
    Ranked 0 1 2 2: NERR11(max_rel=2) = (0 + 4/9 * 1/2 + 4/9 * 9/16 * 1/2) / (1 + 4/9 + 4/9 * 9/16 * 1/2) = 0.2212

    References
    ----------
    Azzopardi, Mackenzie and Moffat 2021, equation 11; cwl_eval 1.0.12, NERReq11CWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.nerr11, T=T), **asked)
