"""How often tuning claims that a choice helps where nothing helps: `make calibrate` writes its tables.

Every point has the default's mean. Each of n topics draws a difference to the default for each of P points:

independent: (e_p - e_0) / sqrt 2 with normal e.
neighbours: the same default; points to both sides of it add normal steps, so that near ones are alike.
tied: as independent with t_4 noise, and half the topics have no difference at all.
skewed: (2 - e_p - e_0) / sqrt 2 with exponential e: many small gains, rare large losses, skewness -1.4.

Where a floor is learned, each topic draws what it counts if it is answered, for each point, and if it is not (normal),
and its best score, which tells nothing about either. The choice is that of `irkit.tune`, nested folds and all.
"""

import sys
import time
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

import irkit
from benchmarks.calibrate import ALPHA, band, cell, write_section
from irkit.stats import paired_t_test, t_interval
from irkit.stats.paired.cross_validation import corrected_t_test, repeated_choice, widened_interval
from irkit.stats.paired.differences import paired_differences
from irkit.tuning import Folds, Nested, Point, Space
from irkit.tuning.score_table import ScoreTable

Values = npt.NDArray[np.float64]

NULLS: Final = ("independent", "neighbours", "tied", "skewed")
SIZES: Final = (10, 30, 60, 200)
POINTS: Final = (3, 10, 20)
# Topics and folds of the second table; as many folds as topics leave one out.
DESIGNS: Final = ((30, 2), (30, 5), (30, 10), (30, 30), (60, 2), (60, 5), (60, 10), (60, 60))
LEARNING: Final = {"5 folds": Folds(5), "10 folds": Folds(10), "5 folds, 4 inner": Nested(5, inner=4)}
LEARNING_SIZES: Final = (30, 60)
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


class Learned(NamedTuple):
    """Whether each test claims a difference where a floor was learned, in one repetition."""

    naive: bool
    corrected: bool


def main() -> int:
    """Write the tables; the exit code is 1 where a test of tuning claims too often."""
    started, rng = time.perf_counter(), np.random.default_rng(20261130)
    # Of 80 rates some lie beyond the band by chance, and none beyond four standard errors.
    most, failed = ALPHA + 4 * (ALPHA * (1 - ALPHA) / REPETITIONS) ** 0.5, False

    def table(title: str, columns: tuple[str, ...]) -> list[str]:
        return [f"| {title} | " + " | ".join(columns) + " |", "| --- |" + " ---: |" * len(columns)]

    def add(lines: list[str], label: str, rates: list[float | None]) -> None:
        cells = ("-" if rate is None else cell(rate, REPETITIONS) for rate in rates)
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
        print(f"{time.perf_counter() - started:6.0f} s  {lines[-1]}", flush=True)

    flips = "flips that repeat the choice"
    of_nulls = table(
        "null, topics, points", ("paired t", flips, "t interval x 1.3 misses 0", "paired t on the other half")
    )
    for null in NULLS:
        for n in SIZES:
            for n_points in POINTS:
                counts = np.zeros(len(Claims._fields))
                for _ in range(REPETITIONS):
                    counts += claims(draw(null, n, n_points, rng), rng)
                rates = (counts / REPETITIONS).tolist()
                failed |= null != "skewed" and rates[1] > most
                add(of_nulls, f"{null}, {n}, {n_points}", rates)
    of_folds = table("topics, folds", ("paired t", flips, "wider interval misses 0"))
    for n, n_folds in DESIGNS:
        counts = np.zeros(len(Claims._fields))
        for _ in range(REPETITIONS):
            counts += claims(draw("independent", n, 10, rng), rng, n_folds)
        naive, repeated, misses, _ = (counts / REPETITIONS).tolist()
        failed |= repeated > most
        add(of_folds, f"{n}, {n_folds}", [naive, repeated, None if n_folds > 10 else misses])
    of_learning = table("split, topics, points", ("paired t", "t test corrected for folds"))
    for said, split in LEARNING.items():
        for n in LEARNING_SIZES:
            for n_points in (1, 3):
                counts = np.zeros(len(Learned._fields))
                for _ in range(REPETITIONS):
                    counts += learned(split, n, n_points, rng)
                rates = (counts / REPETITIONS).tolist()
                failed |= rates[1] > most
                add(of_learning, f"{said}, {n}, {n_points}", rates)
    write_section("make calibrate: tuning", _section(of_nulls, of_folds, of_learning))
    return int(failed)


