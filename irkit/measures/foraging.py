"""Users who forage: they go on while a goal is not reached, or while it pays (IFT)."""

from functools import partial
from typing import Unpack

from irkit.judged import Judged, PerTopic
from irkit.measures import continuation
from irkit.measures.cwl import ExpectationOptions, expected_by_topic


def foraging_goal(judged: Judged, T: float, b1: float, R1: float, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Gain per document of a forager who goes on the less probably the more of the goal `T` was gained.

    Parameters
    ----------
    T : float
        Gain wanted, in documents of the highest grade.
    b1, R1 : float
        How probable going on is where the goal is met, and how much the distance from it counts; at least 0.
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
    sum over r <= 1000 of W(r) g(r), where C(r) = 1 - 1 / (1 + b1 e^((T - y) R1)), y = g(1) + ... + g(r),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)
    In the example C(1) = e / (1 + e), and C(r) = 1/2 from rank 2 on, where the goal is met.

    Examples
    --------
    Ranked 0 1: IFT_C1(T=1.0,b1=1.0,R1=1.0,max_rel=1) = exp(1) / (1 + exp(1)) / (1 + 2 * exp(1) / (1 + exp(1))) = 0.2969

    References
    ----------
    Azzopardi, Thomas and Craswell 2018; cwl_eval 1.0.12, IFTGoalCWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.ift_goal, T=T, b1=b1, R1=R1), **asked)


def foraging_rate(judged: Judged, A: float, b2: float, R2: float, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Gain per document of a forager who goes on while the gain per document so far is above `A`.

    Parameters
    ----------
    A : float
        Gain per document that is expected.
    b2, R2 : float
        How improbable going on is at that rate, and how much the distance from it counts; at least 0.
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
    sum over r <= 1000 of W(r) g(r), where C(r) = 1 / (1 + b2 e^((A - y / r) R2)), y = g(1) + ... + g(r),
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)
    In the example R2 is so large that users stop where the rate, which is 1, 1/2 and 1/3, falls below A.

    Examples
    --------
    Ranked 1 0 0: IFT_C2(A=0.4,b2=1.0,R2=1000.0,max_rel=1) = 1 / 3 = 0.3333

    References
    ----------
    Azzopardi, Thomas and Craswell 2018; cwl_eval 1.0.12, IFTRateCWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.ift_rate, A=A, b2=b2, R2=R2), **asked)


def foraging_goal_and_rate(
    judged: Judged, T: float, b1: float, R1: float, A: float, b2: float, R2: float, **asked: Unpack[ExpectationOptions]
) -> PerTopic:
    """Gain per document of a forager with a goal and a rate: both must let them go on.

    Parameters
    ----------
    T, b1, R1 : float
        As of `foraging_goal`.
    A, b2, R2 : float
        As of `foraging_rate`.
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
    sum over r <= 1000 of W(r) g(r), where C(r) is that of IFT_C1 times that of IFT_C2,
        V(r) = C(1) ... C(r - 1), W(r) = V(r) / (V(1) + ... + V(1000)), g(r) = (grade - min_rel) / (max_rel - min_rel)
    In the example the goal lets half of the users go on at each rank; the rate all at ranks 1 and 2, none at rank 3.

    Examples
    --------
    Ranked 1 0 0: IFT_C1_C2(T=1.0,b1=1.0,R1=1.0,A=0.4,b2=1.0,R2=1000.0,max_rel=1) = 1 / (1 + 1/2 + 1/4) = 0.5714

    References
    ----------
    Azzopardi, Thomas and Craswell 2018; cwl_eval 1.0.12, IFTGoalRateCWLMetric.
    """
    model = partial(continuation.ift_goal_rate, T=T, b1=b1, R1=R1, A=A, b2=b2, R2=R2)
    return expected_by_topic(judged, model, **asked)
