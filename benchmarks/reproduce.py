"""Cranfield, Vaswani and SciFact whole: BM25, feedback, MiniLM and RRF, figures found beside figures known.

The collections are looked for in the folder named on the command line, or beside the checkout. Known figures: BM25
with k1 0.9 and b 0.4 by Anserini 1.7.1 (SciFact as published by Anserini), MiniLM by exact inner product over the
first 256 tokens, RRF with k 60 of both; 1,000 documents a topic. Then what others published for BM25, each with its
source, and feedback, which has to find more than BM25 alone. RRF has to be above both of its parts, by tests.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from irkit import evaluate
from irkit.data.documents import Document, read_documents
from irkit.data.topics import read_topics
from irkit.experiment import ExperimentResult, read_experiment, run_experiment
from irkit.retrieval.bm25 import Rm3, Rocchio, build_index, search

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
[[comparisons]]
baseline = "bm25"
candidates = ["rrf"]
[[comparisons]]
baseline = "dense"
candidates = ["rrf"]
"""
ROOT = Path(__file__).resolve().parents[1]
FEEDBACK = {"bm25": None, "+rm3": Rm3(), "+rocchio": Rocchio()}


@dataclass(frozen=True, slots=True)
class Published:
    """A figure of others.

    Attributes
    ----------
    collection : str
    values : dict
        By measure.
    source : str
    within : float, optional
        How far from it irkit may be; None where another program's set-up is meant, to be read only.
    options : dict
        Of the search.
    """

    collection: str
    values: dict[str, float]
    source: str
    within: float | None
    options: dict[str, object] = field(default_factory=dict)


TWO_FIELDS = {"fields": {"contents": 1.0, "title": 1.0}}
TERRIER = {"k1": 1.2, "b": 0.75}
PUBLISHED = (
    Published("scifact", {"nDCG@10": 0.6789, "R@100": 0.9253, "R@1000": 0.9767}, "Anserini 1.7.1, BEIR flat", 0.00005),
    Published(
        "scifact",
        {"nDCG@10": 0.6647, "R@100": 0.9076, "R@1000": 0.98},
        "Anserini 1.7.1, BEIR multifield",
        0.00005,
        TWO_FIELDS,
    ),
    Published("scifact", {"nDCG@10": 0.665}, "Thakur and others 2021, Elasticsearch", 0.01, TWO_FIELDS),
    # Terrier has other stop words, and weighs words that a query repeats.
    Published("vaswani", {"AP": 0.2965, "nDCG": 0.6212}, "PyTerrier's notebook, Terrier 5.2", None, TERRIER),
)


def main() -> int:
    """Print one line a collection and configuration; the exit code is 1 where a figure is not met."""
    collections = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "collections"
    if not collections.is_dir():
        print(f"{collections}: no such folder; name the one that holds {', '.join(KNOWN)}", file=sys.stderr)
        return 2
    out = ROOT / "build" / "reproduce"
    out.mkdir(parents=True, exist_ok=True)
    failed = False
    tests: list[tuple[str, bool]] = []
    print(f"{'collection':<12}{'run':<8}{'nDCG@10':>9}{'known':>8}{'AP':>9}{'known':>8}")
    for name, known in KNOWN.items():
        file = out / f"{name}.toml"
        file.write_text(EXPERIMENT.format(name=name, source=(collections / name).resolve()), "utf-8")
        outcome = run_experiment(read_experiment(file), out)
        tests += hybrid(name, outcome)
        for evaluation in outcome.evaluations:
            found = evaluation.summary
            wanted = known[evaluation.name]
            met = all(
                abs(value - figure) <= TOLERANCE[evaluation.name] for value, figure in zip(found, wanted, strict=True)
            )
            failed |= not met
            columns = "".join(f"{value:9.4f}{figure:8.4f}" for value, figure in zip(found, wanted, strict=True))
            print(f"{name:<12}{evaluation.name:<8}{columns}  {'ok' if met else 'NOT MET'}", flush=True)
    for line, met in [*tests, *published(out), *feedback(out)]:
        failed |= met is False
        print(f"{line}  { {True: 'ok', False: 'NOT MET', None: 'another set-up'}[met] }", flush=True)
    return int(failed)


def hybrid(name: str, outcome: ExperimentResult) -> Iterator[tuple[str, bool]]:
    """Whether the fused run is above both runs that it was made from, by paired t tests with Holm's correction."""
    for one in (contrast for comparison in outcome.comparisons for contrast in comparison.contrasts):
        gain, p = one.test.mean_difference, one.adjusted_pvalue
        said = f"{gain:+.4f} [{one.interval.low:+.4f}, {one.interval.high:+.4f}], p {p:.1g}"
        yield f"{name:<12}{one.measure} of rrf above {one.test.baseline}: {said}", gain > 0 and p < 0.05


def published(out: Path) -> Iterator[tuple[str, bool | None]]:
    """What irkit finds beside what others published, and whether it is near enough."""
    for one in PUBLISHED:
        evaluation = searched(out, one.collection, tuple(one.values), one.options)
        for (measure, figure), found in zip(one.values.items(), evaluation, strict=True):
            met = None if one.within is None else abs(found - figure) <= one.within
            yield f"{one.collection:<12}{measure:<8}{found:9.4f}{figure:8.4f}  {one.source}", met


def feedback(out: Path) -> Iterator[tuple[str, bool | None]]:
    """What RM3 and Rocchio find beside BM25 alone, and whether they find more."""
    for name in KNOWN:
        alone = None
        for title, method in FEEDBACK.items():
            recall, precision = searched(out, name, ("R@1000", "AP"), {"feedback": method})
            alone = alone or recall
            yield f"{name:<12}{title:<10}R@1000 {recall:.4f}  AP {precision:.4f}", recall >= alone


def searched(out: Path, name: str, measures: tuple[str, ...], options: dict[str, object]) -> list[float]:
    """The means of a search of the collection that the experiment converted."""
    documents, topics = out / f"documents/documents.{name}.jsonl", out / f"topics/topics.{name}.txt"
    index = out / "published" / f"{name}{'.fields' if 'fields' in options else ''}"
    if not index.exists():
        read = read_documents(documents)
        if "fields" in options:
            build_index(map(title_apart, read), index, fields=["title"])
        else:
            build_index(read, index, feedback=True)
    found = search(index, read_topics(topics), **options)
    return evaluate(run=found.run, qrels=out / f"qrels/qrels.{name}.txt", measures=list(measures)).summary.tolist()


def title_apart(document: Document) -> Document:
    """The document with its title in a field alone, as BEIR's two fields are."""
    title = str(document.fields.get("title", ""))
    return Document(document.id, document.text.removeprefix(title).strip(), document.fields)


if __name__ == "__main__":
    sys.exit(main())
