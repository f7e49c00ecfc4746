"""How often families of tests claim falsely: `make calibrate` writes the tables of docs/statistics.md.

The scores are those of five real runs on Cranfield, made by irkit: BM25, BM25 of titles, MiniLM, and two fusions.

permuted null: n topics drawn at random, and the scores of each given to the systems in random order. All pairs are
compared, and any claim is false.
part null: the same, and `SHIFT` added to one system. Claims about the pairs without it are false.
flipped null: n topics drawn at random, and one random sign for all differences of a topic from BM25. The other runs are
compared with BM25, and any claim is false. It is the null of max-T, which flips that way.
"""

import sys
import time
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.calibrate import ALPHA, FEW, MANY, MEASURES, band, cell, find_cranfield, make_runs, write_section
from irkit.stats import CORRECTIONS, correct, max_t, paired_t_test
from irkit.stats.paired.families import CALLED

# What `randomised_tukey` draws. It tries to count every order first, which takes a second or more for each table here.
from irkit.stats.paired.tukey_randomised import _TOLERANCE, _drawn_ranges

Values = npt.NDArray[np.float64]

SIZES: Final = (25, 50)
SHIFT: Final = 0.2
# With the data as they are, 1,000 in all: p can be 0.05.
FLIPS: Final = 999


class Drawn(NamedTuple):
    """Scores of shape (n, k), the places of the systems compared, and which comparisons have nothing to find."""

    table: Values
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    nothing: npt.NDArray[np.bool_]


def main() -> int:
    """Write the tables; the exit code is 1 where a test that is exact claims too often under its own null."""
    cranfield = find_cranfield()
    if cranfield is None:
        return 2
    evaluations = make_runs(cranfield)
    started, rng, failed = time.perf_counter(), np.random.default_rng(20261130), False
    tables: dict[str, list[str]] = {"permuted": [], "part": [], "flipped": []}
    exact = {"permuted": "randomised Tukey HSD", "flipped": "max-T"}
    for null, lines in tables.items():
        for measure in MEASURES:
            real = np.column_stack([one.by_topic(measure) for one in evaluations])
            for n in SIZES:
                rates = _rates(null, real, n, rng)
                failed |= null in exact and rates[exact[null]][0] > band(rates[exact[null]][1])[1]
                if not lines:
                    lines += ["| measure, topics | " + " | ".join(rates) + " |", "| --- |" + " ---: |" * len(rates)]
                lines.append(f"| {measure}, {n} | " + " | ".join(cell(*rate) for rate in rates.values()) + " |")
                print(f"{time.perf_counter() - started:6.0f} s  {null} null: {lines[-1]}", flush=True)
    write_section("make calibrate: families", _section(tables))
    return int(failed)


def draw(null: str, real: Values, n: int, rng: np.random.Generator) -> Drawn:
    """Scores of n topics under one of the three nulls; column 0 of `real` is the baseline of the flipped one."""
    k = real.shape[1]
    topics = rng.choice(real, n)
    if null == "flipped":
        table = (topics - topics[:, :1]) * rng.choice([-1.0, 1.0], (n, 1))
        return Drawn(table, np.arange(1, k), np.zeros(k - 1, dtype=np.intp), np.ones(k - 1, dtype=bool))
    table = rng.permuted(topics, axis=1)
    first, second = np.array(list(combinations(range(k), 2))).T
    if null == "permuted":
        return Drawn(table, first, second, np.ones(len(first), dtype=bool))
    table[:, -1] += SHIFT
    return Drawn(table, first, second, second != k - 1)


def tukey_claims(drawn: Drawn, critical: float) -> bool:
    """Whether Tukey's test claims a difference where there is none; `critical` is the studentised range at alpha."""
    table, (n, k) = drawn.table, drawn.table.shape
    means = table.mean(axis=0)
    residuals = table - table.mean(axis=1, keepdims=True) - means + table.mean()
    honest = critical * ((residuals**2).sum() / ((n - 1) * (k - 1)) / n) ** 0.5
    return bool((_sizes(means, drawn) >= honest).any())


def randomised_tukey_pvalue(drawn: Drawn, n_permutations: int, rng: np.random.Generator) -> float:
    """The smallest p of the randomised Tukey test where there is nothing to find."""
    centred = drawn.table - drawn.table.mean(axis=1, keepdims=True)
    centred /= float(abs(centred).max())
    reached = _sizes(centred.sum(axis=0), drawn).max() - _TOLERANCE
    ranges = _drawn_ranges(centred, n_permutations, rng)
    return (1 + int((ranges >= reached).sum())) / (1 + n_permutations)


def _claims(adjusted: Values, drawn: Drawn) -> bool:
    return bool((adjusted[drawn.nothing] <= ALPHA).any())


def _sizes(of_systems: Values, drawn: Drawn) -> Values:
    sizes: Values = abs(of_systems[drawn.first] - of_systems[drawn.second])[drawn.nothing]
    return sizes


def _rates(null: str, real: Values, n: int, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    """How often a family has a false claim or more, and in how many repetitions."""
    from scipy.stats import studentized_range

    k, zeros = real.shape[1], np.zeros(n)
    critical = float(studentized_range.ppf(1 - ALPHA, k, (n - 1) * (k - 1)))
    of_all_pairs = () if null == "flipped" else ("tukey", "randomised-tukey")
    counts = dict.fromkeys([*CORRECTIONS, "max-t", *of_all_pairs], 0)
    for repetition in range(MANY):
        drawn = draw(null, real, n, rng)
        differences = drawn.table[:, drawn.first] - drawn.table[:, drawn.second]
        pvalues = [paired_t_test(column, zeros).pvalue for column in differences.T]
        for correction in CORRECTIONS:
            counts[correction] += _claims(correct(pvalues, correction).corrected, drawn)
        counts["max-t"] += _claims(max_t(differences, n_flips=FLIPS, rng=rng).step_down, drawn)
        if of_all_pairs:
            counts["tukey"] += tukey_claims(drawn, critical)
            if repetition < FEW:
                counts["randomised-tukey"] += randomised_tukey_pvalue(drawn, FLIPS, rng) <= ALPHA
    times = {name: FEW if name == "randomised-tukey" else MANY for name in counts}
    return {CALLED.get(name, name): (count / times[name], times[name]) for name, count in counts.items()}


def _section(tables: dict[str, list[str]]) -> str:
    (many_low, many_high), (few_low, few_high) = band(MANY), band(FEW)
    permuted, part, flipped = map("\n".join, tables.values())
    return f"""\
Share of repetitions with a false claim or more, that is with an adjusted p <= {ALPHA} where there is nothing to find:
{MANY:,} repetitions, and {FEW:,} for the randomised Tukey HSD. A family that claims falsely at {ALPHA} lies within
{many_low:.4f} and {many_high:.4f} with the former, and within {few_low:.4f} and {few_high:.4f} with the latter,
99 times of 100; **bold** is above. The first five columns are of paired t tests; {FLIPS} flips or permutations.

Permuted null, the 10 pairs of 5 systems whose scores are exchanged within topics; every claim is false:

{permuted}

Part null, the same with {SHIFT} added to one system; counted are claims about the 6 pairs without it:

{part}

Flipped null, 4 systems against a baseline, with one random sign a topic for all 4 differences; every claim is false:

{flipped}
"""


if __name__ == "__main__":
    sys.exit(main())
