"""Time to score one run, each program in a process of its own, beside the peers that are installed.

Ratios are what counts: the machine's speed cancels. Every contender reads the same files and prints nDCG@10, AP and
RR; the median of the repetitions is shown with the peak memory of the process.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

CONTENDERS = {  # distribution: code
    "irkit": "from irkit.cli import main; main(['score', run, qrels, '-m', 'nDCG@10', '-m', 'AP', '-m', 'RR'])",
    "pytrec_eval-terrier": (
        "import pytrec_eval\n"
        "judged = pytrec_eval.parse_qrel(open(qrels)); ranked = pytrec_eval.parse_run(open(run))\n"
        "measures = {'ndcg_cut_10', 'map', 'recip_rank'}\n"
        "found = pytrec_eval.RelevanceEvaluator(judged, measures).evaluate(ranked)\n"
        "print({m: sum(v[m] for v in found.values()) / len(found) for m in measures})"
    ),
    "ir-measures": (
        "import ir_measures; from ir_measures import nDCG, AP, RR\n"
        "print(ir_measures.calc_aggregate([nDCG @ 10, AP, RR], ir_measures.read_trec_qrels(qrels), "
        "ir_measures.read_trec_run(run)))"
    ),
    "ranx": (
        "from ranx import Qrels, Run, evaluate\n"
        "print(evaluate(Qrels.from_file(qrels, kind='trec'), Run.from_file(run, kind='trec'), "
        "['ndcg@10', 'map', 'mrr']))"
    ),
}


def write_collection(folder: Path, n_topics: int, depth: int) -> tuple[Path, Path]:
    """A run of `depth` documents a topic, and 100 judgments a topic."""
    rng = np.random.default_rng(1)
    run, qrels = folder / "run.txt", folder / "qrels.txt"
    with run.open("w") as run_file, qrels.open("w") as qrels_file:
        for topic in range(n_topics):
            documents = rng.choice(10_000_000, depth, replace=False)
            scores = np.sort(rng.gamma(2.0, 5.0, depth))[::-1]
            for rank, (document, score) in enumerate(zip(documents, scores, strict=True), 1):
                run_file.write(f"{topic} Q0 doc{document} {rank} {score:.4f} bench\n")
            for document in rng.choice(documents, min(depth, 100), replace=False):
                qrels_file.write(f"{topic} 0 doc{document} {rng.integers(0, 4)}\n")
    return run, qrels


def timed(code: str) -> tuple[float, float] | None:
    """Seconds and peak megabytes of a fresh process that runs the code; None if it fails."""
    measured = (
        "import resource, subprocess, sys, time; start = time.perf_counter()\n"
        "done = subprocess.run([sys.executable, '-c', sys.argv[1]], capture_output=True)\n"
        "print(done.returncode, time.perf_counter() - start, "
        "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    shown = subprocess.run([sys.executable, "-c", measured, code], capture_output=True, text=True, check=True)
    status, seconds, megabytes = shown.stdout.split()
    return (float(seconds), float(megabytes)) if status == "0" else None


def main() -> None:
    """Print a line a contender, with its time and memory over irkit's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=200)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run, qrels = write_collection(Path(folder), options.topics, options.depth)
        print(f"{options.topics} topics, {options.topics * options.depth:,} lines, median of {options.repeat}")
        base = None
        for name, code in CONTENDERS.items():
            try:
                found = version(name)
            except PackageNotFoundError:
                print(f"{name:<22} not installed")
                continue
            results = [timed(f"run, qrels = {str(run)!r}, {str(qrels)!r}\n{code}") for _ in range(options.repeat)]
            if None in results:
                print(f"{name:<22} failed")
                continue
            seconds = statistics.median(result[0] for result in results if result)
            megabytes = statistics.median(result[1] for result in results if result)
            base = base or (seconds, megabytes)
            print(
                f"{name + ' ' + found:<28}{seconds:7.2f} s {seconds / base[0]:6.2f} x time"
                f"{megabytes:8.0f} MB {megabytes / base[1]:6.2f} x memory"
            )


if __name__ == "__main__":
    main()
