"""An experiment as its file says it, checked."""

from dataclasses import dataclass
from pathlib import Path

from irkit.experiment.toml import Table
from irkit.measures import Measure
from irkit.retrieval.filters import Filter
from irkit.rules import Conventions, Rules


@dataclass(frozen=True, slots=True)
class Bm25:
    """Lexical retrieval by Lucene: depth, the two parameters, and the weights of the fields if not all text is one."""

    depth: int
    k1: float
    b: float
    fields: dict[str, float]


@dataclass(frozen=True, slots=True)
class Dense:
    """Exact search over embeddings: encoder, depth, the fields embedded, and the score under which nothing is said."""

    encoder: str
    depth: int
    fields: tuple[str, ...]
    floor: float | None


@dataclass(frozen=True, slots=True)
class Fused:
    """Other configurations combined, with a prior as one more voter and abstention below a floor of one of them."""

    method: str
    runs: tuple[str, ...]
    depth: int
    k: float
    weights: tuple[float, ...]
    prior_field: str | None
    prior_weight: float
    floor_run: str | None
    floor: float


Configuration = Bm25 | Dense | Fused


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """A baseline and the configurations held against it, by which test and correction (as `irkit.compare`)."""

    baseline: str
    candidates: tuple[str, ...]
    measures: tuple[Measure, ...]
    test: str | None
    correction: str


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment file, checked.

    Attributes
    ----------
    path : Path
        The file; relative paths in it start from its folder.
    root : Table
        Its content, for messages that name a line.
    collection : str
        Name of the collection, part of the names of the files written.
    source : Path or None
        A folder that `irkit convert` reads.
    corpus, topics, qrels : Path or None
        Files that are these parts: all three where there is no source, else those that the source does not show.
    split, query_field : str or None
        Which of several splits of the source; and the field of a topic that is its query.
    filters : tuple of Filter
        Hard constraints of topics on documents, applied by every configuration before it ranks.
    configurations : dict of name to Configuration
        In the order of the file; a fused one comes after those that it fuses.
    measures : tuple of Measure
    conventions : Conventions
    rules : Rules
    by : str or None
        The topic field whose values are reported apart.
    comparisons : tuple of ComparisonPlan
    """

    path: Path
    root: Table
    collection: str
    source: Path | None
    corpus: Path | None
    topics: Path | None
    qrels: Path | None
    split: str | None
    query_field: str | None
    filters: tuple[Filter, ...]
    configurations: dict[str, Configuration]
    measures: tuple[Measure, ...]
    conventions: Conventions
    rules: Rules
    by: str | None
    comparisons: tuple[ComparisonPlan, ...]
