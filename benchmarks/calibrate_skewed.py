"""How often tests and intervals err where differences are skewed: `make calibrate` writes the tables of the manual.

Differences with mean 0 are drawn from five distributions: normal; minus a gamma variable, with skewness -2 and -4; rare
losses, normal but for 3% of the topics, which lose 9.93 U with U uniform between 0.5 and 1.5 (skewness -4); and normal
where 80% of the topics do not differ. Claims of "greater" are those of a non-inferiority test at its margin, too: its t
is that of the differences plus the margin.

All repetitions of a block share their resamples, so that a block is a product of matrices.
"""

import sys
import time
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from benchmarks.calibrate import ALPHA, write_section
from irkit.stats.paired.skew import LEAST_SKEWNESS, TOPICS_ONE_SIDED, TOPICS_PER_SQUARE

Values = npt.NDArray[np.float64]

DESIGNS: Final = {"0": "normal", "-2": "skewness -2", "-4": "skewness -4", "rare": "rare losses", "ties": "80% ties"}
SIZES: Final = (10, 15, 25, 50, 100, 200)
REPETITIONS, RESAMPLES, BLOCK = 4_000, 1_999, 250
# Rates above are bold.
HIGHEST: Final = 0.06
TESTS: Final = ("t", "sign flip", "Hall", "bootstrap-t", "irkit")
INTERVALS: Final = ("t", "percentile", "BCa", "bootstrap-t", "irkit")


class Rates(NamedTuple):
    """How often a test claims a difference, one above 0, and one below."""

    two_sided: float
    greater: float
    less: float

    def __str__(self) -> str:
        return " / ".join(map(_cell, self))


class Measured(NamedTuple):
    """Rates of each test, the share of intervals that miss the mean, and that of samples with the caution."""

    tests: Mapping[str, Rates]
    missed: Mapping[str, float]
    caution: float


def main() -> int:
    """Write the tables; the exit code is 1 where what irkit takes errs with normal differences."""
    started, rng, failed = time.perf_counter(), np.random.default_rng(20261130), False
    tests = ["| differences, topics | " + " | ".join(TESTS) + " | caution |", "| --- |" + " ---: |" * (len(TESTS) + 1)]
    missed = ["| differences, topics | " + " | ".join(INTERVALS) + " |", "| --- |" + " ---: |" * len(INTERVALS)]
    for design, called in DESIGNS.items():
        for n in SIZES:
            found = measure(design, n, REPETITIONS, RESAMPLES, rng)
            failed |= design == "0" and max(found.tests["irkit"]) > HIGHEST
            cells = " | ".join(str(found.tests[name]) for name in TESTS)
            tests.append(f"| {called}, {n} | {cells} | {found.caution:.2f} |")
            missed.append(f"| {called}, {n} | " + " | ".join(_cell(found.missed[name]) for name in INTERVALS) + " |")
            print(f"{time.perf_counter() - started:6.0f} s  {tests[-1]}", flush=True)
    write_section("make calibrate: skewed", _section(tests, missed))
    return int(failed)


def _section(tests: list[str], missed: list[str]) -> str:
    error = (ALPHA * (1 - ALPHA) / REPETITIONS) ** 0.5
    return f"""\
Share of repetitions with p <= {ALPHA}, two-sided / greater / less: {REPETITIONS:,} repetitions, {RESAMPLES:,} resamples
or flips, and so a standard error of {error:.4f}. **Bold** is above {HIGHEST}. Caution: share of samples with that of a
two-sided test.

{chr(10).join(tests)}

Share of 95% intervals that miss the mean:

{chr(10).join(missed)}
"""


def _cell(rate: float) -> str:
    return f"**{rate:.3f}**" if rate > HIGHEST else f"{rate:.3f}"


def draw(design: str, shape: tuple[int, int], rng: np.random.Generator) -> Values:
    """Differences with mean 0."""
    if design == "0":
        return rng.standard_normal(shape)
    if design == "rare":
        lost = rng.random(shape) < 0.03
        return np.where(lost, -9.93 * rng.uniform(0.5, 1.5, shape), rng.standard_normal(shape)) + 0.03 * 9.93
    if design == "ties":
        return np.where(rng.random(shape) < 0.8, 0.0, rng.standard_normal(shape))
    order = 4 / float(design) ** 2
    return (order - rng.gamma(order, 1.0, shape)) / np.sqrt(order)


