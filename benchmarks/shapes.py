"""The shapes of the data that is timed, and where its files are kept."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build" / "bench"


@dataclass(frozen=True, slots=True)
class Shape:
    """What runs and their qrels look like.

    Attributes
    ----------
    name : str
        `passage...` is numbered and judged as MS MARCO's passages are; `abstracts` come with documents and an index;
        anything else is as news is.
    n_topics, depth : int
        So many topics in each run, so many documents for each.
    n_judged, n_relevant : int
        Lines of the qrels, and how many of them are of grade 1 or better; at least one for each topic.
    n_runs : int
        Runs over the same topics, alike in all but chance.
    seed : int
        Equal seeds give equal bytes.
    """

    name: str
    n_topics: int
    depth: int
    n_judged: int
    n_relevant: int
    n_runs: int = 1
    seed: int = 1

    @property
    def is_passage(self) -> bool:
        """Whether ids are plain numbers, and only what is relevant is judged."""
        return self.name.startswith("passage")

    @property
    def is_searched(self) -> bool:
        """Whether there are documents, and their run is what a search finds."""
        return self.name == "abstracts"

    @property
    def folder(self) -> Path:
        """Where the files are kept: another shape, or another way of making them, is another folder."""
        recipe = repr(self).encode() + Path(__file__).with_name("data.py").read_bytes()
        return BUILD / f"{self.name}-{hashlib.sha256(recipe).hexdigest()[:8]}"

    @property
    def runs(self) -> list[Path]:
        """The files of the runs."""
        return [self.folder / f"run.{number:03}.txt" for number in range(self.n_runs)]

    @property
    def qrels(self) -> Path:
        """The file of the qrels."""
        return self.folder / "qrels.txt"

    @property
    def topics(self) -> Path:
        """The file of the topics, where there are documents."""
        return self.folder / "topics.txt"

    @property
    def index(self) -> Path:
        """The Lucene index of the documents, where there are some."""
        return self.folder / "index"


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of documents and of topics, of random directions, and indexes of them.

    Attributes
    ----------
    name : str
    n, dimensions : int
        Documents, and the size of their vectors.
    n_topics, depth : int
        Topics, and documents wanted for each.
    ef_construction : int
        Of the graph.
    seed : int
    """

    name: str
    n: int
    dimensions: int
    n_topics: int
    depth: int
    ef_construction: int
    seed: int = 1
    n_runs: int = 1
    runs: tuple[Path, ...] = ()  # none is read

    @property
    def folder(self) -> Path:
        """Where the files are kept; as of `Shape`."""
        recipe = repr(self).encode() + Path(__file__).with_name("data.py").read_bytes()
        return BUILD / f"{self.name}-{hashlib.sha256(recipe).hexdigest()[:8]}"

    @property
    def queries(self) -> Path:
        """The vectors of the topics."""
        return self.folder / "queries.npy"


VECTORS = Vectors("vectors", n=200_000, dimensions=384, n_topics=500, depth=1_000, ef_construction=40)
SHAPES = {
    shape.name: shape
    for shape in (
        Shape("passage", n_topics=6_980, depth=1_000, n_judged=7_678, n_relevant=7_678),
        Shape("passage-two", n_topics=6_980, depth=1_000, n_judged=7_678, n_relevant=7_678, n_runs=2),
        Shape("passage-long", n_topics=69_800, depth=1_000, n_judged=76_780, n_relevant=76_780),
        Shape("passage-gate", n_topics=28_000, depth=10, n_judged=30_800, n_relevant=30_800, n_runs=2),
        Shape("news", n_topics=249, depth=1_000, n_judged=157_000, n_relevant=15_700),
        Shape("news-many", n_topics=249, depth=1_000, n_judged=157_000, n_relevant=15_700, n_runs=100),
        Shape("abstracts", n_topics=1_000, depth=1_000, n_judged=2_000, n_relevant=1_000),
        Shape("ten-lines", n_topics=2, depth=5, n_judged=8, n_relevant=2),
    )
}
