"""Time irkit beside the programs of the field: `make bench`, or `make bench BENCH="news startup --repeat 3"`."""

import argparse
import subprocess
import sys

from benchmarks import history, results, tables
from benchmarks.timing import ROOT, time_work
from benchmarks.works import WORKS, Work

SLOW = 15.0


def main() -> int:
    """Time the works that are named, print each, and keep what was found."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    # No `choices`: argparse checks the empty list against them as well.
    parser.add_argument("works", nargs="*", metavar="WORK", help=f"{', '.join(WORKS)}; all but long if none is named")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="times that each program runs (5)")
    parser.add_argument("--repeat-slow", type=int, metavar="N", help=f"the same where it takes more than {SLOW:.0f} s")
    parser.add_argument("--long", action="store_true", help="also ten times the passage run, 3.2 GB")
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="leave a program out, as ranx")
    parser.add_argument("--no-save", action="store_true", help="leave results, history and manual as they are")
    options = parser.parse_args()
    if unknown := [work for work in options.works if work not in WORKS]:
        parser.error(f"there is no work {unknown[0]!r}; there are {', '.join(WORKS)}")
    if options.repeat < 1 or (options.repeat_slow is not None and options.repeat_slow < 1):
        parser.error("each program has to run once at least")
    chosen = options.works or [work for work in WORKS if work != "long"]
    if options.long and "long" not in chosen:
        chosen.append("long")
    for name in chosen:
        work = WORKS[name]().without(options.without)
        make_data(work)
        timed = time_work(work, options.repeat, options.repeat_slow or options.repeat, SLOW, tell)
        tell("")
        found = results.of(work, timed, options.repeat)
        print(tables.text(found), flush=True)
        if not options.no_save:
            kept = results.read() | {name: found}
            kept = {name: kept[name] for name in WORKS if name in kept}
            results.write(kept)
            tables.write_page(kept)
            history.append(name, found)
    worse = list(history.slower(history.read()))
    print(*worse, sep="\n", end="\n" if worse else "")
    return 1 if worse else 0


def make_data(work: Work) -> None:
    """Make what the work reads, in a process of its own."""
    tell(f"{work.name}: making its data")
    words = [work.shape.name, *(["--gzip"] if work.gzipped else [])]
    subprocess.run([sys.executable, "-m", "benchmarks.data", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def tell(line: str) -> None:
    """Say on a terminal what is being done, in place of what was said before."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
