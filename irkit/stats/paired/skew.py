"""Skewed values over topics: where a t test, a sign flip or an interval of their mean loses its level."""

from dataclasses import dataclass
from math import floor, hypot, isnan, nan, sqrt
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# Values whose range is within this share of the largest do not vary: twice the rounding that means allow for.
_CONSTANT: Final = 2e-12
# Two-sided tests and intervals come near their level with 25 G1^2 topics: their tails err in opposite directions. The
# tail of a one-sided test at 0.05 errs by (2 z^2 + 1) phi(z) |G1| / (6 sqrt n) with z = 1.645: by 0.01 with 120 G1^2.
TOPICS_PER_SQUARE: Final = 25.0
TOPICS_ONE_SIDED: Final = 120.0
# Samples of 10 normal values would break that rule in 34 of 100 cases; few of them reach this skewness.
LEAST_SKEWNESS: Final = 1.0
# Of fewer values G1 says nothing: of three of which two are equal it is 1.73 or -1.73.
LEAST_TOPICS: Final = 5
# Below so many topics bootstrap-t errs too where the caution fires; and below so many any test does where large
# differences are rare, whether the sample shows one or not (docs/statistics.md has the figures).
HELD_FROM: Final = 100
RARE_SEEN_FROM: Final = 200


@dataclass(frozen=True, slots=True)
class Skewed:
    """Caution: so few topics of so skewed values do not make their mean normal.

    Attributes
    ----------
    n_topics : int
    skewness : float
        G1 of the values: g1 sqrt(n (n - 1)) / (n - 2) with g1 = m3 / m2^1.5. It is sqrt(n) at most.
    topics_wanted : float
        25 G1^2 for two-sided tests and intervals, 120 G1^2 for claims of one side: the number of topics from which the
        caution would be silent.
    one_sided : bool
    code : str
        "skewed".
    """

    n_topics: int
    skewness: float
    topics_wanted: float
    one_sided: bool = False
    code: Literal["skewed"] = "skewed"

    @property
    def held(self) -> bool:
        """Whether bootstrap-t holds its level in its place: 100 topics or more."""
        return self.n_topics >= HELD_FROM


def skewness(values: FloatArray) -> float:
    """The skewness G1 of a sample; nan for fewer than three values, and for values that do not vary."""
    n, largest = len(values), float(abs(values).max(initial=0.0))
    if n < 3 or np.ptp(values) <= _CONSTANT * largest:
        return nan
    centred = values / largest
    centred -= centred.mean()
    centred /= abs(centred).max()  # so that no power of them overflows or vanishes
    biased = float((centred**3).mean() / (centred**2).mean() ** 1.5)
    return biased * sqrt(n * (n - 1)) / (n - 2)


def skew_caution(values: FloatArray, *, one_sided: bool = False) -> Skewed | None:
    """Skew caution for n < 25 G1^2 (one-sided 120 G1^2), |G1| >= 1 and at least 5 topics; else None.

    Every test and interval of a mean asks here: t, sign flip, bootstrap, margins. It cannot see a large loss that no
    topic of the sample shows.

    Parameters
    ----------
    values : float64 array of shape (n,)
        Differences of two runs, or the scores of one.
    one_sided : bool
        For a test of one side, as those against a margin are.

    References
    ----------
    Cochran, Sampling Techniques, 1977, 2.15; Hall, The Bootstrap and Edgeworth Expansion, 1992.
    """
    size = skewness(values)
    wanted = (TOPICS_ONE_SIDED if one_sided else TOPICS_PER_SQUARE) * size * size
    if abs(size) >= LEAST_SKEWNESS and LEAST_TOPICS <= len(values) < wanted:  # which nan is not
        return Skewed(len(values), size, wanted, one_sided)
    return None


def skew_caution_of_two(first: FloatArray, second: FloatArray) -> Skewed | None:
    """The caution about the difference between the means of two samples of topics, two-sided; else None.

    The skewness G of that difference is held to the rule of one sample, where it is G1 / sqrt(n): the caution is given
    where 25 G^2 > 1 and either side has |G1| >= 1, from 5 topics a side on. Sides of one size and skewness cancel.

    Parameters
    ----------
    first : float64 array of shape (n,)
    second : float64 array of shape (m,)
    """
    sides = (first, second)
    sizes = [0.0 if isnan(size := skewness(side)) else size for side in sides]
    errors = [sqrt(float(side.var(ddof=1)) / len(side)) if len(side) > 1 else nan for side in sides]
    error = hypot(*errors)
    if min(map(len, sides)) < LEAST_TOPICS or max(map(abs, sizes)) < LEAST_SKEWNESS or not error > 0:
        return None
    # The third cumulant of a mean is its side's G1 error^3 / sqrt(n).
    thirds = [size * (e / error) ** 3 / sqrt(len(side)) for side, size, e in zip(sides, sizes, errors, strict=True)]
    n = len(first) + len(second)
    whole = (thirds[0] - thirds[1]) * sqrt(n)
    wanted = TOPICS_PER_SQUARE * whole * whole
    return Skewed(n, whole, wanted) if n < wanted else None


def rarest_seen(n_topics: int) -> int:
    """The r for which n topics include, with probability 95%, a kind of topic that occurs once in r.

    29 topics show what happens on one topic in 10, 59 on one in 20, 99 on one in 33, 299 on one in 100.
    """
    share: float = 1 - 0.05 ** (1 / n_topics)
    return floor(1 / share)
