"""Cranfield, Vaswani and SciFact whole: BM25, MiniLM and RRF, figures found beside figures known.

The collections are looked for in the folder named on the command line, or beside the checkout. Known figures: BM25
with k1 0.9 and b 0.4 by Anserini 1.7.1 (SciFact as published by Anserini), MiniLM by exact inner product over the
first 256 tokens, RRF with k 60 of both; 1,000 documents a topic.
"""

import sys
from pathlib import Path

from irkit.experiment import read_experiment, run_experiment

KNOWN = {  # nDCG@10, AP
    "cranfield": {"bm25": (0.3512, 0.2880), "dense": (0.3817, 0.3272), "rrf": (0.4135, 0.3521)},
    "vaswani": {"bm25": (0.4368, 0.2856), "dense": (0.4335, 0.2793), "rrf": (0.5118, 0.3509)},
    "scifact": {"bm25": (0.6789, 0.6401), "dense": (0.6451, 0.6034), "rrf": (0.7178, 0.6730)},
}
TOLERANCE = {"bm25": 0.00005, "dense": 0.002, "rrf": 0.002}
EXPERIMENT = """
[collection]
name = "{name}"
source = "{source}"
[configurations.bm25]
method = "bm25"
[configurations.dense]
method = "dense"
[configurations.rrf]
method = "rrf"
runs = ["bm25", "dense"]
[evaluation]
measures = ["nDCG@10", "AP"]
"""
ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Print one line a collection and configuration; the exit code is 1 where a figure is not met."""
    collections = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "collections"
    if not collections.is_dir():
        print(f"{collections}: no such folder; name the one that holds {', '.join(KNOWN)}", file=sys.stderr)
        return 2
    out = ROOT / "build" / "reproduce"
    out.mkdir(parents=True, exist_ok=True)
    failed = False
    print(f"{'collection':<12}{'run':<8}{'nDCG@10':>9}{'known':>8}{'AP':>9}{'known':>8}")
    for name, known in KNOWN.items():
        file = out / f"{name}.toml"
        file.write_text(EXPERIMENT.format(name=name, source=(collections / name).resolve()), "utf-8")
        for evaluation in run_experiment(read_experiment(file), out).evaluations:
            found = evaluation.summary
            wanted = known[evaluation.name]
            met = all(
                abs(value - figure) <= TOLERANCE[evaluation.name] for value, figure in zip(found, wanted, strict=True)
            )
            failed |= not met
            columns = "".join(f"{value:9.4f}{figure:8.4f}" for value, figure in zip(found, wanted, strict=True))
            print(f"{name:<12}{evaluation.name:<8}{columns}  {'ok' if met else 'NOT MET'}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
