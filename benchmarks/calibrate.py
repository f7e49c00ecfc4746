"""How often each test rejects where there is nothing to find: `make calibrate` writes the tables of docs/statistics.md.

The differences are those of two real runs, BM25 and MiniLM on Cranfield, made by irkit. The collection is looked for in
the folder named on the command line, or beside the checkout. Tests made together are in `calibrate_families`.

exchangeable null: n topics drawn at random, and the sign of each difference as well; the null of every test holds.
mean null: n topics drawn from all, whose differences were moved so that their mean is 0: all alike, ties too. The null
of a test of the mean holds, and that of a test of symmetry, or of signs, does not.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from irkit.evaluation.result import Evaluation
from irkit.experiment import read_experiment, run_experiment
from irkit.stats import (
    bootstrap_intervals,
    bootstrap_shift_test,
    paired_t_test,
    sign_flip_pvalues,
    sign_test,
    studentised_bootstrap_test,
    t_interval,
    wilcoxon_test,
)

Values = npt.NDArray[np.float64]

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "statistics.md"
ALPHA: Final = 0.05
MEASURES: Final = ("AP", "P@10")
SIZES: Final = (12, 25, 50, 100)
# Repetitions, and those of what resamples topics anew in each.
MANY, FEW = 20_000, 4_000
FLIPS, RESAMPLES = 9_999, 1_000
# Columns of differences that are flipped with the same signs.
BLOCK: Final = 500
EXPERIMENT: Final = """
[collection]
name = "cranfield"
source = "{source}"
[configurations.bm25]
method = "bm25"
[configurations.dense]
method = "dense"
[configurations.title]
method = "bm25"
fields = {{ title = 1.0 }}
[configurations.rrf]
method = "rrf"
runs = ["bm25", "dense"]
[configurations.linear]
method = "linear"
runs = ["bm25", "dense"]
[evaluation]
measures = ["AP", "P@10"]
"""


def main() -> int:
    """Write the tables; the exit code is 1 where the sign flip rejects its own null too often."""
    cranfield = find_cranfield()
    if cranfield is None:
        return 2
    bm25, dense, *_ = make_runs(cranfield)
    started, rng, failed = time.perf_counter(), np.random.default_rng(20261130), False
    tables: dict[str, list[str]] = {"exchangeable": [], "mean": []}
    for null, lines in tables.items():
        for measure in MEASURES:
            real = dense.by_topic(measure) - bm25.by_topic(measure)
            for n in SIZES:
                rates = _rates(null, real, n, rng)
                failed |= null == "exchangeable" and rates["sign flip"][0] > band(MANY)[1]
                if not lines:
                    lines += ["| measure, topics | " + " | ".join(rates) + " |", "| --- |" + " ---: |" * len(rates)]
                lines.append(f"| {measure}, {n} | " + " | ".join(cell(*rate) for rate in rates.values()) + " |")
                print(f"{time.perf_counter() - started:6.0f} s  {null} null: {lines[-1]}", flush=True)
    write_section("make calibrate", _section(tables))
    return int(failed)


def find_cranfield() -> Path | None:
    """The folder of the collection; None, and said, where there is none."""
    collections = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "collections"
    if (collections / "cranfield").is_dir():
        return collections / "cranfield"
    print(f"{collections}: no folder cranfield there; name the folder that holds it", file=sys.stderr)
    return None


def make_runs(cranfield: Path) -> tuple[Evaluation, ...]:
    """The runs of `EXPERIMENT`, evaluated, in its order."""
    out = ROOT / "build" / "reproduce"
    out.mkdir(parents=True, exist_ok=True)
    file = out / "calibrate.toml"
    file.write_text(EXPERIMENT.format(source=cranfield.resolve()), "utf-8")
    return tuple(run_experiment(read_experiment(file), out).evaluations)


def write_section(name: str, text: str) -> None:
    """Put the text between the two comments of this name in docs/statistics.md."""
    begin, end = f"<!-- {name} -->\n", f"<!-- {name}: end -->\n"
    before, rest = PAGE.read_text("utf-8").split(begin)
    PAGE.write_text(f"{before}{begin}{text}{end}{rest.split(end)[1]}", "utf-8")


def _rates(null: str, real: Values, n: int, rng: np.random.Generator) -> dict[str, tuple[float, int]]:
    """How often each test rejects, and in how many repetitions; an interval rejects where it does not hold 0."""
    if null == "exchangeable":
        drawn = rng.choice(real, (n, MANY)) * rng.choice([-1.0, 1.0], (n, MANY))
    else:
        drawn = rng.choice(real - real.mean(), (n, MANY))
    nothing = np.zeros(n)

    def share(pvalue: Callable[[Values], float], times: int = MANY) -> tuple[float, int]:
        return sum(pvalue(column) <= ALPHA for column in drawn[:, :times].T) / times, times

    blocks = [drawn[:, start : start + BLOCK] for start in range(0, MANY, BLOCK)]
    flipped = sum(int((sign_flip_pvalues(each, n_resamples=FLIPS, rng=rng).pvalues <= ALPHA).sum()) for each in blocks)
    resampled = {"n_resamples": RESAMPLES, "rng": rng}
    rates = {
        "t": share(lambda column: paired_t_test(column, nothing).pvalue),
        "sign flip": (flipped / MANY, MANY),
        "Wilcoxon": share(lambda column: wilcoxon_test(column, nothing).pvalue),
        "sign": share(lambda column: sign_test(column, nothing).pvalue),
        "studentised bootstrap": share(lambda c: studentised_bootstrap_test(c, nothing, **resampled).pvalue, FEW),
        "bootstrap shift": share(lambda column: bootstrap_shift_test(column, nothing, **resampled).pvalue, FEW),
    }
    if null == "mean":
        intervals = [t_interval(column) for column in drawn.T]
        rates["t interval"] = (sum(not one.low <= 0 <= one.high for one in intervals) / MANY, MANY)
        for method in ("percentile", "BCa"):
            few = [
                one
                for start in range(0, FEW, BLOCK)
                for one in bootstrap_intervals(drawn[:, start : min(start + BLOCK, FEW)], method=method, **resampled)
            ]
            rates[f"{method} interval"] = (sum(not one.low <= 0 <= one.high for one in few) / FEW, FEW)
    return rates


def band(times: int) -> tuple[float, float]:
    """Where the rate of a test that rejects at its level lies, 99 times of 100."""
    half = 2.5758 * (ALPHA * (1 - ALPHA) / times) ** 0.5
    return ALPHA - half, ALPHA + half


def cell(rate: float, times: int) -> str:
    """The rate, bold where it is above the band."""
    return f"**{rate:.4f}**" if rate > band(times)[1] else f"{rate:.4f}"


def _section(tables: dict[str, list[str]]) -> str:
    (many_low, many_high), (few_low, few_high) = band(MANY), band(FEW)
    exchangeable, mean = map("\n".join, tables.values())
    return f"""\
Share of repetitions with p <= {ALPHA}, two-sided: {MANY:,} for t, sign flip, Wilcoxon, sign and the t interval, and
{FEW:,} for what resamples topics. A test that keeps its level lies within {many_low:.4f} and {many_high:.4f} with the
former, and within {few_low:.4f} and {few_high:.4f} with the latter, 99 times of 100; **bold** is above. Up to {FLIPS:,}
sign flips, and {RESAMPLES:,} resamples.

Exchangeable null, in which all tests should reject at {ALPHA}, or below where only few p-values are possible:

{exchangeable}

Mean null, in which tests of the mean should reject at {ALPHA}, and intervals miss 0 as often:

{mean}
"""


if __name__ == "__main__":
    sys.exit(main())
