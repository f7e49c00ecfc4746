"""How often tuning claims that a choice helps where nothing helps: `make calibrate` writes its table.

Every point has the default's mean. Each of n topics draws a difference to the default for each of P points:

independent: e_p - e_0 over the root of 2, the e normal; every point is as far from every other as from the default.
neighbours: a random walk outwards from the default, so that points next to each other are alike.
tied: as independent, with half of the topics alike in all points, and Student's t with 4 degrees of freedom.
skewed: as independent, the e exponential, which leaves differences to the default symmetric but dependent.
"""

import sys
import time
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.calibrate import ALPHA, band, cell, write_section
from irkit.stats import paired_t_test, t_interval
from irkit.stats.cross_validation import repeated_choice, widened_interval

Values = npt.NDArray[np.float64]

NULLS: Final = ("independent", "neighbours", "tied", "skewed")
SIZES: Final = (10, 30, 60, 200)
POINTS: Final = (3, 10, 20)
REPETITIONS: Final = 2_000
FOLDS: Final = 5
# With the data as they are, 400 in all: p can be 0.05.
FLIPS: Final = 399


class Claims(NamedTuple):
    """Whether each test claims a difference, and whether the interval misses 0, in one repetition."""

    naive: bool
    flips: bool
    misses: bool
    separate: bool


def main() -> int:
    """Write the table; the exit code is 1 where the test of tuning claims too often."""
    started, rng, failed = time.perf_counter(), np.random.default_rng(20261130), False
    names = ("paired t", "flips that repeat the choice", "t interval x 1.3 misses 0", "paired t on the other half")
    lines = ["| null, topics, points | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    for null in NULLS:
        for n in SIZES:
            for n_points in POINTS:
                counts = np.zeros(len(names))
                for _ in range(REPETITIONS):
                    counts += claims(draw(null, n, n_points, rng), rng)
                rates = [count / REPETITIONS for count in counts.tolist()]
                # Of 48 rates one lies beyond the band by chance, and none beyond four standard errors.
                failed |= rates[1] > ALPHA + 4 * (ALPHA * (1 - ALPHA) / REPETITIONS) ** 0.5
                lines.append(f"| {null}, {n}, {n_points} | " + " | ".join(cell(r, REPETITIONS) for r in rates) + " |")
                print(f"{time.perf_counter() - started:6.0f} s  {lines[-1]}", flush=True)
    write_section("make calibrate: tuning", _section(lines))
    return int(failed)


def draw(null: str, n: int, n_points: int, rng: np.random.Generator) -> Values:
    """Differences to the default, of shape (n, P + 1); the first column is the default's."""
    noise = {"tied": lambda shape: rng.standard_t(4, shape), "skewed": rng.standard_exponential}
    drawn = noise.get(null, rng.standard_normal)((n, n_points + 1))
    table = np.zeros((n, n_points + 1))
    if null == "neighbours":
        steps = drawn[:, 1:]
        half = n_points // 2
        # Outwards from the default to both sides, the nearest first.
        table[:, 1 : 1 + half], table[:, 1 + half :] = steps[:, :half].cumsum(axis=1), steps[:, half:].cumsum(axis=1)
    else:
        table[:, 1:] = (drawn[:, 1:] - drawn[:, :1]) / 2**0.5
    if null == "tied":
        table[rng.permutation(n)[: n // 2]] = 0.0
    return table


def claims(differences: Values, rng: np.random.Generator) -> Claims:
    """What the tests say of a choice by folds, and of a choice by one half of the topics tested on the other."""
    n = len(differences)
    folds = rng.permutation(n) % FOLDS
    tuned = np.empty(n)
    for fold in range(FOLDS):
        tested = folds == fold
        tuned[tested] = differences[tested, int(np.argmax(differences[~tested].sum(axis=0)))]
    found = repeated_choice(differences, folds, n_flips=FLIPS, rng=rng)
    interval = widened_interval(t_interval(tuned), FOLDS)
    development, test = differences[: n // 2], differences[n // 2 :]
    separate = test[:, int(np.argmax(development.sum(axis=0)))]
    return Claims(
        _rejects(tuned),
        bool(tuned.any()) and found.pvalue <= ALPHA,
        not interval.low <= 0 <= interval.high,
        _rejects(separate),
    )


def _rejects(differences: Values) -> bool:
    return paired_t_test(differences, np.zeros(len(differences))).pvalue <= ALPHA


def _section(lines: list[str]) -> str:
    low, high = band(REPETITIONS)
    table = "\n".join(lines)
    return f"""\
Share of {REPETITIONS:,} repetitions with p <= {ALPHA}, two-sided, or an interval without 0, where no point is better
than the default; {FOLDS} folds, {FLIPS} sign flips. A test that keeps its level lies within {low:.4f} and {high:.4f}
99 times of 100; **bold** is above.

{table}
"""


if __name__ == "__main__":
    sys.exit(main())
