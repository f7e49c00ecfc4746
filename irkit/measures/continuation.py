"""How likely a user is to go on: the probability C(i) of looking beyond rank i, for each model of a user.

A model takes what is gained and what is paid at each rank, arrays of shape (..., N) that broadcast with each other, the
gains from 0 to 1 and the costs above 0. It gives C at each rank: of shape (N,) where it is the same whatever is gained.
Below, y(i) is what was gained and K(i) what was paid up to rank i.

References
----------
Moffat, Bailey, Scholer and Thomas 2017; Azzopardi, Thomas and Moffat 2019; cwl_eval 1.0.12.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Model = Callable[[Values, Values], Values]

# Sums of thirds or tenths that reach a limit by the book may fall short of it by the last digit.
_SLACK: Final = 1e-9
_LARGEST_EXPONENT: Final = 700.0  # e ** 710 is no longer a float64


def precision(gains: Values, costs: Values, *, cutoff: int) -> Values:
    """P: goes on to rank `cutoff` and stops there."""
    return np.where(_ranks(gains) < cutoff, 1.0, 0.0)


def reciprocal_rank(gains: Values, costs: Values) -> Values:
    """RR: goes on until something is gained, if only at the last rank."""
    return np.where(np.cumsum(gains, axis=-1) == 0, 1.0, 0.0)


def average_precision(gains: Values, costs: Values) -> Values:
    """AP: what comes after rank i as a share of what comes from rank i on, each gain divided by its rank.

    This knows only the relevant documents in the ranking: its EU is not AP where one was not retrieved.
    """
    left = np.cumsum((gains / _ranks(gains))[..., ::-1], axis=-1)[..., ::-1]
    after = np.zeros_like(left)
    after[..., :-1] = left[..., 1:]
    return np.divide(after, left, out=np.zeros_like(left), where=left > 0)


def rank_biased(gains: Values, costs: Values, *, p: float) -> Values:
    """RBP: goes on with probability `p`."""
    return np.full(gains.shape[-1], p)


def scaled_dcg(gains: Values, costs: Values, *, cutoff: int) -> Values:
    """SDCG: log2(i + 1) / log2(i + 2), and 0 from `cutoff` on."""
    rank = _ranks(gains)
    return np.where(rank < cutoff, np.log2(rank + 1) / np.log2(rank + 2), 0.0)


def insq(gains: Values, costs: Values, *, T: float) -> Values:
    """INSQ: ((i + 2T - 1) / (i + 2T))^2, for a user who wants `T` in all."""
    return (1.0 - 1.0 / (_ranks(gains) + 2.0 * T)) ** 2


def inst(gains: Values, costs: Values, *, T: float) -> Values:
    """INST: INSQ with 2T - y(i) in place of 2T: what was gained is no longer wanted. `T` is at least 0.5."""
    wanted = _ranks(gains) + 2.0 * T - np.cumsum(gains, axis=-1)
    return np.asarray((1.0 - 1.0 / wanted) ** 2)


def bpm(gains: Values, costs: Values, *, T: float, cutoff: float, hb: float, hc: float, gain_med: float) -> Values:
    """BPM: goes on while less than `T` was gained and less than `cutoff` was paid.

    Each document passed moves both limits: by `hb` and by `hc` times what it gains above `gain_med`.
    """
    gained = np.cumsum(gains, axis=-1)
    above = gained - gains - (_ranks(gains) - 1.0) * gain_med
    wanting = gained < T + hb * above - _SLACK
    patient = np.cumsum(costs, axis=-1) < cutoff + hc * above - _SLACK
    return (wanting & patient).astype(np.float64)


def nerr8(gains: Values, costs: Values, *, cutoff: int) -> Values:
    """NERR8: 1 - g(i), and 0 from `cutoff` on."""
    return (1.0 - gains) * precision(gains, costs, cutoff=cutoff)


def nerr9(gains: Values, costs: Values, *, cutoff: int) -> Values:
    """NERR9: i / (i + 1) times 1 - g(i), and 0 from `cutoff` on."""
    rank = _ranks(gains)
    return rank / (rank + 1.0) * nerr8(gains, costs, cutoff=cutoff)


def nerr10(gains: Values, costs: Values, *, p: float) -> Values:
    """NERR10: `p` times 1 - g(i)."""
    return p * (1.0 - gains)


def nerr11(gains: Values, costs: Values, *, T: float) -> Values:
    """NERR11: INSQ times 1 - g(i)."""
    return insq(gains, costs, T=T) * (1.0 - gains)


def time_biased(gains: Values, costs: Values, *, halflife: float) -> Values:
    """TBG: half of the users are left after each `halflife` that was paid, and none after the last rank."""
    going_on = np.exp2(-costs / halflife)
    going_on[..., -1] = 0.0
    return going_on


def u_measure(gains: Values, costs: Values, *, L: float) -> Values:
    """U-measure: 1 - K(i) / L as a share of 1 - K(i - 1) / L; none look where `L` was paid, nor at the last rank."""
    looking = np.ones_like(costs)
    looking[..., 1:] = np.maximum(0.0, 1.0 - np.cumsum(costs, axis=-1)[..., :-1] / L)
    looking[..., -1] = 0.0
    going_on = np.zeros_like(costs)
    np.divide(looking[..., 1:], looking[..., :-1], out=going_on[..., :-1], where=looking[..., :-1] > 0)
    return going_on


def ift_goal(gains: Values, costs: Values, *, T: float, b1: float, R1: float) -> Values:
    """IFT-C1: 1 - 1 / (1 + b1 e^((T - y(i)) R1)), for a user who wants `T` in all."""
    return 1.0 - 1.0 / (1.0 + b1 * _exp((T - np.cumsum(gains, axis=-1)) * R1))


def ift_rate(gains: Values, costs: Values, *, A: float, b2: float, R2: float) -> Values:
    """IFT-C2: 1 / (1 + b2 e^((A - y(i) / K(i)) R2)), for a user who wants `A` for each unit paid."""
    rate = np.cumsum(gains, axis=-1) / np.cumsum(costs, axis=-1)
    return np.asarray(1.0 / (1.0 + b2 * _exp((A - rate) * R2)))


def ift_goal_rate(
    gains: Values, costs: Values, *, T: float, b1: float, R1: float, A: float, b2: float, R2: float
) -> Values:
    """IFT-C1-C2: both, multiplied."""
    return ift_goal(gains, costs, T=T, b1=b1, R1=R1) * ift_rate(gains, costs, A=A, b2=b2, R2=R2)


def _ranks(gains: Values) -> Values:
    return np.arange(1.0, gains.shape[-1] + 1.0)


def _exp(exponent: Values) -> Values:
    return np.exp(np.clip(exponent, -_LARGEST_EXPONENT, _LARGEST_EXPONENT))