def draw(null: str, n: int, n_points: int, rng: np.random.Generator) -> Values:
    """Differences to the default, of shape (n, P + 1); the first column is the default's."""
    shape = (n, n_points + 1)
    table = np.zeros(shape)
    if null == "neighbours":
        steps, half = rng.standard_normal((n, n_points)), n_points // 2
        # Outwards from the default to both sides, the nearest first.
        table[:, 1 : 1 + half], table[:, 1 + half :] = steps[:, :half].cumsum(axis=1), steps[:, half:].cumsum(axis=1)
    elif null == "skewed":
        drawn = rng.standard_exponential(shape)
        table[:, 1:] = (2 - drawn[:, 1:] - drawn[:, :1]) / 2**0.5
    else:
        drawn = rng.standard_t(4, shape) if null == "tied" else rng.standard_normal(shape)
        table[:, 1:] = (drawn[:, 1:] - drawn[:, :1]) / 2**0.5
    if null == "tied":
        table[rng.permutation(n)[: n // 2]] = 0.0
    return table


def claims(differences: Values, rng: np.random.Generator, n_folds: int = FOLDS) -> Claims:
    """What the tests say of a choice by folds, and of a choice by one half of the topics tested on the other."""
    n = len(differences)
    folds = rng.permutation(n) % n_folds
    tuned = np.empty(n)
    for fold in range(n_folds):
        tested = folds == fold
        tuned[tested] = differences[tested, int(np.argmax(differences[~tested].sum(axis=0)))]
    found = repeated_choice(differences, folds, n_flips=FLIPS, rng=rng)
    interval = widened_interval(t_interval(tuned), n_folds)
    development, test = differences[: n // 2], differences[n // 2 :]
    separate = test[:, int(np.argmax(development.sum(axis=0)))]
    return Claims(
        _rejects(tuned),
        bool(tuned.any()) and found.pvalue <= ALPHA,
        not interval.low <= 0 <= interval.high,
        _rejects(separate),
    )


def learned(split: Folds | Nested, n: int, n_points: int, rng: np.random.Generator) -> Learned:
    """What the tests say of a floor learned with points that differ by chance alone."""
    topics = tuple(f"{topic:03}" for topic in range(n))
    space = Space.of({"p": range(n_points), "floor": "learn"})
    default = Point((("p", 0),))
    some = irkit.evaluate(run={"000": ["a"]}, qrels={"000": {"a": 1}}, measures="RR")
    answered = rng.standard_normal((n_points, n))
    best = rng.standard_normal((n_points, n))
    scored = ScoreTable(
        space,
        (*(Point((("p", p),)) for p in range(n_points)), default),
        n_points,
        Point((("p", 0), ("floor", -np.inf))),
        (some,) * (n_points + 1),
        (),
        topics,
        (),
        np.vstack([answered, answered[:1]]),
        rng.standard_normal(n),
        np.vstack([best, best[:1]]),
    )
    place_of = {topic: place for place, topic in enumerate(topics)}
    tuned = np.empty(n)
    parts = split.over(topics).parts
    for part in parts:
        choice, rows = scored.choose(part.development, part.inner), [place_of[topic] for topic in part.test]
        tuned[rows] = (scored.counted(choice.place, choice.floor) - answered[0])[rows]
    return Learned(
        _rejects(tuned), corrected_t_test(paired_differences(tuned, np.zeros(n)), len(parts)).pvalue <= ALPHA
    )


def _rejects(differences: Values) -> bool:
    return paired_t_test(differences, np.zeros(len(differences))).pvalue <= ALPHA


def _section(of_nulls: list[str], of_folds: list[str], of_learning: list[str]) -> str:
    low, high = band(REPETITIONS)
    first, second, third = map("\n".join, (of_nulls, of_folds, of_learning))
    return f"""\
Share of {REPETITIONS:,} repetitions with p <= {ALPHA}, two-sided, or an interval without 0, where no point is better
than the default; {FLIPS} sign flips. A test that keeps its level lies within {low:.4f} and {high:.4f} 99 times
of 100; **bold** is above. {FOLDS} folds:

{first}

Other numbers of folds, 10 independent points; as many folds as topics leave one out:

{second}

A learned floor, alone or with 3 points:

{third}
"""


if __name__ == "__main__":
    sys.exit(main())
