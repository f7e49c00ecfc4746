"""Time of `RelevanceEvaluator.evaluate`, by irkit.pytrec_eval and by pytrec-eval-terrier, in one process by turns.

The median of the repetitions, over a run of many topics and over one of a single topic.
"""

import argparse
import random
import statistics
import time
from importlib.metadata import version

import pytrec_eval as theirs

import irkit.pytrec_eval as ours

MEASURES = {
    "map": {"map"},
    "map, ndcg_cut_10, recip_rank": {"map", "ndcg_cut_10", "recip_rank"},
    "all measures": ours.supported_measures,
}


def collection(n_topics: int, depth: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run: `depth` documents a topic, of which one in ten is judged, and as many that are not found."""
    rng = random.Random(1)
    qrels, run = {}, {}
    for topic in map(str, range(n_topics)):
        run[topic] = {f"doc{number}": rng.gammavariate(2.0, 5.0) for number in rng.sample(range(10_000_000), depth)}
        judged = [
            *rng.sample(sorted(run[topic]), max(1, depth // 10)),
            *(f"other{place}" for place in range(depth // 10)),
        ]
        qrels[topic] = {document: rng.randrange(4) for document in judged}
    return qrels, run


def main() -> None:
    """Print a line for each set of measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=249)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=11)
    options = parser.parse_args()
    for n_topics, depth in ((options.topics, options.depth), (1, 10)):
        qrels, run = collection(n_topics, depth)
        print(f"{n_topics} x {depth}, median of {options.repeat}; pytrec-eval-terrier {version('pytrec-eval-terrier')}")
        for name, measures in MEASURES.items():
            evaluators = [module.RelevanceEvaluator(qrels, measures) for module in (ours, theirs)]
            seconds: list[list[float]] = [[], []]
            for _ in range(options.repeat):
                for taken, evaluator in zip(seconds, evaluators, strict=True):
                    start = time.perf_counter()
                    evaluator.evaluate(run)
                    taken.append(time.perf_counter() - start)
            mine, peers = (1000 * statistics.median(taken) for taken in seconds)
            print(f"  {name:<30} irkit {mine:9.3f} ms   pytrec_eval {peers:9.3f} ms   {peers / mine:6.2f} x")


if __name__ == "__main__":
    main()