def measure(design: str, n: int, repetitions: int, resamples: int, rng: np.random.Generator) -> Measured:
    """The rates of one design and number of topics."""
    parts = [_block(draw(design, (n, size), rng), resamples, rng) for size in _blocks(repetitions)]
    columns = {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]}
    tests = {name: Rates(*(columns[name] <= ALPHA).mean(axis=-1).tolist()) for name in TESTS}
    missed = {name: float(columns[f"missed {name}"].mean()) for name in INTERVALS}
    return Measured(tests, missed, float(columns["caution"].mean()))


def _blocks(repetitions: int) -> list[int]:
    return [min(BLOCK, repetitions - start) for start in range(0, repetitions, BLOCK)]


def _block(values: Values, resamples: int, rng: np.random.Generator) -> dict[str, Values]:
    """The p of each test (two-sided, above, below), the intervals that miss 0, and where the caution stands."""
    n = len(values)
    values[0, values.std(axis=0) == 0] = 1e-9  # samples of ties alone
    mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
    centred = values - mean
    m2 = (centred**2).mean(axis=0)
    g1 = (centred**3).mean(axis=0) / m2**1.5
    size = g1 * np.sqrt(n * (n - 1)) / (n - 2)
    skewed = abs(size) >= LEAST_SKEWNESS
    fires, fires_one = (skewed & (n < factor * size**2) for factor in (TOPICS_PER_SQUARE, TOPICS_ONE_SIDED))
    t = np.sqrt(n) * mean / sd
    found = {"t": _student(t, n), "caution": fires}

    signs = rng.integers(0, 2, (resamples, n)) * 2.0 - 1
    sums, observed = signs @ values, values.sum(axis=0)
    tie = 1e-9 * abs(values).sum(axis=0)
    found["sign flip"] = _tails((sums >= observed - tie).sum(axis=0), (sums <= observed + tie).sum(axis=0), resamples)

    u = mean / np.sqrt(m2)
    found["Hall"] = _student(np.sqrt(n) * (u + g1 * u**2 / 3 + g1**2 * u**3 / 27 + g1 / (6 * n)), n)

    counts = rng.multinomial(n, np.full(n, 1 / n), resamples).astype(np.float64)
    means = counts @ centred / n
    variances = counts @ centred**2 / n - means**2
    variances[variances < 1e-12 * m2] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ts = means / np.sqrt(variances / (n - 1))
    ts[np.isnan(ts)] = 0
    tie = 1e-9 * np.maximum(1, abs(t))
    found["bootstrap-t"] = _tails((ts >= t - tie).sum(axis=0), (ts <= t + tie).sum(axis=0), resamples)
    larger = np.maximum(found["t"], found["bootstrap-t"])
    found["irkit"] = np.where(np.array([fires, fires_one, fires_one]), larger, found["t"])

    tails = np.array([ALPHA / 2, 1 - ALPHA / 2])
    critical = stdtrit(n - 1, 1 - ALPHA / 2)
    ts.sort(axis=0)
    means.sort(axis=0)
    low, high = (ts[place] for place in _places(tails, resamples))
    found["missed t"], found["missed bootstrap-t"] = abs(t) > critical, (t > high) | (t < low)
    both = (t > np.maximum(high, critical)) | (t < np.minimum(low, -critical))
    found["missed irkit"] = np.where(fires, both, found["missed t"])
    low, high = (mean + means[place] for place in _places(tails, resamples))
    found["missed percentile"] = (low > 0) | (high < 0)
    below = (means < -1e-12).mean(axis=0) + (abs(means) <= 1e-12).mean(axis=0) / 2
    bias = ndtri(np.clip(below, 0.5 / resamples, 1 - 0.5 / resamples))
    acceleration = (centred**3).sum(axis=0) / (6 * (centred**2).sum(axis=0) ** 1.5)
    moved = bias + ndtri(tails)[:, np.newaxis]
    places = _places(ndtr(bias + moved / (1 - acceleration * moved)), resamples)
    low, high = mean + np.take_along_axis(means, places, axis=0)
    found["missed BCa"] = (low > 0) | (high < 0)
    return found


def _student(statistic: Values, n: int) -> Values:
    above, below = stdtr(n - 1, -statistic), stdtr(n - 1, statistic)
    return np.array([2 * np.minimum(above, below), above, below])


def _tails(above: npt.NDArray[np.int64], below: npt.NDArray[np.int64], resamples: int) -> Values:
    shares = (1 + np.array([above, below])) / (1 + resamples)
    return np.array([np.minimum(1, 2 * shares.min(axis=0)), *shares])


def _places(shares: Values, resamples: int) -> npt.NDArray[np.int64]:
    """The place of the smallest resample with F >= share."""
    return np.clip(np.ceil(shares * resamples - 1e-9).astype(np.int64) - 1, 0, resamples - 1)


if __name__ == "__main__":
    sys.exit(main())
