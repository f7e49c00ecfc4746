"""An experiment as its file says it, checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irkit.data.passages import CollapseAt, CollapseBy
from irkit.data.topic_matching import MatchTopics, matching
from irkit.experiment.toml import Table
from irkit.experiment.tuning_plan import TuningPlan
from irkit.files.overwrite import record_place
from irkit.measures import Measure
from irkit.retrieval.filters import Filter
from irkit.rules import Conventions, Rules


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to make a run.

    Attributes
    ----------
    method : {"bm25", "dense", "fuse", "rerank", "file"}
        file: the run is there already.
    parameters : mapping of str to value
        As the recipes of the method take them; those that the file does not name have their defaults.
    runs : tuple of str
        The configurations whose runs it is made from: several that are fused, or one that is re-ranked.
    evidence : str or None
        The configuration by whose scores it abstains.
    files : mapping of str to Path
        What it reads besides the collection: its `runs` where the method is file, a `prior`.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    runs: tuple[str, ...] = ()
    evidence: str | None = None
    files: Mapping[str, Path] = field(default_factory=dict)

    @property
    def reads_collection(self) -> bool:
        """Whether documents and topics have to be there."""
        return self.method not in ("fuse", "file") or "prior_field" in self.parameters

    @property
    def upstream(self) -> tuple[str, ...]:
        """All configurations that it looks at."""
        return self.runs if self.evidence is None else (*self.runs, self.evidence)


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """A baseline and the configurations held against it, by which test and correction (as `irkit.compare`)."""

    baseline: str
    candidates: tuple[str, ...]
    measures: tuple[Measure, ...]
    test: str | None
    correction: str


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options that change a run before scoring, as in `irkit.evaluate`."""

    collapse: str | None = None
    collapse_by: CollapseBy = "max"
    collapse_at: CollapseAt = "first"
    drop_self: bool = False
    match_topics: MatchTopics | None = None

    def matched(self, topics: Iterable[str], judged: Iterable[str]) -> dict[str, str]:
        """Map each topic to its matching judged topic, or to itself."""
        ids = list(topics)
        pairs = {} if self.match_topics is None else matching(ids, judged, self.match_topics)
        return {identifier: pairs.get(identifier, identifier) for identifier in ids}


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
        Files that are these parts: those that the source does not show. Without a source all three, or the qrels alone
        where the runs are there already and only fused.
    split, query_field : str or None
        Which of several splits of the source; and the field of a topic that is its query.
    filters : tuple of Filter
        Hard constraints of topics on documents, applied by every configuration before it ranks.
    configurations : dict of name to Configuration
        In the order of the file; a fused one comes after those that it fuses.
    measures : tuple of Measure
    conventions : Conventions
    of_runs : RunOptions
    rules : Rules
    by : str or None
        The topic field whose values are reported apart.
    comparisons : tuple of ComparisonPlan
    tunings : tuple of TuningPlan
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
    of_runs: RunOptions
    rules: Rules
    by: str | None
    comparisons: tuple[ComparisonPlan, ...]
    tunings: tuple[TuningPlan, ...] = ()

    @property
    def collection_reads(self) -> tuple[Path, ...]:
        """Files of the collection that are named individually."""
        return tuple(path for path in (self.corpus, self.topics, self.qrels) if path is not None)

    @property
    def other_reads(self) -> tuple[Path, ...]:
        """Every other file that it reads: itself, and those of its configurations and tunings."""
        return (
            self.path,
            *(path for step in self.configurations.values() for path in step.files.values()),
            *(path for plan in self.tunings for path in plan.split.reads),
        )

    def run_path(self, name: str, folder: Path) -> Path:
        """Path of a configuration's run: its own file, or in `runs/` of the output folder."""
        step = self.configurations[name]
        if step.method == "file":
            return step.files["runs"]
        return folder / "runs" / f"run.{self.collection}.{name}.txt"

    def build_path(self, folder: Path) -> Path:
        """Folder for all other outputs."""
        return folder / "build" / self.collection

    def results_path(self, folder: Path) -> Path:
        """File for values and tests."""
        return self.build_path(folder) / "evaluation.json"

    def writes(self, folder: Path) -> tuple[Path, ...]:
        """Every file that it writes: the runs, their records and the results; without a converted collection."""
        made = [self.run_path(name, folder) for name, step in self.configurations.items() if step.method != "file"]
        return (*made, *map(record_place, made), self.results_path(folder))
